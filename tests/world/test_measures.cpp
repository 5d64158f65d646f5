// SPDX-License-Identifier: MIT
#include <pliant/world/measures.h>

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "world/small_scenes.h"

namespace pliant {
namespace {

using test::measure;
using test::world_of;

TEST(Measures, HaveOneUniqueNameEach)
{
    for (const auto scene : {test::kSmallBox, test::kSoftBall, test::kPendulum}) {
        World world = world_of(scene);
        const auto& names = world.model->topology.measures;
        EXPECT_EQ(measures(world, 0, 0).size(), names.size());
        EXPECT_EQ(std::set<std::string>(names.begin(), names.end()).size(), names.size());
        for (const double value : measures(world, 0, 0)) EXPECT_TRUE(std::isfinite(value));
    }
    World world = world_of(test::kSmallBox);
    EXPECT_TRUE(std::isnan(measure(world, "box.volumes")));
}

TEST(Measures, AreThoseOfAHandComputedState)
{
    World world = world_of(test::kOscillator);  // 0.5 kg each, one end pinned, stretched by 0.5 m
    world.state.v[1] = {2, -1, 0};
    EXPECT_NEAR(measure(world, "energy.kinetic"), 0.5 * 0.5 * 5, 1e-15);
    EXPECT_NEAR(measure(world, "energy.elastic"), 0.5 * 40 * 0.25, 1e-15);
    EXPECT_NEAR(measure(world, "energy.gravitational"), 0, 0);
    EXPECT_NEAR(measure(world, "momentum.x"), 1, 1e-15);
    EXPECT_NEAR(measure(world, "momentum.y"), -0.5, 1e-15);
    EXPECT_NEAR(measure(world, "chain.center.x"), 0.75, 1e-15);
    EXPECT_NEAR(measure(world, "chain.velocity.x"), 1, 1e-15);
    EXPECT_NEAR(measure(world, "chain.strain.mean"), 0.5, 1e-15);
    EXPECT_NEAR(measure(world, "chain.strain.max"), 0.5, 1e-15);
    // The pin holds against the spring's 20 N and the damper's 0.6 * 2 N, both pulling along +x.
    EXPECT_NEAR(measure(world, "chain.start.reaction.x"), -(20 + 1.2), 1e-13);
}

TEST(Measures, PinsReportTheWeightTheyCarry)
{
    World world = world_of(test::kPendulum, {{"bodies.chain.springs.k_d", "3"}, {"bodies.chain.damping", "3"}});
    for (int i = 0; i < 200; ++i) step(world, 0.1);
    EXPECT_NEAR(measure(world, "chain.pin0.reaction.y"), 2 * 9.81, 1e-6);
    EXPECT_NEAR(measure(world, "chain.pin0.reaction.x"), 0, 1e-6);
}

TEST(Measures, CavitiesReportVolumeAndPressure)
{
    World world = world_of(test::kSmallBox);
    EXPECT_NEAR(measure(world, "box.volume"), 1.6875, 1e-13);
    EXPECT_NEAR(measure(world, "box.pressure"), 68 / 1.6875, 1e-12);
    EXPECT_EQ(measure(world, "box.gas"), 68);
    EXPECT_NEAR(measure(world, "ball.center.y"), 1.25, 1e-15);
    EXPECT_NEAR(measure(world, "box.high"), 0.75, 1e-15);
    EXPECT_NEAR(measure(world, "box.low"), 0, 1e-15);
    test::set(world, "bodies.box.gas.enabled", to_live(false));
    EXPECT_EQ(measure(world, "box.pressure"), 0);
}

TEST(Measures, TensionIsThatOfAUniformlyStretchedSheet)
{
    // Springs of stiffness k on a square grid of cell a, stretched by s in both directions: each carries
    // k s a, one per width a: tension k s per metre... of the stretched sheet k s / (1 + s).
    World world = world_of(R"({ "world": { "gravity": [0, 0, 0] },
        "bodies": { "sheet": { "kind": "springs", "mesh": { "grid": [21, 21], "size": [1, 1] }, "mass": 1,
                               "springs": { "k_s": 50 } } } })");
    const auto lines = world.model->topology.lines.size();
    for (Vec3& x : world.state.x) x = x * 1.1;
    // With the rim's springs, which carry as much as the inner ones: n (n-1) 2 springs instead of (n-1)^2 2.
    const double share = static_cast<double>(lines) / (2.0 * 20 * 20);
    EXPECT_NEAR(measure(world, "sheet.tension"), share * 50 * 0.1 / 1.1, 1e-9);
}

TEST(Measures, TheEnergyBalanceClosesWhereNothingCollides)
{
    World world = world_of(test::kSmallBox, {{"contact.enabled", "false"}});
    for (int i = 0; i < 60; ++i) step(world, 1.0 / 60);
    EXPECT_LT(measure(world, "energy.error"), 1e-3);
    EXPECT_GT(measure(world, "energy.dissipated"), 0);
}

TEST(Measures, LoadsPumpsAndLeaksAreExternalWork)
{
    World world = world_of(R"({ "world": { "gravity": [0, 0, 0] }, "solver": { "step": 0.0005 },
        "bodies": { "ball": { "kind": "springs", "mesh": { "icosphere": 2, "radius": 0.5 }, "mass": 1,
            "springs": { "k_s": 100, "k_d": 0.5 }, "gas": { "pressure": 110, "outside": 100, "pump": 30, "leak": 0.002 },
            "loads": [{ "name": "push", "select": { "low": [0.2, -1, -1], "high": [1, 1, 1] }, "force": [1, 0.5, 0] },
                      { "name": "press", "select": "all", "pressure": 2 }] } } })");
    for (int i = 0; i < 50; ++i) ASSERT_FALSE(step(world, 0.01).failed());
    EXPECT_NE(measure(world, "energy.external"), 0);
    EXPECT_GT(measure(world, "momentum.x"), 0.4);  // 1 N for 0.5 s
    EXPECT_LT(measure(world, "energy.error"), 1e-3);
}

TEST(Measures, ASampleIsACopyOfTheState)
{
    World world = world_of(test::kSmallBox);
    const StepReport report = step(world, 0.05);
    const Frame frame = sample(world, report, 0.05);
    EXPECT_EQ(frame.time, world.state.time);
    EXPECT_EQ(frame.hash, hash(world.state));
    EXPECT_EQ(frame.x.size(), world.state.x.size());
    EXPECT_EQ(frame.measures.size(), world.model->topology.measures.size());
    EXPECT_EQ(frame.stage_seconds.size(), world.model->topology.stages.size());
    EXPECT_EQ(frame.substeps, report.substeps);
    EXPECT_EQ(frame.status, "ok");
    // Sampling reads: it changes nothing that a run depends on.
    const std::uint64_t before = hash(world.state);
    sample(world, report, 0.05);
    EXPECT_EQ(hash(world.state), before);
}

}  // namespace
}  // namespace pliant
