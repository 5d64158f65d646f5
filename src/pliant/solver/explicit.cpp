// SPDX-License-Identifier: MIT
#include <pliant/solver/explicit.h>

#include <pliant/solver/stages.h>

namespace pliant {

Attempt advance_euler(State& to, const Model& model, const State& from, double h, Scratch& scratch)
{
    const ForceSum sum = forces(scratch, model, from, from.x, from.v);
    if (sum.bad_cavity >= 0) return inverted(model, sum);
    accelerations(scratch, model, from, from.x, from.v);
    for_each_node(model, [&](std::size_t i) {
        to.x[i] = from.x[i] + from.v[i] * h;
        to.v[i] = from.v[i] + scratch.force[i] * h;
    });
    to.ledger.viscous += h * sum.dissipated_power;
    to.ledger.external += h * scratch.constraint_power;
    finish(to, model, from, h);
    return {};
}

double thesis_damping_loss(const Model& model, const State& from)
{
    const double kept = 1 - from.solver.thesis_damping;
    double lost = 0;
    for (std::int32_t i = 0; i < model.free_count; ++i)
        lost += 0.5 * model.mass[i] * norm2(masked(from.v[i], from.held[i])) * (1 - kept * kept);
    return lost;
}

Attempt advance_semi_implicit_euler(State& to, const Model& model, const State& from, double h, Scratch& scratch)
{
    const ForceSum sum = forces(scratch, model, from, from.x, from.v);
    if (sum.bad_cavity >= 0) return inverted(model, sum);
    const bool is_lumped = model.mass_matrix.empty() && model.constraints.empty();
    if (is_lumped)
        frame_accelerations(scratch, model, from, from.x, from.v);
    else
        accelerations(scratch, model, from, from.x, from.v);
    const double kept = 1 - from.solver.thesis_damping;
    const auto move = [&](std::size_t i, const Vec3& a) {
        to.v[i] = from.v[i] * kept + a * h;
        to.x[i] = from.x[i] + to.v[i] * h;
    };
    // One pass from forces to positions: for large models the memory is what costs.
    parallel_for(model.free_count, kNodesPerChunk, [&](std::size_t begin, std::size_t end, std::size_t) {
        for (std::size_t i = begin; i < end; ++i) move(i, scratch.force[i] * (is_lumped ? model.inverse_mass[i] : 1));
    });
    for (std::int32_t i = model.free_count; i < model.node_count(); ++i) {
        move(i, scratch.force[i]);
        // What carries a frame knows no damping.
        if (from.held[i] != 0) to.v[i] = from.v[i], to.x[i] = from.x[i] + from.v[i] * h;
    }
    for (const std::int32_t i : scratch.held_nodes) {
        move(i, masked(scratch.force[i] * (is_lumped ? model.inverse_mass[i] : 1), from.held[i]));
        for (int k = 0; k < 3; ++k)
            if (from.held[i] >> k & 1) to.v[i][k] = from.v[i][k], to.x[i][k] = from.x[i][k] + from.v[i][k] * h;
    }
    if (from.solver.thesis_damping > 0) to.ledger.viscous += thesis_damping_loss(model, from);
    to.ledger.viscous += h * sum.dissipated_power;
    to.ledger.external += h * scratch.constraint_power;
    finish(to, model, from, h);
    return {};
}

}  // namespace pliant
