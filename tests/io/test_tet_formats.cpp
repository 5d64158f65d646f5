// SPDX-License-Identifier: MIT

// Volume mesh files as other programs write them, written out by hand after the formats' descriptions.

#include <filesystem>
#include <fstream>

#include <unistd.h>

#include <pliant/io/byte_order.h>

#include <io/tet_samples.h>

namespace pliant {
namespace {

using Indices = std::vector<std::int32_t>;

// As Gmsh writes a tetrahedron with its geometry: physical groups in $Entities, sparse node numbers, triangles.
const std::string kGmsh41 = R"($MeshFormat
4.1 0 8
$EndMeshFormat
$PhysicalNames
2
2 5 "clamped end"
3 9 "rubber"
$EndPhysicalNames
$Entities
2 0 2 1
1 0 0 0 0 
2 5 5 5 1 77 
3 0 0 0 1 1 0 1 -5 0 
4 0 0 0 1 0 1 1 6 0 
1 0 0 0 1 1 1 1 9 2 3 4 
$EndEntities
$Nodes
2 5 10 50
2 3 1 3
10
20
30
0 0 0 0.5 0.5
1 0 0 0 1
0 1 0 1 0
3 1 0 2
40
50
0 0 1
5 5 5
$EndNodes
$Elements
4 4 1 8
0 2 15 1
8 50 
2 3 2 1
1 10 20 30 
2 4 2 1
2 10 20 40 
3 1 4 1
4 10 20 30 40 
$EndElements
)";

TEST(Msh41, TakesSparseNumbersPhysicalGroupsAndParameters)
{
    const TetRead read = read_msh(kGmsh41, "a.msh");
    ASSERT_TRUE(read.ok()) << first_problem(read);
    EXPECT_EQ(read.mesh.vertices, (std::vector<Vec3>{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}));
    EXPECT_EQ(read.mesh.tets, (std::vector<Tet>{{0, 1, 2, 3}}));
    EXPECT_EQ(read.mesh.region, Indices{9});
    ASSERT_NE(read.mesh.find_group("clamped end"), nullptr);
    EXPECT_EQ(read.mesh.find_group("clamped end")->vertices, (Indices{0, 1, 2}));
    EXPECT_EQ(read.mesh.find_group("rubber")->vertices, (Indices{0, 1, 2, 3}));
    EXPECT_EQ(read.mesh.find_group("surface_6")->vertices, (Indices{0, 1, 3}));
    EXPECT_TRUE(read.mesh.find_group("point_77")->vertices.empty());
    EXPECT_TRUE(
        mentions(read.notes, "1 vertices belong to no tetrahedron and were left out, the first is 50 (line 30)"));
    EXPECT_TRUE(mentions(read.notes, "2 triangles or other faces were passed by"));
}

const std::string kGmsh22 = R"($MeshFormat
2.2 0 8
$EndMeshFormat
$Comments
made $Nodes by hand
$EndComments
$PhysicalNames
1
3 3 "body"
$EndPhysicalNames
$Nodes
5
1 0 0 0
2 1 0 0
3 0 1 0
4 0 0 1
5 1 1 1
$EndNodes
$Elements
4
1 15 2 8 1 1
2 2 2 4 1 1 2 3
3 4 3 3 1 0 1 2 3 4
4 4 2 12 2 2 3 4 5
$EndElements
$NodeData
1
"a view"
$EndNodeData
)";

TEST(Msh22, TakesTagsNamesAndPassesOtherSectionsBy)
{
    const TetRead read = read_msh(kGmsh22, "a.msh");
    ASSERT_TRUE(read.ok()) << first_problem(read);
    EXPECT_EQ(read.mesh.tets, (std::vector<Tet>{{0, 1, 2, 3}, {1, 2, 3, 4}}));
    EXPECT_EQ(read.mesh.region, (Indices{3, 12}));
    EXPECT_EQ(read.mesh.find_group("body")->vertices, (Indices{0, 1, 2, 3}));
    EXPECT_EQ(read.mesh.find_group("surface_4")->vertices, (Indices{0, 1, 2}));
    EXPECT_EQ(read.mesh.find_group("point_8")->vertices, Indices{0});
    EXPECT_EQ(read.mesh.find_group("volume_12"), nullptr);
}

void append_big(std::string& bytes, const auto& number)
{
    std::string little;
    append_little(little, number);
    bytes.append(little.rbegin(), little.rend());
}

TEST(Msh22, ReadsBinaryOfTheOtherByteOrderWithManySmallBlocks)
{
    std::string bytes = "$MeshFormat\n2.2 1 8\n";
    append_big(bytes, std::int32_t{1});
    bytes += "\n$EndMeshFormat\n$Nodes\n4\n";
    for (std::int32_t v = 0; v < 4; ++v) {
        append_big(bytes, v + 1);
        for (int k = 1; k < 4; ++k) append_big(bytes, v == k ? 2.5 : 0.0);
    }
    bytes += "\n$EndNodes\n$Elements\n2\n";
    for (const std::int32_t number : {2, 1, 2, 1, 6, 6, 1, 2, 3, 4, 1, 2, 2, 3, 1, 1, 2, 3, 4})
        append_big(bytes, number);
    bytes += "\n$EndElements\n";
    const TetRead read = read_msh(bytes, "a.msh");
    ASSERT_TRUE(read.ok()) << first_problem(read);
    EXPECT_EQ(read.mesh.vertices[3], (Vec3{0, 0, 2.5}));
    EXPECT_EQ(read.mesh.region, Indices{3});
    EXPECT_EQ(read.mesh.find_group("surface_6")->vertices, (Indices{0, 1, 2}));
}

TEST(Msh, KeepsTheCornersOfTenNodeTetrahedra)
{
    const TetRead read = read_msh("$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n10\n"
                                  "1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n5 .5 0 0\n6 .5 .5 0\n7 0 .5 0\n8 0 0 .5\n"
                                  "9 0 .5 .5\n10 .5 0 .5\n$EndNodes\n"
                                  "$Elements\n1\n1 11 2 0 1 1 2 3 4 5 6 7 8 9 10\n$EndElements\n",
                                  "a.msh");
    ASSERT_TRUE(read.ok()) << first_problem(read);
    EXPECT_EQ(read.mesh.vertices.size(), 4u);
    EXPECT_EQ(read.mesh.tets, (std::vector<Tet>{{0, 1, 2, 3}}));
    EXPECT_TRUE(mentions(read.notes, "1 tetrahedra have ten nodes"));
    EXPECT_FALSE(mentions(read.notes, "belong to no tetrahedron"));
}

TEST(Medit, ReadsFreeTextWithCommentsUnknownKeywordsAndFaces)
{
    const TetRead read = read_medit("MeshVersionFormatted\n2\n\nDimension\n3\n# a comment\nVertices\n5\n"
                                    "0 0 0 0\n1 0 0 0  0 1 0 4\n0 0 1 4\n9 9 9 0\n"
                                    "Corners\n2\n1 2\nRidges\n0\nTriangles\n1\n1 2 3 8\n"
                                    "Tetrahedra\n1\n1 3 2 4 6\nEnd\n",
                                    "a.mesh");
    ASSERT_TRUE(read.ok()) << first_problem(read);
    EXPECT_EQ(read.mesh.tets, (std::vector<Tet>{{0, 2, 3, 1}}));
    EXPECT_EQ(read.mesh.region, Indices{6});
    EXPECT_EQ(read.mesh.find_group("reference_4")->vertices, (Indices{2, 3}));
    EXPECT_EQ(read.mesh.find_group("surface_8")->vertices, (Indices{0, 1, 2}));
    EXPECT_TRUE(
        mentions(read.notes, "1 of 1 tetrahedra were inside out and were turned round, the first is 1 (line 23)"));
    EXPECT_TRUE(
        mentions(read.notes, "1 vertices belong to no tetrahedron and were left out, the first is 5 (line 12)"));
}

/// A binary Medit file of some version and byte order: one tetrahedron, a keyword of another kind before it.
std::string small_meshb(int version, bool big)
{
    std::string bytes;
    const auto add = [&](auto number) { big ? append_big(bytes, number) : append_little(bytes, number); };
    const auto whole = [&](std::int64_t n) { version == 4 ? add(n) : add(static_cast<std::int32_t>(n)); };
    const auto position = [&](std::int64_t n) { version >= 3 ? add(n) : add(static_cast<std::int32_t>(n)); };
    const auto real = [&](double x) { version == 1 ? add(static_cast<float>(x)) : add(x); };
    const std::int64_t position_size = version >= 3 ? 8 : 4;
    add(std::int32_t{1}), add(std::int32_t{version}), add(std::int32_t{3}), position(0), add(std::int32_t{3});
    add(std::int32_t{13}), position(static_cast<std::int64_t>(bytes.size()) + position_size + 20);
    bytes += std::string(20, 'x');
    add(std::int32_t{4}), position(0), whole(4);
    for (int v = 0; v < 4; ++v) real(v == 1 ? 1.5 : 0), real(v == 2 ? 1 : 0), real(v == 3 ? 1 : 0), whole(0);
    add(std::int32_t{8}), position(0), whole(1);
    for (const int number : {1, 2, 3, 4, 11}) whole(number);
    add(std::int32_t{54});
    return bytes;
}

TEST(Medit, ReadsBinaryOfEveryVersionAndByteOrder)
{
    for (const int version : {1, 2, 3, 4})
        for (const bool big : {false, true}) {
            const TetRead read = read_medit(small_meshb(version, big), "a.meshb");
            ASSERT_TRUE(read.ok()) << first_problem(read);
            EXPECT_EQ(read.mesh.vertices[1], (Vec3{1.5, 0, 0}));
            EXPECT_EQ(read.mesh.tets, (std::vector<Tet>{{0, 1, 2, 3}}));
            EXPECT_EQ(read.mesh.region, Indices{11});
        }
    EXPECT_NE(first_problem(read_medit(small_meshb(5, false), "a")).find("found version 5"), std::string::npos);
}

TEST(Tetgen, CountsFromZeroOrOneAndTakesAttributesMarkersAndComments)
{
    for (const int first : {0, 1}) {
        const auto n = [&](int i) { return std::to_string(i + first) + ' '; };
        const std::string node = "# of tetgen\n4 3 1 1\n" + n(0) + "0 0 0 0.5 1\n" + n(1) + "1 0 0 0.5 0  # here\n\n" +
                                 n(2) + "0 1 0 .5 1\n" + n(3) + "0 0 1 .5 2\n# Generated by tetgen\n";
        const std::string ele = "1  4  1\n" + n(0) + n(0) + n(2) + n(1) + n(3) + "  13\n";
        const TetRead read = read_tetgen({node, "a.node"}, {ele, "a.ele"});
        ASSERT_TRUE(read.ok()) << first_problem(read);
        EXPECT_EQ(read.mesh.tets, (std::vector<Tet>{{0, 2, 3, 1}}));
        EXPECT_EQ(read.mesh.region, Indices{13});
        EXPECT_EQ(read.mesh.find_group("marker_1")->vertices, (Indices{0, 2}));
        EXPECT_EQ(read.mesh.find_group("marker_2")->vertices, Indices{3});
    }
}

TEST(Tetgen, PassesAttributesByThatAreNoRegions)
{
    const std::string node = "4 3 0 0\n0 0 0 0\n1 1 0 0\n2 0 1 0\n3 0 0 1\n";
    const TetRead read = read_tetgen({node, "a.node"}, {"1 4 1\n0 0 1 2 3 0.25\n", "a.ele"});
    ASSERT_TRUE(read.ok()) << first_problem(read);
    EXPECT_TRUE(read.mesh.region.empty());
    EXPECT_TRUE(mentions(read.notes, "not whole numbers"));
}

std::string vtu(const std::string& head, const std::string& points, const std::string& cells,
                const std::string& tail = "")
{
    return "<?xml version=\"1.0\"?>\n<!-- <VTKFile> of others -->\n<VTKFile type='UnstructuredGrid' version=\"0.1\" " +
           head +
           ">\n<UnstructuredGrid>\n<FieldData><DataArray type=\"Float64\" "
           "Name=\"TimeValue\">1</DataArray></FieldData>\n"
           "<Piece NumberOfPoints=\"4\" NumberOfCells=\"2\">\n<Points>\n" +
           points + "</Points>\n<Cells>\n" + cells + "</Cells>\n</Piece>\n</UnstructuredGrid>\n" + tail +
           "</VTKFile>\n";
}

const std::string kAsciiPoints = "<DataArray type=\"Float32\" NumberOfComponents=\"3\" format=\"ascii\">\n"
                                 "0 0 0\n1 0 0\n0 1 0\n0 0 1\n</DataArray>\n";
const std::string kAsciiCells =
    "<DataArray type=\"Int32\" Name=\"connectivity\" format=\"ascii\">0 1 2\n0 1 2 3</DataArray>\n"
    "<DataArray type=\"Int32\" Name=\"offsets\" format=\"ascii\">3 7</DataArray>\n"
    "<DataArray type=\"UInt8\" Name=\"types\" format=\"ascii\">5 10</DataArray>\n";

void expect_unit_tet(const TetRead& read)
{
    ASSERT_TRUE(read.ok()) << first_problem(read);
    EXPECT_EQ(read.mesh.vertices, (std::vector<Vec3>{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}));
    EXPECT_EQ(read.mesh.tets, (std::vector<Tet>{{0, 1, 2, 3}}));
    EXPECT_TRUE(mentions(read.notes, "1 triangles or other faces"));
}

TEST(Vtu, ReadsTextWithTrianglesBesideTetrahedra)
{
    expect_unit_tet(read_vtu_tets(vtu("byte_order=\"LittleEndian\"", kAsciiPoints, kAsciiCells), "a.vtu"));
}

// Made with Python's struct, base64 and zlib, the way ParaView and meshio lay arrays out.
const std::string kPointsBase64 = "MAAAAAAAAAAAAAAAAAAAAAAAgD8AAAAAAAAAAAAAAAAAAIA/AAAAAAAAAAAAAAAAAACAPw==";
const std::string kConnectivityBase64 = "HAAAAAAAAAABAAAAAgAAAAAAAAABAAAAAgAAAAMAAAA=";
const std::string kOffsetsBase64 = "CAAAAAMAAAAHAAAA";
const std::string kTypesBase64 = "AgAAAAUK";

std::string inline_array(const char* type, const char* name, const std::string& text)
{
    return std::string("<DataArray type=\"") + type + "\" Name=\"" + name + "\" format=\"binary\">\n  " + text +
           "\n</DataArray>\n";
}

TEST(Vtu, ReadsInlineBase64WithShortLengths)
{
    expect_unit_tet(read_vtu_tets(
        vtu("byte_order=\"LittleEndian\" header_type=\"UInt32\"", inline_array("Float32", "Points", kPointsBase64),
            inline_array("Int32", "connectivity", kConnectivityBase64) +
                inline_array("Int32", "offsets", kOffsetsBase64) + inline_array("UInt8", "types", kTypesBase64)),
        "a.vtu"));
}

std::string appended_array(const char* type, const char* name, std::size_t offset)
{
    return std::string("<DataArray type=\"") + type + "\" Name=\"" + name + "\" format=\"appended\" offset=\"" +
           std::to_string(offset) + "\"/>\n";
}

TEST(Vtu, ReadsAppendedBase64)
{
    const std::string all = kPointsBase64 + kConnectivityBase64 + kOffsetsBase64 + kTypesBase64;
    const std::size_t c = kPointsBase64.size(), o = c + kConnectivityBase64.size(), t = o + kOffsetsBase64.size();
    expect_unit_tet(read_vtu_tets(vtu("byte_order=\"LittleEndian\"", appended_array("Float32", "Points", 0),
                                      appended_array("Int32", "connectivity", c) +
                                          appended_array("Int32", "offsets", o) + appended_array("UInt8", "types", t),
                                      "<AppendedData encoding=\"base64\">\n  _" + all + "\n</AppendedData>\n"),
                                  "a.vtu"));
}

TEST(Vtu, ReadsRawAppendedOfTheOtherByteOrder)
{
    std::string raw;
    append_big(raw, std::uint32_t{48});
    for (const float x : {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1}) append_big(raw, x);
    append_big(raw, std::uint32_t{28});
    for (const std::int32_t v : {0, 1, 2, 0, 1, 2, 3}) append_big(raw, v);
    append_big(raw, std::uint32_t{8}), append_big(raw, std::int32_t{3}), append_big(raw, std::int32_t{7});
    append_big(raw, std::uint32_t{2}), raw += "\x05\x0a";
    expect_unit_tet(read_vtu_tets(vtu("byte_order=\"BigEndian\"", appended_array("Float32", "Points", 0),
                                      appended_array("Int32", "connectivity", 52) +
                                          appended_array("Int32", "offsets", 84) + appended_array("UInt8", "types", 96),
                                      "<AppendedData encoding=\"raw\">_" + raw + "</AppendedData>\n"),
                                  "a.vtu"));
}

TEST(Vtu, ReadsArraysCompressedInBlocks)
{
    expect_unit_tet(read_vtu_tets(
        vtu("byte_order=\"LittleEndian\" header_type=\"UInt32\" compressor=\"vtkZLibDataCompressor\"",
            inline_array("Float32", "Points", "AgAAACAAAAAQAAAAEAAAAA0AAAA=eJxjYEAGDfYMaHwADo4Bf3icY2BABg32AAFPAMA="),
            inline_array("Int32", "connectivity", "AQAAABwAAAAAAAAAFgAAAA==eJxjYGBgYARiJgYIgLGZgRgAAIQACg==") +
                inline_array("Int32", "offsets", "AQAAAACAAAAIAAAADgAAAA==eJxjZmBgYAdiAAA8AAs=") +
                inline_array("UInt8", "types", "AQAAAACAAAACAAAACgAAAA==eJxj5QIAABYAEA==")),
        "a.vtu"));
}

TEST(Vtu, JoinsPiecesAndTakesRegionsOfOtherNames)
{
    const auto piece = [](const char* z, const char* region) {
        return std::string("<Piece NumberOfPoints=\"4\" NumberOfCells=\"1\"><CellData>"
                           "<DataArray type=\"Int64\" Name=\"gmsh:physical\" format=\"ascii\">") +
               region +
               "</DataArray></CellData><Points><DataArray type=\"Float64\" format=\"ascii\">0 0 0 1 0 0 0 1 0 0 0 " +
               z +
               "</DataArray></Points><Cells><DataArray type=\"Int64\" Name=\"connectivity\">0 1 2 3</DataArray>"
               "<DataArray type=\"Int64\" Name=\"offsets\">4</DataArray>"
               "<DataArray type=\"UInt8\" Name=\"types\">10</DataArray></Cells></Piece>";
    };
    const TetRead read = read_vtu_tets("<VTKFile type=\"UnstructuredGrid\"><UnstructuredGrid>" + piece("1", "2") +
                                           piece("-1", "3") + "</UnstructuredGrid></VTKFile>",
                                       "a.vtu");
    ASSERT_TRUE(read.ok()) << first_problem(read);
    EXPECT_EQ(read.mesh.tets, (std::vector<Tet>{{0, 1, 2, 3}, {4, 5, 7, 6}}));
    EXPECT_EQ(read.mesh.region, (Indices{2, 3}));
    EXPECT_TRUE(mentions(read.notes, "'gmsh:physical' was taken for the regions"));
    EXPECT_TRUE(mentions(read.notes, "3 vertices stand exactly where another one stands"));
}

TEST(TetFile, OfTenNodeTetrahedraKeepsTheirCornersInEveryFormat)
{
    const std::string points[] = {"0 0 0",     "1 0 0",   "0 1 0",   "0 0 1",     "0.5 0 0",
                                  "0.5 0.5 0", "0 0.5 0", "0 0 0.5", "0.5 0 0.5", "0 0.5 0.5"};
    std::string node = "10 3 0 0\n", medit = "MeshVersionFormatted 2 Dimension 3 Vertices 10\n", coordinates;
    for (int v = 0; v < 10; ++v) {
        node += std::to_string(v) + ' ' + points[v] + '\n';
        medit += points[v] + " 0\n";
        coordinates += points[v] + '\n';
    }
    medit += "TetrahedraP2 1\n1 2 3 4 5 6 7 8 9 10 0\nEnd\n";
    const std::string vtu_text =
        "<VTKFile type=\"UnstructuredGrid\"><UnstructuredGrid><Piece NumberOfPoints=\"10\" NumberOfCells=\"1\"><Points>"
        "<DataArray type=\"Float64\">" +
        coordinates +
        "</DataArray></Points><Cells>"
        "<DataArray type=\"Int64\" Name=\"connectivity\">0 1 2 3 4 5 6 7 8 9</DataArray>"
        "<DataArray type=\"Int64\" Name=\"offsets\">10</DataArray>"
        "<DataArray type=\"UInt8\" Name=\"types\">24</DataArray></Cells></Piece></UnstructuredGrid></VTKFile>";
    for (const TetRead& read : {read_tetgen({node, "a.node"}, {"1 10 0\n0 0 1 2 3 4 5 6 7 8 9\n", "a.ele"}),
                                read_medit(medit, "a.mesh"), read_vtu_tets(vtu_text, "a.vtu")}) {
        ASSERT_TRUE(read.ok()) << first_problem(read);
        EXPECT_EQ(read.mesh.vertices, (std::vector<Vec3>{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}));
        EXPECT_EQ(read.mesh.tets, (std::vector<Tet>{{0, 1, 2, 3}}));
        EXPECT_TRUE(mentions(read.notes, "1 tetrahedra have ten nodes"));
        EXPECT_FALSE(mentions(read.notes, "belong to no tetrahedron"));
    }
}

TEST(TetFile, TellsToFillASurfaceFirst)
{
    const auto folder = std::filesystem::temp_directory_path() / ("pliant_surface_" + std::to_string(getpid()));
    std::filesystem::create_directories(folder);
    const std::string path = (folder / "cup.obj").string();
    std::ofstream(path) << "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
    const std::string problem = first_problem(read_tets(path));
    EXPECT_NE(problem.find("the file holds 1 triangles but no tetrahedra"), std::string::npos) << problem;
    EXPECT_NE(problem.find("pliant mesh tetrahedralize " + path), std::string::npos) << problem;
    std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace pliant
