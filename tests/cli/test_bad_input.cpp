// SPDX-License-Identifier: MIT

// Bad input of every sort: a clear message, the documented exit code, nothing lost.

#include "program.h"

namespace pliant {

namespace {

class BadInput : public CommandLine {
protected:
    // The same file as a mesh to look at, to convert, and in a scene.
    void expect_bad_mesh(const std::string& name, const std::vector<std::string>& words) const
    {
        expect_refused(pliant({"info", name}), 3, words);
        expect_refused(pliant({"mesh", "quality", name}), 3, words);
        expect_refused(pliant({"mesh", "convert", name, "out.obj"}), 3, words);
        EXPECT_FALSE(exists("out.obj"));
        expect_refused(pliant({"run", "scene.json", "--set", "bodies.box.mesh=" + name}), 3, words);
        EXPECT_FALSE(exists("scene.plrec"));
    }
    void expect_bad_value(const std::string& pair, const std::vector<std::string>& words) const
    {
        expect_refused(pliant({"run", "scene.json", "--set", pair}), 3, words);
        EXPECT_EQ(pliant({"check", "scene.json", "--set", pair}).code, 3);
        EXPECT_FALSE(exists("scene.plrec"));
    }
};

TEST_F(BadInput, a_missing_file_is_4_and_named)
{
    for (const char* verb : {"run", "info"}) expect_refused(pliant({verb, "no.json"}), 4, {"no.json"});
    for (const char* verb : {"info", "plot"}) expect_refused(pliant({verb, "no.plrec"}), 4, {"no.plrec"});
    expect_refused(pliant({"export", "no.plrec", "-o", "out.glb"}), 4, {"no.plrec"});
    expect_refused(pliant({"run", "--resume", "no.plrec"}), 4, {"no.plrec"});
    expect_refused(pliant({"info", "no.obj"}), 4, {"no.obj"});
    expect_refused(pliant({"mesh", "convert", "no.obj", "out.ply"}), 4, {"no.obj"});
}

TEST_F(BadInput, an_empty_mesh_is_refused)
{
    write("mesh.obj", "");
    expect_bad_mesh("mesh.obj", {"mesh.obj", "empty"});
}

TEST_F(BadInput, a_garbage_mesh_is_refused)
{
    write("mesh.ply", "\x01\x02 nothing of this is a mesh \xff\xfe");
    expect_bad_mesh("mesh.ply", {"mesh.ply", "PLY"});
}

TEST_F(BadInput, a_truncated_mesh_is_refused)
{
    ASSERT_EQ(pliant({"mesh", "make", "icosphere", "2", "-o", "whole.ply"}).code, 0);
    write("mesh.ply", read("whole.ply").substr(0, 900));
    expect_bad_mesh("mesh.ply", {"mesh.ply", "162"});
}

TEST_F(BadInput, coordinates_that_are_no_numbers_are_refused)
{
    write("mesh.obj", "v 0 0 nan\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    expect_bad_mesh("mesh.obj", {"mesh.obj:1", "nan"});
}

TEST_F(BadInput, an_index_out_of_range_is_refused_with_its_line)
{
    write("mesh.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 9\n");
    expect_bad_mesh("mesh.obj", {"mesh.obj:4", "9"});
}

TEST_F(BadInput, a_header_that_claims_a_billion_vertices_is_refused_at_once)
{
    write("mesh.ply", "ply\nformat binary_little_endian 1.0\nelement vertex 1000000000\nproperty double x\n"
                      "property double y\nproperty double z\nend_header\n");
    expect_bad_mesh("mesh.ply", {"mesh.ply", "1000000000"});
}

TEST_F(BadInput, an_unknown_key_is_refused_with_the_nearest_one)
{
    expect_bad_value("bodies.box.masss=3", {"masss", "'mass'"});
    write("scene.json", "{\n  \"bodies\": { \"b\": { \"kind\": \"rigid\", \"sphere\": 1, \"mas\": 2 } }\n}");
    expect_refused(pliant({"run", "scene.json"}), 3, {"scene.json:2", "/bodies/b/mas", "'mass'"});
}

TEST_F(BadInput, a_wrong_type_and_a_wrong_range_are_refused)
{
    expect_bad_value("bodies.box.mass=heavy", {"/bodies/box/mass", "heavy", "number"});
    expect_bad_value("bodies.box.mass=-3", {"/bodies/box/mass", "-3"});
    expect_bad_value("world.gravity=down", {"/world/gravity"});
    expect_bad_value("solver.kind=rk5", {"rk5", "rk4"});
}

TEST_F(BadInput, a_scene_that_is_no_json_is_refused_with_its_line)
{
    write("scene.json", "{\n  \"world\": {\n");
    expect_refused(pliant({"run", "scene.json"}), 3, {"scene.json:"});
    write("scene.json", "");
    expect_refused(pliant({"run", "scene.json"}), 3, {"scene.json"});
}

TEST_F(BadInput, an_open_surface_cannot_hold_gas)
{
    write("sheet.obj", "v 0 0 0\nv 1 0 0\nv 0 0 1\nv 1 0 1\nf 1 3 2\nf 2 3 4\n");
    write("scene.json", R"({ "bodies": { "sheet": { "kind": "springs", "mesh": "sheet.obj", "mass": 1,
                             "springs": { "k_s": 10 }, "gas": { "k_g": 1 } } } })");
    expect_refused(pliant({"run", "scene.json"}), 3, {"sheet", "open"});
}

TEST_F(BadInput, every_problem_is_reported_not_only_the_first)
{
    const Ran ran = pliant({"check", "scene.json", "--set", "bodies.box.mass=-3", "--set", "solver.kind=rk5"});
    EXPECT_EQ(ran.code, 3);
    expect_said(ran.out, {"-3", "rk5", "2 problems"});
}

TEST_F(BadInput, a_take_that_is_none_is_refused)
{
    write("take.plrec", "this is no database");
    for (const char* verb : {"info", "plot"}) expect_refused(pliant({verb, "take.plrec"}), 3, {"take.plrec"});
    expect_refused(pliant({"export", "take.plrec", "-o", "out.csv"}), 3, {"take.plrec"});
    expect_refused(pliant({"run", "--resume", "take.plrec"}), 3, {"take.plrec"});
    make_take();
    write("cut.plrec", read("take.plrec").substr(0, 20000));
    expect_refused(pliant({"info", "cut.plrec"}), 3, {"cut.plrec"});
}

TEST_F(BadInput, a_kind_of_file_that_is_unknown_is_refused_with_the_known_ones)
{
    write("notes.txt", "hello");
    expect_refused(pliant({"info", "notes.txt"}), 3, {"notes.txt", ".plrec", ".json", ".obj"});
    expect_refused(pliant({"info", "."}), 4, {"directory"});
}

TEST_F(BadInput, output_that_cannot_be_written_is_4)
{
    make_take();
    for (const char* place : {"no/such/folder/", "scene.json/"}) {
        const std::string at = place;
        expect_refused(pliant({"run", "scene.json", "-o", at + "a.plrec"}), 4, {"a.plrec"});
        expect_refused(pliant({"export", "take.plrec", "-o", at + "a.csv"}), 4, {"a.csv"});
        expect_refused(pliant({"plot", "take.plrec", "-o", at + "a.svg"}), 4, {"a.svg"});
        expect_refused(pliant({"new", "chain", "-o", at + "a.json"}), 4, {"a.json"});
        expect_refused(pliant({"mesh", "make", "icosphere", "1", "-o", at + "a.obj"}), 4, {"a.obj"});
    }
}

TEST_F(BadInput, a_full_disk_is_4_and_the_take_stays_whole)
{
    make_take();
    for (const char* name : {"full.csv", "full.svg", "full.png", "full.obj", "full.stl"})
        std::filesystem::create_symlink("/dev/full", path(name));
    expect_refused(pliant({"export", "take.plrec", "-o", "full.csv"}), 4, {"full.csv", "full"});
    expect_refused(pliant({"plot", "take.plrec", "-o", "full.svg"}), 4, {"full.svg"});
    expect_refused(pliant({"plot", "take.plrec", "-o", "full.png"}), 4, {"full.png"});
    expect_refused(pliant({"mesh", "make", "icosphere", "1", "-o", "full.obj"}), 4, {"full.obj"});
    expect_refused(pliant({"mesh", "make", "icosphere", "1", "-o", "full.stl"}), 4, {"full.stl"});
    expect_refused(pliant({"new", "chain", "-o", "/dev/full"}), 4, {"/dev/full"});
    expect_refused(pliant({"run", "scene.json", "-o", "/dev/full"}), 4, {"/dev/full"});
    const std::string program = PLIANT_PROGRAM;
    for (const char* words :
         {"schema", "new chain", "info take.plrec", "plot take.plrec --csv", "run scene.json -f --json"})
        expect_refused(bash(program + ' ' + words + " > /dev/full"), 4, {"pliant"});
    EXPECT_EQ(pliant({"info", "take.plrec"}).code, 0);
}

TEST_F(BadInput, an_existing_file_is_never_overwritten_without_force)
{
    make_take();
    const std::vector<std::vector<std::string>> commands = {
        {"export", "take.plrec", "-o", "old.csv"},
        {"plot", "take.plrec", "-o", "old.svg"},
        {"new", "chain", "-o", "old.json"},
        {"mesh", "make", "icosphere", "1", "-o", "old.obj"},
    };
    for (std::vector<std::string> words : commands) {
        const std::string old = words.back();
        write(old, "precious");
        expect_refused(pliant(words), 4, {old, "--force"});
        EXPECT_EQ(read(old), "precious");
        words.emplace_back("--force");
        EXPECT_EQ(pliant(words).code, 0) << old;
        EXPECT_NE(read(old), "precious");
    }
}

TEST_F(BadInput, a_wrong_command_line_is_2_with_the_nearest_word)
{
    make_take();
    expect_refused(pliant({"rnu", "scene.json"}), 2, {"'rnu'", "'run'"});
    expect_refused(pliant({"mesh", "mkae"}), 2, {"'make'"});
    expect_refused(pliant({}), 2, {"Usage", "run"});
    expect_refused(pliant({"mesh"}), 2, {"Usage", "quality"});
    expect_refused(pliant({"run"}), 2, {"required", "pliant run --help"});
    expect_refused(pliant({"run", "scene.json", "--outptu", "x"}), 2, {"--outptu", "'--output'"});
    expect_refused(pliant({"run", "scene.json", "--set", "nothing"}), 2, {"path=value"});
    expect_refused(pliant({"new", "baloon"}), 2, {"'balloon'"});
    expect_refused(pliant({"plot", "take.plrec", "box.volum"}), 2, {"'box.volume'"});
    expect_refused(pliant({"plot", "take.plrec", "-o", "picture.bmp"}), 3, {".svg"});
    expect_refused(pliant({"export", "take.plrec", "-o", "out.xyz"}), 2, {"pc2"});
    expect_refused(pliant({"export", "take.plrec", "-o", "out.pc2", "--body", "bal"}), 2, {"'ball'"});
    expect_refused(pliant({"export", "take.plrec", "-o", "out.pc2", "--every", "0"}), 2, {"every 0"});
    expect_refused(pliant({"mesh", "make", "cube", "1", "-o", "out.obj"}), 2, {"cube"});
    expect_refused(pliant({"mesh", "make", "box", "1", "-o", "out.obj"}), 2, {"3 whole numbers"});
    expect_refused(pliant({"mesh", "make", "grid", "3", "3", "--size", "1,x", "-o", "out.obj"}), 2, {"--size 1,x"});
    expect_refused(pliant({"mesh", "make", "icosphere", "1", "-o", "out.xyz"}), 2, {".obj"});
    expect_refused(pliant({"completion", "tcsh"}), 2, {"bash"});
    expect_refused(pliant({"info", "scene.json", "--json"}), 2, {"--json"});
}

}  // namespace

}  // namespace pliant
