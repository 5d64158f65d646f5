// SPDX-License-Identifier: MIT
#include <pliant/lab/comparison.h>

#include <cmath>
#include <fstream>
#include <sstream>

#include <pliant/base/json.h>
#include <pliant/lab/comparison_charts.h>
#include <pliant/lab/comparison_report.h>
#include <pliant/lab/judgement.h>
#include <pliant/record/run.h>

#include "lab/oscillators.h"
#include "world/small_scenes.h"

namespace pliant {
namespace {

using ComparisonTest = test::LabFolder;

const Method* find_method(const Comparison& c, const std::string& name)
{
    for (const Method& method : c.methods)
        if (method.name == name) return &method;
    return nullptr;
}

TEST_F(ComparisonTest, ObservesTheOrdersOfTheIntegrators)
{
    const Comparison c =
        compared({"solver.kind=euler,velocity_verlet,rk4", "solver.step=0.05,0.025,0.0125,0.00625,0.003125"});
    ASSERT_EQ(c.runs.size(), 15u);
    EXPECT_EQ(c.measure, "mass.x");
    EXPECT_NE(c.reference_words.find("exact"), std::string::npos);
    EXPECT_NE(c.reference_words.find("under-damped"), std::string::npos);
    for (const auto& [name, order] :
         std::vector<std::pair<std::string, double>>{{"euler", 1}, {"velocity_verlet", 2}, {"rk4", 4}}) {
        const Method* method = find_method(c, name);
        ASSERT_NE(method, nullptr) << name;
        EXPECT_NEAR(method->slope, order, 0.1) << name;
        EXPECT_GE(method->fitted, 3u) << name;
    }
}

// Dossier 004, the table of E1: largest errors on [0, 14].
TEST_F(ComparisonTest, FindsTheErrorsOfSeed004)
{
    const Comparison c = compared({"solver.kind=euler,rk4", "solver.step=0.4,0.05"});
    const double expected[] = {3.19, 0.261, 6.60e-3, 1.45e-6};
    for (std::size_t r = 0; r < 4; ++r)
        EXPECT_NEAR(c.runs[r].largest_error, expected[r], 0.005 * expected[r]) << c.runs[r].name;
    EXPECT_EQ(c.runs[0].trial.steps, 35) << "a step longer than a frame is taken whole";
}

// Explicit Euler on a swinging mass: |1 + h z| > 1 exactly when h > beta/k = 0.6. The spring is so long that the
// mass never passes its fixed end.
TEST_F(ComparisonTest, EulerExplodesBeyondItsLimit)
{
    const Comparison c =
        compared({"solver.step=0.3,0.5,0.58,0.62,0.9,2"},
                 {{"solver.kind", "euler"}, {"world.duration", "300"}, {"bodies.oscillator.mesh.from", "[-5000,0,0]"}});
    for (const ComparedRun& run : c.runs) {
        const double h = c.parameter_of(run) > 0 ? std::stod(run.settings[0].value) : 0;
        EXPECT_EQ(run.verdict == Verdict::exploded, h > 0.6) << run.name << ": " << run.largest_error;
    }
    const ComparedRun& longest = c.runs.back();
    EXPECT_TRUE(longest.trial.failed);
    EXPECT_EQ(longest.trial.status, "unstable");
    EXPECT_FALSE(longest.trial.message.empty());
    EXPECT_FALSE(c.all_failed());
}

TEST_F(ComparisonTest, JudgesByTheSwingOfTheReference)
{
    const Comparison c = compared({"solver.step=0.4,0.1,0.01"}, {{"solver.kind", "euler"}});
    EXPECT_NEAR(c.references.front().swing, 9.2212, 0.01);
    EXPECT_EQ(c.runs[0].verdict, Verdict::inaccurate);
    EXPECT_EQ(c.runs[1].verdict, Verdict::close);
    EXPECT_EQ(c.runs[2].verdict, Verdict::exact);
    for (const ComparedRun& run : c.runs)
        EXPECT_NEAR(run.relative_error, run.largest_error / c.references.front().swing, 1e-12);
}

TEST_F(ComparisonTest, IsTheRunThatPliantRunMakes)
{
    const Comparison c = compared({"solver.kind=rk4"});
    const Scene scene = load_scene(this->scene());
    World world = build(scene);
    const RunSummary summary = run(world, scene);
    const auto mass = std::find_if(summary.measures.begin(), summary.measures.end(),
                                   [](const MeasureSummary& m) { return m.name == "mass.x"; });
    ASSERT_NE(mass, summary.measures.end());
    EXPECT_EQ(c.runs[0].values().back(), mass->last) << "to the bit";
    EXPECT_EQ(*std::max_element(c.runs[0].values().begin(), c.runs[0].values().end()), mass->max);
    EXPECT_EQ(static_cast<std::int64_t>(c.runs[0].values().size()), summary.frames);
    EXPECT_EQ(c.runs[0].trial.steps, summary.substeps);
}

TEST_F(ComparisonTest, EveryPhysicsHasItsOwnReference)
{
    const Comparison c = compared({"bodies.oscillator.drag=0.5,5", "solver.kind=heun,rk4"});
    ASSERT_EQ(c.references.size(), 2u);
    EXPECT_EQ(c.runs[1].reference, 0u);
    EXPECT_EQ(c.runs[2].reference, 1u);
    for (const ComparedRun& run : c.runs) EXPECT_LT(run.relative_error, 0.01) << run.name;
    EXPECT_GT(c.references[0].swing, 1.3 * c.references[1].swing);
}

TEST_F(ComparisonTest, WithoutAnExactSolutionAFinerRunIsTheReference)
{
    const Comparison c = compared({"solver.kind=velocity_verlet,rk4", "solver.step=0.01,0.005,0.0025"},
                                  {{"world.duration", "0.5"}}, std::string(test::kPendulum));
    EXPECT_NE(c.reference_words.find("solver.step=0.0003125"), std::string::npos) << c.reference_words;
    EXPECT_FALSE(c.references.front().is_exact);
    EXPECT_TRUE(c.measure.starts_with("chain.center.")) << c.measure;
    ASSERT_EQ(c.methods.size(), 2u);
    EXPECT_NEAR(c.methods[0].slope, 2, 0.15);
    EXPECT_NEAR(c.methods[1].slope, 4, 0.3);
}

TEST_F(ComparisonTest, TheReferenceCanBeChosen)
{
    ComparisonPlan plan{.scene = scene(), .variations = {parse_variation("solver.kind=euler,rk4")}};
    plan.reference = parse_settings("solver.kind=euler solver.step=0.05");
    const Comparison c = compare(plan);
    EXPECT_EQ(c.runs[0].largest_error, 0) << "it is the reference itself";
    EXPECT_NEAR(c.runs[1].largest_error, 0.261, 0.002) << "so the right one looks wrong";
    EXPECT_NE(c.reference_words.find("asked for"), std::string::npos);
}

TEST_F(ComparisonTest, MeasuresOfTheLedgerHaveNoExactSolution)
{
    ComparisonPlan plan{
        .scene = scene(), .variations = {parse_variation("solver.kind=rk4")}, .measure = "energy.dissipated"};
    EXPECT_FALSE(compare(plan).references.front().is_exact);
    plan.measure = "oscillator.velocity.x";
    const Comparison c = compare(plan);
    EXPECT_TRUE(c.references.front().is_exact);
    EXPECT_LT(c.runs[0].relative_error, 1e-5);
    plan.measure = "mass.xx";
    EXPECT_THROW(compare(plan), Error);
}

TEST_F(ComparisonTest, StopsWithTheRunsThatAreDone)
{
    std::atomic<bool> stop{false};
    ComparisonPlan plan{.scene = scene(), .variations = {parse_variation("solver.kind=euler,heun,rk4")}, .stop = &stop};
    plan.progress = [&](const ComparisonProgress& p) {
        EXPECT_EQ(p.runs, 3u);
        stop = p.run == 2;
    };
    const Comparison c = compare(plan);
    EXPECT_TRUE(c.interrupted);
    ASSERT_EQ(c.runs.size(), 1u);
    EXPECT_GT(c.runs[0].largest_error, 0);
}

TEST_F(ComparisonTest, SaysWhenStepsWereCut)
{
    const Comparison c = compared({"solver.kind=euler,rk4"}, {{"solver.substeps", "auto"}, {"solver.step", "1"}});
    ASSERT_FALSE(c.notes.empty());
    EXPECT_NE(c.notes.front().find("solver.substeps=1"), std::string::npos);
    EXPECT_TRUE(compared({"solver.kind=euler,rk4"}).notes.empty());
}

TEST(SampleTimes, AreFramesOrWholeSteps)
{
    Scene scene;
    scene.world.duration = 1, scene.world.frame_rate = 10;
    const auto times = [&](double step) {
        scene.solver.step = step;
        return sample_times(scene);
    };
    EXPECT_EQ(times(0.05).size(), 11u);
    EXPECT_EQ(times(0.05)[3], 3 / 10.0);
    EXPECT_EQ(times(0.25), (std::vector<double>{0, 0.25, 0.5, 0.75, 1}));
    EXPECT_NEAR(times(0.03)[1], 0.09, 1e-15);
    EXPECT_EQ(times(0.03).back(), 1);
    EXPECT_EQ(times(5), (std::vector<double>{0, 1}));
    scene.world.duration = 0;
    EXPECT_EQ(times(0.1), std::vector<double>{0});
}

TEST(MergedTimes, TakesRoundingForTheSameTime)
{
    EXPECT_EQ(merged_times({0.3, 0, 0.1 + 0.2, 0.3000001}).size(), 3u);
}

std::string text_of(const std::string& path)
{
    std::ifstream file(path, std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

std::vector<std::string> names_of(const std::vector<NamedChart>& charts)
{
    std::vector<std::string> names;
    for (const NamedChart& chart : charts) names.push_back(chart.name);
    return names;
}

TEST_F(ComparisonTest, DrawsOnlyWhatMakesSense)
{
    EXPECT_EQ(names_of(comparison_charts(compared({"solver.kind=euler,rk4"}))),
              (std::vector<std::string>{"trajectory", "error", "energy", "work"}));
    EXPECT_EQ(names_of(comparison_charts(compared({"solver.step=0.1,0.05,0.025"}))),
              (std::vector<std::string>{"trajectory", "error", "convergence", "energy", "work", "stability"}));
    EXPECT_EQ(names_of(comparison_charts(compared({"solver.kind=rk4"}))),
              (std::vector<std::string>{"trajectory", "error", "energy"}));
}

TEST_F(ComparisonTest, ManyRunsAreThinnedAndItIsSaid)
{
    const std::vector<NamedChart> charts = comparison_charts(compared({"solver.step=0.01..0.1:40"}));
    EXPECT_EQ(charts[0].chart.panels[0].series.size(), kMostCurves + 1) << "and the exact curve";
    EXPECT_NE(charts[0].chart.subtitle.find("12 of 40"), std::string::npos) << charts[0].chart.subtitle;
    EXPECT_EQ(charts[0].chart.panels[0].series.front().name, "step 0.01");
    EXPECT_EQ(charts[0].chart.panels[0].series[kMostCurves - 1].name, "step 0.1");
}

TEST_F(ComparisonTest, TheMapTellsEveryRunApart)
{
    const Comparison c = compared({"solver.kind=euler,rk4", "solver.step=0.02,0.1,0.4,2"}, {{"world.duration", "60"}});
    const Chart chart = stability_chart(c);
    const ChartCells& cells = chart.panels.at(0).cells.value();
    ASSERT_EQ(cells.rows, 2);
    ASSERT_EQ(cells.categories.size(), 4u);
    const auto category = [&](int row, double step) {
        const double part = std::log(step / cells.x.lo) / std::log(cells.x.hi / cells.x.lo);
        const auto column = static_cast<std::size_t>(part * cells.columns);
        return cells.categories[static_cast<std::size_t>(cells.values[row * cells.columns + column])];
    };
    for (const ComparedRun& run : c.runs)
        EXPECT_EQ(category(run.settings[0].value == "euler" ? 1 : 0, std::stod(run.settings[1].value)),
                  name_of(run.verdict))
            << run.name;
}

TEST_F(ComparisonTest, TwoNumbersMakeATwoDimensionalMap)
{
    const Chart chart = stability_chart(
        compared({"solver.step=0.1,0.5,1", "bodies.oscillator.drag=0.1,1,2,4"}, {{"solver.kind", "euler"}}));
    ASSERT_EQ(chart.panels.size(), 1u);
    EXPECT_EQ(chart.panels[0].y_label, "bodies.oscillator.drag");
    EXPECT_GT(chart.panels[0].cells->rows, 3);
}

TEST_F(ComparisonTest, WritesAFolderThatNeedsNothingElse)
{
    const Comparison c = compared({"solver.kind=euler,rk4", "solver.step=0.1,0.05,2"});
    write_report(path("out"), compared({"solver.step=0.1,0.05,0.025"}), "pliant compare before");
    const std::vector<std::string> names = write_report(path("out"), c, "pliant compare 'a<b'");
    for (const std::string& name : names) EXPECT_GT(std::filesystem::file_size(path("out/" + name)), 200u) << name;
    EXPECT_EQ(names.size(), 15u) << "page, two tables, six charts twice";
    const std::string page = text_of(path("out/index.html"));
    for (const char* words :
         {"a&lt;b", "a forced &lt;damped&gt; spring", "<svg", "Observed order", "exploded", "moved"})
        EXPECT_NE(page.find(words), std::string::npos) << words;
    for (const char* outside : {"src=", "href=", "<?xml", "<script", "@import"})
        EXPECT_EQ(page.find(outside), std::string::npos) << outside;
    const std::string runs = text_of(path("out/runs.csv"));
    EXPECT_EQ(std::count(runs.begin(), runs.end(), '\n'), 7);
}

TEST_F(ComparisonTest, TakesAwayChartsOfAnEarlierComparison)
{
    write_report(path("out"), compared({"solver.step=0.1,0.05,0.025"}), "");
    EXPECT_TRUE(std::filesystem::exists(path("out/convergence.svg")));
    write_report(path("out"), compared({"solver.kind=euler,rk4"}), "");
    EXPECT_FALSE(std::filesystem::exists(path("out/convergence.svg")));
}

TEST_F(ComparisonTest, SeriesHaveAColumnPerRunAndGapsWhereItWasNotLookedAt)
{
    const Comparison c = compared({"solver.step=0.1,0.05"}, {{"world.duration", "0.2"}});
    std::istringstream csv(series_csv(c));
    std::string line;
    std::getline(csv, line);
    EXPECT_EQ(line, "time,step 0.1,step 0.05,exact");
    std::getline(csv, line);
    EXPECT_EQ(line, "0,0,0,0");
    std::getline(csv, line);
    EXPECT_TRUE(line.starts_with("0.05,,")) << line;
    int rows = 2;
    while (std::getline(csv, line)) ++rows;
    EXPECT_EQ(rows, 5) << line;
}

TEST_F(ComparisonTest, JsonHoldsAllRuns)
{
    const Comparison c = compared({"solver.kind=euler,rk4", "solver.step=0.1,0.05,2"});
    const JsonRead read = parse_json(to_json(c), "json");
    ASSERT_TRUE(read.problems.empty());
    const Json* runs = read.value.find("runs");
    ASSERT_EQ(runs->items.size(), 6u);
    EXPECT_EQ(runs->items[2].find("settings")->find("solver.step")->as_number(), 2);
    EXPECT_EQ(runs->items[2].find("verdict")->as_string(), "exploded");
    EXPECT_EQ(read.value.find("parameter")->as_string(), "solver.step");
    EXPECT_EQ(read.value.find("methods")->items.size(), 2u);
}

}  // namespace
}  // namespace pliant
