// SPDX-License-Identifier: MIT
#include <pliant/mesh/topology.h>

#include <numeric>

#include <pliant/mesh/edge_groups.h>

namespace pliant {

namespace {

std::size_t at(std::int32_t index)
{
    return static_cast<std::size_t>(index);
}

std::span<const Triangle> without_collapsed(std::vector<Triangle>& kept, std::span<const Triangle> triangles)
{
    for (const Triangle& t : triangles)
        if (!is_collapsed(t)) kept.push_back(t);
    return kept;
}

// Counting sort of (row, item) pairs: visit_pairs calls its argument once per pair, twice over.
template <class VisitPairs>
IndexRows gathered_rows(std::size_t row_count, const VisitPairs& visit_pairs)
{
    IndexRows rows;
    rows.offsets.assign(row_count + 1, 0);
    visit_pairs([&](std::int32_t row, std::int32_t) { ++rows.offsets[at(row) + 1]; });
    for (std::size_t i = 0; i < row_count; ++i) rows.offsets[i + 1] += rows.offsets[i];
    rows.items.resize(at(rows.offsets.back()));
    std::vector<std::int32_t> end(rows.offsets.begin(), rows.offsets.end() - 1);
    visit_pairs([&](std::int32_t row, std::int32_t item) { rows.items[at(end[at(row)]++)] = item; });
    return rows;
}

// Opposite half-edges of every edge with exactly two sides that run opposite ways.
template <class Visit>
void for_each_twin_pair(const EdgeGroups& groups, const Visit& visit)
{
    groups.for_each_edge([&](Edge edge, std::span<const EdgeSide> sides) {
        if (sides.size() != 2) return;
        const bool forward = groups.is_forward(sides[0]);
        if (forward == groups.is_forward(sides[1])) return;
        visit(edge, sides[forward ? 0 : 1].half_edge, sides[forward ? 1 : 0].half_edge);
    });
}

std::int32_t opposite_corner(std::span<const Triangle> triangles, std::int32_t half_edge)
{
    return triangles[at(half_edge / 3)][at(HalfEdges::previous(half_edge) % 3)];
}

}  // namespace

std::vector<Edge> unique_edges(std::span<const Triangle> triangles)
{
    std::vector<Edge> edges;
    edges.reserve(triangles.size() * 3 / 2);
    EdgeGroups(triangles, used_vertex_range(triangles)).for_each_edge([&](Edge edge, std::span<const EdgeSide>) {
        edges.push_back(edge);
    });
    return edges;
}

EdgeTable edge_table(std::span<const Triangle> triangles)
{
    EdgeTable table;
    table.of_triangle.assign(triangles.size(), {-1, -1, -1});
    const EdgeGroups groups(triangles, used_vertex_range(triangles));
    groups.for_each_edge([&](Edge edge, std::span<const EdgeSide> sides) {
        for (const EdgeSide& side : sides)
            table.of_triangle[at(side.half_edge / 3)][at(side.half_edge % 3)] =
                static_cast<std::int32_t>(table.edges.size());
        table.edges.push_back(edge);
    });
    return table;
}

std::vector<std::array<std::int32_t, 4>> hinges(std::span<const Triangle> triangles)
{
    std::vector<std::array<std::int32_t, 4>> found;
    std::vector<Triangle> kept;
    const auto sound = without_collapsed(kept, triangles);
    const EdgeGroups groups(sound, used_vertex_range(sound));
    for_each_twin_pair(groups, [&](Edge edge, std::int32_t forward, std::int32_t backward) {
        found.push_back({edge[0], edge[1], opposite_corner(sound, forward), opposite_corner(sound, backward)});
    });
    return found;
}

HalfEdges half_edges(std::span<const Triangle> triangles, std::size_t vertex_count)
{
    HalfEdges mesh;
    mesh.origin.reserve(triangles.size() * 3);
    for (const Triangle& t : triangles) mesh.origin.insert(mesh.origin.end(), t.begin(), t.end());
    mesh.twin.assign(mesh.origin.size(), -1);
    for_each_twin_pair(EdgeGroups(triangles, vertex_count), [&](Edge, std::int32_t forward, std::int32_t backward) {
        mesh.twin[at(forward)] = backward;
        mesh.twin[at(backward)] = forward;
    });

    // A vertex on a border starts at its border half-edge, so that turning visits the whole fan.
    mesh.outgoing.assign(vertex_count, -1);
    for (std::size_t h = 0; h < mesh.origin.size(); ++h) {
        std::int32_t& first = mesh.outgoing[at(mesh.origin[h])];
        if (first < 0 || (mesh.twin[h] < 0 && mesh.twin[at(first)] >= 0)) first = static_cast<std::int32_t>(h);
    }
    return mesh;
}

IndexRows vertex_neighbours(std::span<const Edge> edges, std::size_t vertex_count)
{
    IndexRows rows = gathered_rows(vertex_count, [&](const auto& visit) {
        for (const Edge& edge : edges) {
            visit(edge[0], edge[1]);
            visit(edge[1], edge[0]);
        }
    });
    for (std::size_t v = 0; v < vertex_count; ++v)
        std::sort(rows.items.begin() + rows.offsets[v], rows.items.begin() + rows.offsets[v + 1]);
    return rows;
}

IndexRows vertex_neighbours(std::span<const Triangle> triangles, std::size_t vertex_count)
{
    return vertex_neighbours(unique_edges(triangles), vertex_count);
}

IndexRows vertex_triangles(std::span<const Triangle> triangles, std::size_t vertex_count)
{
    return gathered_rows(vertex_count, [&](const auto& visit) {
        for (std::size_t t = 0; t < triangles.size(); ++t)
            for (std::size_t c = 0; c < 3; ++c) {
                // A collapsed triangle names a vertex twice but appears once in its row.
                const Triangle& corners = triangles[t];
                if (std::find(corners.begin(), corners.begin() + c, corners[c]) == corners.begin() + c)
                    visit(corners[c], static_cast<std::int32_t>(t));
            }
    });
}

std::vector<std::vector<std::int32_t>> boundary_loops(std::span<const Triangle> triangles, std::size_t vertex_count)
{
    std::vector<Triangle> kept;
    const HalfEdges mesh = half_edges(without_collapsed(kept, triangles), vertex_count);
    std::vector<bool> seen(mesh.origin.size(), false);
    std::vector<std::vector<std::int32_t>> loops;
    for (std::size_t start = 0; start < mesh.origin.size(); ++start) {
        if (mesh.twin[start] >= 0 || seen[start]) continue;
        std::vector<std::int32_t>& loop = loops.emplace_back();
        for (std::size_t h = start; !seen[h];) {
            seen[h] = true;
            loop.push_back(mesh.origin[h]);
            // Turn about the far end until the fan's other border half-edge.
            std::int32_t onward = HalfEdges::next(static_cast<std::int32_t>(h));
            while (mesh.twin[at(onward)] >= 0) onward = HalfEdges::next(mesh.twin[at(onward)]);
            h = at(onward);
        }
    }
    return loops;
}

Components connected_components(std::size_t vertex_count, std::span<const Triangle> triangles,
                                std::span<const Edge> lines)
{
    // Union-find whose roots are the lowest vertices, so that numbering needs no second search.
    std::vector<std::int32_t> parent(vertex_count);
    std::iota(parent.begin(), parent.end(), 0);
    const auto root = [&](std::int32_t v) {
        while (parent[at(v)] != v) v = parent[at(v)] = parent[at(parent[at(v)])];
        return v;
    };
    const auto join = [&](std::int32_t a, std::int32_t b) {
        const std::int32_t ra = root(a), rb = root(b);
        parent[at(std::max(ra, rb))] = std::min(ra, rb);
    };
    for (const Triangle& t : triangles) join(t[0], t[1]), join(t[0], t[2]);
    for (const Edge& line : lines) join(line[0], line[1]);

    Components pieces;
    pieces.of_vertex.resize(vertex_count);
    for (std::size_t v = 0; v < vertex_count; ++v) {
        const std::size_t lowest = at(root(static_cast<std::int32_t>(v)));
        pieces.of_vertex[v] = lowest == v ? static_cast<std::int32_t>(pieces.count++) : pieces.of_vertex[lowest];
    }
    return pieces;
}

std::ptrdiff_t euler_characteristic(std::span<const Triangle> triangles)
{
    std::vector<bool> used(used_vertex_range(triangles), false);
    for (const Triangle& t : triangles)
        for (const std::int32_t v : t) used[at(v)] = true;
    return std::count(used.begin(), used.end(), true) - static_cast<std::ptrdiff_t>(unique_edges(triangles).size()) +
           static_cast<std::ptrdiff_t>(triangles.size());
}

}  // namespace pliant
