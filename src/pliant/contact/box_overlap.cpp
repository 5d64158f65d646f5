// SPDX-License-Identifier: MIT
#include <pliant/contact/box_overlap.h>

#include <array>

namespace pliant {

namespace {

// Products of three rounded factors and their sums are wrong by fewer units than this.
constexpr double kRounding = 16 * std::numeric_limits<double>::epsilon();

double half_width(const Vec3& half, const Vec3& axis)
{
    return half.x * std::abs(axis.x) + half.y * std::abs(axis.y) + half.z * std::abs(axis.z);
}

Vec3 widened(const Vec3& half, double by)
{
    return half + Vec3{by, by, by};
}

using Corners = std::array<Vec3, 3>;

bool box_axes_separate(const Corners& v, const Vec3& half)
{
    for (int k = 0; k < 3; ++k) {
        const auto [lowest, highest] = std::minmax({v[0][k], v[1][k], v[2][k]});
        if (lowest > half[k] || highest < -half[k]) return true;
    }
    return false;
}

// Axes that are square to a side of the triangle and to an edge of the box. Both ends of the side have the same
// place on them, so two corners tell the extent of the triangle.
bool side_axes_separate(const Vec3& side, const Vec3& end, const Vec3& opposite, const Vec3& half)
{
    const std::array<Vec3, 3> axes{Vec3{0, -side.z, side.y}, Vec3{side.z, 0, -side.x}, Vec3{-side.y, side.x, 0}};
    for (const Vec3& axis : axes) {
        const auto [lowest, highest] = std::minmax({dot(axis, end), dot(axis, opposite)});
        const double width = half_width(half, axis);
        if (lowest > width || highest < -width) return true;
    }
    return false;
}

}  // namespace

AlignedBox bounds_of_triangle(const Vec3& a, const Vec3& b, const Vec3& c)
{
    AlignedBox box;
    for (int k = 0; k < 3; ++k) {
        const auto [lowest, highest] = std::minmax({a[k], b[k], c[k]});
        box.middle[k] = lowest + (highest - lowest) * 0.5;
        box.half[k] = std::max(highest - box.middle[k], box.middle[k] - lowest);
    }
    return box;
}

bool plane_overlaps_box(const Vec3& point, const Vec3& normal, const AlignedBox& box)
{
    const Vec3 p = point - box.middle;
    const double margin = kRounding * largest_coordinate(p);
    return std::abs(dot(normal, p)) <= half_width(widened(box.half, margin), normal);
}

bool triangle_overlaps_box(const Vec3& a, const Vec3& b, const Vec3& c, const AlignedBox& box)
{
    const Corners v{a - box.middle, b - box.middle, c - box.middle};
    const double reach = std::max({largest_coordinate(v[0]), largest_coordinate(v[1]), largest_coordinate(v[2])});
    const double coordinate =
        std::max({largest_coordinate(a), largest_coordinate(b), largest_coordinate(c), largest_coordinate(box.middle)});
    const Vec3 half = widened(box.half, kRounding * std::max(reach, 0.25 * coordinate));
    if (box_axes_separate(v, half)) return false;
    for (std::size_t i = 0; i < 3; ++i) {
        const std::size_t next = (i + 1) % 3;
        if (side_axes_separate(v[next] - v[i], v[i], v[(i + 2) % 3], half)) return false;
    }
    // The cross product of a sliver is wrong by much more than the share of its own length: its margin is that of
    // the sides it was made from.
    const Vec3 u = v[1] - v[0], w = v[2] - v[0];
    const Vec3 normal = cross(u, w);
    const double margin = kRounding * largest_coordinate(u) * largest_coordinate(w) * reach;
    return std::abs(dot(normal, v[0])) <= half_width(half, normal) + margin;
}

}  // namespace pliant
