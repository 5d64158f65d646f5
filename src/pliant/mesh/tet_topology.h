// SPDX-License-Identifier: MIT
#pragma once

// How tetrahedra hang together: faces, edges, neighbours, pieces, and the surface around them.
//
// Lives here: pure index work on lists of tetrahedra; coordinates are only copied. Everything is linear
// in the number of tetrahedra but for sorting around each vertex, and gives the same order every time.
// Not here: volumes, angles, bad tetrahedra (tet_quality.h), colours of faces (face_colouring.h).
//
//        3             Half-face 4t+c is the face of tetrahedron t opposite its corner c, counter-clockwise
//       /|\            seen from outside (kTetFaces). Edges are numbered 01 12 02 03 13 23 (kTetEdges), the
//      / | \           order of mid-edge nodes in VTK, Abaqus and CalculiX; Gmsh swaps the last two.
//     0--|--2
//      \ | /           Vertex indices must lie in 0 .. vertex_count-1 (asserted).
//       \|/
//        1

#include <cstddef>
#include <span>
#include <vector>

#include <pliant/mesh/tet_mesh.h>
#include <pliant/mesh/topology.h>

namespace pliant {

/// Corners of the face opposite each corner, counter-clockwise seen from outside.
inline constexpr std::array<std::array<std::size_t, 3>, 4> kTetFaces{{{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}}};

/// Corners of each edge; edge e and edge kOppositeTetEdge[e] share no corner.
inline constexpr std::array<std::array<std::size_t, 2>, 6> kTetEdges{{{0, 1}, {1, 2}, {0, 2}, {0, 3}, {1, 3}, {2, 3}}};
inline constexpr std::array<std::size_t, 6> kOppositeTetEdge{5, 3, 4, 1, 2, 0};

/// The face opposite a corner, counter-clockwise seen from outside.
inline Triangle tet_face(const Tet& tet, std::size_t opposite)
{
    const auto& [a, b, c] = kTetFaces[opposite];
    return {tet[a], tet[b], tet[c]};
}

/// Every face once, ordered by its sorted vertices.
struct TetFaces {
    std::vector<Triangle> corners;                  ///< counter-clockwise seen from outside the first tet
    std::vector<std::array<std::int32_t, 2>> tets;  ///< lower number first; second is -1 on the boundary
    std::size_t overfull = 0;                       ///< faces with three tets or more; the first two are listed
    std::size_t folded = 0;                         ///< faces whose two tets lie on the same side, or one is inverted
    std::int32_t first_overfull = -1;
    std::int32_t first_folded = -1;

    bool is_boundary(std::size_t face) const { return tets[face][1] < 0; }
    bool is_conforming() const { return overfull == 0 && folded == 0; }
};
TetFaces tet_faces(std::span<const Tet> tets, std::size_t vertex_count);

/// Faces with a single tetrahedron, counter-clockwise seen from outside, ordered by sorted vertices.
std::vector<Triangle> boundary_faces(std::span<const Tet> tets, std::size_t vertex_count);

/// The surface of a volume mesh as a mesh of its own; groups keep their vertices that lie on it.
struct TetSurface {
    TriMesh mesh;
    std::vector<std::int32_t> volume_vertex;   ///< #surface vertices, ascending: the same vertex in the volume
    std::vector<std::int32_t> surface_vertex;  ///< #volume vertices: the same vertex on the surface, or -1 inside
    std::vector<std::int32_t> tet;             ///< #triangles: the tetrahedron behind each
};
TetSurface surface(const TetMesh& mesh);

/// Vertices on the boundary, ascending: what the group "surface" of shapes holds.
std::vector<std::int32_t> boundary_vertices(std::span<const Tet> tets, std::size_t vertex_count);

/// Edges of the tetrahedra, each once, lower index first, in lexicographic order; and who has them.
struct TetEdgeTable {
    std::vector<Edge> edges;
    std::vector<std::array<std::int32_t, 6>> of_tet;  ///< edge of each of kTetEdges; -1 for a loop v-v
};
TetEdgeTable tet_edge_table(std::span<const Tet> tets, std::size_t vertex_count);

/// Row v: the tetrahedra having v as a corner, ascending.
IndexRows vertex_tets(std::span<const Tet> tets, std::size_t vertex_count);

/// Pieces joined by at least a vertex (a vertex is a ball joint, an edge a hinge: seeds/002 E-11); every
/// isolated vertex is a piece of its own.
Components connected_components(std::size_t vertex_count, std::span<const Tet> tets);

/// Vertices of no tetrahedron, ascending.
std::vector<std::int32_t> isolated_vertices(std::span<const Tet> tets, std::size_t vertex_count);

}  // namespace pliant
