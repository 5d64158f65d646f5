// SPDX-License-Identifier: MIT

// What a cloth can be besides a sheet of one model: fabrics by name, modes switched while it moves, a limit to its strain,
// seams, a balloon; what a free one keeps; and the words with which impossible ones are refused.

#include <array>
#include <cmath>
#include <fstream>
#include <numbers>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <pliant/scene/cloth_numbers.h>
#include <pliant/scene/fabrics.h>

#include "cloth/cloth_worlds.h"
#include "cloth/references.h"

namespace pliant {
namespace {

using test::ClothText;

const std::string kSettling = R"("kind": "implicit_euler", "step": 0.05, "accuracy": 1e-6)";
const std::string kWeightless = R"("gravity": [0, 0, 0])";

TEST(Fabrics, FillInWhatTheSceneLeavesOut)
{
    for (const Fabric& fabric : fabrics()) {
        const ClothNumbers all = resolved(ClothScene{.fabric = std::string(fabric.name)});
        EXPECT_EQ(all.density, fabric.density) << fabric.name;
        EXPECT_EQ(all.stretch_u, fabric.stretch_u) << fabric.name;
        EXPECT_EQ(all.bend_v, fabric.bend_v) << fabric.name;
        EXPECT_LT(std::abs(all.poisson), 1) << fabric.name;
    }
    const ClothNumbers own = resolved(ClothScene{.fabric = "denim", .density = 0.5, .bend_u = 1e-3});
    EXPECT_EQ(own.density, 0.5);
    EXPECT_EQ(own.bend_u, 1e-3);
    EXPECT_EQ(own.bend_v, find_fabric("denim")->bend_v);
}

TEST(Fabrics, WeighWhatTheySay)
{
    const World world = test::world_of(
        test::scene_of({.mesh = test::flat_grid(11, 11, 2, 1), .cloth = R"("fabric": "cotton")", .solver = kSettling}));
    double mass = 0;
    for (const double m : world.model->mass) mass += m;
    EXPECT_NEAR(mass, 2 * find_fabric("cotton")->density, 1e-12);
}

// A strip along x, held at its left end, pulled at the right by a force [N] over its width of 0.1 m.
World pulled_strip(const std::string& cloth, double force)
{
    ClothText text{.mesh = test::flat_grid(21, 3, 1, 0.1), .cloth = R"("density": 0.2, "poisson": 0, )" + cloth};
    text.body = fmt::format(R"("damping": 5, "pins": [{}], "loads": [{{ "name": "pull", "force": [{}, 0, 0],
        "select": {{ "low": [0.49, -1, -1], "high": [1, 1, 1] }} }}])",
                            test::pin_box("left", {-0.5, 0, -1}, {-0.5, 0, 1}), force);
    text.solver = kSettling, text.world = kWeightless;
    return test::world_of(test::scene_of(text));
}

double settled_length(World& world)
{
    test::settle(world, 1e-6, 1000);
    return test::measure(world, "sheet.size.x");
}

TEST(Modes, AreSwitchedWhileItMoves)
{
    // 1 N over 0.1 m on 200 N/m is a strain of 5 %.
    World world = pulled_strip(R"("stretch": 200, "model": "baraff_witkin", "bend": 1e-4)", 1);
    EXPECT_NEAR(settled_length(world), 1.05, 1e-3);
    test::set(world, "bodies.sheet.cloth.stretch_u", to_live(400.0));
    EXPECT_NEAR(settled_length(world), 1.025, 1e-3);
    test::set(world, "bodies.sheet.cloth.rest_stretch_u", to_live(1.1));
    // The threads are 1.1 times as long, and carry the same tension at the same strain.
    EXPECT_NEAR(settled_length(world), 1.1 * 1.025, 2e-3);
    test::set(world, "bodies.sheet.cloth.stretch_enabled", to_live(false));
    step(world, 0.5);
    EXPECT_GT(test::measure(world, "sheet.size.x"), 1.3);
    EXPECT_GT(std::abs(test::measure(world, "energy.switched")), 1e-3);
}

TEST(Modes, WithoutShearSquaresLeanWithoutForce)
{
    for (const bool has_shear : {true, false}) {
        ClothText text{.mesh = test::flat_grid(5, 5, 1, 1)};
        text.cloth = R"("density": 0.2, "stretch": 500, "poisson": 0, "model": "baraff_witkin", "bending": "none")";
        text.body = fmt::format(R"("pins": [{}])", test::pin_box("left", {-0.5, 0, -1}, {-0.5, 0, 1}));
        World world = test::world_of(test::scene_of(text));
        test::set(world, "bodies.sheet.cloth.shear_enabled", to_live(has_shear));
        // Every thread turned by the same angle and none longer: only wu.wv is not zero.
        for (Vec3& x : world.state.x) {
            const double out = x.x + 0.5;
            x.z += out * std::sin(0.1), x.x = out * std::cos(0.1) - 0.5;
        }
        const double energy = test::measure(world, "energy.elastic"), expected = 0.5 * 250 * std::pow(std::sin(0.1), 2);
        EXPECT_NEAR(energy, has_shear ? expected : 0, 1e-9) << has_shear;
    }
}

TEST(Modes, WithoutBendingAFoldHoldsNoEnergy)
{
    for (const char* bending : {"hinges", "quadratic"}) {
        ClothText text{.mesh = test::flat_grid(9, 3, 1, 0.25), .world = kWeightless};
        text.cloth = fmt::format(R"("density": 0.2, "stretch": 500, "bend": 1e-2, "bending": "{}")", bending);
        World world = test::world_of(test::scene_of(text));
        for (Vec3& x : world.state.x)
            if (x.x > 0) x.y = x.x, x.x = 0;
        const double folded = test::measure(world, "energy.elastic");
        test::set(world, "bodies.sheet.cloth.bend_enabled", to_live(false));
        EXPECT_GT(folded, 1e-3) << bending;
        EXPECT_NEAR(test::measure(world, "energy.elastic"), 0, 1e-12) << bending;
        EXPECT_NEAR(test::measure(world, "energy.switched"), -folded, 1e-12) << bending;
    }
}

TEST(StrainLimit, HoldsAnOverloadedStripNearIt)
{
    // 5 N over 0.1 m on 100 N/m would be half as long again; the stop is 2000 N/m.
    World free_strip = pulled_strip(R"("stretch": 100, "model": "baraff_witkin")", 5);
    EXPECT_NEAR(settled_length(free_strip), 1.5, 0.01);
    World limited = pulled_strip(R"("stretch": 100, "model": "baraff_witkin", "strain_limit": 0.1)", 5);
    const double length = settled_length(limited);
    EXPECT_GT(length, 1.1);
    EXPECT_LT(length, 1.13);
    World below = pulled_strip(R"("stretch": 100, "model": "baraff_witkin", "strain_limit": 0.1)", 0.5);
    EXPECT_NEAR(settled_length(below), 1.05, 1e-3);
}

TEST(Seams, CloseTheGapBetweenTwoEdges)
{
    // Two panels of 0.4 m side by side, 0.2 m apart, in one mesh.
    std::string vertices, triangles;
    constexpr int kSide = 5;
    for (int panel = 0; panel < 2; ++panel)
        for (int j = 0; j < kSide; ++j)
            for (int i = 0; i < kSide; ++i) {
                vertices += fmt::format("{}[{}, 0, {}]", vertices.empty() ? "" : ", ", 0.6 * panel + 0.1 * i, 0.1 * j);
                if (i + 1 == kSide || j + 1 == kSide) continue;
                const int a = (panel * kSide + j) * kSide + i, b = a + kSide;
                triangles += fmt::format("{}[{}, {}, {}], [{}, {}, {}]", triangles.empty() ? "" : ", ", a, b, a + 1,
                                         a + 1, b, b + 1);
            }
    ClothText text{.mesh = fmt::format(R"("vertices": [{}], "triangles": [{}])", vertices, triangles),
                   .cloth = R"("density": 0.2, "stretch": 200, "bend": 1e-4)",
                   .solver = kSettling,
                   .world = kWeightless};
    text.body = R"("damping": 5, "seams": [{ "from": { "low": [0.39, -1, -1], "high": [0.41, 1, 1] },
        "to": { "low": [0.59, -1, -1], "high": [0.61, 1, 1] } }])";
    World world = test::world_of(test::scene_of(text));
    test::settle(world, 1e-5, 1000);
    for (int j = 0; j < kSide; ++j) {
        const auto left = static_cast<std::size_t>(j * kSide + kSide - 1);
        const auto right = static_cast<std::size_t>((kSide + j) * kSide);
        EXPECT_LT(norm(world.state.x[left] - world.state.x[right]), 1e-3) << j;
    }
    EXPECT_LT(test::measure(world, "sheet.strain.max"), 1e-2);
}

Vec3 angular_momentum(const World& world)
{
    Vec3 sum;
    for (std::size_t i = 0; i < world.model->mass.size(); ++i)
        sum += cross(world.state.x[i], world.state.v[i]) * world.model->mass[i];
    return sum;
}

TEST(FreeSheet, KeepsMomentumAndAngularMomentum)
{
    for (const char* model : {"st_venant_kirchhoff", "baraff_witkin", "neo_hookean", "springs"})
        for (const char* bending : {"hinges", "quadratic"}) {
            ClothText text{.mesh = test::flat_grid(7, 7, 0.5, 0.5), .world = kWeightless};
            // Rows of quadratic bending turn with the sheet, so its damping resists turning: none here.
            text.cloth =
                fmt::format(R"("density": 0.2, "stretch": 20, "bend": 1e-4, "damping_time": 1e-2, "model": "{}",
                "bending": "{}", "bend_damping_time": {})",
                            model, bending, bending == std::string("hinges") ? 1e-2 : 0);
            text.body = R"("velocity": [1, 2, -1], "angular_velocity": [3, 1, 2])";
            text.solver = R"("kind": "rk4", "step": 2e-3, "substeps": "auto")";
            World world = test::world_of(test::scene_of(text));
            for (std::size_t i = 0; i < world.state.v.size(); i += 3) world.state.v[i].y += 0.5;
            const Vec3 before = angular_momentum(world);
            const double moving = test::measure(world, "momentum.y");
            ASSERT_FALSE(step_to(world, 0.2).failed()) << model;
            EXPECT_NEAR(test::measure(world, "momentum.y"), moving, 1e-12) << model << bending;
            EXPECT_LT(norm(angular_momentum(world) - before), 1e-6 * norm(before)) << model << bending;
            EXPECT_GT(test::measure(world, "energy.dissipated"), 0) << model << bending;
        }
}

TEST(RubberBalloon, HasThePressureOfTheory)
{
    // Seen: 0.39 % above at three subdivisions, 0.10 % at four, at any stretch: area over volume of the polyhedron.
    constexpr double kShear = 5e5, kThickness = 2.5e-4, kRadius = 0.1, kOutside = 101325;
    constexpr std::array<double, 2> kBound{0.006, 0.002};
    for (const int subdivisions : {3, 4})
        for (const double stretch : {1.1, 1.2, 1.35, 1.6, 2.5}) {
            const double volume = 4 * std::numbers::pi / 3 * std::pow(kRadius * stretch, 3);
            const double over = reference::balloon_pressure(stretch, kShear, kThickness, kRadius);
            const double gas = (kOutside + over) * volume;
            ClothText text{.mesh = fmt::format(R"("icosphere": {}, "radius": {})", subdivisions, kRadius)};
            text.cloth = fmt::format(R"("density": 0.235, "stretch": {}, "model": "neo_hookean", "bending": "none")",
                                     3 * kShear * kThickness);
            text.body = fmt::format(R"("damping": 5, "gas": {{ "k_g": {}, "outside": {} }})", gas, kOutside);
            text.solver = R"("kind": "implicit_euler", "step": 0.05, "accuracy": 1e-7)", text.world = kWeightless;
            World world = test::world_of(test::scene_of(text));
            const double start = test::measure(world, "sheet.volume");
            for (Vec3& x : world.state.x) x *= 0.98 * stretch;
            test::settle(world, 1e-6, 100);
            const double grown = test::measure(world, "sheet.volume"), inside = test::measure(world, "sheet.pressure");
            const double exact = reference::balloon_pressure(std::cbrt(grown / start), kShear, kThickness, kRadius);
            EXPECT_NEAR(inside - kOutside, exact, kBound[subdivisions == 3 ? 0 : 1] * exact) << stretch;
            EXPECT_NEAR(inside * grown, gas, 1e-13 * gas) << stretch;
        }
}

// All problems of a scene with one cloth, one a line.
std::string problems_of(const std::string& mesh, const std::string& cloth, const std::string& body = R"("damping": 0)")
{
    const SceneRead read = parse_scene(test::scene_of({.mesh = mesh, .cloth = cloth, .body = body}), "test.json", {});
    std::string all;
    for (const Problem& problem : read.problems) all += to_string(problem) + "\n";
    if (!read.problems.empty()) return all;
    for (const Problem& problem : try_build(read.scene).problems) all += to_string(problem) + "\n";
    return all;
}

struct Refused {
    const char *cloth, *body, *place, *cure;
};

TEST(WrongCloth, IsRefusedWithItsKeyAndACure)
{
    const std::string grid = test::flat_grid(5, 5, 1, 1), good = R"("density": 0.2, "stretch": 100)";
    EXPECT_EQ(problems_of(grid, good), "");
    const Refused cases[] = {
        {R"("fabric": "cottn")", "", "/bodies/sheet/cloth/fabric", "cotton"},
        {R"("stretch": 100)", "", "/bodies/sheet/cloth/density", "\"density\": 0.2"},
        {R"("density": 0.2)", "", "/bodies/sheet/cloth/stretch", "\"stretch\": 1000"},
        {R"("density": 0.2, "stretch_u": 100, "stretch_v": 50, "model": "neo_hookean")", "",
         "/bodies/sheet/cloth/model", "st_venant_kirchhoff"},
        {R"("density": 0.2, "stretch": 100, "poisson": -0.5, "model": "neo_hookean")", "",
         "/bodies/sheet/cloth/poisson", "0.5 is rubber"},
        {R"("density": 0.2, "stretch": 100, "bending": "quadratic", "rest_angles": "start")", "",
         "/bodies/sheet/cloth/rest_angles", "hinges"},
        {R"("density": 0.2, "stretch": 100, "poisson": 1.5)", "", "/bodies/sheet/cloth/poisson", ""},
        {R"("density": 0.2, "stretch": 100, "modle": "springs")", "", "/bodies/sheet/cloth/modle", "model"},
        {R"("density": 0.2, "stretch": 100)", R"("springs": { "k_s": 1 })", "/bodies/sheet/springs", "\"cloth\""},
        {R"("density": 0.2, "stretch": 100)", R"("seams": [{ "from": [0], "to": [0] }])", "/bodies/sheet/seams/0",
         "two edges"},
    };
    for (const Refused& wrong : cases) {
        const std::string said = problems_of(grid, wrong.cloth, *wrong.body ? wrong.body : R"("damping": 0)");
        EXPECT_NE(said.find(wrong.place), std::string::npos) << wrong.cloth << ": " << said;
        EXPECT_NE(said.find(wrong.cure), std::string::npos) << wrong.cloth << ": " << said;
    }
    const std::string line = problems_of(R"("vertices": [[0, 0, 0], [1, 0, 0], [2, 0, 0], [0, 0, 1]],
        "triangles": [[0, 1, 2], [0, 3, 1], [1, 3, 2]])",
                                         good);
    EXPECT_NE(line.find("/bodies/sheet/mesh"), std::string::npos) << line;
    EXPECT_NE(line.find("triangle 0"), std::string::npos) << line;
}

TEST(ClothMass, IsThatOfTheRestShape)
{
    // A square metre in (u, v) that begins squeezed to half its width.
    const std::string path = testing::TempDir() + "squeezed.obj";
    std::ofstream(path) << "v 0 0 0\nv 0.5 0 0\nv 0.5 0 1\nv 0 0 1\nvt 0 0\nvt 1 0\nvt 1 1\nvt 0 1\n"
                           "f 1/1 3/3 2/2\nf 1/1 4/4 3/3\n";
    ClothText text{.mesh = fmt::format(R"("file": "{}")", path)};
    text.cloth = R"("density": 0.2, "stretch": 100, "bending": "none", "rest_shape": "uv")";
    text.body = R"("pins": [{ "name": "all", "select": "all" }])";
    text.solver = R"("kind": "rk4")";
    World world = test::world_of(test::scene_of(text));
    EXPECT_NEAR(test::measure(world, "all.reaction.y"), 0.2 * test::kGravity, 1e-12);
}

TEST(Projection, ObeysTheSwitchesOfItsModes)
{
    ClothText text{.mesh = test::upright_grid(6, 6, 1, 1)};
    text.body = R"("pins": [{ "select": [0, 5] }])";
    text.solver = R"("kind": "projection", "step": 0.01, "iterations": 10)";
    double low[2];
    for (const bool enabled : {false, true}) {
        text.cloth = fmt::format(R"("density": 0.2, "stretch": 100, "shear": 10, "model": "thesis_springs",
            "bending": "none", "stretch_enabled": {0}, "shear_enabled": {0})",
                                 enabled);
        World world = test::world_of(test::scene_of(text));
        ASSERT_FALSE(step_to(world, 0.5).failed());
        low[enabled ? 1 : 0] = test::lowest(world);
    }
    EXPECT_GT(low[1], -1.3);
    // Nothing holds it: all but the pins fall freely, and by h g t more since velocities come first.
    EXPECT_NEAR(low[0], -1 - 0.5 * test::kGravity * 0.25 - 0.5 * test::kGravity * 0.01 * 0.5, 1e-9);
}

TEST(Projection, MovesTheCollidersThatItMeets)
{
    ClothText text{.mesh = test::flat_grid(9, 9, 1, 1)};
    text.cloth = R"("density": 0.2, "stretch": 100, "shear": 10, "model": "thesis_springs", "bending": "none")";
    text.world = R"("gravity": [0, 0, 0])";
    text.solver = R"("kind": "projection", "step": 0.01, "iterations": 10)";
    std::string scene = test::scene_of(text);
    scene.insert(scene.rfind('}'),
                 R"(, "colliders": { "fist": { "sphere": 0.2, "position": [0, -0.25, 0], "motion": [0, 0.5, 0] } })");
    World world = test::world_of(scene);
    ASSERT_FALSE(step_to(world, 1).failed());
    // The fist has gone from -0.25 m to 0.25 m: its top lifts the middle of the sheet to 0.45 m.
    EXPECT_GT(test::at_material_point(world.state.x, 9, 9, 0.5, 0.5).y, 0.4);
}

}  // namespace
}  // namespace pliant
