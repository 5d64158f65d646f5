// SPDX-License-Identifier: MIT
#pragma once

// Bending of a sheet by the angle at every edge between two triangles (discrete shells).
//
// One row e = theta - theta_rest, E = 1/2 k e^2 with k = c bend r, r = |e|^2 / (A1 + A2). With c = 1 a sheet forced to roll
// along the lines of a regular mesh (squares halved, or equilateral triangles) has 1/2 B kappa^2 per area exactly,
// B = bend [N m] (Grinspun's 3 r is three times as stiff), but a free strip, which may also twist from triangle to triangle,
// is softer. On cells halved the same way by edges across of ratio r it has B / (1 + (r^2/(1 + r^2))^2): 0.8 B on squares
// (seen 0.81 to 0.85 B on both kinds of grids), 8/9 B on equilateral triangles. Fabrics are measured on free strips, so
// c = 1 + (r^2/(1 + r^2))^2, at most 1.2: strips of square cells have 0.97 to 1.02 B, of narrow ones B, of equilateral
// triangles 1.07 B; rolled sheets are up to a fifth too stiff. Bent along the cut diagonals of halved squares a sheet is up to three
// times too stiff; on equilateral triangles it is isotropic.
// Bending differs between warp and weft: an edge across the direction n takes B_u n_u^2 + B_v n_v^2.
// theta is signed and taken over the whole circle: nodes 0 and 1 are the edge, 2 and 3 the corners opposite,
// (0,1,2) and (1,0,3) the triangles. The curvature f d2(theta) is left out of the Hessian, which stays positive.
// Seed 003's condition C = theta without weight: weight_u = 1, weight_v = 0.
// Symbols: theta [rad], bend [N m], damping_time [s], bend_damping [N m s].
// Reference: Grinspun, Hirani, Desbrun, Schroeder, "Discrete shells", 2003; gradients after Bridson et al. 2003.

#include <algorithm>
#include <array>

#include <pliant/base/describe.h>
#include <pliant/base/simd.h>
#include <pliant/energy/element.h>

namespace pliant {

/// The angle of a unit vector (cosine, sine), from -pi to pi: half angles until a short series is exact to rounding.
template <class S>
S angle_of(const S& sine, const S& cosine)
{
    using std::abs, std::sqrt;
    constexpr double kPi = 3.14159265358979323846;
    // From 0 to pi, then its distance to 0 or pi, whichever is nearer: t = tan of half of that, at most 1.
    const S one(1.0);
    const auto is_wide = cosine < S(0.0);
    const S t = abs(sine) / (one + abs(cosine));
    const S t2 = t / (one + sqrt(one + t * t)), t3 = t2 / (one + sqrt(one + t2 * t2));
    const S t4 = t3 / (one + sqrt(one + t3 * t3));
    const S q = t4 * t4;
    S series = S(-1.0 / 15) * q + S(1.0 / 13);
    for (const double c : {-1.0 / 11, 1.0 / 9, -1.0 / 7, 1.0 / 5, -1.0 / 3, 1.0}) series = series * q + S(c);
    const S eighth = S(16.0) * t4 * series;
    const S angle = select(is_wide, S(kPi) - eighth, eighth);
    return select(sine < S(0.0), -angle, angle);
}

/// c above: what makes free strips bend as they should.
inline double free_strip_factor(double r)
{
    const double share = r * r / (1 + r * r);
    return std::min(1.2, 1 + share * share);
}

template <class S>
struct HingeRest {
    S angle;               ///< [rad]
    S weight_u, weight_v;  ///< [1] of bend_u and bend_v
};

struct Hinge {
    double bend_u = 0, bend_v = 0;  ///< [N m]
    double bend_damping_time = 0;   ///< [s]
    double bend_damping = 0;        ///< [N m s]
    bool bend_enabled = true;

    static constexpr int nodes = 4, rows = 1;

    template <class S>
    using Rest = HingeRest<S>;

    template <class S>
    Rows<S, 4, 1> strain(const Rest<S>& rest, const std::array<Vec3T<S>, 4>& x) const
    {
        using std::sqrt;
        constexpr double kTiny = 1e-300;
        const Vec3T<S> e = x[1] - x[0], a = x[2] - x[0], b = x[3] - x[0];
        const Vec3T<S> na = cross(e, a), nb = cross(b, e);
        const S e2 = dot(e, e) + S(kTiny), na2 = dot(na, na) + S(kTiny), nb2 = dot(nb, nb) + S(kTiny);
        const S length = sqrt(e2), size = S(1.0) / sqrt(na2 * nb2);
        const S theta = angle_of(dot(cross(na, nb), e) * size / length, dot(na, nb) * size);
        // Opposite corners turn the triangles; the ends of the edge take it up as levers do.
        const Vec3T<S> d2 = na * (-length / na2), d3 = nb * (-length / nb2);
        const S sa = dot(a, e) / e2, sb = dot(b, e) / e2;
        const Vec3T<S> d1 = -(d2 * sa + d3 * sb);
        return {{wrapped(theta - rest.angle)}, {{-(d1 + d2 + d3), d1, d2, d3}}};
    }

    template <class S>
    void stress(const Rest<S>& rest, const S (&e)[1], S (&f)[1]) const
    {
        f[0] = stiffness(rest) * e[0];
    }

    template <class S>
    void viscous_stress(const Rest<S>& rest, const S (&rate)[1], S (&f)[1]) const
    {
        const S raw = (rest.weight_u + rest.weight_v) * S(bend_enabled ? bend_damping : 0);
        f[0] = (stiffness(rest) * S(bend_damping_time) + raw) * rate[0];
    }

    template <class S>
    void add_curvature(Mat3T<S>&, int, int, const Rest<S>&, const Rows<S, 4, 1>&, const S (&)[1]) const
    {
    }

private:
    template <class S>
    S stiffness(const Rest<S>& rest) const
    {
        return S(bend_enabled ? bend_u : 0) * rest.weight_u + S(bend_enabled ? bend_v : 0) * rest.weight_v;
    }

    /// The shorter way round: an edge creased by 170 degrees that folds over goes on, it does not unfold.
    template <class S>
    static S wrapped(const S& angle)
    {
        constexpr double kPi = 3.14159265358979323846;
        return angle - select(angle > S(kPi), S(2 * kPi), S(0.0)) + select(angle < S(-kPi), S(2 * kPi), S(0.0));
    }
};

inline bool is_damped(const Hinge& h)
{
    return h.bend_damping_time != 0 || h.bend_damping != 0;
}

template <class V, class Bending>
void describe_bending(V&& visit, Bending& h)
{
    constexpr Change live = Change::live;
    visit(
        Field{"bend_u", "N m", 0, 1e9, "stiffness against bending of the warp: moment per width over curvature", live},
        h.bend_u);
    visit(Field{"bend_v", "N m", 0, 1e9, "the same of the weft", live}, h.bend_v);
    visit(Field{"bend_damping_time", "s", 0, 1e3, "viscous over elastic moment of bending", live}, h.bend_damping_time);
    visit(Field{"bend_damping", "N m s", 0, 1e9, "raw damping of bending, as in the theses", live}, h.bend_damping);
    visit(Field{"bend_enabled", "", 0, 1, "whether the sheet resists bending", live}, h.bend_enabled);
}

template <class V>
void describe(V&& visit, Hinge& h)
{
    describe_bending(visit, h);
}

}  // namespace pliant
