// SPDX-License-Identifier: MIT

// Multigrid by groups: symmetric, positive, true to held coordinates, hardly slower on finer sheets, right in the end.

#include <pliant/solver/linear/aggregation.h>

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include <pliant/energy/energy.h>
#include <pliant/mesh/shapes.h>

namespace pliant {
namespace {

// M/s^2 + K of a stretched, folded sheet of 1 m held at two corners, as a step of 1/240 s has it.
struct SheetProblem {
    BlockMatrix A;
    std::vector<Vec3> x;
    std::vector<double> inertia;
    std::vector<std::uint8_t> held;

    explicit SheetProblem(int n)
    {
        const TriMesh mesh = grid(n, n, 1, 1, {.diagonals = GridDiagonals::alternating});
        x = mesh.vertices;
        std::vector<TriangleRest<double>> rest;
        const double h = 1.0 / (n - 1);
        for (const Triangle& t : mesh.triangles) {
            const Vec3 p = x[t[1]] - x[t[0]], q = x[t[2]] - x[t[0]];
            const double det = p.x * q.z - q.x * p.z;
            TriangleRest<double> one{{{0, 0}, {q.z / det, -q.x / det}, {-p.z / det, p.x / det}}, std::abs(det) / 2};
            for (int k = 0; k < 2; ++k) one.b[0][k] = -one.b[1][k] - one.b[2][k];
            rest.push_back(one);
        }
        const auto count = static_cast<std::int32_t>(x.size());
        const auto elements = make_elements<GreenMembrane>(mesh.triangles, rest, count);
        BlockPattern pattern(count);
        pattern.add(elements.stencils);
        A = pattern.matrix();
        const GreenMembrane cloth{.stretch_u = 1000, .stretch_v = 1000, .poisson = 0.3, .shear = 385};
        std::vector<Vec3> folded = x;
        for (Vec3& v : folded) v = {1.001 * v.x, 0.1 * std::sin(5 * v.z), 0.99 * v.z};
        add_hessian(A, scatter_map(A, elements.stencils), elements, cloth, std::span<const Vec3>(folded));
        inertia.assign(x.size(), 0.2 * h * h * 360 * 360);
        held.assign(x.size(), 0);
        held[0] = 7, held[static_cast<std::size_t>(n) - 1] = 3;
        add_mass(A, inertia, 1);
        cut_out_held(A, held);
        for (std::size_t i = 0; i < held.size(); ++i)
            if (held[i] != 0) inertia[i] = 0;
    }

    std::vector<Vec3> random_vector(unsigned seed) const
    {
        std::mt19937 random(seed);
        std::normal_distribution<double> normal;
        std::vector<Vec3> r(x.size());
        for (std::size_t i = 0; i < r.size(); ++i)
            for (int k = 0; k < 3; ++k) r[i][k] = held[i] >> k & 1 ? 0 : normal(random);
        return r;
    }
};

double inner(const std::vector<Vec3>& a, const std::vector<Vec3>& b)
{
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += dot(a[i], b[i]);
    return sum;
}

TEST(Aggregation, IsSymmetricAndPositiveAndLeavesHeldCoordinatesAlone)
{
    const SheetProblem problem(24);
    AggregationMultigrid multigrid(problem.A, problem.x);
    EXPECT_GE(multigrid.level_count(), 3u);
    ASSERT_EQ(multigrid.refresh(problem.A, problem.inertia, problem.held), -1);
    std::vector<Vec3> za(problem.x.size()), zb(problem.x.size());
    for (unsigned seed = 1; seed < 6; ++seed) {
        const auto a = problem.random_vector(seed), b = problem.random_vector(seed + 100);
        multigrid.apply(za, problem.A, a);
        multigrid.apply(zb, problem.A, b);
        EXPECT_NEAR(inner(za, b), inner(zb, a), 1e-4 * std::sqrt(inner(za, a) * inner(zb, b)));
        EXPECT_GT(inner(za, a), 0);
        for (std::size_t i = 0; i < za.size(); ++i)
            for (int k = 0; k < 3; ++k) EXPECT_EQ(problem.held[i] >> k & 1 ? za[i][k] : 0, 0);
    }
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
