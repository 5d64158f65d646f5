// SPDX-License-Identifier: MIT

// Areas, volumes, normals and middles with known answers, among them seeds/000 sections 3.6 and 3.7.

#include <numbers>

#include <gtest/gtest.h>

#include <pliant/mesh/measure.h>
#include <pliant/mesh/shapes.h>
#include <pliant/mesh/transform.h>

namespace pliant {
namespace {

void expect_near(const Vec3& found, const Vec3& expected, double tolerance)
{
    for (int k = 0; k < 3; ++k) EXPECT_NEAR(found[k], expected[k], tolerance) << "coordinate " << k;
}

// seeds/000 section 3.6: the quadrilateral whose prism of height 1 holds the gas.
const std::vector<Vec3> kQuad = {{2, 1, 0}, {5, 3, 0}, {4, 5, 0}, {1, 4, 0}};

TEST(Volume, OfTheUnitCubeIsOne)
{
    const TriMesh cube = box({1, 1, 1});
    EXPECT_DOUBLE_EQ(signed_volume(cube.vertices, cube.triangles), 1.0);
}

TEST(Volume, DoesNotDependOnWhereTheTetrahedraMeet)
{
    TriMesh cube = box({1, 2, 3}, {2, 3, 4});
    EXPECT_NEAR(signed_volume(cube.vertices, cube.triangles, {5, -7, 2}), 6.0, 1e-12);
    translate(cube, {1e6, 1e6, 1e6});
    EXPECT_NEAR(signed_volume(cube.vertices, cube.triangles, centroid(cube.vertices)), 6.0, 1e-8);
}

TEST(Volume, OfASurfaceInsideOutIsNegative)
{
    TriMesh cube = box({1, 1, 1});
    reverse_orientation(cube);
    EXPECT_DOUBLE_EQ(signed_volume(cube.vertices, cube.triangles), -1.0);
}

TEST(Volume, OfThePneumaticBoxIsThatOfTheThesis)
{
    const TriMesh mesh = lidded_box(22, 1.5, 0.75, 1.5);
    EXPECT_NEAR(signed_volume(mesh.vertices, mesh.triangles), 1.6875, 1e-12);
}

TEST(Area, OfATriangleIsHalfTheCrossProduct)
{
    EXPECT_DOUBLE_EQ(triangle_area({0, 0, 0}, {3, 0, 0}, {0, 4, 0}), 6.0);
    EXPECT_EQ(area_vector({0, 0, 0}, {3, 0, 0}, {0, 4, 0}), (Vec3{0, 0, 6}));
}

TEST(Area, OfAQuadIsTheSumOfItsTwoTriangles)
{
    EXPECT_DOUBLE_EQ(quad_area({0, 0, 0}, {1, 0, 0}, {0, 0, 1}, {1, 0, 1}), 1.0);
    // p, right q, down r, diagonal s of the thesis' quadrilateral.
    EXPECT_DOUBLE_EQ(quad_area(kQuad[0], kQuad[1], kQuad[3], kQuad[2]), 9.0);
}

TEST(Area, OfTheThesisPolygonByShoelaceIsNine)
{
    EXPECT_EQ(polygon_area_vector(kQuad), (Vec3{0, 0, 9}));
    EXPECT_EQ(polygon_area(kQuad), 9.0);
    const std::vector<Vec3> clockwise(kQuad.rbegin(), kQuad.rend());
    EXPECT_EQ(polygon_area_vector(clockwise), (Vec3{0, 0, -9}));
    EXPECT_EQ(polygon_area({}), 0.0);
}

TEST(PressureExample, GivesTheForcesOfTheThesisAndNoNetForce)
{
    // force on a side = k_g / V * side length * outward normal, prism of height 1.
    const double pressure = 10 / polygon_area(kQuad);
    const Vec3 expected[4] = {
        {20.0 / 9, -30.0 / 9, 0}, {20.0 / 9, 10.0 / 9, 0}, {-10.0 / 9, 30.0 / 9, 0}, {-30.0 / 9, -10.0 / 9, 0}};
    const double lengths[4] = {std::sqrt(13.0), std::sqrt(5.0), std::sqrt(10.0), std::sqrt(10.0)};
    Vec3 net;
    for (std::size_t i = 0; i < 4; ++i) {
        // The side's wall is the rectangle raised over it; its area vector points outwards.
        const Vec3 a = kQuad[i], b = kQuad[(i + 1) % 4], up{0, 0, 1};
        const Vec3 wall = area_vector(a, b, b + up) + area_vector(a, b + up, a + up);
        EXPECT_NEAR(norm(wall), lengths[i], 1e-12);
        expect_near(wall * pressure, expected[i], 1e-12);
        net += wall * pressure;
    }
    expect_near(net, {0, 0, 0}, 1e-12);
}

TEST(AreaVector, OfAClosedSurfaceIsZero)
{
    const TriMesh mesh = torus(1, 0.4, 12, 8);
    expect_near(area_vector(mesh.vertices, mesh.triangles), {0, 0, 0}, 1e-14);
}

TEST(Area, OfASphereConvergesToFourPi)
{
    double last_error = 1e9;
    for (int s = 0; s < 5; ++s) {
        const TriMesh sphere = icosphere(1, s);
        const double error = 4 * std::numbers::pi - surface_area(sphere.vertices, sphere.triangles);
        EXPECT_GT(error, 0);
        EXPECT_LT(error, last_error / 2.5);
        last_error = error;
    }
}

TEST(Normals, OfASpherePointOutwards)
{
    const TriMesh sphere = icosphere(2, 3);
    const auto normals = vertex_normals(sphere.vertices, sphere.triangles);
    for (std::size_t v = 0; v < normals.size(); ++v) {
        EXPECT_NEAR(norm(normals[v]), 1, 1e-14);
        EXPECT_GT(dot(normals[v], sphere.vertices[v]) / 2, 0.99);
    }
}

TEST(Normals, OfAGridPointUp)
{
    for (const GridDiagonals diagonals : {GridDiagonals::same, GridDiagonals::alternating}) {
        const TriMesh mesh = grid(4, 3, 2, 1, {diagonals, true});
        for (const Vec3& normal : face_normals(mesh.vertices, mesh.triangles)) expect_near(normal, {0, 1, 0}, 1e-15);
    }
}

TEST(Normals, WithoutAreaAreZeroAndNotNaN)
{
    const std::vector<Vec3> x = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {5, 5, 5}};
    const std::vector<Triangle> flat = {{0, 1, 2}};
    EXPECT_EQ(face_normals(x, flat)[0], Vec3{});
    EXPECT_EQ(vertex_normals(x, flat)[3], Vec3{});
}

TEST(Normals, OfAPolygonAverageItsCorners)
{
    expect_near(polygon_normal(kQuad), {0, 0, 1}, 1e-15);
    // A saddle: corners bend alternately, the mean stays vertical.
    const std::vector<Vec3> saddle = {{0, 0, 0.1}, {1, 0, -0.1}, {1, 1, 0.1}, {0, 1, -0.1}};
    expect_near(polygon_normal(saddle), {0, 0, 1}, 1e-15);
}

TEST(Centroid, OfPointsSurfaceAndSolidOfABoxIsItsMiddle)
{
    TriMesh mesh = box({1, 2, 3}, {3, 1, 2});
    translate(mesh, {4, 5, 6});
    expect_near(surface_centroid(mesh.vertices, mesh.triangles), {4, 5, 6}, 1e-13);
    expect_near(volume_centroid(mesh.vertices, mesh.triangles), {4, 5, 6}, 1e-13);
    expect_near(centroid(mesh.vertices), {4, 5, 6}, 1e-13);
}

TEST(Centroid, OfASolidTetrahedronIsTheMeanOfItsCorners)
{
    const std::vector<Vec3> x = {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}, {0, 0, 4}};
    const std::vector<Triangle> faces = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};
    EXPECT_NEAR(signed_volume(x, faces), 64.0 / 6, 1e-13);
    expect_near(volume_centroid(x, faces), {1, 1, 1}, 1e-14);
}

TEST(BoundingBox, GivesTheApproximateVolumesOfTheThesis)
{
    const TriMesh sphere = uv_sphere(0.5, 32, 16);
    const BoundingBox bounds = bounding_box(sphere.vertices);
    EXPECT_NEAR(box_volume(bounds), 1.0, 1e-12);
    EXPECT_NEAR(ellipsoid_volume(bounds), 4.0 / 3 * std::numbers::pi / 8, 1e-12);
    expect_near(bounds.center(), {0, 0, 0}, 1e-15);
    EXPECT_TRUE(bounding_box({}).is_empty());
    EXPECT_EQ(box_volume(bounding_box({})), 0.0);
}

}  // namespace
}  // namespace pliant
