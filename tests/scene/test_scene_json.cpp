// SPDX-License-Identifier: MIT
// Reading scenes: what good ones give, and every kind of wrong value with its line, place and cure.

#include <filesystem>
#include <fstream>

#include <scene/scene_texts.h>

namespace pliant {
namespace {

TEST(SceneJson, reads_a_good_scene)
{
    const SceneRead read = parse_scene(kGoodScene, "scene.json");
    ASSERT_TRUE(read.problems.empty()) << all_of(read.problems);
    const Scene& scene = read.scene;
    EXPECT_EQ(scene.world.live.gravity, (Vec3{0, -10, 0}));
    EXPECT_EQ(scene.solver.kind, SolverKind::rk4);
    EXPECT_TRUE(scene.solver.substeps.is_auto());
    ASSERT_EQ(scene.bodies.size(), 2u);
    EXPECT_EQ(scene.bodies[0].first, "box");
    const BodyScene& box = scene.bodies[0].second;
    EXPECT_EQ(box.mesh.lidded_box, 5);
    EXPECT_EQ(box.mesh.size, (std::vector<double>{1.5, 0.75, 1.5}));
    ASSERT_TRUE(box.gas);
    EXPECT_EQ(box.gas->gas.k_g, 68);
    EXPECT_EQ(box.pins.at(0).select.group, "walls");
    EXPECT_EQ(scene.bodies[1].second.kind, SceneBodyKind::rigid);
    EXPECT_TRUE(scene.bodies[1].second.live.held);
    ASSERT_EQ(scene.inputs.size(), 1u);
    EXPECT_EQ(scene.inputs[0].set.at(0).path, "bodies.ball.held");
    EXPECT_EQ(scene.inputs[0].set.at(0).numbers, std::vector<double>{0});
    EXPECT_EQ(scene.inputs[0].set.at(0).line, 15);
    EXPECT_EQ(scene.expect.at(0).first, "box.volume");
    EXPECT_EQ(scene.expect.at(0).second.high, kNoLimit);
    EXPECT_EQ(scene.text, kGoodScene);
}

TEST(SceneJson, remembers_the_line_of_every_member)
{
    const Scene scene = parse_scene(kGoodScene, "scene.json").scene;
    EXPECT_EQ(scene.lines.at("/world/gravity"), 2);
    EXPECT_EQ(scene.lines.at("/bodies/box/gas/k_g"), 10);
    EXPECT_EQ(scene.lines.at("/inputs/0/set/bodies.ball.held"), 15);
    const Problem deep = scene.problem("/bodies/box/mesh/size/1", "no", "yes");
    EXPECT_EQ(deep.line, 7);
    EXPECT_EQ(deep.file, "scene.json");
    EXPECT_EQ(to_string(deep), "scene.json:7: /bodies/box/mesh/size/1: no (yes)");
    EXPECT_EQ(scene.problem("/bodies/box/material/young", "no").line, 5);
    EXPECT_EQ(Scene{}.problem("/bodies", "no").line, 0);
}

TEST(SceneJson, writes_what_it_reads)
{
    const SceneRead first = parse_scene(kGoodScene, "scene.json");
    const std::string text = to_json_text(first.scene);
    const SceneRead again = parse_scene(text, "again.json");
    ASSERT_TRUE(again.problems.empty()) << all_of(again.problems) << text;
    EXPECT_EQ(to_json_text(again.scene), text);
    EXPECT_EQ(again.scene.bodies[0].second.gas->gas.k_g, 68);
    EXPECT_TRUE(again.scene.bodies[1].second.live.held);
    EXPECT_EQ(again.scene.expect[0].second.high, kNoLimit);
}

TEST(SceneJson, reads_every_way_to_select_vertices)
{
    const std::string body = R"({"bodies": {"b": {"kind": "springs", "mesh": "a.obj", "mass": 1, "pins": [
        {"select": "all", "axes": "y"}, {"select": [3, 1]}, {"select": {"low": [0, 0, 0], "high": [1, 1, 1]}}]}}})";
    const SceneRead read = parse_scene(body, "scene.json");
    ASSERT_TRUE(read.problems.empty()) << all_of(read.problems);
    const BodyScene& b = read.scene.bodies[0].second;
    EXPECT_EQ(b.mesh.file, "a.obj");
    EXPECT_EQ(b.pins[0].select.group, "all");
    EXPECT_EQ(b.pins[1].select.vertices, (std::vector<std::int32_t>{3, 1}));
    ASSERT_EQ(b.pins[2].select.regions.size(), 1u);
    EXPECT_EQ(b.pins[2].select.regions[0].high, (Vec3{1, 1, 1}));
    EXPECT_TRUE(parse_scene(to_json_text(read.scene), "again.json").problems.empty());
}

TEST(SceneJson, reads_a_mesh_written_in_the_scene)
{
    const SceneRead read = parse_scene(R"({"bodies": {"b": {"kind": "springs", "mass": 1, "mesh": {
        "vertices": [[0, 0, 0], [1, 0, 0], [0, 0, 1]], "triangles": [[0, 1, 2]], "lines": [[0, 1]]}}}})",
                                       "scene.json");
    ASSERT_TRUE(read.problems.empty()) << all_of(read.problems);
    EXPECT_EQ(read.scene.bodies[0].second.mesh.triangles.at(0), (Triangle{0, 1, 2}));
    EXPECT_EQ(read.scene.bodies[0].second.mesh.vertices.at(2), (Vec3{0, 0, 1}));
}

TEST(SceneJson, allows_comments_trailing_commas_and_a_schema)
{
    const std::string text =
        replaced(kGoodScene, "\"world\"", "\"$schema\": \"scene.schema.json\", /* here */ \"world\"");
    EXPECT_TRUE(parse_scene(text, "scene.json").problems.empty());
}

TEST(SceneJson, names_the_nearest_key)
{
    expect_only(problems_with("\"mass_of\"", "\"mas_of\""), 8, "/bodies/box/mas_of", "unknown key \"mas_of\"",
                "did you mean 'mass_of'?");
    expect_only(problems_with("\"colliders\"", "\"coliders\""), 14, "/coliders", "unknown key", "'colliders'");
}

TEST(SceneJson, tells_found_and_expected_of_wrong_types)
{
    expect_only(problems_with("\"k_s\": 100", "\"k_s\": \"100\""), 9, "/bodies/box/springs/k_s",
                "found \"100\", expected a number from 0 to 1e12 N/m", "write 100 without quotes");
    expect_only(problems_with("\"held\": true", "\"held\": 1"), 12, "/bodies/ball/held",
                "found 1, expected true or false", "write true");
    expect_only(problems_with("[0, -10, 0]", "-10"), 2, "/world/gravity",
                "found -10, expected [x, y, z], each a number from -1e6 to 1e6 m/s2", "");
    expect_only(problems_with("[0, -10, 0]", "[0, null, 0]"), 2, "/world/gravity/1", "found null, expected a number",
                "");
    expect_only(problems_with("\"lidded_box\": 5", "\"lidded_box\": 5.5"), 7, "/bodies/box/mesh/lidded_box",
                "found 5.5, expected a whole number from 0 to 2000", "");
    expect_only(problems_with("\"auto\"", "\"avto\""), 3, "/solver/substeps",
                "found \"avto\", expected \"auto\" or a whole number from 1 to 1e9", "");
    expect_only(problems_with("\"auto\"", "0"), 3, "/solver/substeps", "found 0, expected \"auto\"", "");
    expect_only(problems_with("{ \"k_g\": 68 }", "[]"), 10, "/bodies/box/gas",
                "found an array of 0, expected an object", "");
    expect_only(problems_with("[{ \"select\": \"walls\" }]", "{}"), 11, "/bodies/box/pins", "expected an array", "");
    expect_only(problems_with("\"mass_of\": \"lid\"", "\"mass_of\": 3"), 8, "/bodies/box/mass_of",
                "found 3, expected a text", "");
}

TEST(SceneJson, tells_ranges_with_units)
{
    expect_only(problems_with("\"mass\": 10", "\"mass\": -3"), 8, "/bodies/box/mass",
                "found -3, expected a number from 0 to 1e12 kg", "");
    expect_only(problems_with("0.0025", "0"), 3, "/solver/step", "found 0, expected a number from 1e-12 to 1000 s", "");
    expect_only(problems_with("0.75", "-0.75"), 7, "/bodies/box/mesh/size/1", "found -0.75", "");
}

TEST(SceneJson, names_the_nearest_value_of_an_enum)
{
    expect_only(problems_with("\"rk4\"", "\"rk5\""), 3, "/solver/kind", "found \"rk5\", expected one of: euler,",
                "did you mean 'rk4'?");
    expect_only(problems_with("\"rk4\"", "4"), 3, "/solver/kind", "found 4, expected one of: euler,", "");
}

TEST(SceneJson, asks_for_required_members)
{
    expect_only(problems_with("\"kind\": \"springs\",", ""), 5, "/bodies/box/kind", "\"kind\" is missing",
                "springs: masses");
    expect_only(problems_with("\"time\": 1, ", ""), 15, "/inputs/0/time", "\"time\" is missing", "");
    expect_only(problems_with("\"select\": \"walls\"", "\"axes\": \"x\""), 11, "/bodies/box/pins/0/select", "missing",
                "");
    expect_only(parse_scene("{}", "f").problems, 1, "/bodies", "\"bodies\" is missing", "");
}

TEST(SceneJson, reads_regions_by_rings_and_faces_and_several_at_once)
{
    const std::string text = R"({"bodies": {"b": {"kind": "simplex", "mesh": {"simplex_sphere": [4, 3]}, "mass": 1,
        "loads": [{"select": {"around": [0, 1, 0], "rings": 2}}, {"name": "b", "select": {"vertex": 7}},
        {"name": "c", "select": [{"faces": [0, 3]}, {"faces_at": [[1, 0, 0]]}, {"low": [0, 0, 0], "high": [1, 1, 1]}]}]}}})";
    const SceneRead read = parse_scene(text, "scene.json");
    EXPECT_TRUE(read.problems.empty());
    const auto& loads = read.scene.bodies.at(0).second.loads;
    EXPECT_EQ(loads[0].select.regions.at(0).around, (Vec3{0, 1, 0}));
    EXPECT_EQ(loads[0].select.regions.at(0).rings, 2);
    EXPECT_EQ(loads[1].select.regions.at(0).vertex, 7);
    EXPECT_EQ(loads[2].select.regions.size(), 3u);
    // Written and read again it is the same.
    const SceneRead again = parse_scene(to_json_text(read.scene), "again.json");
    EXPECT_TRUE(again.problems.empty());
    EXPECT_EQ(to_json_text(again.scene), to_json_text(read.scene));
}

TEST(SceneJson, refuses_regions_that_are_none)
{
    expect_only(problems_with("\"walls\"", R"({"rings": 2})"), 11, "/bodies/box/pins/0/select", "one of", "around");
    expect_only(problems_with("\"walls\"", R"({"around": [0, 0, 0], "faces": [1]})"), 11, "/bodies/box/pins/0/select",
                "one of", "around");
    expect_only(problems_with("\"walls\"", R"({"around": [0, 0, 0], "vertex": 1})"), 11, "/bodies/box/pins/0/select",
                "both", "keep one");
    expect_only(problems_with("\"walls\"", R"([{"vertex": 1}, 3])"), 11, "/bodies/box/pins/0/select/1", "a region", "");
}

TEST(SceneJson, refuses_bad_selections_inputs_and_bounds)
{
    expect_only(problems_with("\"walls\"", "[]"), 11, "/bodies/box/pins/0/select",
                "found an array of 0, expected vertices", "");
    expect_only(problems_with("\"walls\"", "[-1]"), 11, "/bodies/box/pins/0/select/0",
                "found -1, expected a whole number", "");
    expect_only(problems_with("\"walls\"", R"({"low": [0, 0, 0]})"), 11, "/bodies/box/pins/0/select/high", "missing",
                "");
    expect_only(problems_with("\"walls\"", R"({"low": [1, 0, 0], "high": [0, 1, 1]})"), 11, "/bodies/box/pins/0/select",
                "the low corner is above the high one", "swap");
    expect_only(problems_with("bodies.ball.held\": false", "bodies.ball.held\": null"), 15,
                "/inputs/0/set/bodies.ball.held", "found null, expected a number", "");
    expect_only(problems_with("bodies.ball.held\"", "held\""), 15, "/inputs/0/set/held", "expected a path",
                "bodies.box");
    expect_only(problems_with("[1, null]", "1"), 16, "/expect/box.volume", "found 1, expected [low, high]", "null");
    expect_only(problems_with("[1, null]", "[2, 1]"), 16, "/expect/box.volume", "low end above", "");
    expect_only(problems_with("[1, null]", "[\"a\", 1]"), 16, "/expect/box.volume/0", "found \"a\"", "");
}

TEST(SceneJson, refuses_names_that_cannot_be_part_of_a_path)
{
    for (const char* name : {"", "a.b", "a/b", "a\\\\b", "a\\u0007b"})
        EXPECT_FALSE(problems_with("\"ball\": {", '"' + std::string(name) + "\": {").empty()) << name;
    expect_only(problems_with("\"floor\": {", "\"a.b\": {"), 14, "/colliders/a.b", "found \"a.b\" as a name",
                "use '_'");
    EXPECT_FALSE(problems_with("\"floor\": {", '"' + std::string(101, 'a') + "\": {").empty());
}

TEST(SceneJson, refuses_a_key_given_twice)
{
    expect_only(problems_with("\"mass\": 0.6,", "\"mass\": 0.6, \"mass\": 2,"), 12, "/bodies/ball/mass", "given twice",
                "remove");
}

TEST(SceneJson, refuses_numbers_that_are_not_finite)
{
    for (const char* number : {"NaN", "Infinity", "1e999", "-1e999"})
        EXPECT_EQ(problems_with("\"mass\": 0.6", std::string("\"mass\": ") + number).size(), 1u) << number;
}

TEST(SceneJson, collects_many_problems_in_the_order_of_the_file)
{
    std::string text = replaced(kGoodScene, "\"duration\": 2", "\"duration\": -2, \"gravty\": 1");
    text = replaced(text, "\"k_g\": 68", "\"k_g\": \"much\"");
    text = replaced(text, "\"walls\" }", "\"walls\", \"axes\": \"xw\" }");
    text = replaced(text, "[0, 1, 0, 0]", "[0, 0, 0, 1]");
    const std::vector<Problem> problems = parse_scene(text, "scene.json").problems;
    ASSERT_EQ(problems.size(), 5u) << all_of(problems);
    const std::vector<std::string> places{"/world/duration", "/world/gravty", "/bodies/box/gas/k_g",
                                          "/bodies/box/pins/0/axes", "/colliders/floor/plane"};
    for (std::size_t i = 0; i < places.size(); ++i) EXPECT_EQ(problems[i].where, places[i]);
}

TEST(SceneJson, reads_on_after_a_slip_of_syntax_without_inventing_problems)
{
    const std::vector<Problem> slips = problems_with("\"mass\": 10,", "\"mass\": ten, \"mas\": 1,");
    ASSERT_EQ(slips.size(), 2u) << all_of(slips);
    const std::vector<Problem> cut = parse_scene(kGoodScene.substr(0, 200), "scene.json").problems;
    EXPECT_GE(cut.size(), 1u);
    for (const Problem& problem : cut) EXPECT_EQ(problem.message.find("missing"), std::string::npos) << all_of(cut);
}

TEST(SceneJson, refuses_what_is_no_scene)
{
    for (const char* text : {"", "[]", "3", "\"scene\"", "null", "ply\nformat ascii 1.0", "\xff\xfe"})
        EXPECT_EQ(parse_scene(text, "f").problems.size(), 1u) << text;
}

TEST(SceneJson, stops_counting_problems_of_garbage)
{
    std::string text = "{\"bodies\": {\"b\": {\"kind\": \"springs\", \"mesh\": {\"vertices\": [";
    for (int i = 0; i < 5000; ++i) text += "7,";
    const std::vector<Problem> problems = parse_scene(text + "]}}}}", "f").problems;
    EXPECT_GE(problems.size(), 1000u);
    EXPECT_LT(problems.size(), 1010u);
}

TEST(SceneFile, that_is_missing_or_a_directory_cannot_be_accessed)
{
    for (const char* path : {"/nowhere/scene.json", "/tmp"}) {
        EXPECT_EQ(read_scene(path).problems.size(), 1u);
        try {
            load_scene(path);
            FAIL();
        } catch (const Error& error) {
            EXPECT_EQ(error.kind(), ErrorKind::cannot_access);
        }
    }
}

TEST(SceneFile, loads_or_throws_all_problems)
{
    const auto path = std::filesystem::temp_directory_path() / "pliant_test_scene_file.json";
    std::ofstream(path) << kGoodScene;
    EXPECT_EQ(load_scene(path.string()).bodies.size(), 2u);
    try {
        load_scene(path.string(), {{"world.duration", "-1"}, {"solver.step", "x"}});
        FAIL();
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::bad_input);
        EXPECT_EQ(error.problems().size(), 2u);
    }
    std::filesystem::remove(path);
}

TEST(SceneFile, resolves_paths_from_where_it_lies)
{
    Scene scene;
    EXPECT_EQ(resolve_path(scene, "a.obj"), "a.obj");
    scene.file = "scenes/box.json";
    EXPECT_EQ(resolve_path(scene, "meshes/a.obj"), "scenes/meshes/a.obj");
    EXPECT_EQ(resolve_path(scene, "/a.obj"), "/a.obj");
    scene.file = "box.json";
    EXPECT_EQ(resolve_path(scene, "a.obj"), "a.obj");
}

}  // namespace
}  // namespace pliant
