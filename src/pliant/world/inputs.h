// SPDX-License-Identifier: MIT
#pragma once

// Inputs: timed changes of live parameters.
//
// Applying one edits State only and books the energy it injects as `switched`. No step straddles the
// time of an input.

#include <string>
#include <variant>

#include <pliant/world/world.h>

namespace pliant {

/// Calls f(struct) with the parameter struct that the target addresses.
template <class StateType, class F>
void visit_live(StateType& state, const LiveTarget& target, F&& f)
{
    switch (target.group) {
    case LiveGroup::world:
        f(state.world);
        break;
    case LiveGroup::solver:
        f(state.solver);
        break;
    case LiveGroup::contact:
        f(state.contact);
        break;
    case LiveGroup::body:
        f(state.bodies[target.index]);
        break;
    case LiveGroup::gas:
        f(state.gas[target.index]);
        break;
    case LiveGroup::pin:
        f(state.pins[target.index]);
        break;
    case LiveGroup::load:
        f(state.loads[target.index]);
        break;
    case LiveGroup::radial:
        f(state.radials[target.index]);
        break;
    case LiveGroup::goal:
        f(state.goals[target.index]);
        break;
    case LiveGroup::constraint:
        f(state.constraints[target.index]);
        break;
    case LiveGroup::event:
        f(state.events[target.index]);
        break;
    case LiveGroup::energy:
        std::visit(f, state.live[target.index]);
        break;
    }
}

/// Index into Model::live_paths, or -1.
std::int32_t find_live_path(const Model&, const std::string& path);

/// Changes one live parameter now.
void apply_input(World&, std::int32_t target, const LiveValue& value);

/// Applies all of the scene's inputs that are due.
void apply_due_inputs(World&);

/// The time of the next input, or infinity.
double next_input_time(const World&);

/// Sets `held` from pins and held bodies; call after either changed.
void update_held(State&, const Model&);

/// Held coordinates stand still, but for those that pins and held bodies carry along.
void stop_held_coordinates(State&, const Model&);

/// The present value of a live parameter.
LiveValue live_value(const State&, const LiveTarget&);

}  // namespace pliant
