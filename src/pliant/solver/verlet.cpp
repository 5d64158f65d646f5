// SPDX-License-Identifier: MIT

// The family of Verlet: velocity form, position form, and central differences.

#include <pliant/solver/explicit.h>
#include <pliant/solver/stages.h>

namespace pliant {

namespace {

// Takes the medium's drag at the new velocity instead of the predicted one, as central differences do:
// v (1 + r h/2) = v_verlet + r h/2 v_predicted, node by node, r [1/s] the rate of the drag.
void make_drag_central(State& to, const Model& model, const State& from, double h, const Scratch& scratch)
{
    for (std::size_t b = 0; b < model.bodies.size(); ++b) {
        const BodyDrag drag = body_drag(from, b);
        if (!drag.acts()) continue;
        const NodeRange range = mass_nodes(model, model.bodies[b]);
        for (std::int32_t i = range.first; i < range.first + range.count; ++i) {
            const double c = 0.5 * h * drag.rate(model.inverse_mass[i]);
            const Vec3 change = (scratch.sum_x[i] - to.v[i]) * (c / (1 + c));
            to.v[i] += masked(change, from.held[i]);
        }
    }
}

Attempt advance_by_verlet(State& to, const Model& model, const State& from, double h, Scratch& scratch,
                          bool central_drag)
{
    const ForceSum start = forces(scratch, model, from, from.x, from.v);
    if (start.bad_cavity >= 0) return inverted(model, start);
    accelerations(scratch, model, from, from.x, from.v);
    for_each_node(model, [&](std::size_t i) {
        const Vec3 a = scratch.force[i];
        scratch.sum_v[i] = a;
        to.x[i] = from.x[i] + from.v[i] * h + a * (0.5 * h * h);
        to.v[i] = from.v[i] + a * h;
    });
    place_stage(to, model);
    const double given = scratch.constraint_power;
    scratch.time = from.time + h;
    const ForceSum end = forces(scratch, model, from, to.x, to.v);
    if (end.bad_cavity >= 0) return inverted(model, end);
    accelerations(scratch, model, from, to.x, to.v);
    for_each_node(model, [&](std::size_t i) {
        scratch.sum_x[i] = to.v[i];
        to.v[i] = from.v[i] + (scratch.sum_v[i] + scratch.force[i]) * (0.5 * h);
    });
    if (central_drag) make_drag_central(to, model, from, h, scratch);
    to.ledger.viscous += 0.5 * h * (start.dissipated_power + end.dissipated_power);
    to.ledger.external += 0.5 * h * (given + scratch.constraint_power);
    finish(to, model, from, h);
    return {};
}

}  // namespace

Attempt advance_velocity_verlet(State& to, const Model& model, const State& from, double h, Scratch& scratch)
{
    return advance_by_verlet(to, model, from, h, scratch, false);
}

Attempt advance_central_differences(State& to, const Model& model, const State& from, double h, Scratch& scratch)
{
    return advance_by_verlet(to, model, from, h, scratch, true);
}

Attempt advance_position_verlet(State& to, const Model& model, const State& from, double h, Scratch& scratch)
{
    for_each_node(model, [&](std::size_t i) {
        to.x[i] = from.x[i] + from.v[i] * (0.5 * h);
        to.v[i] = from.v[i];
    });
    place_stage(to, model);
    // Damping wants the velocity at the middle, which a first look at the forces predicts.
    ForceSum sum;
    scratch.time = from.time + 0.5 * h;
    for (const double reach : {0.5 * h, h}) {
        sum = forces(scratch, model, from, to.x, to.v);
        if (sum.bad_cavity >= 0) return inverted(model, sum);
        accelerations(scratch, model, from, to.x, to.v);
        for_each_node(model, [&](std::size_t i) { to.v[i] = from.v[i] + scratch.force[i] * reach; });
        place_stage(to, model);
    }
    for_each_node(model, [&](std::size_t i) { to.x[i] += to.v[i] * (0.5 * h); });
    to.ledger.viscous += h * sum.dissipated_power;
    to.ledger.external += h * scratch.constraint_power;
    finish(to, model, from, h);
    return {};
}

}  // namespace pliant
