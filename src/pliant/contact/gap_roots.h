// SPDX-License-Identifier: MIT
#pragma once

// Paths of nodes over a step, and where a polynomial in time changes its sign.
//
// Within a step each coordinate is a cubic with the positions and velocities of both ends (Hermite), or a straight
// line. Everything is kept by Bernstein coefficients over u = t/h in [0, 1]: a polynomial stays between its
// smallest and largest one and has no more sign changes than they have, which bounds boxes and finds roots.
// Symbols: x0, x1 positions [m] and v0, v1 velocities [m/s] at the ends of the step, h length of the step [s].
// References: seeds/002 E-71..E-73, E-82; G. Farin, Curves and Surfaces for CAGD (1988), chapters 4 and 5.

#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>

#include <pliant/base/types.h>

namespace pliant {

/// A cubic path by its Bernstein points; the box around them holds the whole path.
using PathCurve = std::array<Vec3, 4>;

/// The point at u; u may be a jet.
template <class S>
Vec3T<S> point_at(const PathCurve& curve, const S& u)
{
    const S w = 1.0 - u;
    const S weight[4] = {w * w * w, 3.0 * (u * (w * w)), 3.0 * (u * u * w), u * u * u};
    Vec3T<S> point;
    for (std::size_t k = 0; k < 4; ++k) {
        point.x += weight[k] * curve[k].x;
        point.y += weight[k] * curve[k].y;
        point.z += weight[k] * curve[k].z;
    }
    return point;
}

enum class PathKind : std::uint8_t { hermite, straight };

/// How all nodes move over one step. Straight paths need no velocities.
struct StepMotion {
    std::span<const Vec3> x0, v0, x1, v1;
    double h = 0;
    PathKind path = PathKind::hermite;

    /// Path of a node seen from `origin`; a point nearby keeps digits.
    PathCurve curve(std::int32_t node, const Vec3& origin = {}) const;
};

/// The cubic with these values and slopes (per unit of u) at u = 0 and u = 1, as Bernstein coefficients.
constexpr std::array<double, 4> hermite_cubic(double value0, double slope0, double value1, double slope1)
{
    return {value0, value0 + slope0 / 3, value1 - slope1 / 3, value1};
}

/// A polynomial is positive (from = 1) or negative (from = -1) up to somewhere in [begin, end], and of the other sign
/// behind it.
struct SignChange {
    double begin = 0, end = 0;
    int from = 1;
};

inline constexpr std::size_t kMaxGapDegree = 9;

/// All sign changes of the polynomial with these Bernstein coefficients, from left to right; returns how many. Values
/// up to `noise` count as zero. Starting at zero, whatever sign comes first counts as a change at u = 0; ending at
/// zero, nothing does: a touch at the end of a step belongs to the next step. Two changes closer than 2^-30 may go
/// unseen, as does a touch without crossing. Needs one place more than the degree in `changes`.
std::size_t find_sign_changes(std::span<SignChange> changes, std::span<const double> coefficients, double noise);

/// Value and slope of a function at some u.
struct GapValue {
    double value = 0, slope = 0;
};

/// The root of gap(u) between two ends where it has different signs (the caller knows), to rounding: Newton's steps
/// where they stay between the ends and shrink, halving otherwise.
template <class Gap>
double root_between(Gap&& gap, SignChange bracket)
{
    constexpr int kMostSteps = 100;
    double u = 0.5 * (bracket.begin + bracket.end), last_step = bracket.end - bracket.begin;
    for (int step = 0; step < kMostSteps && bracket.begin < bracket.end; ++step) {
        const GapValue g = gap(u);
        if (g.value == 0) return u;
        (g.value * bracket.from > 0 ? bracket.begin : bracket.end) = u;
        double next = u - g.value / g.slope;
        if (!(next > bracket.begin && next < bracket.end && std::abs(next - u) < 0.5 * last_step))
            next = 0.5 * (bracket.begin + bracket.end);
        last_step = std::abs(next - u);
        if (last_step <= std::numeric_limits<double>::epsilon() * u) break;
        u = next;
    }
    return u;
}

}  // namespace pliant
