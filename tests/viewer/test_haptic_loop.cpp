// SPDX-License-Identifier: MIT

// One tick after another, by a clock of the test's own: forces, energy, smoothness, impulses, and nothing unsound.

#include "viewer/haptic_loop.h"

#include <limits>

#include "viewer/haptic_mouse.h"
#include "viewer/haptic_sample.h"
#include "viewer/haptic_trace.h"

namespace pliant::viewer {
namespace {

constexpr double kTick = 1e-3;

// A loop over one scene and one puppet, the hand's space being the scene's unless told otherwise.
struct Bench {
    PuppetDevice device;
    HapticLoop loop;
    TouchScene scene;
    double now = 10;

    explicit Bench(TouchScene given, const TouchSettings& touch = {.proxy_radius = 0.005, .patch_radius = 1, .ramp = 0},
                   PatchMotion motion = PatchMotion::interpolate)
        : loop(touch, motion)
        , scene(std::move(given))
    {
        loop.add(device);
        loop.set_scene(scene.topology, scene.frame.x);
        device.state.position = {0, 0.1, 0};
    }
    // Once unseen, so that the loop knows where the hand is before it is offered a patch.
    void begin()
    {
        tick();
        loop.offer(scene.frame);
        for (int i = 0; i < 50; ++i) tick();
    }
    void tick() { loop.tick(now += kTick); }
    void put(const Vec3& position)
    {
        device.state.velocity = (position - device.state.position) / kTick;
        device.state.position = position;
        tick();
    }
};

TEST(HapticLoop, PushesBackLikeASpringInTheScenesDirection)
{
    Bench bench(sheet(10, 1));
    bench.begin();
    bench.put({0.02, -0.003, 0.01});
    bench.put({0.02, -0.003, 0.01});
    expect_near(bench.device.reply.force, {0, 400 * 0.008, 0}, 1e-6);
    expect_near(bench.device.reply.proxy, {0.02, 0.005, 0.01}, 1e-8);
    EXPECT_TRUE(bench.device.reply.is_touching);
    bench.put({0.02, 0.2, 0.01});
    EXPECT_EQ(bench.device.reply.force, (Vec3{}));
    EXPECT_FALSE(bench.device.reply.is_touching);
}

TEST(HapticLoop, TurnsAndScalesBetweenHandAndScene)
{
    Bench bench(sheet(10, 2));
    Camera camera{.target = {0, 0.1, 0}, .distance = 2, .azimuth = 1.1, .elevation = 0.4};
    const HapticMapping mapping = fit_workspace(camera, 1.5, {0.16, 0.12, 0.07}, 3);
    bench.device.state.position = {};
    bench.loop.set_touch({.proxy_radius = 0.0005, .patch_radius = 1, .ramp = 0});
    bench.loop.set_mapping(0, mapping);
    bench.begin();
    const Vec3 deep = mapping.to_hand({0.05, -0.02, 0.03});
    bench.put(deep), bench.put(deep);
    const double depth = 0.02 / mapping.scale + 0.0005;
    const Vec3 up = mapping.turned_to_hand({0, 1, 0});
    expect_near(bench.device.reply.force, up * (400 * depth), 1e-6);
    bench.loop.drain();
    bench.tick();
    const std::vector<HapticContact> contacts = bench.loop.drain();
    ASSERT_EQ(contacts.size(), 1U);
    expect_near(contacts[0].force, {0, -3 * 400 * depth, 0}, 1e-6);
    EXPECT_EQ(contacts[0].device, "puppet");
    EXPECT_EQ(contacts[0].body, 0);
    expect_near(contacts[0].proxy, {0.05, mapping.scale * 0.0005, 0.03}, 1e-7);
}

TEST(HapticLoop, NeverPushesHarderThanTheDeviceCan)
{
    Bench bench(sheet(10, 1));
    bench.device.greatest = 3.3;
    bench.begin();
    bench.put({0, -0.5, 0});
    EXPECT_NEAR(norm(bench.device.reply.force), 3.3, 1e-12);
    EXPECT_TRUE(bench.device.reply.is_limited);
    bench.loop.drain();
    bench.tick();
    EXPECT_NEAR(bench.loop.drain().at(0).force.y, -3.3, 1e-9);
}

// Work that the hand does against the wall while it goes in and out, [J]; the force is held between ticks.
double work_of_a_push(double damping, double speed, double depth, double friction)
{
    Bench bench(sheet(6, 1), {.damping = damping,
                              .static_friction = friction,
                              .dynamic_friction = friction,
                              .proxy_radius = 0.005,
                              .patch_radius = 1,
                              .ramp = 0});
    bench.begin();
    double work = 0, height = 0.01;
    const auto go = [&](double way) {
        work -= dot(bench.device.reply.force, Vec3{0.3 * std::abs(way), way, 0});
        height += way;
        bench.put({bench.device.state.position.x + 0.3 * std::abs(way), height, 0});
    };
    bench.put({0, height, 0});
    for (int cycle = 0; cycle < 5; ++cycle) {
        while (height > 0.005 - depth) go(-speed * kTick);
        while (height < 0.01) go(speed * kTick);
    }
    return work;
}

TEST(HapticLoop, GivesNoEnergyOutOfARigidWall)
{
    for (const double speed : {0.02, 0.1, 0.5})
        for (const double depth : {0.002, 0.01})
            for (const double friction : {0.0, 0.5}) {
                // With k T / 2 of damping what the sampling gives is taken back; the default is twice that.
                EXPECT_GE(work_of_a_push(0.4, speed, depth, friction), -1e-12) << speed << " " << depth;
                // Without any it is no more than the sampling explains: k v T z for each of the five pushes.
                const double sampled = 5 * 400 * speed * kTick * (depth + speed * kTick);
                EXPECT_GE(work_of_a_push(0, speed, depth, friction), -1.1 * sampled) << speed << " " << depth;
            }
}

TEST(HapticLoop, DoesNotHoldBackAHandThatLeaves)
{
    EXPECT_GE(spring_force({.stiffness = 400, .damping = 5}, {0, 0.001, 0}, {0, 2, 0}, 100).force.y, 0);
    EXPECT_EQ(spring_force({}, {}, {1, 1, 1}, 100).force, (Vec3{}));
}

// The greatest change of force from one tick to the next while a sheet under a resting hand goes up and down.
double greatest_step(PatchMotion motion)
{
    TouchScene scene = sheet(10, 1);
    Bench bench(scene, {.proxy_radius = 0.005, .patch_radius = 1, .ramp = 0}, motion);
    bench.begin();
    bench.device.state.position = {0.01, -0.03, 0.02}, bench.device.state.velocity = {};
    const double start = bench.now, swing = 0.01, turns = 2 * 3.141592653589793 * 2;
    double greatest = 0;
    int frames = 0;
    Vec3 last = bench.device.reply.force;
    for (int i = 0; i < 3000; ++i) {
        const double time = bench.now - start;
        if (time * 60 >= frames) {
            ++frames;
            scene.frame.time = time;
            for (Vec3& x : scene.frame.x) x.y = swing * std::sin(turns * time);
            for (Vec3& v : scene.frame.v) v.y = swing * turns * std::cos(turns * time);
            bench.loop.offer(scene.frame);
        }
        bench.tick();
        if (i > 200) greatest = std::max(greatest, norm(bench.device.reply.force - last));
        last = bench.device.reply.force;
    }
    return greatest;
}

TEST(HapticLoop, FeelsSixtyFramesASecondAsASmoothMotion)
{
    // The surface's greatest speed is 0.126 m/s; a tick of that is 0.050 N.
    const double smooth = greatest_step(PatchMotion::interpolate), held = greatest_step(PatchMotion::hold),
                 predicted = greatest_step(PatchMotion::predict);
    RecordProperty("interpolated", std::to_string(smooth));
    std::printf("greatest step of the force: interpolated %.3f N, predicted %.3f N, as it comes %.3f N\n", smooth,
                predicted, held);
    const double bound = 1.3 * 400 * 0.1257 * kTick;
    EXPECT_LT(smooth, bound);
    EXPECT_LT(predicted, 2 * bound);
    EXPECT_GT(held, 8 * smooth);
}

TEST(HapticLoop, RampsUpAfterAStartAndAfterTheViewTurned)
{
    Bench bench(sheet(10, 1), {.proxy_radius = 0.005, .patch_radius = 1, .ramp = 0.1});
    bench.begin();
    for (int i = 0; i < 200; ++i) bench.tick();
    bench.device.state.position = {0, 0, 0};
    bench.tick();
    EXPECT_NEAR(bench.device.reply.force.y, 2, 1e-6);
    bench.loop.set_mapping(0, {.origin = {0.01, 0, 0}});
    bench.tick();
    EXPECT_EQ(bench.device.reply.force.y, 0);
    EXPECT_TRUE(bench.device.reply.is_starting);
    double last = 0;
    for (int i = 0; i < 120; ++i) {
        bench.tick();
        EXPECT_GE(bench.device.reply.force.y, last - 1e-9);
        EXPECT_LE(bench.device.reply.force.y - last, 2 * kTick / 0.1 * 1.01);
        last = bench.device.reply.force.y;
    }
    EXPECT_NEAR(last, 2, 1e-6);
    // The same view again is no turn.
    bench.loop.set_mapping(0, {.origin = {0.01, 0, 0}});
    bench.tick();
    EXPECT_NEAR(bench.device.reply.force.y, 2, 1e-6);
    bench.loop.let_go();
    EXPECT_EQ(bench.device.reply.force, (Vec3{}));
}

TEST(HapticLoop, BeginsAnewInAnotherSceneAndAfterAReset)
{
    Bench bench(sheet(10, 1), {.proxy_radius = 0.005, .patch_radius = 1, .ramp = 0.1});
    bench.begin();
    for (int i = 0; i < 200; ++i) bench.tick();
    bench.put({0, 0, 0});
    EXPECT_GT(bench.device.reply.force.y, 1);
    const TouchScene other = sheet(10, 1, [](double, double) { return 0.05; });
    bench.loop.set_scene(other.topology, other.frame.x);
    bench.loop.offer(other.frame);
    for (int i = 0; i < 200; ++i) {
        bench.tick();
        EXPECT_FALSE(bench.device.reply.is_touching) << "thrown by a sheet that did not move";
    }
    TouchScene later = other;
    later.frame.time = 3;
    bench.loop.offer(later.frame);
    bench.tick();
    for (Vec3& x : later.frame.x) x.y = -0.05;
    later.frame.time = 0;
    bench.loop.offer(later.frame);
    for (int i = 0; i < 200; ++i) {
        bench.tick();
        EXPECT_FALSE(bench.device.reply.is_touching);
    }
}

TEST(HapticLoop, LetsNothingUnsoundReachADevice)
{
    Bench bench(sheet(10, 1));
    bench.begin();
    const double nan = std::nan(""), infinite = std::numeric_limits<double>::infinity();
    const int before = bench.device.replies;
    for (const Vec3& bad : {Vec3{nan, 0, 0}, Vec3{0, infinite, 0}, Vec3{0, 0, -infinite}}) {
        bench.device.state.position = bad;
        bench.tick();
        EXPECT_TRUE(is_finite(bench.device.reply.force) && is_finite(bench.device.reply.proxy));
    }
    EXPECT_EQ(bench.loop.status(0).unsound, 3U);
    EXPECT_FALSE(bench.loop.status(0).is_present);
    EXPECT_EQ(bench.device.replies, before + 1);  // one zero
    bench.device.state = {.is_present = true, .position = {0, 0.1, 0}};
    bench.tick();
    bench.put({0, 0, 0});
    EXPECT_GT(bench.device.reply.force.y, 0);
    bench.loop.set_mapping(0, {.scale = nan});
    bench.tick();
    EXPECT_TRUE(is_finite(bench.device.reply.force) && is_finite(bench.device.reply.proxy));
    bench.loop.set_mapping(0, {});
    bench.tick(), bench.put({0, 0.1, 0}), bench.tick();
    EXPECT_TRUE(bench.loop.status(0).is_present);
    expect_near(bench.device.reply.proxy, {0, 0.1, 0}, 1e-12);
}

TEST(HapticLoop, AddsUpTheImpulseWhateverIsDrainedWhen)
{
    Bench bench(sheet(10, 1));
    bench.begin();
    Vec3 given, drained;
    double seconds = 0;
    bench.loop.drain();
    for (int i = 0; i < 1000; ++i) {
        bench.put({0.0004 * i - 0.2, 0.01 * std::sin(0.02 * i), 0.0003 * i});
        given -= bench.device.reply.force * kTick;
        if (i % 17 != 0 && i != 999) continue;
        double interval = 0;
        for (const HapticContact& contact : bench.loop.drain()) {
            drained += contact.force * contact.seconds, interval = contact.seconds;
            EXPECT_NEAR(contact.weight[0] + contact.weight[1] + contact.weight[2], 1, 1e-9);
            for (const double weight : contact.weight) EXPECT_GE(weight, -1e-9);
            for (const std::int32_t point : contact.points) EXPECT_GE(point, 0);
        }
        seconds += interval;
    }
    expect_near(drained, given, 1e-9);
    EXPECT_GT(seconds, 0.3);
}

TEST(HapticLoop, SaysWhatIsTouchedAndWhichPointIsNearest)
{
    Bench bench(sheet(4, 1));
    bench.begin();
    bench.put({0.26, -0.01, 0.02});
    const HapticStatus status = bench.loop.status(0);
    EXPECT_EQ(status.label, "puppet");
    EXPECT_TRUE(status.is_touching);
    EXPECT_EQ(status.body, 0);
    ASSERT_GE(status.nearest, 0);
    expect_near(bench.scene.frame.x[static_cast<std::size_t>(status.nearest)], {0.25, 0, 0}, 1e-12);
    expect_near(status.proxy, {0.26, 0.005, 0.02}, 1e-7);
    bench.device.state.is_present = false;
    bench.tick();
    EXPECT_FALSE(bench.loop.status(0).is_present);
    EXPECT_EQ(bench.loop.status(0).nearest, -1);
}

TEST(MouseDevice, LagsBehindTheMouseByTheForce)
{
    TouchScene scene = sheet(10, 1);
    MouseDevice mouse;
    HapticLoop loop({.proxy_radius = 0.001, .patch_radius = 1, .ramp = 0});
    loop.add(mouse);
    loop.set_scene(scene.topology, scene.frame.x);
    mouse.move_to({0, 0.02, 0});
    double now = 0;
    loop.tick(now);
    loop.offer(scene.frame);
    for (int i = 0; i < 200; ++i) loop.tick(now += kTick);
    expect_near(loop.status(0).hand, {0, 0.02, 0}, 1e-6);
    mouse.move_to({0, -0.005, 0});
    for (int i = 0; i < 500; ++i) loop.tick(now += kTick);
    const HapticStatus status = loop.status(0);
    // 400 N/m and 5 mm/N: of 6 mm, the hand goes 2 mm in.
    EXPECT_NEAR(status.hand.y, -0.001, 1e-5);
    EXPECT_NEAR(status.force.y, 0.8, 1e-2);
    EXPECT_NEAR(status.proxy.y, 0.001, 1e-7);
    mouse.move_to({9, 9, std::nan("")});
    mouse.move_by({9, 0, 0}), mouse.set_buttons(kSecondButton);
    for (int i = 0; i < 500; ++i) loop.tick(now += kTick);
    EXPECT_NEAR(loop.status(0).hand.x, 0.08, 1e-4);
    EXPECT_EQ(loop.status(0).buttons, kSecondButton);
    mouse.set_present(false);
    loop.tick(now += kTick);
    EXPECT_FALSE(loop.status(0).is_present);
}

TEST(HapticLoop, ServesSeveralDevicesAtOnce)
{
    TouchScene scene = sheet(10, 1);
    HapticTrace left{.label = "left", .readings = {{0, {-0.2, 0.1, 0}}, {1, {-0.2, -0.01, 0}}}};
    HapticTrace right{.label = "right", .readings = {{0, {0.2, -0.1, 0}}, {1, {0.2, 0.01, 0}}}};
    TraceDevice a(left), b(right);
    HapticLoop loop({.proxy_radius = 0.005, .patch_radius = 1, .ramp = 0});
    loop.add(a), loop.add(b);
    loop.set_scene(scene.topology, scene.frame.x);
    loop.tick(0);
    loop.offer(scene.frame);
    for (int i = 1; i <= 1000; ++i) loop.tick(i * kTick);
    EXPECT_GT(a.reply().force.y, 1);
    EXPECT_LT(b.reply().force.y, -1);
    const std::vector<HapticContact> contacts = loop.drain();
    EXPECT_TRUE(std::any_of(contacts.begin(), contacts.end(), [](const auto& c) { return c.device == "left"; }));
    EXPECT_TRUE(std::any_of(contacts.begin(), contacts.end(), [](const auto& c) { return c.device == "right"; }));
}

}  // namespace
}  // namespace pliant::viewer
