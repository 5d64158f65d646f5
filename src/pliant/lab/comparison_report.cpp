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
#include <pliant/record/output_file.h>

namespace pliant {

namespace {

// A field of a table of commas: quoted where it must be.
std::string field(const std::string& text)
{
    if (text.find_first_of(",\"\n") == std::string::npos) return text;
    std::string safe = "\"";
    for (const char c : text) safe += c == '"' ? std::string("\"\"") : std::string(1, c);
    return safe + '"';
}

std::string number(double value)
{
    return std::isfinite(value) ? shortest(value) : "";
}

void write_file(const std::string& folder, const std::string& name, const std::string& text)
{
    OutputFile file((std::filesystem::path(folder) / name).string());
    file.write(text);
    file.commit();
}

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
    for (const Variation& variation : c.variations) text += field(variation.path) + ',';
    text += "status,verdict,steps,step_taken_s,sim_s,largest_error,relative_error,end_error,energy_error,us_per_step,"
            "work_ms_per_s,message\n";
    for (const ComparedRun& run : c.runs) {
        for (const Override& setting : run.settings) text += field(setting.value) + ',';
        const Trial& trial = run.trial;
        text += fmt::format("{},{},{},", trial.status, name_of(run.verdict), trial.steps);
        for (const double value : {trial.step_taken(), trial.sim_s, run.largest_error, run.relative_error,
                                   run.end_error, run.largest_energy_error, 1e6 * trial.step_s, 1e3 * trial.work()})
            text += number(value) + ',';
        text += field(trial.message) + '\n';
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
    for (const Column& column : columns) text += ',' + field(column.name);
    text += '\n';
    for (const double time : merged_times(std::move(times))) {
        text += shortest(time);
        for (Column& column : columns) {
            text += ',';
            const bool is_there =
                column.next < column.times->size() && is_same_time((*column.times)[column.next], time);
            if (is_there) text += number((*column.values)[column.next++]);
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
    for (const char* name : {"trajectory", "error", "convergence", "energy", "work", "stability"})
        for (const char* extension : {".svg", ".png"})
            std::filesystem::remove(std::filesystem::path(folder) / (std::string(name) + extension));
    std::vector<std::string> names{"index.html", "runs.csv", "series.csv"};
    write_file(folder, names[0], comparison_page(comparison, command_line));
    write_file(folder, names[1], runs_csv(comparison));
    write_file(folder, names[2], series_csv(comparison));
    for (const NamedChart& named : comparison_charts(comparison))
        for (const char* extension : {".svg", ".png"}) {
            names.push_back(named.name + extension);
            write_chart((std::filesystem::path(folder) / names.back()).string(), named.chart, true);
        }
    return names;
}

}  // namespace pliant
