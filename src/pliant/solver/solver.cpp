// SPDX-License-Identifier: MIT
#include <pliant/solver/solver.h>

#include <algorithm>
#include <variant>

#include <pliant/solver/explicit.h>
#include <pliant/solver/implicit.h>
#include <pliant/solver/length_projection.h>
#include <pliant/solver/stages.h>
#include <pliant/solver/vbd.h>
#include <pliant/solver/xpbd.h>

namespace pliant {

namespace {

Attempt advance_by_kind(State& to, const Model& model, const State& from, double h, Scratch& scratch)
{
    switch (from.solver.kind) {
    case SolverKind::euler:
        return advance_euler(to, model, from, h, scratch);
    case SolverKind::semi_implicit_euler:
    case SolverKind::finite_differences:
        return advance_semi_implicit_euler(to, model, from, h, scratch);
    case SolverKind::velocity_verlet:
        return advance_velocity_verlet(to, model, from, h, scratch);
    case SolverKind::central_differences:
        return advance_central_differences(to, model, from, h, scratch);
    case SolverKind::position_verlet:
        return advance_position_verlet(to, model, from, h, scratch);
    case SolverKind::midpoint:
        return advance_midpoint(to, model, from, h, scratch);
    case SolverKind::heun:
        return advance_heun(to, model, from, h, scratch);
    case SolverKind::rkf45:
        return advance_rkf45(to, model, from, h, scratch);
    case SolverKind::thesis_listed_rk4:
        return advance_thesis_listed_rk4(to, model, from, h, scratch);
    case SolverKind::implicit_euler:
    case SolverKind::trapezoidal:
    case SolverKind::implicit_midpoint:
    case SolverKind::bdf2:
    case SolverKind::linearly_implicit_euler:
        return advance_implicit(to, model, from, h, scratch);
    case SolverKind::static_balance:
        return advance_static(to, model, from, h, scratch);
    case SolverKind::projection:
        return advance_projection(to, model, from, h, scratch);
    case SolverKind::xpbd:
        return advance_xpbd(to, model, from, h, scratch);
    case SolverKind::vbd:
        return advance_vbd(to, model, from, h, scratch);
    case SolverKind::rk4:
        break;
    }
    return advance_rk4(to, model, from, h, scratch);
}

}  // namespace

Attempt advance(State& to, const Model& model, const State& from, double h, Scratch& scratch)
{
    copy_all_but_motion(to, from);
    list_held(scratch, model, from);
    scratch.time = from.time;
    scratch.constraint_power = 0;
    scratch.constraint_issue = {};
    Attempt attempt = advance_by_kind(to, model, from, h, scratch);
    if (scratch.constraint_issue.kind == IssueKind::none) return attempt;
    attempt.accepted = false;
    attempt.retry_h = 0;
    attempt.issue = scratch.constraint_issue;
    return attempt;
}

void size_scratch(Scratch& scratch, const Model& model, const State& state)
{
    scratch.to = state;
    scratch.force.resize(model.point_count());
    scratch.volume_gradient.resize(model.cavities.empty() ? 0 : model.point_count());
    scratch.sum_x.resize(model.node_count());
    scratch.sum_v.resize(model.node_count());
    scratch.diagonal.resize(model.free_count);
    scratch.held_nodes.reserve(model.free_count);
    scratch.marked.resize(model.holds.empty() ? 0 : model.free_count);
    std::size_t windows = 0;
    for (const Term& term : model.terms)
        std::visit([&](const auto& elements) { windows = std::max(windows, elements.stencils.window_size); }, term);
    for (const Cavity& cavity : model.cavities) windows = std::max(windows, cavity.faces.window_size);
    scratch.windows.resize(windows);
    constexpr std::size_t kContactsFromTheStart = 1024;
    scratch.contacts.reserve(kContactsFromTheStart);
    scratch.contact_rows.reserve(kContactsFromTheStart);
}

}  // namespace pliant
