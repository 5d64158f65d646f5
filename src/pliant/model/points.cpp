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
    const std::int32_t first = model.node_count();
    for (std::size_t b = 0; b < model.bound.size(); ++b) {
        const BoundPoint& point = model.bound[b];
        const std::int32_t node = model.frame_node(point.frame);
        const Vec3& f = force[first + b];
        force[node] += f;
        force[node + 1] += f * point.X.x, force[node + 2] += f * point.X.y, force[node + 3] += f * point.X.z;
    }
}

}  // namespace pliant
