// SPDX-License-Identifier: MIT
#pragma once

// Three colours for the triangles of a surface, so that neighbours across an edge differ.
//
// The thesis paints bodies this way to show their faces (seeds/002 E-106, "approximate 3-colouring").
// Where every edge has at most two triangles, three colours suffice but for a surface of four triangles
// that all touch (Brooks 1941); what cannot be kept apart is counted. Linear, the same every time.
// Reference: L. Lovász, Three short proofs in graph theory, J. Comb. Theory B 19 (1975) 269-271.

#include <cstdint>
#include <span>
#include <vector>

#include <pliant/base/types.h>

namespace pliant {

struct FaceColouring {
    std::vector<std::uint8_t> colour;  ///< #triangles: 0, 1 or 2
    std::size_t clashes = 0;           ///< pairs of neighbours with the same colour
};
FaceColouring three_colouring(std::span<const Triangle> triangles);

}  // namespace pliant
