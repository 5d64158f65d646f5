// SPDX-License-Identifier: MIT
#pragma once

// Energy that a step made of nothing, under response barrier, and how it is taken back.
//
// Backward Euler never gains energy where a step is solved to its end and energies are convex. Steps that the budget ends
// leave forces over, and where one pair of surfaces takes over from another its energy jumps; either may give. What they
// gave is taken from the motion of what touches, as far as there is any (piece_motions.h).
// Symbols: `from` the state that the step began at.

#include <pliant/model/model.h>
#include <pliant/model/state.h>
#include <pliant/solver/forces.h>
#include <pliant/world/after_integration.h>
#include <pliant/world/piece_motions.h>

namespace pliant {

/// [J] All energy less what hands, loads and inputs gave.
double unexplained_energy(const Energies& energies, const Ledger& ledger);

struct MadeEnergy {
    double energy = 0;     ///< [J]
    bool is_much = false;  ///< against what moves and what contacts store: a shorter step is better than taking it back
};

/// What of `to` has more unexplained energy than `from`, hands working by whichever of their forces gives more.
MadeEnergy made_energy(const State& to, const Model& model, const State& from, const CarryingWork& hands);

/// Slows `to` down by so much energy [J], and adds it to State::tally.
void take_back(State& to, const Model& model, double energy, PieceMotions& pieces);

}  // namespace pliant
