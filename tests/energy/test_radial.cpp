// SPDX-License-Identifier: MIT

// Radial springs: forces against finite differences of the energy, reactions, damping, plastic flow.

#include <pliant/energy/radial.h>

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

namespace pliant {
namespace {

constexpr std::size_t kVertices = 11;  // not a multiple of the pack's width

struct Ball {
    RadialSprings springs;
    std::vector<Vec3> x, v;
    std::vector<double> extension;

    explicit Ball(CenterKind kind)
    {
        std::mt19937 random(5);
        std::normal_distribution<double> normal;
        springs.first = 2;
        springs.kind = kind;
        springs.fixed_at = {0.1, -0.2, 0.3};
        springs.center_point = static_cast<std::int32_t>(2 + kVertices);
        double whole = 0;
        for (std::size_t i = 0; i < kVertices; ++i) {
            springs.rest.push_back(1 + 0.1 * normal(random));
            springs.share.push_back(1 + 0.1 * static_cast<double>(i));
            whole += springs.share.back();
            extension.push_back(0.05 * normal(random));
        }
        for (double& share : springs.share) share /= whole;
        for (std::size_t i = 0; i < 3 + kVertices; ++i) {
            x.push_back(Vec3{normal(random), normal(random), normal(random)});
            v.push_back(Vec3{normal(random), normal(random), normal(random)});
        }
    }

    std::vector<Vec3> force(const Radial& live, double& power) const
    {
        std::vector<Vec3> f(x.size());
        power = subtract_gradient(f, springs, live, x, v, extension);
        return f;
    }
};

TEST(RadialSprings, ForcesAreTheGradientOfTheEnergy)
{
    for (const CenterKind kind : {CenterKind::fixed, CenterKind::centroid, CenterKind::free}) {
        Ball ball(kind);
        const Radial live{.k_r = 7};
        double power = 0;
        const std::vector<Vec3> f = ball.force(live, power);
        EXPECT_EQ(power, 0);
        for (std::size_t i = 0; i < ball.x.size(); ++i)
            for (int k = 0; k < 3; ++k) {
                constexpr double h = 1e-6;
                const double at = ball.x[i][k];
                ball.x[i][k] = at + h;
                const double ahead = energy(ball.springs, live, ball.x, ball.extension);
                ball.x[i][k] = at - h;
                const double behind = energy(ball.springs, live, ball.x, ball.extension);
                ball.x[i][k] = at;
                EXPECT_NEAR(f[i][k], -(ahead - behind) / (2 * h), 1e-7) << name_of(kind) << " " << i;
            }
    }
}

TEST(RadialSprings, KeepMomentumUnlessTheCentreIsFixedOrTheThesis)
{
    for (const CenterKind kind :
         {CenterKind::centroid, CenterKind::free, CenterKind::fixed, CenterKind::thesis_centroid}) {
        const Ball ball(kind);
        double power = 0;
        Vec3 sum;
        for (const Vec3& f : ball.force({.k_r = 7, .k_d = 2}, power)) sum += f;
        EXPECT_GT(power, 0) << name_of(kind);
        const bool keeps = kind == CenterKind::centroid || kind == CenterKind::free;
        EXPECT_EQ(norm(sum) < 1e-12, keeps) << name_of(kind) << " " << norm(sum);
    }
}

TEST(RadialSprings, DampingTakesThePowerThatItsForcesTake)
{
    for (const CenterKind kind : {CenterKind::fixed, CenterKind::centroid, CenterKind::free}) {
        const Ball ball(kind);
        double power = 0, none = 0, taken = 0;
        const std::vector<Vec3> damped = ball.force({.k_r = 7, .k_d = 2}, power),
                                elastic = ball.force({.k_r = 7}, none);
        for (std::size_t i = 0; i < ball.x.size(); ++i) taken -= dot(damped[i] - elastic[i], ball.v[i]);
        EXPECT_NEAR(taken, power, 1e-10 * power) << name_of(kind);
    }
}

TEST(RadialSprings, FlowLosesTheEnergyItReturnsAndEndsWithinTheYieldStrain)
{
    Ball ball(CenterKind::fixed);
    const Radial live{.k_r = 7, .plastic = {.yield_strain = 0.1}};
    const double before = energy(ball.springs, live, ball.x, ball.extension);
    const double lost = flow(ball.extension, ball.springs, live, ball.x, 0.1);
    EXPECT_GT(lost, 0);
    EXPECT_NEAR(before - energy(ball.springs, live, ball.x, ball.extension), lost, 1e-12);
    for (std::size_t i = 0; i < kVertices; ++i) {
        const double length = norm(ball.x[2 + i] - ball.springs.fixed_at);
        EXPECT_LE(std::abs(length - ball.springs.rest[i] - ball.extension[i]), 0.1 * ball.springs.rest[i] + 1e-12);
    }
}

}  // namespace
}  // namespace pliant
