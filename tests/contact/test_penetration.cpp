// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <set>

#include <pliant/contact/contacts.h>
#include <pliant/contact/pair_gaps.h>
#include <pliant/mesh/tet_shapes.h>
#include <pliant/mesh/tet_topology.h>

#include "base/counted_new.h"
#include "contact/bodies.h"
#include "energy/derivatives.h"

namespace pliant {
namespace {

using test::Bodies;

std::vector<Penetration> penetrations(const Bodies& bodies)
{
    PenetrationSearch search;
    std::vector<Penetration> found;
    EXPECT_TRUE(search.find(found, bodies.surface(), bodies.x));
    return found;
}

TEST(Penetration, OfACubeInABedHasTheKnownDepth)
{
    Bodies bodies;
    bodies.add(tet_block({8, 2, 8}, {8, 2, 8}), 0);
    bodies.add(tet_block({2, 2, 2}, {2, 2, 2}), 1, {0.3, 2 - 0.125, 0.2});
    const std::vector<Penetration> found = penetrations(bodies);
    ASSERT_EQ(found.size(), 9U + 4U);  // the lower face of the cube, and what lies under it
    const CollisionSurface surface = bodies.surface();
    for (const Penetration& p : found) {
        EXPECT_NEAR(p.depth, 0.125, 1e-14);
        EXPECT_EQ(p.body, 1 - surface.vertex_body[static_cast<std::size_t>(p.vertex)]);
        EXPECT_NEAR(p.point.y, p.body == 0 ? 1 : 0.875, 1e-14);
        EXPECT_EQ(surface.face_body[static_cast<std::size_t>(p.face)], p.body);
    }
    EXPECT_NEAR(deepest_penetration(found), 0.125, 1e-14);
}

TEST(Penetration, IsZeroForTouchingAndNothingForSeparateBodies)
{
    Bodies touching, apart;
    for (Bodies* bodies : {&touching, &apart}) bodies->add(tet_block({8, 2, 8}, {8, 2, 8}), 0);
    touching.add(tet_block({2, 2, 2}, {2, 2, 2}), 1, {0.3, 2, 0.2});
    apart.add(tet_block({2, 2, 2}, {2, 2, 2}), 1, {0.3, 2.001, 0.2});
    EXPECT_LT(deepest_penetration(penetrations(touching)), 1e-14);
    EXPECT_TRUE(penetrations(apart).empty());
    EXPECT_EQ(deepest_penetration({}), 0);
    EXPECT_TRUE(penetrations({}).empty());
}

TEST(Penetration, OfASurfaceWithoutTetsIsSeenButItHasNoInside)
{
    Bodies bodies;
    bodies.add(tet_block({2, 2, 2}, {2, 2, 2}), 0);
    const auto first = static_cast<std::int32_t>(bodies.x.size());
    for (const Vec3& corner : {Vec3{0.5, 0.2, 0.3}, Vec3{3, 0, 0}, Vec3{3, 0, 1}}) bodies.x.push_back(corner);
    bodies.faces.push_back({first, first + 1, first + 2}), bodies.face_body.push_back(1);
    const std::vector<Penetration> found = penetrations(bodies);
    ASSERT_EQ(found.size(), 1U);
    EXPECT_NEAR(found[0].depth, 0.5, 1e-14);
}

// Every vertex against every tetrahedron by barycentric coordinates, every face for the nearest point.
std::vector<Penetration> by_brute_force(const Bodies& bodies, const CollisionSurface& surface)
{
    std::vector<Penetration> found;
    for (std::size_t v = 0; v < surface.vertices.size(); ++v) {
        const Vec3 p = bodies.x[static_cast<std::size_t>(surface.vertices[v])];
        std::set<std::int32_t> inside_of;
        for (std::size_t t = 0; t < surface.tets.size(); ++t) {
            if (surface.tet_body[t] == surface.vertex_body[v]) continue;
            std::array<Vec3, 4> c;
            for (std::size_t k = 0; k < 4; ++k) c[k] = bodies.x[static_cast<std::size_t>(surface.tets[t][k])];
            const Vec3 w = inverse(from_columns(c[1] - c[0], c[2] - c[0], c[3] - c[0])) * (p - c[0]);
            if (w.x >= 0 && w.y >= 0 && w.z >= 0 && w.x + w.y + w.z <= 1) inside_of.insert(surface.tet_body[t]);
        }
        for (const std::int32_t body : inside_of) {
            double depth = std::numeric_limits<double>::infinity();
            for (std::size_t f = 0; f < surface.faces.size(); ++f) {
                if (surface.face_body[f] != body) continue;
                std::array<Vec3, 3> c;
                for (std::size_t k = 0; k < 3; ++k) c[k] = bodies.x[static_cast<std::size_t>(surface.faces[f][k])];
                const auto w = nearest_on_triangle(p, c[0], c[1], c[2]);
                depth = std::min(depth, norm(p - (c[0] * w[0] + c[1] * w[1] + c[2] * w[2])));
            }
            found.push_back({.vertex = static_cast<std::int32_t>(v), .body = body, .depth = depth});
        }
    }
    return found;
}

TEST(Penetration, IsWhatBruteForceFinds)
{
    std::mt19937 random(17);
    std::size_t count = 0;
    PenetrationSearch search;
    for (int sample = 0; sample < 60; ++sample) {
        Bodies bodies;
        const auto place = [&] { return test::random_vector(random, 0.6); };
        const auto turn = [&] { return test::random_rotation(random); };
        bodies.add(tet_torus(1, 0.4, 12, 6), 0, place(), turn());
        bodies.add(tet_ball(0.9, 3), 1, place(), turn());
        const double mirror = sample % 2 == 0 ? 1 : -1;  // tetrahedra turned inside out are counted all the same
        bodies.add(tet_block({3, 0.4, 1}, {9, 2, 3}), 2, place(), turn() * mirror);
        if (sample % 3 == 0) bodies.add(tet_block({0.2, 0.2, 0.2}, {1, 1, 1}), 3, {50, 80, -90}, turn());
        const CollisionSurface surface = bodies.surface();
        const std::vector<Penetration> expected = by_brute_force(bodies, surface);
        std::vector<Penetration> found;
        ASSERT_TRUE(search.find(found, surface, bodies.x));
        ASSERT_EQ(found.size(), expected.size()) << sample;
        for (std::size_t k = 0; k < found.size(); ++k) {
            ASSERT_EQ(found[k].vertex, expected[k].vertex);
            ASSERT_EQ(found[k].body, expected[k].body);
            ASSERT_EQ(found[k].depth, expected[k].depth);
            const Triangle& face = surface.faces[static_cast<std::size_t>(found[k].face)];
            Vec3 point;
            for (std::size_t c = 0; c < 3; ++c)
                point += bodies.x[static_cast<std::size_t>(face[c])] * found[k].weight[c];
            ASSERT_LT(norm(point - found[k].point), 1e-14);
        }
        count += found.size();
    }
    EXPECT_GT(count, 1000U);
}

// Deep inside fine meshes the first cells looked at hold no face, or not the nearest.
TEST(Penetration, IsWhatBruteForceFindsDeepInside)
{
    std::mt19937 random(18);
    PenetrationSearch search;
    for (int sample = 0; sample < 40; ++sample) {
        Bodies bodies;
        bodies.add(tet_block({1, 2, 3}, {6, 12, 18}), 0, {}, test::random_rotation(random));
        bodies.add(tet_block({0.1, 0.1, 0.1}, {1, 1, 1}), 1, test::random_vector(random, 0.2));
        const CollisionSurface surface = bodies.surface();
        const std::vector<Penetration> expected = by_brute_force(bodies, surface);
        std::vector<Penetration> found;
        ASSERT_TRUE(search.find(found, surface, bodies.x));
        ASSERT_EQ(found.size(), expected.size());
        for (std::size_t k = 0; k < found.size(); ++k) ASSERT_EQ(found[k].depth, expected[k].depth) << sample;
    }
}

TEST(Penetration, RefusesNaNAndAllocatesNothingTheSecondTime)
{
    Bodies bodies;
    bodies.add(tet_ball(1, 2), 0);
    bodies.add(tet_ball(1, 2), 1, {1, 0.2, 0.1});
    const CollisionSurface surface = bodies.surface();
    PenetrationSearch search;
    std::vector<Penetration> found;
    ASSERT_TRUE(search.find(found, surface, bodies.x));
    EXPECT_GT(found.size(), 4U);
    const long before = allocation_count();
    ASSERT_TRUE(search.find(found, surface, bodies.x));
    EXPECT_EQ(allocation_count(), before);
    bodies.x[7].z = std::numeric_limits<double>::quiet_NaN();
    EXPECT_FALSE(search.find(found, surface, bodies.x));
    EXPECT_TRUE(found.empty());
}

TEST(PointGrid, VisitsAllPointsOfABox)
{
    std::mt19937 random(3);
    // Full, flat, thin and single clouds.
    for (const Vec3& size : {Vec3{1, 1, 1}, Vec3{2, 0, 3}, Vec3{0, 0, 1}, Vec3{0, 0, 0}})
        for (const std::size_t count : {std::size_t{1}, std::size_t{500}}) {
            std::vector<Vec3> points(count);
            for (Vec3& p : points) {
                const Vec3 r = test::random_vector(random, 1);
                p = {r.x * size.x, r.y * size.y, r.z * size.z};
            }
            PointGrid grid;
            grid.build(points);
            for (int sample = 0; sample < 100; ++sample) {
                const Vec3 middle = test::random_vector(random, 1), half{0.3, 0.2, 0.4};
                std::set<std::int32_t> visited;
                grid.visit(middle - half, middle + half,
                           [&](std::int32_t i) { EXPECT_TRUE(visited.insert(i).second); });
                for (std::size_t i = 0; i < count; ++i) {
                    const Vec3 d = points[i] - middle;
                    if (std::abs(d.x) > half.x || std::abs(d.y) > half.y || std::abs(d.z) > half.z) continue;
                    ASSERT_TRUE(visited.contains(static_cast<std::int32_t>(i)));
                }
            }
        }
}

}  // namespace
}  // namespace pliant
