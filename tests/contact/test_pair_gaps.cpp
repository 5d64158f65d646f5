// SPDX-License-Identifier: MIT
#include <pliant/contact/pair_gaps.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include <pliant/mesh/tet_topology.h>

#include "contact/bodies.h"
#include "energy/derivatives.h"

namespace pliant {
namespace {

using Scene = test::MovingBodies;

// A triangle 0 1 2 in the plane y = 0, outward up, and nodes 3 4 5 of another triangle whose corner 3 is watched.
Scene triangle_and_vertex(const Vec3& vertex, const Vec3& velocity)
{
    Scene scene;
    for (const Vec3& corner : {Vec3{0, 0, 0}, Vec3{0, 0, 1}, Vec3{1, 0, 0}}) scene.add_node(corner);
    for (const Vec3& corner : {vertex, vertex + Vec3{0.1, 5, 0}, vertex + Vec3{0, 5, 0.1}}) scene.add_node(corner);
    scene.faces = {{0, 1, 2}, {3, 4, 5}};
    scene.face_body = {0, 1};
    scene.set_velocity(3, 6, velocity);
    return scene;
}

constexpr SurfacePair kVertexOnFace{PairKind::vertex_face, 3, 0};

TEST(Gaps, AreSignedAsInTheThesis)
{
    const Vec3 a{0, 0, 0}, b{0, 0, 1}, c{1, 0, 0};  // outward is up
    const auto gaps = [&](const Vec3& p) { return vertex_face_gaps(a, b, c, p); };
    EXPECT_GT(gaps({0.2, 0.1, 0.2}).plane, 0);
    for (const double g : gaps({0.2, 0.1, 0.2}).prism) EXPECT_LT(g, 0);
    EXPECT_TRUE(is_valid(gaps({0.2, 0.1, 0.2})));
    EXPECT_FALSE(is_valid(gaps({0.2, -0.1, 0.2})));
    EXPECT_TRUE(is_valid(gaps({0.7, -0.1, 0.7})));  // beyond each side in turn
    EXPECT_TRUE(is_valid(gaps({-0.1, -0.1, 0.5})));
    EXPECT_TRUE(is_valid(gaps({0.5, -0.1, -0.1})));
    EXPECT_DOUBLE_EQ(vertex_face_distance(a, b * 3.0, c * 5.0, {0.2, 0.1, 0.2}), 0.1);
}

TEST(Gaps, OfEdgesKnowWhereTheBodiesAre)
{
    // Edge 1 2 along x, body below; edge 3 4 along z at height y.
    const Vec3 p1{-1, 0, 0}, p2{1, 0, 0}, below{0, -1, 0};
    const auto gaps = [&](double y, double behind, double x, bool turned) {
        const Vec3 p3{x, y, 1}, p4{x, y, -1}, m2{x, y + behind, 0};
        return turned ? edge_edge_gaps(p1, p2, p4, p3, below, m2) : edge_edge_gaps(p1, p2, p3, p4, below, m2);
    };
    for (const bool turned : {false, true}) {
        EXPECT_TRUE(is_valid(gaps(0.1, 1, 0, turned)));
        EXPECT_FALSE(is_valid(gaps(-0.1, 1, 0, turned)));
        EXPECT_TRUE(is_valid(gaps(-0.1, 1, 2, turned)));   // passes beside
        EXPECT_TRUE(is_valid(gaps(-0.1, -1, 0, turned)));  // both bodies below
        EXPECT_TRUE(is_valid(gaps(0.1, -1, 0, turned)));
        const double side = turned ? 1 : -1;
        EXPECT_GT(gaps(0.1, 1, 0, turned).plane * side * gaps(0.1, 1, 0, turned).straddle[0] * side, 0);
    }
    EXPECT_NEAR(std::abs(edge_edge_distance(p1, p2, Vec3{0, 0.3, 2}, Vec3{0.1, 0.3, -1})), 0.3, 1e-15);
}

TEST(Gaps, HaveRatesThatFiniteDifferencesConfirm)
{
    std::mt19937 random(4);
    for (int sample = 0; sample < 50; ++sample) {
        std::array<Vec3, 6> x, v;
        for (Vec3& p : x) p = test::random_vector(random, 1);
        for (Vec3& p : v) p = test::random_vector(random, 1);
        const auto values = [&](double t) {
            std::array<Vec3, 6> p;
            for (std::size_t i = 0; i < 6; ++i) p[i] = x[i] + v[i] * t;
            const auto f = vertex_face_gaps(p[0], p[1], p[2], p[3]);
            const auto e = edge_edge_gaps(p[0], p[1], p[2], p[3], p[4], p[5]);
            return std::array{f.plane,       f.prism[0],    f.prism[1],    f.prism[2],   e.plane,
                              e.straddle[0], e.straddle[1], e.straddle[2], e.straddle[3]};
        };
        std::array<Vec3T<Jet<double, 1>>, 6> p;
        for (std::size_t i = 0; i < 6; ++i) p[i] = moving(x[i], v[i]);
        const auto f = vertex_face_gaps(p[0], p[1], p[2], p[3]);
        const auto e = edge_edge_gaps(p[0], p[1], p[2], p[3], p[4], p[5]);
        const std::array gaps{f.plane,       f.prism[0],    f.prism[1],    f.prism[2],   e.plane,
                              e.straddle[0], e.straddle[1], e.straddle[2], e.straddle[3]};
        const double d = 1e-5;
        const auto less = values(-d), more = values(d), now = values(0);
        for (std::size_t k = 0; k < gaps.size(); ++k) {
            EXPECT_DOUBLE_EQ(gaps[k].value, now[k]);
            EXPECT_NEAR(gaps[k].derivative[0], (more[k] - less[k]) / (2 * d), 1e-6 * (1 + std::abs(now[k]) * 100));
        }
    }
}

TEST(Gaps, OfEdgesAreTheDeterminantOfTheThesis)
{
    std::mt19937 random(6);
    const Vec3 p1 = test::random_vector(random, 1), p2 = test::random_vector(random, 1);
    const Vec3 p3 = test::random_vector(random, 1), p4 = test::random_vector(random, 1);
    EXPECT_NEAR(edge_edge_gaps(p1, p2, p3, p4, p1, p3).plane, dot(p2 - p1, cross(p3 - p1, p4 - p1)), 1e-14);
}

TEST(FaceWeights, PutThePointTogetherAgain)
{
    std::mt19937 random(8);
    for (int sample = 0; sample < 100; ++sample) {
        const Vec3 a = test::random_vector(random, 1), b = test::random_vector(random, 1);
        const Vec3 c = test::random_vector(random, 1), n = cross(b - a, c - a);
        const auto w = face_weights(a * 0.2 + b * 0.3 + c * 0.5 + n * 0.7, a, b, c);
        EXPECT_NEAR(w[0], 0.2, 1e-9);
        EXPECT_NEAR(w[1], 0.3, 1e-9);
        EXPECT_NEAR(w[2], 0.5, 1e-9);
    }
}

TEST(TripleProduct, IsThePolynomialOfTheTrueGap)
{
    std::mt19937 random(9);
    for (int sample = 0; sample < 100; ++sample) {
        std::array<PathCurve, 3> path;
        for (PathCurve& curve : path)
            for (Vec3& point : curve) point = test::random_vector(random, 1);
        const GapPolynomial gap = triple_product(path[0], path[1], path[2]);
        for (const double u : {0.0, 0.2, 0.55, 0.9, 1.0}) {
            auto b = gap.coefficients;
            for (std::size_t level = 1; level < b.size(); ++level)
                for (std::size_t k = 0; k + level < b.size(); ++k) b[k] = b[k] * (1 - u) + b[k + 1] * u;
            const double direct = dot(point_at(path[0], u), cross(point_at(path[1], u), point_at(path[2], u)));
            EXPECT_NEAR(b[0], direct, gap.noise);
        }
        EXPECT_LT(gap.noise, 1e-11);
    }
}

class Collision : public testing::TestWithParam<GapModel> {};

// Free fall is a parabola, so the cubic path is exact: y = 1 - 2t - 4.9 t^2.
TEST_P(Collision, OfAFallingVertexComesAtTheKnownTime)
{
    Scene scene = triangle_and_vertex({0.25, 1, 0.35}, {});
    for (std::size_t i = 3; i < 6; ++i) {
        scene.v0[i] = {0, -2, 0}, scene.v1[i] = {0, -2 - 9.8, 0};
        scene.x1[i] = scene.x[i] + Vec3{0, -2 - 4.9, 0};
    }
    const auto hit = first_hit(scene.surface(), kVertexOnFace, scene.motion(), GetParam());
    ASSERT_TRUE(hit);
    EXPECT_NEAR(hit->time, (-2 + std::sqrt(4 + 4 * 4.9)) / 9.8, 1e-14);
    EXPECT_EQ(hit->node, (std::array<std::int32_t, 4>{3, 0, 1, 2}));
    EXPECT_EQ(hit->weight[0], 1);
    EXPECT_NEAR(hit->weight[1], 0.4, 1e-14);
    EXPECT_NEAR(hit->weight[2], 0.35, 1e-14);
    EXPECT_NEAR(hit->weight[3], 0.25, 1e-14);
    EXPECT_NEAR(hit->normal.y, 1, 1e-15);
    EXPECT_EQ(hit->side, 1);
}

TEST_P(Collision, CountsOnlyFromOutsideAndInsideTheFace)
{
    const auto hits = [&](const Vec3& vertex, const Vec3& velocity) {
        const Scene scene = triangle_and_vertex(vertex, velocity);
        return first_hit(scene.surface(), kVertexOnFace, scene.motion(), GetParam()).has_value();
    };
    EXPECT_TRUE(hits({0.2, 0.5, 0.2}, {0, -1, 0}));
    EXPECT_FALSE(hits({0.2, 0.5, 0.2}, {0, -0.4, 0}));  // too slow
    EXPECT_FALSE(hits({0.2, 0.5, 0.2}, {0, -0.5, 0}));  // arrives at the end: the next step's
    EXPECT_FALSE(hits({0.2, 0.5, 0.2}, {0, 1, 0}));     // flies away
    EXPECT_FALSE(hits({0.2, -0.5, 0.2}, {0, 1, 0}));    // comes out from behind
    EXPECT_FALSE(hits({0.2, -0.5, 0.2}, {0, -1, 0}));   // is inside already
    EXPECT_FALSE(hits({0.7, 0.5, 0.7}, {0, -1, 0}));    // beside, three times
    EXPECT_FALSE(hits({-0.1, 0.5, 0.5}, {0, -1, 0}));
    EXPECT_FALSE(hits({0.5, 0.5, -0.1}, {0, -1, 0}));
    EXPECT_TRUE(hits({0.7, 0.5, 0.7}, {-1, -1, -1}));  // slanting in
    EXPECT_TRUE(hits({0.2, 0, 0.2}, {0, -1, 0}));      // touches and goes on
    EXPECT_FALSE(hits({0.2, 0, 0.2}, {0, 1, 0}));      // touches and leaves
    EXPECT_FALSE(hits({0.2, 0, 0.2}, {0.1, 0, 0}));    // slides
    EXPECT_FALSE(hits({0.2, 0, 0.2}, {0, 0, 0}));      // rests
}

// Two tents whose ridges cross: edge 0 1 along x with its body below, edge 3 4 along z with its body above.
Scene two_ridges(double above_height, const Vec3& velocity, double where = 0)
{
    Scene scene;
    for (const Vec3& p : {Vec3{-1, 0, 0}, Vec3{1, 0, 0}, Vec3{0, -1, -0.5}, Vec3{0, -1, 0.5}}) scene.add_node(p);
    for (const Vec3& p : {Vec3{0, 0, -1}, Vec3{0, 0, 1}, Vec3{-0.5, above_height, 0}, Vec3{0.5, above_height, 0}})
        scene.add_node(p + Vec3{where, 0.5, 0});
    for (Tet tet : {Tet{0, 1, 2, 3}, Tet{4, 5, 6, 7}}) {
        std::array<Vec3, 4> x;
        for (std::size_t c = 0; c < 4; ++c) x[c] = scene.x[static_cast<std::size_t>(tet[c])];
        if (dot(cross(x[1] - x[0], x[2] - x[0]), x[3] - x[0]) < 0) std::swap(tet[2], tet[3]);
        scene.tets.push_back(tet);
        for (std::size_t c = 0; c < 4; ++c) {
            scene.faces.push_back(tet_face(tet, c));
            scene.face_body.push_back(tet[0] / 4);
        }
    }
    scene.set_velocity(4, 8, velocity);
    return scene;
}

SurfacePair ridge_pair(const CollisionSurface& surface)
{
    const auto place = [&](const Edge& edge) {
        return static_cast<std::int32_t>(std::find(surface.edges.begin(), surface.edges.end(), edge) -
                                         surface.edges.begin());
    };
    return {PairKind::edge_edge, place({0, 1}), place({4, 5})};
}

TEST_P(Collision, OfCrossingEdgesComesAtTheKnownTime)
{
    for (const EdgeBack back : {EdgeBack::owning_tet, EdgeBack::surface_normals}) {
        const Scene scene = two_ridges(1, {0.1, -2, 0}, 0.3);
        const CollisionSurface surface = scene.surface(back);
        const auto hit = first_hit(surface, ridge_pair(surface), scene.motion(), GetParam());
        ASSERT_TRUE(hit);
        EXPECT_NEAR(hit->time, 0.25, 1e-14);
        EXPECT_NEAR(hit->weight[1], (1 + 0.325) / 2, 1e-14);
        EXPECT_NEAR(hit->weight[0] + hit->weight[1], 1, 1e-15);
        EXPECT_NEAR(hit->weight[3], 0.5, 1e-14);
        EXPECT_NEAR(hit->normal.y, -1, 1e-15);  // from the second, above, to the first
    }
}

TEST_P(Collision, OfEdgesAsksForBodiesOnOppositeSidesThatApproach)
{
    const auto hits = [&](double above_height, const Vec3& velocity, double where, EdgeBack back) {
        const Scene scene = two_ridges(above_height, velocity, where);
        const CollisionSurface surface = scene.surface(back);
        return first_hit(surface, ridge_pair(surface), scene.motion(), GetParam()).has_value();
    };
    for (const EdgeBack back : {EdgeBack::owning_tet, EdgeBack::surface_normals}) {
        EXPECT_TRUE(hits(1, {0, -1, 0}, 0, back));
        EXPECT_TRUE(hits(1, {0, -1, 0}, 0.99, back));
        EXPECT_FALSE(hits(1, {0, -1, 0}, 1.01, back));  // beside
        EXPECT_FALSE(hits(1, {0, 1, 0}, 0, back));      // leaves
        EXPECT_FALSE(hits(-1, {0, -1, 0}, 0, back));    // both bodies below their ridges
    }
}

TEST_P(Collision, MayComeAfterThePlaneWasCrossedBeside)
{
    // Down through the plane beside the face, up again, then down through the face: sideways motion is uniform.
    Scene scene = triangle_and_vertex({-1.6, 0.5, 0.2}, {});
    for (std::size_t i = 3; i < 6; ++i) {
        scene.x1[i] = scene.x[i] + Vec3{2, -1, 0};
        scene.v0[i] = {2, -8, 0}, scene.v1[i] = {2, -8, 0};
    }
    const auto hit = first_hit(scene.surface(), kVertexOnFace, scene.motion(), GetParam());
    ASSERT_TRUE(hit);
    EXPECT_GT(hit->time, 0.8);
    const Vec3 at = point_at(scene.motion().curve(3), hit->time);
    EXPECT_NEAR(at.y, 0, 1e-14);
    EXPECT_NEAR(hit->weight[3], at.x, 1e-13);
}

INSTANTIATE_TEST_SUITE_P(Both, Collision, testing::Values(GapModel::exact, GapModel::cubic));

// A face that turns over while a vertex flies past: the cubic through the ends of the gap does not show it (W-16).
TEST(GapModel, ExactSeesWhatTheCubicMisses)
{
    Scene scene = triangle_and_vertex({0.25, 0.05, 0.25}, {});
    // The face swings up through the resting vertex and back: cubic paths with y = 4 s u (1 - u).
    for (std::size_t i = 0; i < 3; ++i) {
        const double far = norm(scene.x[i]);
        scene.v0[i] = {0, 2 * far, 0}, scene.v1[i] = {0, -2 * far, 0};
    }
    const SurfacePair pair = kVertexOnFace;
    const auto exact = first_hit(scene.surface(), pair, scene.motion());
    ASSERT_TRUE(exact);
    EXPECT_NEAR(exact->time * (1 - exact->time) * 2 * 0.5, 0.05, 1e-12);
    int missed = 0, seen = 0;
    std::mt19937 random(21);
    for (int sample = 0; sample < 3000; ++sample) {
        for (std::size_t i = 0; i < 6; ++i) {
            scene.x[i] = test::random_vector(random, 1), scene.x1[i] = test::random_vector(random, 1);
            scene.v0[i] = test::random_vector(random, 4), scene.v1[i] = test::random_vector(random, 4);
        }
        const CollisionSurface surface = scene.surface();
        const auto hit = first_hit(surface, pair, scene.motion());
        const auto thesis = first_hit(surface, pair, scene.motion(), GapModel::cubic);
        ASSERT_TRUE(!thesis || (hit && hit->time <= thesis->time + 1e-12));
        missed += hit && !thesis ? 1 : 0;
        seen += hit && thesis ? 1 : 0;
    }
    EXPECT_GT(missed, 10);
    EXPECT_GT(seen, 10);
}

// First time, by small steps, at which a pair passes from a valid to an invalid state through its plane.
struct Sampled {
    double time = -1;
    bool is_clear = true;  // false where the answer hangs on a hair
};

Sampled sampled_first_hit(const Scene& scene, const CollisionSurface& surface, const SurfacePair& pair)
{
    constexpr int kSamples = 2000;
    const StepMotion motion = scene.motion();
    const auto n = pair_nodes(surface, pair);
    const auto at = [&](std::int32_t node, double u) { return point_at(motion.curve(node), u); };
    const auto behind = [&](std::int32_t edge, double u) {
        const Edge& back = surface.tet_behind[static_cast<std::size_t>(edge)];
        return (at(back[0], u) + at(back[1], u)) * 0.5;
    };
    const bool is_face = pair.kind == PairKind::vertex_face;
    const auto face_gaps = [&](double u) {
        return vertex_face_gaps(at(n[1], u), at(n[2], u), at(n[3], u), at(n[0], u));
    };
    const auto edge_gaps = [&](double u) {
        return edge_edge_gaps(at(n[0], u), at(n[1], u), at(n[2], u), at(n[3], u), behind(pair.a, u), behind(pair.b, u));
    };
    Sampled result;
    double before = is_face ? face_gaps(0).plane : edge_gaps(0).plane;
    for (int k = 1; k <= kSamples; ++k) {
        const double u = static_cast<double>(k) / kSamples;
        const double now = is_face ? face_gaps(u).plane : edge_gaps(u).plane;
        if (before * now < 0) {
            const double root = u - now / (now - before) / kSamples;
            double nearest = 1e30;
            bool hits = true;
            if (is_face) {
                hits = before > 0;
                for (const double w : face_weights(at(n[0], root), at(n[1], root), at(n[2], root), at(n[3], root)))
                    hits = hits && w > 0, nearest = std::min(nearest, std::abs(w));
            } else {
                const auto g = edge_gaps(root).straddle;
                const double side = before > 0 ? 1 : -1;
                hits = g[0] * side > 0 && g[1] * side < 0 && g[2] * side > 0 && g[3] * side < 0;
                for (const double gap : g) nearest = std::min(nearest, std::abs(gap));
            }
            result.is_clear = result.is_clear && nearest > 0.02;
            if (hits) {
                result.time = root * scene.h;
                return result;
            }
        }
        before = now;
    }
    return result;
}

TEST(FirstHit, AgreesWithDenseSamplingForRandomMotions)
{
    std::mt19937 random(31);
    Scene scene = two_ridges(1, {});
    scene.h = 0.5;
    const CollisionSurface surface = scene.surface();
    int hits = 0, misses = 0;
    for (int sample = 0; sample < 1500; ++sample) {
        scene.path = sample % 4 == 0 ? PathKind::straight : PathKind::hermite;
        for (std::size_t i = 0; i < 8; ++i) {
            scene.x[i] = test::random_vector(random, 1), scene.x1[i] = test::random_vector(random, 1);
            scene.v0[i] = test::random_vector(random, 4), scene.v1[i] = test::random_vector(random, 4);
        }
        const SurfacePair pair = sample % 2 == 0 ? ridge_pair(surface) : SurfacePair{PairKind::vertex_face, 1, 5};
        const Sampled expected = sampled_first_hit(scene, surface, pair);
        if (!expected.is_clear) continue;
        const auto hit = first_hit(surface, pair, scene.motion());
        ASSERT_EQ(hit.has_value(), expected.time >= 0) << sample;
        (hit ? hits : misses) += 1;
        EXPECT_NEAR(hit ? hit->time : -1, expected.time, 1e-4) << sample;
    }
    EXPECT_GT(hits, 50);
    EXPECT_GT(misses, 50);
}

}  // namespace
}  // namespace pliant
