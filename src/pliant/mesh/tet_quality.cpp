// SPDX-License-Identifier: MIT
#include <pliant/mesh/tet_quality.h>

#include <algorithm>
#include <limits>
#include <numbers>

#include <fmt/format.h>

#include <pliant/mesh/measure.h>
#include <pliant/mesh/tet_topology.h>
#include <pliant/mesh/weld.h>

namespace pliant {

namespace {

constexpr double kFlat = 1e-12;  // volume over longest edge cubed, below which angles mean nothing

using Corners = std::array<Vec3, 4>;

Corners corners(std::span<const Vec3> x, const Tet& tet)
{
    const auto at = [&](std::size_t c) { return x[static_cast<std::size_t>(tet[c])]; };
    return {at(0), at(1), at(2), at(3)};
}

double tet_volume(const Corners& p)
{
    return pliant::tet_volume(p[0], p[1], p[2], p[3]);
}

double longest_edge(const Corners& p)
{
    double longest = 0;
    for (const auto& [i, j] : kTetEdges) longest = std::max(longest, norm(p[j] - p[i]));
    return longest;
}

void measure_edges(TetQuality& report, const TetMesh& mesh)
{
    const std::vector<Edge> edges = tet_edge_table(mesh.tets, mesh.vertices.size()).edges;
    report.edges = edges.size();
    if (edges.empty()) return;
    double sum = 0;
    report.shortest_edge = std::numeric_limits<double>::infinity();
    for (const Edge& edge : edges) {
        const double length =
            norm(mesh.vertices[static_cast<std::size_t>(edge[1])] - mesh.vertices[static_cast<std::size_t>(edge[0])]);
        report.shortest_edge = std::min(report.shortest_edge, length);
        report.longest_edge = std::max(report.longest_edge, length);
        sum += length;
    }
    report.mean_edge = sum / static_cast<double>(edges.size());
}

void measure_shape(TetQuality& report, const Corners& p, std::int32_t tet)
{
    const auto angles = dihedral_angles(p[0], p[1], p[2], p[3]);
    const auto [smallest, largest] = std::minmax_element(angles.begin(), angles.end());
    if (report.sharpest_tet < 0 || *smallest < report.smallest_angle)
        report.smallest_angle = *smallest, report.sharpest_tet = tet;
    if (report.flattest_tet < 0 || *largest > report.largest_angle)
        report.largest_angle = *largest, report.flattest_tet = tet;
    const double aspect = tet_aspect(p[0], p[1], p[2], p[3]);
    if (aspect > report.worst_aspect) report.worst_aspect = aspect, report.worst_tet = tet;
}

void measure_tet(TetQuality& report, const TetMesh& mesh, std::size_t index)
{
    const Corners p = corners(mesh.vertices, mesh.tets[index]);
    const double V = tet_volume(p), longest = longest_edge(p);
    const auto tet = static_cast<std::int32_t>(index);
    report.volume += V;
    report.smallest_volume = index == 0 ? V : std::min(report.smallest_volume, V);
    report.largest_volume = index == 0 ? V : std::max(report.largest_volume, V);
    // Written so that a volume that is not a number counts as degenerate.
    if (!(std::abs(V) > kFlat * longest * longest * longest)) {
        if (report.degenerate_tets++ == 0) report.first_degenerate_tet = tet;
    } else if (V < 0) {
        if (report.inverted_tets++ == 0) report.first_inverted_tet = tet;
    } else {
        measure_shape(report, p, tet);
    }
}

std::size_t duplicate_tets(std::vector<Tet> tets)
{
    for (Tet& tet : tets) std::sort(tet.begin(), tet.end());
    std::sort(tets.begin(), tets.end());
    const auto last = std::unique(tets.begin(), tets.end());
    return static_cast<std::size_t>(tets.end() - last);
}

void measure_topology(TetQuality& report, const TetMesh& mesh)
{
    const std::size_t vertex_count = mesh.vertices.size();
    const TetFaces faces = tet_faces(mesh.tets, vertex_count);
    report.faces = faces.corners.size();
    report.overfull_faces = faces.overfull;
    report.folded_faces = faces.folded;
    std::vector<Triangle> boundary;
    for (std::size_t f = 0; f < faces.corners.size(); ++f)
        if (faces.is_boundary(f)) boundary.push_back(faces.corners[f]);
    report.boundary_faces = boundary.size();
    report.surface = closedness(boundary, vertex_count);
    const std::vector<std::int32_t> isolated = isolated_vertices(mesh.tets, vertex_count);
    report.isolated_vertices = isolated.size();
    if (!isolated.empty()) report.first_isolated_vertex = isolated.front();
    report.components = connected_components(vertex_count, mesh.tets).count - isolated.size();
}

double degrees(double radians)
{
    return radians * 180 / std::numbers::pi;
}

void say_shape(std::string& text, const TetQuality& report)
{
    if (report.worst_tet < 0) return;
    text += fmt::format("dihedral angles: {:.4g} (tetrahedron {}) to {:.4g} degrees (tetrahedron {}); "
                        "70.53 is regular\n",
                        degrees(report.smallest_angle), report.sharpest_tet, degrees(report.largest_angle),
                        report.flattest_tet);
    text += fmt::format("worst aspect: {:.4g} (tetrahedron {}); 1 is regular\n", report.worst_aspect, report.worst_tet);
}

void say_warnings(std::string& text, const TetQuality& report)
{
    const auto warn = [&](std::size_t count, const std::string& what) {
        if (count > 0) text += fmt::format("warning: {} {}\n", count, what);
    };
    const auto first = [](const char* kind, std::int32_t index) {
        return fmt::format("{}, the first is number {}", kind, index);
    };
    warn(report.inverted_tets,
         first("inverted tetrahedra (negative volume)", report.first_inverted_tet) + "; swap two corners of each");
    warn(report.degenerate_tets, first("degenerate tetrahedra (no volume)", report.first_degenerate_tet));
    warn(report.duplicate_tets, "duplicate tetrahedra");
    warn(report.overfull_faces, "faces shared by more than two tetrahedra");
    warn(report.folded_faces, "faces whose two tetrahedra lie on the same side");
    warn(report.duplicate_vertices, "duplicate vertices (exactly equal coordinates); glue them or there is a crack");
    warn(report.isolated_vertices, first("isolated vertices (in no tetrahedron)", report.first_isolated_vertex));
}

}  // namespace

std::vector<double> tet_volumes(std::span<const Vec3> x, std::span<const Tet> tets)
{
    std::vector<double> volumes;
    volumes.reserve(tets.size());
    for (const Tet& tet : tets) volumes.push_back(tet_volume(corners(x, tet)));
    return volumes;
}

double volume(const TetMesh& mesh)
{
    double sum = 0;
    for (const Tet& tet : mesh.tets) sum += tet_volume(corners(mesh.vertices, tet));
    return sum;
}

std::array<double, 6> dihedral_angles(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d)
{
    const Corners p{a, b, c, d};
    std::array<double, 6> angles;
    for (std::size_t e = 0; e < 6; ++e) {
        // The faces at edge (i, j) end in k and l: the angle between their normals seen along the edge.
        const auto& [i, j] = kTetEdges[e];
        const auto& [k, l] = kTetEdges[kOppositeTetEdge[e]];
        const Vec3 along = p[j] - p[i];
        const Vec3 u = cross(along, p[k] - p[i]), v = cross(along, p[l] - p[i]);
        angles[e] = std::atan2(norm(cross(u, v)), dot(u, v));
    }
    return angles;
}

double tet_aspect(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d)
{
    const Vec3 u = b - a, v = c - a, w = d - a;
    const double six_volumes = std::abs(dot(cross(u, v), w));
    if (six_volumes == 0) return std::numeric_limits<double>::infinity();
    // R = |u^2 v x w + v^2 w x u + w^2 u x v| / (12 V) and r = 3 V / (sum of face areas).
    const double numerator = norm(norm2(u) * cross(v, w) + norm2(v) * cross(w, u) + norm2(w) * cross(u, v));
    const double areas =
        triangle_area(a, b, c) + triangle_area(a, c, d) + triangle_area(a, d, b) + triangle_area(b, c, d);
    return numerator * areas / (3 * six_volumes * six_volumes);
}

TetQuality quality(const TetMesh& mesh)
{
    TetQuality report;
    report.vertices = mesh.vertices.size();
    report.tets = mesh.tets.size();
    measure_edges(report, mesh);
    for (std::size_t t = 0; t < mesh.tets.size(); ++t) measure_tet(report, mesh, t);
    report.duplicate_tets = duplicate_tets(mesh.tets);
    report.duplicate_vertices = weld_map(mesh.vertices, 0).merged;
    measure_topology(report, mesh);
    return report;
}

std::string to_text(const TetQuality& report)
{
    std::string text =
        fmt::format("{} vertices, {} tetrahedra, {} edges, {} faces of which {} on the surface, {} connected pieces\n",
                    report.vertices, report.tets, report.edges, report.faces, report.boundary_faces, report.components);
    if (report.tets > 0) {
        text += fmt::format("volume: {:.6g}, of one tetrahedron {:.6g} to {:.6g}\n", report.volume,
                            report.smallest_volume, report.largest_volume);
        text += fmt::format("edge length: {:.6g} to {:.6g}, mean {:.6g}\n", report.shortest_edge, report.longest_edge,
                            report.mean_edge);
        say_shape(text, report);
        text += fmt::format("surface: {}\n", to_text(report.surface));
    }
    say_warnings(text, report);
    return text;
}

}  // namespace pliant
