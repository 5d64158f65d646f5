// SPDX-License-Identifier: MIT

// Events of a scene: conditions, and constraints that break.

#include <fmt/format.h>

#include <pliant/world/formulas.h>
#include <pliant/world/inputs.h>

namespace pliant {

namespace {

Event make_event(Builder& b, const std::string& name, const EventScene& scene)
{
    const std::string pointer = "/events/" + name;
    PredicateRead read = parse_predicate(scene.when, formula_symbols(b));
    complain(b, pointer + "/when", read.problems);
    return {.name = name,
            .when = std::move(read.predicate),
            .repeats = scene.repeats,
            .changes = make_inputs(b, scene.set, 0, pointer + "/set")};
}

// Gives way for good when it pulls too hard.
Event breaking(const Builder& b, std::int32_t index)
{
    const Constraint& constraint = b.model.constraints[static_cast<std::size_t>(index)];
    Event event{.name = constraint.name + ".breaks", .breaks = index};
    Input let_go{.target = find_live_path(b.model, "constraints." + constraint.name + ".enabled")};
    let_go.value = to_live(false);
    event.changes.push_back(let_go);
    return event;
}

}  // namespace

void add_events(Builder& b)
{
    for (const auto& [name, scene] : b.scene.events) b.model.events.push_back(make_event(b, name, scene));
    for (std::size_t c = 0; c < b.model.constraints.size(); ++c) {
        if (!(b.model.constraints[c].breaks_at > 0)) continue;
        b.model.events.push_back(breaking(b, static_cast<std::int32_t>(c)));
        b.state.events.push_back({});
    }
    b.state.event_count.resize(b.model.events.size());
}

}  // namespace pliant
