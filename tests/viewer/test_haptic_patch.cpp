// SPDX-License-Identifier: MIT

// What the servo may touch: the right triangles, the newest ones, and smoothly moved.

#include "viewer/haptic_patch.h"

#include <algorithm>
#include <thread>

#include "viewer/haptic_mailbox.h"
#include "viewer/haptic_sample.h"

namespace pliant::viewer {
namespace {

TEST(HapticPatch, HoldsAllThatIsNearAndSaysHowFarItIsComplete)
{
    TouchScene scene = sheet(40, 2);
    const Vec3 center{0.3, 0.05, -0.2};
    const Patch patch = patch_of(scene, center, 0.2);
    EXPECT_DOUBLE_EQ(patch.reach, 0.2);
    EXPECT_EQ(patch.center, center);
    std::size_t expected = 0;
    for (const Triangle& t : scene.topology.triangles) {
        double nearest = 1e9;
        for (const std::int32_t p : t)
            nearest = std::min(nearest, norm(scene.frame.x[static_cast<std::size_t>(p)] - center));
        if (nearest < 0.2) ++expected;
    }
    EXPECT_GE(patch.triangles.size(), expected);
    EXPECT_LT(patch.triangles.size(), 2 * expected);
    for (const PatchTriangle& triangle : patch.triangles)
        for (std::size_t k = 0; k < 3; ++k) {
            const PatchPoint& point = patch.points[static_cast<std::size_t>(triangle.corner[k])];
            EXPECT_EQ(point.id, scene.topology.triangles[static_cast<std::size_t>(triangle.id)][k]);
            EXPECT_EQ(point.x, scene.frame.x[static_cast<std::size_t>(point.id)]);
        }
    EXPECT_TRUE(std::is_sorted(patch.points.begin(), patch.points.end(),
                               [](const PatchPoint& a, const PatchPoint& b) { return a.id < b.id; }));
}

TEST(HapticPatch, IsWholeWhenNothingIsLeftOut)
{
    EXPECT_TRUE(std::isinf(patch_of(box({1, 1, 1})).reach));
    EXPECT_TRUE(std::isinf(patch_of(TouchScene{}).reach));
}

TEST(HapticPatch, KeepsTheNearestOfTooMany)
{
    const TouchScene scene = sheet(100, 2);
    const Patch patch = patch_of(scene, {}, 5);
    EXPECT_EQ(patch.triangles.size(), kGreatestPatch);
    EXPECT_LT(patch.reach, 1);
    EXPECT_GT(patch.reach, 0.3);
    // 2048 triangles of 2e-4 m² cover a disc of about 0.36 m.
    const Patch again = patch_of(scene, {}, 0.99 * patch.reach);
    EXPECT_LE(again.triangles.size(), kGreatestPatch);
    for (const PatchTriangle& triangle : again.triangles)
        EXPECT_TRUE(std::any_of(patch.triangles.begin(), patch.triangles.end(),
                                [&](const PatchTriangle& t) { return t.id == triangle.id; }));
}

TEST(HapticPatch, TurnsClosedBodiesOutwardsAndLeavesOpenOnesTwoSides)
{
    TouchScene scene = box({1, 1, 1});
    for (Triangle& t : scene.topology.triangles) std::swap(t[0], t[1]);
    const Patch patch = patch_of(scene);
    for (const PatchTriangle& triangle : patch.triangles) {
        EXPECT_FALSE(triangle.has_two_sides);
        Vec3 x[3];
        for (std::size_t k = 0; k < 3; ++k) x[k] = patch.points[static_cast<std::size_t>(triangle.corner[k])].x;
        EXPECT_GT(dot(x[0], cross(x[1] - x[0], x[2] - x[0])), 0);
    }
    for (const PatchTriangle& triangle : patch_of(sheet(3, 1)).triangles) EXPECT_TRUE(triangle.has_two_sides);
}

TEST(HapticPatch, LeavesOutWhatIsNotFinite)
{
    TouchScene scene = sheet(4, 1);
    scene.frame.x[0].y = std::nan(""), scene.frame.v[7].x = std::nan("");
    const Patch patch = patch_of(scene);
    EXPECT_LT(patch.triangles.size(), scene.topology.triangles.size());
    for (const PatchPoint& point : patch.points) EXPECT_TRUE(is_finite(point.x) && is_finite(point.v));
}

TEST(LatestValue, GivesTheNewestOnce)
{
    LatestValue<int> box(7);
    EXPECT_FALSE(box.refresh());
    EXPECT_EQ(box.latest(), 7);
    box.publish(1), box.publish(2);
    EXPECT_TRUE(box.refresh());
    EXPECT_EQ(box.latest(), 2);
    EXPECT_FALSE(box.refresh());
    for (int i = 3; i < 20; ++i) {
        box.publish(i);
        EXPECT_EQ(box.latest(), i - 1);
        EXPECT_TRUE(box.refresh());
    }
}

TEST(LatestValue, NeverTearsBetweenThreads)
{
    LatestValue<std::array<int, 64>> box;
    std::thread writer([&] {
        for (int i = 1; i <= 20000; ++i) {
            box.draft().fill(i);
            box.publish();
        }
    });
    int last = 0;
    while (last < 20000) {
        if (!box.refresh()) continue;
        const auto& value = box.latest();
        EXPECT_GT(value[0], last);
        EXPECT_TRUE(std::all_of(value.begin(), value.end(), [&](int v) { return v == value[0]; }));
        last = value[0];
    }
    writer.join();
}

TEST(MovingSurface, GoesSteadilyFromFrameToFrameAndRestsWhenNoneComes)
{
    TouchScene scene = sheet(2, 1);
    MovingSurface surface;
    double last = 0, greatest = 0, now = 0;
    for (int tick = 0; tick < 500; ++tick, now += 1e-3) {
        // 50 frames a second of a sheet that rises at 1 m/s, until 0.3 s.
        if (tick % 20 == 0 && tick <= 300) {
            scene.frame.time = now;
            for (Vec3& x : scene.frame.x) x.y = now;
            for (Vec3& v : scene.frame.v) v = {0, 1, 0};
            surface.adopt(patch_of(scene), now);
        }
        surface.advance(now);
        const double height = surface.corners(0, surface.share_now())[0].y;
        if (tick > 0) greatest = std::max(greatest, std::abs(height - last));
        EXPECT_DOUBLE_EQ(surface.corners(0, surface.share_before())[0].y, tick > 0 ? last : height);
        last = height;
    }
    EXPECT_NEAR(last, 0.3, 1e-9);
    EXPECT_LT(greatest, 1.3e-3);
}

TEST(MovingSurface, StaysContinuousWhenPointsComeAndGo)
{
    const TouchScene scene = sheet(30, 1);
    PatchCutter cutter(scene.topology, scene.frame.x);
    MovingSurface surface;
    Patch patch;
    for (int i = 0; i < 50; ++i) {
        cutter.cut(patch, scene.frame, {0.01 * i - 0.25, 0, 0.3}, 0.2);
        surface.adopt(patch, 0.016 * i), surface.advance(0.016 * i + 0.01);
        for (std::size_t t = 0; t < surface.triangles().size(); ++t) {
            const auto x = surface.corners(t, surface.share_now());
            const Triangle ids = surface.ids(t);
            for (std::size_t k = 0; k < 3; ++k)
                expect_near(x[k], scene.frame.x[static_cast<std::size_t>(ids[k])], 1e-12);
        }
    }
}

}  // namespace
}  // namespace pliant::viewer
