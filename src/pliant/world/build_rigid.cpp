// SPDX-License-Identifier: MIT

// Rigid bodies and colliders: frames, shapes, masses, and the surfaces they are met and seen by.
//
// Spheres and boxes keep their exact shape beside their triangles; whatever else is a mesh to the responses that know
// shapes. A body's frame is its principal one; a collider's sits at its position, along its axes.

#include <algorithm>
#include <numbers>

#include <fmt/format.h>

#include <pliant/mesh/shapes.h>
#include <pliant/mesh/transform.h>
#include <pliant/rigid/convex_hull.h>
#include <pliant/rigid/mass_properties.h>
#include <pliant/rigid/surfaces.h>
#include <pliant/world/builder.h>

namespace pliant {

namespace {

/// A shape before it is placed: its exact kind where that is known, its triangles, and what it weighs at a density of 1.
struct Form {
    Shape shape{.kind = ShapeKind::mesh};
    TriMesh surface;
    MassMoments moments;
};

Mat3 turn_of(const Vec3& axis, double degrees)
{
    if (degrees == 0 || !(norm(axis) > 0)) return identity3<double>();
    return rotation_matrix(axis, degrees * std::numbers::pi / 180);
}

// Facets of a round shape. Those that touch it from outside are the same about a larger radius.
template <class Surface>
TriMesh facets_of(const RigidShapeScene& scene, double radius, double length, Surface&& surface)
{
    TriMesh facets = surface(radius);
    return scene.facets_outside ? surface(radius / round_share(facets, radius, length)) : facets;
}

Form round_form(const RigidShapeScene& scene)
{
    const int facets = scene.facets > 0 ? scene.facets : kFacets;
    Form form;
    if (scene.capsule.size() == 2) {
        const double length = scene.capsule[1];
        form.surface = facets_of(scene, scene.capsule[0], length,
                                 [&](double radius) { return capsule_surface(radius, length, facets); });
        form.moments = capsule_moments(scene.capsule[0], length, 1);
    } else if (scene.cylinder.size() == 2) {
        const double length = scene.cylinder[1];
        form.surface = facets_of(scene, scene.cylinder[0], length,
                                 [&](double radius) { return cylinder_surface(radius, length, facets); });
        form.moments = cylinder_moments(scene.cylinder[0], length, 1);
    } else {
        const int around = scene.facets > 0 ? scene.facets : kSphereFacets;
        form.shape = {.kind = ShapeKind::sphere, .radius = scene.sphere};
        form.surface = facets_of(scene, scene.sphere, 0, [&](double radius) { return sphere_surface(radius, around); });
        form.moments = sphere_moments(scene.sphere, 1);
    }
    return form;
}

Form box_form(const std::vector<double>& size)
{
    const Vec3 edges{size[0], size[1], size[2]};
    return {.shape = {.kind = ShapeKind::box, .half_size = edges * 0.5},
            .surface = box(edges),
            .moments = box_moments(edges, 1)};
}

/// Whether a mesh must enclose a volume: what is fixed for ever has no mass and need not.
enum class Weighed { no, yes };

Form mesh_form(Builder& b, const MeshSource& source, bool is_hull, Weighed weighed, const std::string& pointer)
{
    Form form;
    form.surface = make_mesh(b, source, pointer);
    if (!b.problems.empty()) return form;
    try {
        if (is_hull) form.surface = convex_hull(form.surface.vertices);
        if (form.surface.triangles.empty())
            b.complain(pointer, "a rigid shape that is a mesh needs triangles", "such as {\"box\": [1, 1, 1]}");
        else if (weighed == Weighed::yes)
            form.moments = mesh_moments(form.surface.vertices, form.surface.triangles, 1);
    } catch (const Error& error) {
        for (const Problem& problem : error.problems()) b.complain(pointer, problem.message, problem.cure);
    }
    return form;
}

// The one shape that is given; `mesh` where it is a mesh.
Form form_of(Builder& b, const RigidShapeScene& scene, const MeshSource* mesh, Weighed weighed,
             const std::string& pointer)
{
    if (scene.box.size() == 3) return box_form(scene.box);
    if (scene.hull) return mesh_form(b, *scene.hull, true, weighed, pointer + "/hull");
    if (scene.sphere > 0 || !scene.capsule.empty() || !scene.cylinder.empty()) return round_form(scene);
    return mesh_form(b, mesh ? *mesh : MeshSource{}, false, weighed, pointer + "/mesh");
}

// Several shapes as one: triangles side by side, masses by parallel axes. Parts that say nothing weigh `density`.
Form compound_of(Builder& b, const std::vector<RigidPartScene>& parts, double density, Weighed weighed,
                 const std::string& pointer)
{
    Form whole;
    std::vector<MassMoments> masses;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const RigidPartScene& part = parts[i];
        Form form =
            form_of(b, part.shape, part.mesh ? &*part.mesh : nullptr, weighed, fmt::format("{}/parts/{}", pointer, i));
        if (!b.problems.empty()) return whole;
        const Mat3 turn = turn_of(part.rotate_axis, part.rotate_degrees);
        for (Vec3& x : form.surface.vertices) x = turn * x + part.position;
        // Groups and lines of a part's mesh mean nothing in the whole.
        append(whole.surface, {.vertices = form.surface.vertices, .triangles = form.surface.triangles});
        if (weighed == Weighed::no) continue;
        const double own = part.density > 0 ? part.density : density;
        masses.push_back(
            placed(with_mass(form.moments, part.mass > 0 ? part.mass : own * form.moments.mass), turn, part.position));
    }
    if (!masses.empty()) whole.moments = together(masses);
    return whole;
}

// Frame nodes at the start; their place in the arrays is fixed later by place_frames.
void add_frame(Builder& b, Body body, Form form, const FrameMass& mass, const std::array<Vec3, 4>& x,
               const std::array<Vec3, 4>& v)
{
    body.frame = b.model.frame_count++;
    body.shape = static_cast<std::int32_t>(b.model.shapes.size());
    Shape placed = form.shape;
    placed.frame = body.frame;
    placed.body = static_cast<std::int32_t>(b.model.bodies.size());
    b.model.shapes.push_back(placed);
    b.model.frame_mass.push_back(mass);
    b.model.bodies.push_back(body);
    b.meshes.push_back(std::move(form.surface));
    b.solids.emplace_back();
    b.frame_x.insert(b.frame_x.end(), x.begin(), x.end());
    b.frame_v.insert(b.frame_v.end(), v.begin(), v.end());
}

std::array<Vec3, 4> frame_at(const Vec3& centre, const Mat3& axes)
{
    return {centre, column(axes, 0), column(axes, 1), column(axes, 2)};
}

// Centred and along its principal axes; what moved it there comes back.
PrincipalFrame centred(Form& form, double mass)
{
    const Shape& shape = form.shape;
    if (shape.kind == ShapeKind::sphere) return {sphere_mass(mass, shape.radius), {}, identity3<double>()};
    if (shape.kind == ShapeKind::box) return {box_mass(mass, shape.half_size * 2.0), {}, identity3<double>()};
    const PrincipalFrame frame = principal_frame(with_mass(form.moments, mass));
    for (Vec3& x : form.surface.vertices) x = transpose(frame.axes) * (x - frame.centre);
    return frame;
}

// Whether anything in the scene moves a collider; its triangles are searched as if it never did.
bool may_move(const Builder& b, const std::string& name, const ColliderScene& scene)
{
    if (scene.motion != Vec3{} || scene.spin != Vec3{} || !scene.path.keys.empty()) return true;
    const auto moves_it = [&](const std::vector<InputValue>& set) {
        for (const InputValue& value : set)
            if (value.path == "colliders." + name + ".motion" || value.path == "colliders." + name + ".spin")
                return true;
        return false;
    };
    for (const InputScene& input : b.scene.inputs)
        if (moves_it(input.set)) return true;
    for (const auto& [event_name, event] : b.scene.events)
        if (moves_it(event.set)) return true;
    return false;
}

}  // namespace

std::int32_t add_path(Builder& b, const PathScene& scene)
{
    if (scene.keys.empty()) return -1;
    std::vector<PathKey> keys;
    for (const KeyframeScene& key : scene.keys)
        keys.push_back({key.time, key.position, norm(key.rotate_axis) > 0 ? key.rotate_axis : Vec3{0, 1, 0},
                        key.rotate_degrees * std::numbers::pi / 180});
    b.model.paths.push_back(make_path(scene.profile, keys));
    return static_cast<std::int32_t>(b.model.paths.size()) - 1;
}

void add_rigid_body(Builder& b, const std::string& name, const BodyScene& scene, const std::string& pointer)
{
    const double density = scene.density > 0 ? scene.density : 1;
    Form form = scene.parts.empty() ? form_of(b, scene.rigid, &scene.mesh, Weighed::yes, pointer)
                                    : compound_of(b, scene.parts, density, Weighed::yes, pointer);
    if (!b.problems.empty()) form.moments = sphere_moments(1, 1);
    const double own = scene.parts.empty() ? density * form.moments.mass : form.moments.mass;
    const PrincipalFrame frame = centred(form, scene.mass > 0 ? scene.mass : own);
    const Mat3 turn = turn_of(scene.rotate_axis, scene.rotate_degrees);
    const std::array<Vec3, 4> x = frame_at(scene.position + turn * frame.centre, turn * frame.axes);
    std::array<Vec3, 4> v{scene.velocity};
    for (int k = 1; k < 4; ++k) v[k] = cross(scene.angular_velocity, x[k]);
    const std::int32_t path = add_path(b, scene.path);
    add_frame(b, {.name = name, .kind = BodyKind::rigid, .path = path}, std::move(form), frame.mass, x, v);
    b.state.bodies.push_back(scene.live);
    b.pointers.push_back(pointer);
    for (std::size_t l = 0; l < scene.loads.size(); ++l) {
        const LoadScene& from = scene.loads[l];
        b.model.loads.push_back({.name = from.name.empty() ? fmt::format("load{}", l) : from.name,
                                 .body = static_cast<std::int32_t>(b.model.bodies.size() - 1),
                                 .nodes = {b.model.frame_node(b.model.bodies.back().frame)}});
        b.state.loads.push_back(from.live);
    }
}

void add_obstacles(Builder& b)
{
    if (b.model.obstacle_bodies.empty()) return;
    std::vector<std::vector<Vec3>> placed;
    std::vector<StaticObject> objects;
    for (const std::int32_t i : b.model.obstacle_bodies) {
        const Body& body = b.model.bodies[i];
        placed.emplace_back(b.state.x.begin() + body.first_point,
                            b.state.x.begin() + body.first_point + body.point_count);
    }
    for (std::size_t o = 0; o < placed.size(); ++o)
        objects.push_back({placed[o], b.meshes[b.model.obstacle_bodies[o]].triangles});
    const ContactLive& contact = b.scene.contact;
    StaticTrianglesOptions options;
    options.search = contact.mesh_search == MeshSearch::octrees         ? TriangleSearch::octree_per_object
                     : contact.mesh_search == MeshSearch::common_octree ? TriangleSearch::octree_common
                                                                        : TriangleSearch::brute_force;
    // Tall trees over few triangles would fill the memory with leaves: theirs stop where little is left to tell apart.
    constexpr std::int32_t kTall = 9, kFew = 4;
    options.octree = {.height = contact.octree_height,
                      .storage = contact.octree_storage,
                      .leaf_capacity = contact.octree_height > kTall ? kFew : 0};
    for (const Body& body : b.model.bodies)
        if (body.kind == BodyKind::rigid) {
            b.notes.push_back(fmt::format("rigid body '{}' passes through colliders that are meshes: only vertices of "
                                          "cloth, springs and solids meet them",
                                          body.name));
            break;
        }
    b.model.obstacles = std::make_shared<const StaticTriangles>(objects, options);
}

void note_unmet_shapes(Builder& b)
{
    for (std::size_t i = 0; i < b.model.bodies.size(); ++i) {
        const Body& body = b.model.bodies[i];
        if (!body.is_rigid() || b.model.shapes[body.shape].kind != ShapeKind::mesh) continue;
        const bool is_obstacle = std::find(b.model.obstacle_bodies.begin(), b.model.obstacle_bodies.end(),
                                           static_cast<std::int32_t>(i)) != b.model.obstacle_bodies.end();
        if (body.kind == BodyKind::rigid)
            b.notes.push_back(
                fmt::format("rigid body '{}' meets planes, spheres and boxes with its vertices; its edges "
                            "and faces meet nothing, which \"contact\": {{ \"response\": \"bridson\" }} would change",
                            body.name));
        else if (!is_obstacle)
            b.notes.push_back(fmt::format(
                "collider '{}' moves and is no plane, sphere or box: everything passes through it, unless \"contact\": "
                "{{ \"response\": \"bridson\" }} is set",
                body.name));
    }
}

void add_collider(Builder& b, const std::string& name, const ColliderScene& scene, const std::string& pointer)
{
    Form form;
    std::array<Vec3, 4> x = frame_at(scene.position, turn_of(scene.rotate_axis, scene.rotate_degrees));
    if (scene.plane.size() == 4) {
        form.shape.kind = ShapeKind::plane;
        const Vec3 normal{scene.plane[0], scene.plane[1], scene.plane[2]};
        const Vec3 n = normalized(normal);
        const Vec3 side = std::abs(n.x) < 0.9 ? Vec3{1, 0, 0} : Vec3{0, 1, 0};
        const Vec3 a = normalized(side - n * dot(side, n));
        x = {n * (scene.plane[3] / norm(normal)), a, n, cross(a, n)};
    } else {
        form = scene.parts.empty() ? form_of(b, scene.rigid, scene.mesh ? &*scene.mesh : nullptr, Weighed::no, pointer)
                                   : compound_of(b, scene.parts, 1, Weighed::no, pointer);
    }
    if (form.shape.kind == ShapeKind::mesh && !may_move(b, name, scene))
        b.model.obstacle_bodies.push_back(static_cast<std::int32_t>(b.model.bodies.size()));
    // Held for ever, so its mass never acts; one kilogram keeps every formula finite.
    const std::int32_t path = add_path(b, scene.path);
    add_frame(b, {.name = name, .kind = BodyKind::collider, .path = path}, std::move(form), sphere_mass(1, 1), x, {});
    b.state.bodies.push_back({.held = true,
                              .restitution = scene.restitution,
                              .friction = scene.friction,
                              .motion = scene.motion,
                              .spin = scene.spin});
    b.pointers.push_back(pointer);
}

void place_frames(Builder& b)
{
    Model& model = b.model;
    b.state.x.insert(b.state.x.end(), b.frame_x.begin(), b.frame_x.end());
    b.state.v.insert(b.state.v.end(), b.frame_v.begin(), b.frame_v.end());
    for (const FrameMass& mass : model.frame_mass) {
        model.mass.push_back(mass.mass);
        model.mass.insert(model.mass.end(), mass.J.begin(), mass.J.end());
    }
    for (std::size_t i = 0; i < model.bodies.size(); ++i) {
        Body& body = model.bodies[i];
        if (!body.is_rigid()) continue;
        body.first_point = model.point_count();
        body.point_count = static_cast<std::int32_t>(b.meshes[i].vertices.size());
        for (const Vec3& X : b.meshes[i].vertices) model.bound.push_back({body.frame, X});
    }
    b.state.x.resize(model.point_count());
    b.state.v.resize(model.point_count());
}

}  // namespace pliant
