// SPDX-License-Identifier: MIT
#pragma once

// What a broad phase is asked for, and what its answer cost.
//
// All broad phases (triangle_trees.h, spatial_hash.h, brute_force_pairs.h) give the same set of pairs: those that
// count and whose boxes (moving_box.h) come nearer than the reach. It is a function of the search alone, since no test
// but that of the two elements decides; only the order of the pairs may depend on how, and on what was asked before.
// It never depends on the number of threads. Whoever keeps pairs filters them by distance and sorts them by key.

#include <cstdint>
#include <span>

#include <pliant/base/types.h>

namespace pliant {

/// A pair of elements of bodies i and j (numbers as in CollisionSurface::face_body) counts when
///   it shares no vertex,
///   not both bodies are fixed, and i differs from j or meets_self[i] is 1, and
///   its elements may come nearer than reach[i] + reach[j] while all points go straight from x0 to x1.
/// Where a coordinate is not finite, pairs of its elements may be missing or too many.
struct PairSearch {
    std::span<const Vec3> x0, x1;              ///< #points: ends of the step [m]; x1 may be x0
    std::span<const double> reach;             ///< #bodies [m], not negative
    std::span<const std::uint8_t> meets_self;  ///< #bodies: 1 when pairs within the body count
    std::span<const std::uint8_t> is_fixed;    ///< #bodies: 1 for bodies that none but moving bodies can meet

    /// Can pairs of these two bodies count?
    bool counts(std::int32_t i, std::int32_t j) const
    {
        const auto a = static_cast<std::size_t>(i), b = static_cast<std::size_t>(j);
        return (is_fixed[a] == 0 || is_fixed[b] == 0) && (i != j || meets_self[a] != 0);
    }
    double pair_reach(std::int32_t i, std::int32_t j) const
    {
        return reach[static_cast<std::size_t>(i)] + reach[static_cast<std::size_t>(j)];
    }
};

struct SearchCounters {
    std::int64_t box_tests = 0;   ///< of nodes, or of faces from cells
    std::int64_t face_pairs = 0;  ///< pairs of faces whose boxes overlap
    std::int64_t pairs = 0;       ///< what came out

    SearchCounters& operator+=(const SearchCounters& other)
    {
        box_tests += other.box_tests, face_pairs += other.face_pairs, pairs += other.pairs;
        return *this;
    }
};

}  // namespace pliant
