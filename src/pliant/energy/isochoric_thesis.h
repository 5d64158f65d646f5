// SPDX-License-Identifier: MIT
#pragma once

// The dissertation's energy with a shape term that sees shape only (W-11): a sheared tetrahedron keeps its shape
// energy when it is scaled.
//
// psi = alpha/32 (J^4 + J^-4 - 2) + w 2/3 beta (e^2 - 3 m), w = J^(-4/3): the shape term of thesis_solid.h for F /
// J^(1/3). Infinite at zero volume, forbidden beyond. Symbols as in isotropic_law.h.

#include <pliant/energy/thesis_solid.h>

namespace pliant {

struct IsochoricThesis : IsotropicLaw<IsochoricThesis, Minors::present> {
    static constexpr const char* name = "isochoric_thesis";
    static constexpr bool forbids_inversion = true;

    template <class S>
    S energy(const Moduli<S>& m, const StrainInvariants<S>& at) const
    {
        const S growth = kept_open(at.growth);
        return unless_inverted(m.bulk * thesis_volume(growth).energy + shape(m, at, weight(growth)), at.growth);
    }

    template <class S>
    Slopes<S> slopes(const Moduli<S>& m, const StrainInvariants<S>& at) const
    {
        const S growth = kept_open(at.growth), w = weight(growth);
        return {S(4.0 / 3.0) * m.shear * w * at.trace, S(-2.0) * m.shear * w,
                m.bulk * thesis_volume(growth).slope - S(4.0 / 3.0) * shape(m, at, w) / (S(1.0) + growth)};
    }

    template <class S>
    Curvatures<S> curvatures(const Moduli<S>& m, const StrainInvariants<S>& at) const
    {
        const S growth = kept_open(at.growth), w = weight(growth), inv = S(1.0) / (S(1.0) + growth);
        const S slope = S(4.0 / 3.0) * m.shear * w;
        return {slope, S(-4.0 / 3.0) * slope * at.trace * inv, S(8.0 / 3.0) * m.shear * w * inv,
                m.bulk * thesis_volume(growth).curvature + S(28.0 / 9.0) * shape(m, at, w) * inv * inv};
    }

private:
    template <class S>
    static S weight(const S& growth)
    {
        using std::cbrt;
        const S J = S(1.0) + growth;
        return S(1.0) / (J * cbrt(J));
    }
    template <class S>
    static S shape(const Moduli<S>& m, const StrainInvariants<S>& at, const S& w)
    {
        return S(2.0 / 3.0) * m.shear * w * (at.trace * at.trace - S(3.0) * at.minors);
    }
};

}  // namespace pliant
