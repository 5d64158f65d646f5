// SPDX-License-Identifier: MIT
#pragma once

// A ground law with one family of fibres: muscle, wood, cord-reinforced rubber (transversely isotropic).
//
// psi = ground + k/2 g^2, g = a . E a the Green strain along the fibre a (unit, in the rest state, per element; zero
// where there are none). Small strains along a: Young's modulus grows by k. Slender fibres buckle: with `pull_only`
// a shortened fibre carries nothing. Fibre stress k g (F a) a^T; its tangent g 1 + u u^T, u = F a, has the
// eigenvalues g, g across u and g + |u|^2 along it, so its positive part is a formula.
// Symbols: k fibre stiffness [Pa]; E, F as in isotropic_law.h.
// Reference: Holzapfel, Nonlinear Solid Mechanics (the standard reinforcing model).

#include <algorithm>

#include <pliant/base/describe.h>
#include <pliant/energy/isotropic_law.h>

namespace pliant {

template <class S>
struct FibreRest : TetRest<S> {
    Vec3T<S> fibre;  ///< [1] unit vector at rest, or zero
};

/// Sum of the tangent of the ground and that of the fibres.
template <class Ground, class S>
struct FibreTangent {
    Ground ground;
    Vec3T<S> fibre, now;  ///< a and F a
    S across, along;      ///< [Pa] factors of 1 and of (F a)(F a)^T

    struct Node {
        typename Ground::Node ground;
        S along;  // share of the fibre direction in the shape gradient
    };

    Node node(const Vec3T<S>& b) const { return {ground.node(b), dot(fibre, b)}; }

    Mat3T<S> block(const Node& i, const Node& j) const
    {
        const S both = i.along * j.along;
        return ground.block(i.ground, j.ground) + (identity3<S>() * across + outer(now, now) * along) * both;
    }
};

template <class Ground>
struct FibreReinforced {
    double fibre_stiffness = 0;  ///< [Pa] k
    bool pull_only = true;       ///< shortened fibres buckle
    Ground ground{};

    static constexpr const char* name = "fibre_reinforced";
    static constexpr bool forbids_inversion = Ground::forbids_inversion;

    template <class S>
    using Rest = FibreRest<S>;

    template <class S>
    struct Local {
        Moduli<S> moduli;
        Vec3T<S> fibre;
    };

    template <class S>
    static Local<S> local(const Moduli<S>& moduli, const FibreRest<S>& rest)
    {
        return {moduli, rest.fibre};
    }

    template <class S>
    S density(const Local<S>& l, const Mat3T<S>& F) const
    {
        const S g = carried_strain(l, F);
        return ground.density(l.moduli, F) + S(0.5 * fibre_stiffness) * g * g;
    }

    template <class S>
    Mat3T<S> stress(const Local<S>& l, const Mat3T<S>& F) const
    {
        const S tension = S(fibre_stiffness) * carried_strain(l, F);
        return ground.stress(l.moduli, F) + outer(F * l.fibre, l.fibre) * tension;
    }

    template <class S>
    using GroundExact = decltype(Ground().exact_tangent(Moduli<S>(), Mat3T<S>()));
    template <class S>
    using GroundPositive = decltype(Ground().positive_tangent(Moduli<S>(), Mat3T<S>()));

    template <class S>
    FibreTangent<GroundExact<S>, S> exact_tangent(const Local<S>& l, const Mat3T<S>& F) const
    {
        const S g = carried_strain(l, F);
        return tangent(ground.exact_tangent(l.moduli, F), l, F, g, stiffness_at(l, F));
    }

    template <class S>
    FibreTangent<GroundPositive<S>, S> positive_tangent(const Local<S>& l, const Mat3T<S>& F) const
    {
        using std::max;
        const S k = stiffness_at(l, F), g = carried_strain(l, F), across = max(g, S(0.0));
        const S length2 = norm2(F * l.fibre);
        // along * |u|^2 + across is the eigenvalue along the fibre; the tiny number answers 0/0 where there is none.
        const S along = (max(g + length2, S(0.0)) - across) / (length2 + S(1e-300));
        return tangent(ground.positive_tangent(l.moduli, F), l, F, across, k * along);
    }

private:
    template <class S>
    static S fibre_strain(const Local<S>& l, const Mat3T<S>& F)
    {
        const Vec3T<S> moved = displacement_gradient(F) * l.fibre;
        return dot(l.fibre, moved) + S(0.5) * dot(moved, moved);
    }

    template <class S>
    S carried_strain(const Local<S>& l, const Mat3T<S>& F) const
    {
        const S g = fibre_strain(l, F);
        return pull_only ? select(g > S(0.0), g, S(0.0)) : g;
    }

    template <class S>
    S stiffness_at(const Local<S>& l, const Mat3T<S>& F) const
    {
        const S k(fibre_stiffness);
        return pull_only ? select(fibre_strain(l, F) > S(0.0), k, S(0.0)) : k;
    }

    template <class Tangent, class S>
    FibreTangent<Tangent, S> tangent(const Tangent& of_ground, const Local<S>& l, const Mat3T<S>& F, const S& across,
                                     const S& along) const
    {
        return {of_ground, l.fibre, F * l.fibre, across * S(fibre_stiffness), along};
    }
};

template <class V, class Ground>
void describe(V&& visit, FibreReinforced<Ground>& law)
{
    visit(Field{"fibre_stiffness", "Pa", 0, 1e13, "Young's modulus that the fibres add along their direction",
                Change::live},
          law.fibre_stiffness);
    visit(Field{"pull_only", "", 0, 1, "fibres buckle: shortened ones carry nothing", Change::live}, law.pull_only);
}

}  // namespace pliant
