// SPDX-License-Identifier: MIT

// Energy that a step made of nothing is found to the joule and taken back from the motion of what touches; momenta stay.

#include <algorithm>
#include <cmath>
#include <random>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <pliant/solver/forces.h>
#include <pliant/world/made_energy.h>

#include "world/momenta.h"
#include "world/small_scenes.h"

namespace pliant {
namespace {

using test::Momenta, test::momenta_of, test::world_of;

// A box and a soft block fall on a sheet, in the air; another sheet is far away.
const char* const kThings = R"({ "world": { "gravity": [0, 0, 0], "frame_rate": 100 },
    "solver": { "kind": "implicit_euler", "step": 0.005 }, "contact": { "response": "barrier" }, "bodies": {
        "sheet": { "kind": "cloth", "mesh": { "grid": [9, 9], "size": [0.3, 0.3] }, "friction": 0.5, "thickness": 0.004,
            "cloth": { "density": 0.2, "stretch": 300, "bend": 1e-4 } },
        "box": { "kind": "rigid", "box": [0.1, 0.06, 0.08], "position": [0.06, 0.035, 0], "velocity": [0, -0.5, 0],
            "angular_velocity": [1, 2, 0], "mass": 0.05, "friction": 0.5, "thickness": 0.002 },
        "block": { "kind": "solid", "mesh": { "tet_block": [2, 2, 2], "size": [0.08, 0.08, 0.08] },
            "position": [-0.08, 0.045, 0], "velocity": [0, -0.5, 0.3], "friction": 0.5, "thickness": 0.002,
            "material": { "young": 2e4, "poisson": 0.3, "density": 100 } },
        "far": { "kind": "cloth", "mesh": { "grid": [4, 4], "size": [0.3, 0.3] }, "position": [2, 0, 0], "velocity": [0, 1, 0],
            "cloth": { "density": 0.2, "stretch": 300, "bend": 1e-4 } } } })";

World touching_world()
{
    World w = world_of(kThings);
    for (int i = 0; i < 8; ++i) EXPECT_FALSE(step(w, 0.005).failed());
    for (const char* body : {"sheet", "box", "block"})
        for (std::size_t b = 0; b < w.model->bodies.size(); ++b)
            EXPECT_TRUE(w.model->bodies[b].name != body || w.state.touched[b] == 1) << body;
    return w;
}

// As an integrator would that gains something: every vertex of the sheets a little faster, without what that does to momenta.
void stir(World& w, double speed)
{
    std::mt19937 random(3);
    std::normal_distribution<double> normal(0, speed);
    for (std::int32_t i = 0; i < w.model->free_count; ++i)
        for (int k = 0; k < 3; ++k) w.state.v[i][k] += normal(random);
}

TEST(MadeEnergy, IsTakenBackAndMomentaStay)
{
    World w = touching_world();
    const State from = w.state;
    stir(w, 0.05);
    const double first = energies(*w.model, from).total(), stirred = energies(*w.model, w.state).total();
    ASSERT_GT(stirred, first);
    const MadeEnergy made = made_energy(w.state, *w.model, from, {});
    EXPECT_NEAR(made.energy, stirred - first, 1e-12 * stirred);
    const Momenta before = momenta_of(w);
    const State fast = w.state;
    PieceMotions pieces(*w.model);
    take_back(w.state, *w.model, made.energy, pieces);
    const Momenta after = momenta_of(w);
    EXPECT_NEAR(energies(*w.model, w.state).total(), first, 1e-5 * made.energy);
    EXPECT_NEAR(w.state.tally.taken, made.energy, 1e-5 * made.energy);
    EXPECT_LT(norm(after.linear - before.linear), 1e-12 * norm(before.linear));
    EXPECT_LT(norm(after.angular - before.angular), 1e-9 * norm(before.angular));
    const auto is_far = [](const Body& body) { return body.name == "far"; };
    const Body& far = *std::find_if(w.model->bodies.begin(), w.model->bodies.end(), is_far);
    for (std::int32_t i = far.first_point; i < far.first_point + far.point_count; ++i)
        EXPECT_EQ(w.state.v[i], fast.v[i]) << "it touches nothing";
}

TEST(MadeEnergy, LeavesRigidBodiesRigidAndWhatIsHeldWhereItIs)
{
    World w = touching_world();
    w.state.held[0] = 7;
    w.state.v[0] = {0.1, 0.2, 0.3};
    stir(w, 0.05);
    const State fast = w.state;
    w.state.v[0] = {0.1, 0.2, 0.3};
    PieceMotions pieces(*w.model);
    take_back(w.state, *w.model, 1e-4, pieces);
    EXPECT_GT(w.state.tally.taken, 0.99e-4);
    EXPECT_EQ(w.state.v[0], (Vec3{0.1, 0.2, 0.3}));
    const std::int32_t node = w.model->frame_node(0);
    EXPECT_NE(w.state.v[node], fast.v[node]);
    // Axes of one length at right angles stay so.
    for (int a = 1; a < 4; ++a)
        for (int b = a; b < 4; ++b)
            EXPECT_NEAR(dot(w.state.x[node + a], w.state.v[node + b]) + dot(w.state.x[node + b], w.state.v[node + a]),
                        0, 1e-9);
}

TEST(MadeEnergy, IsNoneWhereEnergyFellOrHandsGaveIt)
{
    World w = touching_world();
    const State from = w.state;
    EXPECT_EQ(made_energy(w.state, *w.model, from, {}).energy, 0);
    for (std::int32_t i = 0; i < w.model->free_count; ++i) w.state.v[i] = w.state.v[i] * 0.9;
    EXPECT_EQ(made_energy(w.state, *w.model, from, {}).energy, 0);
    w.state = from;
    stir(w, 0.05);
    const double grew = energies(*w.model, w.state).total() - energies(*w.model, from).total();
    EXPECT_EQ(made_energy(w.state, *w.model, from, {.by_mean_forces = 0, .by_end_forces = 2 * grew}).energy, 0);
    w.state.ledger.external += 2 * grew;
    EXPECT_EQ(made_energy(w.state, *w.model, from, {}).energy, 0);
}

TEST(MadeEnergy, IsMuchAgainstWhatMovesAndWhatContactsStore)
{
    World w = touching_world();
    const State from = w.state;
    w.state.ledger.external -= 1e-3 * energies(*w.model, from).kinetic;
    EXPECT_GT(made_energy(w.state, *w.model, from, {}).energy, 0);
    EXPECT_FALSE(made_energy(w.state, *w.model, from, {}).is_much);
    w.state.ledger.external -= energies(*w.model, from).kinetic + from.tally.energy;
    EXPECT_TRUE(made_energy(w.state, *w.model, from, {}).is_much);
}

}  // namespace
}  // namespace pliant
