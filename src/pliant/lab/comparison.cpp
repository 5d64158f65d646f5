// SPDX-License-Identifier: MIT
#include <pliant/lab/comparison.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include <pliant/base/text.h>
#include <pliant/lab/judgement.h>
#include <pliant/lab/oscillator.h>
#include <pliant/world/build.h>
#include <pliant/world/measures.h>

namespace pliant {

namespace {

/// A combination that is known to build. Its world is built when its turn comes: many at once may not fit.
struct Prepared {
    Settings settings;
    Scene scene;
    std::vector<double> times;
    std::size_t reference = 0;
    std::optional<LineOscillator> oscillator;
    std::vector<std::string> candidates;
};

bool is_of_solver(const Override& setting)
{
    return setting.path.starts_with("solver.");
}

Settings physics_of(Settings settings)
{
    std::erase_if(settings, is_of_solver);
    return settings;
}

bool same(const Settings& a, const Settings& b)
{
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const Override& one, const Override& other) {
        return one.path == other.path && one.value == other.value;
    });
}

std::vector<Override> joined(std::vector<Override> first, const std::vector<Override>& more)
{
    first.insert(first.end(), more.begin(), more.end());
    return first;
}

// The coordinates among which the one that moves most becomes the measure, or the one asked for.
std::vector<std::string> candidates(const ComparisonPlan& plan, const Model& model)
{
    const std::vector<std::string>& known = model.topology.measures;
    if (!plan.measure.empty()) {
        if (std::find(known.begin(), known.end(), plan.measure) == known.end())
            throw Error(Problem{.file = plan.scene,
                                .message = fmt::format("has no measure '{}'", plan.measure),
                                .cure = suggestion(plan.measure, known)},
                        ErrorKind::usage);
        return {plan.measure};
    }
    const auto moves = [](const Body& body) { return body.kind != BodyKind::collider; };
    const auto body = std::find_if(model.bodies.begin(), model.bodies.end(), moves);
    if (model.probes.empty() && body == model.bodies.end())
        throw Error(Problem{.file = plan.scene, .message = "has no body that moves", .cure = "name a --measure"});
    const std::string stem = model.probes.empty() ? body->name + ".center" : model.probes.front().name;
    return {stem + ".x", stem + ".y", stem + ".z"};
}

// Everything wrong with any combination is said before the first one runs.
std::vector<Prepared> prepared(const ComparisonPlan& plan, std::vector<Reference>& references)
{
    std::vector<Prepared> all;
    for (Settings& settings : combinations(plan.variations)) {
        Prepared one{.settings = std::move(settings)};
        const Settings changes = expanded(plan.variations, one.settings);
        one.scene = load_scene(plan.scene, joined(plan.set, changes));
        const World world = build(one.scene);
        one.oscillator = find_oscillator(world);
        one.candidates = candidates(plan, *world.model);
        one.times = sample_times(one.scene);
        const Settings physics = physics_of(changes);
        const auto known = std::find_if(references.begin(), references.end(),
                                        [&](const Reference& r) { return same(r.physics, physics); });
        one.reference = static_cast<std::size_t>(known - references.begin());
        if (known == references.end()) references.push_back({.physics = physics});
        all.push_back(std::move(one));
    }
    return all;
}

double swing_of(const std::vector<double>& values)
{
    if (values.empty()) return 0;
    const auto [low, high] = std::minmax_element(values.begin(), values.end());
    return *high - *low;
}

// Which candidate the first run that got through moves most; the first column stays the measure.
std::size_t choose_measure(const std::vector<ComparedRun>& runs, std::size_t count)
{
    const auto good = std::find_if(runs.begin(), runs.end(), [](const ComparedRun& run) { return !run.trial.failed; });
    if (runs.empty()) return 0;
    const Trial& trial = (good == runs.end() ? runs.front() : *good).trial;
    std::size_t chosen = 0;
    for (std::size_t c = 1; c < count; ++c)
        if (swing_of(trial.columns[c]) > swing_of(trial.columns[chosen])) chosen = c;
    return chosen;
}

// The ledger of energies is kept by the steps; a state alone does not know it.
bool is_of_state(const std::string& measure)
{
    for (const char* booked : {"energy.dissipated", "energy.external", "energy.switched", "energy.error"})
        if (measure == booked) return false;
    return true;
}

/// All that compare() does, one part after the other.
class Laboratory {
public:
    explicit Laboratory(const ComparisonPlan& plan) : plan_(plan)
    {
        result_.scene = plan.scene, result_.set = plan.set, result_.variations = plan.variations;
    }

    Comparison run()
    {
        prepared_ = prepared(plan_, result_.references);
        result_.description = prepared_.front().scene.description;
        candidates_ = prepared_.front().candidates;
        columns_ = candidates_;
        columns_.insert(columns_.end(), {"energy.error", "energy.total"});
        find_exact();
        run_count_ = prepared_.size() + (is_exact_ ? 0 : result_.references.size());
        if (!is_exact_) run_references();
        if (!result_.interrupted) run_trials();
        settle_measure();
        for (std::size_t r = 0; r < result_.references.size() && is_exact_; ++r) evaluate_exact(r);
        judge(result_);
        add_notes();
        return std::move(result_);
    }

private:
    Trial run_one(const World& world, const std::vector<double>& times, const std::string& name, int timings)
    {
        ++running_;
        TrialOptions options{.measures = columns_, .stop = plan_.stop, .timings = timings};
        if (plan_.progress) options.progress = [&](double part) { plan_.progress({running_, run_count_, part, name}); };
        return run_trial(world, times, options);
    }

    // An exact solution is taken when every run has one.
    void find_exact()
    {
        if (plan_.reference || !std::all_of(candidates_.begin(), candidates_.end(), is_of_state)) return;
        is_exact_ = std::all_of(prepared_.begin(), prepared_.end(),
                                [](const Prepared& one) { return one.oscillator.has_value(); });
        if (!is_exact_) return;
        const Oscillator& o = prepared_.front().oscillator->law;
        result_.reference_words =
            result_.references.size() > 1
                ? "the exact solution of each run's linear oscillator"
                : fmt::format("the exact solution of the linear oscillator, {} (m = {:g} kg, k = {:g} N/m, "
                              "beta = {:g} N s/m, force = {:g} N, x0 = {:g} m, v0 = {:g} m/s)",
                              name_of(o.regime()), o.m, o.k, o.beta, o.force, o.x0, o.v0);
    }

    // Every time at which some run of this physics is looked at, and the frames, for a smooth curve.
    std::vector<double> times_for(std::size_t reference) const
    {
        std::vector<double> times;
        for (const Prepared& one : prepared_)
            if (one.reference == reference) {
                times.insert(times.end(), one.times.begin(), one.times.end());
                const double rate = one.scene.world.frame_rate, end = one.scene.world.duration;
                for (std::int64_t i = 0; static_cast<double>(i) / rate <= end; ++i)
                    times.push_back(static_cast<double>(i) / rate);
            }
        return merged_times(std::move(times));
    }

    Settings default_reference() const
    {
        double smallest = std::numeric_limits<double>::infinity();
        for (const Prepared& one : prepared_) smallest = std::min(smallest, one.scene.solver.step);
        return {{"solver.kind", "rk4"}, {"solver.step", shortest(smallest / 8)}, {"solver.substeps", "1"}};
    }

    static std::string words_of(const Settings& settings)
    {
        std::string words;
        for (const Override& setting : settings) words += ' ' + setting.path + '=' + setting.value;
        return words;
    }

    // Runs one reference; when steps of an eighth are still too long for the scene, with as many parts as it needs.
    Trial run_reference(std::size_t r, const Settings& settings)
    {
        const Settings physics = result_.references[r].physics;
        const World world = build(load_scene(plan_.scene, joined(joined(plan_.set, physics), settings)));
        return run_one(world, times_for(r), "reference", 1);
    }

    void run_references()
    {
        Settings settings = plan_.reference.value_or(default_reference());
        for (std::size_t r = 0; r < result_.references.size(); ++r) {
            Trial trial = run_reference(r, settings);
            if (trial.failed && !plan_.reference && settings.back().value == "1") {
                settings.back().value = "auto";
                trial = run_reference(r, settings);
            }
            if (trial.interrupted) {
                result_.interrupted = true;
                return;
            }
            if (trial.failed)
                result_.notes.push_back(fmt::format("the reference ended at {:g} s: {}", trial.sim_s, trial.message));
            reference_trials_.push_back(std::move(trial));
        }
        result_.reference_words =
            (plan_.reference ? "the run asked for:" : "a run with an eighth of the smallest step:") +
            words_of(settings);
    }

    void run_trials()
    {
        for (const Prepared& one : prepared_) {
            ComparedRun run{
                .settings = one.settings, .name = name_of_settings(one.settings), .reference = one.reference};
            run.trial = run_one(build(one.scene), one.times, run.name, TrialOptions{}.timings);
            if (run.trial.interrupted) {
                result_.interrupted = true;
                return;
            }
            result_.runs.push_back(std::move(run));
        }
    }

    // Keeps the measure's column and the two of energy.
    void settle_measure()
    {
        const std::size_t chosen = choose_measure(result_.runs, candidates_.size()), count = candidates_.size();
        result_.measure = candidates_[chosen];
        for (ComparedRun& run : result_.runs) {
            auto& columns = run.trial.columns;
            columns = {std::move(columns[chosen]), std::move(columns[count]), std::move(columns[count + 1])};
        }
        for (std::size_t r = 0; r < reference_trials_.size(); ++r) {
            Reference& reference = result_.references[r];
            Trial& trial = reference_trials_[r];
            reference.times = std::move(trial.times);
            reference.values = std::move(trial.columns[chosen]), reference.totals = std::move(trial.columns[count + 1]);
            reference.swing = swing_of(reference.values);
        }
    }

    // Puts the mass where the formula says and measures the world as ever.
    void evaluate_exact(std::size_t r)
    {
        Reference& reference = result_.references[r];
        const auto first =
            std::find_if(prepared_.begin(), prepared_.end(), [&](const Prepared& one) { return one.reference == r; });
        const LineOscillator& line = *first->oscillator;
        World world = build(first->scene);
        reference.is_exact = true;
        reference.times = times_for(r);
        for (const double time : reference.times) {
            world.state.x[line.node] = line.position(time), world.state.v[line.node] = line.velocity(time);
            const std::vector<double> values = measures(world, 0, 0);
            reference.values.push_back(find_measure(*world.model, values, result_.measure));
            reference.totals.push_back(find_measure(*world.model, values, "energy.total"));
        }
        reference.swing = swing_of(reference.values);
    }

    void add_notes()
    {
        const auto is_cut = [&](const ComparedRun& run) {
            const Prepared& one = prepared_[static_cast<std::size_t>(&run - result_.runs.data())];
            return one.scene.solver.substeps.is_auto() && run.trial.step_taken() < 0.9 * one.scene.solver.step;
        };
        const auto cut = std::count_if(result_.runs.begin(), result_.runs.end(), is_cut);
        if (cut > 0)
            result_.notes.push_back(
                fmt::format("{} of {} runs took shorter steps than solver.step, since solver.substeps "
                            "is \"auto\"; --set solver.substeps=1 compares the steps as they are",
                            cut, result_.runs.size()));
        if (result_.interrupted)
            result_.notes.push_back(
                fmt::format("interrupted: {} of {} runs are here", result_.runs.size(), prepared_.size()));
    }

    const ComparisonPlan& plan_;
    Comparison result_;
    std::vector<Prepared> prepared_;
    std::vector<std::string> candidates_, columns_;
    std::vector<Trial> reference_trials_;  // index for index with references
    bool is_exact_ = false;
    std::size_t running_ = 0, run_count_ = 0;
};

}  // namespace

bool Comparison::is_by_step() const
{
    return parameter &&
           (variations[*parameter].path == "solver.step" || variations[*parameter].path == "solver.substeps");
}

double Comparison::parameter_of(const ComparedRun& run) const
{
    if (!parameter) return std::numeric_limits<double>::quiet_NaN();
    if (is_by_step() && !run.trial.failed) return run.trial.step_taken();
    return to_number(run.settings[*parameter].value).value_or(std::numeric_limits<double>::quiet_NaN());
}

bool Comparison::all_failed() const
{
    return !runs.empty() && std::all_of(runs.begin(), runs.end(), [](const ComparedRun& r) { return r.trial.failed; });
}

Comparison compare(const ComparisonPlan& plan)
{
    if (plan.variations.empty())
        throw Error(Problem{.message = "nothing is varied", .cure = "for example --vary solver.kind=euler,rk4"},
                    ErrorKind::usage);
    return Laboratory(plan).run();
}

}  // namespace pliant
