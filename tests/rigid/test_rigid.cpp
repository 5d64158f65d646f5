// SPDX-License-Identifier: MIT
#include <pliant/rigid/frame.h>

#include <gtest/gtest.h>

#include <cmath>

#include <pliant/rigid/shape.h>
#include <pliant/solver/solver.h>

#include "energy/derivatives.h"
#include "world/small_scenes.h"

namespace pliant {
namespace {

using Nodes = std::array<Vec3, 4>;

Nodes frame_at(const Vec3& c, const Mat3& R)
{
    return {c, column(R, 0), column(R, 1), column(R, 2)};
}

Nodes spinning(const Nodes& x, const Vec3& velocity, const Vec3& w)
{
    return {velocity, cross(w, x[1]), cross(w, x[2]), cross(w, x[3])};
}

TEST(Frame, HasTheInertiaOfItsShape)
{
    std::mt19937 random(1);
    const Mat3 R = test::random_rotation(random);
    const Nodes x = frame_at({1, 2, 3}, R);
    const Mat3 sphere = inertia(sphere_mass(3, 0.5), x);
    const Mat3 box = inertia(box_mass(2, {1, 2, 3}), x);
    const Mat3 expected =
        R * Mat3{{{2.0 / 12 * (4 + 9), 0, 0}, {0, 2.0 / 12 * (1 + 9), 0}, {0, 0, 2.0 / 12 * (1 + 4)}}} * transpose(R);
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) {
            EXPECT_NEAR(sphere(i, j), i == j ? 0.4 * 3 * 0.25 : 0, 1e-14);
            EXPECT_NEAR(box(i, j), expected(i, j), 1e-14);
        }
}

TEST(Frame, KnowsTheAngularVelocityOfItsAxes)
{
    std::mt19937 random(2);
    const Nodes x = frame_at({}, test::random_rotation(random));
    const Vec3 w{1, -2, 0.5};
    EXPECT_LT(norm(angular_velocity(x, spinning(x, {}, w)) - w), 1e-14);
}

TEST(Frame, AnImpulseChangesMomentumAndAngularMomentumByWhatItIs)
{
    std::mt19937 random(3);
    for (int sample = 0; sample < 20; ++sample) {
        const FrameMass mass = box_mass(2, {1, 2, 3});
        const Nodes x = frame_at(test::random_vector(random, 1), test::random_rotation(random));
        Nodes v = spinning(x, test::random_vector(random, 1), test::random_vector(random, 1));
        const Nodes before = v;
        const Vec3 point = test::random_vector(random, 1), j = test::random_vector(random, 1);
        add_frame_impulse(v, mass, x, point, j);
        EXPECT_LT(norm((v[0] - before[0]) * 2.0 - j), 1e-13);
        const Vec3 dw = angular_velocity(x, v) - angular_velocity(x, before);
        EXPECT_LT(norm(inertia(mass, x) * dw - cross(point - x[0], j)), 1e-12);
        // The point itself moves by K j.
        const Vec3 moved = (v[0] - before[0]) + cross(dw, point - x[0]);
        EXPECT_LT(norm(moved - frame_inverse_mass(mass, x, point) * j), 1e-12);
    }
}

TEST(Frame, MakeRigidLeavesARigidOneAloneAndMendsABentOne)
{
    std::mt19937 random(4);
    Nodes x = frame_at({1, 0, 0}, test::random_rotation(random));
    Nodes v = spinning(x, {1, 2, 3}, {0.3, 0.2, -1});
    const Nodes x0 = x, v0 = v;
    make_rigid(x, v);
    for (int k = 0; k < 4; ++k) {
        EXPECT_LT(norm(x[k] - x0[k]), 1e-15);
        EXPECT_LT(norm(v[k] - v0[k]), 1e-15);
    }
    for (int k = 1; k < 4; ++k) x[k] += test::random_vector(random, 0.05);
    make_rigid(x, v);
    for (int a = 1; a < 4; ++a)
        for (int b = 1; b < 4; ++b) EXPECT_NEAR(dot(x[a], x[b]), a == b, 1e-14);
    EXPECT_GT(dot(x[1], cross(x[2], x[3])), 0);
    EXPECT_EQ(x[0], x0[0]);
}

TEST(Frame, ForcesOnItsNodesAccelerateItAsForceAndTorqueDo)
{
    // A force f at material point X is f, X1 f, X2 f, X3 f on the nodes.
    std::mt19937 random(5);
    const FrameMass mass = box_mass(2, {1, 0.5, 0.2});
    const Nodes x = frame_at({0, 1, 0}, test::random_rotation(random));
    const Nodes v = spinning(x, {}, {1, 2, 3});
    const Vec3 X{0.3, -0.1, 0.05}, f{1, 4, -2};
    const Nodes force{f, f * X.x, f * X.y, f * X.z};
    const auto a = rigid_acceleration(mass, x, v, force);
    EXPECT_LT(norm(a[0] - f / 2.0), 1e-14);
    const Mat3 I = inertia(mass, x);
    const Vec3 w = angular_velocity(x, v);
    const Vec3 alpha = inverse(I) * (cross(frame_point(x, X) - x[0], f) - cross(w, I * w));
    for (int k = 1; k < 4; ++k) EXPECT_LT(norm(a[k] - cross(alpha, x[k]) - cross(w, cross(w, x[k]))), 1e-10);
}

// A box that spins about its middle axis, a little off: it turns over again and again.
TEST(Frame, ATorqueFreeBoxTumblesAndKeepsEnergyAndAngularMomentum)
{
    World world = test::world_of(R"({ "world": { "gravity": [0, 0, 0] },
        "bodies": { "book": { "kind": "rigid", "box": [0.3, 0.2, 0.05], "mass": 1.5,
                              "velocity": [0.1, 0, 0], "angular_velocity": [0.01, 6, 0.02] } } })");
    const FrameMass mass = world.model->frame_mass[0];
    const auto nodes = [&](const std::vector<Vec3>& a) { return ConstFrameNodes(a.data(), 4); };
    const auto spin = [&](const State& s) {
        return inertia(mass, nodes(s.x)) * angular_velocity(nodes(s.x), nodes(s.v));
    };
    const auto kinetic = [&](const State& s) { return 0.5 * dot(spin(s), angular_velocity(nodes(s.x), nodes(s.v))); };
    const Vec3 L0 = spin(world.state);
    const double E0 = kinetic(world.state);
    State to = world.state;
    double lowest = 1, highest = -1, crooked = 0;
    for (int i = 0; i < 20000; ++i) {  // 20 s
        ASSERT_TRUE(advance(to, *world.model, world.state, 1e-3, world.scratch).accepted);
        world.state = to;
        const auto x = nodes(world.state.x);
        lowest = std::min(lowest, x[2].y), highest = std::max(highest, x[2].y);
        for (int a = 1; a < 4; ++a)
            for (int b = a; b < 4; ++b) crooked = std::max(crooked, std::abs(dot(x[a], x[b]) - (a == b)));
    }
    EXPECT_LT(lowest, -0.9);  // it turned over (Dzhanibekov)
    EXPECT_GT(highest, 0.9);
    EXPECT_LT(crooked, 1e-12);
    EXPECT_LT(norm(spin(world.state) - L0), 1e-8 * norm(L0));
    EXPECT_NEAR(kinetic(world.state), E0, 1e-8 * E0);
    EXPECT_NEAR(world.state.x[0].x, 2, 1e-12);
}

Shape shape_at(ShapeKind kind)
{
    return {.kind = kind, .radius = 0.5, .half_size = {1, 0.5, 0.25}, .frame = 0};
}

TEST(Shape, DistanceAndNormalAreThoseOfTheShapeEverywhere)
{
    std::mt19937 random(6);
    for (const ShapeKind kind : {ShapeKind::plane, ShapeKind::sphere, ShapeKind::box})
        for (int sample = 0; sample < 300; ++sample) {
            const Nodes x = frame_at(test::random_vector(random, 1), test::random_rotation(random));
            const Shape shape = shape_at(kind);
            const Vec3 point = x[0] + test::random_vector(random, 0.7);
            const ShapeDistance d = shape_distance(shape, x.data(), point);
            EXPECT_NEAR(norm(d.normal), 1, 1e-12);
            // The nearest point of the surface is as far as the distance says, along the normal.
            EXPECT_LT(norm(d.surface + d.normal * d.distance - point), 1e-12);
            EXPECT_NEAR(shape_distance(shape, x.data(), d.surface).distance, 0, 1e-12);
            // Moving along the normal changes the distance by as much (away from the box's middle).
            const double h = 1e-7;
            EXPECT_NEAR(shape_distance(shape, x.data(), point + d.normal * h).distance, d.distance + h, 1e-12);
        }
}

TEST(Shape, BoxDistanceIsTheLeastOverManySurfacePoints)
{
    std::mt19937 random(7);
    std::uniform_real_distribution<double> even(-1, 1);
    const Nodes x = frame_at({}, identity3<double>());
    const Shape shape = shape_at(ShapeKind::box);
    const Vec3 half = shape.half_size;
    for (int sample = 0; sample < 20; ++sample) {
        const Vec3 point = test::random_vector(random, 0.8);
        double least = 1e9;
        for (int k = 0; k < 20000; ++k) {
            Vec3 s{half.x * even(random), half.y * even(random), half.z * even(random)};
            s[k % 3] = k % 2 ? half[k % 3] : -half[k % 3];
            least = std::min(least, norm(s - point));
        }
        EXPECT_NEAR(std::abs(shape_distance(shape, x.data(), point).distance), least, 0.03);
        const bool inside = std::abs(point.x) < half.x && std::abs(point.y) < half.y && std::abs(point.z) < half.z;
        EXPECT_EQ(shape_distance(shape, x.data(), point).distance < 0, inside);
    }
}

TEST(Shape, TheCentreOfASphereHasSomeWayOut)
{
    const Nodes x = frame_at({1, 1, 1}, identity3<double>());
    const ShapeDistance d = shape_distance(shape_at(ShapeKind::sphere), x.data(), {1, 1, 1});
    EXPECT_EQ(d.distance, -0.5);
    EXPECT_EQ(norm(d.normal), 1);
    const ShapeDistance b = shape_distance(shape_at(ShapeKind::box), x.data(), {1, 1, 1});
    EXPECT_EQ(b.distance, -0.25);
    EXPECT_EQ(norm(b.normal), 1);
}

TEST(Shape, BoundingRadiusHoldsTheShape)
{
    EXPECT_EQ(bounding_radius(shape_at(ShapeKind::sphere)), 0.5);
    EXPECT_NEAR(bounding_radius(shape_at(ShapeKind::box)), std::sqrt(1 + 0.25 + 0.0625), 1e-15);
    EXPECT_TRUE(std::isinf(bounding_radius(shape_at(ShapeKind::plane))));
}

}  // namespace
}  // namespace pliant
