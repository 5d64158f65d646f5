// SPDX-License-Identifier: MIT

// What materials resist at a vertex: against differences of the elastic energy.

#include <gtest/gtest.h>

#include <cmath>

#include <pliant/solver/forces.h>

#include "world/small_scenes.h"

namespace pliant {
namespace {

// A third of the trace of second differences of the energy by the place of one vertex, at the start shape.
double mean_second_difference(const World& world, std::int32_t vertex, double step)
{
    State state = world.state;
    const double here = energies(*world.model, state).elastic;
    double sum = 0;
    for (int k = 0; k < 3; ++k) {
        const double place = state.x[vertex][k];
        state.x[vertex][k] = place + step;
        const double more = energies(*world.model, state).elastic;
        state.x[vertex][k] = place - step;
        const double less = energies(*world.model, state).elastic;
        state.x[vertex][k] = place;
        sum += (more - 2 * here + less) / (step * step);
    }
    return sum / 3;
}

constexpr const char* kScenes[] = {
    R"({ "world": { "gravity": [0, 0, 0] }, "bodies": { "a": { "kind": "cloth",
        "mesh": { "grid": [5, 4], "size": [0.4, 0.3] },
        "cloth": { "density": 0.2, "stretch": 700, "bend": 1e-3, "model": "neo_hookean" } } } })",
    R"({ "world": { "gravity": [0, 0, 0] }, "bodies": { "a": { "kind": "solid", 
        "mesh": { "tet_block": [2, 2, 2], "size": [0.2, 0.2, 0.2] },
        "material": { "young": 3e4, "poisson": 0.3, "density": 1000 } } } })",
};

class Resistance : public testing::TestWithParam<const char*> {};

TEST_P(Resistance, IsTheMeanCurvatureOfTheElasticEnergy)
{
    const World world = test::world_of(GetParam());
    std::vector<double> resistance;
    find_resistance(resistance, *world.model, world.state);
    ASSERT_EQ(resistance.size(), static_cast<std::size_t>(world.model->free_count));
    for (std::int32_t i = 0; i < world.model->free_count; ++i)
        EXPECT_NEAR(resistance[i], mean_second_difference(world, i, 1e-5), 1e-3 * resistance[i]) << i;
}

// Whatever has moved since: contacts that store energy must not change their stiffness with it.
TEST_P(Resistance, IsThatOfTheStartShape)
{
    World world = test::world_of(GetParam());
    std::vector<double> before, after;
    find_resistance(before, *world.model, world.state);
    for (std::size_t i = 0; i < world.state.x.size(); ++i) world.state.x[i] *= 1.3 + 0.1 * std::sin(double(i));
    find_resistance(after, *world.model, world.state);
    EXPECT_EQ(before, after);
}

INSTANTIATE_TEST_SUITE_P(Materials, Resistance, testing::ValuesIn(kScenes));

}  // namespace
}  // namespace pliant
