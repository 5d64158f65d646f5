// SPDX-License-Identifier: MIT
#include <pliant/contact/contacts.h>

#include <algorithm>

namespace pliant {

namespace {

// Weights (of s, e) of the nearest point of a segment.
std::array<double, 2> nearest_on_segment(const Vec3& p, const Vec3& s, const Vec3& e)
{
    const double length2 = norm2(e - s);
    const double t = length2 > 0 ? std::clamp(dot(p - s, e - s) / length2, 0.0, 1.0) : 0;
    return {1 - t, t};
}

// A triangle without area is its three edges.
std::array<double, 3> nearest_on_edges(const Vec3& p, const std::array<Vec3, 3>& corner)
{
    std::array<double, 3> best{1, 0, 0};
    double least = norm2(p - corner[0]);
    for (std::size_t i = 0; i < 3; ++i) {
        const std::size_t j = (i + 1) % 3;
        const auto w = nearest_on_segment(p, corner[i], corner[j]);
        const double distance2 = norm2(p - corner[i] * w[0] - corner[j] * w[1]);
        if (distance2 >= least) continue;
        least = distance2;
        best = {};
        best[i] = w[0], best[j] = w[1];
    }
    return best;
}

}  // namespace

std::array<double, 3> nearest_on_triangle(const Vec3& p, const Vec3& a, const Vec3& b, const Vec3& c)
{
    // The plane around a triangle has seven regions: three corners, three edges, the inside.
    const Vec3 ab = b - a, ac = c - a, ap = p - a;
    // Below this the region tests contradict each other by rounding.
    constexpr double kNoArea = 1e-24;
    if (norm2(cross(ab, ac)) <= kNoArea * norm2(ab) * norm2(ac)) return nearest_on_edges(p, {a, b, c});
    const double d1 = dot(ab, ap), d2 = dot(ac, ap);
    if (d1 <= 0 && d2 <= 0) return {1, 0, 0};
    const Vec3 bp = p - b;
    const double d3 = dot(ab, bp), d4 = dot(ac, bp);
    if (d3 >= 0 && d4 <= d3) return {0, 1, 0};
    const Vec3 cp = p - c;
    const double d5 = dot(ab, cp), d6 = dot(ac, cp);
    if (d6 >= 0 && d5 <= d6) return {0, 0, 1};
    const double vc = d1 * d4 - d3 * d2;
    if (vc <= 0 && d1 >= 0 && d3 <= 0 && d1 - d3 > 0) return {1 - d1 / (d1 - d3), d1 / (d1 - d3), 0};
    const double vb = d5 * d2 - d1 * d6;
    if (vb <= 0 && d2 >= 0 && d6 <= 0 && d2 - d6 > 0) return {1 - d2 / (d2 - d6), 0, d2 / (d2 - d6)};
    const double va = d3 * d6 - d5 * d4;
    const double along = (d4 - d3) + (d5 - d6);
    if (va <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0 && along > 0) return {0, 1 - (d4 - d3) / along, (d4 - d3) / along};
    const double total = va + vb + vc;
    if (!(total > 0)) return nearest_on_edges(p, {a, b, c});
    return {va / total, vb / total, vc / total};
}

}  // namespace pliant
