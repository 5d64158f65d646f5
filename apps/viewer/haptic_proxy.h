// SPDX-License-Identifier: MIT
#pragma once

// The proxy: a small ball that follows the device but stays outside of things.
//
// Where the device goes into a surface the proxy stays on it, slides along it, goes round its edges and rests in its
// corners; the spring from the device to the proxy is what the hand feels. A tick has two halves.
//   The surface moves: in parts so short that no triangle can pass the middle of the ball, the ball being carried along
//   with what it touched and pushed off what comes nearer than its radius.
//   The ball moves: straight towards the device until it touches; then towards the point nearest to the device among those
//   that the touched planes allow, and so on. Each way ends nearer to the device, so it ends.
// The distance to a triangle is convex along a straight way. Newton's method from its beginning therefore never
// oversteps the first touch, and a triangle that is not approached at first never will be: the ball cannot jump through
// a wall, however long the way is. Only two walls that close up with the ball between them may pass it.
// Friction is a cone about the pressing direction: the ball rests while the device's offset lies in it (static) and
// slides until it lies in the narrower one (dynamic). In corners the cone has the size of the whole pressure.
// Symbols: p middle of the ball, r its radius [m], n unit normals from the surface to p.
// References: C. Zilles and K. Salisbury, A constraint-based god-object method for haptic display (1995);
// D. Ruspini, K. Kolarov and O. Khatib, The haptic display of complex graphical environments (1997);
// W. Harwin and N. Melder, Improved haptic rendering for multi-finger manipulation using friction cone based
// god-objects (2002).

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "haptic_surface.h"

namespace pliant::viewer {

struct ProxySettings {
    double radius = 0.005;        ///< [m], above zero
    double static_friction = 0;   ///< pull over pressure that the surface holds
    double dynamic_friction = 0;  ///< the same while it slides; not above static_friction
};

/// One touched triangle.
struct ProxyTouch {
    std::int32_t triangle = -1;      ///< of the surface
    std::array<double, 3> weight{};  ///< of its corners: the touched point
    Vec3 normal;                     ///< from the surface to the proxy
    Vec3 push;                       ///< its part of the way from the proxy to the device [m]
    double part = 0;                 ///< of the whole pressure, 0 to 1
};

struct ProxyResult {
    Vec3 position;
    bool is_sliding = false;
    int touch_count = 0;  ///< 0 in the open; a corner has up to three
    std::array<ProxyTouch, 3> touches{};

    std::span<const ProxyTouch> touched() const { return {touches.data(), static_cast<std::size_t>(touch_count)}; }
};

/// A plane that the ball touches.
struct TouchedPlane {
    std::int32_t triangle = -1;
    std::array<double, 3> weight{};
    Vec3 normal;
    bool is_on_face = false;  ///< not on a border of the triangle
};

/// The way nearest to a wanted one that goes into none of the planes, and the planes that bend it.
struct AllowedWay {
    Vec3 way;
    int count = 0;
    std::array<int, 3> plane{};
    std::array<double, 3> pressure{};  ///< way = wanted + sum of pressure * normal
};

AllowedWay allowed_way(std::span<const TouchedPlane> planes, const Vec3& wanted);

class HapticProxy {
public:
    HapticProxy();

    void set(const ProxySettings& settings) { settings_ = settings; }
    const ProxySettings& settings() const { return settings_; }

    /// Puts the ball there, whatever is in between.
    void place(const Vec3& position);
    /// Finds what it touched among the triangles of a patch that has just been adopted.
    void find_again(const MovingSurface& surface);
    /// One tick: the surface goes from "before" to "now", then the ball goes as near to the device as it can.
    const ProxyResult& follow(const MovingSurface& surface, const Vec3& device);
    const ProxyResult& result() const { return result_; }

private:
    static constexpr std::size_t kPlanes = 16;

    void gather(const MovingSurface& surface, const Vec3& center, double radius);
    void move_with(const MovingSurface& surface);
    void push_off(const MovingSurface& surface, double share);
    void go_towards(const MovingSurface& surface, const Vec3& device);
    double sweep(const MovingSurface& surface, double share, const Vec3& way) const;
    void touch_planes(const MovingSurface& surface, double share);
    void add_plane(const TouchedPlane& plane);
    Vec3 within_reach(const MovingSurface& surface, const Vec3& device) const;
    double slip(const AllowedWay& allowed, const Vec3& wanted, bool is_first);
    void report(const MovingSurface& surface, const Vec3& device);

    ProxySettings settings_;
    ProxyResult result_;
    Triangle anchor_{-1, -1, -1};       // points of the triangle it was pressed on
    std::vector<std::int32_t> nearby_;  // triangles that this tick may concern
    std::array<TouchedPlane, kPlanes> planes_;
    std::size_t plane_count_ = 0;
};

}  // namespace pliant::viewer
