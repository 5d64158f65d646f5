// SPDX-License-Identifier: MIT
// Constraints and events against closed solutions: pendulum, decay of a violation, paths, breaking, located events.

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <pliant/solver/constraints.h>
#include <pliant/world/measures.h>
#include <pliant/world/step.h>

#include "small_scenes.h"

using namespace pliant;
using test::world_of;

namespace {

constexpr double kG = 9.81;

// A point of 2 kg at (1, 0, 0) and a nail at the origin, joined by nothing but what a test adds.
std::string point_scene(const std::string& more, const std::string& velocity = "[0, 0, 0]")
{
    return R"({"world": {"gravity": [0, -9.81, 0], "duration": 10},
        "solver": {"kind": "rk4", "step": 0.001, "substeps": 1},
        "bodies": {"p": {"kind": "springs", "mass": 4, "velocity": )" +
           velocity + R"(,
            "mesh": {"vertices": [[1, 0, 0], [0, 0, 0]], "lines": [[0, 1]]},
            "springs": {"k_s": 0}, "pins": [{"name": "nail", "select": [1]}]}},
        "points": {"a": {"body": "p", "vertex": 0}, "o": {"body": "p", "vertex": 1}})" +
           (more.empty() ? "" : ",\n" + more) + "}";
}

double measure(World& world, const std::string& name)
{
    return find_measure(*world.model, measures(world, 0, 0), name);
}

Vec3 reaction_of(World& world, const std::string& name)
{
    return {measure(world, name + ".reaction.x"), measure(world, name + ".reaction.y"),
            measure(world, name + ".reaction.z")};
}

Build build_of(const std::string& text)
{
    return try_build(parse_scene(text, "test.json").scene);
}

constexpr const char* kRod = R"("constraints": {"rod": {"kind": "distance", "points": ["a", "o"]}})";

}  // namespace

TEST(Constraints, PendulumKeepsItsLengthItsEnergyAndTheTensionOfItsRod)
{
    for (const char* kind : {"rk4", "rkf45", "velocity_verlet", "implicit_midpoint"}) {
        World world = world_of(point_scene(kRod), {{"solver.kind", kind}, {"solver.tolerance", "1e-10"}});
        double worst = 0;
        for (int i = 0; i < 100; ++i) {
            ASSERT_FALSE(step(world, 0.1).failed()) << kind;
            const Vec3 x = world.state.x[0], v = world.state.v[0];
            worst = std::max(worst, std::abs(norm(x) - 1));
            // Towards the nail: what turns the motion, and what weight pulls along the rod.
            const double tension = 2 * (norm2(v) - kG * x.y);
            const double second_order = kind == std::string("velocity_verlet") ? 1e-2 : 1e-6;
            EXPECT_NEAR(dot(reaction_of(world, "rod"), -x), tension, second_order * 60) << kind << " " << i;
        }
        EXPECT_LT(worst, kind == std::string("velocity_verlet") ? 1e-5 : 1e-8) << kind;
        EXPECT_LT(measure(world, "energy.error"), 1e-4) << kind;
    }
}

TEST(Constraints, AViolationDecaysAsTheoryHasIt)
{
    World world = world_of(point_scene(R"("constraints": {"floor": {"kind": "plane", "points": ["a"],
        "numbers": [0, 2, 0, 0.2], "stabilisation": 7}})"),
                           {{"world.gravity_enabled", "false"}});
    // H = y + 0.1 = 0.1 at the start, at rest: A = 0.1, B = 7 A.
    for (int i = 1; i <= 10; ++i) {
        step(world, 0.1);
        const double t = 0.1 * i, expected = (0.1 + 0.7 * t) * std::exp(-7 * t);
        EXPECT_NEAR(world.state.x[0].y + 0.1, expected, 1e-9);
        EXPECT_NEAR(measure(world, "floor.violation"), expected, 1e-9);
    }
}

TEST(Constraints, TwoTangentSpheresAreNamedNotCrashedOn)
{
    const std::string spheres = R"("constraints": {
        "left": {"kind": "sphere", "points": ["a"], "numbers": [0, 0, 0, 1]},
        "right": {"kind": "sphere", "points": ["a"], "numbers": [2, 0, 0, 1]}})";
    const Build at_rest = build_of(point_scene(spheres));
    ASSERT_TRUE(at_rest.problems.empty());
    ASSERT_FALSE(at_rest.notes.empty());
    EXPECT_NE(at_rest.notes[0].find("'right'"), std::string::npos) << at_rest.notes[0];
    EXPECT_NE(at_rest.notes[0].find("'left'"), std::string::npos) << at_rest.notes[0];
    const Build moving = build_of(point_scene(spheres, "[0, 1, 0]"));
    ASSERT_EQ(moving.problems.size(), 1u);
    EXPECT_NE(moving.problems[0].message.find("contradicts"), std::string::npos);
    // Begun at rest, gravity moves the point until both cannot be obeyed: the run ends with both names.
    World world = world_of(point_scene(spheres));
    StepReport report;
    for (int i = 0; i < 100 && !report.failed(); ++i) report = step(world, 0.05);
    ASSERT_TRUE(report.failed());
    EXPECT_EQ(report.issue.kind, IssueKind::conflicting);
    const std::string words = explain(report.issue, *world.model);
    EXPECT_NE(words.find("'left'"), std::string::npos) << words;
    EXPECT_NE(words.find("'right'"), std::string::npos) << words;
}

TEST(Constraints, APointOnMovingCircleAndOneOfGivenVelocity)
{
    const std::string wave = R"j("constraints": {
        "wave": {"formula": "a.y - 0.1*sin(2*t)"}, "speed": {"formula": "a.vx - 0.3"}, "flat": {"formula": "a.z"}})j";
    for (const char* kind : {"rk4", "implicit_midpoint", "implicit_euler", "bdf2"}) {
        World world = world_of(point_scene(wave, "[0.3, 0.2, 0]"), {{"solver.kind", kind}});
        for (int i = 0; i < 20; ++i) step(world, 0.1);
        const double t = world.state.time;
        EXPECT_NEAR(world.state.x[0].y, 0.1 * std::sin(2 * t), 1e-8) << kind;
        EXPECT_NEAR(world.state.v[0].x, 0.3, 1e-8) << kind;
        EXPECT_NEAR(world.state.x[0].x, 1 + 0.3 * t, 1e-6) << kind;
        // 2 kg that follow the wave: weight plus inertia.
        const double force = 2 * (kG - 0.4 * std::sin(2 * t));
        EXPECT_NEAR(reaction_of(world, "wave").y, force, 1e-6 * force) << kind;
        if (kind == std::string("rk4") || kind == std::string("implicit_midpoint")) {
            EXPECT_LT(measure(world, "energy.error"), 1e-4) << kind;
        }
    }
}

TEST(Constraints, ARodBreaksWhereItsTensionSays)
{
    // From the horizontal: tension 3 m g sin = 2 m g at y = -2/3.
    const std::string rod = R"("constraints": {"rod": {"kind": "distance", "points": ["a", "o"], "breaks_at": 39.24}})";
    for (const char* kind : {"rk4", "rkf45", "implicit_midpoint"}) {
        World world = world_of(point_scene(rod), {{"solver.kind", kind}});
        StepReport report;
        while (report.events == 0 && world.state.time < 2) {
            report = step(world, 0.01);
            ASSERT_FALSE(report.failed());
        }
        EXPECT_EQ(measure(world, "rod.breaks.count"), 1) << kind;
        EXPECT_FALSE(world.state.constraints[0].enabled);
        // The energy of the fall to there, whatever the rest of the frame did.
        const double E = 0.5 * norm2(world.state.v[0]) + kG * world.state.x[0].y;
        EXPECT_NEAR(E, 0, 1e-4) << kind;
        EXPECT_NEAR(measure(world, "rod.reaction.y"), 0, 1e-12);
        const double apex = world.state.v[0].x;
        for (int i = 0; i < 10; ++i) step(world, 0.01);
        EXPECT_NEAR(world.state.v[0].x, apex, 1e-9) << "free flight";
    }
}

TEST(Constraints, EventsAreLocatedUnderEverySolver)
{
    const std::string stop =
        R"("events": {"low": {"when": "a.y < -0.3 and t > 0.1", "set": {"world.gravity_enabled": false}}})";
    const double when = std::sqrt(0.6 / kG);
    for (const char* kind : {"rk4", "rkf45", "velocity_verlet", "semi_implicit_euler", "implicit_midpoint", "bdf2"}) {
        const bool exact = kind != std::string("semi_implicit_euler") && kind != std::string("bdf2");
        World world = world_of(point_scene(stop), {{"solver.kind", kind}, {"solver.step", "0.01"}});
        for (int i = 0; i < 10; ++i) step(world, 0.05);
        EXPECT_EQ(measure(world, "low.count"), 1) << kind;
        EXPECT_NEAR(world.state.v[0].y, -kG * when, exact ? 1e-7 : 0.1) << kind;
    }
}

TEST(Constraints, AnInputMaySwitchAnEventOff)
{
    const std::string stop = R"("events": {
        "first": {"when": "a.y < -0.3", "set": {"bodies.p.gravity": true}},
        "low": {"when": "a.y < -0.3", "set": {"world.gravity_enabled": false}}},
        "inputs": [{"time": 0.1, "set": {"events.low.enabled": false}}])";
    World world = world_of(point_scene(stop));
    for (int i = 0; i < 10; ++i) step(world, 0.05);
    EXPECT_EQ(measure(world, "first.count"), 1);
    EXPECT_EQ(measure(world, "low.count"), 0);
    EXPECT_NEAR(world.state.v[0].y, -kG * 0.5, 1e-9);
}

TEST(Constraints, AForceOfTimeActsAndItsWorkIsBooked)
{
    std::string scene = point_scene("");
    const std::string pin = R"("pins": )";
    scene.insert(scene.find(pin), R"("loads": [{"name": "push", "select": [0], "formula": "[4*sin(3*t), 0, 0]"}], )");
    for (const char* kind : {"rk4", "implicit_midpoint"}) {
        World world = world_of(scene, {{"solver.kind", kind}, {"world.gravity_enabled", "false"}});
        for (int i = 0; i < 20; ++i) step(world, 0.1);
        const double t = world.state.time;
        EXPECT_NEAR(world.state.x[0].x, 1 + 2.0 / 3 * t - 2.0 / 9 * std::sin(3 * t), 2e-6) << kind;
        EXPECT_LT(measure(world, "energy.error"), 1e-5) << kind;
    }
}

namespace {

constexpr const char* kBlock = R"({"world": {"gravity": [0, -9.81, 0]},
    "solver": {"kind": "rk4", "step": 0.001, "substeps": "auto"},
    "bodies": {"block": {"kind": "solid", "elements": "linear", "angular_velocity": [1, 2, 3],
        "mesh": {"tet_block": [2, 2, 2], "size": [0.1, 0.1, 0.1]},
        "material": {"young": 2e4, "poisson": 0.3, "density": 1000, "shear_viscosity": 2}}}})";

}  // namespace

TEST(Constraints, ARigidBodyInFreeFallNeedsNoForces)
{
    const std::string rigid = std::string(kBlock).substr(0, std::string(kBlock).size() - 1) +
                              R"(, "constraints": {"bone": {"kind": "rigid", "body": "block", "select": "all"}}})";
    for (const char* kind : {"rk4", "implicit_midpoint"}) {
        World still = world_of(rigid, {{"solver.kind", kind}, {"bodies.block.angular_velocity", "[0, 0, 0]"}});
        for (int i = 0; i < 10; ++i) step(still, 0.02);
        EXPECT_LT(norm(reaction_of(still, "bone")), 1e-6 * 9.81) << kind;
        World turning = world_of(rigid, {{"solver.kind", kind}});
        const double across = norm(turning.state.x[0] - turning.state.x[26]);
        for (int i = 0; i < 50; ++i) ASSERT_FALSE(step(turning, 0.02).failed()) << kind;
        EXPECT_NEAR(norm(turning.state.x[0] - turning.state.x[26]), across, 1e-8) << kind;
        EXPECT_LT(measure(turning, "bone.violation"), 1e-8) << kind;
        EXPECT_LT(measure(turning, "energy.error"), 1e-4) << kind;
    }
}

TEST(Constraints, AHangingBodyPullsWithItsWeight)
{
    // Three corners of the top, held by a formula for each coordinate.
    const std::vector<std::pair<std::string, Vec3>> corners{
        {"a", {0.05, 0.05, -0.05}}, {"b", {-0.05, 0.05, 0.05}}, {"c", {0.05, 0.05, 0.05}}};
    std::string points, rows;
    for (const auto& [name, at] : corners) {
        points += fmt::format(R"j({}"{}": {{"body": "block", "at": [{}, {}, {}]}})j", points.empty() ? "" : ", ", name,
                              at.x, at.y, at.z);
        for (int k = 0; k < 3; ++k)
            rows += fmt::format(R"j({0}"{1}{2}": {{"formula": "{1}.{2} - {3}"}})j", rows.empty() ? "" : ", ", name,
                                "xyz"[k], at[k]);
    }
    const std::string block = kBlock;
    const std::string hung =
        block.substr(0, block.size() - 1) + ", \"points\": {" + points + "}, \"constraints\": {" + rows + "}}";
    World world = world_of(
        hung,
        {{"solver.kind", "static"}, {"solver.accuracy", "1e-12"}, {"bodies.block.angular_velocity", "[0, 0, 0]"}});
    for (int i = 0; i < 3; ++i) ASSERT_FALSE(step(world, 0.1).failed());
    double up = 0, side = 0;
    for (const auto& corner : corners) {
        up += reaction_of(world, corner.first + "y").y;
        side += reaction_of(world, corner.first + "x").x;
    }
    EXPECT_NEAR(up, 9.81, 1e-6 * 9.81);
    EXPECT_NEAR(side, 0, 1e-6 * 9.81);
}

TEST(Constraints, IncompressibleTetrahedraKeepTheirVolume)
{
    const std::string text = std::string(kBlock).substr(0, std::string(kBlock).size() - 1) +
                             R"(, "constraints": {"core": {"kind": "incompressible", "body": "block",
                                 "select": {"low": [-0.06, -0.06, -0.06], "high": [0.001, 0.001, 0.001]}}}})";
    for (const char* kind : {"rk4", "implicit_midpoint"}) {
        World world = world_of(text, {{"solver.kind", kind}, {"world.gravity", "[0, 0, 0]"}});
        for (int i = 0; i < 25; ++i) ASSERT_FALSE(step(world, 0.02).failed()) << kind;
        EXPECT_LT(measure(world, "core.violation"), 1e-8) << kind;
        EXPECT_LT(measure(world, "energy.error"), 1e-2) << kind;
    }
}

namespace {

// A sheet of one triangle with a fourth point in it, hung from a corner.
constexpr const char* kTriangle = R"({"world": {"gravity": [0, -9.81, 0]},
    "solver": {"kind": "rk4", "step": 0.001, "substeps": 1},
    "bodies": {"p": {"kind": "springs", "mass": 2, "velocity": [0, 0, 0.5],
        "mesh": {"vertices": [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0.3, 0.2, 0]], "lines": [[0, 1], [1, 2], [2, 0]]},
        "springs": {"k_s": 200, "k_d": 1}, "pins": [{"select": [0]}]}},
    "constraints": {"kept": {"kind": "attach", "points": ["p[3]", "p[0]", "p[1]", "p[2]"]}}})";

std::string one_cell(const std::string& kind)
{
    return R"({"world": {"gravity": [0, 0, 0]}, "solver": {"kind": "rk4", "step": 0.001, "substeps": "auto"},
        "bodies": {"block": {"kind": "solid", "elements": "linear", "angular_velocity": [1, 2, 3],
            "mesh": {"tet_block": [1, 1, 1], "size": [1, 1, 1]},
            "material": {"young": 1e4, "poisson": 0.3, "density": 1000}}},
        "constraints": {"kept": {"kind": ")" +
           kind + R"(", "body": "block", "select": "all"}}})";
}

}  // namespace

TEST(Constraints, NoKindDriftsInTenSeconds)
{
    const auto kept = [](const std::string& constraint) {
        return point_scene("\"constraints\": {\"kept\": " + constraint + "}", "[0, 0, 0.7]");
    };
    const std::vector<std::string> scenes{
        kept(R"({"kind": "plane", "points": ["a"], "numbers": [0, 2, 0, 0]})"),
        kept(R"({"kind": "sphere", "points": ["a"], "numbers": [0, 0, 0, 1]})"),
        kept(R"({"kind": "quadric", "points": ["a"], "numbers": [1, 2, 3, 0, 0, 0, 0, 0, 0, -1]})"),
        kept(R"({"kind": "distance", "points": ["a", "o"]})"),
        kept(R"({"kind": "path", "points": ["a"], "path": [{"time": 0, "at": [1, 0, 0], "velocity": [0, 0, 0.7]},
            {"time": 20, "at": [3, 2, 1]}]})"),
        kept(R"j({"formula": "(norm([a.x, 0, a.z]) - 0.8)^2 + a.y^2 - 0.04"})j"),
        kTriangle,
        one_cell("rigid"),
        one_cell("incompressible")};
    for (std::size_t i = 0; i < scenes.size(); ++i)
        for (const char* kind : {"rk4", "implicit_midpoint"}) {
            World world = world_of(scenes[i], {{"solver.kind", kind}});
            double drift = 0;
            for (int frame = 1; frame <= 100; ++frame) {
                ASSERT_FALSE(step(world, 0.1).failed()) << i << " " << kind;
                if (frame > 10) drift = std::max(drift, measure(world, "kept.violation"));
            }
            EXPECT_LT(drift, 1e-8) << i << " " << kind;
        }
}

TEST(Constraints, BadOnesAreRefusedWithColumnAndCure)
{
    const auto complaint = [](const std::string& more) {
        const Build build = build_of(point_scene(more));
        return build.problems.empty() ? std::string() : build.problems[0].message + " | " + build.problems[0].cure;
    };
    const std::string column = complaint(R"("constraints": {"c": {"formula": "a.x + * 3"}})");
    EXPECT_NE(column.find("column 7"), std::string::npos) << column;
    EXPECT_NE(complaint(R"("constraints": {"c": {"formula": "b.x"}})").find("b"), std::string::npos);
    EXPECT_NE(complaint(R"("constraints": {"c": {"formula": "t - 1"}})").find("names no point"), std::string::npos);
    EXPECT_NE(
        complaint(R"("constraints": {"c": {"kind": "plane", "points": ["a"], "numbers": [1]}})").find("expected 4"),
        std::string::npos);
    EXPECT_NE(complaint(R"("constraints": {"c": {"kind": "distance", "points": ["a", "p[9]"]}})").find("p[9]"),
              std::string::npos);
    EXPECT_NE(complaint(R"("events": {"e": {"when": "a.y", "set": {}}})").find("column"), std::string::npos);
    EXPECT_NE(complaint(R"("events": {"e": {"when": "a.y < 0", "set": {"bodies.nobody.held": true}}})").find("nobody"),
              std::string::npos);
}
