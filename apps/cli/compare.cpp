// SPDX-License-Identifier: MIT

// pliant compare: one scene under several solvers, steps or settings.

#include <cmath>
#include <filesystem>
#include <memory>

#include <fmt/format.h>

#include <pliant/base/parallel.h>
#include <pliant/lab/comparison.h>
#include <pliant/lab/comparison_report.h>
#include <pliant/lab/cost_report.h>
#include <pliant/solver/stability.h>

#include "cost_table.h"
#include "measure_table.h"
#include "output.h"
#include "progress.h"
#include "verbs.h"

namespace pliant::cli {

namespace {

struct Options {
    std::string scene, output, measure, reference;
    std::vector<std::string> vary, cases, set;
    int threads = 0;
    bool json = false, quiet = false, force = false, no_files = false, list = false, time = false;
};

void show_progress(ProgressLine& line, const ComparisonProgress& p)
{
    if (line.is_due()) line.show(fmt::format("run {} of {}: {:3.0f} %  {}", p.run, p.runs, 100 * p.part, p.name));
}

std::string folder_of(const Options& options)
{
    if (!options.output.empty()) return options.output;
    return std::filesystem::path(options.scene).stem().string() + "-compare";
}

// Before anything runs: nobody wants to hear of it afterwards.
void check_folder(const std::string& folder, bool force)
{
    std::error_code ignored;
    if (!std::filesystem::exists(folder, ignored)) return;
    if (!std::filesystem::is_directory(folder, ignored))
        throw Error(Problem{.file = folder, .message = "is a file; the charts go into a folder", .cure = "use -o DIR"},
                    ErrorKind::cannot_access);
    if (force || std::filesystem::is_empty(folder, ignored)) return;
    throw Error(Problem{.file = folder, .message = "exists already", .cure = "use --force, or -o for another folder"},
                ErrorKind::cannot_access);
}

// As it would be typed again.
std::string in_quotes(const std::string& word)
{
    if (!word.empty() && word.find_first_of(" \"'[]{}()*?$&|;<>\\") == std::string::npos) return word;
    std::string safe = "'";
    for (const char c : word) safe += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return safe + "'";
}

std::string command_line(const Options& options)
{
    std::string line = "pliant compare " + in_quotes(options.scene);
    for (const std::string& vary : options.vary) line += " --vary " + in_quotes(vary);
    for (const std::string& one : options.cases) line += " --case " + in_quotes(one);
    if (options.time) line += " --time";
    for (const std::string& set : options.set) line += " --set " + in_quotes(set);
    if (!options.measure.empty()) line += " --measure " + in_quotes(options.measure);
    if (!options.reference.empty()) line += " --reference " + in_quotes(options.reference);
    return line;
}

std::string digits(double value)
{
    return std::isfinite(value) ? fmt::format("{:.3g}", value) : "-";
}

void print_runs(const Comparison& c)
{
    std::vector<std::string> heading;
    for (const Variation& variation : c.variations) heading.push_back(variation.path);
    heading.insert(heading.end(),
                   {"status", "steps", "largest error", "at the end", "energy.error", "us per step", "verdict"});
    Table table(std::string(c.variations.size() + 1, 'l') + "rrrrrl");
    table.add(heading);
    for (const ComparedRun& run : c.runs) {
        std::vector<std::string> row;
        for (const Override& setting : run.settings) row.push_back(setting.value);
        row.insert(row.end(), {run.trial.status, std::to_string(run.trial.steps), digits(run.largest_error),
                               digits(run.end_error), digits(run.largest_energy_error), digits(1e6 * run.trial.step_s),
                               std::string(name_of(run.verdict))});
        table.add(std::move(row));
    }
    fmt::print("{}", table.text());
}

void print_methods(const Comparison& c)
{
    if (c.methods.empty()) return;
    fmt::print("\n{} by {}:\n", c.is_by_step() ? "observed order" : "slope of log(error)",
               c.is_by_step() ? "step taken" : c.variations[*c.parameter].path);
    Table table("lrl");
    table.add({"method", c.is_by_step() ? "order" : "slope", "runs used"});
    for (const Method& method : c.methods)
        table.add({method.name.empty() ? "all" : method.name,
                   std::isfinite(method.slope) ? fmt::format("{:.2f}", method.slope) : "-",
                   fmt::format("{} of {}", method.fitted, method.runs.size())});
    fmt::print("{}", table.text());
}

void print_results(const Comparison& c)
{
    const std::string measured = c.unit == "1" ? c.measure : fmt::format("{} [{}]", c.measure, c.unit);
    fmt::print("errors are of {} against {}\n\n", measured, c.reference_words);
    print_runs(c);
    print_methods(c);
}

// Growth is forgiven up to 1e-9 a step, so a limit this small means none is short enough.
std::string limit_text(double limit)
{
    constexpr double kNone = 0.02;
    if (std::isinf(limit)) return "any";
    return limit < kNone ? "none" : fmt::format("{:.3g}", limit);
}

// What every integrator states of itself.
int list_integrators()
{
    Table table("lrrrrrl");
    table.add({"solver.kind", "order", "forces", "sums + products", "w h", "d h", "rule"});
    constexpr auto names = enum_names(SolverKind{});
    for (std::size_t i = 0; i < names.size(); ++i) {
        const auto kind = static_cast<SolverKind>(i);
        const IntegratorFacts facts = integrator_facts(kind);
        const OperationCount count = operation_count(kind);
        table.add({std::string(names[i]), std::to_string(facts.order), std::to_string(facts.evaluations),
                   fmt::format("{} + {}", count.sums, count.products), limit_text(stable_step(kind, 1, 0)),
                   limit_text(stable_step(kind, 0, 1)), std::string(facts.sentence)});
    }
    fmt::print("{}\nforces: evaluations in a step (of an implicit rule in an iteration); sums + products of a step on "
               "x'' = f - w2 x - d x';\nw h, d h: longest stable step of an undamped spring and of pure damping\n",
               table.text());
    return kOk;
}

std::vector<Variation> variations_of(const Options& options)
{
    std::vector<Variation> all;
    Named<std::string> cases;
    for (const std::string& text : options.cases) cases.push_back(parse_case(text));
    if (!cases.empty()) all.push_back(cases_of(cases));
    for (const std::string& vary : options.vary) all.push_back(parse_variation(vary));
    return all;
}

// What the scene says of its own comparison counts when the command line varies nothing; words given there still win.
void take_from_scene(Options& options, ComparisonPlan& plan)
{
    const CompareScene compare = load_scene(options.scene, plan.set).compare;
    if (compare.is_empty())
        throw Error(Problem{.file = options.scene,
                            .message = "nothing is varied, and the scene has no compare block",
                            .cure = "such as: pliant compare scene.json --vary solver.kind=euler,rk4"},
                    ErrorKind::usage);
    plan.variations = pliant::variations_of(compare);
    options.time = options.time || compare.time;
    if (options.measure.empty()) plan.measure = compare.measure;
    if (options.reference.empty() && !compare.reference.empty()) plan.reference = parse_settings(compare.reference);
}

ComparisonPlan plan_of(Options& options, ProgressLine& progress)
{
    ComparisonPlan plan{.scene = options.scene, .set = parse_overrides(options.set), .measure = options.measure};
    if (!options.reference.empty()) plan.reference = parse_settings(options.reference);
    plan.variations = variations_of(options);
    if (plan.variations.empty()) take_from_scene(options, plan);
    plan.progress = [&progress](const ComparisonProgress& p) { show_progress(progress, p); };
    plan.stop = &interrupted;
    return plan;
}

void say_where(const Options& options, const std::string& folder)
{
    if (!options.quiet) say(fmt::format("wrote {0}; next: open {0}/index.html in a browser", folder));
}

int compare_errors(const Options& options, const ComparisonPlan& plan, ProgressLine& progress,
                   const std::string& folder)
{
    Comparison comparison = compare(plan);
    progress.clear();
    comparison.unit = measure_kind(comparison.measure).unit;
    if (options.json)
        fmt::print("{}\n", to_json(comparison));
    else if (!comparison.runs.empty())
        print_results(comparison);
    if (!options.quiet)
        for (const std::string& note : comparison.notes) say("note: " + note);
    if (!options.no_files && !comparison.runs.empty()) {
        write_report(folder, comparison, command_line(options));
        say_where(options, folder);
    }
    if (comparison.interrupted) return kInterrupted;
    return comparison.all_failed() ? kSimulationFailed : kOk;
}

int compare_times(const Options& options, const ComparisonPlan& plan, ProgressLine& progress, const std::string& folder)
{
    const CostComparison comparison = compare_costs(plan);
    progress.clear();
    if (options.json)
        fmt::print("{}\n", to_json(comparison));
    else if (!comparison.runs.empty())
        print_costs(comparison);
    constexpr double kBusy = 0.1;
    if (!options.quiet && comparison.disturbed > kBusy)
        say(fmt::format(
            "note: the machine did other work for {:.0f} % of the time, which is taken out; times of a quiet "
            "machine are better",
            100 * comparison.disturbed));
    if (!options.quiet && comparison.interrupted)
        say(fmt::format("note: interrupted after {} runs", comparison.runs.size()));
    if (!options.no_files && !comparison.runs.empty()) {
        write_cost_report(folder, comparison, command_line(options));
        say_where(options, folder);
    }
    if (comparison.interrupted) return kInterrupted;
    return comparison.all_failed() ? kSimulationFailed : kOk;
}

int compare_runs(Options options)
{
    if (options.list) return list_integrators();
    if (options.scene.empty())
        throw Error(Problem{.message = "compare needs a scene and something to vary",
                            .cure = "such as: pliant compare scene.json --vary solver.kind=euler,rk4"},
                    ErrorKind::usage);
    const std::string folder = folder_of(options);
    if (!options.no_files) check_folder(folder, options.force);
    catch_interrupts();
    ProgressLine progress(options.quiet);
    const ComparisonPlan plan = plan_of(options, progress);
    // Times of several threads depend on what else the machine does: one thread, unless asked for more.
    set_thread_count(options.time && options.threads == 0 ? 1 : options.threads);
    return options.time ? compare_times(options, plan, progress, folder)
                        : compare_errors(options, plan, progress, folder);
}

}  // namespace

void setup_compare(CLI::App& app, int& exit_code)
{
    auto options = std::make_shared<Options>();
    CLI::App* verb = app.add_subcommand(
        "compare",
        "Run one scene under several solvers, steps or settings.\n\n"
        "  pliant compare scene.json --vary solver.kind=euler,rk4 --vary solver.step=0.1,0.05,0.025\n"
        "  pliant compare scene.json --vary solver.step=0.001..0.1:7 --measure ball.center.y\n"
        "  pliant compare scene.json --vary bodies.ball.drag=0..2:5:linear -o drag\n"
        "  pliant compare scene.json --case \"soft: bodies.ball.drag=1\" --case \"hard: solver.kind=euler\" --time\n"
        "  pliant compare scenes/cloth_models.json\n"
        "  pliant compare --list\n\n"
        "Every combination is run; without --vary and --case those of the scene's own compare block.\nErrors are "
        "against the exact solution of a linear oscillator,\nelse "
        "against a finer run.\nTables are printed; charts and a page go into a folder. See docs/compare.md\n");
    verb->add_option("scene", options->scene, "the scene file");
    verb->add_option("--vary", options->vary,
                     "path=a,b,c or path=lo..hi:n (logarithmic) or lo..hi:n:linear; may be repeated")
        ->type_name("PATH=VALUES")
        ->allow_extra_args(false);
    verb->add_option("--case", options->cases,
                     "\"NAME: path=value path=value\": several settings that change together; may be repeated")
        ->type_name("CASE")
        ->allow_extra_args(false);
    verb->add_option("-s,--set", options->set, "path=value: change a value for all runs, may be repeated")
        ->type_name("PATH=VALUE")
        ->allow_extra_args(false);
    verb->add_option("--measure", options->measure,
                     "what to compare; by default the coordinate of the first probe, or body, that moves most")
        ->type_name("MEASURE");
    verb->add_option("--reference", options->reference,
                     "settings of the run to compare with, such as \"solver.kind=rk4 solver.step=1e-4\"")
        ->type_name("SETTINGS");
    verb->add_option("-o,--output", options->output, "the folder to write; SCENE-compare in this folder by default");
    verb->add_option("--threads", options->threads,
                     "threads to use; all cores by default, one with --time; never changes the result")
        ->check(CLI::NonNegativeNumber)
        ->type_name("N");
    verb->add_flag("--time", options->time, "compare machine time per frame, whole and by stage, instead of errors");
    verb->add_flag("--list", options->list, "only list the integrators: order, cost, longest stable step");
    verb->add_flag("--no-files", options->no_files, "only print, write nothing");
    verb->add_flag("--json", options->json, "print all runs as one JSON object");
    verb->add_flag("-q,--quiet", options->quiet, "no progress, no talk");
    verb->add_flag("-f,--force", options->force, "write into a folder that exists");
    verb->callback([options, &exit_code] { exit_code = compare_runs(*options); });
}

}  // namespace pliant::cli
