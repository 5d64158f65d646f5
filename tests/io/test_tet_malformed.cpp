// SPDX-License-Identifier: MIT

// Bad volume mesh files: each gives a sentence with its place, never a crash, never memory on a header's word.

#include <algorithm>

#include <pliant/io/byte_order.h>

#include <io/tet_samples.h>

namespace pliant {
namespace {

const std::string kMshHead = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n4\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n"
                             "$EndNodes\n$Elements\n";
const std::string kMeditHead = "MeshVersionFormatted 2\nDimension 3\nVertices\n4\n0 0 0 0\n1 0 0 0\n0 1 0 0\n0 0 1 0\n";
const std::string kNode = "4 3 0 0\n0 0 0 0\n1 1 0 0\n2 0 1 0\n3 0 0 1\n";

TetRead read_elements(const std::string& count_and_elements)
{
    return read_msh(kMshHead + count_and_elements + "\n$EndElements\n", "a.msh");
}

TetRead read_ele(const std::string& ele)
{
    return read_tetgen({kNode, "a.node"}, {ele, "a.ele"});
}

void expect_words(const std::string& problem, const std::string& words)
{
    EXPECT_NE(problem.find(words), std::string::npos) << problem;
}

TEST(MalformedTets, NameLineFoundExpectedAndCure)
{
    EXPECT_EQ(first_problem(read_elements("1\n1 4 0 1 2 3 9")),
              "a.msh:13: element 1: names vertex 9, but the file has vertices 1 to 4 "
              "(correct the index, or export the mesh again)");
    EXPECT_EQ(first_problem(read_elements("1\n1 4 0 1 2 3 3")),
              "a.msh:13: element 1: degenerate: names vertex 3 more than once "
              "(remove it, or give it four distinct corners)");
    EXPECT_EQ(first_problem(read_elements("2\n1 4 0 1 2 3 4\n7 4 0 2 3 4 1")),
              "a.msh:14: element 7: has the same corners as element 1 (line 13) (remove one of the two)");
    EXPECT_EQ(first_problem(read_ele("1 4 0\n0 0 1 2\n")),
              "a.ele:2: tetrahedron 0: ends early, expected a whole number "
              "(the first line promises 4 corners and 0 attributes behind the number)");
    EXPECT_EQ(first_problem(read_medit(kMeditHead + "Tetrahedra\n1\n1 2 3 0 0\nEnd\n", "a.mesh")),
              "a.mesh:11: tetrahedron 1: names vertex 0, but the file has vertices 1 to 4 "
              "(correct the index, or export the mesh again)");
}

TEST(MalformedTets, WithoutVolumeAreNamed)
{
    const std::string flat = "MeshVersionFormatted 2 Dimension 3 Vertices 4\n"
                             "0 0 0 0\n1e-9 0 0 0\n0 1e-9 0 0\n1e-9 1e-9 0 0\nTetrahedra 1\n1 2 3 4 0\nEnd\n";
    EXPECT_EQ(first_problem(read_medit(flat, "a.mesh")),
              "a.mesh:7: tetrahedron 1: degenerate: vertices 1, 2, 3, 4 lie in one plane, its volume is zero "
              "(remove it, or mesh the surface again with a bound on the quality)");
    // A thin one is no problem, however small.
    std::string thin = flat;
    thin.replace(thin.find("1e-9 1e-9 0 0"), 13, "1e-9 1e-9 -1e-18 0");
    EXPECT_TRUE(read_medit(thin, "a.mesh").ok());
}

TEST(MalformedTets, InBinaryNameTheByte)
{
    TetMesh mesh = awkward_tets();
    mesh.tets[1] = {0, 2, 1, 99};
    const std::string bytes = meshb_bytes(mesh);
    // Head 24 bytes, vertices 16 + 9 * 28, tetrahedra 16, then 20 bytes each.
    expect_words(first_problem(read_medit(bytes, "a.meshb")),
                 "a.meshb: tetrahedron 2, byte " + std::to_string(24 + 16 + 9 * 28 + 16 + 20) + ": names vertex 100");
    expect_words(first_problem(read_msh(msh_bytes(mesh), "a.msh")), "a.msh: element 2, byte ");
    const std::string vtu = vtu_tets_bytes(mesh);
    const std::string problem = first_problem(read_vtu_tets(vtu, "a.vtu"));
    const std::size_t place = vtu.find("\n_") + 2;  // lengths are 8 bytes; regions and points stand before
    expect_words(problem, "a.vtu: cell 1, byte " + std::to_string(place + 8 + 12 + 8 + 9 * 24 + 8 + 32) +
                              ": names point 99, but its piece has points 0 to 8");
}

TEST(MalformedTets, SurfacesAndForeignCellsAreTold)
{
    expect_words(first_problem(read_elements("1\n1 2 0 1 2 3")),
                 "the file holds 1 triangles but no tetrahedra: a surface, expected a volume "
                 "(fill it first: pliant mesh tetrahedralize a.msh");
    expect_words(first_problem(read_elements("2\n1 4 0 1 2 3 4\n2 7 0 1 2 3 4 1")),
                 "holds 1 hexahedra, prisms or pyramids");
    expect_words(first_problem(read_elements("0")), "empty mesh: 4 vertices, but no tetrahedra");
    expect_words(first_problem(read_medit("MeshVersionFormatted 2 Dimension 3 End", "a")), "no vertices found");
}

TEST(MalformedTets, ClaimingBillionsAreRefusedWithoutAllocating)
{
    expect_words(first_problem(read_elements("1000000000\n1 4 0 1 2 3 4")), "promises 1000000000, but");
    expect_words(first_problem(read_msh("$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Nodes\n1 9000000000000000000 1 1\n"
                                        "3 1 0 9000000000000000000\n1\n",
                                        "a")),
                 "promises 9000000000000000000, but");
    expect_words(first_problem(read_medit("MeshVersionFormatted 2 Dimension 3 Vertices 1000000000\n0 0 0 0\n", "a")),
                 "promises 1000000000, but");
    expect_words(first_problem(read_tetgen({"1000000000 3 0 0\n0 0 0 0\n", "a.node"}, {"", "a.ele"})),
                 "promises 1000000000 records, but 8 bytes");
    expect_words(first_problem(read_ele("1 4 9000000000000000000\n0 0 1 2 3\n")), "more than it holds");
    std::string vtu = vtu_tets_bytes(awkward_tets());
    const std::size_t length = vtu.find("\n_") + 2;
    for (std::size_t k = 0; k < 8; ++k) vtu[length + k] = '\x7f';
    expect_words(first_problem(read_vtu_tets(vtu, "a.vtu")), "which the file does not hold");
    std::string meshb = meshb_bytes(awkward_tets());
    meshb.replace(36, 4, "\xff\xff\xff\x7f");
    expect_words(first_problem(read_medit(meshb, "a.meshb")), "promises 2147483647, but");
}

TEST(MalformedMsh, TellsVersionsAndSectionsItCannotRead)
{
    expect_words(first_problem(read_msh("$MeshFormat\n4 0 8\n$EndMeshFormat\n", "a")),
                 "gmsh old.msh -save -format msh41");
    expect_words(first_problem(read_msh("$NOD\n1\n", "a")), "found '$NOD', expected $MeshFormat");
    expect_words(first_problem(read_msh("$MeshFormat\n2.2 0 4\n$EndMeshFormat\n", "a")), "data size 4");
    expect_words(first_problem(read_msh(std::string("$MeshFormat\n2.2 1 8\n\0\0\1\0\n$EndMeshFormat\n", 41), "a")),
                 "the mark of the byte order");
    expect_words(first_problem(read_msh("$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Elements\n0\n$EndElements\n", "a")),
                 "stands before $Nodes");
    expect_words(first_problem(read_msh("$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Periodic\n1\n", "a")),
                 "$Periodic has no end");
    expect_words(first_problem(read_elements("1\n1 99 0 1 2 3")), "elements of type 99");
    expect_words(first_problem(read_elements("1\n1 4 0 1 2 3 4 5")), "found '5', expected $EndElements");
    expect_words(first_problem(read_elements("1\n1 4 0 1 two 3 4")),
                 "a.msh:13: element 1: found 'two', expected a whole number");
}

TEST(MalformedMsh, TellsVertexNumbersGivenTwice)
{
    std::string text = kMshHead;
    text.replace(text.find("\n3 0 1 0"), 2, "\n2");
    expect_words(first_problem(read_msh(text + "0\n$EndElements\n", "a.msh")),
                 "a.msh:8: vertex 2: the vertex number 2 is given twice");
}

TEST(MalformedTetgen, TellsBadHeadsAndLines)
{
    expect_words(first_problem(read_tetgen({"1 2 0 0\n0 0 0 0\n", "a.node"}, {"", "a.ele"})),
                 "found dimension 2, expected 3");
    expect_words(first_problem(read_tetgen({"4 x\n", "a.node"}, {"", "a.ele"})), "a.node:1: counts: found 'x'");
    expect_words(first_problem(read_tetgen({kNode + "# end\n", "a.node"}, {"", "a.ele"})),
                 "a.ele: counts: the file is empty");
    expect_words(first_problem(read_ele("1 3 0\n0 0 1 2\n")), "found 3 nodes an element");
    expect_words(first_problem(read_ele("2 4 0\n0 0 1 2 3\n# more\n# more\n")),
                 "a.ele:4: records: the file ends after 1 of 2");
    expect_words(first_problem(read_tetgen({"4 3 0 1\n0 0 0 0\n1 1 0 0\n2 0 1 0\n3 0 0 1\n", "a.node"}, {"", "a"})),
                 "a.node:2: vertex 0: its boundary marker: ends early");
    expect_words(first_problem(read_tetgen({"1 3 0 0\n0 0 inf 0\n", "a.node"}, {"", "a"})), "expected finite numbers");
}

TEST(MalformedVtu, TellsWhatIsMissingOrForeign)
{
    const auto changed = [](const std::string& from, const std::string& to) {
        std::string text = vtu_tets_bytes(awkward_tets(), {.binary = false});
        const std::size_t at = text.find(from);
        EXPECT_NE(at, std::string::npos) << from;
        return first_problem(read_vtu_tets(text.replace(at, from.size(), to), "a.vtu"));
    };
    expect_words(changed("UnstructuredGrid", "PolyData"), "found a PolyData, expected an UnstructuredGrid");
    expect_words(changed("version=\"1.0\" byte", "compressor=\"vtkLZ4DataCompressor\" byte"),
                 "save it without compression");
    expect_words(changed("Name=\"types\"", "Name=\"typos\""), "has no array 'types' in Cells");
    expect_words(changed("NumberOfPoints=\"9\"", "NumberOfPoints=\"8\""),
                 "promises 24 numbers in 'Points', which holds 27");
    expect_words(changed("NumberOfCells=\"3\"", "NumberOfCells=\"x\""), "promises -1 numbers in 'offsets'");
    expect_words(changed("type=\"Float64\"", "type=\"String\""), "its type is 'String'");
    expect_words(changed("1.1", "1,1"), "a.vtu:17: DataArray: 'Points' of Points: found '1,1', expected a number");
    expect_words(changed("\n4\n8\n12\n", "\n4\n3\n12\n"), "cell 1: its offset is 3, expected 4 to 12");
    expect_words(changed("\n10\n10\n10\n", "\n10\n12\n10\n"), "holds 1 hexahedra");
    expect_words(changed("\n4\n8\n12\n", "\n4\n9\n12\n"), "cell 1: has 5 corners, expected 4");
    expect_words(first_problem(read_vtu_tets("<html>404</html>", "a.vtu")), "found no element VTKFile");
}

TEST(MalformedTets, CutOffAnywhereNeverCrashAndNeverPassUnseen)
{
    TetMesh mesh = awkward_tets();
    mesh.groups = {{"left", {0, 1}}};
    const TetgenText tetgen = tetgen_text(mesh);
    // The last bytes of a text may be missing unseen: a newline, a digit of the last number, the letters of an end.
    for (const bool binary : {false, true}) {
        for (const MshVersion version : {MshVersion::v2_2, MshVersion::v4_1}) {
            const std::string msh = msh_bytes(mesh, {.binary = binary, .msh_version = version});
            for (std::size_t size = 0; size + 1 < msh.size(); ++size)
                EXPECT_FALSE(read_msh(msh.substr(0, size), "a").ok()) << size;
        }
        const std::string vtu = vtu_tets_bytes(mesh, {.binary = binary});
        const std::size_t end = vtu.find(binary ? "\n</AppendedData>" : "</VTKFile>");
        for (std::size_t size = 0; size < end; ++size)
            EXPECT_FALSE(read_vtu_tets(vtu.substr(0, size), "a").ok()) << size;
    }
    for (const std::string& medit : {medit_bytes(mesh), meshb_bytes(mesh)})
        for (std::size_t size = 0; size + 9 < medit.size(); ++size)
            EXPECT_FALSE(read_medit(medit.substr(0, size), "a").ok()) << size;
    for (std::size_t size = 0; size + 3 < tetgen.ele.size(); ++size)
        EXPECT_FALSE(read_tetgen({tetgen.node, "a"}, {tetgen.ele.substr(0, size), "a"}).ok()) << size;
}

TEST(MalformedTets, DamagedAnywhereNeverCrashAndAreSoundIfRead)
{
    const TetMesh mesh = awkward_tets();
    std::uint32_t state = 1;
    const auto random = [&] { return (state = state * 1664525u + 1013904223u) >> 8; };
    const std::string files[] = {msh_bytes(mesh),
                                 msh_bytes(mesh, {.binary = false}),
                                 msh_bytes(mesh, {.binary = true, .msh_version = MshVersion::v2_2}),
                                 meshb_bytes(mesh),
                                 medit_bytes(mesh),
                                 vtu_tets_bytes(mesh),
                                 vtu_tets_bytes(mesh, {.binary = false})};
    int refused = 0;
    for (std::size_t f = 0; f < std::size(files); ++f)
        for (int trial = 0; trial < 2000; ++trial) {
            std::string bytes = files[f];
            for (int k = 0; k < 3; ++k) bytes[random() % bytes.size()] = static_cast<char>(random());
            const TetRead read = f < 3   ? read_msh(bytes, "a")
                                 : f < 5 ? read_medit(bytes, "a")
                                         : read_vtu_tets(bytes, "a");
            const auto count = static_cast<std::int32_t>(read.mesh.vertices.size());
            for (const Tet& t : read.mesh.tets)
                for (const std::int32_t v : t) ASSERT_TRUE(v >= 0 && v < count);
            refused += read.ok() ? 0 : 1;
        }
    EXPECT_GT(refused, 2000);
}

TEST(MalformedTets, GarbageIsRefusedByEveryReader)
{
    std::string noise;
    std::uint32_t state = 1;
    for (int i = 0; i < 5000; ++i) noise += static_cast<char>((state = state * 1664525u + 1013904223u) >> 24);
    for (const std::string& bytes : {noise, std::string(), std::string(3, '\0'), std::string("<!DOCTYPE html>"),
                                     std::string("$"), std::string("\1\0\0\0\3\0\0\0", 8)}) {
        EXPECT_FALSE(read_msh(bytes, "a").ok());
        EXPECT_FALSE(read_medit(bytes, "a").ok());
        EXPECT_FALSE(read_vtu_tets(bytes, "a").ok());
        EXPECT_FALSE(read_tetgen({bytes, "a"}, {bytes, "a"}).ok());
        EXPECT_FALSE(read_tetgen({kNode, "a"}, {bytes, "a"}).ok());
    }
}

}  // namespace
}  // namespace pliant
