// SPDX-License-Identifier: MIT
// Jets against derivatives worked out by hand.

#include <pliant/base/jet.h>
#include <pliant/base/simd.h>
#include <pliant/base/types.h>

#include <gtest/gtest.h>

#include <cmath>

namespace pliant {
namespace {

constexpr double kNear = 1e-13;

using Jet1 = Jet<double, 1>;
using HessianJet = Jet<Jet1, 1>;

/// Value, first and second derivative of a function of one variable, worked out by hand.
struct Truth {
    double f, df, ddf;
};

template <class F>
void expect_derivatives(F function, double x, Truth truth)
{
    const double scale = 1 + std::fabs(truth.f) + std::fabs(truth.df) + std::fabs(truth.ddf);
    const Jet1 jet = function(Jet1::variable(x, 0));
    EXPECT_NEAR(jet.value, truth.f, kNear * scale);
    EXPECT_NEAR(jet.derivative[0], truth.df, kNear * scale);

    const Jet2<double> taylor = function(Jet2<double>(x, 1.0));
    EXPECT_NEAR(taylor.value, truth.f, kNear * scale);
    EXPECT_NEAR(taylor.first, truth.df, kNear * scale);
    EXPECT_NEAR(taylor.second, truth.ddf, kNear * scale);

    const HessianJet nested = function(HessianJet::variable(Jet1::variable(x, 0), 0));
    EXPECT_NEAR(nested.value.derivative[0], truth.df, kNear * scale);
    EXPECT_NEAR(nested.derivative[0].value, truth.df, kNear * scale);
    EXPECT_NEAR(nested.derivative[0].derivative[0], truth.ddf, kNear * scale);
}

const double kPoints[] = {0.3, 0.7, 1.9};

TEST(Jet, knows_the_derivatives_of_sums_and_products)
{
    for (const double x : kPoints)
        expect_derivatives([](auto a) { return 3 * a * a * a - a * 2.0 + 1 - (0.5 - a); }, x,
                           {3 * x * x * x - x + 0.5, 9 * x * x - 1, 18 * x});
}

TEST(Jet, knows_the_derivatives_of_quotients)
{
    for (const double x : kPoints) {
        const double d = 1 + x * x;
        expect_derivatives([](auto a) { return a / (1.0 + a * a); }, x,
                           {x / d, (1 - x * x) / (d * d), 2 * x * (x * x - 3) / (d * d * d)});
        expect_derivatives([](auto a) { return 2.0 / a + a / 4; }, x,
                           {2 / x + x / 4, -2 / (x * x) + 0.25, 4 / (x * x * x)});
    }
}

TEST(Jet, knows_the_derivatives_of_roots_exponentials_and_logarithms)
{
    for (const double x : kPoints) {
        const double root = std::sqrt(x);
        expect_derivatives([](auto a) { return sqrt(a); }, x, {root, 0.5 / root, -0.25 / (x * root)});
        expect_derivatives([](auto a) { return exp(2 * a); }, x,
                           {std::exp(2 * x), 2 * std::exp(2 * x), 4 * std::exp(2 * x)});
        expect_derivatives([](auto a) { return log(a); }, x, {std::log(x), 1 / x, -1 / (x * x)});
    }
}

TEST(Jet, knows_the_derivatives_of_angles)
{
    for (const double x : kPoints) {
        const double s = std::sin(x), c = std::cos(x), t = s / c;
        expect_derivatives([](auto a) { return sin(a); }, x, {s, c, -s});
        expect_derivatives([](auto a) { return cos(a); }, x, {c, -s, -c});
        expect_derivatives([](auto a) { return tan(a); }, x, {t, 1 + t * t, 2 * t * (1 + t * t)});
    }
}

TEST(Jet, knows_that_atan2_of_a_point_on_a_circle_is_its_angle)
{
    for (const double x : {-2.5, -1.0, 0.4, 2.0})
        expect_derivatives([](auto a) { return atan2(exp(a) * sin(a), exp(a) * cos(a)); }, x, {x, 1, 0});
    const double d = 1 + 0.7 * 0.7;
    expect_derivatives([](auto a) { return atan2(a, 1.0); }, 0.7, {std::atan(0.7), 1 / d, -2 * 0.7 / (d * d)});
}

TEST(Jet, knows_the_derivatives_of_powers)
{
    for (const double x : kPoints)
        expect_derivatives([](auto a) { return pow(a, 1.4); }, x,
                           {std::pow(x, 1.4), 1.4 * std::pow(x, 0.4), 1.4 * 0.4 * std::pow(x, -0.6)});
}

TEST(Jet, takes_whole_powers_of_zero_without_making_nan)
{
    expect_derivatives([](auto a) { return pow(a, 0.0); }, 0.0, {1, 0, 0});
    expect_derivatives([](auto a) { return pow(a, 1); }, 0.0, {0, 1, 0});
    expect_derivatives([](auto a) { return pow(a, 2); }, 0.0, {0, 0, 2});
}

TEST(Jet, folds_at_zero_for_the_absolute_value)
{
    expect_derivatives([](auto a) { return abs(a * a * a); }, -2.0, {8, -12, 12});
    expect_derivatives([](auto a) { return abs(a * a * a); }, 2.0, {8, 12, 12});
}

TEST(Jet, compares_by_value_with_jets_and_numbers)
{
    const Jet1 a = Jet1::variable(1.0, 0), b = 2.0;
    EXPECT_TRUE(a < b && b > a && a <= 1.0 && 1.0 >= a && a != b && a == 1);
    const HessianJet c = HessianJet::variable(a, 0);
    EXPECT_TRUE(c < 2.0 && 0.5 < c && c == a);
    const Jet2<double> d(1.0, 5.0);
    EXPECT_TRUE(d < 2.0 && d == 1.0 && d > 0.0);
}

TEST(Jet, works_inside_constant_expressions)
{
    constexpr Jet1 cube = [] {
        Jet1 x = Jet1::variable(2.0, 0), y = x;
        y *= x;
        y *= x;
        return y;
    }();
    static_assert(cube.value == 8.0 && cube.derivative[0] == 12.0);
    SUCCEED();
}

// r = |x|: gradient x/r, Hessian (I - x x^T / r^2) / r.
TEST(Jet, gives_the_gradient_and_hessian_of_a_length)
{
    using Inner = Jet<double, 3>;
    using Outer = Jet<Inner, 3>;
    const Vec3 at = {1, -2, 0.5};
    Vec3T<Outer> x;
    for (int i = 0; i < 3; ++i) {
        const auto index = static_cast<std::size_t>(i);
        x[i] = Outer::variable(Inner::variable(at[i], index), index);
    }
    const Outer length = norm(x);
    const double r = norm(at);
    EXPECT_NEAR(length.value.value, r, kNear);
    for (int i = 0; i < 3; ++i) {
        const auto& row = length.derivative[static_cast<std::size_t>(i)];
        EXPECT_NEAR(row.value, at[i] / r, kNear);
        for (int j = 0; j < 3; ++j) {
            const double expected = ((i == j ? 1.0 : 0.0) - at[i] * at[j] / (r * r)) / r;
            EXPECT_NEAR(row.derivative[static_cast<std::size_t>(j)], expected, kNear);
        }
    }
}

// A point on a circle of radius 2 turning at 3 rad/s keeps its distance: c = c' = c'' = 0.
TEST(Jet2, gives_rate_and_acceleration_of_a_constraint_along_a_motion)
{
    const Jet2<double> time(0.4, 1.0);
    const Vec3T<Jet2<double>> x = {2.0 * cos(3.0 * time), 2.0 * sin(3.0 * time), Jet2<double>(0.0)};
    const Jet2<double> c = norm(x) - 2.0;
    EXPECT_NEAR(c.value, 0, 1e-13);
    EXPECT_NEAR(c.first, 0, 1e-13);
    EXPECT_NEAR(c.second, 0, 1e-12);
    EXPECT_NEAR(x.x.second, -9 * x.x.value, 1e-12);
}

TEST(Jet2, nests_with_jets_to_differentiate_a_rate_by_the_position)
{
    using J = Jet<double, 2>;
    // c = x y along (x', y') = (3, 4): the rate is x' y + x y', whose gradient is (y', x').
    const Jet2<J> x(J::variable(1.5, 0), J(3.0)), y(J::variable(-0.5, 1), J(4.0));
    const Jet2<J> c = x * y;
    EXPECT_DOUBLE_EQ(c.first.value, 3 * -0.5 + 1.5 * 4);
    EXPECT_DOUBLE_EQ(c.first.derivative[0], 4);
    EXPECT_DOUBLE_EQ(c.first.derivative[1], 3);
    EXPECT_DOUBLE_EQ(c.second.value, 24);
}

TEST(Jet, works_over_packs)
{
    using J = Jet<Pack4, 1>;
    Pack4 x;
    for (int lane = 0; lane < kPackWidth; ++lane) x.set(lane, 1.0 + lane);
    const J root = sqrt(J::variable(x, 0)) * 2.0;
    for (int lane = 0; lane < kPackWidth; ++lane) {
        EXPECT_DOUBLE_EQ(root.value[lane], 2 * std::sqrt(1.0 + lane));
        EXPECT_DOUBLE_EQ(root.derivative[0][lane], 1 / std::sqrt(1.0 + lane));
    }
}

}  // namespace
}  // namespace pliant
