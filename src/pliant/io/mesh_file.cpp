// SPDX-License-Identifier: MIT
#include <pliant/io/mesh_file.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <limits>
#include <memory>
#include <optional>

#include <fmt/format.h>

#include <pliant/io/mesh_builder.h>
#include <pliant/io/text_words.h>

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

MeshRead unreadable(const std::string& path, std::string message, std::string cure)
{
    MeshRead read;
    read.kind = ErrorKind::cannot_access;
    read.problems.push_back(
        {.file = path, .line = 0, .where = "", .message = std::move(message), .cure = std::move(cure)});
    return read;
}

/// "did you mean 'cube.obj'?" from the files beside the missing one, or a plain hint.
std::string neighbour_hint(const std::filesystem::path& path)
{
    constexpr int kMostFiles = 1000;
    std::vector<std::string> names;
    std::error_code error;
    const std::filesystem::path folder = path.has_parent_path() ? path.parent_path() : ".";
    std::filesystem::directory_iterator file(folder, error);
    for (; !error && file != std::filesystem::directory_iterator(); file.increment(error)) {
        if (names.size() >= kMostFiles) break;
        names.push_back(file->path().filename().string());
    }
    const std::string nearest = nearest_name(path.filename().string(), names);
    return nearest.empty() ? "check the path" : "did you mean " + in_quotes(nearest) + "?";
}

using File = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

std::optional<std::string> file_bytes(const std::string& path, std::uintmax_t size)
{
    const File file(std::fopen(path.c_str(), "rb"), &std::fclose);
    if (!file) return std::nullopt;
    std::string bytes(size, '\0');
    bytes.resize(std::fread(bytes.data(), 1, bytes.size(), file.get()));
    if (std::ferror(file.get())) return std::nullopt;
    return bytes;
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

MeshRead read_existing(MeshFormat format, const std::string& path)
{
    std::error_code error;
    const std::uintmax_t size = std::filesystem::file_size(path, error);
    if (error) return unreadable(path, "cannot be read: " + error.message(), "");
    const std::optional<std::string> bytes = file_bytes(path, size);
    if (!bytes)
        return unreadable(path, fmt::format("cannot be read: {}", std::strerror(errno)), "check the permissions");
    MeshRead read;
    if (bytes->empty())
        read.problems.push_back(
            {.file = path, .line = 0, .where = "", .message = "the file is empty", .cure = "export the mesh again"});
    else
        read = read_bytes(format, *bytes, path);
    return read;
}

MeshRead read_from_path(const std::string& path)
{
    std::error_code error;
    const auto status = std::filesystem::status(path, error);
    if (status.type() == std::filesystem::file_type::not_found)
        return unreadable(path, "no such file", neighbour_hint(path));
    if (error) return unreadable(path, "cannot be read: " + error.message(), "check the path");
    if (std::filesystem::is_directory(status))
        return unreadable(path, "is a directory, expected a mesh file", kKnownFormats);
    if (!std::filesystem::is_regular_file(status))
        return unreadable(path, "is a device or pipe, expected a mesh file", "copy it to a file first");
    const std::optional<MeshFormat> format = format_of(path);
    if (format) return read_existing(*format, path);
    MeshRead read;
    read.problems.push_back(unknown_format(path));
    return read;
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

[[noreturn]] void refuse_to_write(const std::string& path, int error, const char* cure)
{
    throw Error(Problem{.file = path,
                        .line = 0,
                        .where = "",
                        .message = fmt::format("cannot be written: {}", std::strerror(error)),
                        .cure = cure},
                ErrorKind::cannot_access);
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
    const std::string bytes = bytes_of(*format, mesh, options);

    File file(std::fopen(path.c_str(), "wb"), &std::fclose);
    if (!file) refuse_to_write(path, errno, "does the folder exist, and may you write there?");
    // A full disk may only show when the buffer is flushed or the file closed.
    const bool written =
        std::fwrite(bytes.data(), 1, bytes.size(), file.get()) == bytes.size() && std::fflush(file.get()) == 0;
    const int write_error = errno;
    if (!written) refuse_to_write(path, write_error, "the file is incomplete; free some space");
    if (std::fclose(file.release()) != 0) refuse_to_write(path, errno, "the file is incomplete; free some space");
}

}  // namespace pliant
