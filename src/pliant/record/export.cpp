// SPDX-License-Identifier: MIT
#include <pliant/record/export.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>

#include <fmt/format.h>

#include <pliant/base/error.h>
#include <pliant/record/export_job.h>

namespace pliant {

namespace {

constexpr std::array<ExportKind, 12> kKinds{{
    {"pc2", "OBJ mesh and PC2 point cache, for Blender's Mesh Cache modifier and 3ds Max"},
    {"usda", "USD text with animated points, for Houdini, Blender, usdview"},
    {"glb", "binary glTF clip of at most 120 frames as morph targets, for web pages and slides"},
    {"html", "one page that plays, scrubs, colours by field and plots measures in any browser, offline"},
    {"vtu", "VTK files with velocities and fields, solids as tetrahedra with stresses, a .pvd and a .vtu.series, for "
            "ParaView"},
    {"pvd", "the same as vtu"},
    {"ply", "one binary PLY file per frame"},
    {"obj", "one OBJ file per frame"},
    {"pov", "one POV-Ray scene per frame with textures, lights and camera"},
    {"en", "energies per frame as the thesis of seed 002 writes them, in ergs"},
    {"st", "all vertices and their velocities per frame as the thesis of seed 002 writes them, in centimetres"},
    {"csv", "table of times and measures, for spreadsheets and plots"},
}};

// In the order of kKinds.
constexpr std::array<Exported (*)(const ExportJob&), kKinds.size()> kExporters{
    export_pc2, export_usda, export_glb, export_html, export_vtu, export_vtu,
    export_ply, export_obj,  export_pov, export_en,   export_st,  export_csv};

std::size_t kind_index(const std::string& name)
{
    const auto found =
        std::find_if(kKinds.begin(), kKinds.end(), [&](const ExportKind& kind) { return kind.name == name; });
    return static_cast<std::size_t>(found - kKinds.begin());
}

[[noreturn]] void unknown_kind(const std::string& file, const std::string& name)
{
    std::vector<std::string> names;
    for (const ExportKind& kind : kKinds) names.emplace_back(kind.name);
    const std::string message =
        name.empty() ? "the extension must say the format" : fmt::format("'{}' is no format to export", name);
    throw Error(Problem{file, 0, "", message, suggestion(name, names)}, ErrorKind::usage);
}

std::string lower_case(std::string text)
{
    for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return text;
}

}  // namespace

std::span<const ExportKind> export_kinds()
{
    return kKinds;
}

Exported export_recording(const Recording& recording, const std::string& path, const ExportOptions& options)
{
    std::string extension = lower_case(std::filesystem::path(path).extension().string());
    if (!extension.empty()) extension.erase(0, 1);
    const std::size_t kind = kind_index(extension);
    if (kind == kKinds.size()) unknown_kind(path, extension);
    ExportJob job{recording, path, options.overwrite, options.every, options.body, chosen_frames(recording, options),
                  {}};
    const bool has_geometry = kKinds[kind].name != "csv" && kKinds[kind].name != "en" && kKinds[kind].name != "st";
    if (has_geometry) job.bodies = chosen_bodies(recording, options.body);
    return kExporters[kind](job);
}

std::string export_kind_path(const std::string& kind, const std::string& take_path)
{
    if (kind_index(kind) == kKinds.size()) unknown_kind("", kind);
    return std::filesystem::path(take_path).replace_extension(kind).string();
}

}  // namespace pliant
