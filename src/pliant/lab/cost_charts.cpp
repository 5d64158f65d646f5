// SPDX-License-Identifier: MIT
#include <pliant/lab/cost_charts.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <limits>
#include <utility>

#include <fmt/format.h>

namespace pliant {

namespace {

struct StageOfChart {
    const char* name;
    double StageSeconds::*seconds;
};
constexpr std::array<StageOfChart, 4> kStages = {{{"model", &StageSeconds::model},
                                                  {"integration", &StageSeconds::integration},
                                                  {"collision", &StageSeconds::collision},
                                                  {"other", &StageSeconds::other}}};

std::string subtitle_of(const CostComparison& c)
{
    return fmt::format("{}, {} thread{}. Times are those of this machine on that day",
                       std::filesystem::path(c.scene).filename().string(), c.threads, c.threads == 1 ? "" : "s");
}

// On logarithmic axes a constant cost per particle is a straight line.
bool is_log(const CostComparison& c)
{
    return std::all_of(c.runs.begin(), c.runs.end(), [](const CostRun& run) { return run.axis > 0; });
}

std::size_t drawn_curves(const CostComparison& c)
{
    return std::min(c.curves.size(), kMostMethods);
}

NamedChart time_chart(const CostComparison& c)
{
    NamedChart named{"time", "Mean machine time of a frame. A slope of 1 is a constant cost per particle.", {}};
    Panel panel{.x_label = c.axis_label, .y_label = "time per frame [ms]", .log_x = is_log(c), .log_y = true};
    for (std::size_t k = 0; k < drawn_curves(c); ++k) {
        const CostCurve& curve = c.curves[k];
        Series series{.name = curve.name, .style = SeriesStyle::line_points};
        for (const std::size_t r : curve.runs)
            series.x.push_back(c.runs[r].axis), series.y.push_back(1e3 * c.runs[r].per_frame.total());
        if (std::isfinite(curve.slope) && panel.log_x)
            series.name += fmt::format("{}slope {:.2f}", curve.name.empty() ? "" : ": ", curve.slope);
        panel.series.push_back(std::move(series));
    }
    named.chart = {.title = "Time per frame", .subtitle = subtitle_of(c), .panels = {std::move(panel)}};
    return named;
}

Panel stage_panel(const CostComparison& c, const StageOfChart& stage, bool is_first)
{
    Panel panel{
        .title = stage.name, .x_label = c.axis_label, .y_label = "ms per frame", .log_x = is_log(c), .log_y = true};
    for (std::size_t k = 0; k < drawn_curves(c); ++k) {
        const CostCurve& curve = c.curves[k];
        // The first panel names the curves for all.
        Series series{.name = is_first ? curve.name : "",
                      .style = SeriesStyle::line_points,
                      .colour_like = is_first ? "" : curve.name};
        for (const std::size_t r : curve.runs)
            series.x.push_back(c.runs[r].axis), series.y.push_back(1e3 * c.runs[r].per_frame.*stage.seconds);
        panel.series.push_back(std::move(series));
    }
    return panel;
}

NamedChart stages_chart(const CostComparison& c)
{
    NamedChart named{"stages",
                     "Machine time of a frame by stage: forces or corrections of the model, the rest of the "
                     "integrator, contacts.",
                     {}};
    named.chart = {.title = "Time by stage", .subtitle = subtitle_of(c), .height = 900, .share_x = true};
    for (std::size_t s = 0; s < 3; ++s) named.chart.panels.push_back(stage_panel(c, kStages[s], s == 0));
    return named;
}

// The stage that a stacked bar shows at some place along it; NaN behind its end.
double stage_at(const StageSeconds& per_frame, double seconds)
{
    for (std::size_t s = 0; s < kStages.size(); ++s) {
        seconds -= per_frame.*kStages[s].seconds;
        if (seconds < 0) return static_cast<double>(s);
    }
    return std::numeric_limits<double>::quiet_NaN();
}

// Bars as a map of narrow cells, numbered from below: a bar is kRows rows of them, the first and the last left blank.
NamedChart shares_chart(const CostComparison& c, const std::vector<const CostRun*>& bars,
                        const std::vector<std::string>& names, const std::string& place)
{
    constexpr int kColumns = 480, kRows = 8;
    double longest = 0;
    for (const CostRun* run : bars) longest = std::max(longest, run->per_frame.total());
    const double end = 1.04 * longest;
    Panel panel{.x_label = "time per frame [ms]"};
    ChartCells cells{.columns = kColumns, .rows = kRows * static_cast<int>(bars.size()), .x = {0, 1e3 * end}};
    cells.y = {0.5, static_cast<double>(bars.size()) + 0.5};
    for (const StageOfChart& stage : kStages) cells.categories.emplace_back(stage.name);
    for (std::size_t b = bars.size(); b-- > 0;) {
        for (int row = 0; row < kRows; ++row)
            for (int column = 0; column < kColumns; ++column)
                cells.values.push_back(row == 0 || row + 1 == kRows
                                           ? std::numeric_limits<double>::quiet_NaN()
                                           : stage_at(bars[b]->per_frame, (column + 0.5) / kColumns * end));
        panel.levels.push_back({static_cast<double>(bars.size() - b), names[b]});
    }
    panel.cells = std::move(cells);
    NamedChart named{"shares", "Where the time of a frame goes" + place + ".", {}};
    named.chart = {.title = "Shares of the stages" + place,
                   .subtitle = subtitle_of(c),
                   .height = 200 + 44 * static_cast<int>(bars.size()),
                   .legend = LegendPlace::above};
    named.chart.panels.push_back(std::move(panel));
    return named;
}

// At the largest place of the axis that every curve has reached; all runs without an axis.
NamedChart shares_chart(const CostComparison& c)
{
    double largest = -std::numeric_limits<double>::infinity();
    for (const CostRun& run : c.runs)
        if (!run.failed && c.axis_variation) largest = std::max(largest, run.axis);
    std::vector<const CostRun*> bars;
    std::vector<std::string> names;
    for (const CostCurve& curve : c.curves)
        for (const std::size_t r : curve.runs)
            if (bars.size() < kMostMethods && (!c.axis_variation || c.runs[r].axis == largest))
                bars.push_back(&c.runs[r]), names.push_back(curve.name);
    const std::string place = c.axis_variation ? fmt::format(", {} {:g}", c.axis_label, largest) : "";
    return shares_chart(c, bars, names, place);
}

}  // namespace

std::vector<NamedChart> cost_charts(const CostComparison& c)
{
    std::vector<NamedChart> charts;
    if (c.runs.empty() || c.all_failed()) return charts;
    if (c.axis_variation) charts.push_back(time_chart(c)), charts.push_back(stages_chart(c));
    charts.push_back(shares_chart(c));
    return charts;
}

}  // namespace pliant
