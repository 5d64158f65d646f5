// SPDX-License-Identifier: MIT
#include <pliant/world/intersection_measure.h>

#include <limits>
#include <vector>

namespace pliant {

AuditSurfaces audit_surfaces(const Topology& topology)
{
    AuditSurfaces surfaces;
    const std::span<const Triangle> faces = topology.triangles;
    const std::span<const Edge> lines = topology.lines;
    for (const BodyRange& body : topology.bodies)
        surfaces.add(
            {body.first_point, body.point_count,
             faces.subspan(static_cast<std::size_t>(body.first_triangle),
                           static_cast<std::size_t>(body.triangle_count)),
             lines.subspan(static_cast<std::size_t>(body.first_line), static_cast<std::size_t>(body.line_count)),
             body.kind == name_of(BodyKind::collider)});
    return surfaces;
}

AuditPlane audit_plane(std::int32_t body, std::span<const Vec3> x, std::int32_t frame_node)
{
    return {body, x[frame_node], x[frame_node + 2]};
}

double intersection_count(const Model& model, const State& state)
{
    std::vector<AuditPlane> planes;
    for (const Shape& shape : model.shapes)
        if (shape.kind == ShapeKind::plane)
            planes.push_back(audit_plane(shape.body, state.x, model.frame_node(shape.frame)));
    IntersectionSearch search(*model.audit);
    Intersections found;
    if (!search.find(found, state.x, planes)) return std::numeric_limits<double>::quiet_NaN();
    return static_cast<double>(found.count());
}

}  // namespace pliant
