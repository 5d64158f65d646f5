// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include <pliant/base/parallel.h>
#include <pliant/contact/pair_gaps.h>
#include <pliant/contact/sweep_and_prune.h>
#include <pliant/mesh/tet_shapes.h>
#include <pliant/mesh/tet_topology.h>

#include "base/counted_new.h"
#include "contact/bodies.h"
#include "energy/derivatives.h"

namespace pliant {
namespace {

using Scene = test::MovingBodies;

std::vector<SurfacePair> relevant_pairs(const CollisionSurface& surface)
{
    std::vector<SurfacePair> pairs;
    const auto offer = [&](const SurfacePair& pair) {
        if (!always_touches(surface, pair)) pairs.push_back(pair);
    };
    const auto count = [](const auto& list) { return static_cast<std::int32_t>(list.size()); };
    for (std::int32_t v = 0; v < count(surface.vertices); ++v)
        for (std::int32_t f = 0; f < count(surface.faces); ++f) offer({PairKind::vertex_face, v, f});
    for (std::int32_t a = 0; a < count(surface.edges); ++a)
        for (std::int32_t b = a + 1; b < count(surface.edges); ++b) offer({PairKind::edge_edge, a, b});
    return pairs;
}

std::vector<PairHit> all_hits(const Scene& scene, const CollisionSurface& surface, GapModel model = GapModel::exact)
{
    std::vector<PairHit> hits;
    const auto counts = find_hits(hits, surface, relevant_pairs(surface), scene.motion(), model);
    EXPECT_EQ(counts.hits, hits.size());
    EXPECT_EQ(counts.not_finite, 0U);
    return hits;
}

// At the hit both points coincide, the normal is a unit vector, and the sides approach each other along it.
void expect_sound(const PairHit& hit, const Scene& scene)
{
    const StepMotion motion = scene.motion();
    using J = Jet<double, 1>;
    const bool is_face = hit.pair.kind == PairKind::vertex_face;
    Vec3T<J> apart;
    double first_side = 0, second_side = 0;
    for (std::size_t i = 0; i < 4; ++i) {
        const bool is_first = is_face ? i == 0 : i < 2;
        const Vec3T<J> p = point_at(motion.curve(hit.node[i]), J::variable(hit.time / scene.h, 0));
        for (int k = 0; k < 3; ++k) apart[k] += p[k] * (is_first ? hit.weight[i] : -hit.weight[i]);
        (is_first ? first_side : second_side) += hit.weight[i];
        EXPECT_GE(hit.weight[i], 0);
    }
    EXPECT_NEAR(first_side, 1, 1e-14);
    EXPECT_NEAR(second_side, 1, 1e-14);
    EXPECT_NEAR(norm(hit.normal), 1, 1e-14);
    double distance2 = 0, approach = 0;
    for (int k = 0; k < 3; ++k) {
        distance2 += apart[k].value * apart[k].value;
        approach += apart[k].derivative[0] * hit.normal[k];
    }
    EXPECT_LT(std::sqrt(distance2), 1e-8);
    EXPECT_LE(approach, 1e-9);
}

Scene two_balls(const Vec3& where, const Vec3& velocity)
{
    Scene scene;
    scene.add(tet_ball(1, 2), 0);
    const std::size_t first = scene.x.size();
    scene.add(tet_ball(1, 2), 1, where);
    scene.set_velocity(first, scene.x.size(), velocity);
    return scene;
}

TEST(FindHits, OfTwoBallsAreSoundAndTheSameWhicheverWayTheSideIsKnown)
{
    const Scene scene = two_balls({2.5, 0.31, 0.17}, {-1, 0.02, -0.05});
    const std::vector<PairHit> hits = all_hits(scene, scene.surface());
    const std::vector<PairHit> by_normals = all_hits(scene, scene.surface(EdgeBack::surface_normals));
    ASSERT_GT(hits.size(), 5U);
    int edge_hits = 0;
    for (std::size_t k = 0; k < hits.size(); ++k) {
        expect_sound(hits[k], scene);
        edge_hits += hits[k].pair.kind == PairKind::edge_edge ? 1 : 0;
        if (k == 0) continue;
        EXPECT_TRUE(hits[k - 1].time < hits[k].time ||
                    (hits[k - 1].time == hits[k].time && hits[k - 1].pair.key() < hits[k].pair.key()));
    }
    EXPECT_GT(edge_hits, 0);
    // The first touch is the same; deep inside, edges meet bodies that are no longer on opposite sides.
    ASSERT_FALSE(by_normals.empty());
    EXPECT_EQ(by_normals[0].pair, hits[0].pair);
    EXPECT_EQ(by_normals[0].time, hits[0].time);
    EXPECT_LT(dot(hits[0].normal, Vec3{1, 0, 0}) * (hits[0].pair.a < 42 ? 1 : -1), 0.0);
}

// Vertices of other bodies inside at a time of the step.
std::size_t inside_count(const Scene& scene, const CollisionSurface& surface, double time)
{
    std::vector<Vec3> x(scene.x.size());
    for (std::size_t i = 0; i < x.size(); ++i)
        x[i] = point_at(scene.motion().curve(static_cast<std::int32_t>(i)), time / scene.h);
    std::vector<Penetration> found;
    EXPECT_TRUE(PenetrationSearch().find(found, surface, x));
    return found.size();
}

TEST(FindHits, OfAVertexAreWhereItComesInside)
{
    // A corner of a cube falls on a bed, tip first.
    Scene scene;
    scene.add(tet_block({8, 2, 8}, {8, 2, 8}), 0);
    const std::size_t first = scene.x.size();
    const Mat3 turn = [] {
        std::mt19937 random(1);
        return test::random_rotation(random);
    }();
    TetMesh cube = tet_block({2, 2, 2}, {2, 2, 2});
    for (Vec3& vertex : cube.vertices) vertex = turn * vertex;
    scene.add(cube, 1, {0.13, 3.5, 0.21});
    scene.set_velocity(first, scene.x.size(), {0.1, -2, 0.05});
    const CollisionSurface surface = scene.surface();
    const std::vector<PairHit> hits = all_hits(scene, surface);
    ASSERT_FALSE(hits.empty());
    EXPECT_EQ(hits[0].pair.kind, PairKind::vertex_face);
    EXPECT_EQ(inside_count(scene, surface, hits[0].time * (1 - 1e-9)), 0U);
    EXPECT_EQ(inside_count(scene, surface, hits[0].time * (1 + 1e-9)), 1U);
}

TEST(FindHits, FromCandidatesOfTheSweepAreThoseFromAllPairs)
{
    const Scene scene = two_balls({2.3, 0.31, 0.17}, {-1, 0.02, -0.05});
    const CollisionSurface surface = scene.surface();
    SweptBoxes boxes;
    make_swept_boxes(boxes, surface, scene.motion());
    SweepAndPrune sweep(surface);
    ASSERT_TRUE(sweep.update(boxes));
    std::vector<SurfacePair> candidates;
    sweep.list_candidates(candidates, PairRelevance(surface));
    std::vector<PairHit> hits;
    const int threads = thread_count();
    set_thread_count(1);
    const HitCounts counts = find_hits(hits, surface, candidates, scene.motion());
    set_thread_count(threads);
    EXPECT_EQ(counts.tests, candidates.size());
    EXPECT_LT(candidates.size(), relevant_pairs(surface).size() / 3);
    const std::vector<PairHit> all = all_hits(scene, surface);
    ASSERT_EQ(hits.size(), all.size());
    for (std::size_t k = 0; k < hits.size(); ++k) {
        EXPECT_EQ(hits[k].pair, all[k].pair);
        EXPECT_EQ(hits[k].time, all[k].time);
        EXPECT_EQ(hits[k].normal, all[k].normal);
        EXPECT_EQ(hits[k].weight, all[k].weight);
    }
    const long before = allocation_count();
    find_hits(hits, surface, candidates, scene.motion());
    EXPECT_EQ(allocation_count(), before);
}

TEST(FindHits, OnACommonBorderAreSeenByANeighbour)
{
    // Straight down on every point of the ridges and seams of a block's top: some face must see the vertex.
    Scene scene;
    scene.add(tet_block({2, 1, 2}, {2, 1, 2}), 0);
    const std::size_t first = scene.x.size();
    scene.add({.vertices = {{0, 0, 0}, {1, 3, 0}, {-1, 3, 1}, {-1, 3, -1}}, .tets = {{0, 1, 2, 3}}}, 1);
    for (double x = -0.875; x < 1; x += 0.125)
        for (double z = -0.875; z < 1; z += 0.125) {
            const std::array<Vec3, 4> corner{Vec3{x, 0.75, z}, {x + 1, 3, z}, {x - 1, 3, z + 1}, {x - 1, 3, z - 1}};
            std::copy(corner.begin(), corner.end(), scene.x.begin() + static_cast<std::ptrdiff_t>(first));
            scene.set_velocity(first, first + 4, {0, -0.5, 0});
            const CollisionSurface surface = scene.surface();
            const std::vector<PairHit> hits = all_hits(scene, surface);
            const auto tip = surface.vertex_of_node[first];
            const bool is_seen = std::any_of(hits.begin(), hits.end(), [&](const PairHit& hit) {
                return hit.pair.kind == PairKind::vertex_face && hit.pair.a == tip && std::abs(hit.time - 0.5) < 1e-12;
            });
            EXPECT_TRUE(is_seen) << x << " " << z;
        }
}

TEST(FindHits, AreNoneAtRestOrInRigidMotion)
{
    Scene scene;
    scene.add(tet_torus(0.1, 0.03), 0);
    scene.add(tet_block({8, 2, 8}, {8, 2, 8}), 1, {0, -5, 0});
    scene.add(tet_block({2, 2, 2}, {2, 2, 2}), 2, {0.3, -3, 0.2});  // rests exactly on the bed
    const CollisionSurface surface = scene.surface();
    for (const GapModel model : {GapModel::exact, GapModel::cubic})
        EXPECT_TRUE(all_hits(scene, surface, model).empty());
    // Turned by one radian about a slanting axis, with the velocities of the turning.
    const Vec3 axis = normalized(Vec3{1, 2, -0.5});
    const auto turned = [&](const Vec3& p) {
        return p * std::cos(1.0) + cross(axis, p) * std::sin(1.0) + axis * (dot(axis, p) * (1 - std::cos(1.0)));
    };
    Scene torus;
    torus.add(tet_torus(0.1, 0.03), 0);
    for (std::size_t i = 0; i < torus.x.size(); ++i) {
        torus.x1[i] = turned(torus.x[i]) + Vec3{1, 2, 3};
        torus.v0[i] = cross(axis, torus.x[i]) + Vec3{1, 2, 3};
        torus.v1[i] = cross(axis, turned(torus.x[i])) + Vec3{1, 2, 3};
    }
    EXPECT_TRUE(all_hits(torus, torus.surface()).empty());
}

TEST(FindHits, SeeATorusCollideWithItself)
{
    Scene scene;
    scene.add(tet_torus(0.1, 0.03), 0);
    scene.path = PathKind::straight;
    // Both halves of the ring move towards each other; what lies between is squeezed.
    for (std::size_t i = 0; i < scene.x.size(); ++i)
        scene.x1[i].x -= 0.075 * std::tanh(scene.x[i].x / 0.06) + 0.001 * scene.x[i].z;
    const std::vector<PairHit> hits = all_hits(scene, scene.surface());
    ASSERT_FALSE(hits.empty());
    for (const PairHit& hit : hits) expect_sound(hit, scene);
    EXPECT_GT(hits[0].time, 0.5);
}

TEST(FindHits, CountPathsThatAreNotFinite)
{
    Scene scene = two_balls({2.3, 0.31, 0.17}, {-1, 0.02, -0.05});
    const CollisionSurface surface = scene.surface();
    const std::vector<SurfacePair> pairs = relevant_pairs(surface);
    std::vector<PairHit> hits;
    scene.v1[static_cast<std::size_t>(surface.vertices[3])].x = std::numeric_limits<double>::quiet_NaN();
    EXPECT_GT(find_hits(hits, surface, pairs, scene.motion()).not_finite, 0U);
    for (const PairHit& hit : hits) EXPECT_TRUE(std::isfinite(hit.time));
}

}  // namespace
}  // namespace pliant
