// SPDX-License-Identifier: MIT

// The multigrid as a preconditioner: symmetric, positive, independent of the size of the mesh, true to held coordinates.

#include <pliant/solver/linear/multigrid.h>

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include <pliant/energy/energy.h>
#include <pliant/mesh/tet_edit.h>
#include <pliant/mesh/tet_shapes.h>
#include <pliant/solver/linear/conjugate_gradients.h>

namespace pliant {
namespace {

// The stiffness of a block of rubber, clamped at its left face, cut out.
struct Problem3 {
    BlockMatrix A;
    std::vector<Vec3> x;
    std::vector<std::uint8_t> held;

    explicit Problem3(int n, std::uint8_t clamp = 7, double jitter = 0)
    {
        using E = LinearSolid<StableNeoHookean>;
        TetMesh mesh = tet_block({1, 0.4, 0.4}, {n, std::max(1, 2 * n / 5), std::max(1, 2 * n / 5)});
        std::mt19937 random(7);
        std::uniform_real_distribution<double> shift(-jitter / n, jitter / n);
        for (Vec3& v : mesh.vertices) v += {shift(random), shift(random), shift(random)};
        x = mesh.vertices;
        std::vector<TetRest<double>> rest;
        for (const Tet& t : mesh.tets) rest.push_back(tet_rest({x[t[0]], x[t[1]], x[t[2]], x[t[3]]}));
        const auto count = static_cast<std::int32_t>(x.size());
        const Elements<E> elements = make_elements<E>(mesh.tets, rest, count);
        BlockPattern pattern(count);
        pattern.add(elements.stencils);
        A = pattern.matrix();
        E rubber;
        rubber.young = 1e5, rubber.poisson = 0.3;
        add_hessian(A, scatter_map(A, elements.stencils), elements, rubber, std::span<const Vec3>(x));
        held.resize(x.size(), 0);
        for (const std::int32_t v : mesh.find_group("left")->vertices) held[v] = clamp;
        if (clamp != 7) held[0] = 7, held[1] = 7, held[static_cast<std::size_t>(count) - 1] = 7;
        cut_out_held(A, held);
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

TEST(Multigrid, IsSymmetricAndPositiveAndLeavesHeldCoordinatesAlone)
{
    for (const std::uint8_t clamp : {std::uint8_t{7}, std::uint8_t{1}, std::uint8_t{6}}) {
        const Problem3 problem(10, clamp);
        Multigrid multigrid(problem.A, problem.x);
        EXPECT_GT(multigrid.level_count(), 2u);
        ASSERT_EQ(multigrid.refresh(problem.A, problem.held), -1);
        std::vector<Vec3> za(problem.x.size()), zb(problem.x.size());
        for (unsigned seed = 1; seed < 6; ++seed) {
            const std::vector<Vec3> a = problem.random_vector(seed), b = problem.random_vector(seed + 100);
            multigrid.apply(za, problem.A, a);
            multigrid.apply(zb, problem.A, b);
            EXPECT_NEAR(inner(za, b), inner(a, zb), 1e-10 * std::abs(inner(za, a)));
            EXPECT_GT(inner(za, a), 0);
            for (std::size_t i = 0; i < za.size(); ++i)
                for (int k = 0; k < 3; ++k)
                    if (problem.held[i] >> k & 1) {
                        EXPECT_EQ(za[i][k], 0);
                    }
        }
    }
}

int iterations(const Problem3& problem, bool with_levels)
{
    Multigrid multigrid(problem.A, problem.x);
    EXPECT_EQ(multigrid.refresh(problem.A, problem.held), -1);
    LinearScratch scratch;
    scratch.size_for(problem.A);
    std::vector<Vec3> x(problem.x.size()), Ax(problem.x.size());
    const std::vector<Vec3> b = problem.random_vector(3);
    const LinearResult result = bordered_conjugate_gradients(x, problem.A, {}, b, with_levels ? &multigrid : nullptr,
                                                             {.tolerance = 1e-8, .most_iterations = 5000}, scratch);
    EXPECT_TRUE(result.converged());
    multiply(Ax, problem.A, x, scratch.windows);
    for (std::size_t i = 0; i < b.size(); ++i) Ax[i] -= b[i];
    EXPECT_LT(std::sqrt(inner(Ax, Ax)), 2e-8 * std::sqrt(inner(b, b)));
    return result.iterations;
}

TEST(Multigrid, IterationsDoNotGrowWithTheMesh)
{
    const int coarse = iterations(Problem3(10), true), fine = iterations(Problem3(30), true);
    EXPECT_LT(coarse, 25);
    EXPECT_LT(fine, coarse + 8);
    EXPECT_GT(iterations(Problem3(30), false), 5 * fine) << "block Jacobi does grow";
}

TEST(Multigrid, BearsJitteredMeshes)
{
    EXPECT_LT(iterations(Problem3(20, 7, 0.25), true), 60);
}

TEST(Multigrid, CoarseMatricesOfAnEarlierRefreshStillPrecondition)
{
    Problem3 problem(12);
    Multigrid multigrid(problem.A, problem.x);
    ASSERT_EQ(multigrid.refresh(problem.A, problem.held), -1);
    for (Mat3& block : problem.A.block) block = block * 1.3;
    cut_out_held(problem.A, problem.held);
    ASSERT_EQ(multigrid.refresh(problem.A, problem.held, false), -1);
    LinearScratch scratch;
    scratch.size_for(problem.A);
    std::vector<Vec3> x(problem.x.size());
    const LinearResult result = bordered_conjugate_gradients(x, problem.A, {}, problem.random_vector(5), &multigrid,
                                                             {.tolerance = 1e-8, .most_iterations = 200}, scratch);
    EXPECT_TRUE(result.converged());
    EXPECT_LT(result.iterations, 30);
}

TEST(Multigrid, ABorderRowIsPartOfTheMatrix)
{
    const Problem3 problem(8);
    Multigrid multigrid(problem.A, problem.x);
    ASSERT_EQ(multigrid.refresh(problem.A, problem.held), -1);
    LinearScratch scratch;
    scratch.size_for(problem.A);
    const std::vector<BorderRow> borders{{.stiffness = 1e7, .gradient = problem.random_vector(11)}};
    const std::vector<Vec3> b = problem.random_vector(12);
    std::vector<Vec3> x(b.size()), Ax(b.size());
    ASSERT_TRUE(bordered_conjugate_gradients(x, problem.A, borders, b, &multigrid,
                                             {.tolerance = 1e-10, .most_iterations = 500}, scratch)
                    .converged());
    multiply(Ax, problem.A, x, scratch.windows);
    const double along = borders[0].stiffness * inner(borders[0].gradient, x);
    for (std::size_t i = 0; i < b.size(); ++i) Ax[i] += borders[0].gradient[i] * along - b[i];
    EXPECT_LT(std::sqrt(inner(Ax, Ax)), 1e-8 * std::sqrt(inner(b, b)));
}

}  // namespace
}  // namespace pliant
