// SPDX-License-Identifier: MIT
#include <pliant/audit/exact_predicates.h>

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

namespace pliant {
namespace {

__extension__ typedef __int128 Int128;

using Lattice = std::array<std::int64_t, 3>;

int sign_of(Int128 value)
{
    return value > 0 ? 1 : value < 0 ? -1 : 0;
}

Int128 determinant_of(const Lattice& a, const Lattice& b, const Lattice& c, const Lattice& d)
{
    std::array<std::array<Int128, 3>, 3> m;
    for (std::size_t k = 0; k < 3; ++k) m[0][k] = b[k] - a[k], m[1][k] = c[k] - a[k], m[2][k] = d[k] - a[k];
    return m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) - m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
           m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
}

// Each axis by its own power of two: exact, and it keeps the sign of the determinant.
Vec3 scaled(const Lattice& a, const std::array<int, 3>& power)
{
    return {std::ldexp(static_cast<double>(a[0]), power[0]), std::ldexp(static_cast<double>(a[1]), power[1]),
            std::ldexp(static_cast<double>(a[2]), power[2])};
}

// A truth of another kind for any mantissas: the expanded determinant as a sum of doubles that do not overlap.
class ExactSum {
public:
    void add(double value)
    {
        std::vector<double> next;
        double carried = value;
        for (const double part : parts_) {
            const double sum = carried + part, virtual_part = sum - carried;
            const double lost = (carried - (sum - virtual_part)) + (part - virtual_part);
            if (lost != 0) next.push_back(lost);
            carried = sum;
        }
        if (carried != 0) next.push_back(carried);
        parts_ = std::move(next);
    }
    // a b, or a b c, without rounding: a product and what it lost are two doubles.
    void add_product(double a, double b)
    {
        add(a * b);
        add(std::fma(a, b, -(a * b)));
    }
    void add_product(double a, double b, double c)
    {
        add_product(a * b, c);
        add_product(std::fma(a, b, -(a * b)), c);
    }
    int sign() const { return parts_.empty() ? 0 : parts_.back() > 0 ? 1 : -1; }

private:
    std::vector<double> parts_;  // of growing magnitude
};

void add_triple(ExactSum& sum, const Vec3& a, const Vec3& b, const Vec3& c, double sign)
{
    for (int k = 0; k < 3; ++k) {
        const int l = (k + 1) % 3, m = (k + 2) % 3;
        sum.add_product(sign * a[k], b[l], c[m]);
        sum.add_product(-sign * a[k], b[m], c[l]);
    }
}

int true_orientation(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d)
{
    ExactSum sum;
    add_triple(sum, b, c, d, 1), add_triple(sum, a, c, d, -1), add_triple(sum, a, b, d, 1),
        add_triple(sum, a, b, c, -1);
    return sum.sign();
}

int rounded_orientation(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d)
{
    const double value = determinant(from_columns(b - a, c - a, d - a));
    return value > 0 ? 1 : value < 0 ? -1 : 0;
}

TEST(ExactPredicates, TurnTheWayTheirCommentsSay)
{
    EXPECT_EQ(orientation(Vec3{}, Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}), 1);
    EXPECT_EQ(orientation(Vec3{}, Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, -1}), -1);
    EXPECT_EQ(orientation(Vec3{}, Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{5, 7, 0}), 0);
    EXPECT_EQ(orientation(PlanePoint{0, 0}, PlanePoint{1, 0}, PlanePoint{0, 1}), 1);
    EXPECT_EQ(orientation(PlanePoint{0, 0}, PlanePoint{0, 1}, PlanePoint{1, 0}), -1);
    EXPECT_EQ(orientation(PlanePoint{0.1, 0.1}, PlanePoint{0.2, 0.2}, PlanePoint{0.7, 0.7}), 0);
    EXPECT_EQ(side_of_plane({0, 1, 0}, {0, 2, 0}, {9, 1.5, 9}), 1);
    EXPECT_EQ(side_of_plane({0, 1, 0}, {0, 2, 0}, {9, 1, 9}), 0);
    EXPECT_EQ(side_of_plane({0, 1, 0}, {0, 2, 0}, {9, std::nextafter(1.0, 0.0), 9}), -1);
}

// Points of a plane through the lattice, some of them one step off it, at any scale that a double has.
TEST(ExactPredicates, AgreeWithWholeNumbersNearPlanes)
{
    std::mt19937_64 random(7);
    const auto whole = [&](std::int64_t most) {
        return std::uniform_int_distribution<std::int64_t>(-most, most)(random);
    };
    int uncertain = 0, misjudged = 0, zeros = 0;
    for (int i = 0; i < 20000; ++i) {
        constexpr std::int64_t kLong = std::int64_t{1} << 19;
        Lattice a, b, c, d;
        const std::int64_t s = whole(1 << 18), t = whole(1 << 18);
        const int off = i % 4;
        for (std::size_t k = 0; k < 3; ++k) {
            a[k] = whole(kLong), b[k] = a[k] + whole(kLong), c[k] = a[k] + whole(kLong);
            d[k] = a[k] + s * (b[k] - a[k]) + t * (c[k] - a[k]);
        }
        if (off > 0) d[static_cast<std::size_t>(off - 1)] += whole(1);
        const int truth = sign_of(determinant_of(a, b, c, d));
        std::array<int, 3> power{};
        for (int& p : power) p = static_cast<int>(i % 2 == 0 ? whole(40) : whole(900));
        const Vec3 A = scaled(a, power), B = scaled(b, power), C = scaled(c, power), D = scaled(d, power);
        ASSERT_EQ(orientation(A, B, C, D), truth) << "case " << i;
        ASSERT_EQ(orientation(B, A, C, D), -truth) << "case " << i;
        ASSERT_EQ(orientation(D, B, C, A), -truth) << "case " << i;
        const auto certain = certain_orientation(A, B, C, D);
        ASSERT_EQ(certain.value_or(truth), truth) << "case " << i;
        uncertain += certain ? 0 : 1, zeros += truth == 0 ? 1 : 0;
        misjudged += i % 2 == 0 && rounded_orientation(A, B, C, D) != truth ? 1 : 0;
    }
    // Otherwise the test asks nothing that plain doubles could not answer.
    EXPECT_GT(uncertain, 10000);
    EXPECT_GT(misjudged, 1000);
    EXPECT_GT(zeros, 5000);
}

// Full mantissas and mixed exponents, the fourth point rounded onto the plane of the others.
TEST(ExactPredicates, AgreeWithExpansionsForAnyMantissas)
{
    std::mt19937_64 random(11);
    std::uniform_real_distribution<double> number(-1, 1);
    std::uniform_int_distribution<int> exponent(-30, 30);
    int misjudged = 0;
    for (int i = 0; i < 20000; ++i) {
        const auto point = [&] {
            Vec3 p;
            for (int k = 0; k < 3; ++k)
                p[k] = i % 3 == 0 ? std::ldexp(number(random), exponent(random)) : number(random);
            return p;
        };
        const Vec3 a = point(), b = point(), c = point();
        const double s = number(random), t = number(random);
        const Vec3 d = i % 5 == 0 ? a + (b - a) * s : a + (b - a) * s + (c - a) * t;
        const int truth = true_orientation(a, b, c, d);
        ASSERT_EQ(orientation(a, b, c, d), truth) << "case " << i;
        misjudged += rounded_orientation(a, b, c, d) != truth ? 1 : 0;
    }
    EXPECT_GT(misjudged, 1000);
}

TEST(ExactPredicates, TellWhichWayThreePointsTurn)
{
    std::mt19937_64 random(13);
    std::uniform_real_distribution<double> number(-1, 1);
    int uncertain = 0;
    for (int i = 0; i < 20000; ++i) {
        const PlanePoint a{number(random), number(random)}, b{number(random), number(random)};
        const double s = number(random);
        const PlanePoint c{a.x + (b.x - a.x) * s, a.y + (b.y - a.y) * s};
        ExactSum sum;
        sum.add_product(a.x, b.y), sum.add_product(b.x, c.y), sum.add_product(c.x, a.y);
        sum.add_product(-a.y, b.x), sum.add_product(-b.y, c.x), sum.add_product(-c.y, a.x);
        ASSERT_EQ(orientation(a, b, c), sum.sign()) << "case " << i;
        ASSERT_EQ(orientation(c, b, a), -sum.sign()) << "case " << i;
        uncertain += certain_orientation(a, b, c) ? 0 : 1;
    }
    EXPECT_GT(uncertain, 5000);
}

TEST(ExactPredicates, TellTheSideOfAPlane)
{
    std::mt19937_64 random(17);
    std::uniform_real_distribution<double> number(-1, 1);
    int behind = 0, before = 0;
    for (int i = 0; i < 20000; ++i) {
        const Vec3 p{number(random), number(random), number(random)}, n{number(random), number(random), number(random)};
        Vec3 x{number(random), number(random), number(random)};
        x -= n * (dot(x - p, n) / norm2(n));  // onto the plane, but for rounding
        ExactSum sum;
        for (int k = 0; k < 3; ++k) sum.add_product(n[k], x[k]), sum.add_product(-n[k], p[k]);
        ASSERT_EQ(side_of_plane(p, n, x), sum.sign()) << "case " << i;
        behind += sum.sign() < 0 ? 1 : 0, before += sum.sign() > 0 ? 1 : 0;
    }
    EXPECT_GT(behind, 5000);
    EXPECT_GT(before, 5000);
}

// The largest and the smallest numbers there are: products of them are no doubles any more.
TEST(ExactPredicates, HoldForEveryFiniteDouble)
{
    const double huge = std::numeric_limits<double>::max(), tiny = std::numeric_limits<double>::denorm_min();
    EXPECT_EQ(orientation(Vec3{-huge, -huge, -huge}, Vec3{huge, 0, tiny}, Vec3{0, huge, 0}, Vec3{0, 0, huge}), 1);
    EXPECT_EQ(orientation(Vec3{}, Vec3{tiny, 0, 0}, Vec3{0, tiny, 0}, Vec3{0, 0, tiny}), 1);
    EXPECT_EQ(orientation(Vec3{}, Vec3{tiny, 0, 0}, Vec3{0, huge, 0}, Vec3{0, 0, -tiny}), -1);
    EXPECT_EQ(orientation(Vec3{huge, 0, tiny}, Vec3{0, huge, tiny}, Vec3{-huge, -huge, tiny}, Vec3{1, 1, 2 * tiny}), 1);
    EXPECT_EQ(orientation(PlanePoint{0, 0}, PlanePoint{tiny, huge}, PlanePoint{-tiny, huge}), 1);
    EXPECT_EQ(orientation(PlanePoint{-huge, -huge}, PlanePoint{0, 0}, PlanePoint{huge, huge}), 0);
    EXPECT_EQ(side_of_plane({0, 0, 0}, {tiny, huge, 0}, {tiny, 0, 1}), 1);
    EXPECT_EQ(side_of_plane({huge, 0, 0}, {tiny, 0, 0}, {-huge, 0, 0}), -1);
}

}  // namespace
}  // namespace pliant
