// SPDX-License-Identifier: MIT
#include "camera.h"

#include <algorithm>
#include <cmath>

namespace pliant::viewer {

namespace {

Vec3 unit(const Vec3& v)
{
    const double length = norm(v);
    return length > 0 ? v / length : Vec3{0, 0, 1};
}

// [m] A scene of one point still has a size to look at.
double radius_of(const Bounds& bounds)
{
    return std::max(bounds.radius(), 1e-6);
}

}  // namespace

void Bounds::add(const Vec3& point)
{
    if (!is_finite(point)) return;
    for (int k = 0; k < 3; ++k) low[k] = std::min(low[k], point[k]), high[k] = std::max(high[k], point[k]);
}

void Bounds::add(std::span<const Vec3> points)
{
    for (const Vec3& point : points) add(point);
}

Vec3 Camera::eye() const
{
    const double flat = std::cos(elevation) * distance, high = std::sin(elevation) * distance;
    if (up == 'z') return target + Vec3{flat * std::sin(azimuth), -flat * std::cos(azimuth), high};
    return target + Vec3{flat * std::sin(azimuth), high, flat * std::cos(azimuth)};
}

void Camera::fit(const Bounds& bounds, double aspect)
{
    if (bounds.is_empty()) return;
    constexpr double kMargin = 1.08;
    target = bounds.center();
    distance = 1;
    const Vec3 back = unit(eye() - target), side = unit(cross(up_axis(), back) + Vec3{1e-12, 0, 0});
    const Vec3 rise = cross(back, side);
    const double high = std::tan(0.5 * view_angle) / kMargin, wide = high * aspect;
    distance = radius_of(bounds) * 1e-3;
    for (int corner = 0; corner < 8; ++corner) {
        Vec3 from;
        for (int k = 0; k < 3; ++k) from[k] = ((corner >> k & 1) != 0 ? bounds.high[k] : bounds.low[k]) - target[k];
        const double across = std::max(std::abs(dot(from, side)) / wide, std::abs(dot(from, rise)) / high);
        distance = std::max(distance, dot(from, back) + across);
    }
}

void Camera::orbit(double sideways, double upwards)
{
    constexpr double kAlmostUp = 1.5607;
    azimuth -= sideways;
    elevation = std::clamp(elevation + upwards, -kAlmostUp, kAlmostUp);
}

Camera::Axes Camera::axes() const
{
    const Vec3 back = unit(eye() - target), right = unit(cross(up_axis(), back));
    return {right, cross(back, right), back};
}

void Camera::pan(double right, double up_share)
{
    const double height = 2 * distance * std::tan(0.5 * view_angle);
    const Axes a = axes();
    target -= a.right * (right * height) + a.rise * (up_share * height);
}

void Camera::zoom(double factor, double u, double v, double aspect)
{
    const double half = distance * std::tan(0.5 * view_angle) * (1 - factor);
    const Axes a = axes();
    target += a.right * (u * half * aspect) + a.rise * (v * half);
    distance = std::max(1e-9, distance * factor);
}

void Camera::fly(double ahead, double right, double rise)
{
    const Axes a = axes();
    target += (a.right * right + up_axis() * rise - a.back * ahead) * distance;
}

Ray ray_through(const Camera& camera, double u, double v, double aspect)
{
    const double high = std::tan(0.5 * camera.view_angle);
    const Camera::Axes a = camera.axes();
    return {camera.eye(), unit(a.right * (u * high * aspect) + a.rise * (v * high) - a.back)};
}

Mat4 operator*(const Mat4& a, const Mat4& b)
{
    Mat4 product{};
    for (std::size_t column = 0; column < 4; ++column)
        for (std::size_t row = 0; row < 4; ++row)
            for (std::size_t k = 0; k < 4; ++k) product[4 * column + row] += a[4 * k + row] * b[4 * column + k];
    return product;
}

Mat4 look_at(const Vec3& eye, const Vec3& target, const Vec3& up)
{
    const Vec3 back = unit(eye - target);
    Vec3 side = cross(up, back);
    if (norm(side) < 1e-9) side = cross(Vec3{0, 0, 1}, back);
    if (norm(side) < 1e-9) side = cross(Vec3{1, 0, 0}, back);
    side = unit(side);
    const Vec3 rise = cross(back, side);
    Mat4 matrix{};
    const Vec3 rows[3] = {side, rise, back};
    for (std::size_t row = 0; row < 3; ++row) {
        for (int k = 0; k < 3; ++k) matrix[4 * static_cast<std::size_t>(k) + row] = static_cast<float>(rows[row][k]);
        matrix[12 + row] = static_cast<float>(-dot(rows[row], eye));
    }
    matrix[15] = 1;
    return matrix;
}

Mat4 view_projection(const Camera& camera, double aspect, const Bounds& bounds)
{
    const double radius = radius_of(bounds), middle = norm(camera.eye() - bounds.center());
    const double far = middle + 8 * radius, near = std::max(1e-3 * far, middle - 2 * radius);
    const double scale = 1 / std::tan(0.5 * camera.view_angle);
    Mat4 lens{};
    lens[0] = static_cast<float>(scale / aspect), lens[5] = static_cast<float>(scale);
    lens[10] = static_cast<float>((far + near) / (near - far)), lens[11] = -1;
    lens[14] = static_cast<float>(2 * far * near / (near - far));
    return lens * look_at(camera.eye(), camera.target, camera.up_axis());
}

std::optional<std::array<double, 2>> project(const Mat4& view, const Vec3& point)
{
    const auto row = [&](std::size_t r) {
        return view[r] * point.x + view[4 + r] * point.y + view[8 + r] * point.z + view[12 + r];
    };
    const double w = row(3);
    if (!(w > 0)) return std::nullopt;
    return std::array{row(0) / w, row(1) / w};
}

Mat4 light_projection(const Vec3& direction, const Bounds& bounds)
{
    const double radius = 1.02 * radius_of(bounds);
    const Vec3 center = bounds.is_empty() ? Vec3{} : bounds.center();
    Mat4 lens{};
    lens[0] = lens[5] = static_cast<float>(1 / radius), lens[10] = static_cast<float>(-1 / (2 * radius));
    // Depths from 0 to 4 radii, the ball in their middle.
    lens[14] = -1, lens[15] = 1;
    return lens * look_at(center - unit(direction) * (2 * radius), center, {0, 1, 0});
}

}  // namespace pliant::viewer
