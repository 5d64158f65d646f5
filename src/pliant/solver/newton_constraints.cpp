// SPDX-License-Identifier: MIT
#include <pliant/solver/newton.h>

// Newton's method under constraints: see newton.h.

#include <algorithm>
#include <cmath>
#include <limits>

#include <pliant/solver/constraints.h>
#include <pliant/solver/stages.h>

namespace pliant {

// Multipliers begin where the last step left them.
void Newton::start_constraints()
{
    NewtonConstraints& k = memory_.constraints;
    gather_constraints(scratch_, model_, from_, to_.x, from_.v, rule_.stage_time);
    const ConstraintSystem& active = scratch_.constraints;
    for (auto* numbers : {&k.lambda, &k.lambda_before, &k.lambda_step}) numbers->assign(active.count, 0.0);
    for (std::size_t r = 0; r < active.count; ++r) {
        const ActiveRow& row = active.rows[r];
        const std::size_t first = model_.constraints[static_cast<std::size_t>(row.constraint)].first_row;
        k.lambda[r] = from_.multipliers[first + static_cast<std::size_t>(row.row)];
    }
}

// Slopes at the stage, where forces act, and values at the end; takes the forces out of downhill.
void Newton::evaluate_constraints()
{
    if (!is_constrained()) return;
    NewtonConstraints& k = memory_.constraints;
    gather_rows(k.stage, model_.constraints, scratch_.constraint_enabled, {to_.x, to_.v, rule_.stage_time}, from_.held);
    k.end_x.resize(free_);
    for (std::size_t i = 0; i < free_; ++i) k.end_x[i] = to_.x[i] * rule_.reach + from_.x[i] * (1 - rule_.reach);
    gather_rows(k.end, model_.constraints, scratch_.constraint_enabled, {k.end_x, to_.v, rule_.end_time}, from_.held);
    for (std::size_t r = 0; r < k.end.count; ++r)
        if (k.stage.row_of(model_.constraints, r).on_velocity) k.end.rows[r] = k.stage.rows[r];
    std::copy(k.lambda.begin(), k.lambda.end(), k.stage.lambda.begin());
    add_forces(memory_.downhill, k.stage, model_.constraints, -1);
}

// A body that nothing but constraints holds has a singular matrix at rest. Along a row nothing moves anyway, so
// stiffness there changes no solution; where a row joins several nodes it costs iterations.
void Newton::stiffen_constrained_nodes()
{
    const ConstraintSystem& stage = memory_.constraints.stage;
    for (std::size_t r = 0; r < stage.count; ++r) {
        const auto& nodes = stage.row_of(model_.constraints, r).nodes;
        for (std::size_t i = 0; i < nodes.size(); ++i) {
            const Vec3& slope = stage.rows[r].slope[i];
            Mat3& block = memory_.matrix.diagonal(nodes[i]);
            const double stiffness = (block.m[0][0] + block.m[1][1] + block.m[2][2]) / 3;
            if (norm2(slope) > 0) block += outer(slope, slope) * (stiffness / norm2(slope));
        }
    }
}

// W = A^-1 J^T by a solve for each row.
bool Newton::make_responses()
{
    if (!is_constrained()) return true;
    NewtonConstraints& k = memory_.constraints;
    const LinearOptions options{.tolerance = 1e-5, .most_iterations = 2000};
    if (k.stage.response.size() < k.stage.count) k.stage.response.resize(k.stage.count);
    for (std::size_t r = 0; r < k.stage.count; ++r) {
        std::vector<Vec3>& push = memory_.trial;
        std::fill(push.begin(), push.end(), Vec3{});
        const auto& nodes = k.stage.row_of(model_.constraints, r).nodes;
        for (std::size_t i = 0; i < nodes.size(); ++i)
            push[static_cast<std::size_t>(nodes[i])] = k.stage.rows[r].slope[i];
        k.stage.response[r].resize(free_);
        const LinearResult solved = bordered_conjugate_gradients(k.stage.response[r], memory_.matrix, {}, push,
                                                                 memory_.preconditioner, options, memory_.linear);
        if (solved.status == LinearStatus::indefinite) return false;
    }
    return true;
}

// Takes out of the free direction what would break the linearised constraints at the end of the step.
void Newton::constrain_direction()
{
    if (!is_constrained()) return;
    NewtonConstraints& k = memory_.constraints;
    ConstraintSystem& end = k.end;
    for (std::size_t r = 0; r < end.count; ++r) {
        // By how much a way of the stage changes the row.
        const double factor = end.row_of(model_.constraints, r).on_velocity ? rule_.c : rule_.reach;
        for (std::size_t s = 0; s < end.count; ++s)
            end.schur[r * end.count + s] = factor * times(end, model_.constraints, r, k.stage.response[s]);
        end.rhs[r] = factor * times(end, model_.constraints, r, memory_.direction) + end.rows[r].at.value;
    }
    solve_general(end);
    k.lambda_before = k.lambda;
    k.lambda_step = end.lambda;
    for (std::size_t r = 0; r < end.count; ++r)
        for (std::size_t i = 0; i < free_; ++i) memory_.direction[i] -= k.stage.response[r][i] * end.lambda[r];
}

void Newton::walk_multipliers(double part)
{
    NewtonConstraints& k = memory_.constraints;
    if (!is_constrained() || k.lambda_step.size() != k.lambda.size()) return;
    for (std::size_t r = 0; r < k.lambda.size(); ++r) k.lambda[r] = k.lambda_before[r] + part * k.lambda_step[r];
}

// How far the rows are from holding, as a way of their nodes [m]; of rows on velocities per step. A row that nothing
// can move and that does not hold is infinitely far.
double Newton::violation() const
{
    double worst = 0;
    if (is_constrained())
        for (std::size_t r = 0; r < memory_.constraints.end.count; ++r) {
            const double way = row_violation(r);
            if (!(way <= worst)) worst = way;
        }
    return worst;
}

double Newton::row_violation(std::size_t r) const
{
    const ConstraintSystem& end = memory_.constraints.end;
    double slope2 = 0;
    for (const Vec3& s : end.rows[r].slope) slope2 += norm2(s);
    const double scale = end.row_of(model_.constraints, r).on_velocity ? rule_.c : 1;
    const double value = std::abs(end.rows[r].at.value);
    if (slope2 > 0) return value / (std::sqrt(slope2) * scale);
    return value <= 1e-10 * model_.size ? 0 : std::numeric_limits<double>::infinity();
}

std::int32_t Newton::worst_constraint() const
{
    std::int32_t worst = -1;
    double most = 1e-10 * model_.size;
    if (is_constrained())
        for (std::size_t r = 0; r < memory_.constraints.end.count; ++r)
            if (!(row_violation(r) <= most))
                most = row_violation(r), worst = memory_.constraints.end.rows[r].constraint;
    return worst;
}

void Newton::keep_multipliers()
{
    if (!is_constrained()) return;
    const NewtonConstraints& k = memory_.constraints;
    std::fill(to_.multipliers.begin(), to_.multipliers.end(), 0.0);
    for (std::size_t r = 0; r < k.end.count; ++r) {
        const ActiveRow& row = k.end.rows[r];
        const std::size_t first = model_.constraints[static_cast<std::size_t>(row.constraint)].first_row;
        to_.multipliers[first + static_cast<std::size_t>(row.row)] = k.lambda[r];
    }
}

// Only time moves a constraint that holds: what the row changes by it, its force has done. A row on velocities pushes along
// the way itself.
double Newton::constraint_work(std::span<const Vec3> to, std::span<const Vec3> from) const
{
    if (!is_constrained()) return 0;
    const NewtonConstraints& k = memory_.constraints;
    double work = 0;
    for (std::size_t r = 0; r < k.stage.count; ++r) {
        const ConstraintRow& row = k.stage.row_of(model_.constraints, r);
        if (row.on_velocity)
            work -=
                k.lambda[r] * (times(k.stage, model_.constraints, r, to) - times(k.stage, model_.constraints, r, from));
        else if (row.formula.depends_on_time())
            work += k.lambda[r] *
                    (value_of(row, {k.end_x, to_.v, rule_.end_time}) - value_of(row, {k.end_x, to_.v, from_.time}));
    }
    return work;
}

}  // namespace pliant
