// SPDX-License-Identifier: MIT
#include <pliant/contact/triangle_octree.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include <pliant/base/error.h>
#include <pliant/contact/segment_triangle.h>
#include <pliant/mesh/shapes.h>

#include "base/counted_new.h"

namespace pliant {
namespace {

Vec3 random_in_cube(std::mt19937& random, double half)
{
    std::uniform_real_distribution<double> coordinate(-half, half);
    return {coordinate(random), coordinate(random), coordinate(random)};
}

TriMesh moved(TriMesh mesh, const Vec3& by)
{
    for (Vec3& vertex : mesh.vertices) vertex += by;
    return mesh;
}

TriMesh shape(int which)
{
    if (which == 0) return torus(1, 0.4, 60, 30);
    if (which == 1) return moved(icosphere(1, 3), {1e6, -2e6, 3e6});  // far away
    if (which == 2) return grid(20, 20, 2, 2);                        // flat: no height at all
    return box({2, 0.1, 2});                                          // few and large
}

std::vector<std::int32_t> met_by(const TriMesh& mesh, const Vec3& a, const Vec3& b)
{
    const SegmentTriangleTest test(a, b);
    std::vector<std::int32_t> met;
    for (std::size_t i = 0; i < mesh.triangles.size(); ++i) {
        const auto corner = [&](std::size_t c) {
            return mesh.vertices[static_cast<std::size_t>(mesh.triangles[i][c])];
        };
        if (test.meets({corner(0), corner(1), corner(2)}) >= 0) met.push_back(static_cast<std::int32_t>(i));
    }
    return met;
}

class TriangleOctreeTest : public testing::TestWithParam<OctreeOptions> {};

TEST_P(TriangleOctreeTest, MissesNoTriangle)
{
    std::vector<std::int32_t> candidates;
    for (int which = 0; which < 4; ++which) {
        const TriMesh mesh = shape(which);
        const TriangleOctree tree(mesh.vertices, mesh.triangles, GetParam());
        std::mt19937 random(7);
        std::size_t met_count = 0;
        for (int i = 0; i < 2000; ++i) {
            const Vec3 a = tree.root_box().middle + random_in_cube(random, 1.5);
            // Long and short ones, and ways to a corner, where several boxes meet.
            Vec3 b = a + random_in_cube(random, i % 2 == 0 ? 2 : 0.2);
            if (i % 5 == 0) b = mesh.vertices[static_cast<std::size_t>(i) % mesh.vertices.size()];
            tree.candidates(a, b, candidates);
            ASSERT_TRUE(std::is_sorted(candidates.begin(), candidates.end(), std::less_equal<>()));  // each once
            const std::vector<std::int32_t> met = met_by(mesh, a, b);
            met_count += met.size();
            ASSERT_TRUE(std::includes(candidates.begin(), candidates.end(), met.begin(), met.end()))
                << "shape " << which << ", segment " << i;
        }
        EXPECT_GT(met_count, 400U);
    }
}

constexpr auto kOnce = OctreeStorage::containing_node;
INSTANTIATE_TEST_SUITE_P(All, TriangleOctreeTest,
                         testing::Values(OctreeOptions{}, OctreeOptions{.height = 1}, OctreeOptions{.height = 4},
                                         OctreeOptions{.height = 8, .storage = kOnce},
                                         OctreeOptions{.height = 8, .leaf_capacity = 10},
                                         OctreeOptions{.height = 6, .storage = kOnce, .leaf_capacity = 3},
                                         OctreeOptions{.height = 10}));

TEST(TriangleOctree, RejectsAtTheRoot)
{
    const TriMesh mesh = icosphere(1, 2);
    const TriangleOctree tree(mesh.vertices, mesh.triangles);
    std::vector<std::int32_t> candidates{1, 2, 3};
    EXPECT_EQ(tree.candidates({2, 0, 0}, {2, 1, 0}, candidates), 1);
    EXPECT_TRUE(candidates.empty());
    // Inside the hollow sphere the boxes of large nodes are met, but no leaf.
    EXPECT_GT(tree.candidates({0, 0, 0}, {0.1, 0, 0}, candidates), 1);
    EXPECT_TRUE(candidates.empty());
}

TEST(TriangleOctree, RootIsTheBoxAroundAllWithItsOwnSizes)
{
    const TriMesh mesh = moved(box({2, 4, 8}), {10, 20, 30});
    const AlignedBox root = TriangleOctree(mesh.vertices, mesh.triangles).root_box();
    EXPECT_LT(norm(root.middle - Vec3{10, 20, 30}), 1e-12);
    for (int k = 0; k < 3; ++k) {
        EXPECT_GT(root.half[k], std::ldexp(1, k));
        EXPECT_LT(root.half[k], std::ldexp(1, k) * (1 + 1e-7));
    }
}

// Flat on an axis, or without any size: halving must not make leaves that all hold the same.
TEST(TriangleOctree, StaysSmallOverFlatMeshes)
{
    const TriMesh flat = grid(2, 2, 1, 1);
    const TriangleOctree tree(flat.vertices, flat.triangles);
    EXPECT_EQ(tree.options().height, 8);
    EXPECT_LE(tree.leaf_count(), 2U * 130 * 130);  // 128 x 128 cells on both sides of the middle
    const std::vector<Vec3> point{{1, 2, 3}};
    const std::vector<Triangle> triangle{{0, 0, 0}};
    const TriangleOctree dot(point, triangle);
    EXPECT_EQ(dot.options().height, 1);
    EXPECT_EQ(dot.node_count(), 1U);
    const TriMesh far = moved(icosphere(1e-9, 1), {1e3, 0, 0});  // hardly larger than the spacing of numbers
    EXPECT_LT(TriangleOctree(far.vertices, far.triangles).node_count(), 100000U);
}

TEST(TriangleOctree, HasNodesOnlyWhereThereAreTriangles)
{
    const TriMesh mesh = icosphere(1, 4);
    const TriangleOctree tree(mesh.vertices, mesh.triangles);
    EXPECT_LT(tree.node_count(), 120000U);  // a full tree of this height has 2 396 745
    EXPECT_GT(tree.leaf_count(), 20000U);
    EXPECT_LT(tree.leaf_count(), tree.node_count());
    EXPECT_GT(tree.entry_count(), mesh.triangles.size());
    EXPECT_LT(tree.memory_bytes(), std::size_t{8} << 20U);
    EXPECT_GE(tree.memory_bytes(), tree.entry_count() * 4 + tree.node_count() * 13);
    const TriangleOctree coarse(mesh.vertices, mesh.triangles, {.height = 8, .leaf_capacity = 8});
    EXPECT_LT(coarse.node_count(), tree.node_count() / 4);
    const TriangleOctree root_alone(mesh.vertices, mesh.triangles, {.height = 1});
    EXPECT_EQ(root_alone.node_count(), 1U);
    EXPECT_EQ(root_alone.leaf_count(), 1U);
    EXPECT_EQ(root_alone.entry_count(), mesh.triangles.size());
}

// The triangle x + y + z = 1 in the unit cube: it crosses the lowest octant and the three beside it, touches the next
// three in their lowest corner and misses the last.
TEST(TriangleOctree, PutsATriangleIntoEveryLeafItTouches)
{
    const std::vector<Vec3> vertices{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, 0, 0}, {1, 1, 1}};
    const std::vector<Triangle> diagonal{{0, 1, 2}};
    const TriangleOctree tree(vertices, diagonal, {.height = 2});
    EXPECT_EQ(tree.leaf_count(), 7U);
    EXPECT_EQ(tree.entry_count(), 7U);
    EXPECT_EQ(TriangleOctree(vertices, diagonal, {.height = 2, .storage = kOnce}).entry_count(), 1U);
}

//
TEST(TriangleOctree, StoringOnceTakesLessMemoryAndMoreChecks)
{
    const TriMesh mesh = torus(1, 0.4, 110, 44);
    ASSERT_EQ(mesh.triangles.size(), 9680U);
    const TriangleOctree leaves(mesh.vertices, mesh.triangles);
    const TriangleOctree once(mesh.vertices, mesh.triangles, {.storage = kOnce});
    EXPECT_EQ(once.entry_count(), mesh.triangles.size());
    EXPECT_LT(once.memory_bytes(), leaves.memory_bytes() / 4);
    std::mt19937 random(3);
    std::size_t checks_leaves = 0, checks_once = 0;
    std::vector<std::int32_t> candidates;
    for (int i = 0; i < 3000; ++i) {
        const Vec3 a = random_in_cube(random, 1.2), b = a + random_in_cube(random, 0.02);
        leaves.candidates(a, b, candidates);
        checks_leaves += candidates.size();
        once.candidates(a, b, candidates);
        checks_once += candidates.size();
    }
    EXPECT_GT(checks_leaves, 100U);
    EXPECT_GT(checks_once, 20 * checks_leaves);
}

TEST(TriangleOctree, AllocatesNothingOnceItHasSeenAsMuch)
{
    const TriMesh mesh = torus(1, 0.4, 60, 30);
    const TriangleOctree tree(mesh.vertices, mesh.triangles);
    std::vector<std::int32_t> candidates;
    const auto search = [&] {
        for (int i = 0; i < 100; ++i) tree.candidates({-2, 0.01 * i, 0.1}, {2, 0.2, 0.01 * i}, candidates);
    };
    search();
    const long before = allocation_count();
    search();
    EXPECT_EQ(allocation_count(), before);
}

TEST(TriangleOctree, AcceptsNothingAndRefusesNonsense)
{
    const TriangleOctree empty({}, {});
    std::vector<std::int32_t> candidates;
    EXPECT_EQ(empty.candidates({}, {1, 1, 1}, candidates), 0);
    EXPECT_EQ(empty.node_count(), 0U);
    std::vector<Vec3> vertices{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    const std::vector<Triangle> good{{0, 1, 2}}, bad{{0, 1, 3}};
    EXPECT_THROW(TriangleOctree(vertices, bad), Error);
    EXPECT_THROW(TriangleOctree(vertices, good, {.height = 0}), Error);
    EXPECT_THROW(TriangleOctree(vertices, good, {.height = 13}), Error);
    EXPECT_THROW(TriangleOctree(vertices, good, {.leaf_capacity = -1}), Error);
    vertices[1].y = std::numeric_limits<double>::quiet_NaN();
    EXPECT_THROW(TriangleOctree(vertices, good), Error);
}

}  // namespace
}  // namespace pliant
