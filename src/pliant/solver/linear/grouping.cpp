// SPDX-License-Identifier: MIT
#include <pliant/solver/linear/grouping.h>

#include <algorithm>

namespace pliant {

GroupMembers::GroupMembers(std::span<const std::int32_t> group, std::int32_t count)
    : start(static_cast<std::size_t>(count) + 1, 0)
    , node(group.size())
{
    for (const std::int32_t g : group) ++start[static_cast<std::size_t>(g) + 1];
    for (std::size_t g = 0; g < static_cast<std::size_t>(count); ++g) start[g + 1] += start[g];
    std::vector<std::int32_t> next(start.begin(), start.end() - 1);
    for (std::size_t i = 0; i < group.size(); ++i) node[next[group[i]]++] = static_cast<std::int32_t>(i);
}

namespace {

// Every node with the free neighbour that pulls hardest, in the order of the nodes.
Grouping pair_up(const PullGraph& g)
{
    Grouping pairs{.group = std::vector<std::int32_t>(g.size(), -1)};
    std::vector<std::int32_t>& group = pairs.group;
    for (std::size_t i = 0; i < g.size(); ++i) {
        if (group[i] >= 0) continue;
        std::int32_t best = -1;
        double pull = 0;
        for (std::int32_t k = g.start[i]; k < g.start[i + 1]; ++k) {
            const std::int32_t j = g.column[static_cast<std::size_t>(k)];
            // A hair more than equal: ties go to the first neighbour whatever rounding says.
            if (group[static_cast<std::size_t>(j)] >= 0 || !(g.pull[static_cast<std::size_t>(k)] > 1.0001 * pull))
                continue;
            best = j, pull = g.pull[static_cast<std::size_t>(k)];
        }
        group[i] = pairs.count;
        if (best >= 0) group[static_cast<std::size_t>(best)] = pairs.count;
        ++pairs.count;
    }
    return pairs;
}

PullGraph grouped(const PullGraph& g, const Grouping& groups)
{
    const GroupMembers members(groups.group, groups.count);
    const auto count = static_cast<std::size_t>(groups.count);
    PullGraph coarse;
    coarse.start.reserve(count + 1);
    coarse.start.push_back(0);
    coarse.column.reserve(g.column.size() / 2), coarse.pull.reserve(g.column.size() / 2);
    std::vector<double> sum(count, 0);
    std::vector<std::int32_t> touched;
    for (std::size_t c = 0; c < count; ++c) {
        touched.clear();
        for (const std::int32_t i : members.of(c))
            for (std::int32_t k = g.start[i]; k < g.start[i + 1]; ++k) {
                const std::int32_t other = groups.group[static_cast<std::size_t>(g.column[k])];
                if (other == static_cast<std::int32_t>(c)) continue;
                if (sum[static_cast<std::size_t>(other)] == 0) touched.push_back(other);
                sum[static_cast<std::size_t>(other)] += g.pull[static_cast<std::size_t>(k)] + 1e-300;
            }
        std::sort(touched.begin(), touched.end());
        for (const std::int32_t other : touched) {
            coarse.column.push_back(other);
            coarse.pull.push_back(sum[static_cast<std::size_t>(other)]);
            sum[static_cast<std::size_t>(other)] = 0;
        }
        coarse.start.push_back(static_cast<std::int32_t>(coarse.column.size()));
    }
    return coarse;
}

}  // namespace

Grouping group_by_four(PullGraph& graph)
{
    Grouping pairs = pair_up(graph);
    const PullGraph halved = grouped(graph, pairs);
    const Grouping fours = pair_up(halved);
    graph = grouped(halved, fours);
    for (std::int32_t& group : pairs.group) group = fours.group[static_cast<std::size_t>(group)];
    pairs.count = fours.count;
    return pairs;
}

}  // namespace pliant
