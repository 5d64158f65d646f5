// SPDX-License-Identifier: MIT

// Seed 000's listing of RK4 with its slips W7 and W8, for replays only.

#include <pliant/model/held_motion.h>
#include <pliant/solver/explicit.h>
#include <pliant/solver/stages.h>

namespace pliant {

Attempt advance_thesis_listed_rk4(State& to, const Model& model, const State& from, double h, Scratch& scratch)
{
    constexpr double kWeight[4] = {1, 2, 2, 1};
    double power = 0;
    for (int stage = 0; stage < 4; ++stage) {
        // Stages 1 and 2 both look at the start; 3 and 4 at half steps; held nodes drift (W8).
        const State& at = stage < 2 ? from : to;
        const ForceSum sum = forces(scratch, model, from, at.x, at.v);
        if (sum.bad_cavity >= 0) return inverted(model, sum);
        power += kWeight[stage] * sum.dissipated_power;
        accelerations(scratch, model, from, at.x, at.v, true);
        for_each_node(model, [&](std::size_t i) {
            // The listing adds the half increment to velocities of stages 3 and 4 twice.
            const Vec3 dv = scratch.force[i];
            const Vec3 dx = stage == 0   ? from.v[i]
                            : stage == 1 ? from.v[i] + dv * (h / 2)
                                         : at.v[i] + (at.v[i] - from.v[i]);
            if (stage == 0) scratch.sum_x[i] = {}, scratch.sum_v[i] = {};
            scratch.sum_x[i] += dx * kWeight[stage], scratch.sum_v[i] += dv * kWeight[stage];
            if (stage == 3) {
                const bool held = from.held[i] != 0;
                to.x[i] = held ? from.x[i] : from.x[i] + scratch.sum_x[i] * (h / 6);
                to.v[i] = held ? from.v[i] : from.v[i] + scratch.sum_v[i] * (h / 6);
            } else if (stage > 0) {
                to.x[i] = from.x[i] + dx * (h / 2);
                to.v[i] = from.v[i] + dv * (h / 2);
            }
        });
        if (stage < 3) place_stage(to, model);
    }
    carry_held(to.x, to.v, model, from, h, CarriedKind::all);
    to.ledger.viscous += h / 6 * power;
    finish(to, model, from, h);
    return {};
}

}  // namespace pliant
