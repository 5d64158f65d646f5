// SPDX-License-Identifier: MIT

// Bodies of masses on springs: vertices, masses, springs, pins, loads.

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include <pliant/mesh/measure.h>
#include <pliant/mesh/simplex_mesh.h>
#include <pliant/mesh/topology.h>
#include <pliant/scene/presets.h>
#include <pliant/world/builder.h>

namespace pliant {

namespace {

constexpr double kSmallestMass = 1e-30;

double twice_area(const TriMesh& mesh, const Triangle& t)
{
    return norm(cross(mesh.vertices[t[1]] - mesh.vertices[t[0]], mesh.vertices[t[2]] - mesh.vertices[t[0]]));
}

// The same of the rest shape in material coordinates.
double twice_uv_area(const TriMesh& mesh, const Triangle& t)
{
    const auto &a = mesh.uv[t[0]], &b = mesh.uv[t[1]], &c = mesh.uv[t[2]];
    return std::abs((b[0] - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (b[1] - a[1]));
}

// Whole mass shared equally by a group, or mass per area lumped at corners.
void add_masses(Builder& b, const Pickable& body, const BodyScene& scene, const std::string& pointer)
{
    const Material material = resolved(scene.material);
    const TriMesh& mesh = body.mesh;
    std::vector<double> mass(mesh.vertices.size(), 0.0);
    if (scene.mass > 0) {
        const auto group = selected(b, {.group = scene.mass_of}, body, pointer + "/mass_of");
        for (const std::int32_t v : group) mass[v] = scene.mass / static_cast<double>(group.size());
    } else {
        const double areal =
            scene.kind == SceneBodyKind::cloth ? cloth_density(scene.cloth) : material.density * material.thickness;
        const bool is_flat = scene.kind == SceneBodyKind::cloth && uses_uv(mesh, scene);
        for (const Triangle& t : mesh.triangles) {
            const double third = areal * (is_flat ? twice_uv_area(mesh, t) : twice_area(mesh, t)) / 6;
            for (const std::int32_t v : t) mass[v] += third;
        }
        const double per_length = material.density * material.thickness * material.thickness;
        if (mesh.triangles.empty())
            for (const Edge& e : mesh.lines)
                for (const std::int32_t v : e)
                    mass[v] += 0.5 * per_length * norm(mesh.vertices[e[0]] - mesh.vertices[e[1]]);
    }
    b.model.mass.insert(b.model.mass.end(), mass.begin(), mass.end());
}

}  // namespace

// A vertex that can move needs a mass.
void check_masses(Builder& b, const Body& body, const std::string& pointer)
{
    std::vector<bool> pinned(body.point_count, false);
    for (const Pin& pin : b.model.pins)
        if (pin.axes == 7)
            for (const std::int32_t node : pin.nodes)
                if (body.owns_point(node)) pinned[node - body.first_point] = true;
    for (std::int32_t v = 0; v < body.point_count; ++v)
        if (!pinned[v] && !(b.model.mass[body.first_point + v] > kSmallestMass)) {
            b.complain(pointer, fmt::format("vertex {} has no mass and is not pinned", v),
                       body.kind == BodyKind::cloth
                           ? "remove it from the mesh: no triangle of any area has it as a corner"
                           : "give 'mass' (and 'mass_of'), or 'material' with density and thickness, or pin it");
            return;
        }
}

void add_pins(Builder& b, const std::string& name, const Pickable& body, const BodyScene& scene,
              const std::string& pointer)
{
    for (std::size_t p = 0; p < scene.pins.size(); ++p) {
        const PinScene& from = scene.pins[p];
        const std::string at = fmt::format("{}/pins/{}", pointer, p);
        Pin pin{.name = from.name, .body = static_cast<std::int32_t>(b.model.bodies.size() - 1), .axes = 0};
        if (pin.name.empty())
            pin.name = name + "." + (from.select.group.empty() ? fmt::format("pin{}", p) : from.select.group);
        for (const Pin& other : b.model.pins)
            if (other.name == pin.name)
                b.complain(at, fmt::format("two pins are called '{}'", pin.name), "give one of them another 'name'");
        for (const char axis : from.axes) pin.axes |= axis == 'x' ? 1 : axis == 'y' ? 2 : axis == 'z' ? 4 : 0;
        pin.nodes = selected(b, from.select, body, at + "/select");
        for (std::int32_t& node : pin.nodes) node += b.model.bodies.back().first_point;
        pin.path = add_path(b, from.path);
        b.model.pins.push_back(std::move(pin));
        b.state.pins.push_back(from.live);
    }
}

// How a pressure on a triangle is shared by its corners: thirds, but a face of a quadratic element carries all on its
// mid-edge nodes (its small triangles together give the consistent load).
std::array<double, 3> pressure_shares(const Triangle& t, std::int32_t corner_count)
{
    std::array<double, 3> shares{1.0 / 3, 1.0 / 3, 1.0 / 3};
    if (corner_count < 0) return shares;
    int middles = 0;
    for (const std::int32_t node : t) middles += node >= corner_count;
    for (int k = 0; k < 3; ++k) shares[k] = t[k] >= corner_count ? 1.0 / middles : 0;
    return shares;
}

void add_loads(Builder& b, const Pickable& body, const BodyScene& scene, const std::string& pointer)
{
    const TriMesh& mesh = body.mesh;
    const std::int32_t first = b.model.bodies.back().first_point;
    for (std::size_t l = 0; l < scene.loads.size(); ++l) {
        const LoadScene& from = scene.loads[l];
        const std::string at = fmt::format("{}/loads/{}", pointer, l);
        Load load{.name = from.name, .body = static_cast<std::int32_t>(b.model.bodies.size() - 1)};
        if (load.name.empty()) load.name = from.select.group.empty() ? fmt::format("load{}", l) : from.select.group;
        load.nodes = selected(b, from.select, body, at + "/select");
        std::vector<bool> in(mesh.vertices.size(), false);
        for (const std::int32_t node : load.nodes) in[node] = true;
        for (const Triangle& t : mesh.triangles)
            if (in[t[0]] && in[t[1]] && in[t[2]]) {
                load.faces.push_back({t[0] + first, t[1] + first, t[2] + first});
                load.shares.push_back(pressure_shares(t, body.corner_count));
            }
        if (from.live.pressure != 0 && load.faces.empty())
            b.complain(at + "/pressure", "no face has all its corners selected",
                       "select more vertices, or use 'force'");
        for (std::int32_t& node : load.nodes) node += first;
        b.model.loads.push_back(std::move(load));
        b.state.loads.push_back(from.live);
    }
}

namespace {

// Cross-section of the strip that each edge stands for: thickness times a share of the areas beside it.
std::map<Edge, double> widths(const TriMesh& mesh)
{
    std::map<Edge, double> width;
    for (const Triangle& t : mesh.triangles) {
        const double area =
            0.5 * norm(cross(mesh.vertices[t[1]] - mesh.vertices[t[0]], mesh.vertices[t[2]] - mesh.vertices[t[0]]));
        for (int k = 0; k < 3; ++k) {
            const std::int32_t i = t[k], j = t[(k + 1) % 3];
            width[{std::min(i, j), std::max(i, j)}] += area / norm(mesh.vertices[i] - mesh.vertices[j]);
        }
    }
    return width;
}

Vec3 mass_centre(const Builder& b, const Body& body)
{
    Vec3 weighted;
    double mass = 0;
    for (std::int32_t i = body.first_point; i < body.first_point + body.point_count; ++i)
        weighted += b.state.x[i] * b.model.mass[i], mass += b.model.mass[i];
    return mass > 0 ? weighted / mass : Vec3{};
}

// The mesh, and what of it can be picked. A simplex body's mesh must be one.
Pickable body_mesh(Builder& b, const BodyScene& scene, const std::string& pointer)
{
    Pickable body{make_mesh(b, scene.mesh, pointer + "/mesh"), {}};
    for (Vec3& x : body.mesh.vertices) x += scene.position;
    if (scene.kind == SceneBodyKind::simplex && b.problems.empty()) {
        try {
            body.faces = faces_of(simplex_mesh_of(body.mesh));
        } catch (const Error& error) {
            for (const Problem& problem : error.problems())
                b.complain(pointer + "/mesh", "is not a simplex mesh: " + problem.message,
                           "use simplex_sphere, simplex_cylinder or simplex_torus, or add \"dual\": true to a closed "
                           "triangle mesh");
        }
        return body;
    }
    return pickable_of(std::move(body.mesh));
}

// Rest length of every spring; complains about the first that has none.
std::vector<double> rest_lengths(Builder& b, const std::vector<Edge>& lines, const TriMesh& mesh,
                                 const SpringsScene& springs, const std::string& pointer)
{
    std::vector<double> lengths;
    for (const Edge& e : lines) {
        const double start = norm(mesh.vertices[e[0]] - mesh.vertices[e[1]]);
        lengths.push_back((springs.rest_length > 0 ? springs.rest_length : start) * springs.rest_scale);
        if (lengths.back() > 0) continue;
        b.complain(pointer + "/mesh", fmt::format("the spring between vertices {} and {} has no length", e[0], e[1]),
                   "weld or move the vertices, or give springs.rest_length");
        return {};
    }
    return lengths;
}

void add_limits(Builder& b, Body& body, const std::vector<Edge>& nodes, const std::vector<double>& lengths,
                const SpringsScene& springs)
{
    const SpringLimitScene& limits = *springs.limits;
    if (limits.rule == LimitRule::thesis_hold) {
        LengthHold hold{.ends = nodes, .shortest = {}, .longest = {}};
        for (const double L : lengths) hold.shortest.push_back(limits.low * L), hold.longest.push_back(limits.high * L);
        b.model.holds.push_back(std::move(hold));
        return;
    }
    constexpr double kStiffer = 20;
    std::vector<SpringLimit::Rest<double>> rest;
    for (const double L : lengths) rest.push_back({L});
    const double k = limits.k_limit > 0 ? limits.k_limit : kStiffer * springs.k_s;
    body.limit_term = add_term(b, make_elements<SpringLimit>(nodes, rest, b.model.free_count),
                               SpringLimit{.k_limit = k, .low = limits.low, .high = limits.high, .k_d = limits.k_d});
}

BodyKind kind_of(SceneBodyKind kind)
{
    return kind == SceneBodyKind::simplex ? BodyKind::simplex
           : kind == SceneBodyKind::cloth ? BodyKind::cloth
                                          : BodyKind::springs;
}

}  // namespace

Pickable pickable_of(TriMesh mesh)
{
    Pickable body{std::move(mesh), {}};
    body.faces.offsets.push_back(0);
    for (const Triangle& t : body.mesh.triangles) {
        body.faces.items.insert(body.faces.items.end(), t.begin(), t.end());
        body.faces.offsets.push_back(static_cast<std::int32_t>(body.faces.items.size()));
    }
    return body;
}

void add_springs_body(Builder& b, const std::string& name, const BodyScene& scene, const std::string& pointer)
{
    Pickable pickable = body_mesh(b, scene, pointer);
    TriMesh& mesh = pickable.mesh;
    Body body{.name = name,
              .kind = kind_of(scene.kind),
              .first_point = static_cast<std::int32_t>(b.state.x.size()),
              .point_count = static_cast<std::int32_t>(mesh.vertices.size())};
    b.state.x.insert(b.state.x.end(), mesh.vertices.begin(), mesh.vertices.end());
    add_masses(b, pickable, scene, pointer);
    body.path = add_path(b, scene.path);
    b.model.bodies.push_back(body);
    b.state.bodies.push_back(scene.live);
    add_pins(b, name, pickable, scene, pointer);
    add_loads(b, pickable, scene, pointer);
    if (b.problems.empty()) check_masses(b, body, pointer);
    if (scene.radial && b.problems.empty()) add_radial(b, *scene.radial, mesh);
    const Vec3 centre = mass_centre(b, b.model.bodies.back());
    for (const Vec3& x : mesh.vertices) b.state.v.push_back(scene.velocity + cross(scene.angular_velocity, x - centre));
    b.meshes.push_back(std::move(mesh));
    b.solids.emplace_back();
    b.pointers.push_back(pointer);
}

void add_springs_terms(Builder& b, std::size_t index, const BodyScene& scene)
{
    Body& body = b.model.bodies[index];
    const TriMesh& mesh = b.meshes[index];
    const Material material = resolved(scene.material);
    const std::vector<Edge> lines = mesh.lines.empty() ? unique_edges(mesh.triangles) : mesh.lines;
    if (lines.empty()) return;
    const std::vector<double> lengths = rest_lengths(b, lines, mesh, scene.springs, b.pointers[index]);
    if (lengths.empty()) return;
    const auto width = material.young > 0 ? widths(mesh) : std::map<Edge, double>{};
    std::vector<Edge> nodes;
    std::vector<Spring::Rest<double>> rest;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        const Edge& e = lines[i];
        const auto at = width.find({std::min(e[0], e[1]), std::max(e[0], e[1])});
        const double strip = at != width.end() ? at->second : material.thickness;
        nodes.push_back({e[0] + body.first_point, e[1] + body.first_point});
        rest.push_back({lengths[i], strip * material.thickness / lengths[i]});
    }
    const Spring spring{.k_s = scene.springs.k_s,
                        .k_d = scene.springs.k_d,
                        .young = material.young,
                        .damping_time = material.damping_time};
    if (const auto& plastic = scene.springs.plastic) {
        const PlasticSpring yielding{spring, *plastic};
        body.term = add_term(b, make_elements<PlasticSpring>(nodes, rest, b.model.free_count), yielding);
    } else {
        body.term = add_term(b, make_elements<Spring>(nodes, rest, b.model.free_count), spring);
    }
    if (scene.springs.limits) add_limits(b, body, nodes, lengths, scene.springs);
}

}  // namespace pliant
