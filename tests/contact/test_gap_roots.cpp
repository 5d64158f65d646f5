// SPDX-License-Identifier: MIT
#include <pliant/contact/gap_roots.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

#include <pliant/base/jet.h>

namespace pliant {
namespace {

// Bernstein coefficients of a product of (u - r) over all roots, by multiplying one factor after the other.
std::vector<double> product_of(const std::vector<double>& roots, double scale)
{
    std::vector<double> c{scale};
    for (const double r : roots) {
        const double n = static_cast<double>(c.size());  // degree of the product
        std::vector<double> next(c.size() + 1, 0);
        for (std::size_t i = 0; i < c.size(); ++i) {
            const double k = static_cast<double>(i);
            next[i] += c[i] * -r * (n - k) / n;
            next[i + 1] += c[i] * (1 - r) * (k + 1) / n;
        }
        c = next;
    }
    return c;
}

GapValue value_at(const std::vector<double>& c, double at)
{
    using J = Jet<double, 1>;
    const J u = J::variable(at, 0);
    std::vector<J> b(c.begin(), c.end());
    for (std::size_t level = 1; level < b.size(); ++level)
        for (std::size_t k = 0; k + level < b.size(); ++k) b[k] = b[k] * (1.0 - u) + b[k + 1] * u;
    return {b[0].value, b[0].derivative[0]};
}

std::vector<SignChange> changes_of(const std::vector<double>& coefficients, double noise = 0)
{
    std::vector<SignChange> changes(kMaxGapDegree + 1);
    changes.resize(find_sign_changes(changes, coefficients, noise));
    return changes;
}

TEST(SignChanges, OfRandomProductsAreAllFoundInOrder)
{
    std::mt19937 random(5);
    std::uniform_real_distribution<double> place(-0.5, 1.5);
    int inside_count = 0;
    for (int sample = 0; sample < 5000; ++sample) {
        std::vector<double> roots(1 + sample % kMaxGapDegree);
        for (double& r : roots) r = place(random);
        std::sort(roots.begin(), roots.end());
        const auto close = [](double a, double b) { return b - a < 1e-3; };
        if (std::adjacent_find(roots.begin(), roots.end(), close) != roots.end()) continue;
        const std::vector<double> c = product_of(roots, sample % 2 == 0 ? 1 : -1);
        std::vector<double> inside;
        std::copy_if(roots.begin(), roots.end(), std::back_inserter(inside), [](double r) { return r > 0 && r < 1; });
        const std::vector<SignChange> changes = changes_of(c);
        ASSERT_EQ(changes.size(), inside.size()) << sample;
        int from = c[0] > 0 ? 1 : -1;
        for (std::size_t k = 0; k < inside.size(); ++k, from = -from) {
            EXPECT_EQ(changes[k].from, from);
            const double root = root_between([&](double u) { return value_at(c, u); }, changes[k]);
            ASSERT_NEAR(root, inside[k], 1e-7) << "degree " << roots.size();
            ++inside_count;
        }
    }
    EXPECT_GT(inside_count, 5000);
}

TEST(SignChanges, LeaveOutTouchesAndEnds)
{
    EXPECT_TRUE(changes_of({1, 0, 1}).empty());   // touches nothing
    EXPECT_TRUE(changes_of({1, -1, 1}).empty());  // (1 - 2u)^2: touches zero at 1/2
    EXPECT_TRUE(changes_of({2, 1, 0}).empty());   // reaches zero at the end
    EXPECT_TRUE(changes_of({1, 2, 3, 4}).empty());
    EXPECT_TRUE(changes_of({0, 0, 0, 0}).empty());
    EXPECT_EQ(changes_of({1, -1.1, 1}).size(), 2U);  // dips below
    EXPECT_EQ(changes_of({4, 1, 0, -1}).size(), 1U);
}

TEST(SignChanges, OfSomethingThatStartsAtZeroAreAtTheStart)
{
    for (const double sign : {1.0, -1.0}) {
        const auto changes = changes_of({0, sign, 2 * sign});
        ASSERT_EQ(changes.size(), 1U);
        EXPECT_EQ(changes[0].end, 0);
        EXPECT_EQ(changes[0].from, -static_cast<int>(sign));
    }
    const auto up_and_down = changes_of({0, 1, -2});
    ASSERT_EQ(up_and_down.size(), 2U);
    EXPECT_EQ(up_and_down[1].from, 1);
}

TEST(SignChanges, DoNotComeFromNoise)
{
    EXPECT_TRUE(changes_of({1e-17, -1e-17, 1e-17, -1e-17}, 1e-16).empty());
    EXPECT_TRUE(changes_of({1e-17, 1, 1, -1e-17}, 1e-16).size() == 1);  // leaves the touch upwards, never comes below
    EXPECT_EQ(changes_of({1, -1e-17, -1}, 1e-16).size(), 1U);
    // A root exactly where the interval is halved is found once.
    EXPECT_EQ(changes_of(product_of({0.5, 0.9, 0.95}, 1)).size(), 3U);
    EXPECT_EQ(changes_of(product_of({0.25, 0.5, 0.75}, 1)).size(), 3U);
}

TEST(Paths, HavePositionsAndVelocitiesOfBothEnds)
{
    const std::vector<Vec3> x0{{1, 2, 3}}, v0{{-1, 4, 2}}, x1{{5, -2, 0.5}}, v1{{3, 3, -7}};
    const double h = 0.25;
    const StepMotion motion{x0, v0, x1, v1, h};
    const Vec3 origin{1, 1, 1};
    using J = Jet<double, 1>;
    for (const double u : {0.0, 1.0}) {
        const Vec3T<J> p = point_at(motion.curve(0, origin), J::variable(u, 0));
        const Vec3 x = u == 0 ? x0[0] : x1[0], v = u == 0 ? v0[0] : v1[0];
        for (int k = 0; k < 3; ++k) {
            EXPECT_NEAR(p[k].value + 1, x[k], 1e-14);
            EXPECT_NEAR(p[k].derivative[0] / h, v[k], 1e-13);
        }
    }
    const StepMotion straight{.x0 = x0, .x1 = x1, .h = h, .path = PathKind::straight};
    EXPECT_LT(norm(point_at(straight.curve(0), 0.3) - (x0[0] * 0.7 + x1[0] * 0.3)), 1e-14);
}

TEST(HermiteCubic, HasItsValuesAndSlopes)
{
    const auto cubic = hermite_cubic(2, -3, 5, 7);
    const std::vector<double> c(cubic.begin(), cubic.end());
    EXPECT_EQ(value_at(c, 0).value, 2);
    EXPECT_NEAR(value_at(c, 0).slope, -3, 1e-14);
    EXPECT_EQ(value_at(c, 1).value, 5);
    EXPECT_NEAR(value_at(c, 1).slope, 7, 1e-14);
}

}  // namespace
}  // namespace pliant
