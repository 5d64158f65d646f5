// SPDX-License-Identifier: MIT

// The lattice mesher and what it stands on: distances and winding numbers, angles, volumes, refusals.

#include <algorithm>
#include <string>

#include <pliant/base/parallel.h>
#include <pliant/mesh/bcc_lattice.h>
#include <pliant/mesh/lattice_stuffing.h>
#include <pliant/mesh/shapes.h>
#include <pliant/mesh/surface_tree.h>
#include <pliant/mesh/tet_lattice.h>
#include <pliant/mesh/transform.h>

#include "mesh/tet_checks.h"

namespace pliant {
namespace {

class Random {
public:
    double between(double low, double high)
    {
        state_ = state_ * 1664525u + 1013904223u;
        return low + (high - low) * ((state_ >> 8) / double(1 << 24));
    }
    Vec3 point(double reach) { return {between(-reach, reach), between(-reach, reach), between(-reach, reach)}; }

private:
    std::uint32_t state_ = 3;
};

/// Out of line with the lattice.
TriMesh turned(TriMesh mesh)
{
    rotate(mesh, {1, 2, 3}, 0.8);
    translate(mesh, {0.013, -0.021, 0.037});
    return mesh;
}

double worst_distance(const TriMesh& surface, const TetMesh& mesh)
{
    const SurfaceTree tree(surface);
    double worst = 0;
    for (const std::int32_t v : mesh.find_group("surface")->vertices)
        worst = std::max(worst, tree.nearest(mesh.vertices[static_cast<std::size_t>(v)]).distance);
    return worst;
}

void expect_good_fill(const TriMesh& surface, double edge_length)
{
    const LatticeFill fill = fill_with_tets(surface, edge_length);
    expect_sound(fill.mesh);
    const TetQuality report = quality(fill.mesh);
    EXPECT_GE(report.smallest_angle, kLatticeSmallestAngle) << to_text(report);
    EXPECT_LE(report.largest_angle, kLatticeLargestAngle) << to_text(report);
    EXPECT_NEAR(report.mean_edge, edge_length, 0.1 * edge_length);
    EXPECT_LT(worst_distance(surface, fill.mesh), 1e-6 * edge_length);
    EXPECT_EQ(fill.pinched_edges, 0u);
    EXPECT_EQ(fill.components, 1u);
}

TEST(SurfaceTree, AgreesWithAskingEveryTriangle)
{
    const TriMesh mesh = turned(torus(1, 0.4, 23, 11));
    const SurfaceTree tree(mesh);
    Random random;
    for (int i = 0; i < 300; ++i) {
        const Vec3 p = random.point(2);
        double nearest = std::numeric_limits<double>::infinity();
        for (const auto& [a, b, c] : mesh.triangles) {
            const auto x = [&](std::int32_t v) { return mesh.vertices[static_cast<std::size_t>(v)]; };
            nearest = std::min(nearest, norm(nearest_point_of_triangle(p, x(a), x(b), x(c)) - p));
        }
        const SurfaceTree::Nearest found = tree.nearest(p);
        EXPECT_NEAR(found.distance, nearest, 1e-14);
        EXPECT_NEAR(norm(found.point - p), nearest, 1e-14);
        EXPECT_EQ(std::isfinite(tree.nearest(p, 0.3).distance), nearest <= 0.3);
    }
}

TEST(SurfaceTree, NearestOnATriangleCoversItsSevenRegions)
{
    const Vec3 a, b{4, 0, 0}, c{0, 4, 0};
    EXPECT_EQ(nearest_point_of_triangle({1, 1, 5}, a, b, c), (Vec3{1, 1, 0}));
    EXPECT_EQ(nearest_point_of_triangle({-1, -1, 5}, a, b, c), a);
    EXPECT_EQ(nearest_point_of_triangle({9, -1, 5}, a, b, c), b);
    EXPECT_EQ(nearest_point_of_triangle({-1, 9, 5}, a, b, c), c);
    EXPECT_EQ(nearest_point_of_triangle({1, -3, 5}, a, b, c), (Vec3{1, 0, 0}));
    EXPECT_EQ(nearest_point_of_triangle({-3, 1, 5}, a, b, c), (Vec3{0, 1, 0}));
    EXPECT_EQ(nearest_point_of_triangle({4, 4, 5}, a, b, c), (Vec3{2, 2, 0}));
}

TEST(SurfaceTree, WindsOnceInsideAndNeverOutside)
{
    const SurfaceTree tree(torus(1, 0.4, 60, 40));
    Random random;
    int inside_count = 0;
    for (int i = 0; i < 2000; ++i) {
        const Vec3 p = random.point(1.5);
        const double to_ring = std::hypot(std::hypot(p.x, p.z) - 1, p.y);
        if (std::abs(to_ring - 0.4) < 0.01) continue;
        const bool is_inside = to_ring < 0.4;
        inside_count += is_inside ? 1 : 0;
        EXPECT_NEAR(tree.winding_number(p), is_inside ? 1 : 0, 0.05);
        EXPECT_EQ(tree.encloses(p), is_inside);
    }
    EXPECT_GT(inside_count, 100);
}

TEST(BccLattice, NumbersItsPointsAndFillsSpace)
{
    const BccLattice lattice({1, 2, 3}, 0.5, {3, 4, 5});
    ASSERT_EQ(lattice.size(), 4u * 5 * 6 + 3 * 4 * 5);
    for (std::size_t i = 0; i < lattice.size(); ++i)
        EXPECT_EQ(lattice.index(lattice.point(static_cast<std::int32_t>(i))), static_cast<std::int32_t>(i));
    double sum = 0;
    lattice.for_each_tet([&](const auto&... points) { sum += std::abs(tet_volume(lattice.position(points)...)); });
    // All but half a pyramid behind each outer square.
    const double outer_squares = 2 * (12 + 15 + 20), cell = 0.125;
    EXPECT_NEAR(sum, cell * (60 - outer_squares / 6), 1e-12);
    std::size_t neighbours = 0;
    lattice.for_each_neighbour({3, 3, 3}, [&](const LatticePoint&) { ++neighbours; });
    EXPECT_EQ(neighbours, 14u);
}

/// Sides at random inside the two outermost layers, cuts at random and often where snapping just begins.
LatticeCuts random_cuts(const BccLattice& lattice, Random& random)
{
    std::vector<std::int8_t> side(lattice.size(), -1);
    const double share_inside = random.between(0.2, 0.8);
    for (std::size_t i = 0; i < side.size(); ++i) {
        const LatticePoint p = lattice.point(static_cast<std::int32_t>(i));
        const bool is_inner =
            std::all_of(p.begin(), p.end(), [&](int c) { return c > 3 && c < 2 * lattice.cells()[0] - 3; });
        if (is_inner && random.between(0, 1) < share_inside) side[i] = 1;
    }
    LatticeCuts cuts = list_cuts(lattice, std::move(side));
    for (LatticeCut& cut : cuts.cuts) {
        const Vec3 inside = lattice.position(cut.inside), outside = lattice.position(cut.outside);
        const bool is_long = norm(outside - inside) > 0.99 * lattice.spacing();
        double share = random.between(0, 1);
        if (random.between(0, 1) < 0.8) share = (is_long ? 0.28512 : 0.3988) + random.between(-1e-6, 1e-6);
        if (random.between(0, 1) < 0.5) share = 1 - share;
        cut.point = inside + (outside - inside) * share;
    }
    return cuts;
}

TEST(Stuffing, BoundsTheAnglesForAnySidesAndCuts)
{
    const BccLattice lattice({}, 1, {24, 24, 24});
    Random random;
    for (int i = 0; i < 8; ++i) {
        const Stuffing stuffing = stuff(lattice, random_cuts(lattice, random));
        const TetQuality report = quality(stuffing.mesh);
        EXPECT_GT(stuffing.snapped, 1000u);
        EXPECT_TRUE(report.is_usable()) << to_text(report);
        EXPECT_EQ(report.surface.open_edges, 0u);
        EXPECT_EQ(report.duplicate_vertices, 0u);
        EXPECT_GE(report.smallest_angle, kLatticeSmallestAngle) << to_text(report);
        EXPECT_LE(report.largest_angle, kLatticeLargestAngle) << to_text(report);
        // The search is sharp: it comes close to the bounds.
        EXPECT_LT(report.smallest_angle, 1.15 * kLatticeSmallestAngle) << to_text(report);
    }
}

TEST(FillWithTets, KeepsItsPromisesOnRoundAndSharpSurfaces)
{
    for (const double edge_length : {0.21, 0.13}) {
        expect_good_fill(icosphere(1, 3), edge_length);
        expect_good_fill(turned(torus(1.2, 0.5, 40, 20)), edge_length);
        expect_good_fill(turned(box({1.3, 1, 1.7})), edge_length);
        expect_good_fill(turned(cylinder(0.6, 2, 24, 3, true)), edge_length);
    }
}

TEST(FillWithTets, BoundsAnglesOnRoughSurfacesToo)
{
    Random random;
    for (int i = 0; i < 12; ++i) {
        TriMesh rough = icosphere(1, 3);
        for (Vec3& vertex : rough.vertices) vertex = vertex * random.between(0.75, 1.25);
        const LatticeFill fill = fill_with_tets(turned(rough), random.between(0.1, 0.3));
        const TetQuality report = quality(fill.mesh);
        EXPECT_TRUE(report.is_usable()) << to_text(report);
        EXPECT_TRUE(report.surface.is_oriented()) << to_text(report);
        EXPECT_EQ(report.surface.open_edges, 0u);
        EXPECT_GE(report.smallest_angle, kLatticeSmallestAngle) << to_text(report);
        EXPECT_LE(report.largest_angle, kLatticeLargestAngle) << to_text(report);
    }
}

TEST(FillWithTets, ConvergesToTheVolumeInSecondOrder)
{
    for (const TriMesh& surface :
         {turned(icosphere(1, 4)), turned(torus(1.2, 0.5, 60, 40)), turned(box({1, 1.5, 2}))}) {
        const LatticeFill coarse = fill_with_tets(surface, 0.2), fine = fill_with_tets(surface, 0.1);
        EXPECT_NEAR(coarse.surface_volume, signed_volume(surface.vertices, surface.triangles), 1e-12);
        const double coarse_error = 1 - coarse.tet_volume / coarse.surface_volume;
        const double fine_error = 1 - fine.tet_volume / fine.surface_volume;
        EXPECT_GT(fine_error, 0);
        EXPECT_LT(fine_error, 0.02);
        EXPECT_GT(coarse_error / fine_error, 3);
        EXPECT_LT(coarse_error / fine_error, 6);
    }
}

TEST(FillWithTets, IsExactOnABoxOnTheLattice)
{
    const double spacing = 0.25, mean_edge = (3 + 2 * std::sqrt(3.0)) / 7;
    const LatticeFill fill = fill_with_tets(box({1, 1.5, 2}), spacing * mean_edge);
    EXPECT_NEAR(fill.tet_volume, 3, 1e-6);
    const BoundingBox bounds = bounding_box(fill.mesh.vertices);
    EXPECT_NEAR(bounds.highest.x, 0.5, 1e-9);
    EXPECT_NEAR(bounds.lowest.z, -1, 1e-9);
    expect_sound(fill.mesh);
}

TEST(FillWithTets, LeavesCavitiesEmptyAndDoesNotMindDirection)
{
    TriMesh shell = icosphere(1, 3), hole = icosphere(0.5, 3);
    reverse_orientation(hole);
    append(shell, hole);
    const LatticeFill hollow = fill_with_tets(shell, 0.12);
    EXPECT_NEAR(hollow.tet_volume, hollow.surface_volume, 0.02 * hollow.surface_volume);
    EXPECT_NEAR(hollow.surface_volume, 4.0 / 3 * std::numbers::pi * (1 - 0.125), 0.06);
    TriMesh inward = icosphere(1, 3);
    const LatticeFill outward_fill = fill_with_tets(inward, 0.2);
    reverse_orientation(inward);
    const LatticeFill inward_fill = fill_with_tets(inward, 0.2);
    EXPECT_EQ(inward_fill.mesh.tets.size(), outward_fill.mesh.tets.size());
    EXPECT_GT(inward_fill.surface_volume, 0);
}

TEST(FillWithTets, GivesTheSameBitsForAnyThreadCount)
{
    const TriMesh surface = turned(torus(1.2, 0.5, 40, 20));
    set_thread_count(1);
    const LatticeFill alone = fill_with_tets(surface, 0.1);
    set_thread_count(3);
    const LatticeFill together = fill_with_tets(surface, 0.1);
    set_thread_count(0);
    EXPECT_EQ(alone.mesh.vertices, together.mesh.vertices);
    EXPECT_EQ(alone.mesh.tets, together.mesh.tets);
}

TEST(FillWithTets, TakesSurfacesOfManyTriangles)
{
    const TriMesh surface = icosphere(1, 6);
    ASSERT_GT(surface.triangles.size(), 80000u);
    const LatticeFill fill = fill_with_tets(surface, 0.15);
    EXPECT_NEAR(fill.tet_volume, fill.surface_volume, 0.01 * fill.surface_volume);
}

TEST(FillWithTets, RefusesInWords)
{
    TriMesh open = icosphere(1, 1);
    open.triangles.pop_back();
    const std::string message = message_of([&] { fill_with_tets(open, 0.3); });
    EXPECT_NE(message.find("does not enclose a volume: 3 open edges"), std::string::npos) << message;
    EXPECT_NE(message.find("close holes"), std::string::npos) << message;

    TriMesh twisted = icosphere(1, 1);
    std::swap(twisted.triangles[0][0], twisted.triangles[0][1]);
    EXPECT_NE(message_of([&] { fill_with_tets(twisted, 0.3); }).find("inconsistently oriented"), std::string::npos);

    TriMesh infinite = icosphere(1, 1);
    infinite.vertices[5].y = std::numeric_limits<double>::infinity();
    EXPECT_NE(message_of([&] { fill_with_tets(infinite, 0.3); }).find("vertex 5"), std::string::npos);

    EXPECT_NE(message_of([] { fill_with_tets({}, 0.3); }).find("no triangles"), std::string::npos);
    EXPECT_NE(message_of([] { fill_with_tets(icosphere(1, 1), 0); }).find("edge length is 0"), std::string::npos);
    EXPECT_NE(message_of([] { fill_with_tets(icosphere(1, 1), 1e-5); }).find("use a longer edge"), std::string::npos);
    const std::string coarse = message_of([] { fill_with_tets(box({1, 0.01, 1}), 0.5); });
    EXPECT_NE(coarse.find("no tetrahedron of edge length 0.5 fits"), std::string::npos) << coarse;
    EXPECT_NE(coarse.find("0.00125"), std::string::npos) << coarse;
}

}  // namespace
}  // namespace pliant
