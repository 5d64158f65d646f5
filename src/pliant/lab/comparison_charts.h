// SPDX-License-Identifier: MIT
#pragma once

// The pictures of a comparison. One that makes no sense for what was varied is left out.
//
//   trajectory    the measure over time, the reference dashed
//   error         its distance from the reference over time
//   convergence   largest error by the parameter, with fitted slopes
//   energy        energy.error and energy.total over time
//   work          largest error by the machine time it costs
//   stability     what came out, method by parameter

#include <string>
#include <vector>

#include <pliant/lab/comparison.h>
#include <pliant/record/chart.h>

namespace pliant {

struct NamedChart {
    std::string name;     ///< of its file, without extension
    std::string caption;  ///< how to read it
    Chart chart;
};

/// Curves over time are drawn for at most this many runs, spread over all of them.
inline constexpr std::size_t kMostCurves = 12;

/// Lines of errors are drawn for at most this many methods.
inline constexpr std::size_t kMostMethods = 20;

std::vector<NamedChart> comparison_charts(const Comparison&);

/// The map of verdicts: methods, or a second numeric parameter, by the parameter. Needs a parameter.
Chart stability_chart(const Comparison&);

}  // namespace pliant
