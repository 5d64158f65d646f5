// SPDX-License-Identifier: MIT

// What contacts add to Newton's matrix without being in it: products against dense matrices, and solves with them.

#include <pliant/solver/linear/contact_product.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include <pliant/mesh/shapes.h>
#include <pliant/mesh/topology.h>
#include <pliant/solver/linear/aggregation.h>
#include <pliant/solver/linear/conjugate_gradients.h>

#include "base/counted_new.h"
#include "energy/derivatives.h"

namespace pliant {
namespace {

using Dense = std::vector<std::vector<double>>;
using test::random_vector;

Dense zero(std::size_t n)
{
    return Dense(n, std::vector<double>(n, 0));
}

// A positive semidefinite matrix of rank 1 or 2, as contacts without and with friction have.
Mat3 random_stiffness(std::mt19937& random)
{
    const Vec3 a = random_vector(random, 1), b = random_vector(random, random() % 2 == 0 ? 0 : 0.5);
    return outer(a, a) + outer(b, b);
}

struct System {
    std::size_t free = 0;
    std::vector<BarrierRow> rows;
    std::vector<FrameBlock> inertia;
    std::vector<std::uint8_t> held;  // #free, then two a frame

    std::size_t size() const { return free + 2 * inertia.size(); }
};

BarrierRow random_row(std::size_t free, std::size_t frames, std::mt19937& random)
{
    BarrierRow row{.force = random_vector(random, 1), .stiffness = random_stiffness(random)};
    std::uniform_real_distribution<double> uniform(-1, 1);
    for (std::size_t s = 0; s < 2; ++s) {
        if (frames > 0 && random() % 3 == 0) {
            row.at.frame[s] = static_cast<std::int32_t>(random() % frames);
            row.at.share[s] = s == 0 ? 1 : -1, row.at.arm[s] = random_vector(random, 0.3);
            continue;
        }
        // Vertices of one element differ.
        const auto first = static_cast<std::int32_t>(random() % (free - 1));
        row.at.vertex[2 * s] = first, row.at.vertex[2 * s + 1] = first + 1;
        row.at.weight[2 * s] = uniform(random), row.at.weight[2 * s + 1] = uniform(random);
    }
    if (row.at.frame[0] >= 0 && row.at.frame[0] == row.at.frame[1]) row.at.frame[1] = -1, row.at.share[1] = 0;
    return row;
}

System random_system(std::size_t free, std::size_t frames, std::size_t rows, bool with_held, unsigned seed)
{
    std::mt19937 random(seed);
    System system{.free = free};
    for (std::size_t r = 0; r < rows; ++r) system.rows.push_back(random_row(free, frames, random));
    for (std::size_t f = 0; f < frames; ++f) {
        const Vec3 a = random_vector(random, 1);
        system.inertia.push_back(
            {.tt = identity3<double>() * 3.0, .rr = identity3<double>() * 0.7 + outer(a, a) * 0.1});
    }
    system.held.assign(system.size(), 0);
    if (with_held)
        for (std::uint8_t& bits : system.held) bits = random() % 3 == 0 ? static_cast<std::uint8_t>(random() % 8) : 0;
    return system;
}

bool is_held(const System& system, std::size_t i, std::size_t k)
{
    return (system.held[i] >> k & 1) != 0;
}

// J with u = J p of a row, written out from the definition: 3 rows, 3 columns per unknown.
std::vector<std::array<double, 3>> jacobian(const System& system, const BarrierRow& row)
{
    std::vector<std::array<double, 3>> J(3 * system.size(), {0, 0, 0});  // J[column][component]
    for (std::size_t k = 0; k < 4; ++k)
        if (row.at.vertex[k] >= 0)
            for (std::size_t c = 0; c < 3; ++c)
                J[3 * static_cast<std::size_t>(row.at.vertex[k]) + c][c] += row.at.weight[k];
    for (std::size_t s = 0; s < 2; ++s) {
        if (row.at.frame[s] < 0) continue;
        const std::size_t i = system.free + 2 * static_cast<std::size_t>(row.at.frame[s]);
        for (std::size_t c = 0; c < 3; ++c) {
            J[3 * i + c][c] += row.at.share[s];
            Vec3 turn;
            turn[static_cast<int>(c)] = 1;
            const Vec3 u = cross(turn, row.at.arm[s]);
            for (std::size_t a = 0; a < 3; ++a) J[3 * (i + 1) + c][a] += u[static_cast<int>(a)];
        }
    }
    return J;
}

// Rows and columns of held coordinates are zero.
Dense dense_of(const System& system)
{
    const std::size_t n = 3 * system.size();
    Dense A = zero(n);
    for (const BarrierRow& row : system.rows) {
        if (row.is_one_sided) continue;
        const auto J = jacobian(system, row);
        for (std::size_t i = 0; i < n; ++i)
            for (std::size_t j = 0; j < n; ++j)
                for (std::size_t a = 0; a < 3; ++a)
                    for (std::size_t b = 0; b < 3; ++b) A[i][j] += J[i][a] * row.stiffness.m[a][b] * J[j][b];
    }
    for (std::size_t f = 0; f < system.inertia.size(); ++f)
        for (std::size_t a = 0; a < 3; ++a)
            for (std::size_t b = 0; b < 3; ++b) {
                const std::size_t i = 3 * (system.free + 2 * f);
                A[i + a][i + b] += system.inertia[f].tt.m[a][b];
                A[i + 3 + a][i + 3 + b] += system.inertia[f].rr.m[a][b];
            }
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < n; ++j)
            if (is_held(system, i / 3, i % 3) || is_held(system, j / 3, j % 3)) A[i][j] = 0;
    return A;
}

std::vector<Vec3> random_vectors(const System& system, unsigned seed)
{
    std::mt19937 random(seed);
    std::vector<Vec3> p(system.size());
    for (std::size_t i = 0; i < p.size(); ++i) {
        p[i] = random_vector(random, 1);
        for (std::size_t k = 0; k < 3; ++k)
            if (is_held(system, i, k)) p[i][static_cast<int>(k)] = 0;
    }
    return p;
}

ContactProduct product_of(const System& system)
{
    ContactProduct product;
    product.set(system.rows, system.free, system.inertia, system.held);
    return product;
}

std::vector<Vec3> product_with(const ContactProduct& product, const std::vector<Vec3>& p)
{
    std::vector<Vec3> q(p.size());
    product.add_product([&](std::size_t i) { return p[i]; }, [&](std::size_t i, const Vec3& v) { q[i] += v; });
    return q;
}

// ---- products -------------------------------------------------------------------------------------------------------

struct Shape {
    std::size_t free, frames, rows;
    bool with_held;
};
class Products : public testing::TestWithParam<Shape> {
protected:
    System system = random_system(GetParam().free, GetParam().frames, GetParam().rows, GetParam().with_held, 5);
};

TEST_P(Products, AreThoseOfTheDenseMatrix)
{
    const Dense A = dense_of(system);
    const ContactProduct product = product_of(system);
    for (unsigned seed = 1; seed <= 3; ++seed) {
        const auto p = random_vectors(system, seed);
        const auto q = product_with(product, p);
        for (std::size_t i = 0; i < A.size(); ++i) {
            double expected = 0;
            for (std::size_t j = 0; j < A.size(); ++j) expected += A[i][j] * p[j / 3][static_cast<int>(j % 3)];
            EXPECT_NEAR(q[i / 3][static_cast<int>(i % 3)], expected,
                        1e-12 * static_cast<double>(system.rows.size() + 1))
                << i;
        }
    }
}

TEST_P(Products, AreSymmetricAndNeverNegative)
{
    const ContactProduct product = product_of(system);
    for (unsigned seed = 1; seed <= 5; ++seed) {
        const auto p = random_vectors(system, seed), r = random_vectors(system, seed + 100);
        const auto Cp = product_with(product, p), Cr = product_with(product, r);
        double pCr = 0, rCp = 0, pCp = 0;
        for (std::size_t i = 0; i < p.size(); ++i)
            pCr += dot(p[i], Cr[i]), rCp += dot(r[i], Cp[i]), pCp += dot(p[i], Cp[i]);
        EXPECT_NEAR(pCr, rCp, 1e-11 * static_cast<double>(system.rows.size() + 1));
        EXPECT_GE(pCp, 0);
    }
}

TEST_P(Products, AreZeroWhereCoordinatesAreHeld)
{
    const ContactProduct product = product_of(system);
    std::mt19937 random(2);
    std::vector<Vec3> p(system.size());
    for (Vec3& v : p) v = random_vector(random, 1);  // even of motion along held coordinates
    const auto q = product_with(product, p);
    for (std::size_t i = 0; i < q.size(); ++i)
        for (std::size_t k = 0; k < 3; ++k)
            if (is_held(system, i, k)) {
                EXPECT_EQ(q[i][static_cast<int>(k)], 0);
            }
}

// With one rigid body alone the preconditioner is exact.
TEST_P(Products, PreconditionFramesByTheInversesOfTheirBlocks)
{
    const Dense A = dense_of(system);
    const ContactProduct product = product_of(system);
    ASSERT_EQ(product.frame_count(), system.inertia.size());
    const auto r = random_vectors(system, 9);
    std::vector<Vec3> z(system.size());
    product.precondition_frames(z, r);
    for (std::size_t f = 0; f < system.inertia.size(); ++f) {
        const std::size_t first = 3 * (system.free + 2 * f);
        for (std::size_t i = first; i < first + 6; ++i) {
            if (is_held(system, i / 3, i % 3)) continue;
            double sum = 0;
            for (std::size_t j = first; j < first + 6; ++j) sum += A[i][j] * z[j / 3][static_cast<int>(j % 3)];
            EXPECT_NEAR(sum, r[i / 3][static_cast<int>(i % 3)], 1e-10) << i;
        }
    }
    for (std::size_t i = 0; i < system.free; ++i) EXPECT_EQ(z[i], Vec3{}) << "vertices are not its business";
}

INSTANTIATE_TEST_SUITE_P(ContactProduct, Products,
                         testing::Values(Shape{10, 0, 12, false}, Shape{10, 0, 12, true}, Shape{8, 3, 20, false},
                                         Shape{8, 3, 20, true}, Shape{30, 1, 0, false}, Shape{30, 0, 0, true}));

TEST(ContactProduct, LeavesOutRowsOfOneSide)
{
    System system = random_system(10, 0, 6, false, 3);
    for (std::size_t r = 0; r < 6; r += 2) system.rows[r].is_one_sided = true;
    const Dense A = dense_of(system);
    const auto p = random_vectors(system, 1), q = product_with(product_of(system), p);
    for (std::size_t i = 0; i < A.size(); ++i) {
        double expected = 0;
        for (std::size_t j = 0; j < A.size(); ++j) expected += A[i][j] * p[j / 3][static_cast<int>(j % 3)];
        EXPECT_NEAR(q[i / 3][static_cast<int>(i % 3)], expected, 1e-12);
    }
    for (BarrierRow& row : system.rows) row.is_one_sided = true;
    EXPECT_TRUE(product_of(system).empty());
}

TEST(ContactProduct, SetAgainForgetsWhatWasSetBefore)
{
    const System first = random_system(40, 4, 60, true, 1), second = random_system(25, 2, 10, false, 2);
    ContactProduct product = product_of(first);
    product.set(second.rows, second.free, second.inertia, second.held);
    const auto p = random_vectors(second, 1);
    EXPECT_EQ(product_with(product, p), product_with(product_of(second), p));
}

TEST(ContactProduct, GivesTheSameBitsForOneAndTwoThreads)
{
    const System system = random_system(3000, 5, 6000, true, 4);
    const auto p = random_vectors(system, 1);
    const ContactProduct product = product_of(system);
    set_thread_count(1);
    const auto one = product_with(product, p);
    set_thread_count(2);
    const auto two = product_with(product, p);
    set_thread_count(0);
    EXPECT_EQ(std::memcmp(one.data(), two.data(), one.size() * sizeof(Vec3)), 0);
}

TEST(ContactProduct, AllocatesNothingTheSecondTime)
{
    const System system = random_system(300, 5, 600, true, 4);
    ContactProduct product = product_of(system);
    std::vector<Vec3> p = random_vectors(system, 1), z(p.size());
    const long before = allocation_count();
    product.set(system.rows, system.free, system.inertia, system.held);
    product.precondition_frames(z, p);
    EXPECT_EQ(allocation_count(), before);
}

// ---- solves ---------------------------------------------------------------------------------------------------------

std::vector<double> solve_dense(Dense A, std::vector<double> b)
{
    const std::size_t n = b.size();
    for (std::size_t k = 0; k < n; ++k) {
        std::size_t pivot = k;
        for (std::size_t i = k; i < n; ++i)
            if (std::abs(A[i][k]) > std::abs(A[pivot][k])) pivot = i;
        std::swap(A[k], A[pivot]), std::swap(b[k], b[pivot]);
        for (std::size_t i = k + 1; i < n; ++i) {
            const double part = A[i][k] / A[k][k];
            for (std::size_t j = k; j < n; ++j) A[i][j] -= part * A[k][j];
            b[i] -= part * b[k];
        }
    }
    for (std::size_t i = n; i-- > 0;) {
        for (std::size_t j = i + 1; j < n; ++j) b[i] -= A[i][j] * b[j];
        b[i] /= A[i][i];
    }
    return b;
}

// A sheet of springs that resist every way, with masses; held coordinates cut out.
struct Net {
    BlockMatrix A;
    std::vector<Vec3> x;
    std::vector<double> mass;

    explicit Net(const std::vector<std::uint8_t>& held, int n)
    {
        const TriMesh mesh = grid(n, n, 1, 1);
        x = mesh.vertices;
        BlockPattern pattern(static_cast<std::int32_t>(x.size()));
        const auto edges = unique_edges(mesh.triangles);
        const auto springs = make_elements<Spring>(edges, std::vector<Spring::Rest<double>>(edges.size(), {0.1, 0}),
                                                   static_cast<std::int32_t>(x.size()));
        pattern.add(springs.stencils);
        A = pattern.matrix();
        add_hessian(A, scatter_map(A, springs.stencils), springs, Spring{.k_s = 5, .k_d = 0}, x);
        mass.assign(x.size(), 2);
        add_mass(A, mass, 1);
        cut_out_held(A, std::span(held).first(x.size()));
    }
};

Dense with_matrix(Dense sum, const BlockMatrix& A, const System& system)
{
    for (std::int32_t row = 0; row < A.row_count(); ++row)
        for (std::int64_t e = A.row_start[row]; e < A.row_start[row + 1]; ++e) {
            const auto i = 3 * static_cast<std::size_t>(row), j = 3 * static_cast<std::size_t>(A.column[e]);
            for (std::size_t a = 0; a < 3; ++a)
                for (std::size_t b = 0; b < 3; ++b) {
                    sum[i + a][j + b] += A.block[e].m[a][b];
                    if (i != j) sum[j + b][i + a] += A.block[e].m[a][b];
                }
        }
    for (std::size_t i = 0; i < sum.size(); ++i)
        if (is_held(system, i / 3, i % 3)) {
            for (std::size_t j = 0; j < sum.size(); ++j) sum[i][j] = sum[j][i] = 0;
            sum[i][i] = 1;
        }
    return sum;
}

std::vector<double> flat(const std::vector<Vec3>& v)
{
    std::vector<double> numbers;
    for (const Vec3& p : v) numbers.insert(numbers.end(), {p.x, p.y, p.z});
    return numbers;
}

class Solves : public testing::TestWithParam<bool> {};

TEST_P(Solves, ByConjugateGradientsAreThoseOfADenseSolve)
{
    const System system = random_system(25, 3, 30, GetParam(), 6);
    const Net net(system.held, 5);
    const auto b = random_vectors(system, 3);
    const auto expected = solve_dense(with_matrix(dense_of(system), net.A, system), flat(b));
    const ContactProduct product = product_of(system);
    LinearScratch scratch;
    scratch.size_for(net.A, 2 * system.inertia.size());
    std::vector<Vec3> x(system.size());
    for (const bool measures_way : {false, true}) {
        const LinearResult result = bordered_conjugate_gradients(
            x, net.A, {}, b, nullptr, {.tolerance = 1e-12, .measures_way = measures_way}, scratch, &product);
        EXPECT_TRUE(result.converged());
        for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_NEAR(flat(x)[i], expected[i], 1e-9) << i;
    }
}

TEST_P(Solves, ByAggregationAreThoseOfADenseSolve)
{
    const System system = random_system(49, 0, 20, GetParam(), 7);
    const Net net(system.held, 7);
    const auto b = random_vectors(system, 3);
    const auto expected = solve_dense(with_matrix(dense_of(system), net.A, system), flat(b));
    const ContactProduct product = product_of(system);
    AggregationMultigrid aggregation(net.A, net.x);
    ASSERT_LT(aggregation.refresh(net.A, net.mass, system.held), 0);
    std::vector<Vec3> x(system.size());
    const LinearResult result = aggregation.solve(x, b, {.tolerance = 1e-5}, &product);
    EXPECT_TRUE(result.converged());
    double largest = 0;
    for (const double e : expected) largest = std::max(largest, std::abs(e));
    for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_NEAR(flat(x)[i], expected[i], 1e-3 * largest) << i;
}

INSTANTIATE_TEST_SUITE_P(ContactProduct, Solves, testing::Bool(),
                         [](const auto& held) { return held.param ? "with_held" : "all_free"; });

}  // namespace
}  // namespace pliant
