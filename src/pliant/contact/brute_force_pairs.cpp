// SPDX-License-Identifier: MIT
#include <pliant/contact/brute_force_pairs.h>

namespace pliant {

namespace {

/// The elements of one kind with what decides about their pairs.
struct Elements {
    std::vector<MovingBox> box;
    std::vector<std::int32_t> body;
};

template <std::size_t N>
MovingBox box_around(const std::array<std::int32_t, N>& nodes, const PairSearch& search)
{
    const auto box_of = [&](std::int32_t node) {
        return moving_box(search.x0[static_cast<std::size_t>(node)], search.x1[static_cast<std::size_t>(node)]);
    };
    MovingBox box = box_of(nodes[0]);
    for (std::size_t i = 1; i < N; ++i) box = united(box, box_of(nodes[i]));
    return box;
}

template <std::size_t N>
Elements boxes_of(const std::vector<std::array<std::int32_t, N>>& elements, const std::vector<std::int32_t>& body,
                  const PairSearch& search)
{
    Elements found{.body = body};
    for (const auto& nodes : elements) found.box.push_back(box_around(nodes, search));
    return found;
}

bool shares_node(const std::array<std::int32_t, 4>& nodes, PairKind kind)
{
    if (kind == PairKind::vertex_face) return nodes[0] == nodes[1] || nodes[0] == nodes[2] || nodes[0] == nodes[3];
    return nodes[0] == nodes[2] || nodes[0] == nodes[3] || nodes[1] == nodes[2] || nodes[1] == nodes[3];
}

}  // namespace

SearchCounters find_by_brute_force(std::vector<SurfacePair>& pairs, const CollisionSurface& surface,
                                   const PairSearch& search)
{
    std::vector<std::array<std::int32_t, 1>> points;
    for (const std::int32_t node : surface.vertices) points.push_back({node});
    const Elements vertices = boxes_of(points, surface.vertex_body, search);
    const Elements edges = boxes_of(surface.edges, surface.edge_body, search);
    const Elements faces = boxes_of(surface.faces, surface.face_body, search);
    SearchCounters counters;
    pairs.clear();
    const auto offer = [&](const SurfacePair& pair, const Elements& of_a, const Elements& of_b) {
        const auto a = static_cast<std::size_t>(pair.a), b = static_cast<std::size_t>(pair.b);
        if (!search.counts(of_a.body[a], of_b.body[b])) return;
        if (shares_node(pair_nodes(surface, pair), pair.kind)) return;
        ++counters.box_tests;
        if (overlap(of_a.box[a], of_b.box[b], rounded_reach(search.pair_reach(of_a.body[a], of_b.body[b]))))
            pairs.push_back(pair);
    };
    const auto vertex_count = static_cast<std::int32_t>(vertices.box.size());
    const auto edge_count = static_cast<std::int32_t>(edges.box.size());
    const auto face_count = static_cast<std::int32_t>(faces.box.size());
    for (std::int32_t v = 0; v < vertex_count; ++v)
        for (std::int32_t f = 0; f < face_count; ++f) offer({PairKind::vertex_face, v, f}, vertices, faces);
    for (std::int32_t a = 0; a < edge_count; ++a)
        for (std::int32_t b = a + 1; b < edge_count; ++b) offer({PairKind::edge_edge, a, b}, edges, edges);
    counters.pairs = static_cast<std::int64_t>(pairs.size());
    return counters;
}

}  // namespace pliant
