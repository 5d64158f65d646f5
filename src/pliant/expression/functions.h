// SPDX-License-Identifier: MIT
#pragma once

// The closed list of functions that formulas know. Internal to parse.cpp.

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <pliant/expression/builder.h>

namespace pliant {

struct FormulaFunction {
    std::string_view usage;       ///< "clamp(x, low, high)"
    std::string_view parameters;  ///< 'n' a number, 'v' a vector each; a '+' at the end: or more of the last
    FormulaType result = FormulaType::number;
    std::array<int, 3> (*make)(ExpressionBuilder&, std::span<const FormulaValue>) = nullptr;
    bool jumps = false;  ///< has no derivative worth the name

    std::string_view name() const { return usage.substr(0, usage.find('(')); }
    bool takes_more() const { return parameters.ends_with('+'); }
    std::size_t parameter_count() const { return parameters.size() - (takes_more() ? 1 : 0); }
    FormulaType parameter(std::size_t i) const
    {
        return parameters[std::min(i, parameter_count() - 1)] == 'v' ? FormulaType::vector : FormulaType::number;
    }
};

/// The function, or null.
const FormulaFunction* find_function(std::string_view name);

std::vector<std::string> function_names();

}  // namespace pliant
