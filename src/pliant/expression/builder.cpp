// SPDX-License-Identifier: MIT
#include <pliant/expression/builder.h>

// One pool of instructions without repetition.

#include <bit>
#include <cmath>
#include <cstdlib>
#include <string>

namespace pliant {

namespace {

bool has_two_operands(Operation operation)
{
    switch (operation) {
    case Operation::add:
    case Operation::subtract:
    case Operation::multiply:
    case Operation::divide:
    case Operation::raise:
    case Operation::atan2:
    case Operation::min:
    case Operation::max:
        return true;
    default:
        return false;
    }
}

bool is_leaf(Operation operation)
{
    return operation == Operation::constant || operation == Operation::variable;
}

}  // namespace

int ExpressionBuilder::added(Instruction instruction)
{
    const Key key{instruction.operation, instruction.a, instruction.b,
                  std::bit_cast<std::uint64_t>(instruction.constant)};
    const auto [place, is_new] = known_.try_emplace(key, static_cast<int>(pool_.size()));
    if (is_new) {
        instruction.column = column_;
        pool_.push_back(instruction);
    }
    return place->second;
}

int ExpressionBuilder::constant(double number)
{
    return added({.operation = Operation::constant, .constant = number});
}

int ExpressionBuilder::variable(int index, VariableKind kind)
{
    PLIANT_ASSERT(index >= 0, "variables are numbered from zero");
    kinds_.try_emplace(index, kind);
    return added({.operation = Operation::variable, .a = index});
}

std::optional<double> ExpressionBuilder::number(int node) const
{
    const Instruction& instruction = pool_[static_cast<std::size_t>(node)];
    return instruction.operation == Operation::constant ? std::optional(instruction.constant) : std::nullopt;
}

int ExpressionBuilder::apply(Operation operation, int a)
{
    const Instruction instruction{.operation = operation, .a = a};
    if (const auto constant_a = number(a)) return constant(result_of<double>(instruction, *constant_a, 0.0));
    return added(instruction);
}

// x + 0, x - 0, x * 1, x / 1 are x; x * 0 is not 0, since x may be no number.
std::optional<int> ExpressionBuilder::without_effect(Operation operation, int a, int b) const
{
    const bool is_sum = operation == Operation::add, is_product = operation == Operation::multiply;
    const double neutral = is_sum || operation == Operation::subtract ? 0 : 1;
    if ((is_sum || is_product) && number(a) == neutral) return b;
    const bool is_inverse = operation == Operation::subtract || operation == Operation::divide;
    if ((is_sum || is_product || is_inverse) && number(b) == neutral) return a;
    return {};
}

int ExpressionBuilder::apply(Operation operation, int a, int b)
{
    const Instruction instruction{.operation = operation, .a = a, .b = b};
    const auto constant_a = number(a), constant_b = number(b);
    if (constant_a && constant_b) return constant(result_of<double>(instruction, *constant_a, *constant_b));
    if (const auto same = without_effect(operation, a, b)) return *same;
    return added(instruction);
}

int ExpressionBuilder::power(int a, int exponent)
{
    constexpr double kLargestProduct = 16;
    const auto base = number(a), constant_exponent = number(exponent);
    if (base && constant_exponent) return constant(std::pow(*base, *constant_exponent));
    if (!constant_exponent) return added({.operation = Operation::raise, .a = a, .b = exponent});
    const bool is_whole = *constant_exponent == std::floor(*constant_exponent);
    if (is_whole && std::fabs(*constant_exponent) <= kLargestProduct)
        return whole_power(a, static_cast<int>(*constant_exponent));
    return added({.operation = Operation::power, .a = a, .constant = *constant_exponent});
}

// By squaring; a^0 is 1 for every a.
int ExpressionBuilder::whole_power(int a, int exponent)
{
    int result = constant(1);
    for (int rest = std::abs(exponent), square = a; rest > 0; rest /= 2) {
        if (rest % 2 == 1) result = apply(Operation::multiply, result, square);
        if (rest > 1) square = apply(Operation::multiply, square, square);
    }
    return exponent < 0 ? apply(Operation::divide, constant(1), result) : result;
}

int ExpressionBuilder::dot(const std::array<int, 3>& u, const std::array<int, 3>& v)
{
    int sum = apply(Operation::multiply, u[0], v[0]);
    for (std::size_t i = 1; i < 3; ++i) sum = apply(Operation::add, sum, apply(Operation::multiply, u[i], v[i]));
    return sum;
}

std::optional<Expression> ExpressionBuilder::finish(int root, std::string_view text) const
{
    // Operands stand before their users, so one pass back finds what is needed and one pass on renumbers it.
    std::vector<bool> is_needed(pool_.size());
    is_needed[static_cast<std::size_t>(root)] = true;
    std::map<int, int> places;  // of variables, by the caller's number
    for (auto i = static_cast<std::size_t>(root) + 1; i-- > 0;) {
        const Instruction& instruction = pool_[i];
        if (!is_needed[i]) continue;
        if (instruction.operation == Operation::variable) places[instruction.a] = 0;
        if (!is_leaf(instruction.operation)) is_needed[static_cast<std::size_t>(instruction.a)] = true;
        if (has_two_operands(instruction.operation)) is_needed[static_cast<std::size_t>(instruction.b)] = true;
    }
    std::vector<int> variables;
    std::vector<VariableKind> kinds;
    for (auto& [variable, place] : places) {
        place = static_cast<int>(variables.size());
        variables.push_back(variable);
        kinds.push_back(kinds_.at(variable));
    }
    std::vector<int> new_number(pool_.size());
    std::vector<Instruction> instructions;
    for (std::size_t i = 0; i <= static_cast<std::size_t>(root); ++i) {
        if (!is_needed[i]) continue;
        Instruction instruction = pool_[i];
        if (instruction.operation == Operation::variable)
            instruction.a = places.at(instruction.a);
        else if (!is_leaf(instruction.operation))
            instruction.a = new_number[static_cast<std::size_t>(instruction.a)];
        if (has_two_operands(instruction.operation))
            instruction.b = new_number[static_cast<std::size_t>(instruction.b)];
        new_number[i] = static_cast<int>(instructions.size());
        instructions.push_back(instruction);
    }
    if (instructions.size() > kMaxInstructions) return {};
    return Expression(std::string(text), std::move(instructions), std::move(variables), std::move(kinds));
}

}  // namespace pliant
