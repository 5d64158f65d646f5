// SPDX-License-Identifier: MIT
#pragma once

// Vertex block descent: implicit_euler's step by sweeps over vertices.
//
// A step starts from x + h v (a sheet at rest then starts where it ends) and goes solver.iterations times over all
// vertices by colour. Each moves by -H^-1 g, the gradient and 3x3 block of the whole objective at that vertex with all others
// fixed; blocks are positive, so no way leads uphill far. With many sweeps it ends at implicit_euler's x; what is smooth over
// many vertices comes last. A gas is a row of its own once a sweep (descent.h).
// No acceleration: Chebyshev's needs the spectral radius, and a guess of it diverges.
// Reference: Chen et al., "Vertex block descent", 2024.

#include <string>

#include <pliant/model/model.h>
#include <pliant/model/report.h>
#include <pliant/model/scratch.h>

namespace pliant {

Attempt advance_vbd(State& to, const Model&, const State& from, double h, Scratch&);

/// What keeps the solver from this model, as a sentence with a cure; empty when nothing does.
std::string vbd_obstacle(const Model&);
inline bool can_descend(const Model& model)
{
    return vbd_obstacle(model).empty();
}

}  // namespace pliant
