// SPDX-License-Identifier: MIT
#include <pliant/mesh/tet_lattice.h>

#include <algorithm>

#include <fmt/format.h>

#include <pliant/base/error.h>
#include <pliant/mesh/lattice_stuffing.h>
#include <pliant/mesh/measure.h>
#include <pliant/mesh/shape_checks.h>
#include <pliant/mesh/tet_quality.h>
#include <pliant/mesh/tet_topology.h>

namespace pliant {

namespace {

constexpr double kMaxLatticePoints = 5e7;
// Mean edge of the lattice in spacings: three long ones of length 1 and four short ones of sqrt(3)/2 a point.
const double kMeanEdge = (3 + 2 * std::sqrt(3.0)) / 7;

[[noreturn]] void refuse(std::string message, std::string cure)
{
    throw Error(Problem{.where = "tetrahedralize", .message = std::move(message), .cure = std::move(cure)});
}

void check_surface(const TriMesh& surface)
{
    if (surface.triangles.empty())
        refuse("the surface has no triangles", "a volume can only be made inside a closed surface");
    for (std::size_t v = 0; v < surface.vertices.size(); ++v)
        if (!is_finite(surface.vertices[v]))
            refuse(fmt::format("vertex {} of the surface is not finite", v), "repair the mesh");
    const ClosednessReport report = closedness(surface.triangles, surface.vertices.size());
    if (report.encloses_volume()) return;
    refuse(fmt::format("the surface does not enclose a volume: {}", to_text(report)),
           "close holes, weld coincident vertices and turn all triangles outwards");
}

BccLattice lattice_around(const TriMesh& surface, double edge_length)
{
    const BoundingBox box = bounding_box(surface.vertices);
    const double spacing = edge_length / kMeanEdge;
    std::array<int, 3> cells{};
    double point_count = 2;
    Vec3 size;
    for (int k = 0; k < 3; ++k) {
        // Two cells on either side, so that all tetrahedra of an inside point exist and rows begin outside.
        const double count = std::ceil(box.size()[k] / spacing * (1 - 1e-12)) + 4;
        point_count *= count;
        if (point_count > kMaxLatticePoints) break;
        cells[static_cast<std::size_t>(k)] = static_cast<int>(count);
        size[k] = count * spacing;
    }
    if (point_count > kMaxLatticePoints)
        refuse(fmt::format("an edge length of {} needs more than {:.0g} lattice points in a box of {} x {} x {}",
                           edge_length, kMaxLatticePoints, box.size().x, box.size().y, box.size().z),
               "use a longer edge");
    return {box.center() - size * 0.5, spacing, cells};
}

}  // namespace

LatticeFill fill_with_tets(const TriMesh& surface, double edge_length)
{
    require_positive("tetrahedralize", "edge length", edge_length);
    check_surface(surface);
    const BccLattice lattice = lattice_around(surface, edge_length);
    const SurfaceTree tree(surface);
    Stuffing stuffing = stuff(lattice, cut_by_surface(lattice, tree));
    LatticeFill result{std::move(stuffing.mesh)};
    if (result.mesh.tets.empty()) {
        const Vec3 size = bounding_box(surface.vertices).size();
        refuse(fmt::format("no tetrahedron of edge length {} fits inside the surface", edge_length),
               fmt::format("try {:.3g}, an eighth of the shortest side of its box",
                           std::min({size.x, size.y, size.z}) / 8));
    }
    const std::size_t vertex_count = result.mesh.vertices.size();
    result.mesh.groups.push_back({"surface", boundary_vertices(result.mesh.tets, vertex_count)});
    result.surface_volume = std::abs(signed_volume(surface.vertices, surface.triangles, surface.vertices[0]));
    result.tet_volume = volume(result.mesh);
    result.snapped = stuffing.snapped;
    result.components = connected_components(vertex_count, result.mesh.tets).count;
    result.pinched_edges = closedness(boundary_faces(result.mesh.tets, vertex_count), vertex_count).non_manifold_edges;
    return result;
}

}  // namespace pliant
