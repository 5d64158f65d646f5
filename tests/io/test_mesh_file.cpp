// SPDX-License-Identifier: MIT

// Files that are missing, forbidden, empty, of unknown kind, or on a full disk.

#include <filesystem>
#include <fstream>
#include <limits>

#include <gtest/gtest.h>
#include <unistd.h>

#include <pliant/io/mesh_file.h>
#include <pliant/mesh/shapes.h>

namespace pliant {
namespace {

class MeshFiles : public testing::Test {
protected:
    void SetUp() override
    {
        folder_ =
            std::filesystem::temp_directory_path() / ("pliant_" + std::to_string(getpid()) + "_" +
                                                      testing::UnitTest::GetInstance()->current_test_info()->name());
        std::filesystem::create_directories(folder_);
    }
    void TearDown() override { std::filesystem::remove_all(folder_); }
    std::string path(const char* name) const { return (folder_ / name).string(); }

    std::filesystem::path folder_;
};

ErrorKind kind_of_loading(const std::string& path)
{
    try {
        load_mesh(path);
    } catch (const Error& error) {
        return error.kind();
    }
    ADD_FAILURE() << path << " was loaded";
    return ErrorKind::usage;
}

ErrorKind kind_of_writing(const std::string& path, const TriMesh& mesh)
{
    try {
        write_mesh(path, mesh);
    } catch (const Error& error) {
        return error.kind();
    }
    ADD_FAILURE() << path << " was written";
    return ErrorKind::usage;
}

TEST_F(MeshFiles, ThatAreMissingSuggestTheNearestName)
{
    write_mesh(path("sphere.obj"), icosphere(1, 0));
    EXPECT_EQ(kind_of_loading(path("spere.obj")), ErrorKind::cannot_access);
    const MeshRead read = read_mesh(path("spere.obj"));
    EXPECT_EQ(read.problems[0].message, "no such file");
    EXPECT_EQ(read.problems[0].cure, "did you mean 'sphere.obj'?");
    EXPECT_EQ(kind_of_loading("/nowhere/at/all.obj"), ErrorKind::cannot_access);
    EXPECT_EQ(kind_of_loading(""), ErrorKind::cannot_access);
}

TEST_F(MeshFiles, ThatAreDirectoriesOrDevicesAreRefused)
{
    std::filesystem::create_directory(path("folder.obj"));
    EXPECT_EQ(kind_of_loading(path("folder.obj")), ErrorKind::cannot_access);
    EXPECT_EQ(kind_of_loading("/dev/zero"), ErrorKind::cannot_access);
    EXPECT_EQ(kind_of_writing(path("folder.obj"), icosphere(1, 0)), ErrorKind::cannot_access);
}

TEST_F(MeshFiles, ThatAreEmptyOrOfUnknownFormatAreBadInput)
{
    std::ofstream(path("empty.ply")).flush();
    std::ofstream(path("model.fbx")) << "x";
    std::ofstream(path("plain")) << "x";
    EXPECT_EQ(kind_of_loading(path("empty.ply")), ErrorKind::bad_input);
    EXPECT_EQ(read_mesh(path("empty.ply")).problems[0].message, "the file is empty");
    EXPECT_EQ(kind_of_loading(path("plain")), ErrorKind::bad_input);
    EXPECT_EQ(read_mesh(path("model.fbx")).problems[0].message, "unknown mesh format '.fbx'");
    EXPECT_EQ(read_mesh(path("model.fbx")).problems[0].cure, "known: .obj .ply .stl .off");
}

TEST_F(MeshFiles, OnAFullDiskAreAnError)
{
    if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "no /dev/full here";
    for (const char* name : {"full.obj", "full.ply", "full.stl", "full.off"}) {
        std::filesystem::create_symlink("/dev/full", path(name));
        // A small file fails when flushed, a large one while written.
        EXPECT_EQ(kind_of_writing(path(name), icosphere(1, 0)), ErrorKind::cannot_access);
        EXPECT_EQ(kind_of_writing(path(name), icosphere(1, 5)), ErrorKind::cannot_access);
    }
}

TEST_F(MeshFiles, WithNowhereToGoAreAnError)
{
    EXPECT_EQ(kind_of_writing(path("no/such/folder.obj"), icosphere(1, 0)), ErrorKind::cannot_access);
    EXPECT_EQ(kind_of_writing(path("mesh.xyz"), icosphere(1, 0)), ErrorKind::usage);
}

TEST_F(MeshFiles, ThatCouldNotBeReadBackAreNotWritten)
{
    TriMesh mesh = icosphere(1, 0);
    EXPECT_EQ(kind_of_writing(path("line.stl"), chain(2, {0, 0, 0}, {1, 0, 0})), ErrorKind::bad_input);
    mesh.vertices[3].y = 1e300;
    EXPECT_EQ(kind_of_writing(path("huge.stl"), mesh), ErrorKind::bad_input);
    EXPECT_NO_THROW(write_mesh(path("huge.ply"), mesh));
    mesh.vertices[3].y = std::numeric_limits<double>::quiet_NaN();
    EXPECT_EQ(kind_of_writing(path("nan.obj"), mesh), ErrorKind::bad_input);
    EXPECT_FALSE(std::filesystem::exists(path("nan.obj")));
}

}  // namespace
}  // namespace pliant
