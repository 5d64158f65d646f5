// SPDX-License-Identifier: MIT
#pragma once

// Mooney-Rivlin rubber, nearly incompressible form: shape terms of F / J^(1/3), and a volume term.
//
// psi = c1 (J^(-2/3) tr C - 3) + c2 (J^(-4/3) Sigma - 3) + K/2 (J - 1)^2 with tr C = 3 + 2 e, Sigma = 3 + 4 e + 4 m
// in the invariants of isotropic_law.h. 2 (c1 + c2) = mu: `second_share` = c2 / (c1 + c2) bends the curve of a
// stretched band and leaves small strains alone. Infinite at zero volume (unless the shape is pure volume change),
// forbidden beyond.
// Reference: Bonet and Wood, Nonlinear Continuum Mechanics for Finite Element Analysis.

#include <pliant/base/describe.h>
#include <pliant/energy/isotropic_law.h>

namespace pliant {

struct MooneyRivlin : IsotropicLaw<MooneyRivlin, Minors::present> {
    double second_share = 0.2;  ///< [1] of the shear modulus carried by the second invariant; 0 is neo-Hookean

    static constexpr const char* name = "mooney_rivlin";
    static constexpr bool forbids_inversion = true;

    template <class S>
    S energy(const Moduli<S>& m, const StrainInvariants<S>& at) const
    {
        const Parts<S> p = parts(m, at);
        const S first = p.c1 * (S(3.0) * p.w1_less_1 + S(2.0) * p.w1 * at.trace);
        const S both = at.trace + at.minors;
        const S second = p.c2 * (S(3.0) * p.w1_less_1 * (p.w1 + S(1.0)) + S(4.0) * p.w1 * p.w1 * both);
        return unless_inverted(first + second + S(0.5) * m.bulk * at.growth * at.growth, at.growth);
    }

    template <class S>
    Slopes<S> slopes(const Moduli<S>& m, const StrainInvariants<S>& at) const
    {
        const Parts<S> p = parts(m, at);
        const S second = S(4.0) * p.c2 * p.w1 * p.w1;
        const S volume = -(S(2.0 / 3.0) * p.first + S(4.0 / 3.0) * p.second) * p.inv_J;
        return {S(2.0) * p.c1 * p.w1 + second, second, volume + m.bulk * at.growth};
    }

    template <class S>
    Curvatures<S> curvatures(const Moduli<S>& m, const StrainInvariants<S>& at) const
    {
        const Parts<S> p = parts(m, at);
        const S second = S(-16.0 / 3.0) * p.c2 * p.w1 * p.w1 * p.inv_J;
        const S volume = (S(10.0 / 9.0) * p.first + S(28.0 / 9.0) * p.second) * p.inv_J * p.inv_J;
        return {S(0.0), S(-4.0 / 3.0) * p.c1 * p.w1 * p.inv_J + second, second, volume + m.bulk};
    }

private:
    template <class S>
    struct Parts {
        S c1, c2, inv_J;
        S w1, w1_less_1;  // J^(-2/3), and minus 1
        S first, second;  // c1 J^(-2/3) tr C and c2 J^(-4/3) Sigma
    };

    template <class S>
    Parts<S> parts(const Moduli<S>& m, const StrainInvariants<S>& at) const
    {
        using std::cbrt;
        const S growth = kept_open(at.growth), J = S(1.0) + growth, root = cbrt(J);
        Parts<S> p;
        p.c1 = m.shear * S(0.5 * (1 - second_share)), p.c2 = m.shear * S(0.5 * second_share);
        p.inv_J = S(1.0) / J;
        p.w1 = S(1.0) / (root * root);
        // root - 1 = growth / (root^2 + root + 1): no cancellation near rest.
        p.w1_less_1 = -growth / (root * root + root + S(1.0)) * (root + S(1.0)) * p.w1;
        p.first = p.c1 * p.w1 * (S(3.0) + S(2.0) * at.trace);
        p.second = p.c2 * p.w1 * p.w1 * (S(3.0) + S(4.0) * (at.trace + at.minors));
        return p;
    }
};

template <class V>
void describe(V&& visit, MooneyRivlin& law)
{
    visit(
        Field{
            "second_share", "1", 0, 1,
            "share of the shear modulus carried by the second invariant: 0 is neo-Hookean rubber, 0.1 to 0.3 real ones",
            Change::live},
        law.second_share);
}

}  // namespace pliant
