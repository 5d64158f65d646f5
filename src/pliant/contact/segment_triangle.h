// SPDX-License-Identifier: MIT
#pragma once

// Where the straight way of a particle first meets a triangle, from either side.
//
// The corners are seen from the start of the way and sheared so that the way runs along one axis. In the plane square to
// it, three signs tell whether the way passes inside the triangle; the sign of a difference of two products may be
// lost to rounding but is never wrong, and a lost one counts as inside. So no way slips between two triangles that share
// an edge or a corner, at any scale, without a tolerance on a determinant.
// Ways are closed: one that begins or ends on the triangle, up to rounding, hits it. One that begins there has no side
// it came from; it counts as coming from outside, the side from which the corners run counter-clockwise, so it hits only
// if it goes in. Ways in the plane of the triangle, ways without length and triangles without area give no hit.
// Symbols: a start, b end of the way [m], t share of the way in [0, 1]. References: seeds/003 T-72, T-78; S. Woop,
// C. Benthin, I. Wald, Watertight ray/triangle intersection, J. Comput. Graph. Techniques 2 (2013) 65-82.

#include <array>
#include <cstdint>

#include <pliant/base/types.h>

namespace pliant {

using TriangleCorners = std::array<Vec3, 3>;

struct SegmentHit {
    double t = 0;                ///< share of the way, 0 at its start
    std::int32_t triangle = -1;  ///< which one; left alone by SegmentTriangleTest
    Vec3 point;                  ///< on the way [m]
    Vec3 normal;                 ///< of the triangle, unit, on the side that the particle came from
};

/// One way against many triangles.
class SegmentTriangleTest {
public:
    /// Ends that are not finite give a way that hits nothing.
    SegmentTriangleTest(const Vec3& a, const Vec3& b);

    /// Whether the way has a length and both ends are finite.
    bool moves() const { return reach_ > 0; }

    /// The share t of the way at which it meets the triangle; negative when it does not.
    double meets(const TriangleCorners& corners) const;

    /// Point and normal of a triangle that the way meets at t.
    SegmentHit hit_at(double t, const TriangleCorners& corners) const;

private:
    struct Sheared {
        double x, y;  // beside the way
        double z;     // along it, as a coordinate of the axis
    };
    Sheared sheared(const Vec3& corner) const;

    Vec3 start_, way_;
    int axis_x_ = 0, axis_y_ = 1, axis_z_ = 2;  // z: the largest coordinate of the way
    double shear_x_ = 0, shear_y_ = 0;
    double reach_ = 0;       // length along z; 0 when nothing can be hit
    double direction_ = 1;   // sign of the way along z
    double coordinate_ = 0;  // largest of a and b
};

}  // namespace pliant
