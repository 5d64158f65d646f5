// SPDX-License-Identifier: MIT
#include <pliant/audit/intersections.h>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <random>

#include <pliant/audit/edge_face.h>
#include <pliant/base/parallel.h>
#include <pliant/mesh/shapes.h>

#include "base/counted_new.h"

namespace pliant {
namespace {

// Bodies in one index space.
struct Things {
    std::vector<Vec3> x;
    AuditSurfaces surfaces;

    void add(const std::vector<Vec3>& vertices, std::vector<Triangle> faces, std::vector<Edge> lines = {},
             bool is_fixed = false)
    {
        const auto first = static_cast<std::int32_t>(x.size());
        for (Triangle& face : faces)
            for (std::int32_t& v : face) v += first;
        for (Edge& line : lines)
            for (std::int32_t& v : line) v += first;
        surfaces.add({first, static_cast<std::int32_t>(vertices.size()), faces, lines, is_fixed});
        x.insert(x.end(), vertices.begin(), vertices.end());
    }
    void add(const TriMesh& mesh, bool is_fixed = false) { add(mesh.vertices, mesh.triangles, {}, is_fixed); }

    Intersections found(std::span<const AuditPlane> planes = {}) const
    {
        Intersections result;
        EXPECT_TRUE(IntersectionSearch(surfaces).find(result, x, planes));
        return result;
    }
    std::vector<EdgeThroughFace> by_brute_force() const
    {
        std::vector<EdgeThroughFace> result;
        for (std::size_t e = 0; e < surfaces.edges.size(); ++e)
            for (std::size_t f = 0; f < surfaces.faces.size(); ++f) {
                const Edge& edge = surfaces.edges[e];
                const Triangle& face = surfaces.faces[f];
                bool shared = false;
                for (const std::int32_t v : face) shared = shared || v == edge[0] || v == edge[1];
                if (!shared && edge_meets_face(x[edge[0]], x[edge[1]], x[face[0]], x[face[1]], x[face[2]]))
                    result.push_back(
                        {surfaces.edge_body[e], edge, surfaces.face_body[f], static_cast<std::int32_t>(f)});
            }
        return result;
    }
};

const std::vector<Vec3> kTriangle{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};

TEST(Intersections, TwoTrianglesThatCross)
{
    Things things;
    things.add(kTriangle, {{0, 1, 2}});
    things.add({{0.2, 0.2, -0.5}, {0.3, 0.3, 0.5}, {5, 5, -0.5}}, {{0, 1, 2}});
    // The second one's edge 0-1 runs through the first; its other edge that crosses the plane does so far outside; the line
    // that both have in common ends at the first one's side 1-2, which runs through the second.
    const std::vector<EdgeThroughFace> expected{{0, {1, 2}, 1, 1}, {1, {3, 4}, 0, 0}};
    EXPECT_EQ(things.found().edges, expected);
    for (std::size_t v = 3; v < 6; ++v) things.x[v].z += 0.6;
    EXPECT_EQ(things.found().count(), 0u);
}

TEST(Intersections, NeighboursAreNone)
{
    // Folded flat onto each other along a shared side, and around a shared corner: each pair has a vertex in common.
    Things folded;
    folded.add({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0.2, 0.2, 0}}, {{0, 1, 2}, {1, 0, 3}});
    EXPECT_EQ(folded.found().count(), 0u);
    Things around;
    around.add({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {-1, 0.1, 0}, {-1, 0.2, 1}}, {{0, 1, 2}, {0, 3, 4}});
    EXPECT_EQ(around.found().count(), 0u);
    // With one corner in common the opposite edge may still run through.
    around.x[3] = {0.3, 0.3, -1}, around.x[4] = {0.3, 0.3, 1};
    const std::vector<EdgeThroughFace> expected{{0, {3, 4}, 0, 0}};
    EXPECT_EQ(around.found().edges, expected);
}

TEST(Intersections, AVertexOnAFaceCountsForEachOfItsEdges)
{
    Things things;
    things.add(kTriangle, {{0, 1, 2}});
    things.add({{0.25, 0.25, 0}, {0, 0, 1}, {1, 0, 1}}, {{0, 1, 2}});
    const std::vector<EdgeThroughFace> expected{{1, {3, 4}, 0, 0}, {1, {3, 5}, 0, 0}};
    EXPECT_EQ(things.found().edges, expected);
    things.x[3].z = std::numeric_limits<double>::denorm_min();
    EXPECT_EQ(things.found().count(), 0u);
}

TEST(Intersections, AnEdgeThroughAnEdge)
{
    Things things;
    things.add(kTriangle, {{0, 1, 2}});
    things.add({{0.5, 0, -1}, {0.5, 0, 1}, {0.5, -1, 0}}, {{0, 1, 2}});
    const std::vector<EdgeThroughFace> expected{{0, {0, 1}, 1, 1}, {1, {3, 4}, 0, 0}};
    EXPECT_EQ(things.found().edges, expected);
}

TEST(Intersections, FacesOfOnePlaneThatOverlapTouchOrDoNot)
{
    Things things;
    things.add(kTriangle, {{0, 1, 2}});
    things.add(kTriangle, {{0, 1, 2}});
    EXPECT_EQ(things.found().count(), 6u);  // one upon the other: every edge lies in the other face
    const auto shift_to = [&](double dx) {
        for (std::size_t v = 3; v < 6; ++v) things.x[v] = kTriangle[v - 3] + Vec3{dx, 0, 0};
    };
    shift_to(0.5);
    EXPECT_EQ(things.found().edges, things.by_brute_force());
    EXPECT_GT(things.found().count(), 0u);
    shift_to(1);  // corner against corner: two edges of each end in the other face
    EXPECT_EQ(things.found().count(), 4u);
    shift_to(std::nextafter(1.0, 2.0));
    EXPECT_EQ(things.found().count(), 0u);
}

TEST(Intersections, RopesHaveLinesAndFixedThingsAreNotCompared)
{
    Things things;
    things.add({{0.2, 0.2, -1}, {0.2, 0.2, 1}}, {}, {{0, 1}});
    things.add(kTriangle, {{0, 1, 2}}, {}, true);
    const std::vector<EdgeThroughFace> expected{{0, {0, 1}, 1, 0}};
    EXPECT_EQ(things.found().edges, expected);
    things.add({{0.4, 0.2, -1}, {0.4, 0.2, 1}, {5, 5, 0}}, {{0, 1, 2}}, {}, true);
    EXPECT_EQ(things.found().edges, expected);
}

TEST(Intersections, RandomSoupIsWhatBruteForceFinds)
{
    std::mt19937 random(5);
    std::uniform_real_distribution<double> number(-1, 1);
    for (const double size : {0.05, 0.3, 2.0}) {
        Things things;
        for (int body = 0; body < 3; ++body) {
            std::vector<Vec3> vertices;
            std::vector<Triangle> faces;
            for (std::int32_t f = 0; f < 200; ++f) {
                const Vec3 middle{number(random), number(random), number(random)};
                // Some much larger than the others, some on a coarse lattice, where they touch and lie in one plane.
                const double reach = f % 50 == 0 ? 2 : size;
                for (int c = 0; c < 3; ++c) {
                    Vec3 x = middle + Vec3{number(random), number(random), number(random)} * reach;
                    if (f % 3 == 0)
                        for (int k = 0; k < 3; ++k) x[k] = std::round(x[k] * 8) / 8;
                    vertices.push_back(x);
                }
                faces.push_back({3 * f, 3 * f + 1, 3 * f + 2});
            }
            things.add(vertices, faces);
        }
        const Intersections found = things.found();
        EXPECT_EQ(found.edges, things.by_brute_force()) << size;
        EXPECT_GT(found.count(), 20u);
    }
}

// A sheet rolled up along a spiral: free while the turns keep apart, through itself where the spiral closes.
TEST(Intersections, AFoldedSheetThatCutsItself)
{
    const TriMesh flat = grid(41, 11, 4, 1);
    const auto rolled = [&](double growth) {
        TriMesh mesh = flat;
        for (Vec3& x : mesh.vertices) {
            const double angle = (x.x + 2) / 4 * 3 * std::numbers::pi, radius = 0.4 + growth * angle;
            x = {radius * std::cos(angle), radius * std::sin(angle), x.y + x.z};
        }
        return mesh;
    };
    Things apart, cutting;
    apart.add(rolled(0.02));
    EXPECT_EQ(apart.found().count(), 0u);
    TriMesh mesh = rolled(0.02);
    for (std::size_t v = 0; v < mesh.vertices.size(); ++v)
        if (flat.vertices[v].x > 1.9) mesh.vertices[v] = mesh.vertices[v] * 0.2;  // the free end pushed inwards
    cutting.add(mesh);
    const Intersections found = cutting.found();
    EXPECT_GT(found.count(), 10u);
    EXPECT_EQ(found.edges, cutting.by_brute_force());
    for (const EdgeThroughFace& pair : found.edges) EXPECT_EQ(pair.body_a, pair.body_b);
}

TEST(Intersections, AFlatSheetIsFreeWhicheverWayItLies)
{
    for (const Vec3 normal : {Vec3{0, 0, 1}, Vec3{0.3, 0.5, 0.8}}) {
        TriMesh mesh = grid(30, 30, 1, 1);
        const Vec3 n = normalized(normal), a = normalized(cross(n, Vec3{0.9, 0.1, 0.2})), b = cross(n, a);
        for (Vec3& x : mesh.vertices) x = a * x.x + b * (x.y + x.z);
        Things things;
        things.add(mesh);
        EXPECT_EQ(things.found().count(), 0u);
    }
}

TEST(Intersections, VerticesBehindAPlane)
{
    Things things;
    things.add({{0, 1, 0}, {1, 0, 0}, {0, -1e-300, 1}}, {{0, 1, 2}});
    things.add({{0, -5, 0}, {1, -5, 0}, {0, -5, 1}}, {{0, 1, 2}}, {}, true);  // stands where the scene put it
    const std::vector<AuditPlane> floor{{7, {0, 0, 0}, {0, 1, 0}}};
    const std::vector<VertexThroughPlane> expected{{0, 2, 7}};
    EXPECT_EQ(things.found(floor).vertices, expected);
    EXPECT_EQ(things.found(floor).count(), 1u);
    things.x[2].y = 0;
    EXPECT_EQ(things.found(floor).count(), 0u);
}

TEST(Intersections, NothingIsSaidOfWhatIsNotFinite)
{
    Things things;
    things.add(kTriangle, {{0, 1, 2}});
    things.add(kTriangle, {{0, 1, 2}});
    things.x[4].y = std::numeric_limits<double>::quiet_NaN();
    Intersections found{{{}}, {{}}};
    EXPECT_FALSE(IntersectionSearch(things.surfaces).find(found, things.x));
    EXPECT_EQ(found.count(), 0u);
}

// Two crumpled sheets through each other: the same list for any number of threads, and no allocation once warm.
TEST(Intersections, AreTheSameForAnyNumberOfThreadsAndDoNotAllocate)
{
    std::mt19937 random(9);
    std::uniform_real_distribution<double> number(-0.03, 0.03);
    Things things;
    for (int body = 0; body < 2; ++body) {
        TriMesh mesh = grid(40, 40, 1, 1);
        for (Vec3& x : mesh.vertices) {
            if (body == 1) std::swap(x.y, x.z);
            x += Vec3{number(random), number(random), number(random)};
        }
        things.add(mesh);
    }
    set_thread_count(1);
    const Intersections alone = things.found();
    EXPECT_GT(alone.count(), 50u);
    set_thread_count(4);
    IntersectionSearch search(things.surfaces);
    Intersections together;
    ASSERT_TRUE(search.find(together, things.x));
    EXPECT_EQ(together.edges, alone.edges);
    const long before = allocation_count();
    ASSERT_TRUE(search.find(together, things.x));
    EXPECT_EQ(allocation_count(), before);
    EXPECT_EQ(together.edges, alone.edges);
    set_thread_count(0);
}

}  // namespace
}  // namespace pliant
