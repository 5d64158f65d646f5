// SPDX-License-Identifier: MIT
#include <pliant/rigid/path.h>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

#include <pliant/mesh/transform.h>

namespace pliant {
namespace {

constexpr double kPi = std::numbers::pi;

double difference(const Mat3& a, const Mat3& b)
{
    double most = 0;
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) most = std::max(most, std::abs(a(i, j) - b(i, j)));
    return most;
}

Path path_with(PathProfile profile)
{
    return make_path(
        profile,
        {{1, {0, 0, 0.2}, {0, 1, 0}, 0}, {2, {0.5, 0, 0.2}, {0, 1, 0}, kPi / 2}, {4, {0.5, 1, 0}, {1, 0, 0}, kPi / 3}});
}

TEST(Path, IsAtItsKeyframesExactly)
{
    for (const PathProfile profile : {PathProfile::linear, PathProfile::smooth}) {
        const Path path = path_with(profile);
        EXPECT_EQ(pose_at(path, 0).shift, Vec3{});
        EXPECT_EQ(pose_at(path, 0).turn, identity3<double>());
        EXPECT_EQ(pose_at(path, 1).shift, (Vec3{0, 0, 0.2}));
        EXPECT_EQ(pose_at(path, 2).shift, (Vec3{0.5, 0, 0.2}));
        for (const double behind : {4.0, 5.0, 1e6}) {
            const PathPose rest = pose_at(path, behind);
            EXPECT_EQ(rest.shift, (Vec3{0.5, 1, 0}));
            EXPECT_EQ(rest.velocity, Vec3{});
            EXPECT_EQ(rest.spin, Vec3{});
            EXPECT_LT(difference(rest.turn, rotation_matrix({1, 0, 0}, kPi / 3)), 1e-15);
        }
        EXPECT_LT(difference(pose_at(path, 2).turn, rotation_matrix({0, 1, 0}, kPi / 2)), 1e-15);
    }
}

// Rates against differences of what they are rates of, everywhere but at the kinks.
TEST(Path, HasTheRatesOfItsPlaces)
{
    const double h = 1e-5;
    for (const PathProfile profile : {PathProfile::linear, PathProfile::smooth}) {
        const Path path = path_with(profile);
        for (double t = 0.05; t < 4.5; t += 0.1) {
            const PathPose at = pose_at(path, t), before = pose_at(path, t - h), behind = pose_at(path, t + h);
            EXPECT_LT(norm((behind.shift - before.shift) / (2 * h) - at.velocity), 1e-8) << t;
            EXPECT_LT(norm((behind.velocity - before.velocity) / (2 * h) - at.acceleration), 1e-7) << t;
            EXPECT_LT(norm((behind.spin - before.spin) / (2 * h) - at.spin_rate), 1e-7) << t;
            // R' = [w] R
            const Mat3 rate = (behind.turn + before.turn * -1.0) * (1 / (2 * h));
            const Vec3& w = at.spin;
            const Mat3 spin{{{0, -w.z, w.y}, {w.z, 0, -w.x}, {-w.y, w.x, 0}}};
            EXPECT_LT(difference(rate, spin * at.turn), 1e-8) << t;
        }
    }
}

TEST(Path, GoesFromRestToRestWithoutJerks)
{
    const Path path = path_with(PathProfile::smooth);
    for (const double key : {0.0, 1.0, 2.0, 4.0})
        for (const double t : {key, std::nextafter(key, 0.0)}) {
            EXPECT_LT(norm(pose_at(path, t).velocity), 1e-13) << t;
            EXPECT_LT(norm(pose_at(path, t).acceleration), 1e-12) << t;
            EXPECT_LT(norm(pose_at(path, t).spin_rate), 1e-12) << t;
        }
    // Half way after half the time, fastest there: 15/8 of the mean.
    EXPECT_LT(norm(pose_at(path, 0.5).shift - Vec3{0, 0, 0.1}), 1e-15);
    EXPECT_LT(norm(pose_at(path, 0.5).velocity - Vec3{0, 0, 0.2 * 15 / 8}), 1e-15);
}

TEST(Path, LinearVelocitiesAreThoseBehindAKeyframe)
{
    const Path path = path_with(PathProfile::linear);
    EXPECT_EQ(pose_at(path, 0).velocity, (Vec3{0, 0, 0.2}));
    EXPECT_EQ(pose_at(path, 1).velocity, (Vec3{0.5, 0, 0}));
    EXPECT_LT(norm(pose_at(path, 1).spin - Vec3{0, kPi / 2, 0}), 1e-15);
    EXPECT_EQ(pose_at(path, 0.99).velocity, (Vec3{0, 0, 0.2}));
}

TEST(Path, TurnsAsOftenAsItsAngleSays)
{
    const Path turns = make_path(PathProfile::linear, {{2, {}, {0, 0, 2}, 4 * kPi}, {3, {}, {0, 0, -1}, kPi}});
    EXPECT_LT(norm(pose_at(turns, 1).spin - Vec3{0, 0, 2 * kPi}), 1e-14);
    EXPECT_LT(difference(pose_at(turns, 0.25).turn, rotation_matrix({0, 0, 1}, kPi / 2)), 1e-15);
    // The same axis the other way: from two turns back to minus half of one.
    EXPECT_LT(norm(pose_at(turns, 2.5).spin - Vec3{0, 0, -5 * kPi}), 1e-13);
    // Different axes: the shortest way, half a turn at most.
    const Path across = make_path(PathProfile::linear, {{1, {}, {1, 0, 0}, kPi}, {2, {}, {0, 1, 0}, kPi}});
    EXPECT_LT(difference(pose_at(across, 2).turn, rotation_matrix({0, 1, 0}, kPi)), 1e-14);
    EXPECT_NEAR(norm(pose_at(across, 1.5).spin), kPi, 1e-14);
}

TEST(Path, KnowsWhereItMayBend)
{
    const Path path = path_with(PathProfile::linear);
    EXPECT_EQ(next_keyframe(path, 0), 1);
    EXPECT_EQ(next_keyframe(path, 1), 2);
    EXPECT_EQ(next_keyframe(path, 3.9), 4);
    EXPECT_EQ(next_keyframe(path, 4), std::numeric_limits<double>::infinity());
}

}  // namespace
}  // namespace pliant
