// SPDX-License-Identifier: MIT
#pragma once

// Tetrahedra to try solids on: one rest shape, deformations from gentle to inverted, and checks of both Hessians.

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <string>
#include <vector>

#include <pliant/base/text.h>
#include <pliant/energy/solid.h>

#include "energy/derivatives.h"

namespace pliant::test {

inline constexpr std::array<Vec3, 4> kTetCorners{Vec3{0.1, 0, 0}, Vec3{1.1, 0.2, 0}, Vec3{0.3, 0.9, 0.1},
                                                 Vec3{0.2, 0.1, 1.2}};

inline Mat3 stretch(double a, double b, double c)
{
    return {{{a, 0, 0}, {0, b, 0}, {0, 0, c}}};
}

/// Stretched, sheared, compressed and nearly flat; no two stretches cancel.
inline std::vector<Mat3> upright_shapes()
{
    const Mat3 sheared{{{1.3, 0.4, 0.1}, {-0.2, 0.9, 0.3}, {0.1, -0.3, 1.1}}};
    const Mat3 turned{{{0.1, -1.2, 0.2}, {0.9, 0.2, 0.1}, {0.1, 0.1, 1.1}}};
    return {stretch(1.4, 1.3, 1.2),
            sheared,
            turned,
            stretch(1.7, 0.8, 1.0),
            stretch(0.7, 0.6, 0.9),
            stretch(1.1, 1.1, 1.1),
            stretch(0.8, 0.8, 0.8),
            stretch(0.25, 1.1, 1.0),
            stretch(0.5, 0.5, 1.3),
            Mat3{{{0.9, 0.7, 0.0}, {0.0, 0.6, -0.5}, {0.3, 0.0, 0.5}}}};
}

inline std::vector<Mat3> inverted_shapes()
{
    return {stretch(-0.5, 1.0, 1.2), stretch(-0.4, -0.9, -1.3), stretch(1.1, 0.02, 0.9),
            Mat3{{{1.3, 0.4, 0.1}, {-0.2, -0.6, 0.3}, {0.1, -0.3, 1.1}}}};
}

inline std::string written(const Mat3& F)
{
    std::string text = "F =";
    for (const auto& row : F.m)
        for (const double entry : row) text += " " + shortest(entry);
    return text;
}

/// Rest state of kTetCorners times `unit`, with fibres where the law has them.
template <class E>
RestOf<E, double> solid_rest(double unit = 1)
{
    std::array<Vec3, 4> X = kTetCorners;
    for (Vec3& a : X) a *= unit;
    RestOf<E, double> rest;
    static_cast<TetRest<double>&>(rest) = tet_rest(X);
    if constexpr (requires { rest.fibre; }) rest.fibre = normalized(Vec3{1, 2, -0.5});
    return rest;
}

/// The corners moved by F; mid-edge nodes, where there are any, bent by `bend` besides.
template <class E>
std::array<Vec3, E::nodes> bent(const Mat3& F, double bend = 0.02)
{
    std::array<Vec3, E::nodes> x;
    for (int i = 0; i < E::nodes; ++i) {
        if (i < 4) {
            x[i] = F * kTetCorners[i];
        } else {
            const auto& [a, b] = QuadraticTet::kEdges[i - 4];
            x[i] = F * ((kTetCorners[a] + kTetCorners[b]) * 0.5) + Vec3{std::sin(i), std::cos(2 * i), 0.3} * bend;
        }
    }
    return x;
}

using Matrix = std::vector<std::vector<double>>;

template <class E>
Matrix exact_hessian(const Element<E, double>& element)
{
    Matrix h(3 * E::nodes, std::vector<double>(3 * E::nodes));
    for (int i = 0; i < E::nodes; ++i)
        for (int j = 0; j < E::nodes; ++j) {
            const Mat3 block = element.exact_block(i, j);
            for (int r = 0; r < 3; ++r)
                for (int c = 0; c < 3; ++c) h[3 * i + r][3 * j + c] = block.m[r][c];
        }
    return h;
}

inline double largest_entry(const Matrix& h)
{
    double largest = 0;
    for (const auto& row : h)
        for (const double entry : row) largest = std::max(largest, std::abs(entry));
    return largest;
}

/// Differences of fourth order: laws that blow up have large fifth derivatives.
template <class E>
void expect_exact_hessian(const E& energy, const RestOf<E, double>& rest, const std::array<Vec3, E::nodes>& x)
{
    const Matrix h = exact_hessian(Element<E, double>(energy, rest, x));
    const double scale = largest_entry(h), step = 1e-4;
    for (int j = 0; j < E::nodes; ++j)
        for (int c = 0; c < 3; ++c) {
            const auto gradient_at = [&](double shift) {
                auto moved = x;
                moved[j][c] += shift;
                std::array<Vec3, E::nodes> g;
                const Element<E, double> element(energy, rest, moved);
                for (int i = 0; i < E::nodes; ++i) g[i] = element.gradient(i);
                return g;
            };
            const auto a = gradient_at(2 * step), b = gradient_at(step), d = gradient_at(-step),
                       e = gradient_at(-2 * step);
            for (int i = 0; i < E::nodes; ++i)
                for (int r = 0; r < 3; ++r)
                    EXPECT_NEAR(h[3 * i + r][3 * j + c], (8 * (b[i][r] - d[i][r]) - (a[i][r] - e[i][r])) / (12 * step),
                                2e-8 * scale)
                        << "block " << i << "," << j << " entry " << r << "," << c;
        }
}

/// The 9x9 matrix dP/dF of one point from its Hessian blocks for unit shape gradients.
template <class Tangent>
Matrix stress_derivative(const Tangent& tangent)
{
    Matrix h(9, std::vector<double>(9));
    for (int a = 0; a < 3; ++a)
        for (int b = 0; b < 3; ++b) {
            Vec3 ea, eb;
            ea[a] = 1, eb[b] = 1;
            const Mat3 block = tangent.block(tangent.node(ea), tangent.node(eb));
            for (int r = 0; r < 3; ++r)
                for (int c = 0; c < 3; ++c) h[3 * r + a][3 * c + b] = block.m[r][c];
        }
    return h;
}

/// Compares spectra in the space of F, where the projection is made. Laws that are sums of projected parts may keep
/// more than the nearest positive matrix, never less.
template <class E>
void expect_nearest_positive(const E& energy, const RestOf<E, double>& rest, const std::array<Vec3, E::nodes>& x)
{
    const Element<E, double> element(energy, rest, x);
    const auto local = E::Law::local(energy.moduli(rest), rest);
    const Mat3& F = element.deformation(0);
    const auto exact = eigenvalues(stress_derivative(energy.law.exact_tangent(local, F)));
    const auto kept = eigenvalues(stress_derivative(energy.law.positive_tangent(local, F)));
    const double scale = std::max(std::abs(exact.front()), std::abs(exact.back()));
    constexpr bool is_sum = requires
    {
        energy.law.fibre_stiffness;
    };
    for (int k = 0; k < 9; ++k) {
        EXPECT_GE(kept[k], std::max(0.0, exact[k]) - 1e-12 * scale);
        if constexpr (!is_sum) {
            EXPECT_NEAR(kept[k], std::max(0.0, exact[k]), 1e-12 * scale);
        }
    }
}

}  // namespace pliant::test
