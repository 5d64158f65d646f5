// SPDX-License-Identifier: MIT

// What seed 004 adds to bodies of springs: radial springs, shape of simplex meshes, goal shapes.

#include <cmath>
#include <limits>
#include <numeric>

#include <fmt/format.h>

#include <pliant/mesh/measure.h>
#include <pliant/mesh/simplex_mesh.h>
#include <pliant/world/builder.h>

namespace pliant {

namespace {

// Mass of the body's vertices, and where its centre is.
struct MassCentre {
    double mass = 0;
    Vec3 at;
};

MassCentre mass_centre(const Builder& b, const Body& body)
{
    MassCentre centre;
    for (std::int32_t i = body.first_point; i < body.first_point + body.point_count; ++i)
        centre.mass += b.model.mass[i], centre.at += b.state.x[i] * b.model.mass[i];
    if (centre.mass > 0) centre.at *= 1 / centre.mass;
    return centre;
}

void add_free_centre(Builder& b, Body& body, TriMesh& mesh, double mass, const Vec3& at)
{
    b.state.x.push_back(at);
    b.model.mass.push_back(mass);
    mesh.vertices.push_back(at);
    mesh.uv.clear();  // the centre is no part of the cloth
    ++body.point_count;
}

// Where the line x + t n meets the triangle; the smallest |t| of all, or infinity.
double way_to_surface(const Vec3& x, const Vec3& n, const TriMesh& surface)
{
    double nearest = std::numeric_limits<double>::infinity();
    for (const Triangle& f : surface.triangles) {
        const Vec3 &a = surface.vertices[f[0]], ab = surface.vertices[f[1]] - a, ac = surface.vertices[f[2]] - a;
        const Vec3 p = cross(n, ac);
        const double det = dot(ab, p);
        // A line within the plane of the triangle does not meet it in a point.
        if (std::abs(det) <= 1e-14 * norm(ab) * norm(ac)) continue;
        const Vec3 from = x - a, q = cross(from, ab);
        const double u = dot(from, p) / det, v = dot(n, q) / det, t = dot(ac, q) / det;
        constexpr double kHair = 1e-12;  // a line through an edge meets one of its triangles at least
        if (u < -kHair || v < -kHair || u + v > 1 + kHair) continue;
        if (std::abs(t) < std::abs(nearest)) nearest = t;
    }
    return nearest;
}

}  // namespace

void add_radial(Builder& b, const RadialScene& scene, TriMesh& mesh)
{
    Body& body = b.model.bodies.back();
    const MassCentre centre = mass_centre(b, body);
    constexpr double kCentreShare = 0.1;
    RadialSprings springs{.first = body.first_point, .kind = scene.center, .fixed_at = centre.at};
    for (std::int32_t i = body.first_point; i < body.first_point + body.point_count; ++i) {
        springs.rest.push_back(norm(b.state.x[i] - centre.at));
        if (scene.center == CenterKind::centroid || scene.center == CenterKind::thesis_centroid)
            springs.share.push_back(b.model.mass[i] / centre.mass);
    }
    if (scene.center == CenterKind::free) {
        springs.center_point = body.first_point + body.point_count;
        const double mass = scene.center_mass > 0 ? scene.center_mass : kCentreShare * centre.mass;
        add_free_centre(b, body, mesh, mass, centre.at);
    }
    springs.inner_start = b.state.inner.size();
    b.state.inner.resize(springs.inner_start + springs.rest.size(), 0.0);
    body.radial = static_cast<std::int32_t>(b.model.radials.size());
    b.model.radials.push_back(std::move(springs));
    b.state.radials.push_back(scene.live);
}

void add_simplex_shape(Builder& b, std::size_t index, const ShapeScene& scene)
{
    Body& body = b.model.bodies[index];
    TriMesh surface = b.meshes[index];
    if (body.radial >= 0) surface.vertices.resize(b.model.radials[body.radial].rest.size());  // without a free centre
    const SimplexMesh mesh = simplex_mesh_of(surface);
    std::vector<std::array<std::int32_t, 4>> nodes;
    std::vector<SimplexShape::Rest<double>> rest;
    for (std::size_t v = 0; v < mesh.vertices.size(); ++v) {
        const auto& [i, j, k] = mesh.neighbours[v];
        const SimplexCoordinates at =
            simplex_coordinates(mesh.vertices[v], mesh.vertices[i], mesh.vertices[j], mesh.vertices[k]);
        const std::int32_t first = body.first_point;
        nodes.push_back({static_cast<std::int32_t>(v) + first, i + first, j + first, k + first});
        rest.push_back({at.e1, at.e2, at.e3, at.sin_angle, at.cos_angle, 1.0});
    }
    body.shape_term = add_term(b, make_elements<SimplexShape>(nodes, rest, b.model.free_count),
                               SimplexShape{.k_shape = scene.k_shape, .k_d = scene.k_d});
}

void add_goal(Builder& b, std::size_t index, const BodyScene& scene, const std::string& pointer)
{
    Body& body = b.model.bodies[index];
    TriMesh surface = b.meshes[index];
    if (body.radial >= 0) surface.vertices.resize(b.model.radials[body.radial].rest.size());
    TriMesh goal = make_mesh(b, scene.goal->mesh, pointer + "/mesh");
    constexpr double kMostPairs = 1e10;
    if (static_cast<double>(surface.vertices.size()) * static_cast<double>(goal.triangles.size()) > kMostPairs)
        return b.complain(pointer + "/mesh", "the goal has too many triangles for so many vertices",
                          "use a coarser mesh for the goal: every normal is tried against every triangle");
    const std::vector<Vec3> normals = scene.kind == SceneBodyKind::simplex
                                          ? vertex_normals(simplex_mesh_of(surface))
                                          : vertex_normals(surface.vertices, surface.triangles);
    const Vec3 c = body.radial >= 0 ? center(b.model.radials[body.radial], b.state.x) : mass_centre(b, body).at;
    const double k = scene.goal->stiffness > 0 ? scene.goal->stiffness : scene.springs.k_s;
    Goal made{.body = static_cast<std::int32_t>(index), .force = {}, .vertices = {}, .triangles = {}};
    for (std::size_t i = 0; i < surface.vertices.size(); ++i) {
        const Vec3& x = surface.vertices[i];
        const double way = way_to_surface(x, normals[i], goal);
        if (!std::isfinite(way))
            return b.complain(pointer + "/mesh", fmt::format("the normal of vertex {} does not meet the goal", i),
                              "let the goal surround the body");
        const double length = norm(x - c), rise = norm(x + normals[i] * way - c) - length;
        made.force.push_back(length > 0 ? (x - c) * ((1 + scene.goal->neighbour_share) * k * rise / length) : Vec3{});
    }
    made.vertices = std::move(goal.vertices), made.triangles = std::move(goal.triangles);
    body.goal = static_cast<std::int32_t>(b.model.goals.size());
    b.model.goals.push_back(std::move(made));
    b.state.goals.push_back(scene.goal->live);
}

}  // namespace pliant
