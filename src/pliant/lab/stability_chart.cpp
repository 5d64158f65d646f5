// SPDX-License-Identifier: MIT

// A map of verdicts. Values of a parameter need not be evenly spaced but cells are: the map has many narrow
// cells and each takes the run that is nearest to it.

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>

#include <fmt/format.h>

#include <pliant/base/text.h>
#include <pliant/lab/comparison_charts.h>

namespace pliant {

namespace {

constexpr int kCells = 240;
constexpr double kBlank = std::numeric_limits<double>::quiet_NaN();

// The palette of categories goes by their order, so the verdicts stand where their colours are: blue, red, green, pink.
constexpr std::array kOrder = {Verdict::exact, Verdict::exploded, Verdict::close, Verdict::inaccurate};

double category_of(Verdict verdict)
{
    return static_cast<double>(std::find(kOrder.begin(), kOrder.end(), verdict) - kOrder.begin());
}

// The values of a numeric variation in ascending order, evenly cut into cells.
struct Ladder {
    std::string path;
    std::size_t variation = 0;
    std::vector<double> values;
    bool is_log = false;
    AxisRange edges;

    double place(double value) const { return is_log ? std::log(value) : value; }
    double back(double place) const { return is_log ? std::exp(place) : place; }

    // Index of the value nearest to the middle of each of n cells.
    std::vector<std::size_t> cells(int n) const
    {
        const double low = place(edges.lo), high = place(edges.hi);
        std::vector<std::size_t> indices;
        for (int i = 0; i < n; ++i) {
            const double middle = low + (i + 0.5) / n * (high - low);
            const auto nearest = std::min_element(values.begin(), values.end(), [&](double a, double b) {
                return std::abs(place(a) - middle) < std::abs(place(b) - middle);
            });
            indices.push_back(static_cast<std::size_t>(nearest - values.begin()));
        }
        return indices;
    }

    // Index of the run's value.
    std::size_t rung_of(const ComparedRun& run) const
    {
        const double value = to_number(run.settings[variation].value).value_or(values.front());
        return static_cast<std::size_t>(std::lower_bound(values.begin(), values.end(), value) - values.begin());
    }
};

Ladder ladder_of(const Comparison& c, std::size_t variation)
{
    Ladder ladder{.path = c.variations[variation].path, .variation = variation};
    ladder.values = c.variations[variation].numbers().value();
    std::sort(ladder.values.begin(), ladder.values.end());
    ladder.is_log = ladder.values.front() > 0;
    const std::size_t last = ladder.values.size() - 1;
    const auto place = [&](std::size_t i) { return ladder.place(ladder.values[i]); };
    ladder.edges.lo = ladder.back(place(0) - 0.5 * (place(1) - place(0)));
    ladder.edges.hi = ladder.back(place(last) + 0.5 * (place(last) - place(last - 1)));
    return ladder;
}

// A second parameter with three values or more makes the map two-dimensional.
std::optional<std::size_t> second_parameter(const Comparison& c)
{
    for (std::size_t v = 0; v < c.variations.size(); ++v)
        if (v != *c.parameter && c.variations[v].values.size() >= 3 && c.variations[v].numbers()) return v;
    return {};
}

std::string label_of(const Ladder& ladder)
{
    return ladder.path == "solver.step" ? ladder.path + " [s]" : ladder.path;
}

Panel empty_map(const Ladder& x)
{
    Panel panel{.x_label = label_of(x), .log_x = x.is_log};
    panel.cells = ChartCells{.columns = kCells, .x = x.edges};
    for (const Verdict verdict : kOrder) panel.cells->categories.emplace_back(name_of(verdict));
    return panel;
}

// Methods from top to bottom; their names stand beside the map.
Chart map_of_methods(const Comparison& c, const Ladder& x)
{
    Panel panel = empty_map(x);
    ChartCells& cells = *panel.cells;
    cells.rows = static_cast<int>(c.methods.size());
    cells.y = {0.5, cells.rows + 0.5};
    const std::vector<std::size_t> columns = x.cells(kCells);
    for (int row = 0; row < cells.rows; ++row) {
        const Method& method = c.methods[c.methods.size() - 1 - static_cast<std::size_t>(row)];
        std::vector<double> verdicts(x.values.size(), kBlank);
        for (const std::size_t r : method.runs) verdicts[x.rung_of(c.runs[r])] = category_of(c.runs[r].verdict);
        for (const std::size_t column : columns) cells.values.push_back(verdicts[column]);
        panel.levels.push_back({row + 1.0, method.name});
    }
    Chart chart{.height = 190 + 34 * cells.rows};
    chart.panels.push_back(std::move(panel));
    return chart;
}

Panel map_of_two(const Comparison& c, const Ladder& x, const Ladder& y, const std::vector<std::size_t>& runs)
{
    Panel panel = empty_map(x);
    panel.y_label = label_of(y), panel.log_y = y.is_log;
    ChartCells& cells = *panel.cells;
    cells.rows = kCells, cells.y = y.edges;
    std::vector<double> verdicts(x.values.size() * y.values.size(), kBlank);
    for (const std::size_t r : runs)
        verdicts[y.rung_of(c.runs[r]) * x.values.size() + x.rung_of(c.runs[r])] = category_of(c.runs[r].verdict);
    const std::vector<std::size_t> columns = x.cells(kCells);
    for (const std::size_t row : y.cells(kCells))
        for (const std::size_t column : columns) cells.values.push_back(verdicts[row * x.values.size() + column]);
    return panel;
}

// One panel for all runs that share what is neither x nor y.
Chart maps_of_two(const Comparison& c, const Ladder& x, const Ladder& y)
{
    std::vector<std::pair<std::string, std::vector<std::size_t>>> groups;
    for (std::size_t r = 0; r < c.runs.size(); ++r) {
        Settings others = c.runs[r].settings;
        std::erase_if(others, [&](const Override& o) { return o.path == x.path || o.path == y.path; });
        const std::string name = name_of_settings(others);
        const auto known = std::find_if(groups.begin(), groups.end(), [&](const auto& g) { return g.first == name; });
        if (known == groups.end())
            groups.push_back({name, {r}});
        else
            known->second.push_back(r);
    }
    Chart chart{.share_x = true};
    for (const auto& [name, runs] : groups) {
        chart.panels.push_back(map_of_two(c, x, y, runs));
        chart.panels.back().title = name;
    }
    return chart;
}

}  // namespace

Chart stability_chart(const Comparison& c)
{
    const Ladder x = ladder_of(c, *c.parameter);
    const std::optional<std::size_t> second = second_parameter(c);
    Chart chart = second ? maps_of_two(c, x, ladder_of(c, *second)) : map_of_methods(c, x);
    chart.title = "What came out";
    chart.subtitle = fmt::format("{}: largest error over the swing of the reference",
                                 std::filesystem::path(c.scene).filename().string());
    chart.legend = LegendPlace::above;
    return chart;
}

}  // namespace pliant
