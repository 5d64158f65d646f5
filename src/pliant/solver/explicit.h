// SPDX-License-Identifier: MIT
#pragma once

// Explicit integrators of x' = v, v' = f(x, v)/m: one function a rule.
//
// euler                x += h v; v += h a                              order 1
// semi_implicit_euler  v += h a; x += h v (seed 000's "Euler")         order 1
// velocity_verlet      x += h v + h^2/2 a; v += h/2 (a + a_next),
//                      damping at v + h a                              order 2
// rk4                  the textbook's four stages                      order 4
// thesis_listed_rk4    seed 000's listing with its slips (W7, W8): order 1, kept for replays only

#include <pliant/model/model.h>
#include <pliant/model/report.h>
#include <pliant/model/scratch.h>

namespace pliant {

Attempt advance_euler(State& to, const Model&, const State& from, double h, Scratch&);
Attempt advance_semi_implicit_euler(State& to, const Model&, const State& from, double h, Scratch&);
Attempt advance_velocity_verlet(State& to, const Model&, const State& from, double h, Scratch&);
Attempt advance_rk4(State& to, const Model&, const State& from, double h, Scratch&);
Attempt advance_thesis_listed_rk4(State& to, const Model&, const State& from, double h, Scratch&);

}  // namespace pliant
