// SPDX-License-Identifier: MIT
#pragma once

// The matrix of a step of cloth, for tests of linear solvers: one sheet, or a stack of them.

#include <cmath>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include <pliant/energy/energy.h>
#include <pliant/mesh/shapes.h>
#include <pliant/solver/linear/block_matrix.h>
#include <pliant/solver/linear/preconditioner.h>

namespace pliant::test {

// M/s^2 + K of stretched, folded sheets of 1 m, the first held at two corners, as a step of 1/240 s has it.
struct SheetProblem {
    BlockMatrix A;
    std::vector<Vec3> x;
    std::vector<double> inertia;
    std::vector<std::uint8_t> held;

    explicit SheetProblem(int n, int copies = 1)
    {
        TriMesh mesh = grid(n, n, 1, 1, {.diagonals = GridDiagonals::alternating});
        const TriMesh sheet = mesh;
        for (int copy = 1; copy < copies; ++copy) {
            const auto first = static_cast<std::int32_t>(mesh.vertices.size());
            for (const Vec3& v : sheet.vertices) mesh.vertices.push_back(v + Vec3{0, 0.01 * copy, 0});
            for (const Triangle& t : sheet.triangles)
                mesh.triangles.push_back({t[0] + first, t[1] + first, t[2] + first});
        }
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
        for (Vec3& v : folded) v = {1.001 * v.x, v.y + 0.1 * std::sin(5 * v.z), 0.99 * v.z};
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

inline double inner(const std::vector<Vec3>& a, const std::vector<Vec3>& b)
{
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += dot(a[i], b[i]);
    return sum;
}

// M r . s = r . M s, M r . r > 0, and held coordinates stay zero.
inline void expect_symmetric_and_positive(Preconditioner& M, const SheetProblem& problem)
{
    std::vector<Vec3> za(problem.x.size()), zb(problem.x.size());
    for (unsigned seed = 1; seed < 6; ++seed) {
        const auto a = problem.random_vector(seed), b = problem.random_vector(seed + 100);
        M.apply(za, problem.A, a);
        M.apply(zb, problem.A, b);
        EXPECT_NEAR(inner(za, b), inner(zb, a), 1e-4 * std::sqrt(inner(za, a) * inner(zb, b)));
        EXPECT_GT(inner(za, a), 0);
        for (std::size_t i = 0; i < za.size(); ++i)
            for (int k = 0; k < 3; ++k) EXPECT_EQ(problem.held[i] >> k & 1 ? za[i][k] : 0, 0);
    }
}

}  // namespace pliant::test
