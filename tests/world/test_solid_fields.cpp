// SPDX-License-Identifier: MIT

// Stress and strain of solids: uniform stretches with known tensors, rotations, averages by brute force, a cantilever.

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <pliant/base/parallel.h>
#include <pliant/energy/elastic_moduli.h>
#include <pliant/energy/isotropic_law.h>
#include <pliant/world/solid_fields.h>

#include "world/small_scenes.h"

namespace pliant {
namespace {

using test::world_of;

constexpr double kYoung = 2e5, kPoisson = 0.3;

World block_of(const std::string& law, const std::string& elements)
{
    return world_of(fmt::format(R"({{ "world": {{ "gravity": [0, 0, 0] }}, "solver": {{ "kind": "static" }},
        "bodies": {{ "block": {{ "kind": "solid", "elements": "{}",
        "mesh": {{ "tet_block": [3, 2, 2], "size": [3, 2, 1] }},
        "material": {{ "law": "{}", "young": {}, "poisson": {}, "density": 1000, "damping_time": 0.1 }} }} }} }})",
                                elements, law, kYoung, kPoisson));
}

Mat3 turn_about_z_then_x(double angle)
{
    const double c = std::cos(angle), s = std::sin(angle);
    return Mat3{{{1, 0, 0}, {0, c, -s}, {0, s, c}}} * Mat3{{{c, -s, 0}, {s, c, 0}, {0, 0, 1}}};
}

void deform(World& world, const Mat3& F)
{
    for (Vec3& x : world.state.x) x = F * x + Vec3{0.5, -2, 7};
}

SymmetricTensor components(const Mat3& a)
{
    return {a.m[0][0], a.m[1][1], a.m[2][2], a.m[0][1], a.m[1][2], a.m[0][2]};
}

Mat3 diagonal(double x, double y, double z)
{
    return {{{x, 0, 0}, {0, y, 0}, {0, 0, z}}};
}

// Principal Cauchy stresses for the principal stretches s, from the textbook's formulas.
Vec3 principal_stresses(const std::string& law, const Vec3& s)
{
    const double mu = shear_modulus(kYoung, kPoisson), lame = bulk_modulus(kYoung, kPoisson) - 2 * mu / 3;
    const double J = s.x * s.y * s.z;
    const double trace = (s.x * s.x + s.y * s.y + s.z * s.z - 3) / 2;
    Vec3 sigma;
    for (int i = 0; i < 3; ++i)
        sigma[i] = law == "neo_hookean" ? (mu * (s[i] * s[i] - 1) + lame * std::log(J)) / J
                                        : (lame * trace + mu * (s[i] * s[i] - 1)) * s[i] * s[i] / J;
    return sigma;
}

TEST(SolidFields, UniformStretchHasTheAnalyticTensorsInEveryCellAndPoint)
{
    const Vec3 s{1.3, 0.9, 0.8};
    const Mat3 R = turn_about_z_then_x(0.7);
    const SymmetricTensor strain = components(diagonal((s.x * s.x - 1) / 2, (s.y * s.y - 1) / 2, (s.z * s.z - 1) / 2));
    for (const std::string law : {"neo_hookean", "st_venant_kirchhoff"})
        for (const std::string elements : {"linear", "quadratic"}) {
            SCOPED_TRACE(law + ' ' + elements);
            World world = block_of(law, elements);
            deform(world, R * diagonal(s.x, s.y, s.z));
            world.state.v[0] = {10, 0, 0};  // viscous stress must not show
            const Vec3 p = principal_stresses(law, s);
            const SymmetricTensor stress = components(R * diagonal(p.x, p.y, p.z) * transpose(R));
            const std::vector<TetFields> tets = tet_fields(*world.model, world.state, 0);
            ASSERT_GE(tets.size(), 60U);
            for (const TetFields& tet : tets)
                for (std::size_t c = 0; c < 6; ++c) {
                    EXPECT_NEAR(tet.cauchy_stress[c], stress[c], 1e-10 * kYoung);
                    EXPECT_NEAR(tet.green_strain[c], strain[c], 1e-10);
                }
            const double mises =
                std::sqrt(((p.x - p.y) * (p.x - p.y) + (p.y - p.z) * (p.y - p.z) + (p.z - p.x) * (p.z - p.x)) / 2);
            const auto fields = solid_fields(*world.model, world.state);
            ASSERT_EQ(fields.size(), 2U);
            ASSERT_EQ(fields[0].size(), world.state.x.size());
            for (std::size_t i = 0; i < fields[0].size(); ++i) {
                EXPECT_NEAR(fields[0][i], mises, 1e-10 * kYoung);
                EXPECT_NEAR(fields[1][i], (s.x * s.x - 1) / 2, 1e-10);
            }
        }
}

TEST(SolidFields, SqueezingCountsAsMuchAsStretching)
{
    World world = block_of("st_venant_kirchhoff", "linear");
    deform(world, diagonal(1.1, 1, 0.7));
    EXPECT_NEAR(solid_fields(*world.model, world.state)[1][0], (1 - 0.49) / 2, 1e-12);
}

TEST(SolidFields, ARotatedBodyHasNoStress)
{
    for (const std::string law :
         {"stable_neo_hookean", "neo_hookean", "st_venant_kirchhoff", "corotated", "mooney_rivlin", "isochoric_thesis"})
        for (const std::string elements : {"linear", "quadratic"}) {
            World world = block_of(law, elements);
            deform(world, turn_about_z_then_x(2.5));
            for (const std::vector<double>& field : solid_fields(*world.model, world.state))
                EXPECT_LT(*std::max_element(field.begin(), field.end()), 1e-10 * kYoung) << law << ' ' << elements;
        }
}

TEST(SolidFields, PressureAloneIsNoVonMisesStress)
{
    EXPECT_EQ(von_mises({5, 5, 5, 0, 0, 0}), 0);
    EXPECT_DOUBLE_EQ(von_mises({-3, 0, 0, 0, 0, 0}), 3);
    EXPECT_DOUBLE_EQ(von_mises({0, 0, 0, 0, 2, 0}), 2 * std::sqrt(3.0));
    EXPECT_DOUBLE_EQ(largest_principal({1, 1, 0, -3, 0, 0}), 4);
    EXPECT_DOUBLE_EQ(largest_principal({0, -2, 1, 0, 0, 0}), 2);
}

// A deformation whose gradient grows linearly, which four integration points follow exactly.
Vec3 bent(const Vec3& x)
{
    return {x.x + 0.05 * x.x * x.y, x.y - 0.025 * x.x * x.x, x.z + 0.02 * x.y * x.z};
}

TEST(SolidFields, StrainOfQuadraticElementsIsExactAtPointsWhereItIsLinear)
{
    World world = block_of("st_venant_kirchhoff", "quadratic");
    const std::vector<Vec3> rest = world.state.x;
    const double small = 1e-7;  // so that Green's strain is linear in the displacement
    for (Vec3& x : world.state.x) x += (bent(x) - x) * small;
    const auto fields = solid_fields(*world.model, world.state);
    for (std::size_t i = 0; i < rest.size(); ++i) {
        const Vec3& x = rest[i];
        const SymmetricTensor strain{0.05 * x.y, 0, 0.02 * x.y, 0, 0.01 * x.z, 0};
        EXPECT_NEAR(fields[1][i] / small, largest_principal(strain), 1e-6);
    }
}

TEST(SolidFields, PointsOfLinearElementsHaveTheMeanByVolume)
{
    World world = block_of("neo_hookean", "linear");
    const std::vector<Vec3> rest = world.state.x;
    for (Vec3& x : world.state.x) x = bent(bent(x));
    const SolidTets tets = solid_tets(*world.model, 0);
    const std::vector<TetFields> cells = tet_fields(*world.model, world.state, 0);
    ASSERT_EQ(tets.nodes_per_tet, 4);
    ASSERT_EQ(tets.count(), cells.size());
    const auto fields = solid_fields(*world.model, world.state);
    for (std::size_t i = 0; i < rest.size(); ++i) {
        TetFields mean;
        double whole = 0;
        for (std::size_t t = 0; t < cells.size(); ++t) {
            const std::int32_t* n = &tets.nodes[4 * t];
            if (std::find(n, n + 4, static_cast<std::int32_t>(i)) == n + 4) continue;
            const Vec3& a = rest[n[0]];
            const double volume = dot(rest[n[1]] - a, cross(rest[n[2]] - a, rest[n[3]] - a)) / 6;
            whole += volume;
            for (std::size_t c = 0; c < 6; ++c) mean.cauchy_stress[c] += volume * cells[t].cauchy_stress[c];
            for (std::size_t c = 0; c < 6; ++c) mean.green_strain[c] += volume * cells[t].green_strain[c];
        }
        EXPECT_NEAR(fields[0][i], von_mises(mean.cauchy_stress) / whole, 1e-9 * kYoung);
        EXPECT_NEAR(fields[1][i], largest_principal(mean.green_strain) / whole, 1e-12);
    }
}

TEST(SolidFields, FlatAndInvertedElementsHaveFiniteStress)
{
    for (const std::string law : {"stable_neo_hookean", "neo_hookean", "st_venant_kirchhoff", "corotated"})
        for (const double depth : {0.0, -0.5}) {
            World world = block_of(law, "linear");
            deform(world, diagonal(1, depth, 1));
            for (const std::vector<double>& field : solid_fields(*world.model, world.state))
                for (const double value : field) EXPECT_TRUE(std::isfinite(value)) << law << ' ' << depth;
        }
}

TEST(SolidFields, AreZeroOnOtherBodiesAndAbsentWithoutSolids)
{
    World world = world_of(R"({ "world": { "gravity": [0, 0, 0] }, "bodies": {
        "rope": { "kind": "springs", "mesh": { "chain": 4, "to": [1, 0, 0] }, "mass": 1, "springs": { "k_s": 50 } },
        "cube": { "kind": "solid", "mass": 1, "material": { "young": 1e4 },
                  "mesh": { "tet_block": [1, 1, 1], "size": [1, 1, 1] }, "position": [0, 3, 0] },
        "stone": { "kind": "rigid", "sphere": 0.2, "mass": 1, "position": [0, 6, 0] } } })");
    EXPECT_EQ(world.model->topology.fields, (std::vector<std::string>{"stress", "strain"}));
    for (Vec3& x : world.state.x) x.x *= 1.5;
    const Frame frame = sample(world, {}, 0);
    ASSERT_EQ(frame.fields.size(), 2U);
    for (const Body& body : world.model->bodies)
        for (std::int32_t i = body.first_point; i < body.first_point + body.point_count; ++i)
            for (const std::vector<double>& field : frame.fields)
                EXPECT_EQ(field[i] > 0, body.kind == BodyKind::solid) << body.name;

    World springs = world_of(test::kPendulum);
    EXPECT_TRUE(springs.model->topology.fields.empty());
    EXPECT_TRUE(sample(springs, {}, 0).fields.empty());
}

TEST(SolidFields, HaveTheSameBitsForAnyThreadCount)
{
    World world = world_of(R"({ "bodies": { "block": { "kind": "solid", "elements": "linear",
        "mass": 1, "material": { "young": 1e4 }, "mesh": { "tet_block": [12, 12, 12], "size": [1, 1, 1] } } } })");
    for (Vec3& x : world.state.x) x = bent(x);
    set_thread_count(1);
    const auto alone = solid_fields(*world.model, world.state);
    set_thread_count(3);
    const auto together = solid_fields(*world.model, world.state);
    set_thread_count(0);
    EXPECT_EQ(alone, together);
}

TEST(SolidFields, ACantileverIsStressedMostAtItsClampAndAsBeamTheorySaysInItsMiddle)
{
    // E so large that the beam hardly bends: sigma = M c / I with M = w (L - x)^2 / 2, w = rho g A.
    World world = world_of(R"({ "world": { "gravity": [0, -9.81, 0] }, "solver": { "kind": "static", "step": 1 },
        "bodies": { "beam": { "kind": "solid", "elements": "quadratic",
            "mesh": { "tet_block": [20, 4, 4], "size": [1, 0.2, 0.2] },
            "material": { "young": 1e8, "poisson": 0.3, "density": 200 }, "pins": [{ "select": "left" }] } } })");
    const std::vector<Vec3> rest = world.state.x;
    ASSERT_FALSE(step_to(world, 1).failed());
    const std::vector<double> stress = sample(world, {}, 0).fields[0];
    const auto most = static_cast<std::size_t>(std::max_element(stress.begin(), stress.end()) - stress.begin());
    EXPECT_NEAR(rest[most].x, -0.5, 1e-9);
    EXPECT_NEAR(std::abs(rest[most].y), 0.1, 1e-9);

    const double I = std::pow(0.2, 4) / 12, moment = 200 * 9.81 * 0.04 * 0.25 / 2;
    int checked = 0;
    for (std::size_t i = 0; i < rest.size(); ++i) {
        const bool is_on_skin = std::abs(std::abs(rest[i].y) - 0.1) < 1e-9;
        if (std::abs(rest[i].x) > 1e-9 || !is_on_skin) continue;
        EXPECT_NEAR(stress[i], moment * 0.1 / I, 0.02 * moment * 0.1 / I);
        ++checked;
    }
    EXPECT_GE(checked, 10);
}

}  // namespace
}  // namespace pliant
