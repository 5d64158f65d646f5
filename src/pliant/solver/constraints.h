// SPDX-License-Identifier: MIT
#pragma once

// Constraints on moving nodes: accelerations and velocities that obey them, and the forces that takes.

#include <span>

#include <pliant/model/model.h>
#include <pliant/model/scratch.h>

namespace pliant {

/// Lists and evaluates the rows that hold, in scratch.constraints.
void gather_constraints(Scratch& scratch, const Model& model, const State& state, std::span<const Vec3> x,
                        std::span<const Vec3> v, double time);

/// Adds to the accelerations in scratch.force what the constraints ask for at time scratch.time; leaves multipliers and
/// power in scratch. A contradiction is noted in scratch.constraint_issue.
void constrain_accelerations(Scratch& scratch, const Model& model, const State& state, std::span<const Vec3> x,
                             std::span<const Vec3> v);

/// Takes what would leave the constraints out of the velocities, by the smallest impulse; returns the kinetic energy
/// lost [J].
double constrain_velocities(State& to, const Model& model, Scratch& scratch);

/// The forces of all constraints that hold at the present state, row by row in scratch.constraints, from all other
/// forces there; without what stabilisation adds to bring a violated one back.
void find_reactions(Scratch& scratch, const Model& model, const State& state);

/// Adds the forces of all constraints after find_reactions, also to held coordinates, which their pins must bear.
void add_constraint_forces(std::span<Vec3> force, const Scratch& scratch, const Model& model, const State& state);

/// The part of constraint c's force on the vertex that it measures, after find_reactions [N].
Vec3 reaction(const Scratch& scratch, const Model& model, std::size_t c);

}  // namespace pliant
