// SPDX-License-Identifier: MIT

// What single laws of solids promise: reference values, inversion, fibres, viscosity, moduli in words.

#include <gtest/gtest.h>

#include <cmath>

#include <pliant/energy/elastic_moduli.h>
#include <pliant/energy/inversion.h>
#include <pliant/energy/solid_plasticity.h>

#include "energy/solid_shapes.h"

namespace pliant {
namespace {

using test::stretch;

constexpr Moduli<double> kUnit{1, 1};

Mat3 simple_shear(double s)
{
    Mat3 F = identity3<double>();
    F(0, 1) = s;
    return F;
}

struct Reference {
    double s, volume, stretched, sheared;
};

// Seed 002, section 3.4: alpha = beta = 1.
constexpr Reference kDissertation[] = {{0.1, 312.4375, 1649.998, 0.0050167},    {0.5, 0.4394531, 1.96875, 0.1354167},
                                       {0.8, 0.0265939, 0.1080844, 0.3882667},  {1, 0, 0, 0.6666667},
                                       {1.25, 0.0265939, 0.1080844, 1.1881510}, {1.5, 0.1018760, 0.4275977, 1.96875},
                                       {2, 0.4394531, 1.96875, 4.6666667}};

TEST(ThesisSolid, HasTheEnergiesOfTheDissertation)
{
    const ThesisSolid law;
    for (const auto& [s, volume, stretched, sheared] : kDissertation) {
        SCOPED_TRACE(s);
        const double swollen = law.density(kUnit, identity3<double>() * std::cbrt(s));
        const double drawn = law.density(kUnit, stretch(s, 1, 1 / s)), slid = law.density(kUnit, simple_shear(s));
        // The table has seven digits, the formulas beside it have all.
        EXPECT_NEAR(swollen, volume, 6e-8 + 3e-7 * volume);
        EXPECT_NEAR(drawn, stretched, 6e-8 + 3e-7 * stretched);
        EXPECT_NEAR(slid, sheared, 6e-8);
        const double s4 = s * s * s * s, gamma = s * s + 1 + 1 / (s * s);
        EXPECT_NEAR(swollen, (s4 + 1 / s4 - 2) / 32, 1e-13 * (1 + swollen));
        EXPECT_NEAR(drawn, (gamma * gamma - 3 * gamma) / 6, 1e-13 * (1 + drawn));
        EXPECT_NEAR(slid, (3 * s * s + s4) / 6, 1e-14 * (1 + slid));
    }
}

TEST(ThesisSolid, TakesALengthAndItsInverseAlike)
{
    const ThesisSolid law;
    for (const double s : {1.1, 1.7, 4.0}) {
        const double grown = law.density(kUnit, identity3<double>() * std::cbrt(s));
        EXPECT_NEAR(grown, law.density(kUnit, identity3<double>() * std::cbrt(1 / s)), 1e-12 * grown);
    }
}

TEST(ThesisSolid, ShearFadesUnderCompressionAndNotInTheIsochoricVariant)
{
    const Mat3 sheared = simple_shear(0.6), small = simple_shear(0.6) * 0.5;
    const auto shape = [](const auto& law, const Mat3& F) { return law.density({1e-30, 1}, F); };
    EXPECT_NEAR(shape(ThesisSolid(), small), shape(ThesisSolid(), sheared) / 16, 1e-12);
    EXPECT_NEAR(shape(IsochoricThesis(), small), shape(IsochoricThesis(), sheared), 1e-12);
    EXPECT_NEAR(shape(IsochoricThesis(), sheared), shape(ThesisSolid(), sheared), 1e-12);
}

template <class Law>
void expect_forbidden_when_inverted(const Law& law)
{
    for (const Mat3& F : {stretch(-1, 1, 1), stretch(-0.01, 1, 1), stretch(0, 1, 1), Mat3{}}) {
        EXPECT_GE(law.density(kUnit, F), kForbiddenDensity);
        EXPECT_TRUE(std::isfinite(inner(law.stress(kUnit, F), identity3<double>())));
        const auto tangent = law.positive_tangent(kUnit, F);
        const auto node = tangent.node(Vec3{1, 0, 0});
        EXPECT_TRUE(std::isfinite(tangent.block(node, node)(0, 0)));
    }
    double before = 0;
    for (const double s : {0.5, 0.1, 1e-2, 1e-4}) {
        const double now = law.density(kUnit, stretch(s, 1, 1));
        EXPECT_GT(now, before);
        before = now;
    }
}

TEST(SolidLaws, BarriersRiseTowardsZeroVolumeAndForbidWhatIsBeyond)
{
    expect_forbidden_when_inverted(NeoHookean());
    expect_forbidden_when_inverted(ThesisSolid());
    expect_forbidden_when_inverted(IsochoricThesis());
    expect_forbidden_when_inverted(MooneyRivlin());
}

TEST(StableNeoHookean, PushesFlatAndInvertedElementsBack)
{
    const StableNeoHookean law;
    for (const double s : {0.0, -0.5, -1.0}) {
        // Stress along the inverted axis: moving it towards rest lowers the energy.
        EXPECT_LT(law.stress(kUnit, stretch(s, 1, 1))(0, 0), 0);
        EXPECT_LT(law.stress(Moduli<double>{50, 1}, stretch(s, 1, 1))(0, 0), 0);
    }
}

TEST(MooneyRivlin, StretchedBandFollowsTheTextbook)
{
    // Incompressible uniaxial stretch s: nominal stress 2 (c1 + c2/s)(s - 1/s^2); here K = 1e8 mu, sides free by
    // bisection.
    const MooneyRivlin law{.second_share = 0.3};
    const Moduli<double> m{1e8, 1};
    for (const double s : {0.7, 1.5, 3.0}) {
        double low = 0.5 / std::sqrt(s), high = 2 / std::sqrt(s);
        for (int i = 0; i < 200; ++i) {
            const double side = (low + high) / 2;
            (law.stress(m, stretch(s, side, side))(1, 1) < 0 ? low : high) = side;
        }
        const double expected = (0.7 + 0.3 / s) * (s - 1 / (s * s));
        EXPECT_NEAR(law.stress(m, stretch(s, low, low))(0, 0), expected, 1e-5 * std::abs(expected));
    }
}

using Muscle = FibreReinforced<StableNeoHookean>;

TEST(FibreReinforced, AddsItsStiffnessAlongTheFibreOnly)
{
    const Muscle law{.fibre_stiffness = 7};
    const StableNeoHookean ground;
    const Muscle::Local<double> local{kUnit, {1, 0, 0}};
    const double strain = 1e-7;
    const auto added = [&](const Mat3& F) { return (law.stress(local, F) + ground.stress(kUnit, F) * -1.0)(0, 0); };
    EXPECT_NEAR(added(stretch(1 + strain, 1, 1)), 7 * strain, 1e-5 * strain);
    EXPECT_NEAR(added(stretch(1, 1 + strain, 1)), 0, 1e-12);
    EXPECT_EQ(added(stretch(1 - strain, 1, 1)), 0);
    const Muscle rod{.fibre_stiffness = 7, .pull_only = false};
    EXPECT_NEAR(
        (rod.stress(local, stretch(1 - strain, 1, 1)) + ground.stress(kUnit, stretch(1 - strain, 1, 1)) * -1.0)(0, 0),
        -7 * strain, 1e-5 * strain);
}

TEST(FibreReinforced, ShortenedRodsKeepAPositiveHessian)
{
    const Solid<Muscle> solid{.young = 10, .law = {.fibre_stiffness = 100, .pull_only = false}};
    for (const Mat3& F : {stretch(0.9, 0.9, 0.9), stretch(0.3, 0.4, 0.3), stretch(1.4, 1.2, 1.1)}) {
        const auto x = test::bent<Solid<Muscle>>(F);
        const auto rest = test::solid_rest<Solid<Muscle>>();
        test::expect_exact_hessian(solid, rest, x);
        const test::DerivativeCheck<Solid<Muscle>> check(solid, rest, x);
        check.gradient_is_that_of_jets();
        check.is_symmetric_and_positive(check.hessian(x));
    }
}

TEST(Viscosity, IsTheDissipationFunctionOfTheDissertation)
{
    // Omega = eta1/2 (tr T')^2 + eta2 |dev T'|^2 with T = F^T F; power per rest volume.
    const Mat3 F{{{1.2, 0.3, 0}, {-0.1, 0.9, 0.2}, {0, 0.1, 1.1}}},
        rate{{{0.5, -1, 0.2}, {0.3, 0.8, 1.5}, {-0.7, 0.1, 0.4}}};
    const Mat3 half = transpose(F) * rate, metric_rate = half + transpose(half);
    const double t = trace(metric_rate), eta1 = 30, eta2 = 20;
    const Mat3 dev = metric_rate + identity3<double>() * (-t / 3);
    const double omega = 0.1 * (eta1 / 2 * t * t + eta2 * inner(dev, dev));  // poise are 0.1 Pa s
    const Viscosity<double> viscosity{viscosity_of_thesis(eta1), viscosity_of_thesis(eta2)};
    EXPECT_NEAR(inner(viscosity.stress(F, rate), rate), omega, 1e-13 * omega);
}

TEST(Viscosity, OfSmallRatesIsThatOfAFluidWithTheseCoefficients)
{
    const Viscosity<double> viscosity{3, 5};
    const Mat3 shearing{{{0, 0.2, 0}, {0, 0, 0}, {0, 0, 0}}}, swelling = identity3<double>() * 0.1;
    EXPECT_NEAR(viscosity.stress(identity3<double>(), shearing)(0, 1), 5 * 0.2, 1e-15);
    EXPECT_NEAR(viscosity.stress(identity3<double>(), swelling)(2, 2), 3 * 0.3, 1e-15);
}

TEST(ElasticModuli, ConvertBothWaysAndMatchTheDissertationsBodies)
{
    const auto [young, poisson] = young_poisson(22000, 16000);  // the torus, in Pa
    EXPECT_NEAR(young, 38.6e3, 50);
    EXPECT_NEAR(poisson, 0.207, 5e-4);
    EXPECT_NEAR(bulk_modulus(young, poisson), 22000, 1e-9);
    EXPECT_NEAR(shear_modulus(young, poisson), 16000, 1e-9);
    EXPECT_NEAR((Moduli<double>{22000, 16000}.lame()), young * poisson / ((1 + poisson) * (1 - 2 * poisson)), 1e-9);
}

TEST(ElasticModuli, ImpossibleOnesAreRefusedInWords)
{
    EXPECT_TRUE(check_young_poisson(1e6, 0.3, "/bodies/beam/material").empty());
    EXPECT_TRUE(check_young_poisson(1e6, -0.5, "").empty());
    EXPECT_TRUE(check_bulk_shear(1e6, 1e5, "").empty());
    const auto problems = check_young_poisson(-1, 0.5, "/bodies/beam/material");
    ASSERT_EQ(problems.size(), 2u);
    EXPECT_EQ(problems[0].where, "/bodies/beam/material/young");
    EXPECT_NE(problems[0].message.find("-1 Pa"), std::string::npos);
    EXPECT_NE(problems[1].message.find("between -1 and 0.5"), std::string::npos);
    EXPECT_NE(problems[1].cure.find("incompressible"), std::string::npos);
    EXPECT_EQ(check_young_poisson(1, std::nan(""), "").size(), 1u);
    EXPECT_EQ(check_bulk_shear(0, std::nan(""), "").size(), 2u);
}

TEST(TetRest, TakesARestMatrixOfItsOwn)
{
    // An element at its own rest matrix, anywhere and turned, is relaxed; the mesh positions do not matter.
    const Mat3 A{{{0.5, 0.1, 0}, {0, 0.6, 0.1}, {0, 0, 0.4}}};
    const TetRest<double> rest = tet_rest(A);
    EXPECT_NEAR(rest.volume, determinant(A) / 6, 1e-16);
    std::mt19937 random(2);
    const Mat3 B = test::random_rotation(random) * A;
    const Vec3 at{3, -1, 2};
    const Solid<StableNeoHookean> solid;
    const Element<Solid<StableNeoHookean>, double> element(
        solid, rest, {at, at + column(B, 0), at + column(B, 1), at + column(B, 2)});
    for (int i = 0; i < 4; ++i) EXPECT_LT(norm(element.gradient(i)), 1e-8);
}

TEST(QuadraticTet, ShapeGradientsSumToZeroAndReproduceQuadraticFields)
{
    const TetRest<double> rest = tet_rest(test::kTetCorners);
    const auto X = test::bent<Solid<StableNeoHookean, QuadraticTet>>(identity3<double>(), 0);
    const Mat3 A{{{0.3, 0.2, 0}, {0.2, -0.5, 0.1}, {0, 0.1, 0.7}}};  // u = x . A x, gradient 2 A x
    for (int q = 0; q < 4; ++q) {
        Vec3 sum, slope, point;
        for (int c = 0; c < 4; ++c) point += X[c] * QuadraticTet::weight(q, c);
        for (int i = 0; i < 10; ++i) {
            const Vec3 g = QuadraticTet::gradient(rest.b, q, i);
            sum += g, slope += g * dot(X[i], A * X[i]);
        }
        EXPECT_LT(norm(sum), 1e-14);
        EXPECT_LT(norm(slope - A * point * 2.0), 1e-14);
    }
}

class Inversion : public ::testing::Test {
protected:
    using Body = Solid<NeoHookean>;
    Body solid;
    std::vector<Vec3> x{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 1}};
    std::vector<std::array<std::int32_t, 4>> tets{{0, 1, 2, 3}, {1, 4, 2, 3}};
    Elements<Body> elements;

    void SetUp() override
    {
        std::vector<TetRest<double>> rest;
        for (const auto& t : tets) rest.push_back(tet_rest(std::array{x[t[0]], x[t[1]], x[t[2]], x[t[3]]}));
        elements = make_elements<Body>(tets, rest, 5);
    }
};

TEST_F(Inversion, SmallestVolumeRatioIsThatOfTheWorstElement)
{
    EXPECT_NEAR(smallest_volume_ratio(elements, solid, x), 1, 1e-14);
    x[0] = {0.2, 0.2, 0.2};  // height over the shared face: 1/sqrt 3 -> 0.4/sqrt 3
    EXPECT_NEAR(smallest_volume_ratio(elements, solid, x), 0.4, 1e-14);
    x[0] = {0.5, 0.5, 0.5};
    EXPECT_LT(smallest_volume_ratio(elements, solid, x), 0);
}

TEST_F(Inversion, StepIsCutWhereATenthOfTheVolumeIsLeft)
{
    std::vector<Vec3> dx(5);
    dx[0] = {1, 1, 1};  // its element is flat at a third of the way
    EXPECT_NEAR(fraction_before_inversion(elements, solid, x, dx), 0.9 / 3, 1e-8);
    dx[0] = {-1, -1, -1};
    EXPECT_EQ(fraction_before_inversion(elements, solid, x, dx), 1);
    // Through flat and out again within the step: a half turn of corner 4 by a straight line.
    dx[0] = {}, dx[4] = {-3, -3, -3};
    const double fraction = fraction_before_inversion(elements, solid, x, dx);
    EXPECT_NEAR(fraction, 0.9 * 2.0 / 9.0, 1e-8);
}

TEST_F(Inversion, AllCornersMovingAtOnceMakeACubicWithItsFirstRootFound)
{
    std::mt19937 random(5);
    for (int i = 0; i < 50; ++i) {
        std::vector<Vec3> dx(5), moved(5);
        for (Vec3& d : dx) d = test::random_vector(random, 1.5);
        const double fraction = fraction_before_inversion(elements, solid, x, dx, 0.0);
        for (int k = 0; k <= 200; ++k) {
            for (std::size_t n = 0; n < 5; ++n) moved[n] = x[n] + dx[n] * (fraction * k / 200);
            EXPECT_GT(smallest_volume_ratio(elements, solid, moved), -1e-12);
        }
        if (fraction == 1) continue;
        for (std::size_t n = 0; n < 5; ++n) moved[n] = x[n] + dx[n] * (fraction + 1e-5);
        EXPECT_LT(smallest_volume_ratio(elements, solid, moved), 1e-3);
    }
}

TEST(SolidPlasticity, BelowYieldNothingFlows)
{
    const PlasticState fresh;
    const PlasticState after = flowed(fresh, stretch(1.01, 1, 1), 1e6, {.yield_stress = 1e5});
    EXPECT_EQ(after.inverse, fresh.inverse);
    EXPECT_EQ(after.strain, 0);
}

TEST(SolidPlasticity, FlowBringsTheStressBackToTheYieldSurfaceAndKeepsTheVolume)
{
    std::mt19937 random(6);
    for (const double hardening : {0.0, 2e5}) {
        const SolidPlasticity plasticity{.yield_stress = 1e5, .hardening = hardening};
        const double mu = 1e6;
        const Mat3 F = test::random_rotation(random) * stretch(1.5, 0.9, 0.8) * test::random_rotation(random);
        const PlasticState after = flowed({}, F, mu, plasticity);
        EXPECT_NEAR(determinant(after.inverse), 1, 1e-14);
        const Vec3 s = svd3(F * after.inverse).sigma;
        const double a = std::log(s.x), b = std::log(s.y), c = std::log(s.z);
        const double mises = 2 * mu * std::sqrt(((a - b) * (a - b) + (b - c) * (b - c) + (c - a) * (c - a)) / 2);
        EXPECT_NEAR(mises, 1e5 + hardening * after.strain, 1e-8 * 1e5);
        EXPECT_GT(after.strain, 0.1);
        const PlasticState again = flowed(after, F * after.inverse, mu, plasticity);
        EXPECT_NEAR(again.strain, after.strain, 1e-12);
    }
}

TEST(SolidPlasticity, AStretchedBarKeepsWhatItFlowed)
{
    // Relaxed shape after an isochoric stretch s: longer by s over the elastic stretch at yield.
    const double mu = 1e6, s = 1.3;
    const PlasticState after = flowed({}, stretch(s, 1 / std::sqrt(s), 1 / std::sqrt(s)), mu, {.yield_stress = 9e4});
    const double elastic = std::exp(9e4 / (3 * mu));
    EXPECT_NEAR(inverse(after.inverse)(0, 0), s / elastic, 1e-12);
    TetRest<double> rest = tet_rest(test::kTetCorners);
    apply_plastic_rest(rest, after.inverse);
    const Solid<StableNeoHookean> solid;
    std::array<Vec3, 4> relaxed;
    for (int i = 0; i < 4; ++i) relaxed[i] = inverse(after.inverse) * test::kTetCorners[i];
    EXPECT_NEAR((Element<Solid<StableNeoHookean>, double>(solid, rest, relaxed).energy()), 0, 1e-20);
}

}  // namespace
}  // namespace pliant
