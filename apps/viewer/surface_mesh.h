// SPDX-License-Identifier: MIT
#pragma once

// The surfaces of a take as they are drawn: corners with a normal of their own, edges, and lines.
//
// A drawn vertex shows one point. There is one for each smooth part around a point in the first frame, so that boxes have
// sharp edges and spheres and sheets have none; what folds later is drawn smooth.

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include <pliant/model/frame.h>

#include "colour_map.h"

namespace pliant::viewer {

/// One drawn vertex as the graphics memory has it.
struct DrawnVertex {
    std::array<float, 3> place, normal;
    float value = 0;
};

struct SurfaceMesh {
    std::vector<std::int32_t> point;                      ///< #vertices: what each shows
    std::vector<Rgb> colour;                              ///< #vertices
    std::vector<std::array<std::uint32_t, 3>> triangles;  ///< of vertices
    std::vector<std::array<std::uint32_t, 2>> edges;      ///< of triangles, each once
    std::vector<std::array<std::uint32_t, 2>> lines;      ///< of bodies that have no faces there
};

/// Cut along edges sharper than 40 degrees at x.
SurfaceMesh make_surface_mesh(const Topology& topology, std::span<const Vec3> x);

/// Writes all vertices at positions x, with a value for each point or without.
void place_vertices(std::span<DrawnVertex> vertices, const SurfaceMesh& mesh, std::span<const Vec3> x,
                    std::span<const double> values, std::vector<Vec3>& normals);

}  // namespace pliant::viewer
