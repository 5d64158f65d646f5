// SPDX-License-Identifier: MIT

// The octopus: closedness, quality, eight arms, and tetrahedra that fill it.

#include <algorithm>
#include <numbers>

#include <pliant/base/parallel.h>
#include <pliant/mesh/quality.h>
#include <pliant/mesh/shapes.h>
#include <pliant/mesh/tet_lattice.h>

#include "mesh/surface_checks.h"
#include "mesh/tet_checks.h"

namespace pliant {
namespace {

TEST(Octopus, IsAClosedSphereThatDoesNotMeetItself)
{
    for (const int resolution : {24, 29, 40}) {
        const TriMesh mesh = octopus(resolution, 0.3);
        expect_closed_and_outward(mesh);
        EXPECT_EQ(euler_characteristic(mesh.triangles), 2) << resolution;
        EXPECT_EQ(self_intersections(mesh), 0u) << resolution;
        const BoundingBox bounds = bounding_box(mesh.vertices);
        EXPECT_EQ(bounds.lowest.y, 0);
        EXPECT_NEAR(bounds.highest.y, 0.3, 1e-15);
    }
}

TEST(Octopus, HasEvenTrianglesAtEveryResolution)
{
    for (const int resolution : {24, 29, 40}) {
        const TriMesh mesh = octopus(resolution, 1);
        const MeshQuality report = quality(mesh);
        EXPECT_GT(report.smallest_angle * 180 / std::numbers::pi, 18) << resolution;
        EXPECT_LT(report.worst_aspect, 2.5) << resolution;
        EXPECT_NEAR(static_cast<double>(mesh.triangles.size()), 7.6 * resolution * resolution,
                    0.5 * resolution * resolution);
        EXPECT_EQ(report.isolated_vertices, 0u);
    }
}

TEST(Octopus, HasEightArmsOnTheFloorAndOneHead)
{
    const TriMesh mesh = octopus(30, 1);
    // What is below a tenth of the height falls into the curled ends of arms, apart from each other.
    std::vector<Triangle> low, high;
    for (const Triangle& t : mesh.triangles) {
        const auto all = [&](const auto& holds) {
            return std::all_of(t.begin(), t.end(), [&](std::int32_t v) { return holds(vertex_at(mesh, v)); });
        };
        if (all([](const Vec3& x) { return x.y < 0.1; })) low.push_back(t);
        if (all([](const Vec3& x) { return x.y > 0.5; })) high.push_back(t);
    }
    const auto pieces = [&](const std::vector<Triangle>& triangles) {
        const Components all = connected_components(mesh.vertices.size(), triangles);
        std::vector<std::int32_t> used;
        for (const Triangle& t : triangles) used.push_back(all.of_vertex[static_cast<std::size_t>(t[0])]);
        std::sort(used.begin(), used.end());
        return std::unique(used.begin(), used.end()) - used.begin();
    };
    EXPECT_EQ(pieces(low), 8);
    EXPECT_EQ(pieces(high), 1);
    // The arms are one arm turned, and reach the same way to all sides.
    const BoundingBox bounds = bounding_box(mesh.vertices);
    for (const double reach : {bounds.highest.x, -bounds.lowest.x, bounds.highest.z, -bounds.lowest.z})
        EXPECT_NEAR(reach, 0.656, 0.005);
}

TEST(Octopus, ConvergesToOneVolume)
{
    const auto volume_of = [](int resolution) {
        const TriMesh mesh = octopus(resolution, 1);
        return signed_volume(mesh.vertices, mesh.triangles);
    };
    const double coarse = volume_of(24), medium = volume_of(34), fine = volume_of(48);
    EXPECT_NEAR(fine, 0.068, 0.001);
    // What chords cut off falls with the square of their length, to half from each to the next.
    EXPECT_GT(medium - coarse, 1.5 * (fine - medium));
    EXPECT_GT(fine, medium);
}

TEST(Octopus, IsFilledWithTenThousandGoodTetrahedra)
{
    const LatticeFill fill = fill_with_tets(octopus(40, 0.3), 0.012);
    expect_sound(fill.mesh);
    const TetQuality report = quality(fill.mesh);
    EXPECT_NEAR(static_cast<double>(report.tets), 11'000, 600);
    EXPECT_EQ(report.inverted_tets, 0u);
    EXPECT_GT(to_degrees(report.smallest_angle), 12);
    EXPECT_LT(to_degrees(report.largest_angle), 160);
    EXPECT_EQ(fill.components, 1u);
    EXPECT_EQ(fill.pinched_edges, 0u);
    EXPECT_GT(fill.tet_volume, 0.93 * fill.surface_volume);
}

TEST(Octopus, IsTheSameForAnyNumberOfThreads)
{
    const int before = thread_count();
    set_thread_count(1);
    const TriMesh alone = octopus(24, 1);
    set_thread_count(3);
    const TriMesh together = octopus(24, 1);
    set_thread_count(before);
    EXPECT_EQ(alone.vertices, together.vertices);
    EXPECT_EQ(alone.triangles, together.triangles);
}

TEST(Octopus, RefusesImpossibleNumbersInWords)
{
    expect_refusal([] { octopus(23, 1); }, "octopus: 23 cells along the height (resolution), expected at least 24");
    expect_refusal([] { octopus(30, 0); }, "the height is 0");
    expect_refusal([] { octopus(1000, 1); }, "vertices asked for");
}

}  // namespace
}  // namespace pliant
