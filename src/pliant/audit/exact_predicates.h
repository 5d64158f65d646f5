// SPDX-License-Identifier: MIT
#pragma once

// On which side a point lies: signs of determinants of coordinates, never wrong by rounding.
//
// Each question is first asked in doubles with a bound on their error (a filter); where the answer is smaller than the
// bound, it is asked again in whole numbers of as many digits as it takes: doubles are whole numbers times powers of two,
// so their differences and products have no rounding at all. Every finite double is allowed, however large or small.
// Signs are -1, 0 or 1. Lives here: signs alone. Not here: what cuts what (intersections.h). Written for the checker and shared with no solver, so that
// a mistake of the one does not hide a mistake of the other.
// Reference for the bounds: J. R. Shewchuk, Adaptive precision floating-point arithmetic and fast robust geometric
// predicates, Discrete Comput. Geom. 18 (1997) 305-363, sections 4.2 and 4.3.

#include <optional>

#include <pliant/base/types.h>

namespace pliant {

/// A point of the plane.
struct PlanePoint {
    double x = 0, y = 0;
};

/// Sign of det(b - a, c - a, d - a): positive where d sees a, b, c turn counter-clockwise, zero where the four lie in a plane.
int orientation(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d);

/// Sign of det(b - a, c - a): positive where a, b, c turn counter-clockwise, zero where they lie on a line.
int orientation(const PlanePoint& a, const PlanePoint& b, const PlanePoint& c);

/// Sign of normal . (x - point): on which side of a plane x lies.
int side_of_plane(const Vec3& point, const Vec3& normal, const Vec3& x);

/// The same as orientation where doubles can tell, nothing where they cannot: cheap, for those who can do without.
std::optional<int> certain_orientation(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d);
std::optional<int> certain_orientation(const PlanePoint& a, const PlanePoint& b, const PlanePoint& c);

}  // namespace pliant
