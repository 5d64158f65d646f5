// SPDX-License-Identifier: MIT
#pragma once

// Surfaces of round rigid shapes as triangles: closed, facing outwards, corners on the shape itself, so that a side of
// n facets lies inside it by radius (1 - cos(pi / n)) at most; or with a radius divided by round_share(), facets
// that touch the shape from outside. Cylinder and capsule stand along y.

#include <pliant/mesh/tri_mesh.h>

namespace pliant {

/// As many facets round a shape as a scene gets that does not say; spheres as they were always drawn.
inline constexpr int kFacets = 32, kSphereFacets = 20;

/// An icosphere whose great circles have at least so many edges.
TriMesh sphere_surface(double radius, int facets);
TriMesh cylinder_surface(double radius, double length, int facets);
/// `length` is that of the straight part; its caps have a ring for every four facets.
TriMesh capsule_surface(double radius, double length, int facets);

/// [1] The largest share of the radius with which the round shape is all inside these facets of it. `length` is that of its
/// axis: 0 for a sphere. Flat ends of a cylinder do not count.
double round_share(const TriMesh& surface, double radius, double length);

}  // namespace pliant
