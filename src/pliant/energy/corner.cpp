// SPDX-License-Identifier: MIT
#include <pliant/energy/corner.h>

namespace pliant {

VertexOrder order_vertices(std::span<const NodeLists> terms, std::int32_t vertex_count)
{
    ColourOrder colours = order_by_colour(colour_nodes(terms, vertex_count));
    VertexOrder order;
    order.colour_start.push_back(0);
    for (std::int32_t c = 0; c < colours.colours(); ++c) {
        const std::int32_t end = colours.start[c + 1];
        for (std::int32_t first = colours.start[c]; first < end; first += kVerticesPerChunk)
            order.chunks.push_back({first, std::min(end, first + kVerticesPerChunk)});
        order.colour_start.push_back(static_cast<std::int32_t>(order.chunks.size()));
    }
    order.vertex = std::move(colours.item);
    return order;
}

namespace corner_detail {

std::vector<std::vector<Incidence>> deal_incidences(const NodeLists& lists, const VertexOrder& order)
{
    const auto corners = static_cast<std::size_t>(lists.per_element);
    const ElementsOfNodes touching = elements_of_nodes(lists, static_cast<std::int32_t>(order.vertex.size()));
    std::vector<std::vector<Incidence>> dealt(order.chunks.size() * corners);
    for (std::size_t c = 0; c < order.chunks.size(); ++c) {
        for (std::int32_t slot = order.chunks[c].first; slot < order.chunks[c].end; ++slot) {
            std::vector<std::int32_t> turn(corners, 0);
            for (const std::int32_t e : touching.of(order.vertex[slot]))
                for (std::size_t i = 0; i < corners; ++i)
                    if (lists.of(e)[i] == order.vertex[slot]) dealt[c * corners + i].push_back({turn[i]++, slot, e});
        }
        for (std::size_t i = 0; i < corners; ++i)
            std::stable_sort(dealt[c * corners + i].begin(), dealt[c * corners + i].end(),
                             [](const Incidence& a, const Incidence& b) { return a.turn < b.turn; });
    }
    return dealt;
}

}  // namespace corner_detail

}  // namespace pliant
