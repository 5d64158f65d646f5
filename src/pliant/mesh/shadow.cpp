// SPDX-License-Identifier: MIT

// Symbols: u along a strip, v across the strips [m]; the middle of strip k is at v = (k + 1/2) strip.

#include <pliant/mesh/shadow.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include <pliant/base/error.h>

namespace pliant {

namespace {

constexpr double kMostStrips = 1e9;

/// What a triangle covers of the middle of a strip.
struct Covered {
    std::int64_t strip = 0;
    double from = 0, to = 0;
};

struct FloorPoint {
    double u = 0, v = 0;
};

using FloorTriangle = std::array<FloorPoint, 3>;

// Where the line v crosses the triangle, which it does.
Covered covered_at(const FloorTriangle& t, double v)
{
    Covered covered{0, std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};
    for (std::size_t k = 0; k < 3; ++k) {
        const FloorPoint &a = t[k], &b = t[(k + 1) % 3];
        if (std::min(a.v, b.v) > v || std::max(a.v, b.v) < v) continue;
        // Along a side in the line both of its ends are met by the other two sides.
        const double share = a.v == b.v ? 0 : (v - a.v) / (b.v - a.v);
        const double u = a.u + share * (b.u - a.u);
        covered.from = std::min(covered.from, u), covered.to = std::max(covered.to, u);
    }
    return covered;
}

void add_covered(std::vector<Covered>& all, const FloorTriangle& t, double strip)
{
    const double low = std::min({t[0].v, t[1].v, t[2].v}), high = std::max({t[0].v, t[1].v, t[2].v});
    PLIANT_ASSERT(std::max(std::abs(low), std::abs(high)) < kMostStrips * strip, "strips that can be counted");
    const auto last = static_cast<std::int64_t>(std::floor(high / strip - 0.5));
    for (auto k = static_cast<std::int64_t>(std::ceil(low / strip - 0.5)); k <= last; ++k) {
        // Rounding may have put the middle beyond the corner it was counted from.
        Covered covered = covered_at(t, std::clamp((static_cast<double>(k) + 0.5) * strip, low, high));
        covered.strip = k;
        if (covered.from < covered.to) all.push_back(covered);
    }
}

// Length of all intervals, in order of strips and where they begin, each place once.
double length_of_union(const std::vector<Covered>& all)
{
    double length = 0, reached = 0;
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (i == 0 || all[i].strip != all[i - 1].strip) reached = all[i].from;
        length += std::max(0.0, all[i].to - std::max(reached, all[i].from));
        reached = std::max(reached, all[i].to);
    }
    return length;
}

}  // namespace

double shadow_area(std::span<const Vec3> x, std::span<const Triangle> triangles, int axis, double strip)
{
    PLIANT_ASSERT(strip > 0, "strips have a width");
    PLIANT_ASSERT(axis >= 0 && axis < 3, "there are three axes");
    std::vector<Covered> all;
    for (const Triangle& triangle : triangles) {
        FloorTriangle t;
        for (std::size_t k = 0; k < 3; ++k) {
            const Vec3& p = x[static_cast<std::size_t>(triangle[k])];
            t[k] = {p[(axis + 1) % 3], p[(axis + 2) % 3]};
            if (!std::isfinite(t[k].u) || !std::isfinite(t[k].v)) return std::numeric_limits<double>::quiet_NaN();
        }
        add_covered(all, t, strip);
    }
    std::sort(all.begin(), all.end(), [](const Covered& a, const Covered& b) {
        return a.strip != b.strip ? a.strip < b.strip : a.from < b.from;
    });
    return length_of_union(all) * strip;
}

}  // namespace pliant
