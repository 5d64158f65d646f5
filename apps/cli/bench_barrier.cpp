// SPDX-License-Identifier: MIT

// Response barrier: the scenes of the yardstick with their criterion, every frame looked at by the independent judge, and one
// drape by all the solvers that it goes with.

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <limits>

#include <fmt/format.h>

#include <pliant/base/parallel.h>
#include <pliant/mesh/shadow.h>
#include <pliant/solver/forces.h>
#include <pliant/solver/solver.h>
#include <pliant/world/after_integration.h>
#include <pliant/world/build.h>
#include <pliant/world/made_energy.h>

#include "bench.h"
#include "bench_cloth.h"
#include "bench_judge.h"
#include "verbs.h"

namespace pliant::cli {

namespace {

// What every row has in common. The judge of this table looks anyway: the measure of the scene would do it a second time.
std::vector<Override> barrier_changes()
{
    return {{"contact.response", "barrier"}, {"solver.kind", "implicit_euler"}, {"solver.step", "0.016666666666666666"},
            {"solver.substeps", "1"},        {"record.intersections", "false"}, {"expect", "{}"}};
}

/// A scene of the yardstick.
struct YardstickScene {
    std::string id, path;
    std::vector<Override> changes;
    double vertices = 0;   ///< for --largest
    double target_ms = 0;  ///< of the median frame; 0: it has to reach its end, however long it takes
    bool is_slow = false;  ///< many minutes: measured where --largest is given
};

std::vector<YardstickScene> yardstick_scenes()
{
    const auto shipped = [](const char* file) { return std::string(PLIANT_SCENES) + "/" + file; };
    const auto grid_of = [](int side) { return Override{"bodies.sheet.mesh.grid", grid_text(side)}; };
    const std::string drape = shipped("drape.json"), twist = shipped("cloth_twist.json");
    const std::string stack = shipped("cloth_stack.json");
    return {{"B2-50", drape, {grid_of(50)}, 2500, 40},
            {"B2-100", drape, {grid_of(100)}, 10'000, 150},
            {"B2s-100", shipped("drape_fold.json"), {grid_of(100)}, 10'000, 200},
            {"B3-33", twist, {grid_of(33)}, 1089},
            {"B3-100", twist, {grid_of(100)}, 10'000},
            {"B7-10", stack, {{"bodies.sheets.mesh.grid", grid_text(50)}, {"bodies.sheets.mesh.copies", "10"}}, 25'000},
            {"B7-50",
             stack,
             {{"bodies.sheets.mesh.grid", grid_text(71)}, {"bodies.sheets.mesh.copies", "50"}},
             252'050,
             0,
             true}};
}

// The same scenes, or those given. A scene that was changed is no longer the yardstick's: it has no target.
std::vector<YardstickScene> chosen_scenes(const BenchSettings& settings)
{
    const std::vector<Override> changes = parse_overrides(settings.overrides);
    std::vector<YardstickScene> chosen;
    for (const std::string& path : settings.scenes)
        chosen.push_back({.id = std::filesystem::path(path).stem().string(), .path = path});
    if (settings.scenes.empty())
        for (YardstickScene& scene : yardstick_scenes()) {
            if (scene.vertices > settings.largest || (scene.is_slow && !settings.is_largest_given)) continue;
            const auto common = barrier_changes();
            scene.changes.insert(scene.changes.begin(), common.begin(), common.end());
            if (!changes.empty()) scene.id += " changed", scene.target_ms = 0;
            chosen.push_back(std::move(scene));
        }
    for (YardstickScene& scene : chosen) scene.changes.insert(scene.changes.end(), changes.begin(), changes.end());
    return chosen;
}

/// Energy that nothing from outside explains, with what contacts store: the most that it grew from one frame to the next, 0
/// where it never did [J].
class EnergyWatch {
public:
    explicit EnergyWatch(const World& world) : before_(world.state)
    {
        size_scratch(scratch_, *world.model, world.state);
    }

    void look(const World& world)
    {
        const Model& model = *world.model;
        const double grew = unexplained_energy(energies(model, world.state), world.state.ledger) -
                            unexplained_energy(energies(model, before_), before_.ledger);
        by_mean_forces_ = std::max(by_mean_forces_, grew);
        by_end_forces_ = std::max(by_end_forces_, grew - more_by_end_forces(model, world.state));
        before_ = world.state;
    }
    /// Hands that carry something work by the mean of the forces at both ends of a step, as the ledger has it.
    double by_mean_forces() const { return by_mean_forces_; }
    /// They work by the forces at the end of a step, as backward Euler has it. A frame of several steps counts as above.
    double by_end_forces() const { return by_end_forces_; }

private:
    double more_by_end_forces(const Model& model, const State& now)
    {
        if (now.step != before_.step + 1) return 0;
        const CarryingWork work = carrying_work(now, model, before_, now.time - before_.time, scratch_);
        return work.by_end_forces - work.by_mean_forces;
    }

    State before_;
    Scratch scratch_;
    double by_mean_forces_ = 0, by_end_forces_ = 0;
};

bool is_valid(const FrameTimes& times, const ContactJudge& judge)
{
    return times.failure.empty() && judge.is_finite() && judge.intersections() == 0 && judge.deepest() == 0;
}

std::string yardstick_verdict(const YardstickScene& scene, const FrameTimes& times, const ContactJudge& judge)
{
    if (!times.failure.empty()) return "invalid: " + times.failure;
    if (!is_valid(times, judge)) return "invalid";
    const double target = scene.target_ms > 0 ? scene.target_ms : std::numeric_limits<double>::infinity();
    return times.median_ms() <= target && times.worst_ms() <= 3 * target ? "met" : "missed";
}

// [%] of the steps: matrix, linear, search, near, hits and the rest, which is forces above all.
std::vector<std::string> stage_shares(const Profile& profile)
{
    std::vector<std::string> shares;
    const double step = profile[Stage::step];
    double rest = step;
    for (const Stage stage : {Stage::matrix, Stage::linear, Stage::search, Stage::near, Stage::hits})
        shares.push_back(number(100 * profile[stage] / step)), rest -= profile[stage];
    shares.push_back(number(100 * rest / step));
    return shares;
}

std::vector<std::string> yardstick_row(const YardstickScene& chosen, int threads)
{
    const Scene scene = load_scene(chosen.path, chosen.changes);
    World world = build(scene);
    ContactJudge judge(world);
    EnergyWatch energy(world);
    const FrameTimes times = time_frames(world, scene.world.frame_rate, scene.world.duration, [&](const World& now) {
        judge.look(now.state);
        energy.look(now);
    });
    const bool has_time = is_valid(times, judge);
    const auto time = [&](double ms) { return has_time ? number(ms) : "-"; };
    const auto target = [&](double ms) { return chosen.target_ms > 0 ? number(ms) : "-"; };
    const auto frames = static_cast<double>(times.seconds.size());
    std::vector<std::string> row{chosen.id,
                                 std::to_string(world.model->free_count),
                                 std::to_string(threads),
                                 std::to_string(times.seconds.size()),
                                 time(times.median_ms()),
                                 time(times.quantile_ms(0.9)),
                                 time(times.worst_ms()),
                                 target(chosen.target_ms),
                                 target(3 * chosen.target_ms)};
    for (std::string& share : stage_shares(times.profile)) row.push_back(std::move(share));
    row.insert(row.end(), {number(times.iterations / frames), std::to_string(world.state.tally.cuts),
                           std::to_string(world.state.tally.over_budget), number(times.unbalanced),
                           std::to_string(judge.intersections()),
                           judge.has_sphere() ? number(1e3 * judge.deepest()) : "-", number(energy.by_mean_forces()),
                           number(energy.by_end_forces()), yardstick_verdict(chosen, times, judge)});
    return row;
}

}  // namespace

BenchTable bench_contact_yardstick(const BenchSettings& settings)
{
    BenchTable table{
        .name = "contact_yardstick",
        .sentence =
            "yardsticks B2, B2s, B3 and B7 under response barrier: milliseconds per frame of 1/60 s, shares of the "
            "steps, "
            "intersections of all frames by the audit, deepest point inside the round sphere, and the most that energy "
            "grew in a frame without work from outside, hands working by the mean of their forces at both ends of a "
            "step or by those at its end; a run that is not valid has no time"};
    table.columns = {"id",
                     "vertices",
                     "threads",
                     "frames",
                     "median_ms",
                     "p90_ms",
                     "worst_ms",
                     "target_ms",
                     "worst_target_ms",
                     "matrix_percent",
                     "linear_percent",
                     "search_percent",
                     "near_percent",
                     "hits_percent",
                     "rest_percent",
                     "iterations_per_frame",
                     "cuts",
                     "over_budget",
                     "unbalanced",
                     "intersections",
                     "deepest_inside_mm",
                     "energy_grew_J",
                     "by_end_forces_grew_J",
                     "verdict"};
    const std::vector<YardstickScene> scenes = chosen_scenes(settings);
    for (const YardstickScene& scene : scenes) {
        table.rows.push_back(yardstick_row(scene, settings.threads));
        tell_row(table, scenes.size());
    }
    return table;
}

namespace {

constexpr double kWantedAgreement = 0.02;  // [1]
constexpr double kStrip = 1e-3;            // [m] of shadows

/// One way to step the drape.
struct SolverChoice {
    std::string name;
    std::vector<Override> changes;
};

// What methods have in common is where their steps end when they are solved: Newton's method has iterations enough for that,
// sweeps as well where the sheet is soft. The last rows are what the default budget leaves of it.
std::vector<SolverChoice> solver_choices()
{
    const Override half_step{"solver.step", "0.0083333333333333333"}, solved{"contact.budget", "32"};
    return {{"implicit_euler 1/60 s", {solved}},
            {"implicit_euler 1/120 s", {solved, half_step}},
            {"bdf2 1/60 s", {solved, {"solver.kind", "bdf2"}}},
            {"vbd 1/60 s 400 sweeps", {{"solver.kind", "vbd"}, {"solver.iterations", "400"}}},
            {"implicit_euler 1/60 s each_vertex", {solved, {"contact.limit", "each_vertex"}}},
            {"implicit_euler 1/60 s default budget", {}},
            {"implicit_euler 1/120 s default budget", {half_step}}};
}

// Where steps are so short that both of them reach their end on a stiff sheet, and what shorter ones make of it.
std::vector<SolverChoice> step_choices()
{
    const Override solved{"contact.budget", "32"};
    const auto step = [](const char* length) { return Override{"solver.step", length}; };
    const Override short_step = step("0.0041666666666666667");
    return {{"implicit_euler 1/240 s", {solved, short_step}},
            {"vbd 1/240 s 400 sweeps", {{"solver.kind", "vbd"}, {"solver.iterations", "400"}, short_step}},
            {"implicit_euler 1/480 s", {solved, step("0.0020833333333333333")}},
            {"implicit_euler 1/960 s", {solved, step("0.0010416666666666667")}}};
}

struct Drape {
    std::string name;
    std::vector<Override> changes;
    int starts = 1;  ///< a little aside of each other: their mean is compared
};

// A sheet so soft that sweeps over vertices reach the end of a step: one whose folds are wider than its cells, and that falls
// so slowly that what a solver damps of its own does not decide where friction stops it. The others buckle cell by cell,
// where small differences grow: a single run says little of a solver. The third is quick as well: where it ends hangs on how
// much a solver damps. The last is yardstick B2, ten times as stiff.
std::vector<Drape> drapes()
{
    const auto soft = [](const char* bend, const char* damping, const char* duration) {
        return std::vector<Override>{{"bodies.sheet.mesh.grid", grid_text(40)},
                                     {"bodies.sheet.cloth.stretch", "100"},
                                     {"bodies.sheet.cloth.bend", bend},
                                     {"bodies.sheet.damping", damping},
                                     {"world.duration", duration}};
    };
    return {{"slow", soft("1e-3", "10", "3")},
            {"slow and buckling", soft("1e-5", "10", "3"), 16},
            {"quick and buckling", soft("1e-5", "1", "2"), 16},
            {"B2", {}, 32}};
}

Scene drape_scene(const Drape& drape, const SolverChoice& choice, const BenchSettings& settings, int start)
{
    std::vector<Override> changes = barrier_changes();
    changes.insert(changes.end(), drape.changes.begin(), drape.changes.end());
    changes.insert(changes.end(), choice.changes.begin(), choice.changes.end());
    for (Override& change : parse_overrides(settings.overrides)) changes.push_back(std::move(change));
    Scene scene = shipped_scene("drape.json", changes);
    // Less than a cell altogether: other vertices meet the sphere first, and other buckles form.
    constexpr Vec3 kAside{24e-3, 0, 13.6e-3};
    for (auto& [name, body] : scene.bodies)
        if (name == "sheet") body.position += kAside * (static_cast<double>(start) / drape.starts);
    return scene;
}

/// Where a drape came to. Buckling is chaotic: positions are never compared.
struct DrapeEnd {
    static constexpr std::size_t kNumbers = 4;
    double elastic = 0;  ///< [J]
    double fallen = 0;   ///< [J] that gravity gave since the start
    double strain = 0;   ///< [1] mean
    double area = 0;     ///< [m^2] of the shadow
    std::array<double, kNumbers> numbers() const { return {elastic, fallen, strain, area}; }
};

/// One start of a drape by one solver.
struct DrapeRun {
    DrapeEnd end;
    FrameTimes times;
    std::int64_t intersections = 0;
    double deepest = 0;  ///< [m]
    bool is_valid = false;
};

/// All starts of a drape by one solver.
struct DrapeEnds {
    std::vector<DrapeRun> runs;

    bool is_valid() const
    {
        return std::all_of(runs.begin(), runs.end(), [](const DrapeRun& run) { return run.is_valid; });
    }
    std::string failure() const
    {
        for (const DrapeRun& run : runs)
            if (!run.times.failure.empty()) return run.times.failure;
        return {};
    }
    /// What `number` says of each start.
    template <class F>
    std::vector<double> numbers(F&& number) const
    {
        std::vector<double> all;
        for (const DrapeRun& run : runs) all.push_back(static_cast<double>(number(run)));
        return all;
    }
    template <class F>
    double largest(F&& number) const
    {
        const std::vector<double> all = numbers(number);
        return *std::max_element(all.begin(), all.end());
    }
    double mean(std::size_t number) const
    {
        double sum = 0;
        for (const DrapeRun& run : runs) sum += run.end.numbers()[number];
        return sum / static_cast<double>(runs.size());
    }
    /// Standard error of the mean, 0 for one start.
    double error(std::size_t number) const
    {
        if (runs.size() < 2) return 0;
        double sum = 0;
        for (const DrapeRun& run : runs) sum += std::pow(run.end.numbers()[number] - mean(number), 2);
        return std::sqrt(sum / static_cast<double>(runs.size() * (runs.size() - 1)));
    }
};

DrapeEnd drape_end(World& world, double gravitational_at_start)
{
    const Energies now = energies(*world.model, world.state);
    DrapeEnd end{.elastic = now.elastic, .fallen = gravitational_at_start - now.gravitational};
    end.strain = measure_of(world, "sheet.strain.mean");
    const Topology& topology = world.model->topology;
    const int up = topology.up == 'z' ? 2 : 1;
    std::vector<Triangle> sheet;
    for (const Triangle& t : topology.triangles)
        if (std::max({t[0], t[1], t[2]}) < world.model->free_count) sheet.push_back(t);
    end.area = shadow_area(world.state.x, sheet, up, kStrip);
    return end;
}

DrapeRun run_drape(World& world, const Scene& scene)
{
    ContactJudge judge(world);
    const double start = energies(*world.model, world.state).gravitational;
    DrapeRun run;
    run.times = time_frames(world, scene.world.frame_rate, scene.world.duration,
                            [&](const World& now) { judge.look(now.state); });
    run.end = drape_end(world, start);
    run.intersections = judge.intersections(), run.deepest = judge.deepest();
    run.is_valid = is_valid(run.times, judge);
    return run;
}

// Starts side by side, each on one thread.
DrapeEnds run_drapes(const Drape& drape, const SolverChoice& choice, const BenchSettings& settings)
{
    std::vector<Scene> scenes;
    std::vector<World> worlds;
    for (int start = 0; start < drape.starts; ++start) {
        scenes.push_back(drape_scene(drape, choice, settings, start));
        worlds.push_back(build(scenes.back()));
    }
    DrapeEnds ends;
    ends.runs.resize(worlds.size());
    parallel_for(worlds.size(), 1, [&](std::size_t begin, std::size_t end, std::size_t) {
        for (std::size_t i = begin; i < end; ++i) ends.runs[i] = run_drape(worlds[i], scenes[i]);
    });
    return ends;
}

double share_off(double value, double wanted)
{
    return value == wanted ? 0 : value / wanted - 1;
}

std::string drape_verdict(const DrapeEnds& ends, const DrapeEnds& first)
{
    if (const std::string failure = ends.failure(); !failure.empty()) return "invalid: " + failure;
    if (!ends.is_valid()) return "invalid";
    for (std::size_t n = 0; n < DrapeEnd::kNumbers; ++n)
        if (!(std::abs(share_off(ends.mean(n), first.mean(n))) <= kWantedAgreement)) return "missed";
    return "met";
}

std::vector<std::string> solver_row(const Drape& drape, const SolverChoice& choice, int threads, const DrapeEnds& ends,
                                    const DrapeEnds& first)
{
    const auto time = [&](double ms) { return ends.is_valid() ? number(ms) : "-"; };
    const double median = summarize(ends.numbers([](const DrapeRun& run) { return run.times.median_ms(); })).median;
    std::vector<std::string> row{drape.name,
                                 choice.name,
                                 std::to_string(threads),
                                 std::to_string(ends.runs.size()),
                                 time(median),
                                 time(ends.largest([](const DrapeRun& run) { return run.times.worst_ms(); })),
                                 number(ends.mean(0)),
                                 number(ends.mean(1)),
                                 number(100 * ends.mean(2)),
                                 number(ends.mean(3))};
    for (std::size_t n = 0; n < DrapeEnd::kNumbers; ++n)
        row.push_back(fmt::format("{:.2f}", 100 * share_off(ends.mean(n), first.mean(n))));
    for (std::size_t n = 0; n < DrapeEnd::kNumbers; ++n)
        row.push_back(fmt::format("{:.2f}", 100 * std::hypot(ends.error(n), first.error(n)) / first.mean(n)));
    row.insert(row.end(), {number(ends.largest([](const DrapeRun& run) { return run.times.unbalanced; })),
                           number(summarize(ends.numbers([](const DrapeRun& run) { return run.intersections; })).sum),
                           number(1e3 * ends.largest([](const DrapeRun& run) { return run.deepest; })),
                           drape_verdict(ends, first)});
    return row;
}

// Each drape by each choice, beside the first one.
BenchTable compare(std::string name, std::string sentence, const std::vector<Drape>& drapes,
                   const std::vector<SolverChoice>& choices, const BenchSettings& settings)
{
    BenchTable table{.name = std::move(name), .sentence = std::move(sentence)};
    table.columns = {"drape",
                     "solver",
                     "threads",
                     "starts",
                     "median_ms",
                     "worst_ms",
                     "elastic_J",
                     "fallen_J",
                     "strain_percent",
                     "area_m2",
                     "elastic_off_percent",
                     "fallen_off_percent",
                     "strain_off_percent",
                     "area_off_percent",
                     "elastic_error_percent",
                     "fallen_error_percent",
                     "strain_error_percent",
                     "area_error_percent",
                     "unbalanced",
                     "intersections",
                     "deepest_inside_mm",
                     "verdict"};
    for (const Drape& drape : drapes) {
        DrapeEnds first;
        for (const SolverChoice& choice : choices) {
            const DrapeEnds ends = run_drapes(drape, choice, settings);
            if (&choice == &choices.front()) first = ends;
            table.rows.push_back(solver_row(drape, choice, settings.threads, ends, first));
            tell_row(table, drapes.size() * choices.size());
        }
    }
    return table;
}

}  // namespace

BenchTable bench_contact_solvers(const BenchSettings& settings)
{
    return compare("contact_solvers",
                   "a soft sheet of 40 x 40 vertices on the sphere of B2 by all solvers of response barrier, slow with "
                   "wide folds, slow and quick with buckles, and B2 itself, steps solved to their end (Newton's method "
                   "with a budget of 32) and, in the last rows, with the default budget: elastic energy, energy that "
                   "gravity gave, mean strain and area of the shadow at the end, means of starts a few millimetres "
                   "aside of each other, per cent off the first row of the same drape (2 are wanted), and the standard "
                   "error of that; starts run side by side, each on one thread",
                   drapes(), solver_choices(), settings);
}

BenchTable bench_contact_steps(const BenchSettings& settings)
{
    return compare(
        "contact_steps",
        "B2 by shorter steps, solved to their end: sweeps against Newton's method with 1/240 s, where both "
        "get there on a stiff sheet, and what still shorter steps make of it (a drape that is quick hangs on "
        "what a step damps of its own); columns as in contact_solvers",
        {{"B2", {}, 24}}, step_choices(), settings);
}

}  // namespace pliant::cli
