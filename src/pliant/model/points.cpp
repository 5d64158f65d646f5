// SPDX-License-Identifier: MIT
#include <pliant/model/points.h>

namespace pliant {

void place_bound_points(std::span<Vec3> x, const Model& model)
{
    const std::int32_t first = model.node_count();
    for (std::size_t b = 0; b < model.bound.size(); ++b) {
        const BoundPoint& point = model.bound[b];
        x[first + b] = frame_point(ConstFrameNodes(&x[model.frame_node(point.frame)], 4), point.X);
    }
}

void place_bound_points(std::span<Vec3> x, std::span<Vec3> v, const Model& model)
{
    place_bound_points(x, model);
    place_bound_points(v, model);
}

void gather_bound_forces(std::span<Vec3> force, const Model& model)
{
    for (std::int32_t point = model.node_count(); point < model.point_count(); ++point)
        add_bound_force(force, model, point, force[point]);
}

void add_bound_force(std::span<Vec3> force, const Model& model, std::int32_t point, const Vec3& f)
{
    const BoundPoint& bound = model.bound[point - model.node_count()];
    const std::int32_t node = model.frame_node(bound.frame);
    force[node] += f;
    force[node + 1] += f * bound.X.x, force[node + 2] += f * bound.X.y, force[node + 3] += f * bound.X.z;
}

}  // namespace pliant
