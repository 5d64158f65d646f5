// SPDX-License-Identifier: MIT
#pragma once

// How triangles hang together: edges, half-edges, neighbours, borders, pieces, closedness.
//
// Lives here: pure index work on triangle lists; no coordinates. Everything is linear in the number
// of triangles but for sorting the edges around each vertex, and gives the same order every time.
// Not here: lengths, areas, volumes (measure.h), bad triangles (quality.h).
//
//            v1            Half-edge 3t+c runs from corner c of triangle t to corner c+1, so a
//           /  \           triangle's three half-edges are its three corners and only twins need
//      3t+1/    \3t        storing. The twin is the same edge seen from the neighbour, running the
//         /      \         other way; it is -1 where there is no single such neighbour.
//        v2 ----- v0
//           3t+2           Vertex indices must lie in 0 .. vertex_count-1 (asserted).

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include <pliant/base/types.h>

namespace pliant {

/// Rows of different lengths stored end to end: row i is items[offsets[i] .. offsets[i+1]).
struct IndexRows {
    std::vector<std::int32_t> offsets;  ///< #rows + 1
    std::vector<std::int32_t> items;

    std::size_t size() const { return offsets.empty() ? 0 : offsets.size() - 1; }
    std::span<const std::int32_t> operator[](std::size_t row) const
    {
        const auto first = static_cast<std::size_t>(offsets[row]);
        return std::span(items).subspan(first, static_cast<std::size_t>(offsets[row + 1]) - first);
    }
};

/// Edges of the triangles, each once, lower index first, in lexicographic order.
std::vector<Edge> unique_edges(std::span<const Triangle> triangles);

/// The edges together with who has them.
struct EdgeTable {
    std::vector<Edge> edges;                               ///< as unique_edges
    std::vector<std::array<std::int32_t, 3>> of_triangle;  ///< edge of half-edge 3t+c; -1 for a loop v-v
};
EdgeTable edge_table(std::span<const Triangle> triangles);

/// Two triangles sharing an edge: {v0, v1, opposite in the triangle that has v0->v1, the other's}.
/// Only edges with exactly two triangles of the same orientation have a hinge; order of the edges.
std::vector<std::array<std::int32_t, 4>> hinges(std::span<const Triangle> triangles);

struct HalfEdges {
    std::vector<std::int32_t> origin;    ///< #half-edges: vertex it starts from
    std::vector<std::int32_t> twin;      ///< #half-edges: -1 at a border or a non-manifold edge
    std::vector<std::int32_t> outgoing;  ///< #vertices: a border half-edge if any; -1 isolated

    static std::int32_t next(std::int32_t h) { return h % 3 == 2 ? h - 2 : h + 1; }
    static std::int32_t previous(std::int32_t h) { return h % 3 == 0 ? h + 2 : h - 1; }
    static std::int32_t triangle(std::int32_t h) { return h / 3; }
    std::int32_t target(std::int32_t h) const { return origin[static_cast<std::size_t>(next(h))]; }

    /// The next half-edge out of the same vertex, turning counter-clockwise; -1 past the border.
    /// Starting from outgoing[v], it visits the whole fan of a manifold vertex.
    std::int32_t turned(std::int32_t h) const { return twin[static_cast<std::size_t>(previous(h))]; }
};
HalfEdges half_edges(std::span<const Triangle> triangles, std::size_t vertex_count);

/// Row v: the vertices joined to v by an edge, ascending.
IndexRows vertex_neighbours(std::span<const Edge> edges, std::size_t vertex_count);
IndexRows vertex_neighbours(std::span<const Triangle> triangles, std::size_t vertex_count);

/// Row v: the triangles having v as a corner, ascending.
IndexRows vertex_triangles(std::span<const Triangle> triangles, std::size_t vertex_count);

/// Vertices along each border, in the direction of its triangles (surface on the left).
/// Edges with more than two triangles, or two of opposite orientations, count as borders.
std::vector<std::vector<std::int32_t>> boundary_loops(std::span<const Triangle> triangles, std::size_t vertex_count);

/// Pieces joined by triangles or lines; every isolated vertex is a piece of its own.
struct Components {
    std::size_t count = 0;
    std::vector<std::int32_t> of_vertex;  ///< #vertices: piece, numbered by lowest vertex
};
Components connected_components(std::size_t vertex_count, std::span<const Triangle> triangles,
                                std::span<const Edge> lines = {});

/// V - E + F over the vertices that triangles use: 2 for a sphere, 0 for a torus, 1 for a disc.
std::ptrdiff_t euler_characteristic(std::span<const Triangle> triangles);

/// Whether triangles bound a volume, and if not, where not.
struct ClosednessReport {
    std::size_t open_edges = 0;             ///< edges with one triangle
    std::size_t non_manifold_edges = 0;     ///< edges with three triangles or more
    std::size_t misoriented_edges = 0;      ///< edges that two triangles run along the same way
    std::size_t non_manifold_vertices = 0;  ///< vertices where several fans touch, or none closes
    std::size_t collapsed_triangles = 0;    ///< triangles naming a vertex twice, otherwise ignored
    Edge first_open_edge{-1, -1};
    Edge first_non_manifold_edge{-1, -1};
    Edge first_misoriented_edge{-1, -1};
    std::int32_t first_non_manifold_vertex = -1;

    bool is_closed() const { return open_edges == 0 && non_manifold_edges == 0; }
    bool is_oriented() const { return misoriented_edges == 0; }
    bool is_manifold() const { return non_manifold_edges == 0 && non_manifold_vertices == 0; }
    bool encloses_volume() const { return is_closed() && is_oriented(); }
};
ClosednessReport closedness(std::span<const Triangle> triangles, std::size_t vertex_count);

/// "12 open edges, the first between vertices 3 and 7; …", or "closed, manifold, oriented".
std::string to_text(const ClosednessReport&);

/// No open and no non-manifold edge.
bool is_closed(std::span<const Triangle> triangles);

}  // namespace pliant
