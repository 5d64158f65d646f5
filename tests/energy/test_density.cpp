// SPDX-License-Identifier: MIT

// A density energy through Element, Elements and the views, before solids move in.

#include <gtest/gtest.h>

#include <numeric>

#include "energy/density_probe.h"
#include "energy/derivatives.h"

namespace pliant {
namespace {

using test::DensityProbe;
using test::Projection;

constexpr DensityProbe kRubber{.mu = 4e4, .lambda = 9e4, .damping_time = 0.02};
constexpr std::array<Vec3, 4> kCorners{Vec3{0.1, 0, 0}, Vec3{1.1, 0.2, 0}, Vec3{0.3, 0.9, 0.1}, Vec3{0.2, 0.1, 1.2}};

std::array<Vec3, 4> deformed(const Mat3& F)
{
    std::array<Vec3, 4> x;
    for (int i = 0; i < 4; ++i) x[i] = F * kCorners[i];
    return x;
}

Mat3 stretch(double a, double b, double c)
{
    return {{{a, 0, 0}, {0, b, 0}, {0, 0, c}}};
}

TEST(DensityProbe, IsRelaxedAtItsRestShape)
{
    const auto rest = test::probe_rest(kCorners);
    const Element<DensityProbe, double> element(kRubber, rest, kCorners);
    EXPECT_NEAR(element.energy(), 0, 1e-20);
    for (int i = 0; i < 4; ++i) EXPECT_LT(norm(element.gradient(i)), 1e-9);
}

TEST(DensityProbe, HasTheEnergyOfAUniaxialStretch)
{
    // F = diag(1.2, 1, 1): E11 = 0.22, psi = (mu + lambda/2) E11^2.
    const auto rest = test::probe_rest(kCorners);
    const Element<DensityProbe, double> element(kRubber, rest, deformed(stretch(1.2, 1, 1)));
    EXPECT_NEAR(element.energy(), rest.volume * (4e4 + 4.5e4) * 0.22 * 0.22, 1e-10);
}

TEST(DensityProbe, DerivativesHoldStretchedShearedAndCompressed)
{
    const auto rest = test::probe_rest(kCorners);
    Mat3 shear = stretch(1.3, 1.2, 1.25);
    shear(0, 1) = 0.1, shear(2, 0) = -0.05;
    for (const auto& [F, projection] :
         {std::pair{stretch(1.4, 1.3, 1.2), Projection::inactive}, std::pair{shear, Projection::inactive},
          std::pair{stretch(1.5, 0.8, 1.0), Projection::may_be_active},
          std::pair{stretch(0.7, 0.6, 0.9), Projection::may_be_active},
          std::pair{stretch(0.1, 1.0, 1.0), Projection::may_be_active},
          std::pair{stretch(-0.5, 1.0, 1.0), Projection::may_be_active}})
        test::check_derivatives(kRubber, rest, deformed(F), projection);
}

TEST(DensityProbe, DampingOfAnUnstressedBodyLeavesRigidMotionAlone)
{
    std::mt19937 random(3);
    const auto rest = test::probe_rest(kCorners);
    test::check_rigid_motion_is_undamped(kRubber, rest, deformed(test::random_rotation(random)));
}

// Damping along stress_change() would see rotations: a spin of a stressed body would be damped.
TEST(DensityProbe, DampingOfAStressedBodyLeavesRigidMotionAlone)
{
    const auto rest = test::probe_rest(kCorners);
    test::check_rigid_motion_is_undamped(kRubber, rest, deformed(stretch(1.4, 1.3, 1.2)));
}

// A bar of n cubes, six tetrahedra each.
struct Bar {
    std::vector<Vec3> X;
    std::vector<std::array<std::int32_t, 4>> tets;
    std::vector<DensityProbe::Rest<double>> rest;
};

Bar bar(int cubes)
{
    Bar bar;
    for (int i = 0; i <= cubes; ++i)
        for (int c = 0; c < 4; ++c)
            bar.X.push_back({static_cast<double>(i), static_cast<double>(c & 1), static_cast<double>(c >> 1)});
    for (int i = 0; i < cubes; ++i) {
        const auto v = [i](int x, int y, int z) { return 4 * (i + x) + y + 2 * z; };
        const int from = v(0, 0, 0), to = v(1, 1, 1);
        const std::array<std::array<int, 2>, 6> middle{{{v(1, 0, 0), v(1, 1, 0)},
                                                        {v(1, 1, 0), v(0, 1, 0)},
                                                        {v(0, 1, 0), v(0, 1, 1)},
                                                        {v(0, 1, 1), v(0, 0, 1)},
                                                        {v(0, 0, 1), v(1, 0, 1)},
                                                        {v(1, 0, 1), v(1, 0, 0)}}};
        for (const auto& m : middle) bar.tets.push_back({from, m[0], m[1], to});
    }
    for (const auto& t : bar.tets)
        bar.rest.push_back(test::probe_rest({bar.X[t[0]], bar.X[t[1]], bar.X[t[2]], bar.X[t[3]]}));
    return bar;
}

TEST(DensityProbe, GoesThroughElementsAndTheirViews)
{
    const Bar bar_of = bar(7);  // 42 elements: the last block is padded
    const auto n = static_cast<std::int32_t>(bar_of.X.size());
    const auto elements = make_elements<DensityProbe>(bar_of.tets, bar_of.rest, n);
    ASSERT_NEAR(std::accumulate(bar_of.rest.begin(), bar_of.rest.end(), 0.0,
                                [](double sum, const auto& rest) { return sum + rest.volume; }),
                7, 1e-12);
    std::mt19937 random(11);
    std::vector<Vec3> x = bar_of.X, v(x.size());
    for (Vec3& a : x) a = a * 1.2 + test::random_vector(random, 0.03);
    for (Vec3& a : v) a = test::random_vector(random, 1);

    double expected_energy = 0, expected_power = 0;
    std::vector<Vec3> expected(x.size());
    std::vector<Mat3> expected_diagonal(x.size());
    for_each_element(elements, kRubber, std::span<const Vec3>(x), [&](std::int32_t e, auto element, const auto& nodes) {
        expected_energy += element.energy();
        for (int i = 0; i < 4; ++i) expected_diagonal[nodes[i]] += element.block(i, i) * 4.0;
        expected_power += element.damp({v[nodes[0]], v[nodes[1]], v[nodes[2]], v[nodes[3]]});
        for (int i = 0; i < 4; ++i) expected[nodes[i]] -= element.gradient(i);
        EXPECT_EQ(nodes, bar_of.tets[e]);
    });
    EXPECT_NEAR(energy(elements, kRubber, std::span<const Vec3>(x)), expected_energy, 1e-12 * expected_energy);
    std::vector<Vec3> force(x.size()), windows(elements.stencils.window_size);
    const double power = subtract_gradient(std::span<Vec3>(force), elements, kRubber, std::span<const Vec3>(x),
                                           std::span<const Vec3>(v), std::span<Vec3>(windows));
    EXPECT_NEAR(power, expected_power, 1e-12 * expected_power);
    std::vector<SymmetricBlock> diagonal(x.size());
    add_diagonal(std::span<SymmetricBlock>(diagonal), elements, kRubber, std::span<const Vec3>(x),
                 DiagonalOf::stiffness);
    for (std::size_t i = 0; i < x.size(); ++i) {
        EXPECT_LT(norm(force[i] - expected[i]), 1e-12 * (norm(expected[i]) + 1e4));
        EXPECT_NEAR(diagonal[i].xx, expected_diagonal[i](0, 0), 1e-6);
        EXPECT_NEAR(diagonal[i].yz, expected_diagonal[i](1, 2), 1e-6);
    }
}

TEST(DensityProbe, PatchOfTetrahedraCarriesAUniformStretchWithoutInnerForces)
{
    // Affine motion: every element has the same stress, so only the surface feels a force; the whole
    // has no net force, and the energy is density times volume.
    const Bar bar_of = bar(5);
    const auto elements =
        make_elements<DensityProbe>(bar_of.tets, bar_of.rest, static_cast<std::int32_t>(bar_of.X.size()));
    const Mat3 F = stretch(1.1, 0.95, 1.02);
    std::vector<Vec3> x, v(bar_of.X.size()), force(bar_of.X.size());
    for (const Vec3& X : bar_of.X) x.push_back(F * X);
    EXPECT_NEAR(energy(elements, kRubber, std::span<const Vec3>(x)), 5 * kRubber.density(F), 1e-9);
    subtract_gradient(std::span<Vec3>(force), elements, kRubber, std::span<const Vec3>(x), std::span<const Vec3>(v),
                      std::span<Vec3>());
    Vec3 net, end;
    for (std::size_t i = 0; i < x.size(); ++i) net += force[i];
    for (std::size_t i = 0; i < 4; ++i) end += force[i];
    EXPECT_LT(norm(net), 1e-8);
    // The end face x = 0 has normal (-1, 0, 0) and rest area 1; half of what its corners feel from
    // the sides cancels by symmetry, so along x their sum is P (1, 0, 0).
    EXPECT_NEAR(end.x, kRubber.stress(F)(0, 0), 1e-8);
}

}  // namespace
}  // namespace pliant
