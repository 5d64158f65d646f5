// SPDX-License-Identifier: MIT
#include <pliant/contact/contacts.h>

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include <pliant/contact/search.h>

#include "energy/derivatives.h"

namespace pliant {
namespace {

Vec3 at(const std::array<double, 3>& w, const Vec3& a, const Vec3& b, const Vec3& c)
{
    return a * w[0] + b * w[1] + c * w[2];
}

// Nearest point by trying the inside and the three edges by their own formulas.
double least_distance(const Vec3& p, const Vec3& a, const Vec3& b, const Vec3& c)
{
    const auto to_segment = [&](const Vec3& s, const Vec3& e) {
        const double length2 = norm2(e - s);
        const double t = length2 > 0 ? std::clamp(dot(p - s, e - s) / length2, 0.0, 1.0) : 0;
        return norm(p - (s + (e - s) * t));
    };
    double least = std::min({to_segment(a, b), to_segment(b, c), to_segment(c, a)});
    const Vec3 n = cross(b - a, c - a);
    if (norm2(n) == 0) return least;
    const Vec3 foot = p - n * (dot(p - a, n) / norm2(n));
    if (dot(cross(b - a, foot - a), n) >= 0 && dot(cross(c - b, foot - b), n) >= 0 &&
        dot(cross(a - c, foot - c), n) >= 0)
        least = std::min(least, norm(p - foot));
    return least;
}

TEST(NearestOnTriangle, IsRightInAllSevenRegions)
{
    const Vec3 a{0, 0, 0}, b{2, 0, 0}, c{0, 1, 0};
    const auto weights = [&](const Vec3& p) { return nearest_on_triangle(p, a, b, c); };
    EXPECT_EQ(weights({-1, -1, 5}), (std::array<double, 3>{1, 0, 0}));
    EXPECT_EQ(weights({4, -1, 5}), (std::array<double, 3>{0, 1, 0}));
    EXPECT_EQ(weights({-1, 3, 5}), (std::array<double, 3>{0, 0, 1}));
    EXPECT_EQ(weights({0.5, -1, 1}), (std::array<double, 3>{0.75, 0.25, 0}));
    EXPECT_EQ(weights({-1, 0.5, 1}), (std::array<double, 3>{0.5, 0, 0.5}));
    const auto slope = weights({1 + 1, 0.5 + 2, -1});  // from the middle of bc along its normal (1, 2)
    EXPECT_NEAR(slope[0], 0, 1e-15);
    EXPECT_NEAR(slope[1], 0.5, 1e-15);
    const auto inside = weights({0.5, 0.25, 3});
    EXPECT_NEAR(inside[1], 0.25, 1e-15);
    EXPECT_NEAR(inside[2], 0.25, 1e-15);
}

TEST(NearestOnTriangle, IsNeverBeatenByAnotherPointOfTheTriangle)
{
    std::mt19937 random(1);
    for (const double flatness : {1.0, 1e-3, 1e-6})
        for (int sample = 0; sample < 3000; ++sample) {
            const Vec3 a = test::random_vector(random, 1), b = test::random_vector(random, 1);
            const Vec3 c = (a + b) * 0.5 + test::random_vector(random, flatness);
            const Vec3 p = test::random_vector(random, 2);
            const auto w = nearest_on_triangle(p, a, b, c);
            EXPECT_NEAR(w[0] + w[1] + w[2], 1, 1e-14);
            for (const double weight : w) EXPECT_GE(weight, 0);
            ASSERT_NEAR(norm(p - at(w, a, b, c)), least_distance(p, a, b, c), 1e-9) << "flatness " << flatness;
        }
}

// A triangle whose corners lie on a line, or coincide.
std::array<Vec3, 3> flat_triangle(std::mt19937& random, int sample)
{
    std::uniform_real_distribution<double> even(-0.5, 1.5);
    const Vec3 a = test::random_vector(random, 1), b = sample % 4 == 0 ? a : test::random_vector(random, 1);
    return {a, b, sample % 3 == 0 ? a : a + (b - a) * even(random)};
}

TEST(NearestOnTriangle, GivesAPointOfTheTriangleEvenWithoutArea)
{
    std::mt19937 random(2);
    for (int sample = 0; sample < 2000; ++sample) {
        const auto [a, b, c] = flat_triangle(random, sample);
        const auto w = nearest_on_triangle(test::random_vector(random, 2), a, b, c);
        EXPECT_NEAR(w[0] + w[1] + w[2], 1, 1e-14);
        for (const double weight : w) EXPECT_GE(weight, 0);  // not NaN either
    }
    const Vec3 p{1, 2, 3};
    for (const double weight : nearest_on_triangle({4, 5, 6}, p, p, p)) EXPECT_GE(weight, 0);
}

// With corners on a line the region tests alone contradict each other by rounding.
TEST(NearestOnTriangle, IsNearestEvenWithoutArea)
{
    std::mt19937 random(2);
    for (int sample = 0; sample < 2000; ++sample) {
        const auto [a, b, c] = flat_triangle(random, sample);
        const Vec3 p = test::random_vector(random, 2);
        const auto w = nearest_on_triangle(p, a, b, c);
        ASSERT_NEAR(norm(p - at(w, a, b, c)), least_distance(p, a, b, c), 1e-7) << sample;
    }
}

// Points 0, 1 free; frames: a ball, a second ball, a plane, a box; then the box's corners as points.
struct Things {
    std::vector<Vec3> x;
    std::vector<Shape> shapes;
    std::vector<PointRange> points;
    std::vector<Triangle> faces;
    std::vector<std::int32_t> face_body;
    std::vector<std::uint8_t> held;

    ContactQuery query() const
    {
        return {.x = x,
                .points = points,
                .shapes = shapes,
                .faces = faces,
                .face_body = face_body,
                .held = held,
                .first_frame_node = 3,
                .all_faces = true};
    }
};

Things things()
{
    Things t;
    t.x = {{0, 0.4, 0}, {5, -0.1, 5}, {0.2, 0.4, 0}};  // a triangle of free points, body 0
    t.held.assign(3, 0);
    t.points.push_back({0, -1, 0, 3});
    t.faces.push_back({0, 1, 2});
    t.face_body.push_back(0);
    const auto add = [&](Shape shape, const Vec3& centre, bool held) {
        shape.frame = static_cast<std::int32_t>(t.shapes.size());
        shape.body = 1 + shape.frame;
        t.shapes.push_back(shape);
        t.x.insert(t.x.end(), {centre, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}});
        t.held.insert(t.held.end(), 4, held ? 7 : 0);
    };
    add({.kind = ShapeKind::sphere, .radius = 0.5}, {0, 0, 0}, false);
    add({.kind = ShapeKind::sphere, .radius = 0.5}, {0.8, 0, 0}, false);
    add({.kind = ShapeKind::plane}, {0, 0, 0}, true);
    return t;
}

TEST(ContactSearch, FindsWhatOverlapsSortedByKey)
{
    const Things t = things();
    std::vector<Contact> found;
    find_contacts(found, t.query());
    for (std::size_t i = 1; i < found.size(); ++i) EXPECT_LT(found[i - 1].key, found[i].key);
    int points = 0, spheres = 0, faces = 0;
    for (const Contact& contact : found) {
        EXPECT_LT(contact.gap, 0);
        EXPECT_NEAR(norm(contact.normal), 1, 1e-14);
        if (contact.a.frame < 0) ++points;
        if (contact.a.frame >= 0 && contact.b.frame >= 0) ++spheres;
        if (contact.b.point[0] >= 0) ++faces;
    }
    EXPECT_EQ(points, 3);   // points 0 and 2 in the first ball, point 1 below the plane
    EXPECT_EQ(spheres, 3);  // ball on ball, both balls in the plane
    EXPECT_GE(faces, 1);    // the triangle cuts a ball
}

TEST(ContactSearch, LeavesOutPairsThatCannotMoveAndPairsWithinABody)
{
    Things t = things();
    t.faces.clear(), t.face_body.clear();
    t.shapes[0].body = 0;  // now the ball belongs to the triangle's body
    std::vector<Contact> found;
    find_contacts(found, t.query());
    for (const Contact& contact : found) EXPECT_NE(contact.a.body, contact.b.body);
    for (int k = 0; k < 8; ++k) t.held[3 + k] = 7;  // both balls held: nothing between them and the plane
    find_contacts(found, t.query());
    for (const Contact& contact : found) EXPECT_FALSE(contact.a.frame >= 0 && contact.b.frame >= 0);
}

TEST(ContactSearch, DoesNotDependOnWhatWasFoundBefore)
{
    const Things t = things();
    std::vector<Contact> fresh, used(7);
    find_contacts(fresh, t.query());
    find_contacts(used, t.query());
    ASSERT_EQ(fresh.size(), used.size());
    for (std::size_t i = 0; i < fresh.size(); ++i) {
        EXPECT_EQ(fresh[i].key, used[i].key);
        EXPECT_EQ(fresh[i].gap, used[i].gap);
    }
}

}  // namespace
}  // namespace pliant
