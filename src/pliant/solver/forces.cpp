// SPDX-License-Identifier: MIT
#include <pliant/solver/forces.h>

#include <algorithm>
#include <variant>

#include <pliant/base/parallel.h>
#include <pliant/energy/activity.h>
#include <pliant/model/points.h>
#include <pliant/response/thesis_springs.h>
#include <pliant/solver/air.h>

namespace pliant {

Vec3 load_formula(const Load& load, std::span<const Vec3> x, std::span<const Vec3> v, double time)
{
    Vec3 force;
    if (load.formula.empty()) return force;
    const FormulaPoint at{x, v, time};
    for (int k = 0; k < 3; ++k) force[k] = load.formula[static_cast<std::size_t>(k)].evaluate<double>(at);
    return force;
}

namespace {

constexpr std::size_t kNodesPerChunk = 16384;

// Calls f(elements, parameters, internal variables) for every term with the parameters of its own kind.
template <class F>
void for_each_term(const Model& model, const State& state, F&& f)
{
    for (std::size_t t = 0; t < model.terms.size(); ++t)
        std::visit(
            [&](const auto& elements) {
                using Parameters = typename std::decay_t<decltype(elements)>::Parameters;
                f(elements, std::get<Parameters>(state.live[t]), inner_of(model, state, t));
            },
            model.terms[t]);
}

// What a node weighs: with consistent masses not its lumped mass, but the sum of its row.
double weight(const Model& model, std::size_t i)
{
    return model.mass_matrix.empty() || i >= model.mass_matrix.row_sum.size() ? model.mass[i]
                                                                              : model.mass_matrix.row_sum[i];
}

// Momentum of a node.
Vec3 node_momentum(const Model& model, std::span<const Vec3> v, std::size_t i)
{
    const MassMatrix& M = model.mass_matrix;
    if (M.empty() || i >= static_cast<std::size_t>(model.free_count)) return v[i] * model.mass[i];
    Vec3 sum;
    for (std::int64_t e = M.row_start[i]; e < M.row_start[i + 1]; ++e) sum += v[M.column[e]] * M.value[e];
    return sum;
}

// Gravity and the drag of the medium; returns the power lost to drag. Overwrites the force.
double set_body_forces(std::span<Vec3> force, const Model& model, const State& state, std::span<const Vec3> v,
                       double load_factor)
{
    double power = 0;
    for (std::size_t b = 0; b < model.bodies.size(); ++b) {
        const NodeRange range = mass_nodes(model, model.bodies[b]);
        const Vec3 g = body_gravity(state, b) * load_factor;
        const BodyDrag drag = body_drag(state, b);
        if (!drag.acts()) {
            parallel_for(range.count, kNodesPerChunk, [&](std::size_t begin, std::size_t end, std::size_t) {
                for (std::size_t i = range.first + begin; i < range.first + end; ++i) force[i] = g * weight(model, i);
            });
            continue;
        }
        power += parallel_sum<double>(range.count, kNodesPerChunk, [&](std::size_t begin, std::size_t end) {
            double lost = 0;
            for (std::size_t i = range.first + begin; i < range.first + end; ++i) {
                const Vec3 resistance = v[i] * drag.drag + node_momentum(model, v, i) * drag.damping;
                force[i] = g * weight(model, i) - resistance;
                lost += dot(resistance, v[i]);
            }
            return lost;
        });
    }
    return power;
}

// Unit vector from the centre to a point; none at the centre itself.
Vec3 outward(const Vec3& x, const Vec3& center)
{
    const Vec3 r = x - center;
    const double length = norm(r);
    return length > 0 ? r / length : Vec3{};
}

void add_loads(std::span<Vec3> force, const Model& model, const State& state, std::span<const Vec3> x,
               std::span<const Vec3> v, double time, double load_factor)
{
    for (std::size_t l = 0; l < model.loads.size(); ++l) {
        const LoadLive& live = state.loads[l];
        if (!live.enabled) continue;
        const Vec3 whole = live.force + load_formula(model.loads[l], x, v, time);
        const Vec3 share = whole * (load_factor / static_cast<double>(model.loads[l].nodes.size()));
        for (const std::int32_t node : model.loads[l].nodes) force[node] += share;
        for (std::size_t f = 0; f < model.loads[l].faces.size(); ++f) {
            const Triangle& face = model.loads[l].faces[f];
            const Vec3 push =
                cross(x[face[1]] - x[face[0]], x[face[2]] - x[face[0]]) * (-load_factor * live.pressure / 2);
            for (int k = 0; k < 3; ++k) force[face[k]] += push * model.loads[l].shares[f][k];
        }
        if (live.push == 0) continue;
        const Vec3 c = body_center(model, model.bodies[model.loads[l].body], x);
        for (const std::int32_t node : model.loads[l].nodes)
            force[node] -= outward(x[node], c) * (load_factor * live.push);
    }
}

void add_goals(std::span<Vec3> force, const Model& model, const State& state)
{
    for (std::size_t g = 0; g < model.goals.size(); ++g) {
        if (!state.goals[g].enabled) continue;
        const std::int32_t first = model.bodies[model.goals[g].body].first_point;
        for (std::size_t i = 0; i < model.goals[g].force.size(); ++i)
            force[first + i] += model.goals[g].force[i] * state.goals[g].strength;
    }
}

void add_grips(std::span<Vec3> force, const Model& model, const State& state, std::span<const Vec3> x,
               std::span<const Vec3> v)
{
    for (const Grip& grip : state.grips) {
        if (grip.is_held != 0) continue;
        const Vec3 f = grip.force_at(x[grip.point], v[grip.point]);
        if (grip.point < model.free_count)
            force[grip.point] += f;
        else
            add_bound_force(force, model, grip.point, f);
    }
}

// Stiffest and most damped grip over the mass that it pulls, of free vertices; a rigid body is pulled by its mass.
Rates grip_rates(const Model& model, const State& state)
{
    Rates rates;
    for (const Grip& grip : state.grips) {
        if (grip.point >= model.free_count) continue;
        const GripRates all = grips_on(state, grip.point);
        rates.stiffness = std::max(rates.stiffness, all.k * model.inverse_mass[grip.point]);
        rates.damping = std::max(rates.damping, all.d * model.inverse_mass[grip.point]);
    }
    return rates;
}

// target += factor * values, as flat numbers so that the loop runs on whole SIMD registers.
void add_scaled(std::vector<Vec3>& target, const std::vector<Vec3>& values, double factor)
{
    parallel_for(3 * target.size(), 3 * kNodesPerChunk, [&](std::size_t begin, std::size_t end, std::size_t) {
        auto* to = reinterpret_cast<double*>(target.data());
        const auto* from = reinterpret_cast<const double*>(values.data());
        const double f = factor;
#pragma omp simd
        for (std::size_t i = begin; i < end; ++i) to[i] += f * from[i];
    });
}

double volume_with_gradient(Scratch& scratch, const Model& model, std::size_t cavity, std::span<const Vec3> x)
{
    std::fill(scratch.volume_gradient.begin(), scratch.volume_gradient.end(), Vec3{});
    return add_volume_gradient(scratch.volume_gradient, model.cavities[cavity], x, scratch.windows);
}

void add_gases(ForceSum& sum, Scratch& scratch, const Model& model, const State& state, std::span<const Vec3> x)
{
    for (std::size_t c = 0; c < model.cavities.size(); ++c) {
        const Gas& gas = state.gas[c];
        if (!gas.enabled) continue;
        StageTimer gas_timer(scratch.profile, Stage::pressure);
        double V = 0;
        {
            StageTimer timer(scratch.profile, Stage::volume);
            V = volume_with_gradient(scratch, model, c, x);
        }
        if (!(V > 0)) {
            sum.bad_cavity = static_cast<std::int32_t>(c), sum.bad_volume = V;
            continue;
        }
        const double gauge = pressure(gas, V) - gas.outside;
        if (gas.law == GasLaw::thesis_fourfold)
            add_thesis_fourfold_force(scratch.force, model.cavities[c], x, gauge);
        else
            add_scaled(scratch.force, scratch.volume_gradient, gauge);
    }
}

}  // namespace

GripRates grips_on(const State& state, std::int32_t point)
{
    GripRates all;
    const auto first = std::lower_bound(state.grips.begin(), state.grips.end(), point,
                                        [](const Grip& grip, std::int32_t p) { return grip.point < p; });
    for (auto grip = first; grip != state.grips.end() && grip->point == point; ++grip) {
        if (grip->is_held != 0) continue;
        all.k += grip->k, all.d += grip->d;
    }
    return all;
}

NodeRange mass_nodes(const Model& model, const Body& body)
{
    if (body.is_rigid()) return {model.frame_node(body.frame), 1};
    return {body.first_point, body.point_count};
}

BodyDrag body_drag(const State& state, std::size_t body)
{
    const BodyLive& live = state.bodies[body];
    if (live.drag_waits && state.touched[body] == 0) return {};
    return {live.drag, live.damping};
}

Vec3 body_center(const Model& model, const Body& body, std::span<const Vec3> x)
{
    if (body.radial >= 0) return center(model.radials[body.radial], x);
    const NodeRange range = mass_nodes(model, body);
    Vec3 weighted;
    double mass = 0;
    for (std::int32_t i = range.first; i < range.first + range.count; ++i)
        weighted += x[i] * model.mass[i], mass += model.mass[i];
    return mass > 0 ? weighted / mass : Vec3{};
}

std::span<const double> inner_of(const Model& model, const State& state, std::size_t term)
{
    return std::span(state.inner).subspan(model.inner_start[term]);
}

std::span<const double> extension_of(const Model& model, const State& state, std::size_t radial)
{
    return std::span(state.inner).subspan(model.radials[radial].inner_start, model.radials[radial].rest.size());
}

Vec3 body_gravity(const State& state, std::size_t body)
{
    return state.world.gravity_enabled && state.bodies[body].gravity ? state.world.gravity : Vec3{};
}

ForceSum outer_forces(Scratch& scratch, const Model& model, const State& state, std::span<const Vec3> x,
                      std::span<const Vec3> v)
{
    StageTimer timer(scratch.profile, Stage::gravity);
    ForceSum sum;
    std::span<Vec3> force = scratch.force;
    std::fill(force.begin() + model.free_count, force.end(), Vec3{});
    sum.dissipated_power = set_body_forces(force, model, state, v, scratch.load_factor);
    add_loads(force, model, state, x, v, scratch.time, scratch.load_factor);
    add_goals(force, model, state);
    add_grips(force, model, state, x, v);
    sum.dissipated_power += add_air_forces(force, model, state, x, v);
    for (std::size_t i = 0; i < scratch.contact_force.size(); ++i) force[i] += scratch.contact_force[i];
    add_contact_springs(force, state, x);
    return sum;
}

ForceSum forces(Scratch& scratch, const Model& model, const State& state, std::span<const Vec3> x,
                std::span<const Vec3> v)
{
    StageTimer all(scratch.profile, Stage::forces);
    ForceSum sum = outer_forces(scratch, model, state, x, v);
    std::span<Vec3> force = scratch.force;
    {
        // Elements give gradients; forces are their negatives, so both are kept with one sign.
        StageTimer timer(scratch.profile, Stage::elements);
        for_each_term(model, state, [&](const auto& elements, const auto& parameters, auto inner) {
            using E = std::decay_t<decltype(parameters)>;
            if (!acts<E>(elements.rest, parameters)) return;
            sum.dissipated_power += subtract_gradient(force, elements, parameters, x, v, scratch.windows, inner);
        });
        for (std::size_t r = 0; r < model.radials.size(); ++r)
            sum.dissipated_power +=
                subtract_gradient(force, model.radials[r], state.radials[r], x, v, extension_of(model, state, r));
    }
    add_gases(sum, scratch, model, state, x);
    if (model.cavities_reach_bound) gather_bound_forces(force, model);
    return sum;
}

Energies energies(const Model& model, const State& state)
{
    Energies e;
    for (std::size_t b = 0; b < model.bodies.size(); ++b) {
        if (model.bodies[b].kind == BodyKind::collider) continue;  // its mass is a stand-in
        const NodeRange range = mass_nodes(model, model.bodies[b]);
        const Vec3 g = body_gravity(state, b);
        const bool is_consistent = !model.mass_matrix.empty() && !model.bodies[b].is_rigid();
        if (is_consistent) e.kinetic += kinetic_energy(model.mass_matrix, state.v, range.first, range.count);
        for (std::int32_t i = range.first; i < range.first + range.count; ++i) {
            if (!is_consistent) e.kinetic += 0.5 * model.mass[i] * norm2(state.v[i]);
            e.gravitational -= weight(model, static_cast<std::size_t>(i)) * dot(g, state.x[i]);
        }
    }
    for (const Body& body : model.bodies) {
        if (!body.is_rigid() || body.kind == BodyKind::collider) continue;
        for (int k = 1; k < 4; ++k) {
            const std::int32_t node = model.frame_node(body.frame) + k;
            e.kinetic += 0.5 * model.mass[node] * norm2(state.v[node]);
        }
    }
    for_each_term(model, state, [&](const auto& elements, const auto& parameters, auto inner) {
        e.elastic += energy(elements, parameters, state.x, inner);
    });
    for (std::size_t r = 0; r < model.radials.size(); ++r)
        e.elastic += energy(model.radials[r], state.radials[r], state.x, extension_of(model, state, r));
    e.elastic += contact_spring_energy(state);
    for (std::size_t c = 0; c < model.cavities.size(); ++c)
        if (state.gas[c].enabled) e.gas += gas_energy(state.gas[c], volume(model.cavities[c], state.x));
    if (state.contact.response == ContactResponse::barrier && state.contact.enabled) e.elastic += state.tally.energy;
    return e;
}

namespace {

double largest_rate(std::span<const SymmetricBlock> diagonal, const Model& model, const State& state)
{
    double rate = 0;
    for (std::int32_t i = 0; i < model.free_count; ++i)
        if (state.held[i] != 7) rate = std::max(rate, diagonal[i].bound() * model.inverse_mass[i]);
    // Consistent masses let the fastest modes move more freely than their nodes' masses would.
    return rate / model.mass_matrix.least_share;
}

// A gas stiffens by s |dV/dx|^2 (rank one) and by its gauge pressure times d2V/dx2, whose blocks
// between two neighbours have norm |edge opposite| / 6.
double gas_rate(const Model& model, const State& state, Scratch& scratch)
{
    double rate = 0;
    for (std::size_t c = 0; c < model.cavities.size(); ++c) {
        const Gas& gas = state.gas[c];
        if (!gas.enabled) continue;
        const double V = volume_with_gradient(scratch, model, c, state.x);
        if (!(V > 0)) continue;
        double squares = 0;
        for (std::int32_t i = 0; i < model.free_count; ++i)
            if (state.held[i] != 7) squares += norm2(scratch.volume_gradient[i]) * model.inverse_mass[i];
        const double fourfold = gas.law == GasLaw::thesis_fourfold ? 4 : 1;
        rate += fourfold * gas_stiffness(gas, V) * squares;
    }
    return rate;
}

// Gauge pressure times d2V/dx2: node i meets each neighbour through a block of norm |opposite| / 6.
double pressure_curvature_rate(const Model& model, const State& state, Scratch& scratch)
{
    double rate = 0;
    for (std::size_t c = 0; c < model.cavities.size(); ++c) {
        const Gas& gas = state.gas[c];
        const double V = gas.enabled ? volume(model.cavities[c], state.x) : 0;
        if (!(V > 0)) continue;
        const double gauge = std::abs(pressure(gas, V) - gas.outside) * (gas.law == GasLaw::thesis_fourfold ? 4 : 1);
        std::fill(scratch.force.begin(), scratch.force.end(), Vec3{});
        const auto& faces = model.cavities[c].faces;
        for (std::int32_t f = 0; f < faces.count; ++f) {
            const auto& block = faces.blocks[f / kPackWidth];
            const int lane = f % kPackWidth;
            for (int i = 0; i < 3; ++i) {
                const Vec3 &a = state.x[block.node[(i + 1) % 3][lane]], &b = state.x[block.node[(i + 2) % 3][lane]];
                const Vec3& o = state.x[block.node[i][lane]];
                scratch.force[block.node[i][lane]].x += (norm(a - o) + norm(b - o)) / 6;
            }
        }
        double worst = 0;
        for (std::int32_t i = 0; i < model.free_count; ++i)
            if (state.held[i] != 7) worst = std::max(worst, scratch.force[i].x * model.inverse_mass[i]);
        rate += gauge * worst;
    }
    return rate;
}

}  // namespace

void find_resistance(std::vector<double>& resistance, const Model& model, const State& state)
{
    const auto free = static_cast<std::size_t>(model.free_count);
    resistance.assign(free, 0.0);
    std::vector<SymmetricBlock> diagonal(free);
    for_each_term(model, state, [&](const auto& elements, const auto& parameters, auto inner) {
        using Parameters = typename std::decay_t<decltype(elements)>::Parameters;
        std::fill(diagonal.begin(), diagonal.end(), SymmetricBlock{});
        add_diagonal(diagonal, elements, parameters, model.start_x, DiagonalOf::stiffness, inner);
        // add_diagonal() counts each element as often as it has nodes.
        const double part = 1.0 / (3 * Parameters::nodes);
        for (std::size_t i = 0; i < free; ++i)
            resistance[i] += std::max(0.0, part * (diagonal[i].xx + diagonal[i].yy + diagonal[i].zz));
    });
}

Rates rate_bounds(const Model& model, const State& state, Scratch& scratch)
{
    Rates rates;
    for (const DiagonalOf part : {DiagonalOf::stiffness, DiagonalOf::damping}) {
        std::fill(scratch.diagonal.begin(), scratch.diagonal.end(), SymmetricBlock{});
        for_each_term(model, state, [&](const auto& elements, const auto& parameters, auto inner) {
            add_diagonal(scratch.diagonal, elements, parameters, state.x, part, inner);
        });
        (part == DiagonalOf::stiffness ? rates.stiffness : rates.damping) =
            largest_rate(scratch.diagonal, model, state);
    }
    rates.stiffness += contact_spring_rate(model, state);
    rates.stiffness += gas_rate(model, state, scratch) + pressure_curvature_rate(model, state, scratch);
    for (std::size_t r = 0; r < model.radials.size(); ++r) {
        const RadialRates more =
            rate_bounds(model.radials[r], state.radials[r], model.inverse_mass, state.x, extension_of(model, state, r));
        rates.stiffness += more.stiffness, rates.damping += more.damping;
    }
    const Rates grips = grip_rates(model, state);
    rates.stiffness += grips.stiffness, rates.damping += grips.damping;
    // A violated constraint returns at its own rate, as a critically damped mode.
    for (std::size_t c = 0; c < model.constraints.size(); ++c) {
        const double xi = state.constraints[c].enabled ? model.constraints[c].xi : 0;
        rates.stiffness = std::max(rates.stiffness, xi * xi);
        rates.damping = std::max(rates.damping, 2 * xi);
    }
    double drag = 0;
    for (std::size_t b = 0; b < model.bodies.size(); ++b) {
        const NodeRange range = mass_nodes(model, model.bodies[b]);
        const BodyDrag body = body_drag(state, b);
        if (!body.acts()) continue;
        for (std::int32_t i = range.first; i < range.first + range.count; ++i)
            drag = std::max(drag, body.rate(model.inverse_mass[i]));
    }
    rates.damping += drag;
    return rates;
}

}  // namespace pliant
