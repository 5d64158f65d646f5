// SPDX-License-Identifier: MIT
#pragma once

// Does a plane, a triangle or a segment meet a box along the axes?
//
// Each is a search for an axis on which the two do not overlap. All sets are closed, and rounding never hides an
// overlap: boxes are widened by a few units in the last place of the coordinates seen from their middle, so what
// misses a box by less counts as touching it. No length is built in: multiplying everything by a power of two
// changes no answer.
// Symbols: c middle and h half sizes of the box [m]. References: seeds/003 T-74..T-77; T. Akenine-Moeller, Fast 3D
// triangle-box overlap testing, J. Graphics Tools 6 (2001) 29-33; C. Ericson, Real-Time Collision Detection (2005) 5.3.3.

#include <algorithm>
#include <cmath>
#include <limits>

#include <pliant/base/types.h>

namespace pliant {

struct AlignedBox {
    Vec3 middle;
    Vec3 half;  ///< half sizes, not negative
};

/// The smallest box around the three corners (T-76), widened where its middle had to be rounded.
AlignedBox bounds_of_triangle(const Vec3& a, const Vec3& b, const Vec3& c);

/// Largest coordinate by absolute value.
inline double largest_coordinate(const Vec3& a)
{
    return std::max({std::abs(a.x), std::abs(a.y), std::abs(a.z)});
}

/// The plane through `point`, square to `normal`, which may have any length but zero.
bool plane_overlaps_box(const Vec3& point, const Vec3& normal, const AlignedBox& box);

/// The triangle may have no area.
bool triangle_overlaps_box(const Vec3& a, const Vec3& b, const Vec3& c, const AlignedBox& box);

/// One segment against many boxes.
class SegmentBoxTest {
public:
    SegmentBoxTest(const Vec3& a, const Vec3& b)
        : middle_{(a + b) * 0.5}
        , along_{(b - a) * 0.5}
        , size_{std::abs(along_.x), std::abs(along_.y), std::abs(along_.z)}
        , margin_{16 * std::numeric_limits<double>::epsilon() * std::max(largest_coordinate(a), largest_coordinate(b))}
    {
    }

    bool overlaps(const AlignedBox& box) const
    {
        const Vec3 m = middle_ - box.middle;
        const Vec3 h = box.half * kWidening + Vec3{margin_, margin_, margin_};
        // The axes of the box.
        if (std::abs(m.x) > h.x + size_.x || std::abs(m.y) > h.y + size_.y || std::abs(m.z) > h.z + size_.z)
            return false;
        // Cross products of the segment with the axes.
        return std::abs(m.y * along_.z - m.z * along_.y) <= h.y * size_.z + h.z * size_.y &&
               std::abs(m.z * along_.x - m.x * along_.z) <= h.z * size_.x + h.x * size_.z &&
               std::abs(m.x * along_.y - m.y * along_.x) <= h.x * size_.y + h.y * size_.x;
    }

private:
    static constexpr double kWidening = 1 + 16 * std::numeric_limits<double>::epsilon();

    Vec3 middle_, along_, size_;  // size: of `along`, without signs
    double margin_;
};

inline bool segment_overlaps_box(const Vec3& a, const Vec3& b, const AlignedBox& box)
{
    return SegmentBoxTest(a, b).overlaps(box);
}

}  // namespace pliant
