// SPDX-License-Identifier: MIT

// The tools of seed 001 as verbs: scene folders, fabricCreator, meshMover.

#include "program.h"

#include <pliant/io/mesh_file.h>
#include <pliant/mesh/measure.h>

namespace pliant {

namespace {

class DpoTools : public CommandLine {
protected:
    const std::string sample = std::string(PLIANT_SOURCE) + "/tests/data/dpo_hanging";
};

TEST_F(DpoTools, a_folder_becomes_a_scene_and_its_meshes)
{
    const Ran ran = pliant({"mesh", "import-dpo", sample, "-o", "dpo.json"});
    ASSERT_EQ(ran.code, 0) << ran.err;
    expect_said(ran.err, {"note: cloth has the stiffness of cotton", "colour 0 0 0.9 is left out",
                          "wrote dpo.json and 2 meshes beside it; next: pliant run dpo.json"});
    EXPECT_EQ(load_mesh(path("dpo_dpo_sheet.obj")).vertices.size(), 16u);
    EXPECT_EQ(load_mesh(path("dpo_rig_block.obj")).triangles.size(), 12u);
    const Ran check = pliant({"check", "dpo.json"});
    EXPECT_EQ(check.code, 0) << check.out << check.err;
}

// E-18: vertex 0 is held for a second, lifted by 0.1 m, let go, and taken again half a second later.
TEST_F(DpoTools, an_imported_scene_moves_as_its_tables_say)
{
    ASSERT_EQ(pliant({"mesh", "import-dpo", sample, "-o", "dpo.json", "--duration", "3.5"}).code, 0);
    const Ran run = pliant({"run", "dpo.json", "-o", "take.plrec", "-q"});
    ASSERT_EQ(run.code, 0) << run.err;
    const Recording take = Recording::open(path("take.plrec"));
    ASSERT_EQ(take.frame_count(), 351);
    const Vec3 start = take.frame(0).x[0];
    const auto moved = [&](std::int64_t from, std::int64_t to, const Vec3& by) {
        EXPECT_LT(norm(take.frame(to).x[0] - take.frame(from).x[0] - by), 1e-9) << from << " to " << to;
    };
    moved(0, 100, {0, 0, 0});
    moved(100, 200, {0, 0, 0.1});
    moved(250, 350, {-0.1, 0.1, 0});
    EXPECT_LT(take.frame(250).x[0].z, start.z) << "let go, it falls";
    const Vec3 held = take.frame(350).x[10] - take.frame(250).x[10];
    EXPECT_LT(norm(held - Vec3{-0.1, 0.1, 0}), 1e-9);
    const BodyRange& block = take.header().topology.bodies.at(1);
    EXPECT_EQ(block.name, "rig_block");
    const auto corner = static_cast<std::size_t>(block.first_point);
    EXPECT_LT(norm(take.frame(350).x[corner] - take.frame(0).x[corner] - Vec3{0.1, 0, 0}), 1e-9);
}

TEST_F(DpoTools, nothing_is_overwritten_by_accident)
{
    write("dpo_rig_block.obj", "mine");
    const Ran ran = pliant({"mesh", "import-dpo", sample, "-o", "dpo.json"});
    expect_refused(ran, 4, {"dpo_rig_block.obj", "exists already"});
    EXPECT_FALSE(exists("dpo.json"));
    EXPECT_FALSE(exists("dpo_dpo_sheet.obj"));
    EXPECT_EQ(read("dpo_rig_block.obj"), "mine");
    EXPECT_EQ(pliant({"mesh", "import-dpo", sample, "-o", "dpo.json", "--force"}).code, 0);
}

TEST_F(DpoTools, wrong_words_are_told)
{
    expect_refused(pliant({"mesh", "import-dpo", sample, "-o", "dpo.json", "--fabric", "coton"}), 2,
                   {"there is no such fabric", "did you mean 'cotton'?"});
    expect_refused(pliant({"mesh", "import-dpo", sample, "-o", "dpo.obj"}), 2, {"ends in .json"});
    expect_refused(pliant({"mesh", "import-dpo", sample, "-o", "dpo.json", "--friction", "-1"}), 2, {"0 to 100"});
    expect_refused(pliant({"mesh", "import-dpo", sample, "-o", "dpo.json", "--duration", "0"}), 2, {"above 0"});
    expect_refused(pliant({"mesh", "import-dpo", sample, "-o", "dpo.json", "--fabric", "silk", "--freecloth"}), 2,
                   {"--freecloth"});
    expect_refused(pliant({"mesh", "import-dpo", "nowhere", "-o", "dpo.json"}), 4,
                   {"nowhere/world_parameters/world_parameters: no such file", "bodies/body_list"});
    expect_refused(pliant({"mesh", "make", "fabric", "0", "15", "-o", "fabric.stl"}), 2, {"found 0 divisions"});
    std::filesystem::copy(sample, path("rigid"), std::filesystem::copy_options::recursive);
    write("rigid/bodies/body_list", "Start the list from here:\nrig_block\npar_block\nvel_block\n");
    expect_refused(pliant({"mesh", "import-dpo", "rigid", "-o", "dpo.json"}), 3, {"body_list", "rigid bodies only"});
    EXPECT_FALSE(exists("dpo.json"));
}

// E-19
TEST_F(DpoTools, fabric_creator_and_mesh_mover)
{
    const Ran made = pliant({"mesh", "make", "fabric", "15", "15", "--size", "1,1", "--center", "0.4,0.3,1.3", "-o",
                             "fabric.stl", "--ascii"});
    ASSERT_EQ(made.code, 0) << made.err;
    ASSERT_EQ(pliant({"mesh", "move", "fabric.stl", "moved.stl", "--translate", "1,0,-0.5", "--ascii"}).code, 0);
    const TriMesh fabric = load_mesh(path("fabric.stl")), moved = load_mesh(path("moved.stl"));
    ASSERT_EQ(fabric.vertices.size(), 256u);
    ASSERT_EQ(moved.vertices.size(), 256u);
    EXPECT_EQ(fabric.triangles.size(), 450u);
    Vec3 centre{}, low = fabric.vertices[0], high = low;
    for (std::size_t i = 0; i < fabric.vertices.size(); ++i) {
        const Vec3& x = fabric.vertices[i];
        centre = centre + x * (1.0 / 256);
        for (int k = 0; k < 3; ++k) low[k] = std::min(low[k], x[k]), high[k] = std::max(high[k], x[k]);
        EXPECT_LT(norm(moved.vertices[i] - x - Vec3{1, 0, -0.5}), 1e-12);
    }
    EXPECT_LT(norm(centre - Vec3{0.4, 0.3, 1.3}), 1e-12);
    EXPECT_LT(norm(high - low - Vec3{1, 1, 0}), 1e-12);
    for (const Vec3& n : face_normals(fabric.vertices, fabric.triangles)) EXPECT_GT(n.z, 0.999);
}

}  // namespace

}  // namespace pliant
