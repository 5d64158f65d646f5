// SPDX-License-Identifier: MIT
#include <pliant/record/run.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <optional>
#include <span>
#include <utility>

#include <sys/resource.h>

#include <fmt/format.h>

#include <pliant/base/hash.h>
#include <pliant/base/json_write.h>
#include <pliant/contact/contact_log.h>
#include <pliant/record/actions.h>
#include <pliant/record/advice.h>
#include <pliant/record/background_writer.h>
#include <pliant/world/measures.h>
#include <pliant/world/step.h>

namespace pliant {

namespace {

using Clock = std::chrono::steady_clock;

// Collects the summaries of all measures as frames come in.
class Tally {
public:
    Tally(const std::vector<std::string>& names, double window_start) : window_start_(window_start), sums_(names.size())
    {
        for (const std::string& name : names) summaries_.push_back({.name = name});
    }

    void add(double time, const std::vector<double>& values)
    {
        const bool in_window = time >= window_start_;
        for (std::size_t m = 0; m < summaries_.size(); ++m) {
            MeasureSummary& s = summaries_[m];
            if (count_ == 0) s.first = values[m];
            s.last = values[m];
            s.min = std::min(s.min, values[m]), s.max = std::max(s.max, values[m]);
            if (in_window) sums_[m] += values[m];
        }
        ++count_;
        if (in_window) ++in_window_;
    }

    std::vector<MeasureSummary> finish()
    {
        for (std::size_t m = 0; m < summaries_.size(); ++m)
            summaries_[m].mean = in_window_ > 0 ? sums_[m] / static_cast<double>(in_window_) : summaries_[m].last;
        return std::move(summaries_);
    }

private:
    double window_start_;
    std::vector<MeasureSummary> summaries_;
    std::vector<double> sums_;
    std::int64_t count_ = 0, in_window_ = 0;
};

// "box.volume.max" is the largest value of box.volume, unless a measure has that very name.
double expected_value(const std::vector<MeasureSummary>& measures, const std::string& name)
{
    const auto find = [&](const std::string& wanted) -> const MeasureSummary* {
        for (const MeasureSummary& m : measures)
            if (m.name == wanted) return &m;
        return nullptr;
    };
    if (const MeasureSummary* m = find(name)) return m->last;
    const std::size_t dot = name.rfind('.');
    const MeasureSummary* m = dot == std::string::npos ? nullptr : find(name.substr(0, dot));
    const std::string which = dot == std::string::npos ? "" : name.substr(dot + 1);
    if (m && which == "first") return m->first;
    if (m && which == "min") return m->min;
    if (m && which == "max") return m->max;
    if (m && which == "mean") return m->mean;
    return std::numeric_limits<double>::quiet_NaN();
}

std::vector<Expectation> judged(const Scene& scene, const std::vector<MeasureSummary>& measures)
{
    std::vector<Expectation> all;
    for (const auto& [name, bounds] : scene.expect) {
        Expectation e{.name = name, .low = bounds.low, .high = bounds.high, .found = expected_value(measures, name)};
        e.met = e.found >= e.low && e.found <= e.high;
        all.push_back(e);
    }
    return all;
}

void take_report(RunSummary& summary, const StepReport& report, const Model& model)
{
    summary.profile += report.profile;
    summary.substeps += report.substeps;
    if (report.status == Status::ok || (report.status == Status::warning && summary.status != "ok")) return;
    summary.status = name_of(report.issue.kind);
    summary.message = explain(report.issue, model);
    summary.failed = report.failed();
}

// Everything at rest, and no input to come that could stir it.
bool is_at_rest(const World& world, const Scene& scene)
{
    if (scene.world.until != Until::rest || world.state.step == 0) return false;
    const History& history = world.state.history;
    return history.next_input == static_cast<std::int64_t>(world.model->inputs.size()) &&
           history.residual_force < scene.world.rest_force && history.vertex_energy < scene.world.rest_energy;
}

// What contact did in the last step, if it did anything and somebody wants to know.
std::optional<ContactLog> contacts_of(const World& world)
{
    const ContactLog* log = world.scratch.contact_log.get();
    return log != nullptr && log->is_filled() ? std::optional(*log) : std::nullopt;
}

// One frame's worth of steps, and what is kept of it.
void run_frame(World& world, const Scene& scene, BackgroundWriter* writer, Tally& tally, RunSummary& summary)
{
    std::int64_t& index = world.state.history.frame;
    const double seconds = 1 / scene.world.frame_rate;
    if (world.scratch.contact_log) world.scratch.contact_log->clear();
    StepReport report = step_to(world, static_cast<double>(index + 1) / scene.world.frame_rate);
    if (!report.failed()) ++index;
    take_report(summary, report, *world.model);
    summary.unbalanced += world.state.tally.unbalanced;
    summary.at_rest = !report.failed() && is_at_rest(world, scene);
    const bool is_last = index == last_frame(scene) || summary.at_rest;
    const bool is_recorded = index % scene.record.every == 0 || is_last || report.failed();
    if (!is_recorded) return;
    // A frame cannot know how long its own writing takes: it tells that of the frame before.
    report.profile[Stage::record] = summary.last_record_s;
    Frame frame = sample(world, report, seconds);
    summary.profile[Stage::measure] +=
        frame.stage_seconds[static_cast<std::size_t>(Stage::measure)] - report.profile[Stage::measure];
    // A failed step leaves the last accepted state, which the frame before already shows.
    if (!report.failed()) tally.add(frame.time, frame.measures);
    if (!writer || report.failed()) return;
    Profile writing;
    {
        StageTimer timer(writing, Stage::record);
        const bool with_snapshot = index / scene.record.every % scene.record.snapshot_every == 0 || is_last;
        std::optional<std::vector<std::byte>> snapshot;
        if (with_snapshot) snapshot = save(world.state, world.model->id);
        writer->add(std::move(frame), std::move(snapshot), contacts_of(world));
    }
    summary.profile += writing;
    summary.last_record_s = writing[Stage::record];
}

void record_start(World& world, const RunOptions& options, Tally& tally)
{
    const Frame frame = sample(world, {}, 0);
    tally.add(frame.time, frame.measures);
    if (!options.writer) return;
    options.writer->add_frame(frame);
    options.writer->add_snapshot(0, save(world.state, world.model->id));
    add_scene_inputs(*options.writer, *world.model);
}

void recall_earlier_frames(const Recording& earlier, std::int64_t upto, Tally& tally)
{
    const std::vector<double> times = earlier.times();
    std::vector<std::vector<double>> columns;
    for (const std::string& name : earlier.header().topology.measures) columns.push_back(earlier.measure(name));
    for (std::int64_t f = 0; f < upto; ++f) {
        std::vector<double> row;
        for (const auto& column : columns) row.push_back(column[f]);
        tally.add(times[f], row);
    }
}

}  // namespace

bool RunSummary::expectations_met() const
{
    for (const Expectation& e : expect)
        if (!e.met) return false;
    return true;
}

std::int64_t last_frame(const Scene& scene)
{
    return std::llround(scene.world.duration * scene.world.frame_rate);
}

RunSummary run(World& world, const Scene& scene, const RunOptions& options)
{
    const auto start = Clock::now();
    RunSummary summary;
    Tally tally(world.model->topology.measures, scene.world.duration - kMeanWindow - 1e-9);
    const std::int64_t frames = last_frame(scene);
    if (options.earlier)
        recall_earlier_frames(*options.earlier, options.earlier->frame_count(), tally);
    else
        record_start(world, options, tally);
    std::optional<BackgroundWriter> background;
    if (options.writer) background.emplace(*options.writer);
    if (options.writer && scene.record.contacts) world.scratch.contact_log = std::make_shared<ContactLog>();
    const std::int64_t first = world.state.history.frame;
    while (world.state.history.frame < frames && !summary.failed && !summary.interrupted && !summary.at_rest) {
        run_frame(world, scene, background ? &*background : nullptr, tally, summary);
        if (options.progress)
            options.progress({world.state.time, scene.world.duration, world.state.history.frame, frames});
        summary.interrupted = options.stop && options.stop->load();
    }
    if (background) background->drain();
    if (summary.interrupted && !summary.failed)
        summary.status = "interrupted", summary.message = "stopped before the end; every finished frame is kept";
    if (scene.world.until == Until::rest && summary.status == "ok")
        summary.message = summary.at_rest ? fmt::format("at rest after {:g} s", world.state.time)
                                          : "not at rest when world.duration ended";
    summary.unbalanced /= static_cast<double>(std::max<std::int64_t>(1, world.state.history.frame - first));
    // A run that failed has its message.
    if (!summary.failed) summary.notes = advice_on(world.state, summary.unbalanced);
    summary.hash = hash(world.state);
    summary.frames = world.state.history.frame / scene.record.every + 1;
    summary.sim_s = world.state.time;
    summary.measures = tally.finish();
    summary.expect = judged(scene, summary.measures);
    summary.wall_s = std::chrono::duration<double>(Clock::now() - start).count();
    return summary;
}

namespace {

void write_measures(JsonWriter& json, const std::vector<MeasureSummary>& measures)
{
    json.key("measures").begin_object();
    for (const MeasureSummary& m : measures) {
        json.key(m.name).begin_object();
        json.member("first", m.first).member("last", m.last).member("min", m.min).member("max", m.max);
        json.member("mean", m.mean).end_object();
    }
    json.end_object();
}

void write_notes(JsonWriter& json, const std::vector<std::string>& notes)
{
    json.key("notes").begin_array();
    for (const std::string& note : notes) json.value(note);
    json.end_array();
}

void write_expectations(JsonWriter& json, const std::vector<Expectation>& expect)
{
    json.key("expect").begin_object();
    for (const Expectation& e : expect) {
        json.key(e.name).begin_object();
        json.member("low", e.low).member("high", e.high).member("found", e.found).member("met", e.met).end_object();
    }
    json.end_object();
}

}  // namespace

std::string to_json(const RunSummary& summary)
{
    std::string text;
    JsonWriter json(text);
    json.begin_object();
    json.member("status", summary.status).member("message", summary.message).member("hash", hex(summary.hash));
    json.member("at_rest", summary.at_rest);
    json.member("frames", summary.frames).member("substeps", summary.substeps);
    json.member("sim_s", summary.sim_s).member("wall_s", summary.wall_s).member("peak_mib", peak_memory());
    json.key("profile").begin_object();
    for (std::size_t s = 0; s < kStageCount; ++s) json.member(name(static_cast<Stage>(s)), summary.profile.seconds[s]);
    json.end_object();
    write_measures(json, summary.measures);
    write_expectations(json, summary.expect);
    write_notes(json, summary.notes);
    json.end_object();
    return text;
}

double peak_memory()
{
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<double>(usage.ru_maxrss) / 1024;
}

}  // namespace pliant
