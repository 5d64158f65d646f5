// SPDX-License-Identifier: MIT
#pragma once

// The middle of the formula reader: makes instructions, each only once, and computes what is constant.
// Internal to parse.cpp and functions.cpp.
//
// Everything of a text goes into one pool; finish() takes out what one result needs. Vectors are three numbers here
// and nowhere below.

#include <array>
#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <string_view>
#include <tuple>
#include <vector>

#include <pliant/expression/expression.h>

namespace pliant {

enum class FormulaType { number, vector, condition };

/// What a part of the text stands for.
struct FormulaValue {
    FormulaType type = FormulaType::number;
    std::array<int, 3> nodes{};  ///< one of a number, three of a vector; of a condition, its node in the tree
    std::size_t begin = 0;       ///< byte of the text where it begins

    bool is_number() const { return type == FormulaType::number; }
    bool is_vector() const { return type == FormulaType::vector; }
};

class ExpressionBuilder {
public:
    /// Of the text that is being compiled, for the instructions made from now on.
    void set_column(int column) { column_ = column; }

    int constant(double number);
    int variable(int index, VariableKind kind);
    int apply(Operation operation, int a);
    int apply(Operation operation, int a, int b);

    /// a to any exponent. Small whole constants become products, so that signs are right and digits exact.
    int power(int a, int exponent);
    int dot(const std::array<int, 3>& u, const std::array<int, 3>& v);

    /// The number, if the node is a constant.
    std::optional<double> number(int node) const;

    /// The formula whose result is this node; nothing if it is longer than kMaxInstructions.
    std::optional<Expression> finish(int root, std::string_view text) const;

private:
    /// Two instructions with equal keys have the same value.
    struct Key {
        Operation operation;
        int a, b;
        std::uint64_t bits;  ///< of the constant: nan and -0 are kept apart
        bool operator<(const Key& k) const
        {
            return std::tie(operation, a, b, bits) < std::tie(k.operation, k.a, k.b, k.bits);
        }
    };

    int added(Instruction instruction);
    int whole_power(int a, int exponent);
    std::optional<int> without_effect(Operation operation, int a, int b) const;

    std::vector<Instruction> pool_;  // a variable's `a` is the caller's number of it here
    std::map<Key, int> known_;
    std::map<int, VariableKind> kinds_;
    int column_ = 1;
};

}  // namespace pliant
