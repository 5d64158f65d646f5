// SPDX-License-Identifier: MIT

// Inputs: timed changes of live parameters, and the energy they inject.

#include <pliant/world/inputs.h>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include <pliant/solver/forces.h>

#include "world/small_scenes.h"

namespace pliant {
namespace {

using test::measure;
using test::set;
using test::world_of;

constexpr std::string_view kTimed = R"({
    "world": { "gravity": [0, -10, 0] }, "solver": { "step": 0.01, "substeps": 1 },
    "bodies": { "ball": { "kind": "rigid", "sphere": 0.1, "mass": 1, "position": [0, 5, 0], "held": true } },
    "inputs": [ { "time": 0.0637, "set": { "bodies.ball.held": false } },
                { "time": 0.2, "set": { "world.gravity": [0, 0, 0] } },
                { "time": 0, "set": { "bodies.ball.drag": 0 } } ] })";

TEST(Inputs, NoStepStraddlesTheTimeOfAnInput)
{
    // Free fall lasts from 0.0637 s to 0.2 s exactly; rk4 is exact on it, whatever the steps.
    for (const double dt : {0.3, 0.05, 0.007, 0.0637}) {
        World world = world_of(kTimed);
        while (world.state.time < 0.3 - 1e-12) step_to(world, std::min(0.3, world.state.time + dt));
        const double fall = 0.2 - 0.0637;
        EXPECT_NEAR(world.state.v[0].y, -10 * fall, 1e-13) << dt;
        EXPECT_NEAR(world.state.x[0].y, 5 - 5 * fall * fall - 10 * fall * 0.1, 1e-13) << dt;
    }
}

TEST(Inputs, AreAppliedOnceInTheOrderOfTheirTimes)
{
    World world = world_of(kTimed);
    EXPECT_EQ(next_input_time(world), 0);
    step(world, 0.01);
    EXPECT_EQ(world.state.history.next_input, 1);
    EXPECT_EQ(next_input_time(world), 0.0637);
    EXPECT_TRUE(world.state.bodies[0].held);
    step_to(world, 0.0637);  // an input at the very end of a step is applied by it
    EXPECT_EQ(world.state.time, 0.0637);
    EXPECT_FALSE(world.state.bodies[0].held);
    step(world, 1);
    EXPECT_EQ(world.state.history.next_input, 3);
    EXPECT_TRUE(std::isinf(next_input_time(world)));
}

TEST(Inputs, EveryLivePathReadsBackWhatWasSet)
{
    World world = world_of(test::kSmallBox);
    ASSERT_GT(world.model->live_paths.size(), 30u);
    for (std::size_t p = 0; p < world.model->live_paths.size(); ++p) {
        const LiveTarget& target = world.model->live_paths[p].target;
        const LiveValue value = live_value(world.state, target);
        ASSERT_GT(value.count, 0) << world.model->live_paths[p].path;
        const State before = world.state;
        apply_input(world, static_cast<std::int32_t>(p), value);
        EXPECT_EQ(live_value(world.state, target), value) << world.model->live_paths[p].path;
        // Setting what is already so injects nothing.
        EXPECT_EQ(world.state.ledger.switched, before.ledger.switched) << world.model->live_paths[p].path;
    }
    EXPECT_EQ(find_live_path(*world.model, "bodies.box.gas.k_gg"), -1);
    EXPECT_GE(find_live_path(*world.model, "bodies.box.springs.k_s"), 0);
    EXPECT_GE(find_live_path(*world.model, "bodies.box.pins.walls.enabled"), 0);
    EXPECT_EQ(find_live_path(*world.model, "colliders.floor.held"), -1);  // what is fixed stays fixed
}

TEST(Inputs, WhatASwitchInjectsIsBookedSoTheBalanceStaysClosed)
{
    struct Change {
        std::string path;
        LiveValue value;
    };
    const Change changes[] = {{"bodies.box.gas.k_g", to_live(40.0)},
                              {"bodies.box.springs.k_s", to_live(300.0)},
                              {"bodies.box.gas.enabled", to_live(false)},
                              {"world.gravity", to_live(Vec3{1, -3, 0})},
                              {"bodies.box.gravity", to_live(false)},
                              {"bodies.ball.held", to_live(true)},
                              {"bodies.box.gas.law", to_live(GasLaw::adiabatic)},
                              {"bodies.box.gas.outside", to_live(20.0)}};
    for (const Change& change : changes) {
        World world = world_of(test::kSmallBox, {{"contact.enabled", "false"}});
        step(world, 0.2);
        const double before = energies(*world.model, world.state).total();
        set(world, change.path, change.value);
        const double jump = energies(*world.model, world.state).total() - before;
        EXPECT_NEAR(world.state.ledger.switched, jump, 1e-12) << change.path;
        EXPECT_NE(jump, 0) << change.path;
        step(world, 0.2);
        EXPECT_LT(measure(world, "energy.error"), 1e-4) << change.path;
    }
}

TEST(Inputs, TheIntegratorCanBeSwitchedDuringTheRun)
{
    World world = world_of(test::kPendulum);
    for (const SolverKind kind : {SolverKind::semi_implicit_euler, SolverKind::velocity_verlet, SolverKind::rk4,
                                  SolverKind::euler, SolverKind::thesis_listed_rk4}) {
        set(world, "solver.kind", to_live(kind));
        EXPECT_EQ(world.state.solver.kind, kind);
        EXPECT_FALSE(step(world, 0.05).failed());
    }
    EXPECT_EQ(world.state.ledger.switched, 0);
}

TEST(Inputs, ReleasingAPinLetsItsVerticesFallAndHoldingStopsThem)
{
    World world = world_of(test::kPendulum);
    step(world, 0.1);
    EXPECT_EQ(world.state.x[0], (Vec3{0, 0, 0}));
    set(world, "bodies.chain.pins.pin0.enabled", to_live(false));
    EXPECT_EQ(world.state.held[0], 0);
    step(world, 0.2);
    const Vec3 fallen = world.state.x[0];
    EXPECT_LT(fallen.y, -0.01);
    const double kinetic = measure(world, "energy.kinetic");
    set(world, "bodies.chain.pins.pin0.enabled", to_live(true));
    EXPECT_EQ(world.state.v[0], (Vec3{0, 0, 0}));
    EXPECT_LT(measure(world, "energy.kinetic"), kinetic);
    step(world, 0.2);
    EXPECT_EQ(world.state.x[0], fallen);
    EXPECT_LT(measure(world, "energy.error"), 1e-3);
}

TEST(Inputs, ChangingAParameterRefreshesTheStabilityEstimate)
{
    World world = world_of(test::kOscillator, {{"solver.substeps", "auto"}});
    const int before = step(world, 0.1).substeps;
    set(world, "bodies.chain.springs.k_s", to_live(1e6));
    const StepReport report = step(world, 0.1);
    EXPECT_GT(report.substeps, 10 * before);
    EXPECT_FALSE(report.failed());
}

TEST(Inputs, SwitchingToTheThesisGasKeepsTheGasPushing)
{
    World world = world_of(test::kSmallBox);
    set(world, "bodies.box.gas.law", to_live(GasLaw::thesis_fourfold));
    forces(world.scratch, *world.model, world.state, world.state.x, world.state.v);
    double push = 0;
    for (std::int32_t i = 0; i < 64; ++i) push += world.scratch.force[i].y;
    EXPECT_GT(push, -100 + 1);  // more than the lid's weight alone
}

TEST(Inputs, PinnedVerticesOfAMovingBodyStayWhereTheyAre)
{
    World pinned = world_of(test::kPendulum, {{"bodies.chain.velocity", "[1, 0, 0]"}});
    step(pinned, 0.1);
    EXPECT_EQ(pinned.state.x[0], (Vec3{0, 0, 0}));
    World held = world_of(kTimed, {{"bodies.ball.velocity", "[1, 0, 0]"}});
    step(held, 0.05);
    EXPECT_EQ(held.state.x[0], (Vec3{0, 5, 0}));
}

}  // namespace
}  // namespace pliant
