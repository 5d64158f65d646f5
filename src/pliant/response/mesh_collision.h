// SPDX-License-Identifier: MIT
#pragma once

// Vertices against colliders that are triangle meshes: every free vertex is swept from where the step began to where it
// would end, and put back where it would pass a triangle (particle_response.h). Spheres and boxes do not meet meshes.

#include <pliant/model/model.h>
#include <pliant/model/scratch.h>
#include <pliant/model/state.h>

namespace pliant {

/// Corrects to.x and to.v, books what it takes, counts its checks in to.tally; returns the vertices that met something.
int meet_meshes(State& to, const Model&, const State& from, double h, Scratch&);

}  // namespace pliant
