// SPDX-License-Identifier: MIT

// pliant info SCENE: what the scene has, and every parameter that an input can change.

#include <fmt/format.h>

#include <pliant/base/text.h>
#include <pliant/world/build.h>
#include <pliant/world/inputs.h>

#include "info.h"
#include "output.h"
#include "verbs.h"

namespace pliant::cli {

namespace {

template <class T>
std::string value_text(const T& value)
{
    if constexpr (NamedEnum<T>)
        return std::string(name_of(value));
    else if constexpr (std::is_same_v<T, bool>)
        return value ? "true" : "false";
    else if constexpr (std::is_same_v<T, Vec3>)
        return fmt::format("[{}, {}, {}]", shortest(value.x), shortest(value.y), shortest(value.z));
    else if constexpr (std::is_same_v<T, AutoCount>)
        return value.is_auto() ? "auto" : std::to_string(value.value);
    else
        return shortest(value);
}

std::string live_text(const World& world)
{
    Table table("llll");
    table.add({"path", "now", "unit", "what it is"});
    for (const LivePath& live : world.model->live_paths)
        visit_live(world.state, live.target, [&](const auto& parameters) {
            auto copy = parameters;
            describe(
                [&](const Field& field, auto& member) {
                    if constexpr (LiveMember<std::remove_reference_t<decltype(member)>>)
                        if (live.target.member == field.name)
                            table.add({live.path, value_text(member), field.unit, field.sentence});
                },
                copy);
        });
    return table.text();
}

void print_scene(const Scene& scene)
{
    fmt::print("{}\n", scene.description.empty() ? "(no description)" : scene.description);
    fmt::print("duration  {:g} s, {:g} frames per second\n", scene.world.duration, scene.world.frame_rate);
    fmt::print("solver    {}, step {:g} s, substeps {}\n", name_of(scene.solver.kind), scene.solver.step,
               value_text(scene.solver.substeps));
    for (const InputScene& input : scene.inputs)
        for (const InputValue& value : input.set)
            fmt::print("input     at {:g} s: {} = {}\n", input.time, value.path, value.text);
    for (const auto& [name, bounds] : scene.expect)
        fmt::print("expects   {} in {:g} to {:g}\n", name, bounds.low, bounds.high);
}

int print_problems(const std::string& path, const std::vector<Problem>& problems)
{
    fmt::print("\n{} problem{}\n", problems.size(), problems.size() == 1 ? "" : "s");
    for (const Problem& problem : problems) fmt::print("  {}\n", to_string(problem));
    say(fmt::format("pliant: {} has problems and cannot run; next: correct them, then pliant check {}", path, path));
    return kBadInput;
}

}  // namespace

int info_scene(const std::string& path, bool quiet)
{
    const SceneRead read = read_scene(path);
    print_scene(read.scene);
    if (!read.problems.empty()) return print_problems(path, read.problems);
    const Build built = try_build(read.scene);
    if (!built.problems.empty()) return print_problems(path, built.problems);
    fmt::print("\n{}", bodies_text(built.world.model->topology));
    fmt::print("\nlive parameters: what inputs can change during the run\n{}", live_text(built.world));
    for (const std::string& note : built.notes) fmt::print("note: {}\n", note);
    if (!quiet) say(fmt::format("next: pliant run {}", path));
    return kOk;
}

}  // namespace pliant::cli
