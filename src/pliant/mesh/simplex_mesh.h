// SPDX-License-Identifier: MIT
#pragma once

// 2-simplex meshes: surfaces whose every vertex has exactly three neighbours.
//
// Faces are polygons of any size; with a vertex for each face and a triangle for each vertex, the mesh
// becomes a triangulation, its dual. E = 3V/2 edges; F = V/2 + 2 faces on a sphere, V/2 on a torus. Only
// positions and ordered neighbours are stored: edges, faces, triangles follow in linear time.
//
//          a               Counter-clockwise seen from outside, the neighbours of v are a, b, c.
//   left   |   left        Half-edge 3v+k runs from v to neighbours[v][k]. The face left of v -> a
//  of v->a v  of v->c      lies between a and b, so whoever walks it and arrives from b leaves for a.
//         / \              Neighbours differ and are mutual (asserted wherever one is looked up).
//        b   c
//
// Not here: the shapes (shapes.h). References: seeds/004 sections 3.1 and 3.2, eq. 2.1; Delingette,
// "General object reconstruction based on simplex meshes", Int. J. Computer Vision 32 (1999).

#include <string>
#include <vector>

#include <pliant/base/error.h>
#include <pliant/mesh/topology.h>
#include <pliant/mesh/tri_mesh.h>

namespace pliant {

struct SimplexMesh {
    std::vector<Vec3> vertices;
    std::vector<std::array<std::int32_t, 3>> neighbours;  ///< counter-clockwise seen from outside
};

/// Which of its three neighbours a vertex calls `neighbour`: 0, 1 or 2.
inline std::size_t slot_of(const SimplexMesh& mesh, std::int32_t vertex, std::int32_t neighbour)
{
    const auto& row = mesh.neighbours[static_cast<std::size_t>(vertex)];
    const std::size_t slot = row[0] == neighbour ? 0 : row[1] == neighbour ? 1 : 2;
    PLIANT_ASSERT(row[slot] == neighbour, "neighbours in a simplex mesh are mutual");
    return slot;
}

/// Every edge once, lower index first, in lexicographic order.
std::vector<Edge> edges_of(const SimplexMesh&);

/// Faces walked from the ordered neighbours, counter-clockwise seen from outside. Each starts at its
/// lowest vertex; they come in the order of it, then of its neighbours.
IndexRows faces_of(const SimplexMesh&);

/// "1296 vertices, 1944 edges, 650 faces (2 octagons, 8 quadrilaterals, 640 hexagons)"
std::string to_text(const SimplexMesh&);

/// Topological dual of a closed, oriented, manifold surface: vertex t is the centroid of triangle t,
/// neighbours[t][c] the triangle across half-edge 3t+c. Lines and vertices in no triangle are left
/// out. Throws Error saying where the surface is none of that.
SimplexMesh dual(const TriMesh& surface);

/// The dual back: vertex f is the centroid of face f, triangle v joins the faces around vertex v.
/// dual(triangulation_of(mesh)) has the neighbours of `mesh` again.
TriMesh triangulation_of(const SimplexMesh& mesh);

/// The same vertices as a surface that can be drawn, measured and collided: faces cut into triangles
/// in a zigzag of short cuts, edges as lines. Cuts can only coincide where two faces meet in several edges.
TriMesh surface_of(const SimplexMesh&);

/// Do three lines end at every vertex? Asked before simplex_mesh_of, of a file that may be anything.
bool has_three_lines_per_vertex(const TriMesh&);

/// From such a surface back: lines say who is a neighbour, the triangles around a vertex in which
/// order, on any orientable surface. Throws Error naming the first vertex that does not fit.
SimplexMesh simplex_mesh_of(const TriMesh& surface);

/// "simplex mesh: 54 vertices, …\n" of such a surface, why not if its lines promise one, else "".
std::string simplex_summary(const TriMesh& surface);

/// Orders neighbours of which only the graph and the positions are known, from vertex to vertex
/// across the edges whose ends tell it most clearly, beginning at the vertex farthest from the middle
/// of each piece, where outside is away from the middle. No star shape needed: a torus comes out right.
/// False when some edge clearly contradicts the walk (no such surface has two sides) or nothing tells
/// the order; neighbours are then as far as the walk came.
bool order_neighbours(SimplexMesh&);

/// Unit vertex normals from the plane of the three neighbours (eq. 2.1); zero where they are collinear.
std::vector<Vec3> vertex_normals(const SimplexMesh&);

/// The seed and n rings of neighbours around it, ascending: 1, 4, 10, 19, 31, 46 vertices for
/// n = 0 .. 5 among hexagons. Costs what it finds, whatever the size of the mesh. Neighbours are mutual.
std::vector<std::int32_t> rings(const IndexRows& neighbours, std::int32_t seed, int n);
std::vector<std::int32_t> rings(const SimplexMesh&, std::int32_t seed, int n);

/// Where a vertex stands over its neighbours, whatever their place, attitude and size.
///   e1 + e2 + e3 = 1: metric parameters, the foot of the vertex on the plane is e1 a + e2 b + e3 c;
///   phi: simplex angle in (-pi, pi), 0 flat, positive on the side of (b-a) x (c-a).
/// With r the circumradius of a b c, d the distance of the foot from its centre, h the height above the
/// plane, the sphere through all four has its centre at height s = (d^2 + h^2 - r^2) / 2h and radius R;
/// |sin phi| = r/R, and |phi| passes pi/2 where the circle through a b c is the sphere's widest.
struct SimplexCoordinates {
    double e1, e2, e3;
    double sin_angle, cos_angle;
};

/// Of vertex p. Collinear neighbours have no plane: e = 1/3 each and phi = 0 then.
///
/// Where the foot is outside the circumcircle (d > r), two heights h and (d^2 - r^2)/h lie on one sphere
/// and Delingette's angle, beyond pi/2, cannot tell them apart; it would send the lower, even a flat
/// vertex, to the upper. The lower one is therefore given phi + pi: a flat vertex has phi = 0 again, and heights
/// change smoothly where a foot crosses the circle.
SimplexCoordinates simplex_coordinates(const Vec3& p, const Vec3& a, const Vec3& b, const Vec3& c);

/// The vertex with these coordinates: simplex_point(simplex_coordinates(p, a, b, c), a, b, c) == p
/// for all p, but for rounding. Over other neighbours where no sphere has the angle (d > r), the nearest
/// possible height is taken.
Vec3 simplex_point(const SimplexCoordinates&, const Vec3& a, const Vec3& b, const Vec3& c);

}  // namespace pliant
