// SPDX-License-Identifier: MIT
#include <pliant/lab/comparison_charts.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <iterator>

#include <fmt/format.h>

#include <pliant/lab/judgement.h>

namespace pliant {

namespace {

// All runs, or as many as can be told apart, spread evenly with the first and the last.
std::vector<const ComparedRun*> drawn_runs(const Comparison& c)
{
    std::vector<const ComparedRun*> drawn;
    const std::size_t count = c.runs.size(), most = std::min(count, kMostCurves);
    for (std::size_t i = 0; i < most; ++i) drawn.push_back(&c.runs[most < 2 ? i : i * (count - 1) / (most - 1)]);
    return drawn;
}

// As many as there are looks of lines, spread likewise.
std::vector<const Method*> drawn_methods(const Comparison& c)
{
    std::vector<const Method*> drawn;
    const std::size_t count = c.methods.size(), most = std::min(count, kMostMethods);
    for (std::size_t i = 0; i < most; ++i) drawn.push_back(&c.methods[most < 2 ? i : i * (count - 1) / (most - 1)]);
    return drawn;
}

std::string subtitle_of(const Comparison& c, bool has_curves)
{
    const bool is_exact = c.references.front().is_exact;
    std::string text = fmt::format("{}, against {}", std::filesystem::path(c.scene).filename().string(),
                                   is_exact ? "the exact solution" : c.reference_words);
    if (has_curves && c.runs.size() > kMostCurves)
        text += fmt::format(". Only {} of {} runs are drawn", kMostCurves, c.runs.size());
    if (!has_curves && c.methods.size() > kMostMethods)
        text += fmt::format(". Only {} of {} methods are drawn", kMostMethods, c.methods.size());
    return text;
}

std::string with_unit(const std::string& words, const std::string& unit)
{
    return unit.empty() || unit == "1" ? words : fmt::format("{} [{}]", words, unit);
}

double largest_swing(const Comparison& c)
{
    double swing = 0;
    for (const Reference& reference : c.references) swing = std::max(swing, reference.swing);
    return swing;
}

// Grows to hold numbers; what is not finite is not seen.
struct Extent {
    double low = kNoLimit, high = -kNoLimit;

    void add(double value)
    {
        if (std::isfinite(value)) low = std::min(low, value), high = std::max(high, value);
    }
    void add(const std::vector<double>& values)
    {
        for (const double value : values) add(value);
    }
    std::optional<AxisRange> widened(double share) const
    {
        if (!(low < high)) return {};
        return AxisRange{low - share * (high - low), high + share * (high - low)};
    }
};

std::vector<double> since_start(std::vector<double> values)
{
    const double start = values.empty() ? 0 : values.front();
    for (double& value : values) value -= start;
    return values;
}

// A dashed curve per reference; where each run has its own, in the colour of that run.
void add_references(Panel& panel, const Comparison& c, const std::vector<const ComparedRun*>& drawn, bool of_energy)
{
    std::vector<bool> done(c.references.size(), false);
    bool is_named = false;
    for (const ComparedRun* run : drawn) {
        const Reference& reference = c.references[run->reference];
        if (done[run->reference] || reference.times.empty()) continue;
        done[run->reference] = true;
        Series series{.x = reference.times,
                      .y = of_energy ? since_start(reference.totals) : reference.values,
                      .style = SeriesStyle::dashed};
        if (!is_named) series.name = reference.is_exact ? "exact" : "reference";
        if (c.references.size() > 1) series.name.clear(), series.colour_like = run->name;
        is_named = true;
        panel.series.push_back(std::move(series));
    }
}

// Runs that left would flatten all others, so the scale is the reference's with room for wrong runs.
NamedChart trajectory_chart(const Comparison& c)
{
    NamedChart named{"trajectory", "The measure over time. The dashed curve is the reference.", {}};
    Panel panel{.x_label = "time [s]", .y_label = with_unit(c.measure, c.unit)};
    const std::vector<const ComparedRun*> drawn = drawn_runs(c);
    Extent kept, wanted;
    for (const ComparedRun* run : drawn) {
        panel.series.push_back({.name = run->name, .x = run->trial.times, .y = run->values()});
        kept.add(c.references[run->reference].values), wanted.add(run->values());
    }
    add_references(panel, c, drawn, false);
    const std::optional<AxisRange> room = kept.widened(0.4);
    if (room && (wanted.low < room->lo || wanted.high > room->hi)) {
        panel.y_range = room;
        named.caption += " Runs that leave the picture have exploded, or nearly.";
    }
    named.chart = {.title = "Trajectories", .subtitle = subtitle_of(c, true), .panels = {std::move(panel)}};
    return named;
}

// Between rounding and ten swings: what lies beyond tells nothing.
std::optional<AxisRange> error_range(const Comparison& c, const std::vector<double>& errors)
{
    Extent extent;
    for (const double error : errors)
        if (error > 0) extent.add(error);
    const double most = 10 * largest_swing(c), least = 1e-16 * largest_swing(c);
    const double high = std::min(2 * extent.high, most), low = std::max(0.5 * extent.low, least);
    if (!(high > low)) return {};
    return AxisRange{low, high};
}

NamedChart error_chart(const Comparison& c)
{
    NamedChart named{"error", "Distance from the reference over time, on a logarithmic scale.", {}};
    Panel panel{.x_label = "time [s]", .y_label = with_unit("|error| of " + c.measure, c.unit), .log_y = true};
    std::vector<double> all;
    for (const ComparedRun* run : drawn_runs(c)) {
        panel.series.push_back({.name = run->name, .x = run->trial.times, .y = run->errors});
        // Curves dip towards zero where they cross the reference; the dips need not be seen to their end.
        for (const double error : run->errors)
            if (error > 1e-3 * run->largest_error) all.push_back(error);
    }
    panel.y_range = error_range(c, all);
    named.chart = {.title = "Error over time", .subtitle = subtitle_of(c, true), .panels = {std::move(panel)}};
    return named;
}

std::string parameter_label(const Comparison& c)
{
    return c.is_by_step() ? "step taken [s]" : c.variations[*c.parameter].path;
}

bool has_positive_parameter(const Comparison& c)
{
    return std::all_of(c.runs.begin(), c.runs.end(), [&](const ComparedRun& run) { return c.parameter_of(run) > 0; });
}

Series method_series(const Comparison& c, const Method& method, bool by_work)
{
    const bool is_alone = method.runs.size() == 1;
    Series series{.name = method.name, .style = is_alone ? SeriesStyle::points : SeriesStyle::line_points};
    for (const std::size_t r : method.runs) {
        const ComparedRun& run = c.runs[r];
        if (run.verdict == Verdict::exploded) continue;
        series.x.push_back(by_work ? 1000 * run.trial.work() : c.parameter_of(run));
        series.y.push_back(run.largest_error);
    }
    return series;
}

// The power law of a method's slope through the middle of the runs that it was fitted to.
Series slope_line(const Comparison& c, const Method& method, const std::string& name)
{
    Series points{.name = name};
    for (const std::size_t r : method.runs)
        if (shows_order(c.runs[r]))
            points.x.push_back(c.parameter_of(c.runs[r])), points.y.push_back(c.runs[r].largest_error);
    Series line = fitted_line(points);
    line.name.clear();
    return line;
}

NamedChart convergence_chart(const Comparison& c)
{
    NamedChart named{"convergence", "Largest error by the varied parameter.", {}};
    const bool is_log = has_positive_parameter(c);
    Panel panel{.x_label = parameter_label(c),
                .y_label = with_unit("largest |error| of " + c.measure, c.unit),
                .log_x = is_log,
                .log_y = true};
    std::vector<Series> lines;
    std::vector<double> all;
    for (const Method* drawn : drawn_methods(c)) {
        const Method& method = *drawn;
        Series series = method_series(c, method, false);
        all.insert(all.end(), series.y.begin(), series.y.end());
        if (is_log && method.fitted > 1) {
            series.name += fmt::format("{}{} {:.2f}", method.name.empty() ? "" : ": ",
                                       c.is_by_step() ? "order" : "slope", method.slope);
            lines.push_back(slope_line(c, method, series.name));
        }
        panel.series.push_back(std::move(series));
    }
    std::move(lines.begin(), lines.end(), std::back_inserter(panel.series));
    panel.y_range = error_range(c, all);
    if (c.is_by_step()) named.caption += " The slope of each line is the observed order of its method.";
    named.caption += " Exploded runs are left out.";
    named.chart = {.title = "Convergence", .subtitle = subtitle_of(c, false), .panels = {std::move(panel)}};
    return named;
}

// Exploded runs must not set the scale.
std::optional<AxisRange> total_range(const Comparison& c, const std::vector<const ComparedRun*>& drawn)
{
    Extent extent;
    for (const ComparedRun* run : drawn) {
        extent.add(since_start(c.references[run->reference].totals));
        if (run->verdict != Verdict::exploded) extent.add(since_start(run->totals()));
    }
    return extent.widened(0.1);
}

NamedChart energy_chart(const Comparison& c)
{
    NamedChart named{"energy",
                     "energy.error is what the integrator got wrong of the balance of energies, over the largest "
                     "swing of any of them. Below it the energy of motion, springs, weight and gas since the start.",
                     {}};
    Panel error{.x_label = "time [s]", .y_label = "energy.error", .log_y = true};
    Panel total{.x_label = "time [s]", .y_label = "energy.total since the start [J]"};
    const std::vector<const ComparedRun*> drawn = drawn_runs(c);
    const bool has_error =
        std::any_of(drawn.begin(), drawn.end(), [](const ComparedRun* run) { return run->largest_energy_error > 0; });
    Extent extent;
    for (const ComparedRun* run : drawn) {
        error.series.push_back({.name = run->name, .x = run->trial.times, .y = run->energy_errors()});
        // The panel above, if any, has named the curves already.
        total.series.push_back({.name = has_error ? "" : run->name,
                                .x = run->trial.times,
                                .y = since_start(run->totals()),
                                .colour_like = has_error ? run->name : ""});
        for (const double value : run->energy_errors())
            if (value > std::max(1e-17, 1e-4 * run->largest_energy_error)) extent.add(value);
    }
    if (extent.low < std::min(extent.high, 1e3))
        error.y_range = AxisRange{0.5 * extent.low, 2 * std::min(extent.high, 1e3)};
    total.y_range = total_range(c, drawn);
    add_references(total, c, drawn, true);
    // Named above too, where it has no points: one legend for both panels, and a colour of its own.
    for (const Series& series : total.series)
        if (!series.name.empty() && has_error) error.series.push_back({.name = series.name, .style = series.style});
    named.chart = {.title = "Energy", .subtitle = subtitle_of(c, true), .share_x = true};
    if (has_error) named.chart.panels.push_back(std::move(error));
    named.chart.panels.push_back(std::move(total));
    return named;
}

NamedChart work_chart(const Comparison& c)
{
    NamedChart named{"work",
                     "Largest error by what it costs: the machine time for a second of simulated time. Lower and "
                     "farther left is better. Times are those of this machine on that day.",
                     {}};
    Panel panel{.x_label = "machine time per simulated second [ms]",
                .y_label = with_unit("largest |error| of " + c.measure, c.unit),
                .log_x = true,
                .log_y = true};
    for (const Method* method : drawn_methods(c)) panel.series.push_back(method_series(c, *method, true));
    for (std::size_t r = 0; r < c.runs.size() && c.methods.empty(); ++r)
        panel.series.push_back(method_series(c, {.name = c.runs[r].name, .runs = {r}}, true));
    std::vector<double> all;
    for (const Series& series : panel.series) all.insert(all.end(), series.y.begin(), series.y.end());
    panel.y_range = error_range(c, all);
    named.chart = {.title = "Work and precision", .subtitle = subtitle_of(c, false), .panels = {std::move(panel)}};
    return named;
}

// Runs with an error that can stand on a logarithmic axis.
std::size_t erring_runs(const Comparison& c)
{
    const auto errs = [](const ComparedRun& run) { return run.verdict != Verdict::exploded && run.largest_error > 0; };
    return static_cast<std::size_t>(std::count_if(c.runs.begin(), c.runs.end(), errs));
}

}  // namespace

std::vector<NamedChart> comparison_charts(const Comparison& c)
{
    std::vector<NamedChart> charts;
    if (c.runs.empty()) return charts;
    charts.push_back(trajectory_chart(c));
    const bool has_errors =
        std::any_of(c.runs.begin(), c.runs.end(), [](const ComparedRun& run) { return run.largest_error > 0; });
    if (has_errors) charts.push_back(error_chart(c));
    if (c.parameter && erring_runs(c) > 1) charts.push_back(convergence_chart(c));
    charts.push_back(energy_chart(c));
    if (erring_runs(c) > 1) charts.push_back(work_chart(c));
    if (c.parameter)
        charts.push_back({"stability",
                          "What came out of each run, by its largest error over the swing of the reference. Exploded: "
                          "the run failed, or was off by more than twice that swing.",
                          stability_chart(c)});
    return charts;
}

}  // namespace pliant
