// SPDX-License-Identifier: MIT

// pliant info: what is in a file. Here: the kind of file, and meshes.

#include "info.h"

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>

#include <fmt/format.h>

#include <pliant/io/mesh_file.h>
#include <pliant/io/tet_file.h>
#include <pliant/mesh/measure.h>
#include <pliant/mesh/quality.h>
#include <pliant/mesh/simplex_mesh.h>
#include <pliant/mesh/tet_quality.h>

#include "mesh_files.h"
#include "output.h"
#include "verbs.h"

namespace pliant::cli {

namespace {

enum class FileKind { take, scene, mesh, unknown };

// The extension decides; without one that is known, the first bytes do.
FileKind kind_of(const std::string& path)
{
    if (std::filesystem::is_directory(path))
        throw Error(Problem{.file = path, .message = "is a directory"}, ErrorKind::cannot_access);
    std::ifstream file(path, std::ios::binary);
    if (!file)
        throw Error(Problem{.file = path, .message = fmt::format("cannot be read: {}", std::strerror(errno))},
                    ErrorKind::cannot_access);
    std::string extension = std::filesystem::path(path).extension().string();
    std::transform(extension.begin(), extension.end(), extension.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    if (extension == ".plrec") return FileKind::take;
    if (extension == ".json") return FileKind::scene;
    if (mesh_kind_of(path)) return FileKind::mesh;
    std::string start(16, '\0');
    file.read(start.data(), static_cast<std::streamsize>(start.size()));
    if (start.starts_with("SQLite format 3")) return FileKind::take;
    const std::size_t first = start.find_first_not_of(" \t\r\n");
    return first != std::string::npos && (start[first] == '{' || start[first] == '/') ? FileKind::scene
                                                                                      : FileKind::unknown;
}

struct Options {
    std::string file;
    bool json = false, quiet = false;
};

int info(const Options& options)
{
    const FileKind kind = kind_of(options.file);
    if (options.json && kind != FileKind::take)
        throw Error(Problem{.file = options.file, .message = "--json is for takes (.plrec) only"}, ErrorKind::usage);
    switch (kind) {
    case FileKind::take:
        return info_take(options.file, options.json, options.quiet);
    case FileKind::scene:
        return info_scene(options.file, options.quiet);
    case FileKind::mesh:
        return info_mesh(options.file, options.quiet);
    case FileKind::unknown:
        break;
    }
    throw Error(Problem{
        .file = options.file,
        .message = "is no kind of file that pliant knows",
        .cure = fmt::format("a take .plrec, a scene .json, a surface {}, a volume {}", kSurfaceFiles, kVolumeFiles)});
}

std::string three(const Vec3& v)
{
    return fmt::format("{:.6g} {:.6g} {:.6g}", v.x, v.y, v.z);
}

void print_box(const BoundingBox& bounds)
{
    if (bounds.is_empty()) return;
    fmt::print("box: from {} to {}, size {}\n", three(bounds.lowest), three(bounds.highest), three(bounds.size()));
}

// "3 (250 tetrahedra), 7 (12)", the first dozen.
std::string regions_text(const std::vector<std::int32_t>& region)
{
    constexpr std::size_t kMost = 12;
    std::map<std::int32_t, std::size_t> counts;
    for (const std::int32_t number : region) ++counts[number];
    std::vector<std::string> parts;
    for (const auto& [number, count] : counts) {
        parts.push_back(fmt::format("{} ({}{})", number, count, parts.empty() ? " tetrahedra" : ""));
        if (parts.size() == kMost) break;
    }
    if (counts.size() > kMost) parts.push_back(fmt::format("and {} more", counts.size() - kMost));
    return fmt::format("{}", fmt::join(parts, ", "));
}

int info_volume(const std::string& path, bool quiet)
{
    const TetRead read = read_tets(path);
    if (!read.ok()) throw Error(read.problems, read.kind);
    const TetMesh& mesh = read.mesh;
    const TetQuality report = quality(mesh);
    fmt::print("{}", to_text(report));
    print_box(bounding_box(mesh.vertices));
    if (!mesh.region.empty()) fmt::print("regions: {}\n", regions_text(mesh.region));
    for (const VertexGroup& group : mesh.groups)
        fmt::print("group {}: {} vertices\n", group.name, group.vertices.size());
    for (const std::string& note : read.notes) fmt::print("note: {}\n", note);
    if (quiet) return kOk;
    if (report.is_usable())
        say(fmt::format("next: in a scene, \"kind\": \"solid\", \"mesh\": \"{}\"", path));
    else
        say("next: mend it in the program that made it; no elastic body can be built from it as it is");
    return kOk;
}

}  // namespace

std::string bodies_text(const Topology& topology)
{
    Table table("llrrr");
    table.add({"body", "kind", "vertices", "triangles", "lines"});
    for (const BodyRange& body : topology.bodies)
        table.add({body.name, body.kind, std::to_string(body.point_count), std::to_string(body.triangle_count),
                   std::to_string(body.line_count)});
    return table.text();
}

int info_mesh(const std::string& path, bool quiet)
{
    if (mesh_kind_of(path) == MeshKind::volume) return info_volume(path, quiet);
    const MeshRead read = read_mesh(path);
    if (!read.ok()) throw Error(read.problems, read.kind);
    const TriMesh& mesh = read.mesh;
    const MeshQuality report = quality(mesh);
    const BoundingBox bounds = bounding_box(mesh.vertices);
    fmt::print("{}", to_text(report));
    fmt::print("{}", simplex_summary(mesh));
    print_box(bounds);
    if (report.triangles > 0) fmt::print("area: {:.6g}\n", surface_area(mesh.vertices, mesh.triangles));
    const bool encloses = report.triangles > 0 && report.closedness.encloses_volume();
    const double volume = encloses ? signed_volume(mesh.vertices, mesh.triangles, bounds.center()) : 0;
    if (encloses)
        fmt::print("closed: yes, volume {:.6g}{}\n", volume, volume < 0 ? " (inside out)" : "");
    else
        fmt::print("closed: no, so it encloses no volume and can hold no gas\n");
    for (const std::string& note : read.notes) fmt::print("note: {}\n", note);
    if (quiet) return kOk;
    if (volume < 0)
        say(fmt::format("next: pliant mesh convert {} out.ply --flip", path));
    else if (report.duplicate_vertices > 0)
        say(fmt::format("next: pliant mesh convert {} out.ply --weld 0", path));
    else
        say(fmt::format("next: in a scene, \"mesh\": \"{}\"; a scene to start from: pliant new", path));
    return kOk;
}

void setup_info(CLI::App& app, int& exit_code)
{
    auto options = std::make_shared<Options>();
    CLI::App* verb =
        app.add_subcommand("info", "Say what is in a take, a scene or a mesh file.\n\n"
                                   "  pliant info take.plrec    bodies, frames, measures, and where the time went\n"
                                   "  pliant info scene.json    bodies, solver, all parameters that inputs can change\n"
                                   "  pliant info mesh.obj      counts, size, volume, quality\n"
                                   "  pliant info solid.msh     the same of tetrahedra, regions and groups\n");
    verb->add_option("file", options->file, "the file")->required();
    verb->add_flag("--json", options->json, "takes: print one JSON object (times in seconds)");
    verb->add_flag("-q,--quiet", options->quiet, "no talk");
    verb->callback([options, &exit_code] { exit_code = info(*options); });
}

}  // namespace pliant::cli
