// SPDX-License-Identifier: MIT
#pragma once

// Velocities at the end of a step whose positions contacts have corrected, by the rules other than `impulses`.
//
//   mean                   v = (x1 - x0)/h
//   implicit               v = (x1 - x0)/h + h/2 a(x1, v), what seed 001's W-02 asks for (Bridson's rule)
//   thesis_implicit        v = v0 + h a(x1, v), seed 001 (2.117): contacts act on it only through positions
//   constant_acceleration  v = 2 (x1 - x0)/h - v0, seed 001 (2.119), unstable
// a is linear in v but for the wind, so the implicit ones are a linear system, solved by conjugate gradients with
// products by differences of forces. Only free vertices change; frames and held coordinates keep what impulses gave.
// Symbols: x0, v0 start of the step, x1 its end, h its length [s], M masses, D damping.

#include <pliant/model/model.h>
#include <pliant/model/report.h>
#include <pliant/model/scratch.h>
#include <pliant/model/state.h>

namespace pliant {

/// Rewrites to.v; not accepted when the linear system was not solved.
Attempt update_contact_velocities(State& to, const Model& model, const State& from, double h, Scratch& scratch);

}  // namespace pliant
