// SPDX-License-Identifier: MIT

// Patch tests of solids through the views: a block of irregular tetrahedra under uniaxial stretch, shear and change
// of volume carries the stress of its law, feels nothing inside, and knows its energy.

#include <gtest/gtest.h>

#include <map>

#include <pliant/energy/solid.h>
#include <pliant/energy/views.h>

#include "energy/solid_shapes.h"

namespace pliant {
namespace {

using test::stretch;

// The unit cube in 2 x 2 x 2 cells of six tetrahedra, its middle moved; quadratic ones get mid-edge nodes.
template <class E>
struct Block {
    std::vector<Vec3> X;
    std::vector<std::array<std::int32_t, E::nodes>> tets;
    std::vector<RestOf<E, double>> rest;
    std::map<std::pair<int, int>, int> middle;

    Block()
    {
        for (int k = 0; k < 27; ++k) X.push_back(Vec3{k % 3 * 0.5, k / 3 % 3 * 0.5, k / 9 * 0.5});
        X[13] += Vec3{0.07, -0.05, 0.09};
        for (int c = 0; c < 8; ++c) add_cell(c % 2 + 3 * (c / 2 % 2) + 9 * (c / 4));
    }

    // Kuhn's six: from one corner to the opposite one along the axes in every order.
    void add_cell(int corner)
    {
        const int step[3] = {1, 3, 9}, order[6][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {1, 0, 2}, {0, 2, 1}, {2, 1, 0}};
        for (int o = 0; o < 6; ++o) {
            std::array<int, 4> v{corner, corner + step[order[o][0]], 0, corner + 13};
            v[2] = v[1] + step[order[o][1]];
            if (o >= 3) std::swap(v[1], v[2]);
            add_tet(v);
        }
    }

    void add_tet(const std::array<int, 4>& v)
    {
        std::array<std::int32_t, E::nodes> nodes;
        std::copy(v.begin(), v.end(), nodes.begin());
        for (int i = 4; i < E::nodes; ++i) {
            const auto& [a, b] = QuadraticTet::kEdges[i - 4];
            nodes[i] = middle_of(std::min(v[a], v[b]), std::max(v[a], v[b]));
        }
        tets.push_back(nodes);
        RestOf<E, double> state;
        static_cast<TetRest<double>&>(state) = tet_rest(std::array{X[v[0]], X[v[1]], X[v[2]], X[v[3]]});
        ASSERT_GT(state.volume, 0);
        rest.push_back(state);
    }

    int middle_of(int a, int b)
    {
        const auto [entry, is_new] = middle.try_emplace({a, b}, static_cast<int>(X.size()));
        if (is_new) X.push_back((X[a] + X[b]) * 0.5);
        return entry->second;
    }

    static bool inside(const Vec3& a)
    {
        return std::min({a.x, a.y, a.z}) > 1e-9 && std::max({a.x, a.y, a.z}) < 1 - 1e-9;
    }
};

template <class E>
class SolidPatch : public ::testing::Test {
};

using Solids =
    ::testing::Types<Solid<LinearElastic>, Solid<StVenantKirchhoff>, Solid<Corotated>, Solid<NeoHookean>,
                     Solid<StableNeoHookean>, Solid<ThesisSolid>, Solid<IsochoricThesis>, Solid<MooneyRivlin>,
                     Solid<StableNeoHookean, QuadraticTet>, Solid<Corotated, QuadraticTet>>;
TYPED_TEST_SUITE(SolidPatch, Solids);

TYPED_TEST(SolidPatch, CarriesTheStressOfItsLaw)
{
    const Block<TypeParam> block;
    const auto n = static_cast<std::int32_t>(block.X.size());
    const TypeParam solid{.young = 2e5, .poisson = 0.4};
    const auto elements = make_elements<TypeParam>(block.tets, block.rest, n);
    Mat3 shear = identity3<double>();
    shear(0, 1) = 0.3;
    for (const Mat3& F :
         {stretch(1.2, 1, 1), stretch(1 + 1e-6, 1, 1), shear, stretch(1.1, 1.1, 1.1), stretch(0.8, 0.8, 0.8)}) {
        SCOPED_TRACE(test::written(F));
        std::vector<Vec3> x, v(block.X.size()), force(block.X.size()), windows(elements.stencils.window_size);
        for (const Vec3& X : block.X) x.push_back(F * X);
        const std::span<const Vec3> at(x), still(v);
        subtract_gradient(std::span<Vec3>(force), elements, solid, at, still, std::span<Vec3>(windows));
        const Moduli<double> m = solid.moduli(block.rest[0]);
        const Mat3 P = solid.law.stress(m, F);
        Mat3 virial;  // the sum of force (x) X is minus the integral of P over the unit cube
        for (std::size_t i = 0; i < x.size(); ++i) {
            if (Block<TypeParam>::inside(block.X[i])) {
                EXPECT_LT(norm(force[i]), 1e-10 * 2e5) << "node " << i;
            }
            virial += outer(force[i], block.X[i]);
        }
        for (int k = 0; k < 3; ++k) EXPECT_LT(norm(column(virial, k) + column(P, k)), 1e-10 * 2e5);
        const double psi = solid.law.density(m, F);
        EXPECT_NEAR(energy(elements, solid, at), psi, 1e-9 * psi);
    }
}

}  // namespace
}  // namespace pliant
