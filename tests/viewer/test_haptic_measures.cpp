// SPDX-License-Identifier: MIT

// What haptics costs: allocations are judged, times are only printed (docs/haptics.md quotes them).

#include <chrono>
#include <thread>

#include "base/counted_new.h"
#include "viewer/haptic_mailbox.h"
#include "viewer/haptic_sample.h"
#include "viewer/haptic_servo.h"

namespace pliant::viewer {
namespace {

double wavy(double x, double z)
{
    return 0.02 * std::sin(9 * x) * std::cos(7 * z);
}

void move(TouchScene& scene, double time)
{
    scene.frame.time = time, ++scene.frame.index;
    for (std::size_t i = 0; i < scene.frame.x.size(); ++i) {
        const Vec3& x = scene.frame.x[i];
        scene.frame.x[i].y = wavy(x.x, x.z) + 0.005 * std::sin(5 * time + 3 * x.x);
        scene.frame.v[i].y = 0.025 * std::cos(5 * time + 3 * x.x);
    }
}

// Presses on the sheet and circles there.
Vec3 circling(double time)
{
    return {0.1 * std::cos(3 * time), 0.01 - 0.02 * std::min(1.0, time), 0.1 * std::sin(3 * time)};
}

TEST(HapticMeasures, ATickAllocatesNothing)
{
    TouchScene scene = sheet(60, 1, wavy);
    PuppetDevice device;
    HapticLoop loop({.static_friction = 0.5, .dynamic_friction = 0.3, .proxy_radius = 0.005, .patch_radius = 0.15});
    loop.add(device);
    loop.set_scene(scene.topology, scene.frame.x);
    loop.set_mapping(0, {});
    long in_ticks = 0;
    for (int i = 0; i < 3000; ++i) {
        const double now = 1e-3 * i;
        if (i % 16 == 0) move(scene, now), loop.offer(scene.frame);
        device.state.position = circling(now);
        const long before = allocation_count();
        loop.tick(now);
        in_ticks += allocation_count() - before;
    }
    EXPECT_EQ(in_ticks, 0);
    EXPECT_TRUE(loop.status(0).is_touching);
}

TEST(HapticMeasures, PatchOfAHundredThousandTriangles)
{
    TouchScene scene = sheet(224, 1, wavy);
    const auto begin = HapticServo::clock();
    PatchCutter cutter(scene.topology, scene.frame.x);
    const auto built = HapticServo::clock();
    Patch patch;
    double best = 1e9, sum = 0;
    for (int i = 0; i < 50; ++i) {
        const double from = HapticServo::clock();
        cutter.cut(patch, scene.frame, {0.004 * i - 0.1, 0, 0.1}, 0.06);
        const double took = HapticServo::clock() - from;
        best = std::min(best, took), sum += took;
    }
    LatestValue<Patch> mailbox(patch);
    const double from = HapticServo::clock();
    for (int i = 0; i < 100000; ++i) mailbox.publish(), mailbox.refresh();
    const double handed = HapticServo::clock() - from;
    std::printf(
        "%zu triangles: prepared once in %.1f ms; a patch of %zu in %.2f ms (best), %.2f ms (mean); handed over in "
        "%.0f ns\n",
        scene.topology.triangles.size(), 1e3 * (built - begin), patch.triangles.size(), 1e3 * best, 20 * sum,
        1e4 * handed);
    EXPECT_GT(patch.triangles.size(), 500U);
}

TEST(HapticMeasures, CostOfATick)
{
    TouchScene scene = sheet(224, 1, wavy);
    PuppetDevice device;
    HapticLoop loop({.static_friction = 0.5, .dynamic_friction = 0.3, .proxy_radius = 0.003, .patch_radius = 0.06});
    loop.add(device);
    loop.set_scene(scene.topology, scene.frame.x);
    DurationCounts plain, with_patch;
    for (int i = 0; i < 5000; ++i) {
        const double now = 1e-3 * i;
        if (i % 16 == 0) move(scene, now), loop.offer(scene.frame);
        device.state.position = circling(now);
        const double from = HapticServo::clock();
        loop.tick(now);
        (i % 16 == 0 ? with_patch : plain).add(HapticServo::clock() - from);
    }
    const Durations a = plain.durations(), b = with_patch.durations();
    std::printf("a tick: %.1f us mean, %.0f us 99 %%, %.0f us worst; with a new patch %.1f us mean, %.0f us 99 %%\n",
                1e6 * a.mean, 1e6 * a.p99, 1e6 * a.worst, 1e6 * b.mean, 1e6 * b.p99);
    EXPECT_GT(a.mean, 0);
}

TEST(HapticMeasures, RateAndJitterOfAServo)
{
    TouchScene scene = sheet(60, 1, wavy);
    PuppetDevice device;
    device.state.position = circling(1), device.state.age = 1e-6;
    HapticLoop loop({.proxy_radius = 0.003, .patch_radius = 0.06});
    loop.add(device);
    loop.set_scene(scene.topology, scene.frame.x);
    HapticServo servo(loop);
    servo.start();
    for (int i = 0; i < 60; ++i) {
        loop.offer(scene.frame);
        std::this_thread::sleep_for(std::chrono::milliseconds(16));
    }
    const ServoMeasures m = servo.measures();
    std::printf("%.1f ticks/s, late by %.0f us mean, %.0f us 99 %%, %.0f us worst, %llu of %llu missed; a tick %.0f us "
                "mean; %s\n",
                m.rate, 1e6 * m.lateness.mean, 1e6 * m.lateness.p99, 1e6 * m.lateness.worst,
                static_cast<unsigned long long>(m.missed), static_cast<unsigned long long>(m.ticks), 1e6 * m.cost.mean,
                m.schedule.c_str());
    EXPECT_GT(m.ticks, 0U);
}

TEST(DurationCounts, KnowMeanAndTail)
{
    DurationCounts counts;
    EXPECT_EQ(counts.durations().worst, 0);
    for (int i = 1; i <= 1000; ++i) counts.add(1e-6 * i);
    counts.add(5);
    const Durations durations = counts.durations();
    EXPECT_NEAR(durations.p99, 992e-6, 2e-6);
    EXPECT_EQ(durations.worst, 5);
    EXPECT_NEAR(durations.mean, (5 + 0.5005) / 1001, 1e-9);
}

}  // namespace
}  // namespace pliant::viewer
