// SPDX-License-Identifier: MIT
#include <pliant/world/inputs.h>

#include <algorithm>
#include <limits>
#include <variant>

#include <pliant/model/held_motion.h>
#include <pliant/solver/forces.h>

namespace pliant {

std::int32_t find_live_path(const Model& model, const std::string& path)
{
    const auto at = std::find_if(model.live_paths.begin(), model.live_paths.end(),
                                 [&](const LivePath& candidate) { return candidate.path == path; });
    return at == model.live_paths.end() ? -1 : static_cast<std::int32_t>(at - model.live_paths.begin());
}

void update_held(State& state, const Model& model)
{
    std::fill(state.held.begin(), state.held.end(), std::uint8_t{0});
    for (std::size_t p = 0; p < model.pins.size(); ++p)
        if (state.pins[p].enabled)
            for (const std::int32_t node : model.pins[p].nodes) state.held[node] |= model.pins[p].axes;
    for (const Grip& grip : state.grips)
        if (grip.is_held != 0) state.held[grip.point] = 7;
    for (std::size_t b = 0; b < model.bodies.size(); ++b) {
        const Body& body = model.bodies[b];
        if (!state.bodies[b].held && body.kind != BodyKind::collider) continue;
        const std::int32_t first = body.is_rigid() ? model.frame_node(body.frame) : body.first_point;
        const std::int32_t count = body.is_rigid() ? 4 : body.point_count;
        std::fill_n(state.held.begin() + first, count, std::uint8_t{7});
        if (body.is_rigid()) state.held[first] = static_cast<std::uint8_t>(7 & ~sliding_axes(state.bodies[b]));
    }
}

void stop_held_coordinates(State& state, const Model& model)
{
    for (std::size_t i = 0; i < state.held.size(); ++i) {
        if (state.held[i] & 1) state.v[i].x = 0;
        if (state.held[i] & 2) state.v[i].y = 0;
        if (state.held[i] & 4) state.v[i].z = 0;
    }
    set_carried_velocities(state.v, model, state);
}

void apply_input(World& world, std::int32_t target, const LiveValue& value)
{
    State& state = world.state;
    const LiveTarget& live = world.model->live_paths[target].target;
    const double before = energies(*world.model, state).total();
    visit_live(state, live, [&](auto& parameters) { set_live(parameters, live.member, value); });
    if (live.group == LiveGroup::body || live.group == LiveGroup::pin) {
        update_held(state, *world.model);
        stop_held_coordinates(state, *world.model);
    }
    state.ledger.switched += energies(*world.model, state).total() - before;
    state.history.rates_step = -1;
    state.history.before_h = state.history.matrix_h = 0;
}

void apply_due_inputs(World& world)
{
    auto& next = world.state.history.next_input;
    const auto& inputs = world.model->inputs;
    while (next < static_cast<std::int64_t>(inputs.size()) && inputs[next].time <= world.state.time) {
        apply_input(world, inputs[next].target, inputs[next].value);
        ++next;
    }
}

double next_input_time(const World& world)
{
    const auto& inputs = world.model->inputs;
    const auto next = static_cast<std::size_t>(world.state.history.next_input);
    return next < inputs.size() ? inputs[next].time : std::numeric_limits<double>::infinity();
}

LiveValue live_value(const State& state, const LiveTarget& target)
{
    LiveValue value;
    visit_live(state, target, [&](const auto& parameters) {
        auto copy = parameters;
        describe(
            [&](const Field& field, auto& member) {
                if constexpr (LiveMember<std::remove_reference_t<decltype(member)>>)
                    if (target.member == field.name) value = to_live(member);
            },
            copy);
    });
    return value;
}

}  // namespace pliant
