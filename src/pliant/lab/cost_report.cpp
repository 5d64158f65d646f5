// SPDX-License-Identifier: MIT
#include <pliant/lab/cost_report.h>

#include <array>
#include <cmath>
#include <filesystem>
#include <limits>

#include <fmt/format.h>

#include <pliant/base/json_write.h>
#include <pliant/base/markup.h>
#include <pliant/lab/cost_charts.h>
#include <pliant/lab/report_parts.h>

namespace pliant {

namespace {

// [ms] in the order of the columns: whole, model, integration, collision, other, median, worst; then the ratio. A run
// that failed has none.
std::array<double, 8> figures_of(const CostRun& run)
{
    const StageSeconds& s = run.per_frame;
    std::array<double, 8> all{1e3 * s.total(), 1e3 * s.model,      1e3 * s.integration, 1e3 * s.collision,
                              1e3 * s.other,   1e3 * run.median_s, 1e3 * run.worst_s,   run.ratio};
    if (run.failed) all.fill(std::numeric_limits<double>::quiet_NaN());
    return all;
}

constexpr std::array<const char*, 8> kColumns = {"ms_per_frame", "model_ms",  "integration_ms", "collision_ms",
                                                 "other_ms",     "median_ms", "worst_ms",       "ratio_to_fastest"};

void write_run(JsonWriter& json, const CostRun& run)
{
    json.begin_object().key("settings").begin_object();
    for (const Override& setting : run.settings) json.member(setting.path, parse_value_or_string(setting.value));
    json.end_object();
    json.member("status", run.status).member("message", run.message).member("particles", run.particles);
    json.member("frames", run.frames).member("steps", run.steps);
    const std::array<double, 8> figures = figures_of(run);
    for (std::size_t i = 0; i < figures.size(); ++i) json.member(kColumns[i], figures[i]);
    json.end_object();
}

std::string runs_table(const CostComparison& c)
{
    std::string html = "<div class=\"wide\"><table>\n<tr>";
    for (const Variation& variation : c.variations) html += "<th>" + markup_text(variation.path) + "</th>";
    html += "<th>status</th>";
    for (const char* heading : {"particles", "frames", "steps", "ms per frame", "model", "integration", "collision",
                                "other", "median frame", "worst frame", "over the fastest"})
        html += fmt::format("<th class=\"n\">{}</th>", heading);
    html += "</tr>\n";
    for (const CostRun& run : c.runs) {
        html += run.failed ? "<tr class=\"exploded\">" : "<tr>";
        for (const Override& setting : run.settings) html += cell(setting.value);
        html += fmt::format("<td title=\"{}\">{}</td>", markup_text(run.message), markup_text(run.status));
        html += fmt::format("<td class=\"n\">{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td>", run.particles,
                            run.frames, run.steps);
        for (const double value : figures_of(run)) html += number_cell(value);
        html += "</tr>\n";
    }
    return html + "</table></div>\n";
}

// What the cases are, since tables and charts only have their names.
std::string cases_list(const CostComparison& c)
{
    std::string items;
    for (const Variation& variation : c.variations)
        for (std::size_t i = 0; i < variation.cases.size(); ++i) {
            items += fmt::format("<li><b>{}</b>:", markup_text(variation.values[i]));
            for (const Override& setting : variation.cases[i])
                items += fmt::format(" <code>{}={}</code>", markup_text(setting.path), markup_text(setting.value));
            items += variation.cases[i].empty() ? " the scene as it is</li>\n" : "</li>\n";
        }
    return items.empty() ? "" : "<ul>\n" + items + "</ul>\n";
}

}  // namespace

std::string times_csv(const CostComparison& c)
{
    std::string text;
    for (const Variation& variation : c.variations) text += csv_field(variation.path) + ',';
    text += "status,particles,frames,steps";
    for (const char* column : kColumns) text += fmt::format(",{}", column);
    text += ",message\n";
    for (const CostRun& run : c.runs) {
        for (const Override& setting : run.settings) text += csv_field(setting.value) + ',';
        text += fmt::format("{},{},{},{}", run.status, run.particles, run.frames, run.steps);
        for (const double value : figures_of(run)) text += ',' + csv_number(value);
        text += ',' + csv_field(run.message) + '\n';
    }
    return text;
}

std::string to_json(const CostComparison& c)
{
    std::string text;
    JsonWriter json(text);
    json.begin_object();
    json.member("scene", c.scene).member("threads", c.threads).member("interrupted", c.interrupted);
    json.member("axis", c.axis_label).member("disturbed", c.disturbed);
    json.key("runs").begin_array();
    for (const CostRun& run : c.runs) write_run(json, run);
    json.end_array();
    json.key("curves").begin_array();
    for (const CostCurve& curve : c.curves)
        json.begin_object().member("name", curve.name).member("slope", curve.slope).end_object();
    json.end_array();
    json.end_object();
    return text;
}

std::string cost_page(const CostComparison& c, const std::string& command_line)
{
    std::string html = page_begin(c.scene, c.description, c.runs.size());
    html += "<pre>" + markup_text(command_line) + "</pre>\n" + cases_list(c);
    html += fmt::format("<h2>{} runs</h2>\n", c.runs.size()) + runs_table(c);
    html += fmt::format("<p>Milliseconds of machine time per frame, {} thread{}, runs one after the other; short runs "
                        "are the fastest of a few repeats. A run that failed has no time.</p>\n",
                        c.threads, c.threads == 1 ? "" : "s");
    html += figures(cost_charts(c));
    std::string messages;
    for (const CostRun& run : c.runs)
        if (!run.message.empty())
            messages += fmt::format("<li>{}: {}</li>\n", markup_text(run.name), markup_text(run.message));
    if (!messages.empty()) html += "<h2>What runs said</h2>\n<ul>\n" + messages + "</ul>\n";
    return html + page_end();
}

std::vector<std::string> write_cost_report(const std::string& folder, const CostComparison& comparison,
                                           const std::string& command_line)
{
    std::filesystem::create_directories(folder);
    remove_charts(folder);
    std::vector<std::string> names{"index.html", "times.csv"};
    write_text(folder, names[0], cost_page(comparison, command_line));
    write_text(folder, names[1], times_csv(comparison));
    write_charts(folder, cost_charts(comparison), names);
    return names;
}

}  // namespace pliant
