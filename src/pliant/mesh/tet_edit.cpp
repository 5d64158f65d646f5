// SPDX-License-Identifier: MIT
#include <pliant/mesh/tet_edit.h>

#include <algorithm>

#include <fmt/format.h>

#include <pliant/base/error.h>
#include <pliant/mesh/tet_quality.h>
#include <pliant/mesh/transform.h>
#include <pliant/mesh/weld.h>

namespace pliant {

namespace {

[[noreturn]] void refuse(const char* action, std::string message, std::string cure)
{
    throw Error(Problem{.where = action, .message = std::move(message), .cure = std::move(cure)});
}

void mirror(TetMesh& mesh)
{
    for (Tet& tet : mesh.tets) std::swap(tet[2], tet[3]);
}

bool has_lost_a_corner(const Tet& tet)
{
    for (std::size_t i = 0; i < 4; ++i)
        for (std::size_t j = i + 1; j < 4; ++j)
            if (tet[i] == tet[j]) return true;
    return false;
}

void sort_unique(std::vector<std::int32_t>& vertices)
{
    std::sort(vertices.begin(), vertices.end());
    vertices.erase(std::unique(vertices.begin(), vertices.end()), vertices.end());
}

VertexGroup& group_named(std::vector<VertexGroup>& groups, const std::string& name)
{
    const auto same = std::find_if(groups.begin(), groups.end(), [&](const VertexGroup& g) { return g.name == name; });
    return same != groups.end() ? *same : groups.emplace_back(VertexGroup{name, {}});
}

/// Adds tetrahedra, regions and groups of `other`, whose vertices have new numbers.
void join(TetMesh& mesh, const TetMesh& other, const std::vector<std::int32_t>& new_vertex)
{
    const auto moved = [&](std::int32_t v) { return new_vertex[static_cast<std::size_t>(v)]; };
    if (!mesh.region.empty() || !other.region.empty()) {
        mesh.region.resize(mesh.tets.size(), 0);
        mesh.region.insert(mesh.region.end(), other.region.begin(), other.region.end());
        mesh.region.resize(mesh.tets.size() + other.tets.size(), 0);
    }
    for (const Tet& tet : other.tets) mesh.tets.push_back({moved(tet[0]), moved(tet[1]), moved(tet[2]), moved(tet[3])});
    for (const VertexGroup& group : other.groups) {
        VertexGroup& own = group_named(mesh.groups, group.name);
        for (const std::int32_t v : group.vertices) own.vertices.push_back(moved(v));
        sort_unique(own.vertices);
    }
}

/// For each vertex of `other` the lowest vertex of the mesh within the tolerance, or -1.
std::vector<std::int32_t> partners(const TetMesh& mesh, const TetMesh& other, double tolerance)
{
    // The other's own vertices are placed behind all of the mesh, so whoever shares a place with a vertex of
    // the mesh was merged into it, or into the one that it had itself been merged into.
    std::vector<Vec3> all = mesh.vertices;
    all.insert(all.end(), other.vertices.begin(), other.vertices.end());
    const WeldMap map = weld_map(all, tolerance);
    std::vector<std::int32_t> lowest(map.kept, -1);
    const std::size_t own_count = mesh.vertices.size();
    for (std::size_t v = own_count; v-- > 0;)
        lowest[static_cast<std::size_t>(map.new_index[v])] = static_cast<std::int32_t>(v);
    std::vector<std::int32_t> partner(other.vertices.size());
    for (std::size_t v = 0; v < partner.size(); ++v)
        partner[v] = lowest[static_cast<std::size_t>(map.new_index[own_count + v])];
    return partner;
}

void follow(std::vector<VertexGroup>& groups, const std::vector<std::int32_t>& new_vertex)
{
    for (VertexGroup& group : groups) {
        for (std::int32_t& v : group.vertices) v = new_vertex[static_cast<std::size_t>(v)];
        std::erase(group.vertices, -1);
    }
}

/// Drops the vertices that no tetrahedron uses; returns the new numbers.
std::vector<std::int32_t> drop_unused_vertices(TetMesh& mesh)
{
    std::vector<std::int32_t> new_vertex(mesh.vertices.size(), -1);
    for (const Tet& tet : mesh.tets)
        for (const std::int32_t v : tet) new_vertex[static_cast<std::size_t>(v)] = 0;
    std::size_t count = 0;
    for (std::size_t v = 0; v < new_vertex.size(); ++v) {
        if (new_vertex[v] < 0) continue;
        mesh.vertices[count] = mesh.vertices[v];
        new_vertex[v] = static_cast<std::int32_t>(count++);
    }
    mesh.vertices.resize(count);
    for (Tet& tet : mesh.tets)
        for (std::int32_t& v : tet) v = new_vertex[static_cast<std::size_t>(v)];
    follow(mesh.groups, new_vertex);
    return new_vertex;
}

}  // namespace

void translate(TetMesh& mesh, const Vec3& offset)
{
    for (Vec3& vertex : mesh.vertices) vertex += offset;
}

void rotate(TetMesh& mesh, const Vec3& axis, double angle, const Vec3& center)
{
    const Mat3 rotation = rotation_matrix(axis, angle);
    for (Vec3& vertex : mesh.vertices) vertex = center + rotation * (vertex - center);
}

void scale(TetMesh& mesh, const Vec3& factors)
{
    for (Vec3& vertex : mesh.vertices) vertex = {vertex.x * factors.x, vertex.y * factors.y, vertex.z * factors.z};
    if (factors.x * factors.y * factors.z < 0) mirror(mesh);
}

void scale(TetMesh& mesh, double factor)
{
    scale(mesh, {factor, factor, factor});
}

void transform(TetMesh& mesh, const Mat3& matrix, const Vec3& offset)
{
    for (Vec3& vertex : mesh.vertices) vertex = matrix * vertex + offset;
    if (determinant(matrix) < 0) mirror(mesh);
}

std::size_t orient_positively(TetMesh& mesh)
{
    const std::vector<double> volumes = tet_volumes(mesh.vertices, mesh.tets);
    std::size_t swapped = 0;
    for (std::size_t t = 0; t < mesh.tets.size(); ++t) {
        if (!(volumes[t] < 0)) continue;
        std::swap(mesh.tets[t][2], mesh.tets[t][3]);
        ++swapped;
    }
    return swapped;
}

void append(TetMesh& mesh, const TetMesh& other)
{
    if (&mesh == &other) return append(mesh, TetMesh(other));
    const auto first = static_cast<std::int32_t>(mesh.vertices.size());
    mesh.vertices.insert(mesh.vertices.end(), other.vertices.begin(), other.vertices.end());
    std::vector<std::int32_t> new_vertex(other.vertices.size());
    for (std::size_t v = 0; v < new_vertex.size(); ++v) new_vertex[v] = first + static_cast<std::int32_t>(v);
    join(mesh, other, new_vertex);
}

GlueReport glue(TetMesh& mesh, const TetMesh& other, double tolerance)
{
    if (!(tolerance >= 0) || !std::isfinite(tolerance))
        refuse("glue", fmt::format("the tolerance is {}, expected a length of at least 0", tolerance),
               "a thousandth of the shortest edge is a good choice");
    GlueReport report{partners(mesh, other, tolerance)};
    auto next = static_cast<std::int32_t>(mesh.vertices.size());
    std::vector<Vec3> added;
    for (std::size_t v = 0; v < other.vertices.size(); ++v) {
        if (report.new_vertex[v] >= 0) {
            ++report.merged;
            continue;
        }
        report.new_vertex[v] = next++;
        added.push_back(other.vertices[v]);
    }
    for (std::size_t t = 0; t < other.tets.size(); ++t) {
        Tet tet = other.tets[t];
        for (std::int32_t& v : tet) v = report.new_vertex[static_cast<std::size_t>(v)];
        if (has_lost_a_corner(tet))
            refuse("glue", fmt::format("a tolerance of {} merges two corners of tetrahedron {}", tolerance, t),
                   "use a tolerance below the shortest edge");
    }
    mesh.vertices.insert(mesh.vertices.end(), added.begin(), added.end());
    join(mesh, other, report.new_vertex);
    return report;
}

TetRemoval keep_tets(TetMesh& mesh, const std::vector<bool>& kept)
{
    PLIANT_ASSERT(kept.size() == mesh.tets.size(), "one entry for each tetrahedron");
    TetRemoval removal;
    removal.new_tet.assign(kept.size(), -1);
    std::size_t count = 0;
    for (std::size_t t = 0; t < kept.size(); ++t) {
        if (!kept[t]) continue;
        mesh.tets[count] = mesh.tets[t];
        if (!mesh.region.empty()) mesh.region[count] = mesh.region[t];
        removal.new_tet[t] = static_cast<std::int32_t>(count++);
    }
    removal.removed_tets = kept.size() - count;
    mesh.tets.resize(count);
    if (!mesh.region.empty()) mesh.region.resize(count);
    const std::size_t vertices_before = mesh.vertices.size();
    removal.new_vertex = drop_unused_vertices(mesh);
    removal.dropped_vertices = vertices_before - mesh.vertices.size();
    return removal;
}

TetRemoval remove_tets(TetMesh& mesh, std::span<const std::int32_t> numbers)
{
    std::vector<bool> kept(mesh.tets.size(), true);
    for (const std::int32_t number : numbers) {
        if (number < 0 || static_cast<std::size_t>(number) >= mesh.tets.size())
            refuse("remove_tets", fmt::format("there is no tetrahedron {}", number),
                   mesh.tets.empty() ? "the mesh is empty" : fmt::format("they go from 0 to {}", mesh.tets.size() - 1));
        kept[static_cast<std::size_t>(number)] = false;
    }
    return keep_tets(mesh, kept);
}

}  // namespace pliant
