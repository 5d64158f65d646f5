// SPDX-License-Identifier: MIT
#pragma once

// Isotropic elastic laws: a law is a function of three invariants, everything else follows from it here.
//
// psi = f(e, m, J) of the Green strain E = (F^T F - 1)/2: its trace e, the sum of its principal minors m, and the
// volume ratio J = det F. All three vanish at rest (J is kept as J - 1) and are computed from F - 1 without
// cancellation, so a body strained by 1e-8 still has eight digits of energy. A law writes f, its slopes and its
// curvatures; from them
//     P = f_e F + f_m F (e - E) + f_J cof F.
// Two tangents: exact (no decomposition; Newton's first choice) and positive (projected: Newton's step
// always descends). The positive one is made in the frames of the principal stretches, F = U diag(s) V^T, where the Hessian of
// any isotropic energy falls apart into a 3x3 matrix of stretching and three pairs of eigenvalues:
//     flip_k  = (psi_i - psi_j) / (s_i - s_j) = f_e + f_m (e_k - (1 + s_i s_j)/2) - f_J s_k
//     twist_k = (psi_i + psi_j) / (s_i + s_j) = f_e + f_m (e_k - (1 - s_i s_j)/2) + f_J s_k
// written here without the quotients, so equal stretches need no care.
// Symbols: F deformation gradient, P first Piola-Kirchhoff stress [Pa], psi energy density [J/m^3], s stretches.
// Reference: Smith, de Goes and Kim, "Analytic eigensystems for isotropic distortion energies", 2019; the invariants
// are ours.

#include <algorithm>

#include <pliant/base/svd3.h>
#include <pliant/energy/elastic_moduli.h>
#include <pliant/energy/tet_rest.h>

namespace pliant {

/// Whether a law depends on m; the ones that do not have cheaper tangents.
enum class Minors { absent, present };

template <class S>
struct StrainInvariants {
    S trace;   ///< e
    S minors;  ///< m
    S growth;  ///< J - 1
};

/// First derivatives of f [Pa].
template <class S>
struct Slopes {
    S trace, minors, volume;
};

/// Second derivatives of f [Pa]; the ones missing are zero in every law here.
template <class S>
struct Curvatures {
    S trace_trace, trace_volume, minors_volume, volume_volume;
};

template <class S>
constexpr S trace(const Mat3T<S>& a)
{
    return a.m[0][0] + a.m[1][1] + a.m[2][2];
}

/// Sum of the principal minors of a.
template <class S>
constexpr S principal_minors(const Mat3T<S>& a)
{
    return a.m[0][0] * a.m[1][1] - a.m[0][1] * a.m[1][0] + (a.m[1][1] * a.m[2][2] - a.m[1][2] * a.m[2][1]) +
           (a.m[2][2] * a.m[0][0] - a.m[2][0] * a.m[0][2]);
}

/// Sum of the products of entries.
template <class S>
constexpr S inner(const Mat3T<S>& a, const Mat3T<S>& b)
{
    S total = a.m[0][0] * b.m[0][0];
    for (int k = 1; k < 9; ++k) total += a.m[k / 3][k % 3] * b.m[k / 3][k % 3];
    return total;
}

/// F - 1.
template <class S>
constexpr Mat3T<S> displacement_gradient(Mat3T<S> F)
{
    for (int k = 0; k < 3; ++k) F.m[k][k] -= S(1.0);
    return F;
}

/// Green strain from the displacement gradient G: the small part of F^T F - 1 keeps its digits.
template <class S>
constexpr Mat3T<S> green_strain(const Mat3T<S>& G)
{
    Mat3T<S> E;
    for (int i = 0; i < 3; ++i)
        for (int j = i; j < 3; ++j)
            E.m[i][j] = E.m[j][i] = S(0.5) * (G.m[i][j] + G.m[j][i] + dot(column(G, i), column(G, j)));
    return E;
}

/// det F - 1 from F - 1.
template <class S>
constexpr S volume_growth(const Mat3T<S>& G)
{
    return trace(G) + principal_minors(G) + determinant(G);
}

template <class S>
constexpr StrainInvariants<S> strain_invariants(const Mat3T<S>& E, const Mat3T<S>& G)
{
    return {trace(E), principal_minors(E), volume_growth(G)};
}

/// The energy density of a shape that a law forbids [J/m^3]: more than any real one, yet finite, so that the zero
/// weight of padding still removes it. A line search refuses the step.
inline constexpr double kForbiddenDensity = 1e100;

/// Laws that blow up at zero volume see no volume ratio below this: stresses stay finite where the step is lost
/// anyway.
inline constexpr double kSmallestVolume = 1e-12;

/// J - 1, held above -1.
template <class S>
S kept_open(const S& growth)
{
    return select(growth < S(kSmallestVolume - 1), S(kSmallestVolume - 1), growth);
}

/// `value` where the element is not inverted, else the density that no step accepts.
template <class S>
S unless_inverted(const S& value, const S& growth)
{
    return select(growth > S(-1.0), value, S(kForbiddenDensity));
}

/// The derivative of the stress as it is, possibly indefinite. Laws without m skip what it brings.
template <class S, Minors InLaw>
struct ExactTangent {
    Mat3T<S> F, E, cofactors, left;  ///< left: F F^T
    S trace_of_strain;
    Slopes<S> slope;
    Curvatures<S> curvature;

    /// What the blocks of a node with shape gradient b need, made once per node.
    struct Node {
        Vec3T<S> b, strained;                        // b and E b
        Vec3T<S> trace_slope, minors_slope, normal;  // derivatives of e, m and J by the node, per volume
    };

    Node node(const Vec3T<S>& b) const
    {
        const Vec3T<S> strained = E * b, moved = F * b;
        return {b, strained, moved, moved * trace_of_strain - F * strained, cofactors * b};
    }

    /// b_i . (dP/dF) . b_j: the Hessian block of two nodes, per volume.
    Mat3T<S> block(const Node& i, const Node& j) const
    {
        const S b2 = dot(i.b, j.b);
        S round = slope.trace * b2;
        const Vec3T<S> spin = (F * cross(i.b, j.b)) * (-slope.volume);
        // What the normal and the trace slope of j are multiplied by.
        const Vec3T<S> by_normal = i.normal * curvature.volume_volume + i.trace_slope * curvature.trace_volume;
        const Vec3T<S> by_trace = i.trace_slope * curvature.trace_trace + i.normal * curvature.trace_volume;
        Mat3T<S> h;
        for (int r = 0; r < 3; ++r)
            for (int c = 0; c < 3; ++c) h.m[r][c] = by_normal[r] * j.normal[c] + by_trace[r] * j.trace_slope[c];
        if constexpr (InLaw == Minors::present) {
            round += slope.minors * (trace_of_strain * b2 - dot(i.b, j.strained));
            add_minors(h, i, j, b2);
        }
        h.m[0][0] += round, h.m[1][1] += round, h.m[2][2] += round;
        h.m[2][1] += spin.x, h.m[0][2] += spin.y, h.m[1][0] += spin.z;
        h.m[1][2] -= spin.x, h.m[2][0] -= spin.y, h.m[0][1] -= spin.z;
        return h;
    }

private:
    void add_minors(Mat3T<S>& h, const Node& i, const Node& j, const S& b2) const
    {
        const Vec3T<S>&u = i.trace_slope, &w = j.trace_slope;
        const Vec3T<S> du = u * slope.minors, dw = w * (slope.minors * S(-0.5));
        const Vec3T<S> n = i.normal * curvature.minors_volume, m = i.minors_slope * curvature.minors_volume;
        const S back = slope.minors * b2 * S(-0.5);
        for (int r = 0; r < 3; ++r)
            for (int c = 0; c < 3; ++c)
                h.m[r][c] +=
                    du[r] * w[c] + dw[r] * u[c] + n[r] * j.minors_slope[c] + m[r] * j.normal[c] + left.m[r][c] * back;
    }
};

/// The derivative of the stress in the frames of the principal stretches.
template <class S>
struct SpectralTangent {
    Mat3T<S> U, V;         ///< frames, see svd3
    Mat3T<S> stretching;   ///< d psi_i / d s_j
    Vec3T<S> flip, twist;  ///< [k]: of the pair of axes other than k

    using Node = Vec3T<S>;  ///< shape gradient along the principal axes at rest

    Node node(const Vec3T<S>& b) const { return transpose(V) * b; }

    Mat3T<S> block(const Node& p, const Node& q) const
    {
        const Vec3T<S> same = (flip + twist) * S(0.5), swapped = (flip - twist) * S(0.5);
        Mat3T<S> h;
        for (int r = 0; r < 3; ++r) {
            const int c = (r + 1) % 3, k = (r + 2) % 3;
            h.m[r][r] = stretching.m[r][r] * (p[r] * q[r]) + same[k] * (p[c] * q[c]) + same[c] * (p[k] * q[k]);
            h.m[r][c] = stretching.m[r][c] * (p[r] * q[c]) + swapped[k] * (p[c] * q[r]);
            h.m[c][r] = stretching.m[c][r] * (p[c] * q[r]) + swapped[k] * (p[r] * q[c]);
        }
        return U * h * transpose(U);
    }

    /// Drops what is negative.
    void project()
    {
        using std::max;
        stretching = positive_part(stretching);
        for (int k = 0; k < 3; ++k) flip[k] = max(flip[k], S(0.0)), twist[k] = max(twist[k], S(0.0));
    }
};

/// Invariants of the principal stretches s.
template <class S>
StrainInvariants<S> stretch_invariants(const Vec3T<S>& s)
{
    Mat3T<S> E, G;
    for (int k = 0; k < 3; ++k) {
        G.m[k][k] = s[k] - S(1.0);
        E.m[k][k] = S(0.5) * G.m[k][k] * (s[k] + S(1.0));
    }
    return strain_invariants(E, G);
}

/// The tangent of a law at stretches `decomposed.sigma`, not projected.
template <class S>
SpectralTangent<S> spectral_tangent(const Svd3<S>& decomposed, const S& trace_of_strain, const Slopes<S>& f,
                                    const Curvatures<S>& ff)
{
    const Vec3T<S>& s = decomposed.sigma;
    SpectralTangent<S> t{decomposed.U, decomposed.V, {}, {}, {}};
    Vec3T<S> others, area;  // sum of the other two strains; product of the other two stretches
    for (int i = 0; i < 3; ++i) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        const S strain = S(0.5) * (s[i] - S(1.0)) * (s[i] + S(1.0));
        others[i] = trace_of_strain - strain;
        area[i] = s[j] * s[k];
        t.flip[i] = f.trace + f.minors * (strain - S(0.5) * (S(1.0) + area[i])) - f.volume * s[i];
        t.twist[i] = f.trace + f.minors * (strain - S(0.5) * (S(1.0) - area[i])) + f.volume * s[i];
    }
    const auto mixed = [&](int i, int j) {
        return ff.trace_trace * s[i] * s[j] + ff.volume_volume * area[i] * area[j] +
               ff.trace_volume * (s[i] * area[j] + s[j] * area[i]) +
               ff.minors_volume * (s[i] * others[i] * area[j] + s[j] * others[j] * area[i]);
    };
    for (int i = 0; i < 3; ++i) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        t.stretching.m[i][i] = mixed(i, i) + f.trace + f.minors * others[i];
        t.stretching.m[i][j] = t.stretching.m[j][i] = mixed(i, j) + f.minors * s[i] * s[j] + f.volume * s[k];
    }
    return t;
}

/// What an element asks of a law, made from the three functions that an isotropic Law writes:
/// energy(moduli, invariants), slopes(...), curvatures(...); InLaw says whether m is in them.
template <class Law, Minors InLaw>
struct IsotropicLaw {
    template <class S>
    using Rest = TetRest<S>;

    /// What the law needs to know about one element.
    template <class S>
    static Moduli<S> local(const Moduli<S>& moduli, const TetRest<S>&)
    {
        return moduli;
    }

    template <class S>
    S density(const Moduli<S>& m, const Mat3T<S>& F) const
    {
        const Mat3T<S> G = displacement_gradient(F);
        return law().energy(m, strain_invariants(green_strain(G), G));
    }

    template <class S>
    Mat3T<S> stress(const Moduli<S>& m, const Mat3T<S>& F) const
    {
        const Mat3T<S> G = displacement_gradient(F), E = green_strain(G);
        const StrainInvariants<S> at = strain_invariants(E, G);
        const Slopes<S> f = law().slopes(m, at);
        return F * (identity3<S>() * (f.trace + f.minors * at.trace) + E * (-f.minors)) + cofactor(F) * f.volume;
    }

    template <class S>
    ExactTangent<S, InLaw> exact_tangent(const Moduli<S>& m, const Mat3T<S>& F) const
    {
        const Mat3T<S> G = displacement_gradient(F), E = green_strain(G);
        const StrainInvariants<S> at = strain_invariants(E, G);
        return {F, E, cofactor(F), F * transpose(F), at.trace, law().slopes(m, at), law().curvatures(m, at)};
    }

    template <class S>
    SpectralTangent<S> positive_tangent(const Moduli<S>& m, const Mat3T<S>& F) const
    {
        const Svd3<S> decomposed = svd3(F);
        const StrainInvariants<S> at = stretch_invariants(decomposed.sigma);
        auto tangent = spectral_tangent(decomposed, at.trace, law().slopes(m, at), law().curvatures(m, at));
        tangent.project();
        return tangent;
    }

private:
    const Law& law() const { return static_cast<const Law&>(*this); }
};

}  // namespace pliant
