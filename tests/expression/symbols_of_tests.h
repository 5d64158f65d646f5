// SPDX-License-Identifier: MIT
#pragma once

// Names that the tests of formulas use, and readers that fail the test when a text is refused.

#include <pliant/expression/parse.h>

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

namespace pliant::formulas {

/// x y z u: 0 to 3. t, time: 4. The point a: 5 to 7, its velocity 8 to 10; the point b: 11 to 13, without velocity.
/// ball.y: 14; 'left-hand ball': 15 to 17; cloth[i]: the point from 18 + 3 i on, for i up to 3.
inline constexpr int kVariables = 30;

inline Symbols symbols()
{
    Symbols names;
    names.numbers = {{"x", 0}, {"y", 1}, {"z", 2}, {"u", 3}, {"t", 4, VariableKind::time}};
    names.numbers.push_back({"time", 4, VariableKind::time});
    names.numbers.push_back({"ball.y", 14});
    names.points = {{"a", {5, 8}}, {"b", {11, {}}}, {"left-hand ball", {15, {}}}};
    names.find_point = [](std::string_view name) -> std::optional<PointVariables> {
        for (int i = 0; i <= 3; ++i)
            if (name == "cloth[" + std::to_string(i) + ']') return PointVariables{18 + 3 * i, {}};
        return {};
    };
    return names;
}

inline Expression formula(const std::string& text, const FormulaOptions& options = {})
{
    const ExpressionRead read = parse_expression(text, symbols(), options);
    if (!read.ok()) ADD_FAILURE() << to_string(read.problems[0]);
    return read.expression;
}

/// 0.1 to 0.9, so that every function of the tests is defined and smooth.
inline std::vector<double> random_variables(std::mt19937_64& random)
{
    std::vector<double> all(kVariables);
    for (double& x : all) x = 0.1 + 0.8 * static_cast<double>(random() >> 11) * 0x1p-53;
    return all;
}

}  // namespace pliant::formulas
