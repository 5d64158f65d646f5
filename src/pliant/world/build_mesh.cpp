// SPDX-License-Identifier: MIT

// The mesh that a scene asks for, and selections of its vertices.

#include <algorithm>
#include <limits>
#include <numbers>
#include <numeric>

#include <fmt/format.h>

#include <pliant/io/mesh_file.h>
#include <pliant/mesh/shapes.h>
#include <pliant/mesh/simplex_mesh.h>
#include <pliant/mesh/transform.h>
#include <pliant/scene/scene_json.h>
#include <pliant/world/builder.h>

namespace pliant {

namespace {

TriMesh read_file(Builder& b, const MeshSource& source, const std::string& pointer)
{
    MeshRead read = read_mesh(resolve_path(b.scene, source.file));
    for (const Problem& problem : read.problems) {
        b.problems.push_back(problem);
        if (problem.where.empty()) b.problems.back().where = pointer + "/file";
    }
    for (const std::string& note : read.notes) b.notes.push_back(source.file + ": " + note);
    return std::move(read.mesh);
}

TriMesh inline_mesh(Builder& b, const MeshSource& source, const std::string& pointer)
{
    TriMesh mesh{source.vertices, source.triangles, source.lines, {}};
    const auto count = static_cast<std::int32_t>(mesh.vertices.size());
    const auto check = [&](const auto& tuples, const char* key) {
        for (std::size_t i = 0; i < tuples.size(); ++i)
            for (const std::int32_t index : tuples[i])
                if (index < 0 || index >= count)
                    b.complain(fmt::format("{}/{}/{}", pointer, key, i), fmt::format("index {} is out of range", index),
                               fmt::format("there are {} vertices, numbered from 0", count));
    };
    check(mesh.triangles, "triangles");
    check(mesh.lines, "lines");
    if (!b.problems.empty()) mesh.triangles.clear(), mesh.lines.clear();
    return mesh;
}

double size_at(const MeshSource& s, std::size_t i)
{
    return i < s.size.size() ? s.size[i] : 1.0;
}

// Refuses by estimate what would not fit in memory, before anything is allocated.
bool fits(Builder& b, double vertices, const std::string& pointer)
{
    constexpr double kMostVertices = 2e7;
    if (vertices <= kMostVertices) return true;
    b.complain(pointer, fmt::format("the mesh would have {:.3g} vertices", vertices),
               fmt::format("at most {:.0g} are built", kMostVertices));
    return false;
}

// Cloth that is tied, things to fall down and to be pulled through, and what falls.
TriMesh strip_or_obstacle(Builder& b, const MeshSource& s, const std::string& pointer)
{
    const double per_quad = s.diagonals == Diagonals::cross ? 2 : 1;
    if (s.knot_strip.size() == 2 && fits(b, per_quad * s.knot_strip[0] * s.knot_strip[1], pointer + "/knot_strip"))
        return knot_strip(size_at(s, 0), size_at(s, 1), s.knot_strip[0], s.knot_strip[1],
                          static_cast<GridDiagonals>(s.diagonals));
    if (s.stairs > 0 && fits(b, 4.0 * s.stairs * s.stairs * (size_at(s, 2) / size_at(s, 0) + 1), pointer + "/stairs"))
        return stairs(s.stairs, size_at(s, 0), size_at(s, 1), size_at(s, 2));
    if (s.funnel.size() == 2 && fits(b, 2.0 * s.funnel[0] * s.funnel[1], pointer + "/funnel"))
        return funnel(s.radius, s.height,
                      {.spout_radius = s.inner_radius, .wall = s.wall, .segments = s.funnel[0], .rings = s.funnel[1]});
    if (s.octopus > 0) return octopus(s.octopus, s.height);
    return {};
}

// Cloth cut to shape, and things to lay it on.
TriMesh cloth_or_prop(Builder& b, const MeshSource& s, const std::string& pointer)
{
    if (s.disc > 0) return disc(s.radius, s.disc, s.inner_radius);
    if (s.t_shirt > 0) {
        const double width = size_at(s, 0), height = size_at(s, 1);
        if (fits(b, 2.0 * (height / width + 1) * s.t_shirt * s.t_shirt, pointer + "/t_shirt"))
            return t_shirt(width, height, s.t_shirt);
    }
    if (s.table.size() == 2 && fits(b, 4.0 * s.table[0] * s.table[1], pointer + "/table"))
        return table(size_at(s, 0), size_at(s, 2), size_at(s, 1),
                     {.board = s.board, .leg_radius = s.leg_radius, .segments = s.table[0], .rings = s.table[1]});
    if (s.bottle.size() == 2 && fits(b, 1.0 * s.bottle[0] * s.bottle[1], pointer + "/bottle"))
        return bottle(s.radius, s.height, s.bottle[0], s.bottle[1]);
    if (s.hare > 0) return hare(s.hare, s.height);
    return strip_or_obstacle(b, s, pointer);
}

TriMesh generated(Builder& b, const MeshSource& s, const std::string& pointer)
{
    const double per_quad = s.diagonals == Diagonals::cross ? 2 : 1;
    if (s.grid.size() == 2 && fits(b, per_quad * s.grid[0] * s.grid[1], pointer + "/grid"))
        return grid(s.grid[0], s.grid[1], size_at(s, 0), size_at(s, 1),
                    {.diagonals = static_cast<GridDiagonals>(s.diagonals)});
    if (s.box.size() == 3 &&
        fits(b, 2.0 * s.box[0] * s.box[1] + 2.0 * s.box[1] * s.box[2] + 2.0 * s.box[0] * s.box[2], pointer + "/box"))
        return box({size_at(s, 0), size_at(s, 1), size_at(s, 2)}, {s.box[0], s.box[1], s.box[2]});
    if (s.icosphere) return icosphere(s.radius, *s.icosphere);
    if (s.uv_sphere.size() == 2 && fits(b, 1.0 * s.uv_sphere[0] * s.uv_sphere[1], pointer + "/uv_sphere"))
        return uv_sphere(s.radius, s.uv_sphere[0], s.uv_sphere[1]);
    if (s.cylinder.size() == 2 && fits(b, 1.0 * s.cylinder[0] * s.cylinder[1], pointer + "/cylinder"))
        return cylinder(s.radius, s.height, s.cylinder[0], s.cylinder[1], true);
    if (s.torus.size() == 2 && fits(b, 1.0 * s.torus[0] * s.torus[1], pointer + "/torus"))
        return torus(s.radius, s.minor_radius, s.torus[0], s.torus[1]);
    if (s.simplex_sphere.size() == 2)
        return surface_of(simplex_sphere(s.radius, s.simplex_sphere[0], s.simplex_sphere[1]));
    if (s.simplex_cylinder.size() == 2)
        return surface_of(simplex_cylinder(s.radius, s.height, s.simplex_cylinder[0], s.simplex_cylinder[1]));
    if (s.simplex_torus.size() == 2)
        return surface_of(simplex_torus(s.radius, s.minor_radius, s.simplex_torus[0], s.simplex_torus[1]));
    if (s.lidded_box > 0) return lidded_box(s.lidded_box, size_at(s, 0), size_at(s, 1), size_at(s, 2));
    if (s.chain > 0) return chain(s.chain, s.from, s.to);
    return cloth_or_prop(b, s, pointer);
}

// What a generator refuses although each number is fine by itself.
TriMesh generated_or_refused(Builder& b, const MeshSource& source, const std::string& pointer)
{
    try {
        return generated(b, source, pointer);
    } catch (const Error& error) {
        for (const Problem& problem : error.problems()) b.complain(pointer, problem.message, problem.cure);
    }
    return {};
}

TriMesh dual_of(Builder& b, const TriMesh& mesh, const std::string& pointer)
{
    try {
        return surface_of(dual(mesh));
    } catch (const Error& error) {
        for (const Problem& problem : error.problems()) b.complain(pointer + "/dual", problem.message, problem.cure);
    }
    return mesh;
}

// The item of a list whose place is nearest to a point.
template <class Place>
std::int32_t nearest(const Vec3& point, std::size_t count, Place&& place)
{
    std::int32_t best = -1;
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < count; ++i) {
        const double distance = norm2(place(i) - point);
        if (distance < least) least = distance, best = static_cast<std::int32_t>(i);
    }
    return best;
}

Vec3 face_middle(const Pickable& body, std::size_t face)
{
    Vec3 sum;
    for (const std::int32_t v : body.faces[face]) sum += body.mesh.vertices[v];
    return sum / static_cast<double>(body.faces[face].size());
}

void add_faces(std::vector<std::int32_t>& picked, Builder& b, const Region& region, const Pickable& body,
               const std::string& pointer)
{
    std::vector<std::int32_t> faces = region.faces;
    const std::size_t count = body.faces.size();
    if (count == 0) return b.complain(pointer, "the mesh has no faces");
    for (const Vec3& point : region.faces_at)
        faces.push_back(nearest(point, count, [&](std::size_t f) { return face_middle(body, f); }));
    for (const std::int32_t f : faces) {
        if (f < 0 || static_cast<std::size_t>(f) >= count)
            return b.complain(pointer, fmt::format("face {} is out of range", f),
                              fmt::format("there are {} faces, numbered from 0", count));
        picked.insert(picked.end(), body.faces[f].begin(), body.faces[f].end());
    }
}

void add_region(std::vector<std::int32_t>& picked, Builder& b, const Region& region, const Pickable& body,
                const std::string& pointer)
{
    const TriMesh& mesh = body.mesh;
    const auto count = static_cast<std::int32_t>(mesh.vertices.size());
    if (region.low && region.high) {
        const Vec3 &lo = *region.low, &hi = *region.high;
        for (std::int32_t v = 0; v < count; ++v) {
            const Vec3& x = mesh.vertices[v];
            if (x.x >= lo.x && x.y >= lo.y && x.z >= lo.z && x.x <= hi.x && x.y <= hi.y && x.z <= hi.z)
                picked.push_back(v);
        }
        return;
    }
    if (!region.around && !region.vertex) return add_faces(picked, b, region, body, pointer);
    const std::int32_t middle = region.vertex
                                    ? *region.vertex
                                    : nearest(*region.around, count, [&](std::size_t v) { return mesh.vertices[v]; });
    if (middle < 0 || middle >= count)
        return b.complain(pointer, fmt::format("vertex {} is out of range", middle),
                          fmt::format("there are {} vertices, numbered from 0", count));
    const IndexRows neighbours = mesh.lines.empty() ? vertex_neighbours(mesh.triangles, mesh.vertices.size())
                                                    : vertex_neighbours(mesh.lines, mesh.vertices.size());
    const std::vector<std::int32_t> found = rings(neighbours, middle, region.rings);
    picked.insert(picked.end(), found.begin(), found.end());
}

}  // namespace

TriMesh make_mesh(Builder& b, const MeshSource& source, const std::string& pointer)
{
    TriMesh mesh = !source.file.empty()       ? read_file(b, source, pointer)
                   : !source.vertices.empty() ? inline_mesh(b, source, pointer)
                                              : generated_or_refused(b, source, pointer);
    if (source.scale != 1) scale(mesh, source.scale);
    if (source.rotate_degrees != 0 && norm(source.rotate_axis) > 0)
        rotate(mesh, source.rotate_axis, source.rotate_degrees * std::numbers::pi / 180);
    translate(mesh, source.translate);
    if (source.copies > 1) repeat(mesh, source.copies, source.spacing);
    if (source.dual && b.problems.empty()) mesh = dual_of(b, mesh, pointer);
    if (mesh.vertices.empty() && b.problems.empty()) b.complain(pointer, "the mesh is empty");
    return mesh;
}

std::vector<std::int32_t> selected(Builder& b, const Select& select, const Pickable& body, const std::string& pointer)
{
    const TriMesh& mesh = body.mesh;
    std::vector<std::int32_t> picked;
    const auto count = static_cast<std::int32_t>(mesh.vertices.size());
    if (select.group == "all") {
        picked.resize(count);
        std::iota(picked.begin(), picked.end(), 0);
    } else if (!select.group.empty()) {
        if (const VertexGroup* group = mesh.find_group(select.group)) {
            picked = group->vertices;
        } else {
            std::vector<std::string> names{"all"};
            for (const VertexGroup& candidate : mesh.groups) names.push_back(candidate.name);
            b.complain(pointer, fmt::format("the mesh has no group '{}'", select.group),
                       suggestion(select.group, names));
            return {};
        }
    }
    for (const std::int32_t v : select.vertices) {
        if (v < 0 || v >= count)
            b.complain(pointer, fmt::format("vertex {} is out of range", v),
                       fmt::format("there are {} vertices, numbered from 0", count));
        else
            picked.push_back(v);
    }
    for (std::size_t r = 0; r < select.regions.size(); ++r)
        add_region(picked, b, select.regions[r], body,
                   select.regions.size() > 1 ? fmt::format("{}/{}", pointer, r) : pointer);
    std::sort(picked.begin(), picked.end());
    picked.erase(std::unique(picked.begin(), picked.end()), picked.end());
    if (picked.empty()) b.complain(pointer, "no vertex is selected");
    return picked;
}

}  // namespace pliant
