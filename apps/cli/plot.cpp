// SPDX-License-Identifier: MIT

// pliant plot: measures of a take as a chart, or as columns.

#include <algorithm>
#include <array>
#include <filesystem>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include <pliant/base/hash.h>
#include <pliant/base/json.h>
#include <pliant/base/profile.h>
#include <pliant/base/text.h>
#include <pliant/record/chart.h>
#include <pliant/record/recording.h>

#include "measure_table.h"
#include "output.h"
#include "verbs.h"

namespace pliant::cli {

namespace {

struct Options {
    std::string take, output;
    std::vector<std::string> what;
    bool csv = false, force = false, quiet = false;
};

struct Curve {
    std::string name;
    std::vector<double> y;
};

constexpr std::array<const char*, 3> kPresets = {"energy", "volume", "profile"};

bool is_measure(const Recording& take, const std::string& name)
{
    const std::vector<std::string>& names = take.header().topology.measures;
    return std::find(names.begin(), names.end(), name) != names.end();
}

bool is_zero(const Curve& curve)
{
    return std::all_of(curve.y.begin(), curve.y.end(), [](double y) { return y == 0; });
}

// Measures that fit the patterns, in the order of the take.
std::vector<Curve> matching(const Recording& take, const std::vector<std::string>& patterns)
{
    std::vector<Curve> curves;
    for (const std::string& name : take.header().topology.measures)
        for (const std::string& pattern : patterns)
            if (matches(pattern, name)) {
                curves.push_back({name, take.measure(name)});
                break;
            }
    return curves;
}

// What is kept when motion turns into heat and inputs are paid for: flat, unless the integrator errs.
Curve balance(const Recording& take)
{
    Curve sum{"energy.balance", take.measure("energy.total")};
    const auto add = [&](const char* name, double sign) {
        const std::vector<double> part = take.measure(name);
        for (std::size_t f = 0; f < sum.y.size(); ++f) sum.y[f] += sign * part[f];
    };
    add("energy.dissipated", 1), add("energy.external", -1), add("energy.switched", -1);
    return sum;
}

std::vector<Curve> energy_curves(const Recording& take)
{
    std::vector<Curve> curves = matching(take, {"energy.*"});
    std::erase_if(curves, [](const Curve& curve) { return curve.name == "energy.error"; });
    curves.push_back(balance(take));
    return curves;
}

std::vector<Curve> stage_curves(const Recording& take)
{
    std::vector<Curve> curves;
    const std::vector<std::string>& names = take.header().topology.stages;
    std::vector<std::vector<double>> seconds = take.stage_seconds();
    for (std::size_t s = 0; s < names.size(); ++s) curves.push_back({names[s], std::move(seconds[s])});
    return curves;
}

// What a word of the command line stands for.
std::vector<Curve> curves_of(const Recording& take, const std::string& word)
{
    if (is_measure(take, word)) return {{word, take.measure(word)}};
    if (word == "energy") return energy_curves(take);
    if (word == "profile") return stage_curves(take);
    std::vector<Curve> curves = word == "volume" ? matching(take, {"*.volume", "*.pressure"}) : matching(take, {word});
    if (!curves.empty()) return curves;
    if (word == "volume")
        throw Error(Problem{.file = take.path(), .message = "no body has a volume"}, ErrorKind::usage);
    std::vector<std::string> known(kPresets.begin(), kPresets.end());
    known.insert(known.end(), take.header().topology.measures.begin(), take.header().topology.measures.end());
    throw Error(Problem{.file = take.path(),
                        .message = fmt::format("has no measure '{}'", word),
                        .cure = suggestion(word, known)},
                ErrorKind::usage);
}

std::string axis_label(const std::string& name, std::string_view unit)
{
    return unit == "1" ? name : fmt::format("{} [{}]", name, unit);
}

Series series_of(std::string name, const std::vector<double>& x, std::vector<double> y,
                 SeriesStyle style = SeriesStyle::line)
{
    return {.name = std::move(name), .x = x, .y = std::move(y), .style = style};
}

// Energies are drawn from their value at the start: where the zero of height lies means nothing, and
// the weight of a body would hide all that happens.
void add_energy_panels(Chart& chart, const Recording& take, std::vector<Curve> curves)
{
    const std::vector<double> times = take.times();
    Panel energies{.x_label = "time [s]", .y_label = "energy since the start [J]"};
    for (Curve& curve : curves) {
        const double start = curve.y.empty() ? 0 : curve.y.front();
        for (double& y : curve.y) y -= start;
        const bool is_balance = curve.name == "energy.balance";
        if (is_zero(curve) && !is_balance) continue;
        energies.series.push_back(series_of(curve.name.substr(std::string("energy.").size()), times, std::move(curve.y),
                                            is_balance ? SeriesStyle::dashed : SeriesStyle::line));
    }
    chart.panels.push_back(std::move(energies));
    Panel error{.x_label = "time [s]", .y_label = "energy.error", .log_y = true, .height_share = 0.45};
    error.series.push_back(series_of("", times, take.measure("energy.error")));
    chart.panels.push_back(std::move(error));
}

void add_profile_panel(Chart& chart, const Recording& take, std::vector<Curve> curves)
{
    Panel panel{.x_label = "time [s]", .y_label = "machine time per frame [ms]", .log_y = true};
    const std::vector<double> times = take.times();
    for (Curve& curve : curves) {
        if (is_zero(curve)) continue;
        for (double& y : curve.y) y *= 1000;
        panel.series.push_back(series_of(curve.name, times, std::move(curve.y)));
    }
    chart.panels.push_back(std::move(panel));
}

// One panel per quantity, in the order of first use.
void add_measure_panels(Chart& chart, const Recording& take, const std::vector<Curve>& curves)
{
    const std::vector<double> times = take.times();
    std::vector<const MeasureKind*> kinds;
    std::vector<Panel> panels;
    for (const Curve& curve : curves) {
        const MeasureKind& kind = measure_kind(curve.name);
        const auto same = [&](const MeasureKind* k) {
            return k->unit == kind.unit && (kind.unit != "1" || k->quantity == kind.quantity);
        };
        const auto at = static_cast<std::size_t>(std::find_if(kinds.begin(), kinds.end(), same) - kinds.begin());
        if (at == kinds.size()) {
            kinds.push_back(&kind);
            panels.push_back({.x_label = "time [s]", .y_label = axis_label(std::string(kind.quantity), kind.unit)});
            panels.back().log_y = curve.name == "energy.error";
        }
        panels[at].series.push_back(series_of(curve.name, times, curve.y));
    }
    for (Panel& panel : panels) {
        if (panel.series.size() == 1)  // the axis says it, no need of a legend
            panel.y_label = axis_label(std::exchange(panel.series[0].name, ""), kinds[&panel - panels.data()]->unit);
        chart.panels.push_back(std::move(panel));
    }
}

// A vertical line per time at which inputs changed something; the words stand on the first panel.
void add_events(Chart& chart, const std::vector<RecordedInput>& inputs)
{
    std::vector<ChartMark> marks;
    for (const RecordedInput& input : inputs) {
        const std::string target = input.target.starts_with("bodies.") ? input.target.substr(7) : input.target;
        const std::string label = fmt::format("{} = {}", target, bare_value(input.value));
        if (!marks.empty() && marks.back().value == input.time)
            marks.back().label += ", " + label;
        else
            marks.push_back({input.time, label});
    }
    for (std::size_t p = 0; p < chart.panels.size(); ++p) {
        chart.panels[p].events = marks;
        if (p > 0)
            for (ChartMark& mark : chart.panels[p].events) mark.label.clear();
    }
}

std::string description_of(const Recording& take)
{
    const Json scene = parse_json(take.header().scene_text, take.path()).value;
    const Json* description = scene.find("description");
    return description ? std::string(description->as_string().value_or("")) : "";
}

Chart chart_of(const Recording& take, const std::vector<std::string>& what)
{
    const std::string description = description_of(take);
    Chart chart{.title = description.empty() ? take.path() : description, .share_x = true};
    chart.subtitle =
        fmt::format("{}, {} frames", std::filesystem::path(take.path()).filename().string(), take.frame_count());
    std::vector<Curve> measures;
    for (const std::string& word : what) {
        std::vector<Curve> curves = curves_of(take, word);
        if (word == "energy")
            add_energy_panels(chart, take, std::move(curves));
        else if (word == "profile")
            add_profile_panel(chart, take, std::move(curves));
        else
            std::move(curves.begin(), curves.end(), std::back_inserter(measures));
    }
    add_measure_panels(chart, take, measures);
    add_events(chart, take.inputs());
    return chart;
}

int print_columns(const Recording& take, const std::vector<std::string>& what)
{
    std::vector<Curve> columns{{"time", take.times()}};
    for (const std::string& word : what) {
        std::vector<Curve> more = curves_of(take, word);
        if (word == "energy") more.push_back({"energy.error", take.measure("energy.error")});
        std::move(more.begin(), more.end(), std::back_inserter(columns));
    }
    for (std::size_t c = 0; c < columns.size(); ++c) fmt::print("{}{}", c == 0 ? "" : ",", columns[c].name);
    fmt::print("\n");
    for (std::size_t f = 0; f < columns.front().y.size(); ++f) {
        for (std::size_t c = 0; c < columns.size(); ++c)
            fmt::print("{}{}", c == 0 ? "" : ",", shortest(columns[c].y[f]));
        fmt::print("\n");
    }
    return kOk;
}

// take.plrec and "box.volume" make take-box.volume.svg; patterns are no part of a name.
std::string default_output(const Options& options, const std::vector<std::string>& what)
{
    const bool is_plain = what.size() == 1 && what.front().find_first_of("*?[/") == std::string::npos;
    return std::filesystem::path(options.take).stem().string() + '-' + (is_plain ? what.front() : "measures") + ".svg";
}

int plot(const Options& options)
{
    const Recording take = Recording::open(options.take);
    const std::vector<std::string> what = options.what.empty() ? std::vector<std::string>{"energy"} : options.what;
    if (options.csv) return print_columns(take, what);
    const std::string output = options.output.empty() ? default_output(options, what) : options.output;
    check_may_write(output, options.force);
    write_chart(output, chart_of(take, what), true);
    if (!options.quiet)
        say(fmt::format("wrote {}; next: look at it, or pliant info {} for the names of all measures", output,
                        options.take));
    return kOk;
}

}  // namespace

void setup_plot(CLI::App& app, int& exit_code)
{
    auto options = std::make_shared<Options>();
    CLI::App* verb = app.add_subcommand("plot", "Draw measures of a take as SVG or PNG.\n\n"
                                                "  pliant plot take.plrec energy -o energy.svg\n"
                                                "  pliant plot take.plrec box.volume ball.center.y -o out.png\n"
                                                "  pliant plot take.plrec 'box.*' --csv > box.csv\n\n"
                                                "energy, volume and profile draw the usual set; measures of one unit "
                                                "share a panel.\nThe names of all measures: pliant info take.plrec\n");
    verb->add_option("take", options->take, "the recording")->required();
    verb->add_option("what", options->what, "measures, patterns such as 'box.*', or energy (default), volume, profile")
        ->type_name("energy|volume|profile");
    verb->add_option("-o,--output", options->output,
                     "the picture: .svg or .png; TAKE-WHAT.svg in this folder by default")
        ->type_name("PICTURE");
    verb->add_flag("--csv", options->csv, "print columns to standard output instead");
    verb->add_flag("-f,--force", options->force, "overwrite the picture");
    verb->add_flag("-q,--quiet", options->quiet, "no talk");
    verb->callback([options, &exit_code] { exit_code = plot(*options); });
}

}  // namespace pliant::cli
