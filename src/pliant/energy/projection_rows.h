// SPDX-License-Identifier: MIT
#pragma once

// The rows of an element as project() uses them: strains, how they follow from a way of the nodes, how they answer forces,
// and the forces of a stress. Three shapes: any rows, rows of a membrane, rows of a constant stencil.
//
// A membrane's rows see the nodes only through two columns wu = sum_i g_i0 x_i and wv = sum_i g_i1 x_i. With one
// number w for the mobility of a node, A = J w J^T needs no more than the 2x2 sums G = sum_i w_i g_i g_i^T and dot products of
// columns: a fifth of the operations.
// Mobility is a number per node, or one for each axis where nodes are held along some only.
// Symbols: e strain, d = de/dx, s stress, A response [strain per stress].

#include <array>
#include <concepts>

#include <pliant/base/simd.h>
#include <pliant/energy/element.h>
#include <pliant/energy/membrane.h>

namespace pliant {

/// Component by component.
[[gnu::always_inline]] inline Vec3T<Pack4> scaled(const Vec3T<Pack4>& a, const Vec3T<Pack4>& w)
{
    return {a.x * w.x, a.y * w.y, a.z * w.z};
}
[[gnu::always_inline]] inline Vec3T<Pack4> scaled(const Vec3T<Pack4>& a, const Pack4& w)
{
    return a * w;
}

template <class E, class Mobility>
class ProjectionRows {
public:
    static constexpr int N = E::nodes, M = E::rows;

    [[gnu::always_inline]] ProjectionRows(const E& energy, const RestOf<E, Pack4>& rest,
                                          const std::array<Vec3T<Pack4>, N>& x)
        : rows_(energy.strain(rest, x))
    {
    }

    const Pack4 (&strain() const)[M] { return rows_.e; }

    /// Change of the strains for a way of the nodes.
    [[gnu::always_inline]] void along(const Vec3T<Pack4> (&way)[N], Pack4 (&change)[M]) const
    {
#pragma GCC unroll 8
        for (int m = 0; m < M; ++m) {
            change[m] = dot(rows_.d[m][0], way[0]);
#pragma GCC unroll 8
            for (int i = 1; i < N; ++i) change[m] += dot(rows_.d[m][i], way[i]);
        }
    }

    /// A[m][n], symmetric.
    [[gnu::always_inline]] void respond(const Mobility (&mobility)[N], Pack4 (&A)[M][M]) const
    {
#pragma GCC unroll 8
        for (int m = 0; m < M; ++m)
            for (int n = m; n < M; ++n) {
                A[m][n] = dot(rows_.d[m][0], scaled(rows_.d[n][0], mobility[0]));
#pragma GCC unroll 8
                for (int i = 1; i < N; ++i) A[m][n] += dot(rows_.d[m][i], scaled(rows_.d[n][i], mobility[i]));
                A[n][m] = A[m][n];
            }
    }

    /// Forces of a stress on all nodes.
    [[gnu::always_inline]] void forces(const Pack4 (&s)[M], Vec3T<Pack4> (&f)[N]) const
    {
#pragma GCC unroll 8
        for (int i = 0; i < N; ++i) {
            f[i] = rows_.d[0][i] * s[0];
#pragma GCC unroll 8
            for (int m = 1; m < M; ++m) f[i] += rows_.d[m][i] * s[m];
        }
    }

private:
    Rows<Pack4, N, M> rows_;
};

template <class Measure>
class ProjectionRows<Membrane<Measure>, Pack4> {
public:
    using E = Membrane<Measure>;

    [[gnu::always_inline]] ProjectionRows(const E& energy, const RestOf<E, Pack4>& rest,
                                          const std::array<Vec3T<Pack4>, 3>& x)
    {
        energy.gradients(rest, g_);
        const Vec3T<Pack4> p = x[1] - x[0], q = x[2] - x[0];
        wu_ = p * g_[1][0] + q * g_[2][0], wv_ = p * g_[1][1] + q * g_[2][1];
        du_ = Measure::slope(wu_), dv_ = Measure::slope(wv_);
        e_[0] = Measure::stretch(wu_), e_[1] = Measure::stretch(wv_), e_[2] = dot(wu_, wv_);
    }

    const Pack4 (&strain() const)[3] { return e_; }

    [[gnu::always_inline]] void along(const Vec3T<Pack4> (&way)[3], Pack4 (&change)[3]) const
    {
        const Vec3T<Pack4> p = way[1] - way[0], q = way[2] - way[0];
        const Vec3T<Pack4> u = p * g_[1][0] + q * g_[2][0], v = p * g_[1][1] + q * g_[2][1];
        change[0] = dot(du_, u), change[1] = dot(dv_, v), change[2] = dot(wv_, u) + dot(wu_, v);
    }

    [[gnu::always_inline]] void respond(const Pack4 (&mobility)[3], Pack4 (&A)[3][3]) const
    {
        Pack4 uu = mobility[0] * g_[0][0] * g_[0][0], uv = mobility[0] * g_[0][0] * g_[0][1],
              vv = mobility[0] * g_[0][1] * g_[0][1];
#pragma GCC unroll 8
        for (int i = 1; i < 3; ++i) {
            const Pack4 u = mobility[i] * g_[i][0], v = mobility[i] * g_[i][1];
            uu += u * g_[i][0], uv += u * g_[i][1], vv += v * g_[i][1];
        }
        const Pack4 mixed = dot(wu_, wv_);
        A[0][0] = dot(du_, du_) * uu, A[1][1] = dot(dv_, dv_) * vv, A[0][1] = dot(du_, dv_) * uv;
        A[0][2] = dot(du_, wv_) * uu + dot(du_, wu_) * uv, A[1][2] = dot(dv_, wv_) * uv + dot(dv_, wu_) * vv;
        A[2][2] = dot(wv_, wv_) * uu + (mixed + mixed) * uv + dot(wu_, wu_) * vv;
        A[1][0] = A[0][1], A[2][0] = A[0][2], A[2][1] = A[1][2];
    }

    [[gnu::always_inline]] void forces(const Pack4 (&s)[3], Vec3T<Pack4> (&f)[3]) const
    {
        const Vec3T<Pack4> u = du_ * s[0] + wv_ * s[2], v = dv_ * s[1] + wu_ * s[2];
        f[1] = u * g_[1][0] + v * g_[1][1], f[2] = u * g_[2][0] + v * g_[2][1];
        // Shape gradients add up to nothing, and so do the forces.
        f[0] = -(f[1] + f[2]);
    }

private:
    Pack4 g_[3][2], e_[3];
    Vec3T<Pack4> wu_, wv_, du_, dv_;
};

}  // namespace pliant
