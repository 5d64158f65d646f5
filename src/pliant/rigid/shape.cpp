// SPDX-License-Identifier: MIT
#include <pliant/rigid/shape.h>

#include <algorithm>
#include <limits>

namespace pliant {

namespace {

ShapeDistance plane_distance(const Vec3* nodes, const Vec3& point)
{
    const Vec3 n = nodes[2];
    const double d = dot(point - nodes[0], n);
    return {d, n, point - n * d};
}

ShapeDistance sphere_distance(const Vec3* nodes, double radius, const Vec3& point)
{
    const Vec3 r = point - nodes[0];
    const double length = norm(r);
    // At the very centre any direction is as near as any other: take the body's own second axis.
    const Vec3 n = length > 0 ? r / length : nodes[2];
    return {length - radius, n, nodes[0] + n * radius};
}

ShapeDistance box_distance(const Vec3* nodes, const Vec3& half, const Vec3& point)
{
    const Vec3 r = point - nodes[0];
    Vec3 local{dot(r, nodes[1]), dot(r, nodes[2]), dot(r, nodes[3])}, nearest, normal;
    for (int k = 0; k < 3; ++k) nearest[k] = std::clamp(local[k], -half[k], half[k]);
    double distance = norm(local - nearest);
    if (distance > 0) {
        normal = (local - nearest) / distance;
    } else {
        int face = 0;  // inside: the nearest face is the way out
        for (int k = 1; k < 3; ++k)
            if (half[k] - std::abs(local[k]) < half[face] - std::abs(local[face])) face = k;
        normal[face] = local[face] < 0 ? -1.0 : 1.0;
        distance = std::abs(local[face]) - half[face];
        nearest[face] = normal[face] * half[face];
    }
    const auto to_world = [&](const Vec3& a) { return nodes[1] * a.x + nodes[2] * a.y + nodes[3] * a.z; };
    return {distance, to_world(normal), nodes[0] + to_world(nearest)};
}

}  // namespace

ShapeDistance shape_distance(const Shape& shape, const Vec3* nodes, const Vec3& point)
{
    switch (shape.kind) {
    case ShapeKind::plane:
        break;
    case ShapeKind::mesh:
        return {std::numeric_limits<double>::infinity(), nodes[2], point};
    case ShapeKind::sphere:
        return sphere_distance(nodes, shape.radius, point);
    case ShapeKind::box:
        return box_distance(nodes, shape.half_size, point);
    }
    return plane_distance(nodes, point);
}

double bounding_radius(const Shape& shape)
{
    switch (shape.kind) {
    case ShapeKind::plane:
        break;
    case ShapeKind::mesh:
        return 0;
    case ShapeKind::sphere:
        return shape.radius;
    case ShapeKind::box:
        return norm(shape.half_size);
    }
    return std::numeric_limits<double>::infinity();
}

}  // namespace pliant
