// SPDX-License-Identifier: MIT

// The reference solutions against what they must be: limits with closed forms, balances of forces and moments,
// numerical integration by other rules, published values.

#include <cmath>
#include <cstddef>
#include <numbers>
#include <vector>

#include <gtest/gtest.h>

#include <cloth/references.h>
#include <pliant/base/error.h>
#include <pliant/mesh/shapes.h>
#include <pliant/mesh/tri_mesh.h>

namespace pliant::reference {
namespace {

constexpr double kPi = std::numbers::pi;
constexpr StripLaw kLinear = StripLaw::linear, kStVK = StripLaw::st_venant_kirchhoff;

// ---- heavy elastica

TEST(HeavyElastica, SagsByTheBeamFormulaUnderSmallLoads)
{
    // Length 1, bend 1: y = -p/8 and x = 1 - p^2/112 up to terms of relative order p^2.
    for (const double p : {1e-3, 1e-2, 1e-1}) {
        const ElasticaPoint tip = heavy_elastica(1, 1, p).back();
        EXPECT_NEAR(tip.y / (-p / 8), 1, 0.02 * p * p + 1e-9) << "load " << p;
        EXPECT_NEAR((1 - tip.x) / (p * p / 112), 1, 0.05 * p * p + 1e-4) << "load " << p;
    }
}

TEST(HeavyElastica, HangsDownBehindABendOfConstantTensionUnderHeavyLoads)
{
    // Over the length sqrt(B/(w L)) the tension is nearly w L, and the bend has a closed form.
    for (const double p : {1e3, 1e4, 1e5}) {
        const ElasticaPoint tip = heavy_elastica(1, 1, p).back();
        const double bend_length = 1 / std::sqrt(p);
        EXPECT_NEAR(tip.x / (std::sqrt(2) * bend_length), 1, bend_length) << "load " << p;
        EXPECT_NEAR((1 + tip.y) / ((2 - std::sqrt(2)) * bend_length), 1, bend_length) << "load " << p;
    }
}

TEST(HeavyElastica, HasPeircesAngleWhereTheBendingLengthIsHalfTheOverhang)
{
    // Peirce 1930: B/w = (L/2)^3 where the chord falls by 41.5 degrees, the angle of the cantilever test (ASTM D1388).
    const ElasticaPoint tip = heavy_elastica(0.1, 1e-5, 8 * 1e-5 / 1e-3).back();
    EXPECT_NEAR(std::atan2(-tip.y, tip.x) * 180 / kPi, 41.5, 0.05);
}

/// Largest |B angle'(s) - w times the area under the lever from s on| over the moment at the clamp, inside the strip.
double moment_imbalance(const std::vector<ElasticaPoint>& shape, double bend, double weight)
{
    const double h = shape[1].s;
    double lever_area = 0, beyond = 0, worst = 0;  // integrals over s' > s: of x(s') and of 1
    const auto curvature = [&](std::size_t i) { return (shape[i + 1].angle - shape[i - 1].angle) / (2 * h); };
    for (std::size_t i = shape.size() - 2; i > 0; --i) {
        lever_area += h * (shape[i].x + shape[i + 1].x) / 2;
        beyond += h;
        worst = std::max(worst, std::abs(bend * curvature(i) - weight * (lever_area - shape[i].x * beyond)));
    }
    return worst / (bend * curvature(1));
}

TEST(HeavyElastica, BalancesMomentsEverywhereOverFourDecadesOfLoad)
{
    for (const double p : {0.1, 1.0, 10.0, 100.0, 1000.0}) {
        const double length = 0.2, bend = 3e-5, weight = p * bend / std::pow(length, 3);
        const auto coarse = heavy_elastica(length, bend, weight, 1001),
                   fine = heavy_elastica(length, bend, weight, 4001);
        // Central differences and trapezia are of second order: what is left falls sixteenfold.
        EXPECT_LT(moment_imbalance(fine, bend, weight), 1e-4) << "load " << p;
        EXPECT_NEAR(moment_imbalance(coarse, bend, weight) / moment_imbalance(fine, bend, weight), 16, 2)
            << "load " << p;
    }
}

TEST(HeavyElastica, KeepsItsLengthAndItsEnds)
{
    const auto shape = heavy_elastica(0.3, 1e-5, 0.02, 3001);
    EXPECT_NEAR(shape.front().x, 0, 1e-15);
    EXPECT_NEAR(shape.front().y, 0, 1e-15);
    EXPECT_NEAR(shape.front().angle, 0, 1e-9);
    double length = 0;
    for (std::size_t i = 1; i < shape.size(); ++i) {
        length += std::hypot(shape[i].x - shape[i - 1].x, shape[i].y - shape[i - 1].y);
        EXPECT_GE(shape[i].angle, shape[i - 1].angle);
    }
    EXPECT_NEAR(length, 0.3, 1e-7);
    EXPECT_DOUBLE_EQ(shape.back().s, 0.3);
    EXPECT_LT(shape.back().angle, kPi / 2);
}

TEST(HeavyElastica, DependsOnTheLoadAloneAndNotOnTheNumberOfPlaces)
{
    for (const double p : {0.1, 30.0, 1000.0}) {
        const ElasticaPoint unit = heavy_elastica(1, 1, p).back();
        const ElasticaPoint scaled = heavy_elastica(0.05, 2e-6, p * 2e-6 / std::pow(0.05, 3), 777).back();
        EXPECT_NEAR(scaled.x / 0.05, unit.x, 1e-10) << "load " << p;
        EXPECT_NEAR(scaled.y / 0.05, unit.y, 1e-10) << "load " << p;
    }
}

TEST(HeavyElastica, RefusesWhatIsNoStrip)
{
    EXPECT_THROW(heavy_elastica(0, 1, 1), Error);
    EXPECT_THROW(heavy_elastica(1, -1, 1), Error);
    EXPECT_THROW(heavy_elastica(1, 1, std::nan("")), Error);
    EXPECT_THROW(heavy_elastica(1, 1, 1, 1), Error);
    EXPECT_THROW(heavy_elastica(1, 1, 1e7), Error);
}

// ---- strips

TEST(StripLaws, GiveTheTensionBack)
{
    for (const double stretch : {1 + 1e-9, 1.001, 1.3, 2.0, 10.0}) {
        EXPECT_NEAR(stretch_under(70 * (stretch - 1), kLinear, 70), stretch, 1e-14 * stretch);
        EXPECT_NEAR(stretch_under(70 * stretch * (stretch * stretch - 1) / 2, kStVK, 70), stretch, 1e-14 * stretch);
    }
    EXPECT_EQ(stretch_under(5, StripLaw::inextensible, 0), 1);
    EXPECT_EQ(stretch_under(0, kStVK, 70), 1);
}

TEST(Catenary, OfParameterOneIsTheHyperbolicCosine)
{
    const Catenary found = catenary(2, 2 * std::sinh(1.0), 3, StripLaw::inextensible, 0);
    EXPECT_NEAR(found.sag, std::cosh(1.0) - 1, 1e-13);
    EXPECT_NEAR(found.horizontal_force, 3, 1e-12);
    EXPECT_NEAR(found.support_force, 3 * std::cosh(1.0), 1e-12);
}

/// Ends of a chain of links, each turned and stretched by the tension in its middle, from the horizontal force alone.
struct Links {
    double across = 0, down = 0;
};
Links hanging_links(double H, double length, double weight, StripLaw law, double stiffness)
{
    constexpr int kCount = 20000;
    Links links;
    const double h = length / 2 / kCount;
    for (int i = 0; i < kCount; ++i) {
        const double V = weight * (i + 0.5) * h, T = std::sqrt(H * H + V * V);
        const double drawn = law == kLinear ? h * (1 + T / stiffness) : h * stretch_under(T, law, stiffness);
        links.across += drawn * H / T;
        links.down += drawn * V / T;
    }
    return links;
}

TEST(Catenary, IsWhatAChainOfManyLinksHangsLike)
{
    for (const StripLaw law : {kLinear, kStVK})
        for (const double length : {0.9, 1.0, 1.2, 3.0})
            for (const double stiffness : {2.0, 30.0, 3000.0}) {
                const Catenary found = catenary(1, length, 1.5, law, stiffness);
                const Links links = hanging_links(found.horizontal_force, length, 1.5, law, stiffness);
                EXPECT_NEAR(2 * links.across, 1, 1e-7) << length << " m, " << stiffness << " N/m";
                EXPECT_NEAR(links.down / found.sag, 1, 1e-7) << length << " m, " << stiffness << " N/m";
                EXPECT_NEAR(found.support_force, std::hypot(found.horizontal_force, 1.5 * length / 2), 1e-12);
            }
}

TEST(Catenary, OfAStiffStripIsThatOfAnInextensibleOne)
{
    const double inextensible = catenary(1, 1.1, 2, StripLaw::inextensible, 0).sag;
    for (const StripLaw law : {kLinear, kStVK}) {
        EXPECT_NEAR(catenary(1, 1.1, 2, law, 1e9).sag, inextensible, 1e-8);
        EXPECT_GT(catenary(1, 1.1, 2, law, 100).sag, inextensible + 1e-3);
    }
}

TEST(Catenary, OfAStripAsLongAsItsSpanFollowsTheCubicLaw)
{
    // A shallow parabola: tension w D^2/(8 f) and strain 8/3 (f/D)^2.
    const double expected = std::cbrt(3 * 1e-6 / 64);
    EXPECT_NEAR(catenary(1, 1, 1e-6, kLinear, 1).sag / expected, 1, 1e-3);
    EXPECT_NEAR(catenary(1, 1, 1e-6, kStVK, 1).sag / expected, 1, 1e-3);
}

TEST(Catenary, RefusesAStripThatDoesNotReach)
{
    EXPECT_THROW(catenary(1, 0.9, 1, StripLaw::inextensible, 0), Error);
    EXPECT_THROW(catenary(1, 2, 1, kLinear, 0), Error);
    EXPECT_THROW(catenary(-1, 2, 1, kLinear, 1), Error);
}

TEST(HungSheet, OfLinearSpringsIsLongerByHalfItsWeightOverItsStiffness)
{
    const HungSheet sheet = hung_sheet(2, 3, kLinear, 60, 0.3);
    EXPECT_DOUBLE_EQ(sheet.lowest, 2 + 3 * 2 * 2 / (2 * 60.0));
    EXPECT_DOUBLE_EQ(sheet.top_stretch, 1.1);
    EXPECT_DOUBLE_EQ(sheet.top_width, 1 - 0.3 * 0.1);
    // A row of springs between lumped masses has the same length, however few there are.
    for (const int count : {1, 7, 100}) {
        double lowest = 0;
        for (int i = 0; i < count; ++i) {
            const double below = (count - 1 - i + 0.5) * 3 * 2 / count;  // half a mass at the lower end
            lowest += 2.0 / count * stretch_under(below, kLinear, 60);
        }
        EXPECT_NEAR(lowest, sheet.lowest, 1e-13) << count << " springs";
    }
}

TEST(HungSheet, OfStVenantKirchhoffIsTheIntegralOfItsStretches)
{
    for (const double stiffness : {1e5, 300.0, 20.0, 1.0}) {
        const HungSheet sheet = hung_sheet(1.5, 2, kStVK, stiffness, 0);
        constexpr int kCount = 20000;
        double lowest = 0;
        for (int i = 0; i < kCount; ++i)
            lowest += 1.5 / kCount * stretch_under(2 * 1.5 * (i + 0.5) / kCount, kStVK, stiffness);
        EXPECT_NEAR(sheet.lowest / lowest, 1, 1e-9) << stiffness << " N/m";
        EXPECT_LT(sheet.lowest, hung_sheet(1.5, 2, kLinear, stiffness, 0).lowest) << "Green's strain is stiffer pulled";
    }
}

TEST(HungSheet, NarrowsByPoissonsRatioTimesGreensStrain)
{
    const HungSheet sheet = hung_sheet(1, 1, kStVK, 10, 0.4);
    const double along = (sheet.top_stretch * sheet.top_stretch - 1) / 2;
    const double across = (sheet.top_width * sheet.top_width - 1) / 2;
    EXPECT_NEAR(across, -0.4 * along, 1e-14);
    EXPECT_NEAR(10 * along * sheet.top_stretch, 1, 1e-13) << "stress times stretch carries the weight";
    EXPECT_EQ(sheet.lowest, hung_sheet(1, 1, kStVK, 10, 0).lowest) << "uniaxial stress knows no Poisson's ratio";
    EXPECT_THROW(hung_sheet(1, 1, kStVK, 0.1, 0.5), Error) << "no width left";
}

// ---- membranes

TEST(Membrane, VibratesByRayleighsQuotientOfItsMode)
{
    const double a = 0.6, b = 1.1, tension = 40, density = 0.15;
    for (const int m : {1, 2})
        for (const int n : {1, 3}) {
            constexpr int kCount = 200;
            double slope2 = 0, value2 = 0;
            for (int i = 0; i < kCount; ++i)
                for (int j = 0; j < kCount; ++j) {
                    const double u = m * kPi * (i + 0.5) / kCount, v = n * kPi * (j + 0.5) / kCount;
                    value2 += std::pow(std::sin(u) * std::sin(v), 2);
                    slope2 += std::pow(m * kPi / a * std::cos(u) * std::sin(v), 2) +
                              std::pow(n * kPi / b * std::sin(u) * std::cos(v), 2);
                }
            const double expected = std::sqrt(tension / density * slope2 / value2) / (2 * kPi);
            EXPECT_NEAR(membrane_frequency(a, b, tension, density, m, n) / expected, 1, 1e-12) << m << " x " << n;
        }
    EXPECT_NEAR(membrane_frequency(1, 1, 4, 1), std::sqrt(2.0), 1e-14);
    EXPECT_THROW(membrane_frequency(1, 0, 4, 1), Error);
    EXPECT_THROW(membrane_frequency(1, 1, 4, 1, 0, 1), Error);
}

TEST(Balloon, PressureTimesChangeOfVolumeIsTheChangeOfElasticEnergy)
{
    const double mu = 4e5, H = 3e-4, R = 0.05;
    const auto energy = [&](double l) { return 4 * kPi * R * R * H * mu / 2 * (2 * l * l + std::pow(l, -4) - 3); };
    const auto volume = [&](double l) { return 4.0 / 3.0 * kPi * std::pow(R * l, 3); };
    for (const double l : {1.05, 1.3, 2.0, 4.0}) {
        const double d = 1e-5 * l;
        const double expected = (energy(l + d) - energy(l - d)) / (volume(l + d) - volume(l - d));
        EXPECT_NEAR(balloon_pressure(l, mu, H, R) / expected, 1, 1e-6) << "stretch " << l;
    }
    EXPECT_EQ(balloon_pressure(1, mu, H, R), 0);
}

TEST(Balloon, PressureIsLargestAtTheSixthRootOfSeven)
{
    const double peak = std::pow(7.0, 1.0 / 6.0);
    const double highest = balloon_pressure(peak, 1, 1, 1);
    for (const double l : {peak - 0.01, peak + 0.01, 1.1, 3.0}) EXPECT_LT(balloon_pressure(l, 1, 1, 1), highest);
    EXPECT_NEAR(balloon_pressure(peak + 1e-4, 1, 1, 1) / highest, 1, 1e-6);
}

// ---- shadows

double shadow_of(const TriMesh& mesh, int cells = 2048)
{
    return projected_area(mesh.vertices, mesh.triangles, cells);
}

/// The mesh turned about the z axis by an angle, then about the y axis by another [rad].
TriMesh turned(TriMesh mesh, double about_z, double about_y)
{
    for (Vec3& p : mesh.vertices) {
        p = {std::cos(about_z) * p.x - std::sin(about_z) * p.y, std::sin(about_z) * p.x + std::cos(about_z) * p.y, p.z};
        p = {std::cos(about_y) * p.x + std::sin(about_y) * p.z, p.y, std::cos(about_y) * p.z - std::sin(about_y) * p.x};
    }
    return mesh;
}

TEST(ProjectedArea, OfAFlatSheetIsItsArea)
{
    EXPECT_NEAR(shadow_of(grid(17, 9, 2, 1)), 2, 1e-12);
    for (const double angle : {0.1, 0.7, kPi / 4}) EXPECT_NEAR(shadow_of(turned(grid(17, 9, 2, 1), 0, angle)), 2, 2e-3);
}

TEST(ProjectedArea, OfATiltedSheetShrinksByTheCosine)
{
    for (const double tilt : {0.3, kPi / 3, 1.5})
        EXPECT_NEAR(shadow_of(turned(grid(5, 5, 1, 1), tilt, 0.4)), std::cos(tilt), 2e-3) << tilt << " rad";
    EXPECT_NEAR(shadow_of(turned(grid(5, 5, 1, 1), kPi / 2, 0)), 0, 1e-3) << "seen edge on";
}

TEST(ProjectedArea, CountsWhatLiesAboveEachOtherOnce)
{
    EXPECT_NEAR(shadow_of(box({1, 5, 0.5}, {3, 2, 4})), 0.5, 1e-3);
    EXPECT_NEAR(shadow_of(icosphere(0.5, 5)), kPi / 4, 2e-3);
    // A ring's hole stays light.
    EXPECT_NEAR(shadow_of(torus(1, 0.25, 256, 32)), kPi * (1.25 * 1.25 - 0.75 * 0.75), 5e-3);
    // Two squares of side 1, the second shifted by a half both ways and higher.
    TriMesh two = grid(2, 2, 1, 1);
    const TriMesh other = grid(2, 2, 1, 1);
    for (const Vec3& p : other.vertices) two.vertices.push_back(p + Vec3{0.5, 2, 0.5});
    for (const Triangle& t : other.triangles) two.triangles.push_back({t[0] + 4, t[1] + 4, t[2] + 4});
    EXPECT_NEAR(shadow_of(two), 1.75, 2e-3);
}

TEST(ProjectedArea, ConvergesWithTheSquares)
{
    const TriMesh disc = icosphere(1, 6);
    const double coarse = std::abs(shadow_of(disc, 32) - kPi), fine = std::abs(shadow_of(disc, 4096) - kPi);
    EXPECT_LT(coarse, 2 * kPi / 32);
    EXPECT_LT(fine, 1e-3);
}

TEST(ProjectedArea, OfNothingIsNothing)
{
    EXPECT_EQ(shadow_of(TriMesh{}), 0);
    EXPECT_THROW(shadow_of(grid(2, 2, 1, 1), 0), Error);
}

TEST(DrapeCoefficient, GoesFromTheSupportToTheRigidDisc)
{
    EXPECT_NEAR(drape_coefficient(kPi * 0.15 * 0.15, 0.15, 0.09), 1, 1e-14);
    EXPECT_NEAR(drape_coefficient(kPi * 0.09 * 0.09, 0.15, 0.09), 0, 1e-14);
    EXPECT_NEAR(drape_coefficient(kPi * 0.12 * 0.12, 0.15, 0.09), (0.12 * 0.12 - 0.0081) / (0.0225 - 0.0081), 1e-14);
    EXPECT_THROW(drape_coefficient(1, 0.09, 0.15), Error);
}

}  // namespace
}  // namespace pliant::reference
