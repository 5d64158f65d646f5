// SPDX-License-Identifier: MIT
#include <pliant/scene/checks.h>

// Checks of bodies, their gas, pins and loads, and of colliders.

#include <algorithm>

#include <pliant/base/json.h>
#include <pliant/scene/presets.h>
#include <pliant/scene/wording.h>

namespace pliant {

namespace {

void check_preset(Checks& checks, const Material& material, const std::string& pointer)
{
    if (material.preset.empty() || find_preset(material.preset)) return;
    std::vector<std::string> names;
    for (const Preset& preset : presets()) names.emplace_back(preset.name);
    checks.add(pointer + "/preset", "there is no material named " + found_text(Json::of(material.preset)),
               suggestion(material.preset, names));
}

bool is_pinned_whole(const BodyScene& body)
{
    const auto holds_all = [](const PinScene& pin) { return pin.select.group == "all"; };
    return std::any_of(body.pins.begin(), body.pins.end(), holds_all);
}

void check_mass(Checks& checks, const BodyScene& body, const std::string& pointer)
{
    const Material material = resolved(body.material);
    if (body.mass > 0) return;
    const std::string place = pointer + "/mass";
    if (body.kind == SceneBodyKind::rigid)
        return checks.add(place, "found " + number_text(body.mass) + ", expected a mass above 0 kg", "add \"mass\": 1");
    if (body.kind == SceneBodyKind::solid && material.density > 0) return;
    if (!(material.density * material.thickness > 0) && !is_pinned_whole(body))
        checks.add(place, "the body has no mass",
                   "give \"mass\", or a material with density and thickness, such as {\"preset\": \"latex\"}");
    if (checks.is_written(pointer + "/mass_of") && !checks.is_written(place))
        checks.add(pointer + "/mass_of", "is not used without mass", "give \"mass\", or remove it");
}

void check_material(Checks& checks, const BodyScene& body, const std::string& pointer)
{
    check_preset(checks, body.material, pointer);
    const Material material = resolved(body.material);
    if (body.kind == SceneBodyKind::solid) {
        if (!(material.young > 0))
            checks.add(pointer + "/young", "a solid needs a Young's modulus above 0 Pa", "such as \"young\": 1e5");
        return;
    }
    if (material.young > 0 && !(material.thickness > 0))
        checks.add(pointer + "/thickness", "Young's modulus is given, but no thickness",
                   "give material.thickness, or springs.k_s instead of young");
}

void check_select(Checks& checks, const Select& select, const std::string& pointer)
{
    if (select.group.empty() && select.vertices.empty() && select.regions.empty())
        checks.add(pointer, "selects nothing", "give a group's name, \"all\", indices, or a region");
}

void check_axes(Checks& checks, const std::string& axes, const std::string& pointer)
{
    const bool only_xyz = !axes.empty() && axes.find_first_not_of("xyz") == std::string::npos;
    bool is_once = true;
    for (const char c : {'x', 'y', 'z'}) is_once = is_once && std::count(axes.begin(), axes.end(), c) <= 1;
    if (!only_xyz || !is_once)
        checks.add(pointer, "found " + found_text(Json::of(axes)) + ", expected some of x, y, z, each once",
                   "such as \"xyz\", or \"y\" to let it slide on a floor");
}

/// Pins or loads: both have a name, a selection, and are told apart by the name or the group.
template <class Part>
void check_parts(Checks& checks, const std::vector<Part>& parts, const std::string& pointer)
{
    std::vector<std::string> seen;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const std::string place = pointer_child(pointer, i);
        check_part_name(checks, parts[i].name, place + "/name");
        check_select(checks, parts[i].select, place + "/select");
        const std::string& name = parts[i].name.empty() ? parts[i].select.group : parts[i].name;
        if (name.empty() || seen.size() >= 1000) continue;
        if (std::find(seen.begin(), seen.end(), name) != seen.end())
            checks.add(place, "another one of this body is named '" + name + "' too",
                       "give each a \"name\" of its own");
        seen.push_back(name);
    }
}

void check_goal(Checks& checks, const BodyScene& body, const std::string& pointer)
{
    check_mesh(checks, body.goal->mesh, pointer + "/mesh");
    if (!(body.goal->stiffness > 0) && !(body.springs.k_s > 0))
        checks.add(pointer + "/stiffness", "nothing drives the body to its goal",
                   "give \"stiffness\", or \"springs\": {\"k_s\": …}");
}

void check_simplex(Checks& checks, const BodyScene& body, const std::string& pointer)
{
    const bool is_simplex = body.kind == SceneBodyKind::simplex;
    if (body.shape && !is_simplex)
        checks.add(
            pointer + "/shape", "only a simplex mesh keeps its shape that way",
            "write \"kind\": \"simplex\" with a simplex mesh, such as \"mesh\": {\"icosphere\": 3, \"dual\": true}");
    // A net of three springs a vertex has no shear stiffness, so no sheet of a material is like it.
    if (is_simplex && resolved(body.material).young > 0)
        checks.add(pointer + "/material/young", "the springs of a simplex mesh stand for no sheet",
                   "give \"springs\": {\"k_s\": …}, and \"radial\" or \"shape\" to keep the shape");
}

// Volume meshes are for solids, and solids have no use for what hangs on springs.
void check_solid(Checks& checks, const BodyScene& body, const std::string& pointer)
{
    const MeshSource& m = body.mesh;
    const bool is_volume = !m.tet_block.empty() || m.tet_ball != 0 || !m.tet_cylinder.empty() || !m.tet_torus.empty();
    if (body.kind != SceneBodyKind::solid) {
        if (is_volume || m.fill > 0)
            checks.add(pointer + "/mesh", "is a volume mesh, which only a solid is made of",
                       "write \"kind\": \"solid\"");
        return;
    }
    for (const char* key : {"springs", "radial", "shape", "goal", "gas"})
        if (checks.is_written(pointer_child(pointer, key)))
            checks.add(pointer_child(pointer, key), "is not used by a solid", "remove it");
}

void check_springs_body(Checks& checks, const BodyScene& body, const std::string& pointer)
{
    check_mesh(checks, body.mesh, pointer + "/mesh");
    check_material(checks, body, pointer + "/material");
    check_parts(checks, body.pins, pointer + "/pins");
    check_parts(checks, body.loads, pointer + "/loads");
    for (std::size_t i = 0; i < body.pins.size(); ++i)
        check_axes(checks, body.pins[i].axes, pointer_child(pointer + "/pins", i) + "/axes");
    if (body.gas) check_gas(checks, *body.gas, pointer + "/gas");
    if (body.goal) check_goal(checks, body, pointer + "/goal");
    check_simplex(checks, body, pointer);
    check_solid(checks, body, pointer);
    for (const char* key : {"sphere", "box"})
        if (checks.is_written(pointer_child(pointer, key)))
            checks.add(pointer_child(pointer, key), "is not used by a body of springs",
                       key == std::string("box") ? "write \"mesh\": {\"box\": …}, or \"kind\": \"rigid\""
                                                 : "write \"mesh\": {\"icosphere\": 3}, or \"kind\": \"rigid\"");
}

void check_rigid_body(Checks& checks, const BodyScene& body, const std::string& pointer)
{
    if ((body.sphere > 0) == !body.box.empty())
        checks.add(pointer,
                   body.sphere > 0 ? "found both sphere and box, expected one of them"
                                   : "a rigid body has a shape, found neither sphere nor box",
                   "such as \"sphere\": 0.1, or \"box\": [1, 1, 1]");
    if (!body.box.empty() && body.box.size() != 3)
        checks.add(pointer + "/box", "found " + entries(body.box.size()) + ", expected 3 edge lengths",
                   "such as [1, 1, 1]");
    if (body.gas)
        checks.add(pointer + "/gas", "a rigid body keeps its volume, so it cannot hold a gas",
                   "give the gas to a body of springs; its bounded_by may name this body");
    if (!body.pins.empty()) checks.add(pointer + "/pins", "a rigid body has no pins", "write \"held\": true");
    if (!body.loads.empty()) checks.add(pointer + "/loads", "a rigid body takes no loads", "remove them");
    for (const char* key : {"mesh", "material", "springs", "mass_of", "radial", "shape", "goal"})
        if (checks.is_written(pointer_child(pointer, key)))
            checks.add(pointer_child(pointer, key), "is not used by a rigid body",
                       "remove it, or write \"kind\": \"springs\"");
}

}  // namespace

void check_gas(Checks& checks, const GasScene& gas, const std::string& pointer)
{
    const Gas& law = gas.gas;
    const bool says_pressure = law.pressure > 0 || checks.is_written(pointer + "/pressure");
    const bool says_amount = law.k_g > 0 || law.pump > 0 || checks.is_written(pointer + "/k_g");
    if (law.law == GasLaw::constant_pressure && !says_pressure && !says_amount)
        checks.add(pointer + "/pressure", "a gas of constant pressure needs its pressure",
                   "such as \"pressure\": 102000");
    else if (law.enabled && !says_pressure && !says_amount)
        checks.add(pointer, "there is no gas in it",
                   "give \"k_g\" (n R T in J), \"pressure\" (Pa, absolute) or \"pump\"");
    std::vector<std::string> names = checks.body_names();
    for (const auto& [name, collider] : checks.scene.colliders) names.push_back(name);
    for (std::size_t i = 0; i < gas.bounded_by.size(); ++i) {
        const std::string name = gas.bounded_by[i].substr(gas.bounded_by[i].starts_with('-') ? 1 : 0);
        const std::string place = pointer_child(pointer + "/bounded_by", i);
        if (!checks.has_body(name) && !checks.has_collider(name))
            checks.add(place, "there is no body or collider named '" + name + "'", suggestion(name, names));
        else if (std::find(gas.bounded_by.begin(), gas.bounded_by.end(), gas.bounded_by[i]) - gas.bounded_by.begin() !=
                 static_cast<std::ptrdiff_t>(i))
            checks.add(place, "'" + name + "' is named twice", "name it once");
    }
}

void check_body(Checks& checks, const BodyScene& body, const std::string& pointer)
{
    check_mass(checks, body, pointer);
    if (body.kind != SceneBodyKind::rigid)
        check_springs_body(checks, body, pointer);
    else
        check_rigid_body(checks, body, pointer);
}

void check_collider(Checks& checks, const ColliderScene& collider, const std::string& pointer)
{
    const bool has_plane = !collider.plane.empty(), has_box = !collider.box.empty(), has_sphere = collider.sphere > 0;
    if (has_plane + has_box + has_sphere != 1)
        return checks.add(pointer, "expected exactly one of: plane, box, sphere",
                          "such as \"plane\": [0, 1, 0, 0] for a floor");
    if (has_box && collider.box.size() != 3)
        checks.add(pointer + "/box", "found " + entries(collider.box.size()) + ", expected 3 edge lengths",
                   "such as [1, 1, 1]");
    check_rotation(checks, collider.rotate_axis, collider.rotate_degrees, pointer);
    if (!has_plane) return;
    if (collider.plane.size() != 4)
        return checks.add(pointer + "/plane",
                          "found " + entries(collider.plane.size()) + ", expected 4: normal x, y, z and offset",
                          "such as [0, 1, 0, 0] for a floor at y = 0");
    const Vec3 normal{collider.plane[0], collider.plane[1], collider.plane[2]};
    if (!(norm2(normal) > 0)) checks.add(pointer + "/plane", "found a normal of no length", "such as [0, 1, 0, 0]");
}

}  // namespace pliant
