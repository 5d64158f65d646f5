// SPDX-License-Identifier: MIT
#pragma once

// Functions that <cmath> offers for doubles and formulas want for packs and jets too: log1p, cbrt; and
// select and any, so that one branch-free formula serves every scalar.
//
// Lanes go through the library's own function one by one: the bits are those of the scalar formula, and
// none of these sits in the inner part of a force.

#include <cmath>

#include <pliant/base/jet.h>
#include <pliant/base/simd.h>

namespace pliant {

template <class T, int W>
Pack<T, W> log1p(const Pack<T, W>& a)
{
    Pack<T, W> r;
    for (int lane = 0; lane < W; ++lane) r.set(lane, std::log1p(a[lane]));
    return r;
}

template <class T, int W>
Pack<T, W> cbrt(const Pack<T, W>& a)
{
    Pack<T, W> r;
    for (int lane = 0; lane < W; ++lane) r.set(lane, std::cbrt(a[lane]));
    return r;
}

/// a to a constant power; a is positive.
inline double power_of(double a, double exponent)
{
    return std::pow(a, exponent);
}

template <class T, int W>
Pack<T, W> power_of(const Pack<T, W>& a, double exponent)
{
    Pack<T, W> r;
    for (int lane = 0; lane < W; ++lane) r.set(lane, std::pow(a[lane], exponent));
    return r;
}

template <AnyJet J>
J power_of(const J& a, double exponent)
{
    const auto f = power_of(a.value, exponent);
    const auto df = exponent * f / a.value;
    return a.chain(f, df, [&] { return (exponent - 1.0) * df / a.value; });
}

template <AnyJet J>
J log1p(const J& a)
{
    using std::log1p;
    const auto df = 1.0 / (1.0 + a.value);
    return a.chain(log1p(a.value), df, [&] { return -(df * df); });
}

template <AnyJet J>
J cbrt(const J& a)
{
    using std::cbrt;
    const auto f = cbrt(a.value);
    const auto df = 1.0 / (3.0 * f * f);
    return a.chain(f, df, [&] { return -2.0 / 3.0 * (df / a.value); });
}

template <AnyJet J>
constexpr J select(bool condition, const J& a, const J& b)
{
    return condition ? a : b;
}

/// Whether the condition holds in some lane.
inline bool any(bool condition)
{
    return condition;
}
inline bool any(Pack4::Mask condition)
{
    return (condition[0] | condition[1] | condition[2] | condition[3]) != 0;
}

}  // namespace pliant
