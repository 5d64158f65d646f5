// SPDX-License-Identifier: MIT

// Air on cloth: terminal speed, wind that carries a sheet along, friction along its faces, and the energy they take.
//
// A flat sheet of areal mass m across the air falls by v = V tanh(g t / V), V^2 = 2 m g / (rho C); blown by a wind U it
// lags behind by U / (1 + k U t), k = rho C / (2 m).

#include <cmath>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <pliant/solver/stability.h>

#include "cloth/cloth_worlds.h"

namespace pliant {
namespace {

using test::ClothText;

constexpr double kDensity = 0.2, kAir = 1.2, kDrag = 2;

// A sheet of half a metre in the plane y = 0, or upright across z.
World sheet_in_air(const std::string& solver, const std::string& world, const std::string& air, bool is_upright = false)
{
    ClothText text{.mesh = is_upright ? test::upright_grid(9, 9, 0.5, 0.5) : test::flat_grid(9, 9, 0.5, 0.5)};
    text.cloth = fmt::format(R"("density": {}, "stretch": 20, "bend": 1e-5)", kDensity);
    text.body = air, text.solver = solver, text.world = world;
    return test::world_of(test::scene_of(text));
}

const std::string kPlate = fmt::format(R"("air_drag": {})", kDrag);

TEST(FallingSheet, ReachesTheSpeedWhereTheAirCarriesIt)
{
    const double terminal = std::sqrt(2 * kDensity * test::kGravity / (kAir * kDrag));
    for (const char* kind : {"rk4", "velocity_verlet", "bdf2", "implicit_midpoint", "implicit_euler",
                             "linearly_implicit_euler", "semi_implicit_euler", "xpbd", "vbd"}) {
        World world =
            sheet_in_air(fmt::format(R"("kind": "{}", "step": 2e-3, "accuracy": 1e-8, "iterations": 30)", kind),
                         R"("gravity": [0, -9.81, 0])", kPlate);
        const bool is_first_order = integrator_facts(world.state.solver.kind).order == 1;
        ASSERT_FALSE(step_to(world, 0.1).failed()) << kind;
        const double early = terminal * std::tanh(test::kGravity * 0.1 / terminal);
        EXPECT_NEAR(-test::measure(world, "sheet.velocity.y"), early, (is_first_order ? 1e-2 : 1e-3) * terminal)
            << kind;
        ASSERT_FALSE(step_to(world, 2).failed()) << kind;
        EXPECT_NEAR(-test::measure(world, "sheet.velocity.y"), terminal, 1e-4 * terminal) << kind;
    }
}

TEST(FallingSheet, LosesToTheAirWhatItsHeightGives)
{
    for (const char* kind : {"rk4", "implicit_midpoint", "bdf2", "xpbd", "vbd"}) {
        World world =
            sheet_in_air(fmt::format(R"("kind": "{}", "step": 5e-4, "accuracy": 1e-8, "iterations": 10)", kind),
                         R"("gravity": [0, -9.81, 0])", kPlate + R"(, "air_friction": 0.02)");
        ASSERT_FALSE(step_to(world, 1).failed()) << kind;
        EXPECT_LT(test::measure(world, "energy.error"), 1e-2) << kind;
        EXPECT_GT(test::measure(world, "energy.dissipated"), 0.5) << kind;
    }
}

TEST(Wind, CarriesAFreeSheetToItsOwnSpeed)
{
    constexpr double kWind = 3, kRate = kAir * kDrag / (2 * kDensity);
    World world =
        sheet_in_air(R"("kind": "rk4", "step": 2e-3)", R"("gravity": [0, 0, 0], "wind": [0, 0, 3])", kPlate, true);
    for (const double time : {0.1, 0.5, 2.0}) {
        ASSERT_FALSE(step_to(world, time).failed());
        const double behind = kWind / (1 + kRate * kWind * time);
        EXPECT_NEAR(test::measure(world, "sheet.velocity.z"), kWind - behind, 2e-3 * kWind) << time;
    }
    // What the wind gave is booked as negative loss.
    const double kinetic = test::measure(world, "energy.kinetic");
    EXPECT_NEAR(-test::measure(world, "energy.dissipated"), kinetic, 0.01 * kinetic);
    EXPECT_LT(test::measure(world, "energy.error"), 1e-2);
}

TEST(Wind, AlongTheFacesPullsByFrictionOnly)
{
    constexpr double kWind = 5, kFriction = 0.05, kRate = kAir * kFriction / (2 * kDensity);
    const std::string still = R"("gravity": [0, 0, 0], "wind": [5, 0, 0])", solver = R"("kind": "rk4", "step": 2e-3)";
    World smooth = sheet_in_air(solver, still, kPlate);
    ASSERT_FALSE(step_to(smooth, 1).failed());
    EXPECT_NEAR(test::measure(smooth, "sheet.velocity.x"), 0, 1e-12);
    World rough = sheet_in_air(solver, still, fmt::format(R"("air_friction": {})", kFriction));
    ASSERT_FALSE(step_to(rough, 1).failed());
    EXPECT_NEAR(test::measure(rough, "sheet.velocity.x"), kWind - kWind / (1 + kRate * kWind), 1e-4 * kWind);
    EXPECT_NEAR(test::measure(rough, "sheet.velocity.y"), 0, 1e-12);
}

TEST(Wind, IsLive)
{
    World world = sheet_in_air(R"("kind": "rk4", "step": 2e-3)", R"("gravity": [0, 0, 0])", kPlate, true);
    ASSERT_FALSE(step_to(world, 0.2).failed());
    EXPECT_NEAR(test::measure(world, "sheet.velocity.z"), 0, 1e-12);
    test::set(world, "world.wind", to_live(Vec3{0, 0, -2}));
    ASSERT_FALSE(step_to(world, 1).failed());
    EXPECT_LT(test::measure(world, "sheet.velocity.z"), -1.5);
    test::set(world, "bodies.sheet.air_drag", to_live(0.0));
    const double kept = test::measure(world, "sheet.velocity.z");
    ASSERT_FALSE(step_to(world, 2).failed());
    EXPECT_NEAR(test::measure(world, "sheet.velocity.z"), kept, 1e-9);
}

}  // namespace
}  // namespace pliant
