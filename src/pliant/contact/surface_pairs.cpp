// SPDX-License-Identifier: MIT
#include <pliant/contact/surface_pairs.h>

#include <algorithm>
#include <string>

#include <pliant/base/error.h>
#include <pliant/mesh/tet_topology.h>
#include <pliant/mesh/topology.h>

namespace pliant {

namespace {

constexpr std::uint64_t kEmpty = ~std::uint64_t{0};
constexpr std::size_t kFewestSlots = 64;

template <std::size_t N>
void check_nodes(const std::array<std::int32_t, N>& nodes, std::size_t node_count, const char* what, std::size_t index)
{
    const auto fail = [&](const std::string& found) {
        throw Error(Problem{.where = std::string(what) + " " + std::to_string(index),
                            .message = found + " in a collision surface of " + std::to_string(node_count) + " nodes",
                            .cure = "weld the mesh, or leave this element out"});
    };
    for (std::size_t i = 0; i < N; ++i) {
        if (nodes[i] < 0 || static_cast<std::size_t>(nodes[i]) >= node_count)
            fail("node " + std::to_string(nodes[i]) + " does not exist");
        for (std::size_t j = 0; j < i; ++j)
            if (nodes[i] == nodes[j]) fail("node " + std::to_string(nodes[i]) + " is named twice");
    }
}

void check_input(std::span<const Triangle> faces, std::span<const std::int32_t> face_body, std::span<const Tet> tets,
                 std::size_t node_count)
{
    PLIANT_ASSERT(faces.size() == face_body.size(), "each face has a body");
    for (std::size_t f = 0; f < faces.size(); ++f) check_nodes(faces[f], node_count, "face", f);
    for (std::size_t t = 0; t < tets.size(); ++t) check_nodes(tets[t], node_count, "tetrahedron", t);
}

/// Nodes of faces, and the body of each (the lowest, should bodies share a node).
std::vector<std::int32_t> bodies_of_nodes(std::span<const Triangle> faces, std::span<const std::int32_t> face_body,
                                          std::size_t node_count)
{
    std::vector<std::int32_t> body(node_count, -1);
    for (std::size_t f = 0; f < faces.size(); ++f)
        for (const std::int32_t node : faces[f])
            if (body[node] < 0 || face_body[f] < body[node]) body[node] = face_body[f];
    return body;
}

/// Tetrahedra joined by vertices belong to the body of whatever surface they reach.
std::vector<std::int32_t> bodies_of_tets(std::span<const Tet> tets, const std::vector<std::int32_t>& node_body)
{
    const Components pieces = connected_components(node_body.size(), tets);
    std::vector<std::int32_t> piece_body(pieces.count, -1), tet_body;
    for (std::size_t node = 0; node < node_body.size(); ++node) {
        std::int32_t& body = piece_body[pieces.of_vertex[node]];
        if (body < 0) body = node_body[node];
    }
    tet_body.reserve(tets.size());
    for (const Tet& tet : tets) tet_body.push_back(piece_body[pieces.of_vertex[tet[0]]]);
    return tet_body;
}

std::vector<std::array<std::int32_t, 2>> faces_of_edges(const EdgeTable& table)
{
    std::vector<std::array<std::int32_t, 2>> edge_face(table.edges.size(), {-1, -1});
    for (std::size_t f = 0; f < table.of_triangle.size(); ++f)
        for (const std::int32_t e : table.of_triangle[f]) {
            auto& [first, second] = edge_face[e];
            (first < 0 ? first : second) = static_cast<std::int32_t>(f);
        }
    return edge_face;
}

/// For each edge the opposite edge in the lowest-numbered tetrahedron that has it.
std::vector<Edge> tets_behind_edges(std::span<const Edge> edges, std::span<const Tet> tets)
{
    std::vector<Edge> behind(edges.size(), Edge{-1, -1});
    for (const Tet& tet : tets)
        for (std::size_t k = 0; k < kTetEdges.size(); ++k) {
            const auto end = [&](std::size_t edge, std::size_t i) { return tet[kTetEdges[edge][i]]; };
            const Edge edge{std::min(end(k, 0), end(k, 1)), std::max(end(k, 0), end(k, 1))};
            const auto found = std::lower_bound(edges.begin(), edges.end(), edge);
            if (found == edges.end() || *found != edge) continue;
            Edge& back = behind[static_cast<std::size_t>(found - edges.begin())];
            if (back[0] < 0) back = {end(kOppositeTetEdge[k], 0), end(kOppositeTetEdge[k], 1)};
        }
    return behind;
}

std::vector<Tet> sorted_inside_and_out(std::span<const Tet> tets)
{
    std::vector<Tet> sorted(tets.begin(), tets.end());
    for (Tet& tet : sorted) std::sort(tet.begin(), tet.end());
    std::sort(sorted.begin(), sorted.end());
    return sorted;
}

/// The place of an item in a sorted list, or -1.
template <class T>
std::int32_t place_in(const std::vector<T>& sorted, const T& item)
{
    const auto found = std::lower_bound(sorted.begin(), sorted.end(), item);
    return found == sorted.end() || *found != item ? -1 : static_cast<std::int32_t>(found - sorted.begin());
}

/// Pairs of one tetrahedron without a common node: a corner and the face against it, two opposite edges.
template <class Visit>
void for_each_pair_in_tets(const CollisionSurface& surface, Visit&& visit)
{
    std::vector<std::pair<Triangle, std::int32_t>> faces;
    for (std::size_t f = 0; f < surface.faces.size(); ++f) {
        faces.emplace_back(surface.faces[f], static_cast<std::int32_t>(f));
        std::sort(faces.back().first.begin(), faces.back().first.end());
    }
    std::sort(faces.begin(), faces.end());
    const auto edge_place = [&](const Tet& tet, std::size_t edge) {
        return place_in(surface.edges, Edge{tet[kTetEdges[edge][0]], tet[kTetEdges[edge][1]]});
    };
    for (std::size_t t = 0; t < surface.sorted_tets.size(); ++t) {
        const Tet& tet = surface.sorted_tets[t];
        if (t > 0 && tet == surface.sorted_tets[t - 1]) continue;
        for (std::size_t c = 0; c < 4; ++c) {
            const std::int32_t vertex = surface.vertex_of_node[tet[c]];
            Triangle face = tet_face(tet, c);
            std::sort(face.begin(), face.end());
            auto next = std::lower_bound(faces.begin(), faces.end(), std::pair(face, 0));
            for (; vertex >= 0 && next != faces.end() && next->first == face; ++next)
                visit(SurfacePair{PairKind::vertex_face, vertex, next->second});
        }
        for (std::size_t e = 0; e < kTetEdges.size(); ++e) {
            const std::int32_t a = edge_place(tet, e), b = edge_place(tet, kOppositeTetEdge[e]);
            if (a >= 0 && a < b) visit(SurfacePair{PairKind::edge_edge, a, b});
        }
    }
}

/// Calls visit(pair) once for each pair that always touches.
template <class Visit>
void for_each_touching_pair(const CollisionSurface& surface, Visit&& visit)
{
    for (std::size_t f = 0; f < surface.faces.size(); ++f)
        for (const std::int32_t node : surface.faces[f])
            visit(SurfacePair{PairKind::vertex_face, surface.vertex_of_node[node], static_cast<std::int32_t>(f)});
    std::vector<std::vector<std::int32_t>> edges_at(surface.vertices.size());
    for (std::size_t e = 0; e < surface.edges.size(); ++e)
        for (const std::int32_t node : surface.edges[e]) {
            std::vector<std::int32_t>& edges = edges_at[surface.vertex_of_node[node]];
            for (const std::int32_t other : edges)
                visit(SurfacePair{PairKind::edge_edge, other, static_cast<std::int32_t>(e)});
            edges.push_back(static_cast<std::int32_t>(e));
        }
    for_each_pair_in_tets(surface, visit);
}

}  // namespace

std::uint64_t CollisionSurface::possible_pair_count() const
{
    const std::uint64_t m = edges.size();
    return std::uint64_t{vertices.size()} * faces.size() + (m > 0 ? m * (m - 1) / 2 : 0);
}

CollisionSurface collision_surface(std::span<const Triangle> faces, std::span<const std::int32_t> face_body,
                                   std::span<const Tet> tets, std::size_t node_count, EdgeBack back)
{
    check_input(faces, face_body, tets, node_count);
    CollisionSurface surface;
    surface.faces.assign(faces.begin(), faces.end());
    surface.face_body.assign(face_body.begin(), face_body.end());
    const std::vector<std::int32_t> node_body = bodies_of_nodes(faces, face_body, node_count);
    surface.vertex_of_node.assign(node_count, -1);
    for (const Triangle& face : faces)
        for (const std::int32_t node : face) surface.vertex_of_node[node] = 0;
    for (std::size_t node = 0; node < node_count; ++node) {
        if (surface.vertex_of_node[node] < 0) continue;
        surface.vertex_of_node[node] = static_cast<std::int32_t>(surface.vertices.size());
        surface.vertices.push_back(static_cast<std::int32_t>(node));
        surface.vertex_body.push_back(node_body[node]);
    }
    EdgeTable table = edge_table(faces);
    surface.edge_face = faces_of_edges(table);
    surface.edges = std::move(table.edges);
    for (const Edge& edge : surface.edges) surface.edge_body.push_back(node_body[edge[0]]);
    surface.tet_behind = tets_behind_edges(surface.edges, back == EdgeBack::owning_tet ? tets : std::span<const Tet>{});
    surface.tets.assign(tets.begin(), tets.end());
    surface.tet_body = bodies_of_tets(tets, node_body);
    surface.sorted_tets = sorted_inside_and_out(tets);
    return surface;
}

std::array<std::int32_t, 4> pair_nodes(const CollisionSurface& surface, const SurfacePair& pair)
{
    if (pair.kind == PairKind::vertex_face) {
        const Triangle& face = surface.faces[pair.b];
        return {surface.vertices[pair.a], face[0], face[1], face[2]};
    }
    const Edge &first = surface.edges[pair.a], &second = surface.edges[pair.b];
    return {first[0], first[1], second[0], second[1]};
}

bool always_touches(const CollisionSurface& surface, const SurfacePair& pair)
{
    Tet nodes = pair_nodes(surface, pair);
    std::sort(nodes.begin(), nodes.end());
    if (std::adjacent_find(nodes.begin(), nodes.end()) != nodes.end()) return true;
    return std::binary_search(surface.sorted_tets.begin(), surface.sorted_tets.end(), nodes);
}

std::uint64_t relevant_pair_count(const CollisionSurface& surface)
{
    std::uint64_t count = surface.possible_pair_count();
    for_each_touching_pair(surface, [&](const SurfacePair&) { --count; });
    return count;
}

PairBits::PairBits(const CollisionSurface& surface) : vertex_count_(surface.vertices.size())
{
    const auto add_row = [&](std::size_t columns) { row_start_.push_back(row_start_.back() + (columns + 63) / 64); };
    for (std::size_t v = 0; v < vertex_count_; ++v) add_row(surface.faces.size());
    for (std::size_t e = 0; e < surface.edges.size(); ++e) add_row(surface.edges.size() - 1 - e);
    words_.assign(row_start_.back(), 0);
}

void PairBits::set_all(bool value)
{
    std::fill(words_.begin(), words_.end(), value ? ~std::uint64_t{0} : std::uint64_t{0});
}

SurfacePair PairBits::pair(std::size_t row, std::size_t column) const
{
    const auto b = static_cast<std::int32_t>(column);
    if (row < vertex_count_) return {PairKind::vertex_face, static_cast<std::int32_t>(row), b};
    const auto a = static_cast<std::int32_t>(row - vertex_count_);
    return {PairKind::edge_edge, a, a + 1 + b};
}

std::size_t PairSet::home(std::uint64_t key) const
{
    // The odd constant nearest 2^64 / golden ratio spreads neighbouring keys; its high bits are the good ones.
    const std::uint64_t mixed = (key ^ key >> 32) * 0x9e3779b97f4a7c15;
    return static_cast<std::size_t>(mixed >> 20) & (slots_.size() - 1);
}

std::size_t PairSet::find(std::uint64_t key) const
{
    std::size_t slot = home(key);
    while (slots_[slot] != kEmpty && slots_[slot] != key) slot = (slot + 1) & (slots_.size() - 1);
    return slot;
}

bool PairSet::contains(std::uint64_t key) const
{
    return size_ > 0 && slots_[find(key)] == key;
}

bool PairSet::insert(std::uint64_t key)
{
    if (2 * (size_ + 1) > slots_.size()) grow();
    std::uint64_t& slot = slots_[find(key)];
    if (slot == key) return false;
    slot = key;
    ++size_;
    return true;
}

bool PairSet::erase(std::uint64_t key)
{
    if (!contains(key)) return false;
    // Keys behind the hole move up if their home allows it, so that no search ends too early.
    const std::size_t mask = slots_.size() - 1;
    std::size_t hole = find(key);
    for (std::size_t next = (hole + 1) & mask; slots_[next] != kEmpty; next = (next + 1) & mask) {
        const std::size_t from_home = (next - home(slots_[next])) & mask, from_hole = (next - hole) & mask;
        if (from_home < from_hole) continue;
        slots_[hole] = slots_[next];
        hole = next;
    }
    slots_[hole] = kEmpty;
    --size_;
    return true;
}

void PairSet::clear()
{
    std::fill(slots_.begin(), slots_.end(), kEmpty);
    size_ = 0;
}

void PairSet::append_to(std::vector<std::uint64_t>& keys) const
{
    for (const std::uint64_t key : slots_)
        if (key != kEmpty) keys.push_back(key);
}

void PairSet::grow()
{
    std::vector<std::uint64_t> old(std::max(kFewestSlots, 2 * slots_.size()), kEmpty);
    old.swap(slots_);
    for (const std::uint64_t key : old)
        if (key != kEmpty) slots_[find(key)] = key;
}

PairStore chosen_store(PairStore store, const CollisionSurface& surface)
{
    if (store != PairStore::automatic) return store;
    return surface.possible_pair_count() <= kMostTabledPairs ? PairStore::bit_tables : PairStore::hash_sets;
}

PairRelevance::PairRelevance(const CollisionSurface& surface, PairStore store)
    : surface_(&surface)
    , has_table_(chosen_store(store, surface) == PairStore::bit_tables)
    , vertex_is_muted_(surface.vertices.size(), 0)
{
    if (!has_table_) return;
    relevant_ = PairBits(surface);
    fill_table();
}

void PairRelevance::fill_table()
{
    relevant_.set_all(true);
    for_each_touching_pair(*surface_, [&](const SurfacePair& pair) { relevant_.reset(pair); });
    if (!ignores_self_) return;
    const auto vertices = static_cast<std::int32_t>(surface_->vertices.size());
    const auto faces = static_cast<std::int32_t>(surface_->faces.size());
    const auto edges = static_cast<std::int32_t>(surface_->edges.size());
    const auto ask = [&](const SurfacePair& pair) {
        if (is_within_body(*surface_, pair)) relevant_.reset(pair);
    };
    for (std::int32_t v = 0; v < vertices; ++v)
        for (std::int32_t f = 0; f < faces; ++f) ask({PairKind::vertex_face, v, f});
    for (std::int32_t a = 0; a < edges; ++a)
        for (std::int32_t b = a + 1; b < edges; ++b) ask({PairKind::edge_edge, a, b});
}

void PairRelevance::ignore_self()
{
    ignores_self_ = true;
    if (has_table_) fill_table();
}

bool PairRelevance::is_relevant(const SurfacePair& pair) const
{
    if (pair.kind == PairKind::vertex_face && vertex_is_muted_[pair.a] != 0) return false;
    if (has_table_) return relevant_.test(pair);
    return !is_ignored(pair) && !muted_.contains(pair.key()) && !always_touches(*surface_, pair);
}

void PairRelevance::mute(const SurfacePair& pair)
{
    if (has_table_) {
        relevant_.reset(pair);
    } else {
        muted_.insert(pair.key());
    }
}

void PairRelevance::unmute(const SurfacePair& pair)
{
    if (!has_table_) {
        muted_.erase(pair.key());
    } else if (!is_ignored(pair) && !always_touches(*surface_, pair)) {
        relevant_.set(pair);
    }
}

void PairRelevance::unmute_all()
{
    std::fill(vertex_is_muted_.begin(), vertex_is_muted_.end(), std::uint8_t{0});
    muted_.clear();
    if (has_table_) fill_table();
}

}  // namespace pliant
