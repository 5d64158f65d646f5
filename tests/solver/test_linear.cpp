// SPDX-License-Identifier: MIT

// Block matrices of fixed pattern and conjugate gradients on them.

#include <pliant/solver/linear/conjugate_gradients.h>

#include <gtest/gtest.h>

#include <cstring>

#include <pliant/energy/spring.h>
#include <pliant/mesh/shapes.h>
#include <pliant/mesh/topology.h>

#include "base/counted_new.h"
#include "energy/density_probe.h"
#include "energy/derivatives.h"

namespace pliant {
namespace {

constexpr Spring kSpring{.k_s = 30, .k_d = 2};

struct Net {
    Elements<Spring> elements;
    std::vector<Vec3> x;
    std::vector<double> mass;
};

Net net_of(const TriMesh& mesh)
{
    Net net{.x = mesh.vertices, .mass = std::vector<double>(mesh.vertices.size(), 0.01)};
    std::vector<Spring::Rest<double>> rest;
    const auto edges = unique_edges(mesh.triangles);
    for (const Edge& e : edges) rest.push_back({0.8 * norm(net.x[e[0]] - net.x[e[1]]), 0});
    net.elements = make_elements<Spring>(edges, rest, static_cast<std::int32_t>(net.x.size()));
    return net;
}

struct System {
    BlockMatrix A;
    ScatterMap<2> map;

    explicit System(const Net& net)
    {
        BlockPattern pattern(static_cast<std::int32_t>(net.x.size()));
        pattern.add(net.elements.stencils);
        A = pattern.matrix();
        map = scatter_map(A, net.elements.stencils);
        fill(net);
    }
    void fill(const Net& net)
    {
        set_zero(A);
        add_hessian(A, map, net.elements, kSpring, net.x);
        add_mass(A, net.mass, 100);
    }
};

std::vector<Vec3> random_vectors(std::size_t count, unsigned seed)
{
    std::mt19937 random(seed);
    std::vector<Vec3> values(count);
    for (Vec3& value : values) value = test::random_vector(random, 1);
    return values;
}

// The product straight from the elements, without a matrix.
std::vector<Vec3> product_of_elements(const Net& net, const std::vector<Vec3>& y)
{
    std::vector<Vec3> z(y.size());
    for_each_element(net.elements, kSpring, std::span<const Vec3>(net.x),
                     [&](std::int32_t, auto element, const auto& nodes) {
                         for (int i = 0; i < 2; ++i)
                             for (int j = 0; j < 2; ++j) z[nodes[i]] += element.block(i, j) * y[nodes[j]];
                     });
    for (std::size_t i = 0; i < y.size(); ++i) z[i] += y[i] * (100 * net.mass[i]);
    return z;
}

TEST(BlockMatrix, KeepsTheUpperHalfOfThePatternSortedByRow)
{
    const Net net = net_of(icosphere(1, 1));
    const System system(net);
    const BlockMatrix& A = system.A;
    ASSERT_EQ(A.row_count(), 42);
    EXPECT_EQ(A.block.size(), 42u + 120u);  // vertices and edges
    for (std::int32_t row = 0; row < A.row_count(); ++row) {
        EXPECT_EQ(A.column[A.row_start[row]], row);
        for (std::int64_t k = A.row_start[row] + 1; k < A.row_start[row + 1]; ++k)
            EXPECT_GT(A.column[k], A.column[k - 1]);
    }
    EXPECT_EQ(A.find(0, 41), -1);
}

TEST(BlockMatrix, MultipliesLikeTheSumOfItsElements)
{
    for (const int subdivisions : {0, 2, 5}) {
        const Net net = net_of(icosphere(1, subdivisions));
        const System system(net);
        const auto y = random_vectors(net.x.size(), 3);
        std::vector<Vec3> z(y.size(), Vec3{NAN, NAN, NAN}), windows(system.A.window_size, Vec3{NAN, NAN, NAN});
        multiply(z, system.A, y, windows);
        const auto expected = product_of_elements(net, y);
        for (std::size_t i = 0; i < y.size(); ++i) ASSERT_LT(norm(z[i] - expected[i]), 1e-11) << i;
    }
}

TEST(BlockMatrix, MultipliesToTheSameBitsForOneTwoAndThreeThreads)
{
    const Net net = net_of(grid(300, 200, 3, 2));
    const System system(net);
    ASSERT_GT(system.A.chunks.size(), 8u);
    const auto y = random_vectors(net.x.size(), 4);
    std::vector<Vec3> one(y.size()), many(y.size()), windows(system.A.window_size);
    set_thread_count(1);
    multiply(one, system.A, y, windows);
    for (const int threads : {2, 3}) {
        set_thread_count(threads);
        multiply(many, system.A, y, windows);
        EXPECT_EQ(std::memcmp(one.data(), many.data(), one.size() * sizeof(Vec3)), 0) << threads;
    }
    set_thread_count(0);
}

TEST(BlockMatrix, TakesStencilsOfSeveralSizesIntoOnePattern)
{
    // Two tetrahedra and a spring between nodes that no tetrahedron joins.
    const std::vector<Vec3> x{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 1}};
    const std::vector<std::array<std::int32_t, 4>> tets{{0, 1, 2, 3}, {4, 3, 2, 1}};
    const test::DensityProbe rubber{.mu = 10, .lambda = 20};
    std::vector<test::DensityProbe::Rest<double>> rest;
    for (const auto& t : tets) rest.push_back(test::probe_rest({x[t[0]], x[t[1]], x[t[2]], x[t[3]]}));
    const auto solids = make_elements<test::DensityProbe>(tets, rest, 5);
    const std::vector<Edge> edges{{4, 0}};
    const std::vector<Spring::Rest<double>> lengths{{1.0, 0}};
    const auto springs = make_elements<Spring>(edges, lengths, 5);
    BlockPattern pattern(5);
    pattern.add(solids.stencils);
    pattern.add(springs.stencils);
    BlockMatrix A = pattern.matrix();
    EXPECT_EQ(A.block.size(), 5u + 10u);  // all pairs meet
    add_hessian(A, scatter_map(A, solids.stencils), solids, rubber, std::span<const Vec3>(x));
    add_hessian(A, scatter_map(A, springs.stencils), springs, kSpring, std::span<const Vec3>(x));

    const auto y = random_vectors(5, 8);
    std::vector<Vec3> expected(5), z(5);
    for_each_element(solids, rubber, std::span<const Vec3>(x), [&](std::int32_t, auto element, const auto& nodes) {
        for (int i = 0; i < 4; ++i)
            for (int j = 0; j < 4; ++j) expected[nodes[i]] += element.block(i, j) * y[nodes[j]];
    });
    for_each_element(springs, kSpring, std::span<const Vec3>(x), [&](std::int32_t, auto element, const auto& nodes) {
        for (int i = 0; i < 2; ++i)
            for (int j = 0; j < 2; ++j) expected[nodes[i]] += element.block(i, j) * y[nodes[j]];
    });
    multiply(z, A, y, {});
    for (int i = 0; i < 5; ++i) EXPECT_LT(norm(z[i] - expected[i]), 1e-12);
}

TEST(BlockMatrix, RefillsAndSolvesWithoutAllocating)
{
    const Net net = net_of(icosphere(1, 4));
    System system(net);
    LinearScratch scratch;
    scratch.size_for(system.A);
    const auto b = random_vectors(net.x.size(), 5);
    std::vector<Vec3> x(b.size());
    conjugate_gradients(x, system.A, b, {}, {}, scratch);
    const auto before_hash = system.A.block;
    const long before = allocation_count();
    system.fill(net);
    const LinearResult result = conjugate_gradients(x, system.A, b, {}, {}, scratch);
    EXPECT_EQ(allocation_count(), before);
    EXPECT_TRUE(result.converged());
    EXPECT_EQ(std::memcmp(before_hash.data(), system.A.block.data(), before_hash.size() * sizeof(Mat3)), 0);
}

TEST(ConjugateGradients, SolveToTheToleranceAndSayHow)
{
    const Net net = net_of(icosphere(1, 3));
    const System system(net);
    LinearScratch scratch;
    scratch.size_for(system.A);
    const auto b = random_vectors(net.x.size(), 6);
    std::vector<Vec3> x(b.size());
    const LinearResult result = conjugate_gradients(x, system.A, b, {}, {.tolerance = 1e-10}, scratch);
    ASSERT_TRUE(result.converged());
    EXPECT_LE(result.residual, 1e-10);
    EXPECT_GT(result.iterations, 3);
    EXPECT_LT(result.iterations, 300);
    const auto Ax = product_of_elements(net, x);
    double off = 0, size = 0;
    for (std::size_t i = 0; i < b.size(); ++i) off += norm2(Ax[i] - b[i]), size += norm2(b[i]);
    EXPECT_LT(std::sqrt(off / size), 2e-10);
}

TEST(ConjugateGradients, ABlockDiagonalMatrixTakesOneIteration)
{
    BlockPattern pattern(50);
    BlockMatrix A = pattern.matrix();
    std::mt19937 random(2);
    for (std::int32_t i = 0; i < 50; ++i) {
        const Mat3 R = test::random_rotation(random);
        A.diagonal(i) = R * Mat3{{{1, 0, 0}, {0, 50, 0}, {0, 0, 1e4}}} * transpose(R);
    }
    LinearScratch scratch;
    scratch.size_for(A);
    std::vector<Vec3> x(50);
    const LinearResult result = conjugate_gradients(x, A, random_vectors(50, 1), {}, {}, scratch);
    EXPECT_TRUE(result.converged());
    EXPECT_EQ(result.iterations, 1);
}

TEST(ConjugateGradients, LeaveHeldCoordinatesAloneAndSolveTheRest)
{
    const Net net = net_of(icosphere(1, 2));
    const System system(net);
    LinearScratch scratch;
    scratch.size_for(system.A);
    const auto b = random_vectors(net.x.size(), 7);
    std::vector<Vec3> x(b.size());
    std::vector<std::uint8_t> held(b.size());
    for (std::size_t i = 0; i < held.size(); ++i) held[i] = static_cast<std::uint8_t>(i % 8);
    const LinearResult result = conjugate_gradients(x, system.A, b, held, {.tolerance = 1e-11}, scratch);
    ASSERT_TRUE(result.converged());
    const auto Ax = product_of_elements(net, x);
    for (std::size_t i = 0; i < b.size(); ++i)
        for (int k = 0; k < 3; ++k) {
            if (held[i] >> k & 1)
                EXPECT_EQ(x[i][k], 0);
            else
                EXPECT_NEAR(Ax[i][k], b[i][k], 1e-8);
        }
}

TEST(ConjugateGradients, NothingToDoIsConvergence)
{
    const Net net = net_of(icosphere(1, 0));
    const System system(net);
    LinearScratch scratch;
    scratch.size_for(system.A);
    std::vector<Vec3> x(12, Vec3{1, 1, 1}), b(12);
    const LinearResult result = conjugate_gradients(x, system.A, b, {}, {}, scratch);
    EXPECT_TRUE(result.converged());
    EXPECT_EQ(result.iterations, 0);
    for (const Vec3& a : x) EXPECT_EQ(a, Vec3{});
}

TEST(ConjugateGradients, SayWhenTheyRunOutOfIterations)
{
    const Net net = net_of(icosphere(1, 4));
    const System system(net);
    LinearScratch scratch;
    scratch.size_for(system.A);
    std::vector<Vec3> x(net.x.size());
    const LinearResult result = conjugate_gradients(x, system.A, random_vectors(x.size(), 2), {}, {1e-12, 3}, scratch);
    EXPECT_EQ(result.status, LinearStatus::not_converged);
    EXPECT_EQ(result.iterations, 3);
    EXPECT_GT(result.residual, 1e-12);
}

TEST(ConjugateGradients, AnIndefiniteMatrixIsAFailureNotConvergence)
{
    // Diagonal blocks are positive, but the coupling is stronger: eigenvalues 1 - 3 and 1 + 3.
    const std::vector<Edge> edges{{0, 1}};
    const auto stencils = make_stencils<2>(edges, 2);
    BlockPattern pattern(2);
    pattern.add(stencils);
    BlockMatrix A = pattern.matrix();
    A.diagonal(0) = A.diagonal(1) = identity3<double>();
    A.block[A.find(0, 1)] = identity3<double>() * 3.0;
    LinearScratch scratch;
    scratch.size_for(A);
    std::vector<Vec3> x(2);
    const std::vector<Vec3> b{{1, 0, 0}, {-1, 0, 0}};
    EXPECT_EQ(conjugate_gradients(x, A, b, {}, {}, scratch).status, LinearStatus::indefinite);

    A.diagonal(1) = {{{1, 0, 0}, {0, -1, 0}, {0, 0, 1}}};
    const LinearResult named = conjugate_gradients(x, A, b, {}, {}, scratch);
    EXPECT_EQ(named.status, LinearStatus::indefinite);
    EXPECT_EQ(named.row, 1);

    A.diagonal(1)(1, 1) = NAN;
    EXPECT_EQ(conjugate_gradients(x, A, b, {}, {}, scratch).status, LinearStatus::indefinite);
    const std::vector<Vec3> bad{{NAN, 0, 0}, {0, 0, 0}};
    A.diagonal(1) = identity3<double>() * 20.0;
    EXPECT_FALSE(conjugate_gradients(x, A, bad, {}, {}, scratch).converged());
}

TEST(ConjugateGradients, GiveTheSameBitsForAnyThreadCount)
{
    const Net net = net_of(grid(150, 150, 1, 1));
    const System system(net);
    LinearScratch scratch;
    scratch.size_for(system.A);
    const auto b = random_vectors(net.x.size(), 9);
    std::vector<Vec3> one(b.size()), two(b.size());
    set_thread_count(1);
    const int iterations = conjugate_gradients(one, system.A, b, {}, {}, scratch).iterations;
    set_thread_count(2);
    EXPECT_EQ(conjugate_gradients(two, system.A, b, {}, {}, scratch).iterations, iterations);
    set_thread_count(0);
    EXPECT_EQ(std::memcmp(one.data(), two.data(), one.size() * sizeof(Vec3)), 0);
}

}  // namespace
}  // namespace pliant
