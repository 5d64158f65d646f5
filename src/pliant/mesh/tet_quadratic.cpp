// SPDX-License-Identifier: MIT

// Ten-node tetrahedra from four-node ones: nodes amid the edges, and what becomes of groups and the surface.

#include <pliant/mesh/tet_edit.h>

#include <algorithm>

#include <pliant/mesh/tet_topology.h>

namespace pliant {

namespace {

std::vector<Tet> corner_tets(const QuadraticTets& quadratic_tets)
{
    std::vector<Tet> tets;
    tets.reserve(quadratic_tets.tets.size());
    for (const auto& t : quadratic_tets.tets) tets.push_back({t[0], t[1], t[2], t[3]});
    return tets;
}

/// The number of the edge between two vertices; the edges are in lexicographic order.
std::int32_t edge_number(const std::vector<Edge>& edges, std::int32_t a, std::int32_t b)
{
    const auto found = std::lower_bound(edges.begin(), edges.end(), Edge{std::min(a, b), std::max(a, b)});
    return static_cast<std::int32_t>(found - edges.begin());
}

std::vector<bool> marked(const std::vector<std::int32_t>& indices, std::size_t count)
{
    std::vector<bool> marks(count, false);
    for (const std::int32_t i : indices) marks[static_cast<std::size_t>(i)] = true;
    return marks;
}

void add_amid(QuadraticTets& result, const TetMesh& mesh)
{
    const std::vector<Triangle> boundary = boundary_faces(mesh.tets, mesh.vertices.size());
    std::vector<bool> edge_on_boundary(result.edges.size(), false), on_boundary(mesh.vertices.size(), false);
    for (const Triangle& t : boundary)
        for (std::size_t c = 0; c < 3; ++c) {
            on_boundary[static_cast<std::size_t>(t[c])] = true;
            edge_on_boundary[static_cast<std::size_t>(edge_number(result.edges, t[c], t[(c + 1) % 3]))] = true;
        }
    for (VertexGroup& group : result.groups) {
        const std::vector<bool> is_member = marked(group.vertices, mesh.vertices.size());
        const bool only_surface = std::all_of(group.vertices.begin(), group.vertices.end(),
                                              [&](std::int32_t v) { return on_boundary[static_cast<std::size_t>(v)]; });
        for (std::size_t e = 0; e < result.edges.size(); ++e) {
            const auto [a, b] = result.edges[e];
            const bool between = is_member[static_cast<std::size_t>(a)] && is_member[static_cast<std::size_t>(b)];
            if (between && (!only_surface || edge_on_boundary[e]))
                group.vertices.push_back(static_cast<std::int32_t>(result.corner_count + e));
        }
    }
}

}  // namespace

QuadraticTets quadratic(const TetMesh& mesh)
{
    TetEdgeTable table = tet_edge_table(mesh.tets, mesh.vertices.size());
    QuadraticTets result{.nodes = mesh.vertices,
                         .tets = {},
                         .edges = std::move(table.edges),
                         .corner_count = mesh.vertices.size(),
                         .region = mesh.region,
                         .groups = mesh.groups};
    result.nodes.reserve(mesh.vertices.size() + result.edges.size());
    for (const auto& [a, b] : result.edges)
        result.nodes.push_back(
            (mesh.vertices[static_cast<std::size_t>(a)] + mesh.vertices[static_cast<std::size_t>(b)]) * 0.5);
    result.tets.reserve(mesh.tets.size());
    const auto first = static_cast<std::int32_t>(result.corner_count);
    for (std::size_t t = 0; t < mesh.tets.size(); ++t) {
        std::array<std::int32_t, 10> tet;
        std::copy(mesh.tets[t].begin(), mesh.tets[t].end(), tet.begin());
        for (std::size_t e = 0; e < 6; ++e) tet[4 + e] = first + table.of_tet[t][e];
        result.tets.push_back(tet);
    }
    add_amid(result, mesh);
    return result;
}

std::vector<Triangle> boundary_faces(const QuadraticTets& quadratic_tets)
{
    const auto first = static_cast<std::int32_t>(quadratic_tets.corner_count);
    const auto amid = [&](std::int32_t a, std::int32_t b) { return first + edge_number(quadratic_tets.edges, a, b); };
    std::vector<Triangle> finer;
    for (const auto& [a, b, c] : boundary_faces(corner_tets(quadratic_tets), quadratic_tets.corner_count)) {
        const std::int32_t ab = amid(a, b), bc = amid(b, c), ca = amid(c, a);
        finer.insert(finer.end(), {{a, ab, ca}, {b, bc, ab}, {c, ca, bc}, {ab, bc, ca}});
    }
    return finer;
}

}  // namespace pliant
