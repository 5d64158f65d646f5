// SPDX-License-Identifier: MIT

// The thesis' temporary contact springs: forces from their energy, how long they live, the account of their energy.

#include <pliant/response/thesis_springs.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <pliant/contact/surface_pairs.h>
#include <pliant/solver/forces.h>

#include "world/small_scenes.h"

namespace pliant {
namespace {

using test::measure, test::world_of;

// Two soft blocks on their way towards each other, the second one turned so that an edge leads.
constexpr std::string_view kMeeting = R"({ "world": { "gravity": [0, 0, 0] },
    "solver": { "kind": "rkf45", "step": 0.002, "tolerance": 1e-7 },
    "contact": { "response": "thesis_springs", "k": 200 },
    "bodies": {
        "a": { "kind": "solid", "elements": "linear", "position": [-0.07, 0, 0], "velocity": [0.5, 0, 0],
               "mesh": { "tet_block": [2, 2, 2], "size": [0.1, 0.1, 0.1] },
               "material": { "young": 2e4, "poisson": 0.3, "density": 1000 } },
        "b": { "kind": "solid", "elements": "linear", "position": [0.07, 0.013, 0.021],
               "mesh": { "tet_block": [2, 2, 2], "size": [0.1, 0.1, 0.1],
                         "rotate_axis": [0, 0.6, 0.8], "rotate_degrees": 35 },
               "material": { "young": 2e4, "poisson": 0.3, "density": 1000 } } } })";

Touch touch_of(const CollisionSurface& surface, const SurfacePair& pair, const std::array<double, 4>& weight)
{
    return {.key = pair.key(), .node = pair_nodes(surface, pair), .weight = weight, .side = 1};
}

TEST(ThesisSprings, ForcesAreTheSlopeOfTheEnergy)
{
    World world = world_of(kMeeting);
    const CollisionSurface& surface = world.model->surface;
    const auto last_face = static_cast<std::int32_t>(surface.faces.size()) - 1;
    const auto last_edge = static_cast<std::int32_t>(surface.edges.size()) - 1;
    State& state = world.state;
    state.touches = {touch_of(surface, {PairKind::vertex_face, 3, last_face}, {1, 0.2, 0.5, 0.3}),
                     touch_of(surface, {PairKind::edge_edge, 5, last_edge}, {0.3, 0.7, 0.9, 0.1})};
    std::vector<Vec3> force(state.x.size());
    add_contact_springs(force, state, state.x);
    EXPECT_GT(contact_spring_energy(state), 0);
    Vec3 sum;
    for (std::size_t i = 0; i < force.size(); ++i) {
        sum += force[i];
        for (int k = 0; k < 3; ++k) {
            const double kept = state.x[i][k], step = 1e-6;
            state.x[i][k] = kept + step;
            const double more = contact_spring_energy(state);
            state.x[i][k] = kept - step;
            const double less = contact_spring_energy(state);
            state.x[i][k] = kept;
            EXPECT_NEAR(force[i][k], -(more - less) / (2 * step), 1e-6);
        }
    }
    EXPECT_LT(norm(sum), 1e-12);
    // A node's own rate is below the bound.
    double most = 0;
    for (const Touch& t : state.touches)
        for (std::size_t k = 0; k < 4; ++k)
            most = std::max(most, 200 * t.weight[k] * t.weight[k] * world.model->inverse_mass[t.node[k]]);
    EXPECT_GE(contact_spring_rate(*world.model, state), most);
}

TEST(ThesisSprings, ComeWithACollisionAndGoWhenBodiesPart)
{
    World world = world_of(kMeeting);
    const Vec3 start{measure(world, "momentum.x"), measure(world, "momentum.y"), measure(world, "momentum.z")};
    std::size_t most = 0;
    double deepest = 0, stored = 0;
    for (int i = 0; i < 100; ++i) {
        ASSERT_EQ(step(world, 0.005).status, Status::ok);
        most = std::max(most, world.state.touches.size());
        deepest = std::max(deepest, measure(world, "penetration.deepest"));
        stored = std::max(stored, measure(world, "energy.contact"));
        // No vertex has two springs on faces, no pair two.
        std::vector<std::uint64_t> rows;
        for (const Touch& t : world.state.touches) {
            const SurfacePair pair = SurfacePair::from_key(t.key);
            rows.push_back(pair.kind == PairKind::vertex_face ? static_cast<std::uint64_t>(pair.a) : t.key);
        }
        std::sort(rows.begin(), rows.end());
        EXPECT_EQ(std::adjacent_find(rows.begin(), rows.end()), rows.end());
    }
    EXPECT_GT(most, 2u);
    EXPECT_GT(deepest, 1e-5);  // bodies overlap while springs act: the thesis says so too
    EXPECT_GT(stored, 1e-4);
    EXPECT_TRUE(world.state.touches.empty());
    EXPECT_GT(measure(world, "b.velocity.x"), 0.2);
    const Vec3 end{measure(world, "momentum.x"), measure(world, "momentum.y"), measure(world, "momentum.z")};
    EXPECT_LT(norm(end - start), 1e-12);
    // All energy is accounted for: what springs began and ended with is booked.
    EXPECT_LT(measure(world, "energy.error"), 1e-3);
    EXPECT_LT(std::abs(world.state.ledger.switched), 0.02 * 0.125);
}

TEST(ThesisSprings, RememberTheSideFromWhichEdgesCame)
{
    World world = world_of(kMeeting);
    bool has_edges = false;
    for (int i = 0; i < 100 && !has_edges; ++i) {
        step(world, 0.002);
        for (const Touch& t : world.state.touches)
            if (SurfacePair::from_key(t.key).kind == PairKind::edge_edge) {
                has_edges = true;
                EXPECT_EQ(std::abs(t.side), 1);
            } else
                EXPECT_EQ(t.side, 1);
    }
    EXPECT_TRUE(has_edges);
}

}  // namespace
}  // namespace pliant
