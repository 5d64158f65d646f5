// SPDX-License-Identifier: MIT

// What a solid is made of, tetrahedron by tetrahedron: the body's material, others in parts of it (E-06), rest shapes of
// their own (E-05), and both from the files of seed 002, whose .tp holds them in CGS units.

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>

#include <fmt/format.h>

#include <pliant/energy/elastic_moduli.h>
#include <pliant/io/thesis_files.h>
#include <pliant/scene/presets.h>
#include <pliant/scene/scene_json.h>
#include <pliant/world/builder.h>

namespace pliant {

namespace {

bool is_thesis_file(const std::string& file)
{
    const std::string extension = std::filesystem::path(file).extension().string();
    return extension == ".tp" || extension == ".st";
}

// The materials that tetrahedra are of: number 0 is the body's.
struct Parts {
    std::vector<Material> list;
    std::vector<std::size_t> of_tet;
};

// dyn/cm^2 and poise are a tenth of Pa and Pa s; the thesis' dissipation is twice the usual one (W-09).
Material from_thesis(const ThesisTet& tet, Material material)
{
    constexpr double kTenth = 0.1, kDensity = 1000;
    material.bulk = tet.bulk * kTenth, material.shear = tet.shear * kTenth;
    material.density = tet.density * kDensity;
    material.bulk_viscosity = 2 * tet.volume_damping * kTenth;
    material.shear_viscosity = 2 * tet.shape_damping * kTenth;
    return resolved(material);
}

// One material for every different set of numbers in the file.
Parts parts_of(const ThesisTopology& topology, const Material& whole)
{
    Parts parts;
    std::map<std::array<double, 5>, std::size_t> known;
    for (const ThesisTet& tet : topology.tets) {
        const std::array numbers{tet.density, tet.bulk, tet.shear, tet.volume_damping, tet.shape_damping};
        const auto [place, is_new] = known.emplace(numbers, parts.list.size());
        if (is_new) parts.list.push_back(from_thesis(tet, whole));
        parts.of_tet.push_back(place->second);
    }
    return parts;
}

// The body's material with what a part says of its own; a zero counts if it is written.
Material overridden(const Builder& b, const Material& whole, const Material& part, const std::string& pointer)
{
    Material result = whole;
    const Material own = resolved(part);
    const auto take = [&](double& to, double from, const char* key) {
        if (from != 0 || b.scene.lines.contains(pointer + "/" + key)) to = from;
    };
    take(result.young, own.young, "young"), take(result.density, own.density, "density");
    take(result.bulk_viscosity, own.bulk_viscosity, "bulk_viscosity");
    take(result.shear_viscosity, own.shear_viscosity, "shear_viscosity");
    if (part.poisson || !part.preset.empty() || part.bulk > 0) result.poisson = own.poisson;
    if (norm(own.fibre) > 0) result.fibre = own.fibre;
    return result;
}

std::vector<bool> tets_within(const TetMesh& tets, const std::vector<std::int32_t>& vertices)
{
    std::vector<bool> picked(tets.vertices.size(), false), within;
    for (const std::int32_t v : vertices)
        if (static_cast<std::size_t>(v) < picked.size()) picked[static_cast<std::size_t>(v)] = true;
    for (const Tet& tet : tets.tets)
        within.push_back(
            std::all_of(tet.begin(), tet.end(), [&](std::int32_t v) { return picked[static_cast<std::size_t>(v)]; }));
    return within;
}

std::vector<bool> tets_of_number(Builder& b, const TetMesh& tets, std::int32_t number, const std::string& pointer)
{
    std::vector<bool> within;
    for (std::size_t e = 0; e < tets.tets.size(); ++e)
        within.push_back(!tets.region.empty() && tets.region[e] == number);
    if (std::find(within.begin(), within.end(), true) == within.end())
        b.complain(pointer, fmt::format("the mesh has no region {}", number),
                   tets.region.empty() ? "it has no regions at all: use select instead"
                                       : "pliant info of the mesh lists its regions");
    return within;
}

void add_regions(Builder& b, Parts& parts, const BodyScene& scene, const TetMesh& tets, const Pickable& pickable,
                 const std::string& pointer)
{
    for (std::size_t r = 0; r < scene.materials.size(); ++r) {
        const MaterialRegion& region = scene.materials[r];
        const std::string at = fmt::format("{}/materials/{}", pointer, r);
        const std::vector<bool> within = region.number
                                             ? tets_of_number(b, tets, *region.number, at + "/number")
                                             : tets_within(tets, selected(b, region.select, pickable, at + "/select"));
        if (!b.problems.empty()) return;
        if (std::find(within.begin(), within.end(), true) == within.end())
            b.complain(at + "/select", "no tetrahedron has all four corners selected", "widen the selection");
        parts.list.push_back(overridden(b, parts.list[0], region.material, at + "/material"));
        for (std::size_t e = 0; e < within.size(); ++e)
            if (within[e]) parts.of_tet[e] = parts.list.size() - 1;
    }
}

// Rest matrices from the thesis' file, scaled like its vertices. The reader turns a tetrahedron that is inside out by
// exchanging corners, which a rest matrix cannot follow.
void take_thesis_rest(Builder& b, SolidMaterials& materials, const ThesisTopology& topology, const TetMesh& tets,
                      const MeshSource& source, const std::string& pointer)
{
    for (std::size_t e = 0; e < topology.tets.size(); ++e) {
        if (topology.tets[e].corners != tets.tets[e])
            return b.complain(pointer, fmt::format("tetrahedron {} is inside out in the state", e),
                              "begin with a state in which none is");
        materials.rest[e] = tet_rest(topology.tets[e].rest * source.scale);
    }
}

void check_thesis_moduli(Builder& b, const ThesisTopology& topology, const std::string& pointer)
{
    for (std::size_t e = 0; e < topology.tets.size(); ++e)
        if (!(topology.tets[e].bulk > 0 && topology.tets[e].shear > 0))
            return b.complain(pointer,
                              fmt::format("tetrahedron {} has no stiffness: bulk {}, shear {}", e,
                                          topology.tets[e].bulk, topology.tets[e].shear),
                              "give positive moduli in the .tp file, or a material in the scene");
}

void take_rest_mesh(Builder& b, SolidMaterials& materials, const BodyScene& scene, const std::string& pointer)
{
    const TetMesh rest = make_tets(b, *scene.rest_mesh, pointer);
    if (!b.problems.empty()) return;
    if (rest.tets.size() != materials.rest.size())
        return b.complain(
            pointer, fmt::format("has {} tetrahedra, and the body has {}", rest.tets.size(), materials.rest.size()),
            "give the same mesh in another shape: the same generator or the same file");
    const auto& x = rest.vertices;
    for (std::size_t e = 0; e < rest.tets.size(); ++e) {
        const Tet& t = rest.tets[e];
        materials.rest[e] = tet_rest({x[t[0]], x[t[1]], x[t[2]], x[t[3]]});
    }
}

// Factors of each element over the live numbers of the body.
void set_factors(SolidMaterials& materials, const Parts& parts)
{
    Material& live = materials.live;
    for (const Material& part : parts.list) {
        live.bulk_viscosity = std::max(live.bulk_viscosity, part.bulk_viscosity);
        live.shear_viscosity = std::max(live.shear_viscosity, part.shear_viscosity);
    }
    const auto share = [](double part, double whole) { return whole > 0 ? part / whole : 1.0; };
    for (std::size_t e = 0; e < materials.rest.size(); ++e) {
        const Material& part = parts.list[parts.of_tet[e]];
        TetRest<double>& rest = materials.rest[e];
        rest.bulk = bulk_modulus(part.young, *part.poisson) / bulk_modulus(live.young, *live.poisson);
        rest.shear = shear_modulus(part.young, *part.poisson) / shear_modulus(live.young, *live.poisson);
        rest.bulk_viscosity = share(part.bulk_viscosity, live.bulk_viscosity);
        rest.shear_viscosity = share(part.shear_viscosity, live.shear_viscosity);
        materials.mass.push_back(part.density * rest.volume);
        if (norm(part.fibre) > 0 || !materials.fibre.empty()) {
            materials.fibre.resize(e);
            materials.fibre.push_back(norm(part.fibre) > 0 ? part.fibre / norm(part.fibre) : Vec3{});
        }
    }
}

}  // namespace

SolidMaterials solid_materials(Builder& b, const BodyScene& scene, const TetMesh& tets, const Pickable& pickable,
                               const std::string& pointer)
{
    SolidMaterials materials;
    const auto& x = tets.vertices;
    for (const Tet& t : tets.tets) materials.rest.push_back(tet_rest({x[t[0]], x[t[1]], x[t[2]], x[t[3]]}));
    Parts parts{{resolved(scene.material)}, std::vector<std::size_t>(tets.tets.size(), 0)};
    if (is_thesis_file(scene.mesh.file)) {
        std::filesystem::path file = resolve_path(b.scene, scene.mesh.file);
        const auto topology = load_thesis<ThesisTopology>(file.replace_extension(".tp").string());
        take_thesis_rest(b, materials, topology, tets, scene.mesh, pointer + "/mesh/file");
        if (!(parts.list[0].young > 0)) {
            check_thesis_moduli(b, topology, pointer + "/mesh/file");
            parts = parts_of(topology, scene.material);
        }
    }
    if (scene.rest_mesh) take_rest_mesh(b, materials, scene, pointer + "/rest_mesh");
    if (b.problems.empty()) add_regions(b, parts, scene, tets, pickable, pointer);
    if (!b.problems.empty()) return {};
    materials.live = parts.list[0];
    set_factors(materials, parts);
    if (scene.mass > 0) {
        double whole = 0;
        for (const double m : materials.mass) whole += m;
        // Parts of no density at all share the mass by volume.
        double volume = 0;
        for (const auto& rest : materials.rest) volume += rest.volume;
        for (std::size_t e = 0; e < materials.mass.size(); ++e)
            materials.mass[e] =
                whole > 0 ? materials.mass[e] * scene.mass / whole : materials.rest[e].volume * scene.mass / volume;
    }
    return materials;
}

}  // namespace pliant
