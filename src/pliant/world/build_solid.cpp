// SPDX-License-Identifier: MIT

// Elastic solids: tetrahedra from a generator, a file or a filled surface, their masses and their law.

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
    return mesh;
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

double volume_of(const std::vector<Vec3>& x, std::int32_t a, std::int32_t b, std::int32_t c, std::int32_t d)
{
    return tet_volume(x[a], x[b], x[c], x[d]);
}

// Lumped masses: a quarter to each corner; with mid-edge nodes 1/36 and 4/27, the diagonal of the consistent matrix
// scaled to the whole.
std::vector<double> lumped_masses(const SolidMesh& solid, double density)
{
    const std::vector<Vec3>& x = solid.pickable.mesh.vertices;
    std::vector<double> mass(x.size(), 0.0);
    for (const Tet& t : solid.nodes.linear)
        for (const std::int32_t node : t) mass[node] += density * volume_of(x, t[0], t[1], t[2], t[3]) / 4;
    for (const auto& t : solid.nodes.quadratic) {
        const double whole = density * volume_of(x, t[0], t[1], t[2], t[3]);
        for (int i = 0; i < 10; ++i) mass[t[i]] += whole * (i < 4 ? 1.0 / 36 : 4.0 / 27);
    }
    return mass;
}

void check_quality(Builder& b, const TetMesh& tets, const std::string& pointer)
{
    const TetQuality report = quality(tets);
    if (!report.is_usable()) b.complain(pointer, to_text(report), "repair the mesh; pliant mesh quality tells more");
}

// Calls f with the law's type.
template <class F>
void with_law(SolidLaw law, F&& f)
{
    switch (law) {
    case SolidLaw::stable_neo_hookean:
        return f(StableNeoHookean{});
    case SolidLaw::neo_hookean:
        return f(NeoHookean{});
    case SolidLaw::st_venant_kirchhoff:
        return f(StVenantKirchhoff{});
    case SolidLaw::corotated:
        return f(Corotated{});
    case SolidLaw::linear:
        return f(LinearElastic{});
    case SolidLaw::mooney_rivlin:
        return f(MooneyRivlin{});
    case SolidLaw::thesis:
        return f(ThesisSolid{});
    case SolidLaw::isochoric_thesis:
        return f(IsochoricThesis{});
    }
}

template <class Law, class Shape, class Nodes>
void add_tets(Builder& b, Body& body, const std::vector<Nodes>& tets, const Material& material)
{
    using E = Solid<Law, Shape>;
    std::vector<Nodes> nodes = tets;
    std::vector<typename E::template Rest<double>> rest;
    for (Nodes& tet : nodes) {
        for (std::int32_t& node : tet) node += body.first_point;
        rest.push_back(tet_rest({b.state.x[tet[0]], b.state.x[tet[1]], b.state.x[tet[2]], b.state.x[tet[3]]}));
    }
    E live;
    live.young = material.young, live.poisson = material.poisson, live.damping_time = material.damping_time;
    live.bulk_viscosity = material.bulk_viscosity, live.shear_viscosity = material.shear_viscosity;
    body.term = add_term(b, make_elements<E>(nodes, rest, b.model.free_count), live);
}

}  // namespace

void add_solid_body(Builder& b, const std::string& name, const BodyScene& scene, const std::string& pointer)
{
    TetMesh tets = make_tets(b, scene.mesh, pointer + "/mesh");
    if (b.problems.empty() && tets.tets.empty()) b.complain(pointer + "/mesh", "the mesh has no tetrahedra");
    if (b.problems.empty()) check_quality(b, tets, pointer + "/mesh");
    if (!b.problems.empty()) tets = {};
    translate(tets, scene.position);
    SolidMesh solid = solid_mesh(tets, scene.elements);
    const Material material = resolved(scene.material);
    TriMesh& mesh = solid.pickable.mesh;
    const Body body{.name = name,
                    .kind = BodyKind::solid,
                    .first_point = static_cast<std::int32_t>(b.state.x.size()),
                    .point_count = static_cast<std::int32_t>(mesh.vertices.size())};
    b.state.x.insert(b.state.x.end(), mesh.vertices.begin(), mesh.vertices.end());
    double density = material.density;
    if (scene.mass > 0) {
        double volume = 0;
        for (const Tet& t : tets.tets) volume += volume_of(tets.vertices, t[0], t[1], t[2], t[3]);
        density = scene.mass / volume;
    }
    const std::vector<double> mass = lumped_masses(solid, density);
    b.model.mass.insert(b.model.mass.end(), mass.begin(), mass.end());
    b.model.bodies.push_back(body);
    b.state.bodies.push_back(scene.live);
    if (b.problems.empty()) {
        add_pins(b, name, solid.pickable, scene, pointer);
        add_loads(b, solid.pickable, scene, pointer);
        check_masses(b, body, pointer);
    }
    Vec3 weighted;
    double whole = 0;
    for (std::size_t i = 0; i < mass.size(); ++i) weighted += mesh.vertices[i] * mass[i], whole += mass[i];
    const Vec3 centre = whole > 0 ? weighted / whole : Vec3{};
    for (const Vec3& x : mesh.vertices) b.state.v.push_back(scene.velocity + cross(scene.angular_velocity, x - centre));
    b.meshes.push_back(std::move(mesh));
    b.solids.push_back(std::move(solid.nodes));
    b.pointers.push_back(pointer);
}

void add_solid_term(Builder& b, std::size_t index, const BodyScene& scene)
{
    Body& body = b.model.bodies[index];
    const SolidNodes& nodes = b.solids[index];
    const Material material = resolved(scene.material);
    with_law(material.law, [&](auto law) {
        using Law = decltype(law);
        if (nodes.quadratic.empty())
            add_tets<Law, LinearTet>(b, body, nodes.linear, material);
        else
            add_tets<Law, QuadraticTet>(b, body, nodes.quadratic, material);
    });
}

}  // namespace pliant
