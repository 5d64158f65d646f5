// SPDX-License-Identifier: MIT
#include <pliant/expression/expression.h>

// Derivatives of formulas over doubles, and words for what is not finite.
//
// The Hessian is made in strips of kStrip columns: a jet with so many derivatives goes through the backward sweep.

#include <fmt/format.h>

#include <cmath>
#include <string_view>
#include <utility>

#include <pliant/base/text.h>

namespace pliant {

namespace {

constexpr std::size_t kStrip = 4;

std::string_view word_of(Operation operation)
{
    static constexpr std::string_view kWords[] = {
        "the number", "what is read", "+",   "-",   "*",   "/",    "-",    "^",    "^",    "the square root",
        "exp",        "log",          "sin", "cos", "tan", "asin", "acos", "atan", "tanh", "abs",
        "floor",      "atan2",        "min", "max"};
    return kWords[static_cast<std::size_t>(operation)];
}

/// "log of -0.3", "1 / 0", "atan2 of 0 and 0"
std::string call_text(const Instruction& instruction, double a, double b)
{
    const std::string_view word = word_of(instruction.operation);
    switch (instruction.operation) {
    case Operation::constant:
    case Operation::variable:
        return std::string(word);
    case Operation::power:
        return fmt::format("{} ^ {}", shortest(a), shortest(instruction.constant));
    case Operation::add:
    case Operation::subtract:
    case Operation::multiply:
    case Operation::divide:
    case Operation::raise:
        return fmt::format("{} {} {}", shortest(a), word, shortest(b));
    case Operation::atan2:
    case Operation::min:
    case Operation::max:
        return fmt::format("{} of {} and {}", word, shortest(a), shortest(b));
    default:
        return fmt::format("{} of {}", word, shortest(a));
    }
}

/// Whether a slope of the operation towards one that is not constant is infinite or undefined.
bool has_bad_slope(std::span<const Instruction> instructions, const Instruction& instruction, double a, double b,
                   double f)
{
    bool is_bad = false;
    const auto receiver = [&](std::int32_t operand) {
        const bool counts = instructions[static_cast<std::size_t>(operand)].operation != Operation::constant;
        return [&is_bad, counts](double slope) { is_bad |= counts && !std::isfinite(slope); };
    };
    pull_back<double>(instruction, a, b, f, 1.0, receiver(instruction.a), receiver(instruction.b));
    return is_bad;
}

}  // namespace

Expression::Expression(std::string text, std::vector<Instruction> instructions, std::vector<int> variables,
                       std::vector<VariableKind> kinds)
    : text_(std::move(text))
    , instructions_(std::move(instructions))
    , variables_(std::move(variables))
    , kinds_(std::move(kinds))
{
    PLIANT_ASSERT(!instructions_.empty() && instructions_.size() <= kMaxInstructions, "the parser keeps the limit");
    PLIANT_ASSERT(variables_.size() == kinds_.size(), "every variable has a kind");
}

double Expression::value(std::span<const double> all) const
{
    return value<double>(all);
}

double Expression::gradient(std::span<const double> all, std::span<double> gradient) const
{
    PLIANT_ASSERT(gradient.size() == variables_.size(), "a gradient has one place for each variable used");
    check_size(all.size());
    return evaluate_gradient<double>([&](int variable) { return all[index(variable)]; },
                                     [&](std::size_t i, double slope) { gradient[i] = slope; });
}

double Expression::hessian(std::span<const double> all, std::span<double> gradient, std::span<double> hessian) const
{
    using Strip = Jet<double, kStrip>;
    const std::size_t n = variables_.size();
    PLIANT_ASSERT(gradient.size() == n && hessian.size() == n * n, "a Hessian has n × n places for n variables used");
    check_size(all.size());
    double f = n == 0 ? value(all) : 0;
    for (std::size_t first = 0; first < n; first += kStrip) {
        const std::size_t columns = std::min(kStrip, n - first);
        const auto load = [&](int variable) {
            Strip jet(all[index(variable)]);
            for (std::size_t c = 0; c < columns; ++c) jet.derivative[c] = variables_[first + c] == variable ? 1.0 : 0.0;
            return jet;
        };
        // Only the lower half is taken; rounding of the upper one may differ.
        const auto store = [&](std::size_t i, const Strip& slope) {
            gradient[i] = slope.value;
            for (std::size_t j = first; j < std::min(first + columns, i + 1); ++j)
                hessian[i * n + j] = hessian[j * n + i] = slope.derivative[j - first];
        };
        f = evaluate_gradient<Strip>(load, store).value;
    }
    return f;
}

void Expression::hessian_times(std::span<const double> all, std::span<const double> direction,
                               std::span<double> result) const
{
    using Along = Jet<double, 1>;
    const std::size_t n = variables_.size();
    PLIANT_ASSERT(direction.size() == n && result.size() == n, "one place for each variable used");
    check_size(all.size());
    const auto load = [&](int variable) {
        const auto place = std::ranges::lower_bound(variables_, variable) - variables_.begin();
        return Along(all[index(variable)], {direction[static_cast<std::size_t>(place)]});
    };
    evaluate_gradient<Along>(load, [&](std::size_t i, const Along& slope) { result[i] = slope.derivative[0]; });
}

std::string Expression::trouble(std::span<const double> all) const
{
    check_size(all.size());
    Registers<double> values, bars;
    bool is_good = true;
    const auto load = [&](int variable) { return all[index(variable)]; };
    const auto look = [&](std::size_t, double slope) { is_good &= std::isfinite(slope); };
    run_forward(values, load);
    run_backward(values, bars, look);
    if (is_good && std::isfinite(values[result()])) return "";
    for (std::size_t i = 0; i < instructions_.size(); ++i) {
        const Instruction& step = instructions_[i];
        const double a = values[std::min(i, index(step.a))], b = values[std::min(i, index(step.b))], f = values[i];
        const bool is_bad_value = !std::isfinite(f);
        if (!is_bad_value && !has_bad_slope(instructions_, step, a, b, f)) continue;
        const std::string what = fmt::format("{} at column {} of '{}'", call_text(step, a, b), step.column, text_);
        if (!is_bad_value) return "the slope of " + what + " is not finite";
        return what + (std::isnan(f) ? " is not a number" : " is infinite");
    }
    return fmt::format("the slope of '{}' is not finite", text_);
}

}  // namespace pliant
