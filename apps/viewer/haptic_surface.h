// SPDX-License-Identifier: MIT
#pragma once

// A patch as the hand feels it between two frames: a surface that moves on a thousand times a second.
//
// Frames come some sixty times a second; taken as they are, each would be a blow. So a new patch is where the surface goes
// to, from wherever it is shown, and it takes as long as patches were apart lately. Positions and velocities are
// continuous whatever the frames do; the price is that what is felt is one frame old. `predict` aims at where the surface
// will be a frame later by its velocities: not late, but it overshoots where things collide.
// Within one tick positions run straight from share_before() to share_now(), shares of the way from the old to the new.
// Nothing here allocates after construction.

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "haptic_patch.h"

namespace pliant::viewer {

enum class PatchMotion { hold, interpolate, predict };

class MovingSurface {
public:
    using Corners = std::array<Vec3, 3>;
    struct Box {
        Vec3 low, high;
    };

    explicit MovingSurface(PatchMotion motion = PatchMotion::interpolate);

    /// Goes on from where the surface was at the last advance(); `now` is the servo's clock [s]. Then comes advance(now).
    /// False if there was nothing to go on from: the first patch, another scene, or a time before the last one's.
    bool adopt(const Patch& patch, double now);
    /// Where the surface was becomes "before", where it is at `now` becomes "now".
    void advance(double now);

    std::span<const PatchTriangle> triangles() const { return triangles_; }
    /// By triangle: holds it on all of its way.
    std::span<const Box> boxes() const { return boxes_; }
    Corners corners(std::size_t triangle, double share) const;
    /// Of the point with these weights of the triangle's corners, in metres a second of the servo's clock.
    Vec3 velocity(std::size_t triangle, const std::array<double, 3>& weight) const;
    /// How far the fastest corner goes on the whole way [m].
    double travel(std::size_t triangle) const;
    Triangle ids(std::size_t triangle) const;

    double share_before() const { return share_before_; }
    double share_now() const { return share_now_; }
    const Vec3& center() const { return center_; }
    double reach() const { return reach_; }
    double arrival() const { return arrival_; }    ///< of the newest patch, servo's clock [s]
    double interval() const { return interval_; }  ///< that a new patch takes [s]

private:
    struct Point {
        std::int32_t id = 0;
        Vec3 from, to, v_from, v_to;
    };

    void time_interval(double now, double simulated);
    void join(const Patch& patch);
    void enclose();

    PatchMotion motion_;
    std::vector<PatchTriangle> triangles_;
    std::vector<Point> points_, shown_;  // shown_: as they were when the newest patch came
    std::vector<Box> boxes_;
    Vec3 center_;
    double reach_;
    double share_before_ = 1, share_now_ = 1;
    double arrival_ = 0, interval_ = 1.0 / 60;
    double begin_ = 0, advanced_ = 0;  // [s] where the way to the newest patch begins; the last advance
    std::uint64_t scene_ = 0;
    double simulated_ = 0;  // time of the newest patch
    double rate_ = 1;       // simulated seconds per second
    bool is_empty_ = true;
};

}  // namespace pliant::viewer
