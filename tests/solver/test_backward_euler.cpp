// SPDX-License-Identifier: MIT

// A small implicit rule through the engine's joints: backward Euler by Newton's method, on springs and
// on a density energy, beside the engine's own explicit integrators.

#include <gtest/gtest.h>

#include <numeric>

#include <pliant/energy/spring.h>
#include <pliant/solver/forces.h>
#include <pliant/solver/solver.h>
#include <pliant/solver/stability.h>

#include "energy/density_probe.h"
#include "solver/newton_probe.h"
#include "world/small_scenes.h"

namespace pliant {
namespace {

using test::DensityProbe;
using test::NewtonProbe;

// The springs of a world, without its dampers.
NewtonProbe<Spring> implicit_copy(const World& world)
{
    const Model& m = *world.model;
    const State& s = world.state;
    NewtonProbe<Spring> probe(std::get<Elements<Spring>>(m.terms[0]), std::get<Spring>(s.live[0]), m.mass, s.held,
                              s.world.gravity);
    probe.x = s.x, probe.v = s.v;
    return probe;
}

constexpr std::string_view kHangingChain = R"({
    "world": { "gravity": [0, -10, 0] },
    "bodies": { "chain": { "kind": "springs", "mesh": { "chain": 11, "from": [0, 0, 0], "to": [0, -1, 0] },
        "mass": 1.1, "springs": { "k_s": 500 }, "pins": [{ "select": "start" }] } } })";

constexpr std::string_view kLattice = R"({
    "world": { "gravity": [0, -10, 0] },
    "bodies": { "sheet": { "kind": "springs",
        "mesh": { "grid": [12, 12], "size": [1, 1] }, "mass": 1, "springs": { "k_s": 800 },
        "pins": [{ "select": [0, 11] }] } } })";

double distance(const std::vector<Vec3>& a, const std::vector<Vec3>& b)
{
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += norm2(a[i] - b[i]);
    return std::sqrt(sum);
}

std::vector<Vec3> explicit_positions(World world, double time, int steps)
{
    State to = world.state;
    for (int i = 0; i < steps; ++i) {
        advance(to, *world.model, world.state, time / steps, world.scratch);
        world.state = to;
    }
    return world.state.x;
}

TEST(BackwardEuler, StaticLimitOfAHangingChainIsTheAnalyticOne)
{
    World world = test::world_of(kHangingChain);
    auto probe = implicit_copy(world);
    for (std::size_t i = 1; i < probe.x.size(); ++i) probe.x[i].x = 0.02 * static_cast<double>(i % 3);
    probe.settle();
    ASSERT_TRUE(probe.converged);
    // Spring i carries the 10 - i vertices below it, 0.1 kg each.
    double y = 0;
    for (int i = 0; i < 10; ++i) {
        y -= 0.1 + (10 - i) * 0.1 * 10 / 500;
        EXPECT_NEAR(probe.x[i + 1].y, y, 1e-10);
        EXPECT_NEAR(probe.x[i + 1].x, 0, 1e-8);
    }
}

TEST(BackwardEuler, IsStableAtAHundredTimesTheExplicitLimit)
{
    for (const auto scene : {kHangingChain, kLattice}) {
        World world = test::world_of(scene);
        const Rates rates = rate_bounds(*world.model, world.state, world.scratch);
        const double limit = stable_step(SolverKind::semi_implicit_euler, rates.stiffness, 0);
        auto probe = implicit_copy(world);
        double highest = 0;
        for (int i = 0; i < 60; ++i) {
            probe.step(100 * limit);
            highest = std::max(highest, probe.kinetic());
        }
        ASSERT_TRUE(probe.converged);
        EXPECT_LT(highest, 20);               // less than what falling a few metres gives
        EXPECT_LT(probe.kinetic(), 1e-3);     // and the rule's own damping brings it to rest
        auto settled = implicit_copy(world);  // at the equilibrium
        settled.x = probe.x;
        settled.settle();
        EXPECT_LT(distance(probe.x, settled.x), 0.05);
    }
}

TEST(BackwardEuler, ConvergesToTheExplicitSolutionWithFirstOrder)
{
    World world = test::world_of(kLattice);
    const double time = 0.1;
    const auto exact = explicit_positions(test::world_of(kLattice), time, 2000);
    std::vector<double> errors;
    for (const int steps : {80, 160, 320}) {
        auto probe = implicit_copy(world);
        for (int i = 0; i < steps; ++i) probe.step(time / steps);
        ASSERT_TRUE(probe.converged);
        errors.push_back(distance(probe.x, exact));
    }
    EXPECT_LT(errors.back(), 3e-3);
    EXPECT_NEAR(std::log2(errors[0] / errors[1]), 1, 0.1);
    EXPECT_NEAR(std::log2(errors[1] / errors[2]), 1, 0.05);
}

// A bar of 6 cubes of 0.1 m along x, held at x = 0.
struct Bar {
    std::vector<Vec3> X;
    std::vector<std::array<std::int32_t, 4>> tets;
};

Bar bar()
{
    Bar b;
    for (int i = 0; i <= 6; ++i)
        for (int c = 0; c < 4; ++c) b.X.push_back(Vec3{1.0 * i, 1.0 * (c & 1), 1.0 * (c >> 1)} * 0.1);
    for (int i = 0; i < 6; ++i) {
        const auto v = [i](int x, int y, int z) { return 4 * (i + x) + y + 2 * z; };
        const int ring[7] = {v(1, 0, 0), v(1, 1, 0), v(0, 1, 0), v(0, 1, 1), v(0, 0, 1), v(1, 0, 1), v(1, 0, 0)};
        for (int k = 0; k < 6; ++k) b.tets.push_back({v(0, 0, 0), ring[k], ring[k + 1], v(1, 1, 1)});
    }
    return b;
}

NewtonProbe<DensityProbe> bar_problem(const Vec3& gravity, std::uint8_t held_at_root, double damping = 0)
{
    const Bar b = bar();
    const DensityProbe rubber{.mu = 4e4, .lambda = 0, .damping_time = damping};
    std::vector<DensityProbe::Rest<double>> rest;
    std::vector<double> mass(b.X.size());
    for (const auto& t : b.tets) {
        rest.push_back(test::probe_rest({b.X[t[0]], b.X[t[1]], b.X[t[2]], b.X[t[3]]}));
        for (const std::int32_t v : t) mass[v] += 1000 * rest.back().volume / 4;
    }
    std::vector<std::uint8_t> held(b.X.size());
    for (std::size_t i = 0; i < b.X.size(); ++i) {
        if (b.X[i].x == 0) held[i] = held_at_root;
    }
    const auto n = static_cast<std::int32_t>(b.X.size());
    NewtonProbe<DensityProbe> probe(make_elements<DensityProbe>(b.tets, rest, n), rubber, mass, held, gravity);
    probe.x = b.X;
    probe.v.resize(b.X.size());
    return probe;
}

TEST(BackwardEuler, StaticLimitOfAStretchedSolidIsTheAnalyticOne)
{
    // lambda = 0 decouples the directions: under its weight along x the bar has sigma(x) = rho g (L - x),
    // lumped to the cubes' ends: cube i carries the mass of half itself and all beyond it.
    auto probe = bar_problem({5, 0, 0}, 7);
    probe.settle();
    ASSERT_TRUE(probe.converged);
    double x = 0;
    for (int i = 0; i < 6; ++i) {
        const double carried = 1000 * 0.1 * 0.1 * 0.1 * (5.5 - i) * 5 / (0.1 * 0.1);  // [Pa] on the rest area
        double F = 1;  // first Piola stress of a uniaxial stretch: 2 mu F (F^2 - 1)/2
        for (int k = 0; k < 50; ++k) F -= (4e4 * F * (F * F - 1) - carried) / (4e4 * (3 * F * F - 1));
        x += 0.1 * F;
        double mean = 0;
        for (int c = 0; c < 4; ++c) mean += probe.x[4 * (i + 1) + c].x / 4;
        EXPECT_NEAR(mean, x, 2e-5);
    }
}

TEST(BackwardEuler, BendsASolidAtAHundredTimesTheExplicitLimit)
{
    auto probe = bar_problem({0, -10, 0}, 7);
    // Fastest rate about sqrt(12 mu / rho) / 0.1 m; its explicit limit 2 / rate.
    const double limit = 2 / (std::sqrt(12 * 4e4 / 1000) / 0.1);
    for (int i = 0; i < 100; ++i) probe.step(100 * limit);
    ASSERT_TRUE(probe.converged);
    EXPECT_LT(probe.kinetic(), 1e-6);
    const auto moving = probe.x;
    probe.settle();
    EXPECT_LT(distance(moving, probe.x), 1e-3);
    EXPECT_LT(probe.x.back().y, 0.05);  // it hangs down
}

TEST(BackwardEuler, ConvergesWithFirstOrderOnASolid)
{
    const double time = 0.06;
    std::vector<std::vector<Vec3>> ends;
    for (const int steps : {100, 200, 400, 800}) {
        auto probe = bar_problem({0, -10, 0}, 7);
        for (int i = 0; i < steps; ++i) probe.step(time / steps);
        ASSERT_TRUE(probe.converged);
        ends.push_back(probe.x);
    }
    EXPECT_NEAR(std::log2(distance(ends[0], ends[1]) / distance(ends[1], ends[2])), 1, 0.1);
    EXPECT_NEAR(std::log2(distance(ends[1], ends[2]) / distance(ends[2], ends[3])), 1, 0.1);
}

}  // namespace
}  // namespace pliant
