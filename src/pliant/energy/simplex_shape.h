// SPDX-License-Identifier: MIT
#pragma once

// Shape-keeping of simplex meshes: every vertex has a place relative to its three neighbours.
//
// E = 1/2 k |p - p*|^2,  p* = e1 a + e2 b + e3 c + h n. The rest shape is the metric parameters e1, e2,
// e3 (sum 1) and the simplex angle phi, so it has no size and no place. The force on p is the classical
// k (p* - p); being a gradient, its reactions go to the neighbours, which keeps momentum and angular
// momentum; the classical formulation, which moves p alone, loses both.
//
// With r the circumradius of abc, d the distance of the foot e1 a + e2 b + e3 c to the circumcentre and
// y = (r^2 - d^2) / r^2, the sphere through a, b, c under the simplex angle meets the normal at
//   h = r eta(y),  eta = y sin/(w + cos) = (w - cos)/sin,  w = sqrt(cos^2 + y sin^2),
// both the same number, the first accurate where cos > 0, the second elsewhere. P = r^2 - d^2, the power
// of the foot, is e2 e3 |bc|^2 + e3 e1 |ca|^2 + e1 e2 |ab|^2, so h is a function of three squared lengths.
// A vertex at height h has the angle with w = h sin/r + cos >= 0:
//   sin = +-2 r h/q,  cos = +-(P - h^2)/q,  q^2 = (2 r h)^2 + (P - h^2)^2,  + where P + h^2 >= 0.
// For a foot inside the circumcircle that is the classical angle. For one outside, two heights have the
// same; the sign tells the lower one by phi + pi, which keeps h smooth where a foot crosses the circle.
// Where w^2 < 0 no sphere is left, and the slope of eta, sin/(2 w), grows without bound on the way
// there: below w = kLeastRoot eta goes on in a straight line.
//
// Rows are the components of p - p* along t1, t2, n, a frame that turns with the triangle, so rigid
// motion has no rate and is not damped. t1 is the rotation that best fits an equilateral triangle onto
// abc: renumbering the neighbours turns it by 120 degrees and changes no force. The curvature
// f . d2e/dx2 is left out of Hessian blocks (Gauss-Newton): they are exact in the rest shape and positive
// everywhere. Neighbours in a line have no normal, hence no force.
// Symbols: u = b - a, v = c - a, N = u x v, n = N/|N|; la, lb, lc squared lengths opposite a, b, c [m^2].
// Reference: Delingette, "General object reconstruction based on simplex meshes", 1999.

#include <algorithm>
#include <array>
#include <cmath>
#include <concepts>

#include <pliant/base/describe.h>
#include <pliant/base/simd.h>
#include <pliant/energy/element.h>

namespace pliant {

struct SimplexShape {
    double k_shape = 0;  ///< [N/m] stiffness towards the place that the neighbours give
    double k_d = 0;      ///< [N s/m] damping of motion relative to that place

    static constexpr int nodes = 4, rows = 3;

    /// Height over the circumradius is continued in a straight line below this w.
    static constexpr double kLeastRoot = 0.01;

    template <class S>
    struct Rest {
        S e1, e2, e3;            ///< [1] metric parameters, sum 1
        S sin_angle, cos_angle;  ///< [1] of the simplex angle
        S weight;                ///< [1] multiplies k_shape and k_d of this vertex
    };

    /// Corners: the vertex p, then its neighbours a, b, c counter-clockwise seen from outside.
    template <class S>
    Rows<S, 4, 3> strain(const Rest<S>& rest, const std::array<Vec3T<S>, 4>& x) const
    {
        const NeighbourTriangle<S> abc(x[2] - x[1], x[3] - x[1]);
        const Height<S> h = height(rest, abc);
        const Vec3T<S> from_foot = (x[0] - x[1]) - abc.u * rest.e2 - abc.v * rest.e3;
        const S rise = dot(abc.n, from_foot);
        Rows<S, 4, 3> at{{dot(abc.t1, from_foot), dot(abc.t2, from_foot), rise - h.value}, {}};
        at.d[0][0] = abc.t1, at.d[1][0] = abc.t2, at.d[2][0] = abc.n;
        const Neighbour<S> b{rest.e2, dot(abc.t2, abc.v), -dot(abc.t1, abc.v), S(kRoot3)};
        const Neighbour<S> c{rest.e3, -dot(abc.t2, abc.u), dot(abc.t1, abc.u), S(-kRoot3)};
        set_gradients(at, 2, abc, b, rise, abc.u * (h.by_la + h.by_lc) - abc.v * h.by_la);
        set_gradients(at, 3, abc, c, rise, abc.v * (h.by_la + h.by_lb) - abc.u * h.by_la);
        for (auto& row : at.d) row[1] = -(row[0] + row[2] + row[3]);
        return at;
    }

    template <class S>
    void stress(const Rest<S>& rest, const S (&e)[3], S (&f)[3]) const
    {
        const S k = S(k_shape) * rest.weight;
        for (int m = 0; m < 3; ++m) f[m] = k * e[m];
    }

    template <class S>
    void viscous_stress(const Rest<S>& rest, const S (&rate)[3], S (&f)[3]) const
    {
        const S c = S(k_d) * rest.weight;
        for (int m = 0; m < 3; ++m) f[m] = c * rate[m];
    }

    /// Gauss-Newton: nothing is added.
    template <class S>
    void add_curvature(Mat3T<S>&, int, int, const Rest<S>&, const Rows<S, 4, 3>&, const S (&)[3]) const
    {
    }

private:
    static constexpr double kRoot3 = 1.7320508075688772;

    /// The neighbours' triangle: sides, squared lengths, and the frame that turns with it.
    template <class S>
    struct NeighbourTriangle {
        Vec3T<S> u, v, n, t1, t2;
        S la, lb, lc;
        S inverse_norm2, inverse_norm;  ///< 1/|N|^2 [1/m^4], 1/|N| [1/m^2]; 0 for corners in a line
        S inverse_span;                 ///< [1/m] how fast the frame turns when a corner moves

        NeighbourTriangle(const Vec3T<S>& to_b, const Vec3T<S>& to_c) : u(to_b), v(to_c)
        {
            using std::sqrt;
            la = norm2(u - v), lb = norm2(v), lc = norm2(u);
            const Vec3T<S> N = cross(u, v);
            const S N2 = norm2(N), size2 = lb + lc;
            // 1/N2 to the last digit, unless the triangle is thinner than 1e-8 of its length.
            inverse_norm2 = N2 / (N2 * N2 + S(1e-48) * (size2 * size2) * (size2 * size2) + S(1e-300));
            inverse_norm = sqrt(N2) * inverse_norm2;
            n = N * inverse_norm;
            const Vec3T<S> span = u + v + cross(n, u - v) * S(kRoot3);
            inverse_span = S(1.0) / (norm(span) + S(1e-300));
            t2 = cross(n, span) * inverse_span;
            t1 = cross(t2, n);
        }
    };

    /// The height h [m] of p* over the plane, and its derivatives by the squared lengths [1/m].
    template <class S>
    struct Height {
        S value, by_la, by_lb, by_lc;
    };

    /// How one neighbour turns the frame and moves the foot.
    template <class S>
    struct Neighbour {
        S share;          ///< its metric parameter
        S tilt1, tilt2;   ///< [m] |N| times the gradient of its barycentric coordinate, along t1 and t2
        S spin_along_t1;  ///< span times the turn about n when it moves along t1; along t2 that is one
    };

    /// Jets compare to bool and packs to masks.
    template <class Condition, class S>
    static S choose(const Condition& condition, const S& a, const S& b)
    {
        if constexpr (std::same_as<Condition, bool>)
            return condition ? a : b;
        else
            return select(condition, a, b);
    }

    /// eta(y) and its slope.
    template <class S>
    static std::array<S, 2> relative_height(const Rest<S>& rest, const S& y)
    {
        using std::abs, std::max, std::sqrt;
        const S &sine = rest.sin_angle, &cosine = rest.cos_angle;
        const S least2(kLeastRoot * kLeastRoot);
        const S w2 = cosine * cosine + y * (sine * sine);
        const S kept = max(w2, least2), missing = kept - w2;
        const S w = sqrt(kept);
        const S inverse_sine = sine / (sine * sine + S(1e-300));
        const S slope = sine * (S(0.5) / w);
        const S sum = w + abs(cosine);
        const S eta = choose(cosine > S(0.0), (y * sine + missing * inverse_sine) / sum, sum * inverse_sine);
        return {eta - slope * (missing * (inverse_sine * inverse_sine)), slope};
    }

    template <class S>
    static Height<S> height(const Rest<S>& rest, const NeighbourTriangle<S>& abc)
    {
        using std::sqrt;
        const S &la = abc.la, &lb = abc.lb, &lc = abc.lc;
        const S ea = rest.e2 * rest.e3, eb = rest.e3 * rest.e1, ec = rest.e1 * rest.e2;
        const S quarter = S(0.25) * abc.inverse_norm2;
        const S r2 = la * lb * lc * quarter;
        const S r = sqrt(r2), inverse_r = r / (r2 + S(1e-300));
        const S y = (ea * la + eb * lb + ec * lc) * (inverse_r * inverse_r);
        const auto [eta, slope] = relative_height(rest, y);
        // dh = by_power d(r^2 - d^2) + by_r2 d(r^2), and 4 N^2 is a polynomial of la, lb, lc.
        const S by_power = slope * inverse_r;
        const S by_r2 = (S(0.5) * eta - y * slope) * inverse_r * quarter, twice = r2 + r2;
        return {r * eta, by_power * ea + by_r2 * (lb * lc - twice * (lb + lc - la)),
                by_power * eb + by_r2 * (lc * la - twice * (lc + la - lb)),
                by_power * ec + by_r2 * (la * lb - twice * (la + lb - lc))};
    }

    /// Gradients of the rows at neighbour i, whose motion shifts the foot, tilts and spins the frame
    /// and changes the height (half_dh is half of its gradient).
    template <class S>
    static void set_gradients(Rows<S, 4, 3>& at, int i, const NeighbourTriangle<S>& abc, const Neighbour<S>& corner,
                              const S& rise, const Vec3T<S>& half_dh)
    {
        const S tilt1 = corner.tilt1 * abc.inverse_norm, tilt2 = corner.tilt2 * abc.inverse_norm;
        const Vec3T<S> spin = (abc.t2 + abc.t1 * corner.spin_along_t1) * abc.inverse_span;
        const S foot_share = corner.share + tilt1 * at.e[0] + tilt2 * at.e[1];
        at.d[0][i] = abc.n * (rise * tilt1) - abc.t1 * corner.share + spin * at.e[1];
        at.d[1][i] = abc.n * (rise * tilt2) - abc.t2 * corner.share - spin * at.e[0];
        at.d[2][i] = -(abc.n * foot_share + half_dh * S(2.0));
    }
};

inline bool is_damped(const SimplexShape& s)
{
    return s.k_d != 0;
}

template <class V>
void describe(V&& visit, SimplexShape& s)
{
    visit(Field{"k_shape", "N/m", 0, 1e12,
                "stiffness with which every vertex keeps its place relative to its three neighbours; it resists "
                "bending and shear, not uniform growth",
                Change::live},
          s.k_shape);
    visit(Field{"k_d", "N s/m", 0, 1e12, "damping of a vertex's motion relative to that place; rigid motion is free",
                Change::live},
          s.k_d);
}

}  // namespace pliant
