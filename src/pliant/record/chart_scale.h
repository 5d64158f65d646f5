// SPDX-License-Identifier: MIT
#pragma once

// Axes as numbers: which interval to show, where to put ticks, how to write them.
//
// Linear ticks are 1, 2 or 5 times a power of ten; logarithmic ones are decades, or 1-2-5 within
// few decades. Labels never need more than six digits: a common power of ten and a common offset
// move into the label of the axis.

#include <pliant/record/chart.h>

#include <string>
#include <vector>

namespace pliant::charting {

/// From values to places along one direction of the page.
struct Scale {
    AxisRange range{};
    bool log = false;
    double from = 0.0;  ///< place of range.lo
    double to = 1.0;    ///< place of range.hi

    /// Not finite where the value cannot be shown on this axis.
    double operator()(double value) const;
};

struct Ticks {
    std::vector<double> at{};  ///< values
    std::vector<std::string> labels{};
    std::vector<double> minor{};  ///< values of the short ticks between
    int exponent = 0;             ///< labels say (value - offset) / 10^exponent
    double offset = 0.0;
};

/// Grows to hold the values that an axis can show.
class RangeFinder {
public:
    explicit RangeFinder(bool log) : log_(log) {}
    void add(double value);
    void add(const std::vector<double>& values);
    bool is_empty() const { return !(lo_ <= hi_); }
    /// The interval with a margin of `pad` times its length; {0,1} or {1,10} when nothing came.
    /// A single value gets a neighbourhood. Positive data that come near zero start at zero if
    /// asked.
    AxisRange range(double pad, bool may_start_at_zero) const;

private:
    bool log_;
    double lo_ = 1.0e301, hi_ = -1.0e301;
};

/// About `target` ticks within the range.
Ticks linear_ticks(AxisRange, int target);
Ticks log_ticks(AxisRange, int target);

/// "energy [J]" with exponent -6 becomes "energy [10⁻⁶ J]"; an offset is subtracted before the
/// unit.
std::string axis_label(const std::string& label, const Ticks&);

/// "10⁻⁶"
std::string power_of_ten(int exponent);

}  // namespace pliant::charting
