// SPDX-License-Identifier: MIT

// pliant mesh: make, convert, move and judge surface meshes.

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <filesystem>
#include <memory>
#include <numbers>
#include <optional>

#include <fmt/format.h>

#include <pliant/base/text.h>
#include <pliant/io/mesh_file.h>
#include <pliant/mesh/quality.h>
#include <pliant/mesh/shapes.h>
#include <pliant/mesh/simplex_mesh.h>
#include <pliant/mesh/transform.h>
#include <pliant/mesh/weld.h>

#include "output.h"
#include "verbs.h"

namespace pliant::cli {

namespace {

struct Options {
    std::string input, output, kind;
    std::vector<int> counts;
    std::string size = "1,1,1", from = "0,0,0", to = "1,0,0", translate, rotate, scale;
    double radius = 0.5, height = 1, minor_radius = 0.2, weld = -1;
    bool alternating = false, uncapped = false, flip = false, ascii = false, force = false, quiet = false;
};

// "1,2,3" for --NAME, as many numbers as one of the two counts says.
std::vector<double> numbers(const std::string& text, const char* name, std::size_t few, std::size_t many)
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

Vec3 vector(const std::string& text, const char* name)
{
    const std::vector<double> n = numbers(text, name, 3, 3);
    return {n[0], n[1], n[2]};
}

struct Shape {
    const char* name;
    std::size_t counts;  // how many whole numbers it asks for
    const char* sentence;
    TriMesh (*make)(const Options&);
};

constexpr std::array kShapes = {
    Shape{"grid", 2, "NX NZ vertices of a flat sheet; --size x,z --alternating",
          [](const Options& o) {
              const std::vector<double> size = numbers(o.size, "size", 2, 3);
              const auto diagonals = o.alternating ? GridDiagonals::alternating : GridDiagonals::same;
              return grid(o.counts[0], o.counts[1], size[0], size.back(), {.diagonals = diagonals});
          }},
    Shape{"box", 3, "NX NY NZ cells of a closed box; --size x,y,z",
          [](const Options& o) {
              return box(vector(o.size, "size"), {o.counts[0], o.counts[1], o.counts[2]});
          }},
    Shape{"icosphere", 1, "N subdivisions of an icosahedron; --radius",
          [](const Options& o) { return icosphere(o.radius, o.counts[0]); }},
    Shape{"uv_sphere", 2, "SEGMENTS RINGS of a globe; --radius",
          [](const Options& o) { return uv_sphere(o.radius, o.counts[0], o.counts[1]); }},
    Shape{"cylinder", 2, "SEGMENTS RINGS; --radius --height --uncapped",
          [](const Options& o) { return cylinder(o.radius, o.height, o.counts[0], o.counts[1], !o.uncapped); }},
    Shape{"torus", 2, "SEGMENTS around, SEGMENTS across; --radius --minor-radius",
          [](const Options& o) { return torus(o.radius, o.minor_radius, o.counts[0], o.counts[1]); }},
    Shape{"lidded_box", 1, "N vertices along a side of the lid; --size width,height,depth",
          [](const Options& o) {
              const Vec3 size = vector(o.size, "size");
              return lidded_box(o.counts[0], size.x, size.y, size.z);
          }},
    Shape{"chain", 1, "N vertices in a row; --from --to",
          [](const Options& o) { return chain(o.counts[0], vector(o.from, "from"), vector(o.to, "to")); }},
    Shape{"simplex_sphere", 2, "STAGES FREQUENCY of a simplex mesh, 10 8 has 1296 vertices; --radius",
          [](const Options& o) { return surface_of(simplex_sphere(o.radius, o.counts[0], o.counts[1])); }},
    Shape{"simplex_cylinder", 2, "SEGMENTS RINGS of a closed simplex mesh; --radius --height",
          [](const Options& o) { return surface_of(simplex_cylinder(o.radius, o.height, o.counts[0], o.counts[1])); }},
    Shape{
        "simplex_torus", 2, "SEGMENTS around, SEGMENTS across, all hexagons; --radius --minor-radius",
        [](const Options& o) { return surface_of(simplex_torus(o.radius, o.minor_radius, o.counts[0], o.counts[1])); }},
};

const Shape& shape_of(const Options& options)
{
    std::vector<std::string> names;
    for (const Shape& shape : kShapes) {
        if (options.kind == shape.name && options.counts.size() == shape.counts) return shape;
        if (options.kind == shape.name)
            throw Error(Problem{.message = fmt::format("{} needs {} whole number{}, found {}", shape.name, shape.counts,
                                                       shape.counts == 1 ? "" : "s", options.counts.size()),
                                .cure = fmt::format("pliant mesh make {} {}", shape.name, shape.sentence)},
                        ErrorKind::usage);
        names.emplace_back(shape.name);
    }
    throw Error(Problem{.message = fmt::format("there is no shape '{}'", options.kind),
                        .cure = suggestion(options.kind, names)},
                ErrorKind::usage);
}

TriMesh read_input(const Options& options)
{
    MeshRead read = read_mesh(options.input);
    if (!read.ok()) throw Error(std::move(read.problems), read.kind);
    if (!options.quiet)
        for (const std::string& note : read.notes) say(fmt::format("note: {}", note));
    return std::move(read.mesh);
}

bool keeps_lines(const std::string& path)
{
    std::string extension = std::filesystem::path(path).extension().string();
    std::transform(extension.begin(), extension.end(), extension.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return extension != ".stl";
}

int write_output(const Options& options, const TriMesh& mesh)
{
    check_may_write(options.output, options.force);
    write_mesh(options.output, mesh, {.binary = !options.ascii});
    if (options.quiet) return kOk;
    const std::size_t lines = keeps_lines(options.output) ? mesh.lines.size() : 0;
    if (lines < mesh.lines.size())
        say(fmt::format("note: {} lines left out, which STL cannot keep; .obj .ply .off can", mesh.lines.size()));
    say(fmt::format("wrote {0}: {1} vertices, {2} triangles, {3} lines; next: pliant info {0}", options.output,
                    mesh.vertices.size(), mesh.triangles.size(), lines));
    return kOk;
}

int make(const Options& options)
{
    const Shape& shape = shape_of(options);
    return write_output(options, shape.make(options));
}

void scale_by(TriMesh& mesh, const std::string& text)
{
    const std::vector<double> factors = numbers(text, "scale", 1, 3);
    const Vec3 by{factors[0], factors[factors.size() / 2], factors.back()};
    if (by.x * by.y * by.z == 0)
        throw Error(Problem{.message = "--scale: a factor of zero flattens the mesh"}, ErrorKind::usage);
    scale(mesh, by);
}

int convert(const Options& options)
{
    TriMesh mesh = read_input(options);
    if (!options.scale.empty()) scale_by(mesh, options.scale);
    if (options.weld >= 0) {
        const WeldReport report = weld(mesh, options.weld);
        if (!options.quiet)
            say(fmt::format("note: {} vertices merged, {} triangles dropped", report.map.merged,
                            report.dropped_triangles));
    }
    if (options.flip) reverse_orientation(mesh);
    return write_output(options, mesh);
}

int move(const Options& options)
{
    TriMesh mesh = read_input(options);
    if (!options.scale.empty()) scale_by(mesh, options.scale);
    if (!options.rotate.empty()) {
        const std::vector<double> r = numbers(options.rotate, "rotate", 4, 4);
        const Vec3 axis{r[0], r[1], r[2]};
        if (norm(axis) == 0)
            throw Error(Problem{.message = "--rotate: the axis has no direction", .cure = "for example 0,1,0,90"},
                        ErrorKind::usage);
        rotate(mesh, axis, r[3] * std::numbers::pi / 180);
    }
    if (!options.translate.empty()) translate(mesh, vector(options.translate, "translate"));
    return write_output(options, mesh);
}

// A simplex mesh becomes its triangulation, and closed triangles become a simplex mesh.
TriMesh dual_surface(const TriMesh& mesh)
{
    return has_three_lines_per_vertex(mesh) ? triangulation_of(simplex_mesh_of(mesh)) : surface_of(dual(mesh));
}

int write_dual(const Options& options)
{
    const TriMesh mesh = read_input(options);
    TriMesh result;
    try {
        result = dual_surface(mesh);
    } catch (const Error& error) {
        // The library knows the mesh but not the file it came from.
        std::vector<Problem> problems = error.problems();
        for (Problem& problem : problems) problem.file = options.input;
        throw Error(std::move(problems), error.kind());
    }
    return write_output(options, result);
}

int print_quality(const Options& options)
{
    const TriMesh mesh = read_input(options);
    fmt::print("{}{}", to_text(quality(mesh)), simplex_summary(mesh));
    return kOk;
}

using Shared = std::shared_ptr<Options>;

void add_common(CLI::App& verb, const Shared& options)
{
    verb.add_flag("--ascii", options->ascii, "PLY and STL as text");
    verb.add_flag("-f,--force", options->force, "overwrite the file");
    verb.add_flag("-q,--quiet", options->quiet, "no talk");
}

void add_in_out(CLI::App& verb, const Shared& options)
{
    verb.add_option("in", options->input, "the mesh to read: .obj .ply .stl .off")->required();
    verb.add_option("out", options->output, "the mesh to write: .obj .ply .stl .off")->required();
    verb.add_option("--scale", options->scale, "one factor, or three for x,y,z")->type_name("S");
    add_common(verb, options);
}

void setup_make(CLI::App& mesh, int& exit_code)
{
    auto options = std::make_shared<Options>();
    std::string kinds, table;
    for (const Shape& shape : kShapes) {
        kinds += (kinds.empty() ? "" : "|") + std::string(shape.name);
        table += fmt::format("  {:<16} {}\n", shape.name, shape.sentence);
    }
    CLI::App* verb = mesh.add_subcommand("make", "Make the mesh of a simple shape.\n\n"
                                                 "  pliant mesh make icosphere 3 --radius 0.12 -o ball.obj\n"
                                                 "  pliant mesh make grid 20 30 --size 1,1.5 -o sheet.ply\n"
                                                 "  pliant mesh make box 4 4 4 --size 1,2,1 -o box.stl\n\nKinds:\n" +
                                                     table);
    verb->add_option("kind", options->kind, "the shape")->required()->type_name(kinds);
    verb->add_option("counts", options->counts, "whole numbers, as the kind asks for");
    verb->add_option("-o,--output", options->output, "the mesh to write: .obj .ply .stl .off")
        ->required()
        ->type_name("MESH");
    verb->add_option("--size", options->size, "edge lengths of grid and boxes [m]; 1,1,1 by default")
        ->type_name("X,Y,Z");
    verb->add_option("--radius", options->radius, "of spheres, cylinder and torus [m]; 0.5 by default");
    verb->add_option("--minor-radius", options->minor_radius, "of a torus' tube [m]; 0.2 by default");
    verb->add_option("--height", options->height, "of a cylinder [m]; 1 by default");
    verb->add_option("--from", options->from, "first vertex of a chain; 0,0,0 by default")->type_name("X,Y,Z");
    verb->add_option("--to", options->to, "last vertex of a chain; 1,0,0 by default")->type_name("X,Y,Z");
    verb->add_flag("--alternating", options->alternating, "grid: turn every other diagonal");
    verb->add_flag("--uncapped", options->uncapped, "cylinder: leave both ends open");
    add_common(*verb, options);
    verb->callback([options, &exit_code] { exit_code = make(*options); });
}

void setup_convert(CLI::App& mesh, int& exit_code)
{
    auto options = std::make_shared<Options>();
    CLI::App* verb = mesh.add_subcommand("convert", "Write a mesh in another format, cleaned if asked.\n\n"
                                                    "  pliant mesh convert scan.stl scan.obj --weld 1e-6\n"
                                                    "  pliant mesh convert in_mm.ply in_m.ply --scale 0.001\n");
    add_in_out(*verb, options);
    verb->add_option("--weld", options->weld, "merge vertices closer than this, after scaling")->type_name("DISTANCE");
    verb->add_flag("--flip", options->flip, "turn the surface inside out");
    verb->callback([options, &exit_code] { exit_code = convert(*options); });
}

void setup_move(CLI::App& mesh, int& exit_code)
{
    auto options = std::make_shared<Options>();
    CLI::App* verb = mesh.add_subcommand("move", "Scale, then rotate about the origin, then shift a mesh.\n\n"
                                                 "  pliant mesh move in.obj out.obj --translate 0,1.5,0\n"
                                                 "  pliant mesh move in.obj out.obj --rotate 1,0,0,-90 --scale 2\n");
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
    verb->add_option("out", options->output, "the mesh to write: .obj .ply .off, .stl without lines")->required();
    add_common(*verb, options);
    verb->callback([options, &exit_code] { exit_code = write_dual(*options); });
}

void setup_quality(CLI::App& mesh, int& exit_code)
{
    auto options = std::make_shared<Options>();
    CLI::App* verb = mesh.add_subcommand("quality", "Say how good a mesh is to compute with.\n\n"
                                                    "  pliant mesh quality scan.stl\n");
    verb->add_option("file", options->input, "the mesh: .obj .ply .stl .off")->required();
    verb->add_flag("-q,--quiet", options->quiet, "no talk");
    verb->callback([options, &exit_code] { exit_code = print_quality(*options); });
}

}  // namespace

void setup_mesh(CLI::App& app, int& exit_code)
{
    CLI::App* mesh = app.add_subcommand("mesh", "Make, convert, move and judge surface meshes.\n\n"
                                                "  pliant mesh make icosphere 3 -o ball.obj\n"
                                                "  pliant mesh convert scan.stl scan.obj --weld 1e-6\n"
                                                "  pliant mesh dual ball.obj simplex_ball.ply\n"
                                                "  pliant mesh quality scan.obj\n");
    mesh->require_subcommand(1);
    setup_make(*mesh, exit_code);
    setup_convert(*mesh, exit_code);
    setup_move(*mesh, exit_code);
    setup_dual(*mesh, exit_code);
    setup_quality(*mesh, exit_code);
}

}  // namespace pliant::cli
