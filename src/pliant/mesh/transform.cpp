// SPDX-License-Identifier: MIT
#include <pliant/mesh/transform.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include <pliant/base/error.h>

namespace pliant {

Mat3 rotation_matrix(const Vec3& axis, double angle)
{
    PLIANT_ASSERT(norm2(axis) > 0, "a rotation axis has a direction");
    const Vec3 n = normalized(axis);
    const double c = std::cos(angle), s = std::sin(angle);
    const Mat3 turn{{{0, -n.z, n.y}, {n.z, 0, -n.x}, {-n.y, n.x, 0}}};
    return identity3<double>() * c + outer(n, n) * (1 - c) + turn * s;
}

void translate(TriMesh& mesh, const Vec3& offset)
{
    for (Vec3& vertex : mesh.vertices) vertex += offset;
}

void rotate(TriMesh& mesh, const Vec3& axis, double angle, const Vec3& center)
{
    const Mat3 rotation = rotation_matrix(axis, angle);
    for (Vec3& vertex : mesh.vertices) vertex = center + rotation * (vertex - center);
}

void scale(TriMesh& mesh, const Vec3& factors)
{
    for (Vec3& vertex : mesh.vertices) vertex = {vertex.x * factors.x, vertex.y * factors.y, vertex.z * factors.z};
    if (factors.x * factors.y * factors.z < 0) reverse_orientation(mesh);
    const double size = std::abs(factors.x);
    if (std::abs(factors.y) != size || std::abs(factors.z) != size) return;
    for (Uv& uv : mesh.uv) uv = {uv[0] * size, uv[1] * size};
}

void scale(TriMesh& mesh, double factor)
{
    scale(mesh, {factor, factor, factor});
}

void reverse_orientation(TriMesh& mesh)
{
    for (Triangle& t : mesh.triangles) std::swap(t[1], t[2]);
}

void append(TriMesh& mesh, const TriMesh& other)
{
    if (&mesh == &other) return append(mesh, TriMesh(other));
    const auto first = static_cast<std::int32_t>(mesh.vertices.size());
    const bool both_have_uv = mesh.uv.size() == mesh.vertices.size() && other.uv.size() == other.vertices.size();
    if (both_have_uv)
        mesh.uv.insert(mesh.uv.end(), other.uv.begin(), other.uv.end());
    else
        mesh.uv.clear();
    mesh.vertices.insert(mesh.vertices.end(), other.vertices.begin(), other.vertices.end());
    for (const Triangle& t : other.triangles) mesh.triangles.push_back({t[0] + first, t[1] + first, t[2] + first});
    for (const Edge& line : other.lines) mesh.lines.push_back({line[0] + first, line[1] + first});
    for (const VertexGroup& group : other.groups) {
        auto same = std::find_if(mesh.groups.begin(), mesh.groups.end(),
                                 [&](const VertexGroup& own) { return own.name == group.name; });
        if (same == mesh.groups.end()) same = mesh.groups.insert(mesh.groups.end(), VertexGroup{group.name, {}});
        // Ascending stays ascending: all new indices are above the old ones.
        for (const std::int32_t v : group.vertices) same->vertices.push_back(v + first);
    }
}

void repeat(TriMesh& mesh, int count, const Vec3& spacing)
{
    TriMesh copy = mesh;
    for (int k = 1; k < count; ++k) {
        translate(copy, spacing);
        append(mesh, copy);
    }
}

}  // namespace pliant
