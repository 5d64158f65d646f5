// SPDX-License-Identifier: MIT
#pragma once

// What a step does to a proposal once the integrator is done: lengths that are held, rest shapes that give way, and the books of
// energy that outside forces and flow change. Symbols: `from` the state that the step began at, h its length [s].

#include <pliant/model/model.h>
#include <pliant/model/scratch.h>

namespace pliant {

/// Seed 004's procedure 3: the ends of a spring that would leave its band stay where they were.
void hold_lengths(State& to, const Model& model, const State& from, Scratch& scratch);

/// [J] Work of the hands that carry pins and held bodies over a step, against all forces but those of contacts, and against
/// inertia. The mean of the forces at both ends is right to second order, and what a slow pull stores. Backward Euler itself
/// lets the forces at the end act all along: where energies are convex, it never gains more than by_end_forces.
struct CarryingWork {
    double by_mean_forces = 0, by_end_forces = 0;
};
CarryingWork carrying_work(const State& to, const Model& model, const State& from, double h, Scratch& scratch);

/// Books that work by mean forces, before anything else of the step is booked.
CarryingWork book_carrying_work(State& to, const Model& model, const State& from, double h, Scratch& scratch);

/// Gives what follows a path the velocity with which it goes on behind a keyframe, where the state has just arrived.
void turn_at_keyframe(State& state, const Model& model);

/// Books the work of loads over the step, and of gas let in or out during it.
void book_external_work(State& to, const Model& model, const State& from, double h);

/// Books what gravity and loads gave and a static body did not store.
void close_static_account(State& to, const Model& model, const State& from);

/// Rest shapes of plastic elements give way; the elastic energy they lose is dissipated.
void give_way(State& to, const Model& model, double h);

/// How far the step was from rest, into State::history.
void measure_rest(State& to, const Model& model, const State& from, double h);

}  // namespace pliant
