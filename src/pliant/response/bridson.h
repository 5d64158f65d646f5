// SPDX-License-Identifier: MIT
#pragma once

// Contact response `bridson`: the surfaces of all bodies meet, whatever moved them.
//
// It corrects a proposal, in the order of the paper, each stage with its switch in ContactLive:
//   repulsion   pairs nearer than their thickness at the start of the step do not approach, and are pushed apart by a
//               spring, at most a tenth of the overlap a step; never pulled (W-03)
//   collisions  the way to the end is searched for crossings; each becomes a condition that stops the approach; solved
//               together with all others, searched again, up to `rounds` times
//   halvings    what still crosses asks for half the step
//   zones       at the shortest step what still crosses moves as one rigid zone
// Friction is Coulomb's, in positions as in velocities: what the cone can hold does not move at all along the surface. Planes are met by
// vertices, all other shapes by their triangles. What cannot be resolved (a held body pushed through another held one) is
// an issue, never a guess. A corrector gives no guarantee while steps fail; accepted steps have none crossing.
//
// References: seeds/001 chapters 3 and 4, W-01..W-28; R. Bridson, R. Fedkiw, J. Anderson, Robust treatment of collisions,
// contact and friction for cloth animation, ACM Trans. Graph. 21 (2002) 594-603.

#include <pliant/model/model.h>
#include <pliant/model/report.h>
#include <pliant/model/scratch.h>
#include <pliant/model/state.h>

namespace pliant {

/// Whether the response is chosen and there are surfaces for it.
bool surfaces_meet(const Model& model, const State& from);

/// Writes to scratch.contact_force what the contacts that rested in the last step are expected to give again; the
/// integrator adds it, and the correction gives or takes the difference.
void expect_surface_touches(Scratch& scratch, const Model& model, const State& from);

/// What the correction did beside moving things.
struct SurfaceWork {
    int contacts = 0;
    double friction = 0;  ///< [J] taken by friction
    double carried = 0;   ///< [J] done by what is carried whatever it meets
};

/// Corrects the proposal `to`. Not accepted, with a shorter step to try or without, when something still crosses. The
/// proposal as it was is left in scratch.sum_x and scratch.sum_v, as far as nodes go.
Attempt correct_by_bridson(State& to, const Model& model, const State& from, double h, Scratch& scratch,
                           SurfaceWork& work);

}  // namespace pliant
