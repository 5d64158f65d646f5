// SPDX-License-Identifier: MIT

// Each integrator: its order of convergence measured, its ledger, what it does with held coordinates.

#include <pliant/solver/explicit.h>

#include <gtest/gtest.h>

#include <cmath>

#include <pliant/solver/forces.h>
#include <pliant/solver/solver.h>

#include "world/small_scenes.h"

namespace pliant {
namespace {

using test::world_of;

// Advances by n equal steps of one integrator, without contact or judgement.
World run(World world, SolverKind kind, double time, int steps)
{
    world.state.solver.kind = kind;
    State to = world.state;
    for (int i = 0; i < steps; ++i) {
        EXPECT_TRUE(advance(to, *world.model, world.state, time / steps, world.scratch).accepted);
        world.state = to;
    }
    return world;
}

double distance(const State& a, const State& b)
{
    double sum = 0;
    for (std::size_t i = 0; i < a.x.size(); ++i) sum += norm2(a.x[i] - b.x[i]) + norm2(a.v[i] - b.v[i]);
    return std::sqrt(sum);
}

struct Order {
    SolverKind kind;
    double order;
};
constexpr Order kOrders[] = {{SolverKind::euler, 1},
                             {SolverKind::semi_implicit_euler, 1},
                             {SolverKind::velocity_verlet, 2},
                             {SolverKind::rk4, 4},
                             {SolverKind::thesis_listed_rk4, 1},
                             {SolverKind::finite_differences, 1},
                             {SolverKind::central_differences, 2},
                             {SolverKind::position_verlet, 2},
                             {SolverKind::heun, 2},
                             {SolverKind::midpoint, 2},
                             {SolverKind::implicit_euler, 1},
                             {SolverKind::trapezoidal, 2},
                             {SolverKind::bdf2, 2}};

TEST(Integrators, ConvergeOnTheDampedOscillatorWithTheirOrder)
{
    // m = 0.5, k = 40, c = 0.6, L = 1, x0 = 1.5: alpha = c/2m, beta = sqrt(4 m k - c^2)/2m.
    const double time = 0.7, alpha = 0.6, beta = std::sqrt(4 * 0.5 * 40 - 0.36);
    // x - L = e^(-alpha t) (c1 cos beta t + c2 sin beta t), c1 = x0 - L, c2 = c1 alpha / beta.
    const double c1 = 0.5, c2 = c1 * alpha / beta, c = std::cos(beta * time), s = std::sin(beta * time);
    const double x = 1 + std::exp(-alpha * time) * (c1 * c + c2 * s);
    const double v = std::exp(-alpha * time) * ((c2 * beta - c1 * alpha) * c - (c1 * beta + c2 * alpha) * s);
    for (const auto& [kind, order] : kOrders) {
        double error[2];
        for (int i = 0; i < 2; ++i) {
            const int steps = (order == 4 ? 40 : 2000) << i;
            const State end = run(world_of(test::kOscillator), kind, time, steps).state;
            error[i] = std::hypot(beta * (end.x[1].x - x), end.v[1].x - v);
        }
        EXPECT_NEAR(std::log2(error[0] / error[1]), order, 0.1) << name_of(kind) << " " << error[0];
        EXPECT_LT(error[1], 2e-2) << name_of(kind);
    }
}

TEST(Integrators, ConvergeOnANonlinearPendulumOfSpringsWithTheirOrder)
{
    const double time = 0.4;
    const World exact = run(world_of(test::kPendulum), SolverKind::rk4, time, 4000);
    for (const auto& [kind, order] : kOrders) {
        double error[2];
        for (int i = 0; i < 2; ++i)
            error[i] =
                distance(run(world_of(test::kPendulum), kind, time, (order == 4 ? 60 : 2000) << i).state, exact.state);
        EXPECT_NEAR(std::log2(error[0] / error[1]), order, 0.1) << name_of(kind) << " " << error[0];
    }
}

TEST(Integrators, KeepTheirEnergyBooksWithTheirOrder)
{
    // energy + what dampers took, against the start; Euler's own gains and losses are not booked away.
    for (const auto& [kind, order] : kOrders) {
        double error[2];
        for (int i = 0; i < 2; ++i) {
            const World world = world_of(test::kPendulum);
            const double start = energies(*world.model, world.state).total();
            const World end = run(world_of(test::kPendulum), kind, 0.4, (order == 4 ? 100 : 2000) << i);
            EXPECT_GT(end.state.ledger.viscous, 0);
            error[i] = std::abs(energies(*end.model, end.state).total() + end.state.ledger.viscous - start);
        }
        EXPECT_GT(std::log2(error[0] / error[1]), order - 0.2) << name_of(kind) << " " << error[0];
    }
}

// Two vertices without springs between them: free particles of 0.5 kg.
constexpr std::string_view kParticles = R"({
    "world": { "gravity": [0, -8, 0] },
    "bodies": { "dust": { "kind": "springs", "mesh": { "chain": 2, "to": [1, 0, 0] }, "mass": 1,
        "velocity": [3, 1, 0] } } })";

TEST(Integrators, ConstantAccelerationIsExactForTheTextbookRulesAndTwoThirdsInTheListing)
{
    const double h = 0.25;
    const auto moved = [&](SolverKind kind) {
        World world = world_of(kParticles);
        world.state.world.gravity = {0, -8, 0};
        return run(std::move(world), kind, h, 1).state.x[0].y;
    };
    EXPECT_NEAR(moved(SolverKind::euler), h * 1, 1e-15);
    EXPECT_NEAR(moved(SolverKind::semi_implicit_euler), h * 1 - h * h * 8, 1e-15);
    EXPECT_NEAR(moved(SolverKind::velocity_verlet), h * 1 - 0.5 * h * h * 8, 1e-15);
    for (const SolverKind kind : {SolverKind::rk4, SolverKind::central_differences, SolverKind::position_verlet,
                                  SolverKind::heun, SolverKind::midpoint, SolverKind::trapezoidal})
        EXPECT_NEAR(moved(kind), h * 1 - 0.5 * h * h * 8, 1e-15) << name_of(kind);
    EXPECT_NEAR(moved(SolverKind::implicit_euler), h * 1 - h * h * 8, 1e-15);
    // W7: the listing of seed 000.
    EXPECT_NEAR(moved(SolverKind::thesis_listed_rk4), h * 1 - 2.0 / 3 * h * h * 8, 1e-15);
}

TEST(Integrators, PureDampingHasTheTextbookAmplification)
{
    for (const double z : {0.1, 0.5, 1.0, 2.0, 2.7, 3.1}) {
        const auto factor = [&](SolverKind kind) {
            World world = world_of(kParticles);
            world.state.world.gravity = {};
            world.state.bodies[0].drag = z * 0.5;  // m = 0.5 kg, h = 1 s
            return run(std::move(world), kind, 1, 1).state.v[0].x / 3;
        };
        EXPECT_NEAR(factor(SolverKind::euler), 1 - z, 1e-14);
        EXPECT_NEAR(factor(SolverKind::semi_implicit_euler), 1 - z, 1e-14);
        EXPECT_NEAR(factor(SolverKind::velocity_verlet), 1 - z + z * z / 2, 1e-14);
        EXPECT_NEAR(factor(SolverKind::rk4), 1 - z + z * z / 2 - z * z * z / 6 + z * z * z * z / 24, 1e-14);
        for (const SolverKind kind : {SolverKind::position_verlet, SolverKind::heun, SolverKind::midpoint})
            EXPECT_NEAR(factor(kind), 1 - z + z * z / 2, 1e-14) << name_of(kind);
        EXPECT_NEAR(factor(SolverKind::central_differences), (1 - z / 2) / (1 + z / 2), 1e-14);
        EXPECT_NEAR(factor(SolverKind::trapezoidal), (1 - z / 2) / (1 + z / 2), 1e-10);
        EXPECT_NEAR(factor(SolverKind::implicit_euler), 1 / (1 + z), 1e-10);
        EXPECT_NEAR(factor(SolverKind::thesis_listed_rk4), 1 - z + z * z / 4 - z * z * z / 24, 1e-14);
    }
}

TEST(Integrators, NeverMoveHeldCoordinatesByABit)
{
    World start = world_of(test::kSmallBox);
    for (const auto& [kind, order] : kOrders) {
        World world = copy_of(start);
        // Some vertices of the lid slide along an axis or in a plane; the ball is held as a whole.
        for (std::int32_t i = 0; i < 64; ++i)
            if (world.state.held[i] == 0) world.state.held[i] = static_cast<std::uint8_t>(i % 7);
        for (int k = 0; k < 4; ++k) world.state.held[world.model->frame_node(0) + k] = 7;
        for (std::int32_t k = 0; k < 4; ++k) world.state.v[world.model->frame_node(0) + k] = {};
        // Not W8's listing, which knows held and free vertices only.
        if (kind == SolverKind::thesis_listed_rk4) continue;
        const State before = world.state;
        const World after = run(std::move(world), kind, 0.05, 50);
        for (std::size_t i = 0; i < before.held.size(); ++i)
            for (int k = 0; k < 3; ++k)
                if (before.held[i] >> k & 1) {
                    ASSERT_EQ(after.state.x[i][k], before.x[i][k]) << name_of(kind) << " node " << i;
                    ASSERT_EQ(after.state.v[i][k], before.v[i][k]) << name_of(kind) << " node " << i;
                }
        EXPECT_GT(distance(before, after.state), 1e-3);
    }
}

TEST(Integrators, AVertexHeldInEveryStageFeelsNothingOfItsNeighboursHurry)
{
    // W8: were the pinned end displaced inside the stages, a stiff step would differ from the exact
    // oscillator about a fixed point. One rk4 step against its own polynomial.
    World world = world_of(test::kOscillator);
    world.state.live[0] = Spring{.k_s = 40};
    const double h = 0.1, w2h2 = 40 / 0.5 * h * h;
    const World after = run(std::move(world), SolverKind::rk4, h, 1);
    EXPECT_NEAR(after.state.x[1].x - 1, 0.5 * (1 - w2h2 / 2 + w2h2 * w2h2 / 24), 1e-14);
}

TEST(Integrators, NeverTouchTheStateTheyStartFrom)
{
    const World start = world_of(test::kSmallBox);
    World world = copy_of(start);
    const std::uint64_t before = hash(world.state);
    for (const auto& [kind, order] : kOrders) {
        world.state.solver.kind = start.state.solver.kind;
        State from = world.state, to = world.state;
        from.solver.kind = kind;
        const std::uint64_t from_hash = hash(from);
        advance(to, *world.model, from, 0.001, world.scratch);
        EXPECT_EQ(hash(from), from_hash);
        EXPECT_NE(hash(to), from_hash);
    }
    EXPECT_EQ(hash(world.state), before);
}

TEST(Integrators, ACavityTurnedInsideOutIsRefusedWithItsName)
{
    World world = world_of(test::kSmallBox);
    for (std::int32_t i = 0; i < 64; ++i) world.state.x[i].y = -1;
    State to = world.state;
    for (const auto& [kind, order] : kOrders) {
        world.state.solver.kind = kind;
        const Attempt attempt = advance(to, *world.model, world.state, 0.001, world.scratch);
        EXPECT_FALSE(attempt.accepted);
        EXPECT_EQ(attempt.issue.kind, IssueKind::inverted);
        EXPECT_EQ(world.model->bodies[attempt.issue.body].name, "box");
        EXPECT_LT(attempt.issue.value, 0);
    }
}

}  // namespace
}  // namespace pliant
