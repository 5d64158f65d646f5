// SPDX-License-Identifier: MIT
#pragma once

// Meshers that are programs of their own: TetGen and Gmsh, when they are on the PATH.
//
// Each runs in a folder that is made for it and removed again. Its command line is said on stderr; its exit code, a
// missing result and its last words become an Error. Nothing of them is linked or needed to build pliant.
// References: H. Si, TetGen, ACM Trans. Math. Softw. 41 (2015) 11; C. Geuzaine, J.-F. Remacle, Gmsh, Int. J. Numer.
// Meth. Eng. 79 (2009) 1309.

#include <optional>
#include <string>

#include <pliant/mesh/tet_mesh.h>

namespace pliant::cli {

enum class OutsideMesher { tetgen, gmsh };

const char* name_of(OutsideMesher mesher);

/// The program's path, or nothing when no folder of PATH has it.
std::optional<std::string> find_on_path(const std::string& program);

struct OutsideFill {
    TetMesh mesh;                  ///< group: surface
    std::size_t removed_tets = 0;  ///< in cavities, which the programs fill too
};

/// Fills a closed surface. TetGen makes no tetrahedron larger than a regular one of that edge length and may split the
/// surface's triangles; Gmsh keeps them and bounds the edges inside. Throws Error: cannot_access when the
/// program cannot be started, bad_input when it fails or leaves nothing that is of use.
OutsideFill fill_by_program(OutsideMesher mesher, const std::string& program, const TriMesh& surface,
                            double edge_length, bool quiet);

}  // namespace pliant::cli
