// SPDX-License-Identifier: MIT

// What is drawn of a take: sharp boxes, smooth sheets, each edge once.

#include "viewer/surface_mesh.h"

#include <algorithm>
#include <cmath>
#include <set>

#include <gtest/gtest.h>

#include "viewer/sample_take.h"

namespace pliant::viewer {
namespace {

class Drawn : public testing::Test {
protected:
    const Topology topology = sample_topology();
    const Frame frame = sample_frame(3);
    const SurfaceMesh mesh = make_surface_mesh(topology, frame.x);
    static constexpr std::size_t kSheet = kSheetSide * kSheetSide;
};

TEST_F(Drawn, SheetHasAVertexForEachPointAndABoxThreeForEachCorner)
{
    EXPECT_EQ(mesh.point.size(), kSheet + 24);
    EXPECT_EQ(mesh.colour.size(), mesh.point.size());
    EXPECT_EQ(mesh.triangles.size(), topology.triangles.size());
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t)
        for (std::size_t k = 0; k < 3; ++k)
            EXPECT_EQ(mesh.point[mesh.triangles[t][k]], topology.triangles[t][k]) << "the same corners, in order";
}

TEST_F(Drawn, EdgesAreThereOnce)
{
    std::set<std::pair<std::int32_t, std::int32_t>> expected, found;
    for (const Triangle& t : topology.triangles)
        for (std::size_t k = 0; k < 3; ++k) expected.insert(std::minmax(t[k], t[(k + 1) % 3]));
    for (const auto& e : mesh.edges) EXPECT_TRUE(found.insert(std::minmax(mesh.point[e[0]], mesh.point[e[1]])).second);
    EXPECT_EQ(found, expected);
}

TEST_F(Drawn, NormalsOfABoxAreThoseOfItsFaces)
{
    std::vector<DrawnVertex> vertices(mesh.point.size());
    std::vector<Vec3> normals;
    place_vertices(vertices, mesh, frame.x, frame.fields[0], normals);
    for (std::size_t v = kSheet; v < vertices.size(); ++v) {
        const auto& n = vertices[v].normal;
        EXPECT_NEAR(std::max({std::abs(n[0]), std::abs(n[1]), std::abs(n[2])}), 1, 1e-6);
        // They look outwards from (0, 0.3, 0).
        const auto& p = vertices[v].place;
        EXPECT_GT(n[0] * p[0] + n[1] * (p[1] - 0.3) + n[2] * p[2], 0);
    }
    for (std::size_t v = 0; v < vertices.size(); ++v)
        EXPECT_FLOAT_EQ(vertices[v].value, static_cast<float>(frame.x[mesh.point[v]].y));
}

TEST_F(Drawn, NormalsOfASheetAreSmooth)
{
    std::vector<DrawnVertex> vertices(mesh.point.size());
    std::vector<Vec3> normals;
    place_vertices(vertices, mesh, frame.x, {}, normals);
    // y = 0.9 + 0.15 sin(3 x + 1.5): the slope of the surface, within what a grid of 1/6 m can know.
    for (int i = 1; i + 1 < kSheetSide; ++i) {
        const std::size_t v = static_cast<std::size_t>(6 * kSheetSide + i);
        const double slope = 0.45 * std::cos(3 * (i - 6) / 6.0 + 1.5);
        EXPECT_NEAR(-vertices[v].normal[0] / vertices[v].normal[1], slope, 0.06) << i;
    }
}

TEST(DrawnLines, AreThoseOfBodiesWithoutFaces)
{
    Topology topology;
    topology.point_count = 3;
    topology.bodies.push_back({.name = "chain", .kind = "springs", .point_count = 3, .line_count = 2});
    topology.lines = {{0, 1}, {1, 2}};
    const std::vector<Vec3> x{{}, {1, 0, 0}, {2, 0, 0}};
    const SurfaceMesh mesh = make_surface_mesh(topology, x);
    EXPECT_EQ(mesh.lines.size(), 2U);
    EXPECT_TRUE(mesh.triangles.empty());
}

}  // namespace
}  // namespace pliant::viewer
