// SPDX-License-Identifier: MIT
#include "cost_table.h"

#include <cmath>

#include <fmt/format.h>

#include "output.h"

namespace pliant::cli {

namespace {

std::string milliseconds(const CostRun& run, double seconds)
{
    return run.failed ? "-" : fmt::format("{:.4g}", 1e3 * seconds);
}

void print_runs(const CostComparison& c)
{
    std::vector<std::string> heading;
    for (const Variation& variation : c.variations) heading.push_back(variation.path);
    heading.insert(heading.end(), {"status", "particles", "steps", "ms per frame", "model", "integration", "collision",
                                   "other", "worst frame", "over fastest"});
    Table table(std::string(c.variations.size() + 1, 'l') + "rrrrrrrrr");
    table.add(heading);
    for (const CostRun& run : c.runs) {
        std::vector<std::string> row;
        for (const Override& setting : run.settings) row.push_back(setting.value);
        const StageSeconds& s = run.per_frame;
        row.insert(row.end(), {run.status, std::to_string(run.particles), std::to_string(run.steps)});
        for (const double seconds : {s.total(), s.model, s.integration, s.collision, s.other, run.worst_s})
            row.push_back(milliseconds(run, seconds));
        row.push_back(run.failed ? "-" : fmt::format("{:.2f}", run.ratio));
        table.add(std::move(row));
    }
    fmt::print("{}", table.text());
}

void print_curves(const CostComparison& c)
{
    if (!c.axis_variation) return;
    fmt::print("\nhow the time per frame grows with {}:\n", c.axis_label);
    Table table("lr");
    table.add({"case", "slope of log(time)"});
    for (const CostCurve& curve : c.curves)
        table.add({curve.name.empty() ? "all" : curve.name,
                   std::isfinite(curve.slope) ? fmt::format("{:.2f}", curve.slope) : "-"});
    fmt::print("{}", table.text());
}

}  // namespace

void print_costs(const CostComparison& comparison)
{
    fmt::print("milliseconds of machine time per frame, {} thread{}, runs one after the other\n\n", comparison.threads,
               comparison.threads == 1 ? "" : "s");
    print_runs(comparison);
    print_curves(comparison);
}

}  // namespace pliant::cli
