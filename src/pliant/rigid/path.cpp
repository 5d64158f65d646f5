// SPDX-License-Identifier: MIT
#include <pliant/rigid/path.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include <pliant/mesh/transform.h>

namespace pliant {

namespace {

struct Turn {
    Vec3 axis;
    double angle = 0;
};

// Axis and angle, from 0 to pi, of a rotation.
Turn turn_of(const Mat3& R)
{
    const Vec3 twice{R.m[2][1] - R.m[1][2], R.m[0][2] - R.m[2][0], R.m[1][0] - R.m[0][1]};
    const double sine = norm(twice) / 2, cosine = (R.m[0][0] + R.m[1][1] + R.m[2][2] - 1) / 2;
    const double angle = std::atan2(sine, cosine);
    // Near half a turn the antisymmetric part fades; R + R^T - 2 cos 1 = 2 (1 - cos) n n^T does not.
    if (cosine > -0.5) return sine > 0 ? Turn{twice / (2 * sine), angle} : Turn{{0, 1, 0}, 0};
    const Mat3 sum = R + transpose(R) + identity3<double>() * (-2 * cosine);
    int longest = 0;
    for (int k = 1; k < 3; ++k)
        if (sum.m[k][k] > sum.m[longest][longest]) longest = k;
    const Vec3 axis = normalized(column(sum, longest));
    return {dot(axis, twice) < 0 ? -axis : axis, angle};
}

Mat3 orientation(const PathKey& key)
{
    return key.angle == 0 ? identity3<double>() : rotation_matrix(key.axis, key.angle);
}

// From one key's orientation to the next one's.
Turn turn_between(const PathKey& from, const PathKey& to)
{
    const Vec3 a = normalized(from.angle == 0 ? to.axis : from.axis), b = normalized(to.angle == 0 ? a : to.axis);
    constexpr double kParallel = 1e-12;
    if (norm2(cross(a, b)) < kParallel * kParallel) return {a, (dot(a, b) < 0 ? -to.angle : to.angle) - from.angle};
    return turn_of(orientation(to) * transpose(orientation(from)));
}

// The share of a leg that is done, and its rates per second.
struct Share {
    double done = 0, rate = 0, rate_of_rate = 0;
};

Share share_of(PathProfile profile, const PathLeg& leg, double time)
{
    const double T = leg.end - leg.begin, s = (time - leg.begin) / T, r = 1 - s;
    if (profile == PathProfile::linear) return {s, 1 / T, 0};
    return {s * s * s * (10 + s * (6 * s - 15)), 30 * s * s * r * r / T, 60 * s * r * (1 - 2 * s) / (T * T)};
}

}  // namespace

Path make_path(PathProfile profile, const std::vector<PathKey>& keys)
{
    Path path{.profile = profile, .legs = {}};
    PathKey before{.time = 0, .shift = {}, .axis = keys.front().axis};
    for (const PathKey& key : keys) {
        if (key.time > before.time) {
            const Turn turn = turn_between(before, key);
            path.legs.push_back(
                {before.time, key.time, before.shift, key.shift, orientation(before), turn.axis, turn.angle});
        }
        before = key;
    }
    return path;
}

PathPose pose_at(const Path& path, double time)
{
    PathPose pose;
    const auto leg = std::find_if(path.legs.begin(), path.legs.end(),
                                  [&](const PathLeg& candidate) { return time < candidate.end; });
    if (path.legs.empty()) return pose;
    if (leg == path.legs.end()) {
        const PathLeg& last = path.legs.back();
        pose.shift = last.to;
        pose.turn = rotation_matrix(last.axis, last.angle) * last.turn;
        return pose;
    }
    const Share share = share_of(path.profile, *leg, time);
    const Vec3 way = leg->to - leg->from, turn = leg->axis * leg->angle;
    pose.shift = leg->from + way * share.done;
    pose.velocity = way * share.rate, pose.acceleration = way * share.rate_of_rate;
    pose.turn = leg->angle == 0 ? leg->turn : rotation_matrix(leg->axis, leg->angle * share.done) * leg->turn;
    pose.spin = turn * share.rate, pose.spin_rate = turn * share.rate_of_rate;
    return pose;
}

double next_keyframe(const Path& path, double time)
{
    for (const PathLeg& leg : path.legs)
        if (time < leg.end) return time < leg.begin ? leg.begin : leg.end;
    return std::numeric_limits<double>::infinity();
}

}  // namespace pliant
