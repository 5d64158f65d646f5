// SPDX-License-Identifier: MIT

// Rigid bodies and colliders: frames, shapes, and the surfaces people see.

#include <numbers>

#include <fmt/format.h>

#include <pliant/mesh/shapes.h>
#include <pliant/mesh/transform.h>
#include <pliant/world/builder.h>

namespace pliant {

namespace {

// How finely a sphere is drawn; contact uses the exact sphere.
constexpr int kSphereSubdivisions = 2;

TriMesh surface_of(const Shape& shape)
{
    switch (shape.kind) {
    case ShapeKind::sphere:
        return icosphere(shape.radius, kSphereSubdivisions);
    case ShapeKind::box:
        return box(shape.half_size * 2.0);
    case ShapeKind::mesh:
    case ShapeKind::plane:
        break;
    }
    return {};
}

// Frame nodes at the start; their place in the arrays is fixed later by place_frames.
void add_frame(Builder& b, Body body, const Shape& shape, const FrameMass& mass, const std::array<Vec3, 4>& x,
               const std::array<Vec3, 4>& v)
{
    body.frame = b.model.frame_count++;
    body.shape = static_cast<std::int32_t>(b.model.shapes.size());
    Shape placed = shape;
    placed.frame = body.frame;
    placed.body = static_cast<std::int32_t>(b.model.bodies.size());
    b.model.shapes.push_back(placed);
    b.model.frame_mass.push_back(mass);
    b.model.bodies.push_back(body);
    b.meshes.push_back(surface_of(shape));
    b.solids.emplace_back();
    b.frame_x.insert(b.frame_x.end(), x.begin(), x.end());
    b.frame_v.insert(b.frame_v.end(), v.begin(), v.end());
}

Shape shape_of(double sphere, const std::vector<double>& box)
{
    if (box.size() == 3) return {.kind = ShapeKind::box, .half_size = {box[0] / 2, box[1] / 2, box[2] / 2}};
    return {.kind = ShapeKind::sphere, .radius = sphere};
}

}  // namespace

void add_rigid_body(Builder& b, const std::string& name, const BodyScene& scene, const std::string& pointer)
{
    const Shape shape = shape_of(scene.sphere, scene.box);
    const FrameMass mass = shape.kind == ShapeKind::box ? box_mass(scene.mass, shape.half_size * 2.0)
                                                        : sphere_mass(scene.mass, scene.sphere);
    const std::array<Vec3, 4> x{scene.position, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    std::array<Vec3, 4> v{scene.velocity};
    for (int k = 1; k < 4; ++k) v[k] = cross(scene.angular_velocity, x[k]);
    add_frame(b, {.name = name, .kind = BodyKind::rigid}, shape, mass, x, v);
    b.state.bodies.push_back(scene.live);
    b.pointers.push_back(pointer);
}

void add_mesh_collider(Builder& b, const std::string& name, const ColliderScene& scene, const std::string& pointer)
{
    TriMesh mesh = make_mesh(b, *scene.mesh, pointer + "/mesh");
    const std::array<Vec3, 4> x{scene.position, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    if (mesh.triangles.empty() && b.problems.empty())
        b.complain(pointer + "/mesh", "a collider that is a mesh needs triangles", "such as {\"box\": [1, 1, 1]}");
    b.model.obstacle_bodies.push_back(static_cast<std::int32_t>(b.model.bodies.size()));
    add_frame(b, {.name = name, .kind = BodyKind::collider}, {.kind = ShapeKind::mesh}, sphere_mass(1, 1), x, {});
    b.meshes.back() = std::move(mesh);
    b.state.bodies.push_back({.held = true, .restitution = scene.restitution, .friction = scene.friction});
    b.pointers.push_back(pointer);
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

void add_collider(Builder& b, const std::string& name, const ColliderScene& scene, const std::string& pointer)
{
    if (scene.mesh) return add_mesh_collider(b, name, scene, pointer);
    Shape shape = shape_of(scene.sphere, scene.box);
    std::array<Vec3, 4> x{scene.position, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    if (scene.plane.size() == 4) {
        shape.kind = ShapeKind::plane;
        const Vec3 normal{scene.plane[0], scene.plane[1], scene.plane[2]};
        const Vec3 n = normalized(normal);
        const Vec3 side = std::abs(n.x) < 0.9 ? Vec3{1, 0, 0} : Vec3{0, 1, 0};
        const Vec3 a = normalized(side - n * dot(side, n));
        x = {n * (scene.plane[3] / norm(normal)), a, n, cross(a, n)};
    } else if (scene.rotate_degrees != 0 && norm(scene.rotate_axis) > 0) {
        const Mat3 R = rotation_matrix(scene.rotate_axis, scene.rotate_degrees * std::numbers::pi / 180);
        for (int k = 1; k < 4; ++k) x[k] = R * x[k];
    }
    // Held for ever, so its mass never acts; one kilogram keeps every formula finite.
    add_frame(b, {.name = name, .kind = BodyKind::collider}, shape, sphere_mass(1, 1), x, {});
    b.state.bodies.push_back(
        {.held = true, .restitution = scene.restitution, .friction = scene.friction, .motion = scene.motion});
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
