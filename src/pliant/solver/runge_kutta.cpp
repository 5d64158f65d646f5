// SPDX-License-Identifier: MIT

// The family of Runge and Kutta: by tableau (midpoint, Heun, Fehlberg), and RK4 on its own fast loops.

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <pliant/solver/explicit.h>
#include <pliant/solver/stages.h>

namespace pliant {

namespace {

// Stages of an explicit method: stage s looks at from + h sum_j reach[s][j] rate_j; the step ends at
// from + h sum_j weight[j] rate_j.
template <int N>
struct Tableau {
    std::array<std::array<double, N>, N> reach{};
    std::array<double, N> weight{};
};

constexpr Tableau<2> kMidpoint{{{{0, 0}, {0.5, 0}}}, {0, 1}};
constexpr Tableau<2> kHeun{{{{0, 0}, {1, 0}}}, {0.5, 0.5}};

// Fehlberg's 4(5): fourth order carried on; seed 002 with the sign of its third weight corrected (W-01).
constexpr Tableau<6> kFehlberg{{{{0, 0, 0, 0, 0, 0},
                                 {1.0 / 4, 0, 0, 0, 0, 0},
                                 {3.0 / 32, 9.0 / 32, 0, 0, 0, 0},
                                 {1932.0 / 2197, -7200.0 / 2197, 7296.0 / 2197, 0, 0, 0},
                                 {439.0 / 216, -8, 3680.0 / 513, -845.0 / 4104, 0, 0},
                                 {-8.0 / 27, 2, -3544.0 / 2565, 1859.0 / 4104, -11.0 / 40, 0}}},
                               {25.0 / 216, 0, 1408.0 / 2565, 2197.0 / 4104, -1.0 / 5, 0}};
// Fifth minus fourth order: the error of a step per unit of its length.
constexpr std::array<double, 6> kFehlbergError{1.0 / 360, 0, -128.0 / 4275, -2197.0 / 75240, 1.0 / 50, 2.0 / 55};

// The rates of all stages; memory only for the methods that need it.
template <int N>
void size_stages(Scratch& scratch, const Model& model)
{
    if (scratch.stage_x.size() >= N && scratch.stage_x[0].size() == static_cast<std::size_t>(model.node_count()))
        return;
    scratch.stage_x.assign(N, std::vector<Vec3>(model.node_count()));
    scratch.stage_v.assign(N, std::vector<Vec3>(model.node_count()));
}

// to = from + h (weighted sum of the first `count` rates).
template <int N>
void move_by(State& to, const Model& model, const State& from, double h, const std::array<double, N>& weight, int count,
             const Scratch& scratch)
{
    for_each_node(model, [&](std::size_t i) {
        Vec3 dx, dv;
        for (int j = 0; j < count; ++j) {
            if (weight[j] == 0) continue;
            dx += scratch.stage_x[j][i] * weight[j];
            dv += scratch.stage_v[j][i] * weight[j];
        }
        to.x[i] = from.x[i] + dx * h;
        to.v[i] = from.v[i] + dv * h;
    });
}

template <int N>
Attempt advance_by_tableau(State& to, const Model& model, const State& from, double h, Scratch& scratch,
                           const Tableau<N>& tableau)
{
    size_stages<N>(scratch, model);
    double power = 0, given = 0;
    for (int stage = 0; stage < N; ++stage) {
        double part = 0;
        for (int j = 0; j < stage; ++j) part += tableau.reach[stage][j];
        scratch.time = from.time + part * h;
        if (stage > 0) {
            move_by<N>(to, model, from, h, tableau.reach[stage], stage, scratch);
            place_stage(to, model);
        }
        const State& at = stage == 0 ? from : to;
        const ForceSum sum = forces(scratch, model, from, at.x, at.v);
        if (sum.bad_cavity >= 0) return inverted(model, sum);
        power += tableau.weight[stage] * sum.dissipated_power;
        accelerations(scratch, model, from, at.x, at.v);
        given += tableau.weight[stage] * scratch.constraint_power;
        for_each_node(model, [&](std::size_t i) {
            scratch.stage_x[stage][i] = at.v[i];
            scratch.stage_v[stage][i] = scratch.force[i];
        });
    }
    move_by<N>(to, model, from, h, tableau.weight, N, scratch);
    to.ledger.viscous += h * power;
    to.ledger.external += h * given;
    finish(to, model, from, h);
    return {};
}

// Largest error per second as a share of the scene's size. Velocities count by the way they lead astray
// within the fastest mode's time, at most a second.
double fehlberg_error(const Model& model, const State& from, const Scratch& scratch)
{
    const double rate = std::sqrt(from.history.stiffness_rate);
    const double lapse = rate > 1 ? 1 / rate : 1;
    double worst = 0;
    for (std::int32_t i = 0; i < model.node_count(); ++i) {
        Vec3 ex, ev;
        for (int j = 0; j < 6; ++j) {
            ex += scratch.stage_x[j][i] * kFehlbergError[j];
            ev += scratch.stage_v[j][i] * kFehlbergError[j];
        }
        // A sum, since a maximum may lose a NaN, which is the worst of all.
        const double sum = norm(ex) + lapse * norm(ev);
        if (!std::isfinite(sum)) return std::numeric_limits<double>::infinity();
        worst = std::max({worst, norm(ex), lapse * norm(ev)});
    }
    return worst / model.size;
}

}  // namespace

Attempt advance_midpoint(State& to, const Model& model, const State& from, double h, Scratch& scratch)
{
    return advance_by_tableau(to, model, from, h, scratch, kMidpoint);
}

Attempt advance_heun(State& to, const Model& model, const State& from, double h, Scratch& scratch)
{
    return advance_by_tableau(to, model, from, h, scratch, kHeun);
}

Attempt advance_rkf45(State& to, const Model& model, const State& from, double h, Scratch& scratch)
{
    // A step changes its length by no more than these factors; the shortest is a millionth of the longest.
    constexpr double kShrink = 0.1, kGrow = 4, kShortest = 1e-6;
    Attempt attempt = advance_by_tableau(to, model, from, h, scratch, kFehlberg);
    if (!attempt.accepted) {
        attempt.retry_h = h * kShrink;
        if (attempt.retry_h < kShortest * from.solver.step) attempt.retry_h = 0;
        return attempt;
    }
    const double error = fehlberg_error(model, from, scratch), tolerance = from.solver.tolerance;
    attempt.residual = error;
    // Seed 002's step law: the error per unit step goes with h^4, and half the tolerance is aimed at.
    const double ideal = error > 0 ? std::pow(tolerance / (2 * error), 0.25) : kGrow;
    const double next = h * (std::isfinite(ideal) ? std::clamp(ideal, kShrink, kGrow) : kShrink);
    if (error <= tolerance) {
        // A step cut short by a frame says little about how long the next one may be.
        const double hoped = from.history.adaptive_step;
        const bool was_cut = h < 0.999 * hoped && ideal >= 1;
        to.history.adaptive_step = was_cut ? std::max(next, hoped) : next;
        return attempt;
    }
    attempt.accepted = false;
    attempt.retry_h = next;
    if (next < kShortest * from.solver.step) {
        attempt.retry_h = 0;
        attempt.issue = {.kind = IssueKind::not_converged, .value = next};
    }
    return attempt;
}

namespace {

// One stage of RK4 on flat arrays, so that the loop runs on whole SIMD registers: adds the weighted
// rates to the sums and moves `to` to from + reach * rate. to.v may be the velocity being read.
template <bool is_first>
void rk4_stage(State& to, const Model& model, const State& from, const State& at, double weight, double reach,
               Scratch& scratch)
{
    parallel_for(3 * model.node_count(), 3 * kNodesPerChunk, [&](std::size_t begin, std::size_t end, std::size_t) {
        const double w = weight, r = reach;  // copies: references might alias what is written
        const double *fx = flat(from.x), *fv = flat(from.v), *rate = flat(at.v), *a = flat(scratch.force);
        double *tx = flat(to.x), *tv = flat(to.v), *sx = flat(scratch.sum_x), *sv = flat(scratch.sum_v);
#pragma omp simd
        for (std::size_t i = begin; i < end; ++i) {
            const double dx = rate[i], dv = a[i];
            sx[i] = is_first ? w * dx : sx[i] + w * dx;
            sv[i] = is_first ? w * dv : sv[i] + w * dv;
            tx[i] = fx[i] + r * dx;
            tv[i] = fv[i] + r * dv;
        }
    });
}

void rk4_end(State& to, const Model& model, const State& from, double h, Scratch& scratch)
{
    parallel_for(3 * model.node_count(), 3 * kNodesPerChunk, [&](std::size_t begin, std::size_t end, std::size_t) {
        const double sixth = h / 6;
        const double *fx = flat(from.x), *fv = flat(from.v), *a = flat(scratch.force);
        const double *sx = flat(scratch.sum_x), *sv = flat(scratch.sum_v);
        double *tx = flat(to.x), *tv = flat(to.v);
#pragma omp simd
        for (std::size_t i = begin; i < end; ++i) {
            const double dx = tv[i], dv = a[i];
            tx[i] = fx[i] + (sx[i] + dx) * sixth;
            tv[i] = fv[i] + (sv[i] + dv) * sixth;
        }
    });
}

}  // namespace

Attempt advance_rk4(State& to, const Model& model, const State& from, double h, Scratch& scratch)
{
    constexpr double kWeight[4] = {1, 2, 2, 1};
    const double reach[3] = {h / 2, h / 2, h};
    double power = 0, given = 0;
    for (int stage = 0; stage < 4; ++stage) {
        const State& at = stage == 0 ? from : to;
        scratch.time = from.time + (stage == 0 ? 0 : reach[stage - 1]);
        const ForceSum sum = forces(scratch, model, from, at.x, at.v);
        if (sum.bad_cavity >= 0) return inverted(model, sum);
        power += kWeight[stage] * sum.dissipated_power;
        accelerations(scratch, model, from, at.x, at.v);
        given += kWeight[stage] * scratch.constraint_power;
        if (stage == 3) break;
        if (stage == 0)
            rk4_stage<true>(to, model, from, at, kWeight[stage], reach[stage], scratch);
        else
            rk4_stage<false>(to, model, from, at, kWeight[stage], reach[stage], scratch);
        place_stage(to, model);
    }
    rk4_end(to, model, from, h, scratch);
    to.ledger.viscous += h / 6 * power;
    to.ledger.external += h / 6 * given;
    finish(to, model, from, h);
    return {};
}

}  // namespace pliant
