// SPDX-License-Identifier: MIT

// Ranges, ticks and their labels.

#include <pliant/record/chart_scale.h>

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace pliant::charting {

namespace {

constexpr double kLargest = 1.0e300;        // beyond it differences overflow
constexpr double kSmallest = 1.0e-300;      // below it quotients overflow
constexpr double kLeastRelative = 1.0e-12;  // a range this narrow is rounding: a constant
constexpr double kSlack = 1.0e-9;           // of one step: a tick on the border counts
constexpr int kMostDigits = 6;              // more than that moves into an offset

const std::string kMinus = "\u2212";

int decade_of(double value)
{
    return static_cast<int>(std::floor(std::log10(value) + kSlack));
}

double nice_step(double span, int target)
{
    const double rough = span / std::max(1, target);
    const double power = std::pow(10.0, std::floor(std::log10(rough)));
    // Between two leads the border is near their geometric mean.
    const double lead = rough / power;
    return power * (lead < 1.4 ? 1.0 : lead < 3.2 ? 2.0 : lead < 7.1 ? 5.0 : 10.0);
}

// Fixed notation with a true minus sign, and without the minus of -0.
std::string fixed(double value, int decimals)
{
    std::string digits = fmt::format("{:.{}f}", std::abs(value), decimals);
    const bool is_zero = digits.find_first_not_of("0.") == std::string::npos;
    return value < 0.0 && !is_zero ? kMinus + digits : digits;
}

// 0.02, 500, 2·10⁻⁴: a value with one leading digit.
std::string short_number(double value)
{
    const int exponent = decade_of(value);
    if (exponent >= -3 && exponent < 5) return fixed(value, std::max(0, -exponent));
    const int lead = static_cast<int>(std::lround(value / std::pow(10.0, exponent)));
    if (lead == 1) return power_of_ten(exponent);
    return fmt::format("{}·{}", lead, power_of_ten(exponent));
}

// A round number just below the range, when the labels would repeat the same long digits.
double common_offset(AxisRange range, double step)
{
    const double largest = std::max(std::abs(range.lo), std::abs(range.hi));
    if (range.lo < 0.0 && range.hi > 0.0) return 0.0;
    if (decade_of(largest) - decade_of(step) < kMostDigits) return 0.0;
    const double unit = std::pow(10.0, decade_of(step) + 2);
    return std::floor(range.lo / unit + kSlack) * unit;
}

// A multiple of three, zero where plain numbers read well.
int common_exponent(double largest)
{
    if (largest < kSmallest || (largest >= 1.0e-3 * (1.0 - kSlack) && largest < 1.0e5)) return 0;
    return 3 * static_cast<int>(std::floor(decade_of(largest) / 3.0));
}

void add_minor(Ticks& ticks, AxisRange range, double first, double step)
{
    const int decade = decade_of(step);
    const int parts = std::lround(step / std::pow(10.0, decade)) == 5 ? 5 : 2;
    const double small = step / parts;
    const int count = static_cast<int>((range.hi - first) / small + kSlack);
    const int before = static_cast<int>((first - range.lo) / small + kSlack);
    for (int i = -before; i <= count; ++i)
        if (i % parts != 0) ticks.minor.push_back(first + i * small);
}

Ticks decade_ticks(int first, int last, int target, AxisRange range)
{
    int stride = 1;
    for (const int candidate : {1, 2, 3, 5, 10, 20, 50, 100, 200}) {
        stride = candidate;
        if ((last - first) / candidate + 1 <= std::max(2, target)) break;
    }
    Ticks ticks;
    for (int decade = first - 1; decade <= last; ++decade) {
        const double value = std::pow(10.0, decade);
        const bool is_major = decade % stride == 0 && decade >= first;
        if (is_major) ticks.at.push_back(value), ticks.labels.push_back(power_of_ten(decade));
        if (stride > 1 && !is_major && decade >= first) ticks.minor.push_back(value);
        for (int lead = 2; stride == 1 && lead < 10; ++lead)
            if (lead * value >= range.lo && lead * value <= range.hi) ticks.minor.push_back(lead * value);
    }
    return ticks;
}

Ticks one_two_five_ticks(AxisRange range)
{
    Ticks ticks;
    for (int decade = decade_of(range.lo) - 1; decade <= decade_of(range.hi); ++decade) {
        for (int lead = 1; lead < 10; ++lead) {
            const double value = lead * std::pow(10.0, decade);
            if (value < range.lo * (1.0 - kSlack) || value > range.hi * (1.0 + kSlack)) continue;
            const bool is_major = lead == 1 || lead == 2 || lead == 5;
            (is_major ? ticks.at : ticks.minor).push_back(value);
            if (is_major) ticks.labels.push_back(short_number(value));
        }
    }
    return ticks;
}

// An end that all but reaches a round number goes there: 9.995 s is 10 s.
AxisRange rounded_ends(AxisRange range)
{
    const double span = range.hi - range.lo, step = nice_step(span, 10);
    const double lo = std::floor(range.lo / step) * step, hi = std::ceil(range.hi / step) * step;
    return {range.lo - lo < 0.01 * span ? lo : range.lo, hi - range.hi < 0.01 * span ? hi : range.hi};
}

AxisRange log_range(double lo, double hi, double pad)
{
    const double a = std::log10(lo), b = std::log10(hi);
    const double margin = b - a < kLeastRelative ? 0.5 : pad * (b - a);
    return {std::pow(10.0, std::max(a - margin, -300.0)), std::pow(10.0, std::min(b + margin, 300.0))};
}

}  // namespace

double Scale::operator()(double value) const
{
    if (!std::isfinite(value) || (log && value <= 0.0)) return std::numeric_limits<double>::quiet_NaN();
    const double part = log ? std::log(value / range.lo) / std::log(range.hi / range.lo)
                            : (value / 2 - range.lo / 2) / (range.hi / 2 - range.lo / 2);
    return from + std::clamp(part, -1.0e4, 1.0e4) * (to - from);
}

void RangeFinder::add(double value)
{
    if (!std::isfinite(value) || (log_ && value <= 0.0)) return;
    const double held = log_ ? std::clamp(value, kSmallest, kLargest) : std::clamp(value, -kLargest, kLargest);
    lo_ = std::min(lo_, held);
    hi_ = std::max(hi_, held);
}

void RangeFinder::add(const std::vector<double>& values)
{
    for (const double value : values) add(value);
}

AxisRange RangeFinder::range(double pad, bool may_start_at_zero) const
{
    if (is_empty()) return log_ ? AxisRange{1.0, 10.0} : AxisRange{0.0, 1.0};
    if (log_) return log_range(lo_, hi_, pad);
    const double largest = std::max(std::abs(lo_), std::abs(hi_)), span = hi_ - lo_;
    if (largest < kSmallest) return {-1.0, 1.0};
    if (span < kLeastRelative * largest) return {lo_ - 0.1 * largest, hi_ + 0.1 * largest};
    if (may_start_at_zero && lo_ >= 0.0 && lo_ < 0.3 * hi_) return {0.0, hi_ + pad * hi_};
    if (pad == 0.0) return rounded_ends({lo_, hi_});
    return {lo_ - pad * span, hi_ + pad * span};
}

Ticks linear_ticks(AxisRange range, int target)
{
    Ticks ticks;
    const double step = nice_step(range.hi - range.lo, target);
    ticks.offset = common_offset(range, step);
    const double largest = std::max(std::abs(range.lo), std::abs(range.hi));
    const double slack = kSlack + 4.0 * std::numeric_limits<double>::epsilon() * (largest / step);
    const double first = std::ceil((range.lo - ticks.offset) / step - slack);
    const double last = std::floor((range.hi - ticks.offset) / step + slack);
    ticks.exponent = common_exponent(step * std::max(std::abs(first), std::abs(last)));
    const int decimals = std::max(0, ticks.exponent - decade_of(step));
    // Divided by a power that is exact, or multiplied, never by 10^-n: 0.3, not
    // 0.30000000000000004.
    const double unit = std::pow(10.0, std::abs(ticks.exponent));
    for (double k = first; k <= last; k += 1.0) {
        ticks.at.push_back(ticks.offset + k * step);
        const double shown = ticks.exponent < 0 ? k * step * unit : k * step / unit;
        ticks.labels.push_back(fixed(shown, decimals));
    }
    if (first <= last) add_minor(ticks, range, ticks.offset + first * step, step);
    return ticks;
}

Ticks log_ticks(AxisRange range, int target)
{
    const int first = static_cast<int>(std::ceil(std::log10(range.lo) - kSlack));
    const int last = static_cast<int>(std::floor(std::log10(range.hi) + kSlack));
    if (last - first >= 2) return decade_ticks(first, last, target, range);
    Ticks ticks = one_two_five_ticks(range);
    if (ticks.at.size() < 3) return linear_ticks(range, target);
    if (static_cast<int>(ticks.at.size()) > std::max(3, 2 * target)) return decade_ticks(first, last, target, range);
    return ticks;
}

std::string power_of_ten(int exponent)
{
    static constexpr std::array<const char*, 10> kRaised = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
    std::string text = exponent < 0 ? "10⁻" : "10";
    for (const char digit : std::to_string(std::abs(exponent))) text += kRaised[static_cast<std::size_t>(digit - '0')];
    return text;
}

std::string axis_label(const std::string& label, const Ticks& ticks)
{
    if (ticks.exponent == 0 && ticks.offset == 0.0) return label;
    const std::size_t bracket = label.empty() || label.back() != ']' ? std::string::npos : label.rfind('[');
    std::string name = label.substr(0, bracket);
    while (!name.empty() && name.back() == ' ') name.pop_back();
    std::string unit;
    if (bracket != std::string::npos) unit = label.substr(bracket + 1, label.size() - bracket - 2);
    if (ticks.offset != 0.0) {
        name += ticks.offset > 0.0 ? " " + kMinus + " " : " + ";
        name += fmt::format("{:.15g}", std::abs(ticks.offset));
    }
    if (ticks.exponent != 0) {
        if (unit == "-" || unit == "1") unit.clear();
        unit = power_of_ten(ticks.exponent) + (unit.empty() ? "" : " " + unit);
    }
    if (unit.empty()) return name;
    return name + (name.empty() ? "[" : " [") + unit + "]";
}

}  // namespace pliant::charting
