// SPDX-License-Identifier: MIT

// From scenes to worlds: sizes, masses, and what is refused with which words.

#include <pliant/world/build.h>

#include <gtest/gtest.h>

#include <numeric>

#include "world/small_scenes.h"

namespace pliant {
namespace {

using test::world_of;

// All that is wrong with a scene that reads well, as one text.
std::string problems_of(std::string_view text, const std::vector<Override>& overrides = {})
{
    const SceneRead read = parse_scene(text, "test.json", overrides);
    std::string all;
    for (const Problem& problem : read.problems) all += "READ " + to_string(problem) + "\n";
    const Build result = try_build(read.scene);
    for (const Problem& problem : result.problems) all += to_string(problem) + "\n";
    return all;
}

TEST(Build, LaysPointsOutFreeThenFramesThenBound)
{
    const World world = world_of(test::kSmallBox);
    const Model& m = *world.model;
    EXPECT_EQ(m.free_count, 8 * 8 + 4);
    EXPECT_EQ(m.frame_count, 3);  // ball, floor, post
    EXPECT_EQ(m.node_count(), m.free_count + 12);
    EXPECT_EQ(static_cast<std::size_t>(m.point_count()), world.state.x.size());
    EXPECT_EQ(world.state.held.size(), static_cast<std::size_t>(m.node_count()));
    EXPECT_EQ(m.mass.size(), static_cast<std::size_t>(m.node_count()));
    for (const Body& body : m.bodies)
        for (std::int32_t p = body.first_point; p < body.first_point + body.point_count; ++p)
            EXPECT_EQ(body.is_rigid(), p >= m.node_count());
}

TEST(Build, SharesTheMassOfABodyAmongItsVertices)
{
    const World box = world_of(test::kSmallBox);
    EXPECT_NEAR(std::accumulate(box.model->mass.begin(), box.model->mass.begin() + 64, 0.0), 10, 1e-12);
    EXPECT_NEAR(box.model->mass[20], 10.0 / 64, 1e-15);
    EXPECT_EQ(box.model->mass[64], 0);  // floor corners are pinned and need none
    // Material: density times thickness times area.
    const World sheet = world_of(R"({ "bodies": { "sheet": { "kind": "springs",
        "mesh": { "grid": [5, 9], "size": [2, 3] }, "material": { "young": 1e5, "thickness": 0.01, "density": 500 } } } })");
    EXPECT_NEAR(std::accumulate(sheet.model->mass.begin(), sheet.model->mass.end(), 0.0), 2 * 3 * 0.01 * 500, 1e-12);
}

TEST(Build, AMaterialIsAsStiffAtEveryResolution)
{
    // A square of thickness t pulled by F along x: u = F / (E t). Its n rows pull alone, the two on the
    // rim with half a width, so with F shared equally by rows the mean is u (n - 1)(n + 2)/n^2.
    for (const int n : {7, 13}) {
        World world = world_of(
            R"({ "world": { "gravity": [0, 0, 0] }, "solver": { "substeps": "auto", "step": 0.01 },
            "bodies": { "strip": { "kind": "springs", "mesh": { "grid": [)" +
            std::to_string(n) + ", " + std::to_string(n) +
            R"(], "size": [1, 1] }, "mass": 0.2, "damping": 30, "material": { "young": 2e4, "thickness": 0.01 },
                "pins": [{ "select": "left_edge", "axes": "xyz" }],
                "loads": [{ "select": "right_edge", "force": [0.2, 0, 0] }] } } })");
        for (int k = 0; k < 20; ++k) ASSERT_FALSE(step(world, 0.1).failed());
        double pulled = 0;
        for (int row = 0; row < n; ++row) pulled += (world.state.x[row * n + n - 1].x - 0.5) / n;
        EXPECT_NEAR(pulled, 0.2 / (2e4 * 0.01) * (n - 1.0) * (n + 2.0) / (n * n), 1e-5);
    }
}

TEST(Build, RefusesAnOpenSurfaceGivenAGas)
{
    const std::string words = problems_of(R"({ "bodies": { "sheet": { "kind": "springs",
        "mesh": { "grid": [4, 4], "size": [1, 1] }, "mass": 1, "springs": { "k_s": 1 }, "gas": { "k_g": 1 } } } })");
    EXPECT_NE(words.find("closed surface"), std::string::npos) << words;
    EXPECT_NE(words.find("/bodies/sheet/gas"), std::string::npos) << words;
}

TEST(Build, RefusesFacesThatLookInwards)
{
    const std::string words = problems_of(R"({ "bodies": { "tet": { "kind": "springs", "mass": 1,
        "mesh": { "vertices": [[0,0,0],[1,0,0],[0,1,0],[0,0,1]], "triangles": [[0,1,2],[0,3,1],[0,2,3],[1,3,2]] },
        "springs": { "k_s": 1 }, "gas": { "k_g": 1 } } } })");
    EXPECT_NE(words.find("inwards"), std::string::npos) << words;
}

TEST(Build, RefusesVerticesThatCanMoveWithoutMass)
{
    const std::string words = problems_of(test::kSmallBox, {{"bodies.box.pins", "[]"}});
    EXPECT_NE(words.find("has no mass"), std::string::npos) << words;
}

TEST(Build, NamesTheNearestPathOfAnUnknownInput)
{
    const std::string words =
        problems_of(test::kSmallBox, {{"inputs", R"([{ "time": 1, "set": { "bodies.box.gas.kg": 3 } }])"}});
    EXPECT_NE(words.find("bodies.box.gas.k_g"), std::string::npos) << words;
}

TEST(Build, ListsEveryProblemNotOnlyTheFirst)
{
    const std::string words = problems_of(
        test::kSmallBox, {{"inputs", R"([{ "time": 1, "set": { "bodies.box.gas.kg": 3, "world.graviti": 1 } }])"},
                          {"record.probes", R"({ "p": { "body": "bocks", "vertex": 0 } })"}});
    EXPECT_NE(words.find("bodies.box.gas.kg"), std::string::npos) << words;
    EXPECT_NE(words.find("world.graviti"), std::string::npos) << words;
    EXPECT_NE(words.find("bocks"), std::string::npos) << words;
}

TEST(Build, RefusesAnEmptyScene)
{
    EXPECT_NE(problems_of(R"({ "bodies": {} })"), "");
    EXPECT_THROW(build(Scene{}), Error);
}

TEST(Build, IsTheSameEveryTime)
{
    const World a = world_of(test::kSmallBox), b = world_of(test::kSmallBox);
    EXPECT_EQ(a.model->id, b.model->id);
    EXPECT_EQ(hash(a.state), hash(b.state));
}

TEST(Build, PlacesAPlaneByItsNormalAndOffset)
{
    const World world = world_of(R"({ "bodies": { "ball": { "kind": "rigid", "sphere": 1, "mass": 1 } },
        "colliders": { "slope": { "plane": [0, 3, 4, 10] } } })");
    const Shape& plane = world.model->shapes[1];
    const Vec3* nodes = &world.state.x[world.model->frame_node(plane.frame)];
    // n . x < d is solid, with n and d as written: at distance (n . x - d)/|n|.
    EXPECT_NEAR(shape_distance(plane, nodes, {7, 0, 0}).distance, -2, 1e-14);
    EXPECT_NEAR(shape_distance(plane, nodes, {7, 3, 4}).distance, 3, 1e-14);
    EXPECT_NEAR(determinant(from_columns(nodes[1], nodes[2], nodes[3])), 1, 1e-14);
}

}  // namespace
}  // namespace pliant
