// SPDX-License-Identifier: MIT
#include <pliant/io/tet_file.h>

#include <algorithm>
#include <filesystem>
#include <optional>

#include <fmt/format.h>

#include <pliant/io/mesh_builder.h>
#include <pliant/io/tet_builder.h>
#include <pliant/io/text_words.h>
#include <pliant/io/thesis_files.h>
#include <pliant/io/vertex_marks.h>
#include <pliant/io/whole_file.h>

namespace pliant {

namespace {

enum class TetFormat { msh, medit, meshb, vtu, tetgen, thesis, surface };

constexpr const char* kKnownFormats = "known: .msh .mesh .meshb .vtu .node .ele .tp .st";

std::optional<TetFormat> format_of_extension(const std::string& path)
{
    constexpr std::pair<const char*, TetFormat> kExtensions[] = {
        {".msh", TetFormat::msh},     {".mesh", TetFormat::medit},  {".meshb", TetFormat::meshb},
        {".vtu", TetFormat::vtu},     {".node", TetFormat::tetgen}, {".ele", TetFormat::tetgen},
        {".tp", TetFormat::thesis},   {".st", TetFormat::thesis},   {".obj", TetFormat::surface},
        {".ply", TetFormat::surface}, {".stl", TetFormat::surface}, {".off", TetFormat::surface}};
    const std::string extension = std::filesystem::path(path).extension().string();
    for (const auto& [known, format] : kExtensions)
        if (equals_ignoring_case(extension, known)) return format;
    return std::nullopt;
}

/// The format that the first bytes name beyond doubt.
std::optional<TetFormat> format_of_content(std::string_view bytes)
{
    constexpr std::string_view kLittleOne("\1\0\0\0", 4), kBigOne("\0\0\0\1", 4);
    if (bytes.substr(0, 4) == kLittleOne || bytes.substr(0, 4) == kBigOne) return TetFormat::meshb;
    Words words(without_byte_order_mark(bytes).substr(0, 1000));
    const std::string_view first = words.next();
    if (first == "$MeshFormat") return TetFormat::msh;
    if (first == "MeshVersionFormatted") return TetFormat::medit;
    if (first == "<?xml" || first == "<VTKFile") return TetFormat::vtu;
    if (first == "begin") return TetFormat::thesis;
    return std::nullopt;
}

TetRead failed_read(Problem problem, ErrorKind kind)
{
    TetRead read;
    read.problems.push_back(std::move(problem));
    read.kind = kind;
    return read;
}

std::string with_extension(const std::string& path, const char* extension)
{
    return std::filesystem::path(path).replace_extension(extension).string();
}

/// A surface is read all the same, so that the answer can say what it holds.
TetRead refuse_surface(const std::string& path)
{
    const MeshRead surface = read_mesh(path);
    if (!surface.ok()) return failed_read(surface.problems[0], surface.kind);
    return failed_read(
        {.file = path,
         .line = 0,
         .where = "",
         .message = fmt::format("the file holds {} triangles but no tetrahedra: a surface, expected a volume",
                                surface.mesh.triangles.size()),
         .cure = fmt::format("fill it first: pliant mesh tetrahedralize {} {}", path, with_extension(path, ".msh"))},
        ErrorKind::bad_input);
}

/// The extension of the partner in the case of the one given: A.NODE has A.ELE beside it.
std::string partner_path(const std::string& path, const char* lower, const char* upper)
{
    const std::string extension = std::filesystem::path(path).extension().string();
    const bool is_upper = extension.size() > 1 && extension[1] >= 'A' && extension[1] <= 'Z';
    return with_extension(path, is_upper ? upper : lower);
}

TetRead read_tetgen_pair(const std::string& path)
{
    const std::string node_path = partner_path(path, ".node", ".NODE"), ele_path = partner_path(path, ".ele", ".ELE");
    const FileRead node = whole_file(node_path);
    if (node.problem) return failed_read(*node.problem, node.kind);
    FileRead ele = whole_file(ele_path);
    if (ele.problem) {
        ele.problem->cure = "the tetrahedra of a TetGen mesh are in the .ele file beside the .node file";
        return failed_read(*ele.problem, ele.kind);
    }
    return read_tetgen({node.bytes, node_path}, {ele.bytes, ele_path});
}

TetRead read_thesis_pair(const std::string& path)
{
    const std::string topology_path = with_extension(path, ".tp"), constraints_path = with_extension(path, ".co");
    try {
        const auto topology = load_thesis<ThesisTopology>(topology_path);
        const auto states = load_thesis<ThesisStates>(with_extension(path, ".st"));
        const bool constrained = std::filesystem::exists(constraints_path);
        const auto constraints = constrained ? load_thesis<ThesisConstraints>(constraints_path) : ThesisConstraints{};
        TetRead read = tets_from_thesis(topology, states.states.front(), constraints, topology_path);
        if (states.states.size() > 1)
            read.notes.push_back(fmt::format("the first of {} states was taken", states.states.size()));
        return read;
    } catch (const Error& error) {
        TetRead read;
        read.problems = error.problems();
        read.kind = error.kind();
        return read;
    }
}

TetRead read_one_file(TetFormat format, const FileRead& file, const std::string& path)
{
    if (format == TetFormat::msh) return read_msh(file.bytes, path);
    if (format == TetFormat::vtu) return read_vtu_tets(file.bytes, path);
    return read_medit(file.bytes, path);
}

TetRead read_from_path(const std::string& path)
{
    const std::optional<TetFormat> by_extension = format_of_extension(path);
    if (by_extension == TetFormat::surface) return refuse_surface(path);
    if (by_extension == TetFormat::tetgen) return read_tetgen_pair(path);
    if (by_extension == TetFormat::thesis) return read_thesis_pair(path);
    const FileRead file = whole_file(path);
    if (file.problem) return failed_read(*file.problem, file.kind);
    const std::optional<TetFormat> by_content = format_of_content(file.bytes);
    if (by_content == TetFormat::thesis) return read_thesis_pair(path);
    if (by_content) return read_one_file(*by_content, file, path);
    if (by_extension) return read_one_file(*by_extension, file, path);
    return failed_read({.file = path,
                        .line = 0,
                        .where = "",
                        .message = "neither its extension nor its beginning names a format of volume meshes",
                        .cure = kKnownFormats},
                       ErrorKind::bad_input);
}

[[noreturn]] void refuse(const std::string& path, std::string where, std::string message, std::string cure)
{
    throw Error(Problem{.file = path,
                        .line = 0,
                        .where = std::move(where),
                        .message = "cannot be written: " + std::move(message),
                        .cure = std::move(cure)});
}

void require_sound(const std::string& path, const TetMesh& mesh)
{
    const auto count = static_cast<std::int32_t>(mesh.vertices.size());
    const auto exists = [&](std::int32_t v) { return v >= 0 && v < count; };
    for (std::size_t v = 0; v < mesh.vertices.size(); ++v) {
        const Vec3& x = mesh.vertices[v];
        if (!is_finite(x))
            refuse(path, fmt::format("vertex {}", v), fmt::format("the coordinates are {} {} {}", x.x, x.y, x.z), "");
    }
    for (std::size_t e = 0; e < mesh.tets.size(); ++e)
        if (!std::all_of(mesh.tets[e].begin(), mesh.tets[e].end(), exists))
            refuse(path, fmt::format("tetrahedron {}", e), fmt::format("it names a vertex outside 0 to {}", count - 1),
                   "");
    for (const VertexGroup& group : mesh.groups)
        if (!std::all_of(group.vertices.begin(), group.vertices.end(), exists))
            refuse(path, "group " + in_quotes(group.name), fmt::format("it names a vertex outside 0 to {}", count - 1),
                   "");
    if (!mesh.region.empty() && mesh.region.size() != mesh.tets.size())
        refuse(path, "", fmt::format("{} regions for {} tetrahedra", mesh.region.size(), mesh.tets.size()), "");
}

/// What MSH and VTU have no room for: Gmsh's names are in quotes on one line, its numbers positive.
void require_storable(const std::string& path, const TetMesh& mesh, TetFormat format)
{
    constexpr std::size_t kLongestMshName = 127;
    for (const VertexGroup& group : mesh.groups) {
        const bool control = std::any_of(group.name.begin(), group.name.end(),
                                         [](char c) { return static_cast<unsigned char>(c) < 32; });
        const bool msh_trouble = format == TetFormat::msh &&
                                 (group.name.find('"') != std::string::npos || group.name.size() > kLongestMshName);
        if (control || msh_trouble)
            refuse(path, "group " + in_quotes(group.name),
                   "the format has no room for quotation marks, line ends or more than 127 bytes in a name",
                   "rename the group");
    }
    const auto negative = std::find_if(mesh.region.begin(), mesh.region.end(), [](std::int32_t r) { return r < 0; });
    if (format == TetFormat::msh && negative != mesh.region.end())
        refuse(path, fmt::format("tetrahedron {}", negative - mesh.region.begin()),
               fmt::format("its region is {}, and Gmsh's physical volumes count from 1", *negative),
               "number the regions from 1, or write VTU");
}

std::vector<std::string> notes_about(const TetMesh& mesh, TetFormat format)
{
    if (format == TetFormat::msh || format == TetFormat::vtu) return {};
    const char* const prefix = format == TetFormat::tetgen ? "marker" : "reference";
    std::vector<std::string> notes;
    for (const std::string& name : vertex_marks(mesh, prefix).left_out)
        notes.push_back(fmt::format("the group {} was left out: this format only stores groups {}_1, {}_2 … that share "
                                    "no vertex",
                                    in_quotes(name), prefix, prefix));
    return notes;
}

}  // namespace

TetRead read_tets(const std::string& path)
{
    try {
        return read_from_path(path);
    } catch (const std::exception&) {
        return tet_memory_problem(path);
    }
}

TetMesh load_tets(const std::string& path)
{
    TetRead read = read_tets(path);
    if (!read.ok()) throw Error(std::move(read.problems), read.kind);
    return std::move(read.mesh);
}

std::vector<std::string> write_tets(const std::string& path, const TetMesh& mesh, const TetWriteOptions& options)
{
    const std::optional<TetFormat> format = format_of_extension(path);
    if (!format || *format == TetFormat::surface || *format == TetFormat::thesis)
        throw Error(Problem{.file = path,
                            .line = 0,
                            .where = "",
                            .message = "its extension names no format that can hold a volume mesh alone",
                            .cure = "write one of: .msh .mesh .meshb .vtu .node .ele"},
                    ErrorKind::usage);
    require_sound(path, mesh);
    require_storable(path, mesh, *format);
    if (*format == TetFormat::tetgen) {
        const TetgenText text = tetgen_text(mesh);
        write_whole_file(partner_path(path, ".node", ".NODE"), text.node);
        write_whole_file(partner_path(path, ".ele", ".ELE"), text.ele);
    } else {
        write_whole_file(path, *format == TetFormat::msh     ? msh_bytes(mesh, options)
                               : *format == TetFormat::vtu   ? vtu_tets_bytes(mesh, options)
                               : *format == TetFormat::meshb ? meshb_bytes(mesh)
                                                             : medit_bytes(mesh));
    }
    return notes_about(mesh, *format);
}

}  // namespace pliant
