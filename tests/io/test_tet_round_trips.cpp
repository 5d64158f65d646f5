// SPDX-License-Identifier: MIT

// Volume meshes: what is written is what is read back, bit for bit, with regions and groups where the format has room.

#include <cmath>
#include <cstring>
#include <filesystem>

#include <unistd.h>

#include <io/tet_samples.h>

namespace pliant {
namespace {

/// Groups that overlap, one that is empty, names with blanks and XML's characters.
TetMesh with_groups(TetMesh mesh)
{
    mesh.groups = {{"left side", {0, 2, 4}}, {"none", {}}, {"a<b> & 'c'", {2, 3}}, {"surface_4", {8}}};
    return mesh;
}

class Folder {
public:
    Folder() : path_(std::filesystem::temp_directory_path() / ("pliant_tets_" + std::to_string(getpid())))
    {
        std::filesystem::create_directories(path_);
    }
    ~Folder() { std::filesystem::remove_all(path_); }
    std::string file(const char* name) const { return (path_ / name).string(); }

private:
    std::filesystem::path path_;
};

TEST(TetRoundTrip, ThroughMshKeepsEveryBitInBothVersionsAndEncodings)
{
    const TetMesh mesh = with_groups(awkward_tets());
    for (const MshVersion version : {MshVersion::v2_2, MshVersion::v4_1})
        for (const bool binary : {false, true})
            expect_same(read_msh(msh_bytes(mesh, {.binary = binary, .msh_version = version}), "a.msh"), mesh);
}

TEST(TetRoundTrip, ThroughVtuKeepsEveryBitAsTextAndBinary)
{
    const TetMesh mesh = with_groups(awkward_tets());
    for (const bool binary : {false, true})
        expect_same(read_vtu_tets(vtu_tets_bytes(mesh, {.binary = binary}), "a.vtu"), mesh);
}

TEST(TetRoundTrip, KeepsTheSignOfZero)
{
    const TetMesh mesh = awkward_tets();
    ASSERT_TRUE(std::signbit(mesh.vertices[0].y));
    const TetgenText tetgen = tetgen_text(mesh);
    for (const TetRead& read :
         {read_msh(msh_bytes(mesh, {.binary = false}), "a"), read_msh(msh_bytes(mesh), "a"),
          read_medit(medit_bytes(mesh), "a"), read_medit(meshb_bytes(mesh), "a"),
          read_vtu_tets(vtu_tets_bytes(mesh, {.binary = false}), "a"), read_vtu_tets(vtu_tets_bytes(mesh), "a"),
          read_tetgen({tetgen.node, "a.node"}, {tetgen.ele, "a.ele"})}) {
        ASSERT_TRUE(read.ok());
        EXPECT_TRUE(std::signbit(read.mesh.vertices[0].y));
    }
}

TEST(TetRoundTrip, ThroughMeditKeepsReferencesAsGroups)
{
    TetMesh mesh = awkward_tets();
    mesh.groups = {{"reference_-2", {0, 2}}, {"reference_5", {1, 8}}};
    expect_same(read_medit(medit_bytes(mesh), "a.mesh"), mesh);
    expect_same(read_medit(meshb_bytes(mesh), "a.meshb"), mesh);
}

TEST(TetRoundTrip, ThroughTetgenKeepsMarkersAsGroups)
{
    TetMesh mesh = awkward_tets();
    mesh.groups = {{"marker_-1", {0, 2}}, {"marker_3", {1, 8}}};
    const TetgenText text = tetgen_text(mesh);
    expect_same(read_tetgen({text.node, "a.node"}, {text.ele, "a.ele"}), mesh);
}

TEST(TetRoundTrip, WithoutRegionsHasNoRegions)
{
    TetMesh mesh = awkward_tets();
    mesh.region.clear();
    const TetgenText text = tetgen_text(mesh);
    expect_same(read_tetgen({text.node, "a.node"}, {text.ele, "a.ele"}), mesh);
    expect_same(read_msh(msh_bytes(mesh), "a.msh"), mesh);
    expect_same(read_msh(msh_bytes(mesh, {.binary = false, .msh_version = MshVersion::v2_2}), "a.msh"), mesh);
    expect_same(read_medit(medit_bytes(mesh), "a.mesh"), mesh);
    expect_same(read_medit(meshb_bytes(mesh), "a.meshb"), mesh);
    expect_same(read_vtu_tets(vtu_tets_bytes(mesh), "a.vtu"), mesh);
}

TEST(TetRoundTrip, OfZeroRegionsIsExactWhereTheFormatCanTell)
{
    TetMesh mesh = awkward_tets();
    mesh.region = {0, 0, 0};
    const TetgenText text = tetgen_text(mesh);
    expect_same(read_tetgen({text.node, "a.node"}, {text.ele, "a.ele"}), mesh);
    expect_same(read_vtu_tets(vtu_tets_bytes(mesh), "a.vtu"), mesh);
    mesh.region.clear();
    expect_same(read_msh(msh_bytes(mesh), "a.msh"), mesh);
}

TEST(TetRoundTrip, ThroughFilesWorksForEveryExtension)
{
    const Folder folder;
    const TetMesh mesh = awkward_tets();
    for (const char* name : {"a.msh", "a.mesh", "a.meshb", "a.vtu", "a.node", "B.MSH", "c.ele", "D.NODE"}) {
        EXPECT_TRUE(write_tets(folder.file(name), mesh).empty()) << name;
        expect_same(read_tets(folder.file(name)), mesh);
        EXPECT_EQ(load_tets(folder.file(name)).tets, mesh.tets) << name;
    }
    EXPECT_TRUE(std::filesystem::exists(folder.file("c.node")));
    EXPECT_TRUE(std::filesystem::exists(folder.file("D.ELE")));
}

TEST(TetFile, IsKnownByItsBeginningWhateverItsName)
{
    const Folder folder;
    const TetMesh mesh = awkward_tets();
    for (const char* name : {"a.msh", "a.mesh", "a.meshb", "a.vtu"}) {
        write_tets(folder.file(name), mesh);
        std::filesystem::rename(folder.file(name), folder.file("mystery.dat"));
        expect_same(read_tets(folder.file("mystery.dat")), mesh);
        std::filesystem::rename(folder.file("mystery.dat"), folder.file("wrong.mesh"));
        expect_same(read_tets(folder.file("wrong.mesh")), mesh);
    }
}

TEST(TetFile, SaysWhatItCouldNotStore)
{
    const Folder folder;
    const TetMesh mesh = with_groups(awkward_tets());
    EXPECT_TRUE(write_tets(folder.file("a.msh"), mesh).empty());
    EXPECT_TRUE(write_tets(folder.file("a.vtu"), mesh).empty());
    EXPECT_TRUE(mentions(write_tets(folder.file("a.mesh"), mesh), "the group 'left side' was left out"));
    EXPECT_EQ(write_tets(folder.file("a.node"), mesh).size(), 4u);
}

std::string refusal(const std::string& path, const TetMesh& mesh)
{
    try {
        write_tets(path, mesh);
    } catch (const Error& error) {
        return to_string(error.problems()[0]);
    }
    return "";
}

TEST(TetFile, RefusesToWriteWhatCannotBeReadBack)
{
    const Folder folder;
    const auto refused = [&](const char* name, const TetMesh& mesh, const char* words) {
        const std::string problem = refusal(folder.file(name), mesh);
        EXPECT_NE(problem.find(words), std::string::npos) << problem;
        EXPECT_FALSE(std::filesystem::exists(folder.file(name)));
    };
    TetMesh mesh = awkward_tets();
    mesh.vertices[3].x = std::nan("");
    refused("a.msh", mesh, "vertex 3: cannot be written: the coordinates are nan");
    mesh = awkward_tets();
    mesh.tets[1][2] = 9;
    refused("a.vtu", mesh, "tetrahedron 1: cannot be written: it names a vertex outside 0 to 8");
    mesh = awkward_tets();
    mesh.groups = {{"say \"hi\"", {1}}};
    refused("a.msh", mesh, "rename the group");
    mesh.groups = {{"bad", {9}}};
    refused("a.mesh", mesh, "group 'bad'");
    mesh = awkward_tets();
    mesh.region = {1, -2, 3};
    refused("a.msh", mesh, "its region is -2");
    mesh.region = {1};
    refused("a.mesh", mesh, "1 regions for 3 tetrahedra");
    refused("a.tp", awkward_tets(), "write one of: .msh");
    refused("a.obj", awkward_tets(), "write one of: .msh");
}

TEST(TetFile, ThatIsMissingOrStrangeIsToldInWords)
{
    const Folder folder;
    write_tets(folder.file("cube.msh"), awkward_tets());
    const TetRead missing = read_tets(folder.file("cubes.msh"));
    EXPECT_EQ(missing.kind, ErrorKind::cannot_access);
    EXPECT_NE(first_problem(missing).find("no such file (did you mean 'cube.msh'?)"), std::string::npos);
    EXPECT_EQ(read_tets(folder.file("")).kind, ErrorKind::cannot_access);
    write_tets(folder.file("x.node"), awkward_tets());
    std::filesystem::remove(folder.file("x.ele"));
    EXPECT_NE(first_problem(read_tets(folder.file("x.node"))).find(".ele file beside the .node file"),
              std::string::npos);
    std::filesystem::rename(folder.file("x.node"), folder.file("x.what"));
    EXPECT_NE(first_problem(read_tets(folder.file("x.what"))).find("known: .msh"), std::string::npos);
    EXPECT_THROW(load_tets(folder.file("x.what")), Error);
}

}  // namespace
}  // namespace pliant
