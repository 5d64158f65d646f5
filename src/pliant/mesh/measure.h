// SPDX-License-Identifier: MIT
#pragma once

// Lengths, areas, volumes, normals and middles of surfaces.
//
// Lives here: geometry of given positions; nothing moves. Not here: gradients of volume (energy/).
// Symbols: x positions [m], A area [m^2], V volume [m^3], n unit normal.
// V = 1/6 sum x0 . (x1 x x2) is exact for closed, consistently oriented triangles; outward
// orientation makes it positive. References: seeds/000 eqs. 2.1 to 2.5.

#include <span>
#include <vector>

#include <pliant/base/types.h>

namespace pliant {

/// Half the cross product of two sides: length = area, direction = normal.
inline Vec3 area_vector(const Vec3& a, const Vec3& b, const Vec3& c)
{
    return cross(b - a, c - a) * 0.5;
}
inline double triangle_area(const Vec3& a, const Vec3& b, const Vec3& c)
{
    return norm(area_vector(a, b, c));
}

/// Area of the quadrilateral p q s r split along q-r, in seeds/000's order: right q, down r, diagonal s.
double quad_area(const Vec3& p, const Vec3& q, const Vec3& r, const Vec3& s);

/// Sum of the triangles' areas [m^2].
double surface_area(std::span<const Vec3> x, std::span<const Triangle> triangles);

/// Sum of the area vectors: zero for every closed surface.
Vec3 area_vector(std::span<const Vec3> x, std::span<const Triangle> triangles);

/// Signed tetrahedra from the point `about` [m^3]. For a closed surface any point gives the same
/// volume; a point near the surface loses fewer digits. Sums over parts of one surface add up.
double signed_volume(std::span<const Vec3> x, std::span<const Triangle> triangles, const Vec3& about = {});

/// Unit normal of each triangle; zero for a triangle without area.
std::vector<Vec3> face_normals(std::span<const Vec3> x, std::span<const Triangle> triangles);

/// Unit normal of each vertex, its triangles weighted by area; zero where there is none.
std::vector<Vec3> vertex_normals(std::span<const Vec3> x, std::span<const Triangle> triangles);

/// Shoelace: half the sum of P_i x P_(i+1). For a counter-clockwise polygon in the plane z = 0 its z
/// is the area; for any planar polygon its length is.
Vec3 polygon_area_vector(std::span<const Vec3> corners);
double polygon_area(std::span<const Vec3> corners);

/// Mean of the unit corner normals (edge to next x edge to previous), made unit; zero if they cancel.
Vec3 polygon_normal(std::span<const Vec3> corners);

/// Mean of the points; zero when there are none.
Vec3 centroid(std::span<const Vec3> x);
/// Centre of mass of the surface as a thin shell.
Vec3 surface_centroid(std::span<const Vec3> x, std::span<const Triangle> triangles);
/// Centre of mass of the enclosed solid; the volume must not be zero.
Vec3 volume_centroid(std::span<const Vec3> x, std::span<const Triangle> triangles);

/// Axis-aligned box around points; lowest > highest when there are none.
struct BoundingBox {
    Vec3 lowest;
    Vec3 highest;

    Vec3 size() const { return highest - lowest; }
    Vec3 center() const { return (lowest + highest) * 0.5; }
    bool is_empty() const { return lowest.x > highest.x; }
};
BoundingBox bounding_box(std::span<const Vec3> x);

/// Approximations of a body's volume by its box: length x width x height, and 4/3 pi a b c with the
/// box's half sides as semi-axes [m^3].
double box_volume(const BoundingBox&);
double ellipsoid_volume(const BoundingBox&);

}  // namespace pliant
