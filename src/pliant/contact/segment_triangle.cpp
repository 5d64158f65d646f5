// SPDX-License-Identifier: MIT
#include <pliant/contact/segment_triangle.h>

#include <algorithm>
#include <limits>

#include <pliant/contact/box_overlap.h>

namespace pliant {

namespace {

constexpr double kEpsilon = std::numeric_limits<double>::epsilon();
constexpr double kMiss = -1;
// Ends on the triangle: a few roundings. More at the end than at the start, so that a particle that was let through
// to just before a triangle does not count as standing on it in the next step.
constexpr double kStartRounding = 4 * kEpsilon;
constexpr double kEndRounding = 16 * kEpsilon;

}  // namespace

SegmentTriangleTest::SegmentTriangleTest(const Vec3& a, const Vec3& b)
    : start_{a}
    , way_{b - a}
    , coordinate_{std::max(largest_coordinate(a), largest_coordinate(b))}
{
    if (!is_finite(a) || !is_finite(way_) || largest_coordinate(way_) == 0) return;
    const Vec3 size{std::abs(way_.x), std::abs(way_.y), std::abs(way_.z)};
    axis_z_ = size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2;
    axis_x_ = (axis_z_ + 1) % 3, axis_y_ = (axis_z_ + 2) % 3;
    shear_x_ = way_[axis_x_] / way_[axis_z_], shear_y_ = way_[axis_y_] / way_[axis_z_];
    reach_ = size[axis_z_];
    direction_ = way_[axis_z_] > 0 ? 1 : -1;
}

SegmentTriangleTest::Sheared SegmentTriangleTest::sheared(const Vec3& corner) const
{
    const Vec3 from_start = corner - start_;
    const double z = from_start[axis_z_];
    return {from_start[axis_x_] - shear_x_ * z, from_start[axis_y_] - shear_y_ * z, direction_ * z};
}

double SegmentTriangleTest::meets(const TriangleCorners& corners) const
{
    if (!moves()) return kMiss;
    const Sheared a = sheared(corners[0]), b = sheared(corners[1]), c = sheared(corners[2]);
    const double u = c.x * b.y - c.y * b.x, v = a.x * c.y - a.y * c.x, w = b.x * a.y - b.y * a.x;
    if ((u < 0 || v < 0 || w < 0) && (u > 0 || v > 0 || w > 0)) return kMiss;
    const double sum = u + v + w;
    if (sum == 0) return kMiss;
    // A mean of the corners with weights of one sign stays between them whatever the rounding.
    const double z = (u * a.z + v * b.z + w * c.z) / sum;
    const double size = coordinate_ + std::max({std::abs(a.z), std::abs(b.z), std::abs(c.z)});
    if (!(z >= -kStartRounding * size && z <= reach_ + kEndRounding * size)) return kMiss;
    const Vec3 outwards = cross(corners[1] - corners[0], corners[2] - corners[0]);
    if (norm2(outwards) == 0) return kMiss;
    if (z <= kStartRounding * size) return dot(outwards, way_) < 0 ? 0 : kMiss;
    return std::min(z / reach_, 1.0);
}

SegmentHit SegmentTriangleTest::hit_at(double t, const TriangleCorners& corners) const
{
    const Vec3 area = cross(corners[1] - corners[0], corners[2] - corners[0]);
    const Vec3 normal = area / norm(area);
    return {.t = t, .point = start_ + way_ * t, .normal = dot(normal, way_) > 0 ? -normal : normal};
}

}  // namespace pliant
