// SPDX-License-Identifier: MIT

// Multigrid of a matrix joined with contacts: still symmetric and positive, right in the end, and as quick for many sheets that lie on
// each other as for few.

#include <pliant/solver/linear/aggregation.h>

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include <pliant/solver/linear/contact_product.h>

#include "sheet_problem.h"

namespace pliant {
namespace {

using test::SheetProblem;

// Sheets on each other: every vertex touches a face of the next sheet, which lies a little aside.
struct Stack {
    static constexpr double kPressed = 2000, kHeld = 100;  // [N/m] along the normal, by friction

    SheetProblem sheets;
    std::vector<BarrierRow> rows;
    ContactProduct product;

    Stack(int n, int copies) : sheets(n, copies)
    {
        const auto at = [&](int copy, int i, int j) { return static_cast<std::int32_t>((copy * n + i) * n + j); };
        const Vec3 normal{0.1, std::sqrt(0.98), 0.1};
        for (int copy = 1; copy < copies; ++copy)
            for (int i = 0; i + 1 < n; ++i)
                for (int j = 0; j + 1 < n; ++j) {
                    BarrierRow row;
                    row.at.vertex = {at(copy, i, j), at(copy - 1, i, j), at(copy - 1, i + 1, j),
                                     at(copy - 1, i, j + 1)};
                    row.at.weight = {1, -0.5, -0.3, -0.2};
                    for (std::size_t k = 0; k < 4; ++k)
                        if (sheets.held[static_cast<std::size_t>(row.at.vertex[k])] == 7) row.at.vertex[k] = -1;
                    row.stiffness = outer(normal, normal) * (kPressed - kHeld) + identity3<double>() * kHeld;
                    rows.push_back(row);
                }
        product.set(rows, sheets.x.size(), {}, sheets.held);
    }
};

TEST(JoinedAggregation, IsSymmetricAndPositiveAndLeavesHeldCoordinatesAlone)
{
    // Rows of more than one run, on two levels.
    const Stack stack(20, 16);
    const SheetProblem& problem = stack.sheets;
    AggregationMultigrid multigrid(problem.A, problem.x);
    ASSERT_EQ(multigrid.refresh_joined(problem.A, problem.inertia, problem.held, stack.product), -1);
    test::expect_symmetric_and_positive(multigrid, problem);
}

TEST(JoinedAggregation, SolvesToWhatDoublesSay)
{
    const Stack stack(12, 10);
    const SheetProblem& problem = stack.sheets;
    AggregationMultigrid multigrid(problem.A, problem.x);
    ASSERT_EQ(multigrid.refresh_joined(problem.A, problem.inertia, problem.held, stack.product), -1);
    const auto b = problem.random_vector(3);
    std::vector<Vec3> x(b.size()), exact(b.size());
    LinearScratch scratch;
    scratch.size_for(problem.A);
    ASSERT_TRUE(bordered_conjugate_gradients(exact, problem.A, {}, b, nullptr,
                                             {.tolerance = 1e-12, .most_iterations = 20000}, scratch, &stack.product)
                    .converged());
    const LinearResult result = multigrid.solve(x, b, {.tolerance = 1e-5, .most_iterations = 200}, &stack.product);
    EXPECT_TRUE(result.converged());
    double off = 0, size = 0;
    for (std::size_t i = 0; i < x.size(); ++i) off += norm2(x[i] - exact[i]), size += norm2(exact[i]);
    EXPECT_LT(std::sqrt(off / size), 1e-3);
}

int iterations_of(const Stack& stack, bool is_joined)
{
    const SheetProblem& problem = stack.sheets;
    AggregationMultigrid multigrid(problem.A, problem.x);
    std::vector<Mat3> diagonal(problem.x.size());
    for (const BarrierRow& row : stack.rows)
        for (std::size_t k = 0; k < 4; ++k)
            if (row.at.vertex[k] >= 0)
                diagonal[static_cast<std::size_t>(row.at.vertex[k])] +=
                    row.stiffness * (row.at.weight[k] * row.at.weight[k]);
    EXPECT_EQ(is_joined ? multigrid.refresh_joined(problem.A, problem.inertia, problem.held, stack.product)
                        : multigrid.refresh(problem.A, problem.inertia, problem.held, diagonal),
              -1);
    std::vector<Vec3> b(problem.x.size()), x(problem.x.size());
    for (std::size_t i = 0; i < b.size(); ++i) b[i] = problem.held[i] ? Vec3{} : Vec3{0, -1, 0.2};
    const LinearResult result = multigrid.solve(x, b, {.tolerance = 1e-3, .most_iterations = 2000}, &stack.product);
    EXPECT_TRUE(result.converged());
    return result.iterations;
}

TEST(JoinedAggregation, NeedsHardlyMoreIterationsForMoreSheets)
{
    const int few = iterations_of(Stack(16, 3), true), many = iterations_of(Stack(16, 24), true);
    EXPECT_LE(many, 2 * few + 4);
    EXPECT_LE(many, 40);
    EXPECT_GE(iterations_of(Stack(16, 24), false), 3 * many) << "what levels without contacts need";
}

TEST(JoinedAggregation, OfNoContactsIsTheMatrixAlone)
{
    const SheetProblem problem(10);
    ContactProduct none;
    none.set({}, problem.x.size(), {}, problem.held);
    AggregationMultigrid multigrid(problem.A, problem.x);
    ASSERT_EQ(multigrid.refresh_joined(problem.A, problem.inertia, problem.held, none), -1);
    const auto b = problem.random_vector(4);
    std::vector<Vec3> x(b.size());
    EXPECT_TRUE(multigrid.solve(x, b, {.tolerance = 1e-5, .most_iterations = 200}).converged());
}

}  // namespace
}  // namespace pliant
