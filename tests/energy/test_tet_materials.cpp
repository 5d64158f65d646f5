// SPDX-License-Identifier: MIT

// Every law of elastic solids, on linear and quadratic tetrahedra: derivatives in any shape, small-strain moduli,
// invariance, units. What single laws promise is in test_solid_laws.cpp.

#include <gtest/gtest.h>

#include "energy/derivatives.h"
#include "energy/solid_shapes.h"

namespace pliant {
namespace {

using test::bent;
using test::Projection;
using test::solid_rest;
using test::stretch;

template <class SolidType>
class TetMaterial : public ::testing::Test {
public:
    using Law = typename SolidType::Law;
    SolidType solid{.young = 3e4, .poisson = 0.35, .bulk_viscosity = 40, .shear_viscosity = 15, .damping_time = 0.01};

    TetMaterial()
    {
        if constexpr (requires { solid.law.fibre_stiffness; }) solid.law.fibre_stiffness = 5e4;
    }

    /// The ground alone.
    SolidType without_fibres() const
    {
        SolidType plain = solid;
        if constexpr (requires { plain.law.fibre_stiffness; }) plain.law.fibre_stiffness = 0;
        return plain;
    }

    /// Only shapes that the law is defined at.
    std::vector<Mat3> shapes() const
    {
        std::vector<Mat3> list = test::upright_shapes();
        if (!Law::forbids_inversion)
            for (const Mat3& F : test::inverted_shapes()) list.push_back(F);
        return list;
    }
};

using Solids =
    ::testing::Types<Solid<LinearElastic>, Solid<StVenantKirchhoff>, Solid<Corotated>, Solid<NeoHookean>,
                     Solid<StableNeoHookean>, Solid<ThesisSolid>, Solid<IsochoricThesis>, Solid<MooneyRivlin>,
                     Solid<FibreReinforced<StableNeoHookean>>, Solid<FibreReinforced<MooneyRivlin>>,
                     Solid<StableNeoHookean, QuadraticTet>, Solid<ThesisSolid, QuadraticTet>>;

TYPED_TEST_SUITE(TetMaterial, Solids);

template <class E>
inline constexpr bool kIsLinear = std::is_same_v<typename E::Law, LinearElastic>;
template <class E>
inline constexpr bool kTakesJets = !std::is_same_v<typename E::Law, Corotated>;

TYPED_TEST(TetMaterial, IsRelaxedAtItsRestShape)
{
    test::check_rest(this->solid, solid_rest<TypeParam>(), bent<TypeParam>(stretch(1, 1, 1), 0));
}

TYPED_TEST(TetMaterial, StressIsTheSlopeOfTheEnergy)
{
    for (const Mat3& F : this->shapes()) {
        SCOPED_TRACE(test::written(F));
        const test::DerivativeCheck<TypeParam> check(this->solid, solid_rest<TypeParam>(), bent<TypeParam>(F));
        check.gradient_is_that_of_the_energy();
        if constexpr (kTakesJets<TypeParam>) check.gradient_is_that_of_jets();
    }
}

TYPED_TEST(TetMaterial, HessianIsPositiveSymmetricAndTheSameInPacks)
{
    for (const Mat3& F : this->shapes()) {
        SCOPED_TRACE(test::written(F));
        std::mt19937 random(8);
        const auto x = bent<TypeParam>(F);
        const test::DerivativeCheck<TypeParam> check(this->solid, solid_rest<TypeParam>(), x);
        check.is_symmetric_and_positive(check.hessian(x));
        check.packs_equal_scalars(random);
    }
}

TYPED_TEST(TetMaterial, ExactHessianIsTheSlopeOfTheStress)
{
    for (const Mat3& F : this->shapes()) {
        SCOPED_TRACE(test::written(F));
        const auto x = bent<TypeParam>(F);
        test::expect_exact_hessian(this->solid, solid_rest<TypeParam>(), x);
    }
}

TYPED_TEST(TetMaterial, ProjectionDropsTheNegativeEigenvaluesAndNothingElse)
{
    if (TypeParam::points > 1) GTEST_SKIP() << "a sum of projected points is not the projected sum";
    for (const Mat3& F : this->shapes()) {
        SCOPED_TRACE(test::written(F));
        test::expect_nearest_positive(this->solid, solid_rest<TypeParam>(), bent<TypeParam>(F));
    }
}

TYPED_TEST(TetMaterial, TurnsWithTheBody)
{
    if (kIsLinear<TypeParam>) GTEST_SKIP() << "linear elasticity is not objective";
    for (const Mat3& F : this->shapes()) {
        SCOPED_TRACE(test::written(F));
        std::mt19937 random(9);
        const auto x = bent<TypeParam>(F);
        const test::DerivativeCheck<TypeParam> check(this->solid, solid_rest<TypeParam>(), x);
        check.moves_with_the_body(random);
        check.has_no_net_force_or_torque(check.gradient(x), check.force_scale());
    }
}

TYPED_TEST(TetMaterial, DampingTakesPowerAndSparesRigidMotion)
{
    for (const Mat3& F : this->shapes()) {
        SCOPED_TRACE(test::written(F));
        std::mt19937 random(10);
        const test::DerivativeCheck<TypeParam> check(this->solid, solid_rest<TypeParam>(), bent<TypeParam>(F));
        check.damping_takes_power(random);
        check.damping_leaves_rigid_motion_alone(random);
    }
}

// Uniaxial stress: the stretch along an axis that leaves the sides free has stress E strain and sideways strain -nu
// strain.
TYPED_TEST(TetMaterial, HasTheModuliOfSmallStrainsItWasGiven)
{
    const TypeParam ground = this->without_fibres();
    const auto local = TypeParam::Law::local(ground.moduli(solid_rest<TypeParam>()), solid_rest<TypeParam>());
    const double strain = 1e-7, shear_modulus = 3e4 / 2.7;
    const Mat3 P = ground.law.stress(local, stretch(1 + strain, 1 - 0.35 * strain, 1 - 0.35 * strain));
    EXPECT_NEAR(P(0, 0), 3e4 * strain, 1e-6 * 3e4 * strain);
    EXPECT_NEAR(P(1, 1), 0, 1e-6 * 3e4 * strain);
    EXPECT_NEAR(P(2, 2), 0, 1e-6 * 3e4 * strain);
    Mat3 F = identity3<double>();
    F(0, 1) = strain;
    EXPECT_NEAR(ground.law.stress(local, F)(0, 1), shear_modulus * strain, 1e-6 * shear_modulus * strain);
    const double growth = 3 * strain, bulk = 3e4 / (3 * 0.3);
    EXPECT_NEAR(ground.law.stress(local, identity3<double>() * (1 + strain))(1, 1), bulk * growth,
                2e-6 * bulk * growth);
}

TYPED_TEST(TetMaterial, KeepsTheDigitsOfTinyEnergies)
{
    // Energy of a strain of 1e-8 is 1e-16 of the moduli: lost if written as a difference of numbers of order one.
    const TypeParam ground = this->without_fibres();
    const auto local = TypeParam::Law::local(ground.moduli(solid_rest<TypeParam>()), solid_rest<TypeParam>());
    const double strain = 1e-8;
    const Mat3 F = stretch(1 + strain, 1, 1);
    const double modulus = 3e4 * (1 - 0.35) / ((1 + 0.35) * (1 - 0.7)), got = F(0, 0) - 1;
    EXPECT_NEAR(ground.law.density(local, F), 0.5 * modulus * got * got, 1e-6 * 0.5 * modulus * strain * strain);
}

// The same body written in metres, centimetres and millimetres: lengths grow by u, so do forces by u^2 at the same
// pressure.
TYPED_TEST(TetMaterial, DoesNotDependOnTheUnitOfLength)
{
    const auto x = bent<TypeParam>(test::upright_shapes()[1]);
    const auto plain = solid_rest<TypeParam>();
    const Element<TypeParam, double> element(this->solid, plain, x);
    for (const double unit : {1e2, 1e3}) {
        auto scaled = x;
        for (Vec3& a : scaled) a *= unit;
        const auto rest = solid_rest<TypeParam>(unit);
        const Element<TypeParam, double> other(this->solid, rest, scaled);
        EXPECT_NEAR(other.energy(), element.energy() * unit * unit * unit, 1e-12 * other.energy());
        for (int i = 0; i < TypeParam::nodes; ++i)
            EXPECT_LT(norm(other.gradient(i) - element.gradient(i) * (unit * unit)), 1e-9 * unit * unit);
    }
}

TYPED_TEST(TetMaterial, ElementsMayHaveMaterialsOfTheirOwn)
{
    // Twice the bulk and shear modulus is twice the Young's modulus.
    auto rest = solid_rest<TypeParam>();
    rest.bulk = rest.shear = 2;
    const TypeParam ground = this->without_fibres();
    TypeParam stiffer = ground;
    stiffer.young *= 2;
    const auto x = bent<TypeParam>(test::upright_shapes()[1]);
    const auto plain = solid_rest<TypeParam>();
    const Element<TypeParam, double> own(ground, rest, x), body(stiffer, plain, x);
    EXPECT_NEAR(own.energy(), body.energy(), 1e-13 * body.energy());
    for (int i = 0; i < TypeParam::nodes; ++i) EXPECT_LT(norm(own.gradient(i) - body.gradient(i)), 1e-9);
}

}  // namespace
}  // namespace pliant
