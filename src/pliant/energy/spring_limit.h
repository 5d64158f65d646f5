// SPDX-License-Identifier: MIT
#pragma once

// A stop at the ends of a spring's travel: it acts only outside a band of lengths.
//
// E = 1/2 k_limit e^2 with e = l - high L above the band, l - low L below it, 0 between. Force and
// energy are continuous at both ends of the band, stiffness is not. Damping acts along the edge and
// only outside the band. It sits beside the ordinary Spring of the same edge and adds to it.
// Symbols: l length [m], L rest length [m], low, high ends of the band over L [1].

#include <algorithm>
#include <array>
#include <cmath>

#include <pliant/base/describe.h>
#include <pliant/base/simd.h>
#include <pliant/energy/element.h>

namespace pliant {

struct SpringLimit {
    double k_limit = 0;  ///< [N/m] stiffness outside the band
    double low = 0;      ///< [1] shortest free length over the rest length
    double high = 1e6;   ///< [1] longest free length over the rest length
    double k_d = 0;      ///< [N s/m] damping outside the band

    static constexpr int nodes = 2, rows = 1;

    template <class S>
    struct Rest {
        S length;
    };

    template <class S>
    Rows<S, 2, 1> strain(const Rest<S>& rest, const std::array<Vec3T<S>, 2>& x) const
    {
        using std::abs, std::max, std::min;
        const Vec3T<S> r = x[0] - x[1];
        const S length = norm(r);
        const S e = max(S(0.0), length - S(high) * rest.length) + min(S(0.0), length - S(low) * rest.length);
        // Exactly one outside the band, zero inside; the tiny numbers only avoid 0/0, also in an edge
        // of no length, which has no direction and hence no force.
        const S outside = abs(e) / (abs(e) + S(1e-300));
        const Vec3T<S> n = r * (outside / (length + S(1e-300)));
        return {{e}, {{n, -n}}};
    }

    template <class S>
    void stress(const Rest<S>&, const S (&e)[1], S (&f)[1]) const
    {
        f[0] = S(k_limit) * e[0];
    }

    template <class S>
    void viscous_stress(const Rest<S>&, const S (&rate)[1], S (&f)[1]) const
    {
        f[0] = S(k_d) * rate[0];
    }

    /// What waits outside the band, for stability bounds: an edge may get there within a step.
    double hidden_stiffness() const { return k_limit; }

    /// The transverse stiffness f/l (I - n n^T) above the band; below it, where it is negative, it is
    /// dropped, which keeps the block positive.
    template <class S>
    void add_curvature(Mat3T<S>& h, int i, int j, const Rest<S>& rest, const Rows<S, 2, 1>& at, const S (&f)[1]) const
    {
        using std::max;
        const S length = at.e[0] + S(high) * rest.length;
        const S tension = select(at.e[0] > S(0.0), max(f[0], S(0.0)) / (length + S(1e-300)), S(0.0));
        const Vec3T<S>& n = at.d[0][0];
        const S sign = i == j ? tension : -tension;
        h += (identity3<S>() + outer(n, n) * S(-1.0)) * sign;
    }
};

inline bool is_damped(const SpringLimit& s)
{
    return s.k_d != 0;
}

template <class V>
void describe(V&& visit, SpringLimit& s)
{
    visit(Field{"k_limit", "N/m", 0, 1e12, "stiffness that an edge gains outside its band of lengths; 0 is no limit",
                Change::live},
          s.k_limit);
    visit(Field{"low", "1", 0, 1, "shortest free length over the rest length: shorter edges are pushed apart",
                Change::live},
          s.low);
    visit(Field{"high", "1", 1, 1e6, "longest free length over the rest length: longer edges are pulled together",
                Change::live},
          s.high);
    visit(Field{"k_d", "N s/m", 0, 1e12, "damping along an edge while it is outside its band", Change::live}, s.k_d);
}

}  // namespace pliant
