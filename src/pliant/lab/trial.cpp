// SPDX-License-Identifier: MIT
#include <pliant/lab/trial.h>

#include <algorithm>
#include <cmath>

#include <pliant/world/measures.h>
#include <pliant/world/step.h>

namespace pliant {

namespace {

// [s] Runs shorter than this are timed again.
constexpr double kShortRun = 0.03;

class Columns {
public:
    Columns(const Model& model, const std::vector<std::string>& names, Trial& trial) : trial_(trial)
    {
        const std::vector<std::string>& known = model.topology.measures;
        for (const std::string& name : names)
            places_.push_back(static_cast<std::size_t>(std::find(known.begin(), known.end(), name) - known.begin()));
        trial_.columns.resize(names.size());
    }

    void add(World& world, int contacts, double seconds)
    {
        const std::vector<double> values = measures(world, contacts, seconds);
        trial_.times.push_back(world.state.time);
        for (std::size_t c = 0; c < places_.size(); ++c)
            trial_.columns[c].push_back(places_[c] < values.size() ? values[places_[c]]
                                                                   : std::numeric_limits<double>::quiet_NaN());
    }

private:
    Trial& trial_;
    std::vector<std::size_t> places_;
};

void take_report(Trial& trial, const StepReport& report, const Model& model)
{
    trial.steps += report.substeps;
    if (report.status == Status::ok || (report.status == Status::warning && trial.status != "ok")) return;
    trial.status = name_of(report.issue.kind);
    trial.message = explain(report.issue, model);
    trial.failed = report.failed();
}

// [s] of machine time that stepping through the times takes, nothing measured.
double time_again(const World& start, const std::vector<double>& times)
{
    World world = copy_of(start);
    double seconds = 0;
    for (const double time : times) seconds += step_to(world, time).profile[Stage::step];
    return seconds;
}

}  // namespace

std::vector<double> sample_times(const Scene& scene)
{
    const double frame = 1 / scene.world.frame_rate, step = scene.solver.step;
    // A hair of tolerance, as the step itself has: 0.05 s are twenty steps of 0.0025 s, not nineteen.
    const double steps = std::max(1.0, std::floor(frame / step * (1 + 1e-9)));
    const bool is_frame = std::abs(steps * step - frame) < 1e-9 * frame;
    std::vector<double> times;
    for (std::int64_t i = 0;; ++i) {
        // Written as run() writes it, for the same bits.
        const double time =
            is_frame ? static_cast<double>(i) / scene.world.frame_rate : static_cast<double>(i) * (steps * step);
        if (time > scene.world.duration * (1 - 1e-9)) break;
        times.push_back(time);
    }
    if (times.empty() || times.back() < scene.world.duration) times.push_back(scene.world.duration);
    return times;
}

Trial run_trial(const World& start, const std::vector<double>& times, const TrialOptions& options)
{
    Trial trial;
    World world = copy_of(start);
    Columns columns(*world.model, options.measures, trial);
    double seconds = 0, before = world.state.time;
    columns.add(world, 0, 0);
    for (std::size_t i = 0; i < times.size() && !trial.failed; ++i) {
        if (!(times[i] > before)) continue;
        const StepReport report = step_to(world, times[i]);
        seconds += report.profile[Stage::step];
        take_report(trial, report, *world.model);
        // A failed step leaves the last accepted state, which may lie between two samples.
        if (!trial.failed) columns.add(world, report.contacts, times[i] - before);
        before = times[i];
        if (options.progress) options.progress(static_cast<double>(i + 1) / static_cast<double>(times.size()));
        trial.interrupted = options.stop && options.stop->load();
        if (trial.interrupted) return trial;
    }
    trial.sim_s = world.state.time;
    for (int i = 1; i < options.timings && !trial.failed && seconds < kShortRun; ++i)
        seconds = std::min(seconds, time_again(start, times));
    if (trial.steps > 0) trial.step_s = seconds / static_cast<double>(trial.steps);
    return trial;
}

}  // namespace pliant
