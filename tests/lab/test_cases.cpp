// SPDX-License-Identifier: MIT

// Cases: values of a variation that change several settings at once.

#include <pliant/lab/comparison.h>
#include <pliant/lab/comparison_report.h>

#include "lab/oscillators.h"

namespace pliant {
namespace {

using CasesTest = test::LabFolder;
using Words = std::vector<std::string>;

std::string refusal(const std::function<void()>& work)
{
    try {
        work();
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::usage);
        return to_string(error.problems().front());
    }
    return "accepted";
}

TEST(Cases, AreANameAndSettings)
{
    const auto [name, text] = parse_case("stiff, slow: bodies.a.drag=3 world.gravity=[0, -1, 0]");
    EXPECT_EQ(name, "stiff, slow");
    const Settings settings = parse_settings(text);
    ASSERT_EQ(settings.size(), 2u);
    EXPECT_EQ(settings[0].path, "bodies.a.drag");
    EXPECT_EQ(settings[1].value, "[0, -1, 0]") << "spaces inside brackets belong to the value";
    EXPECT_EQ(parse_case("as it is:").second, "");
}

TEST(Cases, WithoutANameAreRefused)
{
    EXPECT_NE(refusal([] { parse_case("solver.kind=rk4"); }).find("name"), std::string::npos);
    EXPECT_NE(refusal([] { parse_case(": solver.kind=rk4"); }).find("name"), std::string::npos);
    EXPECT_NE(refusal([] { parse_case("solver.kind=rk4 a=x:y"); }).find("name"), std::string::npos);
    EXPECT_NE(refusal([] { cases_of({{"a", "x=1"}, {"a", "x=2"}}); }).find("two cases"), std::string::npos);
    EXPECT_NE(refusal([] { cases_of({{"a", "x"}}); }).find("path=value"), std::string::npos);
}

TEST(Cases, CombineWithOtherVariationsAndGiveWayToTheirSettings)
{
    const std::vector<Variation> variations{cases_of({{"1", "a.x=1 a.y=2"}, {"2", ""}}), parse_variation("b=5,6,7")};
    EXPECT_FALSE(variations[0].numbers()) << "names that look like numbers are names";
    const std::vector<Settings> all = combinations(variations);
    ASSERT_EQ(all.size(), 6u);
    EXPECT_EQ(name_of_settings(all[1]), "1, b 6");
    const Settings first = expanded(variations, all[1]);
    ASSERT_EQ(first.size(), 3u);
    EXPECT_EQ(first[1].path, "a.y");
    EXPECT_EQ(first[2].value, "6");
    EXPECT_EQ(expanded(variations, all[5]).size(), 1u) << "the second case changes nothing";
}

TEST(Cases, MayNotSetWhatIsVaried)
{
    const std::vector<Variation> variations{cases_of({{"one", "solver.step=0.1"}}),
                                            parse_variation("solver.step=0.1,0.2")};
    const std::string words = refusal([&] { combinations(variations); });
    EXPECT_NE(words.find("solver.step"), std::string::npos) << words;
    EXPECT_NE(words.find("'one'"), std::string::npos) << words;
}

// A case of solvers alone shares the reference of its physics; one that changes the physics has its own.
TEST_F(CasesTest, AreComparedByErrorLikeAnyOtherValue)
{
    ComparisonPlan plan{.scene = scene()};
    plan.variations = {cases_of({{"coarse", "solver.kind=euler solver.step=0.1"},
                                 {"fine", "solver.kind=rk4 solver.step=0.025"},
                                 {"thick air", "bodies.oscillator.drag=5 solver.kind=rk4"}})};
    const Comparison c = compare(plan);
    ASSERT_EQ(c.runs.size(), 3u);
    EXPECT_EQ(c.references.size(), 2u);
    EXPECT_EQ(c.runs[0].reference, c.runs[1].reference);
    EXPECT_NE(c.runs[1].reference, c.runs[2].reference);
    EXPECT_NEAR(c.runs[0].largest_error, 0.552, 0.003) << "Euler's of 0.1 s, dossier 004";
    EXPECT_LT(c.runs[2].relative_error, 1e-3);
    EXPECT_NE(runs_csv(c).find("thick air"), std::string::npos);
}

TEST_F(CasesTest, AndVariationsStandInTheSceneToo)
{
    const std::string text = std::string(test::kForced).substr(0, std::string(test::kForced).rfind('}')) +
                             R"(, "compare": { "cases": { "a": "solver.kind=rk4", "b": "solver.kind=heun" },
                                               "vary": ["solver.step=0.1,0.05"], "time": true } })";
    const Scene read = load_scene(scene(text));
    EXPECT_TRUE(read.compare.time);
    const std::vector<Variation> variations = variations_of(read.compare);
    ASSERT_EQ(variations.size(), 2u);
    EXPECT_EQ(variations[0].values, (Words{"a", "b"}));
    EXPECT_EQ(variations[1].values, (Words{"0.1", "0.05"}));
    EXPECT_EQ(load_scene(scene(to_json_text(read))).compare.cases, read.compare.cases) << "written and read again";
    EXPECT_TRUE(load_scene(scene()).compare.is_empty());
}

}  // namespace
}  // namespace pliant
