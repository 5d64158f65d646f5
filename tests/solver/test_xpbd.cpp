// SPDX-License-Identifier: MIT

// XPBD: where its sweeps end, what they keep, what they cost in memory, what they refuse.

#include <pliant/solver/xpbd.h>

#include <gtest/gtest.h>

#include <pliant/base/parallel.h>
#include <pliant/solver/stability.h>

#include "base/counted_new.h"
#include "solver/sheet_worlds.h"

namespace pliant {
namespace {

using namespace test;

TEST(Xpbd, ManySweepsEndAtTheStepOfImplicitEuler)
{
    for (auto& [name, world] : sheets_of_all_kinds()) {
        const State exact = one_step(copy_of(world), SolverKind::implicit_euler, 0.01);
        const double few = distance(one_step(copy_of(world), SolverKind::xpbd, 0.01, 2), exact);
        const double many = distance(one_step(copy_of(world), SolverKind::xpbd, 0.01, 3000), exact);
        EXPECT_LT(many, 1e-9) << name;
        EXPECT_GT(few, 100 * many) << name << ": too easy to prove anything";
    }
}

TEST(Xpbd, TreatsAGasAsOneRow)
{
    for (const std::string gas : {R"({ "law": "adiabatic", "pressure": 300, "outside": 100 })",
                                  R"({ "law": "isothermal", "pressure": 101325, "outside": 101000 })",
                                  R"({ "law": "constant_pressure", "pressure": 400, "outside": 100 })"}) {
        const World world = balloon_world(gas);
        const State exact = one_step(copy_of(world), SolverKind::implicit_euler, 0.01);
        EXPECT_LT(distance(one_step(copy_of(world), SolverKind::xpbd, 0.01, 2000), exact), 1e-9) << gas;
        World flat = copy_of(world);
        flat.state.gas[0].enabled = false;
        EXPECT_GT(distance(one_step(std::move(flat), SolverKind::xpbd, 0.01, 2000), exact), 1e-4)
            << "the gas does something";
    }
}

TEST(Xpbd, TakesThePrintedGasOfSeed000AsAForceOfTheStart)
{
    World world = balloon_world(R"({ "law": "thesis_fourfold", "k_g": 2 })");
    const State exact = one_step(copy_of(world), SolverKind::implicit_euler, 1e-4);
    const State swept = one_step(copy_of(world), SolverKind::xpbd, 1e-4, 50);
    world.state.gas[0].enabled = false;
    const double effect = distance(one_step(copy_of(world), SolverKind::xpbd, 1e-4, 50), exact);
    EXPECT_GT(effect, 1e-9);
    EXPECT_LT(distance(swept, exact), 1e-2 * effect);
}

TEST(Xpbd, KeepsMomentumWithoutPins)
{
    for (const int iterations : {1, 7}) {
        World world = sheet_world({.springs = R"({ "k_s": 200, "k_d": 0.1 })", .pins = "[]"});
        world = with_hinges(with_membrane(std::move(world),
                                          GreenMembrane{.stretch_u = 60, .stretch_v = 90, .poisson = 0.3, .shear = 25}),
                            {.bend_u = 1e-3});
        world.state.world.gravity_enabled = false;
        for (Vec3& v : world.state.v) v += Vec3{0.5, -0.2, 0.1};
        const Vec3 before = momentum(*world.model, world.state);
        const State after = many_steps(copy_of(world), SolverKind::xpbd, 0.005, 40, iterations);
        EXPECT_GT(norm(before), 0.1);
        EXPECT_LT(norm(momentum(*world.model, after) - before), 1e-13) << iterations;
    }
}

TEST(Xpbd, BooksTheDissipationOfImplicitEuler)
{
    const World world = sheet_world({.springs = R"({ "k_s": 40, "k_d": 0.3 })", .more = R"(, "damping": 5)"});
    const double exact = many_steps(copy_of(world), SolverKind::implicit_euler, 0.01, 5).ledger.viscous;
    const double swept = many_steps(copy_of(world), SolverKind::xpbd, 0.01, 5, 1000).ledger.viscous;
    EXPECT_GT(exact, 1e-4);
    EXPECT_NEAR(swept, exact, 1e-9 * exact);
}

TEST(Xpbd, CarriesHeldCoordinatesWithTheirVelocity)
{
    World world =
        sheet_world({.springs = R"({ "k_s": 40 })", .pins = R"([{ "select": [0] }, { "select": [6], "axes": "xz" }])"});
    world.state.v[0] = {0.5, 0.25, -1}, world.state.v[6] = {1, 0, 2};
    const State after = many_steps(copy_of(world), SolverKind::xpbd, 0.01, 10, 3);
    EXPECT_LT(norm(after.x[0] - (world.state.x[0] + Vec3{0.5, 0.25, -1} * 0.1)), 1e-14);
    EXPECT_EQ(after.v[0], world.state.v[0]);
    EXPECT_NEAR(after.x[6].x, world.state.x[6].x + 0.1, 1e-14);
    EXPECT_NEAR(after.x[6].z, world.state.x[6].z + 0.2, 1e-14);
    EXPECT_LT(after.x[6].y, world.state.x[6].y - 1e-3) << "free along y: it falls";
}

TEST(Xpbd, GivesTheSameBitsForAnyNumberOfThreads)
{
    const int threads = thread_count();
    std::uint64_t bits[2];
    for (int k = 0; k < 2; ++k) {
        set_thread_count(k + 1);
        World world = sheet_world({.side = 48, .springs = R"({ "k_s": 40, "k_d": 0.1 })"});
        world = with_hinges(with_membrane(std::move(world),
                                          GreenMembrane{.stretch_u = 60, .stretch_v = 60, .poisson = 0.3, .shear = 25}),
                            {.bend_u = 1e-4});
        bits[k] = hash(many_steps(std::move(world), SolverKind::xpbd, 0.002, 3, 3));
    }
    set_thread_count(threads);
    EXPECT_EQ(bits[0], bits[1]);
}

TEST(Xpbd, RemembersNothingInScratchAndAllocatesNothing)
{
    World world = with_membrane(sheet_world({.springs = R"({ "k_s": 40 })"}),
                                GreenMembrane{.stretch_u = 60, .stretch_v = 60, .shear = 25});
    world.state.solver.kind = SolverKind::xpbd, world.state.solver.iterations = 3;
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
    EXPECT_EQ(hash(many_steps(std::move(fresh), SolverKind::xpbd, 0.01, 2, 3)),
              hash(many_steps(std::move(world), SolverKind::xpbd, 0.01, 2, 3)));
}

TEST(Xpbd, OneSweepAStepTendsToTheExactMotionWithShorterSteps)
{
    const World world = sheet_world({.springs = R"({ "k_s": 40 })"});
    const State exact = many_steps(copy_of(world), SolverKind::rk4, 1e-4, 1000);
    double error[2];
    for (int k = 0; k < 2; ++k)
        error[k] = distance(many_steps(copy_of(world), SolverKind::xpbd, 1e-4 / (1 << k), 1000 << k), exact);
    EXPECT_LT(error[0], 1e-3);
    EXPECT_NEAR(std::log2(error[0] / error[1]), 1, 0.1) << error[0] << ' ' << error[1];
}

TEST(Xpbd, SkipsTermsThatAreSwitchedOff)
{
    GreenMembrane off{.stretch_u = 60, .stretch_v = 60, .shear = 25, .stretch_enabled = false, .shear_enabled = false};
    const World world = with_membrane(sheet_world(), off);
    const State after = one_step(copy_of(world), SolverKind::xpbd, 0.01, 4);
    for (std::int32_t i = 0; i < world.model->free_count; ++i) {
        const Vec3 fall = world.state.held[i] != 0 ? Vec3{} : Vec3{0, -9.81 * 0.01 * 0.01, 0};
        EXPECT_LT(norm(after.x[i] - world.state.x[i] - world.state.v[i] * 0.01 - fall), 1e-15);
    }
}

TEST(Xpbd, RefusesSolidsAndNamesTheBodyAndACure)
{
    const World block = world_of(R"({ "bodies": { "jelly": { "kind": "solid",
        "mesh": { "tet_block": [1, 1, 1], "size": [1, 1, 1] }, "material": { "young": 1e4, "density": 1000 } } } })");
    EXPECT_FALSE(can_project(*block.model));
    EXPECT_NE(xpbd_obstacle(*block.model).find("jelly"), std::string::npos);
    EXPECT_NE(xpbd_obstacle(*block.model).find("implicit_euler"), std::string::npos);
    EXPECT_TRUE(can_project(*sheet_world().model));
    EXPECT_TRUE(std::isinf(stable_step(SolverKind::xpbd, 1e6, 1)));
}

}  // namespace
}  // namespace pliant
