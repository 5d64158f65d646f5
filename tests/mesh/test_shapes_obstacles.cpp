// SPDX-License-Identifier: MIT

// Stairs and funnel: closedness, sizes, flatness of treads, thickness and smoothness of the wall, groups.

#include <algorithm>
#include <numbers>

#include <pliant/mesh/quality.h>
#include <pliant/mesh/shapes.h>

#include "mesh/surface_checks.h"

namespace pliant {
namespace {

constexpr double kPi = std::numbers::pi;

TEST(Stairs, AreOneClosedBlockForAnyNumberOfSteps)
{
    for (const int steps : {1, 2, 3, 8, 25}) {
        const TriMesh mesh = stairs(steps, 2, 1.2, 0.9);
        expect_closed_and_outward(mesh);
        EXPECT_EQ(euler_characteristic(mesh.triangles), 2);
        EXPECT_EQ(self_intersections(mesh), 0u);
        EXPECT_EQ(quality(mesh).duplicate_vertices, 0u);
        EXPECT_EQ(quality(mesh).isolated_vertices, 0u);
        // Column i is i + 1 risers high.
        EXPECT_NEAR(signed_volume(mesh.vertices, mesh.triangles), 2 * 1.2 * 0.9 * (steps + 1) / (2.0 * steps), 1e-12);
        const BoundingBox bounds = bounding_box(mesh.vertices);
        EXPECT_EQ(bounds.lowest, (Vec3{-1, 0, -0.45}));
        EXPECT_EQ(bounds.highest, (Vec3{1, 1.2, 0.45}));
    }
}

TEST(Stairs, ClimbToTheRightOnLevelTreads)
{
    const int steps = 5;
    const TriMesh mesh = stairs(steps, 2.5, 1, 1.2);
    double level = 0, upright = 0;
    std::array<double, 5> of_step{};
    for (const Triangle& t : mesh.triangles) {
        const Vec3 &a = vertex_at(mesh, t[0]), &b = vertex_at(mesh, t[1]), &c = vertex_at(mesh, t[2]);
        const Vec3 area = area_vector(a, b, c);
        if (area.y > 0) {
            EXPECT_EQ(a.y, b.y);
            EXPECT_EQ(b.y, c.y);
            const double step = std::floor(((a.x + b.x + c.x) / 3 + 1.25) / 0.5);
            EXPECT_NEAR(a.y, 0.2 * (step + 1), 1e-15);
            of_step[static_cast<std::size_t>(step)] += norm(area);
            level += norm(area);
        }
        if (area.x < 0) upright += norm(area);
    }
    EXPECT_NEAR(level, 2.5 * 1.2, 1e-12);
    EXPECT_NEAR(upright, 1 * 1.2, 1e-12);
    for (const double area : of_step) EXPECT_NEAR(area, 0.5 * 1.2, 1e-12);
}

TEST(Stairs, NameTreadsBottomAndBack)
{
    const TriMesh mesh = stairs(4, 2, 1, 1);  // two cells across
    EXPECT_EQ(mesh.vertices.size(), 16u * 3 + 2 * 3);
    EXPECT_EQ(mesh.find_group("treads")->vertices.size(), (4u + 4) * 3);
    EXPECT_EQ(mesh.find_group("bottom")->vertices.size(), 5u * 3);
    EXPECT_EQ(mesh.find_group("back")->vertices.size(), 5u * 3);
    for (const std::int32_t v : mesh.find_group("treads")->vertices) EXPECT_GT(vertex_at(mesh, v).y, 0);
    for (const std::int32_t v : mesh.find_group("bottom")->vertices) EXPECT_EQ(vertex_at(mesh, v).y, 0);
    for (const std::int32_t v : mesh.find_group("back")->vertices) EXPECT_EQ(vertex_at(mesh, v).x, 1);
    for (const VertexGroup& group : mesh.groups)
        EXPECT_TRUE(std::adjacent_find(group.vertices.begin(), group.vertices.end(), std::greater_equal<>()) ==
                    group.vertices.end())
            << group.name;
}

TEST(Stairs, HaveTrianglesOfTheirCells)
{
    const MeshQuality report = quality(stairs(10, 3, 2, 1));
    EXPECT_NEAR(report.shortest_edge, 0.2, 1e-12);
    EXPECT_LT(report.longest_edge, 0.48);
    EXPECT_GT(report.smallest_angle * 180 / kPi, 30);
    // A narrow flight has one cell across.
    EXPECT_EQ(stairs(2, 4, 1, 0.1).vertices.size(), 16u);
}

double radius_of(const Vec3& x)
{
    return std::hypot(x.x, x.z);
}

TEST(Funnel, IsAClosedWallRoundAHole)
{
    for (const int segments : {3, 16, 48}) {
        const TriMesh mesh = funnel(0.2, 0.3, {.spout_radius = 0.04, .wall = 0.008, .segments = segments, .rings = 32});
        expect_closed_and_outward(mesh);
        EXPECT_EQ(euler_characteristic(mesh.triangles), 0);
        EXPECT_EQ(self_intersections(mesh), 0u);
        EXPECT_EQ(quality(mesh).degenerate_triangles, 0u);
        EXPECT_EQ(mesh.vertices.size(), static_cast<std::size_t>(segments) * (2 * 33 + 10));
    }
}

TEST(Funnel, HasTheLengthsAskedFor)
{
    const TriMesh mesh = funnel(0.2, 0.3, {.spout_radius = 0.04, .wall = 0.008, .segments = 48, .rings = 32});
    const BoundingBox bounds = bounding_box(mesh.vertices);
    EXPECT_NEAR(bounds.lowest.y, 0, 1e-15);
    EXPECT_NEAR(bounds.highest.y, 0.3, 1e-15);
    double widest = 0, narrowest = 1;
    for (const Vec3& x : mesh.vertices)
        widest = std::max(widest, radius_of(x)), narrowest = std::min(narrowest, radius_of(x));
    EXPECT_NEAR(widest, 0.208, 1e-15);
    EXPECT_NEAR(narrowest, 0.04, 1e-15);
    for (const std::int32_t v : mesh.find_group("mouth")->vertices) {
        EXPECT_NEAR(vertex_at(mesh, v).y, 0.3, 1e-15);
        EXPECT_NEAR(radius_of(vertex_at(mesh, v)), 0.204, 1e-15);
    }
    for (const std::int32_t v : mesh.find_group("spout")->vertices) {
        EXPECT_NEAR(vertex_at(mesh, v).y, 0, 1e-15);
        EXPECT_NEAR(radius_of(vertex_at(mesh, v)), 0.044, 1e-15);
    }
    EXPECT_EQ(mesh.find_group("inside")->vertices.size(), 48u * 33);
}

TEST(Funnel, NarrowsAllTheWayDownInside)
{
    for (const double height : {0.15, 0.3, 1.0}) {
        const TriMesh mesh = funnel(0.2, height, {.spout_radius = 0.03, .wall = 0.004, .segments = 12, .rings = 40});
        const std::vector<std::int32_t>& inside = mesh.find_group("inside")->vertices;
        for (std::size_t i = 12; i < inside.size(); ++i) {
            const Vec3 &below = vertex_at(mesh, inside[i - 12]), &above = vertex_at(mesh, inside[i]);
            EXPECT_GT(above.y, below.y);
            EXPECT_GE(radius_of(above), radius_of(below) - 1e-12);
        }
        EXPECT_NEAR(radius_of(vertex_at(mesh, inside.front())), 0.03, 1e-12);
        EXPECT_NEAR(radius_of(vertex_at(mesh, inside.back())), 0.2, 1e-12);
    }
}

TEST(Funnel, HasAWallOfOneThickness)
{
    const int segments = 24, rings = 50;
    const TriMesh mesh = funnel(0.2, 0.3, {.spout_radius = 0.04, .wall = 0.01, .segments = segments, .rings = rings});
    // Row j inside lies opposite row rings + 6 + (rings - j) outside.
    for (int j = 0; j <= rings; ++j) {
        const Vec3 &in = vertex_at(mesh, j * segments), &out = vertex_at(mesh, (2 * rings + 6 - j) * segments);
        EXPECT_NEAR(norm(out - in), 0.01, 1e-14) << j;
    }
    // By Pappus: the middle line's length times the wall times the way of its middle, and two rims.
    EXPECT_GT(signed_volume(mesh.vertices, mesh.triangles), 2 * kPi * 0.1 * 0.3 * 0.01);
}

TEST(Funnel, IsSmoothInside)
{
    const auto sharpest = [](int rings) {
        const int segments = 200;
        const TriMesh mesh =
            funnel(0.2, 0.3, {.spout_radius = 0.04, .wall = 0.008, .segments = segments, .rings = rings});
        double worst = 0;
        for (int j = 1; j < rings; ++j) {
            const Vec3 a = vertex_at(mesh, (j - 1) * segments), b = vertex_at(mesh, j * segments),
                       c = vertex_at(mesh, (j + 1) * segments);
            worst = std::max(worst, std::atan2(norm(cross(b - a, c - b)), dot(b - a, c - b)));
        }
        return worst * 180 / kPi;
    };
    EXPECT_LT(sharpest(32), 15);
    EXPECT_NEAR(sharpest(320), sharpest(32) / 10, 0.3);
    // Rims are half circles of six bands.
    const TriMesh mesh = funnel(0.2, 0.3);
    const Vec3 a = vertex_at(mesh, 32 * 48), b = vertex_at(mesh, 33 * 48), c = vertex_at(mesh, 34 * 48);
    EXPECT_NEAR(std::acos(dot(normalized(b - a), normalized(c - b))) * 180 / kPi, 30, 1e-6);
}

TEST(Funnel, TakesSensibleSpoutAndWallByItself)
{
    const TriMesh mesh = funnel(0.1, 0.2);
    double narrowest = 1, widest = 0;
    for (const Vec3& x : mesh.vertices)
        narrowest = std::min(narrowest, radius_of(x)), widest = std::max(widest, radius_of(x));
    EXPECT_NEAR(narrowest, 0.02, 1e-15);
    EXPECT_NEAR(widest, 0.105, 1e-15);
    expect_closed_and_outward(mesh);
}

TEST(Obstacles, RefuseImpossibleNumbersInWords)
{
    expect_refusal([] { stairs(0, 1, 1, 1); }, "stairs: 0 steps, expected at least 1");
    expect_refusal([] { stairs(3, 0, 1, 1); }, "the length is 0, expected a length above 0");
    expect_refusal([] { stairs(3, 1, -1, 1); }, "the height is -1");
    expect_refusal([] { stairs(3, 1, 1, 0); }, "the width is 0");
    expect_refusal([] { stairs(100'000, 1, 1, 1); }, "vertices asked for");
    expect_refusal([] { stairs(3, 1e-9, 1, 1e9); }, "vertices asked for");
    expect_refusal([] { funnel(0, 1); }, "funnel: the radius is 0");
    expect_refusal([] { funnel(1, 0); }, "the height is 0");
    expect_refusal([] { funnel(1, 1, {.spout_radius = 1}); }, "the widening (radius - radius of the spout) is 0");
    expect_refusal([] { funnel(1, 1, {.spout_radius = -0.1}); }, "the radius of the spout is -0.1");
    expect_refusal([] { funnel(1, 1, {.wall = 0.7}); }, "the length of the spout");
    expect_refusal([] { funnel(1, 1, {.wall = 0.5}); }, "the wall is 0.5 thick, expected at most");
    expect_refusal([] { funnel(1, 1, {.segments = 2}); }, "2 segments, expected at least 3");
    expect_refusal([] { funnel(1, 1, {.rings = 7}); }, "7 rings, expected at least 8");
}

}  // namespace
}  // namespace pliant
