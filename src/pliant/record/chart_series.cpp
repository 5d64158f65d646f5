// SPDX-License-Identifier: MIT

// Gaps, thinning and clipping of series.

#include <pliant/record/chart_series.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <unordered_set>

namespace pliant::charting {

namespace {

constexpr double kColumn = 0.5;  // a pixel of the PNG

bool is_within(Spot p, Box box)
{
    const double slack = 1.0e-6;
    return p.x >= box.left - slack && p.x <= box.right + slack && p.y >= box.top - slack && p.y <= box.bottom + slack;
}

std::vector<std::vector<Spot>> unbroken_runs(const Series& series, const Scale& x, const Scale& y)
{
    std::vector<std::vector<Spot>> runs;
    bool is_open = false;
    for (std::size_t i = 0; i < series.x.size(); ++i) {
        const Spot p{x(series.x[i]), y(series.y[i])};
        const bool is_seen = std::isfinite(p.x) && std::isfinite(p.y);
        if (is_seen && !is_open) runs.emplace_back();
        if (is_seen && is_open && series.style == SeriesStyle::steps)
            runs.back().push_back({p.x, runs.back().back().y});
        if (is_seen) runs.back().push_back(p);
        is_open = is_seen;
    }
    return runs;
}

// The part of the segment a-b within the box (Liang and Barsky 1984); false if there is none.
bool clip(Spot& a, Spot& b, Box box)
{
    const double dx = b.x - a.x, dy = b.y - a.y;
    const double p[4] = {-dx, dx, -dy, dy};
    const double q[4] = {a.x - box.left, box.right - a.x, a.y - box.top, box.bottom - a.y};
    double t0 = 0.0, t1 = 1.0;
    for (int side = 0; side < 4; ++side) {
        if (p[side] == 0.0) {
            if (q[side] < 0.0) return false;
            continue;
        }
        const double t = q[side] / p[side];
        if (p[side] < 0.0)
            t0 = std::max(t0, t);
        else
            t1 = std::min(t1, t);
    }
    if (t0 > t1) return false;
    const Spot from = a;
    if (t0 > 0.0) a = {from.x + t0 * dx, from.y + t0 * dy};
    if (t1 < 1.0) b = {from.x + t1 * dx, from.y + t1 * dy};
    return true;
}

void add_clipped(std::vector<std::vector<Spot>>& pieces, const std::vector<Spot>& path, Box frame)
{
    if (path.size() == 1 && is_within(path[0], frame)) pieces.push_back(path);
    bool goes_on = false;
    for (std::size_t i = 1; i < path.size(); ++i) {
        Spot a = path[i - 1], b = path[i];
        if (!clip(a, b, frame)) {
            goes_on = false;
            continue;
        }
        if (!goes_on) pieces.push_back({a});
        pieces.back().push_back(b);
        goes_on = b.x == path[i].x && b.y == path[i].y;
    }
}

}  // namespace

std::vector<Spot> thinned(const std::vector<Spot>& path, double column)
{
    std::vector<Spot> kept;
    for (std::size_t first = 0; first < path.size();) {
        const double here = std::floor(path[first].x / column);
        std::size_t low = first, high = first, last = first;
        while (last + 1 < path.size() && std::floor(path[last + 1].x / column) == here) {
            ++last;
            if (path[last].y < path[low].y) low = last;
            if (path[last].y > path[high].y) high = last;
        }
        std::size_t order[4] = {first, std::min(low, high), std::max(low, high), last};
        for (int k = 0; k < 4; ++k)
            if (k == 0 || order[k] != order[k - 1]) kept.push_back(path[order[k]]);
        first = last + 1;
    }
    return kept;
}

std::vector<std::vector<Spot>> line_pieces(const Series& series, const Scale& x, const Scale& y, Box frame)
{
    std::vector<std::vector<Spot>> pieces;
    for (const std::vector<Spot>& run : unbroken_runs(series, x, y)) add_clipped(pieces, thinned(run, kColumn), frame);
    return pieces;
}

std::vector<Spot> marker_spots(const Series& series, const Scale& x, const Scale& y, Box frame, double cell)
{
    std::vector<Spot> spots;
    std::unordered_set<std::int64_t> taken;
    for (std::size_t i = 0; i < series.x.size(); ++i) {
        const Spot p{x(series.x[i]), y(series.y[i])};
        if (!std::isfinite(p.x) || !std::isfinite(p.y) || !is_within(p, frame)) continue;
        const auto column = static_cast<std::int64_t>(std::floor(p.x / cell));
        const auto row = static_cast<std::int64_t>(std::floor(p.y / cell));
        if (taken.insert(column * 1'000'000 + row).second) spots.push_back(p);
    }
    return spots;
}

}  // namespace pliant::charting
