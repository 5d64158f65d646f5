// SPDX-License-Identifier: MIT
#pragma once

// Pack<double, W>: W doubles that move together, on the compiler's vector extensions.
//
// Kernels run on blocks of W = 4 elements on every machine (narrower hardware splits a pack in two),
// so layout, padding and bits do not depend on the build. A pack is found by argument-dependent
// lookup (sqrt, min, max, select), so a formula over a scalar S takes it without knowing.
// g++ 12 silently drops vector_size attributes that depend on a template argument: the widths are
// therefore named one by one.

#include <cmath>
#include <cstdint>
#include <cstring>

namespace pliant {

template <class T, int W>
struct PackStorage;
template <>
struct PackStorage<double, 2> {
    using Values = double __attribute__((vector_size(16)));
    using Mask = std::int64_t __attribute__((vector_size(16)));
};
template <>
struct PackStorage<double, 4> {
    using Values = double __attribute__((vector_size(32)));
    using Mask = std::int64_t __attribute__((vector_size(32)));
};
template <>
struct PackStorage<double, 8> {
    using Values = double __attribute__((vector_size(64)));
    using Mask = std::int64_t __attribute__((vector_size(64)));
};

/// The elements of one kernel block, on every machine.
inline constexpr int kPackWidth = 4;

template <class T, int W>
struct Pack {
    using Values = typename PackStorage<T, W>::Values;
    using Mask = typename PackStorage<T, W>::Mask;
    static constexpr int width = W;

    Values values;

    Pack() : values{} {}
    // Minus zero folds to a plain broadcast; plus zero would be an addition.
    Pack(T scalar) : values(scalar - Values{}) {}
    explicit Pack(Values v) : values(v) {}

    /// Loads W neighbouring values; no alignment is asked for.
    static Pack load(const T* from)
    {
        Pack p;
        std::memcpy(&p.values, from, sizeof(Values));
        return p;
    }
    void store(T* to) const { std::memcpy(to, &values, sizeof(Values)); }

    T operator[](int lane) const { return values[lane]; }
    void set(int lane, T value) { values[lane] = value; }

    Pack& operator+=(const Pack& b)
    {
        values += b.values;
        return *this;
    }
    Pack& operator-=(const Pack& b)
    {
        values -= b.values;
        return *this;
    }
    Pack& operator*=(const Pack& b)
    {
        values *= b.values;
        return *this;
    }
    Pack& operator/=(const Pack& b)
    {
        values /= b.values;
        return *this;
    }

    friend Pack operator+(const Pack& a, const Pack& b) { return Pack(a.values + b.values); }
    friend Pack operator-(const Pack& a, const Pack& b) { return Pack(a.values - b.values); }
    friend Pack operator*(const Pack& a, const Pack& b) { return Pack(a.values * b.values); }
    friend Pack operator/(const Pack& a, const Pack& b) { return Pack(a.values / b.values); }
    friend Pack operator-(const Pack& a) { return Pack(-a.values); }

    friend Mask operator<(const Pack& a, const Pack& b) { return a.values < b.values; }
    friend Mask operator>(const Pack& a, const Pack& b) { return a.values > b.values; }
    friend Mask operator<=(const Pack& a, const Pack& b) { return a.values <= b.values; }
    friend Mask operator>=(const Pack& a, const Pack& b) { return a.values >= b.values; }

    friend Pack sqrt(const Pack& a)
    {
        Pack r;
        for (int i = 0; i < W; ++i) r.values[i] = std::sqrt(a.values[i]);
        return r;
    }
    friend Pack min(const Pack& a, const Pack& b) { return Pack(a.values < b.values ? a.values : b.values); }
    friend Pack max(const Pack& a, const Pack& b) { return Pack(a.values > b.values ? a.values : b.values); }
    friend Pack abs(const Pack& a) { return Pack(a.values < 0 ? -a.values : a.values); }
};

/// Lane by lane: condition ? a : b. The bool overload lets one formula serve doubles too.
template <class T, int W>
Pack<T, W> select(typename Pack<T, W>::Mask condition, const Pack<T, W>& a, const Pack<T, W>& b)
{
    return Pack<T, W>(condition ? a.values : b.values);
}
inline double select(bool condition, double a, double b)
{
    return condition ? a : b;
}

/// Sum of the lanes, in lane order.
template <class T, int W>
T sum(const Pack<T, W>& a)
{
    T total = a[0];
    for (int i = 1; i < W; ++i) total += a[i];
    return total;
}
inline double sum(double a)
{
    return a;
}

using Pack4 = Pack<double, kPackWidth>;

}  // namespace pliant
