// SPDX-License-Identifier: MIT
// Pages: what is written can be read again, by a decoder of its own, within the stated precision; nothing that a take may
// hold breaks it; what cannot be done is said. The page itself is tested by tests/page.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <functional>
#include <limits>

#include <zlib.h>

#include <pliant/base/json.h>
#include <pliant/record/export_job.h>
#include <pliant/record/page_frames.h>
#include <pliant/record/page_script.h>
#include <pliant/record/page_survey.h>
#include <record/sample_recording.h>

namespace pliant {
namespace {

using Bytes = std::vector<unsigned char>;

constexpr std::string_view kScript[] = {"let a = 1;", "let b = a;"};

Exported write_page(const Recording& recording, const std::string& path, const ExportOptions& options = {},
                    const PageScript& script = {kScript, ""}, std::size_t most_places = kMostPagePlaces)
{
    ExportJob job{recording,
                  path,
                  options.overwrite,
                  options.every,
                  options.body,
                  chosen_frames(recording, options),
                  chosen_bodies(recording, options.body)};
    return export_page(job, script, most_places);
}

Bytes from_base64(const std::string& text)
{
    const std::string digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    Bytes bytes;
    unsigned word = 0, bits = 0;
    for (const char c : text) {
        if (c == '=') break;
        word = word << 6U | static_cast<unsigned>(digits.find(c)), bits += 6;
        if (bits >= 8) bytes.push_back(static_cast<unsigned char>(word >> (bits -= 8) & 0xFFU));
    }
    return bytes;
}

Bytes inflated(const Bytes& packed)
{
    z_stream stream{};
    inflateInit(&stream);
    stream.next_in = const_cast<Bytef*>(packed.data()), stream.avail_in = static_cast<uInt>(packed.size());
    Bytes bytes, buffer(1 << 16);
    int result = Z_OK;
    while (result == Z_OK) {
        stream.next_out = buffer.data(), stream.avail_out = static_cast<uInt>(buffer.size());
        result = inflate(&stream, Z_NO_FLUSH);
        bytes.insert(bytes.end(), buffer.begin(), buffer.end() - stream.avail_out);
    }
    inflateEnd(&stream);
    EXPECT_EQ(result, Z_STREAM_END);
    return bytes;
}

/// A page read by the description of docs/formats.md.
struct ReadPage {
    Json take;
    std::vector<std::int64_t> indices;                  ///< triangles, lines
    std::vector<std::vector<float>> measures;           ///< [measure][frame]
    std::vector<std::vector<std::int64_t>> numbers;     ///< [frame][axis * points + point]
    std::vector<std::vector<std::vector<int>>> codes;   ///< [field][frame][point]
    std::vector<std::array<std::uint32_t, 2>> nowhere;  ///< frame, point
    std::size_t points = 0, chunks = 0;

    double number(const char* key) const { return take.find(key)->number; }
    Vec3 place(std::size_t frame, std::size_t point) const
    {
        Vec3 x;
        for (std::size_t k = 0; k < 3; ++k)
            x[static_cast<int>(k)] = take.find("origin")->items[k].number +
                                     number("step") * static_cast<double>(numbers[frame][k * points + point]);
        return x;
    }
};

std::vector<std::string> parts(const std::string& html, const std::string& name)
{
    std::vector<std::string> texts;
    const std::string mark = "data-pliant=\"" + name + "\">";
    for (std::size_t at = html.find(mark); at != std::string::npos; at = html.find(mark, at)) {
        at += mark.size();
        texts.push_back(html.substr(at, html.find("</script>", at) - at));
    }
    return texts;
}

std::uint32_t plane_word(const Bytes& bytes, std::size_t at, std::size_t count, std::size_t i)
{
    return bytes[at + i] | static_cast<std::uint32_t>(bytes[at + count + i]) << 8U |
           static_cast<std::uint32_t>(bytes[at + 2 * count + i]) << 16U |
           static_cast<std::uint32_t>(bytes[at + 3 * count + i]) << 24U;
}

std::int64_t signed_word(std::uint32_t zigzagged)
{
    return (zigzagged & 1U) != 0 ? -static_cast<std::int64_t>(zigzagged / 2) - 1
                                 : static_cast<std::int64_t>(zigzagged / 2);
}

std::uint32_t plain_word(const Bytes& bytes, std::size_t at)
{
    return bytes[at] | static_cast<std::uint32_t>(bytes[at + 1]) << 8U |
           static_cast<std::uint32_t>(bytes[at + 2]) << 16U | static_cast<std::uint32_t>(bytes[at + 3]) << 24U;
}

std::int64_t expected_number(const ReadPage& page, int order, std::size_t i)
{
    const auto before = [&](std::size_t k) { return page.numbers[page.numbers.size() - k][i]; };
    if (order == 0) return 0;
    if (order == 1) return before(1);
    if (order == 2) return 2 * before(1) - before(2);
    return 3 * before(1) - 3 * before(2) + before(3);
}

void read_chunk(ReadPage& page, const Bytes& bytes, const std::vector<std::size_t>& body_points)
{
    const std::size_t frames = plain_word(bytes, 0), nowhere = plain_word(bytes, 4), n = page.points;
    for (std::size_t i = 0; i < nowhere; ++i)
        page.nowhere.push_back({static_cast<std::uint32_t>(page.numbers.size()) + plain_word(bytes, 8 + 8 * i),
                                plain_word(bytes, 12 + 8 * i)});
    const std::size_t modes = 8 + 8 * nowhere, misses = modes + frames * body_points.size(), words = 3 * n * frames;
    for (std::size_t f = 0; f < frames; ++f) {
        std::vector<std::int64_t> now(3 * n);
        std::size_t first = 0;
        for (std::size_t b = 0; b < body_points.size(); first += body_points[b++])
            for (std::size_t k = 0; k < 3; ++k) {
                const int mode = bytes[modes + f * body_points.size() + b];
                std::int64_t miss = 0;
                for (std::size_t i = k * n + first; i < k * n + first + body_points[b]; ++i) {
                    const std::int64_t told = signed_word(plane_word(bytes, misses, words, 3 * n * f + i));
                    miss = mode % 2 == 1 ? miss + told : told;
                    now[i] = expected_number(page, mode / 2, i) + miss;
                }
            }
        page.numbers.push_back(now);
    }
    for (std::size_t k = 0; k < page.codes.size(); ++k)
        for (std::size_t f = 0; f < frames; ++f) {
            std::vector<int> now(n);
            for (std::size_t p = 0; p < n; ++p) {
                const int before = page.codes[k].empty() ? 0 : page.codes[k].back()[p];
                now[p] = (before + bytes[misses + 4 * words + (k * frames + f) * n + p]) % 256;
            }
            page.codes[k].push_back(now);
        }
    EXPECT_EQ(bytes.size(), misses + 4 * words + page.codes.size() * frames * n);
}

ReadPage read_page(const std::string& path)
{
    const std::string html = contents(path);
    ReadPage page;
    const JsonRead read = parse_json(parts(html, "take").at(0), path);
    EXPECT_TRUE(read.problems.empty());
    page.take = read.value;
    std::vector<std::size_t> body_points;
    for (const Json& body : page.take.find("bodies")->items) {
        body_points.push_back(static_cast<std::size_t>(body.find("points")->number));
        page.points += body_points.back();
    }
    page.codes.resize(page.take.find("fields")->items.size());
    const Bytes mesh = inflated(from_base64(parts(html, "mesh").at(0)));
    for (std::size_t i = 0; i < mesh.size() / 4; ++i)
        page.indices.push_back((page.indices.empty() ? 0 : page.indices.back()) +
                               signed_word(plane_word(mesh, 0, mesh.size() / 4, i)));
    const Bytes measures = inflated(from_base64(parts(html, "measures").at(0)));
    const std::size_t frames = page.take.find("times")->items.size();
    for (std::size_t i = 0; i < measures.size() / 4; ++i) {
        const std::uint32_t bits = plane_word(measures, 0, measures.size() / 4, i);
        if (i % frames == 0) page.measures.emplace_back();
        float value = 0;
        std::memcpy(&value, &bits, sizeof value);
        page.measures.back().push_back(value);
    }
    for (const std::string& chunk : parts(html, "frames"))
        read_chunk(page, inflated(from_base64(chunk)), body_points), ++page.chunks;
    return page;
}

/// A sheet that waves and falls; `count` vertices a side, one body.
Recording waving_sheet(const TemporaryDirectory& directory, int side, std::int64_t frames,
                       const std::function<void(Frame&)>& change = {})
{
    RecordingHeader header = sample_header();
    Topology& t = header.topology;
    t = {};
    t.point_count = side * side;
    for (int i = 0; i + 1 < side; ++i)
        for (int j = 0; j + 1 < side; ++j) {
            const int a = i * side + j, b = a + 1, c = a + side, d = c + 1;
            t.triangles.push_back({a, b, c}), t.triangles.push_back({b, d, c});
        }
    t.bodies = {{.name = "sheet",
                 .kind = "cloth",
                 .point_count = t.point_count,
                 .triangle_count = static_cast<std::int32_t>(t.triangles.size())}};
    t.measures = {"energy.kinetic"};
    RecordingWriter writer = RecordingWriter::create(directory.file("sheet.plrec"), header, true);
    for (std::int64_t f = 0; f < frames; ++f) {
        Frame frame;
        frame.index = f, frame.time = static_cast<double>(f) / 60, frame.measures = {std::sin(frame.time)};
        for (int p = 0; p < side * side; ++p) {
            const double u = p / side / double(side), w = p % side / double(side), phase = 6 * u + 4 * frame.time;
            frame.x.push_back({u, 0.1 * std::sin(phase) - 0.3 * frame.time, w});
            frame.v.push_back({0, 0.4 * std::cos(phase) - 0.3, 0});
        }
        if (change) change(frame);
        writer.add_frame(frame);
    }
    writer.finish("{}");
    return Recording::open(directory.file("sheet.plrec"));
}

TEST(ExportHtml, PositionsComeBackWithinTheStatedPrecision)
{
    const TemporaryDirectory directory;
    const Recording recording = sample_recording(directory, 12);
    write_page(recording, directory.file("a.html"));
    const ReadPage page = read_page(directory.file("a.html"));
    const std::vector<std::size_t> shown{2, 3, 4, 5, 6, 7, 8};
    ASSERT_EQ(page.points, shown.size());
    ASSERT_EQ(page.numbers.size(), 12U);
    const double off = kPagePrecision * page.number("size");
    EXPECT_LE(page.number("step"), 2 * off * (1 + 1e-12));
    for (std::size_t f = 0; f < 12; ++f) {
        const std::vector<Vec3> x = recording.positions(static_cast<std::int64_t>(f));
        for (std::size_t p = 0; p < shown.size(); ++p)
            for (int k = 0; k < 3; ++k)
                EXPECT_NEAR(page.place(f, p)[k], x[shown[p]][k], off * (1 + 1e-9)) << f << ' ' << p;
    }
}

TEST(ExportHtml, EveryOrderOfPredictionIsExact)
{
    const TemporaryDirectory directory;
    const Recording recording = waving_sheet(directory, 12, 150);
    write_page(recording, directory.file("a.html"));
    const ReadPage page = read_page(directory.file("a.html"));
    const double off = 0.5 * page.number("step") * (1 + 1e-9);
    for (std::size_t f = 0; f < 150; ++f) {
        const std::vector<Vec3> x = recording.positions(static_cast<std::int64_t>(f));
        for (std::size_t p = 0; p < x.size(); ++p)
            for (int k = 0; k < 3; ++k) ASSERT_NEAR(page.place(f, p)[k], x[p][k], off) << f << ' ' << p;
    }
}

TEST(ExportHtml, BodiesTrianglesLinesAndMeasuresComeBack)
{
    const TemporaryDirectory directory;
    const Recording recording = sample_recording(directory, 5, 'z');
    write_page(recording, directory.file("a.html"));
    const ReadPage page = read_page(directory.file("a.html"));
    const std::vector<Json>& bodies = page.take.find("bodies")->items;
    ASSERT_EQ(bodies.size(), 2U);
    EXPECT_EQ(bodies[1].find("name")->text, "my rope");
    EXPECT_EQ(page.indices, (std::vector<std::int64_t>{0, 1, 2, 0, 2, 3, 4, 5, 5, 6}));
    EXPECT_EQ(page.take.find("up")->text, "z");
    ASSERT_EQ(page.measures.size(), 3U);
    for (std::size_t f = 0; f < 5; ++f)
        EXPECT_EQ(page.measures[1][f], static_cast<float>(sample_frame(static_cast<std::int64_t>(f)).measures[1]));
    EXPECT_EQ(page.take.find("measures")->items[0].find("unit")->text, "J");
    EXPECT_EQ(page.take.find("times")->items[4].number, 0.08);
    const std::vector<Json>& remarks = page.take.find("remarks")->items;
    ASSERT_EQ(remarks.size(), 1U);
    EXPECT_EQ(remarks[0].find("message")->text, "slow \"solve\"");
}

TEST(ExportHtml, FieldsAndSpeedComeBackWithinAStepOfTheirRange)
{
    const TemporaryDirectory directory;
    const Recording recording = sample_recording(directory, 6);
    write_page(recording, directory.file("a.html"));
    const ReadPage page = read_page(directory.file("a.html"));
    const std::vector<Json>& fields = page.take.find("fields")->items;
    // "pressure" has no values in any frame of the sample.
    ASSERT_EQ(fields.size(), 2U);
    EXPECT_EQ(fields[0].find("name")->text, "strain");
    EXPECT_EQ(fields[1].find("name")->text, "speed");
    EXPECT_EQ(fields[1].find("unit")->text, "m/s");
    for (std::size_t f = 0; f < 6; ++f) {
        const Frame frame = sample_frame(static_cast<std::int64_t>(f));
        for (std::size_t p = 0; p < page.points; ++p)
            for (std::size_t k = 0; k < 2; ++k) {
                const double low = fields[k].find("low")->number, high = fields[k].find("high")->number;
                const double value = k == 0 ? frame.fields[0][p + 2] : norm(frame.v[p + 2]);
                EXPECT_NEAR(low + (high - low) * (page.codes[k][f][p] - 1) / 254.0, value, (high - low) / 500);
            }
    }
}

TEST(ExportHtml, ASheetOfFiftyByFiftyForTenSecondsIsSmall)
{
    const TemporaryDirectory directory;
    const Recording recording = waving_sheet(directory, 50, 601);
    write_page(recording, directory.file("a.html"));
    // The real script is about 0.6 MB; 5 MB are promised.
    EXPECT_LT(std::filesystem::file_size(directory.file("a.html")), 3'500'000U);
}

TEST(ExportHtml, ExplosionsTakeNoPrecisionAndPointsThatAreNowhereStay)
{
    const TemporaryDirectory directory;
    const Recording recording = waving_sheet(directory, 8, 20, [](Frame& frame) {
        if (frame.index == 17) frame.x[3].y = std::nan("");
        if (frame.index == 18) frame.x[4].x = 1e200, frame.x[5].z = -std::numeric_limits<double>::infinity();
        if (frame.index == 19)
            for (Vec3& x : frame.x) x = x * 1e9;
    });
    const Exported exported = write_page(recording, directory.file("a.html"));
    ASSERT_EQ(exported.notes.size(), 1U);
    EXPECT_TRUE(contains(exported.notes[0], "in 3 frames")) << exported.notes[0];
    const ReadPage page = read_page(directory.file("a.html"));
    EXPECT_LT(page.number("size"), 3);
    EXPECT_EQ(page.nowhere[0], (std::array<std::uint32_t, 2>{17, 3}));
    EXPECT_EQ(page.place(17, 3), page.place(16, 3));
    EXPECT_EQ(page.place(18, 5), page.place(17, 5));
    EXPECT_NEAR(page.place(18, 7).y, recording.positions(18)[7].y, page.number("step"));
    for (const char* key : {"low", "high"})
        for (const Json& item : page.take.find(key)->items) EXPECT_LT(std::abs(item.number), 10);
}

TEST(ExportHtml, ATakeThatIsNowhereFromTheStartIsStillAPage)
{
    const TemporaryDirectory directory;
    const Recording recording = waving_sheet(directory, 3, 2, [](Frame& frame) {
        for (Vec3& x : frame.x) x.x = std::nan("");
        for (Vec3& v : frame.v) v.x = std::nan("");
    });
    write_page(recording, directory.file("a.html"));
    const ReadPage page = read_page(directory.file("a.html"));
    EXPECT_EQ(page.nowhere.size(), 18U);
    EXPECT_TRUE(page.take.find("fields")->items.empty());
}

TEST(ExportHtml, FramesAndBodiesAreChosen)
{
    const TemporaryDirectory directory;
    const Recording recording = sample_recording(directory, 20);
    write_page(recording, directory.file("a.html"), {.every = 3, .first = 2, .last = 11, .body = "cloth"});
    const ReadPage page = read_page(directory.file("a.html"));
    EXPECT_EQ(page.numbers.size(), 4U);
    EXPECT_EQ(page.points, 4U);
    EXPECT_EQ(page.take.find("times")->items[1].number, 0.1);
    ASSERT_EQ(page.take.find("measures")->items.size(), 1U);
    EXPECT_EQ(page.take.find("measures")->items[0].find("name")->text, "cloth.volume");
}

TEST(ExportHtml, NothingInASceneCanEndTheScriptAroundIt)
{
    const TemporaryDirectory directory;
    RecordingHeader header = sample_header();
    header.scene_path = "a<b&c.json";
    header.scene_text = R"({"description": "</script><script>alert(1)</script> <!-- "})";
    RecordingWriter writer = RecordingWriter::create(directory.file("take.plrec"), header, true);
    writer.add_frame(sample_frame(0));
    const Recording recording = Recording::open(directory.file("take.plrec"));
    write_page(recording, directory.file("a.html"));
    const std::string html = contents(directory.file("a.html"));
    EXPECT_TRUE(contains(html, "<title>a&lt;b&amp;c · pliant</title>"));
    EXPECT_FALSE(contains(html, "<script>alert"));
    EXPECT_TRUE(contains(html, "let a = 1;let b = a;"));
    EXPECT_EQ(read_page(directory.file("a.html")).take.find("description")->text,
              "</script><script>alert(1)</script> <!-- ");
}

TEST(ExportHtml, FixedPlanesOfTheSceneAreTold)
{
    const TemporaryDirectory directory;
    RecordingHeader header = sample_header();
    header.scene_text =
        R"({"colliders": {"floor": {"plane": [0, 2, 0, 1]}, "lid": {"plane": [0, 1, 0, 0], "motion": []},
                            "ball": {"sphere": 1}, "odd": {"plane": [0, 0, 0, 1]}}})";
    RecordingWriter writer = RecordingWriter::create(directory.file("take.plrec"), header, true);
    writer.add_frame(sample_frame(0));
    write_page(Recording::open(directory.file("take.plrec")), directory.file("a.html"));
    const ReadPage page = read_page(directory.file("a.html"));
    ASSERT_EQ(page.take.find("planes")->items.size(), 1U);
    EXPECT_EQ(page.take.find("planes")->items[0].items[3].number, 0.5);
}

TEST(ExportHtml, ABuildWithoutThePageSaysSoAndWhatToDo)
{
    const TemporaryDirectory directory;
    const Recording recording = sample_recording(directory, 2);
    const std::string words = error_of([&] {
        write_page(recording, directory.file("a.html"), {}, {{}, "npm was not there"});
    });
    EXPECT_TRUE(contains(words, "cannot_access: ") && contains(words, "npm was not there") &&
                contains(words, "install npm") && contains(words, "a.html"))
        << words;
    EXPECT_FALSE(std::filesystem::exists(directory.file("a.html")));
    const PageScript here = page_script();
    EXPECT_NE(here.pieces.empty(), here.problem.empty());
}

TEST(ExportHtml, FramesThatABrowserCannotHoldAreLeftOutAndSaid)
{
    const TemporaryDirectory directory;
    const Recording recording = sample_recording(directory, 30);
    const PageScript script{kScript, ""};
    const Exported exported = write_page(recording, directory.file("a.html"), {}, script, 70);
    ASSERT_EQ(exported.notes.size(), 1U);
    EXPECT_TRUE(contains(exported.notes[0], "10 of 30 frames were taken")) << exported.notes[0];
    const std::vector<Json> times = read_page(directory.file("a.html")).take.find("times")->items;
    ASSERT_EQ(times.size(), 10U);
    EXPECT_EQ(times.front().number, 0);
    EXPECT_EQ(times.back().number, 29.0 / 50);
    const std::string words = error_of([&] { write_page(recording, directory.file("b.html"), {}, script, 13); });
    EXPECT_TRUE(contains(words, "usage: ") && contains(words, "7 points are too many") && contains(words, "--body"))
        << words;
}

TEST(ExportHtml, WhatEndedARunIsToldAtItsLastFrame)
{
    const TemporaryDirectory directory;
    RecordingWriter writer = RecordingWriter::create(directory.file("take.plrec"), sample_header(), true);
    for (int k = 0; k < 2; ++k) writer.add_frame(sample_frame(k));
    writer.finish(R"({"status": "unstable", "message": "vertex 3 moved 18 m"})");
    const Recording recording = Recording::open(directory.file("take.plrec"));
    write_page(recording, directory.file("a.html"));
    write_page(recording, directory.file("b.html"), {.last = 0});
    const std::vector<Json> remarks = read_page(directory.file("a.html")).take.find("remarks")->items;
    ASSERT_EQ(remarks.size(), 1U);
    EXPECT_EQ(remarks[0].find("frame")->number, 1);
    EXPECT_EQ(remarks[0].find("message")->text, "vertex 3 moved 18 m");
    EXPECT_TRUE(read_page(directory.file("b.html")).take.find("remarks")->items.empty());
}

TEST(ExportHtml, LongTakesComeInChunks)
{
    const TemporaryDirectory directory;
    const Recording recording = waving_sheet(directory, 50, 170);
    write_page(recording, directory.file("a.html"));
    const ReadPage page = read_page(directory.file("a.html"));
    EXPECT_EQ(page.chunks, 2U);
    EXPECT_EQ(page.numbers.size(), 170U);
}

}  // namespace
}  // namespace pliant
