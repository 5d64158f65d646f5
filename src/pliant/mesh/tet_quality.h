// SPDX-License-Identifier: MIT
#pragma once

// Volumes and angles of tetrahedra; how good a volume mesh is to compute with, in numbers and in words.
//
// Symbols: lengths [m] (or the mesh's unit), angles [rad], V volume [m^3]; R and r the radii of the spheres
// through the corners and touching the faces. Aspect R/(3r): 1 regular, grows without bound as a
// tetrahedron flattens. V = det(x1 - x0, x2 - x0, x3 - x0) / 6 is negative for an inverted one.

#include <array>
#include <span>
#include <string>

#include <pliant/mesh/tet_mesh.h>
#include <pliant/mesh/topology.h>

namespace pliant {

inline double tet_volume(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d)
{
    return dot(cross(b - a, c - a), d - a) / 6;
}

/// Signed volume of each tetrahedron [m^3].
std::vector<double> tet_volumes(std::span<const Vec3> x, std::span<const Tet> tets);

/// Sum of the signed volumes [m^3].
double volume(const TetMesh& mesh);

/// Angle between the two faces at each edge, in the order of kTetEdges (tet_topology.h) [rad].
std::array<double, 6> dihedral_angles(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d);

/// R/(3r); infinite for a tetrahedron without volume.
double tet_aspect(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d);

struct TetQuality {
    std::size_t vertices = 0;
    std::size_t tets = 0;
    std::size_t edges = 0;
    std::size_t faces = 0;
    std::size_t boundary_faces = 0;
    std::size_t components = 0;  ///< pieces, isolated vertices not counted

    double volume = 0;  ///< of all, signed
    double smallest_volume = 0;
    double largest_volume = 0;
    double shortest_edge = 0;
    double longest_edge = 0;
    double mean_edge = 0;
    double smallest_angle = 0;  ///< dihedral, over the tetrahedra that are neither inverted nor degenerate
    double largest_angle = 0;
    double worst_aspect = 0;
    std::int32_t sharpest_tet = -1;  ///< has the smallest angle
    std::int32_t flattest_tet = -1;  ///< has the largest angle
    std::int32_t worst_tet = -1;     ///< has the worst aspect

    std::size_t inverted_tets = 0;       ///< negative volume
    std::size_t degenerate_tets = 0;     ///< volume below 1e-12 longest edge cubed, either sign
    std::size_t duplicate_tets = 0;      ///< same four vertices as an earlier one
    std::size_t overfull_faces = 0;      ///< three tetrahedra or more
    std::size_t folded_faces = 0;        ///< two tetrahedra on the same side
    std::size_t duplicate_vertices = 0;  ///< exactly where an earlier one is
    std::size_t isolated_vertices = 0;   ///< in no tetrahedron
    std::int32_t first_inverted_tet = -1;
    std::int32_t first_degenerate_tet = -1;
    std::int32_t first_isolated_vertex = -1;
    ClosednessReport surface;  ///< of the boundary faces; hinges show up as non-manifold edges

    /// Can an elastic body be built from it?
    bool is_usable() const
    {
        return tets > 0 &&
               inverted_tets + degenerate_tets + duplicate_tets + overfull_faces + folded_faces + isolated_vertices ==
                   0;
    }
};

TetQuality quality(const TetMesh& mesh);

/// A paragraph of lines for a terminal.
std::string to_text(const TetQuality& report);

}  // namespace pliant
