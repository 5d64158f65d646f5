// SPDX-License-Identifier: MIT
#pragma once

// What closed surfaces and sheets must satisfy, asked in one place.

#include <string>

#include <gtest/gtest.h>

#include <pliant/audit/intersections.h>
#include <pliant/base/error.h>
#include <pliant/mesh/measure.h>
#include <pliant/mesh/topology.h>
#include <pliant/mesh/tri_mesh.h>

namespace pliant {

inline const Vec3& vertex_at(const TriMesh& mesh, std::int32_t v)
{
    return mesh.vertices[static_cast<std::size_t>(v)];
}

/// Every edge has two triangles that run along it in opposite directions, and outside is outside.
inline void expect_closed_and_outward(const TriMesh& mesh)
{
    EXPECT_EQ(to_text(closedness(mesh.triangles, mesh.vertices.size())), "closed, manifold, oriented");
    EXPECT_GT(signed_volume(mesh.vertices, mesh.triangles), 0);
    EXPECT_EQ(connected_components(mesh.vertices.size(), mesh.triangles).count, 1u);
}

/// Edges that run through faces of the same mesh, by exact predicates.
inline std::size_t self_intersections(const TriMesh& mesh)
{
    AuditSurfaces surfaces;
    surfaces.add({0, static_cast<std::int32_t>(mesh.vertices.size()), mesh.triangles, {}, false});
    Intersections found;
    EXPECT_TRUE(IntersectionSearch(surfaces).find(found, mesh.vertices));
    return found.count();
}

/// What the Error thrown by a call says.
inline std::string refusal_of(const auto& call)
{
    try {
        call();
    } catch (const Error& error) {
        return error.what();
    }
    return "nothing was refused";
}

inline void expect_refusal(const auto& call, const std::string& words)
{
    const std::string said = refusal_of(call);
    EXPECT_NE(said.find(words), std::string::npos) << said;
}

}  // namespace pliant
