// SPDX-License-Identifier: MIT
#include <pliant/solver/descent.h>

#include <variant>

#include <fmt/format.h>

#include <pliant/energy/activity.h>
#include <pliant/model/held_motion.h>
#include <pliant/solver/air.h>
#include <pliant/solver/forces.h>
#include <pliant/solver/stages.h>

namespace pliant {

namespace {

// Forces that the printed law of seed 000 gives: no gradient of anything, hence no row.
void add_thesis_gases(Scratch& scratch, const Model& model, const State& from)
{
    for (std::size_t c = 0; c < model.cavities.size(); ++c) {
        const Gas& gas = from.gas[c];
        if (!gas.enabled || gas.law != GasLaw::thesis_fourfold) continue;
        const double V = volume(model.cavities[c], from.x);
        if (V > 0) add_thesis_fourfold_force(scratch.force, model.cavities[c], from.x, pressure(gas, V) - gas.outside);
    }
}

// Rigid bodies, as beside the implicit rules.
void move_frames(State& to, const Model& model, const State& from, double h, Scratch& scratch)
{
    frame_accelerations(scratch, model, from, from.x, from.v);
    for (std::int32_t i = model.free_count; i < model.node_count(); ++i) {
        to.x[i] = from.x[i] + from.v[i] * h + scratch.force[i] * (0.5 * h * h);
        to.v[i] = from.v[i] + scratch.force[i] * h;
    }
}

// Held coordinates where they will be at the end of the step.
void place_held(State& to, const Model& model, const State& from, double h, const Scratch& scratch)
{
    for (const std::int32_t i : scratch.held_nodes) to.x[i] = from.x[i] + from.v[i] * h;
    carry_held(to.x, to.v, model, from, h, CarriedKind::accelerated);
}

// One vertex: r is the drag on it [N s/m], in its force already at the start's velocity, as are the springs of hands at
// the start's place; `end` has its held coordinates.
void set_particle(DescentScratch& memory, const Model& model, const State& from, double h, const Vec3& force, double r,
                  std::size_t i, DescentGuess guess, const Vec3& end)
{
    const GripRates hands = from.grips.empty() ? GripRates{} : grips_on(from, static_cast<std::int32_t>(i));
    r += hands.d;
    const double m = model.mass[i], heavy = m + h * r + h * h * hands.k;
    const Vec3& v = from.v[i];
    Vec3 drift = from.x[i] + v * h;
    Vec3 y = from.x[i] + (v * (m * h) + (force + v * r) * (h * h)) / heavy;
    const std::uint8_t held = from.held[i];
    Vec3 w{1 / heavy, 1 / heavy, 1 / heavy};
    for (int k = 0; k < 3; ++k)
        if (held >> k & 1) y[k] = drift[k] = end[k], w[k] = 0;
    memory.start[i].set(from.x[i]);
    memory.goal[i].set(y), memory.goal[i].w = heavy / (h * h);
    memory.inverse_mass[i].set(w);
    memory.x[i].set(guess == DescentGuess::goal ? y : drift);
    memory.x[i].w = held == 7 ? 0 : 1 / heavy;
}

// Calls f(i, drag on vertex i) for the vertices of all bodies that move freely.
template <class F>
void for_each_vertex(const Model& model, const State& from, F&& f)
{
    for (std::size_t b = 0; b < model.bodies.size(); ++b) {
        if (model.bodies[b].is_rigid()) continue;
        const BodyDrag drag = body_drag(from, b);
        const NodeRange range = mass_nodes(model, model.bodies[b]);
        parallel_for(range.count, kNodesPerChunk, [&](std::size_t begin, std::size_t end, std::size_t) {
            for (std::size_t i = range.first + begin; i < range.first + end; ++i)
                f(i, drag.drag + drag.damping * model.mass[i]);
        });
    }
}

bool is_in_air(const Model& model, const State& from)
{
    for (const Sheet& sheet : model.sheets) {
        const BodyLive& body = from.bodies[static_cast<std::size_t>(sheet.body)];
        if (body.air_drag != 0 || body.air_friction != 0) return true;
    }
    return false;
}

// How steeply the air's resistance grows with the velocity of each vertex [N s/m], to scratch.sum_v[i].x.
void find_air_rates(Scratch& scratch, const Model& model, const State& from)
{
    for (Vec3& v : scratch.sum_v) v = {};
    for_each_air_block(model, from, from.x, from.v, [&](std::int32_t node, const Mat3& block) {
        // The trace is no less than the largest eigenvalue.
        scratch.sum_v[static_cast<std::size_t>(node)].x += block.m[0][0] + block.m[1][1] + block.m[2][2];
    });
}

// What the air took over the step [J]: its force at the start, less what it gave up as vertices sped up.
double air_work(Scratch& scratch, const State& to, const Model& model, const State& from)
{
    std::fill(scratch.force.begin(), scratch.force.end(), Vec3{});
    add_air_forces(scratch.force, model, from, from.x, from.v);
    double work = 0;
    for (std::int32_t i = 0; i < model.free_count; ++i)
        work += dot(scratch.force[i] - (to.v[i] - from.v[i]) * scratch.sum_v[i].x, to.x[i] - from.x[i]);
    return -work;
}

// Lost in dampers and drag at the end of the step [W].
double dissipated_power(const State& to, const Model& model, const State& from)
{
    double power = 0;
    for (std::size_t t = 0; t < model.terms.size(); ++t)
        std::visit(
            [&]<class E>(const Elements<E>& elements) {
                power += damping_power(elements, std::get<E>(from.live[t]), to.x, to.v, inner_of(model, from, t));
            },
            model.terms[t]);
    for (std::size_t b = 0; b < model.bodies.size(); ++b) {
        const BodyDrag drag = body_drag(from, b);
        if (!drag.acts()) continue;
        const NodeRange range = mass_nodes(model, model.bodies[b]);
        // Rigid bodies feel it at the start.
        const auto& v = model.bodies[b].is_rigid() ? from.v : to.v;
        power += parallel_sum<double>(range.count, kNodesPerChunk, [&](std::size_t begin, std::size_t end) {
            double lost = 0;
            for (std::size_t i = range.first + begin; i < range.first + end; ++i)
                lost += (drag.drag + drag.damping * model.mass[i]) * norm2(v[i]);
            return lost;
        });
    }
    return power;
}

}  // namespace

DescentScratch& descent_memory(Scratch& scratch, const Model& model)
{
    if (!scratch.descent) scratch.descent.make(model);
    return *scratch.descent;
}

void begin_descent(State& to, const Model& model, const State& from, double h, Scratch& scratch, DescentGuess guess)
{
    DescentScratch& memory = *scratch.descent;
    scratch.time = from.time + h;
    outer_forces(scratch, model, from, from.x, from.v);
    add_thesis_gases(scratch, model, from);
    const bool air = is_in_air(model, from);
    if (air) find_air_rates(scratch, model, from);
    place_held(to, model, from, h, scratch);
    for_each_vertex(model, from, [&](std::size_t i, double drag) {
        set_particle(memory, model, from, h, scratch.force[i], air ? drag + scratch.sum_v[i].x : drag, i, guess,
                     to.x[i]);
    });
    move_frames(to, model, from, h, scratch);
    for (std::size_t t = 0; t < model.terms.size(); ++t)
        memory.acts[t] = std::visit(
            [&]<class E>(const Elements<E>& elements) {
                return acts<E>(elements.rest, std::get<E>(from.live[t])) ? 1 : 0;
            },
            model.terms[t]);
}

void show_particles(State& to, const Model& model, const DescentScratch& memory)
{
    parallel_for(model.free_count, kNodesPerChunk, [&](std::size_t begin, std::size_t end, std::size_t) {
        for (std::size_t i = begin; i < end; ++i) to.x[i] = memory.x[i].vector();
    });
}

bool measure_gas(double& volume, State& to, const Model& model, Scratch& scratch, std::size_t cavity)
{
    StageTimer timer(scratch.profile, Stage::volume);
    std::vector<Vec3>& gradient = scratch.descent->gases[cavity].gradient;
    std::fill(gradient.begin(), gradient.end(), Vec3{});
    volume = add_volume_gradient(gradient, model.cavities[cavity], to.x, scratch.windows);
    return volume > 0;
}

void end_descent(State& to, const Model& model, const State& from, double h, Scratch& scratch)
{
    const DescentScratch& memory = *scratch.descent;
    parallel_for(model.free_count, kNodesPerChunk, [&](std::size_t begin, std::size_t end, std::size_t) {
        for (std::size_t i = begin; i < end; ++i) {
            to.x[i] = memory.x[i].vector();
            to.v[i] = (to.x[i] - from.x[i]) / h;
            if (from.held[i] == 0) continue;
            for (int k = 0; k < 3; ++k)
                if (from.held[i] >> k & 1) to.x[i][k] = from.x[i][k] + h * from.v[i][k], to.v[i][k] = from.v[i][k];
        }
    });
    to.ledger.viscous += h * dissipated_power(to, model, from);
    if (is_in_air(model, from)) to.ledger.viscous += air_work(scratch, to, model, from);
    // An implicit rule that takes over has nothing to go on from.
    to.history.before_h = 0;
    finish(to, model, from, h);
}

std::string owner_of_term(const Model& model, std::size_t term)
{
    const auto t = static_cast<std::int32_t>(term);
    for (const Body& body : model.bodies)
        if (body.term == t || body.limit_term == t || body.shape_term == t) return body.name;
    for (const Sheet& sheet : model.sheets)
        for (const std::int32_t own : {sheet.stretch_term, sheet.shear_term, sheet.bend_term, sheet.limit_term})
            if (own == t) return model.bodies[static_cast<std::size_t>(sheet.body)].name;
    return {};
}

std::string descent_obstacle(const Model& model)
{
    constexpr std::string_view kCure = "; use implicit_euler or bdf2";
    if (!model.constraints.empty()) return fmt::format("it cannot obey equations between vertices{}", kCure);
    if (!model.radials.empty()) return fmt::format("it cannot treat radial springs, which share one centre{}", kCure);
    if (!model.mass_matrix.empty())
        return fmt::format("it needs lumped masses, and some body's are consistent{}", kCure);
    if (model.cavities_reach_bound) return fmt::format("it cannot treat a gas that pushes rigid bodies{}", kCure);
    return {};
}

}  // namespace pliant
