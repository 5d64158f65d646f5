// SPDX-License-Identifier: MIT
#include <pliant/contact/surface_features.h>

#include <pliant/base/error.h>
#include <pliant/base/parallel.h>

namespace pliant {

namespace {

constexpr std::size_t kVertexGrain = 2048;
// Pairs of neighbours that are gone through at once.
constexpr std::size_t kNeighbourPart = 8192;

bool share_end(const Edge& a, const Edge& b)
{
    return a[0] == b[0] || a[0] == b[1] || a[1] == b[0] || a[1] == b[1];
}

std::size_t part_count(std::size_t pairs)
{
    return (pairs + kNeighbourPart - 1) / kNeighbourPart;
}

/// Appends the pairs of a part of a list whose test says yes. There is room for all of them before, and only the count
/// depends on the test, since no processor can guess it.
template <class Test>
void append_if(std::vector<SurfacePair>& pairs, PairKind kind, std::span<const std::array<std::int32_t, 2>> list,
               std::size_t part, Test&& test)
{
    const auto in_part =
        list.subspan(part * kNeighbourPart, std::min(kNeighbourPart, list.size() - part * kNeighbourPart));
    std::size_t count = pairs.size();
    pairs.resize(count + in_part.size());
    for (const auto& [a, b] : in_part) {
        pairs[count] = {kind, a, b};
        count += test(a, b) ? 1 : 0;
    }
    pairs.resize(count);
}

}  // namespace

SurfaceFeatures::SurfaceFeatures(const CollisionSurface& surface)
    : nodes_(surface.vertices)
    , boxes_(surface.vertices.size())
    , node_count_(surface.node_count())
{
    own_elements(surface);
    mark_joints();
    neighbours_.resize(static_cast<std::size_t>(body_count_));
}

void SurfaceFeatures::own_elements(const CollisionSurface& surface)
{
    const EdgeTable table = edge_table(surface.faces);
    PLIANT_ASSERT(table.edges == surface.edges, "the edges of a collision surface are those of its faces");
    const auto place = [&](std::int32_t node) { return surface.vertex_of_node[static_cast<std::size_t>(node)]; };
    for (const Edge& edge : table.edges) edges_.push_back({place(edge[0]), place(edge[1])});
    std::vector<std::uint8_t> vertex_is_taken(surface.vertices.size()), edge_is_taken(surface.edges.size());
    const auto takes = [](std::vector<std::uint8_t>& taken, std::int32_t element, std::size_t corner) {
        std::uint8_t& is_taken = taken[static_cast<std::size_t>(element)];
        const unsigned bit = is_taken == 0 ? 1U << corner : 0U;
        is_taken = 1;
        return static_cast<std::uint8_t>(bit);
    };
    faces_.resize(surface.faces.size());
    for (std::size_t f = 0; f < faces_.size(); ++f) {
        FaceElements& face = faces_[f];
        face.body = surface.face_body[f];
        PLIANT_ASSERT(face.body >= 0, "bodies are numbered from 0");
        body_count_ = std::max(body_count_, face.body + 1);
        face.edge = table.of_triangle[f];
        for (std::size_t c = 0; c < 3; ++c) {
            face.vertex[c] = place(surface.faces[f][c]);
            face.owned_vertices |= takes(vertex_is_taken, face.vertex[c], c);
            face.owned_edges |= takes(edge_is_taken, face.edge[c], c);
        }
    }
}

void SurfaceFeatures::mark_joints()
{
    std::vector<Triangle> corners;
    for (const FaceElements& face : faces_) corners.push_back(face.vertex);
    fans_ = vertex_triangles(corners, nodes_.size());
    std::int32_t next_number = -1;
    for (FaceElements& face : faces_)
        for (std::size_t c = 0; c < 3; ++c) {
            const bool is_joint = fans_[static_cast<std::size_t>(face.vertex[c])].size() <= kLargestFan;
            face.joint[c] = is_joint ? face.vertex[c] : next_number--;
        }
}

void SurfaceFeatures::take_motion(std::span<const Vec3> x0, std::span<const Vec3> x1)
{
    parallel_for(nodes_.size(), kVertexGrain, [&](std::size_t begin, std::size_t end, std::size_t) {
        for (std::size_t v = begin; v < end; ++v) {
            const auto node = static_cast<std::size_t>(nodes_[v]);
            boxes_[v] = moving_box(x0[node], x1[node]);
        }
    });
}

void SurfaceFeatures::offer(std::vector<SurfacePair>& pairs, std::int32_t f, const MovingBox& f_box, std::int32_t g,
                            const MovingBox& g_box, float reach) const
{
    const FaceElements &a = face(f), &b = face(g);
    const auto offer_vertices = [&](const FaceElements& from, std::int32_t to, const MovingBox& to_box) {
        for (unsigned left = from.owned_vertices; left != 0; left &= left - 1) {
            const std::int32_t v = from.vertex[static_cast<std::size_t>(std::countr_zero(left))];
            if (overlap(vertex_box(v), to_box, reach) && !face(to).has_vertex(v))
                pairs.push_back({PairKind::vertex_face, v, to});
        }
    };
    offer_vertices(a, g, g_box);
    offer_vertices(b, f, f_box);
    for (unsigned left_a = a.owned_edges; left_a != 0; left_a &= left_a - 1) {
        const std::int32_t e = a.edge[static_cast<std::size_t>(std::countr_zero(left_a))];
        const MovingBox e_box = edge_box(e);
        if (!overlap(e_box, g_box, reach)) continue;
        for (unsigned left_b = b.owned_edges; left_b != 0; left_b &= left_b - 1) {
            const std::int32_t other = b.edge[static_cast<std::size_t>(std::countr_zero(left_b))];
            if (overlap(e_box, edge_box(other), reach) &&
                !share_end(edges_[static_cast<std::size_t>(e)], edges_[static_cast<std::size_t>(other)]))
                pairs.push_back({PairKind::edge_edge, std::min(e, other), std::max(e, other)});
        }
    }
}

void SurfaceFeatures::list_neighbours(const PairSearch& search)
{
    bool all_are_listed = true;
    for (std::int32_t b = 0; b < body_count_; ++b)
        all_are_listed = all_are_listed && (neighbours_[static_cast<std::size_t>(b)].is_listed || !search.counts(b, b));
    if (all_are_listed) return;
    const auto face_total = static_cast<std::int32_t>(faces_.size());
    for (std::int32_t f = 0; f < face_total; ++f) {
        const std::int32_t body = face(f).body;
        if (search.counts(body, body) && !neighbours_[static_cast<std::size_t>(body)].is_listed) list_neighbours_of(f);
    }
    for (std::int32_t b = 0; b < body_count_; ++b)
        if (search.counts(b, b)) neighbours_[static_cast<std::size_t>(b)].is_listed = true;
}

/// Each pair of neighbours comes at the first joint that they share, from the face with the lower number.
void SurfaceFeatures::list_neighbours_of(std::int32_t f)
{
    const FaceElements& here = face(f);
    Neighbours& lists = neighbours_[static_cast<std::size_t>(here.body)];
    for (std::size_t c = 0; c < 3; ++c) {
        if (here.joint[c] < 0) continue;
        for (const std::int32_t g : fans_[static_cast<std::size_t>(here.vertex[c])]) {
            bool is_first = g > f;
            for (std::size_t earlier = 0; earlier < c; ++earlier)
                is_first = is_first && !(here.joint[earlier] >= 0 && face(g).has_vertex(here.vertex[earlier]));
            if (is_first) list_pair(lists, f, g);
        }
    }
}

void SurfaceFeatures::list_pair(Neighbours& lists, std::int32_t f, std::int32_t g) const
{
    for (const auto& [from, to] : {std::array{f, g}, std::array{g, f}})
        for (std::size_t c = 0; c < 3; ++c)
            if ((face(from).owned_vertices >> c & 1U) != 0 && !face(to).has_vertex(face(from).vertex[c]))
                lists.vertex_face.push_back({face(from).vertex[c], to});
    for (std::size_t c = 0; c < 3; ++c)
        for (std::size_t d = 0; d < 3; ++d) {
            if ((face(f).owned_edges >> c & 1U) == 0 || (face(g).owned_edges >> d & 1U) == 0) continue;
            const std::int32_t e = std::min(face(f).edge[c], face(g).edge[d]);
            const std::int32_t other = std::max(face(f).edge[c], face(g).edge[d]);
            if (!share_end(edges_[static_cast<std::size_t>(e)], edges_[static_cast<std::size_t>(other)]))
                lists.edge_edge.push_back({e, other});
        }
}

std::size_t SurfaceFeatures::neighbour_part_count(const PairSearch& search) const
{
    std::size_t parts = 0;
    for (std::int32_t b = 0; b < body_count_; ++b) {
        const Neighbours& lists = neighbours_[static_cast<std::size_t>(b)];
        if (search.counts(b, b)) parts += part_count(lists.vertex_face.size()) + part_count(lists.edge_edge.size());
    }
    return parts;
}

void SurfaceFeatures::offer_neighbours(std::vector<SurfacePair>& pairs, std::size_t part,
                                       const PairSearch& search) const
{
    for (std::int32_t b = 0; b < body_count_; ++b) {
        if (!search.counts(b, b)) continue;
        const Neighbours& lists = neighbours_[static_cast<std::size_t>(b)];
        const float reach = rounded_reach(search.pair_reach(b, b));
        const std::size_t vertex_parts = part_count(lists.vertex_face.size());
        const std::size_t edge_parts = part_count(lists.edge_edge.size());
        if (part < vertex_parts)
            return append_if(
                pairs, PairKind::vertex_face, lists.vertex_face, part,
                [&](std::int32_t v, std::int32_t f) { return overlap(vertex_box(v), face_box(f), reach); });
        part -= vertex_parts;
        if (part < edge_parts)
            return append_if(
                pairs, PairKind::edge_edge, lists.edge_edge, part,
                [&](std::int32_t e, std::int32_t other) { return overlap(edge_box(e), edge_box(other), reach); });
        part -= edge_parts;
    }
}

void SurfaceFeatures::check(const PairSearch& search) const
{
    PLIANT_ASSERT(search.x0.size() >= node_count_ && search.x1.size() >= node_count_, "a place for every point");
    const auto bodies = static_cast<std::size_t>(body_count_);
    PLIANT_ASSERT(search.reach.size() >= bodies && search.meets_self.size() >= bodies &&
                      search.is_fixed.size() >= bodies,
                  "a reach and two answers for every body");
}

}  // namespace pliant
