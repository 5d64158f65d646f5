// SPDX-License-Identifier: MIT
#pragma once

// Changing volume meshes: moving, putting together, gluing, cutting away, adding mid-edge nodes.
//
// Every function keeps tetrahedra positive, regions and groups in step, and returns where vertices and
// tetrahedra went. Symbols: angles [rad], right-hand rule; lengths [m] or the mesh's unit.
// References: seeds/002 E-102 (union, removal), E-103 (placement), E-11 (gluing by shared vertices).

#include <span>
#include <vector>

#include <pliant/mesh/tet_mesh.h>

namespace pliant {

void translate(TetMesh& mesh, const Vec3& offset);

/// Rotates about the line through `center` along `axis` by `angle` [rad].
void rotate(TetMesh& mesh, const Vec3& axis, double angle, const Vec3& center = {});

/// Multiplies coordinates; a mirroring (negative product) also swaps two corners of each tetrahedron.
void scale(TetMesh& mesh, const Vec3& factors);
void scale(TetMesh& mesh, double factor);

/// x -> matrix x + offset; a mirroring swaps two corners of each tetrahedron.
void transform(TetMesh& mesh, const Mat3& matrix, const Vec3& offset = {});

/// Swaps two corners of every tetrahedron with negative volume; returns how many there were.
std::size_t orient_positively(TetMesh& mesh);

/// Adds a copy of `other` behind the mesh's own vertices and tetrahedra; groups of equal name unite. When
/// only one of the two has regions, the tetrahedra of the other get region 0.
void append(TetMesh& mesh, const TetMesh& other);

struct GlueReport {
    std::vector<std::int32_t> new_vertex;  ///< #vertices of other: its number in the glued mesh
    std::size_t merged = 0;                ///< vertices of other that the mesh had already
};

/// Appends `other`, replacing each of its vertices that lies within `tolerance` [m] of one of the mesh by that
/// one (the lowest-numbered). Vertices inside either mesh are not merged among themselves. Throws Error,
/// leaving the mesh as it was, when a tetrahedron would lose a corner: the tolerance is too large.
GlueReport glue(TetMesh& mesh, const TetMesh& other, double tolerance);

struct TetRemoval {
    std::vector<std::int32_t> new_vertex;  ///< #old vertices: new number, -1 dropped
    std::vector<std::int32_t> new_tet;     ///< #old tetrahedra: new number, -1 removed
    std::size_t removed_tets = 0;
    std::size_t dropped_vertices = 0;  ///< in no tetrahedron any more, or never were
};

/// Keeps the tetrahedra whose entry is true and the vertices that they use; #tets entries.
TetRemoval keep_tets(TetMesh& mesh, const std::vector<bool>& kept);

/// Removes tetrahedra by number, in any order, repetitions allowed. Throws Error for a number out of range.
TetRemoval remove_tets(TetMesh& mesh, std::span<const std::int32_t> numbers);

/// Removes the tetrahedra for which is_unwanted(number) holds.
template <class IsUnwanted>
TetRemoval remove_tets_if(TetMesh& mesh, const IsUnwanted& is_unwanted)
{
    std::vector<bool> kept(mesh.tets.size());
    for (std::size_t t = 0; t < kept.size(); ++t) kept[t] = !is_unwanted(static_cast<std::int32_t>(t));
    return keep_tets(mesh, kept);
}

/// Ten-node tetrahedra with straight sides. Nodes 0 .. corner_count-1 are the mesh's vertices, unchanged;
/// node corner_count + e is the middle of edge e. Each tetrahedron lists its corners 0 1 2 3, then the nodes
/// amid 01 12 02 03 13 23: the order of VTK, Abaqus and CalculiX; Gmsh swaps the last two.
struct QuadraticTets {
    std::vector<Vec3> nodes;
    std::vector<std::array<std::int32_t, 10>> tets;
    std::vector<Edge> edges;  ///< #mid-edge nodes: its two corners, lower first
    std::size_t corner_count = 0;
    std::vector<std::int32_t> region;  ///< as TetMesh
    /// As TetMesh, with the mid-edge nodes between two members. A group of surface vertices only grows along
    /// the surface, never by an edge through the inside.
    std::vector<VertexGroup> groups;
};
QuadraticTets quadratic(const TetMesh& mesh);

/// Four triangles for each boundary face, in the numbers of QuadraticTets, seen from outside: for display and contact.
std::vector<Triangle> boundary_faces(const QuadraticTets& quadratic_tets);

}  // namespace pliant
