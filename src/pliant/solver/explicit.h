// SPDX-License-Identifier: MIT
#pragma once

// Explicit integrators of x' = v, v' = f(x, v)/m: one function a rule.
//
// euler                x += h v; v += h a                              order 1
// semi_implicit_euler  v += h a; x += h v (seed 000's "Euler")         order 1
// finite_differences   the same rule under seed 004's name: its two-level recurrence with a backward
//                      difference for the velocity, started at x(-1) = x(0) - h v(0)
// velocity_verlet      x += h v + h^2/2 a; v += h/2 (a + a_next),
//                      damping at v + h a                              order 2
// central_differences  the same with the medium's drag at the new velocity, which is
//                      (x(t+h) - x(t-h)) / 2h                          order 2
// position_verlet      x += h/2 v; v += h a; x += h/2 v, damping at the middle   order 2
// midpoint, heun       Runge-Kutta of two stages                       order 2
// rk4                  the textbook's four stages                      order 4
// rkf45                Fehlberg's six stages, fourth order carried on, fifth for the error:
//                      steps as long as `tolerance` allows             order 4
// thesis_listed_rk4    seed 000's listing with its slips (W7, W8): order 1, kept for replays only

#include <pliant/model/model.h>
#include <pliant/model/report.h>
#include <pliant/model/scratch.h>

namespace pliant {

Attempt advance_euler(State& to, const Model&, const State& from, double h, Scratch&);
/// Kinetic energy that solver.thesis_damping takes in one step [J].
double thesis_damping_loss(const Model&, const State& from);

Attempt advance_semi_implicit_euler(State& to, const Model&, const State& from, double h, Scratch&);
Attempt advance_velocity_verlet(State& to, const Model&, const State& from, double h, Scratch&);
Attempt advance_central_differences(State& to, const Model&, const State& from, double h, Scratch&);
Attempt advance_position_verlet(State& to, const Model&, const State& from, double h, Scratch&);
Attempt advance_midpoint(State& to, const Model&, const State& from, double h, Scratch&);
Attempt advance_heun(State& to, const Model&, const State& from, double h, Scratch&);
Attempt advance_rkf45(State& to, const Model&, const State& from, double h, Scratch&);
Attempt advance_rk4(State& to, const Model&, const State& from, double h, Scratch&);
Attempt advance_thesis_listed_rk4(State& to, const Model&, const State& from, double h, Scratch&);

}  // namespace pliant
