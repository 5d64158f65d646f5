// SPDX-License-Identifier: MIT
#include "surface_mesh.h"

#include <algorithm>
#include <cmath>

namespace pliant::viewer {

namespace {

constexpr double kSharp = 0.766;  // cosine of 40 degrees

// Twice the area, along the normal.
Vec3 face_normal(const Triangle& t, std::span<const Vec3> x)
{
    return cross(x[t[1]] - x[t[0]], x[t[2]] - x[t[0]]);
}

// Joins the corners at one point whose faces are nearly even; gives each its part, from 0.
std::vector<std::uint32_t> smooth_parts(std::span<const Vec3> normals)
{
    std::vector<std::uint32_t> part(normals.size());
    std::uint32_t count = 0;
    std::vector<bool> is_done(normals.size(), false);
    for (std::size_t first = 0; first < normals.size(); ++first) {
        if (is_done[first]) continue;
        std::vector<std::size_t> queue{first};
        is_done[first] = true;
        while (!queue.empty()) {
            const std::size_t i = queue.back();
            queue.pop_back();
            part[i] = count;
            for (std::size_t j = 0; j < normals.size(); ++j)
                if (!is_done[j] && dot(normals[i], normals[j]) > kSharp * norm(normals[i]) * norm(normals[j]))
                    is_done[j] = true, queue.push_back(j);
        }
        ++count;
    }
    return part;
}

struct Corner {
    std::size_t triangle;
    std::size_t at;
};

class Builder {
public:
    Builder(const Topology& topology, std::span<const Vec3> x) : topology_(topology), x_(x) {}

    SurfaceMesh build()
    {
        mesh_.triangles.resize(topology_.triangles.size());
        for (std::size_t b = 0; b < topology_.bodies.size(); ++b) add_body(b);
        add_edges();
        return std::move(mesh_);
    }

private:
    std::uint32_t add_vertex(std::int32_t point, const Rgb& colour)
    {
        mesh_.point.push_back(point), mesh_.colour.push_back(colour);
        return static_cast<std::uint32_t>(mesh_.point.size() - 1);
    }

    void add_body(std::size_t b)
    {
        const BodyRange& body = topology_.bodies[b];
        const Rgb colour = body_colour(b, body.kind == "collider");
        const auto first = static_cast<std::size_t>(body.first_triangle);
        const std::size_t last = first + static_cast<std::size_t>(body.triangle_count);
        std::vector<std::vector<Corner>> corners(static_cast<std::size_t>(topology_.point_count));
        for (std::size_t t = first; t < last; ++t)
            for (std::size_t k = 0; k < 3; ++k)
                corners[static_cast<std::size_t>(topology_.triangles[t][k])].push_back({t, k});
        for (std::size_t p = 0; p < corners.size(); ++p)
            if (!corners[p].empty()) add_point(static_cast<std::int32_t>(p), corners[p], colour);
        add_lines(body, colour);
    }

    void add_point(std::int32_t point, const std::vector<Corner>& corners, const Rgb& colour)
    {
        std::vector<Vec3> normals;
        for (const Corner& c : corners) normals.push_back(face_normal(topology_.triangles[c.triangle], x_));
        const std::vector<std::uint32_t> part = smooth_parts(normals);
        const std::uint32_t parts = 1 + *std::max_element(part.begin(), part.end());
        const auto first = static_cast<std::uint32_t>(mesh_.point.size());
        for (std::uint32_t i = 0; i < parts; ++i) add_vertex(point, colour);
        for (std::size_t c = 0; c < corners.size(); ++c)
            mesh_.triangles[corners[c].triangle][corners[c].at] = first + part[c];
    }

    // Springs along the edges of faces are seen by their faces.
    void add_lines(const BodyRange& body, const Rgb& colour)
    {
        if (body.triangle_count > 0) return;
        for (std::int32_t l = body.first_line; l < body.first_line + body.line_count; ++l) {
            const Edge& line = topology_.lines[static_cast<std::size_t>(l)];
            mesh_.lines.push_back({add_vertex(line[0], colour), add_vertex(line[1], colour)});
        }
    }

    void add_edges()
    {
        std::vector<std::array<std::int32_t, 4>> ends;  // points, vertices
        for (const auto& t : mesh_.triangles)
            for (std::size_t k = 0; k < 3; ++k) {
                std::uint32_t a = t[k], b = t[(k + 1) % 3];
                if (mesh_.point[a] > mesh_.point[b]) std::swap(a, b);
                ends.push_back(
                    {mesh_.point[a], mesh_.point[b], static_cast<std::int32_t>(a), static_cast<std::int32_t>(b)});
            }
        std::sort(ends.begin(), ends.end());
        for (std::size_t e = 0; e < ends.size(); ++e)
            if (e == 0 || ends[e][0] != ends[e - 1][0] || ends[e][1] != ends[e - 1][1])
                mesh_.edges.push_back({static_cast<std::uint32_t>(ends[e][2]), static_cast<std::uint32_t>(ends[e][3])});
    }

    const Topology& topology_;
    std::span<const Vec3> x_;
    SurfaceMesh mesh_;
};

}  // namespace

SurfaceMesh make_surface_mesh(const Topology& topology, std::span<const Vec3> x)
{
    return Builder(topology, x).build();
}

void place_vertices(std::span<DrawnVertex> vertices, const SurfaceMesh& mesh, std::span<const Vec3> x,
                    std::span<const double> values, std::vector<Vec3>& normals)
{
    normals.assign(mesh.point.size(), Vec3{});
    for (const auto& t : mesh.triangles) {
        const Vec3 n = cross(x[mesh.point[t[1]]] - x[mesh.point[t[0]]], x[mesh.point[t[2]]] - x[mesh.point[t[0]]]);
        for (const std::uint32_t v : t) normals[v] += n;
    }
    for (std::size_t v = 0; v < vertices.size(); ++v) {
        const Vec3& at = x[mesh.point[v]];
        const double length = norm(normals[v]);
        const Vec3 n = length > 0 ? normals[v] / length : Vec3{0, 1, 0};
        vertices[v].place = {static_cast<float>(at.x), static_cast<float>(at.y), static_cast<float>(at.z)};
        vertices[v].normal = {static_cast<float>(n.x), static_cast<float>(n.y), static_cast<float>(n.z)};
        vertices[v].value = values.empty() ? 0 : static_cast<float>(values[mesh.point[v]]);
    }
}

}  // namespace pliant::viewer
