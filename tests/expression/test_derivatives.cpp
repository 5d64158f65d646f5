// SPDX-License-Identifier: MIT
// Gradients and Hessians of formulas: against finite differences, against jets going forward, along a motion.

#include "expression/symbols_of_tests.h"

#include <algorithm>
#include <cmath>

namespace pliant {
namespace {

using formulas::formula;
using formulas::random_variables;

/// Every operation and function, alone and in company. All are smooth where variables are 0.1 to 0.9.
const char* const kFormulas[] = {
    "x + y",
    "x - 2*y",
    "x*y*z",
    "x/y",
    "-x/(1 + y)",
    "x^2",
    "x^3 - y^-2",
    "x^7*y^16",
    "x^0.7",
    "x^2.5*y^-1.5",
    "x^21",
    "x^y",
    "2^x + x^x",
    "pow(x, y*z)",
    "sqrt(x*y)",
    "exp(x*y)",
    "log(x + y^2)",
    "sin(x*y)",
    "cos(x/y)",
    "tan(x)",
    "asin(x*y)",
    "acos(x - y/3)",
    "atan(x/y)",
    "atan2(y, x)*z",
    "tanh(2*x - y)",
    "abs(x - 2)*y + abs(x*y)",
    "min(x*y, 3 + z)",
    "max(x^2, y - 2, z - 3)",
    "hypot(x, y, z)",
    "clamp(x*y, -1, 2) + clamp(x, 2, 3 + y)",
    "smoothstep(-0.5, 2*y + 1, x)",
    "norm(a - b)",
    "distance(a, b)*dot(a.v, b)",
    "norm(cross(a, b))",
    "dot(cross(a - b, [x, y, 1]), a.v)",
    "(a.x - 0.5)^2 + a.y^2 + a.z^2 - (0.3 + 0.1*sin(2*pi*t))^2",
    "cloth[0].x*cloth[1].y*cloth[2].z*cloth[3].x + exp(-distance(cloth[0], cloth[3]))*norm(cloth[1] + cloth[2])",
};

constexpr int kRepeats = 5;

double scale_of(std::span<const double> numbers)
{
    double scale = 1;
    for (const double number : numbers) scale = std::max(scale, std::fabs(number));
    return scale;
}

/// Visits every formula at random places.
template <class Check>
void for_each_formula(Check check)
{
    std::mt19937_64 random(11);
    for (const char* text : kFormulas) {
        SCOPED_TRACE(text);
        const Expression expression = formula(text);
        for (int repeat = 0; repeat < kRepeats; ++repeat) check(expression, random_variables(random));
    }
}

/// Central differences with Richardson's extrapolation: error of order step⁴.
template <class F>
double slope_of(F f, double step)
{
    const double wide = (f(2 * step) - f(-2 * step)) / (4 * step), narrow = (f(step) - f(-step)) / (2 * step);
    return (4 * narrow - wide) / 3;
}

constexpr double kStep = 1e-3;
constexpr double kDifferenceError = 2e-7;  // relative; steepest of all is y^-2 at 0.1

TEST(ExpressionDerivatives, gradients_are_those_of_finite_differences)
{
    for_each_formula([](const Expression& f, std::vector<double> all) {
        std::vector<double> gradient(f.variables().size());
        EXPECT_EQ(f.gradient(all, gradient), f.value(all));
        for (std::size_t i = 0; i < gradient.size(); ++i) {
            double& x = all[static_cast<std::size_t>(f.variables()[i])];
            const double before = x;
            const double expected = slope_of([&](double h) { return x = before + h, f.value(all); }, kStep * before);
            x = before;
            EXPECT_NEAR(gradient[i], expected, kDifferenceError * scale_of(gradient));
        }
    });
}

TEST(ExpressionDerivatives, hessians_are_differences_of_gradients)
{
    for_each_formula([](const Expression& f, std::vector<double> all) {
        const std::size_t n = f.variables().size();
        std::vector<double> gradient(n), hessian(n * n), other(n);
        EXPECT_EQ(f.hessian(all, gradient, hessian), f.value(all));
        f.gradient(all, other);
        for (std::size_t i = 0; i < n; ++i) EXPECT_NEAR(gradient[i], other[i], 1e-14 * scale_of(other));
        for (std::size_t i = 0; i < n; ++i) {
            double& x = all[static_cast<std::size_t>(f.variables()[i])];
            const double before = x;
            for (std::size_t j = 0; j < n; ++j) {
                const auto slope = [&](double h) { return x = before + h, f.gradient(all, other), other[j]; };
                EXPECT_NEAR(hessian[i * n + j], slope_of(slope, kStep * before), kDifferenceError * scale_of(hessian));
                EXPECT_EQ(hessian[i * n + j], hessian[j * n + i]);
            }
            x = before;
        }
    });
}

TEST(ExpressionDerivatives, reverse_sweeps_agree_with_forward_jets)
{
    using Inner = Jet<double, 1>;
    using Outer = Jet<Inner, 1>;
    for_each_formula([](const Expression& f, const std::vector<double>& all) {
        const std::size_t n = f.variables().size();
        std::vector<double> gradient(n), hessian(n * n);
        f.hessian(all, gradient, hessian);
        for (std::size_t i = 0; i < n; ++i)
            for (std::size_t j = 0; j < n; ++j) {
                const Outer jet = f.evaluate<Outer>([&](int variable) {
                    Outer x = all[static_cast<std::size_t>(variable)];
                    x.value.derivative[0] = variable == f.variables()[i] ? 1.0 : 0.0;
                    x.derivative[0] = variable == f.variables()[j] ? 1.0 : 0.0;
                    return x;
                });
                EXPECT_NEAR(jet.value.derivative[0], gradient[i], 1e-12 * scale_of(gradient));
                EXPECT_NEAR(jet.derivative[0].derivative[0], hessian[i * n + j], 1e-12 * scale_of(hessian));
            }
    });
}

TEST(ExpressionDerivatives, a_hessian_times_a_direction_is_their_product)
{
    std::mt19937_64 random(3);
    for_each_formula([&](const Expression& f, const std::vector<double>& all) {
        const std::size_t n = f.variables().size();
        std::vector<double> gradient(n), hessian(n * n), product(n), direction = random_variables(random);
        direction.resize(n);
        f.hessian(all, gradient, hessian);
        f.hessian_times(all, direction, product);
        for (std::size_t i = 0; i < n; ++i) {
            double expected = 0;
            for (std::size_t j = 0; j < n; ++j) expected += hessian[i * n + j] * direction[j];
            EXPECT_NEAR(product[i], expected, 1e-12 * scale_of(hessian));
        }
    });
}

// Along x(s) = x + s v + s²/2 a: f' = g·v and f'' = v·H v + g·a.
TEST(ExpressionDerivatives, jets_along_a_motion_obey_the_chain_rule)
{
    std::mt19937_64 random(5);
    for_each_formula([&](const Expression& f, const std::vector<double>& all) {
        const std::size_t n = f.variables().size();
        const std::vector<double> v = random_variables(random), a = random_variables(random);
        std::vector<Jet2<double>> motion(all.size());
        for (std::size_t i = 0; i < all.size(); ++i) motion[i] = {all[i], v[i], a[i]};
        std::vector<double> gradient(n), hessian(n * n);
        const double value = f.hessian(all, gradient, hessian);
        double first = 0, second = 0;
        for (std::size_t i = 0; i < n; ++i) {
            const auto row = static_cast<std::size_t>(f.variables()[i]);
            first += gradient[i] * v[row];
            second += gradient[i] * a[row];
            for (std::size_t j = 0; j < n; ++j)
                second += v[row] * hessian[i * n + j] * v[static_cast<std::size_t>(f.variables()[j])];
        }
        const auto jet = f.value<Jet2<double>>(motion);
        EXPECT_EQ(jet.value, value);
        EXPECT_NEAR(jet.first, first, 1e-12 * scale_of(gradient));
        EXPECT_NEAR(jet.second, second, 1e-12 * (scale_of(gradient) + scale_of(hessian)));
    });
}

// A constraint |p - c|² - r(t)² of a point in motion: c, its rate and its acceleration, worked out by hand.
TEST(ExpressionDerivatives, give_rate_and_acceleration_of_a_constraint)
{
    const Expression f = formula("dot(a, a) - (2 + t^2)^2");
    const double time = 0.5;
    const std::vector<double> p = {1, 2, 3}, v = {-1, 0.5, 2};
    const auto jet = f.evaluate<Jet2<double>>([&](int variable) {
        if (variable == 4) return Jet2<double>(time, 1.0);
        const auto i = static_cast<std::size_t>(variable - 5);
        return Jet2<double>(p[i], v[i]);
    });
    const double r = 2 + time * time, dr = 2 * time, ddr = 2;
    EXPECT_DOUBLE_EQ(jet.value, 14 - r * r);
    EXPECT_DOUBLE_EQ(jet.first, 2 * (-1 + 1 + 6) - 2 * r * dr);
    EXPECT_DOUBLE_EQ(jet.second, 2 * (1 + 0.25 + 4) - 2 * dr * dr - 2 * r * ddr);
}

TEST(ExpressionDerivatives, serve_many_variables_at_once)
{
    Symbols names;
    std::string text = "1";
    constexpr int kCount = 60;
    for (int i = 0; i < kCount; ++i) {
        names.numbers.push_back({"q" + std::to_string(i), i});
        text += "*q" + std::to_string(i);
    }
    const ExpressionRead read = parse_expression(text, names);
    ASSERT_TRUE(read.ok());
    std::vector<double> all(kCount), gradient(kCount), hessian(std::size_t{kCount} * kCount);
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = 1 + 0.01 * static_cast<double>(i);
    const double product = read.expression.hessian(all, gradient, hessian);
    for (std::size_t i = 0; i < all.size(); ++i) {
        EXPECT_NEAR(gradient[i], product / all[i], 1e-13 * product);
        for (std::size_t j = 0; j < all.size(); ++j) {
            const double expected = i == j ? 0 : product / (all[i] * all[j]);
            EXPECT_NEAR(hessian[i * kCount + j], expected, 1e-13 * product);
        }
    }
}

TEST(ExpressionDerivatives, leave_out_the_branch_that_was_not_taken)
{
    std::vector<double> all(formulas::kVariables, 0.0), gradient(1, -1.0);
    EXPECT_EQ(formula("min(sqrt(x), -1)").gradient(all, gradient), -1);
    EXPECT_EQ(gradient[0], 0);
    EXPECT_EQ(formula("clamp(x, -1, 1)").gradient(all, gradient), 0);
    EXPECT_EQ(gradient[0], 1);
    all[0] = 2;
    formula("clamp(x, -1, 1)").gradient(all, gradient);
    EXPECT_EQ(gradient[0], 0);
    formula("3*floor(x)", {.differentiable = false}).gradient(all, gradient);
    EXPECT_EQ(gradient[0], 0);
    EXPECT_EQ(formula("3*floor(x)", {.differentiable = false})
                  .evaluate<Jet2<double>>([](int) { return Jet2<double>(2.5, 1.0); })
                  .first,
              0);
}

}  // namespace
}  // namespace pliant
