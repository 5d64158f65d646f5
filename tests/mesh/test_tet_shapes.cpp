// SPDX-License-Identifier: MIT

// Volume shapes: counts, exact and converging volumes, conforming faces, groups, quality, bad numbers.

#include <algorithm>
#include <string>

#include <pliant/mesh/tet_shapes.h>

#include "mesh/tet_checks.h"

namespace pliant {
namespace {

constexpr CellCut kPatterns[] = {CellCut::six_tets, CellCut::five_tets, CellCut::bcc};

std::size_t group_size(const TetMesh& mesh, const char* name)
{
    const VertexGroup* group = mesh.find_group(name);
    if (!group) return 0;
    EXPECT_TRUE(std::is_sorted(group->vertices.begin(), group->vertices.end()));
    return group->vertices.size();
}

TEST(TetBlock, FillsItsVolumeExactlyInEveryPattern)
{
    for (const CellCut pattern : kPatterns)
        for (const auto& cells : {std::array{1, 1, 1}, std::array{3, 2, 4}, std::array{2, 5, 1}, std::array{4, 4, 4}}) {
            const TetMesh mesh = tet_block({2, 0.5, 3}, cells, pattern);
            SCOPED_TRACE(std::to_string(cells[0]) + " " + std::to_string(cells[1]) + " " + std::to_string(cells[2]));
            expect_sound(mesh);
            EXPECT_NEAR(volume(mesh), 3, 1e-13);
            const BoundingBox box = bounding_box(mesh.vertices);
            EXPECT_EQ(box.lowest, (Vec3{-1, -0.25, -1.5}));
            EXPECT_EQ(box.highest, (Vec3{1, 0.25, 1.5}));
        }
}

TEST(TetBlock, HasTheCountsOfItsPattern)
{
    const std::array cells{3, 2, 4};
    EXPECT_EQ(tet_block({1, 1, 1}, cells).tets.size(), 6u * 24);
    EXPECT_EQ(tet_block({1, 1, 1}, cells, CellCut::five_tets).tets.size(), 5u * 24);
    const TetMesh bcc = tet_block({1, 1, 1}, cells, CellCut::bcc);
    // Four round each of the 46 inner squares, two behind each of the 52 outer ones.
    EXPECT_EQ(bcc.tets.size(), 4u * (2 * 2 * 4 + 3 * 1 * 4 + 3 * 2 * 3) + 2u * 2 * (6 + 8 + 12));
    EXPECT_EQ(bcc.vertices.size(), 60u + 24);
}

TEST(TetBlock, NamesItsSides)
{
    for (const CellCut pattern : kPatterns) {
        const TetMesh mesh = tet_block({1, 2, 3}, {3, 2, 4}, pattern);
        EXPECT_EQ(group_size(mesh, "left"), 15u);
        EXPECT_EQ(group_size(mesh, "top"), 20u);
        EXPECT_EQ(group_size(mesh, "front"), 12u);
        EXPECT_EQ(group_size(mesh, "surface"), 60u - 2 * 1 * 3);
        for (const std::int32_t v : mesh.find_group("bottom")->vertices)
            EXPECT_EQ(mesh.vertices[static_cast<std::size_t>(v)].y, -1);
        for (const std::int32_t v : mesh.find_group("right")->vertices)
            EXPECT_EQ(mesh.vertices[static_cast<std::size_t>(v)].x, 0.5);
    }
}

TEST(TetBlock, CubesHaveTheAnglesOfTheirPattern)
{
    const TetQuality six = quality(tet_block({3, 3, 3}, {3, 3, 3}));
    EXPECT_NEAR(to_degrees(six.smallest_angle), 45, 1e-9);
    EXPECT_NEAR(to_degrees(six.largest_angle), 90, 1e-9);
    const TetQuality five = quality(tet_block({3, 3, 3}, {3, 3, 3}, CellCut::five_tets));
    EXPECT_NEAR(to_degrees(five.smallest_angle), to_degrees(std::acos(1 / std::sqrt(3.0))), 1e-9);
    EXPECT_NEAR(five.smallest_volume * 2, five.largest_volume, 1e-12);
    const TetQuality bcc = quality(tet_block({3, 3, 3}, {3, 3, 3}, CellCut::bcc));
    EXPECT_NEAR(to_degrees(bcc.smallest_angle), 45, 1e-9);
    EXPECT_NEAR(to_degrees(bcc.largest_angle), 120, 1e-9);
}

std::vector<Tet> mirrored_in_x(const TetMesh& mesh, int row)
{
    std::vector<Tet> tets = mesh.tets;
    for (Tet& tet : tets)
        for (std::int32_t& v : tet) v += row - 1 - 2 * (v % row);
    return tets;
}

std::vector<Tet> in_order(std::vector<Tet> tets)
{
    for (Tet& tet : tets) std::sort(tet.begin(), tet.end());
    std::sort(tets.begin(), tets.end());
    return tets;
}

TEST(TetBlock, OfFiveTetsIsItsMirrorImageWhenEvenOnly)
{
    const TetMesh even = tet_block({4, 3, 3}, {4, 3, 3}, CellCut::five_tets);
    EXPECT_EQ(in_order(even.tets), in_order(mirrored_in_x(even, 5)));
    const TetMesh odd = tet_block({3, 3, 3}, {3, 3, 3}, CellCut::five_tets);
    EXPECT_NE(in_order(odd.tets), in_order(mirrored_in_x(odd, 4)));
}

TEST(TetBall, HasItsShellsAndPutsTheSurfaceOnTheSphere)
{
    for (const int shells : {1, 2, 3, 5, 8}) {
        const TetMesh mesh = tet_ball(2, shells);
        expect_sound(mesh);
        EXPECT_EQ(mesh.tets.size(), 20u * static_cast<std::size_t>(shells * shells * shells));
        EXPECT_EQ(group_size(mesh, "surface"), 10u * static_cast<std::size_t>(shells * shells) + 2);
        for (const std::int32_t v : mesh.find_group("surface")->vertices)
            EXPECT_NEAR(norm(mesh.vertices[static_cast<std::size_t>(v)]), 2, 1e-14);
        EXPECT_EQ(mesh.vertices[static_cast<std::size_t>(mesh.find_group("core")->vertices.at(0))], Vec3{});
    }
}

TEST(TetBall, ConvergesToTheVolumeInSecondOrderAndKeepsItsShape)
{
    const double exact = 4.0 / 3 * std::numbers::pi;
    const double coarse = exact - volume(tet_ball(1, 4)), fine = exact - volume(tet_ball(1, 8));
    EXPECT_GT(fine, 0);
    EXPECT_NEAR(coarse / fine, 4, 0.15);
    EXPECT_LT(fine / exact, 0.01);
    const TetQuality report = quality(tet_ball(1, 8));
    EXPECT_GT(to_degrees(report.smallest_angle), 37) << to_text(report);
    EXPECT_LT(to_degrees(report.largest_angle), 119) << to_text(report);
}

TEST(TetCylinder, IsAPrismOverItsPolygon)
{
    for (const int rings : {1, 2, 4}) {
        const TetMesh mesh = tet_cylinder(0.5, 3, 6, rings, 5);
        expect_sound(mesh);
        EXPECT_EQ(mesh.tets.size(), 3u * 6 * static_cast<std::size_t>(rings * rings) * 5);
        const int corners = 6 * rings;
        const double area = 0.5 * corners * 0.25 * std::sin(2 * std::numbers::pi / corners);
        EXPECT_NEAR(volume(mesh), 3 * area, 1e-12);
        EXPECT_EQ(group_size(mesh, "core"), 6u);
        EXPECT_EQ(group_size(mesh, "ends"), group_size(mesh, "bottom") + group_size(mesh, "top"));
        for (const std::int32_t v : mesh.find_group("top")->vertices)
            EXPECT_EQ(mesh.vertices[static_cast<std::size_t>(v)].y, 1.5);
        for (const std::int32_t v : mesh.find_group("core")->vertices)
            EXPECT_EQ(mesh.vertices[static_cast<std::size_t>(v)].x, 0);
    }
}

// seeds/002 section 5, hanging torus: 180 vertices, 480 tetrahedra, 820 edges, surface 160/480/320.
TEST(TetTorus, HasTheCountsOfTheThesis)
{
    const TetMesh mesh = tet_torus(4, 1);
    expect_sound(mesh);
    const TetQuality report = quality(mesh);
    EXPECT_EQ(report.vertices, 180u);
    EXPECT_EQ(report.tets, 480u);
    EXPECT_EQ(report.edges, 820u);
    const TetSurface outside = surface(mesh);
    EXPECT_EQ(outside.mesh.vertices.size(), 160u);
    EXPECT_EQ(outside.mesh.triangles.size(), 320u);
    EXPECT_EQ(unique_edges(outside.mesh.triangles).size(), 480u);
    EXPECT_EQ(euler_characteristic(outside.mesh.triangles), 0);
    EXPECT_EQ(group_size(mesh, "core"), 20u);
    EXPECT_EQ(group_size(mesh, "surface"), 160u);
}

TEST(TetTorus, ConvergesToTheVolumeInSecondOrder)
{
    const double exact = 2 * std::numbers::pi * std::numbers::pi * 3 * 1;
    const double coarse = exact - volume(tet_torus(3, 1, 24, 6, 2)), fine = exact - volume(tet_torus(3, 1, 48, 6, 4));
    EXPECT_GT(fine, 0);
    EXPECT_NEAR(coarse / fine, 4, 0.2);
    expect_sound(tet_torus(3, 1, 24, 6, 3));
}

TEST(TetShapes, RefuseImpossibleNumbersInWords)
{
    EXPECT_NE(message_of([] { tet_block({1, -1, 1}, {1, 1, 1}); }).find("the height is -1"), std::string::npos);
    EXPECT_NE(message_of([] {
                  tet_block({1, 1, 1}, {1, 0, 1});
              }).find("0 cells along an axis, expected at least 1"),
              std::string::npos);
    EXPECT_NE(message_of([] { tet_block({1, 1, 1}, {9999, 9999, 9999}); }).find("use fewer cells"), std::string::npos);
    EXPECT_NE(message_of([] { tet_ball(1, 0); }).find("0 shells"), std::string::npos);
    EXPECT_NE(message_of([] { tet_ball(1, 1 << 30); }).find("vertices asked for"), std::string::npos);
    EXPECT_NE(message_of([] { tet_cylinder(1, 1, 2, 1, 1); }).find("2 sides, expected at least 3"), std::string::npos);
    EXPECT_NE(message_of([] { tet_torus(1, 2); }).find("hole"), std::string::npos);
}

}  // namespace
}  // namespace pliant
