// SPDX-License-Identifier: MIT

// Metric parameters and simplex angle of a vertex over its three neighbours, and the way back.
//
// Symbols as in simplex_mesh.h, and w = r^2 - d^2, the power of the foot: positive inside the circumcircle.
// With s put in and the fraction extended by 2|h|, the angle needs no division by h:
//   sin phi = 2 h r / q,  cos phi = (w - h^2) / q,  q^2 = (2 h r)^2 + (w - h^2)^2.
// Read backwards it is a quadratic, sin phi h^2 + 2 r cos phi h - w sin phi = 0, with the solution
//   h = (sqrt(D) - r cos phi) / sin phi = w sin phi / (sqrt(D) + r cos phi),  D = (r cos phi)^2 + w sin^2 phi.

#include <pliant/mesh/simplex_mesh.h>

#include <algorithm>
#include <cmath>

namespace pliant {

namespace {

/// What the plane of three neighbours gives; no area, no plane.
struct NeighbourPlane {
    Vec3 normal;  ///< unit
    double double_area;
    double ab2, bc2, ca2;  ///< squared sides
    double circumradius;

    NeighbourPlane(const Vec3& a, const Vec3& b, const Vec3& c)
        : normal(cross(b - a, c - a))
        , double_area(norm(normal))
        , ab2(norm2(b - a))
        , bc2(norm2(c - b))
        , ca2(norm2(a - c))
        , circumradius(0)
    {
        if (is_collinear()) return;
        normal = normal / double_area;
        circumradius = std::sqrt(ab2) * std::sqrt(bc2) * std::sqrt(ca2) / (2 * double_area);
    }

    bool is_collinear() const { return !(double_area > 0); }

    /// w of the point e1 a + e2 b + e3 c, without looking for the circle's centre.
    double power(double e1, double e2, double e3) const { return e1 * e2 * ab2 + e2 * e3 * bc2 + e3 * e1 * ca2; }
};

double height_at(const NeighbourPlane& plane, double w, double sine, double cosine)
{
    const double rc = plane.circumradius * cosine;
    const double root = std::sqrt(std::max(rc * rc + w * sine * sine, 0.0));
    // The same number twice, each time as a sum without cancellation.
    if (cosine > 0) return w * sine / (root + rc);
    return std::abs(sine) > 0 ? (root - rc) / sine : 0;
}

}  // namespace

SimplexCoordinates simplex_coordinates(const Vec3& p, const Vec3& a, const Vec3& b, const Vec3& c)
{
    const NeighbourPlane plane(a, b, c);
    if (plane.is_collinear()) return {1.0 / 3, 1.0 / 3, 1.0 / 3, 0, 1};
    const double e2 = dot(plane.normal, cross(c - p, a - p)) / plane.double_area;
    const double e3 = dot(plane.normal, cross(a - p, b - p)) / plane.double_area;
    const double e1 = 1 - e2 - e3;
    const double w = plane.power(e1, e2, e3);
    const double h = dot(p - a, plane.normal);
    const bool is_lower_of_two = w < 0 && h * h < -w;
    const double sign = is_lower_of_two ? -1 : 1;
    const double x = sign * (w - h * h), y = sign * 2 * h * plane.circumradius;
    const double q = std::hypot(x, y);
    if (!(q > 0)) return {e1, e2, e3, 0, 1};
    return {e1, e2, e3, y / q, x / q};
}

Vec3 simplex_point(const SimplexCoordinates& coordinates, const Vec3& a, const Vec3& b, const Vec3& c)
{
    const auto& [e1, e2, e3, sine, cosine] = coordinates;
    const Vec3 foot = a + (b - a) * e2 + (c - a) * e3;
    const NeighbourPlane plane(a, b, c);
    if (plane.is_collinear()) return foot;
    return foot + plane.normal * height_at(plane, plane.power(e1, e2, e3), sine, cosine);
}

}  // namespace pliant
