// SPDX-License-Identifier: MIT
// What all exporters share: choosing frames and bodies, not overwriting, files that cannot be written.
#include <cmath>
#include <filesystem>

#include <unistd.h>

#include <pliant/record/export.h>
#include <pliant/record/page_script.h>
#include <record/sample_recording.h>

namespace pliant {
namespace {

// All that this build can write: without npm it has no page.
std::vector<ExportKind> kinds_here()
{
    std::vector<ExportKind> kinds(export_kinds().begin(), export_kinds().end());
    if (page_script().pieces.empty()) std::erase_if(kinds, [](const ExportKind& kind) { return kind.name == "html"; });
    return kinds;
}

TEST(Export, UnknownFormatsNameTheNearest)
{
    const TemporaryDirectory directory;
    const Recording recording = sample_recording(directory, 1);
    const auto words = [&](const char* name) {
        return error_of([&] { export_recording(recording, directory.file(name)); });
    };
    EXPECT_TRUE(contains(words("a.usd"), "usage: ")) << words("a.usd");
    EXPECT_TRUE(contains(words("a.usd"), "did you mean 'usda'?")) << words("a.usd");
    EXPECT_TRUE(contains(words("a"), "the extension must say the format")) << words("a");
}

TEST(Export, KindsMakePathsBesideTheTake)
{
    EXPECT_EQ(export_kind_path("pc2", "runs/take.plrec"), "runs/take.pc2");
    EXPECT_TRUE(contains(error_of([] { export_kind_path("pc3", "take.plrec"); }), "did you mean 'pc2'?"));
    for (const ExportKind& kind : export_kinds()) EXPECT_GT(kind.sentence.size(), 10U);
}

TEST(Export, EveryKindWritesWhatItSaysAndLeavesNothingElse)
{
    for (const ExportKind& kind : kinds_here()) {
        const TemporaryDirectory directory;
        const Recording recording = sample_recording(directory, 3);
        const std::string path = directory.file("out." + std::string(kind.name));
        const Exported exported = export_recording(recording, path);
        ASSERT_FALSE(exported.files.empty());
        for (const std::string& file : exported.files) EXPECT_GT(std::filesystem::file_size(file), 20U) << file;
        EXPECT_EQ(directory.file_count(), exported.files.size() + 1) << kind.name;
    }
}

TEST(Export, NothingIsOverwrittenWithoutForce)
{
    for (const ExportKind& kind : kinds_here()) {
        const TemporaryDirectory directory;
        const Recording recording = sample_recording(directory, 8);
        const std::string path = directory.file("out." + std::string(kind.name));
        const Exported exported = export_recording(recording, path);
        replace_contents(exported.files.back(), "mine");
        const std::string words = error_of([&] { export_recording(recording, path); });
        EXPECT_TRUE(contains(words, "cannot_access: ") && contains(words, "exists; use --force or another -o"))
            << words;
        EXPECT_EQ(contents(exported.files.back()), "mine");
        export_recording(recording, path, {.overwrite = true});
        EXPECT_NE(contents(exported.files.back()), "mine");
    }
}

TEST(Export, DirectoriesThatDoNotExistAreNamed)
{
    const TemporaryDirectory directory;
    const Recording recording = sample_recording(directory, 2);
    for (const ExportKind& kind : kinds_here()) {
        const std::string path = directory.file("no/such/out." + std::string(kind.name));
        const std::string words = error_of([&] { export_recording(recording, path); });
        EXPECT_TRUE(contains(words, "cannot_access: ") && contains(words, "No such file or directory")) << words;
    }
}

TEST(Export, AFullDiskIsAnError)
{
    const TemporaryDirectory directory;
    const Recording recording = sample_recording(directory, 2);
    for (const char* name : {"out.csv", "out.usda", "out.glb", "out.pc2"}) {
        ASSERT_EQ(symlink("/dev/full", directory.file(name).c_str()), 0);
        const std::string words = error_of([&] { export_recording(recording, directory.file(name)); });
        EXPECT_TRUE(contains(words, "cannot_access: ") && contains(words, "the disk is full")) << words;
    }
}

TEST(Export, FramesThatAreNotThereAreRefused)
{
    const TemporaryDirectory directory;
    const Recording recording = sample_recording(directory, 4);
    const auto words = [&](const ExportOptions& options) {
        return error_of([&] { export_recording(recording, directory.file("a.csv"), options); });
    };
    EXPECT_TRUE(contains(words({.first = 9}), "usage: ")) << words({.first = 9});
    EXPECT_TRUE(contains(words({.last = 4}), "it has frames 0 to 3"));
    EXPECT_TRUE(contains(words({.every = 0}), "at least 1"));
    EXPECT_TRUE(contains(words({.first = 3, .last = 2}), "frames 3 to 2"));
}

TEST(Export, ATakeWithoutFramesHasNothingToExport)
{
    const TemporaryDirectory directory;
    const Recording recording = sample_recording(directory, 0);
    EXPECT_TRUE(contains(error_of([&] { export_recording(recording, directory.file("a.csv")); }), "no frames"));
}

TEST(Export, BodiesAreChosenByName)
{
    const TemporaryDirectory directory;
    const Recording recording = sample_recording(directory, 1);
    const auto words = [&](const std::string& body) {
        return error_of([&] { export_recording(recording, directory.file("a.obj"), {.body = body}); });
    };
    EXPECT_TRUE(contains(words("clothh"), "did you mean 'cloth'?"));
    EXPECT_TRUE(contains(words("floor"), "neither triangles nor lines"));
    EXPECT_EQ(words("my rope"), "");
    const std::string text = contents(directory.file("a.obj"));
    EXPECT_TRUE(contains(text, "o my_rope\n") && contains(text, "l 1 2\nl 2 3\n")) << text;
    EXPECT_FALSE(contains(text, "f "));
}

TEST(Export, PositionsThatAreNotNumbersAreRefusedByFormatsForDrawing)
{
    const TemporaryDirectory directory;
    RecordingWriter writer = RecordingWriter::create(directory.file("take.plrec"), sample_header(), true);
    Frame frame = sample_frame(0);
    frame.x[3].y = std::nan("");
    writer.add_frame(frame);
    const Recording recording = Recording::open(directory.file("take.plrec"));
    for (const ExportKind& kind : kinds_here()) {
        if (kind.name == "csv" || kind.name == "en" || kind.name == "vtu" || kind.name == "pvd" || kind.name == "html")
            continue;
        const std::string path = directory.file("out." + std::string(kind.name));
        const std::string words = error_of([&] { export_recording(recording, path); });
        EXPECT_TRUE(contains(words, "point 3 of frame 0 is nowhere") || contains(words, "is not finite"))
            << kind.name << words;
    }
}

TEST(Export, ASingleFrameHasNoNumberInItsName)
{
    const TemporaryDirectory directory;
    const Recording recording = sample_recording(directory, 4);
    for (const char* name : {"still.ply", "still.obj"}) {
        const Exported exported = export_recording(recording, directory.file(name), {.first = 2, .last = 2});
        EXPECT_EQ(exported.files, std::vector<std::string>{directory.file(name)});
    }
}

}  // namespace
}  // namespace pliant
