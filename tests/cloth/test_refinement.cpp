// SPDX-License-Identifier: MIT

// Materials that survive refinement: the same sheet on 25, 50 and 100 vertices a side, hung by an edge and by two corners,
// for every model whose numbers are a material's; and seed 003's own variants, whose stiffness is the mesh's.
//
// Bounds are of the issue: 1 % of the side. What was seen is written beside them.
// Reference: seeds/003.md, section 3.6 item 7, for the drift of a^(3/4).

#include <array>
#include <cmath>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "cloth/cloth_worlds.h"
#include "cloth/references.h"

namespace pliant {
namespace {

using test::ClothText;

constexpr std::array<int, 3> kMeshes{25, 50, 100};
constexpr double kSide = 1, kDensity = 0.2, kWeight = kDensity * test::kGravity;

// Steps so long that nothing swings: every one is nearly a balance, and none needs a matrix without inertia.
// Folded shapes end at speeds [m/s] a few times what Newton's method leaves, flat ones are exact.
const std::string kSettling = R"("kind": "implicit_euler", "step": 0.1, "accuracy": 1e-4)";
const std::string kExact = R"("kind": "implicit_euler", "step": 0.4, "accuracy": 1e-6)";
constexpr double kStill = 6e-4, kExactlyStill = 1e-5;

struct Materials : testing::TestWithParam<std::tuple<const char*, const char*>> {
    std::string model() const { return std::get<0>(GetParam()); }
    std::string cloth(double stretch, double bend, const std::string& more = "") const
    {
        return fmt::format(R"("density": {}, "stretch": {}, "bend": {}, "model": "{}", "bending": "{}"{})", kDensity,
                           stretch, bend, model(), std::get<1>(GetParam()), more);
    }
};

// [m] of a sheet hung by its upper edge, below that edge.
double hung_by_edge(int n, double side, const std::string& cloth)
{
    ClothText text{.mesh = test::upright_grid(n, n, side, side), .cloth = cloth};
    text.body = fmt::format(R"("damping": 1, "pins": [{}])", test::pin_box("top", {-side, 0, 0}, {side, 0, 0}));
    text.solver = kExact;
    World world = test::world_of(test::scene_of(text));
    test::settle(world, kExactlyStill, 200);
    return -test::lowest(world);
}

TEST_P(Materials, HangByAnEdgeAsFarOnEveryMesh)
{
    // Seen: 1.0446, 1.0486, 1.0505, 1.0491 m for the four models, each the same on all meshes within 0.015 %.
    const std::string sheet = cloth(20, 1e-4);
    double before = 0;
    for (const int n : kMeshes) {
        const double now = hung_by_edge(n, kSide, sheet);
        if (before > 0) {
            EXPECT_NEAR(now, before, 1e-3 * kSide) << n;
        }
        before = now;
    }
    EXPECT_GT(before, kSide + 0.04);
}

TEST_P(Materials, HangByAnEdgeAsFarAsAStripOfTheirLaw)
{
    if (model() == "neo_hookean") return;  // always narrows; as a strip in test_hanging.cpp
    // No Poisson's ratio: what holds the width of the upper edge then stiffens nothing.
    const auto law =
        model() == "st_venant_kirchhoff" ? reference::StripLaw::st_venant_kirchhoff : reference::StripLaw::linear;
    const double expected = reference::hung_sheet(kSide, kWeight, law, 20, 0).lowest;
    // Springs narrow by their shear; a little is left to keep squares square.
    const std::string sheet =
        cloth(20, 1e-4, model() == "springs" ? R"(, "poisson": 0, "shear": 0.2)" : R"(, "poisson": 0)");
    EXPECT_NEAR(hung_by_edge(50, kSide, sheet), expected, 1e-4 * kSide);
}

// The sheet hung by two corners, each held over a patch of 2 cm, gravity leaning by 3 degrees so that no shape
// but one is at rest. The finer meshes start from where the coarser one came to.
std::vector<Vec3> hung_by_corners(int n, const std::string& cloth, const std::vector<Vec3>& start, int start_n)
{
    constexpr double kPatch = 0.021, kHalf = kSide / 2;
    ClothText text{.mesh = test::upright_grid(n, n, kSide, kSide, "alternating"), .cloth = cloth, .solver = kSettling};
    text.body = fmt::format(R"("damping": 1, "pins": [{}, {}])",
                            test::pin_box("left", {-kHalf, -kPatch, 0}, {kPatch - kHalf, 0, 0}),
                            test::pin_box("right", {kHalf - kPatch, -kPatch, 0}, {kHalf, 0, 0}));
    text.world = R"("gravity": [0, -9.8, 0.5])";
    World world = test::world_of(test::scene_of(text));
    if (!start.empty()) test::take_shape(world, n, start, start_n);
    test::settle(world, kStill, 100);
    return world.state.x;
}

TEST_P(Materials, HangByTwoCornersInOneShapeOnEveryMesh)
{
    // Seen: 0.14 to 0.17 % of the side from 25 to 50, 0.01 to 0.02 % from 50 to 100.
    const std::string sheet = cloth(1000, 1e-3);
    std::vector<Vec3> shape;
    int before = 0;
    for (const int n : kMeshes) {
        const std::vector<Vec3> now = hung_by_corners(n, sheet, shape, before);
        if (before > 0) {
            EXPECT_LT(test::rms_distance(shape, before, now, n), (n == 50 ? 0.003 : 0.001) * kSide) << n;
        }
        shape = now, before = n;
    }
}

INSTANTIATE_TEST_SUITE_P(
    Cloth, Materials,
    testing::Combine(testing::Values("st_venant_kirchhoff", "baraff_witkin", "neo_hookean", "springs"),
                     testing::Values("hinges", "quadratic")),
    [](const auto& tested) { return fmt::format("{}_{}", std::get<0>(tested.param), std::get<1>(tested.param)); });

constexpr std::array<int, 4> kThesisMeshes{10, 25, 50, 71};

std::string thesis_sheet(const std::string& model)
{
    return fmt::format(R"("density": 0.2, "stretch": 500, "shear": 50, "poisson": 0, "bend": 1e-5, "model": "{}")",
                       model);
}

TEST(Thesis, SheetOfBaraffWitkinSoftensAsItIsRefined)
{
    // The replica's figures; 2.008 with energies linear in area.
    constexpr std::array<double, 4> kReplica{2.051, 2.134, 2.272, 2.389};
    for (std::size_t i = 0; i < kThesisMeshes.size(); ++i) {
        const int n = kThesisMeshes[i];
        EXPECT_NEAR(hung_by_edge(n, 2, thesis_sheet("thesis_baraff_witkin")), kReplica[i], 1.5e-3) << n;
        EXPECT_NEAR(hung_by_edge(n, 2, thesis_sheet("baraff_witkin")), 2.008, 5e-4) << n;
    }
}

TEST(Thesis, SpringsByForcesKeepTheirStretchAndTripleItWithFullAreas)
{
    const std::string full = thesis_sheet("thesis_springs") + R"(, "mass_rule": "thesis_full_area")";
    for (const int n : kThesisMeshes) {
        const double once = hung_by_edge(n, 2, thesis_sheet("thesis_springs")) - 2;
        EXPECT_NEAR(once, 0.007, 5e-4) << n;
        EXPECT_NEAR(hung_by_edge(n, 2, full) - 2, 3 * once, 0.03 * 3 * once) << n;
    }
}

TEST(Thesis, ProjectionIsSofterOnFinerMeshesAndStifferWithMoreSweeps)
{
    // Seen: 2.014, 2.113, 2.474 m with one sweep a step, 2.001, 2.010, 2.048 m with ten.
    const auto hung = [](int n, int sweeps) {
        ClothText text{.mesh = test::upright_grid(n, n, 2, 2),
                       .cloth = thesis_sheet("thesis_springs") + R"(, "bending": "springs")"};
        text.body = fmt::format(R"("pins": [{}])", test::pin_box("top", {-2, 0, 0}, {2, 0, 0}));
        text.solver = fmt::format(
            R"("kind": "projection", "step": 0.016, "substeps": 1, "iterations": {}, "thesis_damping": 0.01)", sweeps);
        World world = test::world_of(test::scene_of(text));
        for (int frame = 0; frame < 600; ++frame) EXPECT_FALSE(step(world, 0.016).failed());
        return -test::lowest(world) - 2;
    };
    const double coarse = hung(10, 1), middle = hung(25, 1), fine = hung(50, 1);
    EXPECT_GT(middle, 5 * coarse);
    EXPECT_GT(fine, 3 * middle);
    EXPECT_LT(hung(25, 10), middle / 5);
}

}  // namespace
}  // namespace pliant
