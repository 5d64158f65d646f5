// SPDX-License-Identifier: MIT
#pragma once

// When a vertex and a face, or two edges, first come close while their points move straight over a step. Never misses.
//
// Two convex things are apart as long as there is a direction along which every point of one lies beyond every point of
// the other. Along a fixed direction n the points of straight paths move linearly, so one look tells how long n keeps
// them apart, with nothing assumed about n: it may come from rounded nearest points and the answer is still proven.
// The search advances from one such time to the next, each time with the direction between the nearest points there.
// Only differences of points enter, so motion in common costs nothing. Where directions turn fast (a face that turns
// under a vertex) and advances are short, it leaps: the volume of the four points is a cubic in time, and while
// its Bernstein coefficients have one sign and are large enough, the vertex is off the plane, or the lines are apart.
// All bounds carry what rounding can do to them. What cannot be settled counts as an impact.
// References: seeds/001 sections 3.8 and 3.9, corrections W-09..W-12; B. Mirtich, Impulse-based Dynamic Simulation of
// Rigid Body Systems (1996), 2.3 (conservative advancement); M. Li, D. Kaufman, C. Jiang, Codimensional Incremental
// Potential Contact (2021), 4 (additive advancement); X. Zhang, M. Lee, Y. Kim, Interactive Continuous Collision
// Detection for Non-Convex Polyhedra (2006) (bounds along the direction of nearest points).

#include <algorithm>
#include <array>
#include <optional>

#include <pliant/base/types.h>
#include <pliant/contact/surface_pairs.h>

namespace pliant {

/// Four points, in the order of pair_nodes(), at both ends of a step [m]; straight in between.
struct PairPath {
    std::array<Vec3, 4> x0, x1;
};

/// A pair may lose all but this share of its distance in one step, however large the separation asked for: a pair
/// that is already closer than that is slowed down, never frozen, and its gap never ends in rounding.
inline constexpr double kKeptShare = 0.2;

/// What a pair keeps of its distance: the separation, or a share of what it is farther apart than `least` at the start,
/// whichever is less. One that begins farther apart than `least` never comes nearer.
struct KeptGap {
    double separation = 0;      ///< [m]
    double least = 0;           ///< [m] no more than the separation
    double share = kKeptShare;  ///< [1]

    /// [m] Of a pair that begins at `distance`.
    double kept_of(double distance) const
    {
        const double over = distance > least ? least : 0;
        return std::min(std::max(separation, 0.0), over + share * (distance - over));
    }
};

/// The share of the step, in [0, 1], up to which the pair certainly keeps its gap; nothing if that holds for the whole step.
/// Never later than the true moment. At the returned time a thousandth of the distance that the pair could lose is still
/// left, so that its nearest points have a direction. 0 where the pair touches at the start, or no number could tell: one is
/// not finite, or all lengths are above 1e80 m or below 1e-80 m.
std::optional<double> time_of_impact(PairKind kind, const PairPath& path, const KeptGap& gap);

inline std::optional<double> time_of_impact(PairKind kind, const PairPath& path, double separation)
{
    return time_of_impact(kind, path, KeptGap{.separation = separation});
}

/// True only if the pair certainly stays farther apart than `separation` over the whole step: a cheap test for most of
/// what a broad phase finds. time_of_impact() begins with it.
bool quick_miss(PairKind kind, const PairPath& path, double separation);

}  // namespace pliant
