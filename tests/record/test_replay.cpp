// SPDX-License-Identifier: MIT

// Actions of hands and parameters, kept in a take and done again.

#include <pliant/record/replay.h>

#include <gtest/gtest.h>

#include <filesystem>

#include <pliant/base/error.h>
#include <pliant/record/actions.h>
#include <pliant/scene/scene_json.h>
#include <pliant/world/build.h>
#include <pliant/world/measures.h>
#include <pliant/world/step.h>

namespace pliant {
namespace {

constexpr std::string_view kScene = R"({
    "world": { "gravity": [0, -10, 0], "frame_rate": 30, "duration": 1 },
    "solver": { "kind": "implicit_euler", "step": 0.0333333 }, "contact": { "response": "barrier" },
    "bodies": { "sheet": { "kind": "cloth", "mesh": { "grid": [6, 6], "size": [0.6, 0.6] }, "position": [0, 0.2, 0],
        "cloth": { "density": 0.5, "stretch": 400, "bend": 1e-4 } } },
    "colliders": { "ball": { "sphere": 0.15 } },
    "inputs": [ { "time": 0.1, "set": { "world.gravity": [0, -5, 0] } } ] })";

class Replay : public testing::Test {
protected:
    void SetUp() override
    {
        // Tests run side by side, each in a process of its own.
        const std::string name = testing::UnitTest::GetInstance()->current_test_info()->name();
        path_ = (std::filesystem::temp_directory_path() / ("pliant_replay_" + name + ".plrec")).string();
        scene_ = parse_scene(kScene, "test.json").scene;
    }
    void TearDown() override { std::filesystem::remove(path_); }

    // A run in which things are done by hand; `force` [N] is one of them.
    void record(double force)
    {
        World world = build(scene_);
        RecordingWriter writer =
            RecordingWriter::create(path_, {scene_.text, "", "", world.model->id, world.model->topology}, true);
        writer.add_frame(sample(world, {}, 0));
        add_scene_inputs(writer, *world.model);
        const auto act = [&](const Action& action) {
            writer.add_input(recorded(world, action));
            perform(world, action);
        };
        for (int f = 0; f < 20; ++f) {
            if (f == 2) act(make_pull(*world.model, 0, {0, 1}));
            if (f > 2 && f < 12) act(HandAction{.deed = HandDeed::move, .vector = {0, 0.02 * f, 1.0 / 3}});
            if (f == 5) act(HandAction{.deed = HandDeed::push, .hand = 1, .points = {35}, .vector = {force, 0, 0}});
            if (f == 7) act(LiveChange{find_live_path(*world.model, "bodies.sheet.friction"), to_live(0.1 / 0.3)});
            if (f == 12) act(HandAction{.deed = HandDeed::release});
            const StepReport report = step_to(world, (f + 1) / 30.0);
            ASSERT_FALSE(report.failed());
            ++world.state.history.frame;
            writer.add_frame(sample(world, report, 1 / 30.0));
        }
        writer.finish("{}");
    }

    ReplayReport again()
    {
        World world = build(scene_);
        return replay(world, scene_, Recording::open(path_));
    }

    std::string path_;
    Scene scene_;
};

TEST_F(Replay, RepeatsEverythingThatWasDoneByHandToTheLastBit)
{
    record(0.5);
    const ReplayReport report = again();
    EXPECT_EQ(report.frames, 21);
    EXPECT_EQ(report.actions, 13);
    EXPECT_FALSE(report.first_difference.has_value());
    EXPECT_EQ(report.furthest, 0);
}

TEST_F(Replay, SaysWhereARunDiffers)
{
    record(0.5);
    // The same scene with another gravity from the start.
    scene_ = parse_scene(kScene, "test.json", {{"inputs.0.time", "0.2"}}).scene;
    const ReplayReport report = again();
    ASSERT_TRUE(report.first_difference.has_value());
    EXPECT_EQ(*report.first_difference, 3);  // at 0.1 s
    EXPECT_GT(report.furthest, 1e-3);
}

TEST_F(Replay, ATakeWhoseActionsDoNotFitIsRefused)
{
    const World world = build(scene_);
    EXPECT_THROW(action_of(world, {0, "bodies.sheet.frictions", "[1]"}), Error);
    EXPECT_THROW(action_of(world, {0, "bodies.sheet.friction", "[]"}), Error);
    EXPECT_THROW(action_of(world, {0, "bodies.sheet.friction", "[1, \"a\"]"}), Error);
    EXPECT_THROW(action_of(world, {0, "bodies.sheet.friction", "[1, 2, 3, 4]"}), Error);
    EXPECT_THROW(action_of(world, {0, "hands.0", "[1]"}), Error);
}

}  // namespace
}  // namespace pliant
