// SPDX-License-Identifier: MIT
#pragma once

// The classic compressible neo-Hookean law: infinite at zero volume, not defined beyond.
//
// psi = mu/2 (tr C - 3) - mu log J + lambda/2 (log J)^2 with C = F^T F, tr C - 3 = 2 e (isotropic_law.h).
// An inverted element has the forbidden density, see unless_inverted().
// Reference: Bonet and Wood, Nonlinear Continuum Mechanics for Finite Element Analysis.

#include <pliant/energy/isotropic_law.h>

namespace pliant {

struct NeoHookean : IsotropicLaw<NeoHookean, Minors::absent> {
    static constexpr const char* name = "neo_hookean";
    static constexpr bool forbids_inversion = true;

    template <class S>
    S energy(const Moduli<S>& m, const StrainInvariants<S>& at) const
    {
        using std::log1p;
        const S log_J = log1p(kept_open(at.growth));
        return unless_inverted(m.shear * (at.trace - log_J) + S(0.5) * m.lame() * log_J * log_J, at.growth);
    }

    template <class S>
    Slopes<S> slopes(const Moduli<S>& m, const StrainInvariants<S>& at) const
    {
        using std::log1p;
        const S growth = kept_open(at.growth);
        return {m.shear, S(0.0), (m.lame() * log1p(growth) - m.shear) / (S(1.0) + growth)};
    }

    template <class S>
    Curvatures<S> curvatures(const Moduli<S>& m, const StrainInvariants<S>& at) const
    {
        using std::log1p;
        const S growth = kept_open(at.growth), J = S(1.0) + growth;
        return {S(0.0), S(0.0), S(0.0), (m.lame() * (S(1.0) - log1p(growth)) + m.shear) / (J * J)};
    }
};

}  // namespace pliant
