// SPDX-License-Identifier: MIT

// Cloth: material coordinates of grids, the disc, the T-shirt: flatness, areas, seams, openings, groups.

#include <algorithm>
#include <numbers>
#include <set>

#include <gtest/gtest.h>

#include <pliant/base/error.h>
#include <pliant/mesh/measure.h>
#include <pliant/mesh/quality.h>
#include <pliant/mesh/shapes.h>
#include <pliant/mesh/topology.h>

namespace pliant {
namespace {

double degrees(double radians)
{
    return radians * 180 / std::numbers::pi;
}

double uv_area(const TriMesh& mesh, const Triangle& t)
{
    const Uv &a = mesh.uv[static_cast<std::size_t>(t[0])], &b = mesh.uv[static_cast<std::size_t>(t[1])],
             &c = mesh.uv[static_cast<std::size_t>(t[2])];
    return ((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])) / 2;
}

Vec3 area_vector_of(const TriMesh& mesh, const Triangle& t)
{
    return area_vector(mesh.vertices[static_cast<std::size_t>(t[0])], mesh.vertices[static_cast<std::size_t>(t[1])],
                       mesh.vertices[static_cast<std::size_t>(t[2])]);
}

/// Largest relative difference between an edge's length in space and in material coordinates.
double worst_stretch(const TriMesh& mesh)
{
    double worst = 0;
    for (const auto& [a, b] : edge_table(mesh.triangles).edges) {
        const Uv &p = mesh.uv[static_cast<std::size_t>(a)], &q = mesh.uv[static_cast<std::size_t>(b)];
        const double rest = std::hypot(q[0] - p[0], q[1] - p[1]);
        const double length =
            norm(mesh.vertices[static_cast<std::size_t>(b)] - mesh.vertices[static_cast<std::size_t>(a)]);
        worst = std::max(worst, std::abs(length / rest - 1));
    }
    return worst;
}

std::vector<std::int32_t> group_of(const TriMesh& mesh, const char* name)
{
    const VertexGroup* group = mesh.find_group(name);
    EXPECT_NE(group, nullptr) << name;
    if (!group) return {};
    EXPECT_TRUE(std::is_sorted(group->vertices.begin(), group->vertices.end())) << name;
    return group->vertices;
}

Vec3 middle_of(const TriMesh& mesh, const char* name)
{
    std::vector<Vec3> points;
    for (const std::int32_t v : group_of(mesh, name)) points.push_back(mesh.vertices[static_cast<std::size_t>(v)]);
    return centroid(points);
}

std::set<std::int32_t> border_of(const TriMesh& mesh)
{
    std::set<std::int32_t> border;
    for (const auto& loop : boundary_loops(mesh.triangles, mesh.vertices.size()))
        border.insert(loop.begin(), loop.end());
    return border;
}

TEST(GridUv, IsTheRestShapeFromZero)
{
    for (const GridDiagonals diagonals : {GridDiagonals::same, GridDiagonals::alternating, GridDiagonals::cross}) {
        const TriMesh mesh = grid(4, 3, 1.5, 0.8, {.diagonals = diagonals});
        ASSERT_EQ(mesh.uv.size(), mesh.vertices.size());
        EXPECT_EQ(mesh.uv.front(), (Uv{0, 0}));
        EXPECT_EQ(mesh.uv[11], (Uv{1.5, 0.8}));
        EXPECT_LT(worst_stretch(mesh), 1e-14);
    }
}

TEST(GridUv, IsNotClaimedByALiddedBox)
{
    EXPECT_TRUE(lidded_box(4, 1, 1, 1).uv.empty());
}

TEST(GridCross, PutsFourTrianglesAroundTheMiddleOfEverySquare)
{
    const TriMesh mesh = grid(3, 2, 2, 1, {.diagonals = GridDiagonals::cross});
    ASSERT_EQ(mesh.vertices.size(), 8u);
    EXPECT_EQ(mesh.vertices[6], (Vec3{-0.5, 0, 0}));
    EXPECT_EQ(mesh.vertices[7], (Vec3{0.5, 0, 0}));
    const std::vector<Triangle> triangles = {{0, 3, 6}, {3, 4, 6}, {4, 1, 6}, {1, 0, 6},
                                             {1, 4, 7}, {4, 5, 7}, {5, 2, 7}, {2, 1, 7}};
    EXPECT_EQ(mesh.triangles, triangles);
    for (const Triangle& t : mesh.triangles) EXPECT_NEAR(area_vector_of(mesh, t).y, 0.25, 1e-15);
    EXPECT_EQ(mesh.lines.size(), 7u + 8u);
    EXPECT_EQ(mesh.lines.back(), (Edge{5, 7}));
    EXPECT_EQ(group_of(mesh, "rim").size(), 6u);
}

TEST(Disc, HasRingsOfSixTimesTheirNumber)
{
    for (const int rings : {1, 2, 7, 30}) {
        const TriMesh mesh = disc(0.15, rings);
        EXPECT_EQ(mesh.vertices.size(), static_cast<std::size_t>(3 * rings * (rings + 1) + 1));
        EXPECT_EQ(mesh.triangles.size(), static_cast<std::size_t>(6 * rings * rings));
        EXPECT_EQ(euler_characteristic(mesh.triangles), 1);
        const ClosednessReport report = closedness(mesh.triangles, mesh.vertices.size());
        EXPECT_TRUE(report.is_manifold() && report.is_oriented()) << to_text(report);
        EXPECT_EQ(report.open_edges, static_cast<std::size_t>(6 * rings));
        for (const Triangle& t : mesh.triangles) EXPECT_GT(area_vector_of(mesh, t).y, 0);
        EXPECT_LT(worst_stretch(mesh), 1e-15);
    }
}

TEST(Disc, ConvergesToTheAreaOfACircleWithEvenTriangles)
{
    // A polygon of 6n corners in a circle.
    const double polygon = 180 * 0.5 * std::sin(2 * std::numbers::pi / 180);
    EXPECT_NEAR(surface_area(disc(1, 30).vertices, disc(1, 30).triangles), polygon, 1e-12);
    const MeshQuality report = quality(disc(1, 30));
    EXPECT_GT(degrees(report.smallest_angle), 43);
    EXPECT_LT(report.longest_edge, 1.5 * report.shortest_edge);
}

TEST(Disc, NamesItsCentreItsRimAndItsInnerPart)
{
    const TriMesh mesh = disc(0.15, 10, 0.09);
    EXPECT_EQ(group_of(mesh, "centre"), (std::vector<std::int32_t>{0}));
    const std::vector<std::int32_t> rim = group_of(mesh, "rim"), inner = group_of(mesh, "inner");
    EXPECT_EQ(rim.size(), 60u);
    for (const std::int32_t v : rim) EXPECT_NEAR(norm(mesh.vertices[static_cast<std::size_t>(v)]), 0.15, 1e-15);
    EXPECT_EQ(border_of(mesh), std::set<std::int32_t>(rim.begin(), rim.end()));
    EXPECT_EQ(inner.size(), 1u + 3 * 6 * 7);  // ring 6 lies at 0.09 and belongs to it
    EXPECT_EQ(disc(0.15, 10).find_group("inner"), nullptr);
}

TEST(TShirt, IsASphereWithFourHolesAtEveryResolution)
{
    for (const int n : {8, 9, 10, 11, 12, 13, 17, 24, 41, 60}) {
        const TriMesh mesh = t_shirt(0.52, 0.72, n);
        const ClosednessReport report = closedness(mesh.triangles, mesh.vertices.size());
        EXPECT_TRUE(report.is_manifold() && report.is_oriented()) << n << ": " << to_text(report);
        EXPECT_EQ(euler_characteristic(mesh.triangles), 2 - 4) << n;
        EXPECT_EQ(boundary_loops(mesh.triangles, mesh.vertices.size()).size(), 4u) << n;
        EXPECT_EQ(connected_components(mesh.vertices.size(), mesh.triangles).count, 1u) << n;
    }
}

TEST(TShirt, OpensAtNeckHemAndCuffsOnly)
{
    const TriMesh mesh = t_shirt(0.52, 0.72, 20);
    std::set<std::int32_t> openings;
    for (const char* name : {"neck", "hem", "left_cuff", "right_cuff"})
        for (const std::int32_t v : group_of(mesh, name)) EXPECT_TRUE(openings.insert(v).second) << name;
    EXPECT_EQ(border_of(mesh), openings);
    EXPECT_EQ(middle_of(mesh, "hem").y, 0);
    EXPECT_GT(middle_of(mesh, "neck").y, 0.65);
    EXPECT_LT(middle_of(mesh, "left_cuff").x, -0.26);
    EXPECT_GT(middle_of(mesh, "right_cuff").x, 0.26);
    EXPECT_EQ(group_of(mesh, "left_cuff").size(), group_of(mesh, "right_cuff").size());
    EXPECT_EQ(group_of(mesh, "hem").size(), 40u);
}

TEST(TShirt, PanelsShareTheSeamsAndNothingElse)
{
    const TriMesh mesh = t_shirt(0.5, 0.7, 16);
    const std::vector<std::int32_t> seams = group_of(mesh, "seams"), shoulders = group_of(mesh, "shoulders");
    const std::set<std::int32_t> sewn(seams.begin(), seams.end());
    for (std::size_t v = 0; v < mesh.vertices.size(); ++v)
        EXPECT_EQ(mesh.vertices[v].z == 0, sewn.count(static_cast<std::int32_t>(v)) == 1) << v;
    EXPECT_TRUE(std::includes(seams.begin(), seams.end(), shoulders.begin(), shoulders.end()));
    EXPECT_GT(middle_of(mesh, "shoulders").y, 0.65);
    // No triangle lies in the plane of the seams, where it would touch the other panel.
    for (const Triangle& t : mesh.triangles) EXPECT_LT(sewn.count(t[0]) + sewn.count(t[1]) + sewn.count(t[2]), 3u);
    const BoundingBox bounds = bounding_box(mesh.vertices);
    EXPECT_LE(bounds.size().z, 0.5 / 50);
    EXPECT_GT(bounds.size().z, 0.5 / 100);
}

TEST(TShirt, FacesOutwards)
{
    const TriMesh mesh = t_shirt(0.52, 0.72, 18);
    std::size_t front = 0;
    for (const Triangle& t : mesh.triangles) {
        double z = 0;
        for (const std::int32_t v : t) z += mesh.vertices[static_cast<std::size_t>(v)].z;
        EXPECT_GT(area_vector_of(mesh, t).z * z, 0);
        front += z > 0 ? 1 : 0;
    }
    EXPECT_EQ(2 * front, mesh.triangles.size());
}

TEST(TShirt, IsFlatInItsMaterialCoordinatesAndNearlySoInSpace)
{
    const TriMesh mesh = t_shirt(0.52, 0.72, 40);
    ASSERT_EQ(mesh.uv.size(), mesh.vertices.size());
    EXPECT_LT(worst_stretch(mesh), 1e-3);
    for (const Triangle& t : mesh.triangles) {
        const Vec3 area = area_vector_of(mesh, t);
        // Seen along z a panel is its own pattern, to the bit; the back is seen from behind.
        EXPECT_NEAR(uv_area(mesh, t), area.z, 1e-15);
        EXPECT_NEAR(std::abs(uv_area(mesh, t)), norm(area), 2e-3 * norm(area));
    }
}

TEST(TShirt, HasTheAreaOfItsPatternAtEveryResolution)
{
    // Body below the shoulders' ends, shoulders, sleeves, less the arcs of the neck; in units of the width.
    const double height = 0.72 / 0.52;
    const auto arc = [](double half, double depth) {
        const double r = (half * half + depth * depth) / (2 * depth), angle = std::asin(half / r);
        return r * r * (angle - std::sin(angle) * std::cos(angle));
    };
    const double body = height - 0.08 + 0.08 * (1 + 0.36) / 2;
    const double a = 25 * std::numbers::pi / 180, c = 15 * std::numbers::pi / 180;
    const double top_x = 0.4 * std::cos(a), top_y = -0.4 * std::sin(a);
    const double low_x = top_x - 0.34 * std::sin(c), low_y = top_y - 0.34 * std::cos(c);
    // Diagonals of the quadrilateral shoulder (0, 0), underarm (0, -0.42), cuff.
    const double sleeve = 0.5 * std::abs(low_x * (top_y + 0.42) - low_y * top_x);
    const double expected = 0.52 * 0.52 * (2 * body + 4 * sleeve - arc(0.18, 0.12) - arc(0.18, 0.04));
    for (const int n : {10, 20, 80}) {
        const TriMesh mesh = t_shirt(0.52, 0.72, n);
        double area = 0;
        for (const Triangle& t : mesh.triangles) area += std::abs(uv_area(mesh, t));
        EXPECT_NEAR(area, expected, expected * 0.5 / (n * n)) << n;
    }
}

TEST(TShirt, HasEvenTriangles)
{
    for (const int n : {8, 20, 50}) {
        const MeshQuality report = quality(t_shirt(0.52, 0.72, n));
        EXPECT_GT(degrees(report.smallest_angle), 25) << n;
        EXPECT_LT(degrees(report.largest_angle), 100) << n;
        EXPECT_NEAR(report.mean_edge, 1.1 * 0.52 / n, 0.1 * 0.52 / n) << n;
        EXPECT_GT(report.shortest_edge, 0.5 * 0.52 / n) << n;
        EXPECT_EQ(report.degenerate_triangles, 0u) << n;
        EXPECT_EQ(report.isolated_vertices, 0u) << n;
    }
}

TEST(TShirt, IsTheSameOnBothSides)
{
    for (const int n : {16, 17}) {
        const TriMesh mesh = t_shirt(0.5, 0.7, n);
        const auto less = [](const Vec3& a, const Vec3& b) {
            return std::tie(a.x, a.y, a.z) < std::tie(b.x, b.y, b.z);
        };
        std::set<Vec3, decltype(less)> points(mesh.vertices.begin(), mesh.vertices.end(), less);
        for (const Vec3& x : mesh.vertices) EXPECT_EQ(points.count({-x.x, x.y, x.z}), 1u) << n << ": " << x.x;
    }
}

std::string words_of(void (*make)())
{
    try {
        make();
    } catch (const Error& error) {
        return error.what();
    }
    return "nothing was refused";
}

TEST(ClothShapes, RefuseImpossibleNumbersInWords)
{
    EXPECT_NE(words_of([] { disc(0, 5); }).find("disc: the radius is 0, expected a length above 0"), std::string::npos);
    EXPECT_NE(words_of([] { disc(1, 0); }).find("0 rings, expected at least 1"), std::string::npos);
    EXPECT_NE(words_of([] { disc(1, 5, 1); }).find("radius - inner_radius"), std::string::npos);
    EXPECT_NE(words_of([] { disc(1, 5, -1); }).find("the inner radius is -1"), std::string::npos);
    EXPECT_NE(words_of([] { disc(1, 1'000'000); }).find("vertices asked for"), std::string::npos);
    EXPECT_NE(words_of([] { t_shirt(-1, 1, 20); }).find("the width is -1"), std::string::npos);
    EXPECT_NE(words_of([] { t_shirt(1, 0, 20); }).find("the height is 0"), std::string::npos);
    EXPECT_NE(words_of([] { t_shirt(1, 0.7, 20); }).find("the height is 0.7 and the width 1, expected at least 0.8"),
              std::string::npos);
    EXPECT_NE(words_of([] { t_shirt(0.5, 0.7, 7); }).find("7 columns across the chest, expected at least 8"),
              std::string::npos);
    EXPECT_NE(words_of([] { t_shirt(0.5, 0.7, 100'000); }).find("vertices asked for"), std::string::npos);
    EXPECT_EQ(words_of([] { t_shirt(1, 0.8, 8); }), "nothing was refused");
}

}  // namespace
}  // namespace pliant
