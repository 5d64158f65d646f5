// SPDX-License-Identifier: MIT
#include <pliant/energy/simplex_shape.h>

#include <gtest/gtest.h>

#include <utility>

#include "energy/derivatives.h"

namespace pliant {
namespace {

using test::check_derivatives;
using test::check_rest;
using test::Projection;

using Corners = std::array<Vec3, 4>;
using ShapeRest = SimplexShape::Rest<double>;

constexpr SimplexShape kShape{.k_shape = 200, .k_d = 3};

struct Circle {
    Vec3 centre, normal;
    double radius;
};

Circle circumcircle(const Vec3& a, const Vec3& b, const Vec3& c)
{
    const Vec3 u = b - a, v = c - a, N = cross(u, v);
    const Vec3 to_centre = (cross(N, u) * norm2(v) + cross(v, N) * norm2(u)) / (2 * norm2(N));
    return {a + to_centre, normalized(N), norm(to_centre)};
}

// The rest shape in which x lies, from the sphere through the four corners.
ShapeRest rest_of(const Corners& x, double weight = 1)
{
    const auto& [p, a, b, c] = x;
    const Circle circle = circumcircle(a, b, c);
    const Vec3 N = cross(b - a, c - a);
    const double h = dot(circle.normal, p - a);
    const Vec3 foot = p - circle.normal * h;
    const double e2 = dot(N, cross(foot - a, c - a)) / norm2(N), e3 = dot(N, cross(b - a, foot - a)) / norm2(N);
    const double r = circle.radius, power = r * r - norm2(foot - circle.centre);
    const double q = (h * h - power) / 2;  // height of p times that of the sphere's centre
    const double sphere = std::hypot(r * h, q), side = h * h + power < 0 ? -1 : 1;
    return {1 - e2 - e3, e2, e3, side * r * h / sphere, -side * q / sphere, weight};
}

// p* by the book: circumcentre, distance of the foot, root of the sphere's equation.
Vec3 place_of(const ShapeRest& rest, const Corners& x)
{
    const auto& [p, a, b, c] = x;
    const Circle circle = circumcircle(a, b, c);
    const Vec3 foot = a * rest.e1 + b * rest.e2 + c * rest.e3;
    const double r = circle.radius, d = norm(foot - circle.centre), s = rest.sin_angle, t = rest.cos_angle;
    const double root = std::sqrt(r * r * t * t + (r * r - d * d) * s * s);
    const double h = t > 0 ? (r * r - d * d) * s / (root + r * t) : (root - r * t) / s;
    return foot + circle.normal * h;
}

constexpr Vec3 kA{0.1, 0.2, -0.3}, kB{1.2, 0.1, 0.1}, kC{0.4, 1.0, 0.2};

Corners corners(double e2, double e3, double h)
{
    const Vec3 foot = kA * (1 - e2 - e3) + kB * e2 + kC * e3;
    return {foot + circumcircle(kA, kB, kC).normal * h, kA, kB, kC};
}

// Domes, dents, spikes and flat places, with the foot inside the triangle, inside the circumcircle
// only, and outside both.
std::vector<Corners> shapes()
{
    std::vector<Corners> all;
    for (const auto& [e2, e3] : {std::pair{0.33, 0.31}, std::pair{0.6, 0.3}, std::pair{0.55, 0.6}})
        for (const double h : {0.0, 1e-9, 0.2, -0.3, 0.7, -2.5, 6.0}) all.push_back(corners(e2, e3, h));
    for (const double h : {0.0, -1e-9, 0.2, -0.3, 2.0}) all.push_back(corners(1.1, 0.9, h));
    return all;
}

Corners shaken(const Corners& x, double size, std::mt19937& random)
{
    Corners moved = x;
    for (Vec3& corner : moved) corner += test::random_vector(random, size);
    return moved;
}

TEST(SimplexShape, HasTheEnergyAndForceOfAVertexBesideItsPlace)
{
    // On the unit circle with a right angle the place is the top of a hemisphere, (0, 0, 1).
    const double half = 0.5, side = std::sqrt(3) / 2, third = 1.0 / 3;
    const ShapeRest rest{third, third, third, 1, 0, 1};
    const Corners x{Vec3{0.1, 0, 1.3}, Vec3{1, 0, 0}, Vec3{-half, side, 0}, Vec3{-half, -side, 0}};
    const Element<SimplexShape, double> element(kShape, rest, x);
    EXPECT_NEAR(element.energy(), 0.5 * 200 * (0.01 + 0.09), 1e-12);
    EXPECT_LT(norm(-element.gradient(0) - Vec3{-20, 0, -60}), 1e-12);
}

TEST(SimplexShape, MovesTheVertexWithTheClassicalForce)
{
    std::mt19937 random(1);
    for (const Corners& shape : shapes()) {
        const ShapeRest rest = rest_of(shape);
        const Corners x = shaken(shape, 0.05, random);
        const Element<SimplexShape, double> element(kShape, rest, x);
        const Vec3 classical = (place_of(rest, x) - x[0]) * 200;
        EXPECT_LT(norm(-element.gradient(0) - classical), 1e-11 * norm(classical));
    }
}

TEST(SimplexShape, ReactsOnTheNeighboursSoThatMomentumIsKept)
{
    std::mt19937 random(2);
    for (const Corners& shape : shapes()) {
        const ShapeRest rest = rest_of(shape);
        const Corners x = shaken(shape, 0.05, random);
        const Element<SimplexShape, double> element(kShape, rest, x);
        Vec3 force, torque;
        double largest = 0;
        for (int i = 0; i < 4; ++i) {
            force += element.gradient(i), torque += cross(x[i], element.gradient(i));
            largest = std::max(largest, norm(element.gradient(i)));
        }
        EXPECT_GT(norm(element.gradient(0)), 1e-3);
        EXPECT_LT(norm(force), 1e-14 * largest);
        EXPECT_LT(norm(torque), 1e-13 * largest);
    }
}

TEST(SimplexShape, IsRelaxedInItsRestShapeAtAnySizeAndPlace)
{
    std::mt19937 random(3);
    for (const Corners& shape : shapes())
        for (const double scale : {1e-3, 1.0, 1e3}) {
            SCOPED_TRACE(testing::Message() << "scale " << scale);
            const Mat3 R = test::random_rotation(random);
            const Vec3 shift = test::random_vector(random, scale);
            Corners x;
            for (int i = 0; i < 4; ++i) x[i] = R * shape[i] * scale + shift;
            check_rest(kShape, rest_of(shape), x);
        }
}

TEST(SimplexShape, DerivativesHoldInTheRestShapeWithTheWholeHessian)
{
    // Without stress the dropped curvature is zero: the Hessian must be that of the energy.
    for (const Corners& shape : shapes()) {
        SCOPED_TRACE(testing::Message() << "vertex " << shape[0].x << " " << shape[0].y << " " << shape[0].z);
        check_derivatives(kShape, rest_of(shape, 0.7), shape, Projection::inactive);
        test::check_rigid_motion_is_undamped(kShape, rest_of(shape, 0.7), shape);
    }
}

TEST(SimplexShape, DerivativesHoldInDeformedShapes)
{
    std::mt19937 random(4);
    for (const Corners& shape : shapes())
        for (const double size : {0.01, 0.1}) {
            const Corners x = shaken(shape, size, random);
            SCOPED_TRACE(testing::Message() << "vertex " << x[0].x << " " << x[0].y << " " << x[0].z);
            check_derivatives(kShape, rest_of(shape), x);
            test::check_rigid_motion_is_undamped(kShape, rest_of(shape), x);
        }
}

TEST(SimplexShape, RowsHaveTheGradientsThatJetsFind)
{
    using J = Jet<double, 12>;
    std::mt19937 random(5);
    for (const Corners& shape : shapes()) {
        const ShapeRest rest = rest_of(shape);
        const Corners at = shaken(shape, 0.05, random);
        std::array<Vec3T<J>, 4> x;
        for (int i = 0; i < 4; ++i)
            for (int k = 0; k < 3; ++k) x[i][k] = J::variable(at[i][k], static_cast<std::size_t>(3 * i + k));
        const auto jets = kShape.strain(test::rest_over<SimplexShape, J>(rest), x);
        const auto rows = kShape.strain(rest, at);
        for (int m = 0; m < 3; ++m)
            for (int i = 0; i < 4; ++i)
                for (int k = 0; k < 3; ++k)
                    EXPECT_NEAR(rows.d[m][i][k], jets.e[m].derivative[static_cast<std::size_t>(3 * i + k)],
                                1e-11 * (1 + norm(rows.d[m][i])))
                        << "row " << m << " node " << i << " axis " << k;
    }
}

TEST(SimplexShape, DoesNotMindWhichNeighbourComesFirst)
{
    std::mt19937 random(6);
    for (const Corners& shape : shapes()) {
        const ShapeRest rest = rest_of(shape);
        const Corners x = shaken(shape, 0.1, random), v = shaken({}, 1, random);
        const ShapeRest turned{rest.e2, rest.e3, rest.e1, rest.sin_angle, rest.cos_angle, 1};
        Element<SimplexShape, double> one(kShape, rest, x), other(kShape, turned, {x[0], x[2], x[3], x[1]});
        EXPECT_NEAR(one.energy(), other.energy(), 1e-12 * one.energy());
        const double power = one.damp(v);
        EXPECT_NEAR(power, other.damp({v[0], v[2], v[3], v[1]}), 1e-12 * power);
        for (int i = 1; i < 4; ++i) {
            const Vec3 same = other.gradient(i == 1 ? 3 : i - 1);
            EXPECT_LT(norm(one.gradient(i) - same), 1e-12 * norm(same)) << "node " << i;
        }
    }
}

TEST(SimplexShape, IsSmoothWhereItsSphereIsLost)
{
    // A right angle and a foot that slides out of the circle: w^2 = 1 - (d/r)^2 falls through zero when
    // the width of the triangle (0, 0), (width, 1), (-width, 1) falls through sqrt(0.6).
    const ShapeRest rest{-0.6, 0.8, 0.8, 1, 0, 1};
    const auto row_and_slope = [&](double width) {
        const Corners x{Vec3{0, 1.4, 0.3}, Vec3{0, 0, 0}, Vec3{width, 1, 0}, Vec3{-width, 1, 0}};
        const auto rows = kShape.strain(rest, x);
        return std::pair{rows.e[2], rows.d[2][2].x - rows.d[2][3].x};
    };
    const double border = std::sqrt(0.6), step = 1e-6;
    double steepest = 0;
    for (double width = border - 2e-4; width < border + 2e-4; width += step) {
        const auto [before, slope_before] = row_and_slope(width);
        const auto [after, slope_after] = row_and_slope(width + step);
        // Neither the height nor its slope jumps, and the slope is that of the height.
        EXPECT_NEAR(after - before, step * (slope_before + slope_after) / 2, 0.01 * std::abs(after - before)) << width;
        EXPECT_NEAR(slope_after, slope_before, 0.03 * std::abs(slope_before)) << width;
        steepest = std::max(steepest, std::abs(slope_after));
    }
    // eta' = 1 / (2 kLeastRoot) at most, dy/dwidth = 3.87 and r = 0.8 at the border.
    EXPECT_NEAR(steepest, 0.8 * 3.873 / (2 * SimplexShape::kLeastRoot), 5);
}

TEST(SimplexShape, WithNeighboursInALineOrInOnePlacePushesNowhere)
{
    for (const Corners& shape : shapes())
        for (const Vec3& c : {kA + (kB - kA) * 2.0, kA + (kB - kA) * 0.3, kA, kB})
            for (const Vec3& b : {kB, c}) {
                const ShapeRest rest = rest_of(shape);
                Element<SimplexShape, double> element(kShape, rest, {shape[0], kA, b, c});
                EXPECT_TRUE(std::isfinite(element.damp({Vec3{1, 2, 3}, Vec3{}, Vec3{0, 4, 0}, Vec3{5, 0, 0}})));
                EXPECT_TRUE(std::isfinite(element.energy()));
                for (int i = 0; i < 4; ++i) {
                    EXPECT_LT(norm(element.gradient(i)), 1e-6) << "node " << i;
                    for (int k = 0; k < 9; ++k) EXPECT_TRUE(std::isfinite(element.block(i, 1).m[k / 3][k % 3]));
                }
            }
}

// A dodecahedron is a simplex mesh: twenty vertices, three neighbours each.
struct Dodecahedron {
    std::vector<Vec3> x;
    Elements<SimplexShape> elements;
};

std::vector<Vec3> dodecahedron_vertices()
{
    const double g = (1 + std::sqrt(5)) / 2;
    std::vector<Vec3> x;
    for (const double s : {-1.0, 1.0})
        for (const double t : {-1.0, 1.0}) {
            for (const double w : {-1.0, 1.0}) x.push_back({s, t, w});
            x.push_back({0, s / g, t * g}), x.push_back({s / g, t * g, 0}), x.push_back({t * g, 0, s / g});
        }
    return x;
}

Dodecahedron dodecahedron()
{
    Dodecahedron mesh{.x = dodecahedron_vertices(), .elements = {}};
    const double edge = std::sqrt(5) - 1;
    std::vector<std::array<std::int32_t, 4>> nodes;
    std::vector<ShapeRest> rest;
    for (std::int32_t i = 0; i < 20; ++i) {
        std::vector<std::int32_t> near;
        for (std::int32_t j = 0; j < 20; ++j)
            if (i != j && norm(mesh.x[i] - mesh.x[j]) < 1.01 * edge) near.push_back(j);
        const Vec3 N = cross(mesh.x[near.at(1)] - mesh.x[near[0]], mesh.x[near.at(2)] - mesh.x[near[0]]);
        if (dot(N, mesh.x[i]) < 0) std::swap(near[1], near[2]);
        nodes.push_back({i, near[0], near[1], near[2]});
        rest.push_back(rest_of({mesh.x[i], mesh.x[near[0]], mesh.x[near[1]], mesh.x[near[2]]}));
    }
    mesh.elements = make_elements<SimplexShape>(nodes, rest, 20);
    return mesh;
}

struct Motion {
    double energy = 0, lost = 0;
    Vec3 momentum, spin;
};

// Velocity Verlet with masses of one, damping taken at the velocity at hand.
class Flight {
public:
    Flight(const Dodecahedron& mesh, const SimplexShape& shape, unsigned seed)
        : mesh_(mesh)
        , shape_(shape)
        , x_(mesh.x)
        , v_(mesh.x.size())
    {
        std::mt19937 random(seed);
        for (Vec3& x : x_) x += test::random_vector(random, 0.05);
        for (Vec3& v : v_) v = test::random_vector(random, 0.2) + Vec3{0.1, 0.3, -0.2};
    }

    void fly(double step, int count)
    {
        for (int s = 0; s < count; ++s) {
            kick(step / 2);
            for (std::size_t i = 0; i < x_.size(); ++i) x_[i] += v_[i] * step;
            kick(step / 2);
        }
    }

    double elastic() const { return energy(mesh_.elements, shape_, std::span<const Vec3>(x_)); }

    Motion motion() const
    {
        Motion motion{.energy = elastic(), .lost = lost_, .momentum = {}, .spin = {}};
        for (std::size_t i = 0; i < x_.size(); ++i) {
            motion.energy += 0.5 * norm2(v_[i]);
            motion.momentum += v_[i], motion.spin += cross(x_[i], v_[i]);
        }
        return motion;
    }

private:
    void kick(double time)
    {
        std::vector<Vec3> force(x_.size());
        lost_ += time * subtract_gradient(std::span<Vec3>(force), mesh_.elements, shape_, std::span<const Vec3>(x_),
                                          std::span<const Vec3>(v_), std::span<Vec3>());
        for (std::size_t i = 0; i < x_.size(); ++i) v_[i] += force[i] * time;
    }

    const Dodecahedron& mesh_;
    SimplexShape shape_;
    std::vector<Vec3> x_, v_;
    double lost_ = 0;
};

TEST(SimplexShape, AFlyingDodecahedronKeepsEnergyMomentumAndSpin)
{
    const Dodecahedron mesh = dodecahedron();
    Flight flight(mesh, {.k_shape = 30}, 8);
    const Motion start = flight.motion();
    ASSERT_GT(flight.elastic(), 0.1);
    flight.fly(1e-3, 3000);
    const Motion end = flight.motion();
    EXPECT_NEAR(end.energy, start.energy, 1e-3 * start.energy);
    EXPECT_LT(norm(end.momentum - start.momentum), 1e-11);
    EXPECT_LT(norm(end.spin - start.spin), 1e-10);
}

TEST(SimplexShape, ADampedDodecahedronRegainsItsShapeAndGoesOnTurning)
{
    const Dodecahedron mesh = dodecahedron();
    Flight flight(mesh, {.k_shape = 30, .k_d = 6}, 9);
    const Motion start = flight.motion();
    const double strained = flight.elastic();
    flight.fly(1e-3, 10000);
    const Motion end = flight.motion();
    EXPECT_GT(strained, 0.1);
    EXPECT_LT(flight.elastic(), 1e-2 * strained);
    EXPECT_NEAR(end.energy + end.lost, start.energy, 1e-2 * start.energy);
    EXPECT_LT(norm(end.momentum - start.momentum), 1e-11);
    EXPECT_LT(norm(end.spin - start.spin), 1e-10);
}

}  // namespace
}  // namespace pliant
