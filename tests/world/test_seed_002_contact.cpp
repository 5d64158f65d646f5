// SPDX-License-Identifier: MIT

// Acceptance of seed 002 where solids meet: S2 (elast) and S4 (gizmo), counts of the tables of section 7 and what was
// observed. What a scene can say alone is in its `expect`.

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <pliant/contact/surface_pairs.h>

#include "world/history.h"

namespace pliant {
namespace {

using test::History, test::history, test::overrides;

World world_of_scene(const std::string& name)
{
    return build(load_scene(std::string(PLIANT_SCENES) + "/" + name + ".json"));
}

std::size_t held_vertices(const World& world)
{
    return static_cast<std::size_t>(std::count(world.state.held.begin(), world.state.held.end(), 7));
}

TEST(Elast, HasTheCountsOfTheThesis)
{
    const World world = world_of_scene("elast");
    const CollisionSurface& surface = world.model->surface;
    EXPECT_EQ(surface.tets.size(), 836u);
    EXPECT_EQ(world.model->free_count, 283);
    EXPECT_EQ(held_vertices(world), 12u);
    EXPECT_EQ(surface.vertices.size(), 232u);
    EXPECT_EQ(surface.edges.size(), 678u);
    EXPECT_EQ(surface.faces.size(), 452u);
    // 329339 in the thesis; the uniform cut into six gives 24 more (seeds/002 section 7.2).
    EXPECT_EQ(relevant_pair_count(surface), 329363u);
}

void check_elast(const std::vector<std::string>& set, double balance)
{
    const History run = history("elast", set);
    ASSERT_FALSE(run.last.failed());
    EXPECT_EQ(run.max_from("penetration.deepest", 0), 0);
    EXPECT_EQ(run.column("contacts.held").back(), 0);
    EXPECT_GT(run.max_from("contacts", 0), 5);
    EXPECT_LT(run.max_from("energy.error", 0), balance);
    // The bed sags under the blow and swings back.
    const std::vector<double> bed = run.column("bed.center.y");
    const auto lowest = std::min_element(bed.begin(), bed.end());
    EXPECT_LT(*lowest, -0.03);
    EXPECT_GT(*std::max_element(lowest, bed.end()), *lowest + 0.003);
    // The cube has left after a second and falls freely.
    EXPECT_LT(run.at("cube.center.y", 1), -0.3);
    EXPECT_NEAR((run.at("cube.velocity.y", 1.5) - run.at("cube.velocity.y", 1)) / 0.5, -4, 1e-6);
    EXPECT_NEAR(run.at("cube.velocity.x", 1.5), run.at("cube.velocity.x", 1), 1e-9);
    // The ball is still on the bed.
    EXPECT_GT(run.column("ball.center.y").back(), -0.02);
}

TEST(Elast, TheCubeFallsOffTheBedAndTheBallStays)
{
    check_elast({"world.duration=1.5"}, 0.02);
}

TEST(Elast, DoesTheSameUnderAnExplicitSolver)
{
    check_elast({"world.duration=1.5", "solver.kind=rkf45", "solver.tolerance=1e-5"}, 0.01);
}

TEST(Elast, RunsWithTheSpringsOfTheThesis)
{
    const History run = history("elast", {"world.duration=1", "solver.kind=rkf45", "solver.tolerance=1e-5",
                                          "contact.response=thesis_springs", "contact.k=200"});
    ASSERT_FALSE(run.last.failed());
    EXPECT_GT(run.max_from("contacts", 0), 5);
    EXPECT_GT(run.max_from("penetration.deepest", 0), 0);  // springs let bodies overlap
    EXPECT_LT(run.max_from("penetration.deepest", 0), 0.02);
    EXPECT_LT(run.max_from("energy.error", 0), 0.03);  // with the springs' energy the balance is horizontal
    EXPECT_GT(run.column("ball.center.y").back(), -0.04);
}

TEST(Gizmo, HasAboutTheCountsOfTheThesis)
{
    const World world = world_of_scene("gizmo");
    EXPECT_EQ(held_vertices(world), 4u);
    EXPECT_NEAR(static_cast<double>(world.model->surface.tets.size()), 659, 0.1 * 659);
    EXPECT_NEAR(world.model->free_count, 249, 0.1 * 249);
}

/// Largest distance of a vertex of the doll, turned by a quarter about the vertical axis, from the nearest one [m].
double asymmetry(const World& world, const State& state)
{
    const Body& doll = world.model->bodies[0];
    double worst = 0;
    for (std::int32_t i = doll.first_point; i < doll.first_point + doll.point_count; ++i) {
        const Vec3 turned{state.x[i].z, state.x[i].y, -state.x[i].x};
        double nearest = INFINITY;
        for (std::int32_t j = doll.first_point; j < doll.first_point + doll.point_count; ++j)
            nearest = std::min(nearest, norm(state.x[j] - turned));
        worst = std::max(worst, nearest);
    }
    return worst;
}

TEST(Gizmo, LandsOnItsFeetAndStaysOnItsAxis)
{
    const History run = history("gizmo", {"world.duration=1"});
    ASSERT_FALSE(run.last.failed());
    EXPECT_EQ(run.max_from("penetration.deepest", 0), 0);
    EXPECT_EQ(run.column("contacts.held").back(), 0);
    EXPECT_GT(run.max_from("contacts", 0), 10);
    EXPECT_LT(run.max_from("energy.error", 0), 0.02);
    const World world = world_of_scene("gizmo");
    ASSERT_EQ(world.model->bodies[0].name, "doll");
    ASSERT_LT(asymmetry(world, world.state), 1e-8);
    // The doll is 30 mm wide.
    EXPECT_LT(std::hypot(run.column("doll.center.x").back(), run.column("doll.center.z").back()), 3e-5);
    EXPECT_LT(asymmetry(world, run.end), 1e-3);
    const Body& floor = world.model->bodies[1];
    for (std::int32_t i = floor.first_point; i < floor.first_point + floor.point_count; ++i)
        EXPECT_EQ(run.end.x[i], world.state.x[i]);
}

}  // namespace
}  // namespace pliant
