// SPDX-License-Identifier: MIT
#include <pliant/lab/variation.h>

#include <gtest/gtest.h>

namespace pliant {
namespace {

using Words = std::vector<std::string>;

std::string refusal(const std::string& text)
{
    try {
        parse_variation(text);
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::usage);
        return to_string(error.problems().front());
    }
    return "accepted";
}

void expect_refused(const std::string& text, const std::string& words)
{
    EXPECT_NE(refusal(text).find(words), std::string::npos) << refusal(text);
}

TEST(Variation, ReadsLists)
{
    const Variation kinds = parse_variation("solver.kind=euler,rk4");
    EXPECT_EQ(kinds.path, "solver.kind");
    EXPECT_EQ(kinds.values, (Words{"euler", "rk4"}));
    EXPECT_FALSE(kinds.numbers());
    EXPECT_EQ(parse_variation("a.b=0.1,5e-2").numbers(), (std::vector<double>{0.1, 0.05}));
    EXPECT_EQ(parse_variation("a=7").values, Words{"7"});
}

TEST(Variation, KeepsCommasInsideBracketsAndQuotes)
{
    EXPECT_EQ(parse_variation("world.gravity=[0,0,0],[0,-9.81,0]").values, (Words{"[0,0,0]", "[0,-9.81,0]"}));
    EXPECT_EQ(parse_variation(R"(a={"x":[1,2]},"b,c")").values, (Words{R"({"x":[1,2]})", R"("b,c")"}));
}

TEST(Variation, ReadsRanges)
{
    EXPECT_EQ(parse_variation("solver.substeps=1..16:5").values, (Words{"1", "2", "4", "8", "16"}));
    EXPECT_EQ(parse_variation("a=0.1..0.001:3").values, (Words{"0.1", "0.01", "0.001"}));
    EXPECT_EQ(parse_variation("a=0.1..0.001:3:log").values, (Words{"0.1", "0.01", "0.001"}));
    EXPECT_EQ(parse_variation("a=-1..1:5:linear").values, (Words{"-1", "-0.5", "0", "0.5", "1"}));
    EXPECT_EQ(parse_variation("a=1..2:2").values, (Words{"1", "2"}));
}

TEST(Variation, RangesHaveFewDigitsButKeepTheirEndsAndStayApart)
{
    EXPECT_EQ(parse_variation("a=0.0123456..1:3").values, (Words{"0.0123456", "0.1111", "1"}));
    const auto narrow = parse_variation("a=1..1.0004:5").numbers().value();
    for (std::size_t i = 1; i < narrow.size(); ++i) EXPECT_GT(narrow[i], narrow[i - 1]);
    const auto far = parse_variation("a=1000..1001:5:linear").numbers().value();
    EXPECT_EQ(far[1], 1000.25);
}

TEST(Variation, RefusesInWords)
{
    expect_refused("solver.kind", "expected a path");
    expect_refused("=1,2", "expected a path");
    expect_refused("a=1,,2", "empty");
    expect_refused("a=", "empty");
    expect_refused("a=1,2,1", "comes twice");
    expect_refused("a=1..2", "lo..hi:n");
    expect_refused("a=1..x:3", "lo..hi:n");
    expect_refused("a=1..2:3:cubic", "lo..hi:n");
    expect_refused("a=1..2:1", "a range of 1 values");
    expect_refused("a=1..2:99999999", "a range of 99999999 values");
    expect_refused("a=0..2:3", "above zero");
    expect_refused("a=0..2:3", "linear");
}

TEST(Combinations, AreAllOfThemTheLastFastest)
{
    const auto all = combinations({parse_variation("a=1,2"), parse_variation("b=x,y,z")});
    ASSERT_EQ(all.size(), 6u);
    EXPECT_EQ(all[1][0].value + all[1][1].value, "1y");
    EXPECT_EQ(all[5][0].value + all[5][1].value, "2z");
    EXPECT_THROW(combinations({parse_variation("a=1"), parse_variation("a=2")}), Error);
    EXPECT_THROW(combinations({parse_variation("a=1..2:200"), parse_variation("b=1..2:200")}), Error);
}

TEST(Settings, AreNamedShortly)
{
    EXPECT_EQ(name_of_settings({{"solver.kind", "rk4"}, {"solver.step", "0.05"}}), "rk4, step 0.05");
    EXPECT_EQ(name_of_settings({{"bodies.a.mass", "1"}, {"bodies.b.mass", "2"}}), "bodies.a.mass 1, bodies.b.mass 2");
    EXPECT_EQ(name_of_settings({}), "");
}

TEST(Settings, AreReadFromOneText)
{
    const Settings settings = parse_settings(" solver.kind=rk4  solver.step=1e-4 ");
    ASSERT_EQ(settings.size(), 2u);
    EXPECT_EQ(settings[1].path, "solver.step");
    EXPECT_EQ(settings[1].value, "1e-4");
    EXPECT_THROW(parse_settings("rk4"), Error);
}

}  // namespace
}  // namespace pliant
