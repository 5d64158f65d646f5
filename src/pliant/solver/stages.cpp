// SPDX-License-Identifier: MIT
#include <pliant/solver/stages.h>

#include <cmath>

#include <pliant/model/held_motion.h>
#include <pliant/model/points.h>
#include <pliant/solver/constraints.h>

namespace pliant {

Attempt inverted(const Model& model, const ForceSum& sum)
{
    Attempt attempt{.accepted = false};
    attempt.issue = {.kind = std::isfinite(sum.bad_volume) ? IssueKind::inverted : IssueKind::non_finite,
                     .value = sum.bad_volume};
    for (std::size_t b = 0; b < model.bodies.size(); ++b)
        if (model.bodies[b].cavity == sum.bad_cavity) attempt.issue.body = static_cast<std::int32_t>(b);
    return attempt;
}

void frame_accelerations(Scratch& scratch, const Model& model, const State& from, std::span<const Vec3> x,
                         std::span<const Vec3> v)
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
    set_carried_accelerations(a, model, from, x, scratch.time, CarriedNodes::frames);
}

namespace {

// Consistent masses: free vertices feel it when held ones beside them are carried faster.
void subtract_carried_inertia(Scratch& scratch, const Model& model, const State& from, std::span<const Vec3> x)
{
    const auto free = static_cast<std::size_t>(model.free_count);
    MassSolve& memory = scratch.mass_solve;
    memory.p.assign(free, Vec3{}), memory.q.resize(free);
    set_carried_accelerations(memory.p, model, from, x, scratch.time, CarriedNodes::free);
    multiply(memory.q, model.mass_matrix, memory.p);
    for (std::size_t i = 0; i < free; ++i) scratch.force[i] -= memory.q[i];
}

}  // namespace

void accelerations(Scratch& scratch, const Model& model, const State& from, std::span<const Vec3> x,
                   std::span<const Vec3> v, bool release_held)
{
    frame_accelerations(scratch, model, from, x, v);
    std::span<Vec3> a = scratch.force;
    if (model.mass_matrix.empty()) {
        parallel_for(model.free_count, kNodesPerChunk, [&](std::size_t begin, std::size_t end, std::size_t) {
            for (std::size_t i = begin; i < end; ++i) a[i] *= model.inverse_mass[i];
        });
        if (release_held) return;
        for (const std::int32_t i : scratch.held_nodes) a[i] = masked(a[i], from.held[i]);
    } else {
        const auto free = static_cast<std::size_t>(model.free_count);
        if (carries(model, from, CarriedKind::accelerated)) subtract_carried_inertia(scratch, model, from, x);
        solve_mass(a.first(free), model.mass_matrix, std::span(from.held).first(free), scratch.mass_solve);
    }
    set_carried_accelerations(a, model, from, x, scratch.time, CarriedNodes::free);
    if (!model.constraints.empty()) constrain_accelerations(scratch, model, from, x, v);
}

void list_held(Scratch& scratch, const Model& model, const State& state)
{
    scratch.held_nodes.clear();
    for (std::int32_t i = 0; i < model.free_count; ++i)
        if (state.held[i] != 0) scratch.held_nodes.push_back(i);
}

void place_stage(State& to, const Model& model)
{
    if (model.cavities_reach_bound) place_bound_points(to.x, to.v, model);
}

void finish(State& to, const Model& model, const State& from, double h)
{
    for (std::int32_t f = 0; f < model.frame_count; ++f) {
        const std::int32_t node = model.frame_node(f);
        if (from.held[node] == 0) make_rigid(FrameNodes(&to.x[node], 4), FrameNodes(&to.v[node], 4));
    }
    carry_held(to.x, to.v, model, from, h, CarriedKind::accelerated);
    place_bound_points(to.x, to.v, model);
    to.time = from.time + h;
    to.step = from.step + 1;
}

}  // namespace pliant
