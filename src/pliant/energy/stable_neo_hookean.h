// SPDX-License-Identifier: MIT
#pragma once

// Stable neo-Hookean: rubber that survives any shape, flat and inverted ones too, and comes back. The default law.
//
// psi = mu'/2 (tr C - 3) - mu'/2 log((tr C + 1)/4) + lambda'/2 (J - 1)^2 - 3 mu'/4 (J - 1), which is the authors'
// energy minus its value at rest. mu' = 4/3 mu and lambda' = lambda + 5/6 mu make mu and lambda the moduli of small
// strains, exactly. tr C = 3 + 2 e in the invariants of isotropic_law.h.
// Reference: Smith, de Goes and Kim, "Stable neo-Hookean flesh simulation", 2018.

#include <pliant/energy/isotropic_law.h>

namespace pliant {

struct StableNeoHookean : IsotropicLaw<StableNeoHookean, Minors::absent> {
    static constexpr const char* name = "stable_neo_hookean";
    static constexpr bool forbids_inversion = false;

    template <class S>
    S energy(const Moduli<S>& m, const StrainInvariants<S>& at) const
    {
        using std::log1p;
        const S shape = shear_constant(m) * (at.trace - S(0.5) * log1p(S(0.5) * at.trace));
        return shape + at.growth * (S(0.5) * volume_constant(m) * at.growth - m.shear);
    }

    template <class S>
    Slopes<S> slopes(const Moduli<S>& m, const StrainInvariants<S>& at) const
    {
        const S shape = shear_constant(m) * (S(1.0) - S(1.0) / (S(4.0) + S(2.0) * at.trace));
        return {shape, S(0.0), volume_constant(m) * at.growth - m.shear};
    }

    template <class S>
    Curvatures<S> curvatures(const Moduli<S>& m, const StrainInvariants<S>& at) const
    {
        const S inv = S(1.0) / (S(4.0) + S(2.0) * at.trace);
        return {S(2.0) * shear_constant(m) * inv * inv, S(0.0), S(0.0), volume_constant(m)};
    }

private:
    template <class S>
    static S shear_constant(const Moduli<S>& m)
    {
        return m.shear * S(4.0 / 3.0);
    }
    template <class S>
    static S volume_constant(const Moduli<S>& m)
    {
        return m.lame() + m.shear * S(5.0 / 6.0);
    }
};

}  // namespace pliant
