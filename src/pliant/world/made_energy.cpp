// SPDX-License-Identifier: MIT
#include <pliant/world/made_energy.h>

#include <algorithm>
#include <cmath>

namespace pliant {

double unexplained_energy(const Energies& energies, const Ledger& ledger)
{
    return energies.total() - ledger.external - ledger.switched;
}

MadeEnergy made_energy(const State& to, const Model& model, const State& from, const CarryingWork& hands)
{
    // Against what moves and what contacts store: rounding and what trembles at rest, and what a shorter step may cure.
    constexpr double kNoise = 1e-6, kMuch = 0.05;
    const Energies at_start = energies(model, from), at_end = energies(model, to);
    const double before = unexplained_energy(at_start, from.ledger), after = unexplained_energy(at_end, to.ledger);
    // Wind and whatever else drags along gives what dampers then seem to have taken.
    const double dragged = std::max(0.0, from.ledger.viscous - to.ledger.viscous);
    const double made = after - before - std::max(0.0, hands.by_end_forces - hands.by_mean_forces) - dragged;
    const double scale = at_start.kinetic + to.tally.energy;
    return made > kNoise * scale ? MadeEnergy{made, made > kMuch * scale} : MadeEnergy{};
}

void take_back(State& to, const Model& model, double energy, PieceMotions& pieces)
{
    constexpr int kMostPasses = 4;
    if (!(energy > 0)) return;
    pieces.find(to);
    double kinetic = energies(model, to).kinetic, left = energy;
    // One pass is exact where masses are at the nodes; those of consistent mass matrices need another.
    for (int pass = 0; pass < kMostPasses && left > 1e-6 * energy; ++pass) {
        const double inner = pieces.inner_energy(to);
        if (!(inner > 0)) break;
        pieces.slow_down(to, std::sqrt(std::max(0.0, 1 - left / inner)));
        const double now = energies(model, to).kinetic;
        left -= kinetic - now, kinetic = now;
    }
    to.tally.taken += energy - left;
}

}  // namespace pliant
