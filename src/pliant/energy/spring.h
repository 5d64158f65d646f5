// SPDX-License-Identifier: MIT
#pragma once

// Axial spring-damper between two nodes.
//
// E = 1/2 k (l - L)^2,  D = 1/2 c (dl/dt)^2, damping along the spring only: rigid motion and swinging
// are not damped. k and c come from raw constants (the theses' k_s, k_d per spring) and from a
// material: a spring that stands for a strip of sheet of cross-section A has k = k_s + E A / L and
// c = k_d + tau (E A / L), so the same material gives the same sheet at every resolution.
// Symbols: l length [m], L rest length [m], A cross-section [m^2], E Young's modulus [Pa], tau [s].
// Reference: seed 000 section 3.4; cross-sections after Van Gelder, "Approximate simulation of
// elastic membranes by triangulated spring meshes", 1998: A = thickness * (triangle areas) / L.

#include <array>

#include <pliant/base/describe.h>
#include <pliant/base/simd.h>
#include <pliant/energy/element.h>

namespace pliant {

struct Spring {
    double k_s = 0;           ///< [N/m] raw stiffness of every spring
    double k_d = 0;           ///< [N s/m] raw damping of every spring
    double young = 0;         ///< [Pa] Young's modulus of the material the springs stand for
    double damping_time = 0;  ///< [s] ratio of viscous to elastic stress of that material
    bool enabled = true;

    static constexpr int nodes = 2, rows = 1;

    template <class S>
    struct Rest {
        S length, section_over_length;
    };

    template <class S>
    Rows<S, 2, 1> strain(const Rest<S>& rest, const std::array<Vec3T<S>, 2>& x) const
    {
        const Vec3T<S> r = x[0] - x[1];
        const S length = norm(r);
        // A spring of no length has no direction, hence no force; the tiny number only avoids 0/0.
        const Vec3T<S> n = r * (S(1.0) / (length + S(1e-300)));
        return {{length - rest.length}, {{n, -n}}};
    }

    template <class S>
    S stiffness(const Rest<S>& rest) const
    {
        return S(on(k_s)) + S(on(young)) * rest.section_over_length;
    }

    template <class S>
    void stress(const Rest<S>& rest, const S (&e)[1], S (&f)[1]) const
    {
        f[0] = stiffness(rest) * e[0];
    }

    template <class S>
    void viscous_stress(const Rest<S>& rest, const S (&rate)[1], S (&f)[1]) const
    {
        f[0] = (S(on(k_d)) + S(damping_time) * (S(on(young)) * rest.section_over_length)) * rate[0];
    }

    /// The transverse stiffness f/l (I - n n^T) of a stretched spring; a compressed one is dropped,
    /// which keeps the block positive.
    template <class S>
    void add_curvature(Mat3T<S>& h, int i, int j, const Rest<S>& rest, const Rows<S, 2, 1>& at, const S (&f)[1]) const
    {
        const S length = at.e[0] + rest.length;
        const S tension = select(f[0] > S(0.0), f[0] / (length + S(1e-300)), S(0.0));
        const Vec3T<S>& n = at.d[0][0];
        const S sign = i == j ? tension : -tension;
        h += (identity3<S>() + outer(n, n) * S(-1.0)) * sign;
    }

private:
    double on(double constant) const { return enabled ? constant : 0; }
};

/// Whether the damping has anything to do.
inline bool is_damped(const Spring& s)
{
    return s.k_d != 0 || s.young * s.damping_time != 0;
}

template <class V>
void describe(V&& visit, Spring& s)
{
    visit(Field{"k_s", "N/m", 0, 1e12, "raw stiffness of every spring, as in the theses", Change::live}, s.k_s);
    visit(Field{"k_d", "N s/m", 0, 1e12, "raw damping along every spring, as in the theses", Change::live}, s.k_d);
    visit(Field{"young", "Pa", 0, 1e13, "Young's modulus of the sheet the springs stand for", Change::live}, s.young);
    visit(Field{"damping_time", "s", 0, 1e3,
                "viscous over elastic stress of the material: larger settles sooner and needs smaller steps",
                Change::live},
          s.damping_time);
    visit(Field{"enabled", "", 0, 1, "whether the springs act", Change::live}, s.enabled);
}

}  // namespace pliant
