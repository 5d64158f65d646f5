// SPDX-License-Identifier: MIT
#include "mesh_files.h"

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <string_view>

#include <unistd.h>

#include <fmt/format.h>

#include <pliant/io/mesh_file.h>
#include <pliant/io/tet_file.h>

#include "output.h"

namespace pliant::cli {

namespace {

namespace fs = std::filesystem;

std::string lower_extension(const std::string& path)
{
    std::string extension = fs::path(path).extension().string();
    std::transform(extension.begin(), extension.end(), extension.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return extension;
}

// Is the extension one of a list such as ".obj .ply"?
bool is_among(const std::string& extension, const char* list)
{
    return !extension.empty() && fmt::format(" {} ", list).find(fmt::format(" {} ", extension)) != std::string::npos;
}

void say_notes(const std::vector<std::string>& notes, bool quiet)
{
    if (quiet) return;
    for (const std::string& note : notes) say(fmt::format("note: {}", note));
}

// The files that writing a volume replaces: TetGen's come in pairs, spelt as the one that was named.
std::vector<std::string> files_behind(const std::string& path)
{
    const std::string extension = lower_extension(path);
    if (extension != ".node" && extension != ".ele") return {path};
    const bool is_upper = fs::path(path).extension().string()[1] < 'a';
    return {fs::path(path).replace_extension(is_upper ? ".NODE" : ".node").string(),
            fs::path(path).replace_extension(is_upper ? ".ELE" : ".ele").string()};
}

void check_folder(const std::string& path)
{
    std::error_code ignored;
    if (fs::exists(path, ignored)) return;  // what counts then is the file
    const std::string folder = fs::path(path).has_parent_path() ? fs::path(path).parent_path().string() : ".";
    if (access(folder.c_str(), W_OK | X_OK) == 0) return;
    throw Error(Problem{.file = path,
                        .message = fmt::format("cannot be written: {}", std::strerror(errno)),
                        .cure = "does the folder exist, and may you write there?"},
                ErrorKind::cannot_access);
}

void write_surface(const MeshOutput& output, const TriMesh& mesh)
{
    check_may_write(output.path, output.force);
    write_mesh(output.path, mesh, {.binary = !output.ascii});
    if (output.quiet) return;
    const std::size_t lines = lower_extension(output.path) == ".stl" ? 0 : mesh.lines.size();
    if (lines < mesh.lines.size())
        say(fmt::format("note: {} lines left out, which STL cannot keep; .obj .ply .off can", mesh.lines.size()));
    say(fmt::format("wrote {0}: {1} vertices, {2} triangles, {3} lines; next: pliant info {0}", output.path,
                    mesh.vertices.size(), mesh.triangles.size(), lines));
}

void write_volume(const MeshOutput& output, const TetMesh& mesh)
{
    check_volume_output(output);
    say_notes(write_tets(output.path, mesh,
                         {.binary = !output.ascii, .msh_version = output.msh2 ? MshVersion::v2_2 : MshVersion::v4_1}),
              output.quiet);
    if (output.quiet) return;
    say(fmt::format("wrote {}: {} vertices, {} tetrahedra; next: pliant info {}",
                    fmt::join(files_behind(output.path), " and "), mesh.vertices.size(), mesh.tets.size(),
                    output.path));
}

}  // namespace

std::optional<MeshKind> mesh_kind_of(const std::string& path)
{
    const std::string extension = lower_extension(path);
    if (is_among(extension, kSurfaceFiles)) return MeshKind::surface;
    if (is_among(extension, kVolumeFiles)) return MeshKind::volume;
    return std::nullopt;
}

AnyMesh read_any_mesh(const std::string& path, bool quiet)
{
    if (mesh_kind_of(path) == MeshKind::volume) return read_volume(path, quiet);
    return read_surface(path, quiet);
}

TriMesh read_surface(const std::string& path, bool quiet)
{
    if (mesh_kind_of(path) == MeshKind::volume)
        throw Error(Problem{.file = path,
                            .message = "its extension names a volume mesh, expected a surface",
                            .cure = fmt::format("its boundary: pliant mesh surface {} {}", path,
                                                fs::path(path).replace_extension(".ply").string())});
    MeshRead read = read_mesh(path);
    if (!read.ok()) throw Error(std::move(read.problems), read.kind);
    say_notes(read.notes, quiet);
    return std::move(read.mesh);
}

TetMesh read_volume(const std::string& path, bool quiet)
{
    TetRead read = read_tets(path);
    if (!read.ok()) throw Error(std::move(read.problems), read.kind);
    say_notes(read.notes, quiet);
    return std::move(read.mesh);
}

void check_volume_output(const MeshOutput& output)
{
    if (!is_among(lower_extension(output.path), kVolumeOutputs))
        throw Error(Problem{.file = output.path,
                            .message = "its extension names no format that can hold a volume mesh alone",
                            .cure = fmt::format("write one of: {}", kVolumeOutputs)},
                    ErrorKind::usage);
    for (const std::string& path : files_behind(output.path)) check_may_write(path, output.force);
    check_folder(output.path);
}

void write_any_mesh(const MeshOutput& output, const AnyMesh& mesh)
{
    if (const auto* tets = std::get_if<TetMesh>(&mesh)) return write_volume(output, *tets);
    write_surface(output, std::get<TriMesh>(mesh));
}

Error with_file(const Error& error, const std::string& path)
{
    std::vector<Problem> problems = error.problems();
    for (Problem& problem : problems) problem.file = path;
    return Error(std::move(problems), error.kind());
}

}  // namespace pliant::cli
