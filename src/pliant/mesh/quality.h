// SPDX-License-Identifier: MIT
#pragma once

// How good a surface mesh is to compute with, in numbers and in words.
//
// Symbols: lengths [m] (or the mesh's unit), angles [rad], aspect R/(2r) = circumradius over twice
// the inradius: 1 equilateral, grows without bound as a triangle flattens.

#include <limits>
#include <string>

#include <pliant/mesh/topology.h>
#include <pliant/mesh/tri_mesh.h>

namespace pliant {

struct MeshQuality {
    std::size_t vertices = 0;
    std::size_t triangles = 0;
    std::size_t edges = 0;  ///< of the triangles
    std::size_t lines = 0;

    double shortest_edge = 0;  ///< of triangles and lines
    double longest_edge = 0;
    double mean_edge = 0;
    double smallest_angle = 0;  ///< over the triangles that are not degenerate
    double largest_angle = 0;
    double worst_aspect = 0;
    std::int32_t worst_triangle = -1;  ///< the one with the worst aspect

    std::size_t degenerate_triangles = 0;  ///< area below 1e-12 longest side squared
    std::size_t duplicate_triangles = 0;   ///< same three vertices as an earlier one
    std::size_t duplicate_vertices = 0;    ///< exactly where an earlier one is
    std::size_t isolated_vertices = 0;     ///< in no triangle and no line
    std::size_t components = 0;            ///< pieces, isolated vertices not counted
    ClosednessReport closedness;
};

MeshQuality quality(const TriMesh&);

/// A paragraph of lines for a terminal.
std::string to_text(const MeshQuality&);

}  // namespace pliant
