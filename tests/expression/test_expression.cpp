// SPDX-License-Identifier: MIT
// Values of formulas: precedence, functions, vectors, names; what is not finite; no allocation.

#include "base/counted_new.h"
#include "expression/symbols_of_tests.h"

#include <cmath>
#include <limits>
#include <numbers>

namespace pliant {
namespace {

using formulas::formula;
using formulas::symbols;

/// The variable i has the value 0.1 + i / 10, but x = 3, y = -2, z = 5.
std::vector<double> sample()
{
    std::vector<double> all(formulas::kVariables);
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = 0.1 + 0.1 * static_cast<double>(i);
    all[0] = 3, all[1] = -2, all[2] = 5;
    return all;
}

double value(const std::string& text)
{
    return formula(text).value(sample());
}

TEST(Expression, knows_which_operators_bind_tighter)
{
    EXPECT_EQ(value("1 + 2*3"), 7);
    EXPECT_EQ(value("(1 + 2)*3"), 9);
    EXPECT_EQ(value("10 - 4 - 3"), 3);
    EXPECT_EQ(value("x - y - z"), 0);
    EXPECT_EQ(value("24/4/2"), 3);
    EXPECT_EQ(value("2*x^2"), 18);
    EXPECT_EQ(value("-x^2"), -9);
    EXPECT_EQ(value("(-x)^2"), 9);
    EXPECT_EQ(value("2^3^2"), 512);
    EXPECT_EQ(value("x^2^3"), 6561);
    EXPECT_EQ(value("2^-1"), 0.5);
    EXPECT_EQ(value("2^-x^2*512"), 1);
    EXPECT_EQ(value("x*-y"), 6);
    EXPECT_EQ(value("--x"), 3);
    EXPECT_EQ(value("-+-x"), 3);
    EXPECT_EQ(value("x - -y"), 1);
    EXPECT_EQ(value("-x*y"), 6);
    EXPECT_EQ(value("6/x*2"), 4);
}

TEST(Expression, reads_numbers_as_people_write_them)
{
    EXPECT_EQ(value(".5"), 0.5);
    EXPECT_EQ(value("1."), 1);
    EXPECT_EQ(value("1e-3"), 1e-3);
    EXPECT_EQ(value("2.5E+2"), 250);
    EXPECT_EQ(value("2*e"), 2 * std::numbers::e);
    EXPECT_EQ(value("pi"), std::numbers::pi);
    EXPECT_EQ(value(" 1\n+\t2 "), 3);
}

TEST(Expression, takes_whole_powers_of_negative_numbers_exactly)
{
    EXPECT_EQ(value("y^2"), 4);
    EXPECT_EQ(value("y^3"), -8);
    EXPECT_EQ(value("y^0"), 1);
    EXPECT_EQ(value("y^-3"), -0.125);
    EXPECT_EQ(value("y^16"), 65536);
    EXPECT_EQ(value("y^21"), -2097152);
    EXPECT_EQ(value("pow(y, 5)"), -32);
    EXPECT_TRUE(std::isnan(value("y^0.5")));
    EXPECT_EQ(value("z^x"), 125);
}

TEST(Expression, has_the_functions_of_mathematics)
{
    const double s = 0.4;  // u
    EXPECT_DOUBLE_EQ(value("sin(u) + cos(u) + tan(u)"), std::sin(s) + std::cos(s) + std::tan(s));
    EXPECT_DOUBLE_EQ(value("asin(u)*acos(u)*atan(u)"), std::asin(s) * std::acos(s) * std::atan(s));
    EXPECT_DOUBLE_EQ(value("exp(u) - log(u) + sqrt(u) + tanh(u)"),
                     std::exp(s) - std::log(s) + std::sqrt(s) + std::tanh(s));
    EXPECT_DOUBLE_EQ(value("atan2(y, x)"), std::atan2(-2, 3));
    EXPECT_EQ(value("abs(y) + min(x, y) + max(x, y, z) + hypot(x, 4)"), 2 - 2 + 5 + 5);
    EXPECT_EQ(value("clamp(z, 0, 1) + clamp(y, 0, 1) + clamp(u, 0, 1)"), 1.4);
    EXPECT_EQ(value("smoothstep(0, 1, y) + smoothstep(1, 2, z)"), 1);
    EXPECT_DOUBLE_EQ(value("smoothstep(3, 5, x + 0.5)"), 0.0625 * 2.5);
    EXPECT_EQ(formula("floor(y + 0.5) + floor(2.9)", {.differentiable = false}).value(sample()), 0);
}

TEST(Expression, computes_with_vectors)
{
    const std::vector<double> all = sample();
    const double *a = &all[5], *v = &all[8], *b = &all[11];
    double square = 0, along = 0;
    for (int i = 0; i < 3; ++i) square += (a[i] - b[i]) * (a[i] - b[i]), along += (a[i] - b[i]) * v[i];
    EXPECT_DOUBLE_EQ(value("distance(a, b)"), std::sqrt(square));
    EXPECT_DOUBLE_EQ(value("norm(2*a - b*2)/2"), std::sqrt(square));
    EXPECT_DOUBLE_EQ(value("dot(a - b, a.v)"), along);
    EXPECT_DOUBLE_EQ(value("cross(a, b).y"), a[2] * b[0] - a[0] * b[2]);
    EXPECT_NEAR(value("dot(cross(a, b), a)"), 0, 1e-15);
    EXPECT_EQ(value("([1, 2, 3] + a/2).z"), 3 + all[7] / 2);
    EXPECT_EQ(value("(-a).x + a.x + a.vy"), all[9]);
}

TEST(Expression, finds_names_with_dots_brackets_and_quotes)
{
    EXPECT_EQ(value("ball.y"), sample()[14]);
    EXPECT_EQ(value("'left-hand ball'.z"), sample()[17]);
    EXPECT_EQ(value("cloth[2].y"), sample()[25]);
    EXPECT_EQ(value("norm(cloth[0] - cloth[0])"), 0);
    EXPECT_EQ(value("t + time"), 2 * sample()[4]);
}

TEST(Expression, prefers_the_callers_names_to_constants)
{
    const Symbols names{.numbers = {{"e", 0}}, .points = {}, .find_point = {}};
    EXPECT_EQ(parse_expression("e + 1", names).expression.value(std::vector{7.0}), 8);
}

TEST(Expression, knows_the_variables_it_uses)
{
    const Expression circle = formula("(b.x - a.y)^2 + sin(t)*cross(a, b).z*0.5 - b.x^0");
    const std::vector<int> expected = {4, 5, 6, 11, 12};
    EXPECT_EQ(std::vector<int>(circle.variables().begin(), circle.variables().end()), expected);
    EXPECT_TRUE(circle.depends_on_time() && !circle.depends_on_velocity());
    EXPECT_EQ(circle.kinds()[0], VariableKind::time);
    EXPECT_EQ(circle.kinds()[4], VariableKind::position);
    EXPECT_TRUE(formula("a.vz").depends_on_velocity());
    EXPECT_TRUE(formula("norm(a.v)").depends_on_velocity());
    EXPECT_FALSE(formula("x").depends_on_time());
    EXPECT_TRUE(formula("2^10 + sin(pi)").is_constant());
}

TEST(Expression, computes_nothing_twice)
{
    EXPECT_EQ(formula("2*pi*3").instructions().size(), 1U);
    EXPECT_EQ(formula("x^2 + x^2*y").instructions().size(), 5U);
    EXPECT_EQ(formula("sin(x)*sin(x)").instructions().size(), 3U);
    EXPECT_EQ(formula("(a - b).x").instructions().size(), 3U);
    EXPECT_EQ(formula("1*x + 0").instructions().size(), 1U);
}

TEST(Expression, never_hides_what_is_not_a_number)
{
    constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
    const std::vector<double> all(formulas::kVariables, 0.0);
    EXPECT_FALSE(is_finite(formula("log(x - 1)").value(all)));
    EXPECT_FALSE(is_finite(formula("1/x").value(all)));
    for (const char* text : {"min(x, 1)", "min(1, x)", "max(x, 1)", "max(1, x)", "clamp(x, 0, 1)", "abs(x)", "0*x",
                             "smoothstep(0, 1, x)", "hypot(x, 1)", "x^2", "x^0.5", "2^x"})
        EXPECT_TRUE(std::isnan(formula(text).value(std::vector<double>(formulas::kVariables, kNan)))) << text;
    std::vector<double> slope(1);
    const double root = formula("sqrt(x)").gradient(all, slope);
    EXPECT_TRUE(is_finite(root) && !is_finite(slope));
}

TEST(Expression, says_what_is_not_finite)
{
    std::vector<double> all(formulas::kVariables, 0.0);
    EXPECT_EQ(formula("x + 3").trouble(all), "");
    EXPECT_EQ(formula("2 + 1/x").trouble(all), "1 / 0 at column 6 of '2 + 1/x' is infinite");
    EXPECT_EQ(formula("y*log(x - 1)").trouble(all), "log of -1 at column 3 of 'y*log(x - 1)' is not a number");
    EXPECT_EQ(formula("1 + norm(a)").trouble(all),
              "the slope of the square root of 0 at column 5 of '1 + norm(a)' is not finite");
    EXPECT_EQ(formula("min(sqrt(x), -1)").trouble(all), "");
    EXPECT_EQ(formula("atan(1e300*exp(x))").trouble(all), "");
    all[0] = std::numeric_limits<double>::infinity();
    EXPECT_EQ(formula("1 - x").trouble(all), "what is read at column 5 of '1 - x' is infinite");
}

TEST(Expression, gives_three_formulas_for_a_vector)
{
    const VectorExpressionRead read = parse_vector_expression("[0, -2*sin(t), x] + a.v", symbols());
    ASSERT_TRUE(read.ok());
    const std::vector<double> all = sample();
    EXPECT_EQ(read.components[0].value(all), all[8]);
    EXPECT_EQ(read.components[1].value(all), -2 * std::sin(all[4]) + all[9]);
    EXPECT_EQ(read.components[2].value(all), 3 + all[10]);
    EXPECT_FALSE(read.components[0].depends_on_time());
}

TEST(Expression, allocates_nothing_when_evaluated)
{
    const Expression circle = formula("(a.x - 0.5)^2 + a.y^2 + a.z^2 - (0.3 + 0.1*sin(2*pi*t))^2");
    const std::vector<double> all = sample();
    std::vector<double> gradient(4), hessian(16), along(4);
    const PredicateRead condition = parse_predicate("a.x < 1 and (t > 2 or not a.y < 0)", symbols());
    const long before = allocation_count();
    circle.hessian(all, gradient, hessian);
    circle.gradient(all, gradient);
    circle.hessian_times(all, gradient, along);
    circle.evaluate<Jet2<double>>([&](int i) { return Jet2<double>(all[static_cast<std::size_t>(i)], 1.0); });
    const std::optional<bool> holds = condition.predicate.holds_at(all);
    EXPECT_EQ(allocation_count(), before);
    EXPECT_TRUE(holds.has_value());
}

}  // namespace
}  // namespace pliant
