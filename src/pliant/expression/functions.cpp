// SPDX-License-Identifier: MIT
#include <pliant/expression/functions.h>

// What each function becomes in instructions.

#include <algorithm>

namespace pliant {

namespace {

using Arguments = std::span<const FormulaValue>;
using Nodes = std::array<int, 3>;

Nodes subtracted(ExpressionBuilder& build, const Nodes& u, const Nodes& v)
{
    Nodes result;
    for (std::size_t i = 0; i < 3; ++i) result[i] = build.apply(Operation::subtract, u[i], v[i]);
    return result;
}

int length(ExpressionBuilder& build, const Nodes& u)
{
    return build.apply(Operation::sqrt, build.dot(u, u));
}

template <Operation operation>
Nodes unary(ExpressionBuilder& build, Arguments arguments)
{
    return {build.apply(operation, arguments[0].nodes[0])};
}

/// Of two arguments, or folded over more of them from the left.
template <Operation operation>
Nodes folded(ExpressionBuilder& build, Arguments arguments)
{
    int result = arguments[0].nodes[0];
    for (const FormulaValue& argument : arguments.subspan(1))
        result = build.apply(operation, result, argument.nodes[0]);
    return {result};
}

Nodes power(ExpressionBuilder& build, Arguments arguments)
{
    return {build.power(arguments[0].nodes[0], arguments[1].nodes[0])};
}

Nodes hypotenuse(ExpressionBuilder& build, Arguments arguments)
{
    int sum = build.constant(0);
    for (const FormulaValue& argument : arguments) {
        const int side = argument.nodes[0];
        sum = build.apply(Operation::add, sum, build.apply(Operation::multiply, side, side));
    }
    return {build.apply(Operation::sqrt, sum)};
}

int clamped(ExpressionBuilder& build, int x, int low, int high)
{
    return build.apply(Operation::min, build.apply(Operation::max, x, low), high);
}

Nodes clamp(ExpressionBuilder& build, Arguments arguments)
{
    return {clamped(build, arguments[0].nodes[0], arguments[1].nodes[0], arguments[2].nodes[0])};
}

/// u² (3 - 2u), where u goes from 0 at low to 1 at high and stays there.
Nodes smoothstep(ExpressionBuilder& build, Arguments arguments)
{
    const int low = arguments[0].nodes[0], high = arguments[1].nodes[0], x = arguments[2].nodes[0];
    const int slope = build.apply(Operation::subtract, high, low);
    const int part = build.apply(Operation::divide, build.apply(Operation::subtract, x, low), slope);
    const int u = clamped(build, part, build.constant(0), build.constant(1));
    const int twice = build.apply(Operation::multiply, build.constant(2), u);
    const int rest = build.apply(Operation::subtract, build.constant(3), twice);
    return {build.apply(Operation::multiply, build.apply(Operation::multiply, u, u), rest)};
}

Nodes norm(ExpressionBuilder& build, Arguments arguments)
{
    return {length(build, arguments[0].nodes)};
}

Nodes dot(ExpressionBuilder& build, Arguments arguments)
{
    return {build.dot(arguments[0].nodes, arguments[1].nodes)};
}

Nodes cross(ExpressionBuilder& build, Arguments arguments)
{
    const Nodes &u = arguments[0].nodes, &v = arguments[1].nodes;
    Nodes result;
    for (std::size_t i = 0; i < 3; ++i) {
        const std::size_t j = (i + 1) % 3, k = (i + 2) % 3;
        result[i] = build.apply(Operation::subtract, build.apply(Operation::multiply, u[j], v[k]),
                                build.apply(Operation::multiply, u[k], v[j]));
    }
    return result;
}

Nodes distance(ExpressionBuilder& build, Arguments arguments)
{
    return {length(build, subtracted(build, arguments[0].nodes, arguments[1].nodes))};
}

constexpr FormulaFunction kFunctions[] = {
    {.usage = "sin(x)", .parameters = "n", .make = unary<Operation::sin>},
    {.usage = "cos(x)", .parameters = "n", .make = unary<Operation::cos>},
    {.usage = "tan(x)", .parameters = "n", .make = unary<Operation::tan>},
    {.usage = "asin(x)", .parameters = "n", .make = unary<Operation::asin>},
    {.usage = "acos(x)", .parameters = "n", .make = unary<Operation::acos>},
    {.usage = "atan(x)", .parameters = "n", .make = unary<Operation::atan>},
    {.usage = "atan2(y, x)", .parameters = "nn", .make = folded<Operation::atan2>},
    {.usage = "tanh(x)", .parameters = "n", .make = unary<Operation::tanh>},
    {.usage = "sqrt(x)", .parameters = "n", .make = unary<Operation::sqrt>},
    {.usage = "exp(x)", .parameters = "n", .make = unary<Operation::exp>},
    {.usage = "log(x)", .parameters = "n", .make = unary<Operation::log>},
    {.usage = "abs(x)", .parameters = "n", .make = unary<Operation::abs>},
    {.usage = "floor(x)", .parameters = "n", .make = unary<Operation::floor>, .jumps = true},
    {.usage = "pow(x, y)", .parameters = "nn", .make = power},
    {.usage = "min(x, y)", .parameters = "nn+", .make = folded<Operation::min>},
    {.usage = "max(x, y)", .parameters = "nn+", .make = folded<Operation::max>},
    {.usage = "hypot(x, y)", .parameters = "nn+", .make = hypotenuse},
    {.usage = "clamp(x, low, high)", .parameters = "nnn", .make = clamp},
    {.usage = "smoothstep(low, high, x)", .parameters = "nnn", .make = smoothstep},
    {.usage = "norm(u)", .parameters = "v", .make = norm},
    {.usage = "dot(u, v)", .parameters = "vv", .make = dot},
    {.usage = "cross(u, v)", .parameters = "vv", .result = FormulaType::vector, .make = cross},
    {.usage = "distance(a, b)", .parameters = "vv", .make = distance},
};

}  // namespace

const FormulaFunction* find_function(std::string_view name)
{
    const auto* const found = std::ranges::find(kFunctions, name, &FormulaFunction::name);
    return found == std::end(kFunctions) ? nullptr : found;
}

std::vector<std::string> function_names()
{
    std::vector<std::string> names;
    for (const FormulaFunction& function : kFunctions) names.emplace_back(function.name());
    return names;
}

}  // namespace pliant
