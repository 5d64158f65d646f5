// SPDX-License-Identifier: MIT
#pragma once

// Tetrahedra for the inside of a cut lattice: snapping and stencils.
//
// A lattice point with a cut closer than alpha edge lengths is moved onto the nearest such cut and lies on the
// surface from then on, so that its edges are cut no more. What is left of each lattice tetrahedron inside is
// cut in one, two or three. The angles are bounded for any sides and any cuts, since no cut stays near a point.
// Reference: F. Labelle, J. R. Shewchuk, Isosurface stuffing, ACM Trans. Graph. 26 (2007) 57.

#include <pliant/mesh/lattice_cuts.h>
#include <pliant/mesh/tet_mesh.h>

namespace pliant {

struct Stuffing {
    TetMesh mesh;             ///< vertices in the order of first use, all of them used
    std::size_t snapped = 0;  ///< lattice points moved onto the surface
};

/// Points on the outermost two layers of the lattice must lie outside.
Stuffing stuff(const BccLattice& lattice, const LatticeCuts& cuts);

}  // namespace pliant
