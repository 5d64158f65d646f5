// SPDX-License-Identifier: MIT
#include <pliant/energy/spring_limit.h>

#include <gtest/gtest.h>

#include "energy/derivatives.h"

namespace pliant {
namespace {

using test::check_derivatives;
using test::Projection;

// Free from 0.4 m to 1.2 m.
constexpr SpringLimit kLimit{.k_limit = 150, .low = 0.5, .high = 1.5, .k_d = 2};
constexpr SpringLimit::Rest<double> kRest{.length = 0.8};

std::array<Vec3, 2> ends(double length, const Vec3& direction = {1, 2, -3})
{
    const Vec3 from{0.3, -0.2, 0.5};
    return {from, from + normalized(direction) * length};
}

// The force that pulls the ends together [N].
double pull(double length)
{
    const std::array<Vec3, 2> x{Vec3{}, Vec3{length, 0, 0}};
    return Element<SpringLimit, double>(kLimit, kRest, x).gradient(1).x;
}

TEST(SpringLimit, PullsAboveTheBandAndPushesBelowIt)
{
    // 0.3 m above the band: 1/2 * 150 * 0.09 J, 45 N together. 0.3 m below: the same apart.
    const Element<SpringLimit, double> longer(kLimit, kRest, {Vec3{}, Vec3{0, 1.5, 0}});
    EXPECT_NEAR(longer.energy(), 6.75, 1e-13);
    EXPECT_NEAR(-longer.gradient(0).y, 45, 1e-12);
    EXPECT_NEAR(-longer.gradient(1).y, -45, 1e-12);
    const Element<SpringLimit, double> shorter(kLimit, kRest, {Vec3{}, Vec3{0, 0.1, 0}});
    EXPECT_NEAR(shorter.energy(), 6.75, 1e-13);
    EXPECT_NEAR(-shorter.gradient(0).y, -45, 1e-12);
    EXPECT_NEAR(-shorter.gradient(1).y, 45, 1e-12);
}

TEST(SpringLimit, DoesNothingInsideTheBand)
{
    for (const double length : {0.41, 0.6, 0.8, 1.0, 1.19}) {
        Element<SpringLimit, double> element(kLimit, kRest, ends(length));
        EXPECT_EQ(element.energy(), 0) << length;
        EXPECT_EQ(element.damp({Vec3{1, 2, 3}, Vec3{-4, 0, 1}}), 0) << length;
        for (int i = 0; i < 2; ++i) {
            EXPECT_EQ(norm(element.gradient(i)), 0) << length;
            for (int k = 0; k < 9; ++k) {
                EXPECT_EQ(element.block(i, 0).m[k / 3][k % 3], 0) << length;
                EXPECT_EQ(element.damping_block(i, 0).m[k / 3][k % 3], 0) << length;
            }
        }
    }
}

TEST(SpringLimit, DerivativesHoldOutsideTheBandAndJustOutside)
{
    for (const double length : {0.004, 0.1, 0.3, 0.399, 1.201, 1.3, 4.0, 400.0})
        for (const Vec3& direction : {Vec3{1, 0, 0}, Vec3{0, -1, 0}, Vec3{1, 2, -3}}) {
            SCOPED_TRACE(testing::Message() << "length " << length);
            const std::array<Vec3, 2> x{Vec3{}, normalized(direction) * length};
            check_derivatives(kLimit, kRest, x, length > 1.2 ? Projection::inactive : Projection::may_be_active);
            test::check_rigid_motion_is_undamped(kLimit, kRest, x);
        }
}

TEST(SpringLimit, AShortOneDropsOnlyItsNegativeCurvature)
{
    const Element<SpringLimit, double> element(kLimit, kRest, {Vec3{}, Vec3{0.1, 0, 0}});
    const Mat3 block = element.block(0, 1);
    EXPECT_NEAR(block(0, 0), -150, 1e-12);
    EXPECT_EQ(block(1, 1), 0);
    EXPECT_EQ(block(2, 2), 0);
}

TEST(SpringLimit, ForceIsContinuousInTheLength)
{
    // Nowhere steeper than k_limit: a jump of the force at either end of the band would be.
    const double step = 1e-4;
    for (double length = 0.01; length < 2; length += step)
        ASSERT_LE(std::abs(pull(length + step) - pull(length)), 150 * step * (1 + 1e-9)) << length;
    for (const double beyond : {1e-3, 1e-6, 1e-9, 1e-12}) {
        EXPECT_NEAR(pull(1.2 + beyond), 150 * beyond, 1e-12);
        EXPECT_NEAR(pull(0.4 - beyond), -150 * beyond, 1e-12);
    }
}

TEST(SpringLimit, DampsOutsideTheBandOnly)
{
    const std::array<Vec3, 2> v{Vec3{}, Vec3{3, 5, 0}};
    for (const double length : {0.1, 1.5}) {
        Element<SpringLimit, double> outside(kLimit, kRest, {Vec3{}, Vec3{length, 0, 0}});
        const double elastic = outside.gradient(1).x;
        EXPECT_NEAR(outside.damp(v), 2 * 9, 1e-12);
        EXPECT_NEAR(outside.gradient(1).x - elastic, 2 * 3, 1e-12);
        EXPECT_EQ(outside.gradient(1).y, 0);
    }
}

TEST(SpringLimit, WithABandOfNoWidthIsASpring)
{
    const SpringLimit tight{.k_limit = 150, .low = 1, .high = 1};
    for (const double length : {0.5, 0.79, 0.81, 2.0}) {
        const Element<SpringLimit, double> element(tight, kRest, {Vec3{}, Vec3{length, 0, 0}});
        EXPECT_NEAR(element.gradient(1).x, 150 * (length - 0.8), 1e-12);
    }
}

TEST(SpringLimit, ByDefaultNeverActs)
{
    SpringLimit unlimited;
    unlimited.k_limit = 150;
    for (const double length : {0.0, 1e-9, 0.8, 1e5}) {
        const Element<SpringLimit, double> element(unlimited, kRest, ends(length));
        EXPECT_EQ(element.energy(), 0) << length;
    }
}

TEST(SpringLimit, OfNoLengthPushesNowhereAndStaysFinite)
{
    for (const double rest_length : {0.8, 0.0})
        for (const double length : {0.0, 1e-150, 1e-30, 1e150}) {
            const SpringLimit::Rest<double> rest{.length = rest_length};
            Element<SpringLimit, double> element(kLimit, rest, {Vec3{}, Vec3{0, length, 0}});
            element.damp({Vec3{1, 2, 3}, Vec3{}});
            EXPECT_TRUE(std::isfinite(element.energy())) << length;
            EXPECT_TRUE(is_finite(element.gradient(0))) << length;
            for (int k = 0; k < 9; ++k) EXPECT_TRUE(std::isfinite(element.block(0, 1).m[k / 3][k % 3])) << length;
            if (length == 0) {
                EXPECT_EQ(element.gradient(0), (Vec3{0, 0, 0}));
            }
        }
}

// Two masses fly to and fro between both ends of the band.
struct Flight {
    double largest_error = 0;  ///< of the energy, over the energy
    int bounces = 0;           ///< visits outside the band
};

Flight fly(double step, double duration)
{
    constexpr double kMass = 0.2;
    const SpringLimit stop{.k_limit = 150, .low = 0.5, .high = 1.5};
    std::array<Vec3, 2> x{Vec3{0, 0, 0}, Vec3{0.8, 0, 0}}, v{Vec3{-1, 0.1, 0}, Vec3{1, -0.1, 0}};
    const auto total = [&] {
        const double kinetic = 0.5 * kMass * (norm2(v[0]) + norm2(v[1]));
        return kinetic + Element<SpringLimit, double>(stop, kRest, x).energy();
    };
    const auto kick = [&] {
        const Element<SpringLimit, double> element(stop, kRest, x);
        for (int i = 0; i < 2; ++i) v[i] -= element.gradient(i) * (0.5 * step / kMass);
        return element.energy() > 0;
    };
    Flight flight;
    const double start = total();
    bool was_outside = false;
    for (double time = 0; time < duration; time += step) {
        kick();
        for (int i = 0; i < 2; ++i) x[i] += v[i] * step;
        const bool outside = kick();
        if (outside && !was_outside) ++flight.bounces;
        was_outside = outside;
        flight.largest_error = std::max(flight.largest_error, std::abs(total() / start - 1));
    }
    return flight;
}

TEST(SpringLimit, KeepsTheEnergyOfABounce)
{
    const Flight coarse = fly(1e-3, 40), fine = fly(2.5e-4, 40);
    EXPECT_GT(coarse.bounces, 50);
    EXPECT_LT(coarse.largest_error, 2e-3);
    // Second order within a bounce; the two corners of the force curve make the sum over bounces uneven.
    EXPECT_LT(fine.largest_error, coarse.largest_error / 4);
}

}  // namespace
}  // namespace pliant
