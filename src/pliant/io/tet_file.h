// SPDX-License-Identifier: MIT
#pragma once

// Volume meshes in files: Gmsh MSH 2.2 and 4.1, TetGen, Medit, VTU, and the thesis' .tp with its .st.
//
// As in mesh_file.h the readers take whole files as bytes, never throw, never trust a count before the bytes
// behind it, and collect all problems (the first twenty in full), each with its line, or with its byte in binary
// files. read_tets chooses by what the file begins with, and by extension where the beginning says nothing.
//
// What every reader does on its own, with a note: tetrahedra given inside out are turned round; vertices that
// belong to no tetrahedron are left out and the rest is numbered anew; of 10-node tetrahedra the corners are kept;
// triangles, lines and points only serve to name groups. Problems are: unknown or repeated corners, no volume, the
// same tetrahedron twice, other cells of volume (hexahedra …), and files without any tetrahedron.
//
// How regions and groups are stored:
//   MSH    region = physical volume (0: none); every other physical group, and every named volume, is a group of
//          the vertices of its elements; groups are written as named physical points
//   TetGen region = attribute of the tetrahedron; group marker_N = vertices with boundary marker N
//   Medit  region = reference of the tetrahedron; group reference_N = vertices with reference N, surface_N =
//          vertices of triangles with reference N (not written)
//   VTU    region = whole-numbered cell array "region"; group NAME = point array "group:NAME" of zeros and ones
//   .tp    region = number of the material, in the order of appearance; group fixed = the .co file, if there is one
// Regions that are all zero are read as none, but for TetGen and VTU, which can say whether there are any.

#include <string>
#include <string_view>
#include <vector>

#include <pliant/base/error.h>
#include <pliant/mesh/tet_mesh.h>

namespace pliant {

struct TetRead {
    TetMesh mesh;                           ///< empty when there are problems
    std::vector<Problem> problems;          ///< all that makes the file unusable
    std::vector<std::string> notes;         ///< what the reader did on its own: turned, left out, passed by
    ErrorKind kind = ErrorKind::bad_input;  ///< cannot_access when the file could not be read at all

    bool ok() const { return problems.empty(); }
};

/// One of the two files of a TetGen mesh, in memory.
struct NamedBytes {
    std::string_view bytes;
    std::string file_name;  ///< only used in messages
};

/// Readers over bytes; file_name is only used in messages. Each takes text and binary.
TetRead read_msh(std::string_view bytes, const std::string& file_name);
TetRead read_medit(std::string_view bytes, const std::string& file_name);
TetRead read_vtu_tets(std::string_view bytes, const std::string& file_name);
TetRead read_tetgen(const NamedBytes& node, const NamedBytes& ele);

/// The file at `path`; of TetGen's .node and .ele, and the thesis' .tp and .st, either names both. Does not throw.
TetRead read_tets(const std::string& path);

/// As read_tets, but throws Error with all problems.
TetMesh load_tets(const std::string& path);

enum class MshVersion { v2_2, v4_1 };

struct TetWriteOptions {
    bool binary = true;                         ///< MSH and VTU: binary little endian, or text
    MshVersion msh_version = MshVersion::v4_1;  ///< MSH only; older programs want 2.2
};

struct TetgenText {
    std::string node, ele;
};

/// File contents, which keep every bit of a double. The mesh must pass what write_tets checks.
std::string msh_bytes(const TetMesh&, const TetWriteOptions& = {});
std::string medit_bytes(const TetMesh&);
std::string meshb_bytes(const TetMesh&);
std::string vtu_tets_bytes(const TetMesh&, const TetWriteOptions& = {});
TetgenText tetgen_text(const TetMesh&);

/// Writes the file (.msh .mesh .meshb .vtu, or .node and .ele together) over what was there, and says in notes what
/// the format cannot hold. Throws Error: bad_input when the mesh cannot be stored (coordinates not finite, unknown
/// corners, names or regions that the format has no room for), cannot_access when the disk refuses.
std::vector<std::string> write_tets(const std::string& path, const TetMesh&, const TetWriteOptions& = {});

}  // namespace pliant
