// SPDX-License-Identifier: MIT

// pliant compare from outside: tables, files, exit codes, interruption.

#include "cli/program.h"
#include "lab/oscillators.h"

namespace pliant {
namespace {

class CompareVerb : public CommandLine {
protected:
    void SetUp() override
    {
        CommandLine::SetUp();
        write("spring.json", test::kForced);
    }
};

const std::vector<std::string> kSmall = {
    "compare", "spring.json", "--vary", "solver.kind=euler,rk4", "--vary", "solver.step=0.1,0.05,0.025"};

std::vector<std::string> with(std::vector<std::string> words, const std::vector<std::string>& more)
{
    words.insert(words.end(), more.begin(), more.end());
    return words;
}

TEST_F(CompareVerb, PrintsTablesAndWritesAFolder)
{
    const Ran ran = pliant(kSmall);
    EXPECT_EQ(ran.code, 0) << ran.err;
    expect_said(ran.out, {"mass.x [m]", "exact solution", "largest error", "us per step", "observed order", "0.552"});
    expect_said(ran.err, {"wrote spring-compare", "next: open spring-compare/index.html"});
    for (const char* name : {"index.html", "runs.csv", "series.csv", "convergence.svg", "stability.png"})
        EXPECT_TRUE(exists(std::string("spring-compare/") + name)) << name;
    expect_said(read("spring-compare/index.html"), {"pliant compare spring.json --vary solver.kind=euler,rk4"});
}

TEST_F(CompareVerb, NeverWritesIntoAFolderThatIsInUseWithoutForce)
{
    EXPECT_EQ(pliant(with(kSmall, {"-o", "out", "-q"})).code, 0);
    expect_refused(pliant(with(kSmall, {"-o", "out"})), 4, {"out", "exists", "--force"});
    EXPECT_EQ(pliant(with(kSmall, {"-o", "out", "-q", "--force"})).code, 0);
    expect_refused(pliant(with(kSmall, {"-o", "spring.json", "--force"})), 4, {"spring.json", "folder"});
}

TEST_F(CompareVerb, IsSilentOnStderrWhenQuiet)
{
    EXPECT_EQ(pliant(with(kSmall, {"-q"})).err, "");
}

TEST_F(CompareVerb, PrintsOneJsonObject)
{
    const Ran ran = pliant(with(kSmall, {"--json", "--no-files"}));
    ASSERT_EQ(ran.code, 0) << ran.err;
    const JsonRead read = parse_json(ran.out, "stdout");
    ASSERT_TRUE(read.problems.empty()) << ran.out;
    EXPECT_EQ(read.value.find("runs")->items.size(), 6u);
    EXPECT_EQ(read.value.find("unit")->as_string(), "m");
    EXPECT_FALSE(exists("spring-compare"));
}

TEST_F(CompareVerb, AnExplosionIsAResultButNothingElseIsAFailure)
{
    const std::vector<std::string> euler{"compare", "spring.json", "-s", "solver.kind=euler", "--no-files", "--vary"};
    const Ran some = pliant(with(euler, {"solver.step=0.1,3"}));
    EXPECT_EQ(some.code, 0) << some.err;
    expect_said(some.out, {"unstable", "exploded"});
    EXPECT_EQ(pliant(with(euler, {"solver.step=3,4"})).code, 1);
}

TEST_F(CompareVerb, RefusesWhatItCannotDoInWords)
{
    expect_refused(pliant({"compare", "spring.json"}), 2, {"--vary"});
    expect_refused(pliant({"compare", "spring.json", "--vary", "solver.step"}), 2, {"solver.step", "expected"});
    expect_refused(pliant({"compare", "spring.json", "--vary", "solver.kind=euler,rk5"}), 3, {"rk5", "rk4"});
    expect_refused(pliant({"compare", "spring.json", "--vary", "solver.kind=rk4", "--measure", "mas.x"}), 2,
                   {"mas.x", "mass.x"});
    expect_refused(pliant({"compare", "none.json", "--vary", "solver.kind=rk4"}), 4, {"none.json"});
    EXPECT_FALSE(exists("spring-compare"));
}

TEST_F(CompareVerb, TakesAReferenceRunAndAMeasure)
{
    const Ran ran = pliant(with(kSmall, {"--no-files", "--measure", "oscillator.velocity.x", "--reference",
                                         "solver.kind=rk4 solver.step=0.001"}));
    EXPECT_EQ(ran.code, 0) << ran.err;
    expect_said(ran.out, {"oscillator.velocity.x [m/s]", "the run asked for: solver.kind=rk4 solver.step=0.001"});
}

TEST_F(CompareVerb, EndsWithWhatThereIsWhenInterrupted)
{
    const pid_t child = start_pliant({"compare", "spring.json", "--vary", "solver.step=0.05,1e-6", "-o", "out"});
    for (int i = 0; i < 20000 && read(".err").find("run 2 of 2") == std::string::npos; ++i)
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    kill(child, SIGINT);
    const Ran ran = finish(child);
    EXPECT_EQ(ran.code, 130) << ran.err;
    expect_said(ran.err, {"interrupted: 1 of 2 runs"});
    EXPECT_TRUE(exists("out/index.html"));
}

}  // namespace
}  // namespace pliant
