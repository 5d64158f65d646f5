// SPDX-License-Identifier: MIT
#pragma once

// The closed list of time integrators behind one call.
//
// advance() proposes the state at from.time + h in `to` and never touches `from`. Held coordinates
// keep their velocity in every stage; frames stay rigid; the power lost in dampers is integrated with
// the same quadrature as the motion and booked in the ledger.

#include <pliant/model/model.h>
#include <pliant/model/report.h>
#include <pliant/model/scratch.h>

namespace pliant {

Attempt advance(State& to, const Model&, const State& from, double h, Scratch&);

/// Gives scratch the sizes of the model; afterwards no step allocates.
void size_scratch(Scratch&, const Model&, const State&);

}  // namespace pliant
