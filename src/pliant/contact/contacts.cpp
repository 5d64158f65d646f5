// SPDX-License-Identifier: MIT
#include <pliant/contact/contacts.h>

namespace pliant {

std::array<double, 3> nearest_on_triangle(const Vec3& p, const Vec3& a, const Vec3& b, const Vec3& c)
{
    // The plane around a triangle has seven regions: three corners, three edges, the inside.
    const Vec3 ab = b - a, ac = c - a, ap = p - a;
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
    if (!(total > 0)) return {1, 0, 0};  // no area: any corner is as good
    return {va / total, vb / total, vc / total};
}

}  // namespace pliant
