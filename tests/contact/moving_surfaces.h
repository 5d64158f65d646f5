// SPDX-License-Identifier: MIT
#pragma once

// Surfaces that move over a step, and what every broad phase must find among them.
//
// check_search() holds a broad phase against find_by_brute_force(), which shares its box test but looks at every pair of
// elements, and against distances of the elements themselves at moments of the step, which know nothing of boxes.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <set>
#include <string>
#include <vector>

#include <pliant/contact/brute_force_pairs.h>
#include <pliant/mesh/shapes.h>
#include <pliant/mesh/surface_tree.h>

#include "energy/derivatives.h"

namespace pliant::test {

struct MovingSurfaces {
    std::string name;
    std::vector<Vec3> x0, x1;
    std::vector<Triangle> faces;
    std::vector<std::int32_t> face_body;
    std::vector<double> reach;
    std::vector<std::uint8_t> meets_self, is_fixed;

    /// The body meets itself and can move.
    void add(const TriMesh& mesh, std::int32_t body, double body_reach, const Vec3& shift = {})
    {
        const auto first = static_cast<std::int32_t>(x0.size());
        for (Triangle face : mesh.triangles) {
            for (std::int32_t& node : face) node += first;
            faces.push_back(face), face_body.push_back(body);
        }
        for (const Vec3& vertex : mesh.vertices) x0.push_back(vertex + shift);
        x1 = x0;
        const auto bodies = std::max(reach.size(), static_cast<std::size_t>(body) + 1);
        reach.resize(bodies), meets_self.resize(bodies, 1), is_fixed.resize(bodies, 0);
        reach[static_cast<std::size_t>(body)] = body_reach;
    }
    CollisionSurface surface() const
    {
        return collision_surface(faces, face_body, {}, x0.size(), EdgeBack::surface_normals);
    }
    PairSearch search() const { return {x0, x1, reach, meets_self, is_fixed}; }
};

inline Mat3 turn_about(const Vec3& axis, double angle)
{
    const Vec3 n = normalized(axis);
    const double c = std::cos(angle), s = std::sin(angle);
    return identity3<double>() * c + outer(n, n) * (1 - c) + Mat3{{{0, -n.z, n.y}, {n.z, 0, -n.x}, {-n.y, n.x, 0}}} * s;
}

inline MovingSurfaces random_soup(unsigned seed)
{
    std::mt19937 random(seed);
    MovingSurfaces scene{.name = "soup " + std::to_string(seed)};
    for (std::int32_t body = 0; body < 3; ++body) scene.add(grid(5, 6, 1, 1), body, 0.02 * body);
    for (std::size_t i = 0; i < scene.x0.size(); ++i) {
        scene.x0[i] += random_vector(random, 0.3);
        scene.x1[i] = scene.x0[i] + random_vector(random, seed % 2 == 0 ? 0.05 : 1.5);
    }
    return scene;
}

/// A sheet folded twice, layers a third of an edge apart.
inline MovingSurfaces folded_sheet()
{
    MovingSurfaces scene{.name = "folded sheet"};
    scene.add(grid(17, 9, 1.6, 0.8, {.diagonals = GridDiagonals::alternating}), 0, 0.02);
    for (Vec3& p : scene.x0) {
        const double along = p.x + 0.8, layer = std::floor(along / 0.55);
        const double inside = along - 0.55 * layer;
        p = {std::fmod(layer, 2) == 0 ? inside : 0.55 - inside, 0.033 * layer + 0.01 * std::sin(9 * p.z), p.z};
    }
    for (std::size_t i = 0; i < scene.x0.size(); ++i) scene.x1[i] = scene.x0[i] * 0.95;
    return scene;
}

/// Two sheets that fly through each other, 40 edges in the step, one of them turning.
inline MovingSurfaces fast_sheets()
{
    MovingSurfaces scene{.name = "fast sheets"};
    for (std::int32_t body = 0; body < 2; ++body) scene.add(grid(8, 8, 0.7, 0.7), body, 0.005, {0, 2.0 * body, 0});
    const Mat3 turn = turn_about({1, 2, 1}, 0.5);
    for (std::size_t i = 0; i < scene.x0.size(); ++i)
        scene.x1[i] = i < 64 ? scene.x0[i] + Vec3{1, 5, -2} : turn * scene.x0[i] + Vec3{1, 1, -2};
    return scene;
}

/// Boxes that touch while they turn.
inline MovingSurfaces turning_boxes()
{
    MovingSurfaces scene{.name = "turning boxes"};
    for (std::int32_t body = 0; body < 3; ++body) scene.add(box({1, 1, 1}, {2, 3, 2}), body, 0.01);
    const std::size_t each = scene.x0.size() / 3;
    for (std::size_t i = 0; i < scene.x0.size(); ++i) {
        const double b = static_cast<double>(i / each);
        const Vec3 p = scene.x0[i];
        scene.x0[i] = turn_about({1, b, 2}, 0.3 * b) * p + Vec3{1.15 * b, 0.1 * b, 0};
        scene.x1[i] = turn_about({1, b, 2}, 0.3 * b + 0.7) * p + Vec3{1.05 * b, 0.1 * b, 0.2};
    }
    std::fill(scene.meets_self.begin(), scene.meets_self.end(), std::uint8_t{0});
    return scene;
}

/// A fine sheet on two large triangles, far from the origin; numbers of bodies have gaps; two fixed bodies that touch.
inline MovingSurfaces sheet_on_floor()
{
    MovingSurfaces scene{.name = "sheet on floor"};
    const Vec3 far{800, -300, 500};
    scene.add(grid(2, 2, 40, 40), 3, 0, far + Vec3{0, -0.02, 0});
    scene.add(box({1, 1, 1}), 4, 0, far + Vec3{0, -0.52, 0});
    scene.add(grid(9, 9, 0.4, 0.4), 6, 0.004, far);
    for (std::size_t i = 12; i < scene.x0.size(); ++i) scene.x1[i] += Vec3{0.3, -0.05, 0.1};
    scene.is_fixed[3] = scene.is_fixed[4] = 1;
    return scene;
}

/// A cone whose tip has more faces than a joint may have.
inline MovingSurfaces cone()
{
    MovingSurfaces scene{.name = "cone"};
    TriMesh mesh;
    constexpr int segments = 3 * static_cast<int>(kLargestFan) / 2;
    mesh.vertices.push_back({0, 0.5, 0});
    for (int i = 0; i < segments; ++i) {
        const double angle = 2 * 3.14159265358979 * i / segments;
        mesh.vertices.push_back({std::cos(angle), 0.1 * std::sin(5 * angle), std::sin(angle)});
        mesh.triangles.push_back({0, 1 + i, 1 + (i + 1) % segments});
    }
    scene.add(mesh, 0, 0.01);
    for (Vec3& p : scene.x1) p.z *= 0.01;
    return scene;
}

inline std::vector<MovingSurfaces> all_scenes()
{
    return {random_soup(1), random_soup(2),  random_soup(3),   folded_sheet(),
            fast_sheets(),  turning_boxes(), sheet_on_floor(), cone()};
}

/// Distance of two segments: of the closest points of their lines, or of an end from the other segment.
inline double segment_distance(const Vec3& p0, const Vec3& p1, const Vec3& q0, const Vec3& q1)
{
    const auto from = [](const Vec3& p, const Vec3& a, const Vec3& b) {
        const double along = norm2(b - a) > 0 ? std::clamp(dot(p - a, b - a) / norm2(b - a), 0.0, 1.0) : 0;
        return norm(p - a - (b - a) * along);
    };
    double least = std::min({from(p0, q0, q1), from(p1, q0, q1), from(q0, p0, p1), from(q1, p0, p1)});
    const Vec3 n = cross(p1 - p0, q1 - q0);
    // Lines so nearly parallel meet nowhere that rounding could tell.
    if (norm2(n) <= 1e-24 * norm2(p1 - p0) * norm2(q1 - q0)) return least;
    const double s = dot(cross(q0 - p0, q1 - q0), n) / norm2(n), t = dot(cross(q0 - p0, p1 - p0), n) / norm2(n);
    if (s >= 0 && s <= 1 && t >= 0 && t <= 1) least = std::min(least, std::abs(dot(q0 - p0, n)) / norm(n));
    return least;
}

/// Distance of the elements of a pair when `share` of the step is done.
inline double pair_distance(const CollisionSurface& surface, const SurfacePair& pair, const PairSearch& search,
                            double share)
{
    std::array<Vec3, 4> p;
    const auto nodes = pair_nodes(surface, pair);
    for (std::size_t i = 0; i < 4; ++i) {
        const auto node = static_cast<std::size_t>(nodes[i]);
        p[i] = search.x0[node] + (search.x1[node] - search.x0[node]) * share;
    }
    if (pair.kind == PairKind::edge_edge) return segment_distance(p[0], p[1], p[2], p[3]);
    return norm(p[0] - nearest_point_of_triangle(p[0], p[1], p[2], p[3]));
}

inline std::vector<std::uint64_t> sorted_keys(const std::vector<SurfacePair>& pairs)
{
    std::vector<std::uint64_t> keys;
    for (const SurfacePair& pair : pairs) keys.push_back(pair.key());
    std::sort(keys.begin(), keys.end());
    return keys;
}

/// Pairs that count, each once, that come nearer than their reach at one of the moments; whatever their boxes.
inline std::vector<std::uint64_t> near_pairs(const CollisionSurface& surface, const PairSearch& search, int moments)
{
    std::vector<std::uint64_t> keys;
    const auto offer = [&](const SurfacePair& pair, std::int32_t i, std::int32_t j) {
        const auto n = pair_nodes(surface, pair);
        const std::size_t own = pair.kind == PairKind::vertex_face ? 1 : 2;
        bool shares = false;
        for (std::size_t a = 0; a < own; ++a)
            for (std::size_t b = own; b < 4; ++b) shares = shares || n[a] == n[b];
        if (shares || (i == j && search.meets_self[static_cast<std::size_t>(i)] == 0)) return;
        if (search.is_fixed[static_cast<std::size_t>(i)] != 0 && search.is_fixed[static_cast<std::size_t>(j)] != 0)
            return;
        const double reach = search.reach[static_cast<std::size_t>(i)] + search.reach[static_cast<std::size_t>(j)];
        for (int k = 0; k < moments; ++k)
            if (pair_distance(surface, pair, search, static_cast<double>(k) / (moments - 1)) < reach)
                return keys.push_back(pair.key());
    };
    for (std::size_t v = 0; v < surface.vertices.size(); ++v)
        for (std::size_t f = 0; f < surface.faces.size(); ++f)
            offer({PairKind::vertex_face, static_cast<std::int32_t>(v), static_cast<std::int32_t>(f)},
                  surface.vertex_body[v], surface.face_body[f]);
    for (std::size_t a = 0; a < surface.edges.size(); ++a)
        for (std::size_t b = a + 1; b < surface.edges.size(); ++b)
            offer({PairKind::edge_edge, static_cast<std::int32_t>(a), static_cast<std::int32_t>(b)},
                  surface.edge_body[a], surface.edge_body[b]);
    std::sort(keys.begin(), keys.end());
    return keys;
}

/// `pairs` is what the search asks for, each pair once. Something must come near, unless the scene is said to be apart.
inline void check_search(const std::vector<SurfacePair>& pairs, const SearchCounters& counters,
                         const CollisionSurface& surface, const PairSearch& search, bool scene_is_apart = false)
{
    const std::vector<std::uint64_t> keys = sorted_keys(pairs);
    EXPECT_EQ(static_cast<std::size_t>(counters.pairs), pairs.size());
    EXPECT_EQ(std::adjacent_find(keys.begin(), keys.end()), keys.end());
    std::vector<SurfacePair> all;
    find_by_brute_force(all, surface, search);
    EXPECT_EQ(keys, sorted_keys(all));
    const std::vector<std::uint64_t> near = near_pairs(surface, search, 9);
    EXPECT_TRUE(std::includes(keys.begin(), keys.end(), near.begin(), near.end()));
    EXPECT_TRUE(scene_is_apart || !near.empty());
    for (const SurfacePair& pair : pairs) {
        const auto n = pair_nodes(surface, pair);
        EXPECT_EQ(std::set<std::int32_t>(n.begin(), n.end()).size(), 4U);
        EXPECT_TRUE(pair.kind == PairKind::vertex_face || pair.a < pair.b);
    }
}

/// A sheet over hills: n x n vertices, edges of 1/(n-1).
inline MovingSurfaces hilly_sheet(int n)
{
    MovingSurfaces scene{.name = "hills"};
    const double edge = 1.0 / (n - 1);
    scene.add(grid(n, n, 1, 1, {.diagonals = GridDiagonals::alternating}), 0, 0.1 * edge);
    std::mt19937 random(5);
    for (Vec3& p : scene.x0) {
        p.y = 0.1 * std::sin(9 * p.x + 2 * p.z) * std::cos(7 * p.z);
        p += random_vector(random, 0.05 * edge);
    }
    scene.x1 = scene.x0;
    return scene;
}

/// n x n squares of two triangles each in one body, and the same after they have changed places.
struct Patches {
    MovingSurfaces scene{.name = "patches"};
    std::vector<Vec3> shuffled;

    explicit Patches(int n)
    {
        TriMesh mesh;
        std::vector<Vec3> places;
        const Vec3 corner[4] = {{0, 0, 0}, {0, 0, 1}, {1, 0.3, 1}, {1, 0, 0}};
        for (int i = 0; i < n * n; ++i) {
            places.push_back({i % n * 0.9, i % 2 * 0.2, i / n * 0.9});
            for (const Vec3& c : corner) mesh.vertices.push_back(places.back() + c);
            mesh.triangles.push_back({4 * i, 4 * i + 1, 4 * i + 2});
            mesh.triangles.push_back({4 * i, 4 * i + 2, 4 * i + 3});
        }
        scene.add(mesh, 0, 0.01);
        std::mt19937 random(8);
        std::shuffle(places.begin(), places.end(), random);
        for (const Vec3& place : places)
            for (const Vec3& c : corner) shuffled.push_back(place + c);
    }
};

}  // namespace pliant::test
