// SPDX-License-Identifier: MIT
#include <pliant/lab/comparison_report.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include <fmt/format.h>

#include <pliant/base/json_write.h>
#include <pliant/base/text.h>
#include <pliant/lab/comparison_charts.h>
#include <pliant/lab/judgement.h>
#include <pliant/lab/report_parts.h>

namespace pliant {

namespace {

void write_run(JsonWriter& json, const ComparedRun& run)
{
    json.begin_object().key("settings").begin_object();
    for (const Override& setting : run.settings) json.member(setting.path, parse_value_or_string(setting.value));
    json.end_object();
    const Trial& trial = run.trial;
    json.member("status", trial.status).member("message", trial.message).member("verdict", name_of(run.verdict));
    json.member("steps", trial.steps).member("sim_s", trial.sim_s).member("step_taken_s", trial.step_taken());
    json.member("largest_error", run.largest_error).member("relative_error", run.relative_error);
    json.member("end_error", run.end_error).member("energy_error", run.largest_energy_error);
    json.member("us_per_step", 1e6 * trial.step_s).member("work_ms_per_s", 1e3 * trial.work());
    json.end_object();
}

void write_methods(JsonWriter& json, const Comparison& c)
{
    json.key("methods").begin_array();
    for (const Method& method : c.methods)
        json.begin_object()
            .member("name", method.name)
            .member("slope", method.slope)
            .member("fitted_runs", method.fitted)
            .end_object();
    json.end_array();
}

}  // namespace

std::string runs_csv(const Comparison& c)
{
    std::string text;
    for (const Variation& variation : c.variations) text += csv_field(variation.path) + ',';
    text += "status,verdict,steps,step_taken_s,sim_s,largest_error,relative_error,end_error,energy_error,us_per_step,"
            "work_ms_per_s,message\n";
    for (const ComparedRun& run : c.runs) {
        for (const Override& setting : run.settings) text += csv_field(setting.value) + ',';
        const Trial& trial = run.trial;
        text += fmt::format("{},{},{},", trial.status, name_of(run.verdict), trial.steps);
        for (const double value : {trial.step_taken(), trial.sim_s, run.largest_error, run.relative_error,
                                   run.end_error, run.largest_energy_error, 1e6 * trial.step_s, 1e3 * trial.work()})
            text += csv_number(value) + ',';
        text += csv_field(trial.message) + '\n';
    }
    return text;
}

std::string series_csv(const Comparison& c)
{
    struct Column {
        std::string name;
        const std::vector<double>*times, *values;
        std::size_t next = 0;
    };
    std::vector<Column> columns;
    std::vector<double> times;
    for (const ComparedRun& run : c.runs) columns.push_back({run.name, &run.trial.times, &run.values()});
    for (const Reference& r : c.references)
        columns.push_back(
            {(r.is_exact ? "exact" : "reference") + (r.physics.empty() ? "" : ", " + name_of_settings(r.physics)),
             &r.times, &r.values});
    for (const Column& column : columns) times.insert(times.end(), column.times->begin(), column.times->end());
    std::string text = "time";
    for (const Column& column : columns) text += ',' + csv_field(column.name);
    text += '\n';
    for (const double time : merged_times(std::move(times))) {
        text += shortest(time);
        for (Column& column : columns) {
            text += ',';
            const bool is_there =
                column.next < column.times->size() && is_same_time((*column.times)[column.next], time);
            if (is_there) text += csv_number((*column.values)[column.next++]);
        }
        text += '\n';
    }
    return text;
}

std::string to_json(const Comparison& c)
{
    std::string text;
    JsonWriter json(text);
    json.begin_object();
    json.member("scene", c.scene).member("measure", c.measure).member("unit", c.unit);
    json.member("reference", c.reference_words).member("interrupted", c.interrupted);
    json.key("notes").begin_array();
    for (const std::string& note : c.notes) json.value(note);
    json.end_array();
    json.key("runs").begin_array();
    for (const ComparedRun& run : c.runs) write_run(json, run);
    json.end_array();
    json.key("parameter");
    c.parameter ? json.value(c.variations[*c.parameter].path) : json.null();
    write_methods(json, c);
    json.end_object();
    return text;
}

std::vector<std::string> write_report(const std::string& folder, const Comparison& comparison,
                                      const std::string& command_line)
{
    std::filesystem::create_directories(folder);
    remove_charts(folder);
    std::vector<std::string> names{"index.html", "runs.csv", "series.csv"};
    write_text(folder, names[0], comparison_page(comparison, command_line));
    write_text(folder, names[1], runs_csv(comparison));
    write_text(folder, names[2], series_csv(comparison));
    write_charts(folder, comparison_charts(comparison), names);
    return names;
}

}  // namespace pliant
