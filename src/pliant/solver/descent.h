// SPDX-License-Identifier: MIT
#pragma once

// What xpbd and vbd share: both look for the x that implicit_euler's step ends at,
//   argmin 1/2 |x - y|^2_M / h^2 + E(x) + D((x - z)/h),
// without a matrix, by sweeps over elements (xpbd.h) or over vertices (vbd.h).
//
// Outer forces f (gravity, loads, goals, contacts) are those at the start of the step. Drag r of the medium is taken at the end:
// M = m + h r and y = z + (m h v + h^2 f) / M. Held coordinates go where their velocity carries them. Rigid bodies move by
// velocity Verlet's rule beside, as under the implicit rules.
// A gas is one row for all vertices around it: its pressure p is kept as a number, and once a sweep that number and the vertices
// go to where p = p(V) asks for, with the stiffness that each vertex had (a mass over h^2, or its block):
//   dp = (p(V) - p) / (1 + s dV D^-1 dV),  dx = D^-1 dV dp,  s = -dp/dV.
// Put into the blocks of vertices instead, each would believe that it alone changes V, and the sweeps would diverge.

#include <string>

#include <pliant/model/model.h>
#include <pliant/model/report.h>
#include <pliant/model/scratch.h>
#include <pliant/solver/descent_scratch.h>

namespace pliant {

/// Sizes what the two solvers work in.
DescentScratch& descent_memory(Scratch&, const Model&);

/// Where a sweep starts from.
enum class DescentGuess { goal, inertia };

/// y, masses, the first x of a step and which terms act in it; frames are moved to its end.
void begin_descent(State& to, const Model&, const State& from, double h, Scratch&, DescentGuess);

/// Positions of the particles to to.x, for what reads points.
void show_particles(State& to, const Model&, const DescentScratch&);

/// Volume and its gradient at to.x; false when the cavity is not open.
bool measure_gas(double& volume, State& to, const Model&, Scratch&, std::size_t cavity);

/// Velocities, held coordinates, dissipation, clock.
void end_descent(State& to, const Model&, const State& from, double h, Scratch&);

/// What keeps both solvers from this model, as a sentence; empty when nothing does.
std::string descent_obstacle(const Model&);

/// The first body that a term belongs to, for messages; empty when none does.
std::string owner_of_term(const Model&, std::size_t term);

}  // namespace pliant
