// SPDX-License-Identifier: MIT
#pragma once

// Corotated linear elasticity: small strains seen from a frame that turns with the element.
//
// psi = mu |F - R|^2 + lambda/2 (tr(R^T F) - 3)^2, R the rotation of F = R S. In stretches s its slopes are
// 2 mu (s_i - 1) + lambda (s_1 + s_2 + s_3 - 3). Inverted elements take R without reflection (svd3) and turn back. R is the
// derivative of an eigenvalue problem, so this law takes doubles and packs, not jets. Kinks where two stretches
// cancel, s_2 + s_3 = 0.
// Reference: Smith, de Goes and Kim, "Analytic eigensystems for isotropic distortion energies", 2019.

#include <algorithm>

#include <pliant/energy/isotropic_law.h>

namespace pliant {

struct Corotated {
    static constexpr const char* name = "corotated";
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
        const Vec3T<S> strain = svd3(F).sigma - Vec3T<S>{S(1.0), S(1.0), S(1.0)};
        const S sum = strain.x + strain.y + strain.z;
        return m.shear * dot(strain, strain) + S(0.5) * m.lame() * sum * sum;
    }

    template <class S>
    Mat3T<S> stress(const Moduli<S>& m, const Mat3T<S>& F) const
    {
        const Svd3<S> decomposed = svd3(F);
        const Mat3T<S> R = decomposed.U * transpose(decomposed.V);
        return F * (S(2.0) * m.shear) + R * rotation_slope(m, decomposed.sigma);
    }

    template <class S>
    SpectralTangent<S> exact_tangent(const Moduli<S>& m, const Mat3T<S>& F) const
    {
        const Svd3<S> decomposed = svd3(F);
        const Vec3T<S>& s = decomposed.sigma;
        SpectralTangent<S> t{decomposed.U, decomposed.V, {}, {}, {}};
        const S twice = S(2.0) * m.shear, slope = rotation_slope(m, s);
        for (int i = 0; i < 3; ++i) {
            const S sum = s[(i + 1) % 3] + s[(i + 2) % 3];
            t.flip[i] = twice;
            // Beyond the kink the curvature is infinite; a millionth of a stretch keeps it a number.
            t.twist[i] = twice + S(2.0) * slope / select(sum > S(1e-6), sum, S(1e-6));
            for (int j = 0; j < 3; ++j) t.stretching.m[i][j] = m.lame() + (i == j ? twice : S(0.0));
        }
        return t;
    }

    template <class S>
    SpectralTangent<S> positive_tangent(const Moduli<S>& m, const Mat3T<S>& F) const
    {
        SpectralTangent<S> tangent = exact_tangent(m, F);
        tangent.project();
        return tangent;
    }

private:
    /// d psi / d tr(R^T F) at fixed |F|.
    template <class S>
    static S rotation_slope(const Moduli<S>& m, const Vec3T<S>& s)
    {
        return m.lame() * (s.x + s.y + s.z - S(3.0)) - S(2.0) * m.shear;
    }
};

}  // namespace pliant
