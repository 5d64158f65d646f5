// SPDX-License-Identifier: MIT
#pragma once

// Contacts: pairs of points that touch, found from positions alone. No forces here.
//
// Each side of a contact is a few nodes with weights: a free vertex is one node, a point of a face
// three, a point of a rigid body its frame. The normal points from b to a; the gap is negative when
// they overlap. Contacts are sorted by key, so that the order of a search cannot be seen in a result.

#include <array>
#include <cstdint>

#include <pliant/base/types.h>

namespace pliant {

/// One side: a frame (frame >= 0), or up to three free points with weights that sum to 1.
struct ContactSide {
    std::int32_t body = -1;
    std::int32_t frame = -1;
    std::array<std::int32_t, 3> point{-1, -1, -1};
    std::array<double, 3> weight{};
};

struct Contact {
    std::uint64_t key = 0;
    ContactSide a, b;
    Vec3 at;         ///< [m] where they touch
    Vec3 normal;     ///< unit, from b to a
    double gap = 0;  ///< [m]
};

/// Nearest point of triangle abc to p, as barycentric weights.
std::array<double, 3> nearest_on_triangle(const Vec3& p, const Vec3& a, const Vec3& b, const Vec3& c);

}  // namespace pliant
