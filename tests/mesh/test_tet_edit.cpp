// SPDX-License-Identifier: MIT

// Moving, gluing, cutting away, ten-node tetrahedra; and the quality report that judges them.

#include <algorithm>
#include <string>

#include <pliant/mesh/tet_edit.h>
#include <pliant/mesh/tet_shapes.h>
#include <pliant/mesh/transform.h>

#include "mesh/tet_checks.h"

namespace pliant {
namespace {

TetMesh regular_tet()
{
    TetMesh mesh;
    mesh.vertices = {{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}};
    mesh.tets = {{0, 1, 2, 3}};
    orient_positively(mesh);
    return mesh;
}

TEST(TetTransform, KeepsTetsPositiveAndVolumesRight)
{
    TetMesh mesh = tet_ball(1, 2);
    const double before = volume(mesh);
    translate(mesh, {1, 2, 3});
    rotate(mesh, {1, 1, 0}, 0.7, {5, 5, 5});
    EXPECT_NEAR(volume(mesh), before, 1e-12);
    scale(mesh, {2, -1, 3});
    EXPECT_NEAR(volume(mesh), 6 * before, 1e-11);
    scale(mesh, -1);
    transform(mesh, Mat3{{{0, 1, 0}, {1, 0, 0}, {0, 0, 1}}}, {1, 1, 1});
    EXPECT_NEAR(volume(mesh), 6 * before, 1e-11);
    expect_sound(mesh);
}

TEST(TetTransform, RotatesByTheRightHandRule)
{
    TetMesh mesh = regular_tet();
    mesh.vertices[0] = {1, 0, 0};
    rotate(mesh, {0, 0, 2}, std::numbers::pi / 2, {0, 1, 0});
    EXPECT_NEAR(norm(mesh.vertices[0] - Vec3{1, 2, 0}), 0, 1e-15);
}

TEST(OrientPositively, SwapsOnlyTheInverted)
{
    TetMesh mesh = tet_block({1, 1, 1}, {2, 2, 2});
    const std::vector<Tet> good = mesh.tets;
    std::swap(mesh.tets[5][0], mesh.tets[5][1]);
    std::swap(mesh.tets[7][2], mesh.tets[7][3]);
    EXPECT_EQ(quality(mesh).inverted_tets, 2u);
    EXPECT_EQ(orient_positively(mesh), 2u);
    EXPECT_EQ(mesh.tets[7], good[7]);
    EXPECT_EQ(mesh.tets[6], good[6]);
    expect_sound(mesh);
}

TEST(Append, ShiftsIndicesAndUnitesGroupsAndRegions)
{
    TetMesh mesh = tet_block({1, 1, 1}, {1, 1, 1});
    TetMesh other = mesh;
    other.region.assign(6, 4);
    append(mesh, other);
    EXPECT_EQ(mesh.vertices.size(), 16u);
    EXPECT_EQ(mesh.region, (std::vector<std::int32_t>{0, 0, 0, 0, 0, 0, 4, 4, 4, 4, 4, 4}));
    EXPECT_EQ(mesh.find_group("left")->vertices, (std::vector<std::int32_t>{0, 2, 4, 6, 8, 10, 12, 14}));
    append(mesh, mesh);
    EXPECT_EQ(mesh.tets.size(), 24u);
    EXPECT_EQ(connected_components(mesh.vertices.size(), mesh.tets).count, 4u);
}

TEST(Glue, MakesOneBodyOfTwoBlocks)
{
    TetMesh left = tet_block({1, 1, 1}, {2, 3, 3}), right = tet_block({1, 1, 1}, {3, 3, 3});
    translate(right, {1 + 1e-9, 0, 0});
    const GlueReport report = glue(left, right, 1e-6);
    EXPECT_EQ(report.merged, 16u);
    EXPECT_EQ(left.vertices.size(), 48u + 64 - 16);
    expect_sound(left);
    EXPECT_NEAR(volume(left), 2, 1e-8);
    EXPECT_EQ(left.find_group("left")->vertices.size(), 32u);
    for (std::size_t v = 0; v < report.new_vertex.size(); ++v)
        EXPECT_LT(norm(left.vertices[static_cast<std::size_t>(report.new_vertex[v])] - right.vertices[v]), 2e-9);
}

TEST(Glue, LeavesTheCracksOfEitherBodyOpen)
{
    TetMesh cracked = tet_block({1, 1, 1}, {1, 1, 1}), other = cracked, third = cracked;
    translate(other, {1, 0, 0});
    append(cracked, other);
    translate(third, {2, 0, 0});
    EXPECT_EQ(glue(cracked, third, 1e-9).merged, 4u);
    EXPECT_EQ(cracked.vertices.size(), 20u);
    EXPECT_EQ(quality(cracked).duplicate_vertices, 4u);
}

TEST(Glue, RefusesATolerantSwallowingOfTetsAndKeepsTheMesh)
{
    TetMesh mesh = tet_block({1, 1, 1}, {1, 1, 1});
    TetMesh small = tet_block({0.1, 0.1, 0.1}, {1, 1, 1});
    translate(small, {0.5, 0.5, 0.5});
    const std::string message = message_of([&] { glue(mesh, small, 0.2); });
    EXPECT_NE(message.find("merges two corners of tetrahedron"), std::string::npos) << message;
    EXPECT_EQ(mesh.vertices.size(), 8u);
    EXPECT_EQ(mesh.tets.size(), 6u);
    EXPECT_NE(message_of([&] { glue(mesh, small, -1); }).find("the tolerance is -1"), std::string::npos);
}

TEST(RemoveTets, DropsUnusedVerticesAndMapsTheRest)
{
    TetMesh mesh = tet_block({4, 1, 1}, {4, 1, 1});
    mesh.region.resize(mesh.tets.size());
    for (std::size_t t = 0; t < mesh.tets.size(); ++t) mesh.region[t] = static_cast<std::int32_t>(t);
    const TetMesh before = mesh;
    const auto middle_x = [&](std::int32_t t) {
        double sum = 0;
        for (const std::int32_t v : before.tets[static_cast<std::size_t>(t)])
            sum += before.vertices[static_cast<std::size_t>(v)].x;
        return sum / 4;
    };
    const TetRemoval removal = remove_tets_if(mesh, [&](std::int32_t t) { return middle_x(t) < 0; });
    EXPECT_EQ(removal.removed_tets, 12u);
    EXPECT_EQ(removal.dropped_vertices, 8u);
    expect_sound(mesh);
    EXPECT_NEAR(volume(mesh), 2, 1e-14);
    EXPECT_TRUE(mesh.find_group("left")->vertices.empty());
    EXPECT_EQ(mesh.find_group("right")->vertices.size(), 4u);
    for (std::size_t v = 0; v < before.vertices.size(); ++v)
        if (const std::int32_t n = removal.new_vertex[v]; n >= 0) {
            EXPECT_EQ(mesh.vertices[static_cast<std::size_t>(n)], before.vertices[v]);
        }
    for (std::size_t t = 0; t < before.tets.size(); ++t)
        if (const std::int32_t n = removal.new_tet[t]; n >= 0) {
            EXPECT_EQ(mesh.region[static_cast<std::size_t>(n)], static_cast<std::int32_t>(t));
        }
}

TEST(RemoveTets, ByNumberMindsTheRange)
{
    TetMesh mesh = tet_block({1, 1, 1}, {1, 1, 1}, CellCut::five_tets);
    const std::vector<std::int32_t> corners = {3, 0, 1, 2, 1};
    EXPECT_EQ(remove_tets(mesh, corners).removed_tets, 4u);
    EXPECT_EQ(mesh.vertices.size(), 4u);
    EXPECT_NEAR(volume(mesh), 1.0 / 3, 1e-15);
    const std::vector<std::int32_t> wrong = {1};
    EXPECT_NE(message_of([&] { remove_tets(mesh, wrong); }).find("there is no tetrahedron 1"), std::string::npos);
}

TEST(Quadratic, PutsNodesAmidTheEdgesInTheUsualOrder)
{
    const TetMesh mesh = tet_block({2, 1, 1}, {2, 2, 1});
    const QuadraticTets quadratic_tets = quadratic(mesh);
    ASSERT_EQ(quadratic_tets.tets.size(), mesh.tets.size());
    EXPECT_EQ(quadratic_tets.nodes.size(), mesh.vertices.size() + quadratic_tets.edges.size());
    constexpr int kEnds[6][2] = {{0, 1}, {1, 2}, {0, 2}, {0, 3}, {1, 3}, {2, 3}};
    for (const auto& tet : quadratic_tets.tets)
        for (std::size_t e = 0; e < 6; ++e) {
            const auto node = [&](std::size_t i) { return quadratic_tets.nodes[static_cast<std::size_t>(tet[i])]; };
            const Vec3 middle =
                (node(static_cast<std::size_t>(kEnds[e][0])) + node(static_cast<std::size_t>(kEnds[e][1]))) * 0.5;
            EXPECT_EQ(node(4 + e), middle);
        }
}

TEST(Quadratic, GroupsGrowAlongTheSurfaceOnly)
{
    const TetMesh mesh = tet_block({1, 1, 1}, {1, 1, 1});
    const QuadraticTets quadratic_tets = quadratic(mesh);
    EXPECT_EQ(quadratic_tets.nodes.size(), 27u);
    const auto group = [&](const char* name) {
        const auto found = std::find_if(quadratic_tets.groups.begin(), quadratic_tets.groups.end(),
                                        [&](const VertexGroup& g) { return g.name == name; });
        return found->vertices;
    };
    EXPECT_EQ(group("left").size(), 9u);
    for (const std::int32_t v : group("left")) EXPECT_EQ(quadratic_tets.nodes[static_cast<std::size_t>(v)].x, -0.5);
    // All but the node amid the cell's inner diagonal.
    EXPECT_EQ(group("surface").size(), 26u);
    const QuadraticTets torus_tets = quadratic(tet_torus(4, 1));
    EXPECT_EQ(torus_tets.groups[0].name, "core");
    EXPECT_EQ(torus_tets.groups[0].vertices.size(), 40u);
}

TEST(Quadratic, SurfaceIsCutInFourAndStaysClosed)
{
    const TetMesh mesh = tet_ball(1, 2);
    const QuadraticTets quadratic_tets = quadratic(mesh);
    const std::vector<Triangle> faces = boundary_faces(quadratic_tets);
    EXPECT_EQ(faces.size(), 4u * 80);
    EXPECT_EQ(to_text(closedness(faces, quadratic_tets.nodes.size())), "closed, manifold, oriented");
    EXPECT_NEAR(signed_volume(quadratic_tets.nodes, faces), volume(mesh), 1e-13);
}

TEST(TetQualityOf, ARegularTetIsPerfect)
{
    const TetQuality report = quality(regular_tet());
    EXPECT_NEAR(report.worst_aspect, 1, 1e-14);
    EXPECT_NEAR(report.smallest_angle, std::acos(1.0 / 3), 1e-14);
    EXPECT_NEAR(report.largest_angle, std::acos(1.0 / 3), 1e-14);
    EXPECT_NEAR(report.volume, 8.0 / 3, 1e-14);
    EXPECT_NEAR(report.mean_edge, std::sqrt(8.0), 1e-14);
    EXPECT_EQ(report.worst_tet, 0);
}

TEST(TetQualityOf, ACornerTetIsKnown)
{
    const Vec3 o, x{1, 0, 0}, y{0, 1, 0}, z{0, 0, 1};
    const auto angles = dihedral_angles(o, x, y, z);
    const double slanted = std::acos(1 / std::sqrt(3.0)), right = std::numbers::pi / 2;
    const std::array expected{right, slanted, right, right, slanted, slanted};
    for (std::size_t e = 0; e < 6; ++e) EXPECT_NEAR(angles[e], expected[e], 1e-14) << e;
    // R = sqrt(3)/2 and r = (3 - sqrt(3))/6.
    EXPECT_NEAR(tet_aspect(o, x, y, z), std::sqrt(3.0) / 2 / ((3 - std::sqrt(3.0)) / 2), 1e-14);
    EXPECT_EQ(tet_aspect(o, x, y, x + y), std::numeric_limits<double>::infinity());
}

TEST(TetQualityOf, ABadMeshNamesWhatIsWrong)
{
    TetMesh mesh = tet_block({1, 1, 1}, {1, 1, 1});
    std::swap(mesh.tets[4][0], mesh.tets[4][1]);
    mesh.vertices.insert(mesh.vertices.end(), {{9, 9, 9}, {2, 0, 0}, {3, 0, 0}, {4, 0, 0}, {5, 0, 1e-14}});
    mesh.tets.push_back({9, 10, 11, 12});
    mesh.tets.push_back(mesh.tets[0]);
    const TetQuality report = quality(mesh);
    EXPECT_FALSE(report.is_usable());
    EXPECT_EQ(report.inverted_tets, 1u);
    EXPECT_EQ(report.degenerate_tets, 1u);
    EXPECT_EQ(report.duplicate_tets, 1u);
    EXPECT_GT(report.overfull_faces, 0u);
    EXPECT_EQ(report.isolated_vertices, 1u);
    EXPECT_EQ(report.components, 2u);
    const std::string text = to_text(report);
    for (const char* words : {"1 inverted tetrahedra (negative volume), the first is number 4",
                              "1 degenerate tetrahedra (no volume), the first is number 6",
                              "1 isolated vertices (in no tetrahedron), the first is number 8"})
        EXPECT_NE(text.find(words), std::string::npos) << text;
}

TEST(TetQualityOf, NothingHasNoNaN)
{
    const TetQuality report = quality(TetMesh{});
    EXPECT_FALSE(report.is_usable());
    EXPECT_EQ(to_text(report).find("nan"), std::string::npos);
}

}  // namespace
}  // namespace pliant
