// SPDX-License-Identifier: MIT
#include "picking.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace pliant::viewer {

namespace {

// Distance along the ray to a triangle, from either side. Reference: Möller and Trumbore (1997).
std::optional<double> distance_to(const Ray& ray, const Vec3& a, const Vec3& b, const Vec3& c)
{
    const Vec3 ab = b - a, ac = c - a, p = cross(ray.way, ac);
    const double determinant = dot(ab, p);
    if (determinant == 0 || !std::isfinite(determinant)) return std::nullopt;
    const Vec3 from = ray.from - a, q = cross(from, ab);
    const double u = dot(from, p) / determinant, v = dot(ray.way, q) / determinant;
    const double t = dot(ac, q) / determinant;
    if (u < 0 || v < 0 || u + v > 1 || !(t > 0)) return std::nullopt;
    return t;
}

std::int32_t body_with_triangle(const Topology& topology, std::int32_t triangle)
{
    for (std::size_t b = 0; b < topology.bodies.size(); ++b) {
        const BodyRange& body = topology.bodies[b];
        if (triangle >= body.first_triangle && triangle < body.first_triangle + body.triangle_count)
            return static_cast<std::int32_t>(b);
    }
    return -1;
}

std::int32_t body_with_point(const Topology& topology, std::int32_t point)
{
    for (std::size_t b = 0; b < topology.bodies.size(); ++b) {
        const BodyRange& body = topology.bodies[b];
        if (point >= body.first_point && point < body.first_point + body.point_count)
            return static_cast<std::int32_t>(b);
    }
    return -1;
}

Hit face_hit(const Topology& topology, std::span<const Vec3> x, const Ray& ray, std::int32_t triangle, double distance)
{
    Hit hit{.triangle = triangle, .at = ray.from + ray.way * distance, .distance = distance};
    hit.body = body_with_triangle(topology, triangle);
    const Triangle& t = topology.triangles[triangle];
    hit.point = *std::min_element(t.begin(), t.end(), [&](std::int32_t a, std::int32_t b) {
        return norm2(x[a] - hit.at) < norm2(x[b] - hit.at);
    });
    const Vec3 n = cross(x[t[1]] - x[t[0]], x[t[2]] - x[t[0]]);
    hit.normal = n * ((dot(n, ray.way) > 0 ? -1 : 1) / std::max(norm(n), 1e-300));
    return hit;
}

std::optional<Hit> line_hit(const Topology& topology, std::span<const Vec3> x, const Ray& ray, double reach)
{
    Hit hit;
    double nearest = std::tan(reach);
    for (const Edge& line : topology.lines)
        for (const std::int32_t point : line) {
            const Vec3 to = x[point] - ray.from;
            const double along = dot(to, ray.way);
            if (!(along > 0)) continue;
            const double off = norm(to - ray.way * along) / along;
            if (!(off < nearest)) continue;
            nearest = off;
            hit = {.body = body_with_point(topology, point),
                   .point = point,
                   .at = x[point],
                   .normal = -ray.way,
                   .distance = along};
        }
    return hit.point >= 0 ? std::optional(hit) : std::nullopt;
}

}  // namespace

std::optional<Hit> pick(const Topology& topology, std::span<const Vec3> x, const Ray& ray, double reach)
{
    double nearest = 1e300;
    std::int32_t found = -1;
    for (std::size_t t = 0; t < topology.triangles.size(); ++t) {
        const Triangle& corners = topology.triangles[t];
        const auto distance = distance_to(ray, x[corners[0]], x[corners[1]], x[corners[2]]);
        if (distance && *distance < nearest) nearest = *distance, found = static_cast<std::int32_t>(t);
    }
    if (found >= 0) return face_hit(topology, x, ray, found, nearest);
    return line_hit(topology, x, ray, reach);
}

Neighbours::Neighbours(const Topology& topology) : start_(static_cast<std::size_t>(topology.point_count) + 1)
{
    std::vector<std::pair<std::int32_t, std::int32_t>> pairs;
    const auto add = [&](std::int32_t a, std::int32_t b) { pairs.emplace_back(a, b), pairs.emplace_back(b, a); };
    for (const Triangle& t : topology.triangles) add(t[0], t[1]), add(t[1], t[2]), add(t[2], t[0]);
    for (const Edge& line : topology.lines) add(line[0], line[1]);
    std::sort(pairs.begin(), pairs.end());
    pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
    for (const auto& [point, other] : pairs) {
        ++start_[static_cast<std::size_t>(point) + 1];
        neighbour_.push_back(other);
    }
    for (std::size_t i = 1; i < start_.size(); ++i) start_[i] += start_[i - 1];
}

std::vector<std::int32_t> Neighbours::rings(std::int32_t point, int count) const
{
    std::vector<std::int32_t> all{point}, border{point};
    for (int ring = 0; ring < count && !border.empty(); ++ring) {
        std::vector<std::int32_t> next;
        for (const std::int32_t p : border)
            next.insert(next.end(), neighbour_.begin() + start_[p], neighbour_.begin() + start_[p + 1]);
        std::sort(next.begin(), next.end());
        next.erase(std::unique(next.begin(), next.end()), next.end());
        std::erase_if(next, [&](std::int32_t p) { return std::binary_search(all.begin(), all.end(), p); });
        const auto middle = static_cast<std::ptrdiff_t>(all.size());
        all.insert(all.end(), next.begin(), next.end());
        std::inplace_merge(all.begin(), all.begin() + middle, all.end());
        border = std::move(next);
    }
    return all;
}

}  // namespace pliant::viewer
