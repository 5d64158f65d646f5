// SPDX-License-Identifier: MIT

// pliant mesh: convert, move and judge surface and volume meshes; mesh_make.cpp and mesh_tetrahedralize.cpp make them,
// mesh_untangle.cpp parts what cuts itself, mesh_import_dpo.cpp takes over whole scenes.

#include <algorithm>
#include <array>
#include <filesystem>
#include <numbers>
#include <optional>

#include <fmt/format.h>

#include <pliant/base/text.h>
#include <pliant/io/thesis_files.h>
#include <pliant/mesh/face_colouring.h>
#include <pliant/mesh/quality.h>
#include <pliant/mesh/simplex_mesh.h>
#include <pliant/mesh/tet_edit.h>
#include <pliant/mesh/tet_quality.h>
#include <pliant/mesh/tet_topology.h>
#include <pliant/mesh/transform.h>
#include <pliant/mesh/weld.h>

#include "mesh_verbs.h"
#include "output.h"
#include "verbs.h"

namespace pliant::cli {

std::vector<double> numbers_of(const std::string& text, const char* name, std::size_t few, std::size_t many)
{
    std::vector<double> found;
    for (std::size_t start = 0; start <= text.size();) {
        const std::size_t end = std::min(text.find(',', start), text.size());
        const std::optional<double> number = to_number(std::string_view(text).substr(start, end - start));
        if (!number) break;
        found.push_back(*number);
        start = end + 1;
        if (start > text.size() && (found.size() == few || found.size() == many)) return found;
    }
    const std::string expected = few == many ? fmt::format("{}", many) : fmt::format("{} or {}", few, many);
    throw Error(Problem{.message = fmt::format("--{} {}: expected {} numbers joined by commas", name, text, expected)},
                ErrorKind::usage);
}

Vec3 vector_of(const std::string& text, const char* name)
{
    const std::vector<double> n = numbers_of(text, name, 3, 3);
    return {n[0], n[1], n[2]};
}

void add_output_flags(CLI::App& verb, MeshOutput& output)
{
    verb.add_flag("--ascii", output.ascii, "PLY, STL, MSH and VTU as text");
    verb.add_flag("--msh2", output.msh2, "MSH 2.2 for older programs, instead of 4.1");
    verb.add_flag("-f,--force", output.force, "overwrite the file");
    verb.add_flag("-q,--quiet", output.quiet, "no talk");
}

namespace {

struct Options {
    std::string input, translate, rotate, scale;
    double weld = -1;
    bool flip = false;
    MeshOutput output;
};

// A surface does not become a volume by a change of format, nor the reverse.
void check_same_kind(const Options& options)
{
    const std::optional<MeshKind> in = mesh_kind_of(options.input), out = mesh_kind_of(options.output.path);
    if (!in || !out || *in == *out) return;
    const bool is_volume = *in == MeshKind::volume;
    throw Error(Problem{.file = options.input,
                        .message = fmt::format("is a {}, and {} can only hold a {}", is_volume ? "volume" : "surface",
                                               options.output.path, is_volume ? "surface" : "volume"),
                        .cure = fmt::format("pliant mesh {} {} {}", is_volume ? "surface" : "tetrahedralize",
                                            options.input, options.output.path)},
                ErrorKind::usage);
}

AnyMesh read_input(const Options& options)
{
    check_same_kind(options);
    return read_any_mesh(options.input, options.output.quiet);
}

void scale_by(AnyMesh& mesh, const std::string& text)
{
    const std::vector<double> factors = numbers_of(text, "scale", 1, 3);
    const Vec3 by{factors[0], factors[factors.size() / 2], factors.back()};
    if (by.x * by.y * by.z == 0)
        throw Error(Problem{.message = "--scale: a factor of zero flattens the mesh"}, ErrorKind::usage);
    std::visit([&](auto& some) { scale(some, by); }, mesh);
}

// Volumes have neither an orientation to choose nor, being conforming, corners to weld.
TriMesh& surface_for(AnyMesh& mesh, const char* option, const std::string& path)
{
    if (auto* surface = std::get_if<TriMesh>(&mesh)) return *surface;
    throw Error(Problem{.file = path, .message = fmt::format("{} is for surfaces, and this is a volume", option)},
                ErrorKind::usage);
}

int convert(const Options& options)
{
    AnyMesh mesh = read_input(options);
    if (!options.scale.empty()) scale_by(mesh, options.scale);
    if (options.weld >= 0) {
        const WeldReport report = weld(surface_for(mesh, "--weld", options.input), options.weld);
        if (!options.output.quiet)
            say(fmt::format("note: {} vertices merged, {} triangles dropped", report.map.merged,
                            report.dropped_triangles));
    }
    if (options.flip) reverse_orientation(surface_for(mesh, "--flip", options.input));
    write_any_mesh(options.output, mesh);
    return kOk;
}

void rotate_by(AnyMesh& mesh, const std::string& text)
{
    const std::vector<double> r = numbers_of(text, "rotate", 4, 4);
    const Vec3 axis{r[0], r[1], r[2]};
    if (norm(axis) == 0)
        throw Error(Problem{.message = "--rotate: the axis has no direction", .cure = "for example 0,1,0,90"},
                    ErrorKind::usage);
    std::visit([&](auto& some) { rotate(some, axis, r[3] * std::numbers::pi / 180); }, mesh);
}

int move(const Options& options)
{
    AnyMesh mesh = read_input(options);
    if (!options.scale.empty()) scale_by(mesh, options.scale);
    if (!options.rotate.empty()) rotate_by(mesh, options.rotate);
    if (!options.translate.empty()) {
        const Vec3 offset = vector_of(options.translate, "translate");
        std::visit([&](auto& some) { translate(some, offset); }, mesh);
    }
    write_any_mesh(options.output, mesh);
    return kOk;
}

// A simplex mesh becomes its triangulation, and closed triangles become a simplex mesh.
TriMesh dual_surface(const TriMesh& mesh)
{
    return has_three_lines_per_vertex(mesh) ? triangulation_of(simplex_mesh_of(mesh)) : surface_of(dual(mesh));
}

int write_dual(const Options& options)
{
    const TriMesh mesh = read_surface(options.input, options.output.quiet);
    TriMesh result;
    try {
        result = dual_surface(mesh);
    } catch (const Error& error) {
        throw with_file(error, options.input);
    }
    write_any_mesh(options.output, std::move(result));
    return kOk;
}

int write_colours(const Options& options)
{
    if (!options.output.path.ends_with(".su"))
        throw Error(Problem{.file = options.output.path,
                            .message = "colours of faces are kept in files of the thesis of seed 002",
                            .cure = "end the name in .su"},
                    ErrorKind::usage);
    if (std::filesystem::exists(options.output.path) && !options.output.force)
        throw Error(Problem{.file = options.output.path, .message = "exists already", .cure = "add --force"},
                    ErrorKind::usage);
    const bool is_surface = mesh_kind_of(options.input) == MeshKind::surface;
    const TriMesh skin = is_surface ? read_surface(options.input, options.output.quiet)
                                    : surface(read_volume(options.input, options.output.quiet)).mesh;
    const FaceColouring colouring = three_colouring(skin.triangles);
    ThesisSurface file;
    std::array<std::size_t, 3> count{};
    for (std::size_t t = 0; t < skin.triangles.size(); ++t) {
        file.faces.push_back({.corners = skin.triangles[t], .texture = colouring.colour[t]});
        ++count[colouring.colour[t]];
    }
    write_thesis(options.output.path, file);
    if (!options.output.quiet)
        fmt::print("{}: {} faces, {} + {} + {} by colour, {} neighbours of the same colour\n", options.output.path,
                   skin.triangles.size(), count[0], count[1], count[2], colouring.clashes);
    return kOk;
}

int write_boundary(const Options& options)
{
    if (mesh_kind_of(options.input) == MeshKind::surface)
        throw Error(Problem{.file = options.input,
                            .message = "is a surface already, expected a volume",
                            .cure = fmt::format("pliant mesh convert {} {}", options.input, options.output.path)});
    write_any_mesh(options.output, surface(read_volume(options.input, options.output.quiet)).mesh);
    return kOk;
}

int print_quality(const Options& options)
{
    const AnyMesh mesh = read_any_mesh(options.input, options.output.quiet);
    if (const auto* tets = std::get_if<TetMesh>(&mesh))
        fmt::print("{}", to_text(quality(*tets)));
    else
        fmt::print("{}{}", to_text(quality(std::get<TriMesh>(mesh))), simplex_summary(std::get<TriMesh>(mesh)));
    return kOk;
}

using Shared = std::shared_ptr<Options>;

void add_in_out(CLI::App& verb, const Shared& options)
{
    verb.add_option("in", options->input, fmt::format("the mesh to read: {} {}", kSurfaceFiles, kVolumeFiles))
        ->required();
    verb.add_option(
            "out", options->output.path,
            fmt::format("the mesh to write, of the same kind: surfaces {}, volumes {}", kSurfaceFiles, kVolumeOutputs))
        ->required();
    verb.add_option("--scale", options->scale, "one factor, or three for x,y,z")->type_name("S");
    add_output_flags(verb, options->output);
}

void setup_convert(CLI::App& mesh, int& exit_code)
{
    auto options = std::make_shared<Options>();
    CLI::App* verb = mesh.add_subcommand("convert", "Write a mesh in another format, cleaned if asked.\n\n"
                                                    "  pliant mesh convert scan.stl scan.obj --weld 1e-6\n"
                                                    "  pliant mesh convert in_mm.ply in_m.ply --scale 0.001\n"
                                                    "  pliant mesh convert part.node part.msh --msh2\n");
    add_in_out(*verb, options);
    verb->add_option("--weld", options->weld, "surfaces: merge vertices closer than this, after scaling")
        ->type_name("DISTANCE");
    verb->add_flag("--flip", options->flip, "turn a surface inside out");
    verb->callback([options, &exit_code] { exit_code = convert(*options); });
}

void setup_move(CLI::App& mesh, int& exit_code)
{
    auto options = std::make_shared<Options>();
    CLI::App* verb = mesh.add_subcommand(
        "move", "Scale, then rotate about the origin, then shift a mesh; dpoSimulator's meshMover.\n\n"
                "  pliant mesh move in.obj out.obj --translate 0,1.5,0\n"
                "  pliant mesh move in.msh out.msh --rotate 1,0,0,-90 --scale 2\n");
    add_in_out(*verb, options);
    verb->add_option("--rotate", options->rotate, "axis and angle in degrees")->type_name("AX,AY,AZ,DEG");
    verb->add_option("--translate", options->translate, "shift")->type_name("X,Y,Z");
    verb->callback([options, &exit_code] { exit_code = move(*options); });
}

void setup_dual(CLI::App& mesh, int& exit_code)
{
    auto options = std::make_shared<Options>();
    CLI::App* verb = mesh.add_subcommand(
        "dual", "Make a simplex mesh (three neighbours at every vertex) of closed triangles, or the reverse.\n"
                "A simplex mesh is kept as a surface whose lines are its edges.\n\n"
                "  pliant mesh dual ball.obj simplex_ball.ply\n"
                "  pliant mesh dual simplex_ball.ply ball_again.obj\n");
    verb->add_option("in", options->input, "the mesh to read: .obj .ply .stl .off")->required();
    verb->add_option("out", options->output.path, "the mesh to write: .obj .ply .off, .stl without lines")->required();
    add_output_flags(*verb, options->output);
    verb->callback([options, &exit_code] { exit_code = write_dual(*options); });
}

void setup_color(CLI::App& mesh, int& exit_code)
{
    auto options = std::make_shared<Options>();
    CLI::App* verb = mesh.add_subcommand(
        "color", "Paint a surface in three colours so that neighbours differ, as the thesis of seed 002 does.\n\n"
                 "  pliant mesh color torus.msh torus.su\n\n"
                 "The .su file has a texture number 0, 1 or 2 for every face.");
    verb->add_option("in", options->input, "the surface, or the volume whose boundary is meant")->required();
    verb->add_option("out", options->output.path, "the .su file to write")->required();
    add_output_flags(*verb, options->output);
    verb->callback([options, &exit_code] { exit_code = write_colours(*options); });
}

void setup_surface(CLI::App& mesh, int& exit_code)
{
    auto options = std::make_shared<Options>();
    CLI::App* verb = mesh.add_subcommand("surface", "Write the boundary of a volume mesh as triangles.\n\n"
                                                    "  pliant mesh surface torus.msh torus.ply\n");
    verb->add_option("in", options->input, fmt::format("the volume to read: {}", kVolumeFiles))->required();
    verb->add_option("out", options->output.path, fmt::format("the surface to write: {}", kSurfaceFiles))->required();
    add_output_flags(*verb, options->output);
    verb->callback([options, &exit_code] { exit_code = write_boundary(*options); });
}

void setup_quality(CLI::App& mesh, int& exit_code)
{
    auto options = std::make_shared<Options>();
    CLI::App* verb = mesh.add_subcommand("quality", "Say how good a mesh is to compute with.\n\n"
                                                    "  pliant mesh quality scan.stl\n"
                                                    "  pliant mesh quality torus.msh\n");
    verb->add_option("file", options->input, fmt::format("the mesh: {} {}", kSurfaceFiles, kVolumeFiles))->required();
    verb->add_flag("-q,--quiet", options->output.quiet, "no talk");
    verb->callback([options, &exit_code] { exit_code = print_quality(*options); });
}

}  // namespace

void setup_mesh(CLI::App& app, int& exit_code)
{
    CLI::App* mesh =
        app.add_subcommand("mesh", "Make, fill, convert, move, judge and untangle surface and volume meshes.\n\n"
                                   "  pliant mesh make icosphere 3 -o ball.obj\n"
                                   "  pliant mesh tetrahedralize ball.obj ball.msh\n"
                                   "  pliant mesh convert scan.stl scan.obj --weld 1e-6\n"
                                   "  pliant mesh dual ball.obj simplex_ball.ply\n"
                                   "  pliant mesh quality scan.obj\n"
                                   "  pliant mesh untangle crossed.ply apart.ply\n"
                                   "  pliant mesh import-dpo environment -o scene.json\n");
    mesh->require_subcommand(1);
    setup_mesh_make(*mesh, exit_code);
    setup_mesh_tetrahedralize(*mesh, exit_code);
    setup_surface(*mesh, exit_code);
    setup_color(*mesh, exit_code);
    setup_convert(*mesh, exit_code);
    setup_move(*mesh, exit_code);
    setup_dual(*mesh, exit_code);
    setup_quality(*mesh, exit_code);
    setup_mesh_untangle(*mesh, exit_code);
    setup_mesh_import_dpo(*mesh, exit_code);
}

}  // namespace pliant::cli
