// SPDX-License-Identifier: MIT

// Contact response bridson against what physics says: Coulomb's cone on slopes, stopping distances, the capstan,
// momentum, restitution, and energy that is never made.

#include <algorithm>
#include <cmath>
#include <string>
#include <tuple>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "world/contact_scenes.h"
#include "world/momenta.h"
#include "world/small_scenes.h"

namespace pliant {
namespace {

using test::block_scene, test::capstan_scene, test::kGravity, test::measure, test::Momenta, test::momenta_of,
    test::world_of;

void run(World& w, double seconds)
{
    const StepReport report = step(w, seconds);
    ASSERT_FALSE(report.failed()) << explain(report.issue, *w.model);
}

std::string name_of(const testing::TestParamInfo<std::tuple<std::string, std::string>>& info)
{
    return std::get<0>(info.param) + "_on_" + std::get<1>(info.param);
}

// ---- Coulomb's cone -------------------------------------------------------------------------------------------------

class Blocks : public testing::TestWithParam<std::tuple<std::string, std::string>> {
protected:
    World world(double mu, double slope, double velocity = 0) const
    {
        return world_of(block_scene(std::get<0>(GetParam()), std::get<1>(GetParam()), mu, slope, velocity));
    }
};

// A tenth of a micrometre a second is the 1 um in 10 s that is allowed.
TEST_P(Blocks, DoNotCreepOnePercentBelowTheCone)
{
    World w = world(0.5, 0.99 * 0.5);
    run(w, 1);
    const double x = measure(w, "block.center.x"), z = measure(w, "block.center.z");
    run(w, 1);
    EXPECT_LT(std::abs(measure(w, "block.center.x") - x), 1e-7);
    EXPECT_LT(std::abs(measure(w, "block.center.z") - z), 1e-7);
}

TEST_P(Blocks, SlideOnePercentAboveItWithTheForceThatIsLeft)
{
    const double mu = 0.5, slope = 1.01 * mu;
    World w = world(mu, slope);
    run(w, 1);
    const double v = measure(w, "block.velocity.x");
    run(w, 1);
    const double expected = kGravity * std::cos(std::atan(slope)) * (slope - mu);
    EXPECT_NEAR(measure(w, "block.velocity.x") - v, expected, 0.01 * expected);
}

TEST_P(Blocks, StopAfterTheDistanceThatFrictionAllows)
{
    const double mu = 0.3, speed = 2, expected = speed * speed / (2 * mu * kGravity);
    World w = world(mu, 0, speed);
    run(w, 1);
    EXPECT_NEAR(measure(w, "block.center.x"), expected, 0.01 * expected);
    EXPECT_NEAR(measure(w, "block.velocity.x"), 0, 1e-6);
    EXPECT_NEAR(measure(w, "block.center.z"), 0, 1e-3 * expected);
}

INSTANTIATE_TEST_SUITE_P(ContactPhysics, Blocks,
                         testing::Combine(testing::Values("rigid", "solid", "cloth"),
                                          testing::Values("plane", "box", "mesh")),
                         name_of);

// ---- the capstan ----------------------------------------------------------------------------------------------------

struct Wrap {
    double degrees, mu;
};
class Capstan : public testing::TestWithParam<Wrap> {};

TEST_P(Capstan, HoldsByTheExponentialOfFrictionTimesAngle)
{
    const double phi = GetParam().degrees * std::acos(-1) / 180, mu = GetParam().mu, tension = 0.02;
    World w = world_of(capstan_scene(phi, mu, tension, 0.01));
    run(w, 0.8);
    double sum = 0;
    constexpr int kSamples = 40;
    for (int i = 0; i < kSamples; ++i) {
        run(w, 0.01);
        sum += std::hypot(measure(w, "winch.reaction.x"), measure(w, "winch.reaction.z"));
    }
    EXPECT_NEAR(sum / kSamples / tension, std::exp(mu * phi), 0.03 * std::exp(mu * phi));
}

INSTANTIATE_TEST_SUITE_P(ContactPhysics, Capstan, testing::Values(Wrap{90, 0.8}, Wrap{180, 0.3}, Wrap{270, 0.2}),
                         [](const auto& wrap) { return fmt::format("{}_degrees", wrap.param.degrees); });

// ---- momentum and energy of impacts ---------------------------------------------------------------------------------

// Two things that fly at each other, off centre and turning, without gravity.
std::string impact(const std::string& a, const std::string& b, const std::string& solver, double step)
{
    return fmt::format(R"({{ "world": {{ "gravity": [0, 0, 0] }}, "solver": {{ "kind": "{}", "step": {} }},
        "contact": {{ "response": "bridson", "thickness": 0.002 }}, "bodies": {{ "a": {}, "b": {} }} }})",
                       solver, step, a, b);
}

constexpr const char* kBoxA = R"({ "kind": "rigid", "box": [0.2, 0.1, 0.15], "position": [0, 0.2, 0.02], "mass": 2,
    "velocity": [0.3, -2, 0.1], "angular_velocity": [3, 1, -2], "friction": 0.4, "restitution": 0.5 })";
constexpr const char* kBoxB = R"({ "kind": "rigid", "box": [0.3, 0.1, 0.3], "position": [0.03, 0, 0], "mass": 3,
    "velocity": [0, 0.5, 0], "angular_velocity": [0, 0.5, 1], "friction": 1, "restitution": 1 })";
constexpr const char* kSheet = R"({ "kind": "cloth", "mesh": { "grid": [7, 7], "size": [0.3, 0.3] },
    "velocity": [0, 0.5, 0], "friction": 1, "cloth": { "density": 0.5, "stretch": 200, "bend": 1e-4 } })";
constexpr const char* kSheetAbove =
    R"({ "kind": "cloth", "mesh": { "grid": [5, 5], "size": [0.2, 0.2], "rotate_degrees": 30 },
    "position": [0.02, 0.02, 0], "velocity": [0.5, -2, 0], "friction": 0.7,
    "cloth": { "density": 0.2, "stretch": 200, "bend": 1e-4 } })";
constexpr const char* kBlockA = R"({ "kind": "solid", "mesh": { "tet_block": [1, 1, 1], "size": [0.1, 0.1, 0.1],
    "rotate_axis": [0.6, 0, 0.8], "rotate_degrees": 30 }, "position": [0.01, 0.16, 0.02], "velocity": [0.2, -1, 0.1],
    "material": { "young": 2e4, "poisson": 0.3, "density": 300 }, "friction": 0.5 })";
constexpr const char* kBlockB = R"({ "kind": "solid", "mesh": { "tet_block": [2, 1, 2], "size": [0.2, 0.1, 0.2] },
    "material": { "young": 2e4, "poisson": 0.3, "density": 300 }, "friction": 1 })";

struct Impact {
    const char *name, *a, *b, *solver;
    double step;
};
class Impacts : public testing::TestWithParam<Impact> {
protected:
    World world() const
    {
        const Impact& i = GetParam();
        return world_of(impact(i.a, i.b, i.solver, i.step));
    }
};

TEST_P(Impacts, KeepMomentum)
{
    World w = world();
    const Momenta before = momenta_of(w);
    run(w, 0.2);
    const Momenta after = momenta_of(w);
    EXPECT_GT(w.state.tally.hits + w.state.tally.near + (norm(w.state.impulse[0]) > 0), 0);
    EXPECT_LT(norm(after.linear - before.linear), 1e-10 * norm(before.linear));
    // Friction acts across the gap between surfaces and positions are moved apart from velocities: the first is a share of
    // the thickness over the arms, the second falls with the step.
    EXPECT_LT(norm(after.angular - before.angular), 3e-2 * norm(before.angular));
}

TEST_P(Impacts, MakeNoEnergy)
{
    World w = world();
    const double first = measure(w, "energy.total");
    double least = first, most_gain = 0;
    for (int i = 0; i < 200; ++i) {
        run(w, 0.001);
        const double energy = measure(w, "energy.total");
        most_gain = std::max(most_gain, energy - least);
        least = std::min(least, energy);
    }
    EXPECT_LT(least, 0.99 * first);
    EXPECT_LT(most_gain, 1e-3 * first);
}

INSTANTIATE_TEST_SUITE_P(ContactPhysics, Impacts,
                         testing::Values(Impact{"boxes", kBoxA, kBoxB, "rk4", 0.001},
                                         Impact{"box_on_sheet", kBoxA, kSheet, "implicit_euler", 0.001},
                                         Impact{"sheets", kSheetAbove, kSheet, "rk4", 0.0002},
                                         Impact{"solids", kBlockA, kBlockB, "rk4", 0.0005},
                                         Impact{"box_on_solid", kBoxA, kBlockB, "rk4", 0.0005}),
                         [](const auto& impact) { return impact.param.name; });

// ---- restitution ----------------------------------------------------------------------------------------------------

class Restitution : public testing::TestWithParam<double> {};

TEST_P(Restitution, OfABoxThatFallsFlatIsWhatWasAskedFor)
{
    const double e = GetParam();
    World w =
        world_of(fmt::format(R"({{ "world": {{ "gravity": [0, 0, 0] }}, "solver": {{ "kind": "rk4", "step": 0.001 }},
        "contact": {{ "response": "bridson", "thickness": 0.002 }},
        "bodies": {{ "a": {{ "kind": "rigid", "box": [0.2, 0.1, 0.2], "position": [0, 0.1, 0], "mass": 2, "velocity": [0, -1, 0],
                             "restitution": {} }},
                     "b": {{ "kind": "rigid", "box": [0.2, 0.1, 0.2], "position": [0, -0.1, 0], "mass": 3, "restitution": 1 }} }} }})",
                             e));
    run(w, 0.3);
    EXPECT_NEAR(measure(w, "b.velocity.y") - measure(w, "a.velocity.y"), -e, 1e-9 + 0.01 * e);
    EXPECT_NEAR(measure(w, "b.velocity.y") * 3 + measure(w, "a.velocity.y") * 2, -2, 1e-10);
}

TEST_P(Restitution, OfASheetThatLandsFlatIsWhatWasAskedFor)
{
    const double e = GetParam();
    World w = world_of(fmt::format(R"({{ "world": {{ "gravity": [0, 0, 0] }},
        "solver": {{ "kind": "implicit_euler", "step": 0.001 }}, "contact": {{ "response": "bridson", "thickness": 0.002 }},
        "bodies": {{ "sheet": {{ "kind": "cloth", "mesh": {{ "grid": [4, 4], "size": [0.3, 0.3] }}, "position": [0, 0.05, 0],
            "velocity": [0, -1, 0], "restitution": {}, "cloth": {{ "density": 0.2, "stretch": 500, "bend": 1e-4 }} }} }},
        "colliders": {{ "ground": {{ "plane": [0, 1, 0, 0], "restitution": 1 }} }} }})",
                                   e));
    run(w, 0.1);
    for (std::int32_t i = 0; i < w.model->free_count; ++i) EXPECT_NEAR(w.state.v[i].y, e, 1e-6 + 0.01 * e) << i;
}

INSTANTIATE_TEST_SUITE_P(ContactPhysics, Restitution, testing::Values(0.0, 0.5, 1.0),
                         [](const auto& e) { return fmt::format("{}", static_cast<int>(10 * e.param)); });

}  // namespace
}  // namespace pliant
