// SPDX-License-Identifier: MIT

// pliant bench --only cloth…: the tables that take seconds. What they measure is the machine's affair, not a test's.

#include "bench_tables.h"

#include <pliant/base/text.h>

namespace pliant {
namespace {

using BenchCloth = BenchProgram;

TEST_F(BenchCloth, CountsOperationsAndBandwidth)
{
    const Ran ran = pliant(
        {"bench", "--only", "cloth_kernels", "--repeats", "1", "--largest", "1e4", "--save", "--results", "results"});
    ASSERT_EQ(ran.code, 0) << ran.err;
    expect_said(ran.out, {"GB/s", "force st_venant_kirchhoff", "force hinges", "sweep projection"});
    const auto table = rows("cloth_kernels");
    ASSERT_GT(table.size(), 4u);
    for (const auto& row : table) {
        if (row[0] != "force quadratic") continue;
        EXPECT_EQ(row[3], "29205") << "interior edges of 100 x 100 vertices";
        EXPECT_EQ(row[5], "84") << "operations of the force of one edge, damping included";
    }
    const auto spring =
        std::find_if(table.begin(), table.end(), [](const auto& row) { return row[0] == "force spring"; });
    ASSERT_NE(spring, table.end());
    EXPECT_EQ((*spring)[5], "41");
    EXPECT_GT(to_number((*spring)[4]).value_or(0), 0);
}

TEST_F(BenchCloth, ComparesTheSizesOfASheet)
{
    const Ran ran = pliant(
        {"bench", "--only", "cloth_size", "--repeats", "1", "--largest", "22500", "--save", "--results", "results"});
    ASSERT_EQ(ran.code, 0) << ran.err;
    const auto table = rows("cloth_size");
    ASSERT_EQ(table.size(), 4u);
    EXPECT_EQ(table[1][0], "semi_implicit_euler");
    EXPECT_EQ(table[1][3], "150");
    const double ratio = to_number(table[1][5]).value_or(0);
    EXPECT_GT(ratio, 0.3);
    EXPECT_LT(ratio, 3) << "the cost per vertex stays about the same";
}

TEST_F(BenchCloth, RefusesNamesThatAreNoMeasurements)
{
    expect_refused(pliant({"bench", "--only", "cloths"}), 2, {"cloths"});
    expect_refused(pliant({"bench", "--only", "clot"}), 2, {"clot"});
}

}  // namespace
}  // namespace pliant
