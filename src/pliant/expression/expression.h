// SPDX-License-Identifier: MIT
#pragma once

// A formula of a scene, compiled: value, gradient and Hessian at a point, over any scalar type.
//
// Variables are numbered by the caller (parse.h says which name is which number) and lie in one array `all` of the
// caller's. The formula knows the few it uses, variables(): gradients and Hessians have one place for each of them, in
// that order, which is the sparse row of a Jacobian. Evaluation works on the stack: it allocates nothing, changes
// nothing, and any number of threads may do it at once.
// What is not defined (log(-1), 1/0, the slope of a norm at zero) comes out as nan or inf, never as a plausible number:
// look with is_finite(), say why with trouble().
// Lives here: the compiled formula. Not here: reading it from text (parse.h), conditions (predicate.h).

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include <pliant/base/error.h>
#include <pliant/expression/instruction.h>

namespace pliant {

/// Longest compiled formula; working memory on the stack has this size.
inline constexpr int kMaxInstructions = 1000;

/// What a variable is for the one who differentiates by time.
enum class VariableKind { position, velocity, time, other };

class Expression {
public:
    /// The number zero.
    Expression() : Expression("0", {Instruction{}}, {}, {}) {}

    /// Made by parse_expression. Operands stand before their users; the last instruction is the result.
    Expression(std::string text, std::vector<Instruction> instructions, std::vector<int> variables,
               std::vector<VariableKind> kinds);

    const std::string& text() const { return text_; }
    std::span<const Instruction> instructions() const { return instructions_; }

    /// The caller's numbers of the variables used, ascending.
    std::span<const int> variables() const { return variables_; }
    /// What each of them is.
    std::span<const VariableKind> kinds() const { return kinds_; }
    bool depends_on(VariableKind kind) const { return std::ranges::find(kinds_, kind) != kinds_.end(); }
    bool depends_on_velocity() const { return depends_on(VariableKind::velocity); }
    bool depends_on_time() const { return depends_on(VariableKind::time); }
    bool is_constant() const { return variables_.empty(); }

    double value(std::span<const double> all) const;

    /// Returns the value; `gradient` has one number for each of variables(). One sweep, however many there are.
    double gradient(std::span<const double> all, std::span<double> gradient) const;

    /// Returns the value; `hessian` has n × n numbers for n variables(), symmetric to the bit.
    double hessian(std::span<const double> all, std::span<double> gradient, std::span<double> hessian) const;

    /// The Hessian times a direction, both with one number for each of variables(); one sweep.
    void hessian_times(std::span<const double> all, std::span<const double> direction, std::span<double> result) const;

    /// In words, the first operation whose value or slope is not finite here; "" if there is none.
    std::string trouble(std::span<const double> all) const;

    /// The value over any scalar: Jet2<double> along (v, 1) gives rate and acceleration.
    template <class S>
    S value(std::span<const S> all) const
    {
        check_size(all.size());
        return evaluate<S>([&](int variable) { return all[static_cast<std::size_t>(variable)]; });
    }

    /// The value over any scalar; load(number) makes the variable of that number.
    template <class S, class Load>
    S evaluate(Load load) const
    {
        Registers<S> values;
        run_forward(values, load);
        return values[result()];
    }

    /// Value and gradient over any scalar: with jets, the gradient's derivatives. store(i, slope) is called once for
    /// each of variables().
    template <class S, class Load, class Store>
    S evaluate_gradient(Load load, Store store) const
    {
        Registers<S> values, bars;
        run_forward(values, load);
        run_backward(values, bars, store);
        return values[result()];
    }

private:
    /// Room for one scalar per instruction; only what is written is ever touched.
    template <class S>
    class Registers {
    public:
        static_assert(std::is_trivially_copyable_v<S> && std::is_trivially_destructible_v<S>);
        static_assert(sizeof(S) <= 512, "working memory is on the stack: take gradient() for many variables");

        S& operator[](std::size_t i) { return slots_[i].scalar; }
        const S& operator[](std::size_t i) const { return slots_[i].scalar; }
        void set(std::size_t i, const S& scalar) { std::construct_at(&slots_[i].scalar, scalar); }

    private:
        union Slot {
            // Not `= default`, which would be deleted: the scalar shall stay untouched.
            Slot() {}  // NOLINT(modernize-use-equals-default)
            S scalar;
        };
        std::array<Slot, kMaxInstructions> slots_;
    };

    template <class S, class Load>
    void run_forward(Registers<S>& values, Load& load) const
    {
        for (std::size_t i = 0; i < instructions_.size(); ++i) {
            const Instruction& instruction = instructions_[i];
            if (instruction.operation == Operation::variable)
                values.set(i, load(variables_[index(instruction.a)]));
            else if (instruction.operation == Operation::constant)
                values.set(i, S(instruction.constant));
            else
                values.set(i, result_of<S>(instruction, values[index(instruction.a)], values[index(instruction.b)]));
        }
    }

    // What was not reached has no bar: the branch that min or max left out is not multiplied by zero, since its slope
    // may be infinite.
    template <class S, class Store>
    void run_backward(const Registers<S>& values, Registers<S>& bars, Store& store) const
    {
        std::array<bool, kMaxInstructions> is_reached;
        std::fill_n(is_reached.begin(), instructions_.size(), false);
        const auto receiver = [&](std::size_t operand) {
            return [&, operand](const S& share) {
                if (instructions_[operand].operation == Operation::constant) return;
                bars.set(operand, is_reached[operand] ? bars[operand] + share : share);
                is_reached[operand] = true;
            };
        };
        receiver(result())(S(1.0));
        for (std::size_t i = instructions_.size(); i-- > 0;) {
            const Instruction& instruction = instructions_[i];
            const std::size_t a = index(instruction.a), b = index(instruction.b);
            if (instruction.operation == Operation::variable)
                store(a, is_reached[i] ? bars[i] : S(0.0));
            else if (is_reached[i])
                pull_back<S>(instruction, values[a], values[b], values[i], bars[i], receiver(a), receiver(b));
        }
    }

    static std::size_t index(std::int32_t i) { return static_cast<std::size_t>(i); }
    std::size_t result() const { return instructions_.size() - 1; }
    void check_size(std::size_t size) const
    {
        PLIANT_ASSERT(variables_.empty() || index(variables_.back()) < size, "the array holds every variable used");
    }

    std::string text_;
    std::vector<Instruction> instructions_;
    std::vector<int> variables_;
    std::vector<VariableKind> kinds_;
};

inline bool is_finite(double a)
{
    return std::isfinite(a);
}
template <class S, std::size_t N>
bool is_finite(const Jet<S, N>& a)
{
    return is_finite(a.value) && std::ranges::all_of(a.derivative, [](const S& d) { return is_finite(d); });
}
template <class S>
bool is_finite(const Jet2<S>& a)
{
    return is_finite(a.value) && is_finite(a.first) && is_finite(a.second);
}
inline bool is_finite(std::span<const double> numbers)
{
    return std::ranges::all_of(numbers, [](double a) { return std::isfinite(a); });
}

}  // namespace pliant
