// SPDX-License-Identifier: MIT
#pragma once

// Pairs of elements that are nearer than a gap, and wishes that they part. For states in which nothing crosses.
//
// Elements joined by an edge, though they share no vertex, cannot be farther apart than the mesh lets them: of these half the
// shortest of their edges is wanted, if that is less than the gap.
// Symbols: x positions [m].

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include <pliant/contact/triangle_trees.h>
#include <pliant/mesh/topology.h>
#include <pliant/world/untangle_moves.h>

namespace pliant {

struct GapCount {
    double smallest = 0;       ///< [m] of all pairs, at most the reach of the search, twice the gap
    std::size_t too_near = 0;  ///< pairs nearer than wanted
    double shortfall = 0;      ///< over those pairs: sum of the share of what is wanted that is missing
};

class UntangleGap {
public:
    UntangleGap(const UntangleTask& task, std::span<const Vec3> x, double gap);

    /// Looks for pairs that are too near at x, and wishes them apart.
    GapCount wish(UntangleMoves& moves, std::span<const Vec3> x);

private:
    struct Near {
        std::array<std::int32_t, 4> point;
        std::array<double, 4> weight;
        Vec3 direction;
        double missing;  // [m]
    };
    void part(UntangleMoves& moves) const;
    double wanted(const std::array<std::int32_t, 4>& point, std::size_t firsts, std::span<const Vec3> x) const;
    bool are_joined(std::int32_t a, std::int32_t b) const;

    double gap_;
    CollisionSurface surface_;
    std::unique_ptr<TriangleTrees> trees_;  // none without faces
    IndexRows neighbours_;                  // #points
    std::vector<double> reach_;             // #bodies [m]
    std::vector<std::uint8_t> meets_self_, is_fixed_;
    std::vector<SurfacePair> pairs_;
    std::vector<Near> inside_, at_border_;  // by where their nearest points lie
};

}  // namespace pliant
