// SPDX-License-Identifier: MIT
#pragma once

// A surface mesh as plain arrays: vertices, triangles, lines, named groups of vertices, material coordinates.
//
// Triangles are counter-clockwise seen from outside. Lines are the mesh's own one-dimensional
// elements (springs, rods, drawn edges); they are not the edges of the triangles. Groups name the
// vertices a scene may select ("rim", "left_edge"). Material coordinates say where a vertex lies in the
// flat piece of cloth it was cut from: lengths between them are rest lengths, u runs along the warp.
// Units: whatever the file or scene says, metres once a body is built.

#include <string>
#include <vector>

#include <pliant/base/types.h>

namespace pliant {

struct VertexGroup {
    std::string name;
    std::vector<std::int32_t> vertices;  ///< sorted, unique
};

/// Material coordinates u, v [m] of a vertex.
using Uv = std::array<double, 2>;

struct TriMesh {
    std::vector<Vec3> vertices;
    std::vector<Triangle> triangles;
    std::vector<Edge> lines;
    std::vector<VertexGroup> groups;
    std::vector<Uv> uv;  ///< one a vertex, or empty where there are none

    /// The group of that name, or nullptr.
    const VertexGroup* find_group(const std::string& name) const
    {
        for (const VertexGroup& group : groups)
            if (group.name == name) return &group;
        return nullptr;
    }
};

}  // namespace pliant
