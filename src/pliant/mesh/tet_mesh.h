// SPDX-License-Identifier: MIT
#pragma once

// A volume mesh as plain arrays: vertices, tetrahedra, a region number per tetrahedron, named groups of vertices.
//
// Tetrahedra are positively oriented: det(x1 - x0, x2 - x0, x3 - x0) > 0, so seen from corner 3 the corners
// 0, 1, 2 are counter-clockwise and the outward face opposite corner 3 is (0, 2, 1). Units: whatever the file or
// scene says, metres once a body is built.

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include <pliant/base/types.h>
#include <pliant/mesh/tri_mesh.h>

namespace pliant {

using Tet = std::array<std::int32_t, 4>;

struct TetMesh {
    std::vector<Vec3> vertices;
    std::vector<Tet> tets;
    std::vector<std::int32_t> region;  ///< #tets or empty: material number of each
    std::vector<VertexGroup> groups;

    /// The group of that name, or nullptr.
    const VertexGroup* find_group(const std::string& name) const
    {
        for (const VertexGroup& group : groups)
            if (group.name == name) return &group;
        return nullptr;
    }
};

}  // namespace pliant
