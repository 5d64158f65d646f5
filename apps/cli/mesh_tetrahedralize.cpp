// SPDX-License-Identifier: MIT

// pliant mesh tetrahedralize: fills a closed surface with tetrahedra, by TetGen, Gmsh or the built-in lattice.
//
// Symbols: V enclosed volume [m^3], A area [m^2], a spacing of the lattice [m], L edge length asked for [m].

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

#include <fmt/format.h>

#include <pliant/mesh/measure.h>
#include <pliant/mesh/tet_lattice.h>
#include <pliant/mesh/tet_quality.h>
#include <pliant/mesh/topology.h>

#include "mesh_programs.h"
#include "mesh_verbs.h"
#include "output.h"
#include "verbs.h"

namespace pliant::cli {

namespace {

constexpr double kDefaultTets = 5000;

struct Options {
    std::string input, with = "auto";
    std::optional<double> edge;  // none: such that about kDefaultTets come out
    MeshOutput output;
};

/// Who fills the surface; `program` is empty for the built-in lattice.
struct Mesher {
    std::string name = "lattice", program;
    OutsideMesher outside = OutsideMesher::tetgen;
};

Mesher choose_mesher(const std::string& with)
{
    if (with == "lattice") return {};
    for (const OutsideMesher outside : {OutsideMesher::tetgen, OutsideMesher::gmsh}) {
        if (with != "auto" && with != name_of(outside)) continue;
        if (const std::optional<std::string> program = find_on_path(name_of(outside)))
            return {name_of(outside), *program, outside};
        if (with != "auto")
            throw Error(Problem{.message = fmt::format("--with {}: there is no such program on the PATH", with),
                                .cure = "install it, or use the built-in mesher: --with lattice"},
                        ErrorKind::cannot_access);
    }
    if (with == "auto") return {};
    throw Error(Problem{.message = fmt::format("--with {}: there is no such mesher", with),
                        .cure = suggestion(with, {"auto", "lattice", "tetgen", "gmsh"})},
                ErrorKind::usage);
}

void check_closed(const TriMesh& surface, const std::string& path)
{
    const ClosednessReport report = closedness(surface.triangles, surface.vertices.size());
    if (surface.triangles.empty())
        throw Error(Problem{.file = path,
                            .message = "has no triangles, expected a closed surface",
                            .cure = "a volume can only be made inside a closed surface"});
    if (report.encloses_volume()) return;
    throw Error(Problem{.file = path,
                        .message = fmt::format("the surface does not enclose a volume: {}", to_text(report)),
                        .cure = fmt::format("join coincident vertices (pliant mesh convert {} closed.ply --weld 1e-6), "
                                            "close holes, turn all triangles outwards",
                                            path)});
}

/// The edge length for which the lattice makes about `count` tetrahedra: 12 V/a^3 inside, and kSkin A/a^2 more where
/// it is cut along the surface (the mean over balls, boxes, rings and plates, which keep within a third of `count`).
double edge_for(double count, double V, double A)
{
    constexpr double kSkin = 1.5;
    const double kMeanEdge = (3 + 2 * std::sqrt(3.0)) / 7;  // of the lattice, in spacings
    // Newton for u = 1/a from above, where the polynomial is convex.
    double u = std::cbrt(count / (12 * V));
    for (int i = 0; i < 60; ++i) u -= ((12 * V * u + kSkin * A) * u * u - count) / ((36 * V * u + 2 * kSkin * A) * u);
    return kMeanEdge / u;
}

/// The lattice has a limit of its own; other programs would take all memory there is.
void check_affordable(double edge, double V, const std::string& path)
{
    constexpr double kMostTets = 1e8, kRegular = 1 / (6 * std::numbers::sqrt2);  // volume of edge 1
    if (V / kRegular < kMostTets * edge * edge * edge) return;
    throw Error(
        Problem{.file = path,
                .message = fmt::format("an edge length of {} would make more than {:.0e} tetrahedra", edge, kMostTets),
                .cure = fmt::format("use a longer edge; {:.3g} makes about {}", std::cbrt(V / kRegular / kDefaultTets),
                                    kDefaultTets)});
}

double edge_length(const Options& options, const TriMesh& surface)
{
    const double V = std::abs(signed_volume(surface.vertices, surface.triangles, surface.vertices[0]));
    if (!(V > 0))
        throw Error(Problem{.file = options.input,
                            .message = "the surface encloses no volume: its sides coincide or cancel",
                            .cure = "is it flat, or a surface and its mirror image?"});
    if (!options.edge) return edge_for(kDefaultTets, V, surface_area(surface.vertices, surface.triangles));
    check_affordable(*options.edge, V, options.input);
    return *options.edge;
}

TetMesh fill(const Mesher& mesher, const Options& options, const TriMesh& surface, double edge)
{
    try {
        if (mesher.program.empty()) return fill_with_tets(surface, edge).mesh;
    } catch (const Error& error) {
        throw with_file(error, options.input);
    }
    OutsideFill filled = fill_by_program(mesher.outside, mesher.program, surface, edge, options.output.quiet);
    if (filled.removed_tets > 0 && !options.output.quiet)
        say(fmt::format("note: {} tetrahedra of {} lay outside the surface or in cavities and were left out",
                        filled.removed_tets, mesher.name));
    return std::move(filled.mesh);
}

std::string volumes_text(double filled, double enclosed)
{
    constexpr double kNoticeable = 0.02;
    const double missing = 1 - filled / enclosed;
    return fmt::format("filled: {:.6g} of the {:.6g} inside the surface, {:.2f} % {}{}\n", filled, enclosed,
                       100 * std::abs(missing), missing < 0 ? "too much" : "missing",
                       std::abs(missing) > kNoticeable ? "; corners and thin parts need a shorter --edge" : "");
}

std::size_t unused_vertices(const TriMesh& surface)
{
    std::vector<bool> used(surface.vertices.size(), false);
    for (const Triangle& triangle : surface.triangles)
        for (const std::int32_t v : triangle) used[static_cast<std::size_t>(v)] = true;
    return static_cast<std::size_t>(std::count(used.begin(), used.end(), false));
}

/// What came out against what went in.
std::string comparison(const TetQuality& report, const TriMesh& surface)
{
    const double enclosed = signed_volume(surface.vertices, surface.triangles, surface.vertices[0]);
    const std::size_t shells =
        connected_components(surface.vertices.size(), surface.triangles).count - unused_vertices(surface);
    const std::size_t pinched = report.surface.non_manifold_edges;
    std::string text = volumes_text(report.volume, std::abs(enclosed));
    text += fmt::format(
        "pinched edges: {}\n",
        pinched == 0 ? std::string("none")
                     : fmt::format("{}, where the body touches itself; a shorter --edge parts it there", pinched));
    text += fmt::format("pieces: {} in a surface of {} closed part{}{}\n", report.components, shells,
                        shells == 1 ? "" : "s",
                        report.components > shells ? "; thin parts broke, a shorter --edge keeps them whole" : "");
    return text;
}

int tetrahedralize(const Options& options)
{
    if (options.edge && !(std::isfinite(*options.edge) && *options.edge > 0))
        throw Error(Problem{.message = fmt::format("--edge {}: expected a length above zero", *options.edge)},
                    ErrorKind::usage);
    check_volume_output(options.output);
    const Mesher mesher = choose_mesher(options.with);
    const TriMesh surface = read_surface(options.input, options.output.quiet);
    check_closed(surface, options.input);
    const double edge = edge_length(options, surface);
    fmt::print("mesher: {}, edge length {:.4g}{}\n", mesher.program.empty() ? "the built-in lattice" : mesher.program,
               edge, !options.edge ? fmt::format(" (for about {} tetrahedra; --edge chooses)", kDefaultTets) : "");
    const TetMesh mesh = fill(mesher, options, surface, edge);
    const TetQuality report = quality(mesh);
    fmt::print("{}{}", to_text(report), comparison(report, surface));
    write_any_mesh(options.output, mesh);
    return kOk;
}

}  // namespace

void setup_mesh_tetrahedralize(CLI::App& mesh, int& exit_code)
{
    auto options = std::make_shared<Options>();
    CLI::App* verb = mesh.add_subcommand(
        "tetrahedralize", "Fill a closed surface with tetrahedra.\n\n"
                          "  pliant mesh tetrahedralize ball.obj ball.msh\n"
                          "  pliant mesh tetrahedralize ball.obj ball.vtu --edge 0.05 --with lattice\n\n"
                          "auto takes tetgen or gmsh when the PATH has one, and else the built-in lattice, which "
                          "rounds sharp corners\nbut takes any closed surface, even one that cuts itself.\n");
    verb->add_option("in", options->input, fmt::format("the closed surface to fill: {}", kSurfaceFiles))->required();
    verb->add_option("out", options->output.path, fmt::format("the volume to write: {}", kVolumeOutputs))->required();
    verb->add_option("--edge", options->edge, "edge length [m]; by default one that makes about 5000 tetrahedra")
        ->type_name("L");
    verb->add_option("--with", options->with, "who fills it; auto by default")->type_name("auto|lattice|tetgen|gmsh");
    add_output_flags(*verb, options->output);
    verb->callback([options, &exit_code] { exit_code = tetrahedralize(*options); });
}

}  // namespace pliant::cli
