// SPDX-License-Identifier: MIT

// Whatever is held may be carried: pins, held bodies and colliders, under every solver, with the work in the books.

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include <pliant/mesh/transform.h>
#include <pliant/solver/forces.h>
#include <pliant/world/after_integration.h>

#include "world/small_scenes.h"

namespace pliant {
namespace {

constexpr double kPi = std::numbers::pi;

// Two ropes side by side make a strip; its upper end is pinned and carried up and round.
std::string strip_with(const std::string& solver, const std::string& pin)
{
    return R"({ "world": { "gravity": [0, -9.81, 0], "frame_rate": 20 },
        "solver": { "kind": ")" +
           solver + R"(", "step": 0.001, "substeps": 1, "iterations": 20 },
        "bodies": { "strip": { "kind": "springs", "mass": 0.6,
            "mesh": { "vertices": [[0, 0, 0], [0.1, 0, 0], [0, -0.1, 0], [0.1, -0.1, 0.02], [0, -0.2, 0], [0.1, -0.2, 0]],
                      "lines": [[0, 1], [0, 2], [1, 3], [2, 3], [2, 4], [3, 5], [4, 5], [0, 3], [2, 5]] },
            "springs": { "k_s": 300, "k_d": 0.05 }, "pins": [{ "name": "hand", "select": [0, 1], )" +
           pin + "}] } } }";
}

constexpr const char* kPath = R"("path": [{ "time": 0.1, "position": [0, 0.05, 0] },
    { "time": 0.3, "position": [0.1, 0.1, -0.05], "rotate_axis": [0, 1, 0], "rotate_degrees": 120 }])";

// Where the path takes a vertex of the hand at the end of its second leg.
Vec3 at_the_end(const Vec3& start)
{
    const Vec3 middle{0.05, 0, 0};
    return middle + Vec3{0.1, 0.1, -0.05} + rotation_matrix({0, 1, 0}, 2 * kPi / 3) * (start - middle);
}

class Motion : public testing::TestWithParam<const char*> {};

TEST_P(Motion, PinsFollowTheirPathExactly)
{
    World world = test::world_of(strip_with(GetParam(), kPath));
    const Vec3 first = world.state.x[0], second = world.state.x[1];
    ASSERT_FALSE(step_to(world, 0.1).failed());
    EXPECT_LT(norm(world.state.x[0] - first - Vec3{0, 0.05, 0}), 1e-14);
    ASSERT_FALSE(step_to(world, 0.2).failed());
    // Half way: fastest, and turning about the moving middle.
    const bool is_static = std::string(GetParam()) == "static";
    const Vec3 speed = Vec3{0.1, 0.05, -0.05} * (15.0 / 8 / 0.2);
    EXPECT_LT(norm((world.state.v[0] + world.state.v[1]) / 2.0 - (is_static ? Vec3{} : speed)), 1e-12);
    ASSERT_FALSE(step_to(world, 0.4).failed());
    EXPECT_LT(norm(world.state.x[0] - at_the_end(first)), 1e-13);
    EXPECT_LT(norm(world.state.x[1] - at_the_end(second)), 1e-13);
    EXPECT_EQ(world.state.v[0], Vec3{});
}

TEST_P(Motion, PinsMoveAtTheVelocityThatInputsSet)
{
    World world = test::world_of(strip_with(GetParam(), R"("motion": [0.2, 0, 0])"));
    const Vec3 first = world.state.x[0];
    ASSERT_FALSE(step_to(world, 0.1).failed());
    EXPECT_LT(norm(world.state.x[0] - first - Vec3{0.02, 0, 0}), 1e-15);
    test::set(world, "bodies.strip.pins.hand.motion", to_live(Vec3{0, -0.1, 0.3}));
    ASSERT_FALSE(step_to(world, 0.2).failed());
    EXPECT_LT(norm(world.state.x[0] - first - Vec3{0.02, -0.01, 0.03}), 1e-15);
    test::set(world, "bodies.strip.pins.hand.motion", to_live(Vec3{}));
    ASSERT_FALSE(step_to(world, 0.3).failed());
    EXPECT_LT(norm(world.state.x[0] - first - Vec3{0.02, -0.01, 0.03}), 1e-15);
}

// The rest of the body follows: what hangs on the hand is lifted with it.
TEST_P(Motion, WhatHangsOnAPinIsTakenAlong)
{
    World world = test::world_of(strip_with(GetParam(), kPath));
    const double before = world.state.x[5].y;
    ASSERT_FALSE(step_to(world, 0.6).failed());
    EXPECT_NEAR(world.state.x[5].y, before + 0.1, 0.05);
}

INSTANTIATE_TEST_SUITE_P(AllSolvers, Motion,
                         testing::Values("euler", "semi_implicit_euler", "velocity_verlet", "rk4", "thesis_listed_rk4",
                                         "finite_differences", "central_differences", "position_verlet", "heun",
                                         "midpoint", "rkf45", "implicit_euler", "trapezoidal", "implicit_midpoint",
                                         "bdf2", "static", "xpbd", "vbd", "linearly_implicit_euler", "projection"),
                         [](const auto& one) { return std::string(one.param); });

// E-18 of seed 001: one gripper, then two.
constexpr std::string_view kVelTable = R"({
    "world": { "gravity": [0, 0, -9.81], "up": "z", "frame_rate": 20, "duration": 3 },
    "solver": { "kind": "implicit_euler", "step": 0.01 },
    "bodies": { "cloth": { "kind": "cloth", "mesh": { "grid": [11, 5], "size": [0.5, 0.2], "rotate_axis": [1, 0, 0],
                                                      "rotate_degrees": 90 },
        "cloth": { "fabric": "cotton" }, "damping": 0.5, "pins": [
            { "name": "first", "select": [0] },
            { "name": "both", "select": [0, 10], "enabled": false, "motion": [-0.1, 0.1, 0] }] } },
    "inputs": [
        { "time": 1, "set": { "bodies.cloth.pins.first.motion": [0, 0, 0.1] } },
        { "time": 2, "set": { "bodies.cloth.pins.first.enabled": false } },
        { "time": 2.5, "set": { "bodies.cloth.pins.both.enabled": true } }] })";

TEST(MotionOfPins, FollowsTheVelTableOfSeed001)
{
    World world = test::world_of(kVelTable);
    const Vec3 start = world.state.x[0];
    ASSERT_FALSE(step_to(world, 1).failed());
    EXPECT_EQ(world.state.x[0], start);
    ASSERT_FALSE(step_to(world, 2).failed());
    EXPECT_LT(norm(world.state.x[0] - start - Vec3{0, 0, 0.1}), 1e-14);
    EXPECT_EQ(world.state.v[0], (Vec3{0, 0, 0.1}));  // released: it flies on from what the hand did
    ASSERT_FALSE(step_to(world, 2.5).failed());
    const Vec3 released = world.state.x[0], other = world.state.x[10];
    EXPECT_LT(released.z, start.z + 0.1 - 0.5);
    ASSERT_FALSE(step_to(world, 3).failed());
    EXPECT_LT(norm(world.state.x[0] - released - Vec3{-0.05, 0.05, 0}), 1e-14);
    EXPECT_LT(norm(world.state.x[10] - other - Vec3{-0.05, 0.05, 0}), 1e-14);
    EXPECT_EQ(world.state.v[10], (Vec3{-0.1, 0.1, 0}));
}

// A mass on a spring is lifted: the hand's work is what is stored, moving and lost, to second order in the step.
TEST(MotionOfPins, BooksTheWorkOfTheHand)
{
    const auto error_of = [](const std::string& solver, double h) {
        const World start = test::world_of(strip_with(solver, kPath), {{"solver.step", std::to_string(h)}});
        World world = start;
        EXPECT_FALSE(step_to(world, 0.5).failed());
        const double raised = energies(*world.model, world.state).total() - energies(*start.model, start.state).total();
        const Ledger& books = world.state.ledger;
        EXPECT_GT(books.external, 0.3);  // 0.6 kg by 0.1 m, at least half of it by the lower vertices
        return std::abs(raised + books.viscous - books.external - books.switched) / books.external;
    };
    for (const char* solver : {"rk4", "velocity_verlet", "trapezoidal", "implicit_midpoint", "heun"}) {
        const double coarse = error_of(solver, 0.002), fine = error_of(solver, 0.001);
        EXPECT_LT(fine, 1e-3) << solver;
        EXPECT_GT(coarse / fine, 3) << solver;
    }
    // What is missing here is what these integrators damp by themselves, to first order.
    for (const char* solver : {"implicit_euler", "vbd"})
        EXPECT_NEAR(error_of(solver, 0.001) / error_of(solver, 0.0005), 2, 0.5) << solver;
    for (const char* solver : {"semi_implicit_euler", "bdf2"}) EXPECT_LT(error_of(solver, 0.001), 0.05) << solver;
}

TEST(MotionOfPins, IsFeltByTheReaction)
{
    // A free mass pulled along by a pinned one has the acceleration of the path; here both are pinned.
    World world = test::world_of(R"({ "world": { "gravity": [0, -10, 0] }, "solver": { "kind": "rk4", "step": 0.001 },
        "bodies": { "weight": { "kind": "springs", "mesh": { "chain": 2 }, "mass": 3, "springs": { "k_s": 10 },
            "pins": [{ "name": "hand", "select": "all", "path": [{ "time": 1, "position": [0, 1, 0] }] }] } } })");
    ASSERT_FALSE(step_to(world, 0.25).failed());
    const double s = 0.25, acceleration = 60 * s - 180 * s * s + 120 * s * s * s;
    EXPECT_NEAR(test::measure(world, "hand.reaction.y"), 3 * (10 + acceleration), 1e-9);
    EXPECT_NEAR(test::measure(world, "hand.reaction.x"), 0, 1e-12);
}

TEST(MotionOfBodies, CollidersSpinAndFollowPaths)
{
    World world = test::world_of(R"({ "world": { "gravity": [0, 0, 0] },
        "bodies": { "far": { "kind": "rigid", "sphere": 0.1, "mass": 1, "position": [50, 0, 0] } },
        "colliders": {
            "wheel": { "cylinder": [0.2, 0.1], "position": [1, 0, 0], "spin": [0, 0, 7], "motion": [0, 1, 0] },
            "arm": { "box": [1, 0.1, 0.1], "rotate_axis": [0, 1, 0], "rotate_degrees": 30, "profile": "linear",
                     "path": [{ "time": 0.5, "position": [0, 0, 2] },
                              { "time": 1, "position": [0, 0, 2], "rotate_axis": [0, 0, 1], "rotate_degrees": 450 }] } } })");
    const Model& model = *world.model;
    const State start = world.state;
    ASSERT_FALSE(step_to(world, 1.25).failed());
    const std::int32_t wheel = model.frame_node(1), arm = model.frame_node(2);
    EXPECT_LT(norm(world.state.x[wheel] - Vec3{1, 1.25, 0}), 1e-12);
    const Mat3 spun = rotation_matrix({0, 0, 1}, 7 * 1.25), turned = rotation_matrix({0, 0, 1}, 2.5 * kPi);
    for (int k = 1; k < 4; ++k) {
        EXPECT_LT(norm(world.state.x[wheel + k] - spun * start.x[wheel + k]), 1e-12) << k;
        EXPECT_LT(norm(world.state.v[wheel + k] - cross(Vec3{0, 0, 7}, world.state.x[wheel + k])), 1e-12) << k;
        EXPECT_LT(norm(world.state.x[arm + k] - turned * start.x[arm + k]), 1e-12) << k;
        EXPECT_EQ(world.state.v[arm + k], Vec3{});
    }
    EXPECT_LT(norm(world.state.x[arm] - Vec3{0, 0, 2}), 1e-13);
    // Points on the wheel go round with it; nothing of what is scripted counts as energy.
    const Body& body = model.bodies[1];
    const Vec3 rim = world.state.x[body.first_point], speed = world.state.v[body.first_point];
    EXPECT_LT(norm(speed - Vec3{0, 1, 0} - cross(Vec3{0, 0, 7}, rim - world.state.x[wheel])), 1e-11);
    EXPECT_NEAR(energies(model, world.state).kinetic, 0, 1e-15);
    EXPECT_NEAR(world.state.ledger.external, 0, 1e-12);
}

TEST(MotionOfBodies, HeldBodiesAreCarriedAndThenFlyOn)
{
    World world = test::world_of(R"({ "world": { "gravity": [0, -10, 0] }, "solver": { "kind": "rk4", "step": 0.005 },
        "bodies": {
            "rod": { "kind": "rigid", "capsule": [0.05, 0.4], "mass": 2, "held": true, "spin": [0, 0, 4],
                     "motion": [1, 2, 0] },
            "ball": { "kind": "solid", "mesh": { "tet_ball": 2, "radius": 0.1 }, "position": [3, 0, 0], "held": true,
                      "material": { "young": 1e5, "density": 1000 }, "elements": "linear", "spin": [0, 3, 0],
                      "mass_kind": "consistent", "path": [{ "time": 0.5, "position": [0, 0.25, 0] }] } } })");
    const Vec3 lowest = world.state.x[0];
    ASSERT_FALSE(step_to(world, 0.5).failed());
    const Vec3 turned = Vec3{3, 0.25, 0} + rotation_matrix({0, 1, 0}, 1.5) * (lowest - Vec3{3, 0, 0});
    EXPECT_LT(norm(world.state.x[0] - turned), 1e-12);
    // Both were lifted, and began to turn at once: that is all the work there was.
    const double mass = test::measure(world, "energy.external") - 2 * 10 * 1;
    double weight = 0;
    for (std::int32_t i = 0; i < world.model->free_count; ++i) weight += 10 * world.model->mass[i];
    EXPECT_NEAR(mass, 0.25 * weight, 1e-6 * weight);
    EXPECT_LT(test::measure(world, "energy.error"), 1e-6);
    const std::int32_t rod = world.model->frame_node(0);
    test::set(world, "bodies.rod.held", to_live(false));
    const Vec3 from = world.state.x[rod], v = world.state.v[rod];
    EXPECT_EQ(v, (Vec3{1, 2, 0}));
    ASSERT_FALSE(step_to(world, 0.7).failed());
    EXPECT_LT(norm(world.state.x[rod] - from - v * 0.2 - Vec3{0, -10, 0} * 0.02), 1e-12);
    EXPECT_LT(norm(world.state.v[rod + 1] - cross(Vec3{0, 0, 4}, world.state.x[rod + 1])), 1e-9);
}

// Under the linear profile velocities jump at a keyframe: the hand gives the energy of that at once.
TEST(MotionOfBodies, BooksTheJerksOfLinearPaths)
{
    World world = test::world_of(R"({ "world": { "gravity": [0, 0, 0] }, "solver": { "kind": "rk4", "step": 0.013 },
        "bodies": { "ball": { "kind": "rigid", "sphere": 0.1, "mass": 2, "held": true, "profile": "linear",
            "path": [{ "time": 0.1, "position": [0, 0, 0] }, { "time": 0.35, "position": [0.5, 0, 0] }] } } })");
    ASSERT_FALSE(step_to(world, 0.2).failed());
    EXPECT_LT(norm(world.state.v[0] - Vec3{2, 0, 0}), 1e-15);
    EXPECT_LT(norm(world.state.x[0] - Vec3{0.2, 0, 0}), 1e-15);
    EXPECT_NEAR(world.state.ledger.external, 4, 1e-14);
    ASSERT_FALSE(step_to(world, 0.5).failed());
    EXPECT_EQ(world.state.v[0], Vec3{});
    EXPECT_LT(norm(world.state.x[0] - Vec3{0.5, 0, 0}), 1e-15);
    EXPECT_NEAR(world.state.ledger.external, 0, 1e-14);
}

TEST(MotionOfBodies, EveryKindBeginsWithTheVelocitiesItIsGiven)
{
    const std::string rest = R"(, "velocity": [1, 2, 3], "angular_velocity": [0, 0, 5])";
    for (const std::string body :
         {R"("kind": "springs", "mesh": { "icosphere": 1 }, "mass": 1)",
          R"("kind": "rigid", "box": [1, 2, 3], "mass": 1)",
          R"("kind": "rigid", "mesh": { "hare": 5, "height": 1 }, "mass": 1)",
          R"("kind": "simplex", "mesh": { "icosphere": 1, "dual": true }, "mass": 1)",
          R"("kind": "solid", "mesh": { "tet_ball": 2 }, "material": { "young": 1e5, "density": 1000 })",
          R"("kind": "cloth", "mesh": { "grid": [4, 4], "size": [1, 1] }, "cloth": { "fabric": "cotton" })"}) {
        World world = test::world_of(R"({ "bodies": { "thing": { )" + body + rest + " } } }");
        const Body& thing = world.model->bodies[0];
        const Vec3 centre = thing.is_rigid() ? world.state.x[world.model->frame_node(0)]
                                             : body_center(*world.model, thing, world.state.x);
        for (std::int32_t i = thing.first_point; i < thing.first_point + thing.point_count; ++i)
            EXPECT_LT(norm(world.state.v[i] - Vec3{1, 2, 3} - cross(Vec3{0, 0, 5}, world.state.x[i] - centre)), 1e-12)
                << body;
    }
}

// A snapshot taken on the way goes on along the path to the same bits.
TEST(MotionOfPins, GoesOnFromASnapshot)
{
    World world = test::world_of(strip_with("bdf2", kPath));
    ASSERT_FALSE(step_to(world, 0.15).failed());
    World copy = test::world_of(strip_with("bdf2", kPath));
    const auto bytes = save(world.state, world.model->id);
    load(copy.state, bytes, copy.model->id);
    ASSERT_FALSE(step_to(world, 0.35).failed());
    ASSERT_FALSE(step_to(copy, 0.35).failed());
    EXPECT_EQ(hash(world.state), hash(copy.state));
}

TEST(RigidShapes, RollAndRestOnAPlane)
{
    World world = test::world_of(R"({ "world": { "gravity": [0, -9.81, 0] }, "solver": { "kind": "rk4", "step": 0.002 },
        "bodies": { "die": { "kind": "rigid", "hull": { "box": [1, 1, 1], "size": [0.2, 0.2, 0.2] }, "mass": 1,
            "position": [0, 0.15, 0], "restitution": 0, "friction": 0.5 } },
        "colliders": { "floor": { "plane": [0, 1, 0, 0] } } })");
    ASSERT_FALSE(step_to(world, 1).failed());
    EXPECT_NEAR(world.state.x[0].y, 0.1, 1e-3);
    EXPECT_LT(norm(world.state.v[0]), 0.05);
}

// A spring k drawn along its line by one end, by backward Euler. In one line everything is quadratic, so each step loses
// exactly m |dv|^2 / 2 and k dl^2 / 2 of what the forces at its end work, and gains nothing.
TEST(MotionOfPins, BackwardEulerLosesWhatTheoryHasOfTheWorkOfItsEndForces)
{
    constexpr double kStep = 0.02, kStiffness = 40;
    World w = test::world_of(R"({ "world": { "gravity": [0, 0, 0], "frame_rate": 50 },
        "solver": { "kind": "implicit_euler", "step": 0.02, "accuracy": 1e-12 },
        "bodies": { "chain": { "kind": "springs", "mesh": { "chain": 2, "to": [1, 0, 0] }, "mass": 1,
            "springs": { "k_s": 40, "k_d": 0, "rest_length": 1 },
            "pins": [{ "select": "start", "profile": "linear", "path": [{ "time": 2, "position": [-1, 0, 0] }] }] } } })");
    double given = 0;
    for (int i = 0; i < 50; ++i) {
        const State before = w.state;
        ASSERT_FALSE(step(w, kStep).failed());
        ASSERT_EQ(w.state.step, before.step + 1);
        const CarryingWork work = carrying_work(w.state, *w.model, before, kStep, w.scratch);
        double lost = 0.5 * kStiffness * std::pow((w.state.x[1] - w.state.x[0] - before.x[1] + before.x[0]).x, 2);
        for (int k = 0; k < 2; ++k) lost += 0.5 * w.model->mass[k] * norm2(w.state.v[k] - before.v[k]);
        const double grew = energies(*w.model, w.state).total() - energies(*w.model, before).total();
        EXPECT_NEAR(grew - work.by_end_forces, -lost, 1e-7) << "step " << i;
        EXPECT_NEAR(w.state.ledger.external - before.ledger.external, work.by_mean_forces, 1e-12);
        given += work.by_mean_forces;
    }
    EXPECT_GT(given, 0.1);
}

}  // namespace
}  // namespace pliant
