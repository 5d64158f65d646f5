// SPDX-License-Identifier: MIT
#include <pliant/mesh/measure.h>

#include <algorithm>
#include <limits>
#include <numbers>

namespace pliant {

namespace {

struct Corners {
    const Vec3 &a, &b, &c;
};

Corners corners_of(std::span<const Vec3> x, const Triangle& t)
{
    return {x[static_cast<std::size_t>(t[0])], x[static_cast<std::size_t>(t[1])], x[static_cast<std::size_t>(t[2])]};
}

Vec3 unit_or_zero(const Vec3& v)
{
    const double length = norm(v);
    return length > 0 ? v / length : Vec3{};
}

}  // namespace

double quad_area(const Vec3& p, const Vec3& q, const Vec3& r, const Vec3& s)
{
    return triangle_area(p, q, r) + triangle_area(s, q, r);
}

double surface_area(std::span<const Vec3> x, std::span<const Triangle> triangles)
{
    double area = 0;
    for (const Triangle& t : triangles) {
        const auto [a, b, c] = corners_of(x, t);
        area += triangle_area(a, b, c);
    }
    return area;
}

Vec3 area_vector(std::span<const Vec3> x, std::span<const Triangle> triangles)
{
    Vec3 sum;
    for (const Triangle& t : triangles) {
        const auto [a, b, c] = corners_of(x, t);
        sum += area_vector(a, b, c);
    }
    return sum;
}

double signed_volume(std::span<const Vec3> x, std::span<const Triangle> triangles, const Vec3& about)
{
    double six_volumes = 0;
    for (const Triangle& t : triangles) {
        const auto [a, b, c] = corners_of(x, t);
        six_volumes += dot(a - about, cross(b - about, c - about));
    }
    return six_volumes / 6.0;
}

std::vector<Vec3> face_normals(std::span<const Vec3> x, std::span<const Triangle> triangles)
{
    std::vector<Vec3> normals;
    normals.reserve(triangles.size());
    for (const Triangle& t : triangles) {
        const auto [a, b, c] = corners_of(x, t);
        normals.push_back(unit_or_zero(area_vector(a, b, c)));
    }
    return normals;
}

std::vector<Vec3> vertex_normals(std::span<const Vec3> x, std::span<const Triangle> triangles)
{
    std::vector<Vec3> normals(x.size());
    for (const Triangle& t : triangles) {
        const auto [a, b, c] = corners_of(x, t);
        const Vec3 weighted = area_vector(a, b, c);
        for (const std::int32_t v : t) normals[static_cast<std::size_t>(v)] += weighted;
    }
    for (Vec3& normal : normals) normal = unit_or_zero(normal);
    return normals;
}

Vec3 polygon_area_vector(std::span<const Vec3> corners)
{
    Vec3 sum;
    for (std::size_t i = 0; i < corners.size(); ++i) sum += cross(corners[i], corners[(i + 1) % corners.size()]);
    return sum * 0.5;
}

double polygon_area(std::span<const Vec3> corners)
{
    return norm(polygon_area_vector(corners));
}

Vec3 polygon_normal(std::span<const Vec3> corners)
{
    Vec3 sum;
    const std::size_t n = corners.size();
    for (std::size_t i = 0; i < n; ++i) {
        const Vec3 to_next = corners[(i + 1) % n] - corners[i];
        const Vec3 to_previous = corners[(i + n - 1) % n] - corners[i];
        sum += unit_or_zero(cross(to_next, to_previous));
    }
    return unit_or_zero(sum);
}

Vec3 centroid(std::span<const Vec3> x)
{
    Vec3 sum;
    for (const Vec3& point : x) sum += point;
    return x.empty() ? sum : sum / static_cast<double>(x.size());
}

Vec3 surface_centroid(std::span<const Vec3> x, std::span<const Triangle> triangles)
{
    Vec3 sum;
    double area = 0;
    for (const Triangle& t : triangles) {
        const auto [a, b, c] = corners_of(x, t);
        const double weight = triangle_area(a, b, c);
        sum += (a + b + c) * (weight / 3.0);
        area += weight;
    }
    return area > 0 ? sum / area : sum;
}

Vec3 volume_centroid(std::span<const Vec3> x, std::span<const Triangle> triangles)
{
    // Measured from a point near the surface, so that far-away bodies keep their digits.
    const Vec3 about = centroid(x);
    Vec3 sum;
    double six_volumes = 0;
    for (const Triangle& t : triangles) {
        const auto [xa, xb, xc] = corners_of(x, t);
        const Vec3 a = xa - about, b = xb - about, c = xc - about;
        const double weight = dot(a, cross(b, c));
        sum += (a + b + c) * (weight / 4.0);
        six_volumes += weight;
    }
    return about + sum / six_volumes;
}

BoundingBox bounding_box(std::span<const Vec3> x)
{
    constexpr double infinity = std::numeric_limits<double>::infinity();
    BoundingBox box{{infinity, infinity, infinity}, {-infinity, -infinity, -infinity}};
    for (const Vec3& point : x)
        for (int k = 0; k < 3; ++k) {
            box.lowest[k] = std::min(box.lowest[k], point[k]);
            box.highest[k] = std::max(box.highest[k], point[k]);
        }
    return box;
}

double box_volume(const BoundingBox& box)
{
    const Vec3 size = box.size();
    return box.is_empty() ? 0.0 : size.x * size.y * size.z;
}

double ellipsoid_volume(const BoundingBox& box)
{
    return box_volume(box) * std::numbers::pi / 6.0;
}

}  // namespace pliant
