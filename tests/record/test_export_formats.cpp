// SPDX-License-Identifier: MIT
// Every exported format read back by a small parser of its own and compared with the recording.
#include <algorithm>
#include <array>
#include <cstring>
#include <sstream>

#include <pliant/record/export.h>
#include <record/sample_recording.h>

namespace pliant {
namespace {

// The drawable points of the sample, in their order: the cloth without its frame nodes, the rope.
constexpr std::array<std::size_t, 7> kPoints{2, 3, 4, 5, 6, 7, 8};

template <class T>
T value_at(const std::string& bytes, std::size_t offset)
{
    T value;
    EXPECT_LE(offset + sizeof(T), bytes.size());
    std::memcpy(&value, bytes.data() + std::min(offset, bytes.size() - sizeof(T)), sizeof(T));
    return value;
}

// Floats stay floats here: g++ 12 drops the rounding of a double to float and back when it vectorises.
using Vec3f = std::array<float, 3>;

Vec3f float_vector_at(const std::string& bytes, std::size_t offset)
{
    return value_at<Vec3f>(bytes, offset);
}

Vec3f rounded(const Vec3& a)
{
    return {static_cast<float>(a.x), static_cast<float>(a.y), static_cast<float>(a.z)};
}

std::size_t count_of(const std::string& text, const std::string& part)
{
    std::size_t count = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
    return count;
}

TEST(ExportFormats, Pc2HoldsThePointsOfTheObjBesideIt)
{
    const TemporaryDirectory directory;
    const Recording recording = sample_recording(directory, 7);
    const Exported exported = export_recording(recording, directory.file("a.pc2"), {.every = 2, .first = 1});
    ASSERT_EQ(exported.files.size(), 2U);
    const std::string bytes = contents(directory.file("a.pc2"));
    ASSERT_EQ(bytes.size(), 32U + 3 * 7 * 12);
    EXPECT_EQ(bytes.substr(0, 12), std::string("POINTCACHE2\0", 12));
    EXPECT_EQ(value_at<std::int32_t>(bytes, 12), 1);
    EXPECT_EQ(value_at<std::int32_t>(bytes, 16), 7);
    EXPECT_EQ(value_at<float>(bytes, 20), 0.0F);
    EXPECT_EQ(value_at<float>(bytes, 24), 2.0F);
    EXPECT_EQ(value_at<std::int32_t>(bytes, 28), 3);
    for (std::size_t sample = 0; sample < 3; ++sample)
        for (std::size_t i = 0; i < 7; ++i)
            EXPECT_EQ(float_vector_at(bytes, 32 + (sample * 7 + i) * 12),
                      rounded(sample_frame(static_cast<std::int64_t>(1 + 2 * sample)).x[kPoints[i]]));

    std::istringstream obj(contents(directory.file("a.obj")));
    std::vector<Vec3f> vertices;
    std::vector<std::string> elements;
    for (std::string line, word; std::getline(obj, line);) {
        std::istringstream words(line);
        Vec3 p;
        words >> word;
        if (word == "v" && words >> p.x >> p.y >> p.z) vertices.push_back(rounded(p));
        if (word == "f" || word == "l" || word == "o") elements.push_back(line);
    }
    ASSERT_EQ(vertices.size(), 7U);
    for (std::size_t i = 0; i < 7; ++i) EXPECT_EQ(vertices[i], float_vector_at(bytes, 32 + i * 12));
    EXPECT_EQ(elements, (std::vector<std::string>{"o cloth", "f 1 2 3", "f 1 3 4", "o my_rope", "l 5 6", "l 6 7"}));
}

TEST(ExportFormats, PlyFilesHoldOneFrameEach)
{
    const TemporaryDirectory directory;
    const Recording recording = sample_recording(directory, 3);
    const Exported exported = export_recording(recording, directory.file("a.ply"));
    ASSERT_EQ(exported.files.size(), 3U);
    EXPECT_EQ(exported.files[2], directory.file("a_0002.ply"));
    const std::string bytes = contents(exported.files[2]);
    EXPECT_TRUE(contains(bytes, "element vertex 7\n") && contains(bytes, "element face 2\n") &&
                contains(bytes, "element edge 2\n"));
    const std::size_t start = bytes.find("end_header\n") + 11;
    ASSERT_EQ(bytes.size(), start + 7 * 12 + 2 * 13 + 2 * 8);
    for (std::size_t i = 0; i < 7; ++i)
        EXPECT_EQ(float_vector_at(bytes, start + i * 12), rounded(sample_frame(2).x[kPoints[i]]));
    EXPECT_EQ(bytes[start + 84], 3);
    EXPECT_EQ(value_at<std::int32_t>(bytes, start + 84 + 13 + 1 + 8), 3);
    EXPECT_EQ(value_at<std::int32_t>(bytes, start + 84 + 26 + 12), 6);
}

// The bytes of an appended array: its length is checked against the file's.
std::string vtu_array(const std::string& file, const std::string& name)
{
    const std::size_t tag = file.find("Name=\"" + name + "\"");
    EXPECT_NE(tag, std::string::npos) << name;
    if (tag == std::string::npos) return {};
    const std::size_t number = file.find("offset=\"", tag) + 8;
    const std::size_t data = file.find("<AppendedData encoding=\"raw\">");
    const std::size_t at = file.find('_', data) + 1 + std::stoul(file.substr(number));
    const auto length = value_at<std::uint64_t>(file, at);
    EXPECT_LE(at + 8 + length, file.size());
    return file.substr(at + 8, length);
}

TEST(ExportFormats, PovScenesHoldEveryBodyWithTextureLightsAndCamera)
{
    const TemporaryDirectory directory;
    const Recording recording = sample_recording(directory, 3);
    const Exported exported = export_recording(recording, directory.file("a.pov"));
    ASSERT_EQ(exported.files.size(), 3U);
    std::string stage;
    for (std::size_t frame = 0; frame < 3; ++frame) {
        const std::string text = contents(exported.files[frame]);
        EXPECT_EQ(count_of(text, "{"), count_of(text, "}"));
        EXPECT_EQ(count_of(text, "camera {"), 1U);
        EXPECT_EQ(count_of(text, "light_source {"), 2U);
        EXPECT_EQ(count_of(text, "mesh2 {"), 1U) << "the cloth";
        EXPECT_EQ(count_of(text, "union {"), 1U) << "the rope";
        EXPECT_EQ(count_of(text, "texture {"), 2U);
        // The first vertex of the cloth is that of the recording.
        float x = 0, y = 0, z = 0;
        const std::size_t at = text.find("vertex_vectors { 4,");
        ASSERT_NE(at, std::string::npos);
        ASSERT_EQ(std::sscanf(text.c_str() + text.find('<', at), "<%f, %f, %f>", &x, &y, &z), 3);
        EXPECT_EQ((Vec3f{x, y, z}), rounded(recording.frame(static_cast<std::int64_t>(frame)).x[kPoints[0]]));
        // Camera and lights do not move from frame to frame.
        const std::string before_meshes = text.substr(0, text.find("// "));
        if (frame == 0) stage = before_meshes;
        EXPECT_EQ(before_meshes, stage);
    }
}

TEST(ExportFormats, VtuHoldsGridFieldsAndBodies)
{
    const TemporaryDirectory directory;
    const Recording recording = sample_recording(directory, 3);
    const Exported exported = export_recording(recording, directory.file("a.vtu"));
    ASSERT_EQ(exported.files.size(), 5U);
    const std::string file = contents(directory.file("a_0001.vtu"));
    EXPECT_TRUE(contains(file, "header_type=\"UInt64\""));
    EXPECT_TRUE(contains(file, "NumberOfPoints=\"7\" NumberOfCells=\"4\""));
    EXPECT_TRUE(file.ends_with("</AppendedData>\n</VTKFile>\n"));
    const std::string points = vtu_array(file, "Points"), velocity = vtu_array(file, "velocity");
    const std::string strain = vtu_array(file, "strain");
    ASSERT_EQ(points.size(), 7U * 24);
    ASSERT_EQ(velocity.size(), 7U * 24);
    ASSERT_EQ(strain.size(), 7U * 8);
    const Frame frame = sample_frame(1);
    for (std::size_t i = 0; i < 7; ++i) {
        EXPECT_EQ(value_at<Vec3>(points, i * 24), frame.x[kPoints[i]]);
        EXPECT_EQ(value_at<Vec3>(velocity, i * 24), frame.v[kPoints[i]]);
        EXPECT_EQ(value_at<double>(strain, i * 8), frame.fields[0][kPoints[i]]);
    }
    EXPECT_FALSE(contains(file, "pressure")) << "a field without values is left out";
    const std::string connectivity = vtu_array(file, "connectivity"), offsets = vtu_array(file, "offsets");
    ASSERT_EQ(connectivity.size(), 10U * 8);
    EXPECT_EQ(value_at<std::int64_t>(connectivity, 5 * 8), 3);
    EXPECT_EQ(value_at<std::int64_t>(connectivity, 9 * 8), 6);
    EXPECT_EQ(value_at<std::int64_t>(offsets, 3 * 8), 10);
    EXPECT_EQ(vtu_array(file, "types"), "\x05\x05\x03\x03");
    EXPECT_EQ(value_at<std::int32_t>(vtu_array(file, "body"), 2 * 4), 1);
}

TEST(ExportFormats, PvdAndSeriesNameTheFilesWithTheirTimes)
{
    const TemporaryDirectory directory;
    const Recording recording = sample_recording(directory, 3);
    export_recording(recording, directory.file("a.pvd"));
    const std::string pvd = contents(directory.file("a.pvd")), series = contents(directory.file("a.vtu.series"));
    EXPECT_EQ(count_of(pvd, "<DataSet "), 3U);
    EXPECT_TRUE(contains(pvd, "timestep=\"0.02\" part=\"0\" file=\"a_0001.vtu\""));
    EXPECT_EQ(count_of(series, "\"name\""), 3U);
    EXPECT_TRUE(contains(series, "{\"name\": \"a_0002.vtu\", \"time\": 0.04}\n]}"));
}

TEST(ExportFormats, UsdaHasASamplePerFrameAndBody)
{
    const TemporaryDirectory directory;
    const Recording recording = sample_recording(directory, 5, 'z');
    export_recording(recording, directory.file("a.usda"));
    const std::string text = contents(directory.file("a.usda"));
    EXPECT_TRUE(text.starts_with("#usda 1.0\n("));
    for (const char* part : {"upAxis = \"Z\"", "metersPerUnit = 1\n", "timeCodesPerSecond = 50\n", "endTimeCode = 4\n",
                             "def Mesh \"cloth\"", "def BasisCurves \"my_rope\"", "uniform bool doubleSided = 1",
                             "int[] faceVertexCounts = [3, 3]", "int[] faceVertexIndices = [0, 1, 2, 0, 2, 3]",
                             "int[] curveVertexCounts = [3]"})
        EXPECT_TRUE(contains(text, part)) << part;
    EXPECT_EQ(count_of(text, "{"), count_of(text, "}"));
    EXPECT_EQ(count_of(text, "            3: ["), 4U) << "extent and points of both bodies";
    // The last sample of the cloth, number by number.
    const std::size_t points = text.find("point3f[] points.timeSamples = {");
    std::string sample = text.substr(text.find("            4: [", points) + 16);
    sample.resize(sample.find(']'));
    for (char& c : sample)
        if (c == '(' || c == ')' || c == ',') c = ' ';
    std::istringstream numbers(sample);
    std::vector<float> values;
    for (float value = 0; numbers >> value;) values.push_back(value);
    ASSERT_EQ(values.size(), 12U);
    for (std::size_t i = 0; i < 4; ++i)
        EXPECT_EQ((Vec3f{values[3 * i], values[3 * i + 1], values[3 * i + 2]}), rounded(sample_frame(4).x[kPoints[i]]));
}

// The chunks of a GLB; checks the lengths of the container.
std::pair<std::string, std::string> glb_chunks(const std::string& file)
{
    EXPECT_EQ(file.substr(0, 4), "glTF");
    EXPECT_EQ(value_at<std::uint32_t>(file, 4), 2U);
    EXPECT_EQ(value_at<std::uint32_t>(file, 8), file.size());
    const auto json_length = value_at<std::uint32_t>(file, 12);
    EXPECT_EQ(file.substr(16, 4), "JSON");
    const std::size_t binary = 20 + json_length;
    const auto binary_length = value_at<std::uint32_t>(file, binary);
    EXPECT_EQ(file.substr(binary + 4, 4), std::string("BIN\0", 4));
    EXPECT_EQ(json_length % 4 + binary_length % 4, 0U);
    EXPECT_EQ(binary + 8 + binary_length, file.size());
    return {file.substr(20, json_length), file.substr(binary + 8)};
}

TEST(ExportFormats, GlbHasATargetPerFrameAfterTheFirst)
{
    const TemporaryDirectory directory;
    const Recording recording = sample_recording(directory, 4);
    const Exported exported = export_recording(recording, directory.file("a.glb"));
    EXPECT_TRUE(exported.notes.empty());
    const auto [json, binary] = glb_chunks(contents(directory.file("a.glb")));
    EXPECT_TRUE(contains(json, "\"buffers\":[{\"byteLength\":" + std::to_string(binary.size()) + "}]"));
    EXPECT_EQ(count_of(json, "\"POSITION\""), 2U * 4);
    EXPECT_EQ(count_of(json, "\"NORMAL\""), 1U * 4) << "lines have no normals";
    EXPECT_EQ(count_of(json, "\"path\":\"weights\""), 2U);
    EXPECT_TRUE(contains(json, "\"weights\":[0,0,0]"));
    EXPECT_TRUE(contains(json, "\"mode\":1") && contains(json, "\"mode\":4"));
    EXPECT_FALSE(contains(json, "rotation"));
    // The file begins with the indices of the cloth, then its positions at the start.
    EXPECT_EQ(value_at<std::int32_t>(binary, 5 * 4), 3);
    for (std::size_t i = 0; i < 4; ++i)
        EXPECT_EQ(float_vector_at(binary, 24 + i * 12), rounded(sample_frame(0).x[kPoints[i]]));
    // Weights come last: frame 3 is target 2 alone.
    EXPECT_EQ(float_vector_at(binary, binary.size() - 12), (Vec3f{0, 0, 1}));
}

TEST(ExportFormats, GlbTakesAtMost120FramesAndSaysSo)
{
    const TemporaryDirectory directory;
    const Recording recording = sample_recording(directory, 300, 'z');
    const Exported exported = export_recording(recording, directory.file("a.glb"), {.body = "cloth"});
    ASSERT_EQ(exported.notes.size(), 1U);
    EXPECT_TRUE(contains(exported.notes[0], "120 of 300 frames"));
    const auto [json, binary] = glb_chunks(contents(directory.file("a.glb")));
    EXPECT_EQ(count_of(json, "\"POSITION\""), 120U);
    EXPECT_TRUE(contains(json, "\"rotation\":[-0.7071067811865476,0,0,0.7071067811865476]"));
    const std::size_t input = binary.size() - (120 * 119 + 120) * 4;
    EXPECT_EQ(value_at<float>(binary, input), 0.0F);
    EXPECT_EQ(value_at<float>(binary, input + 119 * 4), 299.0F / 50);
}

TEST(ExportFormats, GlbOfOneFrameIsStill)
{
    const TemporaryDirectory directory;
    const Recording recording = sample_recording(directory, 3);
    export_recording(recording, directory.file("a.glb"), {.first = 1, .last = 1});
    const auto [json, binary] = glb_chunks(contents(directory.file("a.glb")));
    EXPECT_FALSE(contains(json, "animations") || contains(json, "targets"));
}

TEST(ExportFormats, CsvGivesBackEveryMeasureToTheBit)
{
    const TemporaryDirectory directory;
    const Recording recording = sample_recording(directory, 6);
    export_recording(recording, directory.file("a.csv"), {.every = 2});
    std::istringstream file(contents(directory.file("a.csv")));
    std::string line;
    std::getline(file, line);
    EXPECT_EQ(line, "time,energy.kinetic,energy.total,cloth.volume");
    for (std::int64_t k = 0; k < 6; k += 2) {
        ASSERT_TRUE(std::getline(file, line));
        std::istringstream cells(line);
        std::vector<double> values;
        for (std::string cell; std::getline(cells, cell, ',');) values.push_back(std::strtod(cell.c_str(), nullptr));
        std::vector<double> expected = sample_frame(k).measures;
        expected.insert(expected.begin(), sample_frame(k).time);
        EXPECT_EQ(values, expected);
    }
    EXPECT_FALSE(std::getline(file, line));
    export_recording(recording, directory.file("b.csv"), {.body = "cloth"});
    EXPECT_TRUE(contents(directory.file("b.csv")).starts_with("time,cloth.volume\n"));
}

}  // namespace
}  // namespace pliant
