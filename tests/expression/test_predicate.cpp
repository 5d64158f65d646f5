// SPDX-License-Identifier: MIT
// Conditions: gaps and their signs, truth tables, which crossing matters, refusals.

#include "expression/symbols_of_tests.h"

#include <cmath>
#include <functional>

namespace pliant {
namespace {

using formulas::symbols;

Predicate condition(const std::string& text)
{
    const PredicateRead read = parse_predicate(text, symbols());
    if (!read.ok()) ADD_FAILURE() << to_string(read.problems[0]);
    return read.predicate;
}

std::vector<double> numbers(double x, double y = 0, double z = 0)
{
    std::vector<double> all(formulas::kVariables);
    all[0] = x, all[1] = y, all[2] = z;
    return all;
}

TEST(Predicate, turns_comparisons_into_gaps)
{
    const struct {
        const char* text;
        double gap;  // where x = 3, y = 5
        bool includes_zero;
    } cases[] = {{"x < y", 2, false}, {"x <= y", 2, true}, {"x > y", -2, false}, {"x >= y", -2, true}};
    for (const auto& [text, gap, includes_zero] : cases) {
        const Predicate comparison = condition(text);
        ASSERT_EQ(comparison.gaps().size(), 1U);
        EXPECT_EQ(comparison.gaps()[0].expression.value(numbers(3, 5)), gap) << text;
        EXPECT_EQ(comparison.gaps()[0].includes_zero, includes_zero) << text;
        EXPECT_EQ(comparison.holds_at(numbers(3, 5)), gap > 0) << text;
        EXPECT_EQ(comparison.holds_at(numbers(4, 4)), includes_zero) << text;
    }
}

TEST(Predicate, has_the_truth_tables_of_and_or_not)
{
    using Rule = std::function<bool(bool, bool, bool)>;
    const struct {
        const char* text;
        Rule rule;
    } cases[] = {
        {"x > 0 and y > 0", [](bool x, bool y, bool) { return x && y; }},
        {"x > 0 or y > 0", [](bool x, bool y, bool) { return x || y; }},
        {"not x > 0", [](bool x, bool, bool) { return !x; }},
        {"not x > 0 and y > 0", [](bool x, bool y, bool) { return !x && y; }},
        {"not (x > 0 and y > 0)", [](bool x, bool y, bool) { return !(x && y); }},
        {"x > 0 or y > 0 and z > 0", [](bool x, bool y, bool z) { return x || (y && z); }},
        {"(x > 0 or y > 0) and z > 0", [](bool x, bool y, bool z) { return (x || y) && z; }},
        {"x > 0 and y > 0 or not z > 0", [](bool x, bool y, bool z) { return (x && y) || !z; }},
        {"not not x > 0 or y > 0 and not z > 0", [](bool x, bool y, bool z) { return x || (y && !z); }},
    };
    for (const auto& [text, rule] : cases) {
        SCOPED_TRACE(text);
        const Predicate whole = condition(text);
        for (int bits = 0; bits < 8; ++bits) {
            const bool x = (bits & 1) != 0, y = (bits & 2) != 0, z = (bits & 4) != 0;
            EXPECT_EQ(whole.holds_at(numbers(x ? 1 : -1, y ? 1 : -1, z ? 1 : -1)), rule(x, y, z));
        }
    }
}

TEST(Predicate, reads_chains_as_in_mathematics)
{
    const Predicate inside = condition("0 < x <= 2*y < 10");
    EXPECT_EQ(inside.gaps().size(), 3U);
    EXPECT_EQ(inside.holds_at(numbers(4, 2)), true);
    EXPECT_EQ(inside.holds_at(numbers(0, 2)), false);
    EXPECT_EQ(inside.holds_at(numbers(5, 2)), false);
    EXPECT_EQ(inside.holds_at(numbers(4, 5)), false);
}

TEST(Predicate, needs_no_sign_that_does_not_decide)
{
    const Predicate guarded = condition("x > 0 and log(x) > 1");
    EXPECT_EQ(guarded.holds_at(numbers(-1)), false);
    EXPECT_EQ(guarded.holds_at(numbers(3)), true);
    EXPECT_EQ(condition("log(x) > 1").holds_at(numbers(-1)), std::nullopt);
    EXPECT_EQ(condition("not log(x) > 1").holds_at(numbers(-1)), std::nullopt);
    EXPECT_EQ(condition("x < 0 or log(x) > 1").holds_at(numbers(-1)), true);
    EXPECT_EQ(condition("x > 0 or 1/y > 1").holds_at(numbers(-1, 0)), std::nullopt);
}

TEST(Predicate, knows_which_crossing_matters)
{
    const Predicate both = condition("x > 0 and y > 0 or z > 0");
    using enum Sign;
    const auto matters = [&](std::vector<Sign> signs) {
        return std::vector<bool>{both.matters(0, signs), both.matters(1, signs), both.matters(2, signs)};
    };
    EXPECT_EQ(matters({negative, positive, negative}), (std::vector{true, false, true}));
    EXPECT_EQ(matters({positive, positive, negative}), (std::vector{true, true, false}));
    EXPECT_EQ(matters({negative, negative, negative}), (std::vector{false, false, true}));
    EXPECT_EQ(matters({positive, zero, positive}), (std::vector{false, false, true}));
    EXPECT_EQ(matters({positive, positive, positive}), (std::vector{false, false, false}));
    const std::vector<Sign> unknown_signs = {positive, unknown, negative};
    EXPECT_EQ(both.holds(unknown_signs), std::nullopt);
}

TEST(Predicate, knows_what_it_depends_on)
{
    const Predicate event = condition("ball.y < 0.1 and time > 2");
    EXPECT_TRUE(event.depends_on_time() && !event.depends_on_velocity());
    EXPECT_EQ(event.gaps()[0].expression.variables()[0], 14);
    EXPECT_TRUE(condition("norm(a.v) < 1e-3").depends_on_velocity());
    EXPECT_EQ(Predicate().holds_at({}), false);
}

TEST(Predicate, refuses_what_is_no_condition)
{
    const struct {
        const char* text;
        int column;
        const char* message;
    } cases[] = {
        {"x", 1, "expected a condition, found a number"},
        {"x == 1", 3, "'==' is hardly ever true"},
        {"x = 1", 3, "found '='"},
        {"x != 1", 3, "found '!='"},
        {"x and y", 3, "'and' of two numbers"},
        {"x < 1 or y", 7, "'or' of a condition and a number"},
        {"not x", 1, "'not' of a number"},
        {"a < b", 3, "'<' of two vectors"},
        {"x < (y < z)", 3, "'<' of a number and a condition"},
        {"x < 1 and", 10, "found the end"},
        {"x <", 4, "found the end"},
    };
    for (const auto& [text, column, message] : cases) {
        const PredicateRead read = parse_predicate(text, symbols());
        ASSERT_EQ(read.problems.size(), 1U) << text;
        EXPECT_EQ(read.column, column) << text;
        EXPECT_NE(read.problems[0].message.find(message), std::string::npos) << read.problems[0].message;
    }
}

TEST(Predicate, keeps_its_limits)
{
    std::string text = "x > 0";
    for (int i = 1; i < kMaxGaps; ++i) text += " and x > " + std::to_string(-i);
    EXPECT_EQ(condition(text).holds_at(numbers(1)), true);
    text += " and x > 1";
    const PredicateRead many = parse_predicate(text, symbols());
    ASSERT_FALSE(many.ok());
    EXPECT_NE(many.problems[0].message.find("more than 64 comparisons"), std::string::npos);
    std::string words = "x > 0";
    for (int i = 0; i < 4; ++i)
        words += " or " + [] {
            std::string nots;
            for (int k = 0; k < 70; ++k) nots += "not ";
            return nots + "x > 1";
        }();
    const PredicateRead wordy = parse_predicate(words, symbols());
    ASSERT_FALSE(wordy.ok());
    EXPECT_NE(wordy.problems[0].message.find("more than 256 comparisons and words"), std::string::npos);
}

}  // namespace
}  // namespace pliant
