// SPDX-License-Identifier: MIT
#pragma once

// One small implicit rule put through the engine's joints before there are implicit solvers: backward
// Euler as a minimisation, by Newton's method on the views, block matrix and conjugate gradients.
//
// x = argmin 1/2 |x - y|^2_M / s^2 + E(x) with y = x_n + h v_n + h^2 g, s = h; then v = (x - x_n)/h.
// s = infinity leaves the static problem E(x) - m g . x.

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include <pliant/solver/linear/conjugate_gradients.h>

namespace pliant::test {

template <class E>
class NewtonProbe {
public:
    NewtonProbe(Elements<E> elements, E parameters, std::vector<double> mass, std::vector<std::uint8_t> held,
                Vec3 gravity)
        : elements_(std::move(elements))
        , parameters_(parameters)
        , mass_(std::move(mass))
        , held_(std::move(held))
        , gravity_(gravity)
    {
        BlockPattern pattern(static_cast<std::int32_t>(mass_.size()));
        pattern.add(elements_.stencils);
        A_ = pattern.matrix();
        map_ = scatter_map(A_, elements_.stencils);
        scratch_.size_for(A_);
        gradient_.resize(mass_.size()), direction_.resize(mass_.size()), trial_.resize(mass_.size());
        y_.resize(mass_.size());
        windows_.resize(elements_.stencils.window_size);
    }

    std::vector<Vec3> x, v;
    int newton_iterations = 0, linear_iterations = 0;
    bool converged = true;

    /// One step of backward Euler.
    void step(double h)
    {
        const std::vector<Vec3> start = x;
        for (std::size_t i = 0; i < x.size(); ++i) {
            y_[i] = x[i];
            for (int k = 0; k < 3; ++k)
                if (!(held_[i] >> k & 1)) y_[i][k] += h * v[i][k] + h * h * gravity_[k];
        }
        minimise(1 / (h * h));
        for (std::size_t i = 0; i < x.size(); ++i) v[i] = (x[i] - start[i]) / h;
    }

    /// Equilibrium under gravity.
    void settle()
    {
        y_ = x;
        minimise(0);
    }

    double kinetic() const
    {
        double sum = 0;
        for (std::size_t i = 0; i < v.size(); ++i) sum += 0.5 * mass_[i] * norm2(v[i]);
        return sum;
    }

private:
    // Objective; its gradient is left in gradient_, held coordinates zero.
    double objective(const std::vector<Vec3>& at, double inertia)
    {
        std::fill(gradient_.begin(), gradient_.end(), Vec3{});
        const std::vector<Vec3>& still = zeros();
        subtract_gradient(std::span<Vec3>(gradient_), elements_, parameters_, std::span<const Vec3>(at),
                          std::span<const Vec3>(still), std::span<Vec3>(windows_));
        double value = energy(elements_, parameters_, std::span<const Vec3>(at));
        for (std::size_t i = 0; i < at.size(); ++i) {
            const Vec3 off = at[i] - y_[i];
            value += 0.5 * inertia * mass_[i] * norm2(off);
            gradient_[i] = off * (inertia * mass_[i]) - gradient_[i];
            if (inertia == 0) {
                value -= mass_[i] * dot(gravity_, at[i]);
                gradient_[i] -= gravity_ * mass_[i];
            }
            for (int k = 0; k < 3; ++k)
                if (held_[i] >> k & 1) gradient_[i][k] = 0;
        }
        return value;
    }

    void minimise(double inertia)
    {
        double value = objective(x, inertia), first = 0, longest = 1;  // longest displacement [m] of an iteration
        for (int iteration = 0; iteration < 200; ++iteration) {
            const double size = gradient_norm();
            if (iteration == 0) first = size;
            if (size <= 1e-10 * first || longest < 1e-12) return;
            set_zero(A_);
            add_hessian(A_, map_, elements_, parameters_, std::span<const Vec3>(x));
            add_mass(A_, mass_, inertia > 0 ? inertia : 1e-9);
            for (Vec3& g : gradient_) g = -g;
            const LinearResult solved =
                conjugate_gradients(direction_, A_, gradient_, held_, {.tolerance = 1e-9}, scratch_);
            if (solved.status == LinearStatus::indefinite) {
                converged = false;
                return;
            }
            linear_iterations += solved.iterations;
            ++newton_iterations;
            double slope = 0, alpha = 1;
            longest = 0;
            for (std::size_t i = 0; i < x.size(); ++i) {
                slope -= dot(gradient_[i], direction_[i]);
                longest = std::max(longest, norm(direction_[i]));
            }
            for (int halving = 0;; ++halving, alpha /= 2) {
                for (std::size_t i = 0; i < x.size(); ++i) trial_[i] = x[i] + direction_[i] * alpha;
                const double next = objective(trial_, inertia);
                // At the bottom the values differ by rounding only: a full step is then as good as any.
                const double noise = 1e-14 * (std::abs(value) + std::abs(next));
                if (next <= value + 1e-4 * alpha * slope + noise || halving == 40) {
                    value = next;
                    x = trial_;
                    break;
                }
            }
        }
        converged = false;
    }

    double gradient_norm() const
    {
        double sum = 0;
        for (const Vec3& g : gradient_) sum += norm2(g);
        return std::sqrt(sum);
    }

    const std::vector<Vec3>& zeros()
    {
        zeros_.assign(x.size(), Vec3{});
        return zeros_;
    }

    Elements<E> elements_;
    E parameters_;
    std::vector<double> mass_;
    std::vector<std::uint8_t> held_;
    Vec3 gravity_;
    BlockMatrix A_;
    ScatterMap<E::nodes> map_;
    LinearScratch scratch_;
    std::vector<Vec3> y_, gradient_, direction_, trial_, zeros_, windows_;
};

}  // namespace pliant::test
