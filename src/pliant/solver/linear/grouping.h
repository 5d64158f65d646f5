// SPDX-License-Identifier: MIT
#pragma once

// Groups of about four nodes that pull on each other, for coarse levels: the nearest are paired, then the pairs.
// Reference: Notay, "An aggregation-based algebraic multigrid method", 2010, double pairwise aggregation.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace pliant {

/// How hard nodes pull on each other: couplings by node, those of node i are [start[i], start[i + 1]).
struct PullGraph {
    std::vector<std::int32_t> start, column;
    std::vector<double> pull;
    std::size_t size() const { return start.size() - 1; }
};

/// Which nodes belong to which group: those of group g are node[start[g]] ... in ascending order.
struct GroupMembers {
    std::vector<std::int32_t> start, node;

    GroupMembers() = default;
    GroupMembers(std::span<const std::int32_t> group, std::int32_t count);
    std::span<const std::int32_t> of(std::size_t group) const
    {
        return std::span(node).subspan(static_cast<std::size_t>(start[group]),
                                       static_cast<std::size_t>(start[group + 1] - start[group]));
    }
};

struct Grouping {
    std::vector<std::int32_t> group;  ///< of each node
    std::int32_t count = 0;
};

/// Pairs of pairs, in the order of the nodes. The graph becomes that of the groups.
Grouping group_by_four(PullGraph& graph);

}  // namespace pliant
