// SPDX-License-Identifier: MIT
#pragma once

// Contact response `thesis_springs` of seed 002: where two elements collide, a spring of length zero joins the two
// points that met, until the elements have parted again.
//
// Its anchors are weights of vertices, its force k (b - a) acts in every direction, so bodies stick and cannot slide
// (E-95), and they overlap while it acts (W-20). A vertex with a spring meets no other face (E-93, W-21), an edge only not the
// same edge again. A spring goes when the gap, on the side from which the elements came (W-28), is wider than
// contact.thickness; one whose vertex left over a neighbouring face stays too long (W-19). Unlike in the thesis its
// energy is counted, as elastic, and what appears and vanishes with a spring is booked as switched (W-18).
// A spring begins at the end of the step of its collision. Its stiffness is not in the matrix of implicit
// solvers, which then need short steps: this response is for explicit ones.
// Symbols: a, b anchors [m], k stiffness [N/m]. References: seeds/002 E-90..E-94, sections 3.9 and 4.7.

#include <span>

#include <pliant/model/model.h>
#include <pliant/model/scratch.h>
#include <pliant/model/state.h>

namespace pliant {

/// Adds the springs of `state`, at positions x.
void add_contact_springs(std::span<Vec3> force, const State& state, std::span<const Vec3> x);

/// [J] in the springs of `state`; 0 under other responses.
double contact_spring_energy(const State& state);

/// [1/s^2] Bound of the rate that springs add to a vertex.
double contact_spring_rate(const Model& model, const State& state);

/// Takes away the springs that are done and places new ones where elements collided between `from` and `to`; returns
/// how many there are.
int update_contact_springs(State& to, const Model& model, const State& from, double h, Scratch& scratch);

}  // namespace pliant
