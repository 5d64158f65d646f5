// SPDX-License-Identifier: MIT
#include <pliant/solver/implicit.h>

#include <algorithm>
#include <cmath>
#include <variant>

#include <pliant/solver/implicit_scratch.h>
#include <pliant/solver/stages.h>

namespace pliant {

namespace {

constexpr int kMostIterations = 60, kMostHalvings = 12, kIterationsPerRefresh = 4;
// A step or part of a load this much shorter than asked for is hopeless.
constexpr double kShortest = 1e-6;

BlockMatrix matrix_of(const Model& model)
{
    BlockPattern pattern(model.free_count);
    for (const Term& term : model.terms)
        std::visit([&](const auto& elements) { pattern.add(elements.stencils); }, term);
    return pattern.matrix();
}

// What a rule minimises, see implicit.h.
struct Rule {
    double inertia = 0;  // 1/s^2 [1/s^2]
    double c = 0;        // [1/s]
};

class Newton {
public:
    Newton(State& to, const Model& model, const State& from, Scratch& scratch, const Rule& rule)
        : to_(to)
        , model_(model)
        , from_(from)
        , scratch_(scratch)
        , memory_(*scratch.implicit)
        , rule_(rule)
        , free_(static_cast<std::size_t>(model.free_count))
    {
    }

    /// From the guess in to.x to the minimum; leaves v of the stage in to.v.
    Attempt run()
    {
        Attempt attempt;
        // A last way of d leaves velocities wrong by c d, which a second of motion adds up.
        const double enough = from_.solver.accuracy * model_.size * (rule_.c > 0 ? std::min(1.0, 1 / rule_.c) : 1.0);
        if (!evaluate()) return failed(attempt);
        for (; attempt.iterations < kMostIterations; ++attempt.iterations) {
            if (largest_downhill() <= rounding()) return attempt;
            if (!find_direction(attempt.iterations)) return failed(attempt);
            const double moved = walk(inner(memory_.downhill, memory_.direction));
            if (!(moved >= 0)) return failed(attempt);
            attempt.residual = moved;
            if (moved <= enough) {
                ++attempt.iterations;
                return attempt;
            }
        }
        return failed(attempt);
    }

    double dissipated_power() const { return sum_.dissipated_power; }
    const ForceSum& sum() const { return sum_; }

private:
    double inner(const std::vector<Vec3>& a, const std::vector<Vec3>& b) const
    {
        double sum = 0;
        for (std::size_t i = 0; i < free_; ++i) sum += dot(a[i], b[i]);
        return sum;
    }

    // Velocities and the negative gradient at to.x; false when some cavity is not open.
    bool evaluate()
    {
        for (std::size_t i = 0; i < free_; ++i) to_.v[i] = (to_.x[i] - memory_.z[i]) * rule_.c;
        place_stage(to_, model_);
        sum_ = forces(scratch_, model_, from_, to_.x, to_.v);
        if (sum_.bad_cavity >= 0) return false;
        for (std::size_t i = 0; i < free_; ++i) {
            const Vec3 pull = (memory_.y[i] - to_.x[i]) * (model_.mass[i] * rule_.inertia);
            memory_.downhill[i] = masked(scratch_.force[i] + pull, from_.held[i]);
        }
        return true;
    }

    double largest_downhill() const
    {
        double worst = 0;
        for (std::size_t i = 0; i < free_; ++i) {
            const double size = norm2(memory_.downhill[i]);
            if (!(size <= worst)) worst = size;
        }
        return std::sqrt(worst);
    }

    // Large forces that balance leave their rounding behind, however still everything is.
    double rounding() const
    {
        const double stiffest = from_.history.stiffness_rate + rule_.inertia;
        double heaviest = 0;
        for (std::size_t i = 0; i < free_; ++i) heaviest = std::max(heaviest, model_.mass[i]);
        return 1e-15 * stiffest * heaviest * model_.size;
    }

    bool find_direction(int iteration)
    {
        fill_matrix();
        cut_out_held(memory_.matrix, std::span(from_.held).first(free_));
        fill_borders();
        const auto held = std::span(from_.held).first(free_);
        // Short steps are ruled by inertia: a handful of plain iterations costs less than setting up the coarse levels.
        constexpr double kInertial = 300;
        const bool needs_levels = !(from_.history.stiffness_rate < kInertial * rule_.inertia);
        if (needs_levels &&
            memory_.multigrid.refresh(memory_.matrix, held, iteration % kIterationsPerRefresh == 0) >= 0)
            return false;
        // Directions need not be sharp: what one misses, the next iteration sees.
        const LinearOptions options{.tolerance = 1e-2, .most_iterations = 2000};
        const LinearResult solved =
            bordered_conjugate_gradients(memory_.direction, memory_.matrix, memory_.borders, memory_.downhill,
                                         needs_levels ? &memory_.multigrid : nullptr, options, memory_.linear);
        return solved.status != LinearStatus::indefinite;
    }

    // Goes along the direction as far as the force along it does not point back by more than half of what it
    // was; returns the longest way of a vertex [m], or -1.
    double walk(double slope)
    {
        for (std::size_t i = 0; i < free_; ++i) memory_.trial[i] = to_.x[i];
        double part = 1;
        for (int halving = 0; halving < kMostHalvings; ++halving, part /= 2) {
            double longest = 0;
            for (std::size_t i = 0; i < free_; ++i) {
                const Vec3 way = memory_.direction[i] * part;
                to_.x[i] = memory_.trial[i] + way;
                longest = std::max(longest, norm2(way));
            }
            if (!std::isfinite(longest) || !evaluate()) continue;
            const double back = -inner(memory_.downhill, memory_.direction);
            if (back <= 0.5 * slope) return std::sqrt(longest);
            if (!(slope > 0)) return -1;
        }
        return -1;
    }

    void fill_matrix()
    {
        BlockMatrix& A = memory_.matrix;
        set_zero(A);
        for (std::size_t i = 0; i < free_; ++i)
            A.diagonal(static_cast<std::int32_t>(i)) += identity3<double>() * (model_.mass[i] * rule_.inertia);
        for (std::size_t t = 0; t < model_.terms.size(); ++t)
            std::visit(
                [&](const auto& elements) {
                    using E = typename std::decay_t<decltype(elements)>::Parameters;
                    const E& live = std::get<E>(from_.live[t]);
                    const auto& map = std::get<ScatterMap<E::nodes>>(memory_.maps[t]);
                    const auto inner = inner_of(model_, from_, t);
                    add_hessian(A, map, elements, live, to_.x, 1, DiagonalOf::stiffness, inner);
                    if (rule_.c > 0 && is_damped(live))
                        add_hessian(A, map, elements, live, to_.x, rule_.c, DiagonalOf::damping, inner);
                },
                model_.terms[t]);
        for (std::size_t r = 0; r < model_.radials.size(); ++r) add_radial(r);
        for (std::size_t b = 0; b < model_.bodies.size(); ++b) {
            const BodyDrag drag = body_drag(from_, b);
            if (!drag.acts() || model_.bodies[b].is_rigid()) continue;
            const NodeRange range = mass_nodes(model_, model_.bodies[b]);
            for (std::int32_t i = range.first; i < range.first + range.count; ++i)
                A.diagonal(i) += identity3<double>() * (rule_.c * (drag.drag + drag.damping * model_.mass[i]));
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
            memory_.matrix.diagonal(springs.first + static_cast<std::int32_t>(i)) +=
                identity3<double>() * across + outer(n, n) * (live.k_r - across + rule_.c * live.k_d);
            if (springs.kind == CenterKind::free)
                memory_.matrix.diagonal(springs.center_point) += identity3<double>() * live.k_r;
        }
    }

    void fill_borders()
    {
        for (std::size_t c = 0; c < model_.cavities.size(); ++c) {
            BorderRow& row = memory_.borders[c];
            std::fill(row.gradient.begin(), row.gradient.end(), Vec3{});
            row.stiffness = 0;
            if (!from_.gas[c].enabled) continue;
            const double V = add_volume_gradient(row.gradient, model_.cavities[c], to_.x, scratch_.windows);
            row.stiffness = std::max(0.0, gas_stiffness(from_.gas[c], V));
            for (std::size_t i = 0; i < free_; ++i) row.gradient[i] = masked(row.gradient[i], from_.held[i]);
        }
    }

    Attempt failed(Attempt attempt) const
    {
        attempt.accepted = false;
        attempt.issue = sum_.bad_cavity >= 0 ? inverted(model_, sum_).issue : Issue{.kind = IssueKind::not_converged};
        return attempt;
    }

    State& to_;
    const Model& model_;
    const State& from_;
    Scratch& scratch_;
    ImplicitScratch& memory_;
    Rule rule_;
    std::size_t free_;
    ForceSum sum_;
};

void make_memory(Scratch& scratch, const Model& model, const State& from)
{
    if (!scratch.implicit) scratch.implicit = std::make_shared<ImplicitScratch>(model, from);
}

}  // namespace

ImplicitScratch::ImplicitScratch(const Model& model, const State& state)
    : matrix(matrix_of(model))
    , multigrid(matrix, std::span(state.x).first(static_cast<std::size_t>(model.free_count)))
    , borders(model.cavities.size())
{
    for (const Term& term : model.terms)
        std::visit([&](const auto& elements) { maps.emplace_back(scatter_map(matrix, elements.stencils)); }, term);
    for (BorderRow& row : borders) row.gradient.resize(model.point_count());
    linear.size_for(matrix);
    for (auto* values : {&y, &z, &downhill, &direction, &trial}) values->resize(model.free_count);
}

Attempt advance_implicit(State& to, const Model& model, const State& from, double h, Scratch& scratch)
{
    make_memory(scratch, model, from);
    ImplicitScratch& memory = *scratch.implicit;
    const SolverKind kind = from.solver.kind;
    const bool is_midpoint = kind == SolverKind::implicit_midpoint, is_trapezoidal = kind == SolverKind::trapezoidal;
    const double s = is_midpoint || is_trapezoidal ? h / 2 : h;
    const Rule rule{1 / (s * s), 1 / s};
    const ForceSum start = forces(scratch, model, from, from.x, from.v);
    if (start.bad_cavity >= 0) return inverted(model, start);
    accelerations(scratch, model, from, from.x, from.v);
    for (std::int32_t i = 0; i < model.free_count; ++i) {
        const Vec3 a = scratch.force[i];
        memory.z[i] = from.x[i];
        memory.y[i] = from.x[i] + from.v[i] * s;
        if (is_trapezoidal) {
            memory.z[i] = memory.y[i];
            memory.y[i] = from.x[i] + from.v[i] * h + a * (h * h / 4);
        }
        // Held coordinates go where their velocity carries them.
        to.x[i] = from.x[i] + from.v[i] * (is_midpoint ? s : h);
    }
    for (std::int32_t i = model.free_count; i < model.node_count(); ++i) {
        to.x[i] = from.x[i] + from.v[i] * h + scratch.force[i] * (0.5 * h * h);
        to.v[i] = from.v[i] + scratch.force[i] * h;
    }
    Newton newton(to, model, from, scratch, rule);
    Attempt attempt = newton.run();
    if (!attempt.accepted) {
        attempt.retry_h = h / 2 > kShortest * from.solver.step ? h / 2 : 0;
        return attempt;
    }
    for (std::int32_t i = 0; i < model.free_count; ++i) {
        if (is_midpoint) to.x[i] = to.x[i] * 2.0 - from.x[i], to.v[i] = to.v[i] * 2.0 - from.v[i];
        for (int k = 0; k < 3; ++k)
            if (from.held[i] >> k & 1) to.v[i][k] = from.v[i][k];
    }
    const double end = newton.dissipated_power();
    to.ledger.viscous += h * (is_trapezoidal ? 0.5 * (start.dissipated_power + end) : end);
    finish(to, model, from, h);
    return attempt;
}

Attempt advance_static(State& to, const Model& model, const State& from, double h, Scratch& scratch)
{
    make_memory(scratch, model, from);
    ImplicitScratch& memory = *scratch.implicit;
    for (std::int32_t i = 0; i < model.node_count(); ++i) to.x[i] = from.x[i], to.v[i] = {};
    for (std::int32_t i = 0; i < model.free_count; ++i) memory.y[i] = memory.z[i] = from.x[i];
    // Loads are raised in parts: the whole at once, or as much as still converges.
    Attempt all;
    double done = 0, part = 1;
    while (done < 1) {
        scratch.load_factor = std::min(1.0, done + part);
        for (std::int32_t i = 0; i < model.free_count; ++i) scratch.sum_x[i] = to.x[i];
        Newton newton(to, model, from, scratch, {});
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
    for (std::int32_t i = 0; i < model.node_count(); ++i) to.v[i] = {};
    finish(to, model, from, h);
    return all;
}

}  // namespace pliant
