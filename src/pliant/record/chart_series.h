// SPDX-License-Identifier: MIT
#pragma once

// From the values of a series to what is seen of it on the page.
//
// A line is broken where a value cannot be shown, thinned to what pixels can tell, and cut at the
// frame. Thinning keeps, for each run of points within half a unit of x, the first, the lowest, the
// highest and the last: no peak is lost, and a million points become a few thousand.

#include <pliant/record/chart_drawing.h>
#include <pliant/record/chart_scale.h>

#include <vector>

namespace pliant::charting {

/// The pieces of the line within the frame; a lonely point is a path of one spot.
std::vector<std::vector<Spot>> line_pieces(const Series&, const Scale& x, const Scale& y, Box frame);

/// The points within the frame, once for all in one square cell of the page.
std::vector<Spot> marker_spots(const Series&, const Scale& x, const Scale& y, Box frame, double cell);

/// First, lowest, highest and last of each run of spots in one column of the given width.
std::vector<Spot> thinned(const std::vector<Spot>& path, double column);

}  // namespace pliant::charting
