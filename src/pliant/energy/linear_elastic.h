// SPDX-License-Identifier: MIT
#pragma once

// Linear elasticity: strains small and nothing turns. Exact for patch tests and vibrations about rest; a body that
// turns grows, so it is for small displacements only.
//
// psi = mu e:e + lambda/2 (tr e)^2, e = (F + F^T)/2 - 1. Quadratic in positions, hence one matrix for ever.

#include <pliant/energy/isotropic_law.h>

namespace pliant {

template <class S>
struct LinearTangent {
    Moduli<S> moduli;

    using Node = Vec3T<S>;

    static Node node(const Vec3T<S>& b) { return b; }

    Mat3T<S> block(const Node& bi, const Node& bj) const
    {
        return (identity3<S>() * dot(bi, bj) + outer(bj, bi)) * moduli.shear + outer(bi, bj) * moduli.lame();
    }
};

struct LinearElastic {
    static constexpr const char* name = "linear";
    static constexpr bool forbids_inversion = false;

    template <class S>
    using Rest = TetRest<S>;

    template <class S>
    static Moduli<S> local(const Moduli<S>& moduli, const TetRest<S>&)
    {
        return moduli;
    }

    template <class S>
    S density(const Moduli<S>& m, const Mat3T<S>& F) const
    {
        const Mat3T<S> e = small_strain(F);
        return m.shear * inner(e, e) + S(0.5) * m.lame() * trace(e) * trace(e);
    }

    template <class S>
    Mat3T<S> stress(const Moduli<S>& m, const Mat3T<S>& F) const
    {
        const Mat3T<S> e = small_strain(F);
        return e * (S(2.0) * m.shear) + identity3<S>() * (m.lame() * trace(e));
    }

    template <class S>
    LinearTangent<S> exact_tangent(const Moduli<S>& m, const Mat3T<S>&) const
    {
        return {m};
    }

    template <class S>
    LinearTangent<S> positive_tangent(const Moduli<S>& m, const Mat3T<S>&) const
    {
        return {m};
    }

private:
    template <class S>
    static Mat3T<S> small_strain(const Mat3T<S>& F)
    {
        const Mat3T<S> G = displacement_gradient(F);
        return (G + transpose(G)) * S(0.5);
    }
};

}  // namespace pliant
