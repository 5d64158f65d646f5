// SPDX-License-Identifier: MIT
#pragma once

// What a hand from outside has of the world: one point, pulled by a spring, pushed by a force, or held.
//
//   f = force + k (place - x) - d v
//
// Hands are people, devices and programs that reach into a running world (world/hands.h). Their grips are State: they
// come and go while a run goes on.

#include <cstdint>

#include <pliant/base/types.h>

namespace pliant {

struct Grip {
    std::int32_t hand = 0, point = 0;
    std::int64_t is_held = 0;  ///< 1: the point, a free vertex, stands still whatever pulls at it
    Vec3 start;                ///< [m] where the point was when it was taken
    Vec3 place;                ///< [m] where the hand wants it
    Vec3 force;                ///< [N]
    double k = 0;              ///< [N/m]
    double d = 0;              ///< [N s/m]

    Vec3 force_at(const Vec3& x, const Vec3& v) const { return force + (place - x) * k - v * d; }
};
static_assert(sizeof(Grip) == 4 + 4 + 8 + 24 + 24 + 24 + 8 + 8, "no padding: its bytes are hashed");

}  // namespace pliant
