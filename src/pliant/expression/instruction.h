// SPDX-License-Identifier: MIT
#pragma once

// One operation of a compiled formula: its value over any scalar, and its part of a reverse sweep.
//
// A formula is a list of instructions in which operands stand before their users, so that one loop forward gives the
// value and one loop backward the gradient. Written over S = double or a jet: jets through the backward loop give
// second derivatives (forward over reverse; Griewank and Walther, Evaluating Derivatives, 2008, chapter 5).
// Also here: functions of jets that formulas want and base/jet.h does not have.
// Symbols: a, b operands; f the result; bar the derivative of the whole formula by f.

#include <cmath>
#include <cstdint>

#include <pliant/base/jet.h>

namespace pliant {

enum class Operation : std::uint8_t {
    constant,
    variable,
    add,
    subtract,
    multiply,
    divide,
    negate,
    power,  ///< to a constant exponent
    raise,  ///< to an exponent that varies
    sqrt,
    exp,
    log,
    sin,
    cos,
    tan,
    asin,
    acos,
    atan,
    tanh,
    abs,
    floor,
    atan2,  ///< a is y, b is x
    min,
    max
};

struct Instruction {
    Operation operation = Operation::constant;
    std::int32_t column = 0;  ///< of the formula's text, from 1
    std::int32_t a = 0;       ///< an earlier instruction; of a variable, its place in Expression::variables()
    std::int32_t b = 0;       ///< an earlier instruction, if there are two operands
    double constant = 0;      ///< the constant, or the exponent of a power
};

template <AnyJet J>
J asin(const J& a)
{
    using std::asin, std::sqrt;
    const auto df = 1.0 / sqrt(1.0 - a.value * a.value);
    return a.chain(asin(a.value), df, [&] { return a.value * df * df * df; });
}

template <AnyJet J>
J acos(const J& a)
{
    using std::acos, std::sqrt;
    const auto slope = 1.0 / sqrt(1.0 - a.value * a.value);
    return a.chain(acos(a.value), -slope, [&] { return -(a.value * slope * slope * slope); });
}

template <AnyJet J>
J atan(const J& a)
{
    using std::atan;
    const auto df = 1.0 / (1.0 + a.value * a.value);
    return a.chain(atan(a.value), df, [&] { return -2.0 * (a.value * df * df); });
}

template <AnyJet J>
J tanh(const J& a)
{
    using std::tanh;
    const auto f = tanh(a.value);
    const auto df = 1.0 - f * f;
    return a.chain(f, df, [&] { return -2.0 * (f * df); });
}

/// A step: its derivative counts as zero.
template <AnyJet J>
J floor(const J& a)
{
    using std::floor;
    return J(floor(a.value));
}

inline double raised(double a, double exponent)
{
    return std::pow(a, exponent);
}

/// a to an exponent that varies too. As exp(b log a), but its value has the digits of std::pow.
template <AnyJet J>
J raised(const J& a, const J& exponent)
{
    const auto f = raised(a.value, exponent.value);
    return (exponent * log(a)).chain(f, f, [&] { return f; });
}

/// Of min and max: whether the second operand is the one taken. What is not a number always is, lest it vanish.
template <class S>
bool takes_second(Operation operation, const S& a, const S& b)
{
    const S same = b;
    const bool b_is_number = b == same;
    return !b_is_number || (operation == Operation::min ? b < a : a < b);
}

/// The value of an operation that is neither a constant nor a variable.
template <class S>
S result_of(const Instruction& instruction, const S& a, const S& b)
{
    using std::abs, std::floor, std::atan2, std::pow;
    using std::sqrt, std::exp, std::log, std::sin, std::cos, std::tan, std::asin, std::acos, std::atan, std::tanh;
    switch (instruction.operation) {
    case Operation::constant:
    case Operation::variable:
        break;
    case Operation::add:
        return a + b;
    case Operation::subtract:
        return a - b;
    case Operation::multiply:
        return a * b;
    case Operation::divide:
        return a / b;
    case Operation::negate:
        return -a;
    case Operation::power:
        return pow(a, instruction.constant);
    case Operation::raise:
        return raised(a, b);
    case Operation::sqrt:
        return sqrt(a);
    case Operation::exp:
        return exp(a);
    case Operation::log:
        return log(a);
    case Operation::sin:
        return sin(a);
    case Operation::cos:
        return cos(a);
    case Operation::tan:
        return tan(a);
    case Operation::asin:
        return asin(a);
    case Operation::acos:
        return acos(a);
    case Operation::atan:
        return atan(a);
    case Operation::tanh:
        return tanh(a);
    case Operation::abs:
        return abs(a);
    case Operation::floor:
        return floor(a);
    case Operation::atan2:
        return atan2(a, b);
    case Operation::min:
    case Operation::max:
        return takes_second(instruction.operation, a, b) ? b : a;
    }
    return S(instruction.constant);
}

/// Hands bar ∂f/∂a to `to_a` and bar ∂f/∂b to `to_b`; an operand that f does not feel is not called for.
template <class S, class ToA, class ToB>
void pull_back(const Instruction& instruction, const S& a, const S& b, const S& f, const S& bar, ToA to_a, ToB to_b)
{
    using std::sqrt, std::log, std::sin, std::cos, std::pow;
    switch (instruction.operation) {
    case Operation::constant:
    case Operation::variable:
    case Operation::floor:
        return;
    case Operation::add:
        return to_a(bar), to_b(bar);
    case Operation::subtract:
        return to_a(bar), to_b(-bar);
    case Operation::multiply:
        return to_a(bar * b), to_b(bar * a);
    case Operation::divide: {
        const S share = bar / b;
        return to_a(share), to_b(-(share * f));
    }
    case Operation::negate:
        return to_a(-bar);
    case Operation::power:
        return to_a(bar * (instruction.constant * pow(a, instruction.constant - 1.0)));
    case Operation::raise:
        return to_a(bar * b * raised(a, S(b - 1.0))), to_b(bar * f * log(a));
    case Operation::sqrt:
        return to_a(bar * (0.5 / f));
    case Operation::exp:
        return to_a(bar * f);
    case Operation::log:
        return to_a(bar / a);
    case Operation::sin:
        return to_a(bar * cos(a));
    case Operation::cos:
        return to_a(-(bar * sin(a)));
    case Operation::tan:
        return to_a(bar * (1.0 + f * f));
    case Operation::asin:
        return to_a(bar / sqrt(1.0 - a * a));
    case Operation::acos:
        return to_a(-(bar / sqrt(1.0 - a * a)));
    case Operation::atan:
        return to_a(bar / (1.0 + a * a));
    case Operation::tanh:
        return to_a(bar * (1.0 - f * f));
    case Operation::abs:
        return to_a(a < S(0.0) ? -bar : bar);
    case Operation::atan2: {
        const S share = bar / (a * a + b * b);
        return to_a(share * b), to_b(-(share * a));
    }
    case Operation::min:
    case Operation::max:
        return takes_second(instruction.operation, a, b) ? to_b(bar) : to_a(bar);
    }
}

}  // namespace pliant
