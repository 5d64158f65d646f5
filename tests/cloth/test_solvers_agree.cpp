// SPDX-License-Identifier: MIT

// One material, one rest: a sheet hung at two corners comes to the same shape under every solver, within 1 % of its side.

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "cloth/cloth_worlds.h"

namespace pliant {
namespace {

using test::ClothText;

constexpr int kSide = 15;

// A stiff little sheet held at two corners: limp ones have several rests.
World hung_sheet(const std::string& solver)
{
    ClothText text{.mesh = test::upright_grid(kSide, kSide, 1, 1, "alternating"), .solver = solver};
    text.cloth = R"("density": 0.2, "stretch": 200, "poisson": 0.3, "bend": 1e-3, "bending": "quadratic")";
    text.world = R"("gravity": [0, -9.8, 0.5])";
    text.body = R"("damping": 8, "pins": [{ "select": [{ "around": [-0.5, 0, 0] }, { "around": [0.5, 0, 0] }] }])";
    return test::world_of(test::scene_of(text));
}

class HungByTwoCorners : public testing::TestWithParam<std::string> {};

TEST_P(HungByTwoCorners, HasTheSameShapeAtRestUnderEverySolver)
{
    World reference = hung_sheet(R"("kind": "implicit_euler", "step": 0.05, "accuracy": 1e-6)");
    test::settle(reference, 1e-5, 2000);
    World world = hung_sheet(GetParam());
    // From near the rest: what counts here is where the solver stays, not how it gets there.
    for (int i = 0; i < 200 && !testing::Test::HasFailure(); ++i) {
        const StepReport report = step(world, 0.02);
        ASSERT_FALSE(report.failed()) << explain(report.issue, *world.model);
    }
    EXPECT_LT(test::rms_distance(world.state.x, kSide, reference.state.x, kSide), 0.01);
}

INSTANTIATE_TEST_SUITE_P(
    Cloth, HungByTwoCorners,
    testing::Values(R"("kind": "semi_implicit_euler", "step": 0.02, "substeps": "auto")",
                    R"("kind": "velocity_verlet", "step": 0.02, "substeps": "auto")",
                    R"("kind": "linearly_implicit_euler", "step": 0.01)",
                    R"("kind": "bdf2", "step": 0.01, "accuracy": 0.05)",
                    R"("kind": "xpbd", "step": 0.002, "iterations": 4)",
                    R"("kind": "vbd", "step": 0.002, "iterations": 2)",
                    R"("kind": "bdf2", "step": 0.01, "accuracy": 0.05, "linear_solver": "aggregation")"));

}  // namespace
}  // namespace pliant
