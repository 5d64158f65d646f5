// SPDX-License-Identifier: MIT
#include <pliant/contact/triangle_trees.h>

#include <gtest/gtest.h>

#include <limits>
#include <map>

#include <pliant/base/parallel.h>

#include "base/counted_new.h"
#include "contact/moving_surfaces.h"

namespace pliant {
namespace {

using test::MovingSurfaces;

// n vertices in a zigzag, n - 2 triangles, as in section 3.5 of seeds/001.
MovingSurfaces strip(int n)
{
    TriMesh mesh;
    for (int i = 0; i < n; ++i) mesh.vertices.push_back({0.5 * i, 0, i % 2 == 0 ? 0.0 : 1.0});
    for (int i = 0; i + 2 < n; ++i) mesh.triangles.push_back({i, i + 1, i + 2});
    MovingSurfaces scene{.name = "strip"};
    scene.add(mesh, 0, 0.05);
    return scene;
}

TEST(TriangleTrees, FindWhatEveryPairGivesWhateverTheMotion)
{
    for (const MovingSurfaces& scene : test::all_scenes()) {
        SCOPED_TRACE(scene.name);
        const CollisionSurface surface = scene.surface();
        TriangleTrees trees(surface, scene.x0);
        std::vector<SurfacePair> pairs;
        const SearchCounters counters = trees.find(pairs, scene.search());
        test::check_search(pairs, counters, surface, scene.search());
        // Cut elsewhere, found the same.
        TriangleTrees other(surface, scene.x1);
        std::vector<SurfacePair> again;
        other.find(again, scene.search());
        EXPECT_EQ(test::sorted_keys(pairs), test::sorted_keys(again));
    }
}

// E-01. The thesis' numbers are over unique elements: (n-2)(n-3) vertex-face pairs are all whose vertex is no corner of
// the face; its 2(n-2)(n-3) edge pairs are all that are not of one triangle, (2n-3)(n-2) - 3(n-2), among them pairs that
// share a vertex and therefore always touch. Ours leave those out: 2 n^2 - 13 n + 22.
TEST(TriangleTrees, TestFarFewerBoxesThanBruteForceOnAStrip)
{
    const std::map<int, std::array<std::int64_t, 2>> thesis{
        {4, {2, 4}}, {10, {56, 112}}, {20, {306, 612}}, {50, {2256, 4512}}};
    for (const auto& [n, counts] : thesis) {
        const MovingSurfaces scene = strip(n);
        const CollisionSurface surface = scene.surface();
        const std::int64_t edges = 2 * n - 3, faces = n - 2;
        ASSERT_EQ(static_cast<std::int64_t>(surface.edges.size()), edges);
        EXPECT_EQ(faces * (n - 3), counts[0]);
        EXPECT_EQ(edges * faces - 3 * faces, counts[1]);
        std::vector<SurfacePair> pairs;
        const SearchCounters brute = find_by_brute_force(pairs, surface, scene.search());
        EXPECT_EQ(brute.box_tests, counts[0] + 2 * n * n - 13 * n + 22);
        TriangleTrees trees(surface, scene.x0);
        const SearchCounters counters = trees.find(pairs, scene.search());
        test::check_search(pairs, counters, surface, scene.search(), true);
        EXPECT_LT(counters.box_tests, n == 50 ? brute.box_tests / 10 : brute.box_tests);
    }
}

bool holds(const TreeBox& outer, const TreeBox& inner)
{
    bool is_inside = true;
    for (int k = 0; k < 3; ++k)
        is_inside = is_inside && outer.lowest[k] <= inner.lowest[k] && outer.highest[k] >= inner.highest[k] &&
                    outer.swept_lowest[k] <= inner.swept_lowest[k] && outer.swept_highest[k] >= inner.swept_highest[k];
    return is_inside;
}

// E-04: 2 * 6 - 1 nodes on four levels.
TEST(TriangleTrees, SixTrianglesMakeElevenNodesEachInItsParent)
{
    MovingSurfaces scene = strip(8);
    for (std::size_t i = 0; i < scene.x1.size(); ++i) scene.x1[i] += Vec3{0.1 * static_cast<double>(i), -1, 0.5};
    TriangleTrees trees(scene.surface(), scene.x0);
    std::vector<SurfacePair> pairs;
    trees.find(pairs, scene.search());
    const std::vector<TreeBox> boxes = trees.boxes(0);
    ASSERT_EQ(boxes.size(), 11U);
    EXPECT_EQ(std::count_if(boxes.begin(), boxes.end(), [](const TreeBox& box) { return box.is_leaf; }), 6);
    EXPECT_TRUE(trees.boxes(1).empty());
    std::vector<TreeBox> way{boxes[0]};
    int deepest = 0;
    for (std::size_t i = 1; i < boxes.size(); ++i) {
        ASSERT_GE(boxes[i].depth, 1);
        ASSERT_LE(static_cast<std::size_t>(boxes[i].depth), way.size());
        way.resize(static_cast<std::size_t>(boxes[i].depth));
        EXPECT_FALSE(way.back().is_leaf);
        EXPECT_TRUE(holds(way.back(), boxes[i]));
        way.push_back(boxes[i]);
        deepest = std::max(deepest, boxes[i].depth);
    }
    EXPECT_EQ(deepest, 3);
    EXPECT_NEAR(boxes[0].highest.x, 3.5, 1e-6);
    EXPECT_NEAR(boxes[0].swept_highest.x, 3.5 + 0.7, 1e-5);
    EXPECT_NEAR(boxes[0].swept_lowest.y, -1, 1e-6);
}

// E-09: on a flat sheet boxes touch at corners only, so what is found lies around a common vertex, and none of it is near.
TEST(TriangleTrees, FlatSheetOffersNeighboursOnlyAndNoneOfThemIsNear)
{
    MovingSurfaces scene{.name = "flat"};
    scene.add(grid(20, 20, 1.9, 1.9, {.diagonals = GridDiagonals::alternating}), 0, 0.01);
    const CollisionSurface surface = scene.surface();
    TriangleTrees trees(surface, scene.x0);
    std::vector<SurfacePair> pairs;
    const SearchCounters counters = trees.find(pairs, scene.search());
    EXPECT_GT(pairs.size(), surface.faces.size());
    EXPECT_LT(counters.box_tests, static_cast<std::int64_t>(40 * surface.faces.size()));
    for (const SurfacePair& pair : pairs) {
        const double distance = test::pair_distance(surface, pair, scene.search(), 0);
        EXPECT_GT(distance, 0.05);
        EXPECT_LT(distance, 0.15);
    }
    std::vector<std::array<std::int32_t, 2>> faces;
    EXPECT_EQ(trees.find_face_pairs(faces, scene.search()).face_pairs, counters.face_pairs);
    EXPECT_EQ(static_cast<std::int64_t>(faces.size()), counters.face_pairs);
    for (const auto& [f, g] : faces) EXPECT_LT(f, g);
}

// E-17: the root boxes of a sheet above a table overlap, those further down do not.
TEST(TriangleTrees, BoxesOfClothAndTablePartAsTheyGetSmaller)
{
    MovingSurfaces scene{.name = "arch"};
    scene.add(grid(16, 16, 1, 1), 0, 0);
    scene.add(box({0.2, 0.2, 0.2}), 1, 0, {0, 0.3, 0});
    for (std::size_t i = 0; i < 256; ++i) scene.x0[i].y = 0.6 - 2 * scene.x0[i].x * scene.x0[i].x;
    scene.x1 = scene.x0;
    TriangleTrees trees(scene.surface(), scene.x0);
    const auto overlaps_at = [&](int depth) {
        int count = 0;
        for (const TreeBox& a : trees.boxes(0))
            for (const TreeBox& b : trees.boxes(1)) {
                bool meet = a.depth == depth && b.depth == 0;
                for (int k = 0; k < 3; ++k) meet = meet && a.lowest[k] <= b.highest[k] && b.lowest[k] <= a.highest[k];
                count += meet ? 1 : 0;
            }
        return count;
    };
    EXPECT_EQ(overlaps_at(0), 1);
    EXPECT_EQ(overlaps_at(6), 0);
}

TEST(TriangleTrees, SheetThatFallsAsAWholeCostsNoMoreThanAtRest)
{
    MovingSurfaces scene = test::hilly_sheet(40);
    const CollisionSurface surface = scene.surface();
    TriangleTrees trees(surface, scene.x0);
    std::vector<SurfacePair> at_rest, falling;
    const SearchCounters rest = trees.find(at_rest, scene.search());
    for (Vec3& p : scene.x1) p += Vec3{0.25, -1, 0.5};
    const SearchCounters fall = trees.find(falling, scene.search());
    EXPECT_LT(static_cast<double>(fall.box_tests), 1.01 * static_cast<double>(rest.box_tests));
    EXPECT_LT(static_cast<double>(falling.size()), 1.01 * static_cast<double>(at_rest.size()));
}

TEST(TriangleTrees, SamePairsInTheSameOrderOnAnyNumberOfThreads)
{
    MovingSurfaces scene = test::hilly_sheet(80);
    scene.add(icosphere(0.2, 3), 1, 0.001);
    const CollisionSurface surface = scene.surface();
    std::vector<SurfacePair> first;
    for (const int threads : {1, 2, 3}) {
        set_thread_count(threads);
        TriangleTrees trees(surface, scene.x0);
        std::vector<SurfacePair> pairs;
        trees.find(pairs, scene.search());
        if (threads == 1) first = pairs;
        EXPECT_FALSE(pairs.empty());
        EXPECT_TRUE(pairs == first) << threads << " threads";
    }
    set_thread_count(0);
}

TEST(TriangleTrees, AreCutAnewWhenTheyHaveGrownWideAndShowNothingOfIt)
{
    test::Patches patches(12);
    MovingSurfaces& scene = patches.scene;
    const CollisionSurface surface = scene.surface();
    TriangleTrees trees(surface, scene.x0);
    std::vector<SurfacePair> pairs, fresh;
    trees.find(pairs, scene.search());
    EXPECT_EQ(trees.rebuild_count(), 0);
    scene.x0 = scene.x1 = patches.shuffled;
    for (int time = 0; time < 3; ++time) {
        const SearchCounters counters = trees.find(pairs, scene.search());
        EXPECT_EQ(trees.rebuild_count(), 1);
        test::check_search(pairs, counters, surface, scene.search());
    }
    TriangleTrees(surface, scene.x0).find(fresh, scene.search());
    EXPECT_EQ(test::sorted_keys(pairs), test::sorted_keys(fresh));
}

TEST(TriangleTrees, CostGrowsWithTheNumberOfFaces)
{
    const auto tests_per_face = [](int n) {
        const MovingSurfaces scene = test::hilly_sheet(n);
        const CollisionSurface surface = scene.surface();
        std::vector<SurfacePair> pairs;
        const SearchCounters counters = TriangleTrees(surface, scene.x0).find(pairs, scene.search());
        return static_cast<double>(counters.box_tests) / static_cast<double>(surface.faces.size());
    };
    const double few = tests_per_face(23), many = tests_per_face(160);
    EXPECT_LT(many, 1.5 * few);
    EXPECT_LT(many, 40);
}

TEST(TriangleTrees, AllocateNothingOnceTheyHaveSeenAsMuch)
{
    test::Patches patches(30);
    MovingSurfaces& scene = patches.scene;
    const CollisionSurface surface = scene.surface();
    const std::vector<Vec3> start = scene.x0;
    TriangleTrees trees(surface, start);
    std::vector<SurfacePair> pairs;
    const auto cycle = [&] {
        for (const bool is_shuffled : {false, true}) {
            scene.x0 = scene.x1 = is_shuffled ? patches.shuffled : start;
            trees.find(pairs, scene.search());
        }
    };
    cycle();
    cycle();
    EXPECT_EQ(trees.rebuild_count(), 3);
    const long before = allocation_count();
    cycle();
    EXPECT_EQ(allocation_count(), before);
    EXPECT_EQ(trees.rebuild_count(), 5);
}

TEST(TriangleTrees, SurviveWhatIsNotFiniteAndNoFacesAtAll)
{
    MovingSurfaces scene = test::hilly_sheet(12);
    const CollisionSurface surface = scene.surface();
    scene.x1[7].y = std::numeric_limits<double>::quiet_NaN();
    scene.x0[90] = scene.x1[90] = {std::numeric_limits<double>::infinity(), 0, 1e300};
    TriangleTrees trees(surface, scene.x0);
    std::vector<SurfacePair> pairs;
    trees.find(pairs, scene.search());
    EXPECT_GT(pairs.size(), surface.faces.size());
    const CollisionSurface empty = collision_surface({}, {}, {}, 0);
    EXPECT_EQ(TriangleTrees(empty, {}).find(pairs, {}).pairs, 0);
    EXPECT_TRUE(pairs.empty());
}

}  // namespace
}  // namespace pliant
