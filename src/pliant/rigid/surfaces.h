// SPDX-License-Identifier: MIT
#pragma once

// Surfaces of round rigid shapes as triangles: closed, facing outwards, corners on the shape itself, so that a side of
// n facets lies inside it by radius (1 - cos(pi / n)) at most. Cylinder and capsule stand along y.

#include <pliant/mesh/tri_mesh.h>

namespace pliant {

/// As many facets round a shape as a scene gets that does not say; spheres as they were always drawn.
inline constexpr int kFacets = 32, kSphereFacets = 20;

/// An icosphere whose great circles have at least so many edges.
TriMesh sphere_surface(double radius, int facets);
TriMesh cylinder_surface(double radius, double length, int facets);
/// `length` is that of the straight part; its caps have a ring for every four facets.
TriMesh capsule_surface(double radius, double length, int facets);

}  // namespace pliant
