// SPDX-License-Identifier: MIT
#pragma once

// Colours and line styles: who looks how, and the legend that tells.
//
// The palette is Okabe and Ito's (2008) for all kinds of colour vision, without its yellow, which
// white swallows. A name keeps its colour through all panels of a chart.

#include <pliant/record/chart_drawing.h>

#include <string>
#include <vector>

namespace pliant::charting {

inline constexpr Colour kPaper{255, 255, 255};
inline constexpr Colour kInk{34, 34, 34};
inline constexpr Colour kSoftInk{96, 96, 96};
inline constexpr Colour kFrameInk{120, 120, 120};
inline constexpr Colour kGridInk{229, 229, 229};

/// How one series is drawn.
struct Look {
    Colour colour{};
    bool has_line = true;
    bool has_marker = false;
    bool is_area = false;  ///< a cell of a map
    double width = 1.6;
    double radius = 3.6;
    std::vector<double> dash{};
    MarkerShape marker = MarkerShape::circle;
    friend bool operator==(const Look&, const Look&) = default;
};

struct LegendEntry {
    std::string name{};
    Look look{};
    friend bool operator==(const LegendEntry&, const LegendEntry&) = default;
};

/// A look for each series of each panel.
std::vector<std::vector<Look>> looks(const Chart&);

/// The colour of a cell's value; `range` spans the finite values of the map.
Colour cell_colour(const ChartCells&, AxisRange range, double value);
AxisRange cell_value_range(const ChartCells&);

/// What the legend of one panel says: first the colours of cells, then the named series.
std::vector<LegendEntry> legend_entries(const Panel&, const std::vector<Look>&);

inline constexpr double kLegendSize = 12.5;  ///< em of its text
inline constexpr double kLegendRow = 20.0;   ///< from row to row

/// Room for one entry: sample, gap and text.
double legend_entry_width(const LegendEntry&);
/// The entries in rows no wider than `width`.
std::vector<std::vector<LegendEntry>> legend_rows(const std::vector<LegendEntry>&, double width);
/// Draws entries from left to right; `at` is the left end, at half height.
void draw_legend_row(Drawing&, const std::vector<LegendEntry>&, Spot at);

}  // namespace pliant::charting
