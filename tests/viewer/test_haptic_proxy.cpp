// SPDX-License-Identifier: MIT

// The ball outside of things: walls hold, edges are gone round, corners hold, friction holds and slips.

#include "viewer/haptic_proxy.h"

#include <random>

#include <pliant/contact/distance.h>

#include "viewer/haptic_sample.h"

namespace pliant::viewer {
namespace {

constexpr double kRadius = 0.01;

HapticProxy proxy_at(const Vec3& position, double static_friction = 0, double dynamic_friction = 0)
{
    HapticProxy proxy;
    proxy.set({kRadius, static_friction, dynamic_friction});
    proxy.place(position);
    return proxy;
}

double distance_to(const MovingSurface& surface, const Vec3& p)
{
    double least = 1e9;
    for (std::size_t t = 0; t < surface.triangles().size(); ++t) {
        const auto x = surface.corners(t, surface.share_now());
        least = std::min(least, std::sqrt(vertex_face_distance(p, x[0], x[1], x[2]).distance2));
    }
    return least;
}

TEST(HapticProxy, IsWhereTheDeviceIsInTheOpen)
{
    const MovingSurface surface = still_surface(sheet(10, 1));
    HapticProxy proxy = proxy_at({0, 0.5, 0});
    const ProxyResult& result = proxy.follow(surface, {0.3, 0.2, -0.1});
    EXPECT_EQ(result.position, (Vec3{0.3, 0.2, -0.1}));
    EXPECT_EQ(result.touch_count, 0);
}

TEST(HapticProxy, StaysOnASheetFromEitherSideAndSlidesUnderTheDevice)
{
    const MovingSurface surface = still_surface(sheet(10, 1));
    for (const double side : {1.0, -1.0}) {
        HapticProxy proxy = proxy_at({0, side * 0.1, 0});
        for (int i = 0; i <= 100; ++i) {
            const Vec3 device{0.003 * i, side * (0.05 - 0.003 * i), 0.0021 * i};
            const ProxyResult& result = proxy.follow(surface, device);
            const Vec3 expected{device.x, side > 0 ? std::max(device.y, kRadius) : std::min(device.y, -kRadius),
                                device.z};
            expect_near(result.position, expected, 1e-6 * kRadius);
            if (side * device.y > kRadius) continue;
            ASSERT_GE(result.touch_count, 1);
            expect_near(result.touches[0].normal, {0, side, 0}, 1e-6);
            expect_near(result.touches[0].push, device - result.position, 1e-8);
            Vec3 at;
            const auto x = surface.corners(static_cast<std::size_t>(result.touches[0].triangle), 1);
            for (std::size_t k = 0; k < 3; ++k) at += x[k] * result.touches[0].weight[k];
            expect_near(at, {device.x, 0, device.z}, 1e-7);
        }
    }
}

TEST(HapticProxy, NeverGoesThroughAWallHoweverFarTheDeviceJumps)
{
    const MovingSurface surface = still_surface(sheet(20, 4));
    std::mt19937 random(1);
    std::uniform_real_distribution<double> anywhere(-1, 1), deep(-100, 0.5);
    HapticProxy proxy = proxy_at({0, 0.3, 0});
    for (int i = 0; i < 3000; ++i) {
        const ProxyResult& result = proxy.follow(surface, {anywhere(random), deep(random), anywhere(random)});
        ASSERT_GE(result.position.y, kRadius * (1 - 1e-5)) << "jump " << i;
    }
}

TEST(HapticProxy, NeverGetsIntoAClosedBumpyBodyNorLosesTheWay)
{
    TouchScene scene = box({0.2, 0.15, 0.1});
    const MovingSurface surface = still_surface(scene);
    std::mt19937 random(2);
    std::uniform_real_distribution<double> anywhere(-0.4, 0.4);
    HapticProxy proxy = proxy_at({0.5, 0, 0});
    for (int i = 0; i < 5000; ++i) {
        const Vec3 device{anywhere(random), anywhere(random), anywhere(random)};
        const Vec3 before = proxy.result().position;
        const ProxyResult& result = proxy.follow(surface, device);
        ASSERT_GE(distance_to(surface, result.position), kRadius * (1 - 1e-5)) << "jump " << i;
        const Vec3& p = result.position;
        ASSERT_TRUE(std::abs(p.x) > 0.2 || std::abs(p.y) > 0.15 || std::abs(p.z) > 0.1) << "jump " << i;
        ASSERT_LE(norm(p - device), norm(before - device) * (1 + 1e-9) + 1e-9);
    }
}

TEST(HapticProxy, GoesRoundAnEdgeWithoutALeap)
{
    const MovingSurface surface = still_surface(box({0.2, 0.2, 0.2}));
    HapticProxy proxy = proxy_at({0, 0.25, 0});
    Vec3 last = proxy.follow(surface, {0, 0.19, 0.01}).position;
    // On the top to the right, beyond the edge, then down and in at the right side.
    std::vector<Vec3> way;
    for (int i = 0; i <= 300; ++i) way.push_back({0.001 * i, 0.19, 0.01});
    for (int i = 0; i <= 190; ++i) way.push_back({0.3 - 0.0006 * i, 0.19 - 0.001 * i, 0.01});
    for (const Vec3& device : way) {
        const Vec3 p = proxy.follow(surface, device).position;
        ASSERT_GE(distance_to(surface, p), kRadius * (1 - 1e-5));
        ASSERT_LT(norm(p - last), 0.03);
        last = p;
    }
    expect_near(last, {0.2 + kRadius, 0.0, 0.01}, 1e-6);
}

// Three sheets that meet in a corner, open.
TouchScene corner()
{
    TouchScene scene;
    scene.add("corner", {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {{0, 1, 2}, {0, 2, 3}, {0, 3, 1}});
    return scene;
}

TEST(HapticProxy, RestsInAConcaveEdgeAndInACorner)
{
    const MovingSurface surface = still_surface(corner());
    HapticProxy proxy = proxy_at({0.2, 0.2, 0.2});
    proxy.follow(surface, {-0.1, -0.2, 0.1});
    const ProxyResult& edge = proxy.follow(surface, {-0.1, -0.2, 0.1});
    expect_near(edge.position, {kRadius, kRadius, 0.1}, 1e-7);
    EXPECT_EQ(edge.touch_count, 2);
    Vec3 push;
    for (const ProxyTouch& touch : edge.touched()) push += touch.push;
    expect_near(push, Vec3{-0.1, -0.2, 0.1} - edge.position, 1e-9);
    const ProxyResult& in = proxy.follow(surface, {-0.1, -0.2, -0.3});
    expect_near(in.position, {kRadius, kRadius, kRadius}, 1e-7);
    EXPECT_EQ(in.touch_count, 3);
    double whole = 0;
    for (const ProxyTouch& touch : in.touched()) {
        whole += touch.part;
        EXPECT_LT(dot(touch.push, touch.normal), 0);
    }
    EXPECT_NEAR(whole, 1, 1e-12);
    // And out of it again.
    expect_near(proxy.follow(surface, {0.3, 0.3, 0.2}).position, {0.3, 0.3, 0.2}, 1e-12);
}

TEST(HapticProxy, SlidesOverAFineWavySurfaceAndStaysOnIt)
{
    const TouchScene scene = sheet(30, 1, [](double x, double z) { return 0.05 * std::sin(12 * x) * std::cos(9 * z); });
    const MovingSurface surface = still_surface(scene);
    HapticProxy proxy = proxy_at({-0.4, 0.1, -0.3});
    for (int i = 0; i <= 2000; ++i) {
        const Vec3 device{-0.4 + 0.0004 * i, -0.08, -0.3 + 0.0003 * i};
        const ProxyResult& result = proxy.follow(surface, device);
        const double gap = distance_to(surface, result.position) / kRadius;
        ASSERT_GE(gap, 1 - 1e-5);
        ASSERT_LE(gap, 1 + 1e-2) << i;
        ASSERT_GE(result.touch_count, 1);
    }
}

TEST(HapticProxy, IsLetOutOfAClosedBody)
{
    const MovingSurface surface = still_surface(box({0.2, 0.2, 0.2}));
    HapticProxy proxy = proxy_at({0, 0, 0});
    EXPECT_EQ(proxy.follow(surface, {0.5, 0.1, 0}).position, (Vec3{0.5, 0.1, 0}));
    EXPECT_NEAR(proxy.follow(surface, {0, 0, 0}).position.x, 0.2 + kRadius, 1e-9);
}

TEST(HapticProxy, WaitsAtTheBorderOfWhatItKnows)
{
    const TouchScene scene = sheet(40, 4);
    MovingSurface surface;
    surface.adopt(patch_of(scene, {0, 0.1, 0}, 0.3), 0);
    surface.advance(1);
    HapticProxy proxy = proxy_at({0, 0.1, 0});
    const ProxyResult& result = proxy.follow(surface, {1.5, 0.1, 0});
    EXPECT_NEAR(norm(result.position - Vec3{0, 0.1, 0}), 0.3 - kRadius, 1e-9);
    EXPECT_EQ(result.touch_count, 0);
}

TEST(HapticProxy, FrictionHoldsInsideTheConeAndSlipsOutside)
{
    const MovingSurface surface = still_surface(sheet(10, 1));
    const double depth = 0.05;
    HapticProxy proxy = proxy_at({0, kRadius, 0}, 0.8, 0.5);
    proxy.follow(surface, {0, kRadius - depth, 0});
    EXPECT_NEAR(proxy.follow(surface, {0.79 * depth, kRadius - depth, 0}).position.x, 0, 1e-12);
    // Beyond the cone it slides until the narrower one is reached, and there the pull is half of the pressure.
    double x = 0.81 * depth;
    for (int i = 0; i < 50; ++i, x += 0.001)
        EXPECT_NEAR(proxy.follow(surface, {x, kRadius - depth, 0}).position.x, x - 0.5 * depth, 1e-7);
    EXPECT_TRUE(proxy.result().is_sliding);
    // Back within the cone: rest again.
    const double rest = proxy.result().position.x;
    proxy.follow(surface, {rest, kRadius - depth, 0});
    EXPECT_FALSE(proxy.result().is_sliding);
    EXPECT_NEAR(proxy.follow(surface, {rest - 0.7 * depth, kRadius - depth, 0}).position.x, rest, 1e-12);
}

// Frames of a sheet that moves at `velocity`, 60 a second; the device stands.
Vec3 carried(const Vec3& velocity, double friction, const Vec3& device, double seconds)
{
    TouchScene scene = sheet(10, 4);
    const std::vector<Vec3> first = scene.frame.x;
    MovingSurface surface;
    HapticProxy proxy = proxy_at({0, 0.03, 0}, friction, friction);
    int frames = 0;
    for (double now = 0; now < seconds; now += 1e-3) {
        if (now * 60 >= frames) {
            ++frames;
            scene.frame.time = now;
            for (std::size_t i = 0; i < first.size(); ++i)
                scene.frame.x[i] = first[i] + velocity * now, scene.frame.v[i] = velocity;
            surface.adopt(patch_of(scene), now);
            proxy.find_again(surface);
        }
        surface.advance(now);
        proxy.follow(surface, device);
        EXPECT_GE(distance_to(surface, proxy.result().position), kRadius * (1 - 1e-4)) << now;
    }
    return proxy.result().position;
}

TEST(HapticProxy, IsPushedByARisingSheetHoweverFast)
{
    for (const double speed : {0.1, 1.0, 10.0}) {
        const Vec3 p = carried({0, speed, 0}, 0, {0, 0.03, 0}, 0.5);
        EXPECT_GT(p.y, speed * (0.5 - 2.0 / 60)) << speed;
    }
}

TEST(HapticProxy, IsCarriedAlongByFrictionAndNotWithout)
{
    const Vec3 device{0, -0.2, 0};
    EXPECT_NEAR(carried({0.1, 0, 0}, 0, device, 1).x, 0, 1e-9);
    EXPECT_NEAR(carried({0.1, 0, 0}, 0.9, device, 1).x, 0.1 * (1 - 1.0 / 60), 0.002);
    // What the cone cannot hold slips: 0.2 of 0.21 m pressure.
    EXPECT_NEAR(carried({0.1, 0, 0}, 0.2, device, 1).x, 0.2 * 0.21, 1e-3);
}

// Over all triangles that are straight below or above it, of a sheet that does not overhang.
bool is_above(const MovingSurface& surface, const Vec3& p)
{
    for (std::size_t t = 0; t < surface.triangles().size(); ++t) {
        const auto x = surface.corners(t, surface.share_now());
        bool is_inside = true;
        for (std::size_t k = 0; k < 3; ++k) is_inside = is_inside && cross(x[(k + 1) % 3] - x[k], p - x[k]).y >= 0;
        if (is_inside && dot(p - x[0], cross(x[1] - x[0], x[2] - x[0])) <= 0) return false;
    }
    return true;
}

TEST(HapticProxy, NeverGoesThroughASharplyFoldedSheetWithFriction)
{
    std::mt19937 random(4);
    std::uniform_real_distribution<double> rough(-0.2, 0.2), anywhere(-0.4, 0.4), deep(-1, 0.3);
    // Its border is so far away that no way leads round it.
    const MovingSurface surface = still_surface(sheet(30, 5, [&](double, double) { return rough(random); }));
    for (const double friction : {0.0, 0.6}) {
        HapticProxy proxy = proxy_at({0, 0.3, 0}, friction, 0.5 * friction);
        for (int i = 0; i < 3000; ++i) {
            const Vec3& p = proxy.follow(surface, {anywhere(random), deep(random), anywhere(random)}).position;
            ASSERT_TRUE(is_above(surface, p)) << i;
            ASSERT_GE(distance_to(surface, p), kRadius * (1 - 1e-5)) << i;
        }
    }
}

TEST(HapticProxy, SurvivesWallsThatCloseUpOnIt)
{
    TouchScene scene = sheet(4, 1);
    const TouchScene lid = sheet(4, 1, [](double, double) { return 0.2; });
    scene.add("lid", lid.frame.x, lid.topology.triangles);
    MovingSurface surface;
    HapticProxy proxy = proxy_at({0.03, 0.1, 0.02});
    for (int tick = 0; tick < 1000; ++tick) {
        const double now = 1e-3 * tick;
        if (tick % 16 == 0) {
            scene.frame.time = now;
            for (std::size_t i = lid.frame.x.size(); i < scene.frame.x.size(); ++i)
                scene.frame.x[i].y = 0.2 - 0.3 * now;
            surface.adopt(patch_of(scene), now);
            proxy.find_again(surface);
        }
        surface.advance(now);
        ASSERT_TRUE(is_finite(proxy.follow(surface, {0.03, 0.1, 0.02}).position));
    }
    expect_near(proxy.result().position, {0.03, 0.1, 0.02}, 0.2);
}

TEST(HapticProxy, IsNotRunOverByAFoldingSurface)
{
    TouchScene scene = sheet(20, 1);
    const std::vector<Vec3> flat = scene.frame.x;
    MovingSurface surface;
    HapticProxy proxy = proxy_at({0.1, 0.3, 0.02});
    for (int tick = 0; tick < 3000; ++tick) {
        const double now = 1e-3 * tick;
        if (tick % 17 == 0) {
            scene.frame.time = now;
            for (std::size_t i = 0; i < flat.size(); ++i)
                scene.frame.x[i].y = 0.2 * std::sin(7 * flat[i].x + 9 * now) * std::cos(5 * flat[i].z);
            surface.adopt(patch_of(scene), now);
            proxy.find_again(surface);
        }
        surface.advance(now);
        const Vec3& p = proxy.follow(surface, {0.1, 0.02, 0.02}).position;
        ASSERT_TRUE(is_above(surface, p)) << tick;
    }
}

TEST(AllowedWay, IsTheNearestOfAllAllowedOnes)
{
    std::mt19937 random(3);
    std::normal_distribution<double> any;
    for (int trial = 0; trial < 2000; ++trial) {
        std::vector<TouchedPlane> planes(1 + static_cast<std::size_t>(trial % 6));
        for (TouchedPlane& plane : planes) plane.normal = normalized(Vec3{any(random), any(random), any(random)});
        const Vec3 wanted{any(random), any(random), any(random)};
        const AllowedWay allowed = allowed_way(planes, wanted);
        Vec3 sum = wanted;
        for (std::size_t i = 0; i < static_cast<std::size_t>(allowed.count); ++i) {
            EXPECT_GE(allowed.pressure[i], 0);
            sum += planes[static_cast<std::size_t>(allowed.plane[i])].normal * allowed.pressure[i];
        }
        expect_near(sum, allowed.way, 1e-6);
        for (const TouchedPlane& plane : planes) EXPECT_GE(dot(plane.normal, allowed.way), -1e-8);
        for (int other = 0; other < 50; ++other) {
            const Vec3 way = allowed.way + Vec3{any(random), any(random), any(random)} * 0.1;
            const bool is_allowed = std::all_of(planes.begin(), planes.end(),
                                                [&](const TouchedPlane& plane) { return dot(plane.normal, way) >= 0; });
            if (is_allowed) {
                EXPECT_GE(norm(way - wanted), norm(allowed.way - wanted) - 1e-6);
            }
        }
    }
}

}  // namespace
}  // namespace pliant::viewer
