// SPDX-License-Identifier: MIT
#pragma once

// The step: the only function that advances a world.

#include <string>

#include <pliant/model/report.h>
#include <pliant/world/world.h>

namespace pliant {

/// Advances the world by dt [s]. Never throws; on failure the last accepted state stays and the report
/// says what, where and how large.
StepReport step(World&, double dt);

/// Advances the world to a time [s]; step() in terms of an end, which keeps frames free of drift.
StepReport step_to(World&, double end);

/// The issue of a report in words, naming body and vertex; "" when there is none.
std::string explain(const Issue&, const Model&);

}  // namespace pliant
