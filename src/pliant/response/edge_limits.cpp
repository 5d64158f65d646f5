// SPDX-License-Identifier: MIT
#include <pliant/response/edge_limits.h>

#include <algorithm>
#include <cmath>

namespace pliant {

namespace {

Vec3 free_part(const Vec3& a, std::uint8_t held)
{
    return {held & 1 ? 0 : a.x, held & 2 ? 0 : a.y, held & 4 ? 0 : a.z};
}

// Moves both ends of an edge apart by `change` [m] or [m/s] along n, by their masses.
double part(std::vector<Vec3>& values, const State& to, const Model& model, std::int32_t a, std::int32_t b,
            const Vec3& n, double change)
{
    const Vec3 free_a = free_part(n, to.held[a]), free_b = free_part(n, to.held[b]);
    const double w_a = model.inverse_mass[a], w_b = model.inverse_mass[b];
    const double w = w_a * norm2(free_a) + w_b * norm2(free_b);
    if (!(w > 0)) return 0;
    values[a] += free_a * (change * w_a / w);
    values[b] -= free_b * (change * w_b / w);
    return std::abs(change);
}

}  // namespace

void EdgeLimits::begin(const Model& model, const State& from, std::span<const Vec3> free_x, double share)
{
    model_ = &model, free_x_ = free_x;
    limits_.clear();
    for (const Edge& e : model.contact_surface.edges) {
        if (e[0] >= model.free_count) continue;
        const double start = norm(from.x[e[0]] - from.x[e[1]]), free = norm(free_x[e[0]] - free_x[e[1]]);
        limits_.push_back({.a = e[0],
                           .b = e[1],
                           .shortest = (1 - share) * std::min(start, free),
                           .longest = (1 + share) * std::max(start, free)});
    }
}

double EdgeLimits::sweep(State& to)
{
    double most = 0;
    for (Limit& limit : limits_) {
        if (!was_moved(to, limit)) continue;
        const Vec3 apart = to.x[limit.a] - to.x[limit.b];
        const double length2 = norm2(apart);
        const bool is_long = length2 > limit.longest * limit.longest;
        if (!is_long && length2 >= limit.shortest * limit.shortest) continue;
        const double length = std::sqrt(length2);
        if (length == 0) continue;
        limit.beyond = is_long ? 1 : -1;
        const double change = (is_long ? limit.longest : limit.shortest) - length;
        most = std::max(most, part(to.x, to, *model_, limit.a, limit.b, apart / length, change));
    }
    return most;
}

double EdgeLimits::sweep_velocities(State& to) const
{
    double most = 0;
    for (const Limit& limit : limits_) {
        if (limit.beyond == 0) continue;
        const Vec3 n = normalized(to.x[limit.a] - to.x[limit.b]);
        const double rate = dot(to.v[limit.a] - to.v[limit.b], n);
        if (rate * limit.beyond > 0) most = std::max(most, part(to.v, to, *model_, limit.a, limit.b, n, -rate));
    }
    return most;
}

}  // namespace pliant
