// SPDX-License-Identifier: MIT

// Shapes as simplex meshes: a sphere by duality, cylinder and torus rolled up from a honeycomb.
//
// Round the y axis, angle phi grows from +z towards +x, to the right seen from outside; rows are
// stacked from the bottom up.
//
//    T   T   T            Honeycomb: in row j, upright edge i joins a foot B(j,i) to a top T(j,i). Each row
//    |   |   |   row j    stands between the uprights of the row below: left of B(j,i) is T(j-1,i),
//    B   B   B            right of it T(j-1,i+1). Rows are 1 high: uprights take 2/3 of it and the zigzag
//     \ / \ / \            between rows 1/3, as in regular hexagons.
//      T   T   T
//      |   |   | row j-1

#include <pliant/mesh/shapes.h>

#include <numbers>

#include <pliant/mesh/shape_checks.h>

namespace pliant {

namespace {

constexpr double kFoot = 1.0 / 6, kTop = 5.0 / 6;  // heights of B and T in their row

/// Row k of the bipyramid's triangulation, counted from a pole, has f k vertices, k to each side: its flat
/// triangles are cut evenly and the vertices pushed out to the sphere.
std::vector<Vec3> ring_of_bipyramid(int f, int k, int rows, double side)
{
    if (k == 0) return {{0, side, 0}};
    const double down = static_cast<double>(k) / rows, y = k == rows ? 0 : side * (1 - down);
    std::vector<Vec3> ring;
    ring.reserve(static_cast<std::size_t>(f) * static_cast<std::size_t>(k));
    const auto corner = [&](int s) {
        const double phi = 2 * std::numbers::pi * (s % f) / f;
        return Vec3{std::sin(phi), 0, std::cos(phi)};
    };
    for (int s = 0; s < f; ++s) {
        const Vec3 from = corner(s), to = corner(s + 1);
        for (int i = 0; i < k; ++i)
            ring.push_back(normalized((from + (to - from) * (static_cast<double>(i) / k)) * down + Vec3{0, y, 0}));
    }
    return ring;
}

/// Triangles between row k (nearer its pole, first vertex `inner`) and row k+1 (first vertex `outer`).
void add_bipyramid_band(TriMesh& mesh, int f, int k, std::int32_t inner, std::int32_t outer, bool northern)
{
    const auto add = [&](std::int32_t a, std::int32_t b, std::int32_t c) {
        mesh.triangles.push_back(northern ? Triangle{a, b, c} : Triangle{b, a, c});
    };
    const int inner_count = std::max(f * k, 1), outer_count = f * (k + 1);
    for (int side = 0; side < f; ++side)
        for (int i = 0; i <= k; ++i) {
            const std::int32_t left = outer + side * (k + 1) + i;
            const std::int32_t right = outer + (side * (k + 1) + i + 1) % outer_count;
            const std::int32_t tip = inner + (side * k + i) % inner_count;
            add(left, right, tip);
            if (i < k) add(right, inner + (side * k + i + 1) % inner_count, tip);
        }
}

/// Unit bipyramid of f sides, every triangle cut in rows^2, vertices pushed out to the sphere.
TriMesh round_bipyramid(int f, int rows)
{
    TriMesh mesh;
    std::vector<std::int32_t> first;  // vertex of each row from the south pole to the north pole
    for (int j = 0; j <= 2 * rows; ++j) {
        first.push_back(static_cast<std::int32_t>(mesh.vertices.size()));
        const std::vector<Vec3> ring = ring_of_bipyramid(f, std::min(j, 2 * rows - j), rows, j < rows ? -1 : 1);
        mesh.vertices.insert(mesh.vertices.end(), ring.begin(), ring.end());
    }
    for (std::size_t j = 0; j + 1 < first.size(); ++j) {
        const int row = static_cast<int>(j);
        if (row < rows)
            add_bipyramid_band(mesh, f, row, first[j], first[j + 1], false);
        else
            add_bipyramid_band(mesh, f, 2 * rows - 1 - row, first[j + 1], first[j], true);
    }
    return mesh;
}

/// Vertices by rows, in each its feet, then its tops.
struct Honeycomb {
    int rows, segments;

    std::int32_t foot(int row, int i) const { return 2 * segments * row + wrapped(i); }
    std::int32_t top(int row, int i) const { return foot(row, i) + segments; }
    int wrapped(int i) const { return ((i % segments) + segments) % segments; }

    /// Everything but what is below the first row and above the last. The neighbours go round from
    /// the upright's other end.
    std::vector<std::array<std::int32_t, 3>> inner_neighbours() const
    {
        std::vector<std::array<std::int32_t, 3>> neighbours;
        neighbours.reserve(2 * static_cast<std::size_t>(segments) * static_cast<std::size_t>(rows));
        for (int j = 0; j < rows; ++j) {
            for (int i = 0; i < segments; ++i) neighbours.push_back({top(j, i), top(j - 1, i), top(j - 1, i + 1)});
            for (int i = 0; i < segments; ++i) neighbours.push_back({foot(j, i), foot(j + 1, i), foot(j + 1, i - 1)});
        }
        return neighbours;
    }
};

}  // namespace

SimplexMesh simplex_sphere(double radius, int stages, int frequency)
{
    require_positive("simplex_sphere", "radius", radius);
    require_at_least("simplex_sphere", "stages", stages, 2);
    require_at_least("simplex_sphere", "sides (frequency)", frequency, 3);
    require_vertices("simplex_sphere", 2.0 * frequency * (stages - 1.0) * (stages - 1.0));
    SimplexMesh mesh = dual(round_bipyramid(frequency, stages - 1));
    for (Vec3& vertex : mesh.vertices) vertex *= radius / norm(vertex);
    return mesh;
}

SimplexMesh simplex_cylinder(double radius, double height, int segments, int rings)
{
    require_positive("simplex_cylinder", "radius", radius);
    require_positive("simplex_cylinder", "height", height);
    require_at_least("simplex_cylinder", "segments", segments, 3);
    require_at_least("simplex_cylinder", "rings", rings, 1);
    require_vertices("simplex_cylinder", 2.0 * segments * rings);
    const Honeycomb comb{rings, segments};
    SimplexMesh mesh{{}, comb.inner_neighbours()};
    const auto add = [&](int row, int i, double level) {
        const double phi = 2 * std::numbers::pi * (i + row * 0.5) / segments;
        mesh.vertices.push_back({radius * std::sin(phi), height * (level / rings - 0.5), radius * std::cos(phi)});
    };
    for (int j = 0; j < rings; ++j) {
        for (int i = 0; i < segments; ++i) add(j, i, j == 0 ? 0 : j + kFoot);
        for (int i = 0; i < segments; ++i) add(j, i, j == rings - 1 ? rings : j + kTop);
    }
    // The ends close by joining feet with feet and tops with tops around their polygon.
    for (int i = 0; i < segments; ++i) {
        auto& lowest = mesh.neighbours[static_cast<std::size_t>(comb.foot(0, i))];
        lowest = {comb.top(0, i), comb.foot(0, i - 1), comb.foot(0, i + 1)};
        auto& highest = mesh.neighbours[static_cast<std::size_t>(comb.top(rings - 1, i))];
        highest = {comb.foot(rings - 1, i), comb.top(rings - 1, i + 1), comb.top(rings - 1, i - 1)};
    }
    return mesh;
}

SimplexMesh simplex_torus(double major_radius, double minor_radius, int major_segments, int minor_segments)
{
    require_positive("simplex_torus", "minor radius", minor_radius);
    require_positive("simplex_torus", "major radius", major_radius);
    require_positive("simplex_torus", "hole (major radius - minor radius)", major_radius - minor_radius);
    require_at_least("simplex_torus", "major segments", major_segments, 3);
    require_at_least("simplex_torus", "minor segments", minor_segments, 3);
    require_vertices("simplex_torus", 2.0 * major_segments * minor_segments);
    const Honeycomb comb{minor_segments, major_segments};
    SimplexMesh mesh{{}, comb.inner_neighbours()};
    // Once around the tube, the rows have moved ahead by a whole number of segments.
    const int turn = minor_segments / 2;
    const double ahead = static_cast<double>(turn) / minor_segments;
    const auto add = [&](int row, int i, double level) {
        const double phi = 2 * std::numbers::pi * (i + row * ahead) / major_segments;
        const double theta = 2 * std::numbers::pi * level / minor_segments;
        const double distance = major_radius + minor_radius * std::cos(theta);
        mesh.vertices.push_back({distance * std::sin(phi), minor_radius * std::sin(theta), distance * std::cos(phi)});
    };
    for (int j = 0; j < minor_segments; ++j) {
        for (int i = 0; i < major_segments; ++i) add(j, i, j + kFoot);
        for (int i = 0; i < major_segments; ++i) add(j, i, j + kTop);
    }
    const int last = minor_segments - 1;
    for (int i = 0; i < major_segments; ++i) {
        auto& lowest = mesh.neighbours[static_cast<std::size_t>(comb.foot(0, i))];
        lowest = {comb.top(0, i), comb.top(last, i - turn), comb.top(last, i - turn + 1)};
        auto& highest = mesh.neighbours[static_cast<std::size_t>(comb.top(last, i))];
        highest = {comb.foot(last, i), comb.foot(0, i + turn), comb.foot(0, i + turn - 1)};
    }
    return mesh;
}

}  // namespace pliant
