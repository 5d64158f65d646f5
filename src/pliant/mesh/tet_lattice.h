// SPDX-License-Identifier: MIT
#pragma once

// Filling a closed surface with tetrahedra: isosurface stuffing on a body-centred cubic lattice.
//
// Lattice vertices close to the surface are pulled onto it, tetrahedra that still straddle it are cut along it.
// Every vertex on the boundary lies on the given surface (to a millionth of the edge length), and every dihedral
// angle between kLatticeSmallestAngle and kLatticeLargestAngle whatever the surface (bounds of a search over
// random cuts, not a proof: lattice_stuffing.cpp). Sharp edges and corners are chamfered over about one edge
// length, and what is thinner than that falls away: compare the two volumes of the result.
// Reference: F. Labelle, J. R. Shewchuk, Isosurface stuffing: fast tetrahedral meshes with good dihedral
// angles, ACM Trans. Graph. 26 (2007) 57.

#include <numbers>

#include <pliant/mesh/tet_mesh.h>

namespace pliant {

inline constexpr double kLatticeSmallestAngle = 10.78 / 180 * std::numbers::pi;  ///< [rad]
inline constexpr double kLatticeLargestAngle = 164.75 / 180 * std::numbers::pi;  ///< [rad]

struct LatticeFill {
    TetMesh mesh;                   ///< group: surface
    double surface_volume = 0;      ///< enclosed by the given triangles [m^3]
    double tet_volume = 0;          ///< of the tetrahedra [m^3]
    std::size_t snapped = 0;        ///< lattice vertices pulled onto the surface
    std::size_t components = 0;     ///< pieces; more than the surface has means that thin parts broke
    std::size_t pinched_edges = 0;  ///< boundary edges where the body touches itself: refine there
};

/// Tetrahedra whose edges are about `edge_length` [m] long inside the surface, on the side where its winding
/// number is not zero (so it may face inwards, have cavities and overlap itself). Throws Error when
/// the surface is open or inconsistently oriented, has vertices that are not finite, when the lattice
/// would be too big, or so coarse that nothing lies inside.
LatticeFill fill_with_tets(const TriMesh& surface, double edge_length);

}  // namespace pliant
