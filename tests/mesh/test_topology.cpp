// SPDX-License-Identifier: MIT

// Edges, half-edges, neighbours, borders, pieces and closedness of known shapes.

#include <algorithm>

#include <gtest/gtest.h>

#include <pliant/mesh/shapes.h>
#include <pliant/mesh/topology.h>
#include <pliant/mesh/transform.h>

namespace pliant {
namespace {

std::size_t at(std::int32_t index)
{
    return static_cast<std::size_t>(index);
}

void expect_half_edge_invariants(const TriMesh& mesh)
{
    const HalfEdges half = half_edges(mesh.triangles, mesh.vertices.size());
    ASSERT_EQ(half.twin.size(), 3 * mesh.triangles.size());
    for (std::size_t i = 0; i < half.twin.size(); ++i) {
        const auto h = static_cast<std::int32_t>(i);
        EXPECT_EQ(HalfEdges::previous(HalfEdges::next(h)), h);
        EXPECT_EQ(HalfEdges::next(HalfEdges::next(HalfEdges::next(h))), h);
        if (half.twin[i] < 0) continue;
        EXPECT_EQ(half.twin[at(half.twin[i])], h);
        EXPECT_EQ(half.origin[at(half.twin[i])], half.target(h));
        EXPECT_EQ(half.target(half.twin[i]), half.origin[i]);
    }
    // Turning from the first half-edge meets every triangle of the vertex once.
    const IndexRows triangles = vertex_triangles(mesh.triangles, mesh.vertices.size());
    for (std::size_t v = 0; v < mesh.vertices.size(); ++v) {
        std::vector<std::int32_t> met;
        std::int32_t h = half.outgoing[v];
        do {
            EXPECT_EQ(at(half.origin[at(h)]), v);
            met.push_back(HalfEdges::triangle(h));
            h = half.turned(h);
        } while (h >= 0 && h != half.outgoing[v]);
        std::sort(met.begin(), met.end());
        EXPECT_TRUE(std::ranges::equal(met, triangles[v])) << "vertex " << v;
    }
}

TEST(UniqueEdges, AreSortedAndEachOnce)
{
    const std::vector<Triangle> two = {{2, 1, 0}, {1, 2, 3}};
    const std::vector<Edge> expected = {{0, 1}, {0, 2}, {1, 2}, {1, 3}, {2, 3}};
    EXPECT_EQ(unique_edges(two), expected);
    EXPECT_TRUE(unique_edges({}).empty());
}

TEST(EdgeTable, GivesEveryTriangleItsThreeEdges)
{
    const TriMesh mesh = torus(1, 0.3, 8, 5);
    const EdgeTable table = edge_table(mesh.triangles);
    EXPECT_EQ(table.edges, unique_edges(mesh.triangles));
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t)
        for (std::size_t c = 0; c < 3; ++c) {
            const std::int32_t a = mesh.triangles[t][c], b = mesh.triangles[t][(c + 1) % 3];
            EXPECT_EQ(table.edges[at(table.of_triangle[t][c])], (Edge{std::min(a, b), std::max(a, b)}));
        }
}

TEST(Hinges, NameTheEdgeAndBothOppositeCorners)
{
    const std::vector<Triangle> two = {{0, 1, 2}, {2, 1, 3}};
    const auto found = hinges(two);
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0], (std::array<std::int32_t, 4>{1, 2, 0, 3}));
    const TriMesh sphere = icosphere(1, 1);
    EXPECT_EQ(hinges(sphere.triangles).size(), unique_edges(sphere.triangles).size());
}

TEST(HalfEdges, KeepTheirInvariantsOnOpenAndClosedSurfaces)
{
    expect_half_edge_invariants(grid(5, 4, 1, 1));
    expect_half_edge_invariants(grid(5, 4, 1, 1, {GridDiagonals::alternating, true}));
    expect_half_edge_invariants(icosphere(1, 2));
    expect_half_edge_invariants(torus(1, 0.3, 7, 5));
    expect_half_edge_invariants(lidded_box(5, 1, 1, 1));
    expect_half_edge_invariants(cylinder(1, 1, 6, 2, false));
}

TEST(HalfEdges, OfAnIsolatedVertexAreNone)
{
    const std::vector<Triangle> one = {{0, 1, 2}};
    EXPECT_EQ(half_edges(one, 5).outgoing, (std::vector<std::int32_t>{0, 1, 2, -1, -1}));
}

TEST(Neighbours, OfAGridsMiddleVertexAreSix)
{
    const TriMesh mesh = grid(3, 3, 1, 1);
    const IndexRows rows = vertex_neighbours(mesh.triangles, 9);
    EXPECT_EQ(rows.size(), 9u);
    EXPECT_TRUE(std::ranges::equal(rows[4], std::vector<std::int32_t>{0, 1, 3, 5, 7, 8}));
    EXPECT_EQ(vertex_triangles(mesh.triangles, 9)[4].size(), 6u);
}

TEST(BoundaryLoops, OfAGridIsItsRimCounterClockwise)
{
    const TriMesh mesh = grid(3, 3, 1, 1);
    const auto loops = boundary_loops(mesh.triangles, 9);
    ASSERT_EQ(loops.size(), 1u);
    EXPECT_EQ(loops[0], (std::vector<std::int32_t>{0, 3, 6, 7, 8, 5, 2, 1}));
}

TEST(BoundaryLoops, OfATubeAreTwoAndOfASphereNone)
{
    const TriMesh tube = cylinder(1, 2, 9, 3, false);
    const auto loops = boundary_loops(tube.triangles, tube.vertices.size());
    ASSERT_EQ(loops.size(), 2u);
    EXPECT_EQ(loops[0].size(), 9u);
    EXPECT_EQ(loops[1].size(), 9u);
    const TriMesh sphere = icosphere(1, 1);
    EXPECT_TRUE(boundary_loops(sphere.triangles, sphere.vertices.size()).empty());
}

TEST(BoundaryLoops, TouchingAtAVertexStaySeparate)
{
    const std::vector<Triangle> bow_tie = {{0, 1, 2}, {2, 3, 4}};
    const auto loops = boundary_loops(bow_tie, 5);
    ASSERT_EQ(loops.size(), 2u);
    EXPECT_EQ(loops[0], (std::vector<std::int32_t>{0, 1, 2}));
}

TEST(Components, CountPiecesAndIsolatedVertices)
{
    TriMesh mesh = icosphere(1, 0);
    append(mesh, icosphere(1, 0));
    append(mesh, chain(3, {0, 0, 0}, {1, 0, 0}));
    mesh.vertices.push_back({9, 9, 9});
    const Components pieces = connected_components(mesh.vertices.size(), mesh.triangles, mesh.lines);
    EXPECT_EQ(pieces.count, 4u);
    EXPECT_EQ(pieces.of_vertex[0], 0);
    EXPECT_EQ(pieces.of_vertex[12], 1);
    EXPECT_EQ(pieces.of_vertex[26], 2);
    EXPECT_EQ(pieces.of_vertex[27], 3);
}

TEST(EulerCharacteristic, TellsSphereTorusAndDisc)
{
    EXPECT_EQ(euler_characteristic(icosphere(1, 2).triangles), 2);
    EXPECT_EQ(euler_characteristic(lidded_box(6, 1, 1, 1).triangles), 2);
    EXPECT_EQ(euler_characteristic(torus(1, 0.2, 6, 6).triangles), 0);
    EXPECT_EQ(euler_characteristic(grid(4, 7, 1, 1).triangles), 1);
    EXPECT_EQ(euler_characteristic({}), 0);
}

TEST(Closedness, OfAnOpenBoxNamesTheFirstOpenEdge)
{
    TriMesh mesh = box({1, 1, 1});
    mesh.triangles.erase(mesh.triangles.begin());
    const ClosednessReport report = closedness(mesh.triangles, mesh.vertices.size());
    EXPECT_EQ(report.open_edges, 3u);
    EXPECT_FALSE(report.is_closed());
    EXPECT_TRUE(report.is_manifold());
    EXPECT_EQ(to_text(report).find("3 open edges, the first between vertices "), 0u);
}

TEST(Closedness, SpeaksOfOneEdgeInTheSingular)
{
    ClosednessReport report;
    report.open_edges = 12, report.first_open_edge = {3, 7};
    EXPECT_EQ(to_text(report), "12 open edges, the first between vertices 3 and 7");
    report.open_edges = 1;
    EXPECT_EQ(to_text(report), "1 open edge, between vertices 3 and 7");
    EXPECT_EQ(to_text(ClosednessReport{}), "closed, manifold, oriented");
}

TEST(Closedness, SeesATurnedTriangle)
{
    TriMesh mesh = icosphere(1, 1);
    std::swap(mesh.triangles[5][0], mesh.triangles[5][1]);
    const ClosednessReport report = closedness(mesh.triangles, mesh.vertices.size());
    EXPECT_TRUE(report.is_closed());
    EXPECT_FALSE(report.is_oriented());
    EXPECT_EQ(report.misoriented_edges, 3u);
    EXPECT_FALSE(report.encloses_volume());
}

TEST(Closedness, SeesAnEdgeWithThreeTriangles)
{
    const std::vector<Triangle> fin = {{0, 1, 2}, {1, 0, 3}, {0, 1, 4}};
    const ClosednessReport report = closedness(fin, 5);
    EXPECT_EQ(report.non_manifold_edges, 1u);
    EXPECT_EQ(report.first_non_manifold_edge, (Edge{0, 1}));
    EXPECT_FALSE(report.is_manifold());
}

TEST(Closedness, SeesTwoFansTouchingAtAVertex)
{
    const ClosednessReport report = closedness(std::vector<Triangle>{{0, 1, 2}, {2, 3, 4}}, 5);
    EXPECT_EQ(report.non_manifold_vertices, 1u);
    EXPECT_EQ(report.first_non_manifold_vertex, 2);
}

TEST(Closedness, CountsTrianglesNamingAVertexTwice)
{
    TriMesh mesh = icosphere(1, 0);
    mesh.triangles.push_back({0, 0, 1});
    const ClosednessReport report = closedness(mesh.triangles, mesh.vertices.size());
    EXPECT_EQ(report.collapsed_triangles, 1u);
    EXPECT_TRUE(report.encloses_volume());
    EXPECT_TRUE(is_closed(mesh.triangles));
}

}  // namespace
}  // namespace pliant
