// SPDX-License-Identifier: MIT

// Simplex meshes: faces, duals there and back, ordering of neighbours, normals, rings, coordinates.

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <random>

#include <gtest/gtest.h>

#include <pliant/base/error.h>
#include <pliant/io/mesh_file.h>
#include <pliant/mesh/measure.h>
#include <pliant/mesh/quality.h>
#include <pliant/mesh/shapes.h>
#include <pliant/mesh/simplex_mesh.h>
#include <pliant/mesh/transform.h>

namespace pliant {
namespace {

using Row = std::array<std::int32_t, 3>;

std::size_t at(std::int32_t index)
{
    return static_cast<std::size_t>(index);
}

// The lowest first, order kept: equal for rows that differ by where they begin.
Row turned_to_lowest(Row row)
{
    std::rotate(row.begin(), std::min_element(row.begin(), row.end()), row.end());
    return row;
}

std::vector<Row> turned_to_lowest(std::vector<Row> rows)
{
    for (Row& row : rows) row = turned_to_lowest(row);
    return rows;
}

void shuffle_neighbours(SimplexMesh& mesh, unsigned seed)
{
    std::mt19937 random(seed);
    for (Row& row : mesh.neighbours) std::shuffle(row.begin(), row.end(), random);
}

// Which vertex of `original` every vertex of `copy` stands for, told by equal triangles in equal places.
std::vector<std::int32_t> vertex_map(const TriMesh& original, const TriMesh& copy)
{
    std::vector<std::int32_t> original_of(copy.vertices.size(), -1);
    for (std::size_t t = 0; t < copy.triangles.size(); ++t)
        for (std::size_t corner = 0; corner < 3; ++corner) {
            std::int32_t& image = original_of.at(at(copy.triangles[t][corner]));
            if (image < 0) image = original.triangles[t][corner];
            EXPECT_EQ(image, original.triangles[t][corner]) << "triangle " << t;
        }
    return original_of;
}

template <class Call>
std::string words_of(const Call& call)
{
    try {
        call();
    } catch (const Error& error) {
        return error.what();
    }
    return "no error";
}

TEST(SimplexFaces, OfACubeAreItsSixSquaresSeenFromOutside)
{
    SimplexMesh cube;
    for (int v = 0; v < 8; ++v) cube.vertices.push_back({v & 1 ? 1.0 : 0.0, v & 2 ? 1.0 : 0.0, v & 4 ? 1.0 : 0.0});
    cube.neighbours = {{1, 4, 2}, {0, 3, 5}, {0, 6, 3}, {1, 2, 7}, {0, 5, 6}, {1, 7, 4}, {2, 4, 7}, {3, 6, 5}};
    const IndexRows faces = faces_of(cube);
    ASSERT_EQ(faces.size(), 6u);
    EXPECT_TRUE(std::ranges::equal(faces[0], (std::vector<std::int32_t>{0, 1, 5, 4})));
    for (std::size_t f = 0; f < faces.size(); ++f) {
        std::vector<Vec3> corners;
        for (const std::int32_t v : faces[f]) corners.push_back(cube.vertices[at(v)]);
        EXPECT_EQ(*std::min_element(faces[f].begin(), faces[f].end()), faces[f][0]);
        EXPECT_GT(dot(polygon_area_vector(corners), centroid(corners) - Vec3{0.5, 0.5, 0.5}), 0.4);
    }
    for (std::size_t f = 1; f < faces.size(); ++f) EXPECT_LE(faces[f - 1][0], faces[f][0]);
    EXPECT_EQ(to_text(cube), "8 vertices, 12 edges, 6 faces (6 quadrilaterals)");
    EXPECT_TRUE(faces_of(SimplexMesh{}).items.empty());
    EXPECT_EQ(faces_of(SimplexMesh{}).size(), 0u);
}

TEST(SimplexMeshText, NamesThePolygonsFromTheFewestOn)
{
    EXPECT_EQ(to_text(simplex_sphere(1, 10, 8)),
              "1296 vertices, 1944 edges, 650 faces (2 octagons, 8 quadrilaterals, 640 hexagons)");
    EXPECT_EQ(to_text(simplex_cylinder(1, 1, 12, 1)), "24 vertices, 36 edges, 14 faces (2 12-gons, 12 quadrilaterals)");
}

TEST(Dual, OfAnIcosahedronIsADodecahedron)
{
    const SimplexMesh mesh = dual(icosphere(1, 0));
    EXPECT_EQ(to_text(mesh), "20 vertices, 30 edges, 12 faces (12 pentagons)");
}

TEST(Dual, BackAgainHasTheTrianglesItCameFrom)
{
    for (const TriMesh& surface : {icosphere(1, 3), torus(1, 0.4, 16, 9), box({1, 2, 3}, {3, 2, 4})}) {
        const SimplexMesh mesh = dual(surface);
        const TriMesh back = triangulation_of(mesh);
        ASSERT_EQ(back.triangles.size(), surface.triangles.size());
        ASSERT_EQ(back.vertices.size(), surface.vertices.size());
        std::vector<std::int32_t> map = vertex_map(surface, back);
        std::sort(map.begin(), map.end());
        EXPECT_EQ(std::adjacent_find(map.begin(), map.end()), map.end());
        EXPECT_EQ(dual(back).neighbours, mesh.neighbours);
    }
}

TEST(Dual, PutsVerticesAtCentroidsBothWays)
{
    const TriMesh surface = icosphere(1, 1);
    const SimplexMesh mesh = dual(surface);
    const auto [a, b, c] = surface.triangles[7];
    EXPECT_NEAR(
        norm(mesh.vertices[7] * 3 - surface.vertices[at(a)] - surface.vertices[at(b)] - surface.vertices[at(c)]), 0,
        1e-15);
    const TriMesh back = triangulation_of(mesh);
    const IndexRows faces = faces_of(mesh);
    for (std::size_t f = 0; f < faces.size(); ++f) {
        std::vector<Vec3> corners;
        for (const std::int32_t v : faces[f]) corners.push_back(mesh.vertices[at(v)]);
        EXPECT_NEAR(norm(back.vertices[f] - centroid(corners)), 0, 1e-15);
    }
}

TEST(Dual, OfWhatIsNotClosedSaysWhere)
{
    EXPECT_EQ(words_of([] { dual(grid(2, 2, 1, 1)); }),
              "only a closed, manifold, oriented surface has a dual; found 4 open edges, the first between vertices 0 "
              "and 1 (pliant mesh quality FILE says more; convert --weld closes seams)");
    TriMesh flipped = icosphere(1, 0);
    std::swap(flipped.triangles[4][0], flipped.triangles[4][1]);
    EXPECT_NE(words_of([&] { dual(flipped); }).find("3 inconsistently oriented edges"), std::string::npos);
    // Two closed surfaces that touch in one vertex have no open edge at all.
    TriMesh touching = icosphere(1, 0);
    append(touching, icosphere(1, 0));
    for (Triangle& t : touching.triangles) std::replace(t.begin(), t.end(), 12, 0);
    EXPECT_NE(words_of([&] { dual(touching); }).find("non-manifold vertices: 1, the first is vertex 0"),
              std::string::npos);
    EXPECT_NE(words_of([] { dual(TriMesh{}); }).find("found no triangles"), std::string::npos);
    // Two triangles back to back, sewn along all three edges.
    const TriMesh pillow{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}, {2, 1, 0}}, {}, {}};
    EXPECT_NE(words_of([&] { dual(pillow); }).find("triangles 0 and 1 share two edges"), std::string::npos);
}

TEST(SimplexSurface, KeepsVerticesAndComesBackTheSame)
{
    for (const SimplexMesh& mesh : {simplex_sphere(1, 5, 6), simplex_torus(1, 0.4, 12, 7), simplex_cylinder(1, 2, 9, 4),
                                    dual(icosphere(1, 2)), simplex_sphere(1, 2, 3)}) {
        const TriMesh surface = surface_of(mesh);
        EXPECT_EQ(surface.vertices, mesh.vertices);
        EXPECT_EQ(surface.lines, edges_of(mesh));
        EXPECT_TRUE(has_three_lines_per_vertex(surface));
        const SimplexMesh back = simplex_mesh_of(surface);
        EXPECT_EQ(back.vertices, mesh.vertices);
        EXPECT_EQ(turned_to_lowest(back.neighbours), turned_to_lowest(mesh.neighbours));
    }
}

TEST(SimplexSurface, IsCutWithoutSlivers)
{
    // An octagon's corners see its sides under 22.5 degrees however it is cut; stretched hexagons must do better.
    EXPECT_GT(quality(surface_of(simplex_sphere(1, 10, 8))).smallest_angle * 180 / std::numbers::pi, 22);
    EXPECT_GT(quality(surface_of(simplex_torus(1, 0.4, 24, 11))).smallest_angle * 180 / std::numbers::pi, 25);
}

TEST(SimplexSurface, SurvivesFiles)
{
    const SimplexMesh mesh = simplex_torus(1, 0.4, 12, 7);
    const TriMesh surface = surface_of(mesh);
    const std::vector<Row> expected = turned_to_lowest(mesh.neighbours);
    for (const MeshRead& read :
         {read_obj(obj_bytes(surface), "a.obj"), read_ply(ply_bytes(surface), "a.ply"),
          read_ply(ply_bytes(surface, {.binary = false}), "a.ply"), read_off(off_bytes(surface), "a.off")}) {
        ASSERT_TRUE(read.ok());
        EXPECT_EQ(turned_to_lowest(simplex_mesh_of(read.mesh).neighbours), expected);
        EXPECT_EQ(read.mesh.vertices, mesh.vertices);
    }
}

TEST(SimplexSurface, InsideOutGivesTheOppositeOrder)
{
    TriMesh surface = surface_of(simplex_sphere(1, 4, 5));
    reverse_orientation(surface);
    const SimplexMesh mesh = simplex_mesh_of(surface);
    for (std::size_t v = 0; v < mesh.vertices.size(); ++v)
        EXPECT_LT(dot(vertex_normals(mesh)[v], mesh.vertices[v]), -0.9);
}

TEST(SimplexSurface, ThatIsNoneNamesTheVertex)
{
    const TriMesh good = surface_of(simplex_sphere(1, 4, 3));
    TriMesh fourth = good;
    fourth.lines.push_back({20, 40});
    EXPECT_FALSE(has_three_lines_per_vertex(fourth));
    EXPECT_EQ(words_of([&] { simplex_mesh_of(fourth); }),
              "no simplex mesh: vertex 20 has 4 lines, expected 3 (pliant mesh dual makes a simplex mesh of closed "
              "triangles)");
    EXPECT_NE(words_of([] { simplex_mesh_of(icosphere(1, 1)); }).find("vertex 0 has 0 lines, expected 3"),
              std::string::npos);
    TriMesh doubled = good;
    doubled.lines = {{0, 1}, {0, 1}, {0, 2}, {1, 2}, {2, 3}};
    doubled.vertices.resize(4);
    EXPECT_NE(words_of([&] { simplex_mesh_of(doubled); }).find("vertex 0 has two lines to vertex 1"),
              std::string::npos);
    EXPECT_EQ(simplex_summary(fourth), "");
    EXPECT_EQ(simplex_summary(good), "simplex mesh: 54 vertices, 81 edges, 29 faces (2 triangles, 3 quadrilaterals, "
                                     "24 hexagons)\n");
    TriMesh open = good;
    open.triangles.pop_back();
    EXPECT_NE(words_of([&] { simplex_mesh_of(open); }).find("found 3 open edges"), std::string::npos);
    EXPECT_TRUE(simplex_summary(open).starts_with("three lines at every vertex, but no simplex mesh: the surface is"));
    EXPECT_NE(words_of([] { simplex_mesh_of(TriMesh{}); }).find("no vertices"), std::string::npos);
}

TEST(SimplexSurface, WithALineThatIsNoEdgeIsRefused)
{
    // The far ends of two lines exchanged: all vertices still have three.
    TriMesh crossed = surface_of(simplex_sphere(1, 6, 5));
    std::swap(crossed.lines.front()[1], crossed.lines.back()[1]);
    EXPECT_TRUE(has_three_lines_per_vertex(crossed));
    EXPECT_NE(words_of([&] { simplex_mesh_of(crossed); }).find("is no edge of a triangle"), std::string::npos);
}

TEST(SimplexSurface, WithAFaceThatHasAHoleIsRefused)
{
    // Lines over the southern and over the northern cap of a globe, none between: a belt is left.
    TriMesh belted = uv_sphere(1, 3, 3);
    belted.lines = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}, {4, 5}, {4, 6}, {4, 7}, {5, 6}, {5, 7}, {6, 7}};
    EXPECT_NE(words_of([&] { simplex_mesh_of(belted); }).find("its lines bound 8 faces, expected 6"),
              std::string::npos);
}

TEST(OrderNeighbours, FindsTheOrderOfTheGenerators)
{
    unsigned seed = 1;
    for (const SimplexMesh& mesh :
         {simplex_sphere(1, 10, 8), simplex_sphere(1, 4, 3), simplex_sphere(1, 2, 3), simplex_sphere(0.01, 27, 8),
          simplex_cylinder(1, 2, 12, 5), simplex_cylinder(1, 0.05, 40, 1), simplex_cylinder(0.1, 3, 5, 8),
          simplex_torus(1, 0.4, 24, 11), simplex_torus(1, 0.95, 30, 30), simplex_torus(1, 0.3, 6, 5),
          dual(icosphere(1, 3)), dual(box({1, 2, 3}, {4, 5, 6}))}) {
        SCOPED_TRACE(to_text(mesh));
        SimplexMesh shuffled = mesh;
        shuffle_neighbours(shuffled, seed++);
        EXPECT_NE(faces_of(shuffled).size(), faces_of(mesh).size());
        EXPECT_TRUE(order_neighbours(shuffled));
        EXPECT_EQ(turned_to_lowest(shuffled.neighbours), turned_to_lowest(mesh.neighbours));
        EXPECT_EQ(faces_of(shuffled).size(), faces_of(mesh).size());
    }
}

TEST(OrderNeighbours, OrdersEveryPieceOutwards)
{
    SimplexMesh mesh = simplex_torus(1, 0.3, 20, 9);
    const SimplexMesh ball = simplex_sphere(0.2, 5, 4);
    const auto offset = static_cast<std::int32_t>(mesh.vertices.size());
    mesh.vertices.insert(mesh.vertices.end(), ball.vertices.begin(), ball.vertices.end());
    for (const auto& [a, b, c] : ball.neighbours) mesh.neighbours.push_back({a + offset, b + offset, c + offset});
    const std::vector<Row> expected = turned_to_lowest(mesh.neighbours);
    shuffle_neighbours(mesh, 5);
    EXPECT_TRUE(order_neighbours(mesh));
    EXPECT_EQ(turned_to_lowest(mesh.neighbours), expected);
}

TEST(OrderNeighbours, CopesWithBumpsAndRoughness)
{
    SimplexMesh mesh = simplex_sphere(1, 27, 8);
    std::mt19937 random(3);
    std::uniform_real_distribution<double> jitter(-0.003, 0.003);  // edges are 0.02 to 0.05 long
    for (Vec3& x : mesh.vertices)
        x = x * (1 + 0.4 * std::sin(5 * x.x) * std::sin(4 * x.y)) +
            Vec3{jitter(random), jitter(random), jitter(random)};
    const std::vector<Row> expected = turned_to_lowest(mesh.neighbours);
    shuffle_neighbours(mesh, 4);
    EXPECT_TRUE(order_neighbours(mesh));
    EXPECT_EQ(turned_to_lowest(mesh.neighbours), expected);
}

// Across which edges the triangles of a strip of 2 x around x across meet, when its ends are sewn together as
// a tube would be, or mirrored: then left becomes right after one turn. Order of neighbours: none.
std::vector<Row> sewn_strip(std::int32_t around, std::int32_t across, bool mirrored)
{
    const auto corner = [&](std::int32_t i, std::int32_t j) {
        j = (i == around && mirrored ? across - j % across : j) % across;
        return (i % around) * across + j;
    };
    std::map<Edge, std::vector<std::int32_t>> sides;
    for (std::int32_t i = 0; i < around; ++i)
        for (std::int32_t j = 0; j < across; ++j) {
            const std::int32_t a = corner(i, j), b = corner(i + 1, j), c = corner(i + 1, j + 1), d = corner(i, j + 1);
            const std::int32_t t = 2 * (i * across + j);
            for (const auto& [p, q] : {Edge{a, b}, Edge{b, c}, Edge{c, a}})
                sides[{std::min(p, q), std::max(p, q)}].push_back(t);
            for (const auto& [p, q] : {Edge{a, c}, Edge{c, d}, Edge{d, a}})
                sides[{std::min(p, q), std::max(p, q)}].push_back(t + 1);
        }
    std::vector<std::vector<std::int32_t>> met(2 * at(around * across));
    for (const auto& [edge, pair] : sides) {
        met[at(pair.at(0))].push_back(pair.at(1));
        met[at(pair.at(1))].push_back(pair.at(0));
    }
    std::vector<Row> rows;
    for (const auto& row : met) rows.push_back({row.at(0), row.at(1), row.at(2)});
    return rows;
}

// A tube around the y axis: plain, or with a figure eight for its cross section that turns half around on
// the way; sewn mirrored, that is a Klein bottle.
SimplexMesh tube(std::int32_t around, std::int32_t across, bool mirrored)
{
    SimplexMesh mesh;
    mesh.neighbours = sewn_strip(around, across, mirrored);
    for (std::int32_t t = 0; t < 2 * around * across; ++t) {
        const double third = t % 2 == 0 ? 1.0 / 3 : 2.0 / 3;
        const std::int32_t i = t / 2 / across, j = t / 2 % across;
        const double u = 2 * std::numbers::pi * (i + 1 - third) / around;
        const double v = 2 * std::numbers::pi * (j + third) / across;
        const double half = mirrored ? u / 2 : 0;
        const double width = mirrored ? std::sin(v) : std::cos(v), height = mirrored ? std::sin(2 * v) : std::sin(v);
        const double out = 3 + std::cos(half) * width - std::sin(half) * height;
        mesh.vertices.push_back(
            {out * std::sin(u), std::sin(half) * width + std::cos(half) * height, out * std::cos(u)});
    }
    return mesh;
}

TEST(OrderNeighbours, RefusesASurfaceWithOneSide)
{
    SimplexMesh two_sided = tube(60, 40, false);
    EXPECT_TRUE(order_neighbours(two_sided));
    EXPECT_EQ(faces_of(two_sided).size(), 2400u);
    SimplexMesh one_sided = tube(60, 40, true);
    for (const auto& [a, b] : edges_of(one_sided))
        ASSERT_LT(norm(one_sided.vertices[at(a)] - one_sided.vertices[at(b)]), 0.4);
    EXPECT_FALSE(order_neighbours(one_sided));
}

TEST(OrderNeighbours, RefusesWhatHasNoExtent)
{
    SimplexMesh collapsed = simplex_sphere(1, 4, 3);
    for (Vec3& x : collapsed.vertices) x = {x.x, 0, 0};
    EXPECT_FALSE(order_neighbours(collapsed));
}

TEST(SimplexNormals, PointOutwardsOnSphereCylinderAndTorus)
{
    const SimplexMesh sphere = simplex_sphere(1, 10, 8);
    const std::vector<Vec3> of_sphere = vertex_normals(sphere);
    for (std::size_t v = 0; v < of_sphere.size(); ++v) {
        EXPECT_NEAR(norm(of_sphere[v]), 1, 1e-15);
        EXPECT_GT(dot(of_sphere[v], sphere.vertices[v]), 0.98);
    }
    const SimplexMesh torus = simplex_torus(1, 0.4, 40, 21);
    const std::vector<Vec3> of_torus = vertex_normals(torus);
    for (std::size_t v = 0; v < of_torus.size(); ++v) {
        const Vec3& x = torus.vertices[v];
        const Vec3 tube = Vec3{x.x, 0, x.z} / std::hypot(x.x, x.z);
        EXPECT_GT(dot(of_torus[v], normalized(x - tube)), 0.98);
    }
    const SimplexMesh cylinder = simplex_cylinder(1, 2, 12, 5);
    const std::vector<Vec3> of_cylinder = vertex_normals(cylinder);
    for (std::size_t v = 0; v < of_cylinder.size(); ++v)
        EXPECT_GT(dot(of_cylinder[v], cylinder.vertices[v]), 0.5) << "vertex " << v;
}

TEST(SimplexNormals, AreZeroOverCollinearNeighbours)
{
    SimplexMesh mesh = simplex_sphere(1, 2, 4);
    for (Vec3& x : mesh.vertices) x = {x.x, 0, 0};
    for (const Vec3& normal : vertex_normals(mesh)) EXPECT_EQ(normal, (Vec3{}));
}

// A vertex whose rings meet nothing but hexagons: four stages away from poles and equator.
std::int32_t regular_vertex(const SimplexMesh& mesh)
{
    const double latitude = 0.785, longitude = 0.39;
    const Vec3 wanted{std::cos(latitude) * std::sin(longitude), std::sin(latitude),
                      std::cos(latitude) * std::cos(longitude)};
    std::size_t nearest = 0;
    for (std::size_t v = 0; v < mesh.vertices.size(); ++v)
        if (norm(mesh.vertices[v] - wanted) < norm(mesh.vertices[nearest] - wanted)) nearest = v;
    return static_cast<std::int32_t>(nearest);
}

TEST(Rings, GrowAsInAHoneycombAmongHexagons)
{
    const SimplexMesh mesh = simplex_sphere(1, 10, 8);
    const std::int32_t seed = regular_vertex(mesh);
    const std::size_t expected[] = {1, 4, 10, 19, 31, 46};
    for (int n = 0; n <= 5; ++n) {
        const std::vector<std::int32_t> found = rings(mesh, seed, n);
        EXPECT_EQ(found.size(), expected[n]) << n << " rings";
        EXPECT_TRUE(std::is_sorted(found.begin(), found.end()));
        EXPECT_TRUE(std::binary_search(found.begin(), found.end(), seed));
    }
}

TEST(Rings, AreSmallerAroundQuadrilateralsAndLargerAroundOctagons)
{
    const SimplexMesh mesh = simplex_sphere(1, 10, 8);
    std::size_t fewest = 1000, most = 0;
    for (std::size_t v = 0; v < mesh.vertices.size(); ++v) {
        const std::size_t count = rings(mesh, static_cast<std::int32_t>(v), 5).size();
        fewest = std::min(fewest, count);
        most = std::max(most, count);
    }
    EXPECT_EQ(fewest, 36u);
    EXPECT_EQ(most, 52u);
}

TEST(Rings, AreTheVerticesWithinThatManyEdges)
{
    const SimplexMesh mesh = simplex_torus(1, 0.3, 9, 5);
    const IndexRows neighbours = vertex_neighbours(edges_of(mesh), mesh.vertices.size());
    std::vector<int> distance(mesh.vertices.size(), 1000);
    distance[17] = 0;
    for (std::size_t pass = 0; pass < mesh.vertices.size(); ++pass)
        for (const auto& [a, b] : edges_of(mesh)) {
            distance[at(a)] = std::min(distance[at(a)], distance[at(b)] + 1);
            distance[at(b)] = std::min(distance[at(b)], distance[at(a)] + 1);
        }
    for (int n = 0; n <= 12; ++n) {
        std::vector<std::int32_t> expected;
        for (std::size_t v = 0; v < distance.size(); ++v)
            if (distance[v] <= n) expected.push_back(static_cast<std::int32_t>(v));
        EXPECT_EQ(rings(mesh, 17, n), expected) << n;
        EXPECT_EQ(rings(neighbours, 17, n), expected) << n;
    }
    EXPECT_EQ(rings(mesh, 17, 1000).size(), mesh.vertices.size());
}

TEST(Rings, WorkOnTriangleMeshesToo)
{
    const TriMesh mesh = grid(9, 9, 1, 1);
    const IndexRows neighbours = vertex_neighbours(mesh.triangles, mesh.vertices.size());
    EXPECT_EQ(rings(neighbours, 40, 1).size(), 7u);
    EXPECT_EQ(rings(neighbours, 40, 2).size(), 19u);
}

class Coordinates : public testing::Test {
protected:
    Vec3 anywhere() { return {uniform_(random_), uniform_(random_), uniform_(random_)}; }

    // A proper rotation about a random axis by the formula of Rodrigues.
    Vec3 rotated(const Vec3& x, const Vec3& axis, double angle) const
    {
        return x * std::cos(angle) + cross(axis, x) * std::sin(angle) + axis * (dot(axis, x) * (1 - std::cos(angle)));
    }

    std::mt19937 random_{42};
    std::uniform_real_distribution<double> uniform_{-1, 1};
};

double angle_of(const SimplexCoordinates& coordinates)
{
    return std::atan2(coordinates.sin_angle, coordinates.cos_angle);
}

TEST_F(Coordinates, GiveThePointBack)
{
    int obtuse = 0, outside = 0, lower = 0, below = 0, beyond = 0;
    for (int i = 0; i < 20000; ++i) {
        const Vec3 a = anywhere(), b = anywhere(), c = anywhere(), p = anywhere();
        const double sides = norm2(b - a) + norm2(c - b) + norm2(a - c);
        if (triangle_area(a, b, c) < 0.02 * sides) continue;
        const SimplexCoordinates found = simplex_coordinates(p, a, b, c);
        EXPECT_NEAR(found.e1 + found.e2 + found.e3, 1, 1e-13);
        EXPECT_NEAR(std::hypot(found.sin_angle, found.cos_angle), 1, 1e-15);
        EXPECT_NEAR(norm(simplex_point(found, a, b, c) - p), 0, 1e-9);
        const double w = found.e1 * found.e2 * norm2(b - a) + found.e2 * found.e3 * norm2(c - b) +
                         found.e3 * found.e1 * norm2(a - c);
        const double h = dot(p - a, normalized(cross(b - a, c - a)));
        obtuse += std::max({norm2(b - a), norm2(c - b), norm2(a - c)}) > sides / 2;
        outside += w < 0;
        lower += w < 0 && h * h < -w;
        below += h < 0;
        beyond += found.cos_angle < 0;
    }
    // The random tetrahedra must have met every case.
    EXPECT_GT(obtuse, 1000);
    EXPECT_GT(outside, 1000);
    EXPECT_GT(lower, 1000);
    EXPECT_GT(below, 1000);
    EXPECT_GT(beyond, 1000);
}

TEST_F(Coordinates, MeasureTheCircumscribedSphere)
{
    for (int i = 0; i < 1000; ++i) {
        const Vec3 a = anywhere(), b = anywhere(), c = anywhere(), p = anywhere();
        const double area = triangle_area(a, b, c);
        const Mat3 rows = transpose(from_columns((b - a) * 2.0, (c - a) * 2.0, (p - a) * 2.0));
        if (area < 0.05 || std::abs(determinant(rows)) < 0.01) continue;
        // |x-a|^2 = |x-b|^2 = ... is linear in the centre x.
        const Vec3 to_centre = inverse(rows) * Vec3{norm2(b - a), norm2(c - a), norm2(p - a)};
        const double r = norm(b - a) * norm(c - b) * norm(a - c) / (4 * area);
        const SimplexCoordinates found = simplex_coordinates(p, a, b, c);
        EXPECT_NEAR(std::abs(found.sin_angle), r / norm(to_centre), 1e-9);
        const Vec3 foot = a * found.e1 + b * found.e2 + c * found.e3;
        EXPECT_NEAR(dot(p - foot, b - a), 0, 1e-12);
        EXPECT_NEAR(dot(p - foot, c - a), 0, 1e-12);
        // The lower of two heights over a foot outside the circumcircle has phi + pi.
        const double power = found.e1 * found.e2 * norm2(b - a) + found.e2 * found.e3 * norm2(c - b) +
                             found.e3 * found.e1 * norm2(a - c);
        const double sign = power < 0 && norm2(p - foot) < -power ? -1 : 1;
        EXPECT_GT(sign * found.sin_angle * dot(p - foot, cross(b - a, c - a)), 0);
    }
}

TEST_F(Coordinates, DoNotChangeWithPlaceAttitudeAndSize)
{
    for (int i = 0; i < 1000; ++i) {
        const Vec3 a = anywhere(), b = anywhere(), c = anywhere(), p = anywhere();
        if (triangle_area(a, b, c) < 0.05) continue;
        const Vec3 axis = normalized(anywhere()), shift = anywhere() * 3.0;
        const double angle = 3 * uniform_(random_), factor = std::exp(3 * uniform_(random_));
        const auto moved = [&](const Vec3& x) { return rotated(x, axis, angle) * factor + shift; };
        const SimplexCoordinates before = simplex_coordinates(p, a, b, c);
        const SimplexCoordinates after = simplex_coordinates(moved(p), moved(a), moved(b), moved(c));
        EXPECT_NEAR(before.e1, after.e1, 1e-10);
        EXPECT_NEAR(before.e2, after.e2, 1e-10);
        EXPECT_NEAR(before.sin_angle, after.sin_angle, 1e-10);
        EXPECT_NEAR(before.cos_angle, after.cos_angle, 1e-10);
        EXPECT_NEAR(norm(simplex_point(before, moved(a), moved(b), moved(c)) - moved(p)), 0, 1e-8);
    }
}

TEST_F(Coordinates, OfAFlatVertexAreFlatEverywhere)
{
    const Vec3 a{1, 0, 0}, b{0, 1, 0}, c{0, 0, 1};
    for (int i = 0; i < 100; ++i) {
        const double e2 = 3 * uniform_(random_), e3 = 3 * uniform_(random_);
        const Vec3 p = a * (1 - e2 - e3) + b * e2 + c * e3;
        const SimplexCoordinates found = simplex_coordinates(p, a, b, c);
        EXPECT_NEAR(angle_of(found), 0, 1e-12);
        EXPECT_NEAR(norm(simplex_point(found, a, b, c) - p), 0, 1e-12);
    }
}

TEST_F(Coordinates, AngleIsARightOneAtTheEquatorAndSignedByTheSide)
{
    const Vec3 a{1, 0, 0}, b{-0.5, std::sqrt(0.75), 0}, c{-0.5, -std::sqrt(0.75), 0};
    const double quarter = std::numbers::pi / 2;
    EXPECT_NEAR(angle_of(simplex_coordinates({0, 0, 1}, a, b, c)), quarter, 1e-15);
    EXPECT_NEAR(angle_of(simplex_coordinates({0, 0, -1}, a, b, c)), -quarter, 1e-15);
    EXPECT_LT(angle_of(simplex_coordinates({0, 0, 0.1}, a, b, c)), quarter / 2);
    EXPECT_GT(angle_of(simplex_coordinates({0, 0, 10}, a, b, c)), 1.5 * quarter);
    EXPECT_NEAR(simplex_coordinates({1, 0, 5}, a, b, c).e1, 1, 1e-15);
    EXPECT_NEAR(simplex_coordinates({0.25, std::sqrt(0.75) / 2, 5}, a, b, c).e3, 0, 1e-15);
}

TEST_F(Coordinates, StayFiniteOverCollinearNeighboursAndImpossibleAngles)
{
    const Vec3 a{0, 0, 0}, b{1, 0, 0}, c{2, 0, 0};
    const SimplexCoordinates none = simplex_coordinates({1, 1, 1}, a, b, c);
    EXPECT_EQ(angle_of(none), 0);
    EXPECT_EQ(none.e1 + none.e2 + none.e3, 1);
    EXPECT_TRUE(is_finite(simplex_point({0.2, 0.3, 0.5, 0.6, 0.8}, a, b, c)));
    const Vec3 up{0, 1, 0};
    for (int degrees = -180; degrees <= 180; degrees += 5) {
        const double angle = degrees * std::numbers::pi / 180;
        const SimplexCoordinates outside{-3, 2, 2, std::sin(angle), std::cos(angle)};
        EXPECT_TRUE(is_finite(simplex_point(outside, a, b, up))) << degrees;
    }
    EXPECT_EQ(simplex_point({0, 0, 1, 0, -1}, a, b, up), up);
}

TEST_F(Coordinates, RebuildASphereFromItsAngles)
{
    const SimplexMesh mesh = simplex_sphere(1, 10, 8);
    for (std::size_t v = 0; v < mesh.vertices.size(); ++v) {
        const auto [i, j, k] = mesh.neighbours[v];
        const Vec3 &a = mesh.vertices[at(i)], &b = mesh.vertices[at(j)], &c = mesh.vertices[at(k)];
        const SimplexCoordinates found = simplex_coordinates(mesh.vertices[v], a, b, c);
        EXPECT_GT(angle_of(found), 0);
        // All four lie on the sphere of radius 1, so the sine is the circumradius itself.
        EXPECT_NEAR(found.sin_angle, norm(b - a) * norm(c - b) * norm(a - c) / (4 * triangle_area(a, b, c)), 1e-9);
        EXPECT_NEAR(norm(simplex_point(found, a, b, c) - mesh.vertices[v]), 0, 1e-12);
    }
}

}  // namespace
}  // namespace pliant
