// SPDX-License-Identifier: MIT

// Bad files: each gives a sentence with its place, never a crash, never memory on a header's word.

#include <gtest/gtest.h>

#include <pliant/io/mesh_file.h>
#include <pliant/mesh/shapes.h>

namespace pliant {
namespace {

using Reader = MeshRead (*)(std::string_view, const std::string&);

constexpr Reader kReaders[] = {read_obj, read_ply, read_stl, read_off};

/// The first problem as the user sees it; "" when there is none.
std::string first_problem(const MeshRead& read)
{
    EXPECT_TRUE(read.problems.empty() || read.mesh.vertices.empty());
    return read.ok() ? "" : to_string(read.problems[0]);
}

const std::string kThree = "v 0 0 0\nv 1 0 0\nv 0 1 0\n";

const std::string kPlyHead = "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\n"
                             "property float y\nproperty float z\nelement face 1\n"
                             "property list uchar int vertex_indices\nend_header\n";

TEST(MalformedObj, NamesLineFoundExpectedAndCure)
{
    EXPECT_EQ(first_problem(read_obj(kThree + "f 1 2 9\n", "a.obj")),
              "a.obj:4: face: names vertex 9, but the file has vertices 1 to 3 "
              "(correct the index (the first vertex is 1))");
    EXPECT_EQ(first_problem(read_obj("v 0 0\n", "a.obj")),
              "a.obj:1: vertex 1: has 2 coordinates, expected 3 (a vertex reads: v 0.5 1 -2)");
    EXPECT_EQ(first_problem(read_obj("v 0 zero 0\n", "a.obj")),
              "a.obj:1: vertex 1: found 'zero', expected a number (a vertex reads: v 0.5 1 -2)");
}

TEST(MalformedObj, RefusesBadIndices)
{
    for (const char* face : {"f 0 1 2", "f -4 1 2", "f 1 2", "f", "f 1 2 x", "f 1 2 3.5", "f 1 1 2", "f 1 2 3 2",
                             "f 1 2 99999999999999999999", "f / / /", "l 1", "l 2 2", "f -9223372036854775808 1 2",
                             "f 9223372036854775807 1 2"})
        EXPECT_FALSE(read_obj(kThree + face, "a.obj").ok()) << face;
}

TEST(MalformedObj, RefusesCoordinatesThatAreNotFinite)
{
    for (const char* vertex : {"v nan 0 0\n", "v 0 inf 0\n", "v 0 0 -inf\n", "v 1e999 0 0\n"})
        EXPECT_FALSE(read_obj(vertex + kThree + "f 1 2 3\n", "a.obj").ok()) << vertex;
}

TEST(MalformedObj, CollectsTwentyProblemsAndCountsTheRest)
{
    std::string text = kThree;
    for (int i = 0; i < 50; ++i) text += "f 7 8 9\n";
    const MeshRead read = read_obj(text, "a.obj");
    ASSERT_EQ(read.problems.size(), 21u);
    EXPECT_EQ(read.problems[19].line, 23);
    EXPECT_EQ(read.problems[20].message, "and 30 more problems");
}

TEST(MalformedObj, WithoutFacesOrVerticesIsEmpty)
{
    EXPECT_NE(first_problem(read_obj(kThree, "a")).find("no faces and no lines"), std::string::npos);
    EXPECT_NE(first_problem(read_obj("# nothing\n", "a")).find("no vertices"), std::string::npos);
    EXPECT_NE(first_problem(read_obj("hello world\n", "a")).find("unknown statement 'hello'"), std::string::npos);
}

TEST(MalformedObj, EndingInABackslashIsHandled)
{
    EXPECT_FALSE(read_obj("\\", "a").ok());
    EXPECT_TRUE(read_obj(kThree + "f 1 2 3 \\", "a").ok());
}

TEST(MalformedPly, ClaimingABillionVerticesIsRefusedWithoutAllocating)
{
    for (const char* format : {"ascii", "binary_little_endian", "binary_big_endian"}) {
        const std::string text = std::string("ply\nformat ") + format +
                                 " 1.0\nelement vertex 1000000000\nproperty float x\nproperty float y\n"
                                 "property float z\nend_header\n0 0 0\n";
        const std::string problem = first_problem(read_ply(text, "a.ply"));
        EXPECT_NE(problem.find("the header promises 1000000000 of 'vertex', but 6 bytes can hold"), std::string::npos)
            << problem;
    }
}

TEST(MalformedPly, ClaimingHugeListsAndFacesIsRefused)
{
    EXPECT_FALSE(read_ply(kPlyHead + "0 0 0\n1 0 0\n0 1 0\n1000000000 0 1 2\n", "a").ok());
    EXPECT_FALSE(read_ply(kPlyHead + "0 0 0\n1 0 0\n0 1 0\n-3 0 1 2\n", "a").ok());
    EXPECT_FALSE(read_ply(kPlyHead + "0 0 0\n1 0 0\n0 1 0\nnan 0 1 2\n", "a").ok());
    EXPECT_FALSE(read_ply("ply\nformat ascii 1.0\nelement face 9223372036854775807\n"
                          "property list uint int vertex_indices\nend_header\n3 0 1 2\n",
                          "a")
                     .ok());
    // Elements without properties take no bytes and no time, however many are promised.
    EXPECT_FALSE(read_ply("ply\nformat ascii 1.0\nelement ghost 9223372036854775807\nend_header\n", "a").ok());
}

TEST(MalformedPly, NamesTheLineOfABadNumberOrIndex)
{
    EXPECT_EQ(first_problem(read_ply(kPlyHead + "0 0 0\n1 zero 0\n0 1 0\n3 0 1 2\n", "a.ply")),
              "a.ply:11: vertex 1: of 3: found 'zero', expected a number "
              "(the file is cut off or damaged; export or copy it again)");
    EXPECT_EQ(first_problem(read_ply(kPlyHead + "0 0 0\n1 0 0\n0 1 0\n3 0 1 3\n", "a.ply")),
              "a.ply:13: face 0: names vertex 3, but the file has vertices 0 to 2 "
              "(correct the index (the first vertex is 0))");
}

TEST(MalformedPly, RefusesBadHeaders)
{
    const std::string tail = "end_header\n";
    for (const std::string& text :
         {std::string("ply"), std::string("plx\n"), std::string("ply\n"), "ply\nformat utf8 1.0\n" + tail,
          "ply\nelement vertex -3\n" + tail, "ply\nelement vertex many\n" + tail, "ply\nproperty float x\n" + tail,
          "ply\nelement vertex 1\nproperty quad x\n" + tail,
          "ply\nelement vertex 1\nproperty list float int x\n" + tail,
          "ply\nelement vertex 1\nproperty float x\n" + tail + "0\n",
          "ply\nelement vertex 1\nelement vertex 1\n" + tail, "ply\nwhat is this\n" + tail, "ply\nelement\n" + tail,
          "ply\nelement vertex 1\nproperty float\n" + tail,
          "ply\nelement face 1\nproperty int vertex_indices\n" + tail + "3\n"})
        EXPECT_FALSE(read_ply(text, "a.ply").ok()) << text;
}

TEST(MalformedStl, TellsOfMissingFacets)
{
    const std::string whole = stl_bytes(box({1, 1, 1}));
    EXPECT_NE(first_problem(read_stl(whole.substr(0, whole.size() - 1), "a"))
                  .find("promises 12 facets, but the file holds 11"),
              std::string::npos);
    std::string liar = whole;
    liar[80] = liar[81] = liar[82] = liar[83] = '\xff';
    EXPECT_NE(first_problem(read_stl(liar, "a")).find("promises 4294967295 facets"), std::string::npos);
    EXPECT_FALSE(read_stl("short", "a").ok());
    EXPECT_FALSE(read_stl(std::string(84, '\0'), "a").ok());
}

TEST(MalformedStl, TellsOfBadText)
{
    const std::string start = "solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\n";
    const std::string end = "endloop\nendfacet\nendsolid a\n";
    EXPECT_TRUE(read_stl(start + "vertex 0 1 0\n" + end, "a").ok());
    EXPECT_EQ(first_problem(read_stl(start + end, "a.stl")),
              "a.stl:2: facet: has 2 corners, expected 3 (STL holds triangles only)");
    EXPECT_FALSE(read_stl(start + "vertex 0 1 0\nvertex 0 1 1\n" + end, "a").ok());
    EXPECT_FALSE(read_stl(start + "vertex 0 nan 0\n" + end, "a").ok());
    EXPECT_FALSE(read_stl(start + "vertex 0 x 0\n" + end, "a").ok());
    EXPECT_FALSE(read_stl(start + "vertexx 0 1 0\n" + end, "a").ok());
    EXPECT_FALSE(read_stl(start + "vertex 0 1 0\nendloop\nendfacet\n", "a").ok());
    EXPECT_FALSE(read_stl("solid nothing\nendsolid nothing\n", "a").ok());
}

TEST(MalformedOff, ClaimingABillionVerticesIsRefusedWithoutAllocating)
{
    const std::string problem = first_problem(read_off("OFF\n1000000000 1 0\n0 0 0\n", "a.off"));
    EXPECT_EQ(problem.find("a.off:2: vertices: the header promises 1000000000, but 6 bytes"), 0u) << problem;
    EXPECT_FALSE(read_off("OFF\n3 1000000000 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n", "a").ok());
    EXPECT_FALSE(read_off("OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n1000000000 0 1 2\n", "a").ok());
}

TEST(MalformedOff, RefusesBadHeadersAndFaces)
{
    const std::string points = "0 0 0\n1 0 0\n0 1 0\n";
    for (const std::string& text :
         {std::string("OFF"), std::string("OFF\n"), std::string("OFX\n3 1 0\n"), std::string("OFF BINARY\n"),
          std::string("4OFF\n3 1 0\n"), "OFF\n3 one 0\n" + points, "OFF\n-3 1 0\n" + points, "OFF\n3 1 0\n" + points,
          "OFF\n3 1 0\n" + points + "3 0 1\n", "OFF\n3 1 0\n" + points + "3 0 1 3\n",
          "OFF\n3 1 0\n" + points + "3 0 1 -1\n", "OFF\n3 1 0\n" + points + "1 0\n",
          "OFF\n3 1 0\n" + points + "-3 0 1 2\n", "OFF\n3 1 0\n" + points + "3 0 1 1\n",
          "OFF\n3 1 0\n" + points + "face 0 1 2\n", std::string("OFF\n3 1 0\n0 0 0\n1 nan 0\n0 1 0\n3 0 1 2\n"),
          "OFF\n3 0 0\n" + points, std::string("OFF\n0 0 0\n")})
        EXPECT_FALSE(read_off(text, "a.off").ok()) << text;
}

TEST(Malformed, FilesCutOffAnywhereNeverCrashAndNeverPassUnseen)
{
    const TriMesh mesh = icosphere(1, 0);
    for (const bool binary : {false, true}) {
        const std::string ply = ply_bytes(mesh, {.binary = binary});
        const std::string stl = stl_bytes(mesh, {.binary = binary});
        // The last byte of a text file is a newline, and a number may be cut short unseen.
        for (std::size_t size = 0; size + 3 < ply.size(); ++size)
            EXPECT_FALSE(read_ply(ply.substr(0, size), "a").ok()) << size;
        for (std::size_t size = 0; size + 10 < stl.size(); ++size)
            EXPECT_FALSE(read_stl(stl.substr(0, size), "a").ok()) << size;
    }
    const std::string off = off_bytes(mesh);
    for (std::size_t size = 0; size + 3 < off.size(); ++size)
        EXPECT_FALSE(read_off(off.substr(0, size), "a").ok()) << size;
    const std::string obj = obj_bytes(mesh);
    for (std::size_t size = 0; size < obj.size(); ++size) read_obj(obj.substr(0, size), "a");
}

TEST(Malformed, GarbageIsRefusedByEveryReader)
{
    std::string noise;
    std::uint32_t state = 1;
    for (int i = 0; i < 5000; ++i) noise += static_cast<char>((state = state * 1664525u + 1013904223u) >> 24);
    for (const Reader reader : kReaders) {
        EXPECT_FALSE(reader(noise, "a").ok());
        EXPECT_FALSE(reader("", "a").ok());
        EXPECT_FALSE(reader(std::string_view("\0\0\0", 3), "a").ok());
        EXPECT_FALSE(reader("<!DOCTYPE html><html>404</html>", "a").ok());
    }
}

}  // namespace
}  // namespace pliant
