// SPDX-License-Identifier: MIT
#pragma once

// Cures positions that cut each other: moves vertices until no edge passes through a face, then until nothing is nearer than a gap.
//
// Rounds of two kinds. While something crosses (crossing_contours.h): on the surfaces that a contour of crossings runs over, the
// side that soonest ends is on the wrong side of the other surface. Its vertices at the contour are pushed back through the
// faces they went through, the faces giving way by their share, and the rest of that side follows. Where only edges are beyond
// faces, and no vertex is, the contour is made shorter along the gradient of its length. Once nothing crosses,
// pairs nearer than the gap are pushed apart (untangle_gap.h), and of what is proposed only as much is done as crosses nothing. In
// both, sweeps over edges and hinges pull lengths back to what they were (untangle_moves.h). There is a handful of attempts; the last
// shifts whole bodies out of the way (untangle_shift.h).
// The judge of audit/ decides what crosses, exactly, at the beginning, in every round and over everything at the end: a
// success is never assumed. A state that could not be cured is given back as good as it became, with what is left.
//
// Bodies move by their vertices, as a whole (a shift, so that a shape keeps its rest shape), or not at all. Not cured: what is
// linked (knots, rings that may not leave each other). Bodies without faces cross, but have no gap. The same bits for any
// number of threads.
// Symbols: x positions [m]. References: D. Baraff, A. Witkin, M. Kass, Untangling cloth, ACM TOG 22 (2003) 862-870; P. Volino,
// N. Magnenat-Thalmann, Resolving surface collisions through intersection contour minimization, ACM TOG 25 (2006) 1154-1159.

#include <cstdint>
#include <span>
#include <vector>

#include <pliant/audit/intersections.h>
#include <pliant/base/types.h>

namespace pliant {

/// How a body may move while it is untangled.
enum class UntangleMotion : std::uint8_t { vertices, whole, fixed };

/// What is to be untangled; spans outlive the call.
struct UntangleTask {
    const AuditSurfaces& surfaces;
    std::vector<UntangleMotion> motion;  ///< #bodies of the surfaces
    std::span<const std::uint8_t>
        held{};  ///< #points: 1 where a vertex stays, or empty; a whole body with one is fixed
    std::span<const AuditPlane> planes{};
};

struct UntangleOptions {
    double gap = 0;    ///< [m] wanted between elements that share no vertex; above zero
    int rounds = 900;  ///< at most, of all attempts and of parting together
};

struct UntangleReport {
    std::size_t before = 0;     ///< intersections, as the judge counts them
    Intersections left;         ///< at the end
    int rounds = 0;             ///< that were needed
    double largest_move = 0;    ///< [m]
    double mean_move = 0;       ///< [m] over all points
    double largest_strain = 0;  ///< of an edge, |l / l_before - 1|
    double smallest_gap =
        0;  ///< [m] of pairs that share no vertex, at most twice the wanted gap; 0 where something crosses
    std::size_t too_near = 0;  ///< pairs that are nearer than wanted

    bool is_free() const { return left.count() == 0; }
};

/// Moves x. Throws Error where a coordinate is not finite, or the gap is not above zero.
UntangleReport untangle(std::vector<Vec3>& x, const UntangleTask& task, const UntangleOptions& options);

/// A gap that suits the surfaces: a hundredth of their mean edge [m].
double suitable_gap(const AuditSurfaces& surfaces, std::span<const Vec3> x);

}  // namespace pliant
