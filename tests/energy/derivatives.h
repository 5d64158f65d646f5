// SPDX-License-Identifier: MIT
#pragma once

// Checks that any energy must pass: one call per sample of its parameters and shapes.
//
//   check_rest(energy, rest, x)          zero energy and force at the rest shape
//   check_derivatives(energy, rest, x)   gradient against finite differences and jets, Hessian against
//                                        finite differences where nothing is projected, positive
//                                        semidefinite always, invariance, no net force or torque,
//                                        damping, packs equal to scalars
// Tolerances are relative to the stiffness of the element times its size.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <vector>

#include <pliant/base/jet.h>
#include <pliant/energy/views.h>

namespace pliant::test {

/// Eigenvalues of a symmetric matrix, ascending, by Jacobi's rotations.
inline std::vector<double> eigenvalues(std::vector<std::vector<double>> a)
{
    const std::size_t n = a.size();
    for (int sweep = 0; sweep < 60; ++sweep) {
        double off = 0, all = 0;
        for (std::size_t i = 0; i < n; ++i)
            for (std::size_t j = 0; j < n; ++j) (i == j ? all : off) += a[i][j] * a[i][j];
        if (off <= 1e-32 * all || off == 0) break;
        for (std::size_t p = 0; p < n; ++p)
            for (std::size_t q = p + 1; q < n; ++q) {
                if (a[p][q] == 0) continue;
                const double theta = (a[q][q] - a[p][p]) / (2 * a[p][q]);
                const double t = (theta < 0 ? -1 : 1) / (std::abs(theta) + std::sqrt(theta * theta + 1));
                const double c = 1 / std::sqrt(t * t + 1), s = t * c;
                for (std::size_t k = 0; k < n; ++k) {
                    const double kp = a[k][p], kq = a[k][q];
                    a[k][p] = c * kp - s * kq, a[k][q] = s * kp + c * kq;
                }
                for (std::size_t k = 0; k < n; ++k) {
                    const double pk = a[p][k], qk = a[q][k];
                    a[p][k] = c * pk - s * qk, a[q][k] = s * pk + c * qk;
                }
            }
    }
    std::vector<double> values(n);
    for (std::size_t i = 0; i < n; ++i) values[i] = a[i][i];
    std::sort(values.begin(), values.end());
    return values;
}

inline Mat3 random_rotation(std::mt19937& random)
{
    std::normal_distribution<double> normal;
    const Vec3 a = normalized(Vec3{normal(random), normal(random), normal(random)});
    const Vec3 side{normal(random), normal(random), normal(random)};
    const Vec3 b = normalized(side - a * dot(side, a));
    return from_columns(a, b, cross(a, b));
}

inline Vec3 random_vector(std::mt19937& random, double size)
{
    std::normal_distribution<double> normal;
    return Vec3{normal(random), normal(random), normal(random)} * size;
}

/// Rest values over another scalar: a Rest is an array of scalars.
template <class E, class S>
RestOf<E, S> rest_over(const RestOf<E, double>& rest)
{
    RestOf<E, S> over;
    const auto* from = reinterpret_cast<const double*>(&rest);
    auto* to = reinterpret_cast<S*>(&over);
    for (std::size_t s = 0; s < sizeof(rest) / sizeof(double); ++s) to[s] = S(from[s]);
    return over;
}

enum class Projection { inactive, may_be_active };

template <class E>
class DerivativeCheck {
public:
    static constexpr int N = E::nodes;
    using Corners = std::array<Vec3, N>;
    using Gradient = std::array<Vec3, N>;
    using Matrix = std::vector<std::vector<double>>;

    DerivativeCheck(const E& energy, const RestOf<E, double>& rest, const Corners& x) : energy_(energy), rest_(rest)
    {
        x_ = x;
        for (const Vec3& a : x)
            for (const Vec3& b : x) size_ = std::max(size_, norm(a - b));
        for (const auto& row : hessian(x))
            for (const double entry : row) stiffness_ = std::max(stiffness_, std::abs(entry));
        for (const Vec3& g : gradient(x)) force_ = std::max(force_, norm(g));
        force_ = std::max(force_, stiffness_ * size_);
    }

    double value(const Corners& x) const { return Element<E, double>(energy_, rest_, x).energy(); }

    Gradient gradient(const Corners& x) const
    {
        const Element<E, double> element(energy_, rest_, x);
        Gradient g;
        for (int i = 0; i < N; ++i) g[i] = element.gradient(i);
        return g;
    }

    Matrix hessian(const Corners& x, bool damping = false) const
    {
        const Element<E, double> element(energy_, rest_, x);
        Matrix h(3 * N, std::vector<double>(3 * N));
        for (int i = 0; i < N; ++i)
            for (int j = 0; j < N; ++j) {
                const Mat3 block = damping ? element.damping_block(i, j) : element.block(i, j);
                for (int r = 0; r < 3; ++r)
                    for (int c = 0; c < 3; ++c) h[3 * i + r][3 * j + c] = block.m[r][c];
            }
        return h;
    }

    void gradient_is_that_of_the_energy() const
    {
        const Gradient g = gradient(x_);
        const double step = 1e-5 * size_;
        for (int i = 0; i < N; ++i)
            for (int k = 0; k < 3; ++k) {
                Corners up = x_, down = x_;
                up[i][k] += step, down[i][k] -= step;
                const double slope = (value(up) - value(down)) / (up[i][k] - down[i][k]);
                EXPECT_NEAR(g[i][k], slope, 2e-8 * force_) << "node " << i << " axis " << k;
            }
    }

    void gradient_is_that_of_jets() const
    {
        using J = Jet<double, 3 * N>;
        std::array<Vec3T<J>, N> x;
        for (int i = 0; i < N; ++i)
            for (int k = 0; k < 3; ++k) x[i][k] = J::variable(x_[i][k], static_cast<std::size_t>(3 * i + k));
        const RestOf<E, J> rest = rest_over<E, J>(rest_);
        const J e = Element<E, J>(energy_, rest, x).energy();
        const Gradient g = gradient(x_);
        EXPECT_NEAR(e.value, value(x_), 1e-14 * force_ * size_);
        for (int i = 0; i < N; ++i)
            for (int k = 0; k < 3; ++k)
                EXPECT_NEAR(g[i][k], e.derivative[static_cast<std::size_t>(3 * i + k)], 1e-12 * force_)
                    << "node " << i << " axis " << k;
    }

    void hessian_is_that_of_the_gradient() const
    {
        const Matrix h = hessian(x_);
        const double step = 1e-5 * size_;
        for (int j = 0; j < N; ++j)
            for (int c = 0; c < 3; ++c) {
                Corners up = x_, down = x_;
                up[j][c] += step, down[j][c] -= step;
                const Gradient high = gradient(up), low = gradient(down);
                for (int i = 0; i < N; ++i)
                    for (int r = 0; r < 3; ++r)
                        EXPECT_NEAR(h[3 * i + r][3 * j + c], (high[i][r] - low[i][r]) / (up[j][c] - down[j][c]),
                                    1e-7 * stiffness_)
                            << "block " << i << "," << j << " entry " << r << "," << c;
            }
    }

    void is_symmetric_and_positive(const Matrix& h) const
    {
        for (std::size_t r = 0; r < h.size(); ++r)
            for (std::size_t c = 0; c < r; ++c) EXPECT_NEAR(h[r][c], h[c][r], 1e-12 * stiffness_);
        const auto values = eigenvalues(h);
        EXPECT_GE(values.front(), -1e-12 * std::max(stiffness_, values.back()));
    }

    void moves_with_the_body(std::mt19937& random) const
    {
        const Mat3 R = random_rotation(random);
        const Vec3 shift = random_vector(random, size_);
        Corners moved;
        for (int i = 0; i < N; ++i) moved[i] = R * x_[i] + shift;
        EXPECT_NEAR(value(moved), value(x_), 1e-13 * force_ * size_);
        const Gradient g = gradient(x_), turned = gradient(moved);
        for (int i = 0; i < N; ++i) EXPECT_LT(norm(turned[i] - R * g[i]), 1e-12 * force_) << "node " << i;
    }

    void has_no_net_force_or_torque(const Gradient& g, double scale) const
    {
        Vec3 force, torque;
        for (int i = 0; i < N; ++i) force += g[i], torque += cross(x_[i] - x_[0], g[i]);
        EXPECT_LT(norm(force), 1e-13 * scale);
        EXPECT_LT(norm(torque), 1e-12 * scale * size_);
    }

    // The damping force is the damping block times v, takes the power it says, and never gives any.
    void damping_takes_power(std::mt19937& random) const
    {
        std::array<Vec3, N> v;
        for (Vec3& vi : v) vi = random_vector(random, size_);
        Element<E, double> element(energy_, rest_, x_);
        const double power = element.damp(v);
        const Gradient g = gradient(x_);
        const Matrix c = hessian(x_, true);
        double stiffness = 0, lost = 0;
        for (const auto& row : c)
            for (const double entry : row) stiffness = std::max(stiffness, std::abs(entry));
        for (int i = 0; i < N; ++i) {
            const Vec3 f = element.gradient(i) - g[i];
            lost += dot(f, v[i]);
            for (int r = 0; r < 3; ++r) {
                double expected = 0;
                for (int j = 0; j < N; ++j)
                    for (int k = 0; k < 3; ++k) expected += c[3 * i + r][3 * j + k] * v[j][k];
                EXPECT_NEAR(f[r], expected, 1e-11 * stiffness * size_ + 1e-14 * force_);
            }
        }
        EXPECT_GE(power, 0);
        EXPECT_NEAR(power, lost, 1e-11 * stiffness * size_ * size_ + 1e-13 * force_ * size_);
        is_symmetric_and_positive(c);
    }

    /// Rigid motion stretches nothing, so it is not damped, and damping turns nothing.
    void damping_leaves_rigid_motion_alone(std::mt19937& random) const
    {
        const Vec3 turn = random_vector(random, 1), slide = random_vector(random, size_);
        std::array<Vec3, N> v;
        for (int i = 0; i < N; ++i) v[i] = slide + cross(turn, x_[i] - x_[0]);
        Element<E, double> element(energy_, rest_, x_);
        EXPECT_NEAR(element.damp(v), 0, 1e-13 * force_ * size_);
        for (Vec3& vi : v) vi += random_vector(random, size_);
        Element<E, double> damped(energy_, rest_, x_);
        damped.damp(v);
        const Gradient g = gradient(x_);
        Gradient viscous;
        double scale = 0;
        for (int i = 0; i < N; ++i) viscous[i] = damped.gradient(i) - g[i], scale = std::max(scale, norm(viscous[i]));
        has_no_net_force_or_torque(viscous, 10 * scale + force_);
    }

    void packs_equal_scalars(std::mt19937& random) const
    {
        std::array<Corners, kPackWidth> lanes;
        std::array<Vec3T<Pack4>, N> x, v;
        std::array<std::array<Vec3, N>, kPackWidth> rates;
        for (int lane = 0; lane < kPackWidth; ++lane)
            for (int i = 0; i < N; ++i) {
                lanes[lane][i] = lane == 0 ? x_[i] : x_[i] + random_vector(random, 0.01 * size_);
                rates[lane][i] = random_vector(random, size_);
                for (int k = 0; k < 3; ++k) x[i][k].set(lane, lanes[lane][i][k]), v[i][k].set(lane, rates[lane][i][k]);
            }
        const RestOf<E, Pack4> rest = rest_over<E, Pack4>(rest_);
        Element<E, Pack4> packed(energy_, rest, x);
        const Pack4 e = packed.energy();
        const Mat3T<Pack4> block = packed.block(0, N - 1);
        const Pack4 power = packed.damp(v);
        for (int lane = 0; lane < kPackWidth; ++lane) {
            Element<E, double> single(energy_, rest_, lanes[lane]);
            EXPECT_NEAR(e[lane], single.energy(), 1e-14 * force_ * size_);
            EXPECT_NEAR(block.m[1][2][lane], single.block(0, N - 1).m[1][2], 1e-14 * stiffness_);
            const double lost = single.damp(rates[lane]);
            EXPECT_NEAR(power[lane], lost, 1e-14 * std::abs(lost));
            const double scale = force_ + norm(single.gradient(N - 1));
            EXPECT_NEAR(packed.gradient(N - 1).y[lane], single.gradient(N - 1).y, 1e-13 * scale);
        }
    }

    double force_scale() const { return force_; }

private:
    E energy_;
    RestOf<E, double> rest_;
    Corners x_;
    double size_ = 0, stiffness_ = 0, force_ = 0;
};

template <class E>
void check_rest(const E& energy, const RestOf<E, double>& rest, const std::array<Vec3, E::nodes>& x)
{
    const DerivativeCheck<E> check(energy, rest, x);
    double size = 0;
    for (const Vec3& a : x) size = std::max(size, norm(a - x[0]));
    EXPECT_NEAR(check.value(x), 0, 1e-28 * check.force_scale() * size);
    for (const Vec3& g : check.gradient(x)) EXPECT_LT(norm(g), 1e-14 * check.force_scale());
}

/// Everything that holds for any shape the energy is defined at.
template <class E>
void check_derivatives(const E& energy, const RestOf<E, double>& rest, const std::array<Vec3, E::nodes>& x,
                       Projection projection = Projection::may_be_active)
{
    std::mt19937 random(20240607);
    const DerivativeCheck<E> check(energy, rest, x);
    check.gradient_is_that_of_the_energy();
    check.gradient_is_that_of_jets();
    if (projection == Projection::inactive) check.hessian_is_that_of_the_gradient();
    check.is_symmetric_and_positive(check.hessian(x));
    check.moves_with_the_body(random);
    check.has_no_net_force_or_torque(check.gradient(x), check.force_scale());
    check.damping_takes_power(random);
    check.packs_equal_scalars(random);
}

/// Damping that sees strain rates only; see DerivativeCheck.
template <class E>
void check_rigid_motion_is_undamped(const E& energy, const RestOf<E, double>& rest, const std::array<Vec3, E::nodes>& x)
{
    std::mt19937 random(7);
    DerivativeCheck<E>(energy, rest, x).damping_leaves_rigid_motion_alone(random);
}

}  // namespace pliant::test
