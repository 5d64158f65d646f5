// SPDX-License-Identifier: MIT

// Ticks, thinning, gaps, colours and places of a laid out chart.

#include <pliant/record/chart_drawing.h>
#include <pliant/record/chart_font.h>
#include <pliant/record/chart_look.h>
#include <pliant/record/chart_raster.h>
#include <pliant/record/chart_scale.h>
#include <pliant/record/chart_series.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace pliant::charting {
namespace {

using Labels = std::vector<std::string>;

const Box kFrame{0, 0, 100, 100};
const double kNan = std::nan("");

Scale plain(double lo, double hi)
{
    return Scale{{lo, hi}, false, 0.0, 100.0};
}

std::vector<Text> texts_of(const Drawing& drawing)
{
    std::vector<Text> texts;
    for (const Item& item : drawing.items)
        if (const Text* text = std::get_if<Text>(&item)) texts.push_back(*text);
    return texts;
}

Box box_of(const Text& text)
{
    const double width = text.size * text_width(text.text, text.bold);
    const double before = text.anchor == Anchor::start ? 0.0 : text.anchor == Anchor::middle ? 0.5 * width : width;
    const double up = 0.72 * text.size, down = 0.2 * text.size;
    if (text.upward) return {text.at.x - up, text.at.y - width + before, text.at.x + down, text.at.y + before};
    return {text.at.x - before, text.at.y - up, text.at.x - before + width, text.at.y + down};
}

TEST(Ticks, are_one_two_or_five_times_a_power_of_ten)
{
    EXPECT_EQ(linear_ticks({0, 1}, 5).labels, (Labels{"0.0", "0.2", "0.4", "0.6", "0.8", "1.0"}));
    EXPECT_EQ(linear_ticks({0, 10}, 5).labels, (Labels{"0", "2", "4", "6", "8", "10"}));
    EXPECT_EQ(linear_ticks({-120, 130}, 5).labels, (Labels{"−100", "−50", "0", "50", "100"}));
}

TEST(Ticks, show_no_rounding_errors)
{
    const Labels labels = linear_ticks({0, 0.7}, 7).labels;
    EXPECT_EQ(labels, (Labels{"0.0", "0.1", "0.2", "0.3", "0.4", "0.5", "0.6", "0.7"}));
}

TEST(Ticks, move_large_and_small_powers_of_ten_into_the_unit)
{
    const Ticks small = linear_ticks({0, 2e-6}, 4);
    EXPECT_EQ(small.labels, (Labels{"0.0", "0.5", "1.0", "1.5", "2.0"}));
    EXPECT_EQ(axis_label("energy [J]", small), "energy [10⁻⁶ J]");
    EXPECT_EQ(axis_label("energy", small), "energy [10⁻⁶]");
    EXPECT_EQ(axis_label("error [-]", small), "error [10⁻⁶]");
    EXPECT_EQ(axis_label("", small), "[10⁻⁶]");
    EXPECT_EQ(axis_label("p [Pa]", linear_ticks({0, 3e5}, 3)), "p [10³ Pa]");
    EXPECT_EQ(axis_label("p [Pa]", linear_ticks({0, 3}, 3)), "p [Pa]");
}

TEST(Ticks, move_digits_that_all_share_into_an_offset)
{
    const Ticks ticks = linear_ticks({101325.001, 101325.003}, 4);
    EXPECT_EQ(axis_label("p [Pa]", ticks), "p − 101325 [Pa]");
    EXPECT_EQ(ticks.labels.front(), "0.0010");
}

TEST(Ticks, on_log_axes_are_decades)
{
    EXPECT_EQ(log_ticks({1e-3, 1}, 6).labels, (Labels{"10⁻³", "10⁻²", "10⁻¹", "10⁰"}));
    EXPECT_EQ(log_ticks({1e-12, 1}, 5).labels, (Labels{"10⁻¹²", "10⁻⁹", "10⁻⁶", "10⁻³", "10⁰"}));
}

TEST(Ticks, within_few_decades_are_one_two_five)
{
    EXPECT_EQ(log_ticks({0.01, 0.25}, 5).labels, (Labels{"0.01", "0.02", "0.05", "0.1", "0.2"}));
}

TEST(Ticks, are_few_and_within_the_range_for_any_range)
{
    for (const double scale : {1e-290, 1e-9, 1.0, 3.7, 1e12, 1e290})
        for (const double lo : {-1.0, 0.0, 0.37, 0.9999}) {
            const AxisRange range{lo * scale, scale};
            const Ticks ticks = linear_ticks(range, 6);
            EXPECT_GE(ticks.at.size(), 2u) << lo << ' ' << scale;
            EXPECT_LE(ticks.at.size(), 13u);
            EXPECT_EQ(ticks.at.size(), ticks.labels.size());
            for (const double value : ticks.at) {
                EXPECT_GE(value, range.lo - 1e-6 * (range.hi - range.lo));
                EXPECT_LE(value, range.hi + 1e-6 * (range.hi - range.lo));
            }
            for (const std::string& label : ticks.labels) EXPECT_LE(characters(label).size(), 8u) << label;
        }
}

TEST(AxisRanges, give_a_constant_a_neighbourhood_and_reach_round_ends)
{
    RangeFinder constant(false), time(false), log(true);
    constant.add({5.0, 5.0});
    EXPECT_LT(constant.range(0.05, true).lo, 5.0);
    EXPECT_GT(constant.range(0.05, true).hi, 5.0);
    time.add({0.0, 9.995});
    EXPECT_DOUBLE_EQ(time.range(0.0, false).hi, 10.0);
    log.add({-1.0, 0.0, kNan, 1e-3, 10.0});
    EXPECT_NEAR(log.range(0.0, false).lo, 1e-3, 1e-15);
}

TEST(Lines, break_at_nan_and_infinity)
{
    const double inf = HUGE_VAL;
    const Series series{.x = {0, 1, 2, 3, 4, 5, 6}, .y = {1, 2, kNan, 3, inf, 4, 5}};
    const auto pieces = line_pieces(series, plain(0, 6), plain(0, 6), kFrame);
    ASSERT_EQ(pieces.size(), 3u);
    EXPECT_EQ(pieces[0].size(), 2u);
    EXPECT_EQ(pieces[1].size(), 1u) << "a lonely point is a dot";
    EXPECT_EQ(pieces[2].size(), 2u);
}

TEST(Lines, break_where_a_logarithm_does_not_exist)
{
    const Series series{.x = {0, 1, 2, 3, 4}, .y = {1, 10, 0, 10, 1}};
    const Scale y{{1, 10}, true, 100.0, 0.0};
    EXPECT_EQ(line_pieces(series, plain(0, 4), y, kFrame).size(), 2u);
}

TEST(Lines, end_at_the_frame)
{
    const Series series{.x = {0, 1, 2}, .y = {0, 2, 0}};
    const auto pieces = line_pieces(series, plain(0, 2), plain(0, 1), kFrame);
    ASSERT_EQ(pieces.size(), 2u);
    EXPECT_NEAR(pieces[0].back().x, 25.0, 1e-9);
    EXPECT_NEAR(pieces[0].back().y, 100.0, 1e-9);
}

TEST(Lines, hold_each_value_in_steps)
{
    const Series series{.x = {0, 1}, .y = {0, 1}, .style = SeriesStyle::steps};
    const auto pieces = line_pieces(series, plain(0, 1), plain(0, 1), kFrame);
    ASSERT_EQ(pieces.size(), 1u);
    ASSERT_EQ(pieces[0].size(), 3u);
    EXPECT_EQ(pieces[0][1].x, 100.0);
    EXPECT_EQ(pieces[0][1].y, 0.0);
}

TEST(Lines, of_a_million_points_are_thinned_but_keep_both_extremes)
{
    Series series;
    const int count = 1'000'000;
    for (int i = 0; i < count; ++i) {
        series.x.push_back(i);
        series.y.push_back(i == 345'678 ? 9.5 : i == 654'321 ? 0.5 : 5.0 + 0.1 * std::sin(i));
    }
    const auto pieces = line_pieces(series, plain(0, count), plain(0, 10), kFrame);
    ASSERT_EQ(pieces.size(), 1u);
    EXPECT_LT(pieces[0].size(), 1000u);
    const auto [low, high] =
        std::minmax_element(pieces[0].begin(), pieces[0].end(), [](const Spot& a, const Spot& b) { return a.y < b.y; });
    EXPECT_NEAR(low->y, 5.0, 1e-9);
    EXPECT_NEAR(high->y, 95.0, 1e-9);
    EXPECT_EQ(pieces[0].front().x, 0.0);
    EXPECT_NEAR(pieces[0].back().x, 100.0, 1e-3);
}

TEST(Looks, give_a_name_the_same_colour_in_every_panel)
{
    Panel first, second;
    first.series = {{.name = "kinetic"}, {.name = "bending"}, {.name = "total"}};
    second.series = {{.name = "volume"}, {.name = "total"}, {.name = "fit", .colour_like = "total"}};
    const auto all = looks(Chart{.panels = {first, second}});
    EXPECT_EQ(all[0][2].colour, all[1][1].colour);
    EXPECT_EQ(all[0][2].colour, all[1][2].colour);
    EXPECT_NE(all[1][0].colour, all[1][1].colour);
}

TEST(Looks, tell_more_than_seven_lines_apart_by_dashes)
{
    Panel panel;
    for (int i = 0; i < 15; ++i) panel.series.push_back({.name = std::to_string(i)});
    const auto all = looks(Chart{.panels = {panel}})[0];
    for (std::size_t i = 0; i < all.size(); ++i)
        for (std::size_t j = 0; j < i; ++j)
            EXPECT_TRUE(all[i].colour != all[j].colour || all[i].dash != all[j].dash) << i << ' ' << j;
}

// A chart with everything on it, whose texts must neither collide nor leave the page.
Chart busy_chart(int width, LegendPlace legend)
{
    Panel energy{.title = "Energy", .x_label = "time [s]", .y_label = "energy [J]"};
    for (const char* name : {"kinetic", "stretching", "bending", "gravity", "contact", "friction", "total"})
        energy.series.push_back({.name = name, .x = {0, 4, 10}, .y = {1, 3.5, 2e-3}});
    energy.levels = {{2.0, "limit"}, {2.05, "expected"}, {3.0, ""}};
    energy.events = {{0.0, "start"}, {3.0, "first contact"}, {3.2, "pins released"}, {9.9, "rest"}};
    Panel error{.title = "Error", .x_label = "time [s]", .y_label = "error [-]", .log_y = true};
    error.series = {{.name = "volume", .x = {0, 5, 10}, .y = {1e-9, 1e-2, 1e-5}}};
    return {.title = "Falling cloth with a title of many words",
            .subtitle = "20 substeps, cotton",
            .panels = {energy, error},
            .width = width,
            .legend = legend};
}

TEST(Layout, keeps_texts_apart_and_on_the_page)
{
    for (const int width : {420, 640, 960, 1600})
        for (const LegendPlace legend : {LegendPlace::automatic, LegendPlace::above}) {
            const Drawing drawing = layout(busy_chart(width, legend));
            const std::vector<Text> texts = texts_of(drawing);
            for (std::size_t i = 0; i < texts.size(); ++i) {
                const Box a = box_of(texts[i]);
                EXPECT_TRUE(a.left >= 0 && a.top >= 0 && a.right <= drawing.width && a.bottom <= drawing.height)
                    << texts[i].text << " leaves a page of width " << width;
                for (std::size_t j = 0; j < i; ++j) {
                    const Box b = box_of(texts[j]);
                    EXPECT_FALSE(a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom)
                        << texts[i].text << " covers " << texts[j].text << " at width " << width;
                }
            }
        }
}

TEST(Layout, grows_rather_than_squeeze_many_panels_into_nothing)
{
    Chart chart{.height = 200};
    chart.panels.resize(12);
    EXPECT_GT(layout(chart).height, 12 * 40);
}

TEST(Font, draws_ascii_and_the_signs_of_units)
{
    for (char32_t c = U'!'; c <= U'~'; ++c) EXPECT_NE(find_glyph(c), nullptr) << static_cast<unsigned>(c);
    const auto unknown = text_strokes("\ufffd").size();
    EXPECT_GT(unknown, 0u);
    for (const char* sign : {"²", "³", "·", "µ", "°", "–", "−", "×", "Δ", "λ", "⁻", "⁰"}) {
        EXPECT_GT(text_strokes(sign).size(), 0u) << sign;
        EXPECT_NE(text_width(sign), text_width("\u4e2d")) << sign << " falls back to the box";
    }
    EXPECT_GT(text_width("wide", true), text_width("wide"));
}

TEST(Font, wraps_and_shortens_to_a_width)
{
    for (const std::string& line : wrapped("one two three four five", 10.0, false, 60.0))
        EXPECT_LE(10.0 * text_width(line), 60.0);
    EXPECT_LE(10.0 * text_width(shortened("a name that is long", 10.0, 50.0)), 50.0);
    EXPECT_EQ(shortened("short", 10.0, 500.0), "short");
}

TEST(Canvas, covers_a_segment_by_its_width_without_seams)
{
    Canvas canvas(20, 10);
    canvas.cover_segment({2, 5}, {10, 5}, 1.0);
    canvas.cover_segment({10, 5}, {18, 5}, 1.0);
    canvas.paint({0, 0, 0});
    const auto value = [&](int i, int j) { return int(canvas.pixels()[static_cast<std::size_t>(3 * (20 * j + i))]); };
    for (int i = 3; i < 17; ++i) {
        EXPECT_EQ(value(i, 4), 0);
        EXPECT_EQ(value(i, 5), 0);
        EXPECT_EQ(value(i, 3), 255);
        EXPECT_EQ(value(i, 6), 255);
    }
}

}  // namespace
}  // namespace pliant::charting
