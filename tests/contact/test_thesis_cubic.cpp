// SPDX-License-Identifier: MIT
#include <pliant/contact/thesis_cubic.h>

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include <contact/exact_ccd.h>

namespace pliant {
namespace {

TEST(ThesisCubic, HasTheRootOfGraph22)
{
    const ThesisCubic p{0, 1.034e-5F, -1.24e-4F, 7.84e-6F};
    EXPECT_NEAR(p(0), 7.84e-6F, 1e-9F);
    EXPECT_NEAR(p(0.1F), -4.46e-6F, 1e-8F);
    const ThesisRoot root = thesis_first_root(p, 0.1F);
    ASSERT_EQ(root.outcome, ThesisOutcome::root);
    EXPECT_NEAR(root.t, 0.06356F, 5e-6F);
}

TEST(ThesisCubic, HasNoRootInGraph23UntilTheStepIsLonger)
{
    const ThesisCubic p{0, -3.27e-3F, 1e-4F, 3.98e-6F};
    EXPECT_NEAR(p(0.05F), 8.05e-7F, 1e-9F);
    EXPECT_EQ(thesis_first_root(p, 0.05F).outcome, ThesisOutcome::none);
    const ThesisRoot root = thesis_first_root(p, 0.06F);
    ASSERT_EQ(root.outcome, ThesisOutcome::root);
    EXPECT_NEAR(root.t, 0.05338F, 5e-6F);
}

TEST(ThesisCubic, CutsTheStepAtItsExtrema)
{
    const ThesisCubic p{1, -1.8F, 1.01F, -0.168F};  // (t - 0.3)(t - 0.7)(t - 0.8)
    const ThesisRoot root = thesis_first_root(p, 1);
    ASSERT_EQ(root.outcome, ThesisOutcome::root);
    EXPECT_NEAR(root.t, 0.3F, 1e-5F);
    // Without the cubic term there is no cut (W-11): both roots lie between ends of one sign.
    EXPECT_EQ(thesis_first_root({0, 1, -1, 0.1875F}, 1).outcome, ThesisOutcome::none);
}

PairPath falling_vertex(double x, double end)
{
    return {{{{x, 0.25, 0.5}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}}}, {{{x, 0.25, end}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}}}};
}

TEST(ThesisImpact, SeesAVertexThatFallsOnAFaceAndEdgesThatCross)
{
    EXPECT_NEAR(thesis_time_of_impact(PairKind::vertex_face, falling_vertex(0.25, -0.5)).value(), 0.5, 1e-5);
    EXPECT_FALSE(thesis_time_of_impact(PairKind::vertex_face, falling_vertex(0.8, -0.5)));
    const PairPath edges{{{{-1, 0, 1}, {1, 0, 1}, {0, -1, 0}, {0, 1, 0}}},
                         {{{-1, 0, -3}, {1, 0, -3}, {0, -1, 0}, {0, 1, 0}}}};
    EXPECT_NEAR(thesis_time_of_impact(PairKind::edge_edge, edges).value(), 0.25, 1e-5);
    // The time of the thesis runs over a step of any length.
    const ThesisRoot root = thesis_first_root(thesis_cubic(PairKind::edge_edge, edges, 0.01F), 0.01F);
    EXPECT_NEAR(root.t, 0.0025F, 1e-7F);
}

TEST(ThesisImpact, MissesATouchAtTheEndOfTheStep)
{
    EXPECT_FALSE(thesis_time_of_impact(PairKind::vertex_face, falling_vertex(0.25, 0)));  // W-11
    EXPECT_TRUE(time_of_impact(PairKind::vertex_face, falling_vertex(0.25, 0), 0));
}

TEST(ThesisImpact, MissesMeetingsThatExactArithmeticAndAdvancementFind)
{
    std::mt19937_64 random(3);
    std::uniform_int_distribution<std::int64_t> place(-64, 64);
    int meetings = 0, missed = 0;
    for (int sample = 0; sample < 4000; ++sample) {
        const PairKind kind = sample % 2 == 0 ? PairKind::vertex_face : PairKind::edge_edge;
        exact::GridPath grid;
        PairPath path;
        for (std::size_t i = 0; i < 4; ++i) {
            for (int k = 0; k < 3; ++k) {
                const auto c = static_cast<std::size_t>(k);
                grid.x0[i][c] = place(random), grid.x1[i][c] = place(random);
                path.x0[i][k] = static_cast<double>(grid.x0[i][c]), path.x1[i][k] = static_cast<double>(grid.x1[i][c]);
            }
        }
        if (exact::meetings(kind, grid).empty()) continue;
        ++meetings;
        missed += thesis_time_of_impact(kind, path) ? 0 : 1;
        EXPECT_TRUE(time_of_impact(kind, path, 0)) << sample;
    }
    EXPECT_GT(meetings, 300);
    EXPECT_GT(missed, 10);  // W-09, W-10: the first root is elsewhere in the plane
    EXPECT_LT(missed, meetings / 2);
}

}  // namespace
}  // namespace pliant
