// SPDX-License-Identifier: MIT
#pragma once

// A density energy put through the engine's joints before there are solids: St Venant-Kirchhoff on
// linear tetrahedra.
//
// psi = mu E:E + lambda/2 tr(E)^2, E = (F^T F - 1)/2, P = F S, S = 2 mu E + lambda tr(E) 1.
// dP = dF S + F dS: the second part is positive by itself; of the first only the positive part of S is
// kept, as a spring drops its own curvature when compressed.

#include <algorithm>
#include <array>

#include <pliant/base/simd.h>
#include <pliant/energy/element.h>

namespace pliant::test {

struct DensityProbe {
    double mu = 0;            ///< [Pa]
    double lambda = 0;        ///< [Pa]
    double damping_time = 0;  ///< [s]

    static constexpr int nodes = 4;
    static constexpr bool is_density = true;

    template <class S>
    struct Rest {
        Vec3T<S> b[4];  ///< [1/m] gradients of the shape functions
        S volume;       ///< [m^3]
    };

    template <class S>
    static S inner(const Mat3T<S>& a, const Mat3T<S>& b)
    {
        S sum = a.m[0][0] * b.m[0][0];
        for (int k = 1; k < 9; ++k) sum += a.m[k / 3][k % 3] * b.m[k / 3][k % 3];
        return sum;
    }
    template <class S>
    static S trace(const Mat3T<S>& a)
    {
        return a.m[0][0] + a.m[1][1] + a.m[2][2];
    }
    template <class S>
    static Mat3T<S> green_strain(const Mat3T<S>& F)
    {
        return (transpose(F) * F + identity3<S>() * S(-1.0)) * S(0.5);
    }
    template <class S>
    Mat3T<S> second_stress(const Mat3T<S>& E) const
    {
        return E * S(2 * mu) + identity3<S>() * (S(lambda) * trace(E));
    }

    template <class S>
    S density(const Mat3T<S>& F) const
    {
        const Mat3T<S> E = green_strain(F);
        return S(mu) * inner(E, E) + S(0.5 * lambda) * trace(E) * trace(E);
    }

    template <class S>
    Mat3T<S> stress(const Mat3T<S>& F) const
    {
        return F * second_stress(green_strain(F));
    }

    template <class S>
    Mat3T<S> stress_change(const Mat3T<S>& F, const Mat3T<S>& dF) const
    {
        const Mat3T<S> now = second_stress(green_strain(F));
        const Mat3T<S> half = transpose(F) * dF;
        const Mat3T<S> dE = (half + transpose(half)) * S(0.5);
        return dF * positive_part(now) + F * second_stress(dE);
    }

    /// Damping of the strain rate only, which rigid motion does not have.
    template <class S>
    Mat3T<S> viscous_stress(const Mat3T<S>& F, const Mat3T<S>& rate) const
    {
        const Mat3T<S> half = transpose(F) * rate;
        return F * second_stress((half + transpose(half)) * S(0.5)) * S(damping_time);
    }

private:
    // The matrix without its negative eigenvalues, by Jacobi's rotations; no branch, so packs can.
    template <class S>
    static Mat3T<S> positive_part(Mat3T<S> a)
    {
        using std::max, std::sqrt;
        Mat3T<S> V = identity3<S>();
        for (int sweep = 0; sweep < 6; ++sweep)
            for (int p = 0; p < 2; ++p)
                for (int q = p + 1; q < 3; ++q) {
                    const S d = a.m[q][q] - a.m[p][p], twice = S(2.0) * a.m[p][q];
                    const S root = sqrt(d * d + twice * twice) + S(1e-300);
                    const S t = twice / (d + select(d < S(0.0), -root, root));
                    const S c = S(1.0) / sqrt(t * t + S(1.0)), s = t * c;
                    Mat3T<S> turn = identity3<S>();
                    turn.m[p][p] = turn.m[q][q] = c, turn.m[p][q] = s, turn.m[q][p] = -s;
                    a = transpose(turn) * a * turn;
                    V = V * turn;
                }
        Mat3T<S> kept;
        for (int k = 0; k < 3; ++k) kept.m[k][k] = max(a.m[k][k], S(0.0));
        return V * kept * transpose(V);
    }
};

/// Rest geometry of the tetrahedron with these corners.
inline DensityProbe::Rest<double> probe_rest(const std::array<Vec3, 4>& X)
{
    const Mat3 edges = from_columns(X[1] - X[0], X[2] - X[0], X[3] - X[0]);
    const Mat3 inv = inverse(edges);
    DensityProbe::Rest<double> rest;
    for (int i = 0; i < 3; ++i) rest.b[i + 1] = {inv.m[i][0], inv.m[i][1], inv.m[i][2]};
    rest.b[0] = -(rest.b[1] + rest.b[2] + rest.b[3]);
    rest.volume = determinant(edges) / 6;
    return rest;
}

}  // namespace pliant::test
