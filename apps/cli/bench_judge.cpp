// SPDX-License-Identifier: MIT

// Symbols: p a point, a b c corners of a triangle [m], n its normal, not of unit length [m^2].

#include "bench_judge.h"

#include <algorithm>
#include <cmath>

#include <pliant/world/intersection_measure.h>

namespace pliant::cli {

namespace {

double distance_to_segment(const Vec3& p, const Vec3& a, const Vec3& b)
{
    const Vec3 along = b - a;
    const double length2 = norm2(along);
    const double share = length2 > 0 ? std::clamp(dot(p - a, along) / length2, 0.0, 1.0) : 0;
    return norm(p - a - along * share);
}

double distance_to_triangle(const Vec3& p, const Vec3& a, const Vec3& b, const Vec3& c)
{
    const Vec3 n = cross(b - a, c - a);
    const auto is_left_of = [&](const Vec3& from, const Vec3& to) { return dot(cross(to - from, p - from), n) >= 0; };
    if (norm2(n) > 0 && is_left_of(a, b) && is_left_of(b, c) && is_left_of(c, a))
        return std::abs(dot(p - a, n)) / norm(n);
    return std::min({distance_to_segment(p, a, b), distance_to_segment(p, b, c), distance_to_segment(p, c, a)});
}

}  // namespace

ContactJudge::ContactJudge(const World& world)
    : surfaces_(audit_surfaces(world.model->topology))
    , search_(surfaces_)
    , x_(world.state.x)
    , free_(static_cast<std::size_t>(world.model->free_count))
{
    const Model& model = *world.model;
    for (const Shape& shape : model.shapes) {
        const std::int32_t node = model.frame_node(shape.frame);
        if (shape.kind == ShapeKind::sphere) spheres_.push_back({node, shape.radius});
        if (shape.kind == ShapeKind::plane) plane_nodes_.push_back({shape.body, node});
    }
    for (const Triangle& f : surfaces_.faces)
        if (std::max({f[0], f[1], f[2]}) < model.free_count) faces_.push_back(f);
    for (const Edge& edge : surfaces_.edges)
        if (std::max(edge[0], edge[1]) < model.free_count) edges_.push_back(edge), lengths_.push_back(length(edge));
}

void ContactJudge::look(const State& state)
{
    x_ = state.x;
    look_at_positions();
}

void ContactJudge::look(std::span<const Vec3> free)
{
    std::copy(free.begin(), free.end(), x_.begin());
    look_at_positions();
}

void ContactJudge::look_at_positions()
{
    planes_.clear();
    for (const Plane& plane : plane_nodes_) planes_.push_back(audit_plane(plane.body, x_, plane.node));
    is_finite_ &= search_.find(found_, x_, planes_);
    const auto count = static_cast<std::int64_t>(found_.count());
    intersections_ += count, most_ = std::max(most_, count);
    frames_cut_ += count > 0 ? 1 : 0;
    for (const Sphere& sphere : spheres_)
        for (const Triangle& f : faces_)
            deepest_ =
                std::max(deepest_, sphere.radius - distance_to_triangle(x_[sphere.node], x_[f[0]], x_[f[1]], x_[f[2]]));
}

double ContactJudge::strain() const
{
    double sum = 0;
    for (std::size_t e = 0; e < edges_.size(); ++e) sum += std::abs(length(edges_[e]) / lengths_[e] - 1);
    return edges_.empty() ? 0 : sum / static_cast<double>(edges_.size());
}

Vec3 ContactJudge::centre() const
{
    PLIANT_ASSERT(has_sphere(), "asked for where there is a sphere");
    return x_[spheres_.front().node];
}

double ContactJudge::radius() const
{
    PLIANT_ASSERT(has_sphere(), "asked for where there is a sphere");
    return spheres_.front().radius;
}

}  // namespace pliant::cli
