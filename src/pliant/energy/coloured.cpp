// SPDX-License-Identifier: MIT
#include <pliant/energy/coloured.h>

namespace pliant {

namespace {

// Gives items colours one after the other: the neighbours' are marked, the lowest free one is taken.
class GreedyColours {
public:
    explicit GreedyColours(std::int32_t items) : colour_(static_cast<std::size_t>(items), -1) {}

    void mark(std::int32_t neighbour, std::int32_t item)
    {
        const std::int32_t c = colour_[neighbour];
        if (c >= 0) taken_by_[c] = item;
    }

    void colour(std::int32_t item)
    {
        std::size_t c = 0;
        while (c < taken_by_.size() && taken_by_[c] == item) ++c;
        if (c == taken_by_.size()) taken_by_.push_back(-1);
        colour_[item] = static_cast<std::int32_t>(c);
    }

    std::vector<std::int32_t> take() { return std::move(colour_); }

private:
    std::vector<std::int32_t> colour_;    // #items, -1 before their turn
    std::vector<std::int32_t> taken_by_;  // #colours: the last item that may not have it
};

}  // namespace

ElementsOfNodes elements_of_nodes(const NodeLists& lists, std::int32_t node_count)
{
    ElementsOfNodes of;
    of.start.assign(static_cast<std::size_t>(node_count) + 1, 0);
    for (const std::int32_t node : lists.node) ++of.start[node + 1];
    for (std::size_t i = 1; i < of.start.size(); ++i) of.start[i] += of.start[i - 1];
    of.element.resize(lists.node.size());
    std::vector<std::int32_t> next(of.start.begin(), of.start.end() - 1);
    for (std::int32_t e = 0; e < lists.count(); ++e)
        for (const std::int32_t node : lists.of(e)) of.element[next[node]++] = e;
    return of;
}

std::vector<std::int32_t> colour_elements(const NodeLists& lists, std::int32_t node_count)
{
    const ElementsOfNodes touching = elements_of_nodes(lists, node_count);
    GreedyColours colours(lists.count());
    for (std::int32_t e = 0; e < lists.count(); ++e) {
        for (const std::int32_t node : lists.of(e))
            for (const std::int32_t other : touching.of(node)) colours.mark(other, e);
        colours.colour(e);
    }
    return colours.take();
}

std::vector<std::int32_t> colour_nodes(std::span<const NodeLists> terms, std::int32_t node_count)
{
    std::vector<ElementsOfNodes> touching;
    for (const NodeLists& lists : terms) touching.push_back(elements_of_nodes(lists, node_count));
    GreedyColours colours(node_count);
    for (std::int32_t node = 0; node < node_count; ++node) {
        for (std::size_t t = 0; t < terms.size(); ++t)
            for (const std::int32_t e : touching[t].of(node))
                for (const std::int32_t other : terms[t].of(e)) colours.mark(other, node);
        colours.colour(node);
    }
    return colours.take();
}

ColourOrder order_by_colour(std::span<const std::int32_t> colour)
{
    ColourOrder order;
    order.start.push_back(0);
    for (const std::int32_t c : colour) {
        if (order.start.size() < static_cast<std::size_t>(c) + 2)
            order.start.resize(static_cast<std::size_t>(c) + 2, 0);
        ++order.start[c + 1];
    }
    for (std::size_t c = 1; c < order.start.size(); ++c) order.start[c] += order.start[c - 1];
    order.item.resize(colour.size());
    std::vector<std::int32_t> next(order.start.begin(), order.start.end() - 1);
    for (std::size_t i = 0; i < colour.size(); ++i)
        order.item[static_cast<std::size_t>(next[colour[i]]++)] = static_cast<std::int32_t>(i);
    return order;
}

}  // namespace pliant
