// SPDX-License-Identifier: MIT
#include <pliant/solver/contact_velocity.h>

#include <cmath>

#include <pliant/solver/forces.h>
#include <pliant/solver/stages.h>

namespace pliant {

namespace {

// (M - s D) v = M base + s f(x1) as a correction of v = base, by conjugate gradients preconditioned with masses.
class VelocitySolve {
public:
    VelocitySolve(State& to, const Model& model, const State& from, double s, Scratch& scratch)
        : to_(to)
        , model_(model)
        , from_(from)
        , s_(s)
        , scratch_(scratch)
        , free_(static_cast<std::size_t>(model.free_count))
        , base_force_(scratch.velocity_solve[0])
        , change_(scratch.velocity_solve[1])
        , p_(scratch.velocity_solve[2])
        , q_(scratch.velocity_solve[3])
        , r_(scratch.velocity_solve[4])
        , z_(scratch.velocity_solve[5])
        , probe_(scratch.velocity_solve[6])
    {
    }

    // to.v holds the base when it begins and the solution when it ends.
    Attempt run()
    {
        constexpr double kTolerance = 1e-8;
        constexpr int kMostIterations = 500;
        start();
        double rz = product(r_, z_);
        const double first = rz;
        Attempt attempt;
        for (; rz > kTolerance * kTolerance * first; ++attempt.iterations) {
            if (attempt.iterations == kMostIterations)
                return {.accepted = false, .issue = {.kind = IssueKind::not_converged}};
            apply();
            const double step = rz / product(p_, q_);
            if (!(step > 0)) return {.accepted = false, .issue = {.kind = IssueKind::not_converged}};
            for (std::size_t i = 0; i < free_; ++i) change_[i] += p_[i] * step, r_[i] -= q_[i] * step;
            precondition();
            const double next = product(r_, z_);
            for (std::size_t i = 0; i < free_; ++i) p_[i] = z_[i] + p_[i] * (next / rz);
            rz = next;
        }
        for (std::size_t i = 0; i < free_; ++i) to_.v[i] += change_[i];
        return attempt;
    }

private:
    void start()
    {
        evaluate(to_.v);
        base_force_.assign(scratch_.force.begin(), scratch_.force.begin() + static_cast<std::ptrdiff_t>(free_));
        change_.assign(free_, {}), p_.resize(free_), q_.resize(free_), r_.resize(free_), z_.resize(free_);
        probe_ = to_.v;
        for (std::size_t i = 0; i < free_; ++i) {
            r_[i] = masked(base_force_[i] * s_, from_.held[i]);
            fastest_ = std::max(fastest_, norm(to_.v[i]));
        }
        precondition();
        p_ = z_;
    }

    void evaluate(std::span<const Vec3> v)
    {
        scratch_.time = to_.time;
        forces(scratch_, model_, to_, to_.x, v);
    }

    // Forces are linear in v but for the wind: a small difference is exact enough for both.
    void apply()
    {
        double longest = 0;
        for (const Vec3& p : p_) longest = std::max(longest, norm(p));
        const double share = longest > 0 ? 1e-3 * std::max(1.0, fastest_) / longest : 1;
        for (std::size_t i = 0; i < free_; ++i) probe_[i] = to_.v[i] + p_[i] * share;
        evaluate(probe_);
        for (std::size_t i = 0; i < free_; ++i)
            q_[i] = p_[i] * model_.mass[i] - masked((scratch_.force[i] - base_force_[i]) * (s_ / share), from_.held[i]);
    }

    void precondition()
    {
        for (std::size_t i = 0; i < free_; ++i) z_[i] = r_[i] * model_.inverse_mass[i];
    }

    double product(const std::vector<Vec3>& a, const std::vector<Vec3>& b) const
    {
        return parallel_sum<double>(free_, kNodesPerChunk, [&](std::size_t begin, std::size_t end) {
            double sum = 0;
            for (std::size_t i = begin; i < end; ++i) sum += dot(a[i], b[i]);
            return sum;
        });
    }

    State& to_;
    const Model& model_;
    const State& from_;
    double s_;
    Scratch& scratch_;
    std::size_t free_;
    double fastest_ = 0;
    std::vector<Vec3>&base_force_, &change_, &p_, &q_, &r_, &z_, &probe_;
};

}  // namespace

Attempt update_contact_velocities(State& to, const Model& model, const State& from, double h, Scratch& scratch)
{
    const VelocityUpdate rule = from.contact.velocity_update;
    if (rule == VelocityUpdate::impulses) return {};
    const bool is_thesis = rule == VelocityUpdate::thesis_implicit;
    for (std::size_t i = 0; i < static_cast<std::size_t>(model.free_count); ++i) {
        const Vec3 mean = (to.x[i] - from.x[i]) / h;
        const Vec3 base = is_thesis                                       ? from.v[i]
                          : rule == VelocityUpdate::constant_acceleration ? mean * 2.0 - from.v[i]
                                                                          : mean;
        to.v[i] += masked(base - to.v[i], from.held[i]);
    }
    if (rule != VelocityUpdate::implicit && !is_thesis) return {};
    return VelocitySolve(to, model, from, is_thesis ? h : h / 2, scratch).run();
}

}  // namespace pliant
