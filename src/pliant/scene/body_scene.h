// SPDX-License-Identifier: MIT
#pragma once

// Bodies as a scene writes them: meshes, selections, materials, springs, gas, pins and loads.

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <pliant/base/describe.h>
#include <pliant/energy/gas.h>
#include <pliant/energy/plasticity.h>
#include <pliant/energy/radial.h>
#include <pliant/energy/solid_plasticity.h>
#include <pliant/energy/spring.h>
#include <pliant/parameters/live.h>
#include <pliant/scene/cloth_scene.h>
#include <pliant/scene/mesh_source.h>
#include <pliant/scene/rigid_scene.h>

namespace pliant {

/// Values by name in the order of the file.
template <class T>
using Named = std::vector<std::pair<std::string, T>>;

/// One region of a body: a box, rings of neighbours around a vertex, or faces.
struct Region {
    std::optional<Vec3> low, high, around;
    std::optional<std::int32_t> vertex;
    std::int32_t rings = 0;
    std::vector<std::int32_t> faces;
    std::vector<Vec3> faces_at;
};

template <class V>
void describe(V&& visit, Region& r)
{
    visit(Field{"low", "m", -1e9, 1e9, "box: smallest x, y, z of the selected vertices"}, r.low);
    visit(Field{"high", "m", -1e9, 1e9, "box: largest x, y, z of the selected vertices"}, r.high);
    visit(Field{"around", "m", -1e9, 1e9, "rings: a point; the vertex nearest to it is the middle"}, r.around);
    visit(Field{"vertex", "1", 0, 2e9, "rings: the middle by its index"}, r.vertex);
    visit(Field{"rings", "1", 0, 1e6, "rings: how many rings of neighbours around the middle"}, r.rings);
    visit(Field{"faces", "1", 0, 2e9, "faces by index: polygons of a simplex mesh, else triangles"}, r.faces);
    visit(Field{"faces_at", "m", -1e9, 1e9, "points; the face whose middle is nearest to each"}, r.faces_at);
}

/// Some vertices of a body. In a scene: a group's name, "all", a list of indices, a region, or a list of regions.
struct Select {
    std::string group;
    std::vector<std::int32_t> vertices;
    std::vector<Region> regions;
};

struct PinScene {
    std::string name;
    Select select;
    std::string axes = "xyz";
    PathScene path;
    PinLive live;
};

template <class V>
void describe(V&& visit, PinScene& p)
{
    visit(Field{"name", "", 0, 0, "names the measures NAME.reaction.x|y|z; the group's name by default"}, p.name);
    visit(Field{"select", "", 0, 0,
                "the vertices: a group, \"all\", indices, a region (box, rings, faces) or a list of regions",
                Change::fixed, Need::required},
          p.select);
    visit(Field{"axes", "", 0, 0, "the coordinates that are held: some of x, y, z"}, p.axes);
    describe(visit, p.live);
    describe(visit, p.path);
}

struct LoadScene {
    std::string name;
    Select select;
    std::string formula;
    LoadLive live;
};

template <class V>
void describe(V&& visit, LoadScene& l)
{
    visit(Field{"name", "", 0, 0, "by which inputs address the load; the group's name by default"}, l.name);
    visit(Field{"select", "", 0, 0,
                "the vertices: a group, \"all\", indices, a region (box, rings, faces) or a list of regions",
                Change::fixed, Need::required},
          l.select);
    visit(
        Field{"formula", "", 0, 0,
              "a force in all [N] as a vector over time t and points, such as \"[0, -2*sin(3*t), 0]\", added to force"},
        l.formula);
    describe(visit, l.live);
}

enum class SolidLaw : std::int32_t {
    stable_neo_hookean,
    neo_hookean,
    st_venant_kirchhoff,
    corotated,
    linear,
    mooney_rivlin,
    thesis,
    isochoric_thesis,
    fibre_reinforced
};
constexpr std::array<std::string_view, 9> enum_names(SolidLaw)
{
    return {"stable_neo_hookean", "neo_hookean", "st_venant_kirchhoff", "corotated",       "linear",
            "mooney_rivlin",      "thesis",      "isochoric_thesis",    "fibre_reinforced"};
}

/// What a body is made of. A preset fills what the scene leaves out.
struct Material {
    std::string preset;
    double young = 0, thickness = 0, density = 0, damping_time = 0;
    std::optional<double> poisson;
    double bulk = 0, shear = 0, bulk_viscosity = 0, shear_viscosity = 0;
    SolidLaw law = SolidLaw::stable_neo_hookean;
    Vec3 fibre{};
    double fibre_stiffness = 0;
    bool pull_only = true;
    std::optional<SolidPlasticity> plastic;
};

template <class V>
void describe(V&& visit, Material& m)
{
    visit(Field{"preset", "", 0, 0, "a named material; other keys override it"}, m.preset);
    visit(Field{"young", "Pa", 0, 1e13, "Young's modulus", Change::live}, m.young);
    visit(Field{"thickness", "m", 0, 1e3, "of a sheet"}, m.thickness);
    visit(Field{"density", "kg/m3", 0, 1e6, "mass per volume"}, m.density);
    visit(Field{"damping_time", "s", 0, 1e3, "viscous over elastic stress: larger settles sooner", Change::live},
          m.damping_time);
    visit(Field{"law", "", 0, 0, "solid: how stress follows from strain; all have the same moduli at small strains"},
          m.law);
    visit(Field{"poisson", "1", -0.99, 0.4999,
                "solid: Poisson's ratio, sideways over lengthwise strain; the preset's, or 0.3, where it is left out",
                Change::live},
          m.poisson);
    visit(Field{"bulk", "Pa", 0, 1e13, "solid: bulk modulus, with shear instead of young and poisson"}, m.bulk);
    visit(Field{"shear", "Pa", 0, 1e13, "solid: shear modulus"}, m.shear);
    visit(Field{"bulk_viscosity", "Pa s", 0, 1e12, "solid: resists changes of volume", Change::live}, m.bulk_viscosity);
    visit(Field{"shear_viscosity", "Pa s", 0, 1e12, "solid: resists changes of shape", Change::live},
          m.shear_viscosity);
    visit(Field{"fibre", "1", -1e9, 1e9, "law fibre_reinforced: direction of the fibres at the start, of any length"},
          m.fibre);
    visit(Field{"fibre_stiffness", "Pa", 0, 1e13, "the same: Young's modulus that the fibres add along themselves",
                Change::live},
          m.fibre_stiffness);
    visit(Field{"pull_only", "", 0, 1, "the same: shortened fibres buckle and carry nothing", Change::live},
          m.pull_only);
    visit(Field{"plastic", "", 0, 0, "law stable_neo_hookean: yields, and keeps a part of its deformation"}, m.plastic);
}

/// Another material in a part of a solid. What it leaves out is the body's.
struct MaterialRegion {
    Select select;
    std::optional<std::int32_t> number;
    Material material;
};

template <class V>
void describe(V&& visit, MaterialRegion& r)
{
    visit(Field{"select", "", 0, 0, "the vertices; tetrahedra with all corners among them are of this material"},
          r.select);
    visit(Field{"number", "1", -2147483648.0, 2147483647, "instead of select: number of a region of the mesh file"},
          r.number);
    visit(
        Field{"material", "", 0, 0, "what that part is made of; its law is the body's", Change::fixed, Need::required},
        r.material);
}

enum class MassKind : std::int32_t { lumped, consistent };
constexpr std::array<std::string_view, 2> enum_names(MassKind)
{
    return {"lumped", "consistent"};
}

enum class LimitRule : std::int32_t { stiffen, thesis_hold };
constexpr std::array<std::string_view, 2> enum_names(LimitRule)
{
    return {"stiffen", "thesis_hold"};
}

/// A band of lengths that springs should not leave.
struct SpringLimitScene {
    double low = 0.3, high = 1.7;
    LimitRule rule = LimitRule::stiffen;
    double k_limit = 0, k_d = 0;
};

template <class V>
void describe(V&& visit, SpringLimitScene& l)
{
    visit(Field{"low", "1", 0, 1, "shortest length as a share of the rest length; seed 004: 0.3, in its prose 0.2"},
          l.low);
    visit(Field{"high", "1", 1, 1e6, "longest length; seed 004: 1.7, in its prose 2"}, l.high);
    visit(Field{"rule", "", 0, 0,
                "stiffen: a second spring of k_limit acts outside the band; thesis_hold: vertices that would leave it "
                "stay for the step, seed 004's procedure 3"},
          l.rule);
    visit(
        Field{"k_limit", "N/m", 0, 1e12, "stiffen: stiffness outside the band; 0 takes twenty times k_s", Change::live},
        l.k_limit);
    visit(Field{"k_d", "N s/m", 0, 1e12, "stiffen: damping outside the band", Change::live}, l.k_d);
}

/// Raw spring constants, as in the theses.
struct SpringsScene {
    double k_s = 0, k_d = 0, rest_length = 0, rest_scale = 1;
    std::optional<SpringLimitScene> limits;
    std::optional<Plasticity> plastic;
};

template <class V>
void describe(V&& visit, SpringsScene& s)
{
    visit(Field{"k_s", "N/m", 0, 1e12, "stiffness of every spring", Change::live}, s.k_s);
    visit(Field{"k_d", "N s/m", 0, 1e12, "damping along every spring", Change::live}, s.k_d);
    visit(Field{"rest_length", "m", 0, 1e9, "of every spring; 0 takes the length at the start"}, s.rest_length);
    visit(Field{"rest_scale", "1", 1e-6, 1e6, "factor on rest lengths: below 1 the body starts stretched"},
          s.rest_scale);
    visit(Field{"limits", "", 0, 0, "a band of lengths that springs should not leave"}, s.limits);
    visit(Field{"plastic", "", 0, 0, "yield and creep: springs that keep a part of their stretch"}, s.plastic);
}

/// Springs from every vertex to the body's centre.
struct RadialScene {
    Radial live;
    CenterKind center = CenterKind::centroid;
    double center_mass = 0;
};

template <class V>
void describe(V&& visit, RadialScene& r)
{
    describe(visit, r.live);
    visit(Field{"center", "", 0, 0,
                "fixed where it is at the start; centroid: the centre of mass, reactions shared by all vertices; free: "
                "a vertex of its own, the body's last; thesis_centroid: the centre of mass with reactions lost"},
          r.center);
    visit(Field{"center_mass", "kg", 0, 1e12, "of a free centre; 0 takes a tenth of the body's mass"}, r.center_mass);
}

/// How a simplex mesh keeps its shape without an interior.
struct ShapeScene {
    double k_shape = 0, k_d = 0;
};

template <class V>
void describe(V&& visit, ShapeScene& s)
{
    visit(Field{"k_shape", "N/m", 0, 1e12, "pull of each vertex to where its neighbours want it", Change::live},
          s.k_shape);
    visit(Field{"k_d", "N s/m", 0, 1e12, "damping of that motion", Change::live}, s.k_d);
}

/// A shape that a body is driven to by constant forces.
struct GoalScene {
    MeshSource mesh;
    double stiffness = 0, neighbour_share = 0.2;
    GoalLive live;
};

template <class V>
void describe(V&& visit, GoalScene& g)
{
    visit(Field{"mesh", "", 0, 0,
                "the goal's surface; constant forces along the rays send vertices to where their normals meet it",
                Change::fixed, Need::required},
          g.mesh);
    visit(Field{"stiffness", "N/m", 0, 1e12, "force per way to the goal; 0 takes springs.k_s"}, g.stiffness);
    visit(Field{"neighbour_share", "1", 0, 100, "addition for what neighbours hold back; seed 004: 0.2"},
          g.neighbour_share);
    describe(visit, g.live);
}

struct GasScene {
    Gas gas;
    std::vector<std::string> bounded_by;
};

template <class V>
void describe(V&& visit, GasScene& g)
{
    describe(visit, g.gas);
    visit(Field{"bounded_by", "", 0, 0,
                "bodies and colliders whose faces close the cavity, this body alone by default; -NAME for one inside "
                "the gas"},
          g.bounded_by);
}

enum class SceneBodyKind : std::int32_t { springs, rigid, simplex, solid, cloth };
constexpr std::array<std::string_view, 5> enum_names(SceneBodyKind)
{
    return {"springs", "rigid", "simplex", "solid", "cloth"};
}

enum class TetElements : std::int32_t { quadratic, linear };
constexpr std::array<std::string_view, 2> enum_names(TetElements)
{
    return {"quadratic", "linear"};
}

/// Two rows of vertices that are sewn together.
struct SeamScene {
    Select from, to;
    double stiffness = 0, damping = 0;
};

template <class V>
void describe(V&& visit, SeamScene& s)
{
    visit(Field{"from", "", 0, 0, "vertices of one edge; each is sewn to the nearest vertex of the other",
                Change::fixed, Need::required},
          s.from);
    visit(Field{"to", "", 0, 0, "vertices of the other edge", Change::fixed, Need::required}, s.to);
    visit(Field{"stiffness", "N/m", 0, 1e12,
                "of the threads, which want no length; 0 takes the larger of stretch_u and stretch_v"},
          s.stiffness);
    visit(Field{"damping", "N s/m", 0, 1e9, "along the threads"}, s.damping);
}

/// Something that moves by forces.
struct BodyScene {
    SceneBodyKind kind = SceneBodyKind::springs;
    MeshSource mesh;
    Material material;
    std::vector<MaterialRegion> materials;
    std::optional<MeshSource> rest_mesh;
    MassKind mass_kind = MassKind::lumped;
    TetElements elements = TetElements::quadratic;
    SpringsScene springs;
    ClothScene cloth;
    std::vector<SeamScene> seams;
    double mass = 0;
    std::string mass_of = "all";
    std::optional<GasScene> gas;
    std::optional<RadialScene> radial;
    std::optional<ShapeScene> shape;
    std::optional<GoalScene> goal;
    std::vector<PinScene> pins;
    std::vector<LoadScene> loads;
    double density = 0;
    RigidShapeScene rigid;
    std::vector<RigidPartScene> parts;
    Vec3 position{}, rotate_axis{0, 1, 0}, velocity{}, angular_velocity{};
    double rotate_degrees = 0;
    PathScene path;
    BodyLive live;
};

template <class V>
void describe(V&& visit, BodyScene& b)
{
    visit(
        Field{
            "kind", "", 0, 0,
            "springs: masses on springs; simplex: the same on a mesh of three neighbours each; rigid: a shape, mesh or "
            "compound that keeps its shape; solid: elastic tetrahedra; cloth: a sheet of triangles that stretches and "
            "bends",
            Change::fixed, Need::required},
        b.kind);
    visit(Field{"mesh", "", 0, 0,
                "the body's mesh; springs sit on its lines, or on its edges when it has none; of a rigid body it is "
                "closed"},
          b.mesh);
    visit(Field{"material", "", 0, 0, "what a sheet of springs or a solid is made of"}, b.material);
    visit(Field{"elements", "", 0, 0,
                "solid: quadratic has a node amid every edge, bends as it should; linear is fast and too stiff"},
          b.elements);
    visit(Field{"materials", "", 0, 0, "solid: other materials in parts of it; the last that names a part counts"},
          b.materials);
    visit(Field{"rest_mesh", "", 0, 0,
                "solid: the same tetrahedra in the shapes they would take if let go: the body starts under stress"},
          b.rest_mesh);
    visit(Field{"mass_kind", "", 0, 0,
                "solid: lumped masses sit at the nodes; consistent ones move with the inside of the tetrahedra"},
          b.mass_kind);
    visit(Field{"springs", "", 0, 0, "springs: raw constants as in the theses, added to the material's"}, b.springs);
    visit(Field{"cloth", "", 0, 0, "cloth: its fabric, and what carries stretching and bending"}, b.cloth);
    visit(Field{"seams", "", 0, 0, "cloth: edges that are sewn together"}, b.seams);
    visit(Field{"mass", "kg", 0, 1e12, "whole mass, shared equally by the vertices of mass_of; 0 takes the density"},
          b.mass);
    visit(Field{"mass_of", "", 0, 0, "group of vertices that share the mass"}, b.mass_of);
    visit(Field{"gas", "", 0, 0, "springs, cloth: gas enclosed by the body's faces"}, b.gas);
    visit(Field{"radial", "", 0, 0, "springs, simplex: springs from every vertex to the centre"}, b.radial);
    visit(Field{"shape", "", 0, 0, "simplex: keeps angles and proportions, seed 004's references"}, b.shape);
    visit(Field{"goal", "", 0, 0, "springs, simplex: a shape that forces drive the body to"}, b.goal);
    visit(Field{"pins", "", 0, 0, "vertices whose coordinates are held; not of rigid bodies"}, b.pins);
    visit(Field{"loads", "", 0, 0, "forces on vertices and regions; on a rigid body at its centre, with select all"},
          b.loads);
    visit(Field{"density", "kg/m3", 0, 1e9, "rigid: mass per volume, instead of mass"}, b.density);
    describe(visit, b.rigid);
    visit(Field{"parts", "", 0, 0, "rigid: several shapes that are one body"}, b.parts);
    visit(Field{"position", "m", -1e9, 1e9, "rigid: centre of a shape, or shift of a mesh; others: shift of the mesh"},
          b.position);
    visit(Field{"rotate_axis", "1", -1, 1, "rigid: axis of rotation, before it is shifted"}, b.rotate_axis);
    visit(Field{"rotate_degrees", "deg", -3600, 3600, "rigid: angle of rotation"}, b.rotate_degrees);
    visit(Field{"velocity", "m/s", -1e9, 1e9, "velocity at the start"}, b.velocity);
    visit(Field{"angular_velocity", "rad/s", -1e9, 1e9, "rotation at the start, about the centre of mass"},
          b.angular_velocity);
    describe(visit, b.live);
    describe(visit, b.path);
}

}  // namespace pliant
