// SPDX-License-Identifier: MIT
#include <pliant/world/events.h>

#include <algorithm>
#include <array>
#include <cmath>

#include <pliant/base/jet.h>
#include <pliant/contact/gap_roots.h>
#include <pliant/solver/constraints.h>
#include <pliant/world/inputs.h>

namespace pliant {

namespace {

// A cubic by its Bernstein coefficients.
GapValue cubic_at(const std::array<double, 4>& c, double u)
{
    const double w = 1 - u;
    return {c[0] * w * w * w + 3 * u * w * (c[1] * w + c[2] * u) + c[3] * u * u * u,
            3 * ((c[1] - c[0]) * w * w + 2 * (c[2] - c[1]) * u * w + (c[3] - c[2]) * u * u)};
}

// Variables of formulas somewhere in a step: paths are cubics, velocities their slopes.
struct WithinStep {
    const State& from;
    const State& to;
    double u = 0;

    double operator()(int variable) const
    {
        const double h = to.time - from.time;
        if (variable == kTimeVariable) return from.time + u * h;
        const auto node = static_cast<std::size_t>((variable - 1) / 6);
        const int k = (variable - 1) % 6, axis = k % 3;
        const auto curve =
            hermite_cubic(from.x[node][axis], from.v[node][axis] * h, to.x[node][axis], to.v[node][axis] * h);
        const GapValue at = cubic_at(curve, u);
        return k < 3 ? at.value : at.slope / h;
    }
};

double rate_at(const Expression& gap, const State& state)
{
    return gap
        .evaluate<Jet2<double>>([&](int variable) -> Jet2<double> {
            if (variable == kTimeVariable) return {state.time, 1};
            const auto node = static_cast<std::size_t>((variable - 1) / 6);
            const int k = (variable - 1) % 6;
            return k < 3 ? Jet2<double>{state.x[node][k], state.v[node][k]} : Jet2<double>{state.v[node][k - 3], 0};
        })
        .first;
}

double value_at(const Expression& gap, const State& state)
{
    return gap.evaluate<double>(FormulaPoint{state.x, state.v, state.time});
}

bool holds_at(const Predicate& when, const State& state)
{
    std::array<Sign, kMaxGaps> signs;
    const auto gaps = when.gaps();
    for (std::size_t g = 0; g < gaps.size(); ++g) signs[g] = sign_of(value_at(gaps[g].expression, state));
    return when.holds(std::span(signs).first(gaps.size())).value_or(false);
}

// Whether the condition is true just behind the place where gap `crossed` changes to `sign`.
bool holds_behind(const Predicate& when, const WithinStep& place, std::size_t crossed, Sign sign)
{
    std::array<Sign, kMaxGaps> signs;
    const auto gaps = when.gaps();
    for (std::size_t g = 0; g < gaps.size(); ++g)
        signs[g] = g == crossed ? sign : sign_of(gaps[g].expression.evaluate<double>(place));
    return when.holds(std::span(signs).first(gaps.size())).value_or(false);
}

// Where in the step the condition becomes true first, or 2.
double first_root(const Predicate& when, const State& from, const State& to)
{
    double first = 2;
    const double h = to.time - from.time;
    const auto gaps = when.gaps();
    for (std::size_t g = 0; g < gaps.size(); ++g) {
        const Expression& gap = gaps[g].expression;
        const double a = value_at(gap, from), b = value_at(gap, to);
        const bool is_cubic = !gap.depends_on_velocity();
        const auto coefficients = is_cubic ? hermite_cubic(a, rate_at(gap, from) * h, b, rate_at(gap, to) * h)
                                           : hermite_cubic(a, b - a, b, b - a);
        std::array<SignChange, kMaxGapDegree + 1> changes;
        const std::size_t count = find_sign_changes(changes, coefficients, 0);
        for (std::size_t c = 0; c < count; ++c) {
            const WithinStep place{from, to,
                                   root_between([&](double u) { return cubic_at(coefficients, u); }, changes[c])};
            const Sign sign = changes[c].from > 0 ? Sign::negative : Sign::positive;
            if (place.u < first && holds_behind(when, place, g, sign)) first = place.u;
        }
    }
    return first;
}

bool is_watched(const World& world, const State& state, std::size_t event)
{
    return state.events[event].enabled && (world.model->events[event].repeats || state.event_count[event] == 0);
}

double reaction_size(World& world, const State& state, std::size_t constraint)
{
    if (!state.constraints[constraint].enabled) return 0;
    find_reactions(world.scratch, *world.model, state);
    return norm(reaction(world.scratch, *world.model, constraint));
}

// Where the reaction passes what the constraint can stand, or 2.
double breaking_place(World& world, const Event& event, const State& from, const State& to)
{
    const auto constraint = static_cast<std::size_t>(event.breaks);
    const double most = world.model->constraints[constraint].breaks_at;
    const double b = reaction_size(world, to, constraint);
    if (!(b > most)) return 2;
    const double a = reaction_size(world, from, constraint);
    return a >= most ? 0 : (most - a) / (b - a);
}

}  // namespace

std::optional<Happening> first_event(World& world, const State& from, const State& to)
{
    Happening found;
    double first = 2;
    for (std::size_t e = 0; e < world.model->events.size(); ++e) {
        const Event& event = world.model->events[e];
        if (!is_watched(world, from, e)) continue;
        double u = 2;
        if (event.breaks >= 0)
            u = breaking_place(world, event, from, to);
        else if (!holds_at(event.when, from))
            u = std::min(first_root(event.when, from, to), holds_at(event.when, to) ? 1.0 : 2.0);
        else if (from.step == 0 && from.event_count[e] == 0)
            u = 0;
        if (u <= 1 && u < first) first = u, found.event = static_cast<std::int32_t>(e);
    }
    if (found.event < 0) return {};
    found.time = from.time + first * (to.time - from.time);
    return found;
}

int let_happen(World& world, const State& before, const Happening& first)
{
    int count = 0;
    const auto happens = [&](std::size_t e) {
        if (static_cast<std::int32_t>(e) == first.event) return true;
        const Event& event = world.model->events[e];
        return event.breaks < 0 && is_watched(world, before, e) && !holds_at(event.when, before) &&
               holds_at(event.when, world.state);
    };
    for (std::size_t e = 0; e < world.model->events.size(); ++e) {
        if (!happens(e)) continue;
        ++world.state.event_count[e], ++count;
        for (const Input& change : world.model->events[e].changes) apply_input(world, change.target, change.value);
    }
    return count;
}

}  // namespace pliant
