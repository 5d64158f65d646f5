// SPDX-License-Identifier: MIT

// Cavities: the closed list of faces around a gas, from one body or several.

#include <algorithm>

#include <fmt/format.h>

#include <pliant/mesh/topology.h>
#include <pliant/mesh/weld.h>
#include <pliant/world/builder.h>

namespace pliant {

namespace {

// Faces of the named bodies in global point indices.
std::vector<Triangle> bounding_faces(Builder& b, std::size_t body, const GasScene& scene, const std::string& pointer)
{
    std::vector<std::pair<std::int32_t, bool>> bodies;  // and whether the gas is outside of it
    if (scene.bounded_by.empty()) bodies.emplace_back(static_cast<std::int32_t>(body), false);
    for (const std::string& entry : scene.bounded_by) {
        const bool is_inside = entry.starts_with('-');
        const std::string name = entry.substr(is_inside ? 1 : 0);
        bodies.emplace_back(b.find_body(name), is_inside);
        if (bodies.back().first >= 0) continue;
        std::vector<std::string> names;
        for (const Body& candidate : b.model.bodies) names.push_back(candidate.name);
        b.complain(pointer + "/bounded_by", fmt::format("there is no body or collider '{}'", name),
                   suggestion(name, names));
        return {};
    }
    std::vector<Triangle> faces;
    for (const auto& [i, is_inside] : bodies) {
        const std::int32_t first = b.model.bodies[i].first_point;
        for (const Triangle& t : b.meshes[i].triangles)
            faces.push_back({t[0] + first, t[is_inside ? 2 : 1] + first, t[is_inside ? 1 : 2] + first});
    }
    return faces;
}

// Neighbouring bodies need not share vertices: closedness is judged after welding what coincides.
bool check_closed(Builder& b, std::span<const Triangle> faces, const std::string& pointer)
{
    if (faces.empty()) {
        b.complain(pointer, "a gas needs faces around it, but the mesh has none",
                   "give a closed surface, an icosphere for example");
        return false;
    }
    const WeldMap weld = weld_map(b.state.x, 1e-9 * b.model.size);
    std::vector<Triangle> welded(faces.begin(), faces.end());
    for (Triangle& t : welded)
        for (std::int32_t& v : t) v = weld.new_index[v];
    const ClosednessReport report = closedness(welded, weld.kept);
    if (report.encloses_volume()) return true;
    b.complain(pointer, "a gas needs a closed surface, but this one is not: " + to_text(report),
               "close the holes, or name all bodies around the gas in 'bounded_by'");
    return false;
}

// Pairs of neighbouring triangles that make the quads of a grid, for the thesis' own force.
std::vector<std::array<std::int32_t, 4>> quads_of(std::span<const Triangle> faces, const Builder& b)
{
    std::vector<bool> fixed(b.model.point_count(), false);
    for (const Pin& pin : b.model.pins)
        for (const std::int32_t node : pin.nodes) fixed[node] = true;
    std::vector<std::array<std::int32_t, 4>> quads;
    const auto can_move = [&](const Triangle& t) {
        return std::any_of(t.begin(), t.end(), [&](std::int32_t v) { return !fixed[v]; });
    };
    for (std::size_t f = 0; f + 1 < faces.size(); f += 2) {
        std::vector<std::int32_t> all(faces[f].begin(), faces[f].end());
        for (const std::int32_t v : faces[f + 1])
            if (std::find(all.begin(), all.end(), v) == all.end()) all.push_back(v);
        if (all.size() != 4 || (!can_move(faces[f]) && !can_move(faces[f + 1]))) continue;
        std::sort(all.begin(), all.end());  // particle, right, down, diagonal in row-major numbering
        quads.push_back({all[0], all[1], all[2], all[3]});
    }
    return quads;
}

}  // namespace

void add_gas(Builder& b, std::size_t body, const GasScene& scene, const std::string& pointer)
{
    const std::vector<Triangle> faces = bounding_faces(b, body, scene, pointer);
    if (!b.problems.empty() || !check_closed(b, faces, pointer)) return;
    Cavity cavity{.faces = make_stencils<3>(faces, b.model.point_count())};
    cavity.quads = quads_of(faces, b);
    const double V = volume(cavity, b.state.x);
    if (!(V > 0)) {
        b.complain(pointer, fmt::format("the faces enclose a volume of {:.3g} m3: they look inwards", V),
                   "turn the faces round: pliant mesh convert --flip IN OUT");
        return;
    }
    Gas gas = scene.gas;
    if (gas.reference_volume == 0) gas.reference_volume = V;
    if (gas.k_g == 0) gas.k_g = gas.pressure * V;
    if (gas.law == GasLaw::constant_pressure && gas.pressure == 0) gas.pressure = gas.k_g / V;
    b.model.bodies[body].cavity = static_cast<std::int32_t>(b.model.cavities.size());
    b.model.cavities.push_back(std::move(cavity));
    b.state.gas.push_back(gas);
}

}  // namespace pliant
