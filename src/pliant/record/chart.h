// SPDX-License-Identifier: MIT
#pragma once

// Charts of simulation measures: energy curves, convergence, work-precision, stability maps.
//
// A Chart is plain data: panels stacked from top to bottom, each with series of points, levels,
// events and perhaps a map of cells. One layout (chart_layout.cpp) turns it into lines and texts;
// chart_svg.cpp and chart_png.cpp write them down.
// Text is UTF-8. Units go in brackets at the end of a label, "energy [J]": when the numbers are
// large or small their power of ten joins the unit, "energy [10⁻⁶ J]".
// NaN and infinity break a line; so does a value that is not positive on a logarithmic axis.

#include <optional>
#include <string>
#include <vector>

namespace pliant {

/// line and dashed join the points; steps holds each y until the next x; points draws markers only.
enum class SeriesStyle { line, dashed, steps, points, line_points };

/// Shape of a marker; automatic gives each series of a panel another one.
enum class MarkerShape { automatic, circle, square, triangle, diamond, cross, plus };

/// Points (x[i], y[i]) drawn in one colour; x and y have the same length, which may be zero.
struct Series {
    std::string name{};  ///< shown in the legend; empty: no entry there
    std::vector<double> x{};
    std::vector<double> y{};
    SeriesStyle style = SeriesStyle::line;
    MarkerShape marker = MarkerShape::automatic;  ///< for points and line_points
    std::string colour_like{};                    ///< name of a series whose colour this one takes
};

/// An interval of an axis, lo < hi.
struct AxisRange {
    double lo = 0.0;
    double hi = 1.0;
};

/// A line across the panel at one value: a limit, an analytic value, an event in time.
struct ChartMark {
    double value = 0.0;
    std::string label{};  ///< written beside the panel, where it covers no data
};

/// A map of rectangular cells that fill x and y evenly (evenly in the logarithm on log axes).
struct ChartCells {
    int columns = 0;
    int rows = 0;
    std::vector<double> values{};           ///< rows * columns, the lowest row first; NaN is blank
    AxisRange x{};                          ///< outer edges of the map
    AxisRange y{};                          ///< outer edges of the map
    std::vector<std::string> categories{};  ///< if any: each value is an index in this list
    std::string label{};                    ///< heading of the colours in the legend
};

/// One pair of axes.
struct Panel {
    std::string title{};
    std::string x_label{};  ///< with unit: "time [s]"
    std::string y_label{};
    std::vector<Series> series{};
    bool log_x = false;
    bool log_y = false;
    std::optional<AxisRange> x_range{};  ///< default: what the data need
    std::optional<AxisRange> y_range{};
    std::vector<ChartMark> levels{};  ///< horizontal lines
    std::vector<ChartMark> events{};  ///< vertical lines
    std::optional<ChartCells> cells{};
    double height_share = 1.0;  ///< height relative to the other panels
};

/// right is one column beside the panels, above is wrapped rows; automatic takes what fits better.
enum class LegendPlace { automatic, right, above };

struct Chart {
    std::string title{};
    std::string subtitle{};
    std::vector<Panel> panels{};
    int width = 960;       ///< [px] at least 240; a PNG has twice as many
    int height = 0;        ///< [px] of the whole chart; 0 chooses from the number of panels
    bool share_x = false;  ///< one x range for all panels, numbered only below the last
    LegendPlace legend = LegendPlace::automatic;
};

/// The chart as a standalone SVG document.
std::string chart_svg(const Chart&);

/// The chart as the bytes of a PNG file, two pixels for each unit of width and height.
std::string chart_png(const Chart&);

/// Writes chart_png; replaces what is there.
void write_chart_png(const std::string& path, const Chart&);

/// Writes .svg or .png by extension. An existing file is an Error unless `overwrite`.
void write_chart(const std::string& path, const Chart&, bool overwrite);

/// Least-squares slope of log y over log x through the positive points: the observed order of
/// convergence. NaN with fewer than two distinct x.
double fitted_slope(const Series&);

/// The fitted power law as a dashed series named "slope 1.98", in the colour of `series`.
/// Empty where there is no slope.
Series fitted_line(const Series& series);

}  // namespace pliant
