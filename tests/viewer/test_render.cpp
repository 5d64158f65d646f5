// SPDX-License-Identifier: MIT

// pliant render, by the program itself: pictures against golden ones, films, and what goes wrong in words.

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <map>

#include <gtest/gtest.h>
#include <png.h>

#include "cli/program.h"
#include "viewer/film.h"
#include "viewer/sample_take.h"

namespace pliant::viewer {
namespace {

Picture read_png(const std::string& path)
{
    Picture picture;
    png_image image{};
    image.version = PNG_IMAGE_VERSION;
    if (png_image_begin_read_from_file(&image, path.c_str()) == 0) return picture;
    image.format = PNG_FORMAT_RGB;
    picture.width = static_cast<int>(image.width), picture.height = static_cast<int>(image.height);
    picture.rgb.resize(PNG_IMAGE_SIZE(image));
    png_image_finish_read(&image, nullptr, picture.rgb.data(), 0, nullptr);
    return picture;
}

// Another processor may round a border of a triangle or a shadow to the other side: a few pixels, never many.
void expect_alike(const Picture& found, const Picture& golden)
{
    ASSERT_EQ(found.width, golden.width);
    ASSERT_EQ(found.height, golden.height);
    std::size_t far = 0;
    double sum = 0;
    for (std::size_t i = 0; i < found.rgb.size(); ++i) {
        const int off = std::abs(int(found.rgb[i]) - int(golden.rgb[i]));
        sum += off, far += off > 40 ? 1 : 0;
    }
    EXPECT_LT(sum / static_cast<double>(found.rgb.size()), 1.0);
    EXPECT_LT(static_cast<double>(far), 0.01 * static_cast<double>(found.rgb.size()));
}

class Render : public CommandLine {
protected:
    void SetUp() override
    {
        CommandLine::SetUp();
        write_sample_take(path("take.plrec"));
    }
    // Draws and compares. PLIANT_GOLDEN=1 in the environment writes the golden picture instead.
    void check(const std::string& name, std::vector<std::string> more, const std::string& size = "240x180")
    {
        std::vector<std::string> words{"render", "take.plrec", "-o", "out.png", "--size", size};
        words.insert(words.end(), more.begin(), more.end());
        const Ran ran = pliant(words);
        ASSERT_EQ(ran.code, 0) << ran.err;
        const std::string golden = std::string(PLIANT_SOURCE) + "/tests/viewer/golden/" + name + ".png";
        if (std::getenv("PLIANT_GOLDEN") != nullptr)
            std::filesystem::copy_file(path("out.png"), golden, std::filesystem::copy_options::overwrite_existing);
        expect_alike(read_png(path("out.png")), read_png(golden));
    }
};

TEST_F(Render, SolidLooksAsItDid)
{
    check("solid", {"--frame", "3"});
}
TEST_F(Render, WireframeLooksAsItDid)
{
    check("wireframe", {"--frame", "3", "--style", "wireframe", "--no-time"});
}
TEST_F(Render, OverlayLooksAsItDid)
{
    check("overlay", {"--frame", "5", "--style", "overlay", "--azimuth", "-60", "--elevation", "50"});
}
TEST_F(Render, TransparentLooksAsItDid)
{
    check("transparent", {"--frame", "3", "--style", "transparent"});
}
TEST_F(Render, AFieldHasColoursAndALegend)
{
    check("field", {"--field", "height", "--plot", "energy.kinetic"}, "640x300");
}

// The golden pictures must be able to fail: another frame, another side, another colour.
TEST_F(Render, PicturesOfSomethingElseAreFarFromGolden)
{
    const Picture golden = read_png(std::string(PLIANT_SOURCE) + "/tests/viewer/golden/solid.png");
    for (const std::vector<std::string>& change : std::vector<std::vector<std::string>>{
             {"--frame", "8"}, {"--frame", "3", "--azimuth", "60"}, {"--frame", "3", "--field", "speed"}}) {
        std::vector<std::string> words{"render", "take.plrec", "-o", "out.png", "-f", "--size", "240x180"};
        words.insert(words.end(), change.begin(), change.end());
        ASSERT_EQ(pliant(words).code, 0);
        const Picture found = read_png(path("out.png"));
        ASSERT_EQ(found.rgb.size(), golden.rgb.size());
        double sum = 0;
        for (std::size_t i = 0; i < found.rgb.size(); ++i) sum += std::abs(int(found.rgb[i]) - int(golden.rgb[i]));
        EXPECT_GT(sum / static_cast<double>(found.rgb.size()), 1.5) << change[1];
    }
}

TEST_F(Render, AFolderGetsAPictureForEachFrame)
{
    const Ran ran = pliant({"render", "take.plrec", "-o", "frames", "--size", "64x48"});
    ASSERT_EQ(ran.code, 0) << ran.err;
    EXPECT_NE(ran.err.find("11 pictures in frames"), std::string::npos) << ran.err;
    EXPECT_TRUE(exists("frames/frame_00000.png") && exists("frames/frame_00010.png"));
    EXPECT_FALSE(exists("frames/frame_00011.png"));
    // Half as fast at twice the rate: four times as many.
    ASSERT_EQ(pliant({"render", "take.plrec", "-o", "slow", "--size", "64x48", "--fps", "20", "--speed", "0.5"}).code,
              0);
    EXPECT_TRUE(exists("slow/frame_00040.png"));
    EXPECT_FALSE(exists("slow/frame_00041.png"));
}

TEST_F(Render, AFilmIsMadeByFfmpeg)
{
    if (!has_ffmpeg()) GTEST_SKIP() << "ffmpeg is not installed: tools/setup test";
    const Ran ran = pliant({"render", "take.plrec", "-o", "take.mp4", "--size", "63x48"});
    ASSERT_EQ(ran.code, 0) << ran.err;
    ASSERT_TRUE(exists("take.mp4"));
    EXPECT_FALSE(exists("take.part.mp4"));
    const std::string film = text_of_file(path("take.mp4"));
    EXPECT_EQ(film.substr(4, 4), "ftyp");
    EXPECT_EQ(pliant({"render", "take.plrec", "-o", "take.mp4"}).code, 4) << "it is not overwritten";
}

TEST_F(Render, WithoutFfmpegThePicturesAreKeptAndItSaysSo)
{
    const Ran ran =
        bash(std::string("PATH=/nowhere ") + PLIANT_PROGRAM + " render take.plrec -o take.mp4 --size 64x48");
    EXPECT_EQ(ran.code, 0);
    EXPECT_NE(ran.err.find("ffmpeg is not installed"), std::string::npos) << ran.err;
    EXPECT_TRUE(exists("take_frames/frame_00010.png"));
    EXPECT_FALSE(exists("take.mp4"));
}

TEST_F(Render, WithoutADriverItSaysWhatIsMissing)
{
    const Ran ran = bash(std::string("__EGL_VENDOR_LIBRARY_FILENAMES=/nowhere.json ") + PLIANT_PROGRAM +
                         " render take.plrec -o out.png");
    EXPECT_EQ(ran.code, 4);
    EXPECT_NE(ran.err.find("cannot draw without a display"), std::string::npos) << ran.err;
    EXPECT_NE(ran.err.find("apt install"), std::string::npos) << ran.err;
    EXPECT_FALSE(exists("out.png"));
}

TEST_F(Render, WhatCannotBeIsRefusedInWords)
{
    const std::map<std::string, std::vector<std::string>> cases{
        {"no field 'heigth'", {"-o", "a.png", "--field", "heigth"}},
        {"frames 0 to 10", {"-o", "a.png", "--frame", "11"}},
        {"is no style (solid, wireframe", {"-o", "a.png", "--style", "sold"}},
        {"is no size", {"-o", "a.png", "--size", "12by9"}},
        {"no kind of picture", {"-o", "a.jpg"}},
        {"first the lower", {"-o", "a.png", "--field", "speed", "--range", "3,1"}},
        {"no measure", {"-o", "a.png", "--plot", "energy.kinetik"}}};
    for (const auto& [words, arguments] : cases) {
        std::vector<std::string> all{"render", "take.plrec"};
        all.insert(all.end(), arguments.begin(), arguments.end());
        const Ran ran = pliant(all);
        EXPECT_NE(ran.code, 0) << words;
        EXPECT_NE(ran.err.find(words), std::string::npos) << ran.err;
        EXPECT_FALSE(exists("a.png"));
    }
}

}  // namespace
}  // namespace pliant::viewer
