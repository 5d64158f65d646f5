// SPDX-License-Identifier: MIT
#pragma once

// Groups as one number a vertex, where a format has no names: Medit's references, TetGen's boundary markers.
//
// The group PREFIX_N is the vertices of number N; zero is no group. Only groups of such names that share no vertex
// can be stored that way.

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include <pliant/io/tet_builder.h>

namespace pliant {

/// Labels of the vertices of each number that is not zero, in order of numbers so that groups keep theirs.
using MarkedVertices = std::map<std::int64_t, std::vector<std::int64_t>>;

void add_groups(TetBuilder&, const std::string& prefix, const MarkedVertices&);

struct VertexMarks {
    std::vector<std::int32_t> marks;    ///< #vertices
    std::vector<std::string> left_out;  ///< names of groups that could not be stored
};
VertexMarks vertex_marks(const TetMesh&, const std::string& prefix);

}  // namespace pliant
