// SPDX-License-Identifier: MIT
#include <pliant/solver/stability.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <initializer_list>
#include <limits>
#include <utility>

namespace pliant {

namespace {

// Doubles that count what is done with them. Constants (step, coefficients) stay plain doubles: they are
// made once for a run.
struct Counted {
    double value = 0;
    static inline thread_local OperationCount count{};
    Counted() = default;
    Counted(double v) : value(v) {}
    friend Counted operator+(Counted a, Counted b) { return ++count.sums, Counted(a.value + b.value); }
    friend Counted operator-(Counted a, Counted b) { return ++count.sums, Counted(a.value - b.value); }
    friend Counted operator*(Counted a, double b) { return ++count.products, Counted(a.value * b); }
};

// A state (x, v) of the oscillator; its rates; one step of each integrator written on it.
template <class S>
struct Mode {
    S x{}, v{};
};

template <class S>
struct Oscillator {
    double w2 = 0, d = 0;
    S push{};  // force per mass
    S acceleration(const S& x, const S& v) const { return push - x * w2 - v * d; }
};

template <class S>
Mode<S> moved(const Mode<S>& m, const Mode<S>& rate, double h)
{
    return {m.x + rate.x * h, m.v + rate.v * h};
}

template <class S>
Mode<S> rate_at(const Oscillator<S>& o, const Mode<S>& m)
{
    return {m.v, o.acceleration(m.x, m.v)};
}

template <class S>
Mode<S> rk4_step(const Oscillator<S>& o, const Mode<S>& m, double h)
{
    const Mode<S> k1 = rate_at(o, m), k2 = rate_at(o, moved(m, k1, h / 2)), k3 = rate_at(o, moved(m, k2, h / 2)),
                  k4 = rate_at(o, moved(m, k3, h));
    return {m.x + (k1.x + k2.x * 2 + k3.x * 2 + k4.x) * (h / 6), m.v + (k1.v + k2.v * 2 + k3.v * 2 + k4.v) * (h / 6)};
}

// Seed 000's listing: stage 2 repeats stage 1, stage 4 is taken at the half step, and the positions of
// stages 3 and 4 get the half increment twice (W7).
template <class S>
Mode<S> listed_rk4_step(const Oscillator<S>& o, const Mode<S>& m, double h)
{
    const S K1 = o.acceleration(m.x, m.v), K2 = K1;
    const S L1 = m.v, L2 = m.v + K1 * (h / 2);
    const S K3 = o.acceleration(m.x + L2 * (h / 2), m.v + K2 * (h / 2)), L3 = m.v + K2 * h;
    const S K4 = o.acceleration(m.x + L3 * (h / 2), m.v + K3 * (h / 2)), L4 = m.v + K3 * h;
    return {m.x + (L1 + L2 * 2 + L3 * 2 + L4) * (h / 6), m.v + (K1 + K2 * 2 + K3 * 2 + K4) * (h / 6)};
}

template <class S>
Mode<S> verlet_step(const Oscillator<S>& o, const Mode<S>& m, double h)
{
    const S a = o.acceleration(m.x, m.v), x = m.x + m.v * h + a * (0.5 * h * h);
    return {x, m.v + (a + o.acceleration(x, m.v + a * h)) * (0.5 * h)};
}

template <class S>
Mode<S> central_step(const Oscillator<S>& o, const Mode<S>& m, double h)
{
    const S a = o.acceleration(m.x, m.v), x = m.x + m.v * h + a * (0.5 * h * h);
    return {x, (m.v + (a + o.push - x * o.w2) * (0.5 * h)) * (1 / (1 + 0.5 * h * o.d))};
}

template <class S>
Mode<S> position_verlet_step(const Oscillator<S>& o, const Mode<S>& m, double h)
{
    const S half = m.x + m.v * (h / 2);
    const S v = m.v + o.acceleration(half, m.v + o.acceleration(half, m.v) * (h / 2)) * h;
    return {half + v * (h / 2), v};
}

template <class S>
Mode<S> two_stage_step(const Oscillator<S>& o, const Mode<S>& m, double h, bool is_heun)
{
    const Mode<S> k1 = rate_at(o, m), k2 = rate_at(o, moved(m, k1, is_heun ? h : h / 2));
    if (!is_heun) return moved(m, k2, h);
    return {m.x + (k1.x + k2.x) * (h / 2), m.v + (k1.v + k2.v) * (h / 2)};
}

template <class S>
Mode<S> fehlberg_step(const Oscillator<S>& o, const Mode<S>& m, double h)
{
    const auto at = [&](std::initializer_list<std::pair<const Mode<S>*, double>> stages) {
        Mode<S> to = m;
        for (const auto& [k, weight] : stages) to = moved(to, *k, weight * h);
        return to;
    };
    const Mode<S> k1 = rate_at(o, m), k2 = rate_at(o, at({{&k1, 1.0 / 4}}));
    const Mode<S> k3 = rate_at(o, at({{&k1, 3.0 / 32}, {&k2, 9.0 / 32}}));
    const Mode<S> k4 = rate_at(o, at({{&k1, 1932.0 / 2197}, {&k2, -7200.0 / 2197}, {&k3, 7296.0 / 2197}}));
    const Mode<S> k5 = rate_at(o, at({{&k1, 439.0 / 216}, {&k2, -8.0}, {&k3, 3680.0 / 513}, {&k4, -845.0 / 4104}}));
    const Mode<S> k6 =
        rate_at(o, at({{&k1, -8.0 / 27}, {&k2, 2.0}, {&k3, -3544.0 / 2565}, {&k4, 1859.0 / 4104}, {&k5, -11.0 / 40}}));
    // The error is what steers the steps: it costs a weighted sum of all six stages.
    (void)(k1.x * (1.0 / 360) + k3.x * (-128.0 / 4275) + k4.x * (-2197.0 / 75240) + k5.x * 0.02 + k6.x * (2.0 / 55));
    (void)(k1.v * (1.0 / 360) + k3.v * (-128.0 / 4275) + k4.v * (-2197.0 / 75240) + k5.v * 0.02 + k6.v * (2.0 / 55));
    return at({{&k1, 25.0 / 216}, {&k3, 1408.0 / 2565}, {&k4, 2197.0 / 4104}, {&k5, -0.2}});
}

// x' = x + h ((1 - t) v + t v'), solved for v'.
template <class S>
Mode<S> implicit_step(const Oscillator<S>& o, const Mode<S>& m, double h, double t)
{
    const double inverse = 1 / (1 + h * t * o.d + h * h * t * t * o.w2);
    const S a = o.acceleration(m.x + m.v * (h * t), m.v);
    // v' = v + h a(x + h t v, v) / (1 + h t d + h^2 t^2 w2), the same for every t.
    const S v = m.v + a * (h * inverse);
    if (t == 1) return {m.x + v * h, v};
    return {m.x + (m.v + v) * (h / 2), v};
}

// Backward differentiation of second order: v' = c (x' - z), a' = c (v' - w), c = 3/(2 h), where z and w are
// (4 now - before) / 3.
template <class S>
Mode<S> bdf2_step(const Oscillator<S>& o, const Mode<S>& m, const Mode<S>& before, double h)
{
    const double c = 1.5 / h;
    const S z = (m.x * 4 - before.x) * (1.0 / 3), w = (m.v * 4 - before.v) * (1.0 / 3);
    const S x = (o.push + z * (c * c + c * o.d) + w * c) * (1 / (c * c + c * o.d + o.w2));
    return {x, (x - z) * c};
}

template <class S>
Mode<S> step(SolverKind kind, const Oscillator<S>& o, const Mode<S>& m, double h)
{
    switch (kind) {
    case SolverKind::euler:
        return moved(m, rate_at(o, m), h);
    case SolverKind::semi_implicit_euler:
    case SolverKind::finite_differences: {
        const S v = m.v + o.acceleration(m.x, m.v) * h;
        return {m.x + v * h, v};
    }
    case SolverKind::velocity_verlet:
        return verlet_step(o, m, h);
    case SolverKind::central_differences:
        return central_step(o, m, h);
    case SolverKind::position_verlet:
        return position_verlet_step(o, m, h);
    case SolverKind::midpoint:
        return two_stage_step(o, m, h, false);
    case SolverKind::heun:
        return two_stage_step(o, m, h, true);
    case SolverKind::rkf45:
        return fehlberg_step(o, m, h);
    case SolverKind::implicit_euler:
    case SolverKind::linearly_implicit_euler:
    case SolverKind::xpbd:
    case SolverKind::vbd:
    case SolverKind::projection:
        return implicit_step(o, m, h, 1.0);
    case SolverKind::trapezoidal:
    case SolverKind::implicit_midpoint:
        return implicit_step(o, m, h, 0.5);
    case SolverKind::bdf2:
        return bdf2_step(o, m, m, h);
    case SolverKind::static_balance:
        return {o.w2 > 0 ? o.push * (1 / o.w2) : S{}, S{}};
    case SolverKind::thesis_listed_rk4:
        return listed_rk4_step(o, m, h);
    case SolverKind::rk4:
        break;
    }
    return rk4_step(o, m, h);
}

// Rules that no short step helps without damping: they are judged with it.
bool needs_damping(SolverKind kind)
{
    return kind == SolverKind::euler || kind == SolverKind::heun || kind == SolverKind::midpoint ||
           kind == SolverKind::rkf45 || kind == SolverKind::thesis_listed_rk4;
}

}  // namespace

bool is_implicit(SolverKind kind)
{
    return kind == SolverKind::implicit_euler || kind == SolverKind::trapezoidal ||
           kind == SolverKind::implicit_midpoint || kind == SolverKind::bdf2 || kind == SolverKind::static_balance ||
           kind == SolverKind::linearly_implicit_euler;
}

bool stands_any_step(SolverKind kind)
{
    return is_implicit(kind) || kind == SolverKind::xpbd || kind == SolverKind::vbd || kind == SolverKind::projection;
}

namespace {

// Largest root of (3/2 - m) z^2 - 2 z + 1/2 over both rates m / h of the oscillator: two steps at a time.
double bdf2_amplification(double w2, double d, double h)
{
    double largest = 0;
    const std::complex<double> root = std::sqrt(std::complex<double>(d * d / 4 - w2, 0));
    for (const std::complex<double> rate : {-d / 2 + root, -d / 2 - root}) {
        const std::complex<double> a = 1.5 - h * rate, inside = std::sqrt(1.0 - 0.5 * a);
        largest = std::max({largest, std::abs((1.0 + inside) / a), std::abs((1.0 - inside) / a)});
    }
    return largest;
}

}  // namespace

double amplification(SolverKind kind, double w2, double d, double h)
{
    if (kind == SolverKind::bdf2) return bdf2_amplification(w2, d, h);
    // In units where the oscillator's speed scale is one, so that the matrix is well scaled.
    const double scale = std::sqrt(w2) > 0 ? std::sqrt(w2) : 1;
    const Oscillator<double> o{w2 / (scale * scale), d / scale};
    const Mode<double> a = step<double>(kind, o, {1, 0}, h * scale), b = step<double>(kind, o, {0, 1}, h * scale);
    const double half_trace = (a.x + b.v) / 2, det = a.x * b.v - a.v * b.x;
    const std::complex<double> root = std::sqrt(std::complex<double>(half_trace * half_trace - det, 0));
    return std::max(std::abs(half_trace + root), std::abs(half_trace - root));
}

double stable_step(SolverKind kind, double w2, double d)
{
    const double fastest = std::max(std::sqrt(w2), d);
    if (!(fastest > 0) || stands_any_step(kind)) return std::numeric_limits<double>::infinity();
    const auto is_stable = [&](double h) {
        constexpr double kUnity = 1 + 1e-9;
        // Slow modes with full damping, fast ones with none: both ends of what the bounds allow.
        const bool stands = amplification(kind, w2, d, h) <= kUnity && amplification(kind, 0, d, h) <= kUnity &&
                            (needs_damping(kind) || amplification(kind, w2, 0, h) <= kUnity);
        // Only the medium's drag is taken at the new velocity, not the damping of elements.
        const bool is_central = kind == SolverKind::central_differences;
        return stands && (!is_central || amplification(SolverKind::velocity_verlet, w2, d, h) <= kUnity);
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

OperationCount operation_count(SolverKind kind)
{
    Counted::count = {};
    if (kind == SolverKind::finite_differences) {
        // As seed 004 writes it: a recurrence over two levels with three constants.
        const Counted now = 1.0, before = 0.5, push = 0.25;
        (void)(now * 1.9 - before * 0.9 + push);
    } else {
        (void)step<Counted>(kind, {2, 1.2, Counted(15)}, {Counted(1), Counted(0.5)}, 0.05);
    }
    return Counted::count;
}

IntegratorFacts integrator_facts(SolverKind kind)
{
    switch (kind) {
    case SolverKind::euler:
        return {1, 1, "x += h v, v += h a: grows without damping at any step"};
    case SolverKind::semi_implicit_euler:
        return {1, 1, "v += h a, x += h v: first order, stable, keeps energy on average"};
    case SolverKind::finite_differences:
        return {1, 1, "seed 004's recurrence, backward difference for the velocity: the same as semi_implicit_euler"};
    case SolverKind::velocity_verlet:
        return {2, 2, "x += h v + h2/2 a, v += h/2 (a + a_next)"};
    case SolverKind::central_differences:
        return {2, 2, "velocity Verlet with the medium's drag at the new velocity: truly central differences"};
    case SolverKind::position_verlet:
        return {2, 2, "half a step of positions, velocities, half a step of positions"};
    case SolverKind::midpoint:
        return {2, 2, "rates at the middle that Euler predicts"};
    case SolverKind::heun:
        return {2, 2, "mean of the rates at the start and at the end that Euler predicts"};
    case SolverKind::rkf45:
        return {4, 6, "Runge-Kutta-Fehlberg 4(5): steps as long as the tolerance allows"};
    case SolverKind::implicit_euler:
        return {1, 1, "v' = v + h a(x', v'): stable at any step, damps"};
    case SolverKind::trapezoidal:
        return {2, 1, "mean of the rates at both ends, solved: stable at any step, does not damp"};
    case SolverKind::implicit_midpoint:
        return {2, 1, "rates at the middle, solved: stable at any step, keeps the energy of linear motion"};
    case SolverKind::bdf2:
        return {2, 1, "backward differences over two steps, solved: stable at any step, damps only what is fast"};
    case SolverKind::static_balance:
        return {0, 1, "no motion: the balance of all forces, by Newton's method"};
    case SolverKind::linearly_implicit_euler:
        return {1, 1,
                "one linear solve a step, as Baraff and Witkin: stable where forces are nearly linear over a step"};
    case SolverKind::xpbd:
        return {1, 1, "implicit Euler, elements projected one after the other: exact only when swept many times"};
    case SolverKind::vbd:
        return {1, 1, "implicit Euler, vertices moved one after the other: exact only when swept many times"};
    case SolverKind::projection:
        return {1, 1, "seed 003's lengths as constraints, corrected one after the other: stiffness is the sweeps'"};
    case SolverKind::thesis_listed_rk4:
        return {1, 4, "seed 000's listing of RK4 with its slips, for replays"};
    case SolverKind::rk4:
        break;
    }
    return {4, 4, "the classical four stages of Runge and Kutta"};
}

}  // namespace pliant
