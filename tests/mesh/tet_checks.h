// SPDX-License-Identifier: MIT
#pragma once

// What every volume mesh must satisfy, asked in one place.

#include <numbers>
#include <string>

#include <gtest/gtest.h>

#include <pliant/base/error.h>
#include <pliant/mesh/measure.h>
#include <pliant/mesh/tet_quality.h>
#include <pliant/mesh/tet_topology.h>

namespace pliant {

inline double to_degrees(double radians)
{
    return radians * 180 / std::numbers::pi;
}

/// Positive tetrahedra, each inner face with two, a closed outward surface around the same volume.
inline void expect_sound(const TetMesh& mesh)
{
    const TetQuality report = quality(mesh);
    EXPECT_TRUE(report.is_usable()) << to_text(report);
    EXPECT_GT(report.smallest_volume, 0);
    EXPECT_EQ(report.duplicate_vertices, 0u);
    EXPECT_EQ(report.components, 1u);
    EXPECT_EQ(to_text(report.surface), "closed, manifold, oriented");
    const std::vector<Triangle> boundary = boundary_faces(mesh.tets, mesh.vertices.size());
    EXPECT_NEAR(signed_volume(mesh.vertices, boundary), report.volume, 1e-12 * report.volume);
}

/// What the Error thrown by a call says.
inline std::string message_of(const auto& call)
{
    try {
        call();
    } catch (const Error& error) {
        return error.what();
    }
    return "no error";
}

}  // namespace pliant
