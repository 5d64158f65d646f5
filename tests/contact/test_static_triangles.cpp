// SPDX-License-Identifier: MIT
#include <pliant/contact/static_triangles.h>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include <pliant/base/error.h>
#include <pliant/mesh/shapes.h>

#include "base/counted_new.h"

namespace pliant {
namespace {

Vec3 random_in_cube(std::mt19937& random, double half)
{
    std::uniform_real_distribution<double> coordinate(-half, half);
    return {coordinate(random), coordinate(random), coordinate(random)};
}

/// A model of as many faces as the thesis' bunny, and a floor of twelve.
struct ModelAndFloor {
    TriMesh model = torus(1, 0.4, 110, 44);
    TriMesh floor = box({12, 0.2, 12});

    ModelAndFloor()
    {
        for (Vec3& vertex : floor.vertices) vertex.y -= 0.6;
    }
    std::vector<StaticObject> objects() const
    {
        return {{model.vertices, model.triangles}, {floor.vertices, floor.triangles}};
    }
    StaticTriangles search_by(TriangleSearch search, const OctreeOptions& octree = {}) const
    {
        return StaticTriangles(objects(), {search, octree});
    }
};

struct Found {
    bool is_hit = false;
    SegmentHit hit;
    std::int32_t object = -1;
};

bool same_bits(const Found& a, const Found& b)
{
    return a.is_hit == b.is_hit &&
           (!a.is_hit || (a.object == b.object && a.hit.triangle == b.hit.triangle && a.hit.t == b.hit.t &&
                          a.hit.point == b.hit.point && a.hit.normal == b.hit.normal));
}

Found find(const StaticTriangles& triangles, const Vec3& a, const Vec3& b, SweepCounters& counters)
{
    Found found;
    found.is_hit = triangles.first_hit(a, b, found.hit, found.object, counters);
    return found;
}

TEST(StaticTriangles, AllSearchesFindTheSameHits)
{
    const ModelAndFloor scene;
    const StaticTriangles searches[] = {
        scene.search_by(TriangleSearch::brute_force), scene.search_by(TriangleSearch::octree_per_object),
        scene.search_by(TriangleSearch::octree_common),
        scene.search_by(TriangleSearch::octree_per_object, {.storage = OctreeStorage::containing_node}),
        scene.search_by(TriangleSearch::octree_common, {.height = 6, .leaf_capacity = 6})};
    SweepCounters counters[5];
    std::mt19937 random(1);
    int hits_of[2] = {0, 0};
    constexpr int kSegments = 4000;
    for (int i = 0; i < kSegments; ++i) {
        const Vec3 a = random_in_cube(random, 1.4);
        Vec3 b = a + random_in_cube(random, i % 3 == 0 ? 3 : 0.3);
        // Through corners and edges, where several triangles are hit at once.
        const Triangle& t = scene.model.triangles[2 * static_cast<std::size_t>(i)];
        const Vec3 &p = scene.model.vertices[static_cast<std::size_t>(t[0])],
                   &q = scene.model.vertices[static_cast<std::size_t>(t[1])];
        if (i % 4 == 0) b = a + ((i % 8 == 0 ? p : (p + q) * 0.5) - a) * 2.0;
        const Found expected = find(searches[0], a, b, counters[0]);
        if (expected.is_hit) ++hits_of[expected.object];
        for (std::size_t s = 1; s < 5; ++s)
            ASSERT_TRUE(same_bits(find(searches[s], a, b, counters[s]), expected)) << "search " << s << ", way " << i;
    }
    EXPECT_GT(hits_of[0], 1000);
    EXPECT_GT(hits_of[1], 100);
    EXPECT_EQ(counters[0].checks, std::int64_t{kSegments} * (9680 + 12));
    EXPECT_EQ(counters[0].boxes, 0);
    for (const SweepCounters& c : counters) {
        EXPECT_EQ(c.segments, kSegments);
        EXPECT_EQ(c.hits, hits_of[0] + hits_of[1]);
    }
    EXPECT_LT(counters[1].checks, counters[0].checks / 100);
}

/// Ways of a sheet of 71 x 71 particles that falls from above the model to the floor.
template <class F>
void each_way_of_a_falling_sheet(F&& way)
{
    for (int frame = 0; frame < 40; ++frame)
        for (int i = 0; i < 71 * 71; ++i) {
            const int row = i / 71, column = i % 71;
            const double x = (column - 35) * 0.1, y = 1 - 0.03 * frame, z = (row - 35) * 0.1;
            way({x, y, z}, {x, y - 0.003, z});
        }
}

// four orders of magnitude, and a tree per object better than one for all.
TEST(StaticTriangles, TreesSaveChecksAndPerObjectMost)
{
    const ModelAndFloor scene;
    const StaticTriangles per_object = scene.search_by(TriangleSearch::octree_per_object);
    const StaticTriangles common = scene.search_by(TriangleSearch::octree_common);
    SweepCounters of_object, of_common;
    each_way_of_a_falling_sheet([&](const Vec3& a, const Vec3& b) {
        const Found f = find(per_object, a, b, of_object), g = find(common, a, b, of_common);
        ASSERT_TRUE(same_bits(f, g));
    });
    const std::int64_t brute = of_object.segments * static_cast<std::int64_t>(per_object.triangle_count());
    EXPECT_GT(of_object.hits, 50);
    EXPECT_LT(of_object.checks * 10000, brute);
    EXPECT_LT(of_object.checks * 2, of_common.checks);
    RecordProperty("checks_per_object", std::to_string(of_object.checks));
    RecordProperty("checks_common", std::to_string(of_common.checks));
    RecordProperty("checks_brute_force", std::to_string(brute));
}

TEST(StaticTriangles, TakesTheNearestThenTheLowest)
{
    const TriMesh cube = box({2, 2, 2});
    TriMesh far_cube = cube;
    for (Vec3& vertex : far_cube.vertices) vertex.y -= 3;
    const std::vector<StaticObject> objects{
        {far_cube.vertices, far_cube.triangles}, {cube.vertices, cube.triangles}, {cube.vertices, cube.triangles}};
    std::int32_t lowest = -1;
    for (const auto search :
         {TriangleSearch::brute_force, TriangleSearch::octree_per_object, TriangleSearch::octree_common}) {
        const StaticTriangles triangles(objects, {.search = search});
        SweepCounters counters;
        // Down through the middle of the top, which two triangles share.
        const Found found = find(triangles, {0, 5, 0}, {0, -10, 0}, counters);
        ASSERT_TRUE(found.is_hit);
        EXPECT_EQ(found.object, 1);
        EXPECT_DOUBLE_EQ(found.hit.point.y, 1);
        EXPECT_EQ(found.hit.normal, (Vec3{0, 1, 0}));
        if (lowest < 0) lowest = found.hit.triangle;
        EXPECT_EQ(found.hit.triangle, lowest);
        // From below the far one comes first, and shows its other side.
        const Found below = find(triangles, {0.1, -10, 0.2}, {0.1, 5, 0.2}, counters);
        EXPECT_EQ(below.object, 0);
        EXPECT_EQ(below.hit.normal, (Vec3{0, -1, 0}));
        // From within, the way out.
        EXPECT_EQ(find(triangles, {0.1, 0, 0.2}, {0.1, 5, 0.2}, counters).hit.normal, (Vec3{0, -1, 0}));
    }
    EXPECT_TRUE(lowest >= 0);
}

TEST(StaticTriangles, ChecksMoreCandidatesThanItGathersAtOnce)
{
    // Sheets above each other, each met by the way in many leaves.
    TriMesh stack;
    for (int layer = 0; layer < 1500; ++layer) {
        const auto first = static_cast<std::int32_t>(stack.vertices.size());
        const double y = 1e-3 * layer;
        for (const Vec3& corner : {Vec3{-1, y, -1}, Vec3{-1, y, 1}, Vec3{1, y, 0}}) stack.vertices.push_back(corner);
        stack.triangles.push_back({first, first + 1, first + 2});
    }
    const std::vector<StaticObject> objects{{stack.vertices, stack.triangles}};
    const StaticTriangles tree(objects, {.octree = {.height = 5}}), brute(objects, {TriangleSearch::brute_force, {}});
    SweepCounters of_tree, of_brute;
    for (const double lean : {0.0, 0.1, 0.5}) {
        const Found found = find(tree, {0, 2, 0}, {-lean, -1, lean}, of_tree);
        EXPECT_EQ(found.hit.triangle, 1499);
        EXPECT_TRUE(same_bits(found, find(brute, {0, 2, 0}, {-lean, -1, lean}, of_brute)));
    }
    EXPECT_GE(of_tree.checks, 3 * 1500);
    EXPECT_EQ(of_brute.checks, 3 * 1500);
}

TEST(StaticTriangles, MeetsNothingWithoutAWay)
{
    const ModelAndFloor scene;
    const double nan = std::numeric_limits<double>::quiet_NaN();
    for (const auto search :
         {TriangleSearch::brute_force, TriangleSearch::octree_per_object, TriangleSearch::octree_common}) {
        const StaticTriangles triangles = scene.search_by(search);
        SweepCounters counters;
        EXPECT_FALSE(find(triangles, {1.4, 0, 0}, {1.4, 0, 0}, counters).is_hit);
        EXPECT_FALSE(find(triangles, {nan, 0, 0}, {1.4, 0, 0}, counters).is_hit);
        EXPECT_FALSE(find(triangles, {0, 5, 0}, {0, nan, 0}, counters).is_hit);
    }
    const StaticTriangles nothing(std::span<const StaticObject>{});
    SweepCounters counters;
    EXPECT_FALSE(find(nothing, {0, 1, 0}, {0, -1, 0}, counters).is_hit);
    EXPECT_EQ(nothing.object_count(), 0U);
}

TEST(StaticTriangles, ReportsMemoryAndRefusesBadMeshes)
{
    const ModelAndFloor scene;
    const StaticTriangles trees = scene.search_by(TriangleSearch::octree_per_object);
    const StaticTriangles brute = scene.search_by(TriangleSearch::brute_force);
    EXPECT_EQ(trees.object_count(), 2U);
    EXPECT_EQ(trees.trees().size(), 2U);
    EXPECT_GE(brute.memory_bytes(), 9692U * 72);
    EXPECT_GT(trees.memory_bytes(), trees.trees()[0].memory_bytes() + trees.trees()[1].memory_bytes() + 9692U * 72);
    const std::vector<Triangle> bad{{0, 1, 99}};
    const std::vector<Vec3> vertices(3);
    const std::vector<StaticObject> objects{{vertices, bad}};
    for (const auto search :
         {TriangleSearch::brute_force, TriangleSearch::octree_per_object, TriangleSearch::octree_common})
        EXPECT_THROW(StaticTriangles(objects, {.search = search}), Error);
}

TEST(StaticTriangles, SearchesWithoutAllocating)
{
    const ModelAndFloor scene;
    for (const auto search : {TriangleSearch::octree_per_object, TriangleSearch::octree_common}) {
        const StaticTriangles triangles = scene.search_by(search);
        SweepCounters counters;
        const long before = allocation_count();
        for (int i = 0; i < 200; ++i) find(triangles, {-3, 0.01 * i, 0}, {3, -0.01 * i, 0.1}, counters);
        EXPECT_EQ(allocation_count(), before);
        EXPECT_GT(counters.hits, 0);
    }
}

}  // namespace
}  // namespace pliant
