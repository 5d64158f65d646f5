// SPDX-License-Identifier: MIT
#include <pliant/mesh/tet_topology.h>

#include <algorithm>
#include <numeric>

#include <pliant/base/error.h>

namespace pliant {

namespace {

// Half-face 4t+c, whose lowest vertex is that of its bucket.
struct FaceSide {
    std::int32_t middle;
    std::int32_t highest;
    std::int32_t half_face;

    bool same_face(const FaceSide& other) const { return middle == other.middle && highest == other.highest; }
};

// An edge of tetrahedron t, number e of kTetEdges, stored as 6t+e in the bucket of its lower vertex.
struct TetEdgeSide {
    std::int32_t high;
    std::int32_t tet_edge;
};

void check_range(std::span<const Tet> tets, std::size_t vertex_count)
{
    PLIANT_ASSERT(tets.size() < std::size_t{1} << 28, "too many tetrahedra for int32");
    for (const Tet& tet : tets)
        for (const std::int32_t v : tet)
            PLIANT_ASSERT(v >= 0 && static_cast<std::size_t>(v) < vertex_count, "vertex index out of range");
}

/// Items put end to end by bucket, keeping the order in which for_each(visit(bucket, item)) names them.
template <class Item>
struct Buckets {
    std::vector<std::int32_t> offsets;
    std::vector<Item> items;

    template <class ForEach>
    Buckets(std::size_t bucket_count, const ForEach& for_each) : offsets(bucket_count + 1, 0)
    {
        for_each([&](std::int32_t bucket, const Item&) { ++offsets[static_cast<std::size_t>(bucket) + 1]; });
        std::partial_sum(offsets.begin(), offsets.end(), offsets.begin());
        items.resize(static_cast<std::size_t>(offsets.back()));
        std::vector<std::int32_t> end(offsets.begin(), offsets.end() - 1);
        for_each([&](std::int32_t bucket, const Item& item) {
            items[static_cast<std::size_t>(end[static_cast<std::size_t>(bucket)]++)] = item;
        });
    }
};

Buckets<FaceSide> faces_by_lowest_vertex(std::span<const Tet> tets, std::size_t vertex_count)
{
    check_range(tets, vertex_count);
    Buckets<FaceSide> buckets(vertex_count, [&](const auto& visit) {
        std::int32_t half_face = 0;
        for (const Tet& tet : tets)
            for (std::size_t c = 0; c < 4; ++c, ++half_face) {
                Triangle face = tet_face(tet, c);
                std::sort(face.begin(), face.end());
                visit(face[0], FaceSide{face[1], face[2], half_face});
            }
    });
    for (std::size_t v = 0; v < vertex_count; ++v)
        std::sort(
            buckets.items.begin() + buckets.offsets[v], buckets.items.begin() + buckets.offsets[v + 1],
            [](const FaceSide& a, const FaceSide& b) {
                return std::array{a.middle, a.highest, a.half_face} < std::array{b.middle, b.highest, b.half_face};
            });
    return buckets;
}

/// visit(span of the sides of one face) for every face in lexicographic order.
template <class Visit>
void for_each_face(std::span<const Tet> tets, std::size_t vertex_count, const Visit& visit)
{
    const Buckets<FaceSide> buckets = faces_by_lowest_vertex(tets, vertex_count);
    for (std::size_t v = 0; v < vertex_count; ++v) {
        auto side = buckets.items.begin() + buckets.offsets[v];
        const auto bucket_end = buckets.items.begin() + buckets.offsets[v + 1];
        while (side != bucket_end) {
            auto last = side;
            while (last != bucket_end && last->same_face(*side)) ++last;
            visit(std::span(side, last));
            side = last;
        }
    }
}

Triangle half_face(std::span<const Tet> tets, std::int32_t index)
{
    return tet_face(tets[static_cast<std::size_t>(index / 4)], static_cast<std::size_t>(index % 4));
}

/// Do two triangles on the same three vertices run round the same way?
bool same_sense(const Triangle& a, const Triangle& b)
{
    const auto start = std::find(b.begin(), b.end(), a[0]) - b.begin();
    return b[static_cast<std::size_t>((start + 1) % 3)] == a[1];
}

void count(std::size_t& total, std::int32_t& first, std::size_t index)
{
    if (total++ == 0) first = static_cast<std::int32_t>(index);
}

std::vector<bool> used_vertices(std::span<const Tet> tets, std::size_t vertex_count)
{
    check_range(tets, vertex_count);
    std::vector<bool> used(vertex_count, false);
    for (const Tet& tet : tets)
        for (const std::int32_t v : tet) used[static_cast<std::size_t>(v)] = true;
    return used;
}

std::vector<VertexGroup> groups_on_surface(const std::vector<VertexGroup>& groups,
                                           const std::vector<std::int32_t>& surface_vertex)
{
    std::vector<VertexGroup> kept;
    for (const VertexGroup& group : groups) {
        VertexGroup on_surface{group.name, {}};
        for (const std::int32_t v : group.vertices)
            if (const std::int32_t s = surface_vertex[static_cast<std::size_t>(v)]; s >= 0)
                on_surface.vertices.push_back(s);
        if (!on_surface.vertices.empty()) kept.push_back(std::move(on_surface));
    }
    return kept;
}

std::int32_t root(std::vector<std::int32_t>& parent, std::int32_t v)
{
    while (parent[static_cast<std::size_t>(v)] != v) {
        std::int32_t& up = parent[static_cast<std::size_t>(v)];
        up = parent[static_cast<std::size_t>(up)];
        v = up;
    }
    return v;
}

}  // namespace

TetFaces tet_faces(std::span<const Tet> tets, std::size_t vertex_count)
{
    TetFaces faces;
    faces.corners.reserve(tets.size() * 2);
    faces.tets.reserve(tets.size() * 2);
    for_each_face(tets, vertex_count, [&](std::span<const FaceSide> sides) {
        const std::size_t index = faces.corners.size();
        const Triangle first = half_face(tets, sides[0].half_face);
        const bool is_shared = sides.size() > 1;
        faces.corners.push_back(first);
        faces.tets.push_back({sides[0].half_face / 4, is_shared ? sides[1].half_face / 4 : -1});
        if (sides.size() > 2)
            count(faces.overfull, faces.first_overfull, index);
        else if (is_shared && same_sense(first, half_face(tets, sides[1].half_face)))
            count(faces.folded, faces.first_folded, index);
    });
    return faces;
}

std::vector<Triangle> boundary_faces(std::span<const Tet> tets, std::size_t vertex_count)
{
    std::vector<Triangle> boundary;
    for_each_face(tets, vertex_count, [&](std::span<const FaceSide> sides) {
        if (sides.size() == 1) boundary.push_back(half_face(tets, sides[0].half_face));
    });
    return boundary;
}

TetSurface surface(const TetMesh& mesh)
{
    TetSurface result;
    for_each_face(mesh.tets, mesh.vertices.size(), [&](std::span<const FaceSide> sides) {
        if (sides.size() != 1) return;
        result.mesh.triangles.push_back(half_face(mesh.tets, sides[0].half_face));
        result.tet.push_back(sides[0].half_face / 4);
    });
    result.surface_vertex.assign(mesh.vertices.size(), -1);
    for (const Triangle& t : result.mesh.triangles)
        for (const std::int32_t v : t) result.surface_vertex[static_cast<std::size_t>(v)] = 0;
    for (std::size_t v = 0; v < mesh.vertices.size(); ++v) {
        if (result.surface_vertex[v] < 0) continue;
        result.surface_vertex[v] = static_cast<std::int32_t>(result.volume_vertex.size());
        result.volume_vertex.push_back(static_cast<std::int32_t>(v));
        result.mesh.vertices.push_back(mesh.vertices[v]);
    }
    for (Triangle& t : result.mesh.triangles)
        for (std::int32_t& v : t) v = result.surface_vertex[static_cast<std::size_t>(v)];
    result.mesh.groups = groups_on_surface(mesh.groups, result.surface_vertex);
    return result;
}

std::vector<std::int32_t> boundary_vertices(std::span<const Tet> tets, std::size_t vertex_count)
{
    std::vector<bool> on_boundary(vertex_count, false);
    for (const Triangle& t : boundary_faces(tets, vertex_count))
        for (const std::int32_t v : t) on_boundary[static_cast<std::size_t>(v)] = true;
    std::vector<std::int32_t> vertices;
    for (std::size_t v = 0; v < vertex_count; ++v)
        if (on_boundary[v]) vertices.push_back(static_cast<std::int32_t>(v));
    return vertices;
}

TetEdgeTable tet_edge_table(std::span<const Tet> tets, std::size_t vertex_count)
{
    check_range(tets, vertex_count);
    Buckets<TetEdgeSide> buckets(vertex_count, [&](const auto& visit) {
        std::int32_t tet_edge = 0;
        for (const Tet& tet : tets)
            for (const auto& [i, j] : kTetEdges) {
                const auto [low, high] = std::minmax(tet[i], tet[j]);
                if (low != high) visit(low, TetEdgeSide{high, tet_edge});
                ++tet_edge;
            }
    });
    TetEdgeTable table;
    table.of_tet.assign(tets.size(), {-1, -1, -1, -1, -1, -1});
    for (std::size_t low = 0; low < vertex_count; ++low) {
        const auto begin = buckets.items.begin() + buckets.offsets[low];
        const auto end = buckets.items.begin() + buckets.offsets[low + 1];
        std::sort(begin, end, [](const TetEdgeSide& a, const TetEdgeSide& b) {
            return a.high != b.high ? a.high < b.high : a.tet_edge < b.tet_edge;
        });
        for (auto side = begin; side != end; ++side) {
            if (side == begin || side->high != (side - 1)->high)
                table.edges.push_back({static_cast<std::int32_t>(low), side->high});
            table.of_tet[static_cast<std::size_t>(side->tet_edge / 6)][static_cast<std::size_t>(side->tet_edge % 6)] =
                static_cast<std::int32_t>(table.edges.size()) - 1;
        }
    }
    return table;
}

IndexRows vertex_tets(std::span<const Tet> tets, std::size_t vertex_count)
{
    check_range(tets, vertex_count);
    Buckets<std::int32_t> buckets(vertex_count, [&](const auto& visit) {
        for (std::size_t t = 0; t < tets.size(); ++t)
            for (std::size_t c = 0; c < 4; ++c) {
                const Tet& tet = tets[t];
                const bool named_before = std::find(tet.begin(), tet.begin() + c, tet[c]) != tet.begin() + c;
                if (!named_before) visit(tet[c], static_cast<std::int32_t>(t));
            }
    });
    return {std::move(buckets.offsets), std::move(buckets.items)};
}

Components connected_components(std::size_t vertex_count, std::span<const Tet> tets)
{
    check_range(tets, vertex_count);
    std::vector<std::int32_t> parent(vertex_count);
    std::iota(parent.begin(), parent.end(), 0);
    for (const Tet& tet : tets)
        for (std::size_t c = 1; c < 4; ++c) {
            // The lower root wins, so that pieces are numbered by their lowest vertex.
            const auto [low, high] = std::minmax({root(parent, tet[0]), root(parent, tet[c])});
            parent[static_cast<std::size_t>(high)] = low;
        }
    Components components;
    components.of_vertex.resize(vertex_count);
    for (std::size_t v = 0; v < vertex_count; ++v) {
        const std::int32_t lowest = root(parent, static_cast<std::int32_t>(v));
        components.of_vertex[v] = lowest == static_cast<std::int32_t>(v)
                                      ? static_cast<std::int32_t>(components.count++)
                                      : components.of_vertex[static_cast<std::size_t>(lowest)];
    }
    return components;
}

std::vector<std::int32_t> isolated_vertices(std::span<const Tet> tets, std::size_t vertex_count)
{
    const std::vector<bool> used = used_vertices(tets, vertex_count);
    std::vector<std::int32_t> isolated;
    for (std::size_t v = 0; v < vertex_count; ++v)
        if (!used[v]) isolated.push_back(static_cast<std::int32_t>(v));
    return isolated;
}

}  // namespace pliant
