// SPDX-License-Identifier: MIT

// Spheres, cylinders and tori as simplex meshes: counts, polygons, closedness, places of the vertices.

#include <algorithm>
#include <chrono>
#include <map>
#include <numbers>

#include <gtest/gtest.h>

#include <pliant/base/error.h>
#include <pliant/mesh/measure.h>
#include <pliant/mesh/shapes.h>
#include <pliant/mesh/topology.h>

namespace pliant {
namespace {

std::size_t at(std::int32_t index)
{
    return static_cast<std::size_t>(index);
}

std::map<std::size_t, std::size_t> polygons(const SimplexMesh& mesh)
{
    std::map<std::size_t, std::size_t> count;
    const IndexRows faces = faces_of(mesh);
    for (std::size_t f = 0; f < faces.size(); ++f) ++count[faces[f].size()];
    return count;
}

std::ptrdiff_t euler_number(const SimplexMesh& mesh)
{
    return static_cast<std::ptrdiff_t>(mesh.vertices.size() + faces_of(mesh).size()) -
           static_cast<std::ptrdiff_t>(edges_of(mesh).size());
}

// Neighbours mutual and different, E = 3V/2 edges each once, and faces that cut into a closed surface.
void expect_sound(const SimplexMesh& mesh)
{
    ASSERT_EQ(mesh.vertices.size(), mesh.neighbours.size());
    for (std::size_t v = 0; v < mesh.neighbours.size(); ++v) {
        const auto [a, b, c] = mesh.neighbours[v];
        ASSERT_TRUE(a != b && b != c && c != a) << "vertex " << v;
        for (const std::int32_t u : mesh.neighbours[v]) {
            const auto& row = mesh.neighbours.at(at(u));
            ASSERT_EQ(std::count(row.begin(), row.end(), static_cast<std::int32_t>(v)), 1) << "vertex " << v;
        }
    }
    const std::vector<Edge> edges = edges_of(mesh);
    EXPECT_EQ(2 * edges.size(), 3 * mesh.vertices.size());
    EXPECT_TRUE(std::is_sorted(edges.begin(), edges.end()));
    EXPECT_EQ(std::adjacent_find(edges.begin(), edges.end()), edges.end());
    const TriMesh surface = surface_of(mesh);
    EXPECT_EQ(to_text(closedness(surface.triangles, surface.vertices.size())), "closed, manifold, oriented");
    EXPECT_GT(signed_volume(surface.vertices, surface.triangles), 0);
}

struct SphereCase {
    int stages, frequency;
    std::size_t vertices, faces;
};

TEST(SimplexSphere, HasTheCountsOfTheThesis)
{
    for (const SphereCase& expected : {SphereCase{4, 3, 54, 29}, SphereCase{7, 5, 360, 182},
                                       SphereCase{10, 8, 1296, 650}, SphereCase{27, 8, 10816, 5410}}) {
        SCOPED_TRACE(expected.vertices);
        const SimplexMesh mesh = simplex_sphere(0.5, expected.stages, expected.frequency);
        expect_sound(mesh);
        EXPECT_EQ(mesh.vertices.size(), expected.vertices);
        EXPECT_EQ(edges_of(mesh).size(), expected.vertices * 3 / 2);
        EXPECT_EQ(euler_number(mesh), 2);
        const auto f = static_cast<std::size_t>(expected.frequency);
        std::map<std::size_t, std::size_t> faces = {{4, f}, {6, expected.faces - f - 2}};
        faces[f] += 2;
        EXPECT_EQ(polygons(mesh), faces);
    }
}

TEST(SimplexSphere, OfTwoStagesIsAPrism)
{
    EXPECT_EQ(polygons(simplex_sphere(1, 2, 4)), (std::map<std::size_t, std::size_t>{{4, 6}}));
    EXPECT_EQ(polygons(simplex_sphere(1, 2, 3)), (std::map<std::size_t, std::size_t>{{3, 2}, {4, 3}}));
    expect_sound(simplex_sphere(1, 2, 3));
}

TEST(SimplexSphere, LiesOnTheSphereWithItsPolesOnTheYAxis)
{
    const SimplexMesh mesh = simplex_sphere(2, 10, 8);
    for (const Vec3& x : mesh.vertices) EXPECT_NEAR(norm(x), 2, 1e-14);
    EXPECT_NEAR(norm(centroid(mesh.vertices)), 0, 1e-14);
    const IndexRows faces = faces_of(mesh);
    int poles = 0;
    for (std::size_t f = 0; f < faces.size(); ++f) {
        if (faces[f].size() != 8) continue;
        Vec3 middle;
        for (const std::int32_t v : faces[f]) middle += mesh.vertices[at(v)] / 8.0;
        EXPECT_NEAR(std::hypot(middle.x, middle.z), 0, 1e-14);
        EXPECT_GT(std::abs(middle.y), 1.9);
        ++poles;
    }
    EXPECT_EQ(poles, 2);
}

TEST(SimplexSphere, IsWellSpread)
{
    for (const auto& [stages, frequency] : {std::pair{4, 3}, std::pair{7, 5}, std::pair{10, 8}, std::pair{27, 8}}) {
        const SimplexMesh mesh = simplex_sphere(1, stages, frequency);
        double shortest = 10, longest = 0;
        for (const auto& [a, b] : edges_of(mesh)) {
            const double length = norm(mesh.vertices[at(a)] - mesh.vertices[at(b)]);
            shortest = std::min(shortest, length);
            longest = std::max(longest, length);
        }
        EXPECT_LT(longest / shortest, 3.2) << stages << ' ' << frequency;
    }
}

TEST(SimplexSphere, OfAMillionVerticesIsBuiltInSeconds)
{
    const auto start = std::chrono::steady_clock::now();
    const SimplexMesh mesh = simplex_sphere(1, 251, 8);
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    EXPECT_EQ(mesh.vertices.size(), 1'000'000u);
    EXPECT_EQ(faces_of(mesh).size(), 500'002u);
    RecordProperty("milliseconds", static_cast<int>(1000 * seconds));
    // Some twenty times what it takes, for checked builds on busy machines; quadratic work takes hours.
    EXPECT_LT(seconds, 20);
}

TEST(SimplexCylinder, HasItsPolygonsAndLiesOnTheWall)
{
    const SimplexMesh mesh = simplex_cylinder(0.3, 2, 12, 5);
    expect_sound(mesh);
    EXPECT_EQ(mesh.vertices.size(), 2u * 12 * 5);
    EXPECT_EQ(polygons(mesh), (std::map<std::size_t, std::size_t>{{5, 24}, {6, 36}, {12, 2}}));
    EXPECT_EQ(euler_number(mesh), 2);
    for (const Vec3& x : mesh.vertices) EXPECT_NEAR(std::hypot(x.x, x.z), 0.3, 1e-15);
    const BoundingBox bounds = bounding_box(mesh.vertices);
    EXPECT_EQ(bounds.lowest.y, -1);
    EXPECT_EQ(bounds.highest.y, 1);
    const TriMesh fine = surface_of(simplex_cylinder(0.3, 2, 100, 100));
    EXPECT_NEAR(signed_volume(fine.vertices, fine.triangles), std::numbers::pi * 0.09 * 2, 0.002);
}

TEST(SimplexCylinder, OfOneRingIsAPrism)
{
    const SimplexMesh mesh = simplex_cylinder(1, 1, 7, 1);
    expect_sound(mesh);
    EXPECT_EQ(polygons(mesh), (std::map<std::size_t, std::size_t>{{4, 7}, {7, 2}}));
    expect_sound(simplex_cylinder(1, 1, 3, 1));
    expect_sound(simplex_cylinder(1, 1, 3, 2));
}

TEST(SimplexTorus, IsAllHexagonsWithOddAndEvenRows)
{
    for (const int rows : {8, 9}) {
        const SimplexMesh mesh = simplex_torus(1, 0.3, 20, rows);
        expect_sound(mesh);
        EXPECT_EQ(mesh.vertices.size(), 2u * 20 * static_cast<std::size_t>(rows));
        EXPECT_EQ(polygons(mesh), (std::map<std::size_t, std::size_t>{{6, 20u * static_cast<std::size_t>(rows)}}));
        EXPECT_EQ(euler_number(mesh), 0);
        for (const Vec3& x : mesh.vertices) EXPECT_NEAR(std::hypot(std::hypot(x.x, x.z) - 1, x.y), 0.3, 1e-15);
    }
    const TriMesh fine = surface_of(simplex_torus(1, 0.3, 100, 61));
    EXPECT_NEAR(signed_volume(fine.vertices, fine.triangles), 2 * std::numbers::pi * std::numbers::pi * 0.09, 0.01);
}

TEST(SimplexTorus, IsSoundFromTheSmallestOn)
{
    for (int around = 3; around <= 6; ++around)
        for (int across = 3; across <= 6; ++across) {
            SCOPED_TRACE(std::to_string(around) + " x " + std::to_string(across));
            const SimplexMesh mesh = simplex_torus(1, 0.4, around, across);
            expect_sound(mesh);
            EXPECT_EQ(dual(triangulation_of(mesh)).neighbours, mesh.neighbours);
        }
}

TEST(SimplexShapes, RefuseNumbersThatMakeNoShape)
{
    EXPECT_THROW(simplex_sphere(0, 4, 3), Error);
    EXPECT_THROW(simplex_sphere(1, 1, 3), Error);
    EXPECT_THROW(simplex_sphere(1, 4, 2), Error);
    EXPECT_THROW(simplex_sphere(1, 2'000'000'000, 2'000'000'000), Error);
    EXPECT_THROW(simplex_cylinder(1, -1, 8, 3), Error);
    EXPECT_THROW(simplex_cylinder(1, 1, 2, 3), Error);
    EXPECT_THROW(simplex_cylinder(1, 1, 8, 0), Error);
    EXPECT_THROW(simplex_torus(1, 1, 8, 8), Error);
    EXPECT_THROW(simplex_torus(1, 0.3, 2, 8), Error);
    EXPECT_THROW(simplex_torus(1, 0.3, 8, 2), Error);
    try {
        simplex_sphere(1, 1, 3);
    } catch (const Error& error) {
        EXPECT_STREQ(error.what(), "simplex_sphere: 1 stages, expected at least 2");
    }
}

}  // namespace
}  // namespace pliant
