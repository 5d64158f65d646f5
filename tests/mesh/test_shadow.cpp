// SPDX-License-Identifier: MIT

// Shadows whose areas are known: of what is flat, tilted, folded, hollow and thin.

#include <cmath>
#include <limits>
#include <numbers>

#include <gtest/gtest.h>

#include <pliant/mesh/shadow.h>
#include <pliant/mesh/shapes.h>
#include <pliant/mesh/transform.h>

namespace pliant {
namespace {

constexpr double kPi = std::numbers::pi;

// Corners a quarter of the way round an axis through all of them: y to z, z to x, x to y.
TriMesh turned(TriMesh mesh)
{
    for (Vec3& p : mesh.vertices) p = {p.z, p.x, p.y};
    return mesh;
}

double area(const TriMesh& mesh, double strip, int axis = 1)
{
    return shadow_area(mesh.vertices, mesh.triangles, axis, strip);
}

TEST(Shadow, OfAFlatSheetIsItsArea)
{
    const TriMesh sheet = grid(7, 5, 0.6, 0.4);
    EXPECT_NEAR(area(sheet, 0.002), 0.24, 1e-12);
    EXPECT_NEAR(area(sheet, 0.05), 0.24, 1e-12) << "strips wider than triangles see all of them";
}

TEST(Shadow, OfATiltedSheetShrinksWithTheCosine)
{
    TriMesh sheet = grid(21, 21, 1, 1);
    for (Vec3& p : sheet.vertices) p = {p.x * std::cos(1), p.x * std::sin(1), p.z};
    EXPECT_NEAR(area(sheet, 0.001), std::cos(1), 2e-3);
    for (Vec3& p : sheet.vertices) p = {0, p.x, p.z};
    EXPECT_EQ(area(sheet, 0.001), 0) << "a sheet on edge";
}

TEST(Shadow, CountsWhatLiesOverItselfOnce)
{
    TriMesh sheet = grid(41, 3, 1, 0.25);
    const auto waves = [](double s) { return 0.25 * std::sin(4 * kPi * s); };
    for (Vec3& p : sheet.vertices) p = {waves(p.x), p.x, p.z};
    EXPECT_NEAR(area(sheet, 0.001), 0.5 * 0.25, 1e-3) << "back and forth four times over the same floor";
}

TEST(Shadow, LeavesHolesAndSeesAlongEveryAxis)
{
    constexpr int kSegments = 24;
    TriMesh ring = torus(0.3, 0.1, kSegments, 16);
    const double expected = 0.5 * kSegments * std::sin(2 * kPi / kSegments) * (0.4 * 0.4 - 0.2 * 0.2);
    for (const int axis : {1, 2, 0}) {
        EXPECT_NEAR(area(ring, 0.001, axis), expected, 1e-5) << "axis " << axis;
        ring = turned(std::move(ring));
    }
}

TEST(Shadow, ConvergesWithNarrowerStrips)
{
    const TriMesh ball = icosphere(0.5, 4);
    const double fine = area(ball, 1e-4);
    EXPECT_NEAR(fine, kPi * 0.25, 0.003);
    EXPECT_LT(fine, kPi * 0.25) << "a polyhedron inside the ball";
    EXPECT_LT(std::abs(area(ball, 0.002) - fine), 1e-4);
    EXPECT_LT(std::abs(area(ball, 0.05) - fine), 1e-2);
}

TEST(Shadow, DoesNotDependOnWhereItFalls)
{
    TriMesh sheet = grid(5, 5, 0.5, 0.5);
    translate(sheet, {-37.12345, 3, 11.6789});
    EXPECT_NEAR(area(sheet, 0.001), 0.25, 5.1e-4);
}

TEST(Shadow, SaysSoWhereAPointIsNowhere)
{
    TriMesh sheet = grid(3, 3, 1, 1);
    sheet.vertices[4].x = std::numeric_limits<double>::quiet_NaN();
    EXPECT_TRUE(std::isnan(area(sheet, 0.01)));
    EXPECT_EQ(shadow_area({}, {}, 1, 0.01), 0);
}

}  // namespace
}  // namespace pliant
