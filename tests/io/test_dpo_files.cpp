// SPDX-License-Identifier: MIT

// dpoSimulator's files: values, tables and meshes as the thesis describes them, and every mistake told with its place.

#include <filesystem>
#include <fstream>

#include <unistd.h>

#include <gtest/gtest.h>

#include <pliant/io/dpo_files.h>
#include <pliant/io/mesh_file.h>

namespace pliant {
namespace {

namespace fs = std::filesystem;

const std::string kSample = std::string(PLIANT_SOURCE) + "/tests/data/dpo_hanging";
const std::string kWorld = "World\nWarning: write behind the = only\n\nGravity = 9.81\nFramerate = 100\nEnd of file\n";
const std::string kList = "Names of files.\nStart the list from here:\ndpo_a\npar_a\nvel_a\nrig_b\npar_b\nvel_b\n";
const std::string kParameters =
    "Numbers of a body\nDensity = 1\nMass = 0\nThickness = 0.003\nDiffuse color = 0 0 0.9\n";
// E-18
const std::string kTable = "Time 0\nNumber of constraint vectors 1\nVertexId 0 Vector [ 0 0 0 ]\n"
                           "Time 1\nNumber of constraint vectors 1\nVertexId 0 Vector [ 0 0 0.1 ]\n"
                           "Time 2\nNumber of constraint vectors 0\n"
                           "Time 2.5\nNumber of constraint vectors 2\nVertexId 10 Vector [ -0.1 0.1 0 ]\n"
                           "VertexId 0 Vector [ -0.1 0.1 0 ]\n";

std::string with(std::string text, const std::string& from, const std::string& to)
{
    const std::size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return text.replace(at, from.size(), to);
}

DpoRead<DpoWorld> world_of(const std::string& text)
{
    return read_dpo_world(text, "w");
}
DpoRead<DpoBodyList> list_of(const std::string& text)
{
    return read_dpo_body_list(text, "l");
}
DpoRead<DpoParameters> parameters_of(const std::string& text, DpoKind kind = DpoKind::cloth)
{
    return read_dpo_parameters(text, "p", kind);
}
DpoRead<DpoVelocities> table_of(const std::string& text, DpoKind kind = DpoKind::cloth)
{
    return read_dpo_velocities(text, "v", kind, 16);
}

/// The first problem is at that place, in those words.
template <class File>
void expect_problem(const DpoRead<File>& read, const std::string& place, const std::string& words)
{
    ASSERT_FALSE(read.ok()) << words;
    const std::string problem = to_string(read.problems[0]);
    EXPECT_TRUE(problem.starts_with(place)) << "found: " << problem << "\nexpected at: " << place;
    EXPECT_NE(problem.find(words), std::string::npos) << "found: " << problem << "\nexpected: " << words;
    EXPECT_FALSE(read.problems[0].cure.empty()) << problem;
}

TEST(DpoFiles, WorldHasGravityAndFrames)
{
    const auto read = world_of(kWorld);
    ASSERT_TRUE(read.ok()) << to_string(read.problems[0]);
    EXPECT_EQ(read.file.gravity, 9.81);
    EXPECT_EQ(read.file.frame_rate, 100);
}

TEST(DpoFiles, LabelsUnitsAndLineEndsAreFree)
{
    const auto read = world_of("\xef\xbb\xbf=====\r\nacceleration (m/s2)=+1.62 m/s2\r\n\r\nrate of frames=2e2\r\n");
    ASSERT_TRUE(read.ok()) << to_string(read.problems[0]);
    EXPECT_EQ(read.file.gravity, 1.62);
    EXPECT_EQ(read.file.frame_rate, 200);
}

TEST(DpoFiles, WorldTellsWhatIsWrong)
{
    expect_problem(world_of(with(kWorld, "Gravity = 9.81", "Gravity = g")), "w:4: Gravity", "found 'g'");
    expect_problem(world_of(with(kWorld, "9.81", "9,81")), "w:4: Gravity", "found '81' behind the value");
    expect_problem(world_of(with(kWorld, "9.81", "-9.81")), "w:4: Gravity", "found -9.81, expected 0 to");
    expect_problem(world_of(with(kWorld, "100", "0")), "w:5: Framerate", "found 0, expected");
    expect_problem(world_of(with(kWorld, "Framerate = 100\n", "")), "w:5: Framerate", "the file ends without it");
    expect_problem(world_of("Framerate = 100\nGravity = 9.81\n"), "w:1: Gravity", "found 'Framerate'");
    expect_problem(world_of(kWorld + "Wind = 3\n"), "w:7: ", "behind the last value");
    EXPECT_EQ(world_of("nothing").problems.size(), 2u);
}

TEST(DpoFiles, ListHasThreeFilesForEachBody)
{
    const auto read = list_of(kList);
    ASSERT_TRUE(read.ok()) << to_string(read.problems[0]);
    ASSERT_EQ(read.file.bodies.size(), 2u);
    EXPECT_EQ(read.file.bodies[0].kind, DpoKind::cloth);
    EXPECT_EQ(read.file.bodies[0].mesh, "dpo_a");
    EXPECT_EQ(read.file.bodies[0].parameters, "par_a");
    EXPECT_EQ(read.file.bodies[1].kind, DpoKind::rigid);
    EXPECT_EQ(read.file.bodies[1].velocities, "vel_b");
    EXPECT_TRUE(list_of(kList + "\n\nEnd of file\nnothing here counts\n").ok());
    EXPECT_TRUE(list_of(with(kList, "dpo_a", "  dpo_a \r")).ok());
}

TEST(DpoFiles, ListTellsWhatIsWrong)
{
    expect_problem(list_of(with(kList, "Start the list from here:", "Here:")), "l: ", "no line that begins the list");
    expect_problem(list_of("Start the list from here:\n"), "l:1: ", "the list is empty");
    expect_problem(list_of(with(kList, "dpo_a", "dpo a")), "l:3: ", "found 'dpo a', expected one file name");
    expect_problem(list_of(with(kList, "dpo_a", "dpo_a.stl")), "l:3: ", "without extension");
    expect_problem(list_of(with(kList, "dpo_a", "dpo_../a")), "l:3: ", "without extension or folder");
    expect_problem(list_of(with(kList, "dpo_a", "cloth_a")), "l:3: ", "expected dpo_, rig_, par_ or vel_");
    expect_problem(list_of(with(kList, "par_a\nvel_a", "vel_a\npar_a")), "l:4: ", "found 'vel_a', expected par_a");
    expect_problem(list_of(with(kList, "par_a", "par_b")), "l:4: ", "found 'par_b', expected par_a");
    expect_problem(list_of(with(kList, "vel_a\n", "")), "l:5: ", "dpo_a is not followed by vel_a");
    expect_problem(list_of(with(kList, "vel_b\n", "")), "l:7: ", "rig_b is not followed by vel_b");
    expect_problem(list_of(kList + "dpo_a\npar_a\nvel_a\n"), "l:9: ", "in the list already");
    expect_problem(list_of(kList + "vel_b\n"), "l:9: ", "expected dpo_ or rig_ of the next body");
}

TEST(DpoFiles, ParametersAreFourValues)
{
    const auto read = parameters_of(kParameters);
    ASSERT_TRUE(read.ok()) << to_string(read.problems[0]);
    EXPECT_EQ(read.file.density, 1);
    EXPECT_EQ(read.file.mass, 0);
    EXPECT_EQ(read.file.thickness, 0.003);
    EXPECT_EQ(read.file.colour, (Vec3{0, 0, 0.9}));
    EXPECT_TRUE(parameters_of(with(kParameters, "= 1\n", "= 0\n"), DpoKind::rigid).ok());
    EXPECT_EQ(parameters_of(with(kParameters, "0 0 0.9", "[0, 0, 0.9]")).file.colour, (Vec3{0, 0, 0.9}));
}

TEST(DpoFiles, ParametersTellWhatIsWrong)
{
    expect_problem(parameters_of(with(kParameters, "= 1\n", "= 0\n")), "p:2: Density", "cloth needs a mass");
    expect_problem(parameters_of(with(kParameters, "Mass = 0\n", "")), "p:3: Mass", "found 'Thickness', expected Mass");
    expect_problem(parameters_of(with(kParameters, "0.003", "-0.003")), "p:4: Thickness", "expected 0 to 1000");
    expect_problem(parameters_of(with(kParameters, "0 0 0.9", "0 0")), "p:5: Diffuse colour", "ends early");
    expect_problem(parameters_of(with(kParameters, "0 0 0.9", "0 0 255")), "p:5: Diffuse colour", "found 255");
    expect_problem(parameters_of(with(kParameters, "0 0 0.9", "0 nan 0")), "p:5: Diffuse colour", "found nan");
    expect_problem(parameters_of(with(kParameters, "0.003", "1e999")), "p:4: Thickness", "below 1.8e308");
}

void expect_is_e18(const DpoVelocities& table)
{
    ASSERT_EQ(table.blocks.size(), 4u);
    EXPECT_EQ(table.blocks[0].time, 0);
    ASSERT_EQ(table.blocks[0].vectors.size(), 1u);
    EXPECT_EQ(table.blocks[0].vectors[0].velocity, Vec3{});
    EXPECT_EQ(table.blocks[1].vectors[0].velocity, (Vec3{0, 0, 0.1}));
    EXPECT_EQ(table.blocks[2].time, 2);
    EXPECT_TRUE(table.blocks[2].vectors.empty());
    EXPECT_EQ(table.blocks[3].time, 2.5);
    ASSERT_EQ(table.blocks[3].vectors.size(), 2u);
    EXPECT_EQ(table.blocks[3].vectors[0].vertex, 0);
    EXPECT_EQ(table.blocks[3].vectors[1].vertex, 10);
    EXPECT_EQ(table.blocks[3].vectors[1].velocity, (Vec3{-0.1, 0.1, 0}));
}

TEST(DpoFiles, TableOfTheThesis)
{
    const auto read = table_of(kTable);
    ASSERT_TRUE(read.ok()) << to_string(read.problems[0]);
    expect_is_e18(read.file);
}

TEST(DpoFiles, OnlyNumbersOfATableCount)
{
    std::string one_line = "Velocities of the gripper. ";
    for (const char c : kTable) one_line += c == '\n' ? ' ' : c;
    const auto read = table_of(one_line);
    ASSERT_TRUE(read.ok()) << to_string(read.problems[0]);
    expect_is_e18(read.file);
    const auto bare = table_of("0 1 0 0 0 0\n1 1 0 0 0 0.1\n2 0\n2.5 2 0 -0.1 0.1 0 10 -0.1 0.1 0\n");
    ASSERT_TRUE(bare.ok()) << to_string(bare.problems[0]);
    expect_is_e18(bare.file);
}

TEST(DpoFiles, TableTellsWhatIsWrong)
{
    expect_problem(table_of("no blocks\n"), "v:1: ", "the table has no block");
    expect_problem(table_of(with(kTable, "Time 1", "Time 0")), "v:4: Time", "behind a block of 0 s");
    expect_problem(table_of(with(kTable, "Time 0", "Time -1")), "v:1: Time", "found -1 s");
    expect_problem(table_of(with(kTable, "Time 1", "Time one")), "v:5: Time", "found 'Number', expected Time");
    expect_problem(table_of(with(kTable, "vectors 1", "vectors 2")), "v:4: VertexId", "found 'Time'");
    expect_problem(table_of(with(kTable, "vectors 2", "vectors 1")), "v:12: Time", "found 'VertexId'");
    expect_problem(table_of(with(kTable, "vectors 1", "vectors 0.5")), "v:2: Number of constraint", "found 0.5");
    expect_problem(table_of(with(kTable, "vectors 2", "vectors 2000000000")), "v:12: VertexId", "the file ends");
    expect_problem(table_of(with(kTable, "VertexId 10", "VertexId 16")), "v:11: VertexId", "the mesh has 16 vertices");
    expect_problem(table_of(with(kTable, "VertexId 10", "VertexId -1")), "v:11: VertexId", "found -1");
    expect_problem(table_of(with(kTable, "VertexId 10", "VertexId 0")), "v:12: VertexId", "0 has two vectors");
    expect_problem(table_of(with(kTable, "[ 0 0 0 ]", "[ 0 0 ]")), "v:4: Vector", "found 'Time'");
    expect_problem(table_of(with(kTable, "[ 0 0 0 ]", "[ 0 x 0 ]")), "v:3: Vector", "found 'x'");
    expect_problem(table_of(with(kTable, "[ 0 0 0 ]", "[ 0 0 1e10 ]")), "v:3: Vector", "at most 1e9");
    expect_problem(table_of(with(kTable, "[ 0 0 0 ]", "[ 0 0 1.2.3 ]")), "v:3: Vector", "found '1.2.3'");
    expect_problem(table_of(kTable, DpoKind::rigid), "v:10: Number", "a rigid body moves as a whole");
}

TEST(DpoFiles, ManyProblemsAreCounted)
{
    std::string text;
    for (int i = 0; i < 30; ++i) text += "Time 0 Number 0\n";
    const auto read = table_of(text);
    ASSERT_EQ(read.problems.size(), 21u);
    EXPECT_NE(read.problems.back().message.find("9 more problems"), std::string::npos);
}

// E-19
TEST(DpoFiles, SimpleClothHasFourVerticesInOrderOfAppearance)
{
    const auto read = read_stl("solid simpleCloth\n"
                               "facet normal 0 0 1\nouter loop\nvertex -0.5 -0.5 1.2\nvertex 0.5 -0.5 1.2\n"
                               "vertex 0.5 0.5 1.2\nendloop\nendfacet\n"
                               "facet normal 0 0 1\nouter loop\nvertex -0.5 -0.5 1.2\nvertex 0.5 0.5 1.2\n"
                               "vertex -0.5 0.5 1.2\nendloop\nendfacet\nendsolid simpleCloth\n",
                               "simpleCloth");
    ASSERT_TRUE(read.ok());
    EXPECT_EQ(read.mesh.vertices,
              (std::vector<Vec3>{{-0.5, -0.5, 1.2}, {0.5, -0.5, 1.2}, {0.5, 0.5, 1.2}, {-0.5, 0.5, 1.2}}));
    EXPECT_EQ(read.mesh.triangles, (std::vector<Triangle>{{0, 1, 2}, {0, 2, 3}}));
}

TEST(DpoFiles, FolderIsReadAsAWhole)
{
    const DpoScene scene = load_dpo(kSample);
    EXPECT_EQ(scene.world.frame_rate, 100);
    ASSERT_EQ(scene.bodies.size(), 2u);
    const DpoBody &sheet = scene.bodies[0], &block = scene.bodies[1];
    EXPECT_EQ(sheet.name, "dpo_sheet");
    EXPECT_EQ(sheet.mesh.vertices.size(), 16u);
    EXPECT_EQ(sheet.mesh.triangles.size(), 18u);
    EXPECT_EQ(sheet.mesh.vertices[0], (Vec3{-0.15, -0.15, 1.2}));
    EXPECT_EQ(sheet.parameters.thickness, 0.003);
    expect_is_e18(sheet.velocities);
    EXPECT_EQ(block.kind, DpoKind::rigid);
    EXPECT_EQ(block.mesh.vertices.size(), 8u);
    EXPECT_EQ(block.velocities.blocks[1].vectors[0].velocity, (Vec3{0.2, 0, 0}));
}

class DpoFolders : public ::testing::Test {
protected:
    void SetUp() override
    {
        const auto* test = ::testing::UnitTest::GetInstance()->current_test_info();
        folder_ = fs::temp_directory_path() / ("pliant_dpo_" + std::string(test->name()) + std::to_string(getpid()));
        fs::remove_all(folder_);
        fs::copy(kSample, folder_, fs::copy_options::recursive);
    }
    void TearDown() override { fs::remove_all(folder_); }

    void write(const std::string& name, const std::string& text) const { std::ofstream(folder_ / name) << text; }

    /// What loading complains of, one line each.
    std::string complaints(ErrorKind expected) const
    {
        try {
            load_dpo(folder_.string());
        } catch (const Error& error) {
            EXPECT_EQ(error.kind(), expected);
            return error.what();
        }
        return "";
    }

    fs::path folder_;
};

TEST_F(DpoFolders, TellTheProblemsOfAllFiles)
{
    write("world_parameters/world_parameters", "Gravity = 9.81\n");
    write("bodies/par_sheet", "Density = 1\n");
    write("bodies/vel_block", "Time 0 Number of constraint vectors 1 VertexId 8 Vector [ 0 0 0 ]\n");
    write("bodies/rig_block", "solid block\nfacet\nendfacet\nendsolid\n");
    const std::string said = complaints(ErrorKind::bad_input);
    for (const char* words : {"world_parameters:1: Framerate", "par_sheet:1: Mass", "par_sheet:1: Diffuse colour",
                              "rig_block:2: facet", "has 0 corners, expected 3"})
        EXPECT_NE(said.find(words), std::string::npos) << words << " in: " << said;
    // A mesh that cannot be read says nothing about its vertices.
    EXPECT_EQ(said.find("vel_block"), std::string::npos) << said;
}

TEST_F(DpoFolders, TellWhichFilesAreMissing)
{
    fs::remove(folder_ / "bodies/vel_sheet");
    const std::string said = complaints(ErrorKind::cannot_access);
    EXPECT_NE(said.find("bodies/vel_sheet: no such file"), std::string::npos) << said;
    fs::remove_all(folder_);
    const std::string nothing = complaints(ErrorKind::cannot_access);
    EXPECT_NE(nothing.find("a scene folder holds world_parameters/world_parameters and bodies/body_list"),
              std::string::npos)
        << nothing;
}

}  // namespace
}  // namespace pliant
