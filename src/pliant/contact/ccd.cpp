// SPDX-License-Identifier: MIT
#include <pliant/contact/ccd.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include <pliant/contact/distance.h>

namespace pliant {

namespace {

constexpr double kUnit = std::numeric_limits<double>::epsilon() / 2;  // of rounding
constexpr int kMostAdvances = 200;
constexpr double kCloseShare = 1.0 / 1024;            // of what may be lost: left at the time that is reported
constexpr double kSettledShare = 1.0 / (1U << 24);    // of the distance at the start: apart by less is a touch
constexpr double kShortAdvance = 0.25;                // of what is left of the step: shorter ones try to leap
constexpr double kPastTheStep = 2;                    // a time that says never
constexpr double kSmallest = 1e-80, kLargest = 1e80;  // lengths that can be told apart [m]

/// Every point of the first element minus every point of the second: three or four vectors.
struct Gaps {
    std::array<Vec3, 4> at0, at1;
    std::size_t count = 0;

    Vec3 at(std::size_t k, double t) const { return at0[k] + (at1[k] - at0[k]) * t; }
};

Gaps gaps_of(PairKind kind, const PairPath& path)
{
    const auto& [x0, x1] = path;
    if (kind == PairKind::vertex_face)
        return {{x0[0] - x0[1], x0[0] - x0[2], x0[0] - x0[3]}, {x1[0] - x1[1], x1[0] - x1[2], x1[0] - x1[3]}, 3};
    return {{x0[0] - x0[2], x0[0] - x0[3], x0[1] - x0[2], x0[1] - x0[3]},
            {x1[0] - x1[2], x1[0] - x1[3], x1[1] - x1[2], x1[1] - x1[3]},
            4};
}

/// The pair at time t, seen from its first point.
std::array<Vec3, 4> points_at(PairKind kind, const Gaps& gaps, double t)
{
    const Vec3 first = gaps.at(0, t), second = gaps.at(1, t), third = gaps.at(2, t);
    if (kind == PairKind::vertex_face) return {Vec3{}, -first, -second, -third};
    return {Vec3{}, third - first, -first, -second};
}

/// The root of the sum of all squares: no gap is longer at any time. NaN or infinite if one of the numbers is.
double size_of(const Gaps& gaps)
{
    double sum2 = 0;
    for (std::size_t k = 0; k < gaps.count; ++k) sum2 += norm2(gaps.at0[k]) + norm2(gaps.at1[k]);
    return std::sqrt(sum2);
}

/// Are third powers of lengths like this within the range of doubles? False for NaN.
bool is_measurable(double size)
{
    return size > kSmallest && size < kLargest;
}

/// What rounding can do to a gap along a unit direction, to its crossing of a level and to the level. Products of
/// three terms lose 3 units, differences of points 1, the direction's length 2, a time of crossing 4.
double rounding_of(double size)
{
    return 16 * kUnit * size;
}

/// Does a coordinate axis, or the line between the middles of both elements, keep the pair apart all the time? The
/// gaps are finite.
bool misses_along_simple_direction(const Gaps& gaps, double level)
{
    Vec3 low = gaps.at0[0], high = low, middle;
    for (std::size_t k = 0; k < gaps.count; ++k) {
        for (const Vec3& gap : {gaps.at0[k], gaps.at1[k]}) {
            low = {std::min(low.x, gap.x), std::min(low.y, gap.y), std::min(low.z, gap.z)};
            high = {std::max(high.x, gap.x), std::max(high.y, gap.y), std::max(high.z, gap.z)};
            middle += gap;
        }
    }
    if (std::max({low.x, low.y, low.z, -high.x, -high.y, -high.z}) > level) return true;
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t k = 0; k < gaps.count; ++k)
        least = std::min({least, dot(middle, gaps.at0[k]), dot(middle, gaps.at1[k])});
    return least > level * norm(middle);
}

/// Distances that matter [m]: the pair is kept above `floor`, reported where it comes down to `close`, and taken for
/// touching where nothing above `settled` is left.
struct Levels {
    double floor, close, settled;
};

Levels levels_for(const KeptGap& gap, double distance, double rounding)
{
    const double kept = gap.kept_of(distance);
    const double floor = kept + rounding;
    const double close = floor + kCloseShare * (distance - kept);
    return {floor, close, kept > 0 ? close : floor + kSettledShare * distance};
}

/// Until when a pair is proven to stay above a level; past 1 if over the whole step, 0 if it is not above it now.
struct Reach {
    double to_close = 0, to_floor = 0;

    Reach later(const Reach& other) const
    {
        return {std::max(to_close, other.to_close), std::max(to_floor, other.to_floor)};
    }
};

/// What a direction proves from time t on.
Reach reach_along(const Vec3& direction, const Gaps& gaps, double t, const Levels& levels)
{
    Reach reach{kPastTheStep, kPastTheStep};
    double gap = std::numeric_limits<double>::infinity();  // at t
    for (std::size_t k = 0; k < gaps.count; ++k) {
        const double gap0 = dot(direction, gaps.at0[k]), gap1 = dot(direction, gaps.at1[k]), loss = gap0 - gap1;
        gap = std::min(gap, gap0 - t * loss);
        if (gap1 >= levels.close || !(loss > 0)) continue;
        reach.to_close = std::min(reach.to_close, (gap0 - levels.close) / loss);
        if (gap1 < levels.floor) reach.to_floor = std::min(reach.to_floor, (gap0 - levels.floor) / loss);
    }
    return {gap > levels.close ? reach.to_close : 0, gap > levels.settled ? reach.to_floor : 0};
}

/// Two vectors along the elements and one between them, at one time. |between . (u x v)| / |u x v| is the distance of
/// the vertex from the plane, or that of the lines, and the pair's is not less.
struct Volume {
    Vec3 between, u, v;
};

Volume volume_at(PairKind kind, const Gaps& gaps, double t)
{
    const Vec3 first = gaps.at(0, t), second = gaps.at(1, t), third = gaps.at(2, t);
    if (kind == PairKind::vertex_face) return {first, first - second, first - third};
    return {first, third - first, first - second};
}

double size_of(const Vec3& a, const Vec3& b)
{
    return std::max(std::abs(a.x), std::abs(b.x)) + std::max(std::abs(a.y), std::abs(b.y)) +
           std::max(std::abs(a.z), std::abs(b.z));
}

/// A cubic stays within the hull of its Bernstein coefficients at 0, 1/3, 2/3 and 1: where the hull first comes down to
/// zero; 0 if it begins there, 1 if it never does.
double first_zero_of_hull(const std::array<double, 4>& c)
{
    if (!(c[0] > 0)) return 0;
    double zero = 1;
    for (int i = 1; i < 4; ++i) {
        const double below = c[static_cast<std::size_t>(i)];
        if (below > 0) continue;
        for (int k = 0; k < i; ++k) {
            const double above = c[static_cast<std::size_t>(k)];
            if (above > 0) zero = std::min(zero, (k + (i - k) * (above / (above - below))) / 3);
        }
    }
    return zero;
}

/// What volume and normal, as polynomials between `begin` and `end`, prove: shares of that time, 1 for all of it.
/// `size` is that of all gaps: positions and times in between carry its rounding.
Reach reach_of_volume(const Volume& begin, const Volume& end, const Levels& levels, double size)
{
    // Bernstein coefficients of the normal u x v (degree 2) and of the volume (degree 3).
    const Vec3 n0 = cross(begin.u, begin.v), n2 = cross(end.u, end.v);
    const Vec3 n1 = (cross(begin.u, end.v) + cross(end.u, begin.v)) * 0.5;
    const double side = dot(begin.between, n0) < 0 ? -1 : 1;
    const std::array<double, 4> volume{
        side * dot(begin.between, n0), side * (dot(end.between, n0) + 2 * dot(begin.between, n1)) / 3,
        side * (dot(begin.between, n2) + 2 * dot(end.between, n1)) / 3, side * dot(end.between, n2)};
    const double area = std::sqrt(std::max({norm2(n0), norm2(n1), norm2(n2)}));
    const double q = size_of(begin.between, end.between), u = size_of(begin.u, end.u), v = size_of(begin.v, end.v);
    const double rounding = 32 * kUnit * size * (q * u + q * v + u * v);
    const auto share_above = [&](double level) {
        const double needed = level * area + rounding;
        return first_zero_of_hull({volume[0] - needed, volume[1] - needed, volume[2] - needed, volume[3] - needed});
    };
    return {share_above(levels.close), share_above(levels.floor)};
}

/// What the volume proves from time t on.
Reach leap(PairKind kind, const Gaps& gaps, double t, const Levels& levels, double size)
{
    const Volume begin = volume_at(kind, gaps, t);
    const auto reach_up_to = [&](double end) {
        const Reach share = reach_of_volume(begin, volume_at(kind, gaps, end), levels, size);
        return Reach{share.to_close > 0 ? t + share.to_close * (end - t) : 0, t + share.to_floor * (end - t)};
    };
    const Reach reach = reach_up_to(1);
    if (reach.to_floor >= 1) return {reach.to_close, kPastTheStep};
    // The hull is close to the cubic over a short time: look once more there.
    const double end = t + 4 * (reach.to_floor - t);
    return end < 1 ? reach.later(reach_up_to(end)) : reach;
}

}  // namespace

bool quick_miss(PairKind kind, const PairPath& path, double separation)
{
    const Gaps gaps = gaps_of(kind, path);
    const double size = size_of(gaps);
    return is_measurable(size) && misses_along_simple_direction(gaps, std::max(separation, 0.0) + rounding_of(size));
}

std::optional<double> time_of_impact(PairKind kind, const PairPath& path, const KeptGap& gap)
{
    const Gaps gaps = gaps_of(kind, path);
    const double size = size_of(gaps), rounding = rounding_of(size);
    if (!is_measurable(size)) return 0;
    if (misses_along_simple_direction(gaps, std::max(gap.separation, 0.0) + rounding)) return std::nullopt;

    double t = 0, reported = 0;
    Levels levels{};
    for (int k = 0; k < kMostAdvances; ++k) {
        const PairDistance nearest = pair_distance(kind, points_at(kind, gaps, t));
        const double distance = std::sqrt(nearest.distance2);
        if (k == 0) levels = levels_for(gap, distance, rounding);
        if (!(distance > levels.settled)) break;
        Reach reach = reach_along(nearest.apart / distance, gaps, t, levels);
        if (reach.to_floor > 1) return std::nullopt;
        if (reach.to_floor - t < kShortAdvance * (1 - t)) reach = reach.later(leap(kind, gaps, t, levels, size));
        if (reach.to_floor > 1) return std::nullopt;
        reported = std::max(reported, reach.to_close);
        if (!(reach.to_floor > t)) break;
        t = reach.to_floor;
    }
    return reported;
}

}  // namespace pliant
