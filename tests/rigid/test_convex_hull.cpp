// SPDX-License-Identifier: MIT
#include <pliant/rigid/convex_hull.h>

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include <pliant/base/error.h>
#include <pliant/mesh/measure.h>
#include <pliant/mesh/shapes.h>
#include <pliant/mesh/topology.h>

#include "energy/derivatives.h"

namespace pliant {
namespace {

// Closed, outward, a sphere in kind, and no point farther outside any face than rounding.
void expect_hull(const TriMesh& hull, std::span<const Vec3> points, double tolerance)
{
    EXPECT_TRUE(closedness(hull.triangles, hull.vertices.size()).encloses_volume());
    EXPECT_TRUE(closedness(hull.triangles, hull.vertices.size()).is_manifold());
    EXPECT_EQ(euler_characteristic(hull.triangles), 2);
    EXPECT_GT(signed_volume(hull.vertices, hull.triangles), 0);
    double outside = 0;
    for (const Triangle& t : hull.triangles) {
        const Vec3 a = hull.vertices[t[0]], n = normalized(cross(hull.vertices[t[1]] - a, hull.vertices[t[2]] - a));
        for (const Vec3& p : points) outside = std::max(outside, dot(p - a, n));
    }
    EXPECT_LT(outside, tolerance);
}

TEST(ConvexHull, OfABoxWithManyPointsOnItsSidesIsTheBox)
{
    const TriMesh mesh = box({1, 2, 3}, {5, 6, 7});
    const TriMesh hull = convex_hull(mesh.vertices);
    EXPECT_EQ(hull.vertices.size(), 8);
    EXPECT_EQ(hull.triangles.size(), 12);
    EXPECT_NEAR(signed_volume(hull.vertices, hull.triangles), 6, 1e-14);
    expect_hull(hull, mesh.vertices, 1e-12);
}

TEST(ConvexHull, OfPointsOnASphereHasThemAll)
{
    const TriMesh ball = icosphere(2, 3);
    const TriMesh hull = convex_hull(ball.vertices);
    EXPECT_EQ(hull.vertices, ball.vertices);
    EXPECT_NEAR(signed_volume(hull.vertices, hull.triangles), signed_volume(ball.vertices, ball.triangles), 0.01);
    expect_hull(hull, ball.vertices, 1e-11);
}

TEST(ConvexHull, HoldsRandomPointsWhateverTheirNumberPlaceAndShape)
{
    std::mt19937 random(3);
    for (int sample = 0; sample < 60; ++sample) {
        const int count = 4 + sample * sample;
        const Vec3 shift = test::random_vector(random, 100), stretch{1, sample % 3 == 0 ? 1e-3 : 1, 1};
        std::vector<Vec3> points;
        for (int i = 0; i < count; ++i) {
            const Vec3 p = test::random_vector(random, 1);
            points.push_back(shift + Vec3{p.x * stretch.x, p.y * stretch.y, p.z * stretch.z});
        }
        expect_hull(convex_hull(points), points, 1e-10);
    }
}

// Lattices, repeated points and rings of many points in one plane are where rounding decides.
TEST(ConvexHull, StaysClosedOnDegenerateInput)
{
    std::mt19937 random(4);
    for (int sample = 0; sample < 20; ++sample) {
        const Mat3 turn = test::random_rotation(random);
        std::vector<Vec3> lattice, rings;
        for (int i = 0; i < 6; ++i)
            for (int j = 0; j < 6; ++j)
                for (int k = 0; k < 6; ++k) lattice.push_back(turn * Vec3{i * 0.1, j * 0.1, k * 0.1});
        lattice.insert(lattice.end(), lattice.begin(), lattice.begin() + 100);
        expect_hull(convex_hull(lattice), lattice, 1e-11);
        for (const TriMesh& part : {cylinder(1, 2, 64, 8, true), torus(1, 0.3, 40, 20)})
            for (const Vec3& x : part.vertices) rings.push_back(turn * x);
        expect_hull(convex_hull(rings), rings, 1e-10);
    }
}

TEST(ConvexHull, IsTheSameEveryTimeAndInTheOrderOfThePoints)
{
    std::mt19937 random(5);
    std::vector<Vec3> points;
    for (int i = 0; i < 500; ++i) points.push_back(test::random_vector(random, 1));
    const TriMesh a = convex_hull(points), b = convex_hull(points);
    EXPECT_EQ(a.vertices, b.vertices);
    EXPECT_EQ(a.triangles, b.triangles);
    auto at = points.begin();
    for (const Vec3& x : a.vertices) {
        at = std::find(at, points.end(), x);
        ASSERT_NE(at, points.end());
    }
}

TEST(ConvexHull, RefusesWhatHasNoVolume)
{
    const auto complaint = [](const std::vector<Vec3>& points) {
        try {
            convex_hull(points);
        } catch (const Error& error) {
            return to_string(error.problems().front());
        }
        return std::string();
    };
    EXPECT_NE(complaint({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}).find("fewer than four"), std::string::npos);
    EXPECT_NE(complaint({{1, 1, 1}, {1, 1, 1}, {1, 1, 1}, {1, 1, 1}}).find("one place"), std::string::npos);
    EXPECT_NE(complaint({{0, 0, 0}, {1, 1, 1}, {2, 2, 2}, {3, 3, 3}}).find("one line"), std::string::npos);
    EXPECT_NE(complaint(grid(5, 5, 1, 1).vertices).find("one plane"), std::string::npos);
}

}  // namespace
}  // namespace pliant
