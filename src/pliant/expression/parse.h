// SPDX-License-Identifier: MIT
#pragma once

// Reading formulas and conditions from text.
//
//   formula    "(a.x - 0.5)^2 + a.y^2 - (0.3 + 0.1*sin(2*pi*t))^2"
//   vector     "[0, -9.81, 0] + 0.1*cross(a - b, a.v)"
//   condition  "ball.y < 0.1 and (time > 2 or not 0 < gap.x < 1)"
//
// From loose to tight: or; and; not; < <= > >=, also chained; + -; * /; signs; ^, which groups from the right, so that
// -x^2 is -(x^2) and 2^3^2 is 2^9. Constants: pi, e. Functions: sin cos tan asin acos atan tanh sqrt exp log abs floor
// of a number; atan2(y, x) pow(x, y); min max hypot of two or more; clamp(x, low, high), smoothstep(low, high, x);
// norm(u), dot(u, v), cross(u, v), distance(a, b) of vectors. (u).x is a component.
// Names may have dots and whole numbers in brackets: pendulum.reaction.x, cloth[12].y; a part that is not made of
// letters, digits and _ stands in single quotes: 'left-hand ball'.y. A point a is a vector, with the components a.x a.y
// a.z, and, if it has a velocity, the vector a.v with a.vx a.vy a.vz. The caller's names come before pi and e.
//
// Reading never throws. It stops at the first problem, whose message names the column and shows the place; file, line
// and pointer are left to the caller, who knows them.

#include <array>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <pliant/base/error.h>
#include <pliant/expression/expression.h>
#include <pliant/expression/predicate.h>

namespace pliant {

/// Longest text in bytes, and deepest nesting of parentheses, signs and powers.
inline constexpr std::size_t kMaxFormulaLength = 4000;
inline constexpr int kMaxFormulaDepth = 100;

/// Where a point's coordinates are: three variables in a row each.
struct PointVariables {
    int position = 0;
    std::optional<int> velocity;
};

struct NumberSymbol {
    std::string name;
    int variable = 0;
    VariableKind kind = VariableKind::other;
};

struct PointSymbol {
    std::string name;
    PointVariables variables;
};

/// What names mean. Numbers come before points, points before find_point.
struct Symbols {
    std::vector<NumberSymbol> numbers;
    std::vector<PointSymbol> points;
    /// For names that are too many to list, such as cloth[12]; may number variables as they are asked for.
    std::function<std::optional<PointVariables>(std::string_view name)> find_point;
};

struct FormulaOptions {
    bool differentiable = true;  ///< refuse floor, which jumps
};

struct ExpressionRead {
    Expression expression;          ///< zero if there is a problem
    std::vector<Problem> problems;  ///< empty if the text is good, otherwise one
    int column = 0;                 ///< of the problem, from 1, in characters

    bool ok() const { return problems.empty(); }
};

struct VectorExpressionRead {
    std::array<Expression, 3> components;
    std::vector<Problem> problems;
    int column = 0;

    bool ok() const { return problems.empty(); }
};

struct PredicateRead {
    Predicate predicate;  ///< never true if there is a problem
    std::vector<Problem> problems;
    int column = 0;

    bool ok() const { return problems.empty(); }
};

ExpressionRead parse_expression(std::string_view text, const Symbols& symbols, const FormulaOptions& options = {});
VectorExpressionRead parse_vector_expression(std::string_view text, const Symbols& symbols,
                                             const FormulaOptions& options = {});

/// Gaps may jump: floor is allowed.
PredicateRead parse_predicate(std::string_view text, const Symbols& symbols);

}  // namespace pliant
