// SPDX-License-Identifier: MIT
#pragma once

// Whether a segment and a triangle have a point in common, exactly.
//
// Both are closed: ends and rims belong to them, so that touching is meeting. Two that lie in one plane meet where they overlap or
// touch in it. Degenerate ones are what their corners span: a triangle whose corners lie on a line is a segment, a segment with
// equal ends is a point. The answer is that of real numbers for the coordinates as they are, however near the case.

#include <pliant/base/types.h>

namespace pliant {

/// Does the segment p q meet the triangle a b c? Coordinates are finite.
bool edge_meets_face(const Vec3& p, const Vec3& q, const Vec3& a, const Vec3& b, const Vec3& c);

/// Does the segment p q meet the segment a b? Coordinates are finite.
bool edge_meets_edge(const Vec3& p, const Vec3& q, const Vec3& a, const Vec3& b);

}  // namespace pliant
