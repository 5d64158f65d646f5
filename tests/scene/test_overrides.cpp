// SPDX-License-Identifier: MIT
// Changing a scene by --set path=value.

#include <scene/scene_texts.h>

namespace pliant {
namespace {

SceneRead with(const std::vector<Override>& overrides)
{
    return parse_scene(kGoodScene, "scene.json", overrides);
}

TEST(Override, is_path_and_value)
{
    const auto change = parse_override("a.b=c=d");
    ASSERT_TRUE(change);
    EXPECT_EQ(change->path, "a.b");
    EXPECT_EQ(change->value, "c=d");
    EXPECT_FALSE(parse_override("a.b"));
    EXPECT_FALSE(parse_override("=3"));
}

TEST(Override, changes_values_of_every_kind)
{
    const SceneRead read = with({{"world.gravity", "[0,-20,0]"},
                                 {"solver.substeps", "4"},
                                 {"bodies.box.gas.enabled", "false"},
                                 {"solver.kind", "euler"},
                                 {"inputs.0.time", "0.5"},
                                 {"description", "two words"}});
    ASSERT_TRUE(read.problems.empty()) << all_of(read.problems);
    EXPECT_EQ(read.scene.world.live.gravity, (Vec3{0, -20, 0}));
    EXPECT_EQ(read.scene.solver.substeps.value, 4);
    EXPECT_FALSE(read.scene.bodies[0].second.gas->gas.enabled);
    EXPECT_EQ(read.scene.solver.kind, SolverKind::euler);
    EXPECT_EQ(read.scene.inputs[0].time, 0.5);
    EXPECT_EQ(read.scene.description, "two words");
    EXPECT_TRUE(with({{"solver.substeps", "auto"}}).scene.solver.substeps.is_auto());
}

TEST(Override, makes_objects_lists_and_bodies)
{
    const SceneRead read = with({{"bodies.box.material.young", "1e6"},
                                 {"bodies.box.material.thickness", "0.001"},
                                 {"contact.rule", "energy_efficiency"},
                                 {"inputs.1.time", "2"},
                                 {"inputs.1.set.solver.step", "0.001"},
                                 {"bodies.box.loads.0.select", "lid"},
                                 {"bodies.box.loads.0.force", "[0,1,0]"},
                                 {"bodies.stone", R"({"kind": "rigid", "sphere": 1, "mass": 2})"},
                                 {"expect.box.volume", "[1, 2]"},
                                 {"expect.energy.total.max", "[null, 3]"}});
    ASSERT_TRUE(read.problems.empty()) << all_of(read.problems);
    EXPECT_EQ(read.scene.bodies[0].second.material.young, 1e6);
    EXPECT_EQ(read.scene.bodies[0].second.loads.at(0).live.force, (Vec3{0, 1, 0}));
    EXPECT_EQ(read.scene.contact.rule, RestitutionRule::energy_efficiency);
    EXPECT_EQ(read.scene.inputs.at(1).set.at(0).path, "solver.step");
    EXPECT_EQ(read.scene.bodies.at(2).first, "stone");
    ASSERT_EQ(read.scene.expect.size(), 2u);
    EXPECT_EQ(read.scene.expect[0].second.high, 2);
    EXPECT_EQ(read.scene.expect[1].first, "energy.total.max");
}

TEST(Override, takes_the_gas_away_with_null)
{
    const SceneRead read = with({{"bodies.box.gas", "null"}});
    ASSERT_TRUE(read.problems.empty()) << all_of(read.problems);
    EXPECT_FALSE(read.scene.bodies[0].second.gas);
}

TEST(Override, is_part_of_the_text_that_is_kept)
{
    const SceneRead read = with({{"bodies.ball.mass", "0.08"}});
    EXPECT_NE(read.scene.text, kGoodScene);
    const SceneRead again = parse_scene(read.scene.text, "kept");
    ASSERT_TRUE(again.problems.empty()) << all_of(again.problems);
    EXPECT_EQ(again.scene.bodies[1].second.mass, 0.08);
}

TEST(Override, is_named_by_the_problems_it_makes)
{
    const std::vector<Problem> wrong = with({{"bodies.box.mass", "-3"}}).problems;
    expect_only(wrong, 0, "/bodies/box/mass", "found -3, expected a number from 0 to 1e12 kg", "");
    EXPECT_EQ(wrong[0].file, "--set bodies.box.mass");
    expect_only(with({{"bodies.box.mas", "3"}}).problems, 0, "/bodies/box/mas", "unknown key \"mas\"", "'mass'");
    expect_only(with({{"solver.kind", "rk5"}}).problems, 0, "/solver/kind", "found \"rk5\"", "'rk4'");
    const std::vector<Problem> checked = with({{"bodies.box.pins.0.axes", "w"}}).problems;
    expect_only(checked, 0, "/bodies/box/pins/0/axes", "expected some of x, y, z", "");
    EXPECT_EQ(checked[0].file, "--set bodies.box.pins.0.axes");
}

TEST(Override, names_the_nearest_body_instead_of_making_a_new_one)
{
    expect_only(with({{"bodies.bxo.mass", "3"}}).problems, 0, "/bodies/bxo", "there is no 'bxo' in bodies", "'box'");
    expect_only(with({{"colliders.flor.friction", "1"}}).problems, 0, "/colliders/flor", "there is no 'flor'",
                "'floor'");
}

TEST(Override, refuses_paths_that_lead_nowhere)
{
    for (const char* path :
         {"", ".", "bodies.", "bodies..mass", "solver.step.x", "inputs.7.time", "inputs.x", "expect.", "inputs.0.set."})
        EXPECT_FALSE(with({{path, "1"}}).problems.empty()) << path;
    for (const Problem& problem : with({{"solver.step.x", "1"}}).problems)
        EXPECT_EQ(problem.file, "--set solver.step.x");
}

}  // namespace
}  // namespace pliant
