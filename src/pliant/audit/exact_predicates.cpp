// SPDX-License-Identifier: MIT
#include <pliant/audit/exact_predicates.h>

#include <algorithm>
#include <array>
#include <cmath>

#include <pliant/audit/whole_number.h>

namespace pliant {

namespace {

// Rounding of one operation, relative to its result.
constexpr double kRounding = 0x1p-53;
// Bounds on the error of a determinant over the sum of its products without their signs. Shewchuk has (7 + 56 r) r and
// (3 + 16 r) r; what is added here covers the rounding of the comparison itself.
constexpr double kBound3 = 8 * kRounding;
constexpr double kBound2 = 4 * kRounding;
// A scalar product of rounded differences: one rounding for the difference, one for the product, two for the sum.
constexpr double kBoundDot = 5 * kRounding;
// The bounds know nothing of products that are too large or too small for a double. Below kLargest none is too large, and what
// is lost to smallness (at most 2^-1074 a product, times another factor) adds up to much less than kSmallest.
constexpr double kLargest = 0x1p300;
constexpr double kSmallest = 0x1p-700;

int sign_of(double value)
{
    return value > 0 ? 1 : value < 0 ? -1 : 0;
}

double largest_part(const Vec3& a)
{
    return std::max({std::abs(a.x), std::abs(a.y), std::abs(a.z)});
}

// b - a, c - a, … of one coordinate as whole numbers on the scale of that coordinate: scaling one row of a determinant by
// a positive number keeps its sign.
template <std::size_t N>
std::array<WholeNumber, N> differences(double a, const std::array<double, N>& others)
{
    int scale = WholeNumber::scale_of(a);
    for (const double other : others) scale = std::min(scale, WholeNumber::scale_of(other));
    std::array<WholeNumber, N> result;
    const WholeNumber origin(a, scale);
    for (std::size_t i = 0; i < N; ++i) result[i] = WholeNumber(others[i], scale) - origin;
    return result;
}

int exact_orientation(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d)
{
    const auto x = differences<3>(a.x, {b.x, c.x, d.x});
    const auto y = differences<3>(a.y, {b.y, c.y, d.y});
    const auto z = differences<3>(a.z, {b.z, c.z, d.z});
    return (z[0] * (x[1] * y[2] - x[2] * y[1]) + z[1] * (x[2] * y[0] - x[0] * y[2]) +
            z[2] * (x[0] * y[1] - x[1] * y[0]))
        .sign();
}

int exact_orientation(const PlanePoint& a, const PlanePoint& b, const PlanePoint& c)
{
    const auto x = differences<2>(a.x, {b.x, c.x});
    const auto y = differences<2>(a.y, {b.y, c.y});
    return (x[0] * y[1] - x[1] * y[0]).sign();
}

int exact_side(const Vec3& point, const Vec3& normal, const Vec3& x)
{
    int normal_scale = WholeNumber::kNoScale, scale = WholeNumber::kNoScale;
    for (int k = 0; k < 3; ++k) {
        normal_scale = std::min(normal_scale, WholeNumber::scale_of(normal[k]));
        scale = std::min({scale, WholeNumber::scale_of(point[k]), WholeNumber::scale_of(x[k])});
    }
    WholeNumber sum;
    for (int k = 0; k < 3; ++k)
        sum = sum + WholeNumber(normal[k], normal_scale) * (WholeNumber(x[k], scale) - WholeNumber(point[k], scale));
    return sum.sign();
}

}  // namespace

std::optional<int> certain_orientation(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d)
{
    const Vec3 u = b - a, v = c - a, w = d - a;
    // Equal doubles have no difference at all: points of a plane across an axis, such as a sheet that lies flat.
    if ((u.x == 0 && v.x == 0 && w.x == 0) || (u.y == 0 && v.y == 0 && w.y == 0) || (u.z == 0 && v.z == 0 && w.z == 0))
        return 0;
    const double vxwy = v.x * w.y, wxvy = w.x * v.y, wxuy = w.x * u.y;
    const double uxwy = u.x * w.y, uxvy = u.x * v.y, vxuy = v.x * u.y;
    const double determinant = u.z * (vxwy - wxvy) + v.z * (wxuy - uxwy) + w.z * (uxvy - vxuy);
    const double magnitude = std::abs(u.z) * (std::abs(vxwy) + std::abs(wxvy)) +
                             std::abs(v.z) * (std::abs(wxuy) + std::abs(uxwy)) +
                             std::abs(w.z) * (std::abs(uxvy) + std::abs(vxuy));
    const double largest = std::max({largest_part(u), largest_part(v), largest_part(w)});
    if (largest < kLargest && std::abs(determinant) > kBound3 * magnitude + kSmallest) return sign_of(determinant);
    return std::nullopt;
}

std::optional<int> certain_orientation(const PlanePoint& a, const PlanePoint& b, const PlanePoint& c)
{
    const double ux = b.x - a.x, uy = b.y - a.y, vx = c.x - a.x, vy = c.y - a.y;
    if ((ux == 0 && vx == 0) || (uy == 0 && vy == 0)) return 0;
    const double left = ux * vy, right = vx * uy;
    const double largest = std::max({std::abs(ux), std::abs(uy), std::abs(vx), std::abs(vy)});
    const double determinant = left - right;
    if (largest < kLargest && std::abs(determinant) > kBound2 * (std::abs(left) + std::abs(right)) + kSmallest)
        return sign_of(determinant);
    return std::nullopt;
}

int orientation(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d)
{
    const std::optional<int> certain = certain_orientation(a, b, c, d);
    return certain ? *certain : exact_orientation(a, b, c, d);
}

int orientation(const PlanePoint& a, const PlanePoint& b, const PlanePoint& c)
{
    const std::optional<int> certain = certain_orientation(a, b, c);
    return certain ? *certain : exact_orientation(a, b, c);
}

int side_of_plane(const Vec3& point, const Vec3& normal, const Vec3& x)
{
    const Vec3 r = x - point;
    const double value = dot(normal, r);
    const double magnitude = std::abs(normal.x * r.x) + std::abs(normal.y * r.y) + std::abs(normal.z * r.z);
    const bool is_representable = std::max(largest_part(r), largest_part(normal)) < kLargest;
    if (is_representable && std::abs(value) > kBoundDot * magnitude + kSmallest) return sign_of(value);
    return exact_side(point, normal, x);
}

}  // namespace pliant
