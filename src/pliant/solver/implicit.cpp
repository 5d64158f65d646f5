// SPDX-License-Identifier: MIT
#include <pliant/solver/implicit.h>

#include <algorithm>
#include <cmath>
#include <variant>

#include <pliant/solver/implicit_scratch.h>
#include <pliant/solver/stages.h>

namespace pliant {

namespace {

// Newton's iterations, and the share of the largest velocity change at which they end.
constexpr int kMostIterations = 60;
constexpr double kTolerance = 1e-11;
// Where rounding lets no iteration help any more, this is good enough.
constexpr double kEnough = 1e-7;
constexpr double kRounding = 1e-14;

class ImplicitStep {
public:
    ImplicitStep(State& to, const Model& model, const State& from, double h, Scratch& scratch, double implicitness)
        : to_(to)
        , model_(model)
        , from_(from)
        , h_(h)
        , scratch_(scratch)
        , memory_(*scratch.implicit)
        , t_(implicitness)
    {
    }

    Attempt run()
    {
        if (const ForceSum sum = start(); sum.bad_cavity >= 0) return give_up(inverted(model_, sum));
        ForceSum sum;
        double residual = evaluate(sum), before = residual;
        // Large forces that balance leave their rounding behind, however slowly everything moves.
        const double rounding = kRounding * h_ * from_.history.stiffness_rate * model_.size;
        Attempt attempt;
        for (; attempt.iterations < kMostIterations; ++attempt.iterations) {
            if (sum.bad_cavity >= 0 || !std::isfinite(residual)) break;
            const bool stalls = attempt.iterations > 2 && residual > 0.5 * before;
            if (residual <= std::max(kTolerance * scale_, rounding) || (stalls && residual <= kEnough * scale_)) {
                attempt.residual = residual;
                book(sum);
                return attempt;
            }
            before = residual;
            if (!improve()) break;
            residual = evaluate(sum);
        }
        attempt.issue = {.kind = IssueKind::not_converged, .value = residual};
        return give_up(attempt);
    }

private:
    // Frames are moved once and for all; vertices begin with the velocity they have.
    ForceSum start()
    {
        const ForceSum sum = forces(scratch_, model_, from_, from_.x, from_.v);
        start_power_ = sum.dissipated_power;
        for (std::int32_t i = 0; i < model_.free_count; ++i) {
            memory_.start_force[i] = masked(scratch_.force[i], from_.held[i]);
            scale_ = std::max({scale_, norm(from_.v[i]), h_ * norm(memory_.start_force[i]) * model_.inverse_mass[i]});
        }
        accelerations(scratch_, model_, from_, from_.x, from_.v);
        for (std::int32_t i = 0; i < model_.node_count(); ++i) {
            to_.x[i] = from_.x[i] + from_.v[i] * h_ + scratch_.force[i] * (0.5 * h_ * h_);
            to_.v[i] = i < model_.free_count ? from_.v[i] : from_.v[i] + scratch_.force[i] * h_;
        }
        return sum;
    }

    // Positions that go with the velocities, and the residual M (v' - v) - h f there. Returns the largest
    // residual as a velocity.
    double evaluate(ForceSum& sum)
    {
        for (std::int32_t i = 0; i < model_.free_count; ++i)
            to_.x[i] = from_.x[i] + (from_.v[i] * (1 - t_) + to_.v[i] * t_) * h_;
        place_stage(to_, model_);
        sum = forces(scratch_, model_, from_, to_.x, to_.v);
        double worst = 0;
        for (std::int32_t i = 0; i < model_.free_count; ++i) {
            const Vec3 force = memory_.start_force[i] * (1 - t_) + scratch_.force[i] * t_;
            const Vec3 off = force * h_ - (to_.v[i] - from_.v[i]) * model_.mass[i];
            memory_.residual[i] = masked(off, from_.held[i]);
            const double speed = norm(memory_.residual[i]) * model_.inverse_mass[i];
            if (!(speed <= worst)) worst = speed;
        }
        return worst;
    }

    bool improve()
    {
        fill_matrix();
        const LinearResult solved =
            conjugate_gradients(memory_.change, memory_.matrix, memory_.residual,
                                std::span(from_.held).first(static_cast<std::size_t>(model_.free_count)),
                                {.tolerance = 1e-10, .most_iterations = 10000}, memory_.linear);
        if (solved.status == LinearStatus::indefinite) return false;
        for (std::int32_t i = 0; i < model_.free_count; ++i) to_.v[i] += masked(memory_.change[i], from_.held[i]);
        return true;
    }

    void fill_matrix()
    {
        const double stiff = h_ * h_ * t_ * t_, viscous = h_ * t_;
        BlockMatrix& A = memory_.matrix;
        set_zero(A);
        for (std::int32_t i = 0; i < model_.free_count; ++i)
            // A pinned vertex may have no mass; its equation is not asked for.
            A.diagonal(i) += identity3<double>() * (model_.mass[i] > 0 ? model_.mass[i] : 1);
        for (std::size_t t = 0; t < model_.terms.size(); ++t)
            std::visit(
                [&](const auto& elements) {
                    using E = typename std::decay_t<decltype(elements)>::Parameters;
                    const E& live = std::get<E>(from_.live[t]);
                    const auto& map = std::get<ScatterMap<E::nodes>>(memory_.maps[t]);
                    const auto inner = inner_of(model_, from_, t);
                    add_hessian(A, map, elements, live, to_.x, stiff, DiagonalOf::stiffness, inner);
                    add_hessian(A, map, elements, live, to_.x, viscous, DiagonalOf::damping, inner);
                },
                model_.terms[t]);
        for (std::size_t r = 0; r < model_.radials.size(); ++r) add_radial(r);
        for (std::size_t b = 0; b < model_.bodies.size(); ++b) {
            const BodyDrag drag = body_drag(from_, b);
            if (!drag.acts() || model_.bodies[b].is_rigid()) continue;
            const NodeRange range = mass_nodes(model_, model_.bodies[b]);
            for (std::int32_t i = range.first; i < range.first + range.count; ++i)
                A.diagonal(i) += identity3<double>() * (viscous * (drag.drag + drag.damping * model_.mass[i]));
        }
    }

    // The block of a vertex on its radial spring, without what a compressed one takes away across.
    void add_radial(std::size_t index)
    {
        const RadialSprings& springs = model_.radials[index];
        const Radial& live = from_.radials[index];
        const std::span<const double> extension = extension_of(model_, from_, index);
        if (!live.enabled) return;
        const Vec3 c = center(springs, to_.x);
        for (std::size_t i = 0; i < springs.rest.size(); ++i) {
            const Vec3 r = to_.x[springs.first + i] - c;
            const double length = norm(r);
            if (!(length > 0)) continue;
            const Vec3 n = r / length;
            const double across = std::max(0.0, live.k_r * (1 - (springs.rest[i] + extension[i]) / length));
            const double stiff = h_ * h_ * t_ * t_, along = live.k_r - across;
            memory_.matrix.diagonal(springs.first + static_cast<std::int32_t>(i)) +=
                identity3<double>() * (stiff * across) + outer(n, n) * (stiff * along + h_ * t_ * live.k_d);
            if (springs.kind == CenterKind::free)
                memory_.matrix.diagonal(springs.center_point) += identity3<double>() * (stiff * live.k_r);
        }
    }

    void book(const ForceSum& end)
    {
        to_.ledger.viscous += h_ * ((1 - t_) * start_power_ + t_ * end.dissipated_power);
        finish(to_, model_, from_, h_);
    }

    Attempt give_up(Attempt attempt) const
    {
        constexpr double kShortest = 1e-6;
        attempt.accepted = false;
        attempt.retry_h = h_ / 2 > kShortest * from_.solver.step ? h_ / 2 : 0;
        return attempt;
    }

    State& to_;
    const Model& model_;
    const State& from_;
    double h_;
    Scratch& scratch_;
    ImplicitScratch& memory_;
    double t_;
    double start_power_ = 0, scale_ = 1e-300;
};

}  // namespace

ImplicitScratch::ImplicitScratch(const Model& model)
    : start_force(model.free_count)
    , residual(model.free_count)
    , change(model.free_count)
{
    BlockPattern pattern(model.free_count);
    for (const Term& term : model.terms)
        std::visit([&](const auto& elements) { pattern.add(elements.stencils); }, term);
    matrix = pattern.matrix();
    for (const Term& term : model.terms)
        std::visit([&](const auto& elements) { maps.emplace_back(scatter_map(matrix, elements.stencils)); }, term);
    linear.size_for(matrix);
}

Attempt advance_implicit(State& to, const Model& model, const State& from, double h, Scratch& scratch,
                         double implicitness)
{
    if (!scratch.implicit) scratch.implicit = std::make_shared<ImplicitScratch>(model);
    return ImplicitStep(to, model, from, h, scratch, implicitness).run();
}

}  // namespace pliant
