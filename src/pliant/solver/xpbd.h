// SPDX-License-Identifier: MIT
#pragma once

// XPBD: implicit_euler's step by sweeps over elements.
//
// A step goes to where inertia and outer forces lead, then solver.iterations times over all terms in their order and
// over the elements of each by colour, moving the nodes of every element so that it has the stress its strain asks for
// (energy/project.h). Rows stay coupled, and forces that have turned are put right in later sweeps, so that with many iterations it
// ends at implicit_euler's x, not beside it. The recommended use is the other end: one iteration and many short steps, which costs
// least and errs by little stretch. A gas is a row of its own once a sweep (descent.h).
// Reference: Macklin et al., "Small steps in physics simulation", 2019.

#include <string>

#include <pliant/model/model.h>
#include <pliant/model/report.h>
#include <pliant/model/scratch.h>

namespace pliant {

Attempt advance_xpbd(State& to, const Model&, const State& from, double h, Scratch&);

/// What keeps the solver from this model, as a sentence with a cure; empty when nothing does.
std::string xpbd_obstacle(const Model&);
inline bool can_project(const Model& model)
{
    return xpbd_obstacle(model).empty();
}

}  // namespace pliant
