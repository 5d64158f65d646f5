// SPDX-License-Identifier: MIT
#pragma once

// A number that counts what is done with it, to learn how many operations a formula takes: formulas are written over
// any scalar, so no one has to count by hand. A root, a power and a division are one operation each, as sums and products are; signs,
// comparisons and choices are none.

#include <cmath>
#include <cstdint>

namespace pliant::cli {

struct Counted {
    double value = 0;
    inline static std::int64_t operations = 0;

    constexpr Counted() = default;
    // Formulas mix plain numbers in, as packs allow.
    constexpr Counted(double number) : value(number) {}  // NOLINT(google-explicit-constructor)

    friend Counted operator+(Counted a, Counted b) { return counted(a.value + b.value); }
    friend Counted operator-(Counted a, Counted b) { return counted(a.value - b.value); }
    friend Counted operator*(Counted a, Counted b) { return counted(a.value * b.value); }
    friend Counted operator/(Counted a, Counted b) { return counted(a.value / b.value); }
    friend Counted operator-(Counted a) { return {-a.value}; }
    Counted& operator+=(Counted b) { return *this = *this + b; }
    Counted& operator-=(Counted b) { return *this = *this - b; }
    Counted& operator*=(Counted b) { return *this = *this * b; }
    Counted& operator/=(Counted b) { return *this = *this / b; }
    friend bool operator<(Counted a, Counted b) { return a.value < b.value; }
    friend bool operator>(Counted a, Counted b) { return a.value > b.value; }
    friend Counted sqrt(Counted a) { return counted(std::sqrt(a.value)); }
    friend Counted power_of(Counted a, double exponent) { return counted(std::pow(a.value, exponent)); }
    friend Counted abs(Counted a) { return {std::abs(a.value)}; }
    friend Counted max(Counted a, Counted b) { return a.value < b.value ? b : a; }
    friend Counted min(Counted a, Counted b) { return b.value < a.value ? b : a; }
    friend Counted select(bool condition, Counted a, Counted b) { return condition ? a : b; }

private:
    static Counted counted(double result)
    {
        ++operations;
        return {result};
    }
};

}  // namespace pliant::cli
