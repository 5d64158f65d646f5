// SPDX-License-Identifier: MIT

// Multigrid by groups: symmetric, positive, true to held coordinates, hardly slower on finer sheets, right in the end.

#include <pliant/solver/linear/aggregation.h>

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "sheet_problem.h"

namespace pliant {
namespace {

using test::SheetProblem;

TEST(Aggregation, IsSymmetricAndPositiveAndLeavesHeldCoordinatesAlone)
{
    const SheetProblem problem(24);
    AggregationMultigrid multigrid(problem.A, problem.x);
    EXPECT_GE(multigrid.level_count(), 3u);
    ASSERT_EQ(multigrid.refresh(problem.A, problem.inertia, problem.held), -1);
    test::expect_symmetric_and_positive(multigrid, problem);
}

TEST(Aggregation, SolvesToWhatDoublesSay)
{
    const SheetProblem problem(30);
    AggregationMultigrid multigrid(problem.A, problem.x);
    ASSERT_EQ(multigrid.refresh(problem.A, problem.inertia, problem.held), -1);
    const auto b = problem.random_vector(3);
    std::vector<Vec3> x(b.size()), exact(b.size());
    LinearScratch scratch;
    scratch.size_for(problem.A);
    ASSERT_TRUE(
        conjugate_gradients(exact, problem.A, b, problem.held, {.tolerance = 1e-12, .most_iterations = 5000}, scratch)
            .converged());
    const LinearResult result = multigrid.solve(x, b, {.tolerance = 1e-5, .most_iterations = 200});
    EXPECT_TRUE(result.converged());
    double off = 0, size = 0;
    for (std::size_t i = 0; i < x.size(); ++i) off += norm2(x[i] - exact[i]), size += norm2(exact[i]);
    EXPECT_LT(std::sqrt(off / size), 1e-3);
}

TEST(Aggregation, NeedsHardlyMoreIterationsOnFinerSheets)
{
    std::vector<int> iterations;
    for (const int n : {20, 40, 80}) {
        const SheetProblem problem(n);
        AggregationMultigrid multigrid(problem.A, problem.x);
        ASSERT_EQ(multigrid.refresh(problem.A, problem.inertia, problem.held), -1);
        std::vector<Vec3> smooth(problem.x.size()), x(problem.x.size());
        for (std::size_t i = 0; i < smooth.size(); ++i) smooth[i] = problem.held[i] ? Vec3{} : Vec3{0, -1, 0.2};
        const LinearResult result = multigrid.solve(x, smooth, {.tolerance = 1e-3, .most_iterations = 500});
        EXPECT_TRUE(result.converged());
        iterations.push_back(result.iterations);
    }
    EXPECT_LE(iterations[2], 2 * iterations[0] + 4) << iterations[0] << " " << iterations[1] << " " << iterations[2];
    EXPECT_LE(iterations[2], 40);
}

TEST(Aggregation, NamesARowThatIsNotPositive)
{
    SheetProblem problem(12);
    AggregationMultigrid multigrid(problem.A, problem.x);
    problem.A.diagonal(17) = identity3<double>() * -1.0;
    EXPECT_EQ(multigrid.refresh(problem.A, problem.inertia, problem.held), 17);
}

}  // namespace
}  // namespace pliant
