// SPDX-License-Identifier: MIT

// Contacts of surfaces over a step: analytic pairs, and everything against everything by brute force.

#include <pliant/contact/surface_contacts.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include <pliant/mesh/tet_edit.h>
#include <pliant/mesh/tet_shapes.h>
#include <pliant/mesh/tet_topology.h>

#include "contact/bodies.h"

namespace pliant {
namespace {

using test::Bodies;

// A unit block with its top at y = 0 and a smaller one turned by 45 degrees over it, `gap` above.
Bodies block_over_block(double gap)
{
    Bodies bodies;
    TetMesh below = tet_block({1, 1, 1}, {1, 1, 1}), above = tet_block({0.5, 0.5, 0.5}, {1, 1, 1});
    translate(below, {0, -0.5, 0});
    rotate(above, {0, 1, 0}, 0.6);
    translate(above, {0.05, 0.25 + gap, 0.02});
    bodies.add(below, 0), bodies.add(above, 1);
    return bodies;
}

Vec3 side_point(const ContactSide& side, const std::vector<Vec3>& x)
{
    Vec3 sum;
    for (std::size_t k = 0; k < 3 && side.point[k] >= 0; ++k) sum += x[side.point[k]] * side.weight[k];
    return sum;
}

TEST(SurfaceContacts, NearContactsOfFlatFacesPointUp)
{
    const Bodies bodies = block_over_block(0.004);
    const CollisionSurface surface = bodies.surface(EdgeBack::surface_normals);
    SurfaceContactSearch search(surface, false);
    ASSERT_TRUE(search.find(straight_motion(bodies.x, bodies.x, 0.1), 0.01));
    EXPECT_TRUE(search.hits().empty());
    int vertices = 0, edges = 0;
    for (const Contact& c : search.near()) {
        EXPECT_NEAR(c.gap, 0.004 - 0.01, 1e-12);
        EXPECT_NE(c.a.body, c.b.body);
        // From b to a: upwards when a is the upper body.
        EXPECT_NEAR(c.normal.y, c.a.body == 1 ? 1 : -1, 1e-12);
        EXPECT_NEAR(dot(side_point(c.a, bodies.x) - side_point(c.b, bodies.x), c.normal), 0.004, 1e-12);
        (SurfacePair::from_key(c.key).kind == PairKind::vertex_face ? vertices : edges)++;
    }
    EXPECT_EQ(vertices, 4);  // all corners of the small bottom, each over one triangle
    EXPECT_GT(edges, 0);     // its sides and diagonal over the diagonal of the large top
    ASSERT_TRUE(search.find(straight_motion(bodies.x, bodies.x, 0.1), 0.003));
    EXPECT_TRUE(search.near().empty());
}

TEST(SurfaceContacts, HitsOfAFallHaveTheGapOfTheEnd)
{
    const Bodies bodies = block_over_block(0.1);
    const CollisionSurface surface = bodies.surface(EdgeBack::surface_normals);
    std::vector<Vec3> x1 = bodies.x;
    for (std::size_t i = 8; i < 16; ++i) x1[i].y -= 0.15;
    SurfaceContactSearch search(surface, false);
    ASSERT_TRUE(search.find(straight_motion(bodies.x, x1, 0.1), 0.01));
    int vertices = 0;
    for (const Contact& c : search.hits()) {
        EXPECT_NEAR(c.gap, -0.05 - 0.01, 1e-9);
        vertices += SurfacePair::from_key(c.key).kind == PairKind::vertex_face ? 1 : 0;
    }
    EXPECT_EQ(vertices, 4);
}

TEST(SurfaceContacts, ASearchForgetsWhatTheLastOneFound)
{
    const Bodies bodies = block_over_block(0.1);
    const CollisionSurface surface = bodies.surface(EdgeBack::surface_normals);
    std::vector<Vec3> x1 = bodies.x, away = bodies.x;
    for (std::size_t i = 8; i < 16; ++i) x1[i].y -= 0.15, away[i].y += 5;
    SurfaceContactSearch search(surface, false);
    ASSERT_TRUE(search.find(straight_motion(bodies.x, x1, 0.1), 0.01));
    ASSERT_FALSE(search.crossings().empty());
    // Far apart: not a single pair is looked at.
    ASSERT_TRUE(search.find(straight_motion(away, away, 0.1), 0.01));
    EXPECT_TRUE(search.crossings().empty());
    EXPECT_TRUE(search.hits().empty());
}

TEST(SurfaceContacts, EdgesThatCrossInTheAirAreAContactOnlyOnTheirOuterSides)
{
    // Two thin blocks with one edge each turned towards the other, crossing at right angles 0.02 apart.
    Bodies bodies;
    TetMesh below = tet_block({2, 0.2, 0.2}, {1, 1, 1}), above = tet_block({0.2, 0.2, 2}, {1, 1, 1});
    rotate(below, {1, 0, 0}, M_PI / 4), rotate(above, {0, 0, 1}, M_PI / 4);
    translate(below, {0, -0.1 * std::sqrt(2.0), 0});
    translate(above, {0.1, 0.1 * std::sqrt(2.0) + 0.02, 0.3});
    bodies.add(below, 0), bodies.add(above, 1);
    const CollisionSurface surface = bodies.surface(EdgeBack::surface_normals);
    SurfaceContactSearch search(surface, false);
    ASSERT_TRUE(search.find(straight_motion(bodies.x, bodies.x, 1), 0.03));
    ASSERT_EQ(search.near().size(), 1u);
    const Contact& c = search.near().front();
    EXPECT_NEAR(c.gap, 0.02 - 0.03, 1e-12);
    EXPECT_NEAR(std::abs(c.normal.y), 1, 1e-12);
    EXPECT_NEAR(c.at.x, 0.1, 1e-12);
    EXPECT_NEAR(c.at.z, 0, 1e-12);
}

TEST(SurfaceContacts, NotFinitePositionsAreRefused)
{
    const Bodies bodies = block_over_block(0.1);
    const CollisionSurface surface = bodies.surface(EdgeBack::surface_normals);
    std::vector<Vec3> x1 = bodies.x;
    x1[3].y = NAN;
    SurfaceContactSearch search(surface, false);
    EXPECT_FALSE(search.find(straight_motion(bodies.x, x1, 0.1), 0.01));
    EXPECT_TRUE(search.hits().empty());
}

TEST(SurfaceContacts, AreThoseOfBruteForceWhateverWasSearchedBefore)
{
    std::mt19937 random(7);
    std::uniform_real_distribution<double> any(-1, 1);
    const auto vector = [&] { return Vec3{any(random), any(random), any(random)}; };
    Bodies bodies;
    for (std::int32_t b = 0; b < 5; ++b) {
        TetMesh mesh = tet_ball(0.3, 1);
        translate(mesh, vector() * 0.6);
        bodies.add(mesh, b);
    }
    const CollisionSurface surface = bodies.surface(EdgeBack::surface_normals);
    SurfaceContactSearch kept(surface, false);
    std::size_t hits = 0, near = 0;
    for (int round = 0; round < 20; ++round) {
        std::vector<Vec3> x0 = bodies.x, x1;
        for (Vec3& x : x0) x += vector() * 0.02;
        for (const Vec3& x : x0) x1.push_back(x + vector() * 0.1);
        const StepMotion motion = straight_motion(x0, x1, 0.1);
        const double thickness = 0.02;
        ASSERT_TRUE(kept.find(motion, thickness));
        std::vector<std::uint64_t> expected_hits, expected_near, found_hits, found_near;
        const auto ask = [&](const SurfacePair& pair, std::int32_t first, std::int32_t second) {
            if (first == second) return;
            const auto now = contact_between(surface, pair, x1);
            if (first_hit(surface, pair, motion))
                expected_hits.push_back(pair.key());
            else if (now && std::abs(now->gap) < thickness)
                expected_near.push_back(pair.key());
        };
        for (std::int32_t v = 0; v < static_cast<std::int32_t>(surface.vertices.size()); ++v)
            for (std::int32_t f = 0; f < static_cast<std::int32_t>(surface.faces.size()); ++f)
                ask({PairKind::vertex_face, v, f}, surface.vertex_body[v], surface.face_body[f]);
        for (std::int32_t a = 0; a < static_cast<std::int32_t>(surface.edges.size()); ++a)
            for (std::int32_t b = a + 1; b < static_cast<std::int32_t>(surface.edges.size()); ++b)
                ask({PairKind::edge_edge, a, b}, surface.edge_body[a], surface.edge_body[b]);
        for (const Contact& c : kept.hits()) found_hits.push_back(c.key);
        for (const Contact& c : kept.near()) found_near.push_back(c.key);
        std::sort(found_hits.begin(), found_hits.end());
        EXPECT_EQ(found_hits, expected_hits);
        EXPECT_EQ(found_near, expected_near);
        hits += found_hits.size(), near += found_near.size();
    }
    EXPECT_GT(hits, 50u);
    EXPECT_GT(near, 20u);
}

}  // namespace
}  // namespace pliant
