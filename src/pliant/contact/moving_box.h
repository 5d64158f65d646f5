// SPDX-License-Identifier: MIT
#pragma once

// A box around points that move straight over a step, in floats that never leave anything out, and the test of two.
//
// A box keeps where its points start and how far they go, apart: two boxes are compared as one sees the other,
// a swept by the interval u_a - u_b against b at rest. What moves together therefore needs no more room than at rest,
// however fast it is. Each number is an upper bound of a coordinate or of its negative, so that a union is a maximum
// of all lanes and a test is three additions, a maximum and a sign.
//
// Rounding: starts are rounded upwards; motions by kMotionRounding of their size and the reach by as much, which
// outweighs every rounding of the test. The test grows with its boxes (each of its operations is monotone): what
// overlaps, overlaps in all boxes around it too, to the bit.
// Symbols: x start [m], u displacement over the step [m]. Reference: evidence-contact-solver section 3.1.

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#ifdef __AVX__
#include <immintrin.h>
#endif

#include <pliant/base/types.h>

namespace pliant {

/// Eight floats that move together.
using FloatLanes = float __attribute__((vector_size(32)));

/// Lane by lane; the second where one is not a number.
inline FloatLanes largest(const FloatLanes& a, const FloatLanes& b)
{
    return a > b ? a : b;
}

inline constexpr double kStartRounding = 0x1p-23;
inline constexpr double kMotionRounding = 0x1p-21;

/// A float not below `value`, by no more than about `share` of it.
inline float rounded_up(double value, double share)
{
    return static_cast<float>(value + std::abs(value) * share + std::numeric_limits<float>::min());
}

/// Lanes 0 to 2 are -lowest, 4 to 6 highest. Lanes 3 and 7 of the start are free for whole numbers of the owner, those
/// of the motion for floats; no test looks at them.
struct MovingBox {
    FloatLanes start{};
    FloatLanes motion{};

    std::int32_t tag(int lane) const { return std::bit_cast<std::int32_t>(static_cast<float>(start[lane])); }
    void set_tag(int lane, std::int32_t tag) { start[lane] = std::bit_cast<float>(tag); }

    double lowest(int axis) const { return -static_cast<double>(start[axis]); }
    double highest(int axis) const { return static_cast<double>(start[axis + 4]); }
    double least_motion(int axis) const { return -static_cast<double>(motion[axis]); }
    double most_motion(int axis) const { return static_cast<double>(motion[axis + 4]); }
};

/// Around one point that goes from x0 to x1.
inline MovingBox moving_box(const Vec3& x0, const Vec3& x1)
{
    const Vec3 u = x1 - x0;
    MovingBox box;
    box.start = FloatLanes{
        rounded_up(-x0.x, kStartRounding), rounded_up(-x0.y, kStartRounding), rounded_up(-x0.z, kStartRounding), 0,
        rounded_up(x0.x, kStartRounding),  rounded_up(x0.y, kStartRounding),  rounded_up(x0.z, kStartRounding),  0};
    box.motion = FloatLanes{
        rounded_up(-u.x, kMotionRounding), rounded_up(-u.y, kMotionRounding), rounded_up(-u.z, kMotionRounding), 0,
        rounded_up(u.x, kMotionRounding),  rounded_up(u.y, kMotionRounding),  rounded_up(u.z, kMotionRounding),  0};
    return box;
}

/// Around both; the free lanes are of no use afterwards.
inline MovingBox united(const MovingBox& a, const MovingBox& b)
{
    return {largest(a.start, b.start), largest(a.motion, b.motion)};
}

/// Is one of the lanes 0 to 2, 4 to 6 below zero?
inline bool has_negative_axis(const FloatLanes& lanes)
{
#ifdef __AVX__
    return (_mm256_movemask_ps(_mm256_cmp_ps(lanes, _mm256_setzero_ps(), _CMP_LT_OQ)) & 0x77) != 0;
#else
    return lanes[0] < 0 || lanes[1] < 0 || lanes[2] < 0 || lanes[4] < 0 || lanes[5] < 0 || lanes[6] < 0;
#endif
}

/// The reach of a pair as the test wants it.
inline float rounded_reach(double reach)
{
    return rounded_up(reach, kMotionRounding);
}

/// May a point in a and a point in b come nearer than the reach? Symmetric.
inline bool overlap(const MovingBox& a, const MovingBox& b, float reach)
{
    const FloatLanes depth = a.start + __builtin_shufflevector(b.start, b.start, 4, 5, 6, 7, 0, 1, 2, 3);
    const FloatLanes sweep = a.motion + __builtin_shufflevector(b.motion, b.motion, 4, 5, 6, 7, 0, 1, 2, 3);
    return !has_negative_axis(depth + (largest(sweep, FloatLanes{}) + reach));
}

}  // namespace pliant
