// SPDX-License-Identifier: MIT

// Elastic solids: tetrahedra from a generator, a file or a filled surface, their masses and their law.
// What they are made of, part by part, is in build_solid_material.cpp.

#include <algorithm>
#include <numbers>

#include <fmt/format.h>

#include <pliant/io/tet_file.h>
#include <pliant/mesh/tet_edit.h>
#include <pliant/mesh/tet_lattice.h>
#include <pliant/mesh/tet_quality.h>
#include <pliant/mesh/tet_shapes.h>
#include <pliant/mesh/tet_topology.h>
#include <pliant/scene/presets.h>
#include <pliant/scene/scene_json.h>
#include <pliant/world/builder.h>

namespace pliant {

namespace {

double size_at(const MeshSource& s, std::size_t i)
{
    return i < s.size.size() ? s.size[i] : 1.0;
}

// The mesh that the source asks for, before it is placed.
TetMesh unplaced_tets(Builder& b, const MeshSource& s, const std::string& pointer)
{
    if (s.tet_block.size() == 3)
        return tet_block({size_at(s, 0), size_at(s, 1), size_at(s, 2)},
                         {s.tet_block[0], s.tet_block[1], s.tet_block[2]}, static_cast<CellCut>(s.cut));
    if (s.tet_ball > 0) return tet_ball(s.radius, s.tet_ball);
    if (s.tet_cylinder.size() == 3)
        return tet_cylinder(s.radius, s.height, s.tet_cylinder[0], s.tet_cylinder[1], s.tet_cylinder[2]);
    if (s.tet_torus.size() == 3)
        return tet_torus(s.radius, s.minor_radius, s.tet_torus[0], s.tet_torus[1], s.tet_torus[2]);
    if (s.fill > 0) {
        MeshSource surface = s;
        surface.scale = 1, surface.rotate_degrees = 0, surface.translate = {};
        const TriMesh skin = make_mesh(b, surface, pointer);
        return b.problems.empty() ? fill_with_tets(skin, s.fill).mesh : TetMesh{};
    }
    if (s.file.empty()) {
        b.complain(
            pointer, "is a surface, and a solid needs a volume",
            "use tet_block, tet_ball, tet_cylinder or tet_torus, a file of tetrahedra, or add \"fill\": edge length");
        return {};
    }
    TetRead read = read_tets(resolve_path(b.scene, s.file));
    for (const Problem& problem : read.problems) {
        b.problems.push_back(problem);
        if (problem.where.empty()) b.problems.back().where = pointer + "/file";
    }
    for (const std::string& note : read.notes) b.notes.push_back(s.file + ": " + note);
    return std::move(read.mesh);
}

// The body in nodes: surface and groups to pick from, tetrahedra to compute with.
struct SolidMesh {
    Pickable pickable;
    SolidNodes nodes;
};

SolidMesh solid_mesh(const TetMesh& tets, TetElements elements)
{
    SolidMesh solid;
    if (elements == TetElements::quadratic) {
        QuadraticTets quadratic_tets = quadratic(tets);
        solid.pickable.corner_count = static_cast<std::int32_t>(quadratic_tets.corner_count);
        solid.pickable.mesh.triangles = boundary_faces(quadratic_tets);
        solid.pickable.mesh.vertices = std::move(quadratic_tets.nodes);
        solid.pickable.mesh.groups = std::move(quadratic_tets.groups);
        solid.nodes.quadratic = std::move(quadratic_tets.tets);
    } else {
        solid.pickable.mesh.triangles = boundary_faces(tets.tets, tets.vertices.size());
        solid.pickable.mesh.vertices = tets.vertices;
        solid.pickable.mesh.groups = tets.groups;
        solid.nodes.linear = tets.tets;
    }
    IndexRows& faces = solid.pickable.faces;
    faces.offsets.push_back(0);
    for (const Triangle& t : solid.pickable.mesh.triangles) {
        faces.items.insert(faces.items.end(), t.begin(), t.end());
        faces.offsets.push_back(static_cast<std::int32_t>(faces.items.size()));
    }
    return solid;
}

// Lumped masses: a quarter to each corner; with mid-edge nodes 1/36 and 4/27, the diagonal of the consistent matrix
// scaled to the whole.
std::vector<double> lumped_masses(const SolidMesh& solid, const std::vector<double>& tet_mass)
{
    std::vector<double> mass(solid.pickable.mesh.vertices.size(), 0.0);
    for (std::size_t e = 0; e < solid.nodes.linear.size(); ++e)
        for (const std::int32_t node : solid.nodes.linear[e]) mass[node] += tet_mass[e] / 4;
    for (std::size_t e = 0; e < solid.nodes.quadratic.size(); ++e)
        for (int i = 0; i < 10; ++i) mass[solid.nodes.quadratic[e][i]] += tet_mass[e] * (i < 4 ? 1.0 / 36 : 4.0 / 27);
    return mass;
}

void check_quality(Builder& b, const TetMesh& tets, const std::string& pointer)
{
    const TetQuality report = quality(tets);
    if (!report.is_usable()) b.complain(pointer, to_text(report), "repair the mesh; pliant mesh quality tells more");
}

// Calls f with an empty energy of the material's law on a shape.
template <class Shape, class F>
void with_energy(const Material& material, F&& f)
{
    switch (material.law) {
    case SolidLaw::stable_neo_hookean:
        return material.plastic ? f(PlasticSolid<StableNeoHookean, Shape>{}) : f(Solid<StableNeoHookean, Shape>{});
    case SolidLaw::neo_hookean:
        return f(Solid<NeoHookean, Shape>{});
    case SolidLaw::st_venant_kirchhoff:
        return f(Solid<StVenantKirchhoff, Shape>{});
    case SolidLaw::corotated:
        return f(Solid<Corotated, Shape>{});
    case SolidLaw::linear:
        return f(Solid<LinearElastic, Shape>{});
    case SolidLaw::mooney_rivlin:
        return f(Solid<MooneyRivlin, Shape>{});
    case SolidLaw::thesis:
        return f(Solid<ThesisSolid, Shape>{});
    case SolidLaw::isochoric_thesis:
        return f(Solid<IsochoricThesis, Shape>{});
    case SolidLaw::fibre_reinforced:
        return f(Solid<FibreReinforced<StableNeoHookean>, Shape>{});
    }
}

template <class E, class Nodes>
void add_tets(Builder& b, Body& body, const std::vector<Nodes>& tets, const SolidMaterials& materials, E live)
{
    const Material& whole = materials.live;
    live.young = whole.young, live.poisson = *whole.poisson, live.damping_time = whole.damping_time;
    live.bulk_viscosity = whole.bulk_viscosity, live.shear_viscosity = whole.shear_viscosity;
    if constexpr (requires { live.law.fibre_stiffness; })
        live.law.fibre_stiffness = whole.fibre_stiffness, live.law.pull_only = whole.pull_only;
    if constexpr (HasInner<E>) static_cast<SolidPlasticity&>(live) = *whole.plastic;
    std::vector<Nodes> nodes = tets;
    std::vector<RestOf<E, double>> rest;
    for (std::size_t e = 0; e < nodes.size(); ++e) {
        for (std::int32_t& node : nodes[e]) node += body.first_point;
        RestOf<E, double> one;
        static_cast<TetRest<double>&>(one) = materials.rest[e];
        if constexpr (requires { one.fibre; }) one.fibre = materials.fibre_of(e);
        rest.push_back(one);
    }
    body.term = add_term(b, make_elements<E>(nodes, rest, b.model.free_count), live);
}

// Consistent masses of all elements, in the numbers of the whole model.
void add_mass_elements(Builder& b, const Body& body, const SolidNodes& solid)
{
    const auto moved = [&](auto nodes) {
        for (std::int32_t& node : nodes) node += body.first_point;
        return nodes;
    };
    const std::vector<double>& mass = solid.materials.mass;
    for (std::size_t e = 0; e < solid.linear.size(); ++e) b.masses.add_linear_tet(moved(solid.linear[e]), mass[e]);
    for (std::size_t e = 0; e < solid.quadratic.size(); ++e)
        b.masses.add_quadratic_tet(moved(solid.quadratic[e]), mass[e]);
}

// Velocities at the start: those of a rigid body.
void set_velocities(Builder& b, const BodyScene& scene, const std::vector<Vec3>& x, const std::vector<double>& mass)
{
    Vec3 weighted;
    double whole = 0;
    for (std::size_t i = 0; i < mass.size(); ++i) weighted += x[i] * mass[i], whole += mass[i];
    const Vec3 centre = whole > 0 ? weighted / whole : Vec3{};
    for (const Vec3& at : x) b.state.v.push_back(scene.velocity + cross(scene.angular_velocity, at - centre));
}

}  // namespace

TetMesh make_tets(Builder& b, const MeshSource& s, const std::string& pointer)
{
    TetMesh mesh;
    try {
        mesh = unplaced_tets(b, s, pointer);
    } catch (const Error& error) {
        for (const Problem& problem : error.problems()) b.complain(pointer, problem.message, problem.cure);
    }
    if (!b.problems.empty()) return mesh;
    if (s.scale != 1) scale(mesh, s.scale);
    if (s.rotate_degrees != 0 && norm(s.rotate_axis) > 0)
        rotate(mesh, s.rotate_axis, s.rotate_degrees * std::numbers::pi / 180);
    translate(mesh, s.translate);
    if (mesh.tets.empty()) b.complain(pointer, "the mesh has no tetrahedra");
    if (b.problems.empty()) check_quality(b, mesh, pointer);
    return mesh;
}

void add_solid_body(Builder& b, const std::string& name, const BodyScene& scene, const std::string& pointer)
{
    TetMesh tets = make_tets(b, scene.mesh, pointer + "/mesh");
    if (!b.problems.empty()) tets = {};
    translate(tets, scene.position);
    SolidMesh solid = solid_mesh(tets, scene.elements);
    if (b.problems.empty()) solid.nodes.materials = solid_materials(b, scene, tets, solid.pickable, pointer);
    if (!b.problems.empty()) solid.nodes.linear.clear(), solid.nodes.quadratic.clear();
    TriMesh& mesh = solid.pickable.mesh;
    Body body{.name = name,
              .kind = BodyKind::solid,
              .first_point = static_cast<std::int32_t>(b.state.x.size()),
              .point_count = static_cast<std::int32_t>(mesh.vertices.size())};
    b.state.x.insert(b.state.x.end(), mesh.vertices.begin(), mesh.vertices.end());
    const std::vector<double> mass = lumped_masses(solid, solid.nodes.materials.mass);
    b.model.mass.insert(b.model.mass.end(), mass.begin(), mass.end());
    body.path = add_path(b, scene.path);
    b.model.bodies.push_back(body);
    b.state.bodies.push_back(scene.live);
    if (b.problems.empty()) {
        add_pins(b, name, solid.pickable, scene, pointer);
        add_loads(b, solid.pickable, scene, pointer);
        check_masses(b, body, pointer);
    }
    set_velocities(b, scene, mesh.vertices, mass);
    b.meshes.push_back(std::move(mesh));
    b.solids.push_back(std::move(solid.nodes));
    b.pointers.push_back(pointer);
}

void add_solid_term(Builder& b, std::size_t index, const BodyScene& scene)
{
    Body& body = b.model.bodies[index];
    const SolidNodes& nodes = b.solids[index];
    const SolidMaterials& materials = nodes.materials;
    if (nodes.quadratic.empty())
        with_energy<LinearTet>(materials.live, [&](auto live) { add_tets(b, body, nodes.linear, materials, live); });
    else
        with_energy<QuadraticTet>(materials.live,
                                  [&](auto live) { add_tets(b, body, nodes.quadratic, materials, live); });
    if (scene.mass_kind == MassKind::consistent) add_mass_elements(b, body, nodes);
}

}  // namespace pliant
