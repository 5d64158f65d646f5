// SPDX-License-Identifier: MIT
#include <pliant/scene/scene_check.h>

// Checks of the whole: world, names, probes, bounds. Bodies, meshes and colliders have files of their own.

#include <array>

#include <pliant/base/json.h>
#include <pliant/scene/checks.h>
#include <pliant/scene/wording.h>

namespace pliant {

namespace {

constexpr std::size_t kMaxProblems = 1000;

void check_world(Checks& checks)
{
    const WorldScene& world = checks.scene.world;
    if (!(world.duration > 0))
        checks.add("/world/duration", "found " + number_text(world.duration) + ", expected a time above 0 s",
                   "such as 5");
    if (world.duration * world.frame_rate > 1e9)
        checks.add("/world/frame_rate",
                   "the run would have " + number_text(world.duration * world.frame_rate) +
                       " frames, at most 1e9 are possible",
                   "lower frame_rate or duration");
}

/// The first words of measures that are not of a body.
bool is_reserved(const std::string& name)
{
    constexpr std::array<std::string_view, 6> words{"energy", "momentum",      "contacts",
                                                    "gap",    "intersections", "penetration"};
    for (const std::string_view word : words)
        if (name == word) return true;
    return false;
}

void check_reserved(Checks& checks, const std::string& name, const std::string& pointer)
{
    if (is_reserved(name))
        checks.add(pointer, "the name '" + name + "' belongs to a measure of the whole world", "choose another name");
}

void check_bodies(Checks& checks)
{
    const Scene& scene = checks.scene;
    if (scene.bodies.empty()) checks.add("/bodies", "there is no body", "add one, or start with: pliant new chain");
    for (const auto& [name, body] : scene.bodies) {
        const std::string pointer = pointer_child("/bodies", name);
        check_reserved(checks, name, pointer);
        check_body(checks, body, pointer);
    }
    for (const auto& [name, collider] : scene.colliders) {
        const std::string pointer = pointer_child("/colliders", name);
        if (checks.has_body(name))
            checks.add(pointer, "there is a body named '" + name + "' too", "give one of them another name");
        check_reserved(checks, name, pointer);
        check_collider(checks, collider, pointer);
    }
}

void check_probes(Checks& checks)
{
    for (const auto& [name, probe] : checks.scene.record.probes) {
        const std::string pointer = pointer_child("/record/probes", name);
        check_reserved(checks, name, pointer);
        if (!checks.has_body(probe.body))
            checks.add(pointer + "/body", "there is no body named '" + probe.body + "'",
                       suggestion(probe.body, checks.body_names()));
    }
}

/// Pins of any body share the measures NAME.reaction.
void check_pin_names(Checks& checks)
{
    std::vector<std::string> seen;
    for (const auto& [name, body] : checks.scene.bodies)
        for (std::size_t i = 0; i < body.pins.size(); ++i) {
            const std::string& pin = body.pins[i].name;
            if (pin.empty()) continue;
            const std::string pointer = pointer_child(pointer_child("/bodies", name) + "/pins", i) + "/name";
            check_reserved(checks, pin, pointer);
            for (const std::string& other : seen)
                if (other == pin)
                    checks.add(pointer, "another pin is named '" + pin + "' too", "give one of them another name");
            if (seen.size() < kMaxProblems) seen.push_back(pin);
        }
}

void check_record(Checks& checks)
{
    const ContactResponse response = checks.scene.contact.response;
    if (checks.scene.record.contacts && response != ContactResponse::bridson)
        checks.add("/record/contacts",
                   "keeps what contact.response bridson does, but the response is " + std::string(name_of(response)),
                   "set contact.response to \"bridson\", or leave contacts out");
}

void check_expect(Checks& checks)
{
    for (const auto& [name, bounds] : checks.scene.expect)
        if (name.empty())
            checks.add("/expect/", "found an empty name, expected a measure's", "such as energy.total or box.volume");
}

}  // namespace

void Checks::add(const std::string& pointer, std::string message, std::string cure)
{
    if (problems.size() < kMaxProblems) problems.push_back(scene.problem(pointer, std::move(message), std::move(cure)));
}

bool Checks::has_body(const std::string& name) const
{
    for (const auto& [known, body] : scene.bodies)
        if (known == name) return true;
    return false;
}

bool Checks::has_collider(const std::string& name) const
{
    for (const auto& [known, collider] : scene.colliders)
        if (known == name) return true;
    return false;
}

std::vector<std::string> Checks::body_names() const
{
    std::vector<std::string> names;
    for (const auto& [name, body] : scene.bodies) names.push_back(name);
    return names;
}

void check_part_name(Checks& checks, const std::string& name, const std::string& pointer)
{
    if (name.find_first_of("./") != std::string::npos)
        checks.add(pointer, "found " + found_text(Json::of(name)) + ", expected a name without '.' and '/'", "use '_'");
}

std::string entries(std::size_t count)
{
    return std::to_string(count) + (count == 1 ? " entry" : " entries");
}

std::vector<Problem> check_scene(const Scene& scene)
{
    Checks checks{scene, {}};
    check_world(checks);
    check_bodies(checks);
    check_pin_names(checks);
    check_probes(checks);
    check_expect(checks);
    check_record(checks);
    return std::move(checks.problems);
}

}  // namespace pliant
