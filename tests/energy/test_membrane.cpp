// SPDX-License-Identifier: MIT
#include <pliant/energy/hinge.h>
#include <pliant/energy/neo_hookean_membrane.h>
#include <pliant/energy/quadratic_bending.h>

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "energy/derivatives.h"

namespace pliant {
namespace {

using test::check_derivatives;
using test::check_rest;
using test::Projection;

// Triangle (0,0) (0.3,0.05) (0.1,0.4) of the (u,v) plane.
TriangleRest<double> rest_triangle(double (&uv)[3][2])
{
    const double corners[3][2] = {{0, 0}, {0.3, 0.05}, {0.1, 0.4}};
    std::copy(&corners[0][0], &corners[0][0] + 6, &uv[0][0]);
    const double det = uv[1][0] * uv[2][1] - uv[2][0] * uv[1][1];
    TriangleRest<double> rest;
    rest.b[1][0] = uv[2][1] / det, rest.b[1][1] = -uv[2][0] / det;
    rest.b[2][0] = -uv[1][1] / det, rest.b[2][1] = uv[1][0] / det;
    for (int k = 0; k < 2; ++k) rest.b[0][k] = -rest.b[1][k] - rest.b[2][k];
    rest.area = det / 2;
    return rest;
}

// The triangle mapped by x = wu u + wv v + origin.
std::array<Vec3, 3> mapped(const Vec3& wu, const Vec3& wv, const Vec3& origin = {0.2, 0.1, -0.3})
{
    double uv[3][2];
    rest_triangle(uv);
    std::array<Vec3, 3> x;
    for (int i = 0; i < 3; ++i) x[i] = origin + wu * uv[i][0] + wv * uv[i][1];
    return x;
}

template <class Measure>
Membrane<Measure> fabric()
{
    return {.stretch_u = 900, .stretch_v = 400, .poisson = 0.25, .shear = 120, .damping_time = 0.01};
}

template <class E>
void check_membrane(const E& energy, Projection stretched)
{
    double uv[3][2];
    const auto rest = rest_triangle(uv);
    check_rest(energy, rest, mapped({0, 1, 0}, {0.6, 0, 0.8}));
    const std::array<std::pair<Vec3, Vec3>, 4> shapes{{{{1.2, 0, 0}, {0, 1.1, 0}},
                                                       {{1.3, 0.2, 0}, {0.1, 1.4, 0.3}},
                                                       {{0.7, 0, 0.2}, {0.2, 0.8, 0}},
                                                       {{0.5, 0.6, 0.2}, {-0.9, 0.8, 1}}}};
    for (std::size_t s = 0; s < shapes.size(); ++s)
        check_derivatives(energy, rest, mapped(shapes[s].first, shapes[s].second),
                          s == 0 ? stretched : Projection::may_be_active);
}

TEST(Membrane, DerivativesHoldForBothMeasures)
{
    check_membrane(fabric<GreenStrain>(), Projection::inactive);
    check_membrane(fabric<ThreadStretch>(), Projection::may_be_active);
}

TEST(Membrane, AStripPulledAlongTheWarpNarrowsByPoissonsRatio)
{
    // Uniaxial stress: with strain e along u the transverse stress vanishes at -n sqrt(Eu/Ev) e, and the tension is Eu e.
    const auto energy = fabric<GreenStrain>();
    double uv[3][2];
    const auto rest = rest_triangle(uv);
    const double e = 1e-4, across = -0.25 * std::sqrt(900.0 / 400) * e;
    const auto x = mapped({std::sqrt(1 + 2 * e), 0, 0}, {0, std::sqrt(1 + 2 * across), 0});
    const Element<GreenMembrane, double> element(energy, rest, x);
    EXPECT_NEAR(element.stress()[0] / rest.area, 900 * e, 1e-9);
    EXPECT_NEAR(element.stress()[1] / rest.area, 0, 1e-9);
}

TEST(Membrane, RestStretchIsARestShapeOfThatSize)
{
    auto energy = fabric<GreenStrain>();
    energy.rest_stretch_u = 1.2, energy.rest_stretch_v = 0.9;
    double uv[3][2];
    const auto rest = rest_triangle(uv);
    check_rest(energy, rest, mapped({1.2, 0, 0}, {0, 0.9, 0}));
    const Element<GreenMembrane, double> element(energy, rest, mapped({1.32, 0, 0}, {0, 0.9, 0}));
    const double strain = 0.5 * (1.21 - 1);
    EXPECT_NEAR(element.energy(), 0.5 * 900 / (1 - 0.0625) * strain * strain * rest.area * 1.2 * 0.9, 1e-12);
}

TEST(Membrane, SwitchesTakeOutTheirModeOnly)
{
    double uv[3][2];
    const auto rest = rest_triangle(uv);
    const auto x = mapped({1.1, 0.2, 0}, {0, 1.2, 0});
    auto energy = fabric<ThreadStretch>();
    energy.shear_enabled = false;
    const double stretch = Element<ThreadMembrane, double>(energy, rest, x).energy();
    energy.shear_enabled = true, energy.stretch_enabled = false;
    const double shear = Element<ThreadMembrane, double>(energy, rest, x).energy();
    energy.stretch_enabled = true;
    EXPECT_GT(stretch, 0);
    EXPECT_GT(shear, 0);
    const double both = Element<ThreadMembrane, double>(energy, rest, x).energy();
    EXPECT_NEAR(both, stretch + shear, 1e-12);
}

TEST(Membrane, BothMeasuresAreOneMaterialAtSmallStrains)
{
    double uv[3][2];
    const auto rest = rest_triangle(uv);
    const auto x = mapped({1 + 3e-5, 2e-5, 0}, {-1e-5, 1 - 1e-5, 0});
    const double green = Element<GreenMembrane, double>(fabric<GreenStrain>(), rest, x).energy();
    const double thread = Element<ThreadMembrane, double>(fabric<ThreadStretch>(), rest, x).energy();
    EXPECT_NEAR(thread / green, 1, 1e-4);
}

SheetRest<double> rubber_rest()
{
    double uv[3][2];
    const auto rest = rest_triangle(uv);
    SheetRest<double> sheet;
    for (int i = 0; i < 3; ++i) sheet.b[i] = {rest.b[i][0], rest.b[i][1], 0};
    sheet.volume = rest.area;
    return sheet;
}

TEST(NeoHookeanMembrane, DerivativesHold)
{
    for (const double poisson : {0.5, 0.3, 0.1}) {
        const NeoHookeanMembrane rubber{.stretch_u = 300, .poisson = poisson, .damping_time = 0.02};
        const auto relaxed = mapped({0, 1, 0}, {0.6, 0, 0.8});
        const SheetRest<double> rest = rubber_rest();
        const Element<NeoHookeanMembrane, double> at_rest(rubber, rest, relaxed);
        EXPECT_NEAR(at_rest.energy(), 0, 1e-16 * rubber.stretch_u);
        for (int i = 0; i < 3; ++i) EXPECT_NEAR(norm(at_rest.gradient(i)), 0, 1e-15 * rubber.stretch_u);
        check_derivatives(rubber, rubber_rest(), mapped({1.5, 0.1, 0}, {0, 1.4, 0.2}), Projection::inactive);
        check_derivatives(rubber, rubber_rest(), mapped({0.8, 0.3, 0}, {0, 0.9, 0.2}), Projection::may_be_active);
        check_derivatives(rubber, rubber_rest(), mapped({4, 0.3, 0}, {1, 3, 0.2}), Projection::inactive);
    }
}

TEST(NeoHookeanMembrane, AnIncompressibleSheetPulledEquallyHasTheTensionOfTheBook)
{
    // Equibiaxial: Cauchy tension per deformed length 2 mu h (1/1 - 1/lambda^6) ... P = mu (lambda - lambda^-5) per rest length.
    const double lambda = 1.7, mu = 100;
    const NeoHookeanMembrane rubber{.stretch_u = 3 * mu, .poisson = 0.5};
    Mat3 F;
    F.m[0][0] = F.m[1][1] = lambda;
    EXPECT_NEAR(rubber.stress(F).m[0][0], mu * (lambda - std::pow(lambda, -5)), 1e-10);
}

// Two triangles over the edge (0,0,0)-(0.4,0,0), the second turned about it by `angle`.
std::array<Vec3, 4> folded(double angle)
{
    return {Vec3{0, 0, 0}, Vec3{0.4, 0, 0}, Vec3{0.1, 0.3, 0},
            Vec3{0.25, -0.2 * std::cos(angle), -0.2 * std::sin(angle)}};
}

TEST(Hinge, MeasuresTheAngleAllTheWayRound)
{
    for (double angle = -3.1; angle < 3.14; angle += 0.1) {
        const Hinge hinge{.bend_u = 1};
        const auto rows = hinge.strain(HingeRest<double>{0, 1, 0}, folded(angle));
        EXPECT_NEAR(std::abs(rows.e[0]), std::abs(angle), 1e-14 * 8) << angle;
    }
    for (double angle = -std::numbers::pi; angle <= std::numbers::pi; angle += 0.01)
        EXPECT_NEAR(angle_of(std::sin(angle), std::cos(angle)), std::atan2(std::sin(angle), std::cos(angle)), 4e-15);
}

TEST(Hinge, DerivativesHoldAndRestAnglesAreKept)
{
    const Hinge hinge{.bend_u = 0.7, .bend_v = 0.2, .bend_damping_time = 0.05};
    for (const double rest : {0.0, 0.8, -2.0})
        for (const double angle : {-2.9, -1.0, -0.2, 0.1, 0.9, 2.5}) {
            const HingeRest<double> at{rest, 1.3, 0.4};
            check_derivatives(hinge, at, folded(angle), Projection::may_be_active);
        }
    const double sign = hinge.strain(HingeRest<double>{0, 1, 0}, folded(0.8)).e[0] > 0 ? 1 : -1;
    check_rest(hinge, HingeRest<double>{0.8 * sign, 1.3, 0.4}, folded(0.8));
}

StencilRest<double> stencil_of(const std::array<Vec3, 4>& x)
{
    const auto cot = [](const Vec3& a, const Vec3& b) { return dot(a, b) / norm(cross(a, b)); };
    const double a0 = cot(x[1] - x[0], x[2] - x[0]), a1 = cot(x[0] - x[1], x[2] - x[1]);
    const double b0 = cot(x[1] - x[0], x[3] - x[0]), b1 = cot(x[0] - x[1], x[3] - x[1]);
    const double area = 0.5 * norm(cross(x[1] - x[0], x[2] - x[0])) + 0.5 * norm(cross(x[1] - x[0], x[3] - x[0]));
    return {{a1 + b1, a0 + b0, -a0 - a1, -b0 - b1}, 1 / area, 0};
}

TEST(QuadraticBending, IsTheHingeAtSmallAngles)
{
    const auto flat = folded(0);
    const double area = 1 / stencil_of(flat).weight_u;
    const QuadraticBending quadratic{.bend_u = 2, .bend_damping_time = 0.1};
    const Hinge hinge{.bend_u = 2};
    const double angle = 1e-3;
    const double q = Element<QuadraticBending, double>(quadratic, stencil_of(flat), folded(angle)).energy();
    const double h = Element<Hinge, double>(hinge, HingeRest<double>{0, 0.16 / area, 0}, folded(angle)).energy();
    EXPECT_NEAR(q / h, 1, 1e-6);
    check_rest(quadratic, stencil_of(flat), flat);
    check_derivatives(quadratic, stencil_of(flat), folded(0.7), Projection::inactive);
}

}  // namespace
}  // namespace pliant
