// SPDX-License-Identifier: MIT
#pragma once

// Where one looks from: an orbit about a target, and the matrices that follow from it.
//
// Angles in radians, lengths in metres. Azimuth turns about the up axis, elevation is the height over the ground.
// Matrices are column major, as OpenGL has them; they act on columns (x y z 1).

#include <array>
#include <optional>
#include <span>

#include <pliant/base/types.h>

namespace pliant::viewer {

using Mat4 = std::array<float, 16>;

/// The smallest box with its sides along the axes; empty before the first point.
struct Bounds {
    Vec3 low{1e300, 1e300, 1e300}, high{-1e300, -1e300, -1e300};

    bool is_empty() const { return !(low.x <= high.x); }
    void add(const Vec3& point);
    void add(std::span<const Vec3> points);
    Vec3 center() const { return (low + high) * 0.5; }
    double radius() const { return is_empty() ? 0 : 0.5 * norm(high - low); }
};

struct Camera {
    Vec3 target;
    double distance = 3;
    double azimuth = 0.6, elevation = 0.35;
    double view_angle = 0.6;  ///< from the lower to the upper border
    char up = 'y';            ///< 'y' or 'z'

    Vec3 up_axis() const { return up == 'z' ? Vec3{0, 0, 1} : Vec3{0, 1, 0}; }
    Vec3 eye() const;

    /// Looks at all of the box from the present side, from as near as it fits.
    void fit(const Bounds& bounds, double aspect);

    /// Turns about the target by so many radians.
    void orbit(double sideways, double upwards);
    /// Moves eye and target by shares of the picture's height.
    void pan(double right, double up_share);
    /// Comes nearer by a factor below 1; what is under (u, v), -1 to 1 from left to right and from below, stays there.
    void zoom(double factor, double u, double v, double aspect);
    /// Moves eye and target as one walks: shares of the distance.
    void fly(double ahead, double right, double rise);

    /// Unit vectors of the picture: to the right, up, and towards the eye.
    struct Axes {
        Vec3 right, rise, back;
    };
    Axes axes() const;
};

struct Ray {
    Vec3 from, way;  ///< way is a unit vector
};

/// The line of sight through a place of the picture, -1 to 1 from left to right and from below.
Ray ray_through(const Camera& camera, double u, double v, double aspect);

Mat4 operator*(const Mat4& a, const Mat4& b);

/// Into the coordinates of an eye that looks along -z.
Mat4 look_at(const Vec3& eye, const Vec3& target, const Vec3& up);

/// The matrix from the world to the picture; near and far planes enclose the box.
Mat4 view_projection(const Camera& camera, double aspect, const Bounds& bounds);

/// Where a point is in the picture, -1 to 1 from left to right and from below; nothing when it is behind the eye.
std::optional<std::array<double, 2>> project(const Mat4& view, const Vec3& point);

/// The same of a light that shines along `direction` on all of the box.
Mat4 light_projection(const Vec3& direction, const Bounds& bounds);

}  // namespace pliant::viewer
