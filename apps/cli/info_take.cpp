// SPDX-License-Identifier: MIT

// pliant info TAKE: what was simulated, how far it came, what was measured, where the time went.

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <limits>
#include <span>

#include <fmt/format.h>

#include <pliant/base/hash.h>
#include <pliant/base/json_write.h>
#include <pliant/base/profile.h>
#include <pliant/base/text.h>
#include <pliant/record/recording.h>
#include <pliant/record/run.h>

#include "info.h"
#include "measure_table.h"
#include "output.h"
#include "verbs.h"

namespace pliant::cli {

namespace {

/// Wall time per frame in one stage [s].
struct StageRow {
    std::string name;
    Summary seconds;
};

struct TakeFacts {
    const Recording& take;
    Scene scene;
    Frame last;
    std::string status, message;
    std::int64_t frames_wanted = 0;
    std::vector<MeasureSummary> measures;
    std::vector<StageRow> stages, contact;

    double seconds_of(const std::string& stage) const
    {
        for (const StageRow& row : stages)
            if (row.name == stage) return row.seconds.sum;
        return 0;
    }
};

MeasureSummary measured(const Recording& take, const std::string& name)
{
    const std::vector<double> values = take.measure(name);
    MeasureSummary s{.name = name};
    s.first = values.front(), s.last = values.back();
    for (const double value : values) {
        if (std::isnan(value)) continue;
        s.min = std::min(s.min, value), s.max = std::max(s.max, value);
    }
    return s;
}

// The stages of the thesis' tables 4.3 and 4.4, forces first.
constexpr std::array kStages = {Stage::gravity, Stage::elements,  Stage::volume, Stage::pressure,
                                Stage::forces,  Stage::integrate, Stage::matrix, Stage::linear,
                                Stage::collide, Stage::measure,   Stage::record, Stage::step};

// What response bridson spends inside collide; printed where there is any.
constexpr std::array kContactStages = {Stage::search, Stage::near, Stage::hits, Stage::rows, Stage::zones};

std::vector<StageRow> stage_rows(const Recording& take, std::span<const Stage> stages)
{
    const std::vector<std::string>& names = take.header().topology.stages;
    std::vector<std::vector<double>> seconds = take.stage_seconds();
    std::vector<StageRow> rows;
    for (const Stage stage : stages) {
        const auto at = std::find(names.begin(), names.end(), name(stage));
        if (at == names.end()) continue;
        std::vector<double>& sample = seconds[static_cast<std::size_t>(at - names.begin())];
        if (!sample.empty()) sample.erase(sample.begin());  // the start state took no step
        rows.push_back({*at, summarize(std::move(sample))});
    }
    return rows;
}

std::string text_of(const Json& object, const char* key)
{
    const Json* member = object.find(key);
    return member ? std::string(member->as_string().value_or("")) : "";
}

TakeFacts facts_of(const Recording& take)
{
    const RecordingHeader& header = take.header();
    if (take.frame_count() == 0)
        throw Error(
            Problem{.file = take.path(), .message = "holds no frame yet", .cure = "pliant run --resume, or --force"});
    TakeFacts facts{.take = take,
                    .scene = parse_scene(header.scene_text, header.scene_path).scene,
                    .last = take.frame(take.frame_count() - 1),
                    .stages = stage_rows(take, kStages),
                    .contact = stage_rows(take, kContactStages)};
    facts.frames_wanted = last_frame(facts.scene) / std::max(1, facts.scene.record.every) + 1;
    for (const std::string& name : header.topology.measures) facts.measures.push_back(measured(take, name));
    const Json summary = parse_json(take.summary(), take.path()).value;
    facts.status = take.is_finished() ? text_of(summary, "status") : "unfinished";
    facts.message = take.is_finished() ? text_of(summary, "message") : facts.last.message;
    return facts;
}

void print_head(const TakeFacts& f)
{
    const RecordingHeader& header = f.take.header();
    if (!f.scene.description.empty()) fmt::print("{}\n", f.scene.description);
    std::error_code ignored;
    const auto bytes = static_cast<double>(std::filesystem::file_size(f.take.path(), ignored));
    fmt::print("scene     {}\n", header.scene_path.empty() ? "(made in code)" : header.scene_path);
    fmt::print("recorded  by pliant {}, {:.1f} MiB\n", header.version, bytes / (1024 * 1024));
    if (f.take.is_finished())
        fmt::print("status    finished: {}\n", f.status);
    else
        fmt::print("status    unfinished: {} of {} frames, {:g} s of {:g} s\n", f.take.frame_count(), f.frames_wanted,
                   f.last.time, f.scene.world.duration);
    if (!f.message.empty()) fmt::print("          {}\n", f.message);
    fmt::print("frames    {}, 0 s to {:g} s, {:g} per second, {} steps\n", f.take.frame_count(), f.last.time,
               header.topology.frame_rate, f.last.step);
    fmt::print("hash      {}\n", hex(f.last.hash));
    for (const RecordedInput& input : f.take.inputs())
        fmt::print("input     at {:g} s: {} = {}\n", input.time, input.target, bare_value(input.value));
}

std::string measures_text(const TakeFacts& f)
{
    Table table("lrrrrl");
    table.add({"measure", "first", "last", "min", "max", "unit"});
    const auto number = [](double value) { return fmt::format("{:.6g}", value); };
    for (const MeasureSummary& m : f.measures) {
        const std::string unit(measure_kind(m.name).unit);
        table.add({m.name, number(m.first), number(m.last), number(m.min), number(m.max), unit == "1" ? "" : unit});
    }
    return table.text();
}

std::string profile_text(const TakeFacts& f)
{
    Table table("l" + std::string(f.stages.size(), 'r'));
    const auto add = [&](const char* name, const auto& cell) {
        std::vector<std::string> row{name};
        for (const StageRow& stage : f.stages) row.push_back(cell(stage));
        table.add(std::move(row));
    };
    const auto add_ms = [&](const char* name, double Summary::*which) {
        add(name, [&](const StageRow& stage) { return fmt::format("{:.4f}", 1000 * stage.seconds.*which); });
    };
    const auto share = [](double part, double whole) {
        return whole > 0 ? fmt::format("{:.2f}", 100 * part / whole) : std::string("-");
    };
    add("", [](const StageRow& stage) { return stage.name; });
    add_ms("min", &Summary::min), add_ms("Q1", &Summary::q1), add_ms("median", &Summary::median);
    add_ms("Q3", &Summary::q3), add_ms("max", &Summary::max), add_ms("mean", &Summary::mean);
    const double step = f.seconds_of("step"), forces = f.seconds_of("forces");
    add("% of step", [&](const StageRow& stage) { return share(stage.seconds.sum, step); });
    bool inside = true;  // gravity to forces stand first
    add("% of forces", [&](const StageRow& stage) {
        std::string cell = inside ? share(stage.seconds.sum, forces) : "";
        inside = inside && stage.name != "forces";
        return cell;
    });
    return table.text();
}

std::string contact_text(const TakeFacts& f)
{
    double whole = 0;
    for (const StageRow& stage : f.contact) whole += stage.seconds.sum;
    if (!(whole > 0)) return "";
    const double collide = f.seconds_of("collide");
    Table table("lrrrr");
    table.add({"inside collide", "median", "mean", "max", "% of collide"});
    for (const StageRow& stage : f.contact)
        table.add({stage.name, fmt::format("{:.4f}", 1000 * stage.seconds.median),
                   fmt::format("{:.4f}", 1000 * stage.seconds.mean), fmt::format("{:.4f}", 1000 * stage.seconds.max),
                   collide > 0 ? fmt::format("{:.2f}", 100 * stage.seconds.sum / collide) : "-"});
    return "\n" + table.text() +
           "  Search finds candidates, near and hits tell which of them are near or cross, rows solves them, zones "
           "moves what is left\n  as if it were rigid.\n";
}

void write_json(JsonWriter& json, const TakeFacts& f)
{
    const RecordingHeader& header = f.take.header();
    json.begin_object();
    json.member("file", f.take.path()).member("scene", header.scene_path).member("description", f.scene.description);
    json.member("version", header.version).member("finished", f.take.is_finished());
    json.member("status", f.status).member("message", f.message).member("hash", hex(f.last.hash));
    json.member("frames", f.take.frame_count()).member("frames_wanted", f.frames_wanted);
    json.member("frame_rate", header.topology.frame_rate).member("substeps", f.last.step);
    json.member("sim_s", f.last.time).member("duration", f.scene.world.duration);
    json.key("bodies").begin_object();
    for (const BodyRange& body : header.topology.bodies) {
        json.key(body.name).begin_object().member("kind", body.kind).member("vertices", body.point_count);
        json.member("triangles", body.triangle_count).member("lines", body.line_count).end_object();
    }
    json.end_object().key("inputs").begin_array();
    for (const RecordedInput& input : f.take.inputs()) {
        json.begin_object().member("time", input.time).member("target", input.target);
        json.member("value", parse_json(input.value, "").value).end_object();
    }
    json.end_array().key("measures").begin_object();
    for (const MeasureSummary& m : f.measures) {
        json.key(m.name).begin_object().member("first", m.first).member("last", m.last).member("min", m.min);
        json.member("max", m.max).member("unit", measure_kind(m.name).unit).end_object();
    }
    json.end_object().key("profile").begin_object();
    std::vector<StageRow> stages = f.stages;
    stages.insert(stages.end(), f.contact.begin(), f.contact.end());
    for (const auto& [stage, s] : stages) {
        json.key(stage).begin_object().member("min", s.min).member("q1", s.q1).member("median", s.median);
        json.member("q3", s.q3).member("max", s.max).member("mean", s.mean).member("sum", s.sum).end_object();
    }
    json.end_object().end_object();
}

void print_next(const TakeFacts& f)
{
    if (f.take.is_finished())
        say(fmt::format("next: pliant plot {0} energy -o energy.svg, or pliant export {0} -o take.glb", f.take.path()));
    else
        say(fmt::format("next: pliant run --resume {} goes on where it stopped", f.take.path()));
}

}  // namespace

int info_take(const std::string& path, bool as_json, bool quiet)
{
    const Recording take = Recording::open(path);
    const TakeFacts facts = facts_of(take);
    if (as_json) {
        std::string text;
        JsonWriter json(text);
        write_json(json, facts);
        fmt::print("{}\n", text);
        return kOk;
    }
    print_head(facts);
    fmt::print("\n{}\n{}", bodies_text(take.header().topology), measures_text(facts));
    fmt::print("\ntime of the machine by stage, ms per frame\n{}", profile_text(facts));
    fmt::print(
        "  Elements are springs and tetrahedra. Volume is inside pressure; gravity, elements and pressure are inside "
        "forces,\n"
        "  forces inside integrate, integrate and collide inside step; measure and record come after the step.\n");
    fmt::print("{}", contact_text(facts));
    if (!quiet) print_next(facts);
    return kOk;
}

}  // namespace pliant::cli
