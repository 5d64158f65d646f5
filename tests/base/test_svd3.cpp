// SPDX-License-Identifier: MIT

// Decompositions of 3x3 matrices: any matrix at all, and packs like scalars.

#include <pliant/base/svd3.h>

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace pliant {
namespace {

Mat3 diagonal(double a, double b, double c)
{
    return {{{a, 0, 0}, {0, b, 0}, {0, 0, c}}};
}

double largest_entry(const Mat3& a)
{
    double largest = 0;
    for (const auto& row : a.m)
        for (const double entry : row) largest = std::max(largest, std::abs(entry));
    return largest;
}

double distance(const Mat3& a, const Mat3& b)
{
    return largest_entry(a + b * -1.0);
}

Mat3 random_matrix(std::mt19937& random)
{
    std::normal_distribution<double> normal;
    Mat3 a;
    for (auto& row : a.m)
        for (double& entry : row) entry = normal(random);
    return a;
}

Mat3 random_rotation(std::mt19937& random)
{
    return svd3(random_matrix(random)).U;
}

void expect_rotation(const Mat3& R)
{
    EXPECT_LT(distance(R * transpose(R), identity3<double>()), 1e-14);
    EXPECT_NEAR(determinant(R), 1, 1e-14);
}

void expect_decomposed(const Mat3& F)
{
    const auto [U, sigma, V] = svd3(F);
    expect_rotation(U);
    expect_rotation(V);
    EXPECT_LE(distance(U * diagonal(sigma.x, sigma.y, sigma.z) * transpose(V), F), 1e-14 * largest_entry(F));
    EXPECT_GE(sigma.x, sigma.y * (1 - 1e-14));
    EXPECT_GE(sigma.y, std::abs(sigma.z) - 1e-15 * sigma.x);
    EXPECT_GE(sigma.y, 0);
}

TEST(Svd3, DecomposesRandomMatricesIntoRotations)
{
    std::mt19937 random(1);
    for (int i = 0; i < 2000; ++i) {
        const Mat3 F = random_matrix(random);
        expect_decomposed(F);
        EXPECT_EQ(svd3(F).sigma.z < 0, determinant(F) < 0);
    }
}

TEST(Svd3, FindsTheStretchesItWasMadeFrom)
{
    std::mt19937 random(2);
    for (const Vec3 stretch :
         {Vec3{3, 2, 1}, Vec3{3, 2, -1}, Vec3{2, 2, 2}, Vec3{2, 2, -2}, Vec3{5, 1, 1}, Vec3{1, 1, 0}, Vec3{1, 0, 0},
          Vec3{1, 1e-3, 1e-9}, Vec3{1e3, 1, -1e-3}, Vec3{1, 1 - 1e-9, 1 - 2e-9}})
        for (int i = 0; i < 50; ++i) {
            const Mat3 U = random_rotation(random), V = random_rotation(random);
            const Mat3 F = U * diagonal(stretch.x, stretch.y, stretch.z) * transpose(V);
            expect_decomposed(F);
            EXPECT_LT(norm(svd3(F).sigma - stretch), 4e-15 * stretch.x);
        }
}

TEST(Svd3, TakesDegenerateReflectedAndZeroMatrices)
{
    for (const Mat3& F :
         {Mat3{}, identity3<double>(), diagonal(-1, 1, 1), diagonal(-1, -1, -1), diagonal(0, 0, 3), diagonal(0, -2, 0),
          diagonal(1e-200, 0, 0), diagonal(1e200, 1, -1e180), Mat3{{{1, 1, 1}, {1, 1, 1}, {1, 1, 1}}},
          Mat3{{{0, 1, 0}, {0, 0, 1}, {0, 0, 0}}}, Mat3{{{0, 1e-8, 0}, {1, 0, 0}, {0, 0, 1e-16}}}})
        expect_decomposed(F);
    const auto zero = svd3(Mat3{});
    EXPECT_EQ(zero.sigma, Vec3{});
}

TEST(Svd3, KeepsTheDigitsOfSmallStretchesOfScaledColumns)
{
    // Columns of very different length: squaring would lose the smallest altogether.
    const auto sigma = svd3(diagonal(1e-12, 1, 1e-6)).sigma;
    EXPECT_NEAR(sigma.z, 1e-12, 1e-26);
    EXPECT_NEAR(sigma.y, 1e-6, 1e-20);
}

TEST(Svd3, PacksEqualScalars)
{
    std::mt19937 random(3);
    const std::vector<Mat3> lanes{random_matrix(random), Mat3{}, diagonal(-1, 1, 1), random_matrix(random)};
    Mat3T<Pack4> F;
    for (int lane = 0; lane < 4; ++lane)
        for (int k = 0; k < 9; ++k) F.m[k / 3][k % 3].set(lane, lanes[lane].m[k / 3][k % 3]);
    const auto packed = svd3(F);
    for (int lane = 0; lane < 4; ++lane) {
        const auto single = svd3(lanes[lane]);
        for (int k = 0; k < 3; ++k) EXPECT_NEAR(packed.sigma[k][lane], single.sigma[k], 1e-14);
        for (int k = 0; k < 9; ++k) EXPECT_NEAR(packed.U.m[k / 3][k % 3][lane], single.U.m[k / 3][k % 3], 1e-13);
    }
}

TEST(SymmetricEigen3, RebuildsTheMatrixFromItsVectors)
{
    std::mt19937 random(4);
    for (int i = 0; i < 500; ++i) {
        const Mat3 half = random_matrix(random);
        const Mat3 a = i == 0 ? Mat3{} : i == 1 ? identity3<double>() : half + transpose(half);
        const auto [value, vectors] = symmetric_eigen3(a);
        expect_rotation(vectors);
        EXPECT_LT(distance(vectors * diagonal(value.x, value.y, value.z) * transpose(vectors), a), 1e-14 * 10);
    }
}

TEST(PositivePart, DropsNegativeEigenvaluesAndNothingElse)
{
    std::mt19937 random(5);
    for (const Vec3 value : {Vec3{3, 2, 1}, Vec3{3, 2, -1}, Vec3{1, -1, -4}, Vec3{-1, -2, -3}, Vec3{2, 0, -2}}) {
        const Mat3 R = random_rotation(random);
        const Mat3 a = R * diagonal(value.x, value.y, value.z) * transpose(R);
        const Mat3 expected =
            R * diagonal(std::max(0.0, value.x), std::max(0.0, value.y), std::max(0.0, value.z)) * transpose(R);
        EXPECT_LT(distance(positive_part(a), expected), 1e-14 * 4);
    }
}

TEST(PositivePart, LeavesDefiniteLanesUntouchedBesideIndefiniteOnes)
{
    Mat3T<Pack4> a;
    for (int k = 0; k < 3; ++k) a.m[k][k] = Pack4(1.0 / (3 + k));
    a.m[0][1] = a.m[1][0] = Pack4(0.1);
    a.m[2][2].set(2, -1.0);
    const auto kept = positive_part(a);
    for (const int lane : {0, 1, 3})
        for (int k = 0; k < 9; ++k) EXPECT_EQ(kept.m[k / 3][k % 3][lane], a.m[k / 3][k % 3][lane]);
    EXPECT_NEAR(kept.m[2][2][2], 0, 1e-15);
}

}  // namespace
}  // namespace pliant
