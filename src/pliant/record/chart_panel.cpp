// SPDX-License-Identifier: MIT

// Axes, marks and series of one panel.

#include <pliant/base/error.h>
#include <pliant/record/chart_font.h>
#include <pliant/record/chart_panel.h>
#include <pliant/record/chart_series.h>

#include <algorithm>
#include <cmath>

namespace pliant::charting {

namespace {

constexpr double kTick = 5.0;
constexpr double kMinorTick = 3.0;
constexpr double kMarkSize = 11.5;
constexpr int kMostEventRows = 3;
const std::vector<double> kMarkDash = {4.0, 3.0};

// Lines of one unit are crisp when their middle is half way between whole units.
double crisp(double place)
{
    return std::floor(place) + 0.5;
}

struct Axes {
    Scale x, y;
    Box frame;
};

Axes axes_of(const Panel& panel, const PanelPlan& plan)
{
    const Box& f = plan.frame;
    return {{plan.x_range, panel.log_x, f.left, f.right}, {plan.y_range, panel.log_y, f.bottom, f.top}, f};
}

void add_line(Drawing& drawing, Spot a, Spot b, Colour colour, std::vector<double> dash = {})
{
    drawing.add(Stroke{{a, b}, colour, 1.0, std::move(dash)});
}

bool is_inside(double place, double from, double to)
{
    return place >= std::min(from, to) - 1.0e-6 && place <= std::max(from, to) + 1.0e-6;
}

AxisRange checked(AxisRange range, bool log, const std::string& axis)
{
    if (std::isfinite(range.lo) && std::isfinite(range.hi) && range.lo < range.hi && (!log || range.lo > 0.0))
        return range;
    Problem problem;
    problem.where = axis + "_range";
    problem.message = log ? "a logarithmic axis needs 0 < lo < hi" : "an axis needs lo < hi";
    throw Error(problem);
}

bool is_all_lines(const Panel& panel)
{
    return std::all_of(panel.series.begin(), panel.series.end(), [](const Series& series) {
        return series.style != SeriesStyle::points && series.style != SeriesStyle::line_points;
    });
}

double edge(AxisRange range, bool log, double part)
{
    if (log) return range.lo * std::pow(range.hi / range.lo, part);
    return range.lo + part * (range.hi - range.lo);
}

// Neighbours of one colour in a row become one rectangle.
void draw_cells(Drawing& drawing, const ChartCells& cells, const Axes& axes)
{
    const AxisRange values = cell_value_range(cells);
    const auto value = [&](int column, int row) {
        return cells.values[static_cast<std::size_t>(row) * cells.columns + column];
    };
    const auto held = [](double place, double a, double b) { return std::clamp(place, a, b); };
    const Box& f = axes.frame;
    for (int row = 0; row < cells.rows; ++row) {
        const double bottom = axes.y(edge(cells.y, axes.y.log, double(row) / cells.rows));
        const double top = axes.y(edge(cells.y, axes.y.log, double(row + 1) / cells.rows));
        for (int first = 0, last = 0; first < cells.columns; first = last) {
            const double here = value(first, row);
            const Colour colour = cell_colour(cells, values, here);
            last = first + 1;
            if (!std::isfinite(here)) continue;
            while (last < cells.columns && std::isfinite(value(last, row)) &&
                   cell_colour(cells, values, value(last, row)) == colour)
                ++last;
            const double left = axes.x(edge(cells.x, axes.x.log, double(first) / cells.columns));
            const double right = axes.x(edge(cells.x, axes.x.log, double(last) / cells.columns));
            const Box box{held(left, f.left, f.right), held(top, f.top, f.bottom), held(right, f.left, f.right),
                          held(bottom, f.top, f.bottom)};
            if (box.width() > 0.0 && box.height() > 0.0) drawing.add(Fill{box, colour});
        }
    }
}

void draw_grid(Drawing& drawing, const PanelPlan& plan, const Axes& axes)
{
    const Box& f = axes.frame;
    for (const double value : plan.x_ticks.at)
        add_line(drawing, {crisp(axes.x(value)), f.top}, {crisp(axes.x(value)), f.bottom}, kGridInk);
    for (const double value : plan.y_ticks.at)
        add_line(drawing, {f.left, crisp(axes.y(value))}, {f.right, crisp(axes.y(value))}, kGridInk);
}

void draw_x_axis(Drawing& drawing, const Panel& panel, const PanelPlan& plan, const Axes& axes)
{
    const Box& f = axes.frame;
    for (const double value : plan.x_ticks.minor)
        add_line(drawing, {crisp(axes.x(value)), f.bottom}, {crisp(axes.x(value)), f.bottom + kMinorTick}, kFrameInk);
    for (std::size_t i = 0; i < plan.x_ticks.at.size(); ++i) {
        const double place = axes.x(plan.x_ticks.at[i]);
        add_line(drawing, {crisp(place), f.bottom}, {crisp(place), f.bottom + kTick}, kFrameInk);
        const Spot at{place, f.bottom + kTick + 1.15 * kTickSize};
        if (plan.has_x_labels) drawing.add(Text{plan.x_ticks.labels[i], at, Anchor::middle, kTickSize, kInk});
    }
    if (!plan.has_x_labels) return;
    const std::string label = shortened(axis_label(panel.x_label, plan.x_ticks), kLabelSize, f.width());
    const Spot at{0.5 * (f.left + f.right), f.bottom + kTick + 1.5 * kTickSize + 1.3 * kLabelSize};
    if (!label.empty()) drawing.add(Text{label, at, Anchor::middle, kLabelSize, kInk});
}

void draw_y_axis(Drawing& drawing, const Panel& panel, const PanelPlan& plan, const Axes& axes, double label_x)
{
    const Box& f = axes.frame;
    for (const double value : plan.y_ticks.minor)
        add_line(drawing, {f.left - kMinorTick, crisp(axes.y(value))}, {f.left, crisp(axes.y(value))}, kFrameInk);
    for (std::size_t i = 0; i < plan.y_ticks.at.size(); ++i) {
        const double place = axes.y(plan.y_ticks.at[i]);
        add_line(drawing, {f.left - kTick, crisp(place)}, {f.left, crisp(place)}, kFrameInk);
        const Spot at{f.left - kTick - 4.0, place + 0.35 * kTickSize};
        drawing.add(Text{plan.y_ticks.labels[i], at, Anchor::end, kTickSize, kInk});
    }
    const std::string label = shortened(axis_label(panel.y_label, plan.y_ticks), kLabelSize, f.height() + 40.0);
    if (label.empty()) return;
    drawing.add(Text{label, {label_x, 0.5 * (f.top + f.bottom)}, Anchor::middle, kLabelSize, kInk, false, true});
}

void draw_events(Drawing& drawing, const Panel& panel, const PanelPlan& plan, const Axes& axes)
{
    const Box& f = axes.frame;
    for (const ChartMark& event : panel.events) {
        const double place = axes.x(event.value);
        if (std::isfinite(place) && is_inside(place, f.left, f.right))
            add_line(drawing, {crisp(place), f.top}, {crisp(place), f.bottom}, kSoftInk, kMarkDash);
    }
    for (const EventLabel& label : plan.events)
        drawing.add(
            Text{label.text, {label.x, f.top - 5.0 - kEventRow * label.row}, Anchor::middle, kMarkSize, kSoftInk});
}

// Labels stand right of the frame, pushed apart where levels are close.
void draw_levels(Drawing& drawing, const Panel& panel, const Axes& axes)
{
    const Box& f = axes.frame;
    std::vector<std::pair<double, std::string>> labels;
    for (const ChartMark& level : panel.levels) {
        const double place = axes.y(level.value);
        if (!std::isfinite(place) || !is_inside(place, f.top, f.bottom)) continue;
        add_line(drawing, {f.left, crisp(place)}, {f.right, crisp(place)}, kSoftInk, kMarkDash);
        if (!level.label.empty()) labels.emplace_back(place, level.label);
    }
    std::sort(labels.begin(), labels.end());
    double free = f.top - 10.0;
    for (const auto& [place, text] : labels) {
        const double y = std::max(place, free);
        drawing.add(Text{text, {f.right + 6.0, y + 0.35 * kMarkSize}, Anchor::start, kMarkSize, kSoftInk});
        free = y + 1.2 * kMarkSize;
    }
}

void draw_line(Drawing& drawing, const Series& series, const Look& look, const Axes& axes)
{
    if (!look.has_line) return;
    for (std::vector<Spot>& piece : line_pieces(series, axes.x, axes.y, axes.frame)) {
        const bool is_dot = piece.size() == 1;
        drawing.add(Stroke{std::move(piece), look.colour, is_dot ? 2.8 * look.width : look.width,
                           is_dot ? std::vector<double>{} : look.dash});
    }
}

// A white rim keeps overlapping markers apart.
void draw_markers(Drawing& drawing, const Series& series, const Look& look, const Axes& axes)
{
    if (!look.has_marker) return;
    std::vector<Spot> spots = marker_spots(series, axes.x, axes.y, axes.frame, std::max(0.5, 0.4 * look.radius));
    if (spots.empty()) return;
    const bool is_filled = look.marker != MarkerShape::cross && look.marker != MarkerShape::plus;
    if (is_filled && look.radius > 2.0) drawing.add(Marks{spots, look.marker, look.radius + 0.9, kPaper});
    drawing.add(Marks{std::move(spots), look.marker, look.radius, look.colour});
}

}  // namespace

AxisRange x_axis_range(const Panel& panel)
{
    if (panel.x_range) return checked(*panel.x_range, panel.log_x, "x");
    if (panel.cells) return checked(panel.cells->x, panel.log_x, "cells x");
    RangeFinder finder(panel.log_x);
    for (const Series& series : panel.series) finder.add(series.x);
    for (const ChartMark& event : panel.events) finder.add(event.value);
    return finder.range(is_all_lines(panel) ? 0.0 : 0.04, false);
}

AxisRange y_axis_range(const Panel& panel)
{
    if (panel.y_range) return checked(*panel.y_range, panel.log_y, "y");
    if (panel.cells) return checked(panel.cells->y, panel.log_y, "cells y");
    RangeFinder finder(panel.log_y);
    for (const Series& series : panel.series) finder.add(series.y);
    for (const ChartMark& level : panel.levels) finder.add(level.value);
    return finder.range(0.05, true);
}

double widest_label(const Ticks& ticks)
{
    double width = 0.0;
    for (const std::string& label : ticks.labels) width = std::max(width, kTickSize * text_width(label));
    return width;
}

Ticks x_axis_ticks(const Panel& panel, AxisRange range, double width)
{
    Ticks ticks;
    const Scale scale{range, panel.log_x, 0.0, width};
    for (int target = std::clamp(static_cast<int>(width / 80.0), 2, 12); target >= 2; --target) {
        ticks = panel.log_x ? log_ticks(range, target) : linear_ticks(range, target);
        double nearest = width;
        for (std::size_t i = 1; i < ticks.at.size(); ++i)
            nearest = std::min(nearest, scale(ticks.at[i]) - scale(ticks.at[i - 1]));
        if (widest_label(ticks) + 12.0 <= nearest) break;
    }
    return ticks;
}

Ticks y_axis_ticks(const Panel& panel, AxisRange range, double height)
{
    const int target = std::clamp(static_cast<int>(height / (panel.log_y ? 30.0 : 40.0)), 3, 10);
    return panel.log_y ? log_ticks(range, target) : linear_ticks(range, target);
}

void place_event_labels(PanelPlan& plan, const Panel& panel, double left, double right)
{
    const Scale scale{plan.x_range, panel.log_x, left, right};
    std::vector<ChartMark> events = panel.events;
    std::stable_sort(events.begin(), events.end(),
                     [](const ChartMark& a, const ChartMark& b) { return a.value < b.value; });
    double taken[kMostEventRows];
    std::fill(std::begin(taken), std::end(taken), left - 60.0);
    for (const ChartMark& event : events) {
        const double place = scale(event.value), half = 0.5 * kMarkSize * text_width(event.label) + 4.0;
        if (event.label.empty() || !std::isfinite(place) || !is_inside(place, left, right)) continue;
        // A label without a free row is left out; its line remains.
        for (int row = 0; row < kMostEventRows; ++row) {
            const double x = std::max(left - 50.0 + half, std::min(place, right + 8.0 - half));
            if (x - half < taken[row]) continue;
            taken[row] = x + half;
            plan.events.push_back({event.label, x, row});
            plan.event_rows = std::max(plan.event_rows, row + 1);
            break;
        }
    }
}

void draw_panel(Drawing& drawing, const Panel& panel, const PanelPlan& plan)
{
    const Axes axes = axes_of(panel, plan);
    const Box& f = plan.frame;
    draw_grid(drawing, plan, axes);
    if (panel.cells) draw_cells(drawing, *panel.cells, axes);
    draw_events(drawing, panel, plan, axes);
    draw_levels(drawing, panel, axes);
    for (std::size_t i = 0; i < panel.series.size(); ++i) draw_line(drawing, panel.series[i], plan.looks[i], axes);
    for (std::size_t i = 0; i < panel.series.size(); ++i) draw_markers(drawing, panel.series[i], plan.looks[i], axes);
    drawing.add(Stroke{{{f.left, f.top}, {f.right, f.top}, {f.right, f.bottom}, {f.left, f.bottom}, {f.left, f.top}},
                       kFrameInk,
                       1.0,
                       {}});
    draw_x_axis(drawing, panel, plan, axes);
    draw_y_axis(drawing, panel, plan, axes, 14.0 + kLabelSize);
}

}  // namespace pliant::charting
