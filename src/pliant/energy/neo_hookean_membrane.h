// SPDX-License-Identifier: MIT
#pragma once

// A rubber sheet: neo-Hookean in plane stress, at any stretch.
//
// psi = mu/2 (tr C - 2 + (D^-beta - 1)/beta) per rest area, C = F^T F (2x2), D = det C, beta = n/(1 - n). With n = 1/2
// this is the incompressible neo-Hookean sheet exactly (D^-1 is the squared stretch of the thickness); with
// other n it has Poisson's ratio n at small strains and stays finite at all stretches, a sheet squeezed to nothing excepted.
// S = mu (I - D^-beta C^-1), P = F S. The energy of D is convex in C, so only the geometric part dF S needs
// its positive part.
// Damping: a Newtonian stress on the rate of Green's strain with the moduli at rest times damping_time.
// Symbols: mu = stretch / (2 (1 + n)) [N/m]; stretch is Young's modulus times thickness [N/m].
// Reference: Ogden, Non-linear Elastic Deformations; Blatz and Ko 1962 for the exponent.

#include <array>
#include <cmath>

#include <pliant/base/describe.h>
#include <pliant/base/scalar_functions.h>
#include <pliant/energy/membrane.h>

namespace pliant {

template <class S>
struct SheetRest {
    Vec3T<S> b[3];  ///< [1/m] gradients of the shape functions along u and v; the third number is zero
    S volume;       ///< [m^2] area: psi is per area
};

struct NeoHookeanMembrane {
    double stretch_u = 0;     ///< [N/m]
    double poisson = 0.5;     ///< [1]
    double damping_time = 0;  ///< [s]
    bool stretch_enabled = true;

    static constexpr int nodes = 3;
    static constexpr bool is_density = true;

    template <class S>
    using Rest = SheetRest<S>;

    template <class S>
    S density(const Mat3T<S>& F) const
    {
        const Metric<S> at(F, beta());
        return S(0.5 * mu()) * (at.C.uu + at.C.vv - S(2.0) + (at.power - S(1.0)) * S(1 / beta()));
    }

    template <class S>
    Mat3T<S> stress(const Mat3T<S>& F) const
    {
        const Metric<S> at(F, beta());
        return times(F, at.second_stress(mu()));
    }

    /// dP for a change dF, positive part.
    template <class S>
    Mat3T<S> stress_change(const Mat3T<S>& F, const Mat3T<S>& dF) const
    {
        const Metric<S> at(F, beta());
        const Sym2T<S> dC = twice_symmetric(F, dF), G = at.inverse;
        const S trace = G.uu * dC.uu + G.vv * dC.vv + S(2.0) * G.uv * dC.uv;
        // C^-1 dC C^-1
        const S a = G.uu * dC.uu + G.uv * dC.uv, b = G.uu * dC.uv + G.uv * dC.vv;
        const S c = G.uv * dC.uu + G.vv * dC.uv, d = G.uv * dC.uv + G.vv * dC.vv;
        const Sym2T<S> turned{a * G.uu + b * G.uv, c * G.uv + d * G.vv, a * G.uv + b * G.vv};
        const S k = S(mu()) * at.power, kt = k * S(beta()) * trace;
        const Sym2T<S> dS{kt * G.uu + k * turned.uu, kt * G.vv + k * turned.vv, kt * G.uv + k * turned.uv};
        return times(dF, positive_part(at.second_stress(mu()))) + times(F, dS);
    }

    template <class S>
    Mat3T<S> viscous_stress(const Mat3T<S>& F, const Mat3T<S>& rate) const
    {
        const Sym2T<S> E = twice_symmetric(F, rate);  // twice the rate of Green's strain
        const S trace = (E.uu + E.vv) * S(beta() * mu() * damping_time), two = S(mu() * damping_time);
        return times(F, Sym2T<S>{two * E.uu + trace, two * E.vv + trace, two * E.uv});
    }

private:
    double mu() const { return stretch_enabled ? stretch_u / (2 * (1 + poisson)) : 0; }
    double beta() const { return poisson / (1 - poisson); }

    template <class S>
    struct Metric {
        Sym2T<S> C, inverse;
        S power;  // D^-beta
        Metric(const Mat3T<S>& F, double beta)
        {
            const Vec3T<S> u{F.m[0][0], F.m[1][0], F.m[2][0]}, v{F.m[0][1], F.m[1][1], F.m[2][1]};
            C = {dot(u, u), dot(v, v), dot(u, v)};
            const S D = norm2(cross(u, v)) + S(1e-30);
            inverse = {C.vv / D, C.uu / D, -C.uv / D};
            power = beta == 1 ? S(1.0) / D : power_of(D, -beta);
        }
        Sym2T<S> second_stress(double mu) const
        {
            return {S(mu) * (S(1.0) - power * inverse.uu), S(mu) * (S(1.0) - power * inverse.vv),
                    S(-mu) * power * inverse.uv};
        }
    };

    // F S with the third column zero.
    template <class S>
    static Mat3T<S> times(const Mat3T<S>& F, const Sym2T<S>& T)
    {
        Mat3T<S> P;
        for (int r = 0; r < 3; ++r) {
            P.m[r][0] = F.m[r][0] * T.uu + F.m[r][1] * T.uv;
            P.m[r][1] = F.m[r][0] * T.uv + F.m[r][1] * T.vv;
        }
        return P;
    }

    // F^T dF + dF^T F.
    template <class S>
    static Sym2T<S> twice_symmetric(const Mat3T<S>& F, const Mat3T<S>& dF)
    {
        Sym2T<S> out{S(0.0), S(0.0), S(0.0)};
        for (int r = 0; r < 3; ++r) {
            out.uu += S(2.0) * F.m[r][0] * dF.m[r][0];
            out.vv += S(2.0) * F.m[r][1] * dF.m[r][1];
            out.uv += F.m[r][0] * dF.m[r][1] + F.m[r][1] * dF.m[r][0];
        }
        return out;
    }
};

inline bool is_damped(const NeoHookeanMembrane& m)
{
    return m.damping_time != 0;
}

template <class V>
void describe(V&& visit, NeoHookeanMembrane& m)
{
    constexpr Change live = Change::live;
    visit(Field{"stretch_u", "N/m", 0, 1e12, "stiffness at small strains: Young's modulus times thickness", live},
          m.stretch_u);
    visit(
        Field{"poisson", "1", 0.01, 0.5, "Poisson's ratio at small strains; 0.5: rubber, which keeps its volume", live},
        m.poisson);
    visit(Field{"damping_time", "s", 0, 1e3, "viscous over elastic stress in the plane: larger settles sooner", live},
          m.damping_time);
    visit(Field{"stretch_enabled", "", 0, 1, "whether the sheet resists stretching", live}, m.stretch_enabled);
}

}  // namespace pliant
