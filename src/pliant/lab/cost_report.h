// SPDX-License-Identifier: MIT
#pragma once

// A comparison of costs on disk and as text: times.csv, charts and one page that shows them all.

#include <string>
#include <vector>

#include <pliant/lab/cost.h>

namespace pliant {

/// A row per run: settings, status, particles, frames, steps, time per frame, whole and by stage.
std::string times_csv(const CostComparison&);

/// Everything as one JSON object.
std::string to_json(const CostComparison&);

/// One page that needs nothing but itself. `command_line` is what made it.
std::string cost_page(const CostComparison&, const std::string& command_line);

/// Writes index.html, times.csv and the charts as .svg and .png; returns the names. Makes the folder, replaces files of
/// these names and takes away charts of an earlier comparison.
std::vector<std::string> write_cost_report(const std::string& folder, const CostComparison& comparison,
                                           const std::string& command_line);

}  // namespace pliant
