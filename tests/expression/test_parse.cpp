// SPDX-License-Identifier: MIT
// What is refused, at which column and with which words; limits; texts of random characters.

#include "expression/symbols_of_tests.h"

#include <string_view>

namespace pliant {
namespace {

using formulas::symbols;

struct Refusal {
    const char* text;
    int column;
    const char* message;  ///< a part of it
    const char* cure;     ///< a part of it
};

template <class Read>
void expect_refusal(const Read& read, const Refusal& refusal)
{
    SCOPED_TRACE(refusal.text);
    ASSERT_EQ(read.problems.size(), 1U);
    EXPECT_EQ(read.column, refusal.column);
    const Problem& problem = read.problems[0];
    EXPECT_TRUE(problem.message.starts_with("column " + std::to_string(refusal.column) + ": ")) << problem.message;
    EXPECT_NE(problem.message.find(refusal.message), std::string::npos) << problem.message;
    EXPECT_NE(problem.cure.find(refusal.cure), std::string::npos) << problem.cure;
}

TEST(ParseExpression, says_where_the_grammar_is_left)
{
    const Refusal refusals[] = {
        {"", 1, "the formula is empty, a number is expected", ""},
        {"   ", 4, "the formula is empty", ""},
        {"1 +", 4, "expected a number, a name or '(', found the end", ""},
        {"1 + * 2", 5, "expected a number, a name or '(', found '*'", ""},
        {"2 x", 3, "expected an operator or the end, found the name 'x'", "is a * missing?"},
        {"2x", 2, "found the name 'x'", "is a * missing?"},
        {"1.2.3", 4, "found the number .3", "is a * missing?"},
        {"(1 + x", 7, "expected an operator or the ')' that closes column 1, found the end", ""},
        {"sin(x", 6, "the ')' that closes column 4, found the end", ""},
        {"1 + x)", 6, "expected an operator or the end, found ')'", ""},
        {"sin()", 5, "found ')'", ""},
        {"x ** 2", 3, "found '**'", "write ^"},
        {"x && y", 3, "found '&&'", "write and"},
        {"x − 1", 3, "found '−'", "write -"},
        {"x² + 1", 2, "found '²'", "write ^2"},
        {"ä + 1", 1, "there is nothing named 'ä'", ""},
        {"x + ä·y", 5, "there is nothing named 'ä'", ""},
        {"x*(ab + 1", 4, "there is nothing named 'ab'", ""},
        {"|x|", 1, "found '|'", "abs(x)"},
        {"a.", 3, "expected a name after '.'", ""},
        {"cloth[x].y", 7, "expected a whole number and ']'", "cloth[12].y"},
        {"1 + 'ball", 5, "is not closed", "close it"},
        {"''.x", 1, "the name is empty", ""},
        {"1 + 1e999", 5, "1e999 is too large", ""},
        {"x \x01 y", 3, "found a control character", ""},
        {"x + \xff", 5, "not UTF-8", ""},
        {"[1, 2]", 6, "expected an operator or ',': a vector is [x, y, z], found ']'", ""},
        {"(a - b).w", 9, "expected x, y or z after '.'", ""},
    };
    for (const Refusal& refusal : refusals) expect_refusal(parse_expression(refusal.text, symbols()), refusal);
}

TEST(ParseExpression, says_which_types_do_not_fit)
{
    const Refusal refusals[] = {
        {"1 + a", 3, "'+' of a number and a vector", "norm(u)"},
        {"a - x", 3, "'-' of a vector and a number", "a.x"},
        {"norm(a*b)", 7, "'*' of two vectors", "write dot(u, v) or cross(u, v)"},
        {"x/a", 2, "'/' of a number and a vector", "only numbers divide"},
        {"norm(a)^2 + b^2", 14, "'^' of a vector and a number", "write dot(u, u)"},
        {"sin(a)", 5, "sin takes a number, found a vector", "write sin(x)"},
        {"abs(a - b)", 5, "abs takes a number, found a vector", "write norm(u)"},
        {"x + norm(2)", 10, "norm takes a vector, found a number", "write norm(u)"},
        {"atan2(x)", 1, "atan2 takes more than 1", "write atan2(y, x)"},
        {"sin(x, y)", 8, "sin takes no more than 1", "write sin(x)"},
        {"a - b", 1, "expected a number, found a vector", "dot(u, v)"},
        {"x < 1", 1, "expected a number, found a condition", "clamp"},
        {"1 + (x < 1)", 3, "'+' of a number and a condition", "parentheses"},
        {"x.y", 1, "there is nothing named 'x.y'", ""},
        {"(x).y", 4, "'.y' of a number", "only vectors"},
        {"[1, a, 2]", 5, "expected a number, found a vector", ""},
        {"-(x < 1)", 1, "'-' of a condition", "write not"},
    };
    for (const Refusal& refusal : refusals) expect_refusal(parse_expression(refusal.text, symbols()), refusal);
    expect_refusal(parse_vector_expression("norm(a)", symbols()),
                   {"norm(a)", 1, "expected a vector, found a number", "[x, y, z]"});
}

TEST(ParseExpression, suggests_the_name_that_was_meant)
{
    const Refusal refusals[] = {
        {"2*bal.y", 3, "there is nothing named 'bal.y'", "did you mean 'ball.y'?"},
        {"1 + tmie", 5, "there is nothing named 'tmie'", "did you mean 'time'?"},
        {"cosh(x)", 1, "there is no function 'cosh'", "did you mean 'cos'?"},
        {"sin + 1", 1, "sin is a function", "write sin(x)"},
        {"a.q", 1, "the point has no 'q'", "it has x, y, z, v, vx, vy, vz"},
        {"b.w", 1, "the point has no 'w'", "it has x, y, z"},
        {"1 - b.vx", 5, "the point has no velocity here: b.vx", "only its place"},
        {"'left-hand bal'.x", 1, "nothing named 'left-hand bal.x'", "did you mean 'left-hand ball.x'?"},
    };
    for (const Refusal& refusal : refusals) expect_refusal(parse_expression(refusal.text, symbols()), refusal);
}

TEST(ParseExpression, refuses_constants_that_are_not_finite)
{
    const Refusal refusals[] = {
        {"x + 1/0", 6, "division by zero", ""},
        {"x/(1 - 1)", 2, "division by zero", ""},
        {"x*log(-1)", 3, "the result is not a finite number", "'log'"},
        {"x + sqrt(2 - 3)", 5, "the result is not a finite number", ""},
        {"1e308*10", 6, "the result is not a finite number", ""},
        {"(-8)^(1/3)", 5, "the result is not a finite number", ""},
        {"(-2)^x", 5, "a negative number to a power that varies", ""},
    };
    for (const Refusal& refusal : refusals) expect_refusal(parse_expression(refusal.text, symbols()), refusal);
}

TEST(ParseExpression, refuses_jumps_where_derivatives_are_needed)
{
    expect_refusal(parse_expression("x + floor(y)", symbols()), {"floor", 5, "floor jumps", "smoothstep"});
    EXPECT_TRUE(parse_expression("x + floor(y)", symbols(), {.differentiable = false}).ok());
    EXPECT_TRUE(parse_predicate("floor(y) > 1", symbols()).ok());
}

TEST(ParseExpression, shows_the_place)
{
    const Problem problem = parse_expression("2*sin(bal.y)", symbols()).problems.at(0);
    EXPECT_EQ(to_string(problem),
              "column 7: there is nothing named 'bal.y'\n    2*sin(bal.y)\n          ^ (did you mean 'ball.y'?)");
    // Of a long text only a part, and the caret still below the place.
    const std::string text = std::string(50, '1') + " + " + std::string(50, '2') + " + ö?" + std::string(90, '3');
    const std::string shown = parse_expression(text, symbols()).problems.at(0).message;
    std::vector<std::string> lines;
    for (std::size_t begin = 0, end = 0; end != std::string::npos; begin = end + 1) {
        end = shown.find('\n', begin);
        lines.push_back(shown.substr(begin, end - begin));
    }
    ASSERT_EQ(lines.size(), 3U);
    EXPECT_TRUE(lines[1].starts_with("    ...") && lines[1].ends_with("...")) << shown;
    const std::size_t place = lines[2].find('^');
    EXPECT_EQ(lines[1].substr(place, 2), "ö") << shown;
}

TEST(ParseExpression, refuses_what_is_too_deep_or_too_long)
{
    const auto nested = [](std::size_t depth) { return std::string(depth, '(') + 'x' + std::string(depth, ')'); };
    EXPECT_TRUE(parse_expression(nested(99), symbols()).ok());
    expect_refusal(parse_expression(nested(100), symbols()), {"(((", 101, "nest deeper than 100", "several"});
    for (const char* piece : {"(", "[", "-", "+", "not ", "sin(", "x^", "2^-", "x < (", "x and (", "[1, "}) {
        std::string text;
        while (text.size() + 8 < kMaxFormulaLength) text += piece;
        const ExpressionRead read = parse_expression(text, symbols());
        ASSERT_FALSE(read.ok()) << piece;
        EXPECT_NE(read.problems[0].message.find("nest deeper than 100"), std::string::npos) << read.problems[0].message;
    }
    const std::string long_text = std::string(kMaxFormulaLength, ' ') + '1';
    expect_refusal(parse_expression(long_text, symbols()), {"too long", 4001, "has 4001 bytes, at most 4000", ""});
    EXPECT_TRUE(parse_expression(long_text.substr(1), symbols()).ok());
    std::string sum = "x";
    for (int i = 0; i < 700; ++i) sum += "*" + std::to_string(i + 2);
    expect_refusal(parse_expression(sum, symbols()), {"sum", 1, "takes more than 1000 operations", "several"});
}

/// A text of random characters, of random words, or of operands and operators by turns, which is often good.
std::string random_text(std::mt19937_64& random)
{
    static constexpr std::string_view kOperands[] = {
        "x",   "a",    "b",   "t",       "time",   "1",       "0",     "2",       "0.5",    "1e99",
        "a.v", "a.vx", "b.x", "pi",      "e",      "-1",      "not x", "ball.y",  "π",      "cloth[1]",
        "(x)", "-y",   "17",  "(x < y)", "log(y)", "sqrt(z)", "x^-y",  "norm(a)", "[1,x,2]"};
    static constexpr std::string_view kOperators[] = {"+",  "-", "*",  "/",     "^",    "<",
                                                      "<=", ">", ">=", " and ", " or ", "=="};
    static constexpr std::string_view kPieces[] = {
        "(",      ")",    ",",  "[",    "]", ".",    "'", "?", "sin(", "cross(", "clamp(", "min(",
        "floor(", "not ", ".x", "\xc3", " ", "dot(", "x", "a", "1",    "atan2(", "&&",     "norm("};
    const auto any = [&](const auto& words) { return words[random() % std::size(words)]; };
    const auto kind = random() % 4;
    std::string text;
    for (std::size_t i = 0, length = random() % 16; i <= length; ++i) {
        if (kind == 0)
            text += static_cast<char>(random() % 256);
        else if (kind == 1)
            text += any(kPieces);
        else
            text += i % 2 == 0 ? any(kOperands) : any(kOperators);
        if (kind == 2 && random() % 4 == 0) text += any(kPieces);
    }
    return text;
}

TEST(ParseExpression, survives_any_text)
{
    std::mt19937_64 random(2024);
    const Symbols names = symbols();
    const std::vector<double> all = formulas::random_variables(random);
    std::vector<double> gradient(all.size());
    int good = 0, good_conditions = 0;
    for (int i = 0; i < 100000; ++i) {
        const std::string text = random_text(random);
        const ExpressionRead read = parse_expression(text, names);
        if (read.ok()) {
            ++good;
            read.expression.gradient(all, std::span(gradient).first(read.expression.variables().size()));
        } else {
            ASSERT_TRUE(read.column >= 1 && read.column <= static_cast<int>(text.size()) + 1) << text;
            ASSERT_TRUE(read.expression.is_constant() && read.problems.size() == 1);
        }
        const PredicateRead condition = parse_predicate(text, names);
        if (condition.ok()) good_conditions += condition.predicate.holds_at(all).has_value() ? 1 : 0;
    }
    EXPECT_GT(good, 1000);
    EXPECT_GT(good_conditions, 1000);
}

}  // namespace
}  // namespace pliant
