// SPDX-License-Identifier: MIT
#include <pliant/mesh/surface_tree.h>

#include <algorithm>
#include <numbers>
#include <span>

#include <pliant/base/error.h>
#include <pliant/mesh/measure.h>

namespace pliant {

namespace {

constexpr std::int32_t kLeafSize = 4;
// A node acts as one dipole for points farther than this many radii from its middle.
constexpr double kFar = 3;
// Halving the triangles keeps the tree less deep than this for any count that fits int32.
constexpr std::size_t kMaxDepth = 64;

double squared_distance(const Vec3& p, const Vec3& lowest, const Vec3& highest)
{
    double sum = 0;
    for (int k = 0; k < 3; ++k) {
        const double outside = std::max({lowest[k] - p[k], 0.0, p[k] - highest[k]});
        sum += outside * outside;
    }
    return sum;
}

/// Share of the full sphere that the triangle fills, positive seen from behind.
double solid_angle_share(const Vec3& p, const std::array<Vec3, 3>& t)
{
    const Vec3 a = t[0] - p, b = t[1] - p, c = t[2] - p;
    const double la = norm(a), lb = norm(b), lc = norm(c);
    const double numerator = dot(a, cross(b, c));
    const double denominator = la * lb * lc + dot(a, b) * lc + dot(b, c) * la + dot(c, a) * lb;
    return std::atan2(numerator, denominator) / (2 * std::numbers::pi);
}

Vec3 triangle_middle(const std::array<Vec3, 3>& t)
{
    return (t[0] + t[1] + t[2]) / 3.0;
}

}  // namespace

Vec3 nearest_point_of_triangle(const Vec3& p, const Vec3& a, const Vec3& b, const Vec3& c)
{
    // Which of the seven regions (three corners, three sides, inside) p projects to.
    const Vec3 ab = b - a, ac = c - a, ap = p - a, bp = p - b, cp = p - c;
    const double d1 = dot(ab, ap), d2 = dot(ac, ap);
    if (d1 <= 0 && d2 <= 0) return a;
    const double d3 = dot(ab, bp), d4 = dot(ac, bp);
    if (d3 >= 0 && d4 <= d3) return b;
    const double d5 = dot(ab, cp), d6 = dot(ac, cp);
    if (d6 >= 0 && d5 <= d6) return c;
    const double vc = d1 * d4 - d3 * d2;
    if (vc <= 0 && d1 >= 0 && d3 <= 0) return a + ab * (d1 / (d1 - d3));
    const double vb = d5 * d2 - d1 * d6;
    if (vb <= 0 && d2 >= 0 && d6 <= 0) return a + ac * (d2 / (d2 - d6));
    const double va = d3 * d6 - d5 * d4;
    if (va <= 0 && d4 >= d3 && d5 >= d6) return b + (c - b) * ((d4 - d3) / ((d4 - d3) + (d5 - d6)));
    const double sum = va + vb + vc;
    return a + ab * (vb / sum) + ac * (vc / sum);
}

SurfaceTree::SurfaceTree(const TriMesh& surface)
{
    corners_.reserve(surface.triangles.size());
    for (const Triangle& t : surface.triangles) {
        Corners corners;
        for (std::size_t c = 0; c < 3; ++c) {
            PLIANT_ASSERT(t[c] >= 0 && static_cast<std::size_t>(t[c]) < surface.vertices.size(),
                          "vertex index out of range");
            corners[c] = surface.vertices[static_cast<std::size_t>(t[c])];
        }
        corners_.push_back(corners);
    }
    if (!corners_.empty()) build(0, static_cast<std::int32_t>(corners_.size()));
}

void SurfaceTree::measure(Node& node) const
{
    const double infinity = std::numeric_limits<double>::infinity();
    node.lowest = {infinity, infinity, infinity}, node.highest = -node.lowest;
    double total_area = 0;
    Vec3 weighted, plain;
    const auto triangles = std::span(corners_).subspan(static_cast<std::size_t>(node.begin),
                                                       static_cast<std::size_t>(node.end - node.begin));
    for (const Corners& t : triangles) {
        const Vec3 n = area_vector(t[0], t[1], t[2]);
        node.area += n;
        total_area += norm(n);
        weighted += triangle_middle(t) * norm(n);
        plain += triangle_middle(t);
        for (const Vec3& corner : t)
            for (int k = 0; k < 3; ++k) {
                node.lowest[k] = std::min(node.lowest[k], corner[k]);
                node.highest[k] = std::max(node.highest[k], corner[k]);
            }
    }
    node.middle = total_area > 0 ? weighted / total_area : plain / static_cast<double>(triangles.size());
    for (const Corners& t : triangles)
        for (const Vec3& corner : t) node.radius = std::max(node.radius, norm(corner - node.middle));
}

std::int32_t SurfaceTree::build(std::int32_t begin, std::int32_t end)
{
    Node node{.begin = begin, .end = end};
    measure(node);
    const auto index = nodes_.size();
    nodes_.push_back(node);
    if (end - begin > kLeafSize) {
        const Vec3 size = node.highest - node.lowest;
        const int axis = size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2;
        const std::int32_t half = begin + (end - begin) / 2;
        std::nth_element(
            corners_.begin() + begin, corners_.begin() + half, corners_.begin() + end,
            [axis](const Corners& s, const Corners& t) { return triangle_middle(s)[axis] < triangle_middle(t)[axis]; });
        build(begin, half);
        nodes_[index].right = build(half, end);
    }
    return static_cast<std::int32_t>(index);
}

SurfaceTree::Nearest SurfaceTree::nearest(const Vec3& point, double reach) const
{
    Nearest best;
    if (is_empty()) return best;
    double best_squared = reach * reach;
    bool found = false;
    struct Entry {
        std::int32_t node;
        double squared;
    };
    std::array<Entry, kMaxDepth> stack;
    std::size_t height = 0;
    const auto push = [&](std::int32_t index) {
        const Node& node = nodes_[static_cast<std::size_t>(index)];
        stack[height++] = {index, squared_distance(point, node.lowest, node.highest)};
    };
    push(0);
    while (height > 0) {
        const Entry entry = stack[--height];
        if (entry.squared > best_squared) continue;
        const Node& node = nodes_[static_cast<std::size_t>(entry.node)];
        if (node.right >= 0) {
            push(node.right), push(entry.node + 1);
            if (stack[height - 1].squared > stack[height - 2].squared) std::swap(stack[height - 1], stack[height - 2]);
            continue;
        }
        for (std::int32_t t = node.begin; t < node.end; ++t) {
            const auto& [a, b, c] = corners_[static_cast<std::size_t>(t)];
            const Vec3 candidate = nearest_point_of_triangle(point, a, b, c);
            const double squared = norm2(candidate - point);
            if (squared > best_squared || (found && squared == best_squared)) continue;
            best_squared = squared, best.point = candidate, found = true;
        }
    }
    if (found) best.distance = std::sqrt(best_squared);
    return best;
}

double SurfaceTree::winding_number(const Vec3& point) const
{
    if (is_empty()) return 0;
    double sum = 0;
    std::array<std::int32_t, kMaxDepth> stack;
    std::size_t height = 0;
    stack[height++] = 0;
    while (height > 0) {
        const std::int32_t index = stack[--height];
        const Node& node = nodes_[static_cast<std::size_t>(index)];
        const Vec3 towards = node.middle - point;
        const double distance = norm(towards);
        if (distance > kFar * node.radius) {
            sum += dot(node.area, towards) / (4 * std::numbers::pi * distance * distance * distance);
        } else if (node.right >= 0) {
            stack[height++] = node.right;
            stack[height++] = index + 1;
        } else {
            for (std::int32_t t = node.begin; t < node.end; ++t)
                sum += solid_angle_share(point, corners_[static_cast<std::size_t>(t)]);
        }
    }
    return sum;
}

}  // namespace pliant
