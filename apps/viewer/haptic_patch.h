// SPDX-License-Identifier: MIT
#pragma once

// What a device can touch until the next frame: a small flat copy of the surfaces near it.
//
// A patch holds the triangles that come nearer to a point than a radius, at most kGreatestPatch of them, the nearest
// first. How far it is complete, it says itself: beyond `reach` there may be surfaces that it does not know.
// Triangles of closed bodies can be touched from outside only, so that a hand that begins inside finds its way out; they
// are turned so that their front is outside. Open surfaces such as cloth have two sides.
// Every frame all triangles are looked at once: a tree over moving triangles would have to read as many to be refitted.
// Symbols: x positions [m], v velocities [m/s], time [s] of the simulation.

#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include <pliant/model/frame.h>

namespace pliant::viewer {

inline constexpr std::size_t kGreatestPatch = 2048;  ///< triangles

struct PatchPoint {
    std::int32_t id = 0;  ///< of Frame::x
    Vec3 x, v;
};

struct PatchTriangle {
    std::array<std::int32_t, 3> corner{};  ///< of the patch's points
    std::int32_t id = 0;                   ///< of Topology::triangles
    std::int32_t body = 0;                 ///< of Topology::bodies
    bool has_two_sides = true;             ///< false: outside is where it is seen counter-clockwise
};

struct Patch {
    std::uint64_t scene = 0;  ///< patches of one number have the same points
    std::int64_t frame = -1;
    double time = 0;
    Vec3 center;
    double reach =
        std::numeric_limits<double>::infinity();  ///< all surfaces nearer to the center than this are here [m]
    std::vector<PatchPoint> points;               ///< by rising id
    std::vector<PatchTriangle> triangles;         ///< by rising id
};

/// Cuts patches out of the frames of one topology. Not for several threads at once.
class PatchCutter {
public:
    /// `x` are positions of any frame; they tell what is outside of closed bodies.
    PatchCutter(const Topology& topology, std::span<const Vec3> x, std::uint64_t scene = 0);

    /// Into `patch`, whose memory is used again.
    void cut(Patch& patch, const Frame& frame, const Vec3& center, double radius);

    /// By body: 1 if no edge is a border.
    std::span<const std::uint8_t> closed_bodies() const { return is_closed_; }

private:
    struct Near {
        double distance2;
        std::int32_t triangle;
    };

    void find_near(const Frame& frame, const Vec3& center, double radius);
    void copy_triangles(Patch& patch);
    void copy_points(Patch& patch, const Frame& frame);

    std::uint64_t scene_;
    std::vector<Triangle> triangles_;
    std::vector<std::int32_t> body_;         // by triangle
    std::vector<std::uint8_t> is_closed_;    // by body
    std::vector<std::int32_t> patch_point_;  // by point: its place in the patch being made
    std::vector<Near> near_;
};

}  // namespace pliant::viewer
