// SPDX-License-Identifier: MIT
#pragma once

// Contact response `projection`: overlaps are projected out, velocities corrected by impulses with
// restitution and Coulomb friction.
//
// It corrects a proposal (hook `correct`). Impulses act between finite and infinite masses alike, so
// momentum goes where it belongs: held vertices and colliders take it as infinite masses. Contacts are
// visited in order of key, several times, with accumulated impulses that never pull (W13-W16 of seed
// 000 corrected). What the impulses take is booked: the work of an impulse j is j (v_before + v_after)/2
// at the moment it acts, so a resting contact books nothing and an impact books what it loses.

#include <pliant/model/model.h>
#include <pliant/model/scratch.h>
#include <pliant/model/state.h>

namespace pliant {

/// Finds the contacts of the proposal `to` and corrects it; returns how many there were.
int correct_by_projection(State& to, const Model&, const State& from, double h, Scratch&);

/// Relative normal speed after an impact at relative velocity (normal u_n < 0, tangential u_t) between
/// a striking body of inverse mass w_a and a struck one of w_b [1/kg], by the rule and the pair's e.
double separation_speed(RestitutionRule, double e, double u_n, double u_t, double w_a, double w_b);

}  // namespace pliant
