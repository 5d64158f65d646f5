// SPDX-License-Identifier: MIT
#pragma once

// The energy of the dissertation of seed 002: separable in volume and shape, infinite at zero volume.
//
// psi = alpha/32 (J^4 + J^-4 - 2) + beta/6 (tr(C)^2 - 3 Sigma), Sigma the sum of the principal minors of C = F^T F;
// alpha is the bulk modulus, beta the shear modulus. In the invariants of isotropic_law.h the shape term is 2/3 beta
// (e^2 - 3 m). It is the deviatoric half of St Venant-Kirchhoff, so shear fades under compression (W-11): see
// isochoric_thesis.h. The formula is even in J and an inverted element would rest as its mirror image (W-08): here
// it is forbidden.
// Reference: seed 002, section 3.4.

#include <pliant/energy/isotropic_law.h>

namespace pliant {

/// Energy of the volume and its first two derivatives by J, over alpha.
template <class S>
struct ThesisVolume {
    S energy, slope, curvature;
};

template <class S>
ThesisVolume<S> thesis_volume(const S& growth)
{
    const S J = S(1.0) + growth, J2 = J * J, inv2 = S(1.0) / J2;
    const S root = growth * (J + S(1.0)) * (J2 + S(1.0)) * inv2;  // J^2 - J^-2
    const S slope = S(0.125) * root * (J2 + inv2) / J;            // (J^4 - J^-4) / 8J
    return {root * root * S(1.0 / 32.0), slope, S(0.125) * (S(3.0) * J2 + S(5.0) * inv2 * inv2 * inv2)};
}

struct ThesisSolid : IsotropicLaw<ThesisSolid, Minors::present> {
    static constexpr const char* name = "thesis";
    static constexpr bool forbids_inversion = true;

    template <class S>
    S energy(const Moduli<S>& m, const StrainInvariants<S>& at) const
    {
        const S shape = S(2.0 / 3.0) * m.shear * (at.trace * at.trace - S(3.0) * at.minors);
        return unless_inverted(m.bulk * thesis_volume(kept_open(at.growth)).energy + shape, at.growth);
    }

    template <class S>
    Slopes<S> slopes(const Moduli<S>& m, const StrainInvariants<S>& at) const
    {
        return {S(4.0 / 3.0) * m.shear * at.trace, S(-2.0) * m.shear,
                m.bulk * thesis_volume(kept_open(at.growth)).slope};
    }

    template <class S>
    Curvatures<S> curvatures(const Moduli<S>& m, const StrainInvariants<S>& at) const
    {
        return {S(4.0 / 3.0) * m.shear, S(0.0), S(0.0), m.bulk * thesis_volume(kept_open(at.growth)).curvature};
    }
};

}  // namespace pliant
