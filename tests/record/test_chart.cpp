// SPDX-License-Identifier: MIT

// Charts as documents: SVG text, PNG bytes, files and their errors.

#include <pliant/base/error.h>
#include <pliant/record/chart.h>

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <sstream>

#include <unistd.h>

namespace pliant {
namespace {

namespace fs = std::filesystem;

Chart small_chart()
{
    Panel panel;
    panel.x_label = "time [s]";
    panel.y_label = "energy [J]";
    panel.series = {Series{.name = "kinetic", .x = {0, 1, 2}, .y = {0, 3, 1}}};
    Chart chart;
    chart.title = "Energy";
    chart.panels = {panel};
    chart.width = 400, chart.height = 300;
    return chart;
}

std::string content(const fs::path& path)
{
    std::ostringstream text;
    text << std::ifstream(path, std::ios::binary).rdbuf();
    return text.str();
}

int count_of(const std::string& text, const std::string& part)
{
    int count = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
    return count;
}

std::uint32_t big_endian(const std::string& bytes, std::size_t at)
{
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < 4; ++i) value = value << 8 | static_cast<unsigned char>(bytes[at + i]);
    return value;
}

class ChartFile : public testing::Test {
protected:
    void SetUp() override
    {
        folder = fs::temp_directory_path() / ("pliant_chart_" + std::to_string(getpid()));
        fs::create_directories(folder);
    }
    void TearDown() override { fs::remove_all(folder); }
    std::string path(const std::string& name) const { return (folder / name).string(); }
    fs::path folder;
};

ErrorKind kind_of_failure(const std::string& path, bool overwrite, std::string* message = nullptr)
{
    try {
        write_chart(path, small_chart(), overwrite);
    } catch (const Error& error) {
        if (message) *message = error.what();
        return error.kind();
    }
    ADD_FAILURE() << "wrote " << path;
    return ErrorKind::usage;
}

TEST(ChartSvg, names_title_labels_and_series)
{
    const std::string svg = chart_svg(small_chart());
    for (const char* text : {"<title>Energy</title>", ">time [s]<", ">energy [J]<", ">kinetic<", "sans-serif"})
        EXPECT_NE(svg.find(text), std::string::npos) << text;
    EXPECT_EQ(svg.rfind("<?xml", 0), 0u);
    EXPECT_EQ(count_of(svg, "<svg "), count_of(svg, "</svg>"));
    EXPECT_EQ(count_of(svg, "<text "), count_of(svg, "</text>"));
}

TEST(ChartSvg, escapes_what_xml_reserves)
{
    Chart chart = small_chart();
    chart.title = "a < b & \"c\" > d";
    const std::string svg = chart_svg(chart);
    EXPECT_NE(svg.find("a &lt; b &amp; &quot;c&quot; &gt; d"), std::string::npos);
    EXPECT_EQ(svg.find("a < b"), std::string::npos);
}

TEST(ChartSvg, replaces_bytes_that_xml_forbids)
{
    Chart chart = small_chart();
    chart.title = std::string("x\x01y\xff") + "z\xc3";
    const std::string svg = chart_svg(chart);
    EXPECT_EQ(svg.find('\x01'), std::string::npos);
    EXPECT_EQ(svg.find('\xff'), std::string::npos);
    EXPECT_NE(svg.find("x\ufffdy\ufffdz\ufffd<"), std::string::npos);
}

TEST(ChartSvg, has_no_numbers_that_are_not_finite_whatever_the_data)
{
    const double inf = std::numeric_limits<double>::infinity(), nan = std::nan("");
    const std::vector<std::vector<double>> cases = {
        {}, {5}, {0, 0, 0}, {nan, nan}, {inf, -inf, 1}, {1e308, -1e308}, {5e-324, 1e-320}, {1, 1 + 1e-15}, {-3, -3}};
    for (const std::vector<double>& y : cases)
        for (const bool log : {false, true}) {
            Chart chart = small_chart();
            Panel& panel = chart.panels[0];
            panel.log_x = panel.log_y = log;
            panel.series = {{.x = y, .y = y}, {.x = y, .y = y, .style = SeriesStyle::line_points}};
            const std::string svg = chart_svg(chart);
            EXPECT_EQ(svg.find("nan"), std::string::npos);
            EXPECT_EQ(svg.find("\"inf"), std::string::npos);
            EXPECT_FALSE(chart_png(chart).empty());
        }
}

TEST(ChartPng, has_signature_and_two_pixels_for_each_unit)
{
    const std::string png = chart_png(small_chart());
    EXPECT_EQ(png.substr(0, 8), "\x89PNG\r\n\x1a\n");
    EXPECT_EQ(big_endian(png, 16), 800u);
    EXPECT_EQ(big_endian(png, 20), 600u);
}

TEST(Chart, without_panels_is_a_page_with_a_title)
{
    EXPECT_NE(chart_svg(Chart{.title = "nothing yet"}).find(">nothing yet<"), std::string::npos);
}

TEST(Chart, refuses_series_of_unequal_lengths_by_name)
{
    Chart chart = small_chart();
    chart.panels[0].series[0].x.pop_back();
    try {
        chart_svg(chart);
        FAIL();
    } catch (const Error& error) {
        EXPECT_STREQ(error.what(), "panel 1: series 'kinetic' has 2 x but 3 y");
    }
}

TEST(Chart, refuses_a_fixed_range_that_cannot_be_logarithmic)
{
    Chart chart = small_chart();
    chart.panels[0].log_y = true;
    chart.panels[0].y_range = AxisRange{0.0, 1.0};
    EXPECT_THROW(chart_svg(chart), Error);
}

TEST(ChartFit, finds_the_order_of_convergence_and_ignores_what_has_no_logarithm)
{
    const Series error{.name = "error", .x = {0.1, 0.2, 0.4, -1, 0.8}, .y = {0.03, 0.12, 0.48, 1, std::nan("")}};
    EXPECT_NEAR(fitted_slope(error), 2.0, 1e-12);
    const Series line = fitted_line(error);
    EXPECT_EQ(line.name, "slope 2.00");
    EXPECT_EQ(line.colour_like, "error");
    ASSERT_EQ(line.y.size(), 2u);
    EXPECT_NEAR(line.y[0], 0.03, 1e-12);
    EXPECT_TRUE(std::isnan(fitted_slope(Series{.x = {1, 1}, .y = {2, 3}})));
    EXPECT_TRUE(fitted_line(Series{}).x.empty());
}

TEST_F(ChartFile, is_written_by_its_extension_in_either_case)
{
    write_chart(path("a.svg"), small_chart(), false);
    write_chart(path("a.PNG"), small_chart(), false);
    EXPECT_EQ(content(path("a.svg")), chart_svg(small_chart()));
    EXPECT_EQ(content(path("a.PNG")).substr(1, 3), "PNG");
}

TEST_F(ChartFile, of_unknown_extension_is_bad_input_that_names_the_known_ones)
{
    std::string message;
    EXPECT_EQ(kind_of_failure(path("a.pdf"), true, &message), ErrorKind::bad_input);
    EXPECT_NE(message.find(".pdf"), std::string::npos);
    EXPECT_NE(message.find(".svg, .png"), std::string::npos);
    EXPECT_EQ(kind_of_failure(path("plot"), true), ErrorKind::bad_input);
    EXPECT_FALSE(fs::exists(path("a.pdf")));
}

TEST_F(ChartFile, is_not_overwritten_unless_asked)
{
    std::ofstream(path("a.svg")) << "mine";
    EXPECT_EQ(kind_of_failure(path("a.svg"), false), ErrorKind::cannot_access);
    EXPECT_EQ(content(path("a.svg")), "mine");
    write_chart(path("a.svg"), small_chart(), true);
    EXPECT_NE(content(path("a.svg")), "mine");
}

TEST_F(ChartFile, in_a_missing_folder_cannot_be_written)
{
    EXPECT_EQ(kind_of_failure(path("no/such/folder/a.png"), true), ErrorKind::cannot_access);
}

TEST_F(ChartFile, on_a_full_disk_is_an_error_that_says_so)
{
    if (!fs::exists("/dev/full")) GTEST_SKIP() << "this system has no /dev/full";
    std::string message;
    for (const char* name : {"full.svg", "full.png"}) {
        fs::create_symlink("/dev/full", path(name));
        EXPECT_EQ(kind_of_failure(path(name), true, &message), ErrorKind::cannot_access);
        EXPECT_NE(message.find("No space left"), std::string::npos) << message;
    }
    EXPECT_THROW(write_chart_png("/dev/full", small_chart()), Error);
}

}  // namespace
}  // namespace pliant
