// SPDX-License-Identifier: MIT
#pragma once

// How far runs are from their references, and how the error falls with the parameter.

#include <vector>

#include <pliant/lab/comparison.h>

namespace pliant {

/// Whether two times differ by rounding only.
bool is_same_time(double a, double b);

/// Sorted, each time once: times that differ by rounding are one time.
std::vector<double> merged_times(std::vector<double> times);

/// The reference's value at a time of its own; NaN at others.
double reference_value(const Reference& reference, double time);

/// Whether the run's error shows the order of its method: within a tenth of the swing and above rounding.
bool shows_order(const ComparedRun& run);

/// Fills in errors, verdicts, the parameter and the methods with their slopes, from runs and references.
void judge(Comparison& comparison);

}  // namespace pliant
