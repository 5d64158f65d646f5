// SPDX-License-Identifier: MIT

// Every verb on a good day.

#include "program.h"

namespace pliant {

namespace {

using Verbs = CommandLine;

TEST_F(Verbs, every_help_opens_with_a_sentence_and_examples)
{
    const std::vector<std::vector<std::string>> verbs = {{},
                                                         {"run"},
                                                         {"check"},
                                                         {"info"},
                                                         {"export"},
                                                         {"plot"},
                                                         {"check-contacts"},
                                                         {"compare"},
                                                         {"new"},
                                                         {"mesh"},
                                                         {"schema"},
                                                         {"mesh", "make"},
                                                         {"mesh", "convert"},
                                                         {"mesh", "move"},
                                                         {"mesh", "quality"},
                                                         {"completion"}};
    for (std::vector<std::string> words : verbs) {
        const std::string name = words.empty() ? "pliant" : "pliant " + words.front();
        words.emplace_back("--help");
        const Ran ran = pliant(words);
        EXPECT_EQ(ran.code, 0) << name;
        EXPECT_EQ(ran.err, "") << name;
        const std::size_t example = ran.out.find("pliant ", ran.out.find('\n'));
        EXPECT_LT(example, ran.out.find("Usage: " + name)) << ran.out;
        expect_said(ran.out, {"Exit codes"});
    }
    expect_said(pliant({"--version"}).out, {"pliant "});
}

TEST_F(Verbs, check_says_good)
{
    const Ran ran = pliant({"check", "scene.json"});
    EXPECT_EQ(ran.code, 0);
    expect_said(ran.out, {"scene.json: good"});
}

TEST_F(Verbs, info_on_a_take_tells_bodies_measures_and_the_profile)
{
    make_take();
    const Ran ran = pliant({"info", "take.plrec"});
    ASSERT_EQ(ran.code, 0) << ran.err;
    expect_said(ran.out, {"scene.json", "finished: ok", "31, 0 s to 0.5 s", "springs", "rigid", "box.volume", "m³",
                          "bodies.ball.held = 0"});
    expect_said(ran.out, {"gravity", "elements", "volume", "pressure", "forces", "integrate", "collide", "measure",
                          "record", "step"});
    for (const char* row : {"min", "Q1", "median", "Q3", "max", "mean", "% of step", "% of forces"})
        EXPECT_NE(ran.out.find(std::string("\n  ") + row), std::string::npos) << row;
    expect_said(ran.out, {"Volume is inside pressure"});
    expect_said(ran.err, {"next: pliant plot take.plrec"});
}

TEST_F(Verbs, info_on_a_take_as_json_agrees_with_run)
{
    const Ran run = pliant({"run", "scene.json", "-o", "take.plrec", "--json"});
    const Ran info = pliant({"info", "take.plrec", "--json"});
    ASSERT_EQ(info.code, 0) << info.err;
    EXPECT_EQ(hash_in(run), hash_in(info));
    const Json json = parse_json(info.out, "stdout").value;
    EXPECT_EQ(json.find("frames")->as_integer(), 31);
    EXPECT_EQ(json.find("bodies")->find("box")->find("lines")->as_integer(), 84);
    const double volume = json.find("measures")->find("box.volume")->find("last")->as_number().value();
    const Json summary = parse_json(run.out, "stdout").value;
    EXPECT_EQ(volume, summary.find("measures")->find("box.volume")->find("last")->as_number());
    EXPECT_GT(json.find("profile")->find("step")->find("median")->as_number().value(), 0);
    EXPECT_EQ(json.find("inputs")->items.size(), 1U);
}

TEST_F(Verbs, info_on_a_scene_lists_every_live_parameter)
{
    const Ran ran = pliant({"info", "scene.json"});
    ASSERT_EQ(ran.code, 0) << ran.err;
    expect_said(ran.out, {"a small box of gas and a ball", "rk4", "at 0.25 s: bodies.ball.held = false",
                          "bodies.box.gas.k_g", "68", "amount of gas", "world.gravity", "[0, -10, 0]"});
    write("scene.json", R"({ "bodies": { "box": { "kind": "springs", "mass": -1 } } })");
    const Ran bad = pliant({"info", "scene.json"});
    EXPECT_EQ(bad.code, 3);
    expect_said(bad.out, {"/bodies/box/mass"});
}

TEST_F(Verbs, info_on_a_mesh_tells_counts_box_volume_and_quality)
{
    ASSERT_EQ(pliant({"mesh", "make", "box", "2", "2", "2", "--size", "1,2,3", "-o", "box.ply"}).code, 0);
    const Ran ran = pliant({"info", "box.ply"});
    ASSERT_EQ(ran.code, 0) << ran.err;
    expect_said(ran.out, {"26 vertices, 48 triangles", "size 1 2 3", "closed: yes, volume 6", "area: 22", "aspect"});
    ASSERT_EQ(pliant({"mesh", "make", "grid", "3", "3", "-o", "sheet.obj"}).code, 0);
    expect_said(pliant({"info", "sheet.obj"}).out, {"closed: no"});
}

TEST_F(Verbs, export_writes_every_kind_and_says_which)
{
    make_take();
    for (const char* kind : {"pc2", "usda", "glb", "vtu", "ply", "obj", "csv"}) {
        const std::string name = std::string("out_") + kind + "." + kind;
        const Ran ran = pliant({"export", "take.plrec", "-o", name, "--every", "10"});
        EXPECT_EQ(ran.code, 0) << ran.err;
        expect_said(ran.err, {"wrote ", "next: "});
        EXPECT_EQ(ran.out, "");
    }
    for (const char* name : {"out_pc2.pc2", "out_usda.usda", "out_glb.glb", "out_csv.csv"}) EXPECT_TRUE(exists(name));
    const Ran quiet = pliant({"export", "take.plrec", "-o", "one.csv", "--first", "3", "--last", "4", "-q"});
    EXPECT_EQ(quiet.code, 0);
    EXPECT_EQ(quiet.err, "");
    const std::string table = read("one.csv");
    EXPECT_EQ(std::count(table.begin(), table.end(), '\n'), 3);
}

TEST_F(Verbs, plot_draws_the_energy_balance_by_default)
{
    make_take();
    const Ran ran = pliant({"plot", "take.plrec"});
    ASSERT_EQ(ran.code, 0) << ran.err;
    expect_said(ran.err, {"take-energy.svg"});
    expect_said(read("take-energy.svg"), {"<svg", "a small box of gas and a ball", "kinetic", "gas", "balance",
                                          "energy.error", "ball.held = 0"});
}

TEST_F(Verbs, plot_takes_names_patterns_and_presets)
{
    make_take();
    ASSERT_EQ(pliant({"plot", "take.plrec", "box.volume", "ball.center.*", "-o", "a.svg"}).code, 0);
    expect_said(read("a.svg"), {"box.volume [m³]", "position [m]", "ball.center.y"});
    ASSERT_EQ(pliant({"plot", "take.plrec", "volume", "-o", "b.svg", "-q"}).code, 0);
    expect_said(read("b.svg"), {"box.volume", "box.pressure"});
    ASSERT_EQ(pliant({"plot", "take.plrec", "profile", "energy", "-o", "c.png"}).code, 0);
    EXPECT_EQ(read("c.png").substr(1, 3), "PNG");
}

TEST_F(Verbs, plot_prints_columns)
{
    make_take();
    const Ran ran = pliant({"plot", "take.plrec", "box.volume", "ball.center.y", "--csv"});
    ASSERT_EQ(ran.code, 0) << ran.err;
    EXPECT_EQ(ran.out.substr(0, ran.out.find('\n')), "time,box.volume,ball.center.y");
    EXPECT_EQ(std::count(ran.out.begin(), ran.out.end(), '\n'), 32);
    expect_said(ran.out, {"\n0,1.6875", ",1.1\n"});
    EXPECT_EQ(ran.err, "");
}

TEST_F(Verbs, new_lists_and_prints_scenes_that_are_good)
{
    const Ran kinds = pliant({"new"});
    EXPECT_EQ(kinds.code, 0);
    std::istringstream lines(kinds.out);
    int count = 0;
    for (std::string line, kind; std::getline(lines, line); ++count) {
        std::istringstream(line) >> kind;
        const std::string name = kind + ".json";
        const Ran made = pliant({"new", kind, "-o", name});
        EXPECT_EQ(made.code, 0) << made.err;
        EXPECT_EQ(pliant({"new", kind}).out, read(name));
        EXPECT_EQ(pliant({"check", name}).code, 0) << kind;
        const Ran ran = pliant({"run", name, "--set", "world.duration=0.05", "-q", "-f"});
        EXPECT_EQ(ran.code, 0) << kind << ran.out << ran.err;
    }
    EXPECT_GE(count, 3);
}

TEST_F(Verbs, schema_prints_json_or_the_manual)
{
    const Ran schema = pliant({"schema"});
    EXPECT_EQ(schema.code, 0);
    const JsonRead read = parse_json(schema.out, "stdout");
    EXPECT_TRUE(read.problems.empty());
    EXPECT_NE(read.value.find("$schema"), nullptr);
    expect_said(pliant({"schema", "--manual"}).out, {"# ", "gravity", "## Measures", "`BODY.volume`"});
}

TEST_F(Verbs, mesh_makes_every_shape)
{
    const std::vector<std::vector<std::string>> shapes = {
        {"grid", "4", "5", "--size", "1,2", "--alternating"},
        {"box", "1", "2", "3"},
        {"icosphere", "2", "--radius", "0.1"},
        {"uv_sphere", "12", "6"},
        {"cylinder", "12", "3", "--height", "2", "--uncapped"},
        {"torus", "12", "8", "--minor-radius", "0.1"},
        {"lidded_box", "6", "--size", "1.5,0.75,1.5"},
        {"chain", "5", "--from", "-1,0,0", "--to", "1,0,0"},
        {"disc", "6", "--radius", "0.15", "--inner-radius", "0.09"},
        {"t_shirt", "12", "--size", "0.52,0.72"},
        {"table", "16", "4", "--size", "1.2,0.75,0.8", "--leg-radius", "0.03", "--board", "0.04"},
        {"bottle", "16", "24", "--radius", "0.04", "--height", "0.3"},
        {"hare", "8", "--height", "0.4"},
        {"knot_strip", "128", "3", "--size", "1.4,0.02", "--cross"},
        {"stairs", "5", "--size", "2,1.2,1"},
        {"funnel", "16", "12", "--radius", "0.2", "--inner-radius", "0.05", "--height", "0.3", "--wall", "0.01"},
        {"octopus", "24", "--height", "0.3"},
    };
    for (std::vector<std::string> words : shapes) {
        const std::string name = words.front() + ".obj";
        words.insert(words.begin(), {"mesh", "make"});
        words.insert(words.end(), {"-o", name});
        const Ran ran = pliant(words);
        EXPECT_EQ(ran.code, 0) << ran.err;
        expect_said(ran.err, {"wrote " + name, "next: pliant info"});
        EXPECT_EQ(pliant({"mesh", "quality", name}).code, 0) << name;
    }
}

TEST_F(Verbs, mesh_converts_and_moves)
{
    ASSERT_EQ(pliant({"mesh", "make", "box", "1", "1", "1", "-o", "a.stl"}).code, 0);
    ASSERT_EQ(pliant({"mesh", "convert", "a.stl", "b.ply", "--scale", "2", "--weld", "1e-9", "--ascii"}).code, 0);
    expect_said(read("b.ply"), {"format ascii"});
    expect_said(pliant({"info", "b.ply"}).out, {"8 vertices", "volume 8"});
    ASSERT_EQ(pliant({"mesh", "convert", "b.ply", "c.off", "--flip"}).code, 0);
    expect_said(pliant({"info", "c.off"}).out, {"inside out"});
    const Ran moved =
        pliant({"mesh", "move", "b.ply", "d.obj", "--scale", "1,1,2", "--rotate", "0,1,0,90", "--translate", "-1,0,5"});
    ASSERT_EQ(moved.code, 0) << moved.err;
    expect_said(pliant({"info", "d.obj"}).out, {"from -3 -1 4 to 1 1 6"});
}

TEST_F(Verbs, completions_complete_verbs_options_and_words)
{
    for (const char* shell : {"bash", "zsh", "fish"}) {
        const Ran ran = pliant({"completion", shell});
        EXPECT_EQ(ran.code, 0);
        expect_said(ran.out, {"run", "export", "quality", "resume", "minor-radius"});
    }
    const std::string setup = std::string("source <('") + PLIANT_PROGRAM + "' completion bash); complete() { :; }; ";
    const auto completed = [&](const std::string& words) {
        const Ran ran = bash(setup + "COMP_WORDS=(" + words +
                             "); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _pliant; "
                             "echo \"${COMPREPLY[*]}\"");
        EXPECT_EQ(ran.code, 0) << ran.err;
        EXPECT_EQ(ran.err, "");
        return ran.out;
    };
    EXPECT_EQ(completed("pliant ru"), "run\n");
    EXPECT_EQ(completed("pliant run --res"), "--resume\n");
    EXPECT_EQ(completed("pliant run sc"), "scene.json\n");
    EXPECT_EQ(completed("pliant run scene.json -o sc"), "scene.json\n");
    EXPECT_EQ(completed("pliant run scene.json --threads sc"), "\n");
    EXPECT_EQ(completed("pliant mesh mo"), "move\n");
    EXPECT_EQ(completed("pliant mesh make ico"), "icosphere\n");
    EXPECT_EQ(completed("pliant completion z"), "zsh\n");
    EXPECT_EQ(completed("pliant plot scene.json en"), "energy\n");
    EXPECT_EQ(bash(std::string("'") + PLIANT_PROGRAM + "' completion bash | bash -n").code, 0);
    EXPECT_EQ(bash("! command -v zsh || '" PLIANT_PROGRAM "' completion zsh | zsh -n").code, 0);
    EXPECT_EQ(bash("! command -v fish || '" PLIANT_PROGRAM "' completion fish | fish -n").code, 0);
}

}  // namespace

}  // namespace pliant
