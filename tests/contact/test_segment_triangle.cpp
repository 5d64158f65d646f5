// SPDX-License-Identifier: MIT
#include <pliant/contact/segment_triangle.h>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include <pliant/mesh/shapes.h>

namespace pliant {
namespace {

Vec3 random_in_cube(std::mt19937& random, double half)
{
    std::uniform_real_distribution<double> coordinate(-half, half);
    return {coordinate(random), coordinate(random), coordinate(random)};
}

double meets(const Vec3& a, const Vec3& b, const TriangleCorners& corners)
{
    return SegmentTriangleTest(a, b).meets(corners);
}

// A way through a chosen point of the triangle's plane at a chosen share of it.
TEST(SegmentTriangle, FindsThePointThatWasChosenAtAnyScale)
{
    std::mt19937 random(1);
    std::uniform_real_distribution<double> share(-0.5, 1.5);
    int hits = 0;
    for (int i = 0; i < 40000; ++i) {
        const double scale = std::pow(10, i % 19 - 9);
        const TriangleCorners t{random_in_cube(random, scale), random_in_cube(random, scale),
                                random_in_cube(random, scale)};
        const double u = share(random), v = share(random), w = 1 - u - v, at = share(random);
        const Vec3 point = t[0] * u + t[1] * v + t[2] * w, way = random_in_cube(random, scale);
        const Vec3 area = cross(t[1] - t[0], t[2] - t[0]);
        const double steepness = std::abs(dot(normalized(area), normalized(way)));
        const bool is_clear = steepness > 1e-3 && norm(area) > 1e-3 * scale * scale &&
                              std::min({std::abs(u), std::abs(v), std::abs(w), std::abs(at), std::abs(1 - at)}) > 1e-6;
        if (!is_clear) continue;
        const Vec3 a = point - way * at;
        const SegmentTriangleTest test(a, a + way);
        const double met = test.meets(t);
        const bool is_inside = u > 0 && v > 0 && w > 0 && at > 0 && at < 1;
        ASSERT_EQ(met >= 0, is_inside) << i << ": " << u << " " << v << " " << at;
        if (!is_inside) continue;
        ++hits;
        const SegmentHit hit = test.hit_at(met, t);
        ASSERT_NEAR(hit.t, at, 1e-9);
        ASSERT_LT(norm(hit.point - point), 1e-9 * scale);
        ASSERT_NEAR(norm(hit.normal), 1, 1e-14);
        ASSERT_LT(dot(hit.normal, way), 0);
        ASSERT_LT(norm(cross(hit.normal, normalized(area))), 1e-12);
    }
    EXPECT_GT(hits, 2000);
}

// Ways aimed exactly at corners and at points of edges of a closed surface never slip through.
TEST(SegmentTriangle, LeavesNoGapsBetweenNeighbours)
{
    const TriMesh sphere = icosphere(1, 3);
    std::mt19937 random(2);
    std::uniform_real_distribution<double> share(0, 1);
    const auto is_met = [&](const Vec3& inside, const Vec3& outside) {
        const SegmentTriangleTest test(inside, outside);
        for (const Triangle& t : sphere.triangles)
            if (test.meets({sphere.vertices[static_cast<std::size_t>(t[0])],
                            sphere.vertices[static_cast<std::size_t>(t[1])],
                            sphere.vertices[static_cast<std::size_t>(t[2])]}) >= 0)
                return true;
        return false;
    };
    for (std::size_t i = 0; i < sphere.triangles.size(); ++i) {
        const Triangle& t = sphere.triangles[i];
        const Vec3 &p = sphere.vertices[static_cast<std::size_t>(t[0])],
                   &q = sphere.vertices[static_cast<std::size_t>(t[1])];
        for (const double u : {0.0, 0.5, share(random)}) {
            const Vec3 aim = p + (q - p) * u, inside = random_in_cube(random, i % 2 == 0 ? 0.0 : 0.4);
            ASSERT_TRUE(is_met(inside, aim + (aim - inside) * 1.5));
            ASSERT_TRUE(is_met(aim + (aim - inside) * 1.5, inside));
        }
    }
}

const TriangleCorners kUp{Vec3{0, 0, 0}, Vec3{0, 0, 1}, Vec3{1, 0, 0}};  // faces y

TEST(SegmentTriangle, IsClosedAtBothEnds)
{
    EXPECT_EQ(meets({0.2, 1, 0.2}, {0.2, 0, 0.2}, kUp), 1);
    EXPECT_EQ(meets({0.2, -1, 0.2}, {0.2, 0, 0.2}, kUp), 1);
    EXPECT_EQ(meets({0.2, 0, 0.2}, {0.2, -1, 0.2}, kUp), 0);  // starts on it and goes in
    EXPECT_LT(meets({0.2, 0, 0.2}, {0.2, 1, 0.2}, kUp), 0);   // and out
    EXPECT_LT(meets({0.2, 1, 0.2}, {0.2, 1e-12, 0.2}, kUp), 0);
    EXPECT_EQ(meets({0.2, 1, 0.2}, {0.2, 1e-17, 0.2}, kUp), 1);
    EXPECT_EQ(meets({0.2, 1, 0}, {0.2, -1, 0}, kUp), 0.5);  // an edge
    EXPECT_EQ(meets({0, 1, 0}, {0, -1, 0}, kUp), 0.5);      // a corner
}

TEST(SegmentTriangle, ReportsTheSideItCameFrom)
{
    EXPECT_EQ(SegmentTriangleTest({0.2, 1, 0.2}, {0.2, -1, 0.2}).hit_at(0.5, kUp).normal, (Vec3{0, 1, 0}));
    EXPECT_EQ(SegmentTriangleTest({0.2, -1, 0.2}, {0.2, 1, 0.2}).hit_at(0.5, kUp).normal, (Vec3{0, -1, 0}));
}

TEST(SegmentTriangle, KnowsWhatCannotBeHit)
{
    const double nan = std::numeric_limits<double>::quiet_NaN(), infinity = std::numeric_limits<double>::infinity();
    EXPECT_LT(meets({0.2, 0, 0.2}, {0.2, 0, 0.2}, kUp), 0);  // no length
    EXPECT_LT(meets({-1, 0, 0.2}, {1, 0, 0.2}, kUp), 0);     // in the plane
    EXPECT_LT(meets({0.2, nan, 0.2}, {0.2, -1, 0.2}, kUp), 0);
    EXPECT_LT(meets({0.2, 1, 0.2}, {0.2, -1, infinity}, kUp), 0);
    EXPECT_FALSE(SegmentTriangleTest({0.2, nan, 0.2}, {0.2, -1, 0.2}).moves());
    const TriangleCorners line{Vec3{0, 0, 0}, Vec3{0.5, 0, 0.5}, Vec3{1, 0, 1}};
    EXPECT_LT(meets({0.5, 1, 0.5}, {0.5, -1, 0.5}, line), 0);
    EXPECT_LT(meets({0, 1, 0}, {0, -1, 0}, {Vec3{}, Vec3{}, Vec3{}}), 0);
}

}  // namespace
}  // namespace pliant
