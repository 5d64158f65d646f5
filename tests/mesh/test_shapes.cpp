// SPDX-License-Identifier: MIT

// Generators: counts, closedness, orientation, volume, groups, order of vertices and lines.

#include <numbers>
#include <set>

#include <gtest/gtest.h>

#include <pliant/base/error.h>
#include <pliant/mesh/measure.h>
#include <pliant/mesh/shapes.h>
#include <pliant/mesh/topology.h>
#include <pliant/mesh/transform.h>

namespace pliant {
namespace {

double volume(const TriMesh& mesh)
{
    return signed_volume(mesh.vertices, mesh.triangles);
}

void expect_closed_outward(const TriMesh& mesh)
{
    const ClosednessReport report = closedness(mesh.triangles, mesh.vertices.size());
    EXPECT_EQ(to_text(report), "closed, manifold, oriented");
    EXPECT_GT(volume(mesh), 0);
}

std::size_t group_size(const TriMesh& mesh, const char* name)
{
    const VertexGroup* group = mesh.find_group(name);
    if (!group) return 0;
    EXPECT_TRUE(std::is_sorted(group->vertices.begin(), group->vertices.end()));
    return group->vertices.size();
}

TEST(Grid, IsRowMajorInTheHorizontalPlane)
{
    const TriMesh mesh = grid(3, 2, 4, 1);
    const std::vector<Vec3> expected = {{-2, 0, -0.5}, {0, 0, -0.5}, {2, 0, -0.5},
                                        {-2, 0, 0.5},  {0, 0, 0.5},  {2, 0, 0.5}};
    EXPECT_EQ(mesh.vertices, expected);
    const std::vector<Triangle> triangles = {{0, 3, 4}, {0, 4, 1}, {1, 4, 5}, {1, 5, 2}};
    EXPECT_EQ(mesh.triangles, triangles);
    EXPECT_NEAR(surface_area(mesh.vertices, mesh.triangles), 4.0, 1e-14);
}

TEST(Grid, AlternatingDiagonalsTurnEveryOtherSquare)
{
    const TriMesh mesh = grid(3, 2, 2, 1, {GridDiagonals::alternating, true});
    const std::vector<Triangle> triangles = {{0, 3, 4}, {0, 4, 1}, {1, 4, 2}, {2, 4, 5}};
    EXPECT_EQ(mesh.triangles, triangles);
}

TEST(Grid, JoinsEveryVertexToItsRightAndDownNeighbour)
{
    const std::vector<Edge> all = {{0, 1}, {0, 2}, {1, 3}, {2, 3}};
    EXPECT_EQ(grid(2, 2, 1, 1).lines, all);
    const TriMesh inner = grid(3, 3, 1, 1, {GridDiagonals::same, false});
    const std::vector<Edge> expected = {{1, 4}, {3, 4}, {4, 5}, {4, 7}};
    EXPECT_EQ(inner.lines, expected);
}

TEST(Grid, NamesItsEdges)
{
    const TriMesh mesh = grid(4, 3, 1, 1);
    EXPECT_EQ(mesh.find_group("left_edge")->vertices, (std::vector<std::int32_t>{0, 4, 8}));
    EXPECT_EQ(mesh.find_group("right_edge")->vertices, (std::vector<std::int32_t>{3, 7, 11}));
    EXPECT_EQ(mesh.find_group("back_edge")->vertices, (std::vector<std::int32_t>{0, 1, 2, 3}));
    EXPECT_EQ(mesh.find_group("front_edge")->vertices, (std::vector<std::int32_t>{8, 9, 10, 11}));
    EXPECT_EQ(mesh.find_group("corners")->vertices, (std::vector<std::int32_t>{0, 3, 8, 11}));
    EXPECT_EQ(group_size(mesh, "rim"), 10u);
}

TEST(Grid, IsExactlySymmetric)
{
    const TriMesh mesh = grid(8, 7, 0.3, 1.7);
    for (std::size_t v = 0; v < mesh.vertices.size(); ++v) {
        const Vec3& opposite = mesh.vertices[mesh.vertices.size() - 1 - v];
        EXPECT_EQ(mesh.vertices[v].x, -opposite.x);
        EXPECT_EQ(mesh.vertices[v].z, -opposite.z);
    }
    EXPECT_EQ(mesh.vertices.back().x, 0.15);
}

TEST(Box, IsClosedAndHasItsVolumeAndSixNamedFaces)
{
    const TriMesh mesh = box({1, 2, 3}, {2, 3, 4});
    expect_closed_outward(mesh);
    EXPECT_NEAR(volume(mesh), 6, 1e-13);
    EXPECT_EQ(mesh.vertices.size(), 3u * 4 * 5 - 1u * 2 * 3);
    EXPECT_EQ(mesh.triangles.size(), 2u * 2 * (2 * 3 + 3 * 4 + 4 * 2));
    EXPECT_EQ(group_size(mesh, "left"), 4u * 5);
    EXPECT_EQ(group_size(mesh, "top"), 3u * 5);
    EXPECT_EQ(group_size(mesh, "front"), 3u * 4);
    for (const std::int32_t v : mesh.find_group("top")->vertices)
        EXPECT_EQ(mesh.vertices[static_cast<std::size_t>(v)].y, 1.0);
    for (const std::int32_t v : mesh.find_group("back")->vertices)
        EXPECT_EQ(mesh.vertices[static_cast<std::size_t>(v)].z, -1.5);
}

TEST(Icosphere, HasTenTimesFourToTheSPlusTwoVertices)
{
    for (int s = 0; s <= 4; ++s) {
        const TriMesh mesh = icosphere(0.5, s);
        EXPECT_EQ(mesh.vertices.size(), 10u * (1u << (2 * s)) + 2);
        EXPECT_EQ(mesh.triangles.size(), 20u * (1u << (2 * s)));
        expect_closed_outward(mesh);
        for (const Vec3& x : mesh.vertices) EXPECT_NEAR(norm(x), 0.5, 1e-15);
    }
    EXPECT_NEAR(volume(icosphere(1, 5)), 4 * std::numbers::pi / 3, 0.01);
}

TEST(UvSphere, HasTwoPolesAndIsClosed)
{
    const TriMesh mesh = uv_sphere(1, 24, 12);
    EXPECT_EQ(mesh.vertices.size(), 24u * 11 + 2);
    EXPECT_EQ(mesh.triangles.size(), 24u * 11 * 2);
    expect_closed_outward(mesh);
    EXPECT_NEAR(volume(mesh), 4 * std::numbers::pi / 3, 0.15);
    EXPECT_EQ(mesh.vertices[static_cast<std::size_t>(mesh.find_group("top")->vertices[0])], (Vec3{0, 1, 0}));
    expect_closed_outward(uv_sphere(1, 3, 2));
}

TEST(Cylinder, CappedIsAPrismOfItsPolygon)
{
    const TriMesh mesh = cylinder(2, 3, 12, 4, true);
    expect_closed_outward(mesh);
    EXPECT_EQ(mesh.vertices.size(), 12u * 5 + 2);
    EXPECT_NEAR(volume(mesh), 3 * 0.5 * 12 * 4 * std::sin(std::numbers::pi / 6), 1e-12);
    EXPECT_EQ(group_size(mesh, "top_rim"), 12u);
}

TEST(Cylinder, OpenHasTwoRimsOfOpenEdges)
{
    const TriMesh mesh = cylinder(1, 1, 10, 1, false);
    const ClosednessReport report = closedness(mesh.triangles, mesh.vertices.size());
    EXPECT_EQ(report.open_edges, 20u);
    EXPECT_TRUE(report.is_oriented());
    for (const Vec3& normal : face_normals(mesh.vertices, mesh.triangles)) EXPECT_NEAR(normal.y, 0, 1e-15);
    EXPECT_GT(dot(vertex_normals(mesh.vertices, mesh.triangles)[0], mesh.vertices[0]), 0);
}

TEST(Torus, IsClosedAndNearsItsVolume)
{
    const TriMesh mesh = torus(1, 0.3, 60, 40);
    expect_closed_outward(mesh);
    EXPECT_EQ(mesh.vertices.size(), 2400u);
    EXPECT_NEAR(volume(mesh), 2 * std::numbers::pi * std::numbers::pi * 0.09, 0.02);
}

TEST(LiddedBox, OfTwentyTwoIsThePneumaticBoxOfTheThesis)
{
    const TriMesh mesh = lidded_box(22, 1.5, 0.75, 1.5);
    EXPECT_EQ(mesh.vertices.size(), 488u);
    EXPECT_EQ(mesh.lines.size(), 840u);
    EXPECT_EQ(mesh.triangles.size(), 2u * 21 * 21 + 4 * 22 + 2);
    expect_closed_outward(mesh);
    EXPECT_NEAR(volume(mesh), 1.6875, 1e-12);
    EXPECT_EQ(group_size(mesh, "lid"), 484u);
    EXPECT_EQ(group_size(mesh, "rim"), 84u);
    EXPECT_EQ(group_size(mesh, "walls"), 88u);
    EXPECT_EQ(mesh.find_group("floor")->vertices, (std::vector<std::int32_t>{484, 485, 486, 487}));
    EXPECT_EQ(mesh.vertices[0], (Vec3{-0.75, 0.75, -0.75}));
    EXPECT_EQ(mesh.vertices[484], (Vec3{-0.75, 0, -0.75}));
    EXPECT_EQ(mesh.vertices[487], (Vec3{0.75, 0, 0.75}));
}

TEST(LiddedBox, ListsItsSpringsInTheOrderOfTheThesis)
{
    const TriMesh mesh = lidded_box(4, 3, 1, 3);
    EXPECT_EQ(mesh.lines.size(), 2u * 3 * 2);
    const std::vector<Edge> first = {{1, 5}, {2, 6}, {4, 5}, {5, 6}, {5, 9}, {6, 7}, {6, 10}};
    EXPECT_TRUE(std::equal(first.begin(), first.end(), mesh.lines.begin()));
    expect_closed_outward(mesh);
    expect_closed_outward(lidded_box(2, 1, 1, 2));
}

TEST(Chain, HasLinesOnly)
{
    const TriMesh mesh = chain(5, {0, 1, 0}, {2, 1, 0});
    EXPECT_EQ(mesh.vertices.size(), 5u);
    EXPECT_EQ(mesh.vertices[1], (Vec3{0.5, 1, 0}));
    EXPECT_EQ(mesh.vertices[4], (Vec3{2, 1, 0}));
    EXPECT_EQ(mesh.lines.size(), 4u);
    EXPECT_TRUE(mesh.triangles.empty());
    EXPECT_EQ(group_size(mesh, "ends"), 2u);
}

TEST(Shapes, RefuseNumbersThatMakeNoShape)
{
    EXPECT_THROW(grid(1, 5, 1, 1), Error);
    EXPECT_THROW(grid(5, 5, 0, 1), Error);
    EXPECT_THROW(grid(5, 5, std::nan(""), 1), Error);
    EXPECT_THROW(grid(2'000'000'000, 2'000'000'000, 1, 1), Error);
    EXPECT_THROW(box({1, -1, 1}), Error);
    EXPECT_THROW(box({1, 1, 1}, {1, 0, 1}), Error);
    EXPECT_THROW(icosphere(1, 30), Error);
    EXPECT_THROW(icosphere(1, -1), Error);
    EXPECT_THROW(uv_sphere(1, 2, 5), Error);
    EXPECT_THROW(cylinder(1, 1, 2, 1, true), Error);
    EXPECT_THROW(torus(1, 2, 8, 8), Error);
    EXPECT_THROW(lidded_box(1, 1, 1, 1), Error);
    EXPECT_THROW(lidded_box(1'000'000, 1, 1, 1), Error);
    EXPECT_THROW(chain(1, {0, 0, 0}, {1, 0, 0}), Error);
    try {
        grid(1, 5, 1, 1);
    } catch (const Error& error) {
        EXPECT_STREQ(error.what(), "grid: 1 vertices along x, expected at least 2");
    }
}

TEST(Transforms, MoveTurnAndScaleVolumes)
{
    TriMesh mesh = box({1, 1, 1});
    translate(mesh, {1, 0, 0});
    rotate(mesh, {0, 0, 2}, std::numbers::pi / 2);
    EXPECT_NEAR(centroid(mesh.vertices).y, 1, 1e-15);
    EXPECT_NEAR(centroid(mesh.vertices).x, 0, 1e-15);
    scale(mesh, 2);
    EXPECT_NEAR(volume(mesh), 8, 1e-13);
    rotate(mesh, {1, 2, 3}, 0.7, {5, 5, 5});
    EXPECT_NEAR(volume(mesh), 8, 1e-12);
}

TEST(Transforms, MirroringKeepsTheOutsideOutside)
{
    TriMesh mesh = icosphere(1, 1);
    const double before = volume(mesh);
    scale(mesh, {-1, 1, 1});
    EXPECT_NEAR(volume(mesh), before, 1e-14);
}

TEST(Transforms, MaterialCoordinatesAreLengthsThatOnlyScalingChanges)
{
    const TriMesh before = grid(3, 3, 2, 1);
    TriMesh mesh = before;
    translate(mesh, {1, 2, 3});
    rotate(mesh, {1, 2, 3}, 0.7);
    EXPECT_EQ(mesh.uv, before.uv);
    scale(mesh, 0.01);
    EXPECT_EQ(mesh.uv.back(), (Uv{0.02, 0.01}));
    scale(mesh, -100);
    EXPECT_EQ(mesh.uv.back(), (Uv{2, 1}));
    scale(mesh, {1, -1, 1});
    EXPECT_EQ(mesh.uv.back(), (Uv{2, 1}));
    scale(mesh, {1.1, 1, 1});  // a stretched cloth
    EXPECT_EQ(mesh.uv.back(), (Uv{2, 1}));
}

TEST(Append, KeepsMaterialCoordinatesWhereBothMeshesHaveThem)
{
    TriMesh mesh;
    append(mesh, grid(2, 2, 1, 1));
    append(mesh, disc(1, 1));
    ASSERT_EQ(mesh.uv.size(), 4u + 7u);
    EXPECT_EQ(mesh.uv[3], (Uv{1, 1}));
    EXPECT_EQ(mesh.uv[4], (Uv{0, 0}));
    append(mesh, box({1, 1, 1}));
    EXPECT_TRUE(mesh.uv.empty());
    append(mesh, grid(2, 2, 1, 1));
    EXPECT_TRUE(mesh.uv.empty());
}

TEST(Append, ShiftsIndicesAndUnitesGroups)
{
    TriMesh mesh = chain(3, {0, 0, 0}, {1, 0, 0});
    append(mesh, grid(2, 2, 1, 1));
    append(mesh, mesh);
    EXPECT_EQ(mesh.vertices.size(), 14u);
    EXPECT_EQ(mesh.triangles[2], (Triangle{10, 12, 13}));
    EXPECT_EQ(mesh.lines[2], (Edge{3, 4}));
    EXPECT_EQ(mesh.find_group("ends")->vertices, (std::vector<std::int32_t>{0, 2, 7, 9}));
    EXPECT_EQ(group_size(mesh, "rim"), 8u);
}

}  // namespace
}  // namespace pliant
