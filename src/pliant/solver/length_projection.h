// SPDX-License-Identifier: MIT
#pragma once

// Seed 003's mass-spring model by constraints: velocities carry the vertices on, then every spring in turn puts its ends at
// its rest length, `solver.iterations` times over.
//
//   x = x + (1 - k) h v + h^2 a,  k = solver.thesis_damping, a of gravity, loads and drag
//   spring: the ends move together by (1 - k_d)(l - L), shared by inverse masses (the thesis: halves); k_d is the damping
//           of that kind of spring, a share here (the thesis takes that of shear for all)
//   v = (x - x_before) / h
// Springs are taken in the order of the scene's terms: shear, stretch, bend as in its listing. Stiffness constants are
// not used: sweeps, mesh and step decide how stiff the sheet is, which is what the experiment is about (xpbd has neither fault).
// Schedules: iterations n, substeps 1 is the thesis' "integrate once, iterate"; iterations 1, substeps n its "subcycles";
// solver.collide_in_iterations meets mesh colliders after every sweep instead of after the last.

#include <string>

#include <pliant/model/model.h>
#include <pliant/model/report.h>
#include <pliant/model/scratch.h>

namespace pliant {

Attempt advance_projection(State& to, const Model&, const State& from, double h, Scratch&);

/// What keeps the solver from this model, as a sentence with a cure; empty when nothing does.
std::string projection_obstacle(const Model&);

}  // namespace pliant
