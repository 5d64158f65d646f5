// SPDX-License-Identifier: MIT
#include <pliant/scene/checks.h>

// Checks of rigid bodies, colliders, the shapes they are made of and the paths they are carried along.

#include <algorithm>

#include <pliant/base/json.h>
#include <pliant/scene/wording.h>

namespace pliant {

namespace {

constexpr int kFewestFacets = 3;

/// The keys of all shapes that are given.
std::vector<std::string> given_shapes(const RigidShapeScene& shape, bool has_mesh, bool has_parts)
{
    std::vector<std::string> given;
    if (shape.sphere > 0) given.emplace_back("sphere");
    if (!shape.box.empty()) given.emplace_back("box");
    if (!shape.capsule.empty()) given.emplace_back("capsule");
    if (!shape.cylinder.empty()) given.emplace_back("cylinder");
    if (has_mesh) given.emplace_back("mesh");
    if (shape.hull) given.emplace_back("hull");
    if (has_parts) given.emplace_back("parts");
    return given;
}

void check_lengths(Checks& checks, const std::vector<double>& lengths, std::size_t count, const char* what,
                   const std::string& pointer)
{
    if (!lengths.empty() && lengths.size() != count)
        checks.add(pointer, "found " + entries(lengths.size()) + ", expected " + what,
                   count == 3 ? "such as [1, 1, 1]" : "such as [0.1, 0.5]");
}

// The numbers of a shape, whichever it is.
void check_shape(Checks& checks, const RigidShapeScene& shape, const std::string& pointer)
{
    check_lengths(checks, shape.box, 3, "3 edge lengths", pointer + "/box");
    check_lengths(checks, shape.capsule, 2, "2: radius and length", pointer + "/capsule");
    check_lengths(checks, shape.cylinder, 2, "2: radius and length", pointer + "/cylinder");
    if (shape.hull) check_mesh(checks, *shape.hull, pointer + "/hull");
    if (shape.facets != 0 && shape.facets < kFewestFacets)
        checks.add(pointer + "/facets", "found " + std::to_string(shape.facets) + ", expected 0 or at least 3",
                   "such as 48");
    const bool is_round = shape.sphere > 0 || !shape.capsule.empty() || !shape.cylinder.empty();
    for (const char* key : {"/facets", "/facets_outside"})
        if (!is_round && checks.is_written(pointer + key))
            checks.add(pointer + key, "is only used by a sphere, capsule or cylinder", "remove it");
}

void check_part(Checks& checks, const RigidPartScene& part, const std::string& pointer)
{
    const auto given = given_shapes(part.shape, part.mesh.has_value(), false);
    if (given.size() != 1)
        checks.add(pointer,
                   (given.empty() ? std::string("the part has no shape") : "found " + listed(given)) +
                       ", expected exactly one of: sphere, box, capsule, cylinder, mesh, hull",
                   "such as \"sphere\": 0.1");
    check_shape(checks, part.shape, pointer);
    if (part.mesh) check_mesh(checks, *part.mesh, pointer + "/mesh");
    check_rotation(checks, part.rotate_axis, part.rotate_degrees, pointer);
    if (part.mass > 0 && part.density > 0)
        checks.add(pointer + "/density", "the part has a mass too", "give one of them");
}

void check_parts_of(Checks& checks, const std::vector<RigidPartScene>& parts, const std::string& pointer)
{
    for (std::size_t i = 0; i < parts.size(); ++i) check_part(checks, parts[i], pointer_child(pointer + "/parts", i));
}

// The whole mass, the whole density, or what each part brings.
void check_rigid_mass(Checks& checks, const BodyScene& body, const std::string& pointer)
{
    const auto weighs = [](const RigidPartScene& part) { return part.mass > 0 || part.density > 0; };
    const bool parts_weigh = !body.parts.empty() && std::all_of(body.parts.begin(), body.parts.end(), weighs);
    if (!(body.mass > 0) && !(body.density > 0) && !parts_weigh)
        return checks.add(pointer + "/mass",
                          "found " + number_text(body.mass) + ", expected a mass above 0 kg, or a density",
                          "add \"mass\": 1, or \"density\": 1000");
    if (body.mass > 0 && body.density > 0)
        checks.add(pointer + "/density", "the body has a mass too", "give one of them");
    if (body.mass > 0 && std::any_of(body.parts.begin(), body.parts.end(), weighs))
        checks.add(pointer + "/mass", "its parts have masses or densities of their own",
                   "give the mass of the whole, or those of the parts");
}

}  // namespace

void check_path(Checks& checks, const PathScene& path, const std::string& pointer)
{
    if (path.keys.empty() && checks.is_written(pointer + "/profile"))
        checks.add(pointer + "/profile", "is not used without a path",
                   "add \"path\": [{\"time\": 1, \"position\": [0, 0.1, 0]}]");
    for (std::size_t i = 0; i < path.keys.size(); ++i) {
        const KeyframeScene& key = path.keys[i];
        const std::string place = pointer_child(pointer + "/path", i);
        check_rotation(checks, key.rotate_axis, key.rotate_degrees, place);
        if (i > 0 && !(key.time > path.keys[i - 1].time))
            checks.add(place + "/time",
                       "found " + number_text(key.time) + " s, expected a time behind the keyframe before, " +
                           number_text(path.keys[i - 1].time) + " s",
                       "write keyframes in order of time");
        if (key.time == 0 && (key.position != Vec3{} || key.rotate_degrees != 0))
            checks.add(place, "a path begins where things are, found another place at time 0",
                       "give the place by position, or a keyframe at a later time");
    }
}

void check_rigid_body(Checks& checks, const BodyScene& body, const std::string& pointer)
{
    const bool has_mesh = has_source(body.mesh);
    const auto given = given_shapes(body.rigid, has_mesh, !body.parts.empty());
    if (given.empty())
        checks.add(pointer,
                   "a rigid body has a shape, found neither sphere nor box, capsule, cylinder, mesh, hull or parts",
                   "such as \"sphere\": 0.1, or \"box\": [1, 1, 1]");
    if (given.size() > 1)
        checks.add(pointer, "found both " + given[0] + " and " + given[1] + ", expected one of them",
                   "keep one, or write \"parts\"");
    check_shape(checks, body.rigid, pointer);
    check_parts_of(checks, body.parts, pointer);
    check_rigid_mass(checks, body, pointer);
    if (has_mesh) check_mesh(checks, body.mesh, pointer + "/mesh");
    check_rotation(checks, body.rotate_axis, body.rotate_degrees, pointer);
    if (body.gas)
        checks.add(pointer + "/gas", "a rigid body keeps its volume, so it cannot hold a gas",
                   "give the gas to a body of springs; its bounded_by may name this body");
    if (!body.pins.empty()) checks.add(pointer + "/pins", "a rigid body has no pins", "write \"held\": true");
    for (std::size_t l = 0; l < body.loads.size(); ++l)
        if (body.loads[l].select.group != "all" || body.loads[l].live.pressure != 0 || body.loads[l].live.push != 0)
            checks.add(pointer + "/loads/" + std::to_string(l),
                       "a rigid body takes forces at its centre and nothing else",
                       "write \"select\": \"all\" with a force or a formula");
    if (body.live.slides != Vec3{} && (!body.live.held || checks.scene.contact.response != ContactResponse::barrier))
        checks.add(pointer + "/slides",
                   "only bodies that are held slide on rails, and only under contact.response barrier",
                   "write \"held\": true and \"contact\": { \"response\": \"barrier\" }, or leave slides out");
    for (const char* key : {"material", "springs", "mass_of", "radial", "shape", "goal"})
        if (checks.is_written(pointer_child(pointer, key)))
            checks.add(pointer_child(pointer, key), "is not used by a rigid body",
                       "remove it, or write \"kind\": \"springs\"");
}

void check_collider(Checks& checks, const ColliderScene& collider, const std::string& pointer)
{
    const bool has_plane = !collider.plane.empty();
    const auto given = given_shapes(collider.rigid, collider.mesh.has_value(), !collider.parts.empty());
    if (given.size() + (has_plane ? 1 : 0) != 1)
        return checks.add(pointer, "expected exactly one of: plane, box, sphere, capsule, cylinder, mesh, hull, parts",
                          "such as \"plane\": [0, 1, 0, 0] for a floor");
    check_shape(checks, collider.rigid, pointer);
    check_parts_of(checks, collider.parts, pointer);
    for (std::size_t i = 0; i < collider.parts.size(); ++i)
        for (const char* key : {"mass", "density"})
            if (const std::string place = pointer_child(pointer_child(pointer + "/parts", i), key);
                checks.is_written(place))
                checks.add(place, "a collider has no mass", "remove it");
    if (collider.mesh) check_mesh(checks, *collider.mesh, pointer + "/mesh");
    check_rotation(checks, collider.rotate_axis, collider.rotate_degrees, pointer);
    check_path(checks, collider.path, pointer);
    if (!has_plane) return;
    if (collider.plane.size() != 4)
        return checks.add(pointer + "/plane",
                          "found " + entries(collider.plane.size()) + ", expected 4: normal x, y, z and offset",
                          "such as [0, 1, 0, 0] for a floor at y = 0");
    const Vec3 normal{collider.plane[0], collider.plane[1], collider.plane[2]};
    if (!(norm2(normal) > 0)) checks.add(pointer + "/plane", "found a normal of no length", "such as [0, 1, 0, 0]");
}

}  // namespace pliant
