// SPDX-License-Identifier: MIT
#include <pliant/solver/explicit.h>

#include <cmath>

#include <pliant/base/parallel.h>
#include <pliant/model/points.h>
#include <pliant/solver/forces.h>

namespace pliant {

namespace {

constexpr std::size_t kNodesPerChunk = 16384;

// Calls f(i) for every node, in parallel for large models.
template <class F>
void for_each_node(const Model& model, F&& f)
{
    parallel_for(model.node_count(), kNodesPerChunk, [&](std::size_t begin, std::size_t end, std::size_t) {
        for (std::size_t i = begin; i < end; ++i) f(i);
    });
}

// An array of vectors as the 3n numbers it is.
double* flat(std::vector<Vec3>& values)
{
    return reinterpret_cast<double*>(values.data());
}
const double* flat(const std::vector<Vec3>& values)
{
    return reinterpret_cast<const double*>(values.data());
}

Vec3 masked(const Vec3& a, std::uint8_t held)
{
    return {held & 1 ? 0 : a.x, held & 2 ? 0 : a.y, held & 4 ? 0 : a.z};
}

Attempt inverted(const Model& model, const ForceSum& sum)
{
    Attempt attempt{.accepted = false};
    attempt.issue = {.kind = std::isfinite(sum.bad_volume) ? IssueKind::inverted : IssueKind::non_finite,
                     .value = sum.bad_volume};
    for (std::size_t b = 0; b < model.bodies.size(); ++b)
        if (model.bodies[b].cavity == sum.bad_cavity) attempt.issue.body = static_cast<std::int32_t>(b);
    return attempt;
}

// Turns forces into accelerations in place: free nodes by their mass, frames by rigid motion; held
// coordinates are not accelerated. `release_held` is seed 000's W8: held nodes drift inside stages.
void accelerations(Scratch& scratch, const Model& model, const State& from, std::span<const Vec3> x,
                   std::span<const Vec3> v, bool release_held = false)
{
    std::span<Vec3> a = scratch.force;
    for (std::int32_t f = 0; f < model.frame_count; ++f) {
        const std::int32_t node = model.frame_node(f);
        if (from.held[node] != 0) {
            for (int k = 0; k < 4; ++k) a[node + k] = {};
            continue;
        }
        const auto rigid = rigid_acceleration(model.frame_mass[f], ConstFrameNodes(&x[node], 4),
                                              ConstFrameNodes(&v[node], 4), ConstFrameNodes(&a[node], 4));
        for (int k = 0; k < 4; ++k) a[node + k] = rigid[k];
    }
    parallel_for(model.free_count, kNodesPerChunk, [&](std::size_t begin, std::size_t end, std::size_t) {
        for (std::size_t i = begin; i < end; ++i) a[i] *= model.inverse_mass[i];
    });
    if (release_held) return;
    for (const std::int32_t i : scratch.held_nodes) a[i] = masked(a[i], from.held[i]);
}

void finish(State& to, const Model& model, const State& from, double h)
{
    for (std::int32_t f = 0; f < model.frame_count; ++f) {
        const std::int32_t node = model.frame_node(f);
        if (from.held[node] == 0) make_rigid(FrameNodes(&to.x[node], 4), FrameNodes(&to.v[node], 4));
    }
    place_bound_points(to.x, to.v, model);
    to.time = from.time + h;
    to.step = from.step + 1;
}

}  // namespace

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
    finish(to, model, from, h);
    return {};
}

Attempt advance_semi_implicit_euler(State& to, const Model& model, const State& from, double h, Scratch& scratch)
{
    const ForceSum sum = forces(scratch, model, from, from.x, from.v);
    if (sum.bad_cavity >= 0) return inverted(model, sum);
    accelerations(scratch, model, from, from.x, from.v);
    for_each_node(model, [&](std::size_t i) {
        to.v[i] = from.v[i] + scratch.force[i] * h;
        to.x[i] = from.x[i] + to.v[i] * h;
    });
    to.ledger.viscous += h * sum.dissipated_power;
    finish(to, model, from, h);
    return {};
}

Attempt advance_velocity_verlet(State& to, const Model& model, const State& from, double h, Scratch& scratch)
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
    if (model.cavities_reach_bound) place_bound_points(to.x, to.v, model);
    const ForceSum end = forces(scratch, model, from, to.x, to.v);
    if (end.bad_cavity >= 0) return inverted(model, end);
    accelerations(scratch, model, from, to.x, to.v);
    for_each_node(model,
                  [&](std::size_t i) { to.v[i] = from.v[i] + (scratch.sum_v[i] + scratch.force[i]) * (0.5 * h); });
    to.ledger.viscous += 0.5 * h * (start.dissipated_power + end.dissipated_power);
    finish(to, model, from, h);
    return {};
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
    double power = 0;
    for (int stage = 0; stage < 4; ++stage) {
        const State& at = stage == 0 ? from : to;
        const ForceSum sum = forces(scratch, model, from, at.x, at.v);
        if (sum.bad_cavity >= 0) return inverted(model, sum);
        power += kWeight[stage] * sum.dissipated_power;
        accelerations(scratch, model, from, at.x, at.v);
        if (stage == 3) break;
        if (stage == 0)
            rk4_stage<true>(to, model, from, at, kWeight[stage], reach[stage], scratch);
        else
            rk4_stage<false>(to, model, from, at, kWeight[stage], reach[stage], scratch);
        if (model.cavities_reach_bound) place_bound_points(to.x, to.v, model);
    }
    rk4_end(to, model, from, h, scratch);
    to.ledger.viscous += h / 6 * power;
    finish(to, model, from, h);
    return {};
}

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
        if (stage < 3 && model.cavities_reach_bound) place_bound_points(to.x, to.v, model);
    }
    to.ledger.viscous += h / 6 * power;
    finish(to, model, from, h);
    return {};
}

}  // namespace pliant
