// SPDX-License-Identifier: MIT

// The surface that contact.response bridson works on: triangles of all bodies and colliders, thicknesses, and a look at
// whether the scene begins apart.

#include <algorithm>

#include <fmt/format.h>

#include <pliant/model/points.h>
#include <pliant/response/bridson.h>
#include <pliant/world/builder.h>
#include <pliant/world/intersection_measure.h>

namespace pliant {

namespace {

double mean_edge(const TriMesh& mesh)
{
    double sum = 0;
    for (const Triangle& t : mesh.triangles)
        for (std::size_t k = 0; k < 3; ++k) sum += norm(mesh.vertices[t[k]] - mesh.vertices[t[(k + 1) % 3]]);
    return mesh.triangles.empty() ? 0 : sum / (3.0 * static_cast<double>(mesh.triangles.size()));
}

double diagonal(const TriMesh& mesh)
{
    if (mesh.vertices.empty()) return 0;
    Vec3 low = mesh.vertices[0], high = low;
    for (const Vec3& p : mesh.vertices)
        for (int k = 0; k < 3; ++k) low[k] = std::min(low[k], p[k]), high[k] = std::max(high[k], p[k]);
    return norm(high - low);
}

// What deforms has a thickness that its folds can show, what is rigid just enough to rest on something, and what never
// moves none: the gap that others keep from it is theirs.
double automatic_thickness(const Body& body, const TriMesh& mesh)
{
    constexpr double kShareOfEdge = 0.1, kShareOfSize = 1e-3;
    if (body.kind == BodyKind::collider) return 0;
    return body.is_rigid() ? kShareOfSize * diagonal(mesh) : kShareOfEdge * mean_edge(mesh);
}

// Vertices two edges apart must not be within the thickness at rest, or the sheet repels itself.
void note_thick_bodies(Builder& b)
{
    constexpr double kMostOfEdge = 0.5;
    for (std::size_t i = 0; i < b.model.bodies.size(); ++i) {
        const Body& body = b.model.bodies[i];
        if (body.is_rigid() || b.scene.contact.self == SelfContact::off) continue;
        const double own = surface_thickness(b.model, b.state, i);
        const double edge = mean_edge(b.meshes[i]);
        if (own > kMostOfEdge * edge)
            b.notes.push_back(
                fmt::format("body '{}' is {:.3g} m thick but has edges of {:.3g} m: it will push itself apart; "
                            "take a coarser mesh or a thickness below {:.2g} m",
                            body.name, own, edge, kMostOfEdge * edge));
    }
}

// A response that keeps things apart cannot part what begins in each other.
void refuse_crossings(Builder& b)
{
    const AuditSurfaces surfaces = audit_surfaces(b.model.topology);
    std::vector<AuditPlane> planes;
    for (const Shape& shape : b.model.shapes)
        if (shape.kind == ShapeKind::plane)
            planes.push_back(audit_plane(shape.body, b.state.x, b.model.frame_node(shape.frame)));
    IntersectionSearch search(surfaces);
    Intersections found;
    if (!b.scene.contact.enabled || !search.find(found, b.state.x, planes) || found.count() == 0) return;
    const std::string cure = "move the bodies apart; contact.response bridson keeps apart what begins apart, no more";
    if (!found.edges.empty()) {
        const EdgeThroughFace& first = found.edges.front();
        const std::string &a = b.model.bodies[first.body_a].name, &other = b.model.bodies[first.body_b].name;
        b.complain("/bodies/" + a,
                   fmt::format("{} edges pass through faces at the start, the first one through '{}'",
                               found.edges.size(), other),
                   cure);
    } else {
        const VertexThroughPlane& first = found.vertices.front();
        b.complain("/bodies/" + b.model.bodies[first.body].name,
                   fmt::format("{} vertices begin behind plane '{}'", found.vertices.size(),
                               b.model.bodies[first.plane_body].name),
                   cure);
    }
}

}  // namespace

void add_contact_surface(Builder& b)
{
    place_bound_points(b.state.x, b.state.v, b.model);
    std::vector<Triangle> faces;
    std::vector<std::int32_t> face_body;
    for (std::size_t i = 0; i < b.model.bodies.size(); ++i) {
        const Body& body = b.model.bodies[i];
        const std::int32_t first = body.first_point;
        for (const Triangle& f : b.meshes[i].triangles) faces.push_back({f[0] + first, f[1] + first, f[2] + first});
        face_body.resize(faces.size(), static_cast<std::int32_t>(i));
        b.model.body_thickness[i] = automatic_thickness(body, b.meshes[i]);
        if (!body.is_rigid() && b.meshes[i].triangles.empty())
            b.notes.push_back(
                fmt::format("body '{}' has no triangles: nothing meets it under contact.response bridson", body.name));
    }
    b.model.contact_surface = collision_surface(faces, face_body, {}, static_cast<std::size_t>(b.model.point_count()),
                                                EdgeBack::surface_normals);
    note_thick_bodies(b);
    refuse_crossings(b);
    for (std::size_t i = 0; i < b.model.bodies.size(); ++i)
        b.state.tally.least_gap = std::max(b.state.tally.least_gap, surface_thickness(b.model, b.state, i));
}

}  // namespace pliant
