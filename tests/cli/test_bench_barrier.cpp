// SPDX-License-Identifier: MIT

// pliant bench --only contact_yardstick and contact_solvers, small: what the tables say of runs that are good and of runs that
// are not. Times are the machine's affair.

#include "bench_tables.h"

#include <pliant/base/text.h>

namespace pliant {
namespace {

constexpr double kGravity = 9.81;  // [m/s^2]

class BenchBarrier : public BenchProgram {
protected:
    Ran bench(const std::string& table, const std::vector<std::string>& more) const
    {
        std::vector<std::string> words{"bench", "--only", table, "--save", "--results", "results"};
        words.insert(words.end(), more.begin(), more.end());
        return pliant(words);
    }
    double number(const std::vector<std::vector<std::string>>& table, std::size_t row, const std::string& heading) const
    {
        return to_number(field(table, row, heading)).value_or(-1e9);
    }
};

TEST_F(BenchBarrier, TimesTheYardstickAndItsStages)
{
    const Ran ran = bench("contact_yardstick", {"--largest", "2500", "--set", "world.duration=0.05", "--set",
                                                "bodies.sheet.mesh.grid=[12,12]"});
    ASSERT_EQ(ran.code, 0) << ran.err;
    const auto table = rows("contact_yardstick");
    ASSERT_EQ(table.size(), 3u) << "the heading, B2-50 and B3-33";
    EXPECT_EQ(field(table, 1, "id"), "B2-50 changed");
    EXPECT_EQ(field(table, 2, "id"), "B3-33 changed");
    for (std::size_t row = 1; row < table.size(); ++row) {
        EXPECT_EQ(field(table, row, "vertices"), "144");
        EXPECT_EQ(field(table, row, "frames"), "3");
        EXPECT_EQ(field(table, row, "target_ms"), "-") << "a scene that was changed is not the yardstick";
        EXPECT_EQ(field(table, row, "intersections"), "0");
        EXPECT_EQ(field(table, row, "verdict"), "met");
        EXPECT_LE(number(table, row, "median_ms"), number(table, row, "p90_ms"));
        EXPECT_LE(number(table, row, "p90_ms"), number(table, row, "worst_ms"));
        double shares = 0;
        for (const char* stage : {"matrix", "linear", "search", "near", "hits", "rest"})
            shares += number(table, row, std::string(stage) + "_percent");
        EXPECT_NEAR(shares, 100, 0.1);
        EXPECT_GE(number(table, row, "iterations_per_frame"), 1);
    }
    EXPECT_EQ(field(table, 1, "deepest_inside_mm"), "0");
    EXPECT_EQ(field(table, 2, "deepest_inside_mm"), "-") << "there is no sphere";
}

// A sheet that falls into a sphere that it does not meet.
TEST_F(BenchBarrier, GivesNoTimeToRunsThatCross)
{
    const std::string scene = R"({
      "world": { "duration": 0.1, "frame_rate": 60 },
      "solver": { "kind": "implicit_euler", "step": 0.016666666666666666 },
      "contact": { "enabled": false },
      "bodies": { "sheet": { "kind": "cloth", "mesh": { "grid": [9, 9], "size": [1, 1] }, "position": [0, 0.301, 0],
        "cloth": { "density": 0.2, "stretch": 1000, "bend": 1e-5, "bending": "quadratic" }, "velocity": [0, -1, 0] } },
      "colliders": { "ball": { "sphere": 0.3 } }
    })";
    write("falls_through.json", scene);
    const Ran ran = bench("contact_yardstick", {"--scene", "falls_through.json"});
    ASSERT_EQ(ran.code, 0) << ran.err;
    const auto table = rows("contact_yardstick");
    ASSERT_EQ(table.size(), 2u);
    EXPECT_EQ(field(table, 1, "id"), "falls_through");
    EXPECT_EQ(field(table, 1, "verdict"), "invalid");
    EXPECT_EQ(field(table, 1, "median_ms"), "-");
    EXPECT_GT(number(table, 1, "intersections"), 0);
    // 0.1 s at 1 m/s and with gravity, less the millimetre above the ball
    EXPECT_NEAR(number(table, 1, "deepest_inside_mm"), 1e3 * (0.1 + 0.5 * kGravity * 0.1 * 0.1 * 7 / 6 - 0.001), 1);
}

// [m] Way from rest by backward Euler, against a damping of 1/s.
double fallen(int steps, double h)
{
    double v = 0, way = 0;
    for (int i = 0; i < steps; ++i) {
        v = (v + h * kGravity) / (1 + h);
        way += h * v;
    }
    return way;
}

TEST_F(BenchBarrier, ComparesSolversByEnergiesStrainAndShadow)
{
    const Ran ran = bench("contact_solvers", {"--set", "world.duration=0.05", "--set", "bodies.sheet.mesh.grid=[10,10]",
                                              "--set", "bodies.sheet.damping=1", "--set",
                                              "bodies.sheet.thickness=0.002", "--set", "bodies.ball.facets=24"});
    ASSERT_EQ(ran.code, 0) << ran.err;
    const auto table = rows("contact_solvers");
    ASSERT_EQ(table.size(), 29u) << "the heading and four drapes by seven solvers";
    EXPECT_EQ(field(table, 1, "drape"), "slow");
    EXPECT_EQ(field(table, 8, "drape"), "slow and buckling");
    EXPECT_EQ(field(table, 15, "drape"), "quick and buckling");
    EXPECT_EQ(field(table, 22, "drape"), "B2");
    EXPECT_EQ(field(table, 1, "starts"), "1");
    EXPECT_EQ(field(table, 8, "starts"), "16");
    EXPECT_EQ(field(table, 2, "elastic_error_percent"), "0.00") << "of one start";
    EXPECT_EQ(field(table, 1, "solver"), "implicit_euler 1/60 s");
    for (const char* off : {"elastic_off_percent", "fallen_off_percent", "strain_off_percent", "area_off_percent"})
        EXPECT_EQ(field(table, 1, off), "0.00") << off;
    EXPECT_EQ(field(table, 1, "verdict"), "met");
    for (std::size_t row = 1; row < table.size(); ++row) {
        EXPECT_EQ(field(table, row, "intersections"), "0") << field(table, row, "solver");
        EXPECT_NEAR(number(table, row, "area_m2"), 1, 0.02) << "hardly bent yet";
    }
    const double way = fallen(3, 1.0 / 60);
    EXPECT_NEAR(number(table, 1, "fallen_J"), 0.2 * kGravity * way, 2e-5);
    EXPECT_NEAR(number(table, 2, "fallen_off_percent"), 100 * (fallen(6, 1.0 / 120) / way - 1), 0.1);
}

TEST_F(BenchBarrier, ComparesShorterStepsAndSweepsAmongThem)
{
    const Ran ran = bench("contact_steps",
                          {"--set", "world.duration=0.016666666666666666", "--set", "bodies.sheet.mesh.grid=[10,10]",
                           "--set", "bodies.sheet.thickness=0.002", "--set", "bodies.ball.facets=24"});
    ASSERT_EQ(ran.code, 0) << ran.err;
    const auto table = rows("contact_steps");
    ASSERT_EQ(table.size(), 5u) << "the heading, 1/240 s by two solvers, 1/480 s and 1/960 s";
    EXPECT_EQ(field(table, 2, "solver"), "vbd 1/240 s 400 sweeps");
    EXPECT_NEAR(number(table, 2, "fallen_off_percent"), 0, 0.01) << "the same step";
    const double way = fallen(4, 1.0 / 240);
    EXPECT_NEAR(number(table, 1, "fallen_J"), 0.2 * kGravity * way, 2e-6);
    EXPECT_NEAR(number(table, 3, "fallen_off_percent"), 100 * (fallen(8, 1.0 / 480) / way - 1), 0.1);
    EXPECT_NEAR(number(table, 4, "fallen_off_percent"), 100 * (fallen(16, 1.0 / 960) / way - 1), 0.1);
}

}  // namespace
}  // namespace pliant
