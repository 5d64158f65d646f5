// SPDX-License-Identifier: MIT

// Vertex block descent: where its sweeps end, what they keep, what they cost in memory, what they refuse.

#include <pliant/solver/vbd.h>

#include <gtest/gtest.h>

#include <pliant/base/parallel.h>

#include "base/counted_new.h"
#include "solver/sheet_worlds.h"

namespace pliant {
namespace {

using namespace test;

TEST(Vbd, ManySweepsEndAtTheStepOfImplicitEuler)
{
    for (auto& [name, world] : sheets_of_all_kinds()) {
        const State exact = one_step(copy_of(world), SolverKind::implicit_euler, 0.01);
        const double few = distance(one_step(copy_of(world), SolverKind::vbd, 0.01, 2), exact);
        const double many = distance(one_step(copy_of(world), SolverKind::vbd, 0.01, 3000), exact);
        EXPECT_LT(many, 1e-9) << name;
        EXPECT_GT(few, 100 * many) << name << ": too easy to prove anything";
    }
}

TEST(Vbd, TreatsAGasAsOneRow)
{
    for (const std::string gas : {R"({ "law": "adiabatic", "pressure": 300, "outside": 100 })",
                                  R"({ "law": "isothermal", "pressure": 101325, "outside": 101000 })",
                                  R"({ "law": "constant_pressure", "pressure": 400, "outside": 100 })"}) {
        const World world = balloon_world(gas);
        const State exact = one_step(copy_of(world), SolverKind::implicit_euler, 0.01);
        EXPECT_LT(distance(one_step(copy_of(world), SolverKind::vbd, 0.01, 2000), exact), 1e-9) << gas;
        World flat = copy_of(world);
        flat.state.gas[0].enabled = false;
        EXPECT_GT(distance(one_step(std::move(flat), SolverKind::vbd, 0.01, 2000), exact), 1e-4)
            << "the gas does something";
    }
}

TEST(Vbd, TakesThePrintedGasOfSeed000AsAForceOfTheStart)
{
    World world = balloon_world(R"({ "law": "thesis_fourfold", "k_g": 2 })");
    const State exact = one_step(copy_of(world), SolverKind::implicit_euler, 1e-4);
    const State swept = one_step(copy_of(world), SolverKind::vbd, 1e-4, 50);
    world.state.gas[0].enabled = false;
    const double effect = distance(one_step(copy_of(world), SolverKind::vbd, 1e-4, 50), exact);
    EXPECT_GT(effect, 1e-9);
    EXPECT_LT(distance(swept, exact), 1e-2 * effect);
}

TEST(Vbd, KeepsMomentumAsFarAsItsSweepsConverge)
{
    for (const int iterations : {300}) {
        World world = sheet_world({.springs = R"({ "k_s": 200, "k_d": 0.1 })", .pins = "[]"});
        world = with_hinges(with_membrane(std::move(world),
                                          GreenMembrane{.stretch_u = 60, .stretch_v = 90, .poisson = 0.3, .shear = 25}),
                            {.bend_u = 1e-3});
        world.state.world.gravity_enabled = false;
        for (Vec3& v : world.state.v) v += Vec3{0.5, -0.2, 0.1};
        const Vec3 before = momentum(*world.model, world.state);
        const State after = many_steps(copy_of(world), SolverKind::vbd, 0.005, 40, iterations);
        EXPECT_GT(norm(before), 0.1);
        EXPECT_LT(norm(momentum(*world.model, after) - before), 1e-10) << iterations;
    }
}

TEST(Vbd, BooksTheDissipationOfImplicitEuler)
{
    const World world = sheet_world({.springs = R"({ "k_s": 40, "k_d": 0.3 })", .more = R"(, "damping": 5)"});
    const double exact = many_steps(copy_of(world), SolverKind::implicit_euler, 0.01, 5).ledger.viscous;
    const double swept = many_steps(copy_of(world), SolverKind::vbd, 0.01, 5, 1000).ledger.viscous;
    EXPECT_GT(exact, 1e-4);
    EXPECT_NEAR(swept, exact, 1e-9 * exact);
}

TEST(Vbd, CarriesHeldCoordinatesWithTheirVelocity)
{
    World world =
        sheet_world({.springs = R"({ "k_s": 40 })", .pins = R"([{ "select": [0] }, { "select": [6], "axes": "xz" }])"});
    world.state.v[0] = {0.5, 0.25, -1}, world.state.v[6] = {1, 0, 2};
    const State after = many_steps(copy_of(world), SolverKind::vbd, 0.01, 10, 3);
    EXPECT_LT(norm(after.x[0] - (world.state.x[0] + Vec3{0.5, 0.25, -1} * 0.1)), 1e-14);
    EXPECT_EQ(after.v[0], world.state.v[0]);
    EXPECT_NEAR(after.x[6].x, world.state.x[6].x + 0.1, 1e-14);
    EXPECT_NEAR(after.x[6].z, world.state.x[6].z + 0.2, 1e-14);
    EXPECT_LT(after.x[6].y, world.state.x[6].y - 1e-3) << "free along y: it falls";
}

TEST(Vbd, GivesTheSameBitsForAnyNumberOfThreads)
{
    const int threads = thread_count();
    std::uint64_t bits[2];
    for (int k = 0; k < 2; ++k) {
        set_thread_count(k + 1);
        World world = sheet_world({.side = 48, .springs = R"({ "k_s": 40, "k_d": 0.1 })"});
        world = with_hinges(with_membrane(std::move(world),
                                          GreenMembrane{.stretch_u = 60, .stretch_v = 60, .poisson = 0.3, .shear = 25}),
                            {.bend_u = 1e-4});
        bits[k] = hash(many_steps(std::move(world), SolverKind::vbd, 0.002, 3, 3));
    }
    set_thread_count(threads);
    EXPECT_EQ(bits[0], bits[1]);
}

TEST(Vbd, RemembersNothingInScratchAndAllocatesNothing)
{
    World world = with_membrane(sheet_world({.springs = R"({ "k_s": 40 })"}),
                                GreenMembrane{.stretch_u = 60, .stretch_v = 60, .shear = 25});
    world.state.solver.kind = SolverKind::vbd, world.state.solver.iterations = 3;
    State to = world.state;
    const auto go_on = [&] {
        ASSERT_TRUE(advance(to, *world.model, world.state, 0.01, world.scratch).accepted);
        world.state = to;
    };
    for (int k = 0; k < 3; ++k) go_on();
    const long before = allocation_count();
    for (int k = 0; k < 3; ++k) go_on();
    EXPECT_EQ(allocation_count(), before);
    World fresh = copy_of(world);
    fresh.scratch = {};
    size_scratch(fresh.scratch, *fresh.model, fresh.state);
    EXPECT_EQ(hash(many_steps(std::move(fresh), SolverKind::vbd, 0.01, 2, 3)),
              hash(many_steps(std::move(world), SolverKind::vbd, 0.01, 2, 3)));
}

TEST(Vbd, TakesARubberSheetToo)
{
    World world = sheet_world();
    std::vector<std::array<std::int32_t, 3>> nodes(world.model->topology.triangles.begin(),
                                                   world.model->topology.triangles.end());
    std::vector<SheetRest<double>> rest;
    const auto& X = world.model->start_x;
    for (const auto& t : nodes) {
        const double u1 = X[t[1]].x - X[t[0]].x, v1 = X[t[1]].z - X[t[0]].z;
        const double u2 = X[t[2]].x - X[t[0]].x, v2 = X[t[2]].z - X[t[0]].z, det = u1 * v2 - u2 * v1;
        const Vec3 b1{v2 / det, -u2 / det, 0}, b2{-v1 / det, u1 / det, 0};
        rest.push_back({{-(b1 + b2), b1, b2}, std::abs(det) / 2});
    }
    world = with_term<NeoHookeanMembrane>(std::move(world), nodes, rest, {.stretch_u = 60, .damping_time = 0.005});
    const State exact = one_step(copy_of(world), SolverKind::implicit_euler, 0.01);
    EXPECT_LT(distance(one_step(copy_of(world), SolverKind::vbd, 0.01, 2000), exact), 1e-9);
    EXPECT_TRUE(can_descend(*world.model));
}

TEST(Vbd, ASheetAtRestStaysAtRestUnderSingleSweeps)
{
    // The first guess is x + h v: what balances needs no sweep to find its balance again.
    World world = sheet_world({.springs = R"({ "k_s": 40 })", .more = R"(, "damping": 10)"});
    world.state = many_steps(copy_of(world), SolverKind::implicit_euler, 0.02, 1500);
    EXPECT_LT(distance(many_steps(copy_of(world), SolverKind::vbd, 0.01, 20), world.state), 1e-8);
    // From where gravity alone would lead, one sweep does not find back.
    EXPECT_GT(distance(many_steps(copy_of(world), SolverKind::xpbd, 0.01, 20), world.state), 1e-6);
}

TEST(Vbd, RefusesSolidsAndNamesTheBodyAndACure)
{
    const World block = world_of(R"({ "bodies": { "jelly": { "kind": "solid",
        "mesh": { "tet_block": [1, 1, 1], "size": [1, 1, 1] }, "material": { "young": 1e4, "density": 1000 } } } })");
    EXPECT_FALSE(can_descend(*block.model));
    EXPECT_NE(vbd_obstacle(*block.model).find("jelly"), std::string::npos);
    EXPECT_NE(vbd_obstacle(*block.model).find("implicit_euler"), std::string::npos);
    EXPECT_TRUE(can_descend(*sheet_world().model));
}

}  // namespace
}  // namespace pliant
