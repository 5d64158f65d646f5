// SPDX-License-Identifier: MIT

// Sparse Cholesky against dense elimination, residuals on lattices, failures with a node, bits and memory.

#include <pliant/solver/linear/cholesky.h>

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <set>
#include <vector>

#include <pliant/base/parallel.h>
#include <pliant/solver/linear/nested_dissection.h>

#include "base/counted_new.h"

namespace pliant {
namespace {

using Pairs = std::vector<std::pair<std::int32_t, std::int32_t>>;

BlockMatrix pattern_of(std::int32_t nodes, const Pairs& pairs)
{
    BlockPattern pattern(nodes);
    for (const auto& [a, b] : pairs) pattern.add_pair(a, b);
    return pattern.matrix();
}

// Springs with some resistance sideways between all pairs of the pattern, random stiffness, and masses: positive definite.
void fill_with_springs(BlockMatrix& A, unsigned seed, double mass = 0.1)
{
    std::mt19937 random(seed);
    std::normal_distribution<double> normal;
    std::uniform_real_distribution<double> stiffness(0.5, 2);
    set_zero(A);
    for (std::int32_t i = 0; i < A.row_count(); ++i) {
        A.diagonal(i) += identity3<double>() * mass;
        for (std::int64_t k = A.row_start[i] + 1; k < A.row_start[i + 1]; ++k) {
            const Vec3 along = normalized(Vec3{normal(random), normal(random), normal(random)});
            const Mat3 block = (outer(along, along) + identity3<double>() * 0.1) * stiffness(random);
            A.diagonal(i) += block;
            A.diagonal(A.column[k]) += block;
            // Not symmetric itself, so that a transposed block shows; smaller, so that the whole stays positive.
            const Vec3 across = cross(along, Vec3{0.02, 0.03, 0.01});
            Mat3 coupling = block * -0.9;
            coupling += outer(along, across);
            A.block[k] = coupling;
        }
    }
}

struct Lattice {
    std::vector<Vec3> x;
    Pairs pairs;

    // Neighbours up to `reach` steps along every axis; reach 1 is denser than six tetrahedra a cell, 2 than quadratic ones.
    explicit Lattice(int nx, int ny, int nz, int reach = 1)
    {
        const auto number = [&](int i, int j, int k) { return (k * ny + j) * nx + i; };
        for (int k = 0; k < nz; ++k)
            for (int j = 0; j < ny; ++j)
                for (int i = 0; i < nx; ++i) {
                    x.push_back({0.1 * i, 0.1 * j, 0.1 * k});
                    for (int c = std::max(0, k - reach); c <= std::min(nz - 1, k + reach); ++c)
                        for (int b = std::max(0, j - reach); b <= std::min(ny - 1, j + reach); ++b)
                            for (int a = std::max(0, i - reach); a <= std::min(nx - 1, i + reach); ++a)
                                if (number(a, b, c) > number(i, j, k))
                                    pairs.emplace_back(number(i, j, k), number(a, b, c));
                }
    }
    BlockMatrix pattern() const { return pattern_of(static_cast<std::int32_t>(x.size()), pairs); }
};

std::vector<Vec3> random_vector(std::size_t size, unsigned seed)
{
    std::mt19937 random(seed);
    std::normal_distribution<double> normal;
    std::vector<Vec3> v(size);
    for (Vec3& a : v) a = {normal(random), normal(random), normal(random)};
    return v;
}

// |b - A x| / |b|
double residual(const BlockMatrix& A, const std::vector<Vec3>& x, const std::vector<Vec3>& b)
{
    std::vector<Vec3> y(x.size()), windows(A.window_size);
    multiply(y, A, x, windows);
    double rest = 0, all = 0;
    for (std::size_t i = 0; i < x.size(); ++i) rest += norm2(b[i] - y[i]), all += norm2(b[i]);
    return std::sqrt(rest / all);
}

// Gauss-Jordan with the full matrix and pivoting: nothing in common with what is tested.
std::vector<double> dense_solution(const BlockMatrix& A, const std::vector<Vec3>& b)
{
    const std::size_t n = 3 * b.size();
    std::vector<std::vector<double>> m(n, std::vector<double>(n + 1, 0));
    for (std::int32_t i = 0; i < A.row_count(); ++i)
        for (std::int64_t k = A.row_start[i]; k < A.row_start[i + 1]; ++k)
            for (int r = 0; r < 3; ++r)
                for (int c = 0; c < 3; ++c)
                    m[3 * i + r][3 * A.column[k] + c] = m[3 * A.column[k] + c][3 * i + r] = A.block[k].m[r][c];
    for (std::size_t i = 0; i < n; ++i) m[i][n] = b[i / 3][static_cast<int>(i % 3)];
    for (std::size_t c = 0; c < n; ++c) {
        std::size_t pivot = c;
        for (std::size_t r = c + 1; r < n; ++r)
            if (std::abs(m[r][c]) > std::abs(m[pivot][c])) pivot = r;
        std::swap(m[c], m[pivot]);
        for (std::size_t r = 0; r < n; ++r) {
            if (r == c || m[r][c] == 0) continue;
            const double factor = m[r][c] / m[c][c];
            for (std::size_t k = c; k <= n; ++k) m[r][k] -= factor * m[c][k];
        }
    }
    std::vector<double> x(n);
    for (std::size_t i = 0; i < n; ++i) x[i] = m[i][n] / m[i][i];
    return x;
}

template <class S>
void expect_dense_solution(const BlockMatrix& A, std::span<const Vec3> x, double tolerance)
{
    CholeskyOf<S> cholesky(CholeskyStructure(A, x));
    ASSERT_EQ(cholesky.factor(A), -1);
    const auto b = random_vector(static_cast<std::size_t>(A.row_count()), 11);
    std::vector<Vec3> solution(b.size());
    cholesky.solve(solution, b);
    const std::vector<double> expected = dense_solution(A, b);
    for (std::size_t i = 0; i < expected.size(); ++i)
        ASSERT_NEAR(solution[i / 3][static_cast<int>(i % 3)], expected[i], tolerance) << "coordinate " << i;
}

TEST(Cholesky, SolvesRandomMatricesLikeDenseElimination)
{
    for (const int nodes : {1, 2, 3, 5, 13, 30, 70}) {
        for (unsigned seed = 1; seed < 5; ++seed) {
            std::mt19937 random(seed + static_cast<unsigned>(nodes));
            std::uniform_int_distribution<std::int32_t> any(0, nodes - 1);
            Pairs pairs;
            for (unsigned i = 0; i < seed * static_cast<unsigned>(nodes); ++i)
                if (const auto a = any(random), b = any(random); a != b) pairs.emplace_back(a, b);
            BlockMatrix A = pattern_of(nodes, pairs);
            fill_with_springs(A, seed);
            const auto x = random_vector(static_cast<std::size_t>(nodes), seed);
            expect_dense_solution<double>(A, x, 1e-10);
            expect_dense_solution<float>(A, x, 2e-3);
        }
    }
}

TEST(Cholesky, SolvesWhereEveryNodeMeetsEveryOther)
{
    // One front of many panels, whose widths are no multiple of anything.
    const std::int32_t nodes = 133;
    Pairs pairs;
    for (std::int32_t i = 0; i < nodes; ++i)
        for (std::int32_t j = i + 1; j < nodes; ++j) pairs.emplace_back(i, j);
    BlockMatrix A = pattern_of(nodes, pairs);
    fill_with_springs(A, 3, 5.0);
    expect_dense_solution<double>(A, {}, 1e-11);
    expect_dense_solution<float>(A, {}, 1e-4);
    EXPECT_EQ(CholeskyStructure(A, std::span<const Vec3>{}).nonzeros(), 399 * 400 / 2);
}

TEST(Cholesky, TakesGraphsOfAnyShape)
{
    const auto solves = [](std::int32_t nodes, const Pairs& pairs, std::span<const Vec3> x) {
        BlockMatrix A = pattern_of(nodes, pairs);
        fill_with_springs(A, 1);
        Cholesky cholesky(CholeskyStructure(A, x));
        if (cholesky.factor(A) != -1) return false;
        const auto b = random_vector(static_cast<std::size_t>(nodes), 2);
        std::vector<Vec3> solution = b;
        cholesky.solve(solution, solution);
        return nodes == 0 || residual(A, solution, b) < 1e-12;
    };
    EXPECT_TRUE(solves(0, {}, {}));
    EXPECT_TRUE(solves(1, {}, {}));
    EXPECT_TRUE(solves(500, {}, {}));  // no two nodes meet
    Pairs chain, star, pieces;
    for (std::int32_t i = 0; i + 1 < 3000; ++i) {
        chain.emplace_back(i, i + 1);
        star.emplace_back(0, i + 1);
        if (i % 7 != 6) pieces.emplace_back(i, i + 1);
    }
    EXPECT_TRUE(solves(3000, chain, {}));
    EXPECT_TRUE(solves(3000, star, {}));
    EXPECT_TRUE(solves(3000, pieces, random_vector(3000, 4)));
    const std::vector<Vec3> one_point(3000, Vec3{1, 2, 3});
    EXPECT_TRUE(solves(3000, chain, one_point));
    std::vector<Vec3> broken = random_vector(3000, 5);
    for (std::size_t i = 0; i < broken.size(); i += 3) broken[i].y = std::numeric_limits<double>::quiet_NaN();
    EXPECT_TRUE(solves(3000, chain, broken));
}

TEST(Cholesky, LeavesNoResidualOnLattices)
{
    for (const Lattice& lattice : {Lattice(14, 11, 9), Lattice(9, 8, 7, 2), Lattice(60, 40, 1), Lattice(400, 2, 2)}) {
        BlockMatrix A = lattice.pattern();
        fill_with_springs(A, 1, 1e-4);
        Cholesky cholesky(CholeskyStructure(A, lattice.x));
        ASSERT_EQ(cholesky.factor(A), -1);
        const auto b = random_vector(lattice.x.size(), 2);
        std::vector<Vec3> x(b.size());
        cholesky.solve(x, b);
        EXPECT_LT(residual(A, x, b), 1e-12);
    }
}

TEST(Cholesky, KeepsHeldCoordinatesApart)
{
    const Lattice lattice(9, 7, 8);
    BlockMatrix A = lattice.pattern();
    fill_with_springs(A, 1, 0);
    std::vector<std::uint8_t> held(lattice.x.size(), 0);
    for (std::size_t i = 0; i < held.size(); i += 5) held[i] = static_cast<std::uint8_t>(i % 8);
    cut_out_held(A, held);
    Cholesky cholesky(CholeskyStructure(A, lattice.x));
    ASSERT_EQ(cholesky.factor(A), -1);
    auto b = random_vector(lattice.x.size(), 2);
    for (std::size_t i = 0; i < b.size(); ++i)
        for (int k = 0; k < 3; ++k)
            if (held[i] >> k & 1) b[i][k] = 0;
    std::vector<Vec3> x(b.size());
    cholesky.solve(x, b);
    EXPECT_LT(residual(A, x, b), 1e-12);
    for (std::size_t i = 0; i < b.size(); ++i)
        for (int k = 0; k < 3; ++k) ASSERT_TRUE(x[i][k] == 0 || !(held[i] >> k & 1)) << "node " << i;
}

TEST(Cholesky, NamesTheNodeWhereTheMatrixIsNotPositive)
{
    // Without couplings the guilty node is known; with them only that there is one.
    BlockMatrix loose = pattern_of(200, {});
    fill_with_springs(loose, 1);
    Cholesky of_loose(CholeskyStructure(loose, std::span<const Vec3>{}));
    for (const std::int32_t guilty : {0, 57, 199}) {
        BlockMatrix A = loose;
        A.diagonal(guilty).m[1][1] = -1e-3;
        EXPECT_EQ(of_loose.factor(A), guilty);
        A.diagonal(guilty).m[1][1] = std::numeric_limits<double>::quiet_NaN();
        EXPECT_EQ(of_loose.factor(A), guilty);
        A.diagonal(guilty).m[1][1] = std::numeric_limits<double>::infinity();
        EXPECT_EQ(of_loose.factor(A), guilty);
    }
    EXPECT_EQ(of_loose.factor(loose), -1);

    const Lattice lattice(12, 11, 10);
    BlockMatrix A = lattice.pattern();
    Cholesky cholesky(CholeskyStructure(A, lattice.x));
    for (const std::int32_t bent : {3, 600, 1319}) {
        fill_with_springs(A, 2);
        EXPECT_EQ(cholesky.factor(A), -1);
        for (int k = 0; k < 3; ++k) A.diagonal(bent).m[k][k] -= 50;
        const std::int32_t found = cholesky.factor(A);
        EXPECT_GE(found, 0);
        EXPECT_LT(found, A.row_count());
    }
}

TEST(Cholesky, RefusesAMatrixThatLeavesRigidMotionsFree)
{
    // Springs along an axis only, no mass: translations cost nothing, so the last pivots are nothing but rounding.
    BlockMatrix A = Lattice(6, 6, 6).pattern();
    for (std::int32_t i = 0; i < A.row_count(); ++i)
        for (std::int64_t k = A.row_start[i] + 1; k < A.row_start[i + 1]; ++k) {
            A.block[k] = identity3<double>() * -0.7;
            A.diagonal(i) += identity3<double>() * 0.7;
            A.diagonal(A.column[k]) += identity3<double>() * 0.7;
        }
    Cholesky cholesky(CholeskyStructure(A, std::span<const Vec3>{}));
    const std::int32_t last = cholesky.structure().order().back();
    EXPECT_EQ(cholesky.factor(A), last);
    A.diagonal(0).m[0][0] += 1, A.diagonal(0).m[1][1] += 1, A.diagonal(0).m[2][2] += 1;
    EXPECT_EQ(cholesky.factor(A), -1);
}

template <class S>
void expect_same_bits_on_threads()
{
    const Lattice lattice(17, 16, 15);
    BlockMatrix A = lattice.pattern();
    fill_with_springs(A, 1);
    const auto b = random_vector(lattice.x.size(), 2);
    std::vector<Vec3> first(b.size()), x(b.size());
    for (const int threads : {1, 2, 3}) {
        set_thread_count(threads);
        CholeskyOf<S> cholesky(CholeskyStructure(A, lattice.x));
        EXPECT_GT(cholesky.structure().tasks().size(), 2u);
        EXPECT_GT(cholesky.structure().top().size(), 2u);
        for (int again = 0; again < 2; ++again) {
            ASSERT_EQ(cholesky.factor(A), -1);
            cholesky.solve(x, b);
            if (threads == 1 && again == 0) first = x;
            EXPECT_EQ(std::memcmp(x.data(), first.data(), x.size() * sizeof(Vec3)), 0) << threads << " threads";
        }
    }
    set_thread_count(0);
}

TEST(Cholesky, GivesTheSameBitsForAnyThreadCount)
{
    expect_same_bits_on_threads<double>();
    expect_same_bits_on_threads<float>();
}

TEST(Cholesky, TakesOtherNumbersWithoutAllocating)
{
    const Lattice lattice(12, 12, 12);
    BlockMatrix A = lattice.pattern();
    Cholesky cholesky(CholeskyStructure(A, lattice.x));
    const auto b = random_vector(lattice.x.size(), 2);
    std::vector<Vec3> x(b.size());
    long allocations = 0;
    for (unsigned seed = 1; seed < 5; ++seed) {
        fill_with_springs(A, seed, 1e-3 * seed);
        if (seed == 3) A.diagonal(500).m[0][0] = -1;  // a failure leaves nothing behind
        const long before = allocation_count();
        const std::int32_t lost = cholesky.factor(A);
        cholesky.solve(x, b);
        if (seed > 1) allocations += allocation_count() - before;
        EXPECT_EQ(lost < 0, seed != 3);
        EXPECT_TRUE(lost >= 0 || residual(A, x, b) < 1e-12) << "seed " << seed;
    }
    EXPECT_EQ(allocations, 0);
}

// Conjugate gradients in doubles; iterations to a relative residual of 1e-8.
template <class S>
int iterations_with(const CholeskyOf<S>& cholesky, const BlockMatrix& A, const std::vector<Vec3>& b)
{
    const auto inner = [](const std::vector<Vec3>& u, const std::vector<Vec3>& v) {
        double sum = 0;
        for (std::size_t i = 0; i < u.size(); ++i) sum += dot(u[i], v[i]);
        return sum;
    };
    std::vector<Vec3> x(b.size()), r = b, z(b.size()), q(b.size()), windows(A.window_size);
    cholesky.solve(z, r);
    std::vector<Vec3> p = z;
    double rz = inner(r, z);
    for (int i = 1; i < 50; ++i) {
        multiply(q, A, p, windows);
        const double alpha = rz / inner(p, q);
        for (std::size_t n = 0; n < b.size(); ++n) x[n] += p[n] * alpha, r[n] -= q[n] * alpha;
        if (residual(A, x, b) < 1e-8) return i;
        cholesky.solve(z, r);
        const double beta = inner(r, z) / rz;
        rz *= beta;
        for (std::size_t n = 0; n < b.size(); ++n) p[n] = z[n] + p[n] * beta;
    }
    return 50;
}

TEST(Cholesky, InFloatsPreconditionsStiffMatricesInAHandfulOfIterations)
{
    // Equal couplings and a mass that shrinks: translations get as soft as one likes, the condition is about 16 / mass.
    const Lattice lattice(10, 9, 8);
    BlockMatrix A = lattice.pattern();
    CholeskySingle cholesky(CholeskyStructure(A, lattice.x));
    const auto b = random_vector(lattice.x.size(), 2);
    for (const double mass : {1e-2, 1e-4, 1e-5}) {
        set_zero(A);
        for (std::int32_t i = 0; i < A.row_count(); ++i) {
            A.diagonal(i) += identity3<double>() * mass;
            for (std::int64_t k = A.row_start[i] + 1; k < A.row_start[i + 1]; ++k) {
                A.block[k] = identity3<double>() * -0.7;
                A.diagonal(i) += identity3<double>() * 0.7;
                A.diagonal(A.column[k]) += identity3<double>() * 0.7;
            }
        }
        ASSERT_EQ(cholesky.factor(A), -1) << "mass " << mass;
        EXPECT_LE(iterations_with(cholesky, A, b), 6) << "mass " << mass;
    }
}

TEST(Cholesky, WorksInAnyUnits)
{
    // Floats reach from 1e-38 to 1e38: neither a stiffness in N/m of steel nor a residual near zero may leave that.
    const Lattice lattice(7, 7, 7);
    BlockMatrix A = lattice.pattern();
    CholeskySingle cholesky(CholeskyStructure(A, lattice.x));
    for (const double unit : {1e-20, 1.0, 1e20}) {
        fill_with_springs(A, 1);
        for (Mat3& block : A.block) block *= unit;
        auto b = random_vector(lattice.x.size(), 2);
        for (Vec3& v : b) v *= 1e-60 / unit;
        std::vector<Vec3> x(b.size());
        ASSERT_EQ(cholesky.factor(A), -1);
        cholesky.solve(x, b);
        EXPECT_LT(residual(A, x, b), 1e-5) << "unit " << unit;
    }
}

TEST(CholeskyStructure, ForetellsItsMemory)
{
    const Lattice lattice(16, 15, 14);
    const BlockMatrix A = lattice.pattern();
    const CholeskyStructure structure(A, lattice.x);
    const auto check = [&](std::size_t foretold, std::size_t allocated) {
        EXPECT_NEAR(static_cast<double>(foretold), static_cast<double>(allocated),
                    0.02 * static_cast<double>(allocated));
    };
    check(structure.bytes(), Cholesky(structure).allocated_bytes());
    check(structure.bytes(sizeof(float)), CholeskySingle(structure).allocated_bytes());
    EXPECT_GT(structure.bytes(), 8 * static_cast<std::size_t>(structure.nonzeros()));
    EXPECT_LT(structure.bytes(), 14 * static_cast<std::size_t>(structure.nonzeros()));
}

// Eliminates node by node in a full table of who meets whom.
std::int64_t nonzeros_by_elimination(const BlockMatrix& A, std::span<const std::int32_t> order)
{
    std::vector<std::set<std::int32_t>> meets(order.size());
    for (std::int32_t i = 0; i < A.row_count(); ++i)
        for (std::int64_t k = A.row_start[i] + 1; k < A.row_start[i + 1]; ++k)
            meets[i].insert(A.column[k]), meets[A.column[k]].insert(i);
    std::int64_t nonzeros = 0;
    for (const std::int32_t node : order) {
        nonzeros += 6 + 9 * static_cast<std::int64_t>(meets[node].size());
        for (const std::int32_t a : meets[node]) {
            meets[a].erase(node);
            for (const std::int32_t b : meets[node])
                if (a != b) meets[a].insert(b);
        }
    }
    return nonzeros;
}

TEST(CholeskyStructure, CountsNonzerosLikeElimination)
{
    const Lattice lattice(7, 6, 5);
    const BlockMatrix A = lattice.pattern();
    const auto natural = natural_order(A.row_count());
    EXPECT_EQ(factor_nonzeros(A, natural), nonzeros_by_elimination(A, natural));
    const auto dissected = nested_dissection(graph_of(A), lattice.x);
    EXPECT_EQ(factor_nonzeros(A, dissected), nonzeros_by_elimination(A, dissected));
    const CholeskyStructure structure(A, lattice.x);
    EXPECT_EQ(structure.nonzeros(), factor_nonzeros(A, dissected));
    EXPECT_EQ(structure.nonzeros(), factor_nonzeros(A, structure.order()));
    EXPECT_EQ(CholeskyStructure(A, natural).nonzeros(), factor_nonzeros(A, natural));
}

TEST(NestedDissection, OrdersEveryNodeOnceWithLessFillThanTheNaturalOrder)
{
    for (const Lattice& lattice : {Lattice(14, 14, 14), Lattice(50, 50, 1), Lattice(16, 15, 14, 2)}) {
        const BlockMatrix A = lattice.pattern();
        for (const auto& x : {lattice.x, std::vector<Vec3>{}}) {  // guided by positions, or by the graph alone
            const auto order = nested_dissection(graph_of(A), x);
            EXPECT_EQ(std::set<std::int32_t>(order.begin(), order.end()).size(), lattice.x.size());
            EXPECT_LT(static_cast<double>(factor_nonzeros(A, order)),
                      0.9 * static_cast<double>(factor_nonzeros(A, natural_order(A.row_count()))));
        }
    }
    // On a line the fill grows with the number of nodes, not faster.
    Pairs chain;
    for (std::int32_t i = 0; i + 1 < 4096; ++i) chain.emplace_back(i, i + 1);
    const BlockMatrix A = pattern_of(4096, chain);
    EXPECT_LT(factor_nonzeros(A, nested_dissection(graph_of(A), {})), 4096 * (6 + 3 * 9));
}

TEST(NestedDissection, CutsALatticeByItsSmallestPlane)
{
    // 21 x 7 x 5: the last separator is a plane of 35 nodes near the middle of the long axis.
    const Lattice lattice(21, 7, 5);
    const auto order = nested_dissection(graph_of(lattice.pattern()), lattice.x);
    for (std::size_t i = order.size() - 35; i < order.size(); ++i)
        EXPECT_EQ(lattice.x[order[i]].x, lattice.x[order.back()].x);
    EXPECT_NEAR(lattice.x[order.back()].x, 1.0, 0.25);
}

}  // namespace
}  // namespace pliant
