// SPDX-License-Identifier: MIT

// pliant mesh untangle: meshes, scenes, what it says, and that nothing is written where something is left.

#include "program.h"

#include <pliant/audit/intersections.h>
#include <pliant/io/mesh_file.h>
#include <pliant/mesh/shapes.h>
#include <pliant/mesh/transform.h>

namespace pliant {

namespace {

std::size_t intersections(const TriMesh& mesh)
{
    AuditSurfaces surfaces;
    surfaces.add({0, static_cast<std::int32_t>(mesh.vertices.size()), mesh.triangles, {}, false});
    Intersections found;
    EXPECT_TRUE(IntersectionSearch(surfaces).find(found, mesh.vertices));
    return found.count();
}

/// Two level sheets, 0.05 m apart, the upper one with a vertex through the lower: 50 vertices in two pieces.
TriMesh poked_sheets()
{
    TriMesh mesh = grid(5, 5, 0.8, 0.8), upper = grid(5, 5, 0.8, 0.8);
    translate(upper, {0.02, 0.05, 0.03});
    upper.vertices[12].y = -0.02;
    append(mesh, upper);
    mesh.lines.clear();
    return mesh;
}

/// A vertical sheet that cuts into a ball; `more` is said about the sheet.
std::string scene_text(const std::string& sheet_mesh, const std::string& more = "")
{
    return R"({ "world": { "duration": 0.02 }, "solver": { "kind": "implicit_euler", "step": 0.005 },
  "contact": { "response": "bridson", "thickness": 0.002 },
  "bodies": {
    "sheet": { "kind": "cloth", "mesh": )" +
           sheet_mesh + R"(, "position": [0, 0.45, 0], "cloth": { "density": 0.2, "stretch": 500, "bend": 1e-5 })" +
           more +
           R"( },
    "ball": { "kind": "rigid", "sphere": 0.1, "mass": 1, "position": [0.01, 0.14, 0.02] } },
  "colliders": { "floor": { "plane": [0, 1, 0, 0] } } })";
}

const char* const kUpright =
    R"({ "grid": [9, 9], "size": [0.4, 0.4], "rotate_axis": [1, 0, 0], "rotate_degrees": 90, "translate": [0, -0.05, 0] })";

class UntangleVerb : public CommandLine {};

TEST_F(UntangleVerb, help_opens_with_a_sentence_and_examples)
{
    const Ran ran = pliant({"mesh", "untangle", "--help"});
    EXPECT_EQ(ran.code, 0);
    EXPECT_LT(ran.out.find("  pliant mesh untangle"), ran.out.find("Usage: pliant mesh untangle")) << ran.out;
    expect_said(ran.out, {"--gap", "--rounds", "--fix", "Exit codes"});
    expect_said(pliant({"completion", "bash"}).out, {"untangle"});
}

TEST_F(UntangleVerb, parts_a_mesh_and_says_what_it_did)
{
    write_mesh(path("in.ply"), poked_sheets());
    const Ran ran = pliant({"mesh", "untangle", "in.ply", "out.ply", "--gap", "0.001"});
    ASSERT_EQ(ran.code, 0) << ran.err;
    expect_said(ran.out, {"intersections: 12 before, 0 after",
                          "rounds: ", "moved: ", "largest strain of an edge: ", "smallest gap: ", "wanted 0.001 m"});
    expect_said(ran.err, {"wrote out.ply: 50 vertices"});
    const TriMesh out = load_mesh(path("out.ply"));
    EXPECT_EQ(intersections(out), 0u);
    EXPECT_EQ(out.triangles, poked_sheets().triangles);
}

TEST_F(UntangleVerb, stl_is_written_so_that_no_rounding_crosses_again)
{
    write_mesh(path("in.ply"), poked_sheets());
    const Ran ran = pliant({"mesh", "untangle", "in.ply", "out.STL", "--gap", "1e-9"});
    ASSERT_EQ(ran.code, 0) << ran.err;
    expect_said(ran.err, {"written as text", "float"});
    EXPECT_TRUE(read("out.STL").starts_with("solid"));
    EXPECT_EQ(intersections(load_mesh(path("out.STL"))), 0u);
}

TEST_F(UntangleVerb, what_is_fixed_stays)
{
    write_mesh(path("in.ply"), poked_sheets());
    ASSERT_EQ(pliant({"mesh", "untangle", "in.ply", "a.ply", "--fix", "piece:0"}).code, 0);
    ASSERT_EQ(pliant({"mesh", "untangle", "in.ply", "b.ply", "--fix", "0:24"}).code, 0);
    const std::vector<Vec3> before = poked_sheets().vertices, after = load_mesh(path("a.ply")).vertices;
    EXPECT_TRUE(std::equal(before.begin(), before.begin() + 25, after.begin()));
    EXPECT_NE(before, after);
    EXPECT_EQ(read("a.ply"), read("b.ply"));
}

TEST_F(UntangleVerb, what_is_left_is_said_and_nothing_is_written)
{
    write_mesh(path("in.ply"), poked_sheets());
    const Ran ran = pliant({"mesh", "untangle", "in.ply", "out.ply", "--fix", "all"});
    expect_refused(ran, 1,
                   {"left: edge ", " through face ", "near ", "left: 2 more", "not untangled, nothing was written",
                    "12 intersections are left", "--rounds", "--fix"});
    expect_said(ran.out, {"intersections: 12 before, 12 after", "smallest gap: none"});
    EXPECT_FALSE(exists("out.ply"));
}

TEST_F(UntangleVerb, refuses_what_it_cannot_read_as_asked)
{
    write_mesh(path("in.ply"), poked_sheets());
    expect_refused(pliant({"mesh", "untangle", "in.ply", "o.ply", "--gap", "0"}), 2, {"--gap 0", "above zero"});
    expect_refused(pliant({"mesh", "untangle", "in.ply", "o.ply", "--rounds", "0"}), 2, {"--rounds 0"});
    expect_refused(pliant({"mesh", "untangle", "in.ply", "o.ply", "--fix", "50"}), 2, {"50 vertices"});
    expect_refused(pliant({"mesh", "untangle", "in.ply", "o.ply", "--fix", "9:3"}), 2, {"--fix 9:3", "piece:0"});
    expect_refused(pliant({"mesh", "untangle", "in.ply", "o.ply", "--fix", "piece:2"}), 2, {"2 pieces"});
    expect_refused(pliant({"mesh", "untangle", "in.ply", "o.ply", "--fix", "rim"}), 2, {"no such group"});
    expect_refused(pliant({"mesh", "untangle", "in.ply", "o.json"}), 2, {"in.ply is a mesh", ".obj"});
    expect_refused(pliant({"mesh", "untangle", "scene.json", "o.ply"}), 2, {"scene.json is a scene", ".json"});
    expect_refused(pliant({"mesh", "untangle", "in.ply", "in.ply"}), 4, {"exists already", "--force"});
    expect_refused(pliant({"mesh", "untangle", "no.ply", "o.ply"}), 4, {"no.ply"});
    ASSERT_EQ(pliant({"mesh", "make", "tet_ball", "2", "-o", "ball.msh"}).code, 0);
    expect_refused(pliant({"mesh", "untangle", "ball.msh", "o.ply"}), 2, {"is a volume", "SCENE.json"});
}

TEST_F(UntangleVerb, a_scene_gets_shifted_bodies_with_what_is_picked_of_them)
{
    write("in.json",
          scene_text(kUpright, R"(, "pins": [{ "select": { "low": [-1, 0.59, -1], "high": [1, 0.61, 1] } }])"));
    expect_refused(pliant({"run", "in.json", "--no-record"}), 3,
                   {"edges pass through faces at the start", "'sheet' edge ", "pliant mesh untangle"});
    const Ran ran = pliant({"mesh", "untangle", "in.json", "out.json"});
    ASSERT_EQ(ran.code, 0) << ran.out << ran.err;
    expect_said(ran.out, {" before, 0 after"});
    expect_said(ran.err, {"shifted by", "next: pliant run out.json"});
    EXPECT_EQ(pliant({"run", "out.json", "--no-record", "-q"}).code, 0);
}

TEST_F(UntangleVerb, a_scene_gets_bent_meshes_of_files_wherever_it_is_written)
{
    std::filesystem::create_directories(path("sub"));
    TriMesh sheet = grid(9, 9, 0.4, 0.4);
    sheet.lines.clear();
    rotate(sheet, {1, 0, 0}, 1.5707963);
    write_mesh(path("sheet.obj"), sheet);
    write("in.json", scene_text(R"({ "file": "sheet.obj", "translate": [0, -0.05, 0] })"));
    const Ran ran = pliant({"mesh", "untangle", "in.json", "sub/out.json", "--fix", "ball"});
    ASSERT_EQ(ran.code, 0) << ran.out << ran.err;
    expect_said(ran.err, {"body 'sheet' bent, its mesh is sub/out_sheet.obj"});
    EXPECT_EQ(load_mesh(path("sub/out_sheet.obj")).uv, sheet.uv);
    EXPECT_EQ(pliant({"run", "sub/out.json", "--no-record", "-q"}).code, 0);
    // Nothing bends that is fixed; and paths of what was not bent still lead to their files.
    const Ran fixed = pliant({"mesh", "untangle", "in.json", "sub/other.json", "--fix", "sheet"});
    ASSERT_EQ(fixed.code, 0) << fixed.out << fixed.err;
    expect_said(fixed.err, {"body 'ball' shifted"});
    EXPECT_EQ(pliant({"run", "sub/other.json", "--no-record", "-q"}).code, 0);
}

TEST_F(UntangleVerb, a_scene_that_stays_tangled_is_named_body_by_body)
{
    write("in.json", scene_text(kUpright));
    const Ran ran = pliant({"mesh", "untangle", "in.json", "out.json", "--fix", "ball", "--fix", "sheet"});
    expect_refused(ran, 1, {"left: 'sheet' edge ", "through 'ball' face ", "nothing was written"});
    EXPECT_FALSE(exists("out.json"));
    expect_refused(pliant({"mesh", "untangle", "in.json", "out.json", "--fix", "bal"}), 2, {"'ball'"});
    write("bad.json",
          R"({ "bodies": { "a": { "kind": "cloth", "mesh": "no.obj", "cloth": { "fabric": "cotton" } } } })");
    expect_refused(pliant({"mesh", "untangle", "bad.json", "out.json"}), 3, {"no.obj"});
}

}  // namespace

}  // namespace pliant
