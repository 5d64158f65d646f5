// SPDX-License-Identifier: MIT

// What is written is what is read back, bit for bit where the format can hold it.

#include <filesystem>
#include <limits>
#include <numbers>

#include <gtest/gtest.h>
#include <unistd.h>

#include <pliant/io/mesh_file.h>
#include <pliant/mesh/measure.h>
#include <pliant/mesh/shapes.h>
#include <pliant/mesh/topology.h>
#include <pliant/mesh/transform.h>

namespace pliant {
namespace {

/// A closed surface, lines, and coordinates that are hard to print.
TriMesh awkward_mesh()
{
    TriMesh mesh = icosphere(std::numbers::pi, 1);
    mesh.vertices[0] = {1.0 / 3, 5e-324, 1.7976931348623157e308};
    mesh.vertices[1] = {-0.1, 123456789.123456789, -2.2250738585072014e-308};
    mesh.lines = {{0, 5}, {41, 3}};
    mesh.groups = {{"lost", {1, 2}}};
    return mesh;
}

void expect_same(const MeshRead& read, const TriMesh& mesh)
{
    ASSERT_TRUE(read.ok()) << to_string(read.problems[0]);
    EXPECT_EQ(read.mesh.vertices, mesh.vertices);
    EXPECT_EQ(read.mesh.triangles, mesh.triangles);
    EXPECT_EQ(read.mesh.lines, mesh.lines);
}

TEST(RoundTrip, ThroughObjKeepsEveryBit)
{
    const TriMesh mesh = awkward_mesh();
    expect_same(read_obj(obj_bytes(mesh), "a.obj"), mesh);
}

TEST(RoundTrip, ThroughObjKeepsMaterialCoordinates)
{
    for (const TriMesh& mesh : {t_shirt(0.52, 0.72, 9), disc(1.0 / 3, 4), grid(4, 3, 0.7, 1.1)}) {
        const MeshRead read = read_obj(obj_bytes(mesh), "a.obj");
        expect_same(read, mesh);
        EXPECT_EQ(read.mesh.uv, mesh.uv);
        EXPECT_TRUE(read.notes.empty());
    }
    EXPECT_EQ(obj_bytes(icosphere(1, 0)).find("vt"), std::string::npos);
}

TEST(RoundTrip, ThroughOffKeepsEveryBit)
{
    const TriMesh mesh = awkward_mesh();
    expect_same(read_off(off_bytes(mesh), "a.off"), mesh);
}

TEST(RoundTrip, ThroughTextAndBinaryPlyKeepsEveryBit)
{
    const TriMesh mesh = awkward_mesh();
    expect_same(read_ply(ply_bytes(mesh, {.binary = false}), "a.ply"), mesh);
    expect_same(read_ply(ply_bytes(mesh, {.binary = true}), "a.ply"), mesh);
}

TEST(RoundTrip, OfLinesAloneWorks)
{
    const TriMesh mesh = chain(5, {0, 0, 0}, {1, 2, 3});
    expect_same(read_obj(obj_bytes(mesh), "a.obj"), mesh);
    expect_same(read_off(off_bytes(mesh), "a.off"), mesh);
    expect_same(read_ply(ply_bytes(mesh), "a.ply"), mesh);
}

TEST(RoundTrip, ThroughTextStlKeepsEveryCornerExactly)
{
    const TriMesh mesh = icosphere(std::numbers::pi, 2);
    const MeshRead read = read_stl(stl_bytes(mesh, {.binary = false}), "a.stl");
    ASSERT_TRUE(read.ok()) << to_string(read.problems[0]);
    EXPECT_EQ(read.mesh.vertices.size(), mesh.vertices.size());
    ASSERT_EQ(read.mesh.triangles.size(), mesh.triangles.size());
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t)
        for (std::size_t c = 0; c < 3; ++c)
            EXPECT_EQ(read.mesh.vertices[static_cast<std::size_t>(read.mesh.triangles[t][c])],
                      mesh.vertices[static_cast<std::size_t>(mesh.triangles[t][c])]);
}

TEST(RoundTrip, ThroughBinaryStlRoundsToFloatAndStaysClosed)
{
    const TriMesh mesh = icosphere(std::numbers::pi, 2);
    const MeshRead read = read_stl(stl_bytes(mesh, {.binary = true}), "a.stl");
    ASSERT_TRUE(read.ok()) << to_string(read.problems[0]);
    EXPECT_EQ(read.mesh.vertices.size(), mesh.vertices.size());
    EXPECT_TRUE(is_closed(read.mesh.triangles));
    EXPECT_NEAR(signed_volume(read.mesh.vertices, read.mesh.triangles), signed_volume(mesh.vertices, mesh.triangles),
                1e-4);
}

TEST(RoundTrip, ThroughFilesOfEveryExtensionWhateverItsCase)
{
    const std::filesystem::path folder =
        std::filesystem::temp_directory_path() / ("pliant test meshes " + std::to_string(getpid()));
    std::filesystem::create_directories(folder);
    const TriMesh mesh = box({1, 2, 3}, {2, 2, 2});
    for (const char* name : {"a.obj", "b.PLY", "c.Stl", "d.oFF"}) {
        const std::string path = (folder / name).string();
        write_mesh(path, mesh);
        const TriMesh back = load_mesh(path);
        EXPECT_EQ(back.vertices.size(), mesh.vertices.size()) << name;
        EXPECT_NEAR(signed_volume(back.vertices, back.triangles), 6, 1e-12) << name;
    }
    std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace pliant
