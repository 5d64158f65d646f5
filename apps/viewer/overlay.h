// SPDX-License-Identifier: MIT
#pragma once

// What is written on a picture: the time, the colours of a field with their numbers, a chart.

#include <string>

#include <pliant/record/chart.h>

#include "picture.h"

namespace pliant::viewer {

/// What the colours of a field mean.
struct Legend {
    std::string label;  ///< with unit: "speed [m/s]"
    double low = 0, high = 1;
};

/// In the lower left corner.
void draw_note(Picture& picture, const std::string& text);

/// Along the right border.
void draw_legend(Picture& picture, const Legend& legend);

/// In the upper left corner, a third of the width.
void draw_chart(Picture& picture, Chart chart);

}  // namespace pliant::viewer
