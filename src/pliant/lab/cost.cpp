// SPDX-License-Identifier: MIT
#include <pliant/lab/cost.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <ctime>
#include <limits>
#include <utility>

#include <pliant/base/parallel.h>
#include <pliant/base/text.h>
#include <pliant/lab/trial.h>
#include <pliant/record/chart.h>
#include <pliant/world/build.h>
#include <pliant/world/step.h>

namespace pliant {

namespace {

constexpr double kNotKnown = std::numeric_limits<double>::quiet_NaN();

/// One passage through the times.
struct Passage {
    Profile profile;
    std::vector<double> frame_s;  ///< [s] machine time of every frame
    std::int64_t steps = 0;
    StepReport worst;               ///< the failure, else the first warning
    double wall_s = 0, lost_s = 0;  ///< [s] of all frames; of these, what the machine did for others
    bool interrupted = false;

    double seconds() const { return profile[Stage::step]; }
};

/// A frame's profile without the time in which the processor was somebody else's.
struct TimedFrame {
    StepReport report;
    double wall_s = 0, lost_s = 0;
};

// The processor time of several threads says nothing about the time that one frame took.
TimedFrame timed_frame(World& world, double end)
{
    using Clock = std::chrono::steady_clock;
    TimedFrame frame;
    const std::clock_t cpu_before = std::clock();
    const Clock::time_point before = Clock::now();
    frame.report = step_to(world, end);
    frame.wall_s = std::chrono::duration<double>(Clock::now() - before).count();
    const double cpu_s = static_cast<double>(std::clock() - cpu_before) / CLOCKS_PER_SEC;
    // The clock of the processor counts microseconds, and reading it takes one.
    constexpr double kReadingError = 3e-6;
    if (thread_count() > 1 || cpu_s + kReadingError > 0.98 * frame.wall_s) return frame;
    frame.lost_s = frame.wall_s - cpu_s;
    for (double& seconds : frame.report.profile.seconds) seconds *= cpu_s / frame.wall_s;
    return frame;
}

Passage pass_through(const World& start, const std::vector<double>& times, const std::atomic<bool>* stop,
                     const std::function<void(double)>& progress)
{
    Passage passage;
    World world = copy_of(start);
    for (std::size_t i = 0; i < times.size(); ++i) {
        if (!(times[i] > world.state.time)) continue;
        const TimedFrame frame = timed_frame(world, times[i]);
        const StepReport& report = frame.report;
        passage.wall_s += frame.wall_s, passage.lost_s += frame.lost_s;
        passage.profile += report.profile;
        passage.frame_s.push_back(report.profile[Stage::step]);
        passage.steps += report.substeps;
        if (report.failed() || (report.status == Status::warning && passage.worst.status == Status::ok))
            passage.worst = report;
        if (progress) progress(static_cast<double>(i + 1) / static_cast<double>(times.size()));
        passage.interrupted = stop && stop->load();
        if (report.failed() || passage.interrupted) break;
    }
    return passage;
}

// The fastest of a few.
Passage fastest_passage(const World& start, const std::vector<double>& times, const std::atomic<bool>* stop,
                        const std::function<void(double)>& progress)
{
    Passage fastest = pass_through(start, times, stop, progress);
    double spent = fastest.seconds();
    for (int i = 1; i < kMostRepeats && spent < kLongEnough && !fastest.worst.failed() && !fastest.interrupted; ++i) {
        Passage again = pass_through(start, times, stop, {});
        spent += again.seconds();
        if (again.interrupted || again.seconds() < fastest.seconds()) fastest = std::move(again);
    }
    return fastest;
}

void take(CostRun& run, const Passage& passage, const Model& model)
{
    run.particles = model.free_count;
    run.frames = static_cast<std::int64_t>(passage.frame_s.size());
    run.steps = passage.steps;
    if (passage.worst.status != Status::ok) {
        run.status = name_of(passage.worst.issue.kind);
        run.message = explain(passage.worst.issue, model);
        run.failed = passage.worst.failed();
    }
    if (run.frames == 0) return;
    const StageSeconds all = stage_seconds(passage.profile);
    const auto frames = static_cast<double>(run.frames);
    run.per_frame = {all.model / frames, all.integration / frames, all.collision / frames, all.other / frames};
    const Summary frame = summarize(passage.frame_s);
    run.median_s = frame.median, run.worst_s = frame.max;
}

// Numbers first; else whatever makes the scene larger. The last variation changes fastest: neighbours along an
// earlier one are `stride` runs apart.
std::optional<std::size_t> find_axis(const CostComparison& c)
{
    for (std::size_t v = 0; v < c.variations.size(); ++v)
        if (c.variations[v].values.size() > 1 && c.variations[v].numbers()) return v;
    std::size_t stride = 1;
    for (std::size_t v = c.variations.size(); v-- > 0;) {
        const Variation& variation = c.variations[v];
        const bool is_there = variation.values.size() > 1 && stride < c.runs.size();
        if (variation.cases.empty() && is_there && c.runs[0].particles != c.runs[stride].particles) return v;
        stride *= variation.values.size();
    }
    return {};
}

void place_on_axis(CostComparison& c)
{
    c.axis_variation = find_axis(c);
    const bool is_numeric = c.axis_variation && c.variations[*c.axis_variation].numbers();
    c.axis_label = !c.axis_variation ? "" : is_numeric ? c.variations[*c.axis_variation].path : "particles";
    for (CostRun& run : c.runs) {
        run.axis = c.axis_variation ? run.particles : kNotKnown;
        if (is_numeric) run.axis = to_number(run.settings[*c.axis_variation].value).value_or(kNotKnown);
    }
}

void compare_with_fastest(CostComparison& c)
{
    for (CostRun& run : c.runs) {
        double fastest = run.per_frame.total();
        for (const CostRun& other : c.runs) {
            const bool is_beside = other.axis == run.axis || (std::isnan(other.axis) && std::isnan(run.axis));
            if (is_beside && !other.failed) fastest = std::min(fastest, other.per_frame.total());
        }
        run.ratio = run.failed ? kNotKnown : run.per_frame.total() / fastest;
    }
}

void add_curves(CostComparison& c)
{
    for (std::size_t r = 0; r < c.runs.size(); ++r) {
        Settings others = c.runs[r].settings;
        if (c.axis_variation) others.erase(others.begin() + static_cast<std::ptrdiff_t>(*c.axis_variation));
        const std::string name = name_of_settings(others);
        auto at =
            std::find_if(c.curves.begin(), c.curves.end(), [&](const CostCurve& curve) { return curve.name == name; });
        if (at == c.curves.end()) at = c.curves.insert(at, CostCurve{.name = name});
        if (!c.runs[r].failed) at->runs.push_back(r);
    }
    for (CostCurve& curve : c.curves) {
        Series points;
        for (const std::size_t r : curve.runs)
            points.x.push_back(c.runs[r].axis), points.y.push_back(c.runs[r].per_frame.total());
        curve.slope = c.axis_variation ? fitted_slope(points) : kNotKnown;
    }
}

/// A combination that is known to build.
struct Prepared {
    Settings settings;
    Scene scene;
};

// Everything wrong with any combination is said before the first one runs.
std::vector<Prepared> prepared(const ComparisonPlan& plan)
{
    std::vector<Prepared> all;
    for (const Settings& settings : combinations(plan.variations)) {
        std::vector<Override> changes = plan.set;
        for (const Override& change : expanded(plan.variations, settings)) changes.push_back(change);
        all.push_back({settings, load_scene(plan.scene, changes)});
        build(all.back().scene);
    }
    return all;
}

}  // namespace

StageSeconds stage_seconds(const Profile& profile)
{
    StageSeconds s;
    const double step = profile[Stage::step];
    // Volumes are timed within pressures.
    s.model = std::min(step, profile[Stage::elements] + profile[Stage::gravity] + profile[Stage::pressure]);
    s.integration = std::max(0.0, profile[Stage::integrate] - s.model);
    s.collision = profile[Stage::collide];
    s.other = std::max(0.0, step - s.model - s.integration - s.collision);
    return s;
}

bool CostComparison::all_failed() const
{
    return !runs.empty() && std::all_of(runs.begin(), runs.end(), [](const CostRun& run) { return run.failed; });
}

CostComparison compare_costs(const ComparisonPlan& plan)
{
    if (plan.variations.empty())
        throw Error(Problem{.message = "nothing is varied", .cure = "for example --vary solver.kind=euler,rk4"},
                    ErrorKind::usage);
    CostComparison c{.scene = plan.scene, .set = plan.set, .variations = plan.variations, .threads = thread_count()};
    const std::vector<Prepared> all = prepared(plan);
    c.description = all.front().scene.description;
    double wall_s = 0, lost_s = 0;
    for (std::size_t i = 0; i < all.size() && !c.interrupted; ++i) {
        const Prepared& one = all[i];
        CostRun run{.settings = one.settings, .name = name_of_settings(one.settings)};
        std::function<void(double)> progress;
        if (plan.progress) progress = [&](double part) { plan.progress({i + 1, all.size(), part, run.name}); };
        const World world = build(one.scene);
        const Passage passage = fastest_passage(world, sample_times(one.scene), plan.stop, progress);
        c.interrupted = passage.interrupted;
        if (c.interrupted) break;
        take(run, passage, *world.model);
        wall_s += passage.wall_s, lost_s += passage.lost_s;
        c.runs.push_back(std::move(run));
    }
    if (wall_s > 0) c.disturbed = lost_s / wall_s;
    place_on_axis(c);
    compare_with_fastest(c);
    add_curves(c);
    return c;
}

}  // namespace pliant
