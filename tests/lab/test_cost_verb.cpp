// SPDX-License-Identifier: MIT

// pliant compare --time and --case from outside, and scenes that bring their own comparison.

#include "cli/program.h"
#include "lab/oscillators.h"

namespace pliant {
namespace {

constexpr const char* kOwn = R"({
  "world": { "duration": 0.1, "frame_rate": 20 },
  "solver": { "kind": "semi_implicit_euler", "step": 0.005 },
  "bodies": { "sheet": { "kind": "springs", "mesh": { "grid": [4, 4], "size": [1, 1] }, "mass": 1,
    "springs": { "k_s": 10 }, "pins": [{ "select": [0] }] } },
  "compare": { "time": true, "vary": ["bodies.sheet.mesh.grid=[4,4],[6,6]"],
    "cases": { "plain": "", "costly": "solver.kind=rk4 solver.substeps=2" } }
})";

class CostVerb : public CommandLine {
protected:
    void SetUp() override
    {
        CommandLine::SetUp();
        write("spring.json", test::kForced);
        write("own.json", kOwn);
    }
};

TEST_F(CostVerb, MakesTheFiguresOfASceneInOneCommand)
{
    const Ran ran = pliant({"compare", "own.json"});
    EXPECT_EQ(ran.code, 0) << ran.err;
    expect_said(ran.out, {"1 thread,", "plain", "costly", "[6,6]", "integration", "collision", "over fastest",
                          "grows with particles"});
    for (const char* name : {"index.html", "times.csv", "time.svg", "stages.svg", "shares.png"})
        EXPECT_TRUE(exists(std::string("own-compare/") + name)) << name;
    expect_said(read("own-compare/times.csv"),
                {"case,bodies.sheet.mesh.grid,status,particles", "costly,\"[4,4]\",ok,16"});
    expect_said(read("own-compare/index.html"), {"pliant compare own.json"});
    EXPECT_FALSE(exists("own-compare/series.csv"));
}

TEST_F(CostVerb, TheCommandLineComesBeforeTheScene)
{
    const Ran ran = pliant({"compare", "own.json", "--vary", "solver.step=0.005,0.0025", "--no-files"});
    EXPECT_EQ(ran.code, 0) << ran.err;
    expect_said(ran.out, {"largest error", "0.0025"});
    EXPECT_EQ(ran.out.find("costly"), std::string::npos) << ran.out;
}

TEST_F(CostVerb, TimesCasesOfTheCommandLine)
{
    const Ran ran = pliant({"compare", "spring.json", "--time", "--case", "cheap: solver.kind=euler", "--case",
                            "dear: solver.kind=rk4 solver.substeps=8", "--json", "--no-files", "-q"});
    ASSERT_EQ(ran.code, 0) << ran.err;
    const JsonRead read = parse_json(ran.out, "stdout");
    ASSERT_TRUE(read.problems.empty()) << ran.out;
    const Json& runs = *read.value.find("runs");
    ASSERT_EQ(runs.items.size(), 2u);
    EXPECT_EQ(runs.items[1].find("settings")->find("case")->as_string(), "dear");
    EXPECT_GT(runs.items[1].find("ms_per_frame")->number, 2 * runs.items[0].find("ms_per_frame")->number);
    EXPECT_EQ(read.value.find("threads")->number, 1);
}

TEST_F(CostVerb, ComparesErrorsOfCasesToo)
{
    const Ran ran = pliant({"compare", "spring.json", "--case", "rough: solver.kind=euler solver.step=0.1", "--case",
                            "good: solver.kind=rk4 solver.step=0.05", "--no-files"});
    EXPECT_EQ(ran.code, 0) << ran.err;
    expect_said(ran.out, {"rough", "good", "0.552", "exact to 1 %"});
}

TEST_F(CostVerb, RefusesInWords)
{
    expect_refused(pliant({"compare", "spring.json", "--time"}), 2, {"spring.json", "compare block", "--vary"});
    expect_refused(pliant({"compare", "spring.json", "--case", "solver.kind=rk4"}), 2, {"solver.kind=rk4", "name"});
    expect_refused(pliant({"compare", "spring.json", "--case", "a: solver.kind=rk5"}), 3, {"rk5", "rk4"});
    write("wrong.json", R"({ "bodies": {}, "compare": { "times": true } })");
    expect_refused(pliant({"compare", "wrong.json"}), 3, {"times", "time"});
}

TEST_F(CostVerb, FailureOfAllIsAFailure)
{
    const Ran ran = pliant({"compare", "own.json", "--no-files", "--time", "-s", "bodies.sheet.springs.k_s=1e9", "-s",
                            "solver.substeps=1", "--vary", "solver.kind=euler,rk4"});
    EXPECT_EQ(ran.code, 1) << ran.err;
    expect_said(ran.out, {"unstable", "-"});
}

}  // namespace
}  // namespace pliant
