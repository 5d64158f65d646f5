// SPDX-License-Identifier: MIT
#include <pliant/solver/stability.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>

namespace pliant {

namespace {

// A state (x, v) of the oscillator, and one step of each integrator written on it.
struct Mode {
    double x = 0, v = 0;
    Mode operator+(const Mode& b) const { return {x + b.x, v + b.v}; }
    Mode operator*(double s) const { return {x * s, v * s}; }
};

struct Oscillator {
    double w2, d;
    Mode rate(const Mode& m) const { return {m.v, -w2 * m.x - d * m.v}; }
};

Mode rk4_step(const Oscillator& o, const Mode& m, double h)
{
    const Mode k1 = o.rate(m), k2 = o.rate(m + k1 * (h / 2)), k3 = o.rate(m + k2 * (h / 2)), k4 = o.rate(m + k3 * h);
    return m + (k1 + k2 * 2 + k3 * 2 + k4) * (h / 6);
}

// Seed 000's listing: stage 2 repeats stage 1, stage 4 is taken at the half step, and the positions of
// stages 3 and 4 get the half increment twice (W7).
Mode listed_rk4_step(const Oscillator& o, const Mode& m, double h)
{
    const double K1 = o.rate(m).v, K2 = K1;
    const double L1 = m.v, L2 = m.v + h / 2 * K1;
    const double K3 = o.rate({m.x + h / 2 * L2, m.v + h / 2 * K2}).v, L3 = m.v + h * K2;
    const double K4 = o.rate({m.x + h / 2 * L3, m.v + h / 2 * K3}).v, L4 = m.v + h * K3;
    return {m.x + h / 6 * (L1 + 2 * L2 + 2 * L3 + L4), m.v + h / 6 * (K1 + 2 * K2 + 2 * K3 + K4)};
}

Mode verlet_step(const Oscillator& o, const Mode& m, double h)
{
    const double a = o.rate(m).v;
    const double x = m.x + h * m.v + 0.5 * h * h * a;
    const double ahead = o.rate({x, m.v + h * a}).v;
    return {x, m.v + 0.5 * h * (a + ahead)};
}

Mode step(SolverKind kind, const Oscillator& o, const Mode& m, double h)
{
    switch (kind) {
    case SolverKind::euler:
        return m + o.rate(m) * h;
    case SolverKind::semi_implicit_euler: {
        const double v = m.v + h * o.rate(m).v;
        return {m.x + h * v, v};
    }
    case SolverKind::velocity_verlet:
        return verlet_step(o, m, h);
    case SolverKind::thesis_listed_rk4:
        return listed_rk4_step(o, m, h);
    case SolverKind::rk4:
        break;
    }
    return rk4_step(o, m, h);
}

}  // namespace

double amplification(SolverKind kind, double w2, double d, double h)
{
    // In units where the oscillator's speed scale is one, so that the matrix is well scaled.
    const double scale = std::sqrt(w2) > 0 ? std::sqrt(w2) : 1;
    const Oscillator o{w2 / (scale * scale), d / scale};
    const Mode a = step(kind, o, {1, 0}, h * scale), b = step(kind, o, {0, 1}, h * scale);
    const double half_trace = (a.x + b.v) / 2, det = a.x * b.v - a.v * b.x;
    const std::complex<double> root = std::sqrt(std::complex<double>(half_trace * half_trace - det, 0));
    return std::max(std::abs(half_trace + root), std::abs(half_trace - root));
}

double stable_step(SolverKind kind, double w2, double d)
{
    const double fastest = std::max(std::sqrt(w2), d);
    if (!(fastest > 0)) return std::numeric_limits<double>::infinity();
    const auto is_stable = [&](double h) {
        constexpr double kUnity = 1 + 1e-9;
        // Slow modes with full damping, fast ones with none: both ends of what the bounds allow. The two
        // first-order rules that no short step helps without damping are judged with it.
        const bool needs_damping = kind == SolverKind::euler || kind == SolverKind::thesis_listed_rk4;
        return amplification(kind, w2, d, h) <= kUnity && amplification(kind, 0, d, h) <= kUnity &&
               (needs_damping || amplification(kind, w2, 0, h) <= kUnity);
    };
    double low = 0, high = 8 / fastest;
    if (kind == SolverKind::thesis_listed_rk4) {
        // Its stable steps are not one interval: climb to the first that is not stable.
        constexpr double kClimb = 1.05;
        low = 1e-4 / fastest;
        if (!is_stable(low)) return 0;
        while (low * kClimb < high && is_stable(low * kClimb)) low *= kClimb;
        high = std::min(high, low * kClimb);
    }
    for (int i = 0; i < 60; ++i) {
        const double middle = (low + high) / 2;
        (is_stable(middle) ? low : high) = middle;
    }
    return low > 1e-9 / fastest ? low : 0;
}

}  // namespace pliant
