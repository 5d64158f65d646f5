// SPDX-License-Identifier: MIT
#include <pliant/solver/constraints.h>

#include <algorithm>
#include <cmath>

#include <pliant/solver/forces.h>
#include <pliant/solver/stages.h>

namespace pliant {

namespace {

// M^-1 J^T, column by column.
void make_responses(Scratch& scratch, const Model& model, const State& state)
{
    ConstraintSystem& system = scratch.constraints;
    const auto free = static_cast<std::size_t>(model.free_count);
    if (system.response.size() < system.count) system.response.resize(system.count);
    for (std::size_t r = 0; r < system.count; ++r) {
        std::vector<Vec3>& column = system.response[r];
        column.assign(free, Vec3{});
        const auto& nodes = system.row_of(model.constraints, r).nodes;
        for (std::size_t i = 0; i < nodes.size(); ++i) {
            const auto node = static_cast<std::size_t>(nodes[i]);
            column[node] = system.rows[r].slope[i] * (model.mass_matrix.empty() ? model.inverse_mass[node] : 1.0);
        }
        if (!model.mass_matrix.empty())
            solve_mass(column, model.mass_matrix, std::span(state.held).first(free), scratch.mass_solve);
    }
    make_schur(system, model.constraints);
}

// Solves for the multipliers and takes their response out of `vector`.
void remove_response(std::span<Vec3> vector, Scratch& scratch)
{
    ConstraintSystem& system = scratch.constraints;
    const bool agree = solve_schur(system);
    Issue& issue = scratch.constraint_issue;
    for (std::size_t r = 0; r < system.count && issue.kind == IssueKind::none; ++r)
        if (!std::isfinite(system.rhs[r]) || !std::isfinite(system.lambda[r]))
            issue = {.kind = IssueKind::non_finite, .constraint = system.rows[r].constraint};
    if (!agree && issue.kind == IssueKind::none)
        issue = {.kind = IssueKind::conflicting, .constraint = system.conflicting, .other = system.other};
    for (std::size_t r = 0; r < system.count; ++r) {
        const std::vector<Vec3>& column = system.response[r];
        for (std::size_t i = 0; i < column.size(); ++i) vector[i] -= column[i] * system.lambda[r];
    }
}

}  // namespace

void gather_constraints(Scratch& scratch, const Model& model, const State& state, std::span<const Vec3> x,
                        std::span<const Vec3> v, double time)
{
    scratch.constraint_enabled.resize(model.constraints.size());
    for (std::size_t c = 0; c < model.constraints.size(); ++c)
        scratch.constraint_enabled[c] = state.constraints[c].enabled ? 1 : 0;
    gather_rows(scratch.constraints, model.constraints, scratch.constraint_enabled, {x, v, time}, state.held);
}

void constrain_accelerations(Scratch& scratch, const Model& model, const State& state, std::span<const Vec3> x,
                             std::span<const Vec3> v)
{
    ConstraintSystem& system = scratch.constraints;
    gather_constraints(scratch, model, state, x, v, scratch.time);
    scratch.constraint_power = 0;
    if (system.count == 0) return;
    make_responses(scratch, model, state);
    for (std::size_t r = 0; r < system.count; ++r)
        system.rhs[r] = times(system, model.constraints, r, scratch.force) - system.rows[r].target;
    remove_response(scratch.force, scratch);
    for (std::size_t r = 0; r < system.count; ++r)
        scratch.constraint_power -= system.lambda[r] * times(system, model.constraints, r, v);
}

double constrain_velocities(State& to, const Model& model, Scratch& scratch)
{
    ConstraintSystem& system = scratch.constraints;
    gather_constraints(scratch, model, to, to.x, to.v, to.time);
    if (system.count == 0) return 0;
    make_responses(scratch, model, to);
    for (std::size_t r = 0; r < system.count; ++r) {
        const ActiveRow& row = system.rows[r];
        const bool on_velocity = system.row_of(model.constraints, r).on_velocity;
        // H' = J v + dH/dt is to vanish; of a row on velocities H itself, whose slope is by velocities.
        system.rhs[r] = on_velocity ? row.at.value : row.at.rate;
    }
    const double before = energies(model, to).kinetic;
    remove_response(to.v, scratch);
    return before - energies(model, to).kinetic;
}

void find_reactions(Scratch& scratch, const Model& model, const State& state)
{
    scratch.time = state.time;
    list_held(scratch, model, state);
    forces(scratch, model, state, state.x, state.v);
    accelerations(scratch, model, state, state.x, state.v);
    ConstraintSystem& system = scratch.constraints;
    if (system.count == 0) return;
    for (std::size_t r = 0; r < system.count; ++r) {
        const ActiveRow& row = system.rows[r];
        system.rhs[r] += row.target - row.at.target(system.row_of(model.constraints, r).on_velocity, 0);
    }
    solve_schur(system);
}

void add_constraint_forces(std::span<Vec3> force, const Scratch& scratch, const Model& model, const State& state)
{
    const ConstraintSystem& system = scratch.constraints;
    std::vector<Vec3> slope;
    for (std::size_t r = 0; r < system.count; ++r) {
        const ConstraintRow& row = system.row_of(model.constraints, r);
        slope.resize(row.nodes.size());
        evaluate(row, {state.x, state.v, state.time}, slope);
        for (std::size_t i = 0; i < row.nodes.size(); ++i)
            force[static_cast<std::size_t>(row.nodes[i])] -= slope[i] * system.lambda[r];
    }
}

Vec3 reaction(const Scratch& scratch, const Model& model, std::size_t c)
{
    const ConstraintSystem& system = scratch.constraints;
    Vec3 sum;
    for (std::size_t r = 0; r < system.count; ++r) {
        if (system.rows[r].constraint != static_cast<std::int32_t>(c)) continue;
        const auto& nodes = system.row_of(model.constraints, r).nodes;
        for (std::size_t i = 0; i < nodes.size(); ++i)
            if (nodes[i] == model.constraints[c].measured_node) sum -= system.rows[r].slope[i] * system.lambda[r];
    }
    return sum;
}

}  // namespace pliant
