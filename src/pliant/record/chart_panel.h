// SPDX-License-Identifier: MIT
#pragma once

// One panel: its axes, and everything within its frame and around it.
//
// PanelPlan holds the choices that the page needs before places are known: ranges, ticks, legend
// and the labels of events. draw_panel draws it once the frame is placed.

#include <pliant/record/chart_drawing.h>
#include <pliant/record/chart_look.h>
#include <pliant/record/chart_scale.h>

#include <string>
#include <vector>

namespace pliant::charting {

inline constexpr double kTickSize = 12.0;
inline constexpr double kLabelSize = 13.0;
inline constexpr double kTitleSize = 14.0;
inline constexpr double kEventRow = 15.0;  ///< height of a row of event labels

struct EventLabel {
    std::string text{};
    double x = 0.0;  ///< place on the page, middle of the text
    int row = 0;     ///< from the frame upwards
};

struct PanelPlan {
    AxisRange x_range{}, y_range{};
    Ticks x_ticks{}, y_ticks{};
    std::vector<Look> looks{};
    std::vector<LegendEntry> legend{};
    std::vector<std::vector<LegendEntry>> legend_above{};  ///< rows; empty if the legend is at the right
    std::vector<EventLabel> events{};
    int event_rows = 0;
    bool has_x_labels = true;  ///< not for upper panels that share x
    Box frame{};
};

/// The intervals to show. Throws Error for a fixed range that cannot be.
AxisRange x_axis_range(const Panel&);
AxisRange y_axis_range(const Panel&);

/// Ticks whose labels do not touch along `width`.
Ticks x_axis_ticks(const Panel&, AxisRange, double width);
Ticks y_axis_ticks(const Panel&, AxisRange, double height);

/// Sets `events` and `event_rows` for a frame from left to right.
void place_event_labels(PanelPlan&, const Panel&, double left, double right);

double widest_label(const Ticks&);

/// Draws all but title and legend.
void draw_panel(Drawing&, const Panel&, const PanelPlan&);

}  // namespace pliant::charting
