// SPDX-License-Identifier: MIT

// Shapes of revolution and the icosphere.
//
// Going round the y axis, angle phi grows from +z towards +x, which is counter-clockwise seen from
// above; rows of vertices are stacked from the bottom up.

#include <pliant/mesh/shapes.h>

#include <numbers>

#include <pliant/mesh/shape_checks.h>
#include <pliant/mesh/topology.h>

namespace pliant {

namespace {

Vec3 on_circle(double radius, double y, int i, int segments)
{
    const double phi = 2 * std::numbers::pi * i / segments;
    return {radius * std::sin(phi), y, radius * std::cos(phi)};
}

/// Two triangles per square between a row and the row above it, facing away from the axis.
void add_band(TriMesh& mesh, std::int32_t lower, std::int32_t upper, int segments)
{
    for (int i = 0; i < segments; ++i) {
        const int j = (i + 1) % segments;
        mesh.triangles.push_back({lower + i, lower + j, upper + j});
        mesh.triangles.push_back({lower + i, upper + j, upper + i});
    }
}

void add_fan(TriMesh& mesh, std::int32_t tip, std::int32_t row, int segments, bool tip_above)
{
    for (int i = 0; i < segments; ++i) {
        const std::int32_t a = row + i, b = row + (i + 1) % segments;
        mesh.triangles.push_back(tip_above ? Triangle{a, b, tip} : Triangle{b, a, tip});
    }
}

std::int32_t add_vertex(TriMesh& mesh, const Vec3& point)
{
    mesh.vertices.push_back(point);
    return static_cast<std::int32_t>(mesh.vertices.size()) - 1;
}

std::int32_t add_row(TriMesh& mesh, double radius, double y, int segments)
{
    const auto first = static_cast<std::int32_t>(mesh.vertices.size());
    for (int i = 0; i < segments; ++i) mesh.vertices.push_back(on_circle(radius, y, i, segments));
    return first;
}

VertexGroup row_group(const char* name, std::int32_t first, int segments)
{
    VertexGroup group{name, {}};
    for (int i = 0; i < segments; ++i) group.vertices.push_back(first + i);
    return group;
}

TriMesh icosahedron()
{
    const double g = std::numbers::phi;
    TriMesh mesh;
    mesh.vertices = {{-1, g, 0},  {1, g, 0},  {-1, -g, 0}, {1, -g, 0}, {0, -1, g},  {0, 1, g},
                     {0, -1, -g}, {0, 1, -g}, {g, 0, -1},  {g, 0, 1},  {-g, 0, -1}, {-g, 0, 1}};
    mesh.triangles = {{0, 11, 5},  {0, 5, 1},  {0, 1, 7},  {0, 7, 10}, {0, 10, 11}, {1, 5, 9}, {5, 11, 4},
                      {11, 10, 2}, {10, 7, 6}, {7, 1, 8},  {3, 9, 4},  {3, 4, 2},   {3, 2, 6}, {3, 6, 8},
                      {3, 8, 9},   {4, 9, 5},  {2, 4, 11}, {6, 2, 10}, {8, 6, 7},   {9, 8, 1}};
    return mesh;
}

/// Cuts every triangle in four at the middles of its edges.
void subdivide(TriMesh& mesh)
{
    const EdgeTable table = edge_table(mesh.triangles);
    const auto first = static_cast<std::int32_t>(mesh.vertices.size());
    for (const Edge& edge : table.edges)
        mesh.vertices.push_back(
            (mesh.vertices[static_cast<std::size_t>(edge[0])] + mesh.vertices[static_cast<std::size_t>(edge[1])]) *
            0.5);
    std::vector<Triangle> finer;
    finer.reserve(mesh.triangles.size() * 4);
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
        const auto [a, b, c] = mesh.triangles[t];
        const auto& edges = table.of_triangle[t];
        const std::int32_t ab = first + edges[0], bc = first + edges[1], ca = first + edges[2];
        finer.insert(finer.end(), {{a, ab, ca}, {b, bc, ab}, {c, ca, bc}, {ab, bc, ca}});
    }
    mesh.triangles = std::move(finer);
}

}  // namespace

TriMesh icosphere(double radius, int subdivisions)
{
    require_positive("icosphere", "radius", radius);
    require_at_least("icosphere", "subdivisions", subdivisions, 0);
    require_vertices("icosphere", 10.0 * std::pow(4.0, subdivisions) + 2);
    TriMesh mesh = icosahedron();
    const auto project = [&] {
        for (Vec3& vertex : mesh.vertices) vertex = normalized(vertex);
    };
    project();
    for (int i = 0; i < subdivisions; ++i) subdivide(mesh), project();
    for (Vec3& vertex : mesh.vertices) vertex *= radius;
    return mesh;
}

TriMesh uv_sphere(double radius, int segments, int rings)
{
    require_positive("uv_sphere", "radius", radius);
    require_at_least("uv_sphere", "segments", segments, 3);
    require_at_least("uv_sphere", "rings", rings, 2);
    require_vertices("uv_sphere", double(segments) * (rings - 1.0) + 2);
    TriMesh mesh;
    const std::int32_t south = add_vertex(mesh, {0, -radius, 0});
    std::int32_t row = -1;
    for (int j = 1; j < rings; ++j) {
        const double latitude = std::numbers::pi * (static_cast<double>(j) / rings - 0.5);
        const std::int32_t above = add_row(mesh, radius * std::cos(latitude), radius * std::sin(latitude), segments);
        if (j == 1)
            add_fan(mesh, south, above, segments, false);
        else
            add_band(mesh, row, above, segments);
        row = above;
    }
    const std::int32_t north = add_vertex(mesh, {0, radius, 0});
    add_fan(mesh, north, row, segments, true);
    mesh.groups = {{"top", {north}}, {"bottom", {south}}};
    return mesh;
}

TriMesh cylinder(double radius, double height, int segments, int rings, bool capped)
{
    require_positive("cylinder", "radius", radius);
    require_positive("cylinder", "height", height);
    require_at_least("cylinder", "segments", segments, 3);
    require_at_least("cylinder", "rings", rings, 1);
    require_vertices("cylinder", double(segments) * (rings + 1.0) + 2);
    TriMesh mesh;
    for (int j = 0; j <= rings; ++j) {
        const std::int32_t row = add_row(mesh, radius, centred(height, j, rings + 1), segments);
        if (j > 0) add_band(mesh, row - segments, row, segments);
    }
    const std::int32_t top = segments * rings;
    if (capped) {
        add_fan(mesh, add_vertex(mesh, {0, -height / 2, 0}), 0, segments, false);
        add_fan(mesh, add_vertex(mesh, {0, height / 2, 0}), top, segments, true);
    }
    mesh.groups = {row_group("bottom_rim", 0, segments), row_group("top_rim", top, segments)};
    return mesh;
}

TriMesh torus(double major_radius, double minor_radius, int major_segments, int minor_segments)
{
    require_positive("torus", "minor radius", minor_radius);
    require_positive("torus", "major radius", major_radius);
    require_positive("torus", "hole (major radius - minor radius)", major_radius - minor_radius);
    require_at_least("torus", "major segments", major_segments, 3);
    require_at_least("torus", "minor segments", minor_segments, 3);
    require_vertices("torus", double(major_segments) * double(minor_segments));
    TriMesh mesh;
    for (int j = 0; j < minor_segments; ++j) {
        // From the outer equator upwards, inwards, and back below.
        const double theta = 2 * std::numbers::pi * j / minor_segments;
        add_row(mesh, major_radius + minor_radius * std::cos(theta), minor_radius * std::sin(theta), major_segments);
    }
    for (int j = 0; j < minor_segments; ++j)
        add_band(mesh, j * major_segments, (j + 1) % minor_segments * major_segments, major_segments);
    return mesh;
}

}  // namespace pliant
