// SPDX-License-Identifier: MIT
#include <pliant/scene/dpo_import.h>

#include <algorithm>
#include <initializer_list>
#include <map>
#include <utility>

#include <fmt/format.h>

namespace pliant {

namespace {

Json object_of(std::initializer_list<std::pair<const char*, Json>> members)
{
    Json json = Json::object();
    for (const auto& [key, value] : members) json.set(key, value);
    return json;
}

Json json_of(const std::string& text)
{
    return Json::of(std::string_view(text));
}

Json json_of(const Vec3& v)
{
    Json json = Json::array();
    for (int k = 0; k < 3; ++k) json.items.push_back(Json::of(v[k]));
    return json;
}

/// The inputs of a scene: what is set at a time stands together, whatever body it is of.
using TimedChanges = std::map<double, Json>;

void change(TimedChanges& changes, double time, const std::string& path, Json value)
{
    changes.try_emplace(time, Json::object()).first->second.members.push_back({path, std::move(value)});
}

/// The velocity that the block gives to the vertex; nothing where it is free.
std::optional<Vec3> velocity_in(const DpoBlock& block, std::int32_t vertex)
{
    const auto found = std::lower_bound(block.vectors.begin(), block.vectors.end(), vertex,
                                        [](const DpoVector& vector, std::int32_t v) { return vector.vertex < v; });
    if (found == block.vectors.end() || found->vertex != vertex) return std::nullopt;
    return found->velocity;
}

/// What holds at the start; a table may begin later.
const DpoBlock* block_at_start(const DpoVelocities& table)
{
    return table.blocks.front().time == 0 ? &table.blocks.front() : nullptr;
}

std::vector<std::int32_t> vertices_of(const DpoVelocities& table)
{
    std::vector<std::int32_t> vertices;
    for (const DpoBlock& block : table.blocks)
        for (const DpoVector& vector : block.vectors) vertices.push_back(vector.vertex);
    std::sort(vertices.begin(), vertices.end());
    vertices.erase(std::unique(vertices.begin(), vertices.end()), vertices.end());
    return vertices;
}

/// One pin as it is at the start; its changes go to the inputs.
Json pin_of(const DpoBody& body, std::int32_t vertex, TimedChanges& changes)
{
    // Measures of pins are named without their body, so the name of the pin must tell it.
    const std::string name = fmt::format("{}_v{}", body.name, vertex);
    const std::string path = fmt::format("bodies.{}.pins.{}", body.name, name);
    Json select = Json::array();
    select.items.push_back(Json::of(vertex));
    Json pin = object_of({{"name", json_of(name)}, {"select", std::move(select)}});
    const DpoBlock* start = block_at_start(body.velocities);
    const std::optional<Vec3> first = start ? velocity_in(*start, vertex) : std::nullopt;
    bool holds = first.has_value();
    Vec3 motion = first.value_or(Vec3{});
    if (!holds) pin.set("enabled", Json::of(false));
    if (motion != Vec3{}) pin.set("motion", json_of(motion));
    for (const DpoBlock& block : body.velocities.blocks) {
        if (&block == start) continue;
        const std::optional<Vec3> velocity = velocity_in(block, vertex);
        if (velocity.has_value() != holds) change(changes, block.time, path + ".enabled", Json::of(!holds));
        holds = velocity.has_value();
        if (!velocity || *velocity == motion) continue;
        change(changes, block.time, path + ".motion", json_of(*velocity));
        motion = *velocity;
    }
    return pin;
}

/// The part of a body that its fabric makes.
Json fabric_of(const DpoParameters& parameters, const DpoImportOptions& options)
{
    if (!options.freecloth)
        return object_of({{"fabric", json_of(options.fabric)}, {"density", Json::of(parameters.density)}});
    // Stretch 100, shear 10, bend 1e-5, each damped by 0.2 s times itself.
    return object_of({{"model", Json::of("baraff_witkin")},
                      {"density", Json::of(parameters.density)},
                      {"stretch", Json::of(100.0)},
                      {"poisson", Json::of(0.0)},
                      {"shear", Json::of(10.0)},
                      {"bend", Json::of(1e-5)},
                      {"damping_time", Json::of(0.2)}});
}

Json cloth_of(const DpoBody& body, const std::string& mesh_file, const DpoImportOptions& options, TimedChanges& changes)
{
    constexpr double kFreeclothDrag = 0.1;  // N s/m3 along normals there, on all motion here
    Json json = object_of(
        {{"kind", Json::of("cloth")}, {"mesh", json_of(mesh_file)}, {"cloth", fabric_of(body.parameters, options)}});
    if (options.freecloth) json.set("damping", Json::of(kFreeclothDrag / body.parameters.density));
    if (body.parameters.thickness > 0) json.set("thickness", Json::of(body.parameters.thickness));
    if (options.friction > 0) json.set("friction", Json::of(options.friction));
    Json pins = Json::array();
    for (const std::int32_t vertex : vertices_of(body.velocities)) pins.items.push_back(pin_of(body, vertex, changes));
    if (!pins.items.empty()) json.set("pins", std::move(pins));
    return json;
}

Json collider_of(const DpoBody& body, const std::string& mesh_file, TimedChanges& changes)
{
    Json json = object_of({{"mesh", json_of(mesh_file)}});
    Vec3 motion{};
    for (const DpoBlock& block : body.velocities.blocks) {
        const Vec3 velocity = block.vectors.empty() ? Vec3{} : block.vectors.front().velocity;
        if (velocity == motion) continue;
        motion = velocity;
        if (block.time == 0)
            json.set("motion", json_of(motion));
        else
            change(changes, block.time, fmt::format("colliders.{}.motion", body.name), json_of(motion));
    }
    return json;
}

void note_losses(const DpoBody& body, std::vector<std::string>& notes)
{
    const DpoParameters& p = body.parameters;
    notes.push_back(fmt::format("{}: its colour {} {} {} is left out, scenes keep none", body.name, p.colour.x,
                                p.colour.y, p.colour.z));
    if (body.kind == DpoKind::cloth && p.thickness == 0)
        notes.push_back(fmt::format("{}: no thickness, contact takes its own", body.name));
    if (body.kind == DpoKind::cloth) return;
    if (p.mass > 0)
        notes.push_back(fmt::format("{}: its mass of {} kg is left out, it moves by its table only, as in dpoSimulator",
                                    body.name, p.mass));
    if (p.thickness > 0)
        notes.push_back(
            fmt::format("{}: its thickness of {} m is left out, the mesh is the skin", body.name, p.thickness));
}

double duration_of(const DpoScene& from, const DpoImportOptions& options)
{
    constexpr double kBeyond = 2, kLeast = 5;  // s
    double last = 0;
    for (const DpoBody& body : from.bodies) last = std::max(last, body.velocities.blocks.back().time);
    return options.duration.value_or(std::max(last + kBeyond, kLeast));
}

Json world_of(const DpoScene& from, double duration)
{
    return object_of({{"gravity", json_of(Vec3{0, 0, 0 - from.world.gravity})},
                      {"up", Json::of("z")},
                      {"duration", Json::of(duration)},
                      {"frame_rate", Json::of(from.world.frame_rate)}});
}

/// Backward Euler as in dpoSimulator, iterated instead of linearised once, so that its step needs no halving.
Json solver_of(const DpoWorld& world)
{
    return object_of({{"kind", Json::of("implicit_euler")},
                      {"step", Json::of(1 / world.frame_rate)},
                      {"substeps", Json::of(1)},
                      {"accuracy", Json::of(0.01)}});
}

Json inputs_of(const TimedChanges& changes)
{
    Json inputs = Json::array();
    for (const auto& [time, set] : changes) inputs.items.push_back(object_of({{"time", Json::of(time)}, {"set", set}}));
    return inputs;
}

void note_choices(const DpoScene& from, const DpoImportOptions& options, std::vector<std::string>& notes)
{
    notes.push_back(options.freecloth
                        ? std::string("cloth has the constants of freecloth; its drag acts on all motion, not only "
                                      "along normals")
                        : fmt::format("cloth has the stiffness of {}, which dpoSimulator's files do not say; --fabric "
                                      "chooses another, --freecloth the constants it began with",
                                      options.fabric));
    if (!options.duration)
        notes.push_back(fmt::format("the run ends after {} s, dpoSimulator had no end; --duration says otherwise",
                                    duration_of(from, options)));
}

}  // namespace

DpoImport import_dpo(const DpoScene& from, const std::string& stem, const DpoImportOptions& options)
{
    DpoImport to;
    to.notes = from.notes;
    TimedChanges changes;
    Json bodies = Json::object(), colliders = Json::object();
    for (const DpoBody& body : from.bodies) {
        const std::string file = fmt::format("{}_{}.obj", stem, body.name);
        to.meshes.push_back({file, &body.mesh});
        if (body.kind == DpoKind::cloth)
            bodies.set(body.name, cloth_of(body, file, options, changes));
        else
            colliders.set(body.name, collider_of(body, file, changes));
        note_losses(body, to.notes);
    }
    note_choices(from, options, to.notes);
    to.scene = object_of({{"description", Json::of("A scene of dpoSimulator (seed 001), imported")},
                          {"world", world_of(from, duration_of(from, options))},
                          {"solver", solver_of(from.world)},
                          {"contact", object_of({{"response", Json::of("bridson")}})},
                          {"bodies", std::move(bodies)}});
    if (!colliders.members.empty()) to.scene.set("colliders", std::move(colliders));
    if (!changes.empty()) to.scene.set("inputs", inputs_of(changes));
    return to;
}

}  // namespace pliant
