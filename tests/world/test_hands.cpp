// SPDX-License-Identifier: MIT

// Hands that pull, push and hold points of a running world, under every kind of solver.

#include <pliant/world/hands.h>

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include <pliant/base/error.h>
#include <pliant/model/state.h>
#include <pliant/world/measures.h>

#include "world/small_scenes.h"

namespace pliant {
namespace {

using test::world_of;

constexpr std::string_view kBall = R"({
    "world": { "gravity": [0, 0, 0] }, "solver": { "kind": "rk4", "step": 0.001 },
    "bodies": { "ball": { "kind": "rigid", "sphere": 0.1, "mass": 2 } } })";

constexpr std::string_view kSheet = R"({
    "world": { "gravity": [0, -10, 0] }, "solver": { "kind": "SOLVER", "step": STEP, "iterations": 60 },
    "bodies": { "sheet": { "kind": "cloth", "mesh": { "grid": [7, 7], "size": [0.6, 0.6] }, "damping": 4,
        "cloth": { "density": 0.5, "stretch": 400, "bend": 1e-4 } } } })";

World sheet_with(const std::string& solver, const std::string& step)
{
    std::string text(kSheet);
    text.replace(text.find("SOLVER"), 6, solver);
    text.replace(text.find("STEP"), 4, step);
    return world_of(text);
}

double mass_of(const World& world)
{
    double mass = 0;
    for (std::int32_t i = 0; i < world.model->free_count; ++i) mass += world.model->mass[i];
    return mass;
}

double momentum_along(const World& world, const Vec3& way)
{
    double sum = 0;
    for (std::int32_t i = 0; i < world.model->free_count; ++i) sum += world.model->mass[i] * dot(world.state.v[i], way);
    return sum;
}

TEST(Hands, ThePullOfABodyFollowsItsMass)
{
    const World world = world_of(kBall);
    const HandAction pull = make_pull(*world.model, 3, {world.model->bodies[0].first_point});
    EXPECT_DOUBLE_EQ(pull.stiffness, 2 * 400);
    EXPECT_DOUBLE_EQ(pull.damping, 2 * 0.3 * 2 * 20);
    EXPECT_EQ(pull.hand, 3);
}

TEST(Hands, ARigidBodyThatIsPulledFromItsCentreLineFollowsTheHand)
{
    World world = world_of(kBall);
    const std::int32_t point = world.model->bodies[0].first_point;
    apply_hand(world, make_pull(*world.model, 0, {point}));
    const Vec3 way = world.state.x[point] * (0.3 / norm(world.state.x[point]));
    const Vec3 from = world.state.x[point];
    apply_hand(world, {.deed = HandDeed::move, .hand = 0, .vector = way});
    EXPECT_NEAR(norm(hand_force(world.state, 0)), 800 * 0.3, 1e-9);
    for (int k = 0; k < 30; ++k) ASSERT_FALSE(step(world, 0.1).failed());
    EXPECT_LT(norm(world.state.x[point] - from - way), 1e-6);
    EXPECT_LT(norm(hand_force(world.state, 0)), 1e-3);
}

TEST(Hands, AHangingSheetLagsByTheSameUnderEverySolver)
{
    // M g / k = g / w^2, whatever the mesh and the solver.
    for (const auto& [solver, step_length] : {std::pair<std::string, std::string>{"implicit_euler", "0.0166666"},
                                              {"bdf2", "0.0166666"},
                                              {"vbd", "0.0166666"},
                                              {"xpbd", "0.0166666"},
                                              {"semi_implicit_euler", "0.001"},
                                              {"rk4", "0.001"}}) {
        World world = sheet_with(solver, step_length);
        apply_hand(world, make_pull(*world.model, 0, {24}));
        const Vec3 place = world.state.x[24];
        for (int k = 0; k < 80; ++k) ASSERT_FALSE(step(world, 0.1).failed()) << solver;
        EXPECT_NEAR(place.y - world.state.x[24].y, 10.0 / 400, 10.0 / 400 * 0.02) << solver;
        EXPECT_NEAR(hand_force(world.state, 0).y, 10 * mass_of(world), 10 * mass_of(world) * 0.02) << solver;
    }
}

TEST(Hands, APushGivesItsImpulseToTheBody)
{
    for (const std::string solver : {"implicit_euler", "vbd", "xpbd", "rk4"}) {
        World world = sheet_with(solver, "0.002");
        world.state.world.gravity = {}, world.state.bodies[0].damping = 0;
        apply_hand(world, {.deed = HandDeed::push, .hand = 1, .points = {0, 8, 24}, .vector = {0.2, 0, 0.1}});
        ASSERT_FALSE(step(world, 0.5).failed()) << solver;
        EXPECT_NEAR(momentum_along(world, {1, 0, 0}), 0.1, 1e-6) << solver;
        EXPECT_NEAR(momentum_along(world, {0, 0, 1}), 0.05, 1e-6) << solver;
        EXPECT_NEAR(momentum_along(world, {0, 1, 0}), 0, 1e-6) << solver;
    }
}

TEST(Hands, WhatIsHeldStandsStillUntilItIsLetGo)
{
    World world = sheet_with("implicit_euler", "0.01");
    step(world, 0.1);
    apply_hand(world, {.deed = HandDeed::hold, .hand = 0, .points = {0, 6}});
    const Vec3 a = world.state.x[0], b = world.state.x[6];
    step(world, 0.5);
    EXPECT_EQ(world.state.x[0], a);
    EXPECT_EQ(world.state.x[6], b);
    EXPECT_LT(world.state.x[48].y, a.y - 0.2);
    apply_hand(world, {.deed = HandDeed::release, .hand = 0});
    EXPECT_TRUE(world.state.grips.empty());
    step(world, 0.2);
    EXPECT_LT(world.state.x[0].y, a.y - 0.05);
}

TEST(Hands, HandsActTogetherAndLetGoAlone)
{
    World world = sheet_with("implicit_euler", "0.01");
    apply_hand(world, {.deed = HandDeed::hold, .hand = 0, .points = {0}});
    apply_hand(world, make_pull(*world.model, 1, {6, 5}));
    apply_hand(world, {.deed = HandDeed::push, .hand = 2, .points = {6}, .vector = {0, 1, 0}});
    ASSERT_EQ(world.state.grips.size(), 4u);
    apply_hand(world, {.deed = HandDeed::release, .hand = 1});
    ASSERT_EQ(world.state.grips.size(), 2u);
    EXPECT_EQ(world.state.grips[0].hand, 0);
    EXPECT_EQ(world.state.grips[1].hand, 2);
}

TEST(Hands, TheirWorkIsBooked)
{
    World world = sheet_with("rk4", "0.0005");
    world.state.bodies[0].damping = 0;
    start_energy_account(world);
    apply_hand(world, make_pull(*world.model, 0, {24}));
    for (int k = 1; k <= 30; ++k) {
        apply_hand(world, {.deed = HandDeed::move, .hand = 0, .vector = {0, 0.01 * k, 0.005 * k}});
        ASSERT_FALSE(step(world, 1.0 / 60).failed());
    }
    const std::vector<double> values = measures(world, 0, 1.0 / 60);
    EXPECT_GT(world.state.ledger.external, 0.01);
    EXPECT_LT(std::abs(find_measure(*world.model, values, "energy.error")), 1e-3);
}

TEST(Hands, ASnapshotHasThem)
{
    World world = sheet_with("implicit_euler", "0.01"), other = sheet_with("implicit_euler", "0.01");
    apply_hand(world, make_pull(*world.model, 0, {24, 25}));
    const std::uint64_t before = hash(world.state);
    load(other.state, save(world.state, world.model->id), other.model->id);
    EXPECT_EQ(hash(other.state), before);
    step(world, 0.1), step(other, 0.1);
    EXPECT_EQ(hash(world.state), hash(other.state));
}

TEST(Hands, ActionsReadBackFromTheirText)
{
    for (const HandAction& action :
         {HandAction{.deed = HandDeed::pull, .hand = 2, .points = {3, 700}, .stiffness = 1.0 / 3, .damping = 0.1},
          HandAction{.deed = HandDeed::push, .points = {1}, .vector = {0.1, -1e-300, 7}},
          HandAction{.deed = HandDeed::hold, .hand = 12, .points = {5}},
          HandAction{.deed = HandDeed::move, .hand = 1, .vector = {1.0 / 7, 0, 2}},
          HandAction{.deed = HandDeed::release, .hand = 4}}) {
        const HandAction back = hand_action(hand_path(action.hand), to_json(action));
        EXPECT_EQ(back.deed, action.deed);
        EXPECT_EQ(back.hand, action.hand);
        EXPECT_EQ(back.points, action.points);
        EXPECT_EQ(back.vector, action.vector);
        EXPECT_EQ(back.stiffness, action.stiffness);
        EXPECT_EQ(back.damping, action.damping);
    }
}

TEST(Hands, WrongTextsAndPointsAreRefusedInWords)
{
    for (const char* text : {"", "3", "{}", R"({"pull": []})", R"({"pull": [-1]})", R"({"pull": [0.5]})",
                             R"({"pull": [1], "stiffness": -3})", R"({"push": [1]})", R"({"move": [1, 2]})"})
        EXPECT_THROW(hand_action("hands.0", text), Error) << text;
    for (const char* path : {"hands.", "hands.x", "bodies.0", "hands.1x"})
        EXPECT_THROW(hand_action(path, R"({"release": true})"), Error) << path;
    World world = world_of(R"({ "bodies": { "ball": { "kind": "rigid", "sphere": 0.1, "mass": 2 } },
                                "colliders": { "box": { "box": [1, 1, 1], "position": [0, -2, 0] } } })");
    const auto refusal = [&](const HandAction& action) -> std::string {
        try {
            apply_hand(world, action);
        } catch (const Error& error) {
            return error.what();
        }
        return "";
    };
    const std::int32_t ball = world.model->bodies[0].first_point, box = world.model->bodies[1].first_point;
    EXPECT_NE(refusal({.deed = HandDeed::pull, .points = {100000}}).find("there is no point"), std::string::npos);
    EXPECT_NE(refusal({.deed = HandDeed::pull, .points = {box}}).find("'box' is a collider"), std::string::npos);
    EXPECT_NE(refusal({.deed = HandDeed::hold, .points = {ball}}).find("bodies.ball.held"), std::string::npos);
    EXPECT_TRUE(world.state.grips.empty());
}

}  // namespace
}  // namespace pliant
