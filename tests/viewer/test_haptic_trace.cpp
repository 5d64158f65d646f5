// SPDX-License-Identifier: MIT

// Traces of a hand: read, replayed, recorded, refused.

#include "viewer/haptic_trace.h"

#include <filesystem>

#include <gtest/gtest.h>
#include <pliant/base/error.h>

#include "viewer/haptic_sample.h"

namespace pliant::viewer {
namespace {

constexpr const char* kText = "# a hand\nlabel left\nworkspace 0.2 0.1 0.05\nforce 2\n\n"
                              "0.0 0 0 0\n0.5 0.1 0 0 1  # pressed\n1.5 0.1 -0.1 0.02 3\n";

TEST(HapticTrace, IsReplayedStraightBetweenReadings)
{
    TraceDevice device(parse_trace(kText, "hand.txt"));
    EXPECT_EQ(device.label(), "left");
    EXPECT_EQ(device.workspace(), (Vec3{0.2, 0.1, 0.05}));
    EXPECT_EQ(device.greatest_force(), 2);
    EXPECT_TRUE(device.read(100).is_present);
    const HapticState moving = device.read(100.25);
    expect_near(moving.position, {0.05, 0, 0}, 1e-12);
    expect_near(moving.velocity, {0.2, 0, 0}, 1e-12);
    EXPECT_EQ(moving.buttons, 0U);
    const HapticState later = device.read(101);
    expect_near(later.position, {0.1, -0.05, 0.01}, 1e-12);
    EXPECT_EQ(later.buttons, 1U);
    EXPECT_FALSE(device.read(101.6).is_present);
}

TEST(HapticTrace, IsWrittenAsItIsRead)
{
    const HapticTrace trace = parse_trace(kText, "hand.txt");
    const std::string path = (std::filesystem::temp_directory_path() / "pliant_hand_trace.txt").string();
    save_trace(path, trace);
    const HapticTrace again = load_trace(path);
    std::filesystem::remove(path);
    EXPECT_EQ(trace_text(again), trace_text(trace));
    ASSERT_EQ(again.readings.size(), 3U);
    EXPECT_EQ(again.readings[2].position, (Vec3{0.1, -0.1, 0.02}));
    EXPECT_THROW(load_trace("/nowhere/hand.txt"), Error);
    EXPECT_THROW(save_trace("/nowhere/hand.txt", trace), Error);
}

TEST(HapticTrace, NamesEveryWrongLine)
{
    try {
        parse_trace("0 0 0 0\n0 1 1 1\nworkspace 1 0 1\nforce -1\nlabel\n1 2\n2 0 0 0 1 7\nforce 1 2\n", "bad.txt");
        FAIL();
    } catch (const Error& error) {
        std::vector<int> lines;
        for (const Problem& problem : error.problems()) {
            lines.push_back(problem.line);
            EXPECT_EQ(problem.file, "bad.txt");
            EXPECT_FALSE(problem.cure.empty());
        }
        EXPECT_EQ(lines, (std::vector<int>{2, 3, 4, 5, 6, 7, 8}));
    }
    EXPECT_THROW(parse_trace("# nothing\n", "empty.txt"), Error);
    EXPECT_THROW(parse_trace("nan 0 0 0\n", "bad.txt"), Error);
}

TEST(RecordingDevice, KeepsWhatAnyDeviceSaid)
{
    PuppetDevice puppet;
    RecordingDevice recorder(puppet, 0.01);
    for (int i = 0; i < 20; ++i) {
        puppet.state.position = {0.001 * i, 0, 0}, puppet.state.buttons = i > 5 ? 1U : 0U;
        recorder.read(7 + 1e-3 * i);
        recorder.apply({.force = {1, 2, 3}});
    }
    EXPECT_EQ(puppet.reply.force, (Vec3{1, 2, 3}));
    EXPECT_TRUE(recorder.is_full());
    const HapticTrace trace = recorder.trace();
    ASSERT_EQ(trace.readings.size(), 10U);
    EXPECT_EQ(trace.label, "puppet");
    EXPECT_EQ(trace.readings[0].time, 0);
    TraceDevice device(parse_trace(trace_text(trace), "again"));
    device.read(0);
    expect_near(device.read(0.0045).position, {0.0045, 0, 0}, 1e-9);
}

}  // namespace
}  // namespace pliant::viewer
