// SPDX-License-Identifier: MIT
#pragma once

// Who gives way to what while surfaces are untangled: wishes for displacements gathered over a round, then done together.
//
// A wish is about a weighted sum of points: it should move by so much along a direction. It is met by the smallest
// displacements that meet it (of vertices that are not held, of bodies that move as a whole), and a vertex with several wishes
// does their mean, weighted as it takes part in them; a whole body moves along the mean of its wishes as far as the farthest.
// Between rounds, sweeps over springs pull the lengths of edges, and a little those across hinges, back to what they were.
// Symbols: x positions [m], c weights of a sum.

#include <cstdint>
#include <span>
#include <vector>

#include <pliant/mesh/topology.h>
#include <pliant/world/untangle.h>

namespace pliant {

class UntangleMoves {
public:
    UntangleMoves(const UntangleTask& task, std::size_t point_count);

    /// Can the point be moved at all?
    bool can_move(std::int32_t point) const { return mover_[point] != kNobody; }
    /// Body that the point moves with, or -1 where it moves alone or not at all.
    std::int32_t whole_body(std::int32_t point) const
    {
        return mover_[point] <= kFirstBody ? kFirstBody - mover_[point] : -1;
    }

    void clear();
    /// Was it asked to move, by itself?
    bool has_wish(std::int32_t point) const { return weight_[point] > 0; }
    /// Is nobody who could move asked to?
    bool is_empty() const { return asked_.empty() && requests_.empty(); }

    /// The sum over c x should move by `amount` along the unit vector `direction`. At most eight points.
    void wish(std::span<const std::int32_t> points, std::span<const double> c, const Vec3& direction, double amount);

    /// Each point should be displaced by its c times `by`.
    void push(std::span<const std::int32_t> points, std::span<const double> c, const Vec3& by);

    /// Takes vertices without wishes along with those of the same piece that have some: smoothly, as a skin between them.
    void spread(std::span<const std::int32_t> piece, const IndexRows& neighbours);

    /// Does what was wished since clear().
    void apply(std::span<Vec3> x, const AuditSurfaces& surfaces);

private:
    static constexpr std::int32_t kNobody = -1, kFirstBody = -2;  // bodies that move as a whole: kFirstBody - body

    struct Request {
        std::int32_t body;
        Vec3 by;
    };
    void add(std::int32_t mover, double weight, const Vec3& by);

    std::vector<std::int32_t> mover_;  // #points: the point itself, kNobody, or a body
    std::vector<Vec3> sum_;            // #points
    std::vector<double> weight_;       // #points
    std::vector<std::int32_t> asked_;  // points with wishes
    std::vector<Request> requests_;    // of whole bodies
    std::vector<Vec3> spread_;         // #points, of a piece
    std::vector<std::uint8_t> part_;   // #points: 1 with wishes of its own, 2 without, 0 beside the piece
};

/// Lengths that surfaces should keep.
class KeptLengths {
public:
    /// Of edges and across hinges, as they are at x, where at least one end moves by itself.
    KeptLengths(const UntangleTask& task, const UntangleMoves& moves, std::span<const Vec3> x);

    /// One sweep that takes back `share` of what edges are too long or short; forth and back in turns.
    void sweep(std::span<Vec3> x, double share);

    /// The largest |l / rest - 1| of all edges, of whole and fixed bodies too.
    double largest_strain(std::span<const Vec3> x) const;

private:
    struct Spring {
        std::int32_t a, b;
        double rest, stiffness;
        double yields_a, yields_b;  // 1 where that end may move
    };
    void add(const UntangleMoves& moves, std::span<const Vec3> x, std::int32_t a, std::int32_t b, double stiffness);
    static void relax(const Spring& spring, std::span<Vec3> x, double share);

    std::vector<Spring> springs_;
    std::size_t edge_count_ = 0;  // springs before those across hinges
    bool is_backwards_ = false;
};

}  // namespace pliant
