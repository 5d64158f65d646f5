// SPDX-License-Identifier: MIT
#pragma once

// What a user should know of a run that went well: sentences beside its figures, each with a cure.

#include <string>
#include <vector>

#include <pliant/model/state.h>

namespace pliant {

/// [1] Share of the forces that drive its steps which a run may leave unbalanced, in the mean, without a word.
inline constexpr double kMuchLeft = 0.1;

/// Of steps under response barrier that end before their forces are balanced; `unbalanced` is what they left of their driving
/// forces in the mean over the frames of the run [1].
std::vector<std::string> advice_on(const State& state, double unbalanced);

}  // namespace pliant
