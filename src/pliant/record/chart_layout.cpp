// SPDX-License-Identifier: MIT

// Where everything goes.
//
//   | title                                   |
//   | subtitle                                |
//   |      panel title                        |
//   |      legend, when above                 |
//   |      event labels                       |
//   |  y  +---------------------+ levels  legend, when at the right
//   |     +---------------------+             |
//   |        x                                |
//   |      next panel …                       |
//
// All frames share their left and right edges, so that panels can be compared.

#include <pliant/base/error.h>
#include <pliant/record/chart_font.h>
#include <pliant/record/chart_panel.h>

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

namespace pliant::charting {

namespace {

constexpr double kMargin = 16.0;
constexpr double kChartTitleSize = 18.0;
constexpr double kSubtitleSize = 13.0;
constexpr double kPanelGap = 14.0;
constexpr int kLeastWidth = 240;
constexpr int kLeastHeight = 160;
constexpr double kLeastFrame = 40.0;

void check(const Chart& chart)
{
    std::vector<Problem> problems;
    const auto report = [&](std::size_t panel, const std::string& message) {
        problems.emplace_back();
        problems.back().where = fmt::format("panel {}", panel + 1);
        problems.back().message = message;
    };
    for (std::size_t i = 0; i < chart.panels.size(); ++i) {
        if (chart.share_x && chart.panels[i].log_x != chart.panels[0].log_x)
            report(i, "panels that share x need all linear or all logarithmic x");
        for (const Series& s : chart.panels[i].series)
            if (s.x.size() != s.y.size())
                report(i, fmt::format("series '{}' has {} x but {} y", s.name, s.x.size(), s.y.size()));
        const auto& cells = chart.panels[i].cells;
        if (cells && (cells->rows < 1 || cells->columns < 1 ||
                      cells->values.size() != static_cast<std::size_t>(cells->rows) * cells->columns))
            report(i, fmt::format("a map of {} x {} cells has {} values", cells->columns, cells->rows,
                                  cells->values.size()));
    }
    if (!problems.empty()) throw Error(problems);
}

// Panels that share x show the union of their ranges.
void share_x_range(std::vector<PanelPlan>& plans)
{
    AxisRange shared = plans.front().x_range;
    for (const PanelPlan& plan : plans)
        shared = {std::min(shared.lo, plan.x_range.lo), std::max(shared.hi, plan.x_range.hi)};
    for (PanelPlan& plan : plans) plan.x_range = shared, plan.has_x_labels = &plan == &plans.back();
}

// A legend that says nothing new is not repeated.
void drop_repeated_legends(std::vector<PanelPlan>& plans)
{
    std::vector<LegendEntry> shown;
    for (PanelPlan& plan : plans) {
        const bool is_known = std::all_of(plan.legend.begin(), plan.legend.end(), [&](const LegendEntry& entry) {
            return std::find(shown.begin(), shown.end(), entry) != shown.end();
        });
        shown.insert(shown.end(), plan.legend.begin(), plan.legend.end());
        if (is_known) plan.legend.clear();
    }
}

double legend_column_width(const std::vector<PanelPlan>& plans)
{
    double width = 0.0;
    for (const PanelPlan& plan : plans)
        for (const LegendEntry& entry : plan.legend) width = std::max(width, legend_entry_width(entry));
    return width;
}

double level_label_width(const Chart& chart)
{
    double width = 0.0;
    for (const Panel& panel : chart.panels)
        for (const ChartMark& level : panel.levels)
            width = std::max(width, 11.5 * text_width(level.label) + (level.label.empty() ? 0.0 : 6.0));
    return width;
}

bool is_legend_right(const Chart& chart, const std::vector<PanelPlan>& plans, double frame_height)
{
    if (chart.legend != LegendPlace::automatic) return chart.legend == LegendPlace::right;
    std::size_t most = 0;
    for (const PanelPlan& plan : plans) most = std::max(most, plan.legend.size());
    const bool fits = static_cast<double>(most) * kLegendRow <= frame_height;
    return most > 3 && fits && legend_column_width(plans) < 0.25 * chart.width;
}

double height_above(const Panel& panel, const PanelPlan& plan)
{
    const double title = panel.title.empty() ? 0.0 : 1.7 * kTitleSize;
    const double legend = kLegendRow * static_cast<double>(plan.legend_above.size());
    const double events = kEventRow * plan.event_rows + (plan.event_rows > 0 ? 4.0 : 0.0);
    return title + legend + (legend > 0.0 ? 4.0 : 0.0) + events;
}

double height_below(const Panel& panel, const PanelPlan& plan)
{
    if (!plan.has_x_labels) return 8.0;
    const bool has_label = !axis_label(panel.x_label, plan.x_ticks).empty();
    return 9.0 + 1.25 * kTickSize + (has_label ? 1.5 * kLabelSize : 0.0);
}

double share_of(const Panel& panel)
{
    return std::max(0.05, panel.height_share);
}

// The places common to all panels.
struct Page {
    double left = 0.0, right = 0.0, top = 0.0, bottom = 0.0;
    double legend_x = 0.0;      // left end of the legend at the right
    double legend_width = 0.0;  // of that legend
    bool is_legend_right = false;
};

double draw_heading(Drawing& drawing, const Chart& chart, double left)
{
    double y = kMargin;
    // Real fonts are up to a tenth wider than ours.
    const double width = 0.9 * (drawing.width - left - kMargin);
    for (const std::string& line : wrapped(chart.title, kChartTitleSize, true, width)) {
        drawing.add(Text{line, {left, y + 0.9 * kChartTitleSize}, Anchor::start, kChartTitleSize, kInk, true});
        y += 1.35 * kChartTitleSize;
    }
    for (const std::string& line : wrapped(chart.subtitle, kSubtitleSize, false, width)) {
        drawing.add(Text{line, {left, y + 0.9 * kSubtitleSize}, Anchor::start, kSubtitleSize, kSoftInk});
        y += 1.4 * kSubtitleSize;
    }
    return y > kMargin ? y + 8.0 : y;
}

std::vector<PanelPlan> planned(const Chart& chart)
{
    std::vector<PanelPlan> plans(chart.panels.size());
    const std::vector<std::vector<Look>> all_looks = looks(chart);
    for (std::size_t i = 0; i < plans.size(); ++i) {
        const Panel& panel = chart.panels[i];
        plans[i].x_range = x_axis_range(panel), plans[i].y_range = y_axis_range(panel);
        plans[i].looks = all_looks[i];
        plans[i].legend = legend_entries(panel, all_looks[i]);
    }
    if (chart.share_x) share_x_range(plans);
    drop_repeated_legends(plans);
    return plans;
}

// Left and right edges. Ticks come from an estimate of the height, which decides only their number.
Page horizontal_places(const Chart& chart, std::vector<PanelPlan>& plans, const Drawing& drawing)
{
    const double count = static_cast<double>(plans.size());
    const double estimate = (drawing.height - 60.0) / count - 70.0;
    double total = 0.0, labels = 0.0;
    bool has_y_label = false;
    for (const Panel& panel : chart.panels) total += share_of(panel);
    for (std::size_t i = 0; i < plans.size(); ++i) {
        const Panel& panel = chart.panels[i];
        plans[i].y_ticks = y_axis_ticks(panel, plans[i].y_range, estimate * share_of(panel) * count / total);
        labels = std::max(labels, widest_label(plans[i].y_ticks));
        has_y_label = has_y_label || !axis_label(panel.y_label, plans[i].y_ticks).empty();
    }
    Page page;
    page.left = std::floor(kMargin + (has_y_label ? 1.6 * kLabelSize : 0.0) + labels + 12.0) + 0.5;
    page.is_legend_right = is_legend_right(chart, plans, estimate);
    const double column = std::min(legend_column_width(plans), 0.4 * drawing.width);
    const bool has_column = page.is_legend_right && column > 0.0;
    const double levels = std::min(level_label_width(chart), 0.3 * drawing.width);
    page.right = drawing.width - kMargin - (has_column ? 1.04 * column + 16.0 : 6.0) - levels;
    page.right = std::floor(std::max(page.right, page.left + kLeastFrame)) + 0.5;
    page.legend_x = page.right + levels + 16.0;
    page.legend_width = column;
    return page;
}

// Top and bottom edges: what is left after titles and labels, by share.
void place_frames(const Chart& chart, std::vector<PanelPlan>& plans, const Page& page)
{
    double room = page.bottom - page.top - kPanelGap * static_cast<double>(plans.size() - 1), total = 0.0;
    for (std::size_t i = 0; i < plans.size(); ++i) {
        const Panel& panel = chart.panels[i];
        plans[i].x_ticks = x_axis_ticks(panel, plans[i].x_range, page.right - page.left);
        if (!page.is_legend_right) plans[i].legend_above = legend_rows(plans[i].legend, page.right - page.left);
        place_event_labels(plans[i], panel, page.left, page.right);
        room -= height_above(panel, plans[i]) + height_below(panel, plans[i]);
        total += share_of(panel);
    }
    double y = page.top;
    for (std::size_t i = 0; i < plans.size(); ++i) {
        const Panel& panel = chart.panels[i];
        const double top = std::floor(y + height_above(panel, plans[i])) + 0.5;
        const double height = std::max(kLeastFrame, room * share_of(panel) / total);
        plans[i].frame = {page.left, top, page.right, std::floor(top + height) + 0.5};
        y = plans[i].frame.bottom + height_below(panel, plans[i]) + kPanelGap;
    }
}

void draw_panel_heading(Drawing& drawing, const Panel& panel, const PanelPlan& plan, const Page& page)
{
    double y = plan.frame.top - height_above(panel, plan);
    if (!panel.title.empty()) {
        const std::string title = shortened(panel.title, 1.05 * kTitleSize, drawing.width - page.left - kMargin);
        drawing.add(Text{title, {page.left, y + kTitleSize}, Anchor::start, kTitleSize, kInk, true});
        y += 1.7 * kTitleSize;
    }
    for (const std::vector<LegendEntry>& row : plan.legend_above) {
        draw_legend_row(drawing, row, {page.left, y + 0.4 * kLegendRow});
        y += kLegendRow;
    }
    if (!page.is_legend_right) return;
    double row_y = plan.frame.top + 0.5 * kLegendRow;
    for (const LegendEntry& entry : plan.legend) {
        draw_legend_row(drawing, legend_rows({entry}, page.legend_width).front(), {page.legend_x, row_y});
        row_y += kLegendRow;
    }
}

int chosen_height(const Chart& chart)
{
    if (chart.height > 0) return std::max(chart.height, kLeastHeight);
    const int count = static_cast<int>(chart.panels.size());
    return count < 2 ? 540 : 90 + 270 * count;
}

}  // namespace

Drawing layout(const Chart& chart)
{
    check(chart);
    Drawing drawing{std::max(chart.width, kLeastWidth), chosen_height(chart), chart.title, {}};
    std::vector<PanelPlan> plans = planned(chart);
    Page page;
    if (!plans.empty()) page = horizontal_places(chart, plans, drawing);
    page.top = draw_heading(drawing, chart, std::max(kMargin, page.left));
    page.bottom = drawing.height - kMargin + 4.0;
    if (!plans.empty()) place_frames(chart, plans, page);
    for (std::size_t i = 0; i < plans.size(); ++i) {
        draw_panel_heading(drawing, chart.panels[i], plans[i], page);
        draw_panel(drawing, chart.panels[i], plans[i]);
        // Frames do not shrink without end: a crowded chart grows.
        const double end = plans[i].frame.bottom + height_below(chart.panels[i], plans[i]);
        drawing.height = std::max(drawing.height, static_cast<int>(std::ceil(end + 6.0)));
    }
    return drawing;
}

}  // namespace pliant::charting
