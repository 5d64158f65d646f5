// SPDX-License-Identifier: MIT
#include <pliant/rigid/surfaces.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include <pliant/mesh/shapes.h>

namespace pliant {

namespace {

// Bands about as high as facets are wide, but no more of them than there are facets.
int bands_along(double radius, double length, int facets)
{
    const double width = 2 * std::numbers::pi * radius / facets;
    return static_cast<int>(std::clamp(std::round(length / width), 1.0, static_cast<double>(facets)));
}

}  // namespace

TriMesh sphere_surface(double radius, int facets)
{
    // An icosahedron has five edges round its waist; each cut doubles them.
    int subdivisions = 0;
    for (int around = 5; around < facets; around *= 2) ++subdivisions;
    return icosphere(radius, subdivisions);
}

TriMesh cylinder_surface(double radius, double length, int facets)
{
    return cylinder(radius, length, facets, bands_along(radius, length, facets), true);
}

TriMesh capsule_surface(double radius, double length, int facets)
{
    // A globe's triangles, its rows of vertices moved: a quarter of a turn of each cap, the straight part between.
    const int cap = std::max(2, facets / 4), bands = bands_along(radius, length, facets);
    const int rows = 2 * cap + bands;
    TriMesh mesh = uv_sphere(radius, facets, rows);
    mesh.vertices.front() = {0, -length / 2 - radius, 0}, mesh.vertices.back() = {0, length / 2 + radius, 0};
    for (int row = 1; row < rows; ++row) {
        const int low = std::min(row, cap), high = std::max(row - cap - bands, 0);
        const double latitude = (low + high - cap) * std::numbers::pi / (2 * cap);
        const double along = std::clamp(row - cap, 0, bands) * length / bands - length / 2;
        const double around = row < cap || row > cap + bands ? radius * std::cos(latitude) : radius;
        for (int k = 0; k < facets; ++k) {
            const auto place =
                static_cast<std::size_t>(row - 1) * static_cast<std::size_t>(facets) + static_cast<std::size_t>(k) + 1;
            Vec3& x = mesh.vertices[place];
            const double factor = around / std::hypot(x.x, x.z);
            x = {x.x * factor, radius * std::sin(latitude) + along, x.z * factor};
        }
    }
    return mesh;
}

double round_share(const TriMesh& surface, double radius, double length)
{
    constexpr double kFlatEnd = 1 - 1e-9;
    double least = radius;
    for (const Triangle& t : surface.triangles) {
        const Vec3& a = surface.vertices[t[0]];
        const Vec3 across = cross(surface.vertices[t[1]] - a, surface.vertices[t[2]] - a);
        const Vec3 normal = across / norm(across);
        const double height = dot(a, normal) - 0.5 * length * std::abs(normal.y);
        const bool is_end = length > 0 && std::abs(normal.y) > kFlatEnd && height <= 1e-9 * radius;
        if (!is_end) least = std::min(least, height);
    }
    return least / radius;
}

}  // namespace pliant
