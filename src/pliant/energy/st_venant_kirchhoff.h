// SPDX-License-Identifier: MIT
#pragma once

// St Venant-Kirchhoff: linear in the Green strain. For comparison and statics at moderate strain: it softens under
// compression and lets elements collapse through themselves without noticing.
//
// psi = mu E:E + lambda/2 (tr E)^2, and E:E = e^2 - 2 m in the invariants of isotropic_law.h.

#include <pliant/energy/isotropic_law.h>

namespace pliant {

struct StVenantKirchhoff : IsotropicLaw<StVenantKirchhoff, Minors::present> {
    static constexpr const char* name = "st_venant_kirchhoff";
    static constexpr bool forbids_inversion = false;

    template <class S>
    S energy(const Moduli<S>& m, const StrainInvariants<S>& at) const
    {
        const S e2 = at.trace * at.trace;
        return m.shear * (e2 - S(2.0) * at.minors) + S(0.5) * m.lame() * e2;
    }

    template <class S>
    Slopes<S> slopes(const Moduli<S>& m, const StrainInvariants<S>& at) const
    {
        return {(S(2.0) * m.shear + m.lame()) * at.trace, S(-2.0) * m.shear, S(0.0)};
    }

    template <class S>
    Curvatures<S> curvatures(const Moduli<S>& m, const StrainInvariants<S>&) const
    {
        return {S(2.0) * m.shear + m.lame(), S(0.0), S(0.0), S(0.0)};
    }
};

}  // namespace pliant
