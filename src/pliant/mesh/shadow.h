// SPDX-License-Identifier: MIT
#pragma once

// The shadow of triangles under light along an axis: how much of the floor a drape covers.
//
// The floor is cut into strips; along the middle of each the triangles cover intervals, whose union is measured exactly. So what
// lies over itself counts once, and only across the strips is anything approximated (midpoint rule). Units: x [m], area [m^2].

#include <span>

#include <pliant/base/types.h>

namespace pliant {

/// Area of the shadow along an axis (0 x, 1 y, 2 z) by strips of that width [m], which must be positive. Not a number where a
/// corner of a triangle is not finite.
double shadow_area(std::span<const Vec3> x, std::span<const Triangle> triangles, int axis, double strip);

}  // namespace pliant
