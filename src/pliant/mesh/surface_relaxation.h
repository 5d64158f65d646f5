// SPDX-License-Identifier: MIT
#pragma once

// Better triangles for a closed surface that is known by a formula: vertices slide within it, edges are turned.
//
// The formula's owner says how a point that left the surface gets back, and which triangles are sound (face outwards);
// what would make an unsound one is not done, so a surface that starts sound stays so.

#include <algorithm>
#include <numbers>
#include <vector>

#include <pliant/mesh/measure.h>
#include <pliant/mesh/topology.h>
#include <pliant/mesh/tri_mesh.h>

namespace pliant {

/// Moves every vertex to the middle of its triangles, large ones counting more, within the surface.
/// Vec3 back_on_surface(point, unit normal); bool is_sound(const Triangle&), asked with the vertex moved.
template <class Back, class Sound>
void relax_vertices(TriMesh& mesh, const Back& back_on_surface, const Sound& is_sound)
{
    const IndexRows triangles = vertex_triangles(mesh.triangles, mesh.vertices.size());
    const auto at = [&](std::int32_t v) { return mesh.vertices[static_cast<std::size_t>(v)]; };
    for (std::size_t v = 0; v < mesh.vertices.size(); ++v) {
        Vec3 sum, normal;
        double area = 0;
        for (const std::int32_t t : triangles[v]) {
            const auto [a, b, c] = mesh.triangles[static_cast<std::size_t>(t)];
            const Vec3 vector = area_vector(at(a), at(b), at(c));
            sum += (at(a) + at(b) + at(c)) * (norm(vector) / 3), normal += vector, area += norm(vector);
        }
        const Vec3 before = mesh.vertices[v], n = normalized(normal), way = sum / area - before;
        mesh.vertices[v] = back_on_surface(before + way - n * dot(way, n), n);
        const auto breaks = [&](std::int32_t t) { return !is_sound(mesh.triangles[static_cast<std::size_t>(t)]); };
        if (std::any_of(triangles[v].begin(), triangles[v].end(), breaks)) mesh.vertices[v] = before;
    }
}

/// Turns edges whose opposite angles add up to more than pi (Delaunay's criterion), each triangle at most once.
template <class Sound>
void turn_edges(TriMesh& mesh, const Sound& is_sound)
{
    const HalfEdges half = half_edges(mesh.triangles, mesh.vertices.size());
    const auto at = [&](std::int32_t v) { return mesh.vertices[static_cast<std::size_t>(v)]; };
    const auto angle = [&](std::int32_t corner, std::int32_t b, std::int32_t c) {
        const Vec3 to_b = at(b) - at(corner), to_c = at(c) - at(corner);
        return std::atan2(norm(cross(to_b, to_c)), dot(to_b, to_c));
    };
    std::vector<bool> is_turned(mesh.triangles.size(), false);
    for (std::int32_t h = 0; h < static_cast<std::int32_t>(half.twin.size()); ++h) {
        const std::int32_t twin = half.twin[static_cast<std::size_t>(h)];
        const auto one = static_cast<std::size_t>(HalfEdges::triangle(h));
        const auto other = static_cast<std::size_t>(HalfEdges::triangle(twin));
        if (twin < h || is_turned[one] || is_turned[other]) continue;
        const std::int32_t a = half.origin[static_cast<std::size_t>(h)], b = half.target(h);
        const std::int32_t c = half.target(HalfEdges::next(h)), d = half.target(HalfEdges::next(twin));
        constexpr double kMargin = 1e-9;  // squares are not turned back and forth
        if (angle(c, a, b) + angle(d, a, b) < std::numbers::pi + kMargin) continue;
        const Triangle with_a{c, a, d}, with_b{d, b, c};
        if (!is_sound(with_a) || !is_sound(with_b)) continue;
        mesh.triangles[one] = with_a, mesh.triangles[other] = with_b;
        is_turned[one] = is_turned[other] = true;
    }
}

}  // namespace pliant
