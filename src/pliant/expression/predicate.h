// SPDX-License-Identifier: MIT
#pragma once

// A condition of a scene, such as "ball.y < 0.1 and time > 2": comparisons joined by and, or, not.
//
// Each comparison is a gap that is positive where it holds: a < b has the gap b - a. Gaps vary continuously, so an event
// is located by finding where a single gap crosses zero; the tree over the signs says whether that crossing matters.
// A gap that is not finite has no sign; a condition that does not need it still has a truth (Kleene's three-valued
// logic), so that "x > 0 and log(x) > 1" is false at x = -1, and otherwise there is none.

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <pliant/expression/expression.h>

namespace pliant {

/// Most comparisons of a condition, and most comparisons and words together.
inline constexpr int kMaxGaps = 64;
inline constexpr int kMaxConditionNodes = 256;

enum class Sign : std::int8_t { negative, zero, positive, unknown };

/// Of a number that is not finite: unknown.
Sign sign_of(double number);

/// Where a comparison holds: expression > 0, or >= 0.
struct Gap {
    Expression expression;
    bool includes_zero = false;
};

/// A node of the tree; parts stand before the whole.
struct ConditionNode {
    enum class Kind : std::uint8_t { gap, both, either, opposite };

    Kind kind = Kind::gap;
    int a = 0;  ///< the gap, or an earlier node
    int b = 0;  ///< an earlier node, of both and either
};

class Predicate {
public:
    /// Never true.
    Predicate();

    /// Made by parse_predicate. The last node is the whole condition.
    Predicate(std::string text, std::vector<Gap> gaps, std::vector<ConditionNode> nodes);

    const std::string& text() const { return text_; }
    std::span<const Gap> gaps() const { return gaps_; }
    bool depends_on(VariableKind kind) const;
    bool depends_on_velocity() const { return depends_on(VariableKind::velocity); }
    bool depends_on_time() const { return depends_on(VariableKind::time); }

    /// The signs of all gaps where the variables have these values.
    void find_signs(std::span<const double> all, std::span<Sign> signs) const;

    /// Whether the condition holds for these signs of gaps(); nothing if that hangs on an unknown one.
    std::optional<bool> holds(std::span<const Sign> signs) const;
    std::optional<bool> holds_at(std::span<const double> all) const;

    /// Whether the condition's truth is another with this gap positive than with it negative, the others as they are.
    bool matters(std::size_t gap, std::span<const Sign> signs) const;

private:
    enum class Truth : std::uint8_t { no, unknown, yes };

    template <class SignOf>
    Truth truth(SignOf sign_of_gap) const;

    std::string text_;
    std::vector<Gap> gaps_;
    std::vector<ConditionNode> nodes_;
};

}  // namespace pliant
