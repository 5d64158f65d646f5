// SPDX-License-Identifier: MIT

// What the four formats allow: index styles, polygons, endianness, property order, comments, welding.

#include <bit>
#include <cstring>

#include <gtest/gtest.h>

#include <pliant/io/mesh_file.h>
#include <pliant/mesh/measure.h>
#include <pliant/mesh/shapes.h>

namespace pliant {
namespace {

TriMesh expect_mesh(MeshRead read)
{
    EXPECT_TRUE(read.ok()) << to_string(read.problems[0]);
    return std::move(read.mesh);
}

std::string joined(const std::vector<std::string>& notes)
{
    std::string text;
    for (const std::string& note : notes) text += note + '\n';
    return text;
}

template <class T>
void put(std::string& bytes, T number, bool big)
{
    char raw[sizeof(T)];
    std::memcpy(raw, &number, sizeof(T));
    if (big == (std::endian::native == std::endian::little)) std::reverse(raw, raw + sizeof(T));
    bytes.append(raw, sizeof(T));
}

const std::string kFourVertices = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n";

TEST(Obj, TakesEveryStyleOfCorner)
{
    const TriMesh mesh =
        expect_mesh(read_obj(kFourVertices + "vt 0 0\nvn 0 0 1\nf 1 2 3\nf 1/1 2/1 3/1\nf 1//1 2//1 3//1\n"
                                             "f 1/1/1 2/1/1 3/1/1\nf -4 -3 -2\nf -4/-1/-1 -3/-1/-1 -2/-1/-1\n",
                             "a"));
    ASSERT_EQ(mesh.triangles.size(), 6u);
    for (const Triangle& t : mesh.triangles) EXPECT_EQ(t, (Triangle{0, 1, 2}));
}

TEST(Obj, TakesTextureCoordinatesAsMaterialCoordinatesWhereEveryVertexHasOne)
{
    // Pairs in any order, before or after the faces, counted from either end, equal ones twice, a third number.
    for (const char* rest : {"vt 0 3\nvt 0 0\nvt 2 0\nvt 2 3 0.5\nf 1/2 2/3 3/4 4/1\n",
                             "vt 0 3\nvt 0 0\nvt 2 0\nvt 2 3\nvt 0 0\nf 1/2/1 2/3/1 3/4/1\nf 1/-1/1 3/-2/1 4/-5/1\n",
                             "f 1/2 2/3 3/4 4/1\nvt 0 3\nvt 0\nvt 2\nvt 2 3\n"}) {
        const MeshRead read = read_obj(kFourVertices + rest, "a");
        ASSERT_TRUE(read.ok()) << to_string(read.problems[0]);
        EXPECT_EQ(read.mesh.uv, (std::vector<Uv>{{0, 0}, {2, 0}, {2, 3}, {0, 3}})) << rest;
        EXPECT_EQ(joined(read.notes).find("texture"), std::string::npos);
    }
}

TEST(Obj, LeavesTextureCoordinatesOutThatAreNoMaterialCoordinatesAndSaysWhy)
{
    const std::string pairs = "vt 0 0\nvt 2 0\nvt 2 3\nvt 0 3\n";
    const std::vector<std::array<std::string, 2>> cases = {
        {pairs + "f 1/1 2/2 3/3\nf 1/2 3/3 4/4\n", "left out: vertex 1 has several pairs"},
        {pairs + "f 1/1 2/2 3/3\n", "left out: vertex 4 has none"},
        {pairs + "f 1/1 2/2 3/3\nf 1//1 3//1 4//1\n", "left out: vertex 4 has none"},
        {pairs + "f 1/1 2/2 3/3 4/5\n", "left out: a corner at vertex 4 names none of the 4 pairs"},
        {pairs + "f 1/-9 2/2 3/3 4/4\n", "left out: a corner at vertex 1 names none"},
        {pairs + "f 1/x 2/2 3/3 4/4\n", "left out: a corner at vertex 1 names none"},
        {pairs + "f 1/9223372036854775807 2/2 3/3 4/4\n", "left out: a corner at vertex 1 names none"},
        {pairs + "f 1/-9223372036854775808 2/2 3/3 4/4\n", "left out: a corner at vertex 1 names none"},
        {pairs + "vt nan 0\nf 1/1 2/2 3/3 4/4\n", "left out: the pair vt 5 has no two finite numbers"},
        {pairs + "vt\nf 1/1 2/2 3/3 4/4\n", "left out: the pair vt 5"},
        {pairs + "vt 1 one\nf 1/1 2/2 3/3 4/4\n", "left out: the pair vt 5"},
    };
    for (const auto& [rest, words] : cases) {
        const MeshRead read = read_obj(kFourVertices + rest, "a");
        ASSERT_TRUE(read.ok()) << to_string(read.problems[0]);
        EXPECT_TRUE(read.mesh.uv.empty()) << rest;
        EXPECT_NE(joined(read.notes).find("texture coordinates were " + words), std::string::npos)
            << rest << joined(read.notes);
    }
    // A file whose faces name none has none, which is nothing to talk about.
    EXPECT_EQ(joined(read_obj(kFourVertices + pairs + "f 1 2 3\n", "a").notes), "");
}

TEST(Obj, SplitsAQuadAlongOneDiagonalAndSaysSo)
{
    const MeshRead read = read_obj(kFourVertices + "f 1 2 3 4\n", "a");
    EXPECT_EQ(read.mesh.triangles, (std::vector<Triangle>{{0, 1, 2}, {0, 2, 3}}));
    EXPECT_NE(joined(read.notes).find("1 polygons"), std::string::npos);
}

TEST(Obj, SplitsAPentagonAsAFan)
{
    const TriMesh mesh = expect_mesh(read_obj(kFourVertices + "v -1 0.5 0\nf 1 2 3 4 5\n", "a"));
    EXPECT_EQ(mesh.triangles, (std::vector<Triangle>{{0, 1, 2}, {0, 2, 3}, {0, 3, 4}}));
    EXPECT_NEAR(surface_area(mesh.vertices, mesh.triangles), 1.5, 1e-15);
}

TEST(Obj, TakesPolylinesContinuationsCommentsAndWindowsLines)
{
    const TriMesh mesh =
        expect_mesh(read_obj("\xef\xbb\xbf# made by hand\r\no thing\r\ng a b\r\nv 0 0 0 # first\r\n"
                             "v 1 0 0 0.5 0.5 0.5\r\nv +1 1e0 0\r\nl 1 \\\r\n2 3\r\nusemtl red\r\ns off\r\nf 1 2 3",
                             "a"));
    EXPECT_EQ(mesh.lines, (std::vector<Edge>{{0, 1}, {1, 2}}));
    EXPECT_EQ(mesh.triangles.size(), 1u);
    EXPECT_EQ(mesh.vertices[2], (Vec3{1, 1, 0}));
}

TEST(Obj, TakesOldMacLineEndsAndFacesBeforeVertices)
{
    const TriMesh mesh = expect_mesh(read_obj("f 1 2 3\rv 0 0 0\rv 1 0 0\rv 0 1 0\r", "a"));
    EXPECT_EQ(mesh.vertices.size(), 3u);
}

TEST(Obj, TakesNumbersTooSmallForADoubleAsZero)
{
    const TriMesh mesh = expect_mesh(read_obj("v 1e-400 -1e-999 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", "a"));
    EXPECT_EQ(mesh.vertices[0], (Vec3{0, 0, 0}));
}

TEST(Ply, TakesAnyPropertyOrderAndTypeAndPassesUnknownElementsBy)
{
    const MeshRead read =
        read_ply("ply\nformat ascii 1.0\ncomment hello\nobj_info x\n"
                 "element material 2\nproperty list uchar float weights\nproperty int id\n"
                 "element vertex 4\nproperty uchar red\nproperty float z\nproperty int y\nproperty double x\n"
                 "element face 1\nproperty float quality\nproperty list uchar uint vertex_index\n"
                 "property list uchar float texcoord\n"
                 "element edge 1\nproperty int vertex2\nproperty uchar red\nproperty int vertex1\nend_header\n"
                 "2 0.5 0.25 7\n0 8\n255 0 0 0\n255 0 0 1\n255 0.5 1 1\n255 0 1 0\n0.9 4 0 1 2 3 2 0 0\n3 255 1\n",
                 "a");
    const TriMesh mesh = expect_mesh(read);
    EXPECT_EQ(mesh.vertices[2], (Vec3{1, 1, 0.5}));
    EXPECT_EQ(mesh.triangles, (std::vector<Triangle>{{0, 1, 2}, {0, 2, 3}}));
    EXPECT_EQ(mesh.lines, (std::vector<Edge>{{1, 3}}));
    EXPECT_NE(joined(read.notes).find("'material'"), std::string::npos);
}

TEST(Ply, ReadsBothByteOrders)
{
    for (const bool big : {false, true}) {
        std::string bytes = std::string("ply\r\nformat binary_") + (big ? "big" : "little") +
                            "_endian 1.0\r\nelement vertex 3\r\nproperty float x\r\nproperty double y\r\n"
                            "property short z\r\nelement face 1\r\n"
                            "property list ushort short vertex_indices\r\nend_header\r\n";
        for (int v = 0; v < 3; ++v) {
            put(bytes, static_cast<float>(v), big);
            put(bytes, 0.1 * v * v, big);
            put(bytes, static_cast<std::int16_t>(-v), big);
        }
        put(bytes, std::uint16_t{3}, big);
        for (const std::int16_t corner : {2, 0, 1}) put(bytes, corner, big);
        const TriMesh mesh = expect_mesh(read_ply(bytes, "a"));
        EXPECT_EQ(mesh.vertices[2], (Vec3{2, 0.1 * 2 * 2, -2}));
        EXPECT_EQ(mesh.triangles, (std::vector<Triangle>{{2, 0, 1}}));
    }
}

TEST(Ply, TakesFacesBeforeVertices)
{
    const TriMesh mesh =
        expect_mesh(read_ply("ply\nformat ascii 1.0\nelement face 1\nproperty list uchar int vertex_indices\n"
                             "element vertex 3\nproperty float x\nproperty float y\nproperty float z\nend_header\n"
                             "3 0 1 2\n0 0 0\n1 0 0\n0 1 0\n",
                             "a"));
    EXPECT_EQ(mesh.triangles.size(), 1u);
}

TEST(Stl, WeldsEqualCornersAndSaysHowMany)
{
    for (const bool binary : {false, true}) {
        const MeshRead read = read_stl(stl_bytes(box({1, 1, 1}), {.binary = binary}), "a");
        const TriMesh mesh = expect_mesh(read);
        EXPECT_EQ(mesh.vertices.size(), 8u);
        EXPECT_DOUBLE_EQ(signed_volume(mesh.vertices, mesh.triangles), 1);
        EXPECT_EQ(joined(read.notes), "36 corners were welded into 8 vertices\n");
    }
}

TEST(Stl, IsBinaryBySizeEvenIfItBeginsWithSolid)
{
    std::string bytes = stl_bytes(box({1, 1, 1}), {.binary = true});
    bytes.replace(0, 10, "solid cube");
    EXPECT_EQ(expect_mesh(read_stl(bytes, "a")).triangles.size(), 12u);
}

TEST(Stl, TakesTrailingBytesWithANote)
{
    const MeshRead read = read_stl(stl_bytes(box({1, 1, 1})) + "padding", "a");
    EXPECT_TRUE(read.ok());
    EXPECT_NE(joined(read.notes).find("7 bytes"), std::string::npos);
}

TEST(Stl, LeavesOutTrianglesWithoutCornersOfTheirOwn)
{
    const MeshRead read =
        read_stl("SOLID a\n FACET NORMAL 0 0 1\n  OUTER LOOP\n   VERTEX 0 0 0\n   VERTEX 1 0 0\n   VERTEX 0 1 0\n"
                 "  ENDLOOP\n ENDFACET\nfacet normal nan nan nan\nouter loop\nvertex 0 0 0\nvertex 0 0 0\n"
                 "vertex 0 1 0\nendloop\nendfacet\nENDSOLID a\n",
                 "a");
    EXPECT_EQ(expect_mesh(read).triangles.size(), 1u);
    EXPECT_NE(joined(read.notes).find("1 triangles with coinciding corners"), std::string::npos);
}

TEST(Off, TakesCommentsColoursAndCountsOnTheFirstLine)
{
    const TriMesh mesh = expect_mesh(read_off("# a square\nOFF 4 2 0 # counts\n\n0 0 0\n1 0 0 # corner\n1 1 0\n0 1 0\n"
                                              "4 0 1 2 3 255 0 0\n2 0 2\n",
                                              "a"));
    EXPECT_EQ(mesh.triangles, (std::vector<Triangle>{{0, 1, 2}, {0, 2, 3}}));
    EXPECT_EQ(mesh.lines, (std::vector<Edge>{{0, 2}}));
}

TEST(Off, PassesColoursAndNormalsOfVerticesBy)
{
    const TriMesh mesh =
        expect_mesh(read_off("CNOFF\n3 1\n0 0 0 0 0 1 255 0 0\n1 0 0 0 0 1 9 9 9\n0 1 0 0 0 1 1 1 1\n3 0 1 2", "a"));
    EXPECT_EQ(mesh.vertices[1], (Vec3{1, 0, 0}));
}

}  // namespace
}  // namespace pliant
