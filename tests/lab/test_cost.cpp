// SPDX-License-Identifier: MIT
#include <pliant/lab/cost.h>

#include <cmath>
#include <fstream>
#include <sstream>

#include <pliant/base/json.h>
#include <pliant/lab/cost_charts.h>
#include <pliant/lab/cost_report.h>

#include "lab/oscillators.h"

namespace pliant {
namespace {

/// A sheet of springs that falls on a floor but for one corner.
constexpr const char* kSheet = R"({
  "description": "a sheet on the floor",
  "world": { "duration": 0.1, "frame_rate": 50 },
  "solver": { "kind": "semi_implicit_euler", "step": 0.001, "substeps": 1 },
  "bodies": { "sheet": { "kind": "springs", "mesh": { "grid": [20, 20], "size": [1, 1] }, "mass": 1,
    "springs": { "k_s": 10, "k_d": 0.1 }, "position": [0, 0.01, 0], "pins": [{ "select": [0] }] } },
  "colliders": { "floor": { "plane": [0, 1, 0, 0] } }
})";

class CostTest : public test::LabFolder {
protected:
    CostComparison costs(const Named<std::string>& cases, const std::vector<std::string>& vary,
                         const std::vector<Override>& set = {}) const
    {
        ComparisonPlan plan{.scene = scene(kSheet), .set = set};
        if (!cases.empty()) plan.variations.push_back(cases_of(cases));
        for (const std::string& one : vary) plan.variations.push_back(parse_variation(one));
        return compare_costs(plan);
    }
};

TEST(StageSeconds, AddUpToTheStep)
{
    Profile profile;
    profile[Stage::step] = 10, profile[Stage::integrate] = 6, profile[Stage::elements] = 3;
    profile[Stage::gravity] = 0.5, profile[Stage::pressure] = 1, profile[Stage::volume] = 0.75;
    profile[Stage::collide] = 2;
    const StageSeconds s = stage_seconds(profile);
    EXPECT_DOUBLE_EQ(s.model, 4.5) << "volumes lie within pressures";
    EXPECT_DOUBLE_EQ(s.integration, 1.5);
    EXPECT_DOUBLE_EQ(s.collision, 2);
    EXPECT_DOUBLE_EQ(s.other, 2);
    EXPECT_DOUBLE_EQ(s.total(), 10);
}

TEST_F(CostTest, MoreParticlesCostMoreAndAreTheAxis)
{
    const CostComparison c = costs({}, {"bodies.sheet.mesh.grid=[10,10],[30,30],[90,90]"}, {{"colliders", "{}"}});
    ASSERT_EQ(c.runs.size(), 3u);
    EXPECT_EQ(c.axis_label, "particles");
    EXPECT_EQ(c.runs[2].particles, 8100);
    EXPECT_EQ(c.runs[0].axis, 100);
    EXPECT_EQ(c.runs[0].frames, 5);
    EXPECT_EQ(c.runs[0].steps, 100);
    // Nine times as many each; a busy machine may take its share of that.
    for (std::size_t r = 1; r < 3; ++r)
        EXPECT_GT(c.runs[r].per_frame.total(), 1.5 * c.runs[r - 1].per_frame.total()) << c.runs[r].name;
    ASSERT_EQ(c.curves.size(), 1u);
    EXPECT_NEAR(c.curves[0].slope, 1, 0.6) << "the cost of a vertex hardly depends on the number";
    EXPECT_GE(c.runs[0].worst_s, c.runs[0].median_s);
}

// RK4 has the forces of a step four times.
TEST_F(CostTest, StagesSayWhereTheTimeGoes)
{
    const CostComparison c =
        costs({{"one", "solver.kind=semi_implicit_euler"}, {"four", "solver.kind=rk4"}}, {}, {{"world.duration", "1"}});
    ASSERT_EQ(c.runs.size(), 2u);
    EXPECT_FALSE(c.axis_variation);
    const StageSeconds &one = c.runs[0].per_frame, &four = c.runs[1].per_frame;
    EXPECT_GT(four.model, 1.5 * one.model) << "four times, but for what else the machine does";
    EXPECT_GT(one.collision, 0);
    EXPECT_GT(one.integration, 0);
    EXPECT_EQ(std::min(c.runs[0].ratio, c.runs[1].ratio), 1) << "the fastest is the measure of the others";
    EXPECT_NEAR(c.runs[1].ratio / c.runs[0].ratio, four.total() / one.total(), 1e-9);
}

TEST_F(CostTest, ANumberIsTheAxisBeforeTheParticles)
{
    const CostComparison c = costs({}, {"bodies.sheet.mesh.grid=[10,10],[20,20]", "solver.substeps=1,2,4"});
    EXPECT_EQ(c.axis_label, "solver.substeps");
    ASSERT_EQ(c.curves.size(), 2u);
    EXPECT_EQ(c.curves[0].name, "grid [10,10]");
    EXPECT_EQ(c.runs[2].steps, 4 * c.runs[0].steps);
    EXPECT_EQ(c.runs[2].axis, 4);
    EXPECT_EQ(c.runs[5].axis, 4);
    EXPECT_GT(c.runs[5].ratio, 1.2) << "four times as many particles, at the same place of the axis";
}

TEST_F(CostTest, ARunThatFailsHasNoTime)
{
    const CostComparison c =
        costs({{"good", ""}, {"bad", "bodies.sheet.springs.k_s=1e9"}}, {"bodies.sheet.mesh.grid=[5,5],[8,8]"});
    ASSERT_EQ(c.runs.size(), 4u);
    EXPECT_FALSE(c.runs[0].failed) << c.runs[0].message;
    EXPECT_TRUE(c.runs[2].failed);
    EXPECT_FALSE(c.runs[2].message.empty());
    EXPECT_FALSE(c.all_failed());
    EXPECT_TRUE(std::isnan(c.runs[2].ratio));
    EXPECT_TRUE(c.curves[1].runs.empty());
    EXPECT_NE(times_csv(c).find("bad,\"[5,5]\",unstable,25,"), std::string::npos) << times_csv(c);
    const std::vector<NamedChart> charts = cost_charts(c);
    ASSERT_EQ(charts.size(), 3u);
    EXPECT_EQ(charts[2].chart.panels[0].levels.size(), 1u) << "one bar is left";
}

TEST_F(CostTest, BarsAreAsLongAsTheirStages)
{
    CostComparison c{.scene = "s.json", .variations = {cases_of({{"a", ""}, {"b", ""}})}};
    c.runs = {{.settings = {{kCase, "a"}}, .name = "a", .per_frame = {1, 1, 1, 1}},
              {.settings = {{kCase, "b"}}, .name = "b", .per_frame = {2, 0, 0, 0}}};
    c.curves = {{.name = "a", .runs = {0}}, {.name = "b", .runs = {1}}};
    const std::vector<NamedChart> charts = cost_charts(c);
    ASSERT_EQ(charts.size(), 1u) << "no axis, no curves";
    const ChartCells& cells = *charts[0].chart.panels[0].cells;
    // The last rows are those of the first run; the middle of its bar is four rows below the top.
    const auto row = [&](int r) { return cells.values.begin() + static_cast<std::ptrdiff_t>(r) * cells.columns; };
    const auto cells_of = [&](int r, double stage) { return std::count(row(r), row(r + 1), stage); };
    const double length = cells.x.hi - cells.x.lo;
    EXPECT_EQ(length, 1e3 * 1.04 * 4);
    for (int stage = 0; stage < 4; ++stage)
        EXPECT_NEAR(1.0 * cells_of(cells.rows - 4, stage) / cells.columns, 1e3 / length, 0.005) << stage;
    EXPECT_NEAR(1.0 * cells_of(3, 0) / cells.columns, 2e3 / length, 0.005);
    EXPECT_EQ(cells_of(3, 1), 0);
}

TEST_F(CostTest, ReportsAreFilesAndOneJsonObject)
{
    const CostComparison c = costs({{"a<b", ""}, {"rk4", "solver.kind=rk4"}}, {"bodies.sheet.mesh.grid=[5,5],[9,9]"});
    const std::vector<std::string> names = write_cost_report(path("out"), c, "pliant compare it");
    for (const char* name : {"index.html", "times.csv", "time.svg", "stages.png", "shares.svg"}) {
        EXPECT_NE(std::find(names.begin(), names.end(), name), names.end()) << name;
        EXPECT_GT(std::filesystem::file_size(path("out") + "/" + name), 100u) << name;
    }
    std::stringstream page;
    page << std::ifstream(path("out/index.html")).rdbuf();
    EXPECT_NE(page.str().find("a&lt;b"), std::string::npos);
    EXPECT_EQ(page.str().find("a<b"), std::string::npos) << "names are text, not marks";
    EXPECT_NE(page.str().find("<code>solver.kind=rk4</code>"), std::string::npos) << "the page says what a case is";
    const JsonRead json = parse_json(to_json(c), "json");
    ASSERT_TRUE(json.problems.empty());
    ASSERT_EQ(json.value.find("runs")->items.size(), 4u);
    EXPECT_GT(json.value.find("runs")->items[0].find("model_ms")->number, 0);
    EXPECT_EQ(json.value.find("axis")->as_string(), "particles");
}

TEST_F(CostTest, StopsWhenAskedTo)
{
    std::atomic<bool> stop = true;
    ComparisonPlan plan{
        .scene = scene(kSheet), .variations = {parse_variation("solver.kind=euler,rk4")}, .stop = &stop};
    const CostComparison c = compare_costs(plan);
    EXPECT_TRUE(c.interrupted);
    EXPECT_TRUE(c.runs.empty());
    EXPECT_FALSE(c.all_failed());
}

}  // namespace
}  // namespace pliant
