// SPDX-License-Identifier: MIT
#pragma once

// Surface meshes in files: OBJ, PLY, STL, OFF.
//
// The readers take a whole file as bytes in memory, never throw, never trust a count before the
// bytes behind it, and collect all problems (the first twenty in full). read_mesh and load_mesh
// choose by extension, whatever its case. Coordinates are taken as written, no unit is assumed.
//
// Polygons become fans of triangles from their first corner. What a format cannot hold is left out
// when writing: groups in all of them, material coordinates in all but OBJ, lines in STL. STL's corners are welded where exactly equal.

#include <string>
#include <string_view>
#include <vector>

#include <pliant/base/error.h>
#include <pliant/mesh/tri_mesh.h>

namespace pliant {

struct MeshRead {
    TriMesh mesh;                           ///< empty when there are problems
    std::vector<Problem> problems;          ///< all that makes the file unusable
    std::vector<std::string> notes;         ///< what the reader did on its own: split, welded, skipped
    ErrorKind kind = ErrorKind::bad_input;  ///< cannot_access when the file could not be read at all

    bool ok() const { return problems.empty(); }
};

/// Readers over bytes; file_name is only used in messages.
MeshRead read_obj(std::string_view bytes, const std::string& file_name);
MeshRead read_ply(std::string_view bytes, const std::string& file_name);
MeshRead read_stl(std::string_view bytes, const std::string& file_name);
MeshRead read_off(std::string_view bytes, const std::string& file_name);

/// The file at `path`, by extension; does not throw.
MeshRead read_mesh(const std::string& path);

/// As read_mesh, but throws Error with all problems.
TriMesh load_mesh(const std::string& path);

struct MeshWriteOptions {
    bool binary = true;  ///< PLY and STL: binary little endian, or text
};

/// File contents. Text and binary PLY keep every bit of a double; binary STL rounds to float.
std::string obj_bytes(const TriMesh&);
std::string ply_bytes(const TriMesh&, const MeshWriteOptions& = {});
std::string stl_bytes(const TriMesh&, const MeshWriteOptions& = {});
std::string off_bytes(const TriMesh&);

/// Writes the file, by extension, over what was there. Throws Error: bad_input when the mesh cannot
/// be stored (coordinates not finite, no triangles for STL), cannot_access when the disk refuses.
void write_mesh(const std::string& path, const TriMesh&, const MeshWriteOptions& = {});

}  // namespace pliant
