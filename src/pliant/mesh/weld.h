// SPDX-License-Identifier: MIT
#pragma once

// Merging vertices that lie on top of each other.
//
// Every vertex joins the lowest-numbered kept vertex within the tolerance, so the result depends
// only on the order of the vertices. Time is linear: a hash of cells a few tolerances wide.

#include <span>
#include <vector>

#include <pliant/mesh/tri_mesh.h>

namespace pliant {

struct WeldMap {
    std::vector<std::int32_t> new_index;  ///< #vertices: where each old vertex went
    std::size_t kept = 0;                 ///< vertices after
    std::size_t merged = 0;               ///< vertices gone: old count - kept
};

/// tolerance [m], same units as x; 0 merges exactly equal coordinates only. Points that are not
/// finite stay alone.
WeldMap weld_map(std::span<const Vec3> x, double tolerance);

struct WeldReport {
    WeldMap map;
    std::size_t dropped_triangles = 0;  ///< they had lost a corner
    std::size_t dropped_lines = 0;      ///< they had lost their length
};

/// Where the material coordinates of two vertices in one place are further apart than the tolerance, two
/// pieces of cloth meet: keep leaves both vertices, sew merges them and keeps the first's coordinates.
enum class UvSeams { keep, sew };

/// Merges the mesh's vertices; triangles and lines that collapse are removed, groups and material
/// coordinates follow.
WeldReport weld(TriMesh&, double tolerance = 0.0, UvSeams seams = UvSeams::keep);

}  // namespace pliant
