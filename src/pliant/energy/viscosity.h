// SPDX-License-Identifier: MIT
#pragma once

// Viscous stress of solids: of strain rates only, so that rigid motion of a body under any stress is not damped.
//
// S = zeta tr(E') 1 + 2 eta dev(E'), P = F S, where E' = sym(F^T F') is the rate of the Green strain; the power
// per rest volume is S : E'. Three readings of the same formula, which add up:
//  * Kelvin-Voigt: eta and zeta are the dynamic shear viscosity and the bulk viscosity [Pa s];
//  * stiffness-proportional (Rayleigh's second coefficient tau [s]): eta = tau mu, zeta = tau K. The tangent of the
//    rest state is taken: the tangent of a stressed one would damp its spin;
//  * the dissertation's dissipation function: its T' is 2 E', so zeta = 2 eta_1 and eta = 2 eta_2, and its eta_1,
//    eta_2 are poise (W-09). It is taken per rest volume (W-10), which makes the power a proper integral.
// Reference: seed 002, section 3.5.

#include <pliant/energy/isotropic_law.h>

namespace pliant {

template <class S>
struct Viscosity {
    S bulk, shear;  ///< [Pa s] zeta, eta

    Mat3T<S> stress(const Mat3T<S>& F, const Mat3T<S>& rate) const
    {
        const Mat3T<S> half = transpose(F) * rate;
        const Mat3T<S> strain_rate = (half + transpose(half)) * S(0.5);
        return F * (strain_rate * (S(2.0) * shear) + identity3<S>() * (second() * trace(strain_rate)));
    }

    /// b_i . (dP/dF') . b_j, see ExactTangent::block.
    Mat3T<S> block(const Mat3T<S>& F, const Vec3T<S>& bi, const Vec3T<S>& bj) const
    {
        const Vec3T<S> ui = F * bi, uj = F * bj;
        return (F * transpose(F) * dot(bi, bj) + outer(uj, ui)) * shear + outer(ui, uj) * second();
    }

private:
    S second() const { return bulk - shear * S(2.0 / 3.0); }
};

/// The usual viscosity [Pa s] of a coefficient of the dissertation, eta_1 or eta_2 [poise].
constexpr double viscosity_of_thesis(double poise)
{
    constexpr double kPascalSeconds = 0.1;
    return 2 * poise * kPascalSeconds;
}

}  // namespace pliant
