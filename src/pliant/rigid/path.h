// SPDX-License-Identifier: MIT
#pragma once

// Paths: where something that is carried is at any time, by keyframes; no integration, so nothing drifts.
//
// A path shifts and turns what follows it, relative to where that was at time 0. Between two keyframes it goes along a
// straight line and about a fixed axis, both by the same share p(s), s = (t - begin) / T from 0 to 1:
//   linear  p = s                       velocities jump at the keyframes, as in the vel files of seed 001
//   smooth  p = 10 s^3 - 15 s^4 + 6 s^5   rest to rest: velocity and acceleration vanish at the keyframes
// Before its first keyframe it is on its way there from rest at time 0; behind the last it stays.
// Symbols: t time [s], angles [rad], spin = angular velocity [rad/s].
// Reference: Flash and Hogan, "The coordination of arm movements", 1985 (the quintic is the path of least jerk).

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include <pliant/base/types.h>

namespace pliant {

enum class PathProfile : std::int32_t { smooth, linear };
constexpr std::array<std::string_view, 2> enum_names(PathProfile)
{
    return {"smooth", "linear"};
}

/// Where a path is at a time, relative to its start.
struct PathKey {
    double time = 0;     ///< [s]
    Vec3 shift;          ///< [m]
    Vec3 axis{0, 1, 0};  ///< of any length but zero
    double angle = 0;    ///< [rad] about it; more than a turn where both ends have the same axis
};

/// The way between two keyframes.
struct PathLeg {
    double begin = 0, end = 0;  ///< [s]
    Vec3 from, to;              ///< [m]
    Mat3 turn;                  ///< orientation at the beginning
    Vec3 axis;                  ///< unit vector
    double angle = 0;           ///< [rad] turned about it until the end
};

struct Path {
    PathProfile profile = PathProfile::smooth;
    std::vector<PathLeg> legs;  ///< one behind the other, the first from time 0
};

/// Shift and orientation with their rates. Velocities at a keyframe are those just behind it.
struct PathPose {
    Vec3 shift, velocity, acceleration;
    Mat3 turn = identity3<double>();
    Vec3 spin, spin_rate;  ///< [rad/s], [rad/s^2]
};

/// Keys in order of time, at least one, the first at time 0 or later. A turn goes about the keys' common axis, or, where
/// they have different ones, the shortest way.
Path make_path(PathProfile, const std::vector<PathKey>& keys);

PathPose pose_at(const Path&, double time);

/// The next end of a leg behind this time, or infinity: velocities may jump there, so no step should go past it.
double next_keyframe(const Path&, double time);

}  // namespace pliant
