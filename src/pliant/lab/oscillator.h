// SPDX-License-Identifier: MIT
#pragma once

// The exact motion of one mass on one spring, and how to find it in a world.
//
//   m x'' = -k x - beta x' + f,   x from where the spring is at rest
//
// With y = x - f/k, lambda = beta/2m, omega^2 = k/m and q = lambda^2 - omega^2 all three regimes are
//   y(t) = e^(-lambda t) (y0 C(t) + (v0 + lambda y0) S(t)),   C = cosh(sqrt(q) t), S = sinh(sqrt(q) t) / sqrt(q)
// where q < 0 turns them into cos and sin; S goes to t as q goes to 0, so nothing cancels near the
// critical damping. Units: m [kg], k [N/m], beta [N s/m], force [N], x [m], v [m/s], t [s].
// Reference: seed 004 section 3.3, with x_p = f/k where its thesis prints f/m.

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include <pliant/world/world.h>

namespace pliant {

enum class Regime : std::int32_t { under_damped, critical, over_damped };
constexpr std::array<std::string_view, 3> enum_names(Regime)
{
    return {"under-damped", "critically damped", "over-damped"};
}

struct Oscillator {
    double m = 1, k = 1, beta = 0, force = 0;
    double x0 = 0, v0 = 0;

    /// critical when beta is 2 sqrt(m k) to rounding.
    Regime regime() const;
    double position(double t) const;
    double velocity(double t) const;

    /// The lowest and highest position for all t from 0 on, the limit included.
    struct Extremes {
        double lowest = 0, highest = 0;
    };
    Extremes extremes() const;
};

/// An oscillator on a line of space: x(t) = origin + axis * law.position(t).
struct LineOscillator {
    Oscillator law;
    std::int32_t node = 0;  ///< the only point that moves
    Vec3 origin;            ///< [m] where the spring has its rest length
    Vec3 axis;              ///< unit vector from the fixed end to the mass

    Vec3 position(double t) const { return origin + axis * law.position(t); }
    Vec3 velocity(double t) const { return axis * law.velocity(t); }
};

/// The oscillator that the world is from its present state on; nothing when it is something else: more than one free
/// vertex, more than one spring on it, gas, contact, inputs, forces or motion across the spring, or a mass
/// that would pass through the fixed end.
std::optional<LineOscillator> find_oscillator(const World&);

}  // namespace pliant
