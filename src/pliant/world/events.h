// SPDX-License-Identifier: MIT
#pragma once

// Events: conditions that become true within a step, and constraints that break.
//
// The step loop asks where between two states an event lies, shortens the step to end there, and lets it happen. Gaps over
// positions and time are cubics in time from values and rates at both ends (E-71); gaps that name velocities, and
// reactions, go along a straight line (E-70). A root matters if the condition is true just behind it (E-69).
// Symbols: u in [0, 1] place within the step.

#include <optional>

#include <pliant/world/world.h>

namespace pliant {

/// The first event between two states.
struct Happening {
    std::int32_t event = -1;
    double time = 0;  ///< [s]
};

std::optional<Happening> first_event(World&, const State& from, const State& to);

/// Applies the changes of `first` and of whatever else has become true since `before`; returns how many happened.
int let_happen(World&, const State& before, const Happening& first);

}  // namespace pliant
