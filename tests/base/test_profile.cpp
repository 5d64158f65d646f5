// SPDX-License-Identifier: MIT
#include <pliant/base/profile.h>

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <thread>

namespace pliant {
namespace {

using namespace std::chrono_literals;

TEST(Profile, has_a_name_for_every_stage)
{
    std::set<std::string> names;
    for (int i = 0; i < static_cast<int>(Stage::count); ++i) names.insert(name(static_cast<Stage>(i)));
    EXPECT_EQ(names.size(), kStageCount);
    EXPECT_STREQ(name(Stage::inputs), "inputs");
    EXPECT_STREQ(name(Stage::collide), "collide");
    EXPECT_STREQ(name(Stage::step), "step");
}

TEST(Profile, agrees_with_the_steady_clock)
{
    Profile profile;
    const auto start = std::chrono::steady_clock::now();
    {
        const StageTimer timer(profile, Stage::elements);
        std::this_thread::sleep_for(30ms);
    }
    const double outside = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    EXPECT_GE(profile[Stage::elements], 0.030 * 0.995);
    EXPECT_LE(profile[Stage::elements], outside * 1.005);
    EXPECT_EQ(profile[Stage::collide], 0);
}

TEST(Profile, lets_the_whole_step_hold_its_stages)
{
    Profile profile;
    {
        const StageTimer whole(profile, Stage::step);
        for (const Stage stage : {Stage::forces, Stage::collide}) {
            const StageTimer part(profile, stage);
            std::this_thread::sleep_for(2ms);
        }
    }
    EXPECT_GT(profile[Stage::forces], 0);
    EXPECT_GE(profile[Stage::step], profile[Stage::forces] + profile[Stage::collide]);
}

TEST(Profile, adds_up)
{
    Profile a, b;
    a[Stage::judge] = 1;
    b[Stage::judge] = 2;
    b[Stage::record] = 3;
    a += b;
    EXPECT_EQ(a[Stage::judge], 3);
    EXPECT_EQ(a[Stage::record], 3);
}

TEST(Summary, of_nothing_is_zero)
{
    const Summary summary = summarize({});
    EXPECT_EQ(summary.max, 0);
    EXPECT_EQ(summary.mean, 0);
}

TEST(Summary, of_one_number_is_that_number)
{
    const Summary summary = summarize({4});
    EXPECT_EQ(summary.min, 4);
    EXPECT_EQ(summary.q1, 4);
    EXPECT_EQ(summary.median, 4);
    EXPECT_EQ(summary.max, 4);
    EXPECT_EQ(summary.sum, 4);
}

TEST(Summary, interpolates_quartiles_like_numpy)
{
    const Summary summary = summarize({7, 1, 3, 10});
    EXPECT_DOUBLE_EQ(summary.min, 1);
    EXPECT_DOUBLE_EQ(summary.q1, 2.5);
    EXPECT_DOUBLE_EQ(summary.median, 5);
    EXPECT_DOUBLE_EQ(summary.q3, 7.75);
    EXPECT_DOUBLE_EQ(summary.max, 10);
    EXPECT_DOUBLE_EQ(summary.mean, 5.25);
    EXPECT_DOUBLE_EQ(summary.sum, 21);
}

}  // namespace
}  // namespace pliant
