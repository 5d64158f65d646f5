// SPDX-License-Identifier: MIT
#include <pliant/rigid/mass_properties.h>

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include <pliant/base/error.h>
#include <pliant/mesh/shapes.h>
#include <pliant/mesh/transform.h>
#include <pliant/rigid/convex_hull.h>
#include <pliant/rigid/surfaces.h>

#include "energy/derivatives.h"
#include "world/small_scenes.h"

namespace pliant {
namespace {

constexpr double kPi = std::numbers::pi;

MassMoments moments_of(const TriMesh& mesh, double density = 1)
{
    return mesh_moments(mesh.vertices, mesh.triangles, density);
}

// Largest difference, as a share of the larger of each kind of number.
double difference(const MassMoments& a, const MassMoments& b)
{
    double second = 0, size = 0;
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) {
            second = std::max(second, std::abs(a.second(i, j) - b.second(i, j)));
            size = std::max(size, std::abs(b.second(i, j)));
        }
    const double length = std::sqrt(size / b.mass);
    return std::max({std::abs(a.mass / b.mass - 1), second / size, norm(a.centre - b.centre) / length});
}

TEST(MassProperties, OfABoxMeshAreThoseOfTheBoxWhereverItIs)
{
    std::mt19937 random(1);
    for (int sample = 0; sample < 10; ++sample) {
        const Vec3 size{0.5 + sample, 1.5, 0.3};
        TriMesh mesh = box(size, {3, 2, 1});
        const Mat3 turn = test::random_rotation(random);
        const Vec3 shift = test::random_vector(random, 3);
        for (Vec3& x : mesh.vertices) x = turn * x + shift;
        EXPECT_LT(difference(moments_of(mesh, 700), placed(box_moments(size, 700), turn, shift)), 1e-13);
    }
}

TEST(MassProperties, FollowTheClosedFormulas)
{
    const MassMoments ball = sphere_moments(0.3, 500), rod = cylinder_moments(0.2, 1.5, 800);
    EXPECT_NEAR(ball.mass, 500 * 4.0 / 3 * kPi * 0.027, 1e-11);
    EXPECT_NEAR(ball.second(0, 0), ball.mass * 0.09 / 5, 1e-12);
    EXPECT_NEAR(rod.mass, 800 * kPi * 0.04 * 1.5, 1e-11);
    // Inertia about the axis m r^2 / 2, across it m (3 r^2 + l^2) / 12.
    EXPECT_NEAR(rod.second(0, 0) + rod.second(2, 2), rod.mass * 0.04 / 2, 1e-12);
    EXPECT_NEAR(rod.second(1, 1) + rod.second(2, 2), rod.mass * (3 * 0.04 + 2.25) / 12, 1e-12);
    const MassMoments capsule = capsule_moments(0.2, 1.5, 800);
    const double caps = 800 * 4.0 / 3 * kPi * 0.008;
    EXPECT_NEAR(capsule.mass, rod.mass + caps, 1e-11);
    EXPECT_NEAR(capsule.second(0, 0) + capsule.second(2, 2), rod.mass * 0.04 / 2 + caps * 0.4 * 0.04, 1e-11);
    // A capsule without a straight part is a ball.
    EXPECT_LT(difference(capsule_moments(0.3, 1e-12, 500), ball), 1e-10);
}

// Surfaces inscribed in a shape tend to it with the square of the facets' width.
TEST(MassProperties, OfFinerAndFinerSurfacesTendToTheShapes)
{
    const auto errors = [](int facets) {
        return std::array{difference(moments_of(sphere_surface(0.4, facets)), sphere_moments(0.4, 1)),
                          difference(moments_of(cylinder_surface(0.4, 1, facets)), cylinder_moments(0.4, 1, 1)),
                          difference(moments_of(capsule_surface(0.4, 1, facets)), capsule_moments(0.4, 1, 1))};
    };
    const auto coarse = errors(40), fine = errors(80);
    for (std::size_t i = 0; i < 3; ++i) {
        EXPECT_LT(coarse[i], 0.03) << i;
        EXPECT_NEAR(coarse[i] / fine[i], 4, 0.2) << i;
    }
}

TEST(MassProperties, OfSurfacesAreTheirCornersOnTheShape)
{
    for (const int facets : {3, 8, 33}) {
        const double r = 0.25, l = 0.7;
        for (const Vec3& x : capsule_surface(r, l, facets).vertices) {
            const double beyond = std::max(std::abs(x.y) - l / 2, 0.0);
            EXPECT_NEAR(std::sqrt(x.x * x.x + x.z * x.z + beyond * beyond), r, 1e-14);
        }
        EXPECT_GT(moments_of(capsule_surface(r, l, facets)).mass, 0);
        EXPECT_GT(moments_of(cylinder_surface(r, l, facets)).mass, 0);
    }
}

// Facets about a radius larger by round_share() have the shape inside them, and one of them touches it.
TEST(MassProperties, OfFacetsAroundAShapeLeaveNothingOfItOutside)
{
    const auto least_height = [](const TriMesh& mesh, double length, bool has_ends) {
        double least = HUGE_VAL;
        for (const Triangle& t : mesh.triangles) {
            const Vec3 a = mesh.vertices[t[0]];
            const Vec3 across = cross(mesh.vertices[t[1]] - a, mesh.vertices[t[2]] - a), n = across / norm(across);
            if (has_ends && std::abs(n.y) > 0.999) continue;
            // Of the round shape's axis, the end that reaches farthest along the normal.
            least = std::min(least, dot(a - Vec3{0, n.y > 0 ? length / 2 : -length / 2, 0}, n));
        }
        return least;
    };
    const double r = 0.25, l = 0.7;
    for (const int facets : {5, 12, 48}) {
        const double ball = r / round_share(sphere_surface(r, facets), r, 0);
        EXPECT_NEAR(least_height(sphere_surface(ball, facets), 0, false), r, 1e-12);
        const double pipe = r / round_share(cylinder_surface(r, l, facets), r, l);
        EXPECT_NEAR(pipe, r / std::cos(kPi / facets), 1e-12);
        EXPECT_NEAR(least_height(cylinder_surface(pipe, l, facets), l, true), r, 1e-12);
        const double pill = r / round_share(capsule_surface(r, l, facets), r, l);
        EXPECT_NEAR(least_height(capsule_surface(pill, l, facets), l, false), r, 1e-12);
    }
}

// A prism of n sides: exact, whatever n is.
TEST(MassProperties, OfACylinderMeshAreThoseOfThePrism)
{
    const int n = 7;
    const double r = 0.6, l = 1.1, area = n * r * r * std::sin(2 * kPi / n) / 2;
    const MassMoments prism = moments_of(cylinder(r, l, n, 2, true), 3);
    EXPECT_NEAR(prism.mass, 3 * area * l, 1e-13);
    EXPECT_NEAR(prism.second(1, 1), prism.mass * l * l / 12, 1e-13);
    EXPECT_NEAR(prism.second(0, 0), prism.mass * r * r * (2 + std::cos(2 * kPi / n)) / 12, 1e-13);
    EXPECT_NEAR(prism.second(2, 2), prism.second(0, 0), 1e-13);
}

TEST(MassProperties, OfPartsAreThoseOfTheWhole)
{
    const MassMoments whole = placed(box_moments({2, 1, 0.5}, 10), identity3<double>(), {1, 2, 3});
    std::vector<MassMoments> parts;
    for (const double x : {0.25, 0.75, 1.25, 1.75})
        parts.push_back(placed(box_moments({0.5, 1, 0.5}, 10), identity3<double>(), {x, 2, 3}));
    EXPECT_LT(difference(together(parts), whole), 1e-14);
    // A hollow: the hole has negative mass.
    TriMesh shell = box({1, 1, 1}), hole = box({0.5, 0.5, 0.5});
    reverse_orientation(hole);
    append(shell, hole);
    const std::vector<MassMoments> hollow{box_moments({1, 1, 1}, 2), box_moments({0.5, 0.5, 0.5}, -2)};
    EXPECT_LT(difference(moments_of(shell, 2), together(hollow)), 1e-14);
}

TEST(MassProperties, PrincipalAxesMakeTheMomentsDiagonal)
{
    std::mt19937 random(2);
    for (int sample = 0; sample < 20; ++sample) {
        const Mat3 turn = test::random_rotation(random);
        const Vec3 shift = test::random_vector(random, 1);
        const std::vector<MassMoments> parts{
            placed(box_moments({1, 0.2, 0.3}, 5), turn, shift),
            placed(sphere_moments(0.3, 8), identity3<double>(), test::random_vector(random, 1))};
        const MassMoments whole = together(parts);
        const PrincipalFrame frame = principal_frame(whole);
        const Mat3 own = transpose(frame.axes) * whole.second * frame.axes;
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j)
                EXPECT_NEAR(own(i, j), i == j ? frame.mass.J[static_cast<std::size_t>(i)] : 0, 1e-13 * whole.mass);
        EXPECT_NEAR(determinant(frame.axes), 1, 1e-13);
        EXPECT_EQ(frame.centre, whole.centre);
    }
    // Axes that are principal stay.
    EXPECT_EQ(principal_frame(box_moments({1, 2, 3}, 1)).axes, identity3<double>());
}

std::string complaint_of(const TriMesh& mesh)
{
    try {
        moments_of(mesh);
    } catch (const Error& error) {
        return to_string(error.problems().front());
    }
    return "";
}

TEST(MassProperties, AreRefusedWhereNothingIsEnclosed)
{
    TriMesh open = box({1, 1, 1});
    open.triangles.pop_back();
    EXPECT_NE(complaint_of(open).find("3 open edges"), std::string::npos) << complaint_of(open);
    TriMesh inside_out = icosphere(1, 1);
    reverse_orientation(inside_out);
    EXPECT_NE(complaint_of(inside_out).find("inside out"), std::string::npos);
    EXPECT_NE(complaint_of(inside_out).find("-3.65"), std::string::npos) << complaint_of(inside_out);
    TriMesh flipped = box({1, 1, 1});
    std::swap(flipped.triangles[0][0], flipped.triangles[0][1]);
    EXPECT_NE(complaint_of(flipped).find("no volume"), std::string::npos);
    TriMesh flat = box({1, 1, 1});
    for (Vec3& x : flat.vertices) x.y = 0;
    EXPECT_NE(complaint_of(flat).find("flat"), std::string::npos) << complaint_of(flat);
    EXPECT_NE(complaint_of({}).find("no triangles"), std::string::npos);
}

// A mesh without symmetry that tumbles: its frame is the principal one, so angular momentum and energy stay.
TEST(MassProperties, LetAnAsymmetricBodyTumbleFreely)
{
    World world = test::world_of(R"({
        "world": { "gravity": [0, 0, 0] },
        "solver": { "kind": "rk4", "step": 0.002, "substeps": 1 },
        "bodies": { "hare": { "kind": "rigid", "mesh": { "hare": 6, "height": 0.4 }, "density": 300,
            "position": [1, 2, 3], "rotate_axis": [1, 1, 0], "rotate_degrees": 40,
            "velocity": [0.1, 0, 0], "angular_velocity": [3, 5, -2] } } })");
    const Model& model = *world.model;
    const TriMesh mesh = hare(6, 0.4);
    const MassMoments expected = placed(moments_of(mesh, 300), rotation_matrix({1, 1, 0}, 40 * kPi / 180), {1, 2, 3});
    EXPECT_NEAR(model.mass[0], expected.mass, 1e-12);
    EXPECT_LT(norm(world.state.x[0] - expected.centre), 1e-14);
    const auto momentum = [&] {
        const ConstFrameNodes x(&world.state.x[0], 4), v(&world.state.v[0], 4);
        return inertia(model.frame_mass[0], x) * angular_velocity(x, v);
    };
    // The tensor is that of the placed mesh.
    const Mat3 tensor = inertia(model.frame_mass[0], ConstFrameNodes(&world.state.x[0], 4));
    const double trace = expected.second(0, 0) + expected.second(1, 1) + expected.second(2, 2);
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            EXPECT_NEAR(tensor(i, j), (i == j ? trace : 0) - expected.second(i, j), 1e-13 * trace);
    const Vec3 before = momentum();
    const double energy = test::measure(world, "energy.kinetic");
    EXPECT_FALSE(step(world, 2).failed());
    EXPECT_LT(norm(momentum() - before), 1e-8 * norm(before));
    EXPECT_NEAR(test::measure(world, "energy.kinetic"), energy, 1e-8 * energy);
    EXPECT_LT(norm(world.state.x[0] - expected.centre - Vec3{0.2, 0, 0}), 1e-12);
    // Its vertices keep their distances.
    const std::int32_t first = model.bodies[0].first_point;
    EXPECT_NEAR(norm(world.state.x[first] - world.state.x[first + 5]), norm(mesh.vertices[0] - mesh.vertices[5]),
                1e-13);
}

TEST(MassProperties, OfScenesAreThoseOfTheirShapes)
{
    const auto mass_of = [](const std::string& shape) {
        const World world = test::world_of(R"({ "bodies": { "thing": { "kind": "rigid", )" + shape + "} } }");
        return world.model->frame_mass.at(0);
    };
    const FrameMass capsule = mass_of(R"("capsule": [0.1, 0.5], "density": 1000)");
    const MassMoments exact = capsule_moments(0.1, 0.5, 1000);
    EXPECT_NEAR(capsule.mass, exact.mass, 1e-12);
    EXPECT_NEAR(capsule.J[1], exact.second(1, 1), 1e-14);
    const FrameMass cylinder = mass_of(R"("cylinder": [0.1, 0.5], "mass": 2)");
    EXPECT_NEAR(cylinder.J[0], 2 * 0.01 / 4, 1e-15);
    const FrameMass hull = mass_of(R"("hull": { "box": [3, 3, 3], "size": [1, 2, 3] }, "mass": 12)");
    EXPECT_NEAR(hull.J[0] + hull.J[1] + hull.J[2], 1 + 4 + 9, 1e-12);
    // A dumbbell: two balls and a rod, across it by the parallel axes.
    const FrameMass dumbbell = mass_of(R"("parts": [
        { "sphere": 0.1, "mass": 1, "position": [-0.5, 0, 0] }, { "sphere": 0.1, "mass": 3, "position": [0.5, 0, 0] },
        { "cylinder": [0.02, 0.8], "mass": 2, "rotate_axis": [0, 0, 1], "rotate_degrees": 90 } ])");
    const double centre = (3 - 1) * 0.5 / 6, ball = 0.01 / 5;
    EXPECT_NEAR(dumbbell.mass, 6, 1e-14);
    const double along = *std::max_element(dumbbell.J.begin(), dumbbell.J.end());
    EXPECT_NEAR(
        along, 4 * ball + std::pow(0.5 + centre, 2) + 3 * std::pow(0.5 - centre, 2) + 2 * (0.64 / 12 + centre * centre),
        1e-13);
}

}  // namespace
}  // namespace pliant
