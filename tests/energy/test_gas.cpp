// SPDX-License-Identifier: MIT
#include <pliant/energy/gas.h>

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <numbers>

#include <pliant/mesh/shapes.h>

#include "energy/derivatives.h"

namespace pliant {
namespace {

Cavity cavity_of(std::span<const Triangle> faces, std::size_t points)
{
    return {.faces = make_stencils<3>(faces, static_cast<std::int32_t>(points))};
}

struct Gradient {
    std::vector<Vec3> at;
    double volume = 0;
};

Gradient volume_gradient(const Cavity& cavity, const std::vector<Vec3>& x)
{
    Gradient g{.at = std::vector<Vec3>(x.size())};
    std::vector<Vec3> windows(cavity.faces.window_size, Vec3{NAN, NAN, NAN});
    g.volume = add_volume_gradient(g.at, cavity, x, windows);
    return g;
}

// Force of the gas on every point.
std::vector<Vec3> gas_force(const Gas& gas, const Cavity& cavity, const std::vector<Vec3>& x)
{
    Gradient g = volume_gradient(cavity, x);
    for (Vec3& f : g.at) f *= pressure(gas, g.volume) - gas.outside;
    return g.at;
}

TriMesh crumpled(TriMesh mesh, double size, unsigned seed)
{
    std::mt19937 random(seed);
    for (Vec3& x : mesh.vertices) x += test::random_vector(random, size);
    return mesh;
}

const Gas kLaws[] = {
    {.law = GasLaw::isothermal, .k_g = 7, .reference_volume = 3},
    {.law = GasLaw::isothermal, .k_g = 7, .outside = 2, .reference_volume = 3},
    {.law = GasLaw::adiabatic, .k_g = 7, .reference_volume = 3},
    {.law = GasLaw::adiabatic, .k_g = 7, .outside = 5, .gamma = 5.0 / 3, .reference_volume = 3},
    {.law = GasLaw::constant_pressure, .pressure = 4, .outside = 1, .reference_volume = 3},
};

TEST(Gas, ForceIsTheGradientOfTheEnergyForEveryConservativeLaw)
{
    const TriMesh mesh = crumpled(icosphere(1, 1), 0.05, 2);
    const Cavity cavity = cavity_of(mesh.triangles, mesh.vertices.size());
    for (const Gas& gas : kLaws) {
        const auto force = gas_force(gas, cavity, mesh.vertices);
        const double step = 1e-5;
        for (std::size_t i = 0; i < mesh.vertices.size(); ++i)
            for (int k = 0; k < 3; ++k) {
                auto up = mesh.vertices, down = mesh.vertices;
                up[i][k] += step, down[i][k] -= step;
                const double slope =
                    (gas_energy(gas, volume(cavity, up)) - gas_energy(gas, volume(cavity, down))) / (2 * step);
                ASSERT_NEAR(force[i][k], -slope, 1e-9) << name_of(gas.law) << " vertex " << i;
            }
    }
}

TEST(Gas, PressureIsMinusTheSlopeOfTheEnergyAndStiffnessMinusItsOwn)
{
    for (const Gas& gas : kLaws)
        for (const double V : {0.2, 1.0, 3.0, 40.0}) {
            const double h = 1e-5 * V;
            EXPECT_NEAR(pressure(gas, V) - gas.outside, -(gas_energy(gas, V + h) - gas_energy(gas, V - h)) / (2 * h),
                        1e-8 * pressure(gas, V) + 1e-8);
            EXPECT_NEAR(gas_stiffness(gas, V), -(pressure(gas, V + h) - pressure(gas, V - h)) / (2 * h),
                        1e-7 * gas_stiffness(gas, V) + 1e-7);
            EXPECT_EQ(gas_energy(gas, 3), 0);
        }
    EXPECT_NEAR(pressure(kLaws[2], 3), 7.0 / 3, 1e-15);                                            // laws agree at V0
    EXPECT_NEAR(pressure(kLaws[2], 1.5) * std::pow(1.5, 1.4), 7.0 / 3 * std::pow(3, 1.4), 1e-12);  // p V^gamma
}

TEST(Gas, ADisabledOneHasNoEnergy)
{
    Gas gas = kLaws[0];
    gas.enabled = false;
    EXPECT_EQ(gas_energy(gas, 1), 0);
}

// the prism of seed 000 section 3.6.
struct Prism {
    std::vector<Vec3> x;
    std::vector<std::vector<Triangle>> sides;
    std::vector<Triangle> all;
};

Prism prism()
{
    Prism p;
    const double corner[4][2] = {{2, 1}, {5, 3}, {4, 5}, {1, 4}};
    for (const double z : {0.0, 1.0})
        for (const auto& c : corner) p.x.push_back({c[0], c[1], z});
    for (int i = 0; i < 4; ++i) {
        const int j = (i + 1) % 4;
        p.sides.push_back({{i, j, j + 4}, {i, j + 4, i + 4}});
        p.all.insert(p.all.end(), p.sides.back().begin(), p.sides.back().end());
    }
    p.all.insert(p.all.end(), {{4, 5, 6}, {4, 6, 7}, {2, 1, 0}, {3, 2, 0}});
    return p;
}

TEST(Gas, PushesTheSidesOfTheSeedsPrismAsItsTableSays)
{
    const Prism p = prism();
    const Cavity whole = cavity_of(p.all, p.x.size());
    const Gas gas{.k_g = 10, .reference_volume = 9};
    ASSERT_NEAR(volume(whole, p.x), 9, 1e-14);
    const double pressure_of = pressure(gas, volume(whole, p.x));
    const Vec3 table[4] = {{20, -30, 0}, {20, 10, 0}, {-10, 30, 0}, {-30, -10, 0}};
    Vec3 sum;
    for (int side = 0; side < 4; ++side) {
        const Cavity faces = cavity_of(p.sides[side], p.x.size());
        Vec3 force;
        for (const Vec3& g : volume_gradient(faces, p.x).at) force += g * pressure_of;
        EXPECT_LT(norm(force - table[side] / 9.0), 1e-12) << "side " << side;
        sum += force;
    }
    EXPECT_LT(norm(sum), 1e-12);
}

TEST(Gas, ExertsNoNetForceOrTorqueOnAClosedSurface)
{
    for (const TriMesh& mesh :
         {crumpled(icosphere(1, 2), 0.1, 1), crumpled(torus(1, 0.3, 12, 8), 0.05, 2), lidded_box(7, 1.5, 0.75, 1.5)}) {
        const Cavity cavity = cavity_of(mesh.triangles, mesh.vertices.size());
        const auto force = gas_force(kLaws[0], cavity, mesh.vertices);
        Vec3 net, torque;
        double size = 0;
        for (std::size_t i = 0; i < force.size(); ++i) {
            net += force[i], torque += cross(mesh.vertices[i], force[i]);
            size += norm(force[i]);
        }
        EXPECT_LT(norm(net), 1e-13 * size);
        EXPECT_LT(norm(torque), 1e-13 * size);
    }
}

TEST(Gas, VolumeIsExactAndTheSameFarFromTheOrigin)
{
    for (const double shift : {0.0, 1e4}) {
        TriMesh box_mesh = box({2, 3, 0.5}, {3, 2, 4});
        for (Vec3& x : box_mesh.vertices) x += Vec3{shift, -shift, shift};
        const Cavity cavity = cavity_of(box_mesh.triangles, box_mesh.vertices.size());
        EXPECT_NEAR(volume(cavity, box_mesh.vertices), 3, shift == 0 ? 1e-14 : 1e-9);
        EXPECT_NEAR(volume_gradient(cavity, box_mesh.vertices).volume, 3, shift == 0 ? 1e-14 : 1e-9);
    }
    const TriMesh lid = lidded_box(22, 1.5, 0.75, 1.5);
    EXPECT_NEAR(volume(cavity_of(lid.triangles, lid.vertices.size()), lid.vertices), 1.6875, 1e-13);
    EXPECT_EQ(volume(cavity_of({}, 0), {}), 0);
}

TEST(Gas, VolumeGradientTimesPositionIsThreeTimesTheVolume)
{
    // V is homogeneous of degree three (Euler): a check of gradient and volume against each other.
    const TriMesh mesh = crumpled(icosphere(0.7, 3), 0.02, 8);
    const Cavity cavity = cavity_of(mesh.triangles, mesh.vertices.size());
    const Gradient g = volume_gradient(cavity, mesh.vertices);
    double sum = 0;
    for (std::size_t i = 0; i < g.at.size(); ++i) sum += dot(g.at[i], mesh.vertices[i]);
    EXPECT_NEAR(sum, 3 * g.volume, 1e-12);
    EXPECT_NEAR(g.volume, volume(cavity, mesh.vertices), 1e-14);
}

TEST(Gas, TheThesisForceIsFourTimesTheGasInTheInteriorOfAFlatLid)
{
    constexpr int n = 6;
    const TriMesh mesh = lidded_box(n, 1.5, 0.75, 1.5);
    Cavity cavity = cavity_of(mesh.triangles, mesh.vertices.size());
    for (int j = 0; j + 1 < n; ++j)
        for (int i = 0; i + 1 < n; ++i) {
            const int k = j * n + i;
            cavity.quads.push_back({k, k + 1, k + n, k + n + 1});
        }
    const Gas gas{.k_g = 17, .reference_volume = 1.6875};
    const double p = pressure(gas, volume(cavity, mesh.vertices));
    const auto exact = gas_force(gas, cavity, mesh.vertices);
    std::vector<Vec3> thesis(mesh.vertices.size());
    add_thesis_fourfold_force(thesis, cavity, mesh.vertices, p);
    const double quad_area = 0.3 * 0.3;
    for (int j = 1; j + 1 < n; ++j)
        for (int i = 1; i + 1 < n; ++i) {
            const int k = j * n + i;
            EXPECT_LT(norm(thesis[k] - exact[k] * 4.0), 1e-12);
            EXPECT_NEAR(thesis[k].y, 4 * p * quad_area, 1e-12);
        }
}

TEST(Gas, AssemblyHasTheSameBitsForOneTwoAndThreeThreadsAndEqualsTheSerialSum)
{
    const TriMesh mesh = crumpled(icosphere(1, 6), 1e-4, 3);
    const Cavity cavity = cavity_of(mesh.triangles, mesh.vertices.size());
    ASSERT_GT(cavity.faces.chunks.size(), 2u);
    set_thread_count(1);
    const Gradient one = volume_gradient(cavity, mesh.vertices);
    const double volume_of_one = volume(cavity, mesh.vertices);
    for (const int threads : {2, 3}) {
        set_thread_count(threads);
        const Gradient many = volume_gradient(cavity, mesh.vertices);
        EXPECT_EQ(std::memcmp(one.at.data(), many.at.data(), one.at.size() * sizeof(Vec3)), 0) << threads;
        EXPECT_EQ(one.volume, many.volume);
        EXPECT_EQ(volume_of_one, volume(cavity, mesh.vertices));
    }
    set_thread_count(0);
    std::vector<Vec3> serial(mesh.vertices.size());
    for (const Triangle& t : mesh.triangles) {
        const Vec3 &a = mesh.vertices[t[0]], &b = mesh.vertices[t[1]], &c = mesh.vertices[t[2]];
        for (const std::int32_t v : t) serial[v] += cross(b - a, c - a) / 6.0;
    }
    for (std::size_t i = 0; i < serial.size(); ++i) ASSERT_LT(norm(serial[i] - one.at[i]), 1e-17);
    EXPECT_NEAR(one.volume, 4.0 / 3 * std::numbers::pi, 1e-2);
}

}  // namespace
}  // namespace pliant
