// SPDX-License-Identifier: MIT
#pragma once

// From one formula to what solvers ask: energy, gradient of a node, Hessian block of two nodes.
//
// An energy is a plain struct of live parameters with its formula written once over any scalar S.
// Two shapes are understood:
//
//  * rows: strains e(x) and their gradients de/dx, generalised stresses f = K e, and the projected
//    curvature f . d2e/dx2 (a spring has one row, a membrane three). E = 1/2 e . K e, and damping
//    D = 1/2 rate . C rate comes from the same rows, rate = (de/dx) v. The curvature is written either block by block
//    (add_curvature) or as a Curve made once for all blocks of an element.
//  * stencil: rows e = sum_i c_i x_i with constant numbers c, one stiffness for all: blocks are multiples of the identity.
//  * density: energy density psi(F), stress P(F), its directional derivative (positive part) and the
//    viscous stress, where F is the deformation gradient sum_i x_i (x) b_i of an element with shape
//    gradients b_i.
//
// Blocks are made on demand: a solver that wants one corner does not pay for the whole Hessian.
// Symbols: x positions [m], v velocities [m/s], f generalised stress, e strain.

#include <array>
#include <concepts>
#include <type_traits>
#include <utility>

#include <pliant/base/types.h>

namespace pliant {

/// Strains e and their gradients d[row][node] of an element with N nodes and M rows.
template <class S, int N, int M>
struct Rows {
    S e[M];
    Vec3T<S> d[M][N];
};

template <class E>
concept RowEnergy = requires
{
    {
        E::rows
        } -> std::convertible_to<int>;
};

template <class E>
concept StencilEnergy = RowEnergy<E> && requires
{
    requires E::is_stencil;
};

/// sum_i c_i x_i of numbers that add up to nothing: differences keep all digits far from the origin.
template <class S, std::size_t N>
Vec3T<S> stencil_sum(const S (&c)[N], const std::array<Vec3T<S>, N>& x)
{
    Vec3T<S> sum = (x[1] - x[0]) * c[1];
    for (std::size_t i = 2; i < N; ++i) sum += (x[i] - x[0]) * c[i];
    return sum;
}

template <class E>
concept DensityEnergy = requires
{
    {
        E::nodes
        } -> std::convertible_to<int>;
    requires E::is_density;
};

template <class E, class S>
using RestOf = typename E::template Rest<S>;

/// Energies whose elements remember something: inner_size internal variables each, members of State, zero at the
/// start. They offer with_inner(rest, variables), the rest geometry as the formula sees it, and flow(rest, variables, x,
/// h), the variables after a step that led to x.
template <class E>
concept HasInner = requires
{
    E::inner_size;
};

template <class E, class S>
class Element;

/// Elements whose energy is quadratic in strain rows.
template <RowEnergy E, class S>
class Element<E, S> {
public:
    static constexpr int N = E::nodes, M = E::rows;
    static constexpr bool kHasCurve = requires { typename E::template Curve<S>; };

    Element(const E& energy, const RestOf<E, S>& rest, const std::array<Vec3T<S>, N>& x)
        : energy_(energy)
        , rest_(rest)
        , x_{x}
        , rows_(energy.strain(rest, x))
    {
        energy_.stress(rest_, rows_.e, f_);
    }

    S energy() const
    {
        S total = 0.5 * rows_.e[0] * f_[0];
        for (int m = 1; m < M; ++m) total += 0.5 * rows_.e[m] * f_[m];
        return total;
    }

    Vec3T<S> gradient(int i) const { return combine(f_, i); }

    /// Makes Hessian blocks d2E/dx_i dx_j, positive part of the curvature only.
    class Blocks {
    public:
        explicit Blocks(const Element& element) : element_(element), curve_(make_curve(element))
        {
            for (int m = 0; m < M; ++m) {
                S unit[M]{};
                unit[m] = S(1.0);
                element.energy_.stress(element.rest_, unit, k_[m]);
            }
        }

        Mat3T<S> operator()(int i, int j) const
        {
            Mat3T<S> h;
            for (int m = 0; m < M; ++m) {
                Vec3T<S> kd = element_.rows_.d[0][i] * k_[m][0];
                for (int n = 1; n < M; ++n) kd += element_.rows_.d[n][i] * k_[m][n];
                h += outer(kd, element_.rows_.d[m][j]);
            }
            if constexpr (kHasCurve)
                h += curve_.block(i, j);
            else
                element_.energy_.add_curvature(h, i, j, element_.rest_, element_.rows_, element_.f_);
            return h;
        }

    private:
        static auto make_curve(const Element& element)
        {
            if constexpr (kHasCurve)
                return element.energy_.curve(element.rest_, element.x_.x, element.f_);
            else
                return 0;
        }

        const Element& element_;
        decltype(make_curve(std::declval<const Element&>())) curve_;
        S k_[M][M]{};
    };
    Blocks blocks() const { return Blocks(*this); }
    Mat3T<S> block(int i, int j) const { return blocks()(i, j); }

    /// Adds the damping stresses for velocities v; gradient() then includes them. Returns the power
    /// they dissipate [W].
    S damp(const std::array<Vec3T<S>, N>& v)
    {
        S rate[M], viscous[M]{};
        for (int m = 0; m < M; ++m) {
            rate[m] = dot(rows_.d[m][0], v[0]);
            for (int i = 1; i < N; ++i) rate[m] += dot(rows_.d[m][i], v[i]);
        }
        energy_.viscous_stress(rest_, rate, viscous);
        S power = rate[0] * viscous[0];
        for (int m = 1; m < M; ++m) power += rate[m] * viscous[m];
        for (int m = 0; m < M; ++m) f_[m] += viscous[m];
        return power;
    }

    /// Block d2D/dv_i dv_j of the damping, exact.
    Mat3T<S> damping_block(int i, int j) const
    {
        Mat3T<S> h;
        for (int m = 0; m < M; ++m) {
            S unit[M]{}, c[M]{};
            unit[m] = S(1.0);
            energy_.viscous_stress(rest_, unit, c);
            for (int n = 0; n < M; ++n) h += outer(rows_.d[n][i], rows_.d[m][j]) * c[n];
        }
        return h;
    }

    const Rows<S, N, M>& rows() const { return rows_; }
    const S* stress() const { return f_; }

private:
    struct KeptPositions {
        std::array<Vec3T<S>, N> x;
    };
    struct NoPositions {
        explicit NoPositions(const std::array<Vec3T<S>, N>&) {}
    };
    using Positions = std::conditional_t<kHasCurve, KeptPositions, NoPositions>;

    Vec3T<S> combine(const S (&f)[M], int i) const
    {
        Vec3T<S> g = rows_.d[0][i] * f[0];
        for (int m = 1; m < M; ++m) g += rows_.d[m][i] * f[m];
        return g;
    }

    const E& energy_;
    const RestOf<E, S>& rest_;
    [[no_unique_address]] Positions x_;
    Rows<S, N, M> rows_;
    S f_[M]{};
};

/// Elements whose rows are one vector, a sum of positions with constant numbers.
template <StencilEnergy E, class S>
class Element<E, S> {
public:
    static constexpr int N = E::nodes;

    Element(const E& energy, const RestOf<E, S>& rest, const std::array<Vec3T<S>, N>& x)
        : energy_(energy)
        , rest_(rest)
        , stiffness_(energy.stiffness(rest))
        , q_(stencil_sum(rest.c, x))
        , force_(q_ * stiffness_)
    {
    }

    S energy() const { return S(0.5) * stiffness_ * dot(q_, q_); }
    Vec3T<S> gradient(int i) const { return force_ * rest_.c[i]; }
    Mat3T<S> block(int i, int j) const { return identity3<S>() * (stiffness_ * rest_.c[i] * rest_.c[j]); }
    auto blocks() const
    {
        return [this](int i, int j) { return block(i, j); };
    }

    S damp(const std::array<Vec3T<S>, N>& v)
    {
        const Vec3T<S> rate = stencil_sum(rest_.c, v), viscous = rate * energy_.viscosity(rest_);
        force_ += viscous;
        return dot(rate, viscous);
    }

    Mat3T<S> damping_block(int i, int j) const
    {
        return identity3<S>() * (energy_.viscosity(rest_) * rest_.c[i] * rest_.c[j]);
    }

private:
    const E& energy_;
    const RestOf<E, S>& rest_;
    S stiffness_;
    Vec3T<S> q_, force_;
};

/// Elements whose energy is a density of the deformation gradient; the rest state offers shape
/// gradients b[N] [1/m] and volume [m^3].
template <DensityEnergy E, class S>
class Element<E, S> {
public:
    static constexpr int N = E::nodes;

    Element(const E& energy, const RestOf<E, S>& rest, const std::array<Vec3T<S>, N>& x) : energy_(energy), rest_(rest)
    {
        for (int i = 0; i < N; ++i) deformation_ += outer(x[i], rest.b[i]);
        stress_ = energy.stress(deformation_);
    }

    S energy() const { return rest_.volume * energy_.density(deformation_); }
    Vec3T<S> gradient(int i) const { return (stress_ * rest_.b[i]) * rest_.volume; }

    /// Column c of the block is the change of node i's gradient when node j moves along axis c.
    Mat3T<S> block(int i, int j) const
    {
        return columns(i, j, [this](const Mat3T<S>& dF) { return energy_.stress_change(deformation_, dF); });
    }

    auto blocks() const
    {
        return [this](int i, int j) { return block(i, j); };
    }

    /// Damping by the energy's viscous stress, which sees strain rates only (a tangent would damp the
    /// spin of a stressed body).
    S damp(const std::array<Vec3T<S>, N>& v)
    {
        Mat3T<S> rate;
        for (int i = 0; i < N; ++i) rate += outer(v[i], rest_.b[i]);
        const Mat3T<S> viscous = energy_.viscous_stress(deformation_, rate);
        S power(0.0);
        for (int r = 0; r < 3; ++r)
            for (int c = 0; c < 3; ++c) power += viscous.m[r][c] * rate.m[r][c];
        stress_ += viscous;
        return power * rest_.volume;
    }

    Mat3T<S> damping_block(int i, int j) const
    {
        return columns(i, j, [this](const Mat3T<S>& rate) { return energy_.viscous_stress(deformation_, rate); });
    }

private:
    template <class Stress>
    Mat3T<S> columns(int i, int j, Stress&& stress_of) const
    {
        Mat3T<S> h;
        for (int c = 0; c < 3; ++c) {
            Mat3T<S> dF;
            for (int k = 0; k < 3; ++k) dF.m[c][k] = rest_.b[j][k];
            const Vec3T<S> change = stress_of(dF) * rest_.b[i];
            for (int r = 0; r < 3; ++r) h.m[r][c] = change[r] * rest_.volume;
        }
        return h;
    }

    const E& energy_;
    const RestOf<E, S>& rest_;
    Mat3T<S> deformation_, stress_;
};

}  // namespace pliant
