// SPDX-License-Identifier: MIT
#pragma once

// Quadratic bending of sheets that hardly stretch: a constant matrix.
//
// Over the edge between two triangles q = sum c_i x_i is |e| theta n for small angles, and stays right for large ones as
// long as lengths are kept; E = 1/2 k |q|^2 with k = c bend / (A1 + A2), which is Hinge to second order. Rest shapes
// are flat. Its damping resists changes of q, so it also resists the turning of what is curved, which hinges do not.
// Gradient k c_i q, Hessian k c_i c_j I: no angle, no square root, nothing to project.
// Symbols: c cotangents at rest [1], A areas of the triangles [m^2], bend [N m].
// Reference: Bergou, Wardetzky, Harmon, Zorin, Grinspun, "A quadratic bending model for inextensible surfaces", 2006.

#include <array>

#include <pliant/energy/hinge.h>

namespace pliant {

template <class S>
struct StencilRest {
    S c[4];                ///< [1]
    S weight_u, weight_v;  ///< [1/m^2] of bend_u and bend_v
};

struct QuadraticBending {
    double bend_u = 0, bend_v = 0;  ///< [N m]
    double bend_damping_time = 0;   ///< [s]
    double bend_damping = 0;        ///< [N m s]
    bool bend_enabled = true;

    friend bool operator==(const QuadraticBending&, const QuadraticBending&) = default;

    static constexpr int nodes = 4, rows = 3;
    static constexpr bool is_stencil = true;

    template <class S>
    using Rest = StencilRest<S>;

    template <class S>
    S stiffness(const Rest<S>& rest) const
    {
        return S(bend_enabled ? bend_u : 0) * rest.weight_u + S(bend_enabled ? bend_v : 0) * rest.weight_v;
    }

    template <class S>
    S viscosity(const Rest<S>& rest) const
    {
        const S raw = (rest.weight_u + rest.weight_v) * S(bend_enabled ? bend_damping : 0);
        return stiffness(rest) * S(bend_damping_time) + raw;
    }

    /// The same as rows, for solvers that ask for them: e = q.
    template <class S>
    Rows<S, 4, 3> strain(const Rest<S>& rest, const std::array<Vec3T<S>, 4>& x) const
    {
        Rows<S, 4, 3> at;
        const Vec3T<S> q = stencil_sum(rest.c, x);
        for (int m = 0; m < 3; ++m) {
            at.e[m] = q[m];
            for (int i = 0; i < 4; ++i) at.d[m][i] = Vec3T<S>{}, at.d[m][i][m] = rest.c[i];
        }
        return at;
    }

    template <class S>
    void stress(const Rest<S>& rest, const S (&e)[3], S (&f)[3]) const
    {
        for (int m = 0; m < 3; ++m) f[m] = stiffness(rest) * e[m];
    }

    template <class S>
    void viscous_stress(const Rest<S>& rest, const S (&rate)[3], S (&f)[3]) const
    {
        for (int m = 0; m < 3; ++m) f[m] = viscosity(rest) * rate[m];
    }
};

inline bool is_damped(const QuadraticBending& b)
{
    return b.bend_damping_time != 0 || b.bend_damping != 0;
}

template <class V>
void describe(V&& visit, QuadraticBending& b)
{
    describe_bending(visit, b);
}

}  // namespace pliant
