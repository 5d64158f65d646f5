// SPDX-License-Identifier: MIT
#include "haptic_patch.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace pliant::viewer {

namespace {

// From the point to the smallest box around the triangle; what is not finite is far away.
double box_distance2(const Vec3& p, const Vec3& a, const Vec3& b, const Vec3& c)
{
    double sum = 0;
    for (int k = 0; k < 3; ++k) {
        const double low = std::min({a[k], b[k], c[k]}), high = std::max({a[k], b[k], c[k]});
        const double out = std::max({low - p[k], p[k] - high, 0.0});
        sum += out * out;
    }
    return sum;
}

// Each edge has one triangle on either side, and these run along it in opposite directions.
bool is_closed_surface(std::span<const Triangle> triangles)
{
    std::vector<Edge> edges, reversed;
    for (const Triangle& t : triangles)
        for (std::size_t k = 0; k < 3; ++k) {
            edges.push_back({t[k], t[(k + 1) % 3]});
            reversed.push_back({t[(k + 1) % 3], t[k]});
        }
    std::sort(edges.begin(), edges.end());
    std::sort(reversed.begin(), reversed.end());
    return !edges.empty() && edges == reversed && std::adjacent_find(edges.begin(), edges.end()) == edges.end();
}

double signed_volume(std::span<const Triangle> triangles, std::span<const Vec3> x)
{
    double six_volumes = 0;
    if (triangles.empty()) return 0;
    const Vec3 origin = x[static_cast<std::size_t>(triangles[0][0])];
    for (const Triangle& t : triangles) {
        Vec3 from[3];
        for (std::size_t k = 0; k < 3; ++k) from[k] = x[static_cast<std::size_t>(t[k])] - origin;
        six_volumes += dot(from[0], cross(from[1], from[2]));
    }
    return six_volumes / 6;
}

}  // namespace

PatchCutter::PatchCutter(const Topology& topology, std::span<const Vec3> x, std::uint64_t scene)
    : scene_(scene)
    , triangles_(topology.triangles)
    , body_(topology.triangles.size(), -1)
    , is_closed_(topology.bodies.size(), 0)
    , patch_point_(static_cast<std::size_t>(topology.point_count), -1)
{
    for (std::size_t b = 0; b < topology.bodies.size(); ++b) {
        const auto first = static_cast<std::size_t>(topology.bodies[b].first_triangle);
        const auto count = static_cast<std::size_t>(topology.bodies[b].triangle_count);
        const std::span<Triangle> mine = std::span(triangles_).subspan(first, count);
        std::fill_n(body_.begin() + static_cast<std::ptrdiff_t>(first), count, static_cast<std::int32_t>(b));
        is_closed_[b] = is_closed_surface(mine) ? 1 : 0;
        if (is_closed_[b] != 0 && signed_volume(mine, x) < 0)
            for (Triangle& t : mine) std::swap(t[1], t[2]);
    }
    near_.reserve(triangles_.size());
}

void PatchCutter::find_near(const Frame& frame, const Vec3& center, double radius)
{
    near_.clear();
    const double radius2 = radius * radius;
    for (std::size_t t = 0; t < triangles_.size(); ++t) {
        const Vec3& a = frame.x[static_cast<std::size_t>(triangles_[t][0])];
        const Vec3& b = frame.x[static_cast<std::size_t>(triangles_[t][1])];
        const Vec3& c = frame.x[static_cast<std::size_t>(triangles_[t][2])];
        const double distance2 = box_distance2(center, a, b, c);
        if (distance2 <= radius2 && is_finite(a) && is_finite(b) && is_finite(c))
            near_.push_back({distance2, static_cast<std::int32_t>(t)});
    }
}

void PatchCutter::copy_triangles(Patch& patch)
{
    patch.triangles.clear();
    std::sort(near_.begin(), near_.end(), [](const Near& a, const Near& b) { return a.triangle < b.triangle; });
    for (const Near& near : near_) {
        const auto t = static_cast<std::size_t>(near.triangle);
        const bool is_closed = body_[t] >= 0 && is_closed_[static_cast<std::size_t>(body_[t])] != 0;
        patch.triangles.push_back({triangles_[t], near.triangle, body_[t], !is_closed});
    }
}

// Triangles come with ids of the frame's points and leave with places among the patch's.
void PatchCutter::copy_points(Patch& patch, const Frame& frame)
{
    patch.points.clear();
    for (const PatchTriangle& triangle : patch.triangles)
        for (const std::int32_t id : triangle.corner)
            if (std::exchange(patch_point_[static_cast<std::size_t>(id)], 0) < 0) patch.points.push_back({.id = id});
    std::sort(patch.points.begin(), patch.points.end(),
              [](const PatchPoint& a, const PatchPoint& b) { return a.id < b.id; });
    for (std::size_t i = 0; i < patch.points.size(); ++i) {
        const auto id = static_cast<std::size_t>(patch.points[i].id);
        const Vec3 v = id < frame.v.size() && is_finite(frame.v[id]) ? frame.v[id] : Vec3{};
        patch.points[i].x = frame.x[id], patch.points[i].v = v;
        patch_point_[id] = static_cast<std::int32_t>(i);
    }
    for (PatchTriangle& triangle : patch.triangles)
        for (std::int32_t& corner : triangle.corner) corner = patch_point_[static_cast<std::size_t>(corner)];
    for (const PatchPoint& point : patch.points) patch_point_[static_cast<std::size_t>(point.id)] = -1;
}

void PatchCutter::cut(Patch& patch, const Frame& frame, const Vec3& center, double radius)
{
    patch.scene = scene_, patch.frame = frame.index, patch.time = frame.time, patch.center = center;
    find_near(frame, center, radius);
    patch.reach = near_.size() == triangles_.size() ? std::numeric_limits<double>::infinity() : radius;
    if (near_.size() > kGreatestPatch) {
        const auto last = near_.begin() + static_cast<std::ptrdiff_t>(kGreatestPatch);
        std::nth_element(near_.begin(), last, near_.end(), [](const Near& a, const Near& b) {
            return a.distance2 != b.distance2 ? a.distance2 < b.distance2 : a.triangle < b.triangle;
        });
        patch.reach = std::sqrt(last->distance2);
        near_.resize(kGreatestPatch);
    }
    copy_triangles(patch);
    copy_points(patch, frame);
}

}  // namespace pliant::viewer
