// SPDX-License-Identifier: MIT
#include <pliant/solver/implicit.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include <pliant/model/held_motion.h>
#include <pliant/solver/constraints.h>
#include <pliant/solver/newton.h>
#include <pliant/solver/stages.h>

namespace pliant {

namespace {

// A step or part of a load this much shorter than asked for is hopeless.
constexpr double kShortest = 1e-6;

// bdf2 with a step more than this times the one before is on the edge of stability.
constexpr double kMostGrowth = 2.4;

void make_memory(Scratch& scratch, const Model& model)
{
    if (!scratch.implicit) scratch.implicit.make(model);
}

// One step of one of the rules.
class ImplicitStep {
public:
    ImplicitStep(State& to, const Model& model, const State& from, double h, Scratch& scratch)
        : to_(to)
        , model_(model)
        , from_(from)
        , scratch_(scratch)
        , memory_(*scratch.implicit)
        , h_(h)
        , kind_(kind_of(from, h))
    {
    }

    Attempt run()
    {
        if (needs_start()) {
            const ForceSum start = forces(scratch_, model_, from_, from_.x, from_.v);
            if (start.bad_cavity >= 0) return inverted(model_, start);
            start_power_ = start.dissipated_power;
            accelerations(scratch_, model_, from_, from_.x, from_.v);
            std::copy_n(scratch_.force.begin(), model_.free_count, memory_.start.begin());
        }
        Rule rule = prepare();
        rule.end_time = rule.stage_time = from_.time + h_;
        if (is(SolverKind::implicit_midpoint)) rule.stage_time = from_.time + h_ / 2, rule.reach = 2;
        Newton newton(to_, model_, from_, scratch_, rule);
        if (!newton.meets()) guess(), move_frames();
        Attempt attempt = newton.meets()                                             ? newton.run_in_contact()
                          : from_.solver.kind == SolverKind::linearly_implicit_euler ? newton.run_once()
                                                                                     : newton.run();
        if (!attempt.accepted) {
            attempt.retry_h = h_ / 2 > kShortest * from_.solver.step ? h_ / 2 : 0;
            return attempt;
        }
        if (from_.solver.adaptive) judge_error(attempt, newton, rule);
        if (attempt.accepted) end(newton);
        if (attempt.accepted && newton.meets()) newton.end_contacts(h_);
        return attempt;
    }

private:
    static SolverKind kind_of(const State& from, double h)
    {
        if (from.solver.kind == SolverKind::linearly_implicit_euler) return SolverKind::implicit_euler;
        if (from.solver.kind != SolverKind::bdf2) return from.solver.kind;
        const double before = from.history.before_h;
        if (before > 0 && h < kMostGrowth * before) return SolverKind::bdf2;
        // The tolerance would make a first step of order one tiny.
        return from.solver.adaptive ? SolverKind::trapezoidal : SolverKind::implicit_euler;
    }

    bool is(SolverKind kind) const { return kind_ == kind; }

    bool needs_start() const
    {
        return is(SolverKind::trapezoidal) || is(SolverKind::bdf2) || from_.solver.adaptive || model_.frame_count > 0;
    }

    // y and z of the rule.
    Rule prepare()
    {
        if (is(SolverKind::bdf2)) return prepare_bdf2();
        const double s = is(SolverKind::implicit_euler) ? h_ : h_ / 2;
        for (std::int32_t i = 0; i < model_.free_count; ++i) {
            memory_.z[i] = from_.x[i];
            memory_.y[i] = from_.x[i] + from_.v[i] * s;
            if (!is(SolverKind::trapezoidal)) continue;
            memory_.z[i] = memory_.y[i];
            memory_.y[i] = from_.x[i] + from_.v[i] * h_ + memory_.start[i] * (h_ * h_ / 4);
        }
        return {1 / (s * s), 1 / s};
    }

    Rule prepare_bdf2()
    {
        const double r = h_ / from_.history.before_h;
        const double c = (1 + 2 * r) / ((1 + r) * h_), b = (1 + r) / h_, a = r * r / ((1 + r) * h_);
        for (std::int32_t i = 0; i < model_.free_count; ++i) {
            memory_.z[i] = (from_.x[i] * b - from_.x_before[i] * a) / c;
            const Vec3 w = (from_.v[i] * b - from_.v_before[i] * a) / c;
            memory_.y[i] = memory_.z[i] + w / c;
        }
        return {c * c, c};
    }

    // The stage as the last step's acceleration would have it. Held coordinates go where their velocity carries them.
    void guess()
    {
        const double s = is(SolverKind::implicit_midpoint) ? h_ / 2 : h_;
        // Linearised where the step begins; otherwise with the acceleration of the last step.
        const bool is_linear = from_.solver.kind == SolverKind::linearly_implicit_euler;
        // With loose accuracy that acceleration is noise, and following it blows up.
        const bool goes_on = from_.history.before_h > 0 && !is_linear && from_.solver.accuracy < kLooseAccuracy;
        for (std::int32_t i = 0; i < model_.free_count; ++i) {
            to_.x[i] = from_.x[i] + (is_linear ? from_.v[i] - masked(from_.v[i], from_.held[i]) : from_.v[i]) * s;
            if (!goes_on) continue;
            const Vec3 a = (from_.v[i] - from_.v_before[i]) / from_.history.before_h;
            to_.x[i] += masked(a, from_.held[i]) * (is(SolverKind::trapezoidal) ? s * s / 2 : s * s);
        }
        carry_held(to_.x, to_.v, model_, from_, s, CarriedKind::accelerated);
    }

    void move_frames()
    {
        for (std::int32_t i = model_.free_count; i < model_.node_count(); ++i) {
            to_.x[i] = from_.x[i] + from_.v[i] * h_ + scratch_.force[i] * (0.5 * h_ * h_);
            to_.v[i] = from_.v[i] + scratch_.force[i] * h_;
        }
    }

    // Local error of positions: a multiple of h^2 times the change of acceleration, or for implicit_euler of h times that
    // of velocity, smoothed.
    double largest_error(Newton& newton, const Rule& rule)
    {
        const double share = is(SolverKind::implicit_midpoint) ? 1.0 / 6 : is(SolverKind::bdf2) ? 2.0 / 9 : 1.0 / 12;
        const std::span<Vec3> error = memory_.trial;
        for (std::int32_t i = 0; i < model_.free_count; ++i) {
            const Vec3 change = (to_.x[i] - memory_.y[i]) * rule.inertia - memory_.start[i];
            error[i] = is(SolverKind::implicit_euler) ? (to_.v[i] - from_.v[i]) * (h_ / 2) : change * (share * h_ * h_);
            error[i] = masked(error[i], from_.held[i]);
        }
        // That of implicit_euler is bounded as it is: smoothed once more, a swinging mode would be taken for a settled one.
        if (!is(SolverKind::implicit_euler)) newton.smooth(error);
        double worst = 0;
        for (const Vec3& e : error) {
            if (!is_finite(e)) return std::numeric_limits<double>::infinity();
            worst = std::max(worst, norm(e));
        }
        return worst;
    }

    // As in rkf45: accepted when the error per second is within the tolerance; half of it is aimed at.
    void judge_error(Attempt& attempt, Newton& newton, const Rule& rule)
    {
        constexpr double kShrink = 0.2, kGrow = 2;
        const double error = largest_error(newton, rule) / (h_ * model_.size), tolerance = from_.solver.tolerance;
        const double power = is(SolverKind::implicit_euler) ? 1.0 : 0.5;
        const double ideal = error > 0 ? std::pow(tolerance / (2 * error), power) : kGrow;
        const double next = h_ * (std::isfinite(ideal) ? std::clamp(ideal, kShrink, kGrow) : kShrink);
        if (error <= tolerance) {
            // A step cut short by a frame says little about how long the next one may be.
            const double hoped = from_.history.adaptive_step;
            const bool was_cut = h_ < 0.999 * hoped && ideal >= 1;
            to_.history.adaptive_step = was_cut ? std::max(next, hoped) : next;
            return;
        }
        attempt.accepted = false;
        attempt.retry_h = next < kShortest * from_.solver.step ? 0 : next;
        attempt.issue = {.kind = IssueKind::not_converged, .value = next};
    }

    void end(const Newton& newton)
    {
        const double stage_power = newton.dissipated_power();
        const bool is_mean = is(SolverKind::trapezoidal) || is(SolverKind::bdf2);
        to_.ledger.viscous += h_ * (is_mean ? 0.5 * (start_power_ + stage_power) : stage_power);
        for (std::int32_t i = 0; i < model_.free_count; ++i) {
            if (is(SolverKind::implicit_midpoint))
                to_.x[i] = to_.x[i] * 2.0 - from_.x[i], to_.v[i] = to_.v[i] * 2.0 - from_.v[i];
            for (int k = 0; k < 3; ++k)
                if (from_.held[i] >> k & 1) to_.v[i][k] = from_.v[i][k];
        }
        to_.x_before.assign(from_.x.begin(), from_.x.begin() + model_.free_count);
        to_.v_before.assign(from_.v.begin(), from_.v.begin() + model_.free_count);
        to_.history.before_h = h_;
        finish(to_, model_, from_, h_);
        if (!model_.constraints.empty()) end_constraints(newton);
    }

    // What a constraint that has just begun to hold takes from the motion is an impact; later it is the integrator's error.
    void end_constraints(const Newton& newton)
    {
        to_.ledger.external += newton.constraint_work(to_.x, from_.x);
        const double lost = constrain_velocities(to_, model_, scratch_);
        if (from_.history.before_h == 0) to_.ledger.impact += lost;
    }

    State& to_;
    const Model& model_;
    const State& from_;
    Scratch& scratch_;
    ImplicitScratch& memory_;
    double h_;
    SolverKind kind_;
    double start_power_ = 0;
};

}  // namespace

Attempt advance_implicit(State& to, const Model& model, const State& from, double h, Scratch& scratch)
{
    make_memory(scratch, model);
    return ImplicitStep(to, model, from, h, scratch).run();
}

Attempt advance_static(State& to, const Model& model, const State& from, double h, Scratch& scratch)
{
    make_memory(scratch, model);
    ImplicitScratch& memory = *scratch.implicit;
    for (std::int32_t i = 0; i < model.node_count(); ++i) to.x[i] = from.x[i], to.v[i] = {};
    carry_held(to.x, to.v, model, from, h, CarriedKind::all);
    for (std::int32_t i = 0; i < model.free_count; ++i) memory.y[i] = memory.z[i] = from.x[i];
    // Loads are raised in parts: the whole at once, or as much as still converges.
    Attempt all;
    double done = 0, part = 1;
    while (done < 1) {
        scratch.load_factor = std::min(1.0, done + part);
        for (std::int32_t i = 0; i < model.free_count; ++i) scratch.sum_x[i] = to.x[i];
        Newton newton(to, model, from, scratch, {.stage_time = from.time + h, .end_time = from.time + h});
        const Attempt attempt = newton.run();
        all.iterations += attempt.iterations;
        all.residual = attempt.residual;
        if (attempt.accepted) {
            done = scratch.load_factor, part *= 2;
            continue;
        }
        for (std::int32_t i = 0; i < model.free_count; ++i) to.x[i] = scratch.sum_x[i];
        part /= 2;
        if (part > kShortest) continue;
        all.accepted = false;
        all.issue = attempt.issue;
        break;
    }
    scratch.load_factor = 1;
    finish(to, model, from, h);
    for (std::int32_t i = 0; i < model.point_count(); ++i) to.v[i] = {};
    return all;
}

}  // namespace pliant
