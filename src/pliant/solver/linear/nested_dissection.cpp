// SPDX-License-Identifier: MIT
#include <pliant/solver/linear/nested_dissection.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace pliant {

namespace {

// Parts of so few nodes are numbered as they come: they end up as one dense panel anyway.
constexpr std::size_t kLeaf = 12;
// A side of a cut keeps at least this share of the nodes.
constexpr double kSmallestSide = 0.3;
// How much an uneven cut is worse than an even one of the same separator.
constexpr double kUnevenness = 1;

// Normals of the planes that are tried: the axes and the diagonals of a cube.
constexpr Vec3 kNormals[] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 1}, {1, 1, -1}, {1, -1, 1}, {-1, 1, 1}};

class Dissection {
public:
    Dissection(const NodeGraph& graph, std::span<const Vec3> x)
        : graph_(graph)
        , x_(x)
        , part_(size(graph), 0)
        , rank_(size(graph), 0)
        , mate_(size(graph), -1)
        , came_from_(size(graph), -1)
        , order_(natural_order(graph.node_count()))
    {
        nodes_by_rank_.reserve(size(graph));
        best_.reserve(size(graph));
        keys_.reserve(size(graph));
    }

    std::vector<std::int32_t> run()
    {
        dissect(0, order_.size());
        return std::move(order_);
    }

private:
    using Nodes = std::span<std::int32_t>;
    struct Cut {
        double cost = std::numeric_limits<double>::infinity();
        std::size_t left = 0;  // nodes on the left side
    };

    static std::size_t size(const NodeGraph& graph) { return static_cast<std::size_t>(graph.node_count()); }

    // The nodes at [begin, end) of the order are one part; afterwards they stand in their final order.
    void dissect(std::size_t begin, std::size_t end)
    {
        if (end - begin <= kLeaf) return;
        const Nodes nodes(order_.data() + begin, end - begin);
        const std::int32_t here = ++last_part_;
        for (const std::int32_t i : nodes) part_[i] = here;
        const std::size_t left = best_cut(nodes);
        if (left == 0) return;
        const auto [left_end, right_end] = separate(nodes, left);
        dissect(begin, begin + left_end);
        dissect(begin + left_end, begin + right_end);
    }

    // Sorts the nodes along the best direction; how many go to the left.
    std::size_t best_cut(Nodes nodes)
    {
        Cut best;
        const auto try_order = [&] {
            const Cut cut = best_place();
            if (cut.cost < best.cost) best = cut, best_ = nodes_by_rank_;
        };
        for (const Vec3& normal : kNormals)
            if (sort_along(nodes, normal)) try_order();
        sort_by_distance(nodes);
        try_order();
        std::copy(best_.begin(), best_.end(), nodes.begin());
        return best.left;
    }

    // False when there is nothing to sort by.
    bool sort_along(Nodes nodes, const Vec3& normal)
    {
        if (x_.empty()) return false;
        keys_.clear();
        for (const std::int32_t i : nodes) {
            const double key = dot(x_[i], normal);
            keys_.emplace_back(std::isfinite(key) ? key : 0, i);
        }
        std::sort(keys_.begin(), keys_.end());
        nodes_by_rank_.clear();
        for (const auto& [key, node] : keys_) nodes_by_rank_.push_back(node);
        return keys_.front().first < keys_.back().first;
    }

    // Breadth first from a node that was last when starting anywhere; loose pieces follow one another.
    void sort_by_distance(Nodes nodes)
    {
        walk_from(nodes, nodes[0]);
        walk_from(nodes, nodes_by_rank_.back());
    }

    void walk_from(Nodes nodes, std::int32_t start)
    {
        const std::int32_t outside = part_[start], seen = ++last_part_;
        nodes_by_rank_.clear();
        const auto meet = [&](std::int32_t i) {
            if (part_[i] == outside) part_[i] = seen, nodes_by_rank_.push_back(i);
        };
        meet(start);
        std::size_t next = 0;
        for (const std::int32_t piece : nodes) {
            for (; next < nodes_by_rank_.size(); ++next)
                for (const std::int32_t j : graph_.of(nodes_by_rank_[next])) meet(j);
            meet(piece);
        }
        for (; next < nodes_by_rank_.size(); ++next)
            for (const std::int32_t j : graph_.of(nodes_by_rank_[next])) meet(j);
    }

    // Counts for every place of the cut how many nodes of either side touch the other: node i touches it from the
    // left for all cuts between itself and its furthest neighbour.
    Cut best_place()
    {
        const std::size_t count = nodes_by_rank_.size();
        const std::int32_t here = part_[nodes_by_rank_[0]];
        for (std::size_t r = 0; r < count; ++r) rank_[nodes_by_rank_[r]] = static_cast<std::int32_t>(r);
        touch_left_.assign(count + 1, 0), touch_right_.assign(count + 1, 0);
        for (std::int32_t r = 0; r < static_cast<std::int32_t>(count); ++r) {
            std::int32_t first = r, last = r;
            for (const std::int32_t j : graph_.of(nodes_by_rank_[r]))
                if (part_[j] == here) first = std::min(first, rank_[j]), last = std::max(last, rank_[j]);
            ++touch_left_[r + 1], --touch_left_[last + 1];
            ++touch_right_[first + 1], --touch_right_[r + 1];
        }
        Cut best;
        const double all = static_cast<double>(count);
        int from_left = 0, from_right = 0;
        for (std::size_t left = 1; left < count; ++left) {
            from_left += touch_left_[left], from_right += touch_right_[left];
            const double side = static_cast<double>(std::min(left, count - left)) / all;
            if (side < kSmallestSide) continue;
            const double uneven = 1 - 2 * side;
            const double cost = (0.5 + std::min(from_left, from_right)) * (1 + kUnevenness * uneven * uneven);
            if (cost < best.cost) best = {cost, left};
        }
        return best;
    }

    // Puts left side, right side and separator one after the other; where the first two end.
    std::pair<std::size_t, std::size_t> separate(Nodes nodes, std::size_t left)
    {
        const std::int32_t on_left = ++last_part_, on_right = ++last_part_, cover = ++last_part_;
        for (std::size_t i = 0; i < nodes.size(); ++i) part_[nodes[i]] = i < left ? on_left : on_right;
        cover_cut_edges(nodes.first(left), on_left, on_right, cover);
        const auto left_end =
            std::stable_partition(nodes.begin(), nodes.end(), [&](std::int32_t i) { return part_[i] == on_left; });
        const auto right_end =
            std::stable_partition(left_end, nodes.end(), [&](std::int32_t i) { return part_[i] == on_right; });
        return {left_end - nodes.begin(), right_end - nodes.begin()};
    }

    // Fewest nodes that touch every edge of the cut. Koenig: from a largest matching, walk from the unmatched left
    // nodes along free edges to the right and matched ones back; left nodes not reached and right nodes reached.
    void cover_cut_edges(Nodes left_nodes, std::int32_t on_left, std::int32_t on_right, std::int32_t cover)
    {
        boundary_.clear();
        for (const std::int32_t i : left_nodes) {
            bool touches = false;
            for (const std::int32_t j : graph_.of(i))
                if (part_[j] == on_right) touches = true, mate_[j] = -1, came_from_[j] = -1;
            mate_[i] = -1;
            if (touches) boundary_.push_back(i);
        }
        // Neighbours first: most nodes find a mate at once.
        for (const std::int32_t i : boundary_)
            for (const std::int32_t j : graph_.of(i))
                if (mate_[i] < 0 && part_[j] == on_right && mate_[j] < 0) mate_[i] = j, mate_[j] = i;
        for (const std::int32_t i : boundary_)
            if (mate_[i] < 0) augment(i, on_right);
        queue_.clear();
        for (const std::int32_t i : boundary_)
            if (mate_[i] < 0) queue_.push_back(i);
        for (const std::int32_t i : boundary_) came_from_[i] = mate_[i] < 0 ? i : -1;
        for (std::size_t next = 0; next < queue_.size(); ++next)
            for (const std::int32_t j : graph_.of(queue_[next]))
                if (part_[j] == on_right) {
                    part_[j] = cover;
                    came_from_[mate_[j]] = j;
                    queue_.push_back(mate_[j]);
                }
        for (const std::int32_t i : boundary_)
            if (came_from_[i] < 0 && part_[i] == on_left) part_[i] = cover;
    }

    // Finds a way from an unmatched left node to an unmatched right node, and swaps the edges along it.
    void augment(std::int32_t from, std::int32_t on_right)
    {
        queue_.assign(1, from);
        reached_.clear();
        for (std::size_t next = 0; next < queue_.size(); ++next) {
            const std::int32_t i = queue_[next];
            for (const std::int32_t j : graph_.of(i)) {
                if (part_[j] != on_right || came_from_[j] >= 0) continue;
                came_from_[j] = i;
                reached_.push_back(j);
                if (mate_[j] >= 0) {
                    queue_.push_back(mate_[j]);
                    continue;
                }
                for (std::int32_t free = j; free >= 0;) {
                    const std::int32_t owner = came_from_[free], next_free = mate_[owner];
                    mate_[free] = owner, mate_[owner] = free;
                    free = next_free;
                }
                for (const std::int32_t k : reached_) came_from_[k] = -1;
                return;
            }
        }
        // Nothing free can be reached from these any more, whatever is matched later: they stay marked.
    }

    const NodeGraph& graph_;
    std::span<const Vec3> x_;
    std::vector<std::int32_t> part_;  // which part a node belongs to; numbers are never used again
    std::int32_t last_part_ = 0;
    std::vector<std::int32_t> rank_;
    std::vector<std::int32_t> nodes_by_rank_, best_;
    std::vector<std::pair<double, std::int32_t>> keys_;
    std::vector<int> touch_left_, touch_right_;  // changes from one place of the cut to the next
    std::vector<std::int32_t> mate_, came_from_, boundary_, queue_, reached_;
    std::vector<std::int32_t> order_;
};

}  // namespace

NodeGraph graph_of(const BlockMatrix& pattern)
{
    const std::int32_t count = std::max(0, pattern.row_count());
    NodeGraph graph;
    graph.start.assign(static_cast<std::size_t>(count) + 1, 0);
    const auto for_each_pair = [&](auto&& visit) {
        for (std::int32_t row = 0; row < count; ++row)
            for (std::int64_t k = pattern.row_start[row]; k < pattern.row_start[row + 1]; ++k)
                if (pattern.column[k] != row) visit(row, pattern.column[k]);
    };
    for_each_pair([&](std::int32_t a, std::int32_t b) { ++graph.start[a + 1], ++graph.start[b + 1]; });
    std::partial_sum(graph.start.begin(), graph.start.end(), graph.start.begin());
    graph.neighbour.resize(static_cast<std::size_t>(graph.start.back()));
    std::vector<std::int64_t> next(graph.start.begin(), graph.start.end() - 1);
    for_each_pair([&](std::int32_t a, std::int32_t b) { graph.neighbour[next[b]++] = a; });
    for_each_pair([&](std::int32_t a, std::int32_t b) { graph.neighbour[next[a]++] = b; });
    return graph;
}

std::vector<std::int32_t> nested_dissection(const NodeGraph& graph, std::span<const Vec3> x)
{
    return Dissection(graph, x).run();
}

std::vector<std::int32_t> natural_order(std::int32_t node_count)
{
    std::vector<std::int32_t> order(static_cast<std::size_t>(node_count));
    std::iota(order.begin(), order.end(), 0);
    return order;
}

}  // namespace pliant
