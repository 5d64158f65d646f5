// SPDX-License-Identifier: MIT
#include <pliant/lab/oscillator.h>

#include <cmath>

#include "lab/oscillators.h"
#include "world/small_scenes.h"

namespace pliant {
namespace {

using test::world_of;

double acceleration(const Oscillator& o, double x, double v)
{
    return (o.force - o.k * x - o.beta * v) / o.m;
}

TEST(Oscillator, KnowsItsRegime)
{
    EXPECT_EQ((Oscillator{1, 1, 3}.regime()), Regime::over_damped);
    EXPECT_EQ((Oscillator{1, 1, 2}.regime()), Regime::critical);
    EXPECT_EQ((Oscillator{1, 1, 1}.regime()), Regime::under_damped);
    EXPECT_EQ((Oscillator{1, 2, 2 * std::sqrt(2.0)}.regime()), Regime::critical);
    EXPECT_EQ((Oscillator{1, 1, 0}.regime()), Regime::under_damped);
}

TEST(Oscillator, StartsWhereItIsTold)
{
    for (const Oscillator& o : test::many_oscillators()) {
        EXPECT_NEAR(o.position(0), o.x0, 1e-14);
        EXPECT_NEAR(o.velocity(0), o.v0, 1e-14);
    }
}

TEST(Oscillator, ObeysItsEquationInEveryRegime)
{
    const double h = 1e-5;
    for (const Oscillator& o : test::many_oscillators())
        for (const double t : {0.01, 0.4, 1.7, 6.0}) {
            const double slope = (o.position(t + h) - o.position(t - h)) / (2 * h);
            const double bend = (o.velocity(t + h) - o.velocity(t - h)) / (2 * h);
            EXPECT_NEAR(slope, o.velocity(t), 2e-6) << o.beta << " at " << t;
            EXPECT_NEAR(bend, acceleration(o, o.position(t), o.velocity(t)), 1e-4) << o.beta << " at " << t;
        }
}

// Classical Runge-Kutta with steps so short that its own error is rounding.
TEST(Oscillator, IsWhatFineStepsOfRungeKuttaComeTo)
{
    for (const Oscillator& o : test::many_oscillators()) {
        double x = o.x0, v = o.v0;
        const int steps = 4000;
        const double h = 3.0 / steps;
        for (int i = 0; i < steps; ++i) {
            const double v1 = v, a1 = acceleration(o, x, v);
            const double v2 = v + h / 2 * a1, a2 = acceleration(o, x + h / 2 * v1, v2);
            const double v3 = v + h / 2 * a2, a3 = acceleration(o, x + h / 2 * v2, v3);
            const double v4 = v + h * a3, a4 = acceleration(o, x + h * v3, v4);
            x += h / 6 * (v1 + 2 * v2 + 2 * v3 + v4), v += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
        }
        EXPECT_NEAR(o.position(3), x, 2e-10) << o.beta << ' ' << o.force << ' ' << o.x0 << ' ' << o.v0;
        EXPECT_NEAR(o.velocity(3), v, 2e-10) << o.beta << ' ' << o.force << ' ' << o.x0 << ' ' << o.v0;
    }
}

// Seed 004 E3: k = m = 1, F = 15, beta 3, 2, 1.
TEST(Oscillator, GivesTheThreeCurvesOfSeed004)
{
    for (const double beta : {3.0, 2.0, 1.0}) {
        const Oscillator o{1, 1, beta, 15};
        EXPECT_NEAR(o.position(60), 15, 1e-8);
        EXPECT_EQ(o.extremes().highest > 15, beta < 2) << "only the under-damped one overshoots";
    }
    const Oscillator swinging{1, 1, 1, 15};
    EXPECT_NEAR(swinging.extremes().highest, 17.446, 5e-4);
    EXPECT_NEAR(swinging.position(3.628), 17.446, 5e-4);
    EXPECT_NEAR(swinging.velocity(3.628), 0, 2e-3);
}

// Table 3.6: the exact column.
TEST(Oscillator, GivesTheExactColumnOfSeed004)
{
    const Oscillator o{1, 2, 1.2, 15};
    EXPECT_NEAR(o.position(1 - 0.05), 4.1650410891, 1e-9) << "the thesis' rows are one step late";
    EXPECT_NEAR(o.position(2 - 0.05), 8.7058591931, 1e-9);
    EXPECT_NEAR(o.position(14 - 0.05), 7.4997173656, 1e-9);
}

TEST(Oscillator, CrossesTheCriticalDampingWithoutAJump)
{
    const double critical = 2 * std::sqrt(2.0);
    const Oscillator at{1, 2, critical, 15, 1, -2};
    for (const double off : {1e-15, 1e-12, 1e-9, 1e-7})
        for (const double sign : {-1.0, 1.0})
            for (const double t : {0.1, 1.0, 5.0}) {
                const Oscillator near{1, 2, critical * (1 + sign * off), 15, 1, -2};
                EXPECT_NEAR(near.position(t), at.position(t), 50 * off + 1e-13) << sign * off;
                EXPECT_NEAR(near.velocity(t), at.velocity(t), 50 * off + 1e-13) << sign * off;
            }
}

TEST(Oscillator, StaysFiniteHoweverLongAndDamped)
{
    const Oscillator thick{1, 2, 1e6, 15, 0, 3};
    EXPECT_NEAR(thick.position(1e9), 7.5, 1e-12);
    EXPECT_TRUE(std::isfinite(thick.velocity(1e5)));
    EXPECT_EQ((Oscillator{1, 2, 1.2, 15}.position(1e6)), 7.5);
}

TEST(Oscillator, ItsExtremesAreThoseOfItsCurve)
{
    for (const Oscillator& o : test::many_oscillators()) {
        double low = o.x0, high = o.x0;
        for (double t = 0; t < 60; t += 1e-3) low = std::min(low, o.position(t)), high = std::max(high, o.position(t));
        EXPECT_NEAR(o.extremes().lowest, std::min(low, o.force / o.k), 2e-5) << o.beta << ' ' << o.v0;
        EXPECT_NEAR(o.extremes().highest, std::max(high, o.force / o.k), 2e-5) << o.beta << ' ' << o.v0;
    }
}

TEST(FindOscillator, ReadsTheLawFromTheWorld)
{
    const auto line = find_oscillator(world_of(test::kForced, {{"bodies.oscillator.damping", "0.25"},
                                                               {"bodies.oscillator.springs.k_d", "0.1"},
                                                               {"bodies.oscillator.velocity", "[-0.5,0,0]"}}));
    ASSERT_TRUE(line);
    EXPECT_EQ(line->node, 1);
    EXPECT_NEAR(line->law.m, 1, 1e-15);
    EXPECT_NEAR(line->law.k, 2, 1e-15);
    EXPECT_NEAR(line->law.beta, 1.2 + 0.25 + 0.1, 1e-15);
    EXPECT_NEAR(line->law.force, 15, 1e-13);
    EXPECT_NEAR(line->law.x0, 0, 1e-15);
    EXPECT_NEAR(line->law.v0, -0.5, 1e-15);
    EXPECT_NEAR(norm(line->position(0) - Vec3{0, 0, 0}), 0, 1e-15);
    EXPECT_NEAR(norm(line->axis - Vec3{1, 0, 0}), 0, 1e-15);
}

TEST(FindOscillator, TakesAnyDirectionGravityAndAStretchedStart)
{
    const auto line = find_oscillator(world_of(test::kForced, {{"world.gravity", "[0,-10,0]"},
                                                               {"bodies.oscillator.mesh.from", "[1,7,2]"},
                                                               {"bodies.oscillator.mesh.to", "[1,4,2]"},
                                                               {"bodies.oscillator.springs.rest_length", "2.5"},
                                                               {"bodies.oscillator.loads.0.force", "[0,-1,0]"}}));
    ASSERT_TRUE(line);
    EXPECT_NEAR(line->law.force, 11, 1e-12);
    EXPECT_NEAR(line->law.x0, 0.5, 1e-14);
    EXPECT_NEAR(norm(line->position(0) - Vec3{1, 4, 2}), 0, 1e-14);
    EXPECT_NEAR(line->position(1e4).y, 7 - 2.5 - 5.5, 1e-12);
}

TEST(FindOscillator, FollowsTheEngineToItsOwnError)
{
    World world = world_of(test::kForced, {{"solver.step", "0.01"}, {"bodies.oscillator.velocity", "[2,0,0]"}});
    const auto line = find_oscillator(world);
    ASSERT_TRUE(line);
    for (int i = 1; i <= 50; ++i) {
        step_to(world, 0.1 * i);
        EXPECT_NEAR(norm(world.state.x[1] - line->position(0.1 * i)), 0, 1e-8);
        EXPECT_NEAR(norm(world.state.v[1] - line->velocity(0.1 * i)), 0, 1e-8);
    }
}

TEST(FindOscillator, AVertexOnARailIsOneToo)
{
    const auto line =
        find_oscillator(world_of(test::kForced, {{"world.gravity", "[0,-10,0]"},
                                                 {"bodies.oscillator.pins.1", R"({"select": "end", "axes": "yz"})"}}));
    ASSERT_TRUE(line) << "the rail carries the weight";
    EXPECT_NEAR(line->law.force, 15, 1e-12);
}

void expect_none(const std::vector<Override>& changes, const char* why)
{
    EXPECT_FALSE(find_oscillator(world_of(test::kForced, changes))) << why;
}

TEST(FindOscillator, SaysNoToEverythingElse)
{
    expect_none({{"world.gravity", "[0,-10,0]"}}, "weight across the spring");
    expect_none({{"bodies.oscillator.velocity", "[0,1,0]"}}, "motion across the spring");
    expect_none({{"bodies.oscillator.springs.k_s", "0"}}, "no stiffness");
    expect_none({{"bodies.oscillator.loads.0.force", "[-40,0,0]"}}, "pushed through the fixed end");
    expect_none({{"bodies.oscillator.mesh.chain", "3"}, {"bodies.oscillator.mass_of", "all"}}, "two free vertices");
    expect_none({{"bodies.oscillator.pins.0.select", "all"}}, "nothing is free");
    expect_none({{"inputs", R"([{"time": 1, "set": {"bodies.oscillator.drag": 3}}])"}}, "an input");
    expect_none({{"colliders", R"({"wall": {"plane": [1, 0, 0, -20]}})"}}, "something to touch");
    EXPECT_FALSE(find_oscillator(world_of(test::kPendulum)));
    EXPECT_FALSE(find_oscillator(world_of(test::kSmallBox)));
    EXPECT_TRUE(find_oscillator(world_of(
        test::kForced, {{"colliders", R"({"wall": {"plane": [1, 0, 0, -20]}})"}, {"contact.enabled", "false"}})));
}

TEST(FindOscillator, TwoSpringsOnOneMassAreNoOscillatorOfItsKind)
{
    EXPECT_FALSE(find_oscillator(world_of(R"({ "world": { "gravity": [0, 0, 0] }, "bodies": { "chain": {
        "kind": "springs", "mesh": { "chain": 3 }, "mass": 1, "springs": { "k_s": 2 },
        "pins": [{ "select": [0, 2] }] } } })")));
}

}  // namespace
}  // namespace pliant
