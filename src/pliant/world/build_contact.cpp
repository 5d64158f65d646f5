// SPDX-License-Identifier: MIT

// The surface that contact.response bridson and barrier work on: triangles of all bodies and colliders, thicknesses, and a look at
// whether the scene begins apart.

#include <algorithm>

#include <fmt/format.h>

#include <pliant/model/points.h>
#include <pliant/response/contact_bodies.h>
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
double automatic_thickness(const Body& body, const TriMesh& mesh, ContactResponse response)
{
    const bool is_barrier = response == ContactResponse::barrier;
    const double kShareOfSize = is_barrier ? 5e-3 : 1e-3, kShareOfEdge = is_barrier ? 0.25 : 0.1;
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

// The first few of a list, joined, and how many more there are.
template <class Item, class ToText>
std::string first_few(const std::vector<Item>& items, const ToText& to_text)
{
    constexpr std::size_t kListed = 10;
    std::string text;
    for (std::size_t i = 0; i < std::min(items.size(), kListed); ++i)
        text += fmt::format("{}{}", i == 0 ? "" : ", ", to_text(items[i]));
    if (items.size() > kListed) text += fmt::format(" and {} more", items.size() - kListed);
    return text;
}

void refuse_edges(Builder& b, const std::vector<EdgeThroughFace>& found, const std::string& cure)
{
    if (found.empty()) return;
    const std::vector<BodyRange>& bodies = b.model.topology.bodies;
    const std::string pairs = first_few(found, [&](const EdgeThroughFace& one) {
        const BodyRange &a = bodies[one.body_a], &other = bodies[one.body_b];
        return fmt::format("'{}' edge {}-{} through '{}' face {}", a.name, one.edge[0] - a.first_point,
                           one.edge[1] - a.first_point, other.name, one.face - other.first_triangle);
    });
    b.complain("/bodies/" + bodies[found.front().body_a].name,
               fmt::format("{} edge{} through faces at the start: {}", found.size(),
                           found.size() == 1 ? " passes" : "s pass", pairs),
               cure);
}

void refuse_vertices(Builder& b, const std::vector<VertexThroughPlane>& found, const std::string& cure)
{
    if (found.empty()) return;
    const std::vector<BodyRange>& bodies = b.model.topology.bodies;
    const std::string pairs = first_few(found, [&](const VertexThroughPlane& one) {
        const BodyRange& body = bodies[one.body];
        return fmt::format("'{}' vertex {} behind '{}'", body.name, one.vertex - body.first_point,
                           bodies[one.plane_body].name);
    });
    b.complain("/bodies/" + bodies[found.front().body].name,
               fmt::format("{} begin{} behind planes: {}",
                           found.size() == 1 ? "1 vertex" : fmt::format("{} vertices", found.size()),
                           found.size() == 1 ? "s" : "", pairs),
               cure);
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
    const std::string cure =
        fmt::format("this response keeps apart what begins apart, no more; move the bodies, or let `pliant mesh "
                    "untangle {} untangled.json` do it",
                    b.scene.file.empty() ? "SCENE.json" : b.scene.file);
    refuse_edges(b, found.edges, cure);
    refuse_vertices(b, found.vertices, cure);
}

// What begins deep within its thickness is thrown apart by the first steps.
void note_close_starts(Builder& b)
{
    constexpr double kClose = 0.5;
    ContactBodies bodies;
    bodies.look(b.model, b.state);
    SurfaceSearch search(b.model.contact_surface, b.state.x);
    search.go_on(bodies.view(), BroadPhase::trees);
    std::vector<Meeting> touching;
    search.find_touching(touching, b.state.x);
    std::erase_if(touching, [](const Meeting& m) { return m.distance >= kClose * m.thickness; });
    if (touching.empty()) return;
    const Meeting& m = *std::min_element(touching.begin(), touching.end(), [](const Meeting& a, const Meeting& other) {
        return a.distance * other.thickness < other.distance * a.thickness;
    });
    const auto name = [&](std::int32_t point) {
        for (const Body& body : b.model.bodies)
            if (body.owns_point(point)) return body.name;
        return std::string();
    };
    b.notes.push_back(fmt::format("{} pair{} nearer than half the thickness at the start, '{}' and '{}' with {:.2g} m "
                                  "of {:.2g} m: contacts will push them apart; place them farther apart, or take a "
                                  "thickness below {:.2g} m",
                                  touching.size(), touching.size() == 1 ? " is" : "s are", name(m.point[0]),
                                  name(m.point[3]), m.distance, m.thickness, m.distance));
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
        b.model.body_thickness[i] = automatic_thickness(body, b.meshes[i], b.scene.contact.response);
        if (!body.is_rigid() && b.meshes[i].triangles.empty())
            b.notes.push_back(
                fmt::format("body '{}' has no triangles: nothing meets it under contact.response {}", body.name,
                            b.scene.contact.response == ContactResponse::barrier ? "barrier" : "bridson"));
    }
    b.model.contact_surface = collision_surface(faces, face_body, {}, static_cast<std::size_t>(b.model.point_count()),
                                                EdgeBack::surface_normals);
    note_thick_bodies(b);
    refuse_crossings(b);
    if (b.scene.contact.response == ContactResponse::barrier && b.scene.contact.enabled && b.problems.empty())
        note_close_starts(b);
    for (std::size_t i = 0; i < b.model.bodies.size(); ++i)
        b.state.tally.least_gap = std::max(b.state.tally.least_gap, surface_thickness(b.model, b.state, i));
}

}  // namespace pliant
