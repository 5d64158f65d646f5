// SPDX-License-Identifier: MIT

// Volume meshes on the command line: making, filling, converting, judging, and what is refused.
//
// Neither TetGen nor Gmsh need be installed: a script of that name on the PATH checks what it is given and copies a
// prepared mesh, so that everything but their own work is tested.

#include "program.h"

#include <pliant/io/mesh_file.h>
#include <pliant/io/tet_file.h>
#include <pliant/mesh/measure.h>
#include <pliant/mesh/shapes.h>
#include <pliant/mesh/tet_quality.h>
#include <pliant/mesh/tet_shapes.h>
#include <pliant/mesh/transform.h>

namespace pliant {

namespace {

class MeshTets : public CommandLine {
protected:
    void make(const std::string& kind, const std::vector<std::string>& more, const std::string& name) const
    {
        std::vector<std::string> words{"mesh", "make", kind};
        words.insert(words.end(), more.begin(), more.end());
        words.insert(words.end(), {"-o", name});
        const Ran ran = pliant(words);
        ASSERT_EQ(ran.code, 0) << ran.err;
    }

    /// A program of that name in bin/, the only place where fill_with_programs() looks: whether the machine has the
    /// real one does not matter.
    void make_program(const std::string& name, const std::string& script) const
    {
        std::filesystem::create_directories(path("bin"));
        write("bin/" + name, "#!/bin/bash\nPATH=/usr/bin:/bin\n" + script);
        std::filesystem::permissions(path("bin/" + name), std::filesystem::perms::owner_all);
    }
    Ran fill_with_programs(const std::string& words) const
    {
        return bash("PATH=\"$PWD/bin\" '" PLIANT_PROGRAM "' mesh tetrahedralize " + words);
    }
    /// No program at all can be found.
    Ran fill_alone(const std::string& words) const
    {
        return bash("PATH=/nowhere '" PLIANT_PROGRAM "' mesh tetrahedralize " + words);
    }
    bool left_no_folder(const Ran& ran) const
    {
        const std::size_t start = std::string("in ").size(), end = ran.err.find(": ");
        return ran.err.starts_with("in /") && !std::filesystem::exists(ran.err.substr(start, end - start));
    }
};

TEST_F(MeshTets, help_opens_with_a_sentence_and_examples)
{
    for (const char* verb : {"tetrahedralize", "surface"}) {
        const Ran ran = pliant({"mesh", verb, "--help"});
        EXPECT_EQ(ran.code, 0);
        EXPECT_LT(ran.out.find(std::string("  pliant mesh ") + verb), ran.out.find("Usage: pliant mesh")) << ran.out;
        expect_said(ran.out, {"Exit codes", ".msh"});
    }
    expect_said(pliant({"completion", "bash"}).out, {"tetrahedralize", "auto lattice tetgen gmsh", "five_tets"});
}

TEST_F(MeshTets, makes_every_shape)
{
    make("tet_block", {"2", "3", "4", "--size", "2,3,4", "--cut", "five_tets"}, "block.msh");
    EXPECT_EQ(load_tets(path("block.msh")).tets.size(), 120U);
    EXPECT_NEAR(volume(load_tets(path("block.msh"))), 24, 1e-12);
    make("tet_ball", {"3", "--radius", "2"}, "ball.vtu");
    EXPECT_EQ(load_tets(path("ball.vtu")).tets, tet_ball(2, 3).tets);
    make("tet_cylinder", {"6", "1", "2", "--height", "3"}, "rod.mesh");
    EXPECT_EQ(load_tets(path("rod.mesh")).tets.size(), 36U);
    make("tet_torus", {"20", "8", "1", "--radius", "0.3", "--minor-radius", "0.1"}, "ring.node");
    EXPECT_EQ(load_tets(path("ring.ele")).vertices.size(), 180U);
    expect_said(pliant({"mesh", "make", "tet_ball", "1", "-o", "t.ele"}).err,
                {"t.node and ", "t.ele", "20 tetrahedra"});
}

TEST_F(MeshTets, make_refuses_what_makes_no_shape)
{
    expect_refused(pliant({"mesh", "make", "tet_block", "1", "1", "1", "--cut", "bc", "-o", "a.msh"}), 2, {"'bcc'"});
    expect_refused(pliant({"mesh", "make", "tet_ball", "2", "-o", "a.obj"}), 2, {"a.obj", ".msh"});
    expect_refused(pliant({"mesh", "make", "tet_ball", "2", "2", "-o", "a.msh"}), 2, {"1 whole number"});
    expect_refused(pliant({"mesh", "make", "tet_ball", "2", "-o", "no/a.msh"}), 4, {"no/a.msh", "folder"});
    make("tet_ball", {"1"}, "a.node");
    // The partner of a pair counts too.
    std::filesystem::remove(path("a.node"));
    expect_refused(pliant({"mesh", "make", "tet_ball", "2", "-o", "a.node"}), 4, {"a.ele", "--force"});
    EXPECT_EQ(pliant({"mesh", "make", "tet_ball", "2", "-o", "a.node", "--force"}).code, 0);
}

TEST_F(MeshTets, convert_keeps_every_bit_through_all_formats)
{
    make("tet_ball", {"3"}, "a.msh");
    const std::vector<std::string> names{"a.msh", "b.vtu", "c.mesh", "d.meshb", "e.node", "f.msh"};
    for (std::size_t i = 0; i + 1 < names.size(); ++i) {
        const Ran ran = pliant({"mesh", "convert", names[i], names[i + 1], "--ascii", "--msh2"});
        ASSERT_EQ(ran.code, 0) << ran.err;
    }
    const TetMesh first = load_tets(path("a.msh")), last = load_tets(path("f.msh"));
    EXPECT_EQ(first.vertices, last.vertices);
    EXPECT_EQ(first.tets, last.tets);
    expect_said(read("f.msh").substr(0, 40), {"$MeshFormat\n2.2 0 8"});
    expect_said(pliant({"mesh", "convert", "b.vtu", "g.mesh"}).err, {"note: ", "'surface'"});
}

TEST_F(MeshTets, convert_and_move_change_volumes)
{
    make("tet_block", {"2", "2", "2", "--size", "1,2,3"}, "a.msh");
    ASSERT_EQ(pliant({"mesh", "convert", "a.msh", "b.msh", "--scale", "1,1,-2"}).code, 0);
    EXPECT_NEAR(volume(load_tets(path("b.msh"))), 12, 1e-12);
    ASSERT_EQ(pliant({"mesh", "move", "a.msh", "c.msh", "--rotate", "0,0,1,90", "--translate", "0,5,0"}).code, 0);
    expect_said(pliant({"info", "c.msh"}).out, {"from -1 4.5 -1.5 to 1 5.5 1.5", "volume: 6"});
    expect_refused(pliant({"mesh", "convert", "a.msh", "d.msh", "--weld", "0"}), 2, {"--weld is for surfaces"});
    expect_refused(pliant({"mesh", "convert", "a.msh", "d.msh", "--flip"}), 2, {"--flip is for surfaces"});
    expect_refused(pliant({"mesh", "convert", "a.msh", "d.ply"}), 2, {"pliant mesh surface a.msh d.ply"});
    make("box", {"1", "1", "1"}, "box.obj");
    expect_refused(pliant({"mesh", "move", "box.obj", "d.msh"}), 2, {"pliant mesh tetrahedralize box.obj d.msh"});
    expect_refused(pliant({"mesh", "convert", "a.msh", "b.msh"}), 4, {"b.msh", "exists already", "--force"});
    expect_refused(pliant({"mesh", "convert", "no.msh", "d.msh"}), 4, {"no.msh", "no such file"});
}

TEST_F(MeshTets, quality_and_info_say_what_a_volume_holds)
{
    TetMesh block = tet_block({1, 1, 1}, {2, 2, 2});
    block.region.assign(block.tets.size(), 3);
    block.region[0] = 8;
    write_tets(path("a.msh"), block);
    expect_said(pliant({"mesh", "quality", "a.msh"}).out, {"27 vertices, 48 tetrahedra", "dihedral angles: 45"});
    const Ran ran = pliant({"info", "a.msh"});
    EXPECT_EQ(ran.code, 0);
    expect_said(ran.out, {"48 tetrahedra", "volume: 1,", "size 1 1 1", "regions: 3 (47 tetrahedra), 8 (1)",
                          "group left: 9 vertices", "group surface: 26 vertices"});
    expect_said(ran.err, {"\"kind\": \"solid\", \"mesh\": \"a.msh\""});
    write("bad.msh", read("a.msh").substr(0, 200));
    expect_refused(pliant({"info", "bad.msh"}), 3, {"bad.msh"});
    expect_refused(pliant({"mesh", "quality", "bad.msh"}), 3, {"bad.msh"});
    write("what.xyz", "1 2 3\n");
    expect_refused(pliant({"info", "what.xyz"}), 3, {".obj", ".msh"});
}

TEST_F(MeshTets, surface_extracts_a_closed_boundary)
{
    make("tet_torus", {"12", "8", "1"}, "ring.msh");
    ASSERT_EQ(pliant({"mesh", "surface", "ring.msh", "ring.ply"}).code, 0);
    const Ran info = pliant({"info", "ring.ply"});
    expect_said(info.out, {"96 vertices, 192 triangles", "closed: yes, volume 0."});
    expect_refused(pliant({"mesh", "surface", "ring.ply", "b.ply"}), 3, {"is a surface already", "convert"});
    expect_refused(pliant({"mesh", "surface", "ring.msh", "ring.ply"}), 4, {"exists already"});
    expect_refused(pliant({"mesh", "surface", "ring.msh", "b.vtu"}), 2, {"b.vtu"});
    expect_refused(pliant({"mesh", "dual", "ring.msh", "b.ply"}), 3, {"expected a surface", "pliant mesh surface"});
}

TEST_F(MeshTets, the_lattice_fills_a_ball_with_about_5000_good_tetrahedra)
{
    make("icosphere", {"3"}, "ball.obj");
    const Ran ran = fill_alone("ball.obj ball.msh");
    ASSERT_EQ(ran.code, 0) << ran.err;
    expect_said(ran.out, {"the built-in lattice", "about 5000", "dihedral angles", "pinched edges: none",
                          "pieces: 1 in a surface of 1 closed part"});
    const TetMesh mesh = load_tets(path("ball.msh"));
    EXPECT_NEAR(static_cast<double>(mesh.tets.size()), 5000, 1500);
    const TriMesh surface = load_mesh(path("ball.obj"));
    const double inside = volume(mesh), enclosed = signed_volume(surface.vertices, surface.triangles);
    EXPECT_NEAR(inside, enclosed, 0.03 * enclosed);
    EXPECT_TRUE(quality(mesh).is_usable());
    ASSERT_NE(mesh.find_group("surface"), nullptr);
    // A shorter edge makes more of them, and misses less.
    ASSERT_EQ(fill_alone("ball.obj fine.msh --edge 0.06 -q").err, "");
    const TetMesh fine = load_tets(path("fine.msh"));
    EXPECT_GT(fine.tets.size(), 3 * mesh.tets.size());
    EXPECT_LT(std::abs(volume(fine) - enclosed), std::abs(inside - enclosed));
}

TEST_F(MeshTets, what_the_lattice_loses_is_said)
{
    make("box", {"1", "1", "1", "--size", "1,0.1,1"}, "plate.obj");
    const Ran ran = fill_alone("plate.obj plate.msh --edge 0.07");
    ASSERT_EQ(ran.code, 0) << ran.err;
    expect_said(ran.out, {"% missing; corners and thin parts need a shorter --edge"});
    expect_refused(fill_alone("plate.obj b.msh --edge 1"), 3, {"plate.obj", "no tetrahedron of edge length 1"});
    expect_refused(fill_alone("plate.obj b.msh --edge 1e-9"), 3, {"plate.obj", "longer edge"});
    EXPECT_FALSE(exists("b.msh"));
}

TEST_F(MeshTets, what_cannot_be_filled_is_refused_before_any_work)
{
    make("grid", {"3", "3"}, "sheet.obj");
    make("box", {"1", "1", "1"}, "box.obj");
    make("tet_ball", {"1"}, "ball.msh");
    expect_refused(fill_alone("sheet.obj a.msh"), 3, {"sheet.obj", "8 open edges", "--weld"});
    expect_refused(fill_alone("ball.msh a.msh"), 3, {"ball.msh", "expected a surface", "pliant mesh surface"});
    expect_refused(fill_alone("box.obj a.obj"), 2, {"a.obj", ".msh"});
    expect_refused(fill_alone("box.obj ball.msh"), 4, {"ball.msh", "exists already", "--force"});
    expect_refused(fill_alone("box.obj no/a.msh"), 4, {"no/a.msh", "folder"});
    expect_refused(fill_alone("no.obj a.msh"), 4, {"no.obj"});
    expect_refused(fill_alone("box.obj a.msh --edge 0"), 2, {"--edge 0", "above zero"});
    expect_refused(fill_alone("box.obj a.msh --edge inf"), 2, {"--edge inf", "above zero"});
    expect_refused(fill_alone("box.obj a.msh --edge 1e-200"), 3, {"box.obj", "longer edge"});
    expect_refused(fill_alone("box.obj a.msh --with tetgn"), 2, {"'tetgen'"});
    expect_refused(fill_alone("box.obj a.msh --with gmsh"), 4, {"gmsh", "PATH", "--with lattice"});
    write("flat.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\nf 3 2 1\n");
    expect_refused(fill_alone("flat.obj a.msh"), 3, {"flat.obj", "encloses no volume"});
    EXPECT_FALSE(exists("a.msh"));
}

TEST_F(MeshTets, tetgen_is_used_when_found)
{
    make("box", {"1", "1", "1"}, "box.obj");
    make("tet_block", {"3", "3", "3"}, "prepared.node");
    make_program("tetgen", "[ \"$(head -2 \"$2\" | tr '\\n' ' ')\" = 'OFF 8 12 0 ' ] || exit 7\n"
                           "echo \"$1\" > '" +
                               path("arguments") +
                               "'\n"
                               "cp '" +
                               path("prepared.node") +
                               "' \"${2%.off}.1.node\"\n"
                               "cp '" +
                               path("prepared.ele") + "' \"${2%.off}.1.ele\"\n");
    const Ran ran = fill_with_programs("box.obj out.msh --edge 0.01");
    ASSERT_EQ(ran.code, 0) << ran.err;
    // The largest volume is that of a regular tetrahedron, without an exponent.
    EXPECT_EQ(read("arguments"), "-pq1.414a0.000000117851\n");
    expect_said(ran.err, {"/bin/tetgen -pq1.414a0.000000117851 surface.off"});
    expect_said(ran.out, {path("bin/tetgen"), "162 tetrahedra", "filled: 1 of the 1", "pieces: 1"});
    const TetMesh mesh = load_tets(path("out.msh"));
    EXPECT_EQ(mesh.tets, tet_block({1, 1, 1}, {3, 3, 3}).tets);
    ASSERT_EQ(mesh.groups.size(), 1U);
    EXPECT_EQ(mesh.groups[0].vertices.size(), 56U);
    EXPECT_TRUE(left_no_folder(ran));
    // Asked for, the lattice is used all the same.
    expect_said(fill_with_programs("box.obj out.msh -f --with lattice").out, {"the built-in lattice"});
}

TEST_F(MeshTets, gmsh_is_used_when_found_and_cavities_stay_empty)
{
    TriMesh surface = box({1, 1, 1}, {1, 1, 1}), cavity = box({0.5, 0.5, 0.5}, {1, 1, 1});
    reverse_orientation(cavity);
    const auto first = static_cast<std::int32_t>(surface.vertices.size());
    surface.vertices.insert(surface.vertices.end(), cavity.vertices.begin(), cavity.vertices.end());
    for (const Triangle& t : cavity.triangles) surface.triangles.push_back({t[0] + first, t[1] + first, t[2] + first});
    write_mesh(path("hollow.ply"), surface);
    make("tet_block", {"4", "4", "4"}, "prepared.msh");
    make_program("gmsh", "grep -q 'Merge \"surface.stl\"' \"$1\" && grep -q -c 'facet normal' surface.stl || exit 7\n"
                         "echo \"$@\" > '" +
                             path("arguments") +
                             "'\n"
                             "cp '" +
                             path("prepared.msh") + "' \"${@: -1}\"\n");
    const Ran ran = fill_with_programs("hollow.ply out.msh --edge 0.25");
    ASSERT_EQ(ran.code, 0) << ran.err;
    EXPECT_EQ(read("arguments"), "surface.geo -3 -clmax 0.25 -format msh2 -o filled.msh\n");
    // Eight of 64 cells are in the cavity, six tetrahedra each.
    expect_said(ran.err, {"48 tetrahedra of gmsh"});
    expect_said(ran.out, {"filled: 0.875 of the 0.875", "in a surface of 2 closed parts"});
    EXPECT_EQ(load_tets(path("out.msh")).tets.size(), 336U);
    EXPECT_TRUE(left_no_folder(ran));
}

TEST_F(MeshTets, programs_that_fail_are_quoted)
{
    make("box", {"1", "1", "1"}, "box.obj");
    const auto expect_failure = [&](const std::string& script, int code, const std::vector<std::string>& words) {
        make_program("tetgen", script);
        const Ran ran = fill_with_programs("box.obj out.msh");
        expect_refused(ran, code, words);
        expect_said(ran.err, {"bin/tetgen", "--with lattice"});
        EXPECT_TRUE(left_no_folder(ran)) << ran.err;
        EXPECT_FALSE(exists("out.msh"));
    };
    expect_failure("echo one; echo 'facets 1 and 2 intersect' >&2; exit 3", 3,
                   {"exit code 3", "last words: one / facets 1 and 2 intersect"});
    expect_failure("kill -SEGV $$", 3, {"signal 11"});
    expect_failure("exit 0", 3, {"left no surface.1.ele"});
    expect_failure("touch surface.1.ele; echo 0 > surface.1.node", 3, {"surface.1.ele that is of no use"});
    expect_failure("printf '4 3 0 0\\n1 9 9 9\\n2 10 9 9\\n3 9 10 9\\n4 9 9 10\\n' > surface.1.node\n"
                   "printf '1 4 0\\n1 1 2 3 4\\n' > surface.1.ele",
                   3, {"none of them inside the surface"});
    write("bin/tetgen", "#!/no/such/interpreter\n");
    expect_refused(fill_with_programs("box.obj out.msh --with tetgen"), 4, {"cannot be started"});
}

}  // namespace

}  // namespace pliant
