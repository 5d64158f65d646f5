// SPDX-License-Identifier: MIT
#include <pliant/contact/sweep_and_prune.h>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include <pliant/base/parallel.h>
#include <pliant/mesh/tet_shapes.h>
#include <pliant/mesh/tet_topology.h>

#include "base/counted_new.h"
#include "contact/bodies.h"
#include "energy/derivatives.h"

namespace pliant {
namespace {

// Two balls of 42 surface vertices.
struct Balls : test::Bodies {
    Balls()
    {
        for (std::int32_t body = 0; body < 2; ++body) add(tet_ball(1, 2), body, {2.1 * body, 0, 0});
    }
};

// What a search over all pairs of boxes finds.
std::vector<SurfacePair> all_overlapping(const CollisionSurface& surface, const SweptBoxes& boxes)
{
    std::vector<SurfacePair> found;
    const auto offer = [&](const SurfacePair& pair, const SweptBox& a, const SweptBox& b) {
        bool apart = false;
        for (int k = 0; k < 3; ++k) apart = apart || a.highest[k] < b.lowest[k] || b.highest[k] < a.lowest[k];
        if (!apart && !always_touches(surface, pair)) found.push_back(pair);
    };
    for (std::size_t v = 0; v < boxes.vertex.size(); ++v)
        for (std::size_t f = 0; f < boxes.face.size(); ++f)
            offer({PairKind::vertex_face, static_cast<int>(v), static_cast<int>(f)}, boxes.vertex[v], boxes.face[f]);
    for (std::size_t a = 0; a < boxes.edge.size(); ++a)
        for (std::size_t b = a + 1; b < boxes.edge.size(); ++b)
            offer({PairKind::edge_edge, static_cast<int>(a), static_cast<int>(b)}, boxes.edge[a], boxes.edge[b]);
    return found;
}

// Small motions, none, jumps, and places on a coarse lattice, where many ends of boxes are equal.
void move(std::vector<Vec3>& x1, std::mt19937& random, const std::vector<Vec3>& rest, int step)
{
    const Vec3 shift = test::random_vector(random, 0.05);
    const double jitter = step % 50 == 49 ? 2 : step % 3 == 0 ? 0 : 0.03;
    for (std::size_t i = 0; i < x1.size(); ++i) {
        x1[i] = (step % 20 == 0 ? rest[i] : x1[i]) + test::random_vector(random, jitter);
        if (i < x1.size() / 2) x1[i] += shift;
        if (step % 7 == 6)
            for (int k = 0; k < 3; ++k) x1[i][k] = std::round(x1[i][k] * 4) / 4;
    }
}

class SweepAndPruneTest : public testing::TestWithParam<PairStore> {};

TEST_P(SweepAndPruneTest, FindsWhatAllPairsFindsWhateverTheMotion)
{
    const Balls balls;
    const CollisionSurface surface = balls.surface();
    const PairRelevance relevance(surface, GetParam());
    SweepAndPrune sweep(surface, GetParam());
    EXPECT_EQ(sweep.store(), GetParam());
    std::mt19937 random(11);
    std::vector<Vec3> x0 = balls.x, x1 = balls.x;
    SweptBoxes boxes;
    std::vector<SurfacePair> candidates;
    std::uint64_t swaps = 0;
    for (int step = 0; step < 400; ++step) {
        move(x1, random, balls.x, step);
        if (step == 300) sweep.forget();
        const StepMotion motion{.x0 = x0, .x1 = x1, .h = 0.1, .path = PathKind::straight};
        make_swept_boxes(boxes, surface, motion, step % 2 == 0 ? 0 : 0.02);
        ASSERT_TRUE(sweep.update(boxes));
        sweep.list_candidates(candidates, relevance);
        ASSERT_EQ(candidates, all_overlapping(surface, boxes)) << "step " << step;
        EXPECT_EQ(sweep.counts().candidates, candidates.size());
        swaps += sweep.counts().swaps;
        x0 = x1;
    }
    EXPECT_GT(swaps, 100000U);
    EXPECT_GT(sweep.counts().rebuilds, 2U);    // jumps
    EXPECT_LT(sweep.counts().rebuilds, 100U);  // but not always
}

TEST_P(SweepAndPruneTest, LeavesOutMutedPairs)
{
    const Balls balls;
    const CollisionSurface surface = balls.surface();
    PairRelevance relevance(surface, GetParam());
    SweepAndPrune sweep(surface, GetParam());
    SweptBoxes boxes;
    std::vector<SurfacePair> all, rest;
    make_swept_boxes(boxes, surface, {.x0 = balls.x, .x1 = balls.x, .path = PathKind::straight}, 0.2);
    ASSERT_TRUE(sweep.update(boxes));
    sweep.list_candidates(all, relevance);
    ASSERT_GT(all.size(), 10U);
    const SurfacePair muted_pair = all.back();
    const std::int32_t muted_vertex = all.front().a;
    ASSERT_EQ(all.front().kind, PairKind::vertex_face);
    relevance.mute(muted_pair);
    relevance.mute_vertex(muted_vertex);
    sweep.list_candidates(rest, relevance);
    std::erase_if(all, [&](const SurfacePair& pair) {
        return pair == muted_pair || (pair.kind == PairKind::vertex_face && pair.a == muted_vertex);
    });
    EXPECT_EQ(rest, all);
}

TEST_P(SweepAndPruneTest, DoesNoSwapsAtRestAndRefusesNaN)
{
    const Balls balls;
    const CollisionSurface surface = balls.surface();
    const PairRelevance relevance(surface, GetParam());
    SweepAndPrune sweep(surface, GetParam());
    SweptBoxes boxes;
    std::vector<SurfacePair> before, after;
    std::vector<Vec3> x1 = balls.x;
    const auto update = [&] {
        make_swept_boxes(boxes, surface, {.x0 = balls.x, .x1 = x1, .path = PathKind::straight}, 0.2);
        return sweep.update(boxes);
    };
    ASSERT_TRUE(update());
    ASSERT_TRUE(update());
    EXPECT_EQ(sweep.counts().swaps, 0U);
    sweep.list_candidates(before, relevance);
    x1[static_cast<std::size_t>(surface.vertices[3])].y = std::numeric_limits<double>::quiet_NaN();
    EXPECT_FALSE(update());
    sweep.list_candidates(after, relevance);
    EXPECT_EQ(before, after);
    boxes.edge[0].lowest.x = boxes.edge[0].highest.x + 1;
    EXPECT_FALSE(sweep.update(boxes));
}

TEST_P(SweepAndPruneTest, AllocatesNothingOnceItHasSeenAsMuch)
{
    const Balls balls;
    const CollisionSurface surface = balls.surface();
    const PairRelevance relevance(surface, GetParam());
    SweepAndPrune sweep(surface, GetParam());
    SweptBoxes boxes;
    std::vector<SurfacePair> candidates;
    std::vector<Vec3> x0 = balls.x, x1 = balls.x;
    const auto cycle = [&] {
        for (int step = 0; step < 40; ++step) {
            for (std::size_t i = 0; i < x1.size() / 2; ++i)
                x1[i] = balls.x[i] + Vec3{0.5 * std::sin(0.05 * std::numbers::pi * step), 0, 0};
            make_swept_boxes(boxes, surface, {.x0 = x0, .x1 = x1, .path = PathKind::straight}, 0.05);
            ASSERT_TRUE(sweep.update(boxes));
            sweep.list_candidates(candidates, relevance);
            x0 = x1;
        }
    };
    cycle();
    cycle();
    const long before = allocation_count();
    cycle();
    EXPECT_EQ(allocation_count(), before);
}

INSTANTIATE_TEST_SUITE_P(Both, SweepAndPruneTest, testing::Values(PairStore::bit_tables, PairStore::hash_sets));

TEST(SweptBoxes, HoldTheWholePathOfEveryElement)
{
    const Balls balls;
    const CollisionSurface surface = balls.surface();
    std::mt19937 random(2);
    std::vector<Vec3> x1 = balls.x, v0 = balls.x, v1 = balls.x;
    for (std::size_t i = 0; i < x1.size(); ++i) {
        x1[i] += test::random_vector(random, 0.3);
        v0[i] = test::random_vector(random, 10), v1[i] = test::random_vector(random, 10);
    }
    const StepMotion motion{balls.x, v0, x1, v1, 0.1};
    SweptBoxes boxes;
    make_swept_boxes(boxes, surface, motion, 0.01);
    const auto is_held = [&](const SweptBox& box, std::int32_t node, double u) {
        const Vec3 p = point_at(motion.curve(node), u);
        for (int k = 0; k < 3; ++k)
            if (p[k] < box.lowest[k] + 0.0099 || p[k] > box.highest[k] - 0.0099) return false;
        return true;
    };
    for (const double u : {0.0, 0.1, 0.35, 0.5, 0.8, 1.0}) {
        for (std::size_t v = 0; v < surface.vertices.size(); ++v)
            ASSERT_TRUE(is_held(boxes.vertex[v], surface.vertices[v], u));
        for (std::size_t e = 0; e < surface.edges.size(); ++e)
            for (const std::int32_t node : surface.edges[e]) ASSERT_TRUE(is_held(boxes.edge[e], node, u));
        for (std::size_t f = 0; f < surface.faces.size(); ++f)
            for (const std::int32_t node : surface.faces[f]) ASSERT_TRUE(is_held(boxes.face[f], node, u));
    }
    // No wider than the Bernstein points ask for.
    const PathCurve curve = motion.curve(surface.vertices[0]);
    EXPECT_EQ(boxes.vertex[0].highest.x, std::max({curve[0].x, curve[1].x, curve[2].x, curve[3].x}) + 0.01);
}

}  // namespace
}  // namespace pliant
