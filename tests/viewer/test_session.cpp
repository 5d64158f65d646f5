// SPDX-License-Identifier: MIT

// Sessions: a simulation in its own thread that can be watched, touched, rewound and kept.

#include "viewer/session.h"

#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <functional>
#include <thread>

#include <pliant/base/error.h>
#include <pliant/record/replay.h>
#include <pliant/scene/scene_json.h>
#include <pliant/world/build.h>

namespace pliant::viewer {
namespace {

constexpr std::string_view kSheet = R"({
    "world": { "gravity": [0, -10, 0], "frame_rate": 20 }, "solver": { "kind": "implicit_euler", "step": 0.05 },
    "bodies": { "sheet": { "kind": "cloth", "mesh": { "grid": [6, 6], "size": [0.6, 0.6] },
        "cloth": { "density": 0.5, "stretch": 400, "bend": 1e-4 }, "pins": [{ "select": [0] }] } } })";

// A step so long that the solver gives up: two steps of a stiff explicit chain.
constexpr std::string_view kBreaks = R"({
    "world": { "gravity": [0, -10, 0], "frame_rate": 20 }, "solver": { "kind": "euler", "step": 0.05, "substeps": 1 },
    "bodies": { "chain": { "kind": "springs", "mesh": { "chain": 5, "to": [1, 0, 0] }, "mass": 1e-3,
        "springs": { "k_s": 1e6 }, "pins": [{ "select": "start" }] } } })";

Scene scene_of(std::string_view text)
{
    SceneRead read = parse_scene(text, "test.json");
    for (const Problem& problem : read.problems) ADD_FAILURE() << to_string(problem);
    return read.scene;
}

bool comes_true(const std::function<bool()>& condition)
{
    for (int i = 0; i < 6000; ++i) {
        if (condition()) return true;
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    return false;
}

std::int64_t frame_of(const Session& session)
{
    return session.shown().frame->index;
}

void step_to_frame(Session& session, std::int64_t frame)
{
    while (frame_of(session) < frame) {
        const std::int64_t before = frame_of(session);
        session.step_once();
        ASSERT_TRUE(comes_true([&] { return frame_of(session) > before; }));
    }
}

TEST(Session, BeginsPausedAndPlaysUntilItIsPaused)
{
    Session session(scene_of(kSheet));
    EXPECT_EQ(frame_of(session), 0);
    EXPECT_FALSE(session.status().is_playing);
    session.set_speed(20);
    session.play();
    EXPECT_TRUE(comes_true([&] { return frame_of(session) >= 5; }));
    session.pause();
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    const std::int64_t there = frame_of(session);
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    EXPECT_EQ(frame_of(session), there);
    EXPECT_NEAR(session.shown().frame->time, static_cast<double>(there) / 20, 1e-12);
}

TEST(Session, StepsOneFrameAtATime)
{
    Session session(scene_of(kSheet));
    step_to_frame(session, 3);
    EXPECT_EQ(frame_of(session), 3);
    EXPECT_EQ(session.status().last_frame, 3);
    EXPECT_EQ(session.frame_near(2)->index, 2);
}

TEST(Session, AParameterThatIsChangedShowsAtOnceAndChangesTheRun)
{
    Session session(scene_of(kSheet)), other(scene_of(kSheet));
    const std::int32_t gravity = find_live_path(session.model(), "world.gravity");
    session.post(LiveChange{gravity, to_live(Vec3{0, 3, 0})});
    ASSERT_TRUE(comes_true([&] { return session.shown().live[gravity] == to_live(Vec3{0, 3, 0}); }));
    EXPECT_EQ(frame_of(session), 0);
    step_to_frame(session, 5);
    step_to_frame(other, 5);
    EXPECT_GT(session.shown().frame->x[35].y, other.shown().frame->x[35].y + 0.1);
}

TEST(Session, ResettingKeepsParametersOrRestoresThem)
{
    Session session(scene_of(kSheet));
    const std::int32_t friction = find_live_path(session.model(), "bodies.sheet.friction");
    const LiveValue before = session.shown().live[friction];
    session.post(LiveChange{friction, to_live(0.77)});
    step_to_frame(session, 2);
    session.reset(true);
    ASSERT_TRUE(comes_true([&] { return frame_of(session) == 0; }));
    EXPECT_EQ(session.shown().live[friction], to_live(0.77));
    EXPECT_EQ(session.status().action_count, 1);
    step_to_frame(session, 2);
    session.reset(false);
    ASSERT_TRUE(comes_true([&] { return frame_of(session) == 0; }));
    EXPECT_EQ(session.shown().live[friction], before);
    EXPECT_EQ(session.status().action_count, 0);
}

TEST(Session, GoesOnFromThePastWithTheSameBits)
{
    Session session(scene_of(kSheet));
    step_to_frame(session, 4);
    session.post(make_pull(session.model(), 0, {35}));
    session.post(HandAction{.deed = HandDeed::move, .vector = {0, 0.3, 0.1}});
    step_to_frame(session, 27);
    const std::uint64_t there = session.shown().frame->hash;
    // Before the action, between two kept states, and at a kept one: the way back does all again.
    for (const std::int64_t frame : {25, 20, 11, 5}) {
        session.rewind_to(frame);
        ASSERT_TRUE(comes_true([&] { return frame_of(session) == frame; })) << frame;
        EXPECT_EQ(session.status().last_frame, frame);
        EXPECT_EQ(session.status().action_count, 2) << frame;
        step_to_frame(session, 27);
        EXPECT_EQ(session.shown().frame->hash, there) << frame;
    }
    session.rewind_to(4);  // the actions were done after frame 4: forgotten
    ASSERT_TRUE(comes_true([&] { return frame_of(session) == 4; }));
    EXPECT_EQ(session.status().action_count, 0);
}

TEST(Session, WhatWasTouchedReplaysFromItsTakeToTheLastBit)
{
    const std::string path = (std::filesystem::temp_directory_path() / "pliant_session.plrec").string();
    const Scene scene = scene_of(kSheet);
    {
        Session session(scene);
        step_to_frame(session, 3);
        session.post(make_pull(session.model(), 0, {35, 34}));
        for (int k = 1; k <= 8; ++k) {
            session.post(HandAction{.deed = HandDeed::move, .vector = {0.01 * k, 1.0 / 30 * k, 0}});
            step_to_frame(session, 3 + k);
        }
        session.post(HandAction{.deed = HandDeed::release});
        session.post(HandAction{.deed = HandDeed::hold, .hand = 7, .points = {30}});
        step_to_frame(session, 16);
        session.save_take(path, true);
    }
    World world = build(scene);
    const Recording take = Recording::open(path);
    EXPECT_EQ(take.frame_count(), 17);
    const ReplayReport report = replay(world, scene, take);
    EXPECT_EQ(report.actions, 11);
    EXPECT_FALSE(report.first_difference.has_value()) << *report.first_difference;
    std::filesystem::remove(path);
}

TEST(Session, AStepThatFailsIsSaidInWordsAndCanBeTakenBack)
{
    Session session(scene_of(kBreaks));
    session.set_speed(100);
    session.play();
    ASSERT_TRUE(comes_true([&] { return session.status().has_failed; }));
    const SessionStatus status = session.status();
    EXPECT_FALSE(status.is_playing);
    EXPECT_NE(status.message.find("chain"), std::string::npos) << status.message;
    session.rewind_to(0);
    ASSERT_TRUE(comes_true([&] { return !session.status().has_failed; }));
    EXPECT_EQ(frame_of(session), 0);
}

TEST(Session, AnActionThatCannotBeDoneIsRefusedInWords)
{
    Session session(scene_of(kSheet));
    session.post(HandAction{.deed = HandDeed::hold, .points = {1000}});
    ASSERT_TRUE(comes_true([&] { return !session.status().message.empty(); }));
    EXPECT_NE(session.status().message.find("no point 1000"), std::string::npos);
    EXPECT_EQ(session.status().action_count, 0);
    step_to_frame(session, 1);
}

TEST(Session, AWrongSceneIsAnErrorWithItsProblems)
{
    EXPECT_THROW(
        Session(scene_of(
            R"({ "bodies": { "a": { "kind": "cloth", "mesh": { "file": "no_such.obj" }, "cloth": { "fabric": "cotton" } } } })")),
        Error);
}

}  // namespace
}  // namespace pliant::viewer
