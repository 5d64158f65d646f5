// SPDX-License-Identifier: MIT
#pragma once

// Orderings that keep Cholesky factors thin: nested dissection of the graph of a block matrix.
//
// A part is cut in two by a plane, or by the distance from a node at its rim; the nodes that touch the other side
// in the smallest possible number (minimum vertex cover of the cut edges) become the separator and are numbered
// last; both sides are cut again. Coordinates only guide the cuts: any positions give a valid ordering.
// Reference: George, "Nested dissection of a regular finite element mesh", 1973; Koenig's theorem for the covers.

#include <cstdint>
#include <span>
#include <vector>

#include <pliant/solver/linear/block_matrix.h>

namespace pliant {

/// Which nodes meet, both directions, no node with itself.
struct NodeGraph {
    std::vector<std::int64_t> start;      ///< #nodes + 1
    std::vector<std::int32_t> neighbour;  ///< ascending for each node

    std::int32_t node_count() const { return static_cast<std::int32_t>(start.size()) - 1; }
    std::span<const std::int32_t> of(std::int32_t node) const
    {
        return {neighbour.data() + start[node], neighbour.data() + start[node + 1]};
    }
};

NodeGraph graph_of(const BlockMatrix& pattern);

/// The node to eliminate first, second, …; x [m] one position per node, or empty.
std::vector<std::int32_t> nested_dissection(const NodeGraph&, std::span<const Vec3> x);

/// Nodes in the order of their numbers, the ordering to compare with.
std::vector<std::int32_t> natural_order(std::int32_t node_count);

}  // namespace pliant
