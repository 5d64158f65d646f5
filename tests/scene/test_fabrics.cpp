// SPDX-License-Identifier: MIT

// Named fabrics: possible materials, numbers that follow from the constants their sources quote, sources that name
// every number.

#include <cmath>
#include <set>
#include <stdexcept>
#include <string>

#include <gtest/gtest.h>

#include <pliant/scene/fabrics.h>
#include <pliant/scene/presets.h>

namespace pliant {
namespace {

const Fabric& named(const char* name)
{
    const Fabric* fabric = find_fabric(name);
    if (!fabric) throw std::runtime_error(std::string("no fabric is called ") + name);
    return *fabric;
}

void expect_relative(double found, double expected, double tolerance, const std::string& what)
{
    EXPECT_NEAR(found / expected, 1, tolerance) << what << " is " << found << ", expected " << expected;
}

/// Orthotropic constants of a plane, force per length: what the sources fit.
struct Plane {
    double c_uu, c_uv, c_vv;
    double stretch_u() const { return c_uu - c_uv * c_uv / c_vv; }
    double stretch_v() const { return c_vv - c_uv * c_uv / c_uu; }
    double poisson_uv() const { return c_uv / c_vv; }
};

TEST(Fabrics, AreFoundByNameAndOnlyByName)
{
    for (const Fabric& fabric : fabrics()) EXPECT_EQ(find_fabric(fabric.name), &fabric) << fabric.name;
    EXPECT_EQ(find_fabric("Cotton"), nullptr);
    EXPECT_EQ(find_fabric(""), nullptr);
}

TEST(Fabrics, HaveNamesOfTheirOwnAndThoseThatWerePromised)
{
    std::set<std::string_view> names;
    for (const Fabric& fabric : fabrics()) EXPECT_TRUE(names.insert(fabric.name).second) << fabric.name << " twice";
    for (const char* name : {"cotton", "denim", "silk", "wool", "linen", "polyester", "nylon", "leather", "paper",
                             "rubber", "fleece", "tarpaulin"})
        EXPECT_TRUE(names.contains(name)) << name;
}

TEST(Fabrics, ArePositiveDefinite)
{
    for (const Fabric& fabric : fabrics()) {
        for (const double stiffness : {fabric.stretch_u, fabric.stretch_v, fabric.shear, fabric.bend_u, fabric.bend_v})
            EXPECT_GT(stiffness, 0) << fabric.name;
        EXPECT_LT(fabric.poisson * fabric.poisson, fabric.stretch_u / fabric.stretch_v) << fabric.name;
        EXPECT_LT(fabric.poisson * poisson_vu(fabric), 1) << fabric.name;
        EXPECT_GT(fabric.damping_time, 0) << fabric.name;
    }
}

// Bending in the range of all cloth that Feng 2022 measured (2e-7 to 2.7e-4 N m), widened for sheets that are no cloth.
TEST(Fabrics, HaveNumbersOfSheetsThatExist)
{
    for (const Fabric& fabric : fabrics()) {
        const double volumetric = fabric.density / fabric.thickness;
        EXPECT_TRUE(volumetric > 80 && volumetric < 1500) << fabric.name << " has " << volumetric << " kg/m3";
        EXPECT_TRUE(fabric.bend_u > 2e-7 && fabric.bend_u < 1e-2) << fabric.name;
        EXPECT_TRUE(fabric.bend_v > 2e-7 && fabric.bend_v < 1e-2) << fabric.name;
        EXPECT_LE(fabric.damping_time, 0.01) << fabric.name;
    }
}

TEST(Fabrics, BendingLengthsAreThoseOfCloth)
{
    // Peirce's bending length (B / weight)^(1/3): 1 to 3 cm for cloth, up to 8 cm for leather, paper and tarpaulin.
    for (const Fabric& fabric : fabrics()) {
        const double length = std::cbrt(std::sqrt(fabric.bend_u * fabric.bend_v) / (fabric.density * 9.81));
        EXPECT_TRUE(length > 0.01 && length < 0.1) << fabric.name << " has a bending length of " << length << " m";
    }
}

TEST(Fabrics, SourcesSpeakOfEveryNumber)
{
    for (const Fabric& fabric : fabrics()) {
        const std::string source(fabric.source);
        EXPECT_FALSE(fabric.sentence.empty()) << fabric.name;
        if (source.starts_with("all numbers")) continue;
        for (const char* number : {"density", "poisson", "shear", "bend", "thickness", "damping"})
            EXPECT_NE(source.find(number), std::string::npos)
                << fabric.name << " does not say where " << number << " is from";
        EXPECT_TRUE(source.find("stretch") != std::string::npos || source.find("young") != std::string::npos)
            << fabric.name;
    }
}

// The constants a11 a12 a22 G12 [Pa] and the thickness [m] of Clyde, Teran and Tamstorf 2017; 1 is the warp.
TEST(Fabrics, CottonAndSilkFollowFromTheConstantsOfClyde)
{
    struct Fit {
        const char* name;
        double a11, a12, a22, G12, h;
    };
    for (const Fit& fit : {Fit{"cotton", 15.557e6, 7.779e6, 25.004e6, 1.076e6, 1.8e-4},
                           Fit{"silk", 4.3e6, 4.971e6, 9.942e6, 0.57e6, 1.8e-4}}) {
        const Fabric& fabric = named(fit.name);
        const Plane plane{fit.a11 * fit.h, fit.a12 * fit.h, fit.a22 * fit.h};
        expect_relative(fabric.stretch_u, plane.stretch_u(), 2e-3, "stretch_u");
        expect_relative(fabric.stretch_v, plane.stretch_v(), 2e-3, "stretch_v");
        expect_relative(fabric.shear, fit.G12 * fit.h / 2, 2e-3, "shear");
        expect_relative(fabric.bend_u, fit.a11 * std::pow(fit.h, 3) / 12, 2e-3, "bend_u");
        expect_relative(fabric.bend_v, fit.a22 * std::pow(fit.h, 3) / 12, 2e-3, "bend_v");
        EXPECT_EQ(fabric.thickness, fit.h);
    }
}

// The files of Wang, O'Brien and Ramamoorthi 2011: c11 c12 c22 c33 [N/m], bending across u and v [N m]; v is stiffer.
TEST(Fabrics, DenimAndFleeceFollowFromTheFilesOfWang)
{
    struct File {
        const char* name;
        double density, c11, c12, c22, c33, bend_about_u, bend_about_v;
    };
    for (const File& file :
         {File{"denim", 0.324, 205.352005, 10.234077, 1013.88629, 53.387184, 64.196457e-6, 96.951576e-6},
          File{"fleece", 0.228, 151.503906, 106.02816, 244.830673, 30.250183, 117.070122e-6, 59.774277e-6}}) {
        const Fabric& fabric = named(file.name);
        const Plane plane{2 * file.c22, 2 * file.c12, 2 * file.c11};
        EXPECT_EQ(fabric.density, file.density);
        expect_relative(fabric.stretch_u, plane.stretch_u(), 3e-3, "stretch_u");
        expect_relative(fabric.stretch_v, plane.stretch_v(), 3e-3, "stretch_v");
        EXPECT_NEAR(fabric.poisson, plane.poisson_uv(), 1e-3);
        expect_relative(fabric.shear, file.c33, 3e-3, "shear");
        expect_relative(fabric.bend_u, file.bend_about_u / 4, 5e-3, "bend_u");
        expect_relative(fabric.bend_v, file.bend_about_v / 4, 5e-3, "bend_v");
    }
}

// Weight [kg/m2], thickness [m], moduli [Pa] along the threads and on the bias of Penava 2014.
TEST(Fabrics, WoolAndPolyesterFollowFromTheTablesOfPenava)
{
    struct Row {
        const char* name;
        double density, h, E_u, E_v, E45, poisson;
    };
    for (const Row& row : {Row{"wool", 0.2348, 5.68e-4, 21.86e6, 8.149e6, 0.17e6, 0.277},
                           Row{"polyester", 0.1646, 2.52e-4, 11.674e6, 5.152e6, 0.478e6, 0.381}}) {
        const Fabric& fabric = named(row.name);
        EXPECT_EQ(fabric.density, row.density);
        EXPECT_EQ(fabric.thickness, row.h);
        EXPECT_EQ(fabric.poisson, row.poisson);
        expect_relative(fabric.stretch_u, row.E_u * row.h, 1e-3, "stretch_u");
        expect_relative(fabric.stretch_v, row.E_v * row.h, 1e-3, "stretch_v");
        const double compliance = 4 / row.E45 - 1 / row.E_u - 1 / row.E_v + 2 * row.poisson / row.E_u;
        expect_relative(fabric.shear, row.h / compliance, 2e-3, "shear");
    }
    constexpr double kGramForceCentimetre = 9.807e-5;  // [N m] per gf cm2/cm
    expect_relative(named("wool").bend_u, std::pow(10, -0.8673) * kGramForceCentimetre, 2e-3, "bend of wool");
}

TEST(Fabrics, AgreeWithTheMaterialsOfSpringsWhereTheyAreTheSameThing)
{
    for (const char* name : {"nylon", "paper", "rubber"}) {
        const Fabric& fabric = named(name);
        const Preset* preset = find_preset(name);
        ASSERT_NE(preset, nullptr) << name;
        const double mean = std::sqrt(fabric.stretch_u * fabric.stretch_v);
        expect_relative(mean, preset->young * preset->thickness, 0.01, std::string(name) + "'s stretch");
        expect_relative(fabric.thickness, preset->thickness, 0.06, std::string(name) + "'s thickness");
    }
}

TEST(Fabrics, IsotropicSheetsAreIsotropic)
{
    for (const char* name : {"rubber", "leather"}) {
        const Fabric& fabric = named(name);
        EXPECT_EQ(fabric.stretch_u, fabric.stretch_v);
        EXPECT_EQ(fabric.bend_u, fabric.bend_v);
        expect_relative(fabric.shear, fabric.stretch_u / (2 * (1 + fabric.poisson)), 2e-3, "shear");
        const double plate = fabric.stretch_u * fabric.thickness * fabric.thickness / 12;
        expect_relative(fabric.bend_u, plate / (1 - fabric.poisson * fabric.poisson), 2e-3, "bend");
    }
}

TEST(Fabrics, PaperFollowsTheRulesOfBaum)
{
    const Fabric& paper = named("paper");
    const double mean = std::sqrt(paper.stretch_u * paper.stretch_v);
    expect_relative(std::sqrt(paper.poisson * poisson_vu(paper)), 0.293, 2e-3, "mean Poisson's ratio");
    expect_relative(paper.shear, 0.387 * mean, 2e-3, "shear");
    const double plate = paper.thickness * paper.thickness / (12 * (1 - paper.poisson * poisson_vu(paper)));
    expect_relative(paper.bend_u, paper.stretch_u * plate, 3e-3, "bend_u");
    expect_relative(paper.bend_v, paper.stretch_v * plate, 3e-3, "bend_v");
}

}  // namespace
}  // namespace pliant
