// SPDX-License-Identifier: MIT
#pragma once

// In-plane elasticity of a sheet on triangles, orthotropic along its threads: warp u, weft v.
//
// Three rows e, generalised stresses f = A K e, energy 1/2 e . f, with
//   K = [Eu' C 0; C Ev' 0; 0 0 G],  Eu' = Eu/(1-n^2), Ev' = Ev/(1-n^2), C = n sqrt(Eu Ev)/(1-n^2),
// which is positive for every |n| < 1 and the isotropic plane-stress matrix for Eu = Ev, G = E/(2(1+n)).
// What the rows are is the measure:
//   GreenStrain    1/2(|wu|^2 - 1), 1/2(|wv|^2 - 1), wu.wv   (Saint Venant-Kirchhoff)
//   ThreadStretch  |wu| - 1, |wv| - 1, wu.wv                  (the conditions of Baraff and Witkin)
// wu = dx/du / b_u with the rest stretch b_u: threads that want to be b_u times as long as in the rest shape.
// The weight A of an element is its rest area: the energy is linear in area and no mesh is softer than another.
// Seed 003 weights conditions by a^(3/4), which is A = a^(3/2): the sheet softens as it is refined; Rest::area
// then holds that number (model thesis_baraff_witkin).
// Damping: (damping_time K + diag of the raw dampers) on the rates of the rows.
// Symbols: Eu, Ev, G stiffness of the sheet, modulus times thickness [N/m]; n Poisson's ratio [1]; area [m^2].
// Reference: Baraff and Witkin, "Large steps in cloth simulation", 1998; seed 003 section 3.6.

#include <array>

#include <pliant/base/describe.h>
#include <pliant/base/simd.h>
#include <pliant/energy/element.h>

namespace pliant {

/// Symmetric 2x2 matrix [uu uv; uv vv].
template <class S>
struct Sym2T {
    S uu, vv, uv;
};

/// Its positive part: negative eigenvalues become zero.
template <class S>
Sym2T<S> positive_part(const Sym2T<S>& s)
{
    using std::max, std::sqrt;
    const S mean = S(0.5) * (s.uu + s.vv), half = S(0.5) * (s.uu - s.vv);
    const S radius = sqrt(half * half + s.uv * s.uv);
    const S high = max(mean + radius, S(0.0)), low = max(mean - radius, S(0.0));
    // s = mean I + radius R with R of eigenvalues +1, -1: the part is (high+low)/2 I + (high-low)/2 R.
    const S scale = (high - low) / (S(2.0) * radius + S(1e-300));
    const S middle = S(0.5) * (high + low);
    return {middle + scale * half, middle - scale * half, scale * s.uv};
}

template <class S>
struct TriangleRest {
    S b[3][2];  ///< [1/m] gradients of the shape functions along u and v
    S area;     ///< [m^2] weight of the element
};

struct GreenStrain {
    template <class S>
    static S stretch(const Vec3T<S>& w)
    {
        return S(0.5) * (dot(w, w) - S(1.0));
    }
    /// d(stretch)/dw.
    template <class S>
    static Vec3T<S> slope(const Vec3T<S>& w)
    {
        return w;
    }
    /// Second derivative of f . e with respect to x_i, x_j is (gi . T gj) I; T clamped to its positive part.
    template <class S>
    struct Curve {
        Sym2T<S> tension;
        Mat3T<S> block(const S (&gi)[2], const S (&gj)[2]) const
        {
            const S t =
                gi[0] * (tension.uu * gj[0] + tension.uv * gj[1]) + gi[1] * (tension.uv * gj[0] + tension.vv * gj[1]);
            return identity3<S>() * t;
        }
    };
    template <class S>
    static Curve<S> curve(const Vec3T<S>&, const Vec3T<S>&, const S (&f)[3])
    {
        return {positive_part(Sym2T<S>{f[0], f[1], f[2]})};
    }
};

struct ThreadStretch {
    template <class S>
    static S stretch(const Vec3T<S>& w)
    {
        return norm(w) - S(1.0);
    }
    // A thread of no length has no direction, hence no force; the tiny number only avoids 0/0.
    template <class S>
    static Vec3T<S> slope(const Vec3T<S>& w)
    {
        return w * (S(1.0) / (norm(w) + S(1e-300)));
    }
    /// Transverse stiffness of tight threads; that of slack ones and of shear is dropped, which keeps blocks positive.
    template <class S>
    struct Curve {
        Mat3T<S> across[2];
        Mat3T<S> block(const S (&gi)[2], const S (&gj)[2]) const
        {
            return across[0] * (gi[0] * gj[0]) + across[1] * (gi[1] * gj[1]);
        }
    };
    template <class S>
    static Mat3T<S> across(const Vec3T<S>& w, const S& f)
    {
        const S length = norm(w) + S(1e-300);
        const S tension = select(f > S(0.0), f / length, S(0.0));
        const Vec3T<S> n = w * (S(1.0) / length);
        return (identity3<S>() + outer(n, n) * S(-1.0)) * tension;
    }
    template <class S>
    static Curve<S> curve(const Vec3T<S>& wu, const Vec3T<S>& wv, const S (&f)[3])
    {
        return {{across(wu, f[0]), across(wv, f[1])}};
    }
};

template <class MeasureType>
struct Membrane {
    using Measure = MeasureType;

    double stretch_u = 0, stretch_v = 0;            ///< [N/m]
    double poisson = 0;                             ///< [1]
    double shear = 0;                               ///< [N/m]
    double damping_time = 0;                        ///< [s]
    double stretch_damping = 0;                     ///< [N s/m]
    double shear_damping = 0;                       ///< [N s/m]
    double rest_stretch_u = 1, rest_stretch_v = 1;  ///< [1]
    bool stretch_enabled = true, shear_enabled = true;

    static constexpr int nodes = 3, rows = 3;

    template <class S>
    using Rest = TriangleRest<S>;

    /// Shape gradients of the sheet as it would be if let go.
    template <class S>
    void gradients(const Rest<S>& rest, S (&g)[3][2]) const
    {
        for (int i = 0; i < 3; ++i)
            g[i][0] = rest.b[i][0] * S(1 / rest_stretch_u), g[i][1] = rest.b[i][1] * S(1 / rest_stretch_v);
    }

    template <class S>
    Rows<S, 3, 3> strain(const Rest<S>& rest, const std::array<Vec3T<S>, 3>& x) const
    {
        S g[3][2];
        gradients(rest, g);
        // Shape gradients add up to nothing: differences of positions keep all digits far from the origin.
        const Vec3T<S> p = x[1] - x[0], q = x[2] - x[0];
        const Vec3T<S> wu = p * g[1][0] + q * g[2][0], wv = p * g[1][1] + q * g[2][1];
        const Vec3T<S> du = Measure::slope(wu), dv = Measure::slope(wv);
        Rows<S, 3, 3> at;
        at.e[0] = Measure::stretch(wu), at.e[1] = Measure::stretch(wv), at.e[2] = dot(wu, wv);
        for (int i = 0; i < 3; ++i) {
            at.d[0][i] = du * g[i][0];
            at.d[1][i] = dv * g[i][1];
            at.d[2][i] = wv * g[i][0] + wu * g[i][1];
        }
        return at;
    }

    template <class S>
    void stress(const Rest<S>& rest, const S (&e)[3], S (&f)[3]) const
    {
        const double stretch = stretch_enabled ? area_scale() / (1 - poisson * poisson) : 0;
        const double coupling = stretch * poisson * std::sqrt(stretch_u * stretch_v);
        f[0] = rest.area * (S(stretch * stretch_u) * e[0] + S(coupling) * e[1]);
        f[1] = rest.area * (S(coupling) * e[0] + S(stretch * stretch_v) * e[1]);
        f[2] = rest.area * S(shear_enabled ? area_scale() * shear : 0) * e[2];
    }

    template <class S>
    void viscous_stress(const Rest<S>& rest, const S (&rate)[3], S (&f)[3]) const
    {
        stress(rest, rate, f);
        const S stretching = rest.area * S(stretch_enabled ? area_scale() * stretch_damping : 0);
        const S shearing = rest.area * S(shear_enabled ? area_scale() * shear_damping : 0);
        f[0] = f[0] * S(damping_time) + stretching * rate[0];
        f[1] = f[1] * S(damping_time) + stretching * rate[1];
        f[2] = f[2] * S(damping_time) + shearing * rate[2];
    }

    /// What the Hessian's curvature needs, once for all blocks of an element.
    template <class S>
    struct Curve {
        S g[3][2];
        typename Measure::template Curve<S> tension;
        Mat3T<S> block(int i, int j) const { return tension.block(g[i], g[j]); }
    };

    template <class S>
    Curve<S> curve(const Rest<S>& rest, const std::array<Vec3T<S>, 3>& x, const S (&f)[3]) const
    {
        Curve<S> c;
        gradients(rest, c.g);
        const Vec3T<S> p = x[1] - x[0], q = x[2] - x[0];
        const Vec3T<S> wu = p * c.g[1][0] + q * c.g[2][0], wv = p * c.g[1][1] + q * c.g[2][1];
        c.tension = Measure::curve(wu, wv, f);
        return c;
    }

private:
    double area_scale() const { return rest_stretch_u * rest_stretch_v; }
};

using GreenMembrane = Membrane<GreenStrain>;
using ThreadMembrane = Membrane<ThreadStretch>;

template <class Measure>
bool is_damped(const Membrane<Measure>& m)
{
    return m.damping_time != 0 || m.stretch_damping != 0 || m.shear_damping != 0;
}

template <class V, class Measure>
void describe(V&& visit, Membrane<Measure>& m)
{
    constexpr Change live = Change::live;
    visit(Field{"stretch_u", "N/m", 0, 1e12, "stiffness along the warp: Young's modulus times thickness", live},
          m.stretch_u);
    visit(Field{"stretch_v", "N/m", 0, 1e12, "stiffness along the weft", live}, m.stretch_v);
    visit(Field{"poisson", "1", -0.99, 0.99,
                "how much the sheet narrows when it is pulled: geometric mean of warp and weft", live},
          m.poisson);
    visit(
        Field{"shear", "N/m", 0, 1e12, "stiffness against shear between warp and weft: modulus times thickness", live},
        m.shear);
    visit(Field{"damping_time", "s", 0, 1e3, "viscous over elastic stress in the plane: larger settles sooner", live},
          m.damping_time);
    visit(Field{"stretch_damping", "N s/m", 0, 1e9, "raw damping of stretching, as in the theses", live},
          m.stretch_damping);
    visit(Field{"shear_damping", "N s/m", 0, 1e9, "raw damping of shearing", live}, m.shear_damping);
    visit(Field{"rest_stretch_u", "1", 0.01, 100, "length that warp threads want, over that of the rest shape", live},
          m.rest_stretch_u);
    visit(Field{"rest_stretch_v", "1", 0.01, 100, "the same of weft threads", live}, m.rest_stretch_v);
    visit(Field{"stretch_enabled", "", 0, 1, "whether the sheet resists stretching", live}, m.stretch_enabled);
    visit(Field{"shear_enabled", "", 0, 1, "whether the sheet resists shearing", live}, m.shear_enabled);
}

}  // namespace pliant
