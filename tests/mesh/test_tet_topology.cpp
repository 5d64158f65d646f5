// SPDX-License-Identifier: MIT

// Faces, surface, edges, rows, pieces of tetrahedra; three colours for the faces of a surface.

#include <algorithm>
#include <set>

#include <pliant/mesh/face_colouring.h>
#include <pliant/mesh/shapes.h>
#include <pliant/mesh/tet_edit.h>
#include <pliant/mesh/tet_shapes.h>

#include "mesh/tet_checks.h"

namespace pliant {
namespace {

TetMesh single_tet()
{
    TetMesh mesh;
    mesh.vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    mesh.tets = {{0, 1, 2, 3}};
    return mesh;
}

TEST(TetFaceOf, APositiveTetLooksOutwards)
{
    const TetMesh mesh = single_tet();
    for (std::size_t c = 0; c < 4; ++c) {
        const Triangle t = tet_face(mesh.tets[0], c);
        EXPECT_EQ(std::count(t.begin(), t.end(), static_cast<std::int32_t>(c)), 0);
        const Vec3& a = mesh.vertices[static_cast<std::size_t>(t[0])];
        const Vec3 n = area_vector(a, mesh.vertices[static_cast<std::size_t>(t[1])],
                                   mesh.vertices[static_cast<std::size_t>(t[2])]);
        EXPECT_LT(dot(n, mesh.vertices[c] - a), 0) << c;
    }
}

TEST(TetEdgesOf, OppositeOnesShareNoCorner)
{
    for (std::size_t e = 0; e < 6; ++e) {
        std::set<std::size_t> corners;
        for (const std::size_t edge : {e, kOppositeTetEdge[e]})
            corners.insert(kTetEdges[edge].begin(), kTetEdges[edge].end());
        EXPECT_EQ(corners.size(), 4u) << e;
    }
}

TEST(TetFaces, OfABlockHaveTwoTetsInsideAndOneOutside)
{
    const TetMesh mesh = tet_block({1, 1, 1}, {3, 2, 2});
    const TetFaces faces = tet_faces(mesh.tets, mesh.vertices.size());
    EXPECT_TRUE(faces.is_conforming());
    std::size_t boundary = 0;
    for (std::size_t f = 0; f < faces.corners.size(); ++f) {
        boundary += faces.is_boundary(f) ? 1 : 0;
        for (const std::int32_t t : faces.tets[f]) {
            if (t < 0) continue;
            const Tet& tet = mesh.tets[static_cast<std::size_t>(t)];
            for (const std::int32_t v : faces.corners[f]) EXPECT_NE(std::find(tet.begin(), tet.end(), v), tet.end());
        }
        if (!faces.is_boundary(f)) {
            EXPECT_LT(faces.tets[f][0], faces.tets[f][1]);
        }
    }
    EXPECT_EQ(boundary, 2u * 2 * (6 + 6 + 4));
    EXPECT_EQ(4 * mesh.tets.size(), 2 * faces.corners.size() - boundary);
}

TEST(TetFaces, FindThirdTetsAndFolds)
{
    TetMesh mesh = single_tet();
    mesh.vertices.insert(mesh.vertices.end(), {{0, 0, -1}, {0, 0, -2}, {0, 0, 2}});
    mesh.tets.push_back({0, 2, 1, 4});
    EXPECT_TRUE(tet_faces(mesh.tets, 7).is_conforming());
    mesh.tets.push_back({0, 2, 1, 5});
    EXPECT_EQ(tet_faces(mesh.tets, 7).overfull, 1u);
    mesh.tets = {{0, 1, 2, 3}, {0, 1, 2, 6}};
    const TetFaces folded = tet_faces(mesh.tets, 7);
    EXPECT_EQ(folded.overfull, 0u);
    EXPECT_EQ(folded.folded, 1u);
    EXPECT_EQ(folded.corners[static_cast<std::size_t>(folded.first_folded)], (Triangle{0, 2, 1}));
}

TEST(TetSurfaceOf, ABlockIsItsBoxWithMapsBothWays)
{
    const TetMesh mesh = tet_block({2, 1, 1}, {4, 3, 3}, CellCut::bcc);
    const TetSurface outside = surface(mesh);
    EXPECT_EQ(to_text(closedness(outside.mesh.triangles, outside.mesh.vertices.size())), "closed, manifold, oriented");
    EXPECT_NEAR(signed_volume(outside.mesh.vertices, outside.mesh.triangles), 2, 1e-13);
    EXPECT_NEAR(surface_area(outside.mesh.vertices, outside.mesh.triangles), 10, 1e-13);
    ASSERT_EQ(outside.volume_vertex.size(), outside.mesh.vertices.size());
    for (std::size_t s = 0; s < outside.volume_vertex.size(); ++s) {
        const auto v = static_cast<std::size_t>(outside.volume_vertex[s]);
        EXPECT_EQ(outside.mesh.vertices[s], mesh.vertices[v]);
        EXPECT_EQ(outside.surface_vertex[v], static_cast<std::int32_t>(s));
    }
    EXPECT_EQ(std::count(outside.surface_vertex.begin(), outside.surface_vertex.end(), -1), 3 * 2 * 2 + 36);
    for (std::size_t f = 0; f < outside.tet.size(); ++f) {
        const Tet& tet = mesh.tets[static_cast<std::size_t>(outside.tet[f])];
        for (const std::int32_t s : outside.mesh.triangles[f])
            EXPECT_NE(std::find(tet.begin(), tet.end(), outside.volume_vertex[static_cast<std::size_t>(s)]), tet.end());
    }
    ASSERT_NE(outside.mesh.find_group("left"), nullptr);
    for (const std::int32_t s : outside.mesh.find_group("left")->vertices)
        EXPECT_EQ(outside.mesh.vertices[static_cast<std::size_t>(s)].x, -1);
}

TEST(TetEdgeTableOf, ABlockSatisfiesEulerAndNamesItsEdges)
{
    const TetMesh mesh = tet_block({1, 1, 1}, {3, 4, 2}, CellCut::five_tets);
    const TetEdgeTable table = tet_edge_table(mesh.tets, mesh.vertices.size());
    EXPECT_TRUE(std::is_sorted(table.edges.begin(), table.edges.end()));
    const std::size_t faces = tet_faces(mesh.tets, mesh.vertices.size()).corners.size();
    EXPECT_EQ(mesh.vertices.size() + faces, table.edges.size() + mesh.tets.size() + 1);
    for (std::size_t t = 0; t < mesh.tets.size(); ++t)
        for (std::size_t e = 0; e < 6; ++e) {
            const auto [low, high] = std::minmax(mesh.tets[t][kTetEdges[e][0]], mesh.tets[t][kTetEdges[e][1]]);
            EXPECT_EQ(table.edges[static_cast<std::size_t>(table.of_tet[t][e])], (Edge{low, high}));
        }
}

TEST(VertexTets, ListEveryTetOnceForEachCorner)
{
    const TetMesh mesh = tet_ball(1, 3);
    const IndexRows rows = vertex_tets(mesh.tets, mesh.vertices.size());
    EXPECT_EQ(rows.items.size(), 4 * mesh.tets.size());
    EXPECT_EQ(rows[0].size(), 20u);
    for (std::size_t v = 0; v < rows.size(); ++v) {
        EXPECT_TRUE(std::is_sorted(rows[v].begin(), rows[v].end()));
        for (const std::int32_t t : rows[v]) {
            const Tet& tet = mesh.tets[static_cast<std::size_t>(t)];
            EXPECT_NE(std::find(tet.begin(), tet.end(), static_cast<std::int32_t>(v)), tet.end());
        }
    }
}

TEST(TetPieces, AreNumberedByLowestVertexAndIsolatedVerticesFound)
{
    TetMesh mesh = single_tet();
    mesh.vertices.push_back({5, 5, 5});
    TetMesh far = single_tet();
    translate(far, {3, 0, 0});
    append(mesh, far);
    const Components pieces = connected_components(mesh.vertices.size(), mesh.tets);
    EXPECT_EQ(pieces.count, 3u);
    EXPECT_EQ(pieces.of_vertex, (std::vector<std::int32_t>{0, 0, 0, 0, 1, 2, 2, 2, 2}));
    EXPECT_EQ(isolated_vertices(mesh.tets, mesh.vertices.size()), (std::vector<std::int32_t>{4}));
}

TEST(TetPieces, OfChainsThatJoinLateAreOne)
{
    const std::vector<Tet> tets = {{9, 8, 7, 6}, {2, 3, 4, 5}, {0, 1, 10, 11}, {11, 5, 12, 13}, {6, 13, 14, 15}};
    const Components pieces = connected_components(16, tets);
    EXPECT_EQ(pieces.count, 1u);
    EXPECT_EQ(std::count(pieces.of_vertex.begin(), pieces.of_vertex.end(), 0), 16);
}

// Counts clashes from the edges alone, without the painter's own neighbour lists.
std::size_t clashes(const std::vector<Triangle>& triangles, const std::vector<std::uint8_t>& colour)
{
    std::size_t count = 0;
    const HalfEdges mesh = half_edges(triangles, 100000);
    for (std::size_t h = 0; h < mesh.twin.size(); ++h)
        if (mesh.twin[h] > static_cast<std::int32_t>(h) &&
            colour[h / 3] == colour[static_cast<std::size_t>(mesh.twin[h] / 3)])
            ++count;
    return count;
}

TEST(ThreeColouring, SeparatesNeighboursOnEverySurface)
{
    const TriMesh thesis = surface(tet_torus(4, 1)).mesh;
    for (const TriMesh& mesh : {icosphere(1, 0), icosphere(1, 4), torus(3, 1, 17, 9), box({1, 1, 1}, {1, 1, 1}),
                                box({1, 2, 3}, {5, 4, 3}), grid(9, 8, 1, 1), uv_sphere(1, 7, 5), thesis}) {
        const FaceColouring colouring = three_colouring(mesh.triangles);
        ASSERT_EQ(colouring.colour.size(), mesh.triangles.size());
        EXPECT_EQ(colouring.clashes, 0u) << mesh.triangles.size();
        EXPECT_EQ(clashes(mesh.triangles, colouring.colour), 0u) << mesh.triangles.size();
        EXPECT_LE(*std::max_element(colouring.colour.begin(), colouring.colour.end()), 2);
    }
}

TEST(ThreeColouring, AdmitsTheOneClashOfATetrahedron)
{
    const TetMesh mesh = single_tet();
    const std::vector<Triangle> faces = boundary_faces(mesh.tets, 4);
    EXPECT_EQ(faces.size(), 4u);
    EXPECT_EQ(three_colouring(faces).clashes, 1u);
    EXPECT_EQ(three_colouring({}).clashes, 0u);
}

}  // namespace
}  // namespace pliant
