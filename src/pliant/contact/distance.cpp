// SPDX-License-Identifier: MIT
#include <pliant/contact/distance.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace pliant {

namespace {

constexpr double kEpsilon = std::numeric_limits<double>::epsilon();
// Squared sine of an angle: below the first a cross product is nothing but rounding; from the second on, the normal is
// a better direction than the difference of two nearest points, which loses all digits when they meet.
constexpr double kNoAngle2 = 256 * kEpsilon * kEpsilon;
constexpr double kSharpAngle2 = 1e-12;
// Fourth powers of lengths between these neither overflow nor vanish.
constexpr double kSmallest = 1e-70, kLargest = 1e70;

/// Three differences of positions describe a pair: p - a, b - a, c - a; or a0 - b0, a1 - a0, b1 - b0.
using Differences = std::array<Vec3, 3>;

/// Where on an edge the foot of a point lies; `to_point` from the first end. 0 on an edge without length.
double share_along(const Vec3& edge, const Vec3& to_point)
{
    const double length2 = norm2(edge), along = dot(to_point, edge);
    return along <= 0 ? 0 : along >= length2 ? 1 : along / length2;
}

PairDistance nearest_on_border(const Differences& d, const std::array<bool, 3>& side_counts)
{
    const auto& [q, e, f] = d;
    const std::array<Vec3, 3> from{q, q - e, q - f}, side{e, f - e, -f};  // corner to vertex; corner to next corner
    PairDistance best{.distance2 = std::numeric_limits<double>::infinity()};
    for (std::size_t k = 0; k < 3; ++k) {
        if (!side_counts[k]) continue;
        const double s = share_along(side[k], from[k]);
        const Vec3 apart = from[k] - side[k] * s;
        if (norm2(apart) >= best.distance2) continue;
        best = {.weight = {1, 0, 0, 0}, .apart = apart, .distance2 = norm2(apart)};
        best.weight[1 + k] = s - 1;
        best.weight[1 + (k + 1) % 3] = -s;
    }
    return best;
}

PairDistance vertex_face(const Differences& d)
{
    const auto& [q, e, f] = d;
    const Vec3 normal = cross(e, f);
    const double n2 = norm2(normal), sides2 = norm2(e) * norm2(f);
    if (!(n2 > kNoAngle2 * sides2)) return nearest_on_border(d, {true, true, true});
    const bool sharp = n2 > kSharpAngle2 * sides2;
    const double wa = dot(cross(e - q, f - q), normal), wb = dot(cross(q, f), normal), wc = dot(cross(e, q), normal);
    if (!(wa > 0 && wb > 0 && wc > 0)) {
        // The nearest point of the border is on a side that the vertex lies beyond. A needle's signs may be wrong.
        return nearest_on_border(d, {!sharp || !(wc > 0), !sharp || !(wa > 0), !sharp || !(wb > 0)});
    }
    const double scale = 1 / (wa + wb + wc);
    const Vec3 apart = sharp ? normal * (dot(q, normal) / n2) : q - (e * wb + f * wc) * scale;
    const PairDistance inside{{1, -wa * scale, -wb * scale, -wc * scale}, apart, norm2(apart), true};
    if (sharp) return inside;
    const PairDistance border = nearest_on_border(d, {true, true, true});
    return inside.distance2 < border.distance2 ? inside : border;
}

PairDistance between_edges(const Differences& d, double s, double t)
{
    const Vec3 apart = d[0] + d[1] * s - d[2] * t;
    return {{1 - s, s, t - 1, -t}, apart, norm2(apart), s > 0 && s < 1 && t > 0 && t < 1};
}

/// Parallel edges, or one without length: the middle of where the second runs along the first.
PairDistance beside_each_other(const Differences& d)
{
    const auto& [r, u, v] = d;
    const double s = 0.5 * (share_along(u, -r) + share_along(u, v - r));
    const double t = share_along(v, r + u * s);
    return between_edges(d, share_along(u, v * t - r), t);
}

PairDistance edge_edge(const Differences& d)
{
    const auto& [r, u, v] = d;
    const Vec3 normal = cross(u, v);
    const double n2 = norm2(normal), lengths2 = norm2(u) * norm2(v);
    if (!(n2 > kNoAngle2 * lengths2)) {
        // Edges without length have no parallel course: the other one is asked for its nearest point.
        if (norm2(u) == 0) return between_edges(d, 0, share_along(v, r));
        return beside_each_other(d);
    }
    const double along_u = dot(cross(v, r), normal), along_v = dot(cross(u, r), normal);
    double s = std::clamp(along_u / n2, 0.0, 1.0);
    if (along_u > 0 && along_u < n2 && along_v > 0 && along_v < n2 && n2 > kSharpAngle2 * lengths2) {
        const double t = along_v / n2;
        const Vec3 apart = normal * (dot(r, normal) / n2);
        return {{1 - s, s, t - 1, -t}, apart, norm2(apart), true};
    }
    const double t = share_along(v, r + u * s);
    if (t == 0 || t == 1) s = share_along(u, v * t - r);
    return between_edges(d, s, t);
}

Differences differences(PairKind kind, const std::array<Vec3, 4>& x)
{
    if (kind == PairKind::vertex_face) return {x[0] - x[1], x[2] - x[1], x[3] - x[1]};
    return {x[0] - x[2], x[1] - x[0], x[3] - x[2]};
}

double largest_component(const Differences& d)
{
    double largest = 0;
    for (const Vec3& v : d) largest = std::max({largest, std::abs(v.x), std::abs(v.y), std::abs(v.z)});
    return largest;
}

PairDistance distance_of(PairKind kind, const Differences& d)
{
    return kind == PairKind::vertex_face ? vertex_face(d) : edge_edge(d);
}

/// Lengths whose fourth powers leave the range of doubles: in units of the largest of them.
PairDistance rescaled_distance(PairKind kind, std::array<Vec3, 4> x)
{
    const auto scaled = [](const Vec3& v, int by) {
        return Vec3{std::ldexp(v.x, by), std::ldexp(v.y, by), std::ldexp(v.z, by)};
    };
    // The difference of two huge numbers may be infinite, that of their halves is not.
    const int halved = largest_component(differences(kind, x)) > 1 ? 1 : 0;
    for (Vec3& point : x) point = scaled(point, -halved);
    Differences d = differences(kind, x);
    const double largest = largest_component(d);
    if (!std::isfinite(largest)) return distance_of(kind, d);
    const int exponent = std::ilogb(largest);
    for (Vec3& v : d) v = scaled(v, -exponent);
    PairDistance result = distance_of(kind, d);
    result.apart = scaled(result.apart, exponent + halved);
    result.distance2 = std::ldexp(result.distance2, 2 * (exponent + halved));
    return result;
}

}  // namespace

PairDistance pair_distance(PairKind kind, const std::array<Vec3, 4>& x)
{
    const Differences d = differences(kind, x);
    const double largest = largest_component(d);
    if (largest == 0 || (largest > kSmallest && largest < kLargest)) return distance_of(kind, d);
    return rescaled_distance(kind, x);
}

PairDistance vertex_face_distance(const Vec3& p, const Vec3& a, const Vec3& b, const Vec3& c)
{
    return pair_distance(PairKind::vertex_face, {p, a, b, c});
}

PairDistance edge_edge_distance(const Vec3& a0, const Vec3& a1, const Vec3& b0, const Vec3& b1)
{
    return pair_distance(PairKind::edge_edge, {a0, a1, b0, b1});
}

}  // namespace pliant
