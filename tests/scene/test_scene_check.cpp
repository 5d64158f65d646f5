// SPDX-License-Identifier: MIT
// What is wrong with scenes whose every value is fine by itself.

#include <scene/scene_texts.h>

#include <pliant/scene/scene_check.h>

namespace pliant {
namespace {

const std::string kMesh = R"({ "lidded_box": 5, "size": [1.5, 0.75, 1.5] })";

void expect_mesh(const std::string& mesh, const std::string& where, const std::string& message, const std::string& cure)
{
    // no group "walls" is asked for here: names of groups are known to the build only
    expect_only(problems_with(kMesh, mesh), 7, "/bodies/box/mesh" + where, message, cure);
}

TEST(SceneCheck, wants_exactly_one_source_of_a_mesh)
{
    expect_mesh("{}", "", "there is no mesh, expected exactly one of: file, grid", "\"grid\": [20, 20]");
    expect_mesh(R"({"grid": [3, 3], "size": [1, 1], "icosphere": 0})", "",
                "found grid, icosphere, expected exactly one", "keep");
    EXPECT_FALSE(problems_with("\"mesh\": " + kMesh + ",", "").empty());
    for (const char* good : {R"("a.obj")", R"({"file": "a.obj", "scale": 0.01})", R"({"grid": [3, 3], "size": [1, 1]})",
                             R"({"icosphere": 0})", R"({"torus": [8, 5], "radius": 1})", R"({"chain": 2})",
                             R"({"box": [1, 1, 1], "size": [1, 1, 1]})", R"({"cylinder": [3, 1], "height": 2})",
                             R"({"uv_sphere": [3, 2]})", R"({"stairs": 5, "size": [1, 1, 1]})",
                             R"({"funnel": [16, 8], "radius": 0.2, "inner_radius": 0.05, "height": 0.3, "wall": 0.01})",
                             R"({"octopus": 24, "height": 0.3})",
                             R"({"knot_strip": [128, 3], "size": [1.4, 0.02], "diagonals": "alternating"})"})
        EXPECT_TRUE(problems_with(kMesh, good).empty()) << good << all_of(problems_with(kMesh, good));
}

TEST(SceneCheck, wants_the_numbers_a_shape_is_made_of)
{
    expect_mesh(R"({"grid": [3], "size": [1, 1]})", "/grid", "found 1 entry, expected 2 entries", "\"grid\": [20, 20]");
    expect_mesh(R"({"grid": [3, 3]})", "/size", "found 0 entries, grid needs 2 lengths", "\"size\": [1, 1]");
    expect_mesh(R"({"box": [3, 3, 3], "size": [1, 1]})", "/size", "found 2 entries, box needs 3 lengths", "");
    expect_mesh(R"({"uv_sphere": [2, 2]})", "/uv_sphere/0", "found 2, expected at least 3", "");
    expect_mesh(R"({"chain": 1})", "/chain", "found 1, expected at least 2", "");
    expect_mesh(R"({"chain": 3, "from": [1, 0, 0]})", "/to", "ends where it begins", "");
    expect_mesh(R"({"torus": [8, 8], "radius": 0.1})", "/minor_radius", "no hole", "smaller");
    expect_mesh(R"({"disc": 3, "inner_radius": 0.5})", "/inner_radius", "as large as the disc", "smaller");
    expect_mesh(R"({"t_shirt": 20})", "/size", "found 0 entries, t_shirt needs 2 lengths", "[0.52, 0.72]");
    expect_mesh(R"({"t_shirt": 7, "size": [0.5, 0.7]})", "/t_shirt", "found 7, expected at least 8", "");
    expect_mesh(R"({"t_shirt": 20, "size": [1, 0.5]})", "/size", "sleeves would hang below the hem", "[0.52, 0.72]");
    expect_mesh(R"({"t_shirt": 2000, "size": [1, 10]})", "/t_shirt", "about 8.8e7 vertices", "smaller");
    expect_mesh(R"({"table": [32], "size": [1, 1, 1]})", "/table", "found 1 entry, expected 2 entries", "[32, 16]");
    expect_mesh(R"({"table": [32, 8], "size": [1, 1, 1], "board": 1})", "/board", "nothing for legs", "smaller");
    expect_mesh(R"({"table": [32, 8], "size": [1, 1, 1], "leg_radius": 0.2})", "/leg_radius", "legs meet", "fifth");
    expect_mesh(R"({"bottle": [16, 4]})", "/bottle/1", "found 4, expected at least 8", "\"bottle\": [48, 64]");
    expect_mesh(R"({"knot_strip": [100, 3], "size": [1, 0.01]})", "/knot_strip/0", "found 100, expected at least 128",
                "[200, 4]");
    expect_mesh(R"({"knot_strip": [200, 4]})", "/size", "found 0 entries, knot_strip needs 2 lengths", "[1.2, 0.015]");
    expect_mesh(R"({"knot_strip": [200, 4], "size": [1, 0.02]})", "/size", "a length below 70 widths", "[1.2, 0.015]");
    expect_mesh(R"({"stairs": 5, "size": [1, 1]})", "/size", "found 2 entries, stairs needs 3 lengths", "[2, 1.2, 1]");
    expect_mesh(R"({"stairs": 1000, "size": [1, 1, 100]})", "/stairs", "about 4.04e8 vertices", "smaller");
    expect_mesh(R"({"funnel": [48]})", "/funnel", "found 1 entry, expected 2 entries", "[48, 32]");
    expect_mesh(R"({"funnel": [48, 7]})", "/funnel/1", "found 7, expected at least 8", "");
    expect_mesh(R"({"funnel": [48, 32], "inner_radius": 0.5})", "/inner_radius", "as wide as the mouth", "smaller");
    expect_mesh(R"({"funnel": [48, 32], "wall": 0.6})", "/wall", "thicker than the spout is long", "smaller");
    expect_mesh(R"({"octopus": 20})", "/octopus", "found 20, expected at least 24", "\"octopus\": 40");
    expect_mesh(R"({"hare": 3})", "/hare", "found 3, expected at least 4", "\"hare\": 22");
    expect_mesh(R"({"grid": [100000, 100000], "size": [1, 1]})", "/grid", "about 1e10 vertices", "smaller");
    expect_mesh(R"({"icosphere": 1, "rotate_degrees": 3, "rotate_axis": [0, 0, 0]})", "/rotate_axis", "no length",
                "[0, 1, 0]");
}

TEST(SceneCheck, refuses_members_that_would_do_nothing)
{
    expect_mesh(R"({"icosphere": 2, "size": [1, 1, 1]})", "/size", "is not used by icosphere", "grid, box, lidded_box");
    expect_mesh(R"({"file": "a.obj", "radius": 2})", "/radius", "is not used by file", "icosphere");
    expect_mesh(R"({"hare": 22, "radius": 2})", "/radius", "is not used by hare", "bottle");
    expect_mesh(R"({"octopus": 30, "size": [1, 1, 1]})", "/size", "is not used by octopus", "stairs");
    expect_mesh(R"({"bottle": [16, 16], "wall": 0.1})", "/wall", "is not used by bottle", "funnel");
    expect_mesh(R"({"bottle": [16, 16], "board": 0.1})", "/board", "is not used by bottle", "table");
    expect_only(problems_with("\"kind\": \"springs\",", "\"kind\": \"springs\", \"sphere\": 1,"), 6,
                "/bodies/box/sphere", "is not used by a body of springs", "icosphere");
    expect_only(problems_with("\"sphere\": 0.25", "\"sphere\": 0.25, \"mesh\": \"a.obj\""), 12, "/bodies/ball",
                "found both sphere and mesh", "parts");
    expect_only(problems_with("\"sphere\": 0.25", "\"sphere\": 0.25, \"material\": {\"young\": 1}"), 12,
                "/bodies/ball/material", "is not used by a rigid body", "springs");
}

TEST(SceneCheck, finds_indices_beyond_the_vertices)
{
    expect_mesh(R"({"vertices": [[0, 0, 0], [1, 0, 0]], "lines": [[0, 1], [1, 2]]})", "/lines/1",
                "found vertex 2, but there are only 2", "counted from 0");
    expect_mesh(R"({"vertices": [[0, 0, 0], [1, 0, 0]], "triangles": [[0, 1, 9]]})", "/triangles/0", "found vertex 9",
                "");
}

TEST(SceneCheck, wants_a_mass)
{
    expect_only(problems_with("\"mass\": 10, \"mass_of\": \"lid\",", ""), 5, "/bodies/box/mass", "the body has no mass",
                "latex");
    expect_only(problems_with("\"mass\": 0.6,", ""), 12, "/bodies/ball/mass", "found 0, expected a mass above 0 kg",
                "\"mass\": 1");
    expect_only(problems_with("\"mass\": 10, \"mass_of\"", "\"material\": {\"preset\": \"latex\"}, \"mass_of\""), 8,
                "/bodies/box/mass_of", "not used without mass", "");
    EXPECT_TRUE(problems_with("\"mass\": 10, \"mass_of\": \"lid\",", R"("material": {"preset": "latex"},)").empty());
    EXPECT_TRUE(
        problems_with("\"mass\": 10, \"mass_of\": \"lid\",", R"("material": {"density": 1, "thickness": 1},)").empty());
}

TEST(SceneCheck, allows_springs_of_no_stiffness)
{
    EXPECT_TRUE(problems_with("\"k_s\": 100", "\"k_s\": 0").empty());
}

TEST(SceneCheck, knows_the_named_materials)
{
    expect_only(problems_with("\"springs\": {", R"("material": {"preset": "latx"}, "springs": {)"), 9,
                "/bodies/box/material/preset", "there is no material named \"latx\"", "'latex'");
    expect_only(problems_with("\"springs\": {", R"("material": {"young": 1e6}, "springs": {)"), 9,
                "/bodies/box/material/thickness", "no thickness", "k_s");
}

TEST(SceneCheck, knows_what_rigid_shapes_and_paths_need)
{
    const auto ball_with = [](const char* text) { return problems_with("\"sphere\": 0.25", text); };
    expect_only(ball_with("\"capsule\": [1]"), 12, "/bodies/ball/capsule", "found 1 entry, expected 2", "[0.1, 0.5]");
    expect_only(ball_with("\"box\": [1, 1, 1], \"facets\": 8"), 12, "/bodies/ball/facets", "only used by a sphere", "");
    expect_only(ball_with("\"box\": [1, 1, 1], \"facets_outside\": true"), 12, "/bodies/ball/facets_outside",
                "only used by a sphere", "");
    expect_only(ball_with("\"sphere\": 1, \"facets\": 2"), 12, "/bodies/ball/facets", "at least 3", "");
    expect_only(ball_with("\"sphere\": 1, \"density\": 2"), 12, "/bodies/ball/density", "a mass too", "one of them");
    expect_only(ball_with("\"parts\": [{\"mass\": 0}]"), 12, "/bodies/ball/parts/0", "has no shape", "sphere");
    expect_only(ball_with("\"parts\": [{\"sphere\": 1, \"mass\": 2}]"), 12, "/bodies/ball/mass", "of their own", "");
    expect_only(ball_with("\"sphere\": 1, \"profile\": \"linear\""), 12, "/bodies/ball/profile", "without a path", "");
    expect_only(ball_with("\"sphere\": 1, \"path\": [{\"time\": 2}, {\"time\": 1}]"), 12, "/bodies/ball/path/1/time",
                "found 1 s", "order of time");
    expect_only(ball_with("\"sphere\": 1, \"path\": [{\"time\": 0, \"position\": [1, 0, 0]}]"), 12,
                "/bodies/ball/path/0", "begins where things are", "later time");
    expect_only(problems_with("\"kind\": \"springs\",", "\"kind\": \"springs\", \"capsule\": [1, 1],"), 6,
                "/bodies/box/capsule", "only used by a rigid body", "");
}

TEST(SceneCheck, wants_one_shape_of_rigid_bodies_and_colliders)
{
    expect_only(problems_with("\"sphere\": 0.25, ", ""), 12, "/bodies/ball", "neither sphere nor box",
                "\"sphere\": 0.1");
    expect_only(problems_with("\"sphere\": 0.25", "\"sphere\": 1, \"box\": [1, 1, 1]"), 12, "/bodies/ball", "both", "");
    expect_only(problems_with("\"sphere\": 0.25", "\"box\": [1, 1]"), 12, "/bodies/ball/box", "found 2 entries",
                "[1, 1, 1]");
    expect_only(problems_with("\"plane\": [0, 1, 0, 0]", ""), 14, "/colliders/floor",
                "exactly one of: plane, box, sphere", "plane");
    expect_only(problems_with("[0, 1, 0, 0]", "[0, 1, 0]"), 14, "/colliders/floor/plane", "found 3 entries, expected 4",
                "");
    expect_only(problems_with("[0, 1, 0, 0]", "[0, 0, 0, 1]"), 14, "/colliders/floor/plane", "normal of no length", "");
}

TEST(SceneCheck, refuses_gas_pins_and_loads_of_rigid_bodies)
{
    expect_only(problems_with("\"sphere\"", "\"gas\": {\"k_g\": 1}, \"sphere\""), 12, "/bodies/ball/gas",
                "cannot hold a gas", "");
    expect_only(problems_with("\"sphere\"", "\"pins\": [{\"select\": \"all\"}], \"sphere\""), 12, "/bodies/ball/pins",
                "", "held");
    expect_only(problems_with("\"sphere\"", "\"loads\": [{\"select\": \"all\", \"pressure\": 5}], \"sphere\""), 12,
                "/bodies/ball/loads/0", "at its centre", "");
    EXPECT_TRUE(
        problems_with("\"sphere\"", "\"loads\": [{\"select\": \"all\", \"force\": [1, 0, 0]}], \"sphere\"").empty());
    expect_only(problems_with("\"sphere\"", "\"slides\": [1, 0, 0], \"sphere\""), 12, "/bodies/ball/slides", "on rails",
                "barrier");
}

TEST(SceneCheck, wants_gas_in_a_gas)
{
    expect_only(problems_with("\"k_g\": 68", "\"gamma\": 1.3"), 10, "/bodies/box/gas", "there is no gas in it",
                "\"k_g\"");
    expect_only(problems_with("\"k_g\": 68", "\"law\": \"constant_pressure\""), 10, "/bodies/box/gas/pressure",
                "needs its", "");
    EXPECT_TRUE(problems_with("\"k_g\": 68", "\"k_g\": 0").empty());
    EXPECT_TRUE(problems_with("\"k_g\": 68", "\"pump\": 1").empty());
    EXPECT_TRUE(problems_with("\"k_g\": 68", "\"enabled\": false").empty());
}

TEST(SceneCheck, finds_names_of_nothing)
{
    expect_only(problems_with("\"k_g\": 68", "\"k_g\": 68, \"bounded_by\": [\"box\", \"flor\"]"), 10,
                "/bodies/box/gas/bounded_by/1", "there is no body or collider named 'flor'", "'floor'");
    expect_only(problems_with("\"k_g\": 68", "\"k_g\": 68, \"bounded_by\": [\"box\", \"box\"]"), 10,
                "/bodies/box/gas/bounded_by/1", "named twice", "");
    expect_only(problems_with("\"expect\"", "\"record\": {\"probes\": {\"p\": {\"body\": \"bal\"}}}, \"expect\""), 16,
                "/record/probes/p/body", "there is no body named 'bal'", "'ball'");
}

TEST(SceneCheck, finds_names_that_clash)
{
    expect_only(problems_with("\"floor\"", "\"box\""), 14, "/colliders/box", "there is a body named 'box' too", "");
    expect_only(problems_with("\"ball\": {", "\"energy\": {"), 12, "/bodies/energy", "belongs to a measure",
                "another name");
    expect_only(problems_with("{ \"select\": \"walls\" }", "{ \"select\": \"walls\" }, { \"select\": \"walls\" }"), 11,
                "/bodies/box/pins/1", "named 'walls' too", "\"name\"");
    expect_only(problems_with("\"select\": \"walls\"", "\"select\": \"walls\", \"name\": \"a.b\""), 11,
                "/bodies/box/pins/0/name", "without '.'", "");
}

TEST(SceneCheck, wants_axes_among_x_y_z)
{
    for (const char* axes : {"", "xw", "xx", "x y", "X"}) {
        const auto problems = problems_with("\"walls\"", "\"walls\", \"axes\": \"" + std::string(axes) + '"');
        expect_only(problems, 11, "/bodies/box/pins/0/axes", "expected some of x, y, z, each once", "\"xyz\"");
    }
    EXPECT_TRUE(problems_with("\"walls\"", "\"walls\", \"axes\": \"zx\"").empty());
}

TEST(SceneCheck, wants_time_to_pass_and_something_to_move)
{
    expect_only(problems_with("\"duration\": 2", "\"duration\": 0"), 2, "/world/duration",
                "found 0, expected a time above 0 s", "");
    expect_only(problems_with("\"duration\": 2", "\"duration\": 1e9"), 2, "/world/frame_rate", "6e10 frames", "");
    expect_only(parse_scene("{\"bodies\": {}}", "f").problems, 1, "/bodies", "there is no body", "pliant new");
    expect_only(problems_with("\"box.volume\"", "\"\""), 16, "/expect/", "empty name", "box.volume");
}

TEST(SceneCheck, works_without_a_file)
{
    Scene scene;
    scene.bodies.emplace_back("b", BodyScene{});
    scene.bodies[0].second.pins.emplace_back();
    const std::vector<Problem> problems = check_scene(scene);
    ASSERT_EQ(problems.size(), 3u) << all_of(problems);
    for (const Problem& problem : problems) EXPECT_EQ(problem.line, 0);
}

}  // namespace
}  // namespace pliant
