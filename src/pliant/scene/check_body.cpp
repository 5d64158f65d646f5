// SPDX-License-Identifier: MIT
#include <pliant/scene/checks.h>

// Checks of bodies, their gas, pins and loads.

#include <algorithm>

#include <pliant/base/json.h>
#include <pliant/scene/cloth_numbers.h>
#include <pliant/scene/fabrics.h>
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

// Files of seed 002 say what their tetrahedra are made of.
bool has_own_material(const MeshSource& mesh)
{
    return mesh.file.ends_with(".tp") || mesh.file.ends_with(".st");
}

// Moduli by two pairs of names, of which one is enough.
void check_moduli(Checks& checks, const Material& material, const std::string& pointer)
{
    if ((material.bulk > 0) != (material.shear > 0))
        checks.add(pointer + (material.bulk > 0 ? "/bulk" : "/shear"), "is only half of a pair",
                   "give both bulk and shear, or young and poisson");
    if (material.bulk > 0 && (material.young > 0 || material.poisson))
        checks.add(pointer + "/bulk", "young or poisson is given too",
                   "give bulk and shear, or young and poisson, not both pairs");
    if (material.bulk > 0 && material.shear > 0 && !(*resolved(material).poisson <= 0.4999))
        checks.add(pointer + "/bulk",
                   "these moduli make Poisson's ratio " + number_text(*resolved(material).poisson) +
                       ", expected at most 0.4999",
                   "take a smaller bulk modulus: above 5000 times the shear modulus nothing changes any more");
}

void check_law(Checks& checks, const Material& material, const std::string& pointer)
{
    const bool has_fibres = material.law == SolidLaw::fibre_reinforced;
    if (has_fibres && !(norm(material.fibre) > 0))
        checks.add(pointer + "/fibre", "fibre_reinforced needs a direction of the fibres",
                   "such as \"fibre\": [1, 0, 0]");
    if (!has_fibres && (norm(material.fibre) > 0 || material.fibre_stiffness > 0))
        checks.add(pointer + "/fibre", "this law has no fibres", "write \"law\": \"fibre_reinforced\"");
    if (material.plastic && material.law != SolidLaw::stable_neo_hookean)
        checks.add(pointer + "/plastic", "only stable_neo_hookean yields", "leave out \"law\", or \"plastic\"");
}

void check_mass(Checks& checks, const BodyScene& body, const std::string& pointer)
{
    const Material material = resolved(body.material);
    if (body.mass > 0 || body.kind == SceneBodyKind::cloth) return;
    const std::string place = pointer + "/mass";
    if (body.kind == SceneBodyKind::rigid) return;
    if (body.kind == SceneBodyKind::solid && (material.density > 0 || has_own_material(body.mesh))) return;
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
        check_moduli(checks, body.material, pointer);
        check_law(checks, body.material, pointer);
        if (!(material.young > 0) && !has_own_material(body.mesh))
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

// A part says where it is and what it is made of; law, damping time, yield and stiffness of fibres are the body's.
void check_regions(Checks& checks, const BodyScene& body, const std::string& pointer)
{
    for (std::size_t i = 0; i < body.materials.size(); ++i) {
        const std::string place = pointer_child(pointer + "/materials", i);
        const MaterialRegion& region = body.materials[i];
        if (!region.number) check_select(checks, region.select, place + "/select");
        check_preset(checks, region.material, place + "/material");
        check_moduli(checks, region.material, place + "/material");
        for (const char* key : {"law", "damping_time", "plastic", "fibre_stiffness", "pull_only", "thickness"})
            if (checks.is_written(pointer_child(place + "/material", key)))
                checks.add(pointer_child(place + "/material", key), "is the same in the whole body",
                           "write it in the body's material, or make two bodies");
    }
}

void check_mass_kind(Checks& checks, const BodyScene& body, const std::string& pointer)
{
    const SolverKind kind = checks.scene.solver.kind;
    const bool needs_diagonal = kind == SolverKind::central_differences || kind == SolverKind::thesis_listed_rk4;
    if (body.mass_kind == MassKind::consistent && needs_diagonal)
        checks.add(pointer,
                   "solver " + std::string(enum_names(kind)[static_cast<std::size_t>(kind)]) +
                       " knows lumped masses only",
                   "choose another solver.kind, velocity_verlet or rk4 for example");
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
        for (const char* key : {"materials", "rest_mesh", "mass_kind"})
            if (checks.is_written(pointer_child(pointer, key)))
                checks.add(pointer_child(pointer, key), "is only used by a solid", "remove it");
        return;
    }
    if (body.rest_mesh) check_mesh(checks, *body.rest_mesh, pointer + "/rest_mesh");
    check_regions(checks, body, pointer);
    check_mass_kind(checks, body, pointer + "/mass_kind");
    for (const char* key : {"springs", "radial", "shape", "goal", "gas"})
        if (checks.is_written(pointer_child(pointer, key)))
            checks.add(pointer_child(pointer, key), "is not used by a solid", "remove it");
}

// What a cloth needs, and what is not for it.
void check_cloth(Checks& checks, const BodyScene& body, const std::string& pointer)
{
    const std::string place = pointer + "/cloth";
    if (!body.cloth.fabric.empty() && !find_fabric(body.cloth.fabric)) {
        std::vector<std::string> names;
        for (const Fabric& fabric : fabrics()) names.emplace_back(fabric.name);
        checks.add(place + "/fabric", "there is no fabric named " + found_text(Json::of(body.cloth.fabric)),
                   suggestion(body.cloth.fabric, names));
    }
    const ClothNumbers n = resolved(body.cloth);
    if (!(n.density > 0) && !(body.mass > 0))
        checks.add(place + "/density", "the cloth has no mass", "give \"fabric\": \"cotton\", or \"density\": 0.2");
    if (!(n.stretch_u > 0 && n.stretch_v > 0))
        checks.add(place + "/stretch", "the cloth has no stiffness along its threads",
                   "give \"fabric\": \"cotton\", or \"stretch\": 1000");
    const bool is_rubber = body.cloth.model == ClothModel::neo_hookean;
    if (is_rubber && (n.stretch_u != n.stretch_v || body.cloth.shear))
        checks.add(place + "/model", "neo_hookean is the same in all directions",
                   "give one \"stretch\" and no \"shear\", or take st_venant_kirchhoff");
    if (is_rubber && !(n.poisson >= 0.01 && n.poisson <= 0.5))
        checks.add(place + "/poisson", "neo_hookean needs Poisson's ratio from 0.01 to 0.5", "0.5 is rubber");
    for (const char* key : {"rest_stretch_u", "rest_stretch_v", "stretch_damping", "shear_damping", "shear_enabled"})
        if (is_rubber && checks.is_written(pointer_child(place, key)))
            checks.add(pointer_child(place, key), "is not used by neo_hookean",
                       "remove it, or take st_venant_kirchhoff");
    if (body.cloth.bending == BendModel::quadratic && body.cloth.rest_angles == RestAngles::start)
        checks.add(place + "/rest_angles", "quadratic bending is flat at rest", "write \"bending\": \"hinges\"");
    if (!(norm(body.cloth.warp) > 0)) checks.add(place + "/warp", "has no direction", "such as [1, 0, 0]");
    const BendModel bending = body.cloth.bending;
    if ((bending == BendModel::springs || bending == BendModel::thesis_hinges) && n.bend_u != n.bend_v)
        checks.add(place + "/bend_v", "the raw constants of seed 003 are the same in both directions",
                   "give one \"bend\", or \"bending\": \"hinges\"");
    if (body.cloth.model == ClothModel::thesis_springs && n.stretch_u != n.stretch_v)
        checks.add(place + "/stretch_v", "the springs of seed 003 are the same in both directions",
                   "give one \"stretch\", or \"model\": \"springs\"");
    for (const char* key : {"springs", "radial", "shape", "goal", "material"})
        if (checks.is_written(pointer_child(pointer, key)))
            checks.add(pointer_child(pointer, key), "is not used by a cloth", "describe it in \"cloth\"");
}

// What turns must be held whole: a turn mixes the coordinates.
void check_pin_path(Checks& checks, const PinScene& pin, const std::string& pointer, std::size_t index)
{
    const std::string place = pointer_child(pointer + "/pins", index);
    check_path(checks, pin.path, place);
    const auto turns = [](const KeyframeScene& key) { return key.rotate_degrees != 0; };
    if (pin.axes.size() < 3 && std::any_of(pin.path.keys.begin(), pin.path.keys.end(), turns))
        checks.add(place + "/axes",
                   "a path that turns needs all three coordinates, found " + found_text(Json::of(pin.axes)),
                   "write \"axes\": \"xyz\", or leave out rotate_degrees");
}

void check_springs_body(Checks& checks, const BodyScene& body, const std::string& pointer)
{
    check_mesh(checks, body.mesh, pointer + "/mesh");
    if (body.kind == SceneBodyKind::cloth)
        check_cloth(checks, body, pointer);
    else
        check_material(checks, body, pointer + "/material");
    check_parts(checks, body.pins, pointer + "/pins");
    check_parts(checks, body.loads, pointer + "/loads");
    for (std::size_t i = 0; i < body.pins.size(); ++i)
        check_axes(checks, body.pins[i].axes, pointer_child(pointer + "/pins", i) + "/axes");
    if (body.gas) check_gas(checks, *body.gas, pointer + "/gas");
    if (body.goal) check_goal(checks, body, pointer + "/goal");
    check_simplex(checks, body, pointer);
    check_solid(checks, body, pointer);
    if (body.kind != SceneBodyKind::cloth)
        for (const char* key : {"cloth", "seams"})
            if (checks.is_written(pointer_child(pointer, key)))
                checks.add(pointer_child(pointer, key), "is only used by a cloth", "write \"kind\": \"cloth\"");
    for (const char* key : {"sphere", "box"})
        if (checks.is_written(pointer_child(pointer, key)))
            checks.add(pointer_child(pointer, key), "is not used by a body of springs",
                       key == std::string("box") ? "write \"mesh\": {\"box\": …}, or \"kind\": \"rigid\""
                                                 : "write \"mesh\": {\"icosphere\": 3}, or \"kind\": \"rigid\"");
    for (const char* key : {"capsule", "cylinder", "hull", "parts", "facets", "facets_outside", "density",
                            "rotate_axis", "rotate_degrees"})
        if (checks.is_written(pointer_child(pointer, key)))
            checks.add(pointer_child(pointer, key), "is only used by a rigid body",
                       "remove it, or write it in \"mesh\" or \"material\"");
    for (std::size_t i = 0; i < body.pins.size(); ++i) check_pin_path(checks, body.pins[i], pointer, i);
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
    check_path(checks, body.path, pointer);
    check_mass(checks, body, pointer);
    if (body.kind != SceneBodyKind::rigid)
        check_springs_body(checks, body, pointer);
    else
        check_rigid_body(checks, body, pointer);
}

}  // namespace pliant
