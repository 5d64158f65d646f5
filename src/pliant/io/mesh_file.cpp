// SPDX-License-Identifier: MIT
#include <pliant/io/mesh_file.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <optional>

#include <fmt/format.h>

#include <pliant/io/mesh_builder.h>
#include <pliant/io/text_words.h>
#include <pliant/io/whole_file.h>

namespace pliant {

namespace {

enum class MeshFormat { obj, ply, stl, off };

constexpr const char* kKnownFormats = "known: .obj .ply .stl .off";

std::optional<MeshFormat> format_of(const std::string& path)
{
    const std::string extension = std::filesystem::path(path).extension().string();
    if (equals_ignoring_case(extension, ".obj")) return MeshFormat::obj;
    if (equals_ignoring_case(extension, ".ply")) return MeshFormat::ply;
    if (equals_ignoring_case(extension, ".stl")) return MeshFormat::stl;
    if (equals_ignoring_case(extension, ".off")) return MeshFormat::off;
    return std::nullopt;
}

Problem unknown_format(const std::string& path)
{
    const std::string extension = std::filesystem::path(path).extension().string();
    return {.file = path,
            .line = 0,
            .where = "",
            .message = extension.empty() ? "no extension, expected one that names a mesh format"
                                         : fmt::format("unknown mesh format {}", in_quotes(extension)),
            .cure = kKnownFormats};
}

MeshRead read_bytes(MeshFormat format, std::string_view bytes, const std::string& path)
{
    switch (format) {
    case MeshFormat::obj:
        return read_obj(bytes, path);
    case MeshFormat::ply:
        return read_ply(bytes, path);
    case MeshFormat::stl:
        return read_stl(bytes, path);
    case MeshFormat::off:
        return read_off(bytes, path);
    }
    return {};
}

MeshRead failed_read(Problem problem, ErrorKind kind)
{
    MeshRead read;
    read.problems.push_back(std::move(problem));
    read.kind = kind;
    return read;
}

MeshRead read_from_path(const std::string& path)
{
    const std::optional<MeshFormat> format = format_of(path);
    std::error_code ignored;
    // A file of unknown format may be huge; one that is not there is reported as missing, whatever its name.
    if (!format && std::filesystem::is_regular_file(path, ignored))
        return failed_read(unknown_format(path), ErrorKind::bad_input);
    const FileRead file = whole_file(path);
    if (file.problem) return failed_read(*file.problem, file.kind);
    return format ? read_bytes(*format, file.bytes, path) : failed_read(unknown_format(path), ErrorKind::bad_input);
}

void require_storable(const std::string& path, const TriMesh& mesh, MeshFormat format, bool binary)
{
    const bool as_float = format == MeshFormat::stl && binary;
    constexpr double kMostFloat = std::numeric_limits<float>::max();
    const auto refuse = [&](std::string where, std::string message, std::string cure) {
        throw Error(Problem{.file = path,
                            .line = 0,
                            .where = std::move(where),
                            .message = std::move(message),
                            .cure = std::move(cure)});
    };
    for (std::size_t v = 0; v < mesh.vertices.size(); ++v) {
        const Vec3& x = mesh.vertices[v];
        const bool fits = std::max({std::abs(x.x), std::abs(x.y), std::abs(x.z)}) <= kMostFloat;
        if (is_finite(x) && (fits || !as_float)) continue;
        refuse(fmt::format("vertex {}", v),
               fmt::format("cannot be written: the coordinates are {} {} {}", x.x, x.y, x.z),
               is_finite(x) ? "binary STL holds floats; write PLY instead" : "");
    }
    if (format == MeshFormat::stl && mesh.triangles.empty())
        refuse("", "the mesh has no triangles, and STL stores nothing else", "write OBJ or PLY instead");
}

std::string bytes_of(MeshFormat format, const TriMesh& mesh, const MeshWriteOptions& options)
{
    switch (format) {
    case MeshFormat::obj:
        return obj_bytes(mesh);
    case MeshFormat::ply:
        return ply_bytes(mesh, options);
    case MeshFormat::stl:
        return stl_bytes(mesh, options);
    case MeshFormat::off:
        return off_bytes(mesh);
    }
    return {};
}

}  // namespace

MeshRead read_mesh(const std::string& path)
{
    try {
        return read_from_path(path);
    } catch (const std::exception&) {
        return memory_problem(path);
    }
}

TriMesh load_mesh(const std::string& path)
{
    MeshRead read = read_mesh(path);
    if (!read.ok()) throw Error(std::move(read.problems), read.kind);
    return std::move(read.mesh);
}

void write_mesh(const std::string& path, const TriMesh& mesh, const MeshWriteOptions& options)
{
    const std::optional<MeshFormat> format = format_of(path);
    if (!format) throw Error(unknown_format(path), ErrorKind::usage);
    require_storable(path, mesh, *format, options.binary);
    write_whole_file(path, bytes_of(*format, mesh, options));
}

}  // namespace pliant
