// SPDX-License-Identifier: MIT
#pragma once

// Where a surface runs through a body-centred lattice: the side of each point and the cuts of edges.
//
// A side is +1 inside, -1 outside, 0 on the surface. An edge from inside to outside has one cut, somewhere on
// the surface; a surface that crosses an edge twice goes unnoticed.

#include <vector>

#include <pliant/mesh/bcc_lattice.h>
#include <pliant/mesh/surface_tree.h>

namespace pliant {

struct LatticeCut {
    std::int32_t inside;   ///< lattice point at one end
    std::int32_t outside;  ///< at the other
    Vec3 point;            ///< between them, on the surface
};

struct LatticeCuts {
    std::vector<std::int8_t> side;        ///< #lattice points
    std::vector<LatticeCut> cuts;         ///< by inside point, then in the order of its neighbours
    std::vector<std::int32_t> first_cut;  ///< #lattice points + 1: cuts of each inside point

    /// The number of the cut between neighbours inside and outside.
    std::int32_t cut_between(std::int32_t inside, std::int32_t outside) const;
};

/// Lists the edges from inside to outside; their points are yet to be found.
LatticeCuts list_cuts(const BccLattice& lattice, std::vector<std::int8_t> side);

/// Sides by the winding number, cuts on the surface to 1e-7 of the spacing. Every row of the lattice along x must
/// begin outside.
LatticeCuts cut_by_surface(const BccLattice& lattice, const SurfaceTree& surface);

}  // namespace pliant
