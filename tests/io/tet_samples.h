// SPDX-License-Identifier: MIT
#pragma once

// A small volume mesh that is hard to store, for the tests of volume mesh files.

#include <string>

#include <gtest/gtest.h>

#include <pliant/io/tet_file.h>

namespace pliant {

/// Two tetrahedra on a shared face and one apart, three regions, coordinates that are hard to print.
inline TetMesh awkward_tets()
{
    TetMesh mesh;
    mesh.vertices = {{0, -0.0, 1.0 / 3},
                     {1.1, 0, 0},
                     {0, 0.7, 5e-324},
                     {0.1, 0.2, 2.2250738585072014e-308 + 0.9},
                     {-0.123456789012345, 0, -1},
                     {1e-8, 1e8, 3},
                     {1e-8, 1e8, 4.000000000000001},
                     {2e-8, 1e8, 3},
                     {1e-8, 100000001.0, 3}};
    mesh.tets = {{0, 1, 2, 3}, {0, 2, 1, 4}, {5, 7, 8, 6}};
    mesh.region = {7, 1, 7};
    return mesh;
}

inline bool mentions(const std::vector<std::string>& notes, const std::string& words)
{
    for (const std::string& note : notes)
        if (note.find(words) != std::string::npos) return true;
    return false;
}

inline void expect_same(const TetRead& read, const TetMesh& mesh)
{
    ASSERT_TRUE(read.ok()) << to_string(read.problems[0]);
    EXPECT_EQ(read.mesh.vertices, mesh.vertices);
    EXPECT_EQ(read.mesh.tets, mesh.tets);
    EXPECT_EQ(read.mesh.region, mesh.region);
    ASSERT_EQ(read.mesh.groups.size(), mesh.groups.size());
    for (std::size_t g = 0; g < mesh.groups.size(); ++g) {
        EXPECT_EQ(read.mesh.groups[g].name, mesh.groups[g].name);
        EXPECT_EQ(read.mesh.groups[g].vertices, mesh.groups[g].vertices);
    }
    EXPECT_TRUE(read.notes.empty()) << read.notes[0];
}

/// The first problem as the user sees it; "" when there is none.
inline std::string first_problem(const TetRead& read)
{
    EXPECT_TRUE(read.problems.empty() || read.mesh.vertices.empty());
    return read.ok() ? "" : to_string(read.problems[0]);
}

}  // namespace pliant
