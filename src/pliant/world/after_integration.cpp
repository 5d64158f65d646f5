// SPDX-License-Identifier: MIT
#include <pliant/world/after_integration.h>

#include <algorithm>
#include <cmath>
#include <variant>

#include <pliant/model/held_motion.h>
#include <pliant/model/points.h>
#include <pliant/solver/forces.h>

namespace pliant {

namespace {

// Work of pushes towards the centre (along the middle of the way) and of goals.
void book_radial_work(State& to, const Model& model, const State& from)
{
    for (std::size_t l = 0; l < model.loads.size(); ++l) {
        if (!from.loads[l].enabled || from.loads[l].push == 0) continue;
        const Body& body = model.bodies[model.loads[l].body];
        const Vec3 centers = body_center(model, body, from.x) + body_center(model, body, to.x);
        for (const std::int32_t node : model.loads[l].nodes) {
            const Vec3 ray = to.x[node] + from.x[node] - centers;
            const double length = norm(ray);
            if (length > 0) to.ledger.external -= from.loads[l].push / length * dot(ray, to.x[node] - from.x[node]);
        }
    }
    for (std::size_t g = 0; g < model.goals.size(); ++g) {
        if (!from.goals[g].enabled) continue;
        const std::int32_t first = model.bodies[model.goals[g].body].first_point;
        for (std::size_t i = 0; i < model.goals[g].force.size(); ++i)
            to.ledger.external +=
                from.goals[g].strength * dot(model.goals[g].force[i], to.x[first + i] - from.x[first + i]);
    }
}

// Power-like sum of forces with the ways of held coordinates.
double work_on_held(std::span<const Vec3> force, const State& to, const Model& model, const State& from)
{
    double work = 0;
    for (std::int32_t i = 0; i < model.node_count(); ++i)
        for (int k = 0; k < 3; ++k)
            if (from.held[i] >> k & 1) work += force[i][k] * (to.x[i][k] - from.x[i][k]);
    // The mass of a collider is a stand-in, and so is its weight.
    for (std::size_t b = 0; b < model.bodies.size(); ++b)
        if (model.bodies[b].kind == BodyKind::collider) {
            const std::int32_t node = model.frame_node(model.bodies[b].frame);
            work -= model.mass[node] * dot(body_gravity(from, b), to.x[node] - from.x[node]);
        }
    return work;
}

// What it took to speed held nodes up: mass times acceleration along their ways, which for lumped masses is either what their
// kinetic energy grew by, or the force that gave them their speed at the end of the step.
CarryingWork work_of_inertia(const State& to, const Model& model, const State& from, double h, Scratch& scratch)
{
    CarryingWork work;
    const bool is_consistent = !model.mass_matrix.empty();
    if (is_consistent) {
        for (std::int32_t i = 0; i < model.free_count; ++i) scratch.sum_v[i] = (to.v[i] - from.v[i]) / h;
        multiply(std::span(scratch.sum_x).first(static_cast<std::size_t>(model.free_count)), model.mass_matrix,
                 std::span(scratch.sum_v).first(static_cast<std::size_t>(model.free_count)));
    }
    const auto add = [&](std::int32_t i, int k) {
        const double way = to.x[i][k] - from.x[i][k], mass = model.mass[i];
        const bool is_coupled = is_consistent && i < model.free_count;
        const double force = is_coupled ? scratch.sum_x[i][k] : mass * (to.v[i][k] - from.v[i][k]) / h;
        const double gained = 0.5 * mass * (to.v[i][k] * to.v[i][k] - from.v[i][k] * from.v[i][k]);
        work.by_mean_forces += is_coupled ? force * way : gained;
        work.by_end_forces += force * way;
    };
    for (const Body& body : model.bodies) {
        if (body.kind == BodyKind::collider) continue;
        const std::int32_t first = body.is_rigid() ? model.frame_node(body.frame) : body.first_point;
        const std::int32_t count = body.is_rigid() ? 4 : body.point_count;
        for (std::int32_t i = first; i < first + count; ++i)
            for (int k = 0; k < 3; ++k)
                if (from.held[i] >> k & 1) add(i, k);
    }
    return work;
}

}  // namespace

CarryingWork carrying_work(const State& to, const Model& model, const State& from, double h, Scratch& scratch)
{
    if (!carries(model, from)) return {};
    scratch.time = from.time;
    forces(scratch, model, from, from.x, from.v);
    const double at_start = work_on_held(scratch.force, to, model, from);
    scratch.time = from.time + h;
    forces(scratch, model, from, to.x, to.v);
    const double at_end = work_on_held(scratch.force, to, model, from);
    CarryingWork work = work_of_inertia(to, model, from, h, scratch);
    work.by_mean_forces -= 0.5 * (at_start + at_end), work.by_end_forces -= at_end;
    return work;
}

CarryingWork book_carrying_work(State& to, const Model& model, const State& from, double h, Scratch& scratch)
{
    const CarryingWork work = carrying_work(to, model, from, h, scratch);
    to.ledger.external += work.by_mean_forces;
    return work;
}

// Behind a keyframe a path may go on with another velocity; what that takes at once is its hand's work.
void turn_at_keyframe(State& state, const Model& model)
{
    if (model.paths.empty() || !is_keyframe_time(model, state.time)) return;
    const double before = energies(model, state).kinetic;
    set_carried_velocities(state.v, model, state);
    place_bound_points(state.x, state.v, model);
    state.ledger.external += energies(model, state).kinetic - before;
    state.history.before_h = 0;
}

// Work of loads over the step, and gas let in or out during it.
void book_external_work(State& to, const Model& model, const State& from, double h)
{
    book_radial_work(to, model, from);
    for (std::size_t l = 0; l < model.loads.size(); ++l) {
        const LoadLive& live = from.loads[l];
        if (!live.enabled) continue;
        // Forces that vary are taken at the mean of both ends.
        const Vec3 formula = (load_formula(model.loads[l], from.x, from.v, from.time) +
                              load_formula(model.loads[l], to.x, to.v, to.time)) /
                             2.0;
        const Vec3 share = (live.force + formula) / static_cast<double>(model.loads[l].nodes.size());
        for (const std::int32_t node : model.loads[l].nodes)
            to.ledger.external += dot(share, to.x[node] - from.x[node]);
        for (std::size_t t = 0; t < model.loads[l].faces.size(); ++t) {
            // The volume swept by a face that moves along straight lines, to second order.
            const Triangle& f = model.loads[l].faces[t];
            const auto area = [&](const State& s) { return cross(s.x[f[1]] - s.x[f[0]], s.x[f[2]] - s.x[f[0]]); };
            Vec3 moved;
            for (int k = 0; k < 3; ++k) moved += (to.x[f[k]] - from.x[f[k]]) * model.loads[l].shares[t][k];
            to.ledger.external -= live.pressure * dot(area(to) + area(from), moved) / 4;
        }
    }
    for (const Grip& grip : from.grips) {
        const Vec3 forces =
            grip.force_at(from.x[grip.point], from.v[grip.point]) + grip.force_at(to.x[grip.point], to.v[grip.point]);
        to.ledger.external += dot(forces, to.x[grip.point] - from.x[grip.point]) / 2;
    }
    for (std::size_t c = 0; c < model.cavities.size(); ++c) {
        Gas& gas = to.gas[c];
        if (!gas.enabled || (gas.pump == 0 && gas.leak == 0)) continue;
        const double V = volume(model.cavities[c], to.x);
        const double before = gas_energy(gas, V);
        gas.k_g = std::max(0.0, gas.k_g + h * (gas.pump - gas.leak * (pressure(gas, V) - gas.outside)));
        to.ledger.external += gas_energy(gas, V) - before;
    }
}

// A static step is motion slowed down by something: what gravity and loads gave and the body did not store is lost.
void close_static_account(State& to, const Model& model, const State& from)
{
    const double given = to.ledger.external - from.ledger.external;
    to.ledger.viscous += given + energies(model, from).total() - energies(model, to).total();
}

// Seed 004's procedure 3: the ends of a spring that would leave its band stay where they were. What energy
// that takes is booked as an impact.
void hold_lengths(State& to, const Model& model, const State& from, Scratch& scratch)
{
    std::fill(scratch.marked.begin(), scratch.marked.end(), std::uint8_t{0});
    bool any = false;
    for (const LengthHold& hold : model.holds)
        for (std::size_t i = 0; i < hold.ends.size(); ++i) {
            const double length = norm(to.x[hold.ends[i][0]] - to.x[hold.ends[i][1]]);
            if (length >= hold.shortest[i] && length <= hold.longest[i]) continue;
            any = true;
            for (const std::int32_t node : hold.ends[i]) scratch.marked[node] = 1;
        }
    if (!any) return;
    const double before = energies(model, to).total();
    for (std::size_t i = 0; i < scratch.marked.size(); ++i)
        for (int k = 0; scratch.marked[i] != 0 && k < 3; ++k)
            // What is held goes where it is carried.
            if (!(from.held[i] >> k & 1)) to.x[i][k] = from.x[i][k], to.v[i][k] = 0;
    to.ledger.impact += before - energies(model, to).total();
}

// Rest shapes of plastic elements give way; the elastic energy they lose is dissipated.
void give_way(State& to, const Model& model, double h)
{
    for (std::size_t t = 0; t < model.terms.size(); ++t)
        std::visit(
            [&](const auto& elements) {
                using E = typename std::decay_t<decltype(elements)>::Parameters;
                if constexpr (HasInner<E>) {
                    const E& live = std::get<E>(to.live[t]);
                    if (!live.acts()) return;
                    const std::span<double> inner = std::span(to.inner).subspan(model.inner_start[t]);
                    const double before = energy(elements, live, to.x, inner);
                    flow(inner, elements, live, to.x, h);
                    to.ledger.viscous += before - energy(elements, live, to.x, inner);
                }
            },
            model.terms[t]);
    for (std::size_t r = 0; r < model.radials.size(); ++r) {
        const RadialSprings& springs = model.radials[r];
        const auto extension = std::span(to.inner).subspan(springs.inner_start, springs.rest.size());
        to.ledger.viscous += flow(extension, springs, to.radials[r], to.x, h);
    }
}

// How far the step was from rest: forces that contacts and pins balance do not show.
void measure_rest(State& to, const Model& model, const State& from, double h)
{
    double force2 = 0, energy = 0;
    for (std::int32_t i = 0; i < model.node_count(); ++i) {
        const double m = model.mass[i];
        force2 = std::max(force2, m * m * norm2(to.v[i] - from.v[i]));
        energy = std::max(energy, 0.5 * m * norm2(to.v[i]));
    }
    to.history.residual_force = std::sqrt(force2) / h;
    to.history.vertex_energy = energy;
}

}  // namespace pliant
