// SPDX-License-Identifier: MIT

// The strip in an overhand knot: it is knotted, flat by itself, hardly stretched, and keeps clear of itself.

#include <algorithm>
#include <cmath>
#include <numbers>

#include <pliant/mesh/shapes.h>

#include "mesh/surface_checks.h"

namespace pliant {
namespace {

const Uv& uv_at(const TriMesh& mesh, std::int32_t v)
{
    return mesh.uv[static_cast<std::size_t>(v)];
}

/// Largest principal Green strain of any triangle against its shape in material coordinates.
double worst_strain(const TriMesh& mesh)
{
    double worst = 0;
    for (const auto& [a, b, c] : mesh.triangles) {
        const Uv &p = uv_at(mesh, a), &q = uv_at(mesh, b), &r = uv_at(mesh, c);
        const double u1 = q[0] - p[0], v1 = q[1] - p[1], u2 = r[0] - p[0], v2 = r[1] - p[1], area = u1 * v2 - u2 * v1;
        const Vec3 e1 = vertex_at(mesh, b) - vertex_at(mesh, a), e2 = vertex_at(mesh, c) - vertex_at(mesh, a);
        const Vec3 along_u = (e1 * v2 - e2 * v1) / area, along_v = (e2 * u1 - e1 * u2) / area;
        const double uu = (norm2(along_u) - 1) / 2, vv = (norm2(along_v) - 1) / 2, uv = dot(along_u, along_v) / 2;
        worst = std::max(worst, std::abs((uu + vv) / 2) + std::hypot((uu - vv) / 2, uv));
    }
    return worst;
}

/// Smallest distance between vertices that are more than `apart` from each other along the strip.
double least_clearance(const TriMesh& mesh, double apart)
{
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < mesh.vertices.size(); ++i)
        for (std::size_t j = 0; j < i; ++j)
            if (std::abs(mesh.uv[i][0] - mesh.uv[j][0]) > apart)
                least = std::min(least, norm2(mesh.vertices[i] - mesh.vertices[j]));
    return std::sqrt(least);
}

/// One place where the middle line passes itself, seen along z.
struct Passage {
    double way;            ///< along the line, in segments
    std::size_t crossing;  ///< two passages each
    bool is_over;
};

std::vector<Passage> passages_of(const std::vector<Vec3>& line)
{
    std::vector<Passage> found;
    std::size_t crossings = 0;
    const auto side = [](const Vec3& a, const Vec3& b, const Vec3& x) {
        return (b.x - a.x) * (x.y - a.y) - (b.y - a.y) * (x.x - a.x);
    };
    for (std::size_t i = 0; i + 1 < line.size(); ++i)
        for (std::size_t j = 0; j + 1 < i; ++j) {
            const double c = side(line[i], line[i + 1], line[j]), d = side(line[i], line[i + 1], line[j + 1]);
            const double a = side(line[j], line[j + 1], line[i]), b = side(line[j], line[j + 1], line[i + 1]);
            if (c * d >= 0 || a * b >= 0) continue;
            const double at_i = a / (a - b), at_j = c / (c - d);
            const bool is_over =
                line[i].z + (line[i + 1].z - line[i].z) * at_i > line[j].z + (line[j + 1].z - line[j].z) * at_j;
            found.push_back({static_cast<double>(i) + at_i, crossings, is_over});
            found.push_back({static_cast<double>(j) + at_j, crossings++, !is_over});
        }
    std::sort(found.begin(), found.end(), [](const Passage& p, const Passage& q) { return p.way < q.way; });
    return found;
}

/// |determinant| by elimination with the largest pivot.
double determinant(std::vector<std::vector<double>> m)
{
    double product = 1;
    for (std::size_t k = 0; k < m.size(); ++k) {
        std::size_t pivot = k;
        for (std::size_t i = k; i < m.size(); ++i)
            if (std::abs(m[i][k]) > std::abs(m[pivot][k])) pivot = i;
        std::swap(m[k], m[pivot]);
        product *= m[k][k];
        for (std::size_t i = k + 1; i < m.size() && m[k][k] != 0; ++i)
            for (std::size_t j = m.size(); j-- > k;) m[i][j] -= m[k][j] * (m[i][k] / m[k][k]);
    }
    return std::abs(product);
}

/// The knot's determinant, of the line closed far away: 1 for no knot, 3 for the trefoil. Arcs reach from one passage
/// below to the next; at each crossing twice the arc above equals the sum of the two below (Fox).
double knot_determinant(const std::vector<Passage>& passages)
{
    const std::size_t crossings = passages.size() / 2;
    std::vector<std::vector<double>> rows(crossings, std::vector<double>(crossings, 0));
    std::size_t arc = 0;
    for (const Passage& passage : passages) {
        if (passage.is_over) {
            rows[passage.crossing][arc] += 2;
        } else {
            rows[passage.crossing][arc] -= 1;
            arc = (arc + 1) % crossings;  // the last arc goes on as the first
            rows[passage.crossing][arc] -= 1;
        }
    }
    rows.pop_back();
    for (std::vector<double>& row : rows) row.pop_back();
    return determinant(rows);
}

TEST(KnotStrip, IsTiedInATrefoil)
{
    const TriMesh mesh = knot_strip(1.2, 0.015, 301, 3);
    std::vector<Vec3> middle(mesh.vertices.begin() + 301, mesh.vertices.begin() + 602);
    const std::vector<Passage> passages = passages_of(middle);
    // Three crossings of the knot and one of the tails.
    ASSERT_EQ(passages.size(), 8u);
    EXPECT_NEAR(knot_determinant(passages), 3, 1e-9);
    // All in one height apart from each other a strip has no knot: this is what the determinant sees.
    std::vector<Passage> rising = passages;
    std::vector<bool> is_seen(4, false);
    for (Passage& passage : rising) {
        passage.is_over = is_seen[passage.crossing];
        is_seen[passage.crossing] = true;
    }
    EXPECT_NEAR(knot_determinant(rising), 1, 1e-9);
}

TEST(KnotStrip, IsFlatByItself)
{
    const TriMesh mesh = knot_strip(1.2, 0.015, 160, 4);
    const TriMesh flat = grid(160, 4, 1.2, 0.015);
    EXPECT_EQ(mesh.uv, flat.uv);
    EXPECT_EQ(mesh.triangles, flat.triangles);
    EXPECT_EQ(mesh.lines, flat.lines);
    EXPECT_EQ(knot_strip(1.2, 0.015, 160, 4, GridDiagonals::cross).triangles,
              grid(160, 4, 1.2, 0.015, {.diagonals = GridDiagonals::cross}).triangles);
}

TEST(KnotStrip, IsStretchedByLessThanOnePerCent)
{
    for (const auto& [columns, rows] : {std::pair{128, 3}, {128, 5}, {250, 3}, {400, 7}})
        for (const GridDiagonals diagonals : {GridDiagonals::same, GridDiagonals::alternating, GridDiagonals::cross})
            EXPECT_LT(worst_strain(knot_strip(1.4, 0.02, columns, rows, diagonals)), 0.01) << columns << " " << rows;
    // A narrower one by less: it is bent less and twisted less.
    EXPECT_LT(worst_strain(knot_strip(2.8, 0.02, 400, 5)), 0.001);
}

TEST(KnotStrip, KeepsClearOfItself)
{
    for (const double length : {1.4, 1.8, 2.8}) {
        const TriMesh mesh = knot_strip(length, 0.02, 300, 9);
        EXPECT_EQ(self_intersections(mesh), 0u);
        EXPECT_GT(least_clearance(mesh, 0.12), 0.4 * 0.02) << length;
    }
    // Coarse ones too, cut along chords.
    EXPECT_EQ(self_intersections(knot_strip(1.4, 0.02, 128, 3)), 0u);
    EXPECT_GT(least_clearance(knot_strip(1.4, 0.02, 128, 3), 0.12), 0.4 * 0.02);
}

TEST(KnotStrip, HasTailsToBothSides)
{
    const TriMesh mesh = knot_strip(1.4, 0.02, 200, 5);
    const VertexGroup &first = *mesh.find_group("first_end"), &last = *mesh.find_group("last_end");
    EXPECT_EQ(first.vertices, (std::vector<std::int32_t>{0, 200, 400, 600, 800}));
    EXPECT_EQ(last.vertices, (std::vector<std::int32_t>{199, 399, 599, 799, 999}));
    EXPECT_EQ(mesh.find_group("rim")->vertices.size(), 2u * 200 + 2 * 3);
    const BoundingBox bounds = bounding_box(mesh.vertices);
    for (const std::int32_t v : first.vertices) EXPECT_NEAR(vertex_at(mesh, v).x, bounds.lowest.x, 1e-12);
    for (const std::int32_t v : last.vertices) EXPECT_NEAR(vertex_at(mesh, v).x, bounds.highest.x, 1e-12);
    // Half a turn about y takes the strip onto itself.
    for (std::int32_t v = 0; v < 1000; ++v) {
        const Vec3 &x = vertex_at(mesh, v), &other = vertex_at(mesh, 999 - v);
        EXPECT_NEAR(norm(Vec3{-other.x, other.y, -other.z} - x), 0, 1e-9);
    }
    // Ends are straight, with their width along z.
    const Vec3 across = vertex_at(mesh, 999) - vertex_at(mesh, 199);
    EXPECT_NEAR(across.z, 0.02, 1e-12);
    const Vec3 end = vertex_at(mesh, 199), before = vertex_at(mesh, 198), early = vertex_at(mesh, 172);
    EXPECT_NEAR(dot(normalized(end - before), normalized(before - early)), 1, 1e-9);
}

TEST(KnotStrip, RefusesImpossibleNumbersInWords)
{
    expect_refusal([] { knot_strip(1, 0, 200, 4); }, "knot_strip: the width is 0, expected a length above 0");
    expect_refusal([] { knot_strip(-1, 0.01, 200, 4); }, "the length is -1");
    expect_refusal([] { knot_strip(1, 0.02, 200, 4); },
                   "the length is 1 and the width 0.02, expected at least 70 widths");
    expect_refusal([] { knot_strip(1, 0.01, 127, 4); }, "127 columns, expected at least 128");
    expect_refusal([] { knot_strip(1, 0.01, 128, 2); }, "2 rows, expected at least 3");
}

}  // namespace
}  // namespace pliant
