// SPDX-License-Identifier: MIT

// Welding of coincident vertices and the quality report.

#include <limits>
#include <numbers>

#include <gtest/gtest.h>

#include <pliant/mesh/quality.h>
#include <pliant/mesh/shapes.h>
#include <pliant/mesh/transform.h>
#include <pliant/mesh/weld.h>

namespace pliant {
namespace {

TriMesh triangle_soup(const TriMesh& mesh)
{
    TriMesh soup;
    for (const Triangle& t : mesh.triangles) {
        const auto first = static_cast<std::int32_t>(soup.vertices.size());
        for (const std::int32_t v : t) soup.vertices.push_back(mesh.vertices[static_cast<std::size_t>(v)]);
        soup.triangles.push_back({first, first + 1, first + 2});
    }
    return soup;
}

TEST(Weld, OfASoupGivesBackTheClosedSurface)
{
    const TriMesh sphere = icosphere(1, 3);
    TriMesh soup = triangle_soup(sphere);
    const WeldReport report = weld(soup);
    EXPECT_EQ(report.map.kept, sphere.vertices.size());
    EXPECT_EQ(report.map.merged, 3 * sphere.triangles.size() - sphere.vertices.size());
    EXPECT_EQ(report.dropped_triangles, 0u);
    EXPECT_TRUE(is_closed(soup.triangles));
    EXPECT_EQ(soup.vertices.size(), report.map.kept);
}

TEST(Weld, MergesWithinTheToleranceAndNotBeyond)
{
    const std::vector<Vec3> x = {{0, 0, 0}, {0.009, 0, 0}, {0.02, 0, 0}, {-0.009, 0, 0}, {1, 1, 1}};
    const WeldMap map = weld_map(x, 0.01);
    EXPECT_EQ(map.new_index, (std::vector<std::int32_t>{0, 0, 1, 0, 2}));
    EXPECT_EQ(map.merged, 2u);
    EXPECT_EQ(weld_map(x, 0).merged, 0u);
}

TEST(Weld, FindsPartnersAcrossCellBorders)
{
    for (int k = 0; k < 3; ++k) {
        std::vector<Vec3> x(2);
        x[0][k] = 0.9999999, x[1][k] = 1.0000001;
        EXPECT_EQ(weld_map(x, 1e-3).merged, 1u);
    }
}

TEST(Weld, AgreesWithComparingAllPairs)
{
    std::vector<Vec3> x;
    std::uint32_t state = 7;
    const auto random = [&] { return ((state = state * 1664525u + 1013904223u) >> 8) / double(1 << 24); };
    for (int i = 0; i < 600; ++i) x.push_back({random() - 0.5, random() - 0.5, random() - 0.5});
    for (const double tolerance : {0.01, 0.05, 0.2, 3.0}) {
        std::vector<std::int32_t> kept, expected;
        for (const Vec3& point : x) {
            std::size_t k = 0;
            while (k < kept.size() && norm(x[static_cast<std::size_t>(kept[k])] - point) > tolerance) ++k;
            expected.push_back(static_cast<std::int32_t>(k));
            if (k == kept.size()) kept.push_back(static_cast<std::int32_t>(expected.size()) - 1);
        }
        EXPECT_EQ(weld_map(x, tolerance).new_index, expected) << tolerance;
    }
}

TEST(Weld, TreatsMinusZeroAsZeroAndLeavesNaNAlone)
{
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const std::vector<Vec3> x = {{0, 0, 0}, {-0.0, 0, -0.0}, {nan, 0, 0}, {nan, 0, 0}};
    EXPECT_EQ(weld_map(x, 0).new_index, (std::vector<std::int32_t>{0, 0, 1, 2}));
    EXPECT_EQ(weld_map(x, 0.1).merged, 1u);
}

TEST(Weld, DropsWhatCollapsesAndFollowsGroups)
{
    TriMesh mesh;
    mesh.vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 0}};
    mesh.triangles = {{0, 1, 2}, {0, 3, 2}};
    mesh.lines = {{0, 3}, {1, 3}};
    mesh.groups = {{"all", {0, 1, 2, 3}}};
    const WeldReport report = weld(mesh);
    EXPECT_EQ(report.dropped_triangles, 1u);
    EXPECT_EQ(report.dropped_lines, 1u);
    EXPECT_EQ(mesh.lines, (std::vector<Edge>{{1, 0}}));
    EXPECT_EQ(mesh.groups[0].vertices, (std::vector<std::int32_t>{0, 1, 2}));
}

TEST(Weld, LeavesSeamsOfMaterialCoordinatesUnlessAskedToSew)
{
    // Two strips that touch along x = 1: cut from one piece at y = 0, from two at y = 1.
    TriMesh mesh;
    mesh.vertices = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {1, 0, 0}, {2, 0, 0}, {1, 1, 0}};
    mesh.triangles = {{0, 1, 2}, {3, 4, 5}};
    mesh.uv = {{0, 0}, {1, 0}, {1, 1}, {1, 0}, {2, 0}, {7, 7}};
    TriMesh kept = mesh, sewn = mesh, near = mesh;

    EXPECT_EQ(weld(kept).map.new_index, (std::vector<std::int32_t>{0, 1, 2, 1, 3, 4}));
    EXPECT_EQ(kept.uv, (std::vector<Uv>{{0, 0}, {1, 0}, {1, 1}, {2, 0}, {7, 7}}));
    EXPECT_EQ(kept.vertices.size(), kept.uv.size());

    EXPECT_EQ(weld(sewn, 0, UvSeams::sew).map.kept, 4u);
    EXPECT_EQ(sewn.uv, (std::vector<Uv>{{0, 0}, {1, 0}, {1, 1}, {2, 0}}));

    near.uv[5] = {1, 1.0005};
    EXPECT_EQ(weld(near, 1e-3).map.kept, 4u);
}

TEST(Weld, OfNothingIsNothing)
{
    TriMesh nothing;
    EXPECT_EQ(weld(nothing, 0.1).map.kept, 0u);
}

TEST(Quality, OfAnEquilateralTriangleIsPerfect)
{
    TriMesh mesh;
    mesh.vertices = {{0, 0, 0}, {1, 0, 0}, {0.5, std::sqrt(0.75), 0}};
    mesh.triangles = {{0, 1, 2}};
    const MeshQuality report = quality(mesh);
    EXPECT_NEAR(report.worst_aspect, 1, 1e-14);
    EXPECT_NEAR(report.smallest_angle, std::numbers::pi / 3, 1e-14);
    EXPECT_NEAR(report.largest_angle, std::numbers::pi / 3, 1e-14);
    EXPECT_NEAR(report.shortest_edge, 1, 1e-14);
    EXPECT_EQ(report.closedness.open_edges, 3u);
}

TEST(Quality, OfAGridKnowsItsEdgesAndAngles)
{
    const MeshQuality report = quality(grid(5, 5, 4, 4));
    EXPECT_DOUBLE_EQ(report.shortest_edge, 1);
    EXPECT_DOUBLE_EQ(report.longest_edge, std::sqrt(2.0));
    EXPECT_NEAR(report.smallest_angle, std::numbers::pi / 4, 1e-12);
    EXPECT_NEAR(report.largest_angle, std::numbers::pi / 2, 1e-12);
    EXPECT_EQ(report.edges, 2u * 5 * 4 + 16);
    EXPECT_EQ(report.components, 1u);
}

TEST(Quality, CountsWhatIsWrongAndSaysIt)
{
    TriMesh mesh = grid(2, 2, 1, 1);
    mesh.vertices.push_back({7, 7, 7});
    mesh.vertices.push_back(mesh.vertices[0]);
    mesh.vertices.push_back({0.5, 0, 1.5});
    mesh.vertices.push_back({0.5, 0, 2.5});
    mesh.triangles.push_back({3, 6, 7});
    mesh.triangles.push_back({mesh.triangles[0][1], mesh.triangles[0][2], mesh.triangles[0][0]});
    const MeshQuality report = quality(mesh);
    EXPECT_EQ(report.degenerate_triangles, 1u);
    EXPECT_EQ(report.duplicate_triangles, 1u);
    EXPECT_EQ(report.duplicate_vertices, 1u);
    EXPECT_EQ(report.isolated_vertices, 2u);
    const std::string text = to_text(report);
    EXPECT_NE(text.find("warning: 1 degenerate triangles"), std::string::npos) << text;
    EXPECT_NE(text.find("warning: 2 isolated vertices"), std::string::npos) << text;
}

TEST(Quality, OfAnEmptyOrLineMeshHasNoNaN)
{
    EXPECT_EQ(quality({}).shortest_edge, 0);
    const MeshQuality report = quality(chain(4, {0, 0, 0}, {3, 0, 0}));
    EXPECT_DOUBLE_EQ(report.mean_edge, 1);
    EXPECT_EQ(report.smallest_angle, 0);
    EXPECT_EQ(to_text(report).find("nan"), std::string::npos);
}

}  // namespace
}  // namespace pliant
