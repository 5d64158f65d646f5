// SPDX-License-Identifier: MIT

// Palette, looks and legend.

#include <pliant/record/chart_font.h>
#include <pliant/record/chart_look.h>
#include <pliant/record/chart_scale.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>

namespace pliant::charting {

namespace {

constexpr std::array<Colour, 7> kPalette = {
    {{0, 114, 178}, {213, 94, 0}, {0, 158, 115}, {204, 121, 167}, {230, 159, 0}, {86, 180, 233}, {0, 0, 0}}};

// Viridis, dark to light, by Smith and van der Walt.
constexpr std::array<Colour, 6> kRamp = {
    {{68, 1, 84}, {65, 68, 135}, {42, 120, 142}, {34, 168, 132}, {122, 209, 81}, {253, 231, 37}}};

constexpr double kSample = 26.0;    // length of a line in the legend
constexpr double kSampleGap = 7.0;  // between it and the name
constexpr double kEntryGap = 22.0;  // between entries of a row

Look look_of(const Series& series, std::size_t index)
{
    static const std::array<std::vector<double>, 3> kDashes = {{{}, {1.5, 4.0}, {9.0, 4.0, 1.5, 4.0}}};
    static constexpr std::array<MarkerShape, 4> kShapes = {MarkerShape::circle, MarkerShape::square,
                                                           MarkerShape::triangle, MarkerShape::diamond};
    Look look;
    look.colour = kPalette[index % kPalette.size()];
    look.has_line = series.style != SeriesStyle::points;
    look.has_marker = !look.has_line || series.style == SeriesStyle::line_points;
    look.marker = series.marker == MarkerShape::automatic ? kShapes[index % 4] : series.marker;
    if (look.has_line) look.dash = kDashes[index / kPalette.size() % 3];
    if (series.style == SeriesStyle::dashed) look.dash = {6.0, 4.5}, look.width = 1.4;
    if (!look.has_line && series.x.size() > 1000) look.radius = 1.4;
    return look;
}

// Known names keep their index, new ones take the lowest that is free in this panel.
std::vector<std::size_t> palette_indices(std::map<std::string, std::size_t>& known, const Panel& panel)
{
    std::vector<std::size_t> indices(panel.series.size());
    std::set<std::size_t> taken;
    // Over a map of cells the first line is black.
    for (std::size_t i = 0; panel.cells && i + 1 < kPalette.size(); ++i) taken.insert(i);
    for (const Series& series : panel.series)
        if (known.count(series.name)) taken.insert(known[series.name]);
    for (std::size_t i = 0; i < indices.size(); ++i) {
        const Series& series = panel.series[i];
        if (!series.colour_like.empty()) continue;
        const auto named = known.find(series.name);
        std::size_t index = 0;
        while (taken.count(index)) ++index;
        indices[i] = named != known.end() ? named->second : index;
        taken.insert(indices[i]);
        if (!series.name.empty()) known[series.name] = indices[i];
    }
    for (std::size_t i = 0; i < indices.size(); ++i) {
        const auto named = known.find(panel.series[i].colour_like);
        if (!panel.series[i].colour_like.empty() && named != known.end()) indices[i] = named->second;
    }
    return indices;
}

std::vector<LegendEntry> cell_entries(const ChartCells& cells)
{
    std::vector<LegendEntry> entries;
    const AxisRange range = cell_value_range(cells);
    Look look;
    look.has_line = false, look.is_area = true;
    for (std::size_t i = 0; i < cells.categories.size(); ++i) {
        look.colour = cell_colour(cells, range, static_cast<double>(i));
        entries.push_back({cells.categories[i], look});
    }
    if (!cells.categories.empty()) return entries;
    const Ticks ticks = linear_ticks(range, 5);
    for (std::size_t i = ticks.at.size(); i-- > 0;) {
        look.colour = cell_colour(cells, range, ticks.at[i]);
        entries.push_back({ticks.labels[i], look});
    }
    const std::string heading = axis_label(cells.label, ticks);
    Look blank;
    blank.has_line = false;
    if (!heading.empty()) entries.insert(entries.begin(), {heading, blank});
    return entries;
}

void draw_sample(Drawing& drawing, const Look& look, Spot at)
{
    const Spot middle{at.x + 0.5 * kSample, at.y};
    if (look.is_area) drawing.add(Fill{{middle.x - 8.0, at.y - 6.0, middle.x + 8.0, at.y + 6.0}, look.colour});
    if (look.has_line) drawing.add(Stroke{{at, {at.x + kSample, at.y}}, look.colour, look.width + 0.4, look.dash});
    if (look.has_marker) drawing.add(Marks{{middle}, look.marker, std::max(look.radius, 2.5), look.colour});
}

bool has_sample(const Look& look)
{
    return look.is_area || look.has_line || look.has_marker;
}

}  // namespace

std::vector<std::vector<Look>> looks(const Chart& chart)
{
    std::vector<std::vector<Look>> all;
    std::map<std::string, std::size_t> known;
    for (const Panel& panel : chart.panels) {
        const std::vector<std::size_t> indices = palette_indices(known, panel);
        all.emplace_back();
        for (std::size_t i = 0; i < indices.size(); ++i) all.back().push_back(look_of(panel.series[i], indices[i]));
    }
    return all;
}

AxisRange cell_value_range(const ChartCells& cells)
{
    RangeFinder finder(false);
    finder.add(cells.values);
    return finder.range(0.0, false);
}

Colour cell_colour(const ChartCells& cells, AxisRange range, double value)
{
    // Maps cover much of the page, so categories wear a paler palette.
    if (!cells.categories.empty()) {
        const Colour c = kPalette[static_cast<std::size_t>(std::max(0.0, value)) % kPalette.size()];
        const auto pale = [](int part) { return static_cast<std::uint8_t>(255 - (255 - part) * 7 / 10); };
        return {pale(c.r), pale(c.g), pale(c.b)};
    }
    const double t = std::clamp((value - range.lo) / (range.hi - range.lo), 0.0, 1.0) * (kRamp.size() - 1);
    const auto k = std::min(static_cast<std::size_t>(t), kRamp.size() - 2);
    const double s = t - static_cast<double>(k);
    const auto mix = [s](int a, int b) { return static_cast<std::uint8_t>(std::lround(a + s * (b - a))); };
    const Colour a = kRamp[k], b = kRamp[k + 1];
    return {mix(a.r, b.r), mix(a.g, b.g), mix(a.b, b.b)};
}

std::vector<LegendEntry> legend_entries(const Panel& panel, const std::vector<Look>& panel_looks)
{
    std::vector<LegendEntry> entries;
    if (panel.cells) entries = cell_entries(*panel.cells);
    for (std::size_t i = 0; i < panel.series.size(); ++i)
        if (!panel.series[i].name.empty()) entries.push_back({panel.series[i].name, panel_looks[i]});
    return entries;
}

double legend_entry_width(const LegendEntry& entry)
{
    const double sample = has_sample(entry.look) ? kSample + kSampleGap : 0.0;
    return sample + kLegendSize * text_width(entry.name);
}

std::vector<std::vector<LegendEntry>> legend_rows(const std::vector<LegendEntry>& entries, double width)
{
    std::vector<std::vector<LegendEntry>> rows;
    double used = 0.0;
    for (LegendEntry entry : entries) {
        const double sample = has_sample(entry.look) ? kSample + kSampleGap : 0.0;
        entry.name = shortened(entry.name, kLegendSize, std::max(30.0, width - sample + 1.0e-6));
        const double needed = legend_entry_width(entry);
        if (rows.empty() || used + kEntryGap + needed > width) rows.emplace_back(), used = -kEntryGap;
        used += kEntryGap + needed;
        rows.back().push_back(entry);
    }
    return rows;
}

void draw_legend_row(Drawing& drawing, const std::vector<LegendEntry>& row, Spot at)
{
    for (const LegendEntry& entry : row) {
        const double sample = has_sample(entry.look) ? kSample + kSampleGap : 0.0;
        draw_sample(drawing, entry.look, at);
        drawing.add(Text{entry.name, {at.x + sample, at.y + 0.35 * kLegendSize}, Anchor::start, kLegendSize, kInk});
        at.x += legend_entry_width(entry) + kEntryGap;
    }
}

}  // namespace pliant::charting
