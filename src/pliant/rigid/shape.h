// SPDX-License-Identifier: MIT
#pragma once

// Shapes of rigid things, in the coordinates of their frame: plane, sphere, box. A mesh is only marked as one here: it is met
// by other means and is nowhere near for this room.

#include <cstdint>
#include <string_view>

#include <pliant/base/types.h>

namespace pliant {

enum class ShapeKind : std::int32_t { plane, sphere, box, mesh };

/// A plane fills y < 0 of its frame (normal along axis 2); a sphere is centred; so is a box.
struct Shape {
    ShapeKind kind = ShapeKind::plane;
    double radius = 0;  ///< [m] of a sphere
    Vec3 half_size{};   ///< [m] of a box
    std::int32_t frame = -1;
    std::int32_t body = -1;
};

/// Signed distance (negative inside) and outward normal of the shape at a point, both in world
/// coordinates; `surface` is the nearest point of the shape.
struct ShapeDistance {
    double distance = 0;
    Vec3 normal, surface;
};

ShapeDistance shape_distance(const Shape&, const Vec3* frame_nodes, const Vec3& point);

/// Radius of a ball round the frame's centre that holds the shape; infinite for a plane.
double bounding_radius(const Shape&);

}  // namespace pliant
