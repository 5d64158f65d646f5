// SPDX-License-Identifier: MIT

// Things to lay cloth on: table, bottle, hare: closedness, volumes, smoothness, quality, groups.

#include <algorithm>
#include <numbers>

#include <gtest/gtest.h>

#include <pliant/base/error.h>
#include <pliant/mesh/measure.h>
#include <pliant/mesh/quality.h>
#include <pliant/mesh/shapes.h>
#include <pliant/mesh/topology.h>

namespace pliant {
namespace {

constexpr double kPi = std::numbers::pi;

double volume(const TriMesh& mesh)
{
    return signed_volume(mesh.vertices, mesh.triangles);
}

const Vec3& at(const TriMesh& mesh, std::int32_t v)
{
    return mesh.vertices[static_cast<std::size_t>(v)];
}

void expect_closed_outward(const TriMesh& mesh)
{
    EXPECT_EQ(to_text(closedness(mesh.triangles, mesh.vertices.size())), "closed, manifold, oriented");
    EXPECT_GT(volume(mesh), 0);
}

/// Largest angle between the normals of neighbouring triangles [degrees].
double sharpest_edge(const TriMesh& mesh)
{
    double worst = 0;
    for (const auto& [a, b, c, d] : hinges(mesh.triangles)) {
        const Vec3 one = area_vector(at(mesh, a), at(mesh, b), at(mesh, c));
        const Vec3 other = area_vector(at(mesh, b), at(mesh, a), at(mesh, d));
        worst = std::max(worst, std::atan2(norm(cross(one, other)), dot(one, other)));
    }
    return worst * 180 / kPi;
}

TEST(Table, IsFiveClosedShellsOnTheFloor)
{
    const TriMesh mesh = table(1.2, 0.8, 0.75, {.board = 0.03, .leg_radius = 0.025, .segments = 48, .rings = 10});
    expect_closed_outward(mesh);
    EXPECT_EQ(connected_components(mesh.vertices.size(), mesh.triangles).count, 5u);
    EXPECT_EQ(euler_characteristic(mesh.triangles), 5 * 2);
    const BoundingBox bounds = bounding_box(mesh.vertices);
    EXPECT_EQ(bounds.lowest.y, 0);
    EXPECT_NEAR(bounds.highest.y, 0.75, 1e-15);
    EXPECT_NEAR(bounds.size().x, 1.2, 1e-15);
    EXPECT_NEAR(bounds.size().z, 0.8, 1e-15);
    const double circle = 48 * 0.5 * std::sin(2 * kPi / 48) * 0.025 * 0.025;
    EXPECT_NEAR(volume(mesh), 1.2 * 0.8 * 0.03 + 4 * 0.72 * circle, 1e-12);
}

TEST(Table, HasATopOfTwoTrianglesAndFineLegs)
{
    const TriMesh mesh = table(1.2, 0.8, 0.75);
    std::size_t top = 0;
    for (const Triangle& t : mesh.triangles) {
        const bool is_high = std::all_of(t.begin(), t.end(), [&](std::int32_t v) { return at(mesh, v).y > 0.7499; });
        top += is_high ? 1 : 0;
    }
    EXPECT_EQ(top, 2u);
    EXPECT_EQ(mesh.find_group("top")->vertices.size(), 4u);
    for (const std::int32_t v : mesh.find_group("top")->vertices) EXPECT_NEAR(at(mesh, v).y, 0.75, 1e-15);
    EXPECT_EQ(mesh.find_group("board")->vertices.size(), 8u);
    EXPECT_EQ(mesh.find_group("legs")->vertices.size(), 4u * (32 * 17 + 2));
    EXPECT_EQ(mesh.find_group("feet")->vertices.size(), 4u * 33);
    for (const std::int32_t v : mesh.find_group("feet")->vertices) EXPECT_EQ(at(mesh, v).y, 0);
    EXPECT_EQ(mesh.triangles.size(), 12u + 4 * (2 * 32 * 16 + 2 * 32));
}

TEST(Table, LegsStandUnderTheBoard)
{
    const TriMesh mesh = table(1, 0.6, 0.7, {.board = 0.02, .leg_radius = 0.03, .segments = 12, .rings = 2});
    for (const std::int32_t v : mesh.find_group("legs")->vertices) {
        const Vec3& x = at(mesh, v);
        EXPECT_LT(std::abs(x.x), 0.5 - 0.01);
        EXPECT_LT(std::abs(x.z), 0.3 - 0.01);
        EXPECT_LE(x.y, 0.7 - 0.02 + 1e-15);
    }
}

TEST(Bottle, IsClosedAndStandsOnTheFloor)
{
    const TriMesh mesh = bottle(0.04, 0.3, 32, 48);
    expect_closed_outward(mesh);
    EXPECT_EQ(euler_characteristic(mesh.triangles), 2);
    EXPECT_EQ(mesh.vertices.size(), 32u * 47 + 2);
    const BoundingBox bounds = bounding_box(mesh.vertices);
    EXPECT_EQ(bounds.lowest.y, 0);
    EXPECT_EQ(bounds.highest.y, 0.3);
    EXPECT_NEAR(bounds.highest.x, 0.04, 1e-12);
    EXPECT_EQ(at(mesh, mesh.find_group("top")->vertices[0]), (Vec3{0, 0.3, 0}));
    EXPECT_EQ(at(mesh, mesh.find_group("bottom")->vertices[0]), (Vec3{}));
}

TEST(Bottle, HasBodyShoulderAndNeck)
{
    const TriMesh mesh = bottle(0.04, 0.3, 64, 400);
    const auto radius_at = [&](double y) {
        double nearest = 1, radius = 0;
        for (const Vec3& x : mesh.vertices)
            if (std::abs(x.y - y) < nearest) nearest = std::abs(x.y - y), radius = std::hypot(x.x, x.z);
        return radius;
    };
    EXPECT_NEAR(radius_at(0.03), 0.04, 1e-9);
    EXPECT_NEAR(radius_at(0.15), 0.04, 1e-9);
    EXPECT_NEAR(radius_at(0.3 * 0.665), (1 + 0.35) / 2 * 0.04, 2e-4);
    EXPECT_NEAR(radius_at(0.25), 0.014, 1e-9);
    EXPECT_NEAR(radius_at(0.28), 0.014, 1e-9);
    // Discs of the profile: the mean of r^2 over half a wave from 1 to a is (3 + 2 a + 3 a^2) / 8.
    const double a = 0.35, foot = 0.2 * 0.04, lip = 0.3 * 0.014;
    double expected = 0.55 + 0.23 * (3 + 2 * a + 3 * a * a) / 8 + 0.22 * a * a;
    expected *= kPi * 0.04 * 0.04 * 0.3;
    // What a rounded edge e takes from a cylinder R, by Pappus: its area times the way of its middle.
    for (const auto& [radius, edge] : {std::pair{0.04, foot}, std::pair{0.014, lip}})
        expected -= 2 * kPi * edge * edge * ((1 - kPi / 4) * (radius - edge) + edge * (0.5 - 1.0 / 3));
    EXPECT_NEAR(volume(mesh), expected, 2e-3 * expected);
}

TEST(Bottle, IsSmooth)
{
    const double coarse = sharpest_edge(bottle(0.04, 0.3, 64, 100)), fine = sharpest_edge(bottle(0.04, 0.3, 256, 400));
    EXPECT_LT(coarse, 60);
    EXPECT_LT(fine, coarse / 3);
    EXPECT_EQ(quality(bottle(0.04, 0.3, 24, 8)).degenerate_triangles, 0u);
    expect_closed_outward(bottle(0.5, 0.2, 3, 8));
}

TEST(Hare, HasTwentyTrianglesTimesTheFrequencySquared)
{
    for (const int f : {4, 5, 9, 22}) {
        const TriMesh mesh = hare(f, 0.4);
        EXPECT_EQ(mesh.triangles.size(), static_cast<std::size_t>(20 * f * f));
        EXPECT_EQ(mesh.vertices.size(), static_cast<std::size_t>(10 * f * f + 2));
        expect_closed_outward(mesh);
        EXPECT_EQ(euler_characteristic(mesh.triangles), 2);
        const BoundingBox bounds = bounding_box(mesh.vertices);
        EXPECT_EQ(bounds.lowest.y, 0);
        EXPECT_NEAR(bounds.highest.y, 0.4, 1e-15);
    }
}

TEST(Hare, CannotMeetItself)
{
    for (const int f : {4, 15, 22, 30}) {
        const TriMesh mesh = hare(f, 1);
        // A point that sees all triangles from inside, once each: their solid angles add up to one sphere.
        // It lies within the chest, above the floor by the depth of the sole.
        const Vec3 chest{0, 0.26, 0};
        double sphere = 0;
        for (const Triangle& t : mesh.triangles) {
            const Vec3 a = normalized(at(mesh, t[0]) - chest), b = normalized(at(mesh, t[1]) - chest),
                       c = normalized(at(mesh, t[2]) - chest);
            const double triple = dot(a, cross(b, c));
            ASSERT_GT(triple, 0) << f;
            sphere += 2 * std::atan2(triple, 1 + dot(a, b) + dot(b, c) + dot(c, a));
        }
        EXPECT_NEAR(sphere, 4 * kPi, 1e-9) << f;
    }
}

TEST(Hare, HasTrianglesOfGoodShapeOnTheEarsToo)
{
    for (const int f : {4, 8, 15, 22, 30}) {
        const MeshQuality report = quality(hare(f, 1));
        EXPECT_GT(report.smallest_angle * 180 / kPi, 20) << f;
        EXPECT_LT(report.worst_aspect, 2) << f;
        EXPECT_EQ(report.degenerate_triangles, 0u) << f;
    }
    EXPECT_LT(sharpest_edge(hare(40, 1)), 0.7 * sharpest_edge(hare(20, 1)));
}

TEST(Hare, HasEarsATailAndAFlatSole)
{
    const TriMesh mesh = hare(30, 1);
    std::size_t left = 0, right = 0, sole = 0;
    for (const Vec3& x : mesh.vertices) {
        left += x.y > 0.8 && x.z < -0.02 ? 1 : 0, right += x.y > 0.8 && x.z > 0.02 ? 1 : 0;
        sole += x.y < 0.02 ? 1 : 0;
        EXPECT_FALSE(x.y > 0.8 && std::abs(x.z) < 0.02);  // between the ears
    }
    EXPECT_GT(left, 50u);
    EXPECT_GT(right, 50u);
    EXPECT_GT(sole, 300u);
    const BoundingBox bounds = bounding_box(mesh.vertices);
    EXPECT_LT(bounds.lowest.x, -0.65);
    EXPECT_NEAR(bounds.lowest.z, -bounds.highest.z, 1e-3);
}

std::string words_of(void (*make)())
{
    try {
        make();
    } catch (const Error& error) {
        return error.what();
    }
    return "nothing was refused";
}

TEST(Props, RefuseImpossibleNumbersInWords)
{
    EXPECT_NE(words_of([] { table(0, 1, 1); }).find("table: the length is 0"), std::string::npos);
    EXPECT_NE(words_of([] { table(1, 1, 0.5, {.board = 0.5}); }).find("height - board"), std::string::npos);
    EXPECT_NE(words_of([] { table(1, 0.5, 1, {.leg_radius = 0.1}); }).find("space between the legs"),
              std::string::npos);
    EXPECT_NE(words_of([] { table(1, 1, 1, {.segments = 2}); }).find("2 segments, expected at least 3"),
              std::string::npos);
    EXPECT_NE(words_of([] { bottle(1, -1, 8, 8); }).find("the height is -1"), std::string::npos);
    EXPECT_NE(words_of([] { bottle(1, 1, 8, 7); }).find("7 rings, expected at least 8"), std::string::npos);
    EXPECT_NE(words_of([] { bottle(1, 1, 2, 8); }).find("2 segments, expected at least 3"), std::string::npos);
    EXPECT_NE(words_of([] { hare(3, 1); }).find("3 cuts along an edge (frequency), expected at least 4"),
              std::string::npos);
    EXPECT_NE(words_of([] { hare(22, 0); }).find("the height is 0"), std::string::npos);
    EXPECT_NE(words_of([] { hare(100'000, 1); }).find("vertices asked for"), std::string::npos);
}

}  // namespace
}  // namespace pliant
