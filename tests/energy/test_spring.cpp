// SPDX-License-Identifier: MIT
#include <pliant/energy/spring.h>

#include <gtest/gtest.h>

#include "energy/derivatives.h"

namespace pliant {
namespace {

using test::check_derivatives;
using test::check_rest;
using test::Projection;

constexpr Spring kRaw{.k_s = 120, .k_d = 3};
constexpr Spring kMaterial{.k_s = 5, .k_d = 0.1, .young = 2e5, .damping_time = 0.01};
constexpr Spring::Rest<double> kRest{.length = 0.8, .section_over_length = 1e-3};

std::array<Vec3, 2> ends(double length, const Vec3& direction, const Vec3& from = {0.3, -0.2, 0.5})
{
    return {from, from + normalized(direction) * length};
}

TEST(Spring, HasTheEnergyAndForceOfHooke)
{
    // k = 120 N/m stretched from 0.8 m to 1.3 m: 1/2 * 120 * 0.25 J, pulling with 60 N.
    const std::array<Vec3, 2> x{Vec3{0, 0, 0}, Vec3{0, 1.3, 0}};
    const Element<Spring, double> element(kRaw, kRest, x);
    EXPECT_NEAR(element.energy(), 15, 1e-13);
    EXPECT_NEAR(-element.gradient(0).y, 60, 1e-12);
    EXPECT_NEAR(-element.gradient(1).y, -60, 1e-12);
}

TEST(Spring, StandsForAStripOfMaterial)
{
    // E A / L = 2e5 * 1e-3 = 200 N/m beside the raw 5 N/m; damping 0.1 + 0.01 * 200.
    EXPECT_NEAR(kMaterial.stiffness(kRest), 205, 1e-12);
    Element<Spring, double> element(kMaterial, kRest, {Vec3{0, 0, 0}, Vec3{0.8, 0, 0}});
    EXPECT_NEAR(element.damp({Vec3{}, Vec3{2, 5, 0}}), 2.1 * 4, 1e-12);
    EXPECT_NEAR(element.gradient(1).x, 2.1 * 2, 1e-12);
    EXPECT_EQ(element.gradient(1).y, 0);
}

TEST(Spring, IsRelaxedAtItsRestLength)
{
    for (const Spring& spring : {kRaw, kMaterial})
        for (const Vec3& direction : {Vec3{1, 0, 0}, Vec3{0, -1, 0}, Vec3{1, 2, -3}}) {
            const std::array<Vec3, 2> x{Vec3{}, normalized(direction) * kRest.length};
            check_rest(spring, kRest, x);
        }
}

TEST(Spring, DerivativesHoldFromTinyToHugeLengths)
{
    for (const Spring& spring : {kRaw, kMaterial})
        for (const double length : {0.8 * 1e-3, 0.08, 0.4, 0.79, 0.8, 0.81, 1.2, 8.0, 800.0})
            for (const Vec3& direction : {Vec3{1, 0, 0}, Vec3{0, -1, 0}, Vec3{1, 2, -3}}) {
                SCOPED_TRACE(testing::Message() << "length " << length);
                // Close to the start, so that the smallest springs do not drown in rounding.
                const auto x = ends(length, direction, Vec3{0.3, -0.2, 0.5} * length);
                check_derivatives(spring, kRest, x,
                                  length > kRest.length ? Projection::inactive : Projection::may_be_active);
                test::check_rigid_motion_is_undamped(spring, kRest, x);
            }
}

TEST(Spring, ACompressedOneDropsOnlyItsNegativeCurvature)
{
    const std::array<Vec3, 2> x{Vec3{0, 0, 0}, Vec3{0.4, 0, 0}};
    const Element<Spring, double> element(kRaw, kRest, x);
    const Mat3 block = element.block(0, 1);
    EXPECT_NEAR(block(0, 0), -120, 1e-12);
    EXPECT_EQ(block(1, 1), 0);
    EXPECT_EQ(block(2, 2), 0);
}

TEST(Spring, OfNoLengthPushesNowhereAndStaysFinite)
{
    for (const double rest_length : {0.8, 0.0})
        for (const double length : {0.0, 1e-150, 1e-30, 1e150}) {
            const Spring::Rest<double> rest{.length = rest_length, .section_over_length = 0};
            Element<Spring, double> element(kRaw, rest, {Vec3{}, Vec3{0, length, 0}});
            element.damp({Vec3{1, 2, 3}, Vec3{}});
            EXPECT_TRUE(std::isfinite(element.energy())) << length;
            EXPECT_TRUE(is_finite(element.gradient(0))) << length;
            for (int k = 0; k < 9; ++k) {
                EXPECT_TRUE(std::isfinite(element.block(0, 1).m[k / 3][k % 3])) << length;
                EXPECT_TRUE(std::isfinite(element.damping_block(1, 1).m[k / 3][k % 3])) << length;
            }
            if (length == 0) {
                EXPECT_EQ(element.gradient(0), (Vec3{0, 0, 0}));
            }
        }
}

}  // namespace
}  // namespace pliant
