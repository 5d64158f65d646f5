// SPDX-License-Identifier: MIT
// Any bytes can be read as a formula, a vector or a condition; what has no problems can be evaluated, and the reverse
// sweep has the value of the plain one.

#include <pliant/base/error.h>
#include <pliant/expression/parse.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

using namespace pliant;

namespace {

constexpr std::size_t kVariables = 16;

Symbols symbols()
{
    Symbols names;
    names.numbers = {{"x", 0}, {"y", 1}, {"t", 2, VariableKind::time}, {"ball.y", 3}};
    names.points = {{"a", {4, 7}}, {"b", {10, {}}}};
    names.find_point = [](std::string_view name) {
        return name == "cloth[1]" ? std::optional(PointVariables{13, {}}) : std::nullopt;
    };
    return names;
}

const std::vector<double>& place()
{
    static const std::vector<double> all = [] {
        std::vector<double> numbers(kVariables);
        for (std::size_t i = 0; i < kVariables; ++i) numbers[i] = 0.3 * static_cast<double>(i) - 1;
        return numbers;
    }();
    return all;
}

template <class Read>
void check_problem(const Read& read, std::string_view text)
{
    if (read.ok()) return;
    PLIANT_ASSERT(read.problems.size() == 1 && !to_string(read.problems[0]).empty(), "one problem, in words");
    PLIANT_ASSERT(read.column >= 1 && read.column <= static_cast<int>(text.size()) + 1, "every problem has a place");
}

bool is_same(double a, double b)
{
    return a == b || (a != a && b != b);
}

void check_formula(const Expression& formula)
{
    const std::size_t n = formula.variables().size();
    std::vector<double> gradient(n), hessian(n * n);
    const double value = formula.value(place());
    PLIANT_ASSERT(is_same(formula.gradient(place(), gradient), value), "one value from both sweeps");
    const bool is_good = is_finite(value) && is_finite(gradient);
    PLIANT_ASSERT(formula.trouble(place()).empty() == is_good, "trouble is told when there is some");
    PLIANT_ASSERT(is_same(formula.hessian(place(), gradient, hessian), value), "and from the Hessian");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    static const Symbols names = symbols();
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const ExpressionRead number = parse_expression(text, names, {.differentiable = false});
    check_problem(number, text);
    if (number.ok()) check_formula(number.expression);
    const VectorExpressionRead vector = parse_vector_expression(text, names);
    check_problem(vector, text);
    if (vector.ok())
        for (const Expression& component : vector.components) check_formula(component);
    const PredicateRead condition = parse_predicate(text, names);
    check_problem(condition, text);
    if (condition.ok()) condition.predicate.holds_at(place());
    return 0;
}
