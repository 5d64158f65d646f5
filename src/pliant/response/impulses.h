// SPDX-License-Identifier: MIT
#pragma once

// Contact response `impulses` between solids: impulses with restitution and Coulomb friction, and positions that keep
// a small gap, so that no vertex ends a step inside another body.
//
// It corrects a proposal. Contacts are what crosses on the straight way from the start of the step to its end, and
// what is nearer than contact.thickness at the end; shapes are met as in response `projection`. Each is a linear
// condition on positions and velocities, solved for all together by Gauss-Seidel with accumulated impulses that never
// pull; then the way is searched again, until nothing crosses. What cannot be resolved asks for half the step; below a
// floor the vertices that still cross move as one lump for that step, which conserves momentum, and are counted.
//
// A contact that goes on is a Touch: the force it gave in the last step acts in the next one from the start,
// inside the integrator, and the correction only gives or takes the difference. So the weight of a resting
// body is carried through all of it at once, however long the step, instead of being fed to it one layer of vertices
// a step; an implicit solver lets it rest.
//
// References: seeds/002 E-96..E-99, W-20, W-22, W-27; R. Bridson, R. Fedkiw, J. Anderson (2002), for corrections after
// any integrator and for lumps as the last resort; M. Otaduy, R. Tamstorf, D. Steinemann, M. Gross, Implicit contact
// handling for deformable objects, Comput. Graph. Forum 28 (2009) 559-568, for repeated linear conditions.

#include <pliant/model/model.h>
#include <pliant/model/report.h>
#include <pliant/model/scratch.h>
#include <pliant/model/state.h>

namespace pliant {

/// Whether solids may meet in this state.
bool solids_meet(const Model& model, const State& from);

/// [m] contact.thickness, or what stands for it.
double contact_thickness(const Model& model, const State& from);

/// [1] A force F moves a mass m by this times F h^2 / m within a step.
double way_of_force(SolverKind kind);

/// [s] Longest step while solids touch: impulses act on single vertices, so the fastest of these must not go through
/// more than about half an oscillation in a step, or an implicit solver spreads them too far. Infinite when nothing
/// touches.
double longest_touching_step(const Model& model, const State& from);

/// Writes to scratch.contact_force what the touches of `from` are expected to give; the integrator adds it.
void expect_touches(Scratch& scratch, const Model& model, const State& from);

/// Corrects the proposal `to`; writes the number of contacts, also of shapes. Not accepted, with a shorter step to
/// try, when some elements still cross.
Attempt correct_by_impulses(State& to, const Model& model, const State& from, double h, Scratch& scratch,
                            int& contacts);

}  // namespace pliant
