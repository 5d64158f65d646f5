// SPDX-License-Identifier: MIT

// Elements and stencils: packing, padding, chunks, and sums that do not depend on the thread count.

#include <pliant/energy/views.h>

#include <gtest/gtest.h>

#include <cstring>
#include <random>

#include <pliant/energy/spring.h>
#include <pliant/mesh/shapes.h>
#include <pliant/mesh/topology.h>

#include "energy/derivatives.h"

namespace pliant {
namespace {

struct Net {
    Elements<Spring> elements;
    std::vector<Vec3> x, v;
    std::vector<Edge> edges;
};

Net net_of(const TriMesh& mesh, unsigned seed)
{
    Net net;
    net.edges = unique_edges(mesh.triangles);
    std::vector<Spring::Rest<double>> rest;
    for (const Edge& e : net.edges) rest.push_back({0.9 * norm(mesh.vertices[e[0]] - mesh.vertices[e[1]]), 0});
    net.elements = make_elements<Spring>(net.edges, rest, static_cast<std::int32_t>(mesh.vertices.size()));
    std::mt19937 random(seed);
    for (const Vec3& X : mesh.vertices) net.x.push_back(X + test::random_vector(random, 1e-3));
    for (std::size_t i = 0; i < net.x.size(); ++i) net.v.push_back(test::random_vector(random, 1));
    return net;
}

constexpr Spring kSpring{.k_s = 100, .k_d = 0.5};

struct Sums {
    std::vector<Vec3> force;
    double power = 0, energy = 0;
};

Sums sums_of(const Net& net)
{
    Sums sums{.force = std::vector<Vec3>(net.x.size())};
    std::vector<Vec3> windows(net.elements.stencils.window_size, Vec3{1e300, 1e300, 1e300});
    sums.power = subtract_gradient(std::span<Vec3>(sums.force), net.elements, kSpring, std::span<const Vec3>(net.x),
                                   std::span<const Vec3>(net.v), std::span<Vec3>(windows));
    sums.energy = energy(net.elements, kSpring, std::span<const Vec3>(net.x));
    return sums;
}

bool same_bits(const std::vector<Vec3>& a, const std::vector<Vec3>& b)
{
    return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(Vec3)) == 0;
}

TEST(Views, SumsHaveTheSameBitsForOneTwoAndThreeThreads)
{
    const Net net = net_of(icosphere(1, 6), 5);
    ASSERT_GT(net.elements.stencils.chunks.size(), 2u);
    set_thread_count(1);
    const Sums one = sums_of(net);
    for (const int threads : {2, 3}) {
        set_thread_count(threads);
        const Sums many = sums_of(net);
        EXPECT_TRUE(same_bits(one.force, many.force)) << threads << " threads";
        EXPECT_EQ(one.power, many.power);
        EXPECT_EQ(one.energy, many.energy);
    }
    set_thread_count(0);
}

TEST(Views, SumsAreThoseOfOneElementAfterTheOther)
{
    for (const int subdivisions : {0, 1, 6}) {
        const Net net = net_of(icosphere(1, subdivisions), 6);
        Sums expected{.force = std::vector<Vec3>(net.x.size())};
        for_each_element(net.elements, kSpring, std::span<const Vec3>(net.x),
                         [&](std::int32_t, auto element, const auto& nodes) {
                             expected.energy += element.energy();
                             expected.power += element.damp({net.v[nodes[0]], net.v[nodes[1]]});
                             for (int i = 0; i < 2; ++i) expected.force[nodes[i]] -= element.gradient(i);
                         });
        const Sums sums = sums_of(net);
        EXPECT_NEAR(sums.energy, expected.energy, 1e-12 * expected.energy);
        EXPECT_NEAR(sums.power, expected.power, 1e-12 * expected.power);
        for (std::size_t i = 0; i < net.x.size(); ++i) ASSERT_LT(norm(sums.force[i] - expected.force[i]), 1e-12);
    }
}

TEST(Views, PaddingAddsNothingForAnyNumberOfElements)
{
    for (int count = 1; count <= 9; ++count) {
        std::vector<Edge> edges;
        std::vector<Spring::Rest<double>> rest;
        std::vector<Vec3> x{Vec3{}};
        for (int e = 0; e < count; ++e) {
            edges.push_back({e, e + 1});
            rest.push_back({1.0, 0});
            x.push_back({1.5 * (e + 1), 0, 0});
        }
        const auto elements = make_elements<Spring>(edges, rest, count + 1);
        std::vector<Vec3> v(x.size(), Vec3{0, 0, 0}), force(x.size());
        for (std::size_t i = 0; i < v.size(); ++i) v[i].x = static_cast<double>(i);
        const double power = subtract_gradient(std::span<Vec3>(force), elements, kSpring, std::span<const Vec3>(x),
                                               std::span<const Vec3>(v), std::span<Vec3>());
        EXPECT_NEAR(energy(elements, kSpring, std::span<const Vec3>(x)), count * 0.5 * 100 * 0.25, 1e-12);
        EXPECT_NEAR(power, count * 0.5, 1e-14);
        // Every inner node is pulled both ways alike; the ends with 50 N and the dampers' 0.5 N.
        EXPECT_NEAR(force.front().x, 50.5, 1e-12);
        EXPECT_NEAR(force.back().x, -50.5, 1e-12);
        for (int i = 1; i < count; ++i) EXPECT_NEAR(force[i].x, 0, 1e-12);
        std::vector<SymmetricBlock> diagonal(x.size());
        add_diagonal(std::span<SymmetricBlock>(diagonal), elements, kSpring, std::span<const Vec3>(x),
                     DiagonalOf::stiffness);
        EXPECT_NEAR(diagonal.back().xx, 2 * 100, 1e-12);
    }
}

TEST(Views, NoElementsGiveNothing)
{
    const auto elements = make_elements<Spring>({}, {}, 3);
    std::vector<Vec3> x(3), force(3);
    EXPECT_EQ(energy(elements, kSpring, std::span<const Vec3>(x)), 0);
    EXPECT_EQ(subtract_gradient(std::span<Vec3>(force), elements, kSpring, std::span<const Vec3>(x),
                                std::span<const Vec3>(x), std::span<Vec3>()),
              0);
}

TEST(Views, DiagonalBoundsTheFastestMode)
{
    // Rayleigh quotients of the assembled matrix never exceed the largest bound() of the diagonal.
    const Net net = net_of(icosphere(1, 1), 9);
    std::vector<SymmetricBlock> diagonal(net.x.size());
    add_diagonal(std::span<SymmetricBlock>(diagonal), net.elements, kSpring, std::span<const Vec3>(net.x),
                 DiagonalOf::stiffness);
    double bound = 0;
    for (const SymmetricBlock& block : diagonal) bound = std::max(bound, block.bound());
    std::mt19937 random(1);
    std::vector<Vec3> y(net.x.size());
    for (Vec3& a : y) a = test::random_vector(random, 1);
    double rayleigh = 0;
    for (int iteration = 0; iteration < 200; ++iteration) {  // power iteration
        std::vector<Vec3> Hy(y.size());
        for_each_element(net.elements, kSpring, std::span<const Vec3>(net.x),
                         [&](std::int32_t, auto element, const auto& nodes) {
                             for (int i = 0; i < 2; ++i)
                                 for (int j = 0; j < 2; ++j) Hy[nodes[i]] += element.block(i, j) * y[nodes[j]];
                         });
        double size = 0, product = 0;
        for (std::size_t i = 0; i < y.size(); ++i) size += norm2(y[i]), product += dot(y[i], Hy[i]);
        rayleigh = product / size;
        for (std::size_t i = 0; i < y.size(); ++i) y[i] = Hy[i] / std::sqrt(size);
    }
    EXPECT_LE(rayleigh, bound);
    EXPECT_GT(rayleigh, bound / 4);  // and it is not a wild guess
}

}  // namespace
}  // namespace pliant
