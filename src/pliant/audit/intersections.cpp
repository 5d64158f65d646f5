// SPDX-License-Identifier: MIT
#include <pliant/audit/intersections.h>

#include <algorithm>

#include <pliant/audit/edge_face.h>
#include <pliant/audit/exact_predicates.h>
#include <pliant/mesh/topology.h>

namespace pliant {

namespace {

constexpr std::size_t kEdgesAtOnce = 256;

bool share_a_vertex(const Edge& edge, const Triangle& face)
{
    const auto has = [&](std::int32_t v) { return face[0] == v || face[1] == v || face[2] == v; };
    return has(edge[0]) || has(edge[1]);
}

FaceBox box_of(const Vec3& p, const Vec3& q)
{
    FaceBox box;
    for (int k = 0; k < 3; ++k) box.low[k] = std::min(p[k], q[k]), box.high[k] = std::max(p[k], q[k]);
    return box;
}

bool are_finite(std::span<const Vec3> x, std::span<const AuditPlane> planes)
{
    return std::all_of(x.begin(), x.end(), [](const Vec3& v) { return is_finite(v); }) &&
           std::all_of(planes.begin(), planes.end(),
                       [](const AuditPlane& plane) { return is_finite(plane.point) && is_finite(plane.normal); });
}

void find_behind(std::vector<VertexThroughPlane>& found, const AuditSurfaces& surfaces, const AuditPlane& plane,
                 std::span<const Vec3> x)
{
    for (std::size_t b = 0; b < surfaces.points.size(); ++b) {
        if (surfaces.fixed_body[b] != 0) continue;
        const auto [first, count] = surfaces.points[b];
        for (std::int32_t i = first; i < first + count; ++i)
            if (side_of_plane(plane.point, plane.normal, x[i]) < 0)
                found.push_back({static_cast<std::int32_t>(b), i, plane.body});
    }
}

}  // namespace

void AuditSurfaces::add(const AuditBody& body)
{
    const auto index = static_cast<std::int32_t>(points.size());
    const std::vector<Edge> sides = unique_edges(body.faces);
    const std::span<const Edge> own = body.faces.empty() ? body.lines : std::span<const Edge>(sides);
    faces.insert(faces.end(), body.faces.begin(), body.faces.end());
    face_body.resize(faces.size(), index);
    edges.insert(edges.end(), own.begin(), own.end());
    edge_body.resize(edges.size(), index);
    points.push_back({body.first_point, body.point_count});
    fixed_body.push_back(body.is_fixed ? 1 : 0);
}

void IntersectionSearch::look_at_edge(std::vector<EdgeThroughFace>& found, std::size_t edge,
                                      std::span<const Vec3> x) const
{
    const AuditSurfaces& s = *surfaces_;
    const Edge ends = s.edges[edge];
    const Vec3 &p = x[ends[0]], &q = x[ends[1]];
    const std::int32_t body = s.edge_body[edge];
    const std::size_t before = found.size();
    tree_.for_each_in(box_of(p, q), [&](std::int32_t f) {
        const Triangle& face = s.faces[f];
        const std::int32_t other = s.face_body[f];
        if (share_a_vertex(ends, face) || (s.fixed_body[body] != 0 && s.fixed_body[other] != 0)) return;
        if (edge_meets_face(p, q, x[face[0]], x[face[1]], x[face[2]])) found.push_back({body, ends, other, f});
    });
    std::sort(found.begin() + static_cast<std::ptrdiff_t>(before), found.end(),
              [](const EdgeThroughFace& a, const EdgeThroughFace& b) { return a.face < b.face; });
}

bool IntersectionSearch::find(Intersections& found, std::span<const Vec3> x, std::span<const AuditPlane> planes)
{
    found.edges.clear();
    found.vertices.clear();
    if (!are_finite(x, planes)) return false;
    tree_.build(surfaces_->faces, x);
    const std::size_t count = surfaces_->edges.size();
    parallel_for(count, kEdgesAtOnce, [&](std::size_t begin, std::size_t end, std::size_t chunk) {
        of_chunk_[chunk].clear();
        for (std::size_t edge = begin; edge < end; ++edge) look_at_edge(of_chunk_[chunk], edge, x);
    });
    for (std::size_t chunk = 0; chunk < chunk_count(count, kEdgesAtOnce); ++chunk)
        found.edges.insert(found.edges.end(), of_chunk_[chunk].begin(), of_chunk_[chunk].end());
    for (const AuditPlane& plane : planes) find_behind(found.vertices, *surfaces_, plane, x);
    return true;
}

}  // namespace pliant
