// SPDX-License-Identifier: MIT
#pragma once

// A comparison on disk and as text: a folder of charts and tables with one page that shows them all.

#include <string>
#include <vector>

#include <pliant/lab/comparison.h>

namespace pliant {

/// A row per run: settings, status, verdict, steps, errors, times.
std::string runs_csv(const Comparison&);

/// Time and a column per run; empty where a run was not looked at. The references come last.
std::string series_csv(const Comparison&);

/// Everything but the curves as one JSON object.
std::string to_json(const Comparison&);

/// One page that needs nothing but itself. `command_line` is what made it.
std::string comparison_page(const Comparison&, const std::string& command_line);

/// Writes index.html, runs.csv, series.csv and the charts as .svg and .png; returns the names. Makes
/// the folder, replaces files of these names and takes away charts of an earlier comparison.
std::vector<std::string> write_report(const std::string& folder, const Comparison& comparison,
                                      const std::string& command_line);

}  // namespace pliant
