// SPDX-License-Identifier: MIT
#pragma once

// Vectors and the coordinates that are held, as State::held has them: bits x y z.

#include <cstdint>

#include <pliant/base/types.h>

namespace pliant {

/// A vector without the coordinates that are held.
inline Vec3 masked(const Vec3& a, std::uint8_t held)
{
    return {held & 1 ? 0 : a.x, held & 2 ? 0 : a.y, held & 4 ? 0 : a.z};
}

/// What of a vector is along held coordinates.
inline Vec3 held_part(const Vec3& a, std::uint8_t held)
{
    return a - masked(a, held);
}

}  // namespace pliant
