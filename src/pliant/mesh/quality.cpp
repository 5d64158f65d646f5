// SPDX-License-Identifier: MIT
#include <pliant/mesh/quality.h>

#include <algorithm>
#include <numbers>

#include <fmt/format.h>

#include <pliant/mesh/measure.h>
#include <pliant/mesh/weld.h>

namespace pliant {

namespace {

constexpr double kFlat = 1e-12;  // area over longest side squared, below which angles mean nothing

const Vec3& vertex(const TriMesh& mesh, std::int32_t v)
{
    return mesh.vertices[static_cast<std::size_t>(v)];
}

double angle_between(const Vec3& u, const Vec3& v)
{
    return std::atan2(norm(cross(u, v)), dot(u, v));
}

void measure_edges(MeshQuality& report, const TriMesh& mesh)
{
    double shortest = std::numeric_limits<double>::infinity(), sum = 0;
    std::size_t count = 0;
    const auto book = [&](const Edge& edge) {
        const double length = norm(vertex(mesh, edge[1]) - vertex(mesh, edge[0]));
        shortest = std::min(shortest, length);
        report.longest_edge = std::max(report.longest_edge, length);
        sum += length;
        ++count;
    };
    const std::vector<Edge> edges = unique_edges(mesh.triangles);
    report.edges = edges.size();
    for (const Edge& edge : edges) book(edge);
    for (const Edge& line : mesh.lines) book(line);
    if (count == 0) return;
    report.shortest_edge = shortest;
    report.mean_edge = sum / static_cast<double>(count);
}

void measure_triangle(MeshQuality& report, const TriMesh& mesh, std::size_t index)
{
    const Triangle& t = mesh.triangles[index];
    const Vec3 &a = vertex(mesh, t[0]), &b = vertex(mesh, t[1]), &c = vertex(mesh, t[2]);
    const double ab = norm(b - a), bc = norm(c - b), ca = norm(a - c);
    const double longest = std::max({ab, bc, ca}), area = triangle_area(a, b, c);
    if (!(area > kFlat * longest * longest)) {
        ++report.degenerate_triangles;
        return;
    }
    for (const double angle : {angle_between(b - a, c - a), angle_between(c - b, a - b), angle_between(a - c, b - c)}) {
        report.smallest_angle = std::min(report.smallest_angle, angle);
        report.largest_angle = std::max(report.largest_angle, angle);
    }
    // R = abc/(4A) and r = 2A/(a+b+c).
    const double aspect = ab * bc * ca * (ab + bc + ca) / (16 * area * area);
    if (aspect > report.worst_aspect) {
        report.worst_aspect = aspect;
        report.worst_triangle = static_cast<std::int32_t>(index);
    }
}

std::size_t duplicate_triangles(std::vector<Triangle> triangles)
{
    for (Triangle& t : triangles) std::sort(t.begin(), t.end());
    std::sort(triangles.begin(), triangles.end());
    const auto last = std::unique(triangles.begin(), triangles.end());
    return static_cast<std::size_t>(triangles.end() - last);
}

std::size_t isolated_vertices(const TriMesh& mesh)
{
    std::vector<bool> used(mesh.vertices.size(), false);
    const auto use = [&](std::int32_t v) { used[static_cast<std::size_t>(v)] = true; };
    for (const Triangle& t : mesh.triangles) use(t[0]), use(t[1]), use(t[2]);
    for (const Edge& line : mesh.lines) use(line[0]), use(line[1]);
    return static_cast<std::size_t>(std::count(used.begin(), used.end(), false));
}

double degrees(double radians)
{
    return radians * 180 / std::numbers::pi;
}

}  // namespace

MeshQuality quality(const TriMesh& mesh)
{
    MeshQuality report;
    report.vertices = mesh.vertices.size();
    report.triangles = mesh.triangles.size();
    report.lines = mesh.lines.size();
    measure_edges(report, mesh);
    report.smallest_angle = std::numbers::pi;
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t) measure_triangle(report, mesh, t);
    if (report.worst_triangle < 0) report.smallest_angle = 0;
    report.duplicate_triangles = duplicate_triangles(mesh.triangles);
    report.duplicate_vertices = weld_map(mesh.vertices, 0).merged;
    report.isolated_vertices = isolated_vertices(mesh);
    report.components =
        connected_components(mesh.vertices.size(), mesh.triangles, mesh.lines).count - report.isolated_vertices;
    report.closedness = closedness(mesh.triangles, mesh.vertices.size());
    return report;
}

std::string to_text(const MeshQuality& report)
{
    std::string text = fmt::format("{} vertices, {} triangles, {} edges, {} lines, {} connected pieces\n",
                                   report.vertices, report.triangles, report.edges, report.lines, report.components);
    text += fmt::format("edge length: {:.6g} to {:.6g}, mean {:.6g}\n", report.shortest_edge, report.longest_edge,
                        report.mean_edge);
    if (report.triangles > 0) {
        text += fmt::format("angles: {:.4g} to {:.4g} degrees\n", degrees(report.smallest_angle),
                            degrees(report.largest_angle));
        text += fmt::format("worst aspect: {:.4g} (triangle {}); 1 is equilateral\n", report.worst_aspect,
                            report.worst_triangle);
        text += fmt::format("surface: {}\n", to_text(report.closedness));
    }
    const auto warn = [&](std::size_t count, const char* what) {
        if (count > 0) text += fmt::format("warning: {} {}\n", count, what);
    };
    warn(report.degenerate_triangles, "degenerate triangles (no area)");
    warn(report.duplicate_triangles, "duplicate triangles");
    warn(report.duplicate_vertices, "duplicate vertices (exactly equal coordinates); weld them");
    warn(report.isolated_vertices, "isolated vertices (in no triangle or line)");
    return text;
}

}  // namespace pliant
