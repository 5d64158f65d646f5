// SPDX-License-Identifier: MIT
#pragma once

// Colours: which elements, and which nodes, may be treated at the same time.
//
// Elements of one colour share no node, so a sweep that moves nodes element by element (XPBD) may take four of them in the
// lanes of a block and blocks on any number of threads, with the same bits. Nodes of one colour share no element of any
// term, so a sweep that moves node by node (vertex block descent) may do the same with nodes.
// Both are greedy: items in their order, each the lowest colour that no neighbour has. That depends on the mesh only and
// takes at most one colour more than an item has neighbours. Within a colour items keep their order.

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include <pliant/energy/views.h>

namespace pliant {

/// Which nodes the elements of a term touch: `per_element` neighbouring entries each, padding left out.
struct NodeLists {
    int per_element = 0;
    std::vector<std::int32_t> node;

    std::int32_t count() const { return static_cast<std::int32_t>(node.size()) / per_element; }
    std::span<const std::int32_t> of(std::int32_t element) const
    {
        return std::span(node).subspan(static_cast<std::size_t>(element) * static_cast<std::size_t>(per_element),
                                       static_cast<std::size_t>(per_element));
    }
};

template <int N>
NodeLists node_lists(const Stencils<N>& stencils)
{
    NodeLists lists{N, {}};
    lists.node.reserve(static_cast<std::size_t>(stencils.count) * N);
    for (std::int32_t e = 0; e < stencils.count; ++e)
        for (int i = 0; i < N; ++i) lists.node.push_back(stencils.blocks[e / kPackWidth].node[i][e % kPackWidth]);
    return lists;
}

/// For each node the elements that touch it, as element numbers from start[node] to start[node + 1].
struct ElementsOfNodes {
    std::vector<std::int32_t> start, element;

    std::span<const std::int32_t> of(std::int32_t node) const
    {
        return std::span(element).subspan(static_cast<std::size_t>(start[node]),
                                          static_cast<std::size_t>(start[node + 1] - start[node]));
    }
};
ElementsOfNodes elements_of_nodes(const NodeLists&, std::int32_t node_count);

/// A colour for each element: two that share a node have different ones.
std::vector<std::int32_t> colour_elements(const NodeLists&, std::int32_t node_count);

/// A colour for each node: two in one element of any term have different ones.
std::vector<std::int32_t> colour_nodes(std::span<const NodeLists> terms, std::int32_t node_count);

/// Items in the order of their colours; those of colour c are item[start[c]] to item[start[c + 1]].
struct ColourOrder {
    std::vector<std::int32_t> item, start;

    std::int32_t colours() const { return static_cast<std::int32_t>(start.size()) - 1; }
};
ColourOrder order_by_colour(std::span<const std::int32_t> colour);

/// The elements of a term, colour by colour. Blocks of one colour share no node, nor do the lanes of a block; lanes beyond
/// `lanes` repeat the last element and must not be written.
template <class E>
struct ColouredElements {
    using Parameters = E;
    std::vector<StencilBlock<E::nodes>> blocks;
    std::vector<RestOf<E, Pack4>> rest;                         ///< #blocks
    std::vector<std::array<std::int32_t, kPackWidth>> element;  ///< #blocks: their numbers in Elements<E>
    std::vector<std::int32_t> lanes;                            ///< #blocks: how many of the four are there
    std::vector<std::int32_t> colour_start;                     ///< #colours + 1: first block of each

    std::int32_t colours() const { return static_cast<std::int32_t>(colour_start.size()) - 1; }
};

template <class E>
ColouredElements<E> coloured(const Elements<E>& elements, std::int32_t node_count)
{
    const ColourOrder order = order_by_colour(colour_elements(node_lists(elements.stencils), node_count));
    ColouredElements<E> out;
    out.colour_start.push_back(0);
    for (std::int32_t c = 0; c < order.colours(); ++c) {
        const std::int32_t end = order.start[c + 1];
        for (std::int32_t first = order.start[c]; first < end; first += kPackWidth) {
            const std::int32_t lanes = std::min(kPackWidth, end - first);
            auto& block = out.blocks.emplace_back();
            auto& rest = out.rest.emplace_back();
            auto& element = out.element.emplace_back();
            for (int lane = 0; lane < kPackWidth; ++lane) {
                const std::int32_t e =
                    order.item[static_cast<std::size_t>(first) + static_cast<std::size_t>(std::min(lane, lanes - 1))];
                const auto& from = elements.stencils.blocks[e / kPackWidth];
                for (int i = 0; i < E::nodes; ++i) block.node[i][lane] = from.node[i][e % kPackWidth];
                view_detail::set_lane<E>(rest, lane,
                                         view_detail::get_lane<E>(elements.rest[e / kPackWidth], e % kPackWidth));
                element[lane] = e;
            }
            out.lanes.push_back(lanes);
        }
        out.colour_start.push_back(static_cast<std::int32_t>(out.blocks.size()));
    }
    return out;
}

/// The rest geometry of four elements as the formula sees it, internal variables put in by element number.
template <class E>
[[gnu::always_inline]] inline decltype(auto) rest_with_inner(const RestOf<E, Pack4>& rest,
                                                             const std::array<std::int32_t, kPackWidth>& element,
                                                             std::span<const double> inner)
{
    if constexpr (HasInner<E>) {
        std::array<Pack4, E::inner_size> variables;
        for (int k = 0; k < E::inner_size; ++k)
            for (int lane = 0; lane < kPackWidth; ++lane)
                variables[k].set(lane, inner[view_detail::inner_place<E>(element[lane], k)]);
        return E::with_inner(rest, variables);
    } else
        return (rest);
}

}  // namespace pliant
