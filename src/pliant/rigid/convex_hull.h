// SPDX-License-Identifier: MIT
#pragma once

// The convex hull of points in space, as a closed surface of triangles that faces outwards.
//
// Points are added by their distance, farthest first: the faces that see a point are taken away and their rim is joined
// to it. A point within a rounding of a face counts as on it, so points amid flat sides and edges are left out.
// Reference: Barber, Dobkin and Huhdanpaa, "The quickhull algorithm for convex hulls", 1996.

#include <span>

#include <pliant/mesh/tri_mesh.h>

namespace pliant {

/// Vertices in the order of the points. Throws Error where the points fill no volume.
TriMesh convex_hull(std::span<const Vec3> points);

}  // namespace pliant
