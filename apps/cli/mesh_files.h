// SPDX-License-Identifier: MIT
#pragma once

// Mesh files of either kind for the verbs: surfaces of triangles, volumes of tetrahedra.
//
// The extension says which kind a file holds. Readers say their notes on stderr unless `quiet`.

#include <optional>
#include <string>
#include <variant>

#include <pliant/base/error.h>
#include <pliant/mesh/tet_mesh.h>
#include <pliant/mesh/tri_mesh.h>

namespace pliant::cli {

inline constexpr const char* kSurfaceFiles = ".obj .ply .stl .off";
inline constexpr const char* kVolumeFiles = ".msh .mesh .meshb .vtu .node .ele .tp .st";
inline constexpr const char* kVolumeOutputs = ".msh .mesh .meshb .vtu .node .ele";

enum class MeshKind { surface, volume };
using AnyMesh = std::variant<TriMesh, TetMesh>;

/// What the extension promises, in whatever case; nothing when it is none of the lists above.
std::optional<MeshKind> mesh_kind_of(const std::string& path);

/// Each throws Error with all problems; the last two also when the file is of the other kind, with the verb to use.
AnyMesh read_any_mesh(const std::string& path, bool quiet);
TriMesh read_surface(const std::string& path, bool quiet);
TetMesh read_volume(const std::string& path, bool quiet);

/// Where a verb writes its mesh, and how.
struct MeshOutput {
    std::string path;
    bool ascii = false;  ///< PLY, STL, MSH and VTU as text
    bool msh2 = false;   ///< MSH 2.2 instead of 4.1
    bool force = false, quiet = false;
};

/// Throws Error before any work is done: an extension that holds no volume, a file that is there already (of TetGen's
/// pair either), a folder that is missing or closed to us.
void check_volume_output(const MeshOutput& output);

/// Writes the mesh and says so; throws Error, also when the file exists and may not be overwritten.
void write_any_mesh(const MeshOutput& output, const AnyMesh& mesh);

/// The same error, about that file: the library knows the mesh but not where it came from.
Error with_file(const Error& error, const std::string& path);

}  // namespace pliant::cli
