// SPDX-License-Identifier: MIT
#include <pliant/lab/judgement.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include <pliant/record/chart.h>

namespace pliant {

namespace {

constexpr double kNotKnown = std::numeric_limits<double>::quiet_NaN();

// A slope through runs whose parameters are nearer than this factor is noise: substeps auto makes such runs.
constexpr double kLeastSpread = 1.5;

// [s] Times nearer than this are one.
double tolerance_at(double time)
{
    return 1e-10 * std::max(1e-6, std::abs(time));
}

double largest(const std::vector<double>& values)
{
    double most = 0;
    for (const double value : values)
        if (!(value <= most)) most = std::isnan(value) ? most : value;
    return most;
}

Verdict verdict_of(const ComparedRun& run, double swing)
{
    if (run.trial.failed || !(run.largest_error <= kExplosion * swing)) return Verdict::exploded;
    if (run.relative_error <= 0.01) return Verdict::exact;
    return run.relative_error <= 0.1 ? Verdict::close : Verdict::inaccurate;
}

void judge_run(ComparedRun& run, const Reference& reference)
{
    const std::vector<double>& values = run.values();
    for (std::size_t i = 0; i < values.size(); ++i)
        run.errors.push_back(std::abs(values[i] - reference_value(reference, run.trial.times[i])));
    run.largest_error = largest(run.errors);
    run.end_error = run.errors.empty() ? kNotKnown : run.errors.back();
    run.largest_energy_error = largest(run.energy_errors());
    run.relative_error = reference.swing > 0     ? run.largest_error / reference.swing
                         : run.largest_error > 0 ? kNoLimit
                                                 : 0;
    run.verdict = verdict_of(run, reference.swing);
}

// The axis of charts: lengths of steps before any other numbers.
std::optional<std::size_t> parameter_among(const std::vector<Variation>& variations)
{
    std::optional<std::size_t> found;
    for (std::size_t v = 0; v < variations.size(); ++v) {
        if (variations[v].values.size() < 3 || !variations[v].numbers()) continue;
        if (variations[v].path == "solver.step") return v;
        if (!found) found = v;
    }
    return found;
}

// What summing this many steps leaves of a number's last digits.
double rounding_of(const ComparedRun& run)
{
    double magnitude = 0;
    for (const double value : run.values()) magnitude = std::max(magnitude, std::abs(value));
    return std::numeric_limits<double>::epsilon() * magnitude * static_cast<double>(run.trial.steps);
}

void fit(Method& method, const Comparison& comparison)
{
    Series points;
    for (const std::size_t r : method.runs) {
        const ComparedRun& run = comparison.runs[r];
        if (!shows_order(run) || !(comparison.parameter_of(run) > 0)) continue;
        points.x.push_back(comparison.parameter_of(run)), points.y.push_back(run.largest_error);
    }
    const auto [least, most] = std::minmax_element(points.x.begin(), points.x.end());
    const bool is_spread = !points.x.empty() && *most >= kLeastSpread * *least;
    method.slope = is_spread ? fitted_slope(points) : kNotKnown;
    method.fitted = std::isnan(method.slope) ? 0 : points.x.size();
}

void add_methods(Comparison& comparison)
{
    for (std::size_t r = 0; r < comparison.runs.size(); ++r) {
        Settings others = comparison.runs[r].settings;
        others.erase(others.begin() + static_cast<std::ptrdiff_t>(*comparison.parameter));
        const std::string name = name_of_settings(others);
        auto at = std::find_if(comparison.methods.begin(), comparison.methods.end(),
                               [&](const Method& method) { return method.name == name; });
        if (at == comparison.methods.end()) at = comparison.methods.insert(at, Method{.name = name});
        at->runs.push_back(r);
    }
    for (Method& method : comparison.methods) fit(method, comparison);
}

}  // namespace

bool is_same_time(double a, double b)
{
    return std::abs(a - b) <= tolerance_at(b);
}

std::vector<double> merged_times(std::vector<double> times)
{
    std::sort(times.begin(), times.end());
    times.erase(std::unique(times.begin(), times.end(), is_same_time), times.end());
    return times;
}

double reference_value(const Reference& reference, double time)
{
    const double slack = tolerance_at(time);
    const auto at = std::lower_bound(reference.times.begin(), reference.times.end(), time - slack);
    if (at == reference.times.end() || *at > time + slack) return kNotKnown;
    return reference.values[static_cast<std::size_t>(at - reference.times.begin())];
}

bool shows_order(const ComparedRun& run)
{
    const bool is_near = run.verdict == Verdict::exact || run.verdict == Verdict::close;
    return is_near && run.largest_error > rounding_of(run);
}

void judge(Comparison& comparison)
{
    for (ComparedRun& run : comparison.runs) judge_run(run, comparison.references[run.reference]);
    comparison.parameter = parameter_among(comparison.variations);
    if (comparison.parameter) add_methods(comparison);
}

}  // namespace pliant
