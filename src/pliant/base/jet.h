// SPDX-License-Identifier: MIT
#pragma once

// Derivatives by computing with jets instead of numbers (forward mode).
//
// Jet<S, N> carries a value and N first derivatives; Jet<Jet<double, N>, N> carries Hessians.
// Jet2<S> carries value, first and second derivative along one direction: with x = (x0, v) it gives a
// constraint's c, its rate and its acceleration. S is double, a Pack, or again a jet.
// A function of one variable is defined once by its value and derivatives at a.value, see chain().
// Comparisons look at values only; functions are found by argument-dependent lookup.
// Symbols: a, b jets; f, df, ddf a function's value, derivative, second derivative.

#include <array>
#include <cmath>
#include <compare>
#include <concepts>
#include <cstddef>

namespace pliant {

template <class S, std::size_t N>
struct Jet {
    using Scalar = S;

    S value{};
    std::array<S, N> derivative{};

    constexpr Jet() = default;

    /// A constant: all derivatives are zero.
    template <class C>
    requires std::convertible_to<const C&, S>
    constexpr Jet(const C& constant) : value(constant) {}

    constexpr Jet(const S& v, const std::array<S, N>& d) : value(v), derivative(d) {}

    /// The variable number `index`: its derivative by itself is one.
    static constexpr Jet variable(const S& v, std::size_t index)
    {
        Jet jet(v);
        jet.derivative[index] = S(1.0);
        return jet;
    }

    constexpr Jet& operator+=(const Jet& b) { return *this = *this + b; }
    constexpr Jet& operator-=(const Jet& b) { return *this = *this - b; }
    constexpr Jet& operator*=(const Jet& b) { return *this = *this * b; }
    constexpr Jet& operator/=(const Jet& b) { return *this = *this / b; }

    friend constexpr Jet operator-(const Jet& a) { return a.chain(-a.value, S(-1.0)); }
    friend constexpr Jet operator+(const Jet& a, const Jet& b)
    {
        return combined(a.value + b.value, a, b, [](const S& da, const S& db) { return da + db; });
    }
    friend constexpr Jet operator-(const Jet& a, const Jet& b)
    {
        return combined(a.value - b.value, a, b, [](const S& da, const S& db) { return da - db; });
    }
    friend constexpr Jet operator*(const Jet& a, const Jet& b)
    {
        return combined(a.value * b.value, a, b, [&](const S& da, const S& db) { return da * b.value + a.value * db; });
    }
    friend constexpr Jet operator/(const Jet& a, const Jet& b)
    {
        const S quotient = a.value / b.value;
        return combined(quotient, a, b, [&](const S& da, const S& db) { return (da - quotient * db) / b.value; });
    }
    friend Jet atan2(const Jet& y, const Jet& x)
    {
        using std::atan2;
        const S r2 = x.value * x.value + y.value * y.value;
        return combined(atan2(y.value, x.value), y, x,
                        [&](const S& dy, const S& dx) { return (x.value * dy - y.value * dx) / r2; });
    }

    friend constexpr bool operator==(const Jet& a, const Jet& b) { return a.value == b.value; }
    friend constexpr auto operator<=>(const Jet& a, const Jet& b) { return a.value <=> b.value; }

    /// f(a), given the function's value and derivative at a.value; a second derivative is for Jet2 only.
    template <class Second = int>
    constexpr Jet chain(const S& f, const S& df, const Second& = {}) const
    {
        Jet result(f);
        for (std::size_t i = 0; i < N; ++i) result.derivative[i] = df * derivative[i];
        return result;
    }

private:
    template <class Rule>
    static constexpr Jet combined(const S& value, const Jet& a, const Jet& b, Rule rule)
    {
        Jet result(value);
        for (std::size_t i = 0; i < N; ++i) result.derivative[i] = rule(a.derivative[i], b.derivative[i]);
        return result;
    }
};

template <class S>
struct Jet2 {
    using Scalar = S;

    S value{};
    S first{};   ///< derivative along the direction
    S second{};  ///< second derivative along the direction

    constexpr Jet2() = default;

    /// A constant.
    template <class C>
    requires std::convertible_to<const C&, S>
    constexpr Jet2(const C& constant) : value(constant) {}

    constexpr Jet2(const S& v, const S& d, const S& dd = S(0.0)) : value(v), first(d), second(dd) {}

    constexpr Jet2& operator+=(const Jet2& b) { return *this = *this + b; }
    constexpr Jet2& operator-=(const Jet2& b) { return *this = *this - b; }
    constexpr Jet2& operator*=(const Jet2& b) { return *this = *this * b; }
    constexpr Jet2& operator/=(const Jet2& b) { return *this = *this / b; }

    friend constexpr Jet2 operator-(const Jet2& a) { return {-a.value, -a.first, -a.second}; }
    friend constexpr Jet2 operator+(const Jet2& a, const Jet2& b)
    {
        return {a.value + b.value, a.first + b.first, a.second + b.second};
    }
    friend constexpr Jet2 operator-(const Jet2& a, const Jet2& b)
    {
        return {a.value - b.value, a.first - b.first, a.second - b.second};
    }
    friend constexpr Jet2 operator*(const Jet2& a, const Jet2& b)
    {
        return {a.value * b.value, a.first * b.value + a.value * b.first,
                a.second * b.value + 2.0 * (a.first * b.first) + a.value * b.second};
    }
    friend constexpr Jet2 operator/(const Jet2& a, const Jet2& b)
    {
        // From q b = a, differentiated once and twice.
        const S q = a.value / b.value;
        const S dq = (a.first - q * b.first) / b.value;
        return {q, dq, (a.second - 2.0 * (dq * b.first) - q * b.second) / b.value};
    }
    friend Jet2 atan2(const Jet2& y, const Jet2& x)
    {
        using std::atan2;
        const S r2 = x.value * x.value + y.value * y.value;
        const S half_dr2 = x.value * x.first + y.value * y.first;
        const S angle_rate = (x.value * y.first - y.value * x.first) / r2;
        const S turning = x.value * y.second - y.value * x.second;
        return {atan2(y.value, x.value), angle_rate, (turning - 2.0 * (half_dr2 * angle_rate)) / r2};
    }

    friend constexpr bool operator==(const Jet2& a, const Jet2& b) { return a.value == b.value; }
    friend constexpr auto operator<=>(const Jet2& a, const Jet2& b) { return a.value <=> b.value; }

    /// f(a), given the function's value and derivative, and how to make the second derivative.
    template <class Second>
    constexpr Jet2 chain(const S& f, const S& df, const Second& ddf) const
    {
        return {f, df * first, ddf() * (first * first) + df * second};
    }
};

template <class T>
inline constexpr bool is_jet = false;
template <class S, std::size_t N>
inline constexpr bool is_jet<Jet<S, N>> = true;
template <class S>
inline constexpr bool is_jet<Jet2<S>> = true;

template <class T>
concept AnyJet = is_jet<T>;

/// A constant beside jets of type J: a number, or a J::Scalar.
template <class C, class J>
concept ConstantBeside = !std::same_as<C, J> && std::convertible_to<const C&, typename J::Scalar>;

// Constants have overloads of their own, so that zeros are neither stored nor multiplied.

template <AnyJet J, ConstantBeside<J> C>
constexpr J operator+(J a, const C& c)
{
    a.value += typename J::Scalar(c);
    return a;
}
template <AnyJet J, ConstantBeside<J> C>
constexpr J operator+(const C& c, const J& a)
{
    return a + c;
}
template <AnyJet J, ConstantBeside<J> C>
constexpr J operator-(J a, const C& c)
{
    a.value -= typename J::Scalar(c);
    return a;
}
template <AnyJet J, ConstantBeside<J> C>
constexpr J operator-(const C& c, const J& a)
{
    return -a + c;
}
template <AnyJet J, ConstantBeside<J> C>
constexpr J operator*(const J& a, const C& c)
{
    using S = typename J::Scalar;
    return a.chain(a.value * S(c), S(c), [] { return S(0.0); });
}
template <AnyJet J, ConstantBeside<J> C>
constexpr J operator*(const C& c, const J& a)
{
    return a * c;
}
template <AnyJet J, ConstantBeside<J> C>
constexpr J operator/(const J& a, const C& c)
{
    using S = typename J::Scalar;
    return a.chain(a.value / S(c), S(1.0) / S(c), [] { return S(0.0); });
}
template <AnyJet J, ConstantBeside<J> C>
constexpr J operator/(const C& c, const J& a)
{
    using S = typename J::Scalar;
    const S f = S(c) / a.value, df = -f / a.value;
    return a.chain(f, df, [&] { return -2.0 * (df / a.value); });
}

template <AnyJet J>
J sqrt(const J& a)
{
    using std::sqrt;
    const auto f = sqrt(a.value);
    const auto df = 0.5 / f;
    return a.chain(f, df, [&] { return -0.5 * (df / a.value); });
}

template <AnyJet J>
J exp(const J& a)
{
    using std::exp;
    const auto f = exp(a.value);
    return a.chain(f, f, [&] { return f; });
}

template <AnyJet J>
J log(const J& a)
{
    using std::log;
    const auto df = 1.0 / a.value;
    return a.chain(log(a.value), df, [&] { return -(df * df); });
}

template <AnyJet J>
J sin(const J& a)
{
    using std::cos, std::sin;
    const auto f = sin(a.value);
    return a.chain(f, cos(a.value), [&] { return -f; });
}

template <AnyJet J>
J cos(const J& a)
{
    using std::cos, std::sin;
    const auto f = cos(a.value);
    return a.chain(f, -sin(a.value), [&] { return -f; });
}

template <AnyJet J>
J tan(const J& a)
{
    using std::tan;
    const auto f = tan(a.value);
    const auto df = 1.0 + f * f;
    return a.chain(f, df, [&] { return 2.0 * (f * df); });
}

/// a to a constant power. Whole powers are right at zero too: no 0 * infinity appears.
template <AnyJet J>
J pow(const J& a, double power)
{
    using std::pow;
    using S = typename J::Scalar;
    if (power == 0.0) return J(1.0);
    const S df = power * pow(a.value, power - 1.0);
    return a.chain(pow(a.value, power), df, [&] {
        const double factor = power * (power - 1.0);
        return factor == 0.0 ? S(0.0) : S(factor * pow(a.value, power - 2.0));
    });
}

/// |a|; at zero the slope from above.
template <AnyJet J>
constexpr J abs(const J& a)
{
    return a.value < typename J::Scalar(0.0) ? -a : a;
}

template <AnyJet J, ConstantBeside<J> C>
J atan2(const J& y, const C& x)
{
    return atan2(y, J(x));
}
template <AnyJet J, ConstantBeside<J> C>
J atan2(const C& y, const J& x)
{
    return atan2(J(y), x);
}

}  // namespace pliant
