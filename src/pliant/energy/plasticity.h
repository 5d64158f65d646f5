// SPDX-License-Identifier: MIT
#pragma once

// How a spring's rest length gives way: plasticine, wire, things that keep a dent.
//
// The length at rest is L + p with the permanent extension p [m], an internal variable of the spring. The
// elastic part e = l - L - p obeys the ordinary spring; after every step
//   creep   (Maxwell)   e relaxes with the time constant T:  e *= exp(-h/T)
//   yield   (Prandtl)   e stays within y L of the back stress K p, K = H / (1 - H): under growing load a
//                       share H of what goes beyond the yield strain is elastic (kinematic hardening)
// What the elastic energy loses thereby is booked as dissipated (with hardening some of it comes back
// when the load turns). The rest length stays positive.
// Symbols: l length [m], L rest length at the start [m], h step [s], y yield strain [1], H hardening [1],
// T creep time [s].

#include <cmath>

#include <pliant/base/describe.h>

namespace pliant {

struct Plasticity {
    double yield_strain = 0;  ///< [1] elastic strain at which it gives way; 0 never
    double hardening = 0;     ///< [1] share of the excess that stays elastic
    double creep_time = 0;    ///< [s] time in which stress relaxes by 1/e; 0 never

    bool acts() const { return yield_strain > 0 || creep_time > 0; }

    /// The permanent extension after h seconds at length l.
    double flow(double L, double extension, double l, double h) const
    {
        double e = l - L - extension;
        if (creep_time > 0) e *= std::exp(-h / creep_time);
        if (yield_strain > 0 && hardening < 1) {
            const double p = l - L - e, K = hardening / (1 - hardening);
            const double beyond = std::abs(e - K * p) - yield_strain * L;
            if (beyond > 0) e -= std::copysign(beyond / (1 + K), e - K * p);
        }
        return l - L - e;
    }
};

template <class V>
void describe(V&& visit, Plasticity& p)
{
    constexpr Change live = Change::live;
    visit(Field{"yield_strain", "1", 0, 1e3, "elastic strain at which springs give way for good; 0 never", live},
          p.yield_strain);
    visit(Field{"hardening", "1", 0, 1, "share of the strain beyond the yield strain that stays elastic", live},
          p.hardening);
    visit(Field{"creep_time", "s", 0, 1e9, "time in which stress relaxes by 1/e under constant strain; 0 never", live},
          p.creep_time);
}

}  // namespace pliant
