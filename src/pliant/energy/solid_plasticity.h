// SPDX-License-Identifier: MIT
#pragma once

// Metal, clay and dough: plastic flow as a slow change of each element's rest shape, for any law (E-23).
//
// F = F_e F_p: the law sees F_e = F F_p^-1 only. When the shear stress of F_e passes the yield stress, F_p moves
// along the principal stretches until it does not (radial return, von Mises). Stress is measured by Hencky's strains
// log s, which makes the return a formula: |dev tau| = 2 mu |dev log s|. Flow keeps the volume: det F_p = 1 for ever.
// The state of an element is F_p^-1 and the plastic strain so far; it belongs to State, since a step changes it.
// Symbols: s stretches of F_e, mu shear modulus [Pa], H hardening [Pa], p plastic strain [1].
// Reference: Simo, "Algorithms for static and dynamic multiplicative plasticity that preserve the classical return
// mapping schemes of the infinitesimal theory", 1992.

#include <pliant/base/describe.h>
#include <pliant/base/svd3.h>
#include <pliant/energy/tet_rest.h>

namespace pliant {

/// Live parameters.
struct SolidPlasticity {
    double yield_stress = 1e5;  ///< [Pa] in uniaxial tension
    double hardening = 0;       ///< [Pa] growth of the yield stress per plastic strain

    bool acts() const { return yield_stress > 0; }
};

template <class V>
void describe(V&& visit, SolidPlasticity& p)
{
    visit(Field{"yield_stress", "Pa", 0, 1e13, "tension at which the body begins to keep its new shape; 0 never",
                Change::live},
          p.yield_stress);
    visit(Field{"hardening", "Pa", 0, 1e13, "growth of the yield stress per plastic strain", Change::live},
          p.hardening);
}

/// Internal variables of one element.
struct PlasticState {
    Mat3 inverse = identity3<double>();  ///< F_p^-1
    double strain = 0;                   ///< [1] plastic strain so far, never shrinking
};

/// The state after flow at the elastic deformation F_e; the same state when the stress is below yield. An element
/// that is flat or inverted does not flow.
PlasticState flowed(const PlasticState& state, const Mat3& elastic_deformation, double shear_modulus,
                    const SolidPlasticity& plasticity);

/// Rest geometry that gives F F_p^-1 where `rest` gives F.
template <class S>
void apply_plastic_rest(TetRest<S>& rest, const Mat3T<S>& inverse)
{
    const Mat3T<S> turned = transpose(inverse);
    for (Vec3T<S>& b : rest.b) b = turned * b;
}

}  // namespace pliant
