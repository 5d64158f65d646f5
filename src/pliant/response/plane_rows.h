// SPDX-License-Identifier: MIT
#pragma once

// Vertices against planes, for the response `bridson`: a plane is endless, so vertices above it have all of their surface
// above it, and no search is needed.

#include <cstdint>
#include <span>

#include <pliant/model/model.h>
#include <pliant/model/state.h>
#include <pliant/response/surface_rows.h>

namespace pliant {

/// Keys of vertices and planes are beyond those of pairs.
inline constexpr std::uint64_t kPlaneKey = std::uint64_t{1} << 62;

/// Heights of a vertex over a plane at both ends of a step.
struct PlaneGap {
    double start = 0, end = 0;  ///< [m]
    Vec3 normal;                ///< at the end

    bool passes() const { return start >= 0 && end < 0; }
};

inline PlaneGap plane_gap(const Model& model, const State& from, const State& to, std::size_t shape, std::int32_t point)
{
    const std::int32_t node = model.frame_node(model.shapes[shape].frame);
    return {.start = dot(from.x[point] - from.x[node], from.x[node + 2]),
            .end = dot(to.x[point] - to.x[node], to.x[node + 2]),
            .normal = to.x[node + 2]};
}

/// A vertex as one side of a row.
inline RowSide side_of_point(const Model& model, std::int32_t point, std::int32_t body)
{
    RowSide side{.body = body};
    if (point < model.node_count())
        side.point[0] = point, side.weight[0] = 1;
    else {
        const BoundPoint& bound =
            model.bound[static_cast<std::size_t>(point) - static_cast<std::size_t>(model.node_count())];
        side.frame = bound.frame, side.X = bound.X;
    }
    return side;
}

/// A row of a vertex and the point of the plane below it at positions x, with the normal of positions `end`.
inline SurfaceRow plane_row(const Model& model, std::size_t shape, std::int32_t point, std::span<const Vec3> x,
                            std::span<const Vec3> end)
{
    const Shape& plane = model.shapes[shape];
    const std::int32_t node = model.frame_node(plane.frame);
    const CollisionSurface& surface = model.contact_surface;
    const std::int32_t body = surface.vertex_body[surface.vertex_of_node[point]];
    SurfaceRow row{.a = side_of_point(model, point, body), .b = {.body = plane.body, .frame = plane.frame}};
    const Vec3 r = x[point] - x[node];
    row.b.X = {dot(r, x[node + 1]), 0, dot(r, x[node + 3])};
    row.normal = end[node + 2];
    row.key = kPlaneKey | static_cast<std::uint64_t>(shape) << 32 | static_cast<std::uint64_t>(point);
    row.point[0] = point, row.weight[0] = 1;
    return row;
}

}  // namespace pliant
