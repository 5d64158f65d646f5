// SPDX-License-Identifier: MIT
// Rows against finite differences, and the small system of multipliers with rows that repeat or contradict others.

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include <pliant/constraint/constraint_system.h>
#include <pliant/expression/parse.h>

using namespace pliant;

namespace {

ConstraintRow row_of(const std::string& formula)
{
    Symbols symbols;
    symbols.numbers.push_back({"t", kTimeVariable, VariableKind::time});
    for (int i = 0; i < 4; ++i)
        symbols.points.push_back({"p" + std::to_string(i), {position_variable(i), velocity_variable(i)}});
    const ExpressionRead read = parse_expression(formula, symbols);
    EXPECT_TRUE(read.ok()) << formula;
    return make_row(read.expression);
}

struct Motion {
    std::vector<Vec3> x{{0.1, 0.7, -0.2}, {1, 0.2, 0.3}, {-0.4, 0.9, 0.5}, {0.3, -0.6, 0.8}};
    std::vector<Vec3> v{{0.5, -0.3, 0.1}, {-0.2, 0.4, 0.6}, {0.3, 0.3, -0.7}, {0.9, -0.1, 0.2}};
    double t = 0.4;

    FormulaPoint at() const { return {x, v, t}; }
    Motion after(double dt) const
    {
        Motion m = *this;
        for (std::size_t i = 0; i < x.size(); ++i) m.x[i] += v[i] * dt;
        m.t += dt;
        return m;
    }
};

}  // namespace

TEST(Constraint, RowsHaveTheirRatesCurvaturesAndSlopes)
{
    const Motion m;
    for (const char* formula : {"distance(p0, p1) - 0.3", "dot(cross(p1 - p0, p2 - p0), p3 - p0)/6 - 0.1",
                                "p2.x^2 + p2.y*p2.z - sin(3*t)*p0.x", "p0.x - ((2*t + 1)*t - 3)*t"}) {
        const ConstraintRow row = row_of(formula);
        EXPECT_FALSE(row.on_velocity);
        std::vector<Vec3> slope(row.nodes.size());
        const RowValue value = evaluate(row, m.at(), slope);
        const double d = 1e-4;
        const Motion before = m.after(-d), behind = m.after(d);
        const double low = value_of(row, before.at()), high = value_of(row, behind.at());
        EXPECT_NEAR(value.value, value_of(row, m.at()), 1e-15);
        EXPECT_NEAR(value.rate, (high - low) / (2 * d), 1e-6) << formula;
        EXPECT_NEAR(value.curvature, (high - 2 * value.value + low) / (d * d), 1e-5) << formula;
        for (std::size_t i = 0; i < row.nodes.size(); ++i)
            for (int k = 0; k < 3; ++k) {
                Motion moved = m;
                moved.x[static_cast<std::size_t>(row.nodes[i])][k] += d;
                EXPECT_NEAR(slope[i][k], (value_of(row, moved.at()) - value.value) / d, 1e-3) << formula;
            }
    }
}

TEST(Constraint, RowsOnVelocitiesHaveSlopesByVelocity)
{
    const Motion m;
    const ConstraintRow row = row_of("p0.vx*p1.x - 0.2*t");
    EXPECT_TRUE(row.on_velocity);
    ASSERT_EQ(row.nodes.size(), 2u);
    std::vector<Vec3> slope(2);
    const RowValue value = evaluate(row, m.at(), slope);
    EXPECT_NEAR(slope[0].x, m.x[1].x, 1e-15);
    EXPECT_EQ(norm(slope[1]), 0);
    EXPECT_NEAR(value.rate, m.v[0].x * m.v[1].x - 0.2, 1e-15);
    EXPECT_NEAR(value.target(true, 5), -value.rate - 5 * value.value, 1e-15);
}

TEST(Constraint, RowsThatRepeatOthersAreLeftOutAndConflictsAreNamed)
{
    std::vector<Constraint> all(3);
    all[0].rows = {row_of("p0.x - 1")}, all[1].rows = {row_of("p0.y + p1.y")}, all[2].rows = {row_of("2*p0.x - 2")};
    const std::vector<std::uint8_t> enabled(3, 1), held(4, 0);
    const Motion m;
    ConstraintSystem system;
    gather_rows(system, all, enabled, m.at(), held);
    ASSERT_EQ(system.count, 3u);
    system.response.assign(3, std::vector<Vec3>(4));
    for (std::size_t r = 0; r < 3; ++r)
        for (std::size_t i = 0; i < system.rows[r].slope.size(); ++i)
            system.response[r][static_cast<std::size_t>(all[r].rows[0].nodes[i])] = system.rows[r].slope[i];
    make_schur(system, all);
    system.rhs = {3, 5, 6};
    EXPECT_TRUE(solve_schur(system));
    EXPECT_TRUE(system.redundant == 0 || system.redundant == 2);
    EXPECT_EQ(system.redundant + system.other, 2);
    // Whatever shares it took, the response is right.
    double x = 0, y = 0;
    for (std::size_t r = 0; r < 3; ++r) {
        x += system.response[r][0].x * system.lambda[r];
        y += system.response[r][0].y * system.lambda[r];
    }
    EXPECT_NEAR(x, 3, 1e-12);
    EXPECT_NEAR(y, 2.5, 1e-12);
    system.rhs = {3, 5, 7};
    EXPECT_FALSE(solve_schur(system));
    EXPECT_EQ(system.conflicting + system.other, 2);
    // Held coordinates take no part.
    const std::vector<std::uint8_t> held_y{2, 0, 0, 0};
    gather_rows(system, all, enabled, m.at(), held_y);
    EXPECT_EQ(system.rows[1].slope[0].y, 0);
    EXPECT_EQ(system.rows[1].slope[1].y, 1);
}

TEST(Constraint, GeneralSystemsAreSolvedByPivots)
{
    ConstraintSystem system;
    system.count = 3;
    system.schur = {0, 2, 1, 1, 1, 0, 3, 0, -1};
    system.rhs = {7, 3, 0};  // x = 1, y = 2, z = 3
    system.lambda.resize(3);
    solve_general(system);
    EXPECT_NEAR(system.lambda[0], 1, 1e-14);
    EXPECT_NEAR(system.lambda[1], 2, 1e-14);
    EXPECT_NEAR(system.lambda[2], 3, 1e-14);
}
