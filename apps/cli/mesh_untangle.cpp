// SPDX-License-Identifier: MIT

// pliant mesh untangle: moves the vertices of a surface, or the bodies of a scene, until nothing passes through anything.
//
// Nothing is written unless the judge of audit/ finds nothing left, in what is written, not only in what was computed.

#include "mesh_untangle.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include <pliant/mesh/topology.h>

#include "mesh_verbs.h"
#include "output.h"
#include "verbs.h"

namespace pliant::cli {

namespace {

std::optional<std::int32_t> number_of(std::string_view word)
{
    std::int32_t value = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (error != std::errc() || end != word.data() + word.size() || value < 0) return std::nullopt;
    return value;
}

// "7" or "3:9", both ends meant.
std::optional<std::pair<std::int32_t, std::int32_t>> range_of(std::string_view word)
{
    const std::size_t colon = word.find(':');
    const auto first = number_of(word.substr(0, colon));
    const auto last = colon == std::string_view::npos ? first : number_of(word.substr(colon + 1));
    if (!first || !last || *last < *first) return std::nullopt;
    return std::pair{*first, *last};
}

[[noreturn]] void refuse_fix(const std::string& word, const std::string& message)
{
    throw Error(Problem{.message = fmt::format("--fix {}: {}", word, message),
                        .cure = "all, vertices such as 7 or 3:9, pieces such as piece:0, or a group of the mesh"},
                ErrorKind::usage);
}

// Sets 1 where one word of --fix says that a vertex stays.
void hold(std::vector<std::uint8_t>& held, const TriMesh& mesh, const std::string& word)
{
    constexpr std::string_view kPiece = "piece:";
    if (word == "all") {
        std::fill(held.begin(), held.end(), std::uint8_t{1});
    } else if (const VertexGroup* group = mesh.find_group(word)) {
        for (const std::int32_t v : group->vertices) held[v] = 1;
    } else if (word.starts_with(kPiece)) {
        const Components pieces = connected_components(mesh.vertices.size(), mesh.triangles, mesh.lines);
        const auto piece = number_of(std::string_view(word).substr(kPiece.size()));
        if (!piece || static_cast<std::size_t>(*piece) >= pieces.count)
            refuse_fix(word, fmt::format("the mesh has {} pieces, numbered from 0", pieces.count));
        for (std::size_t v = 0; v < held.size(); ++v)
            if (pieces.of_vertex[v] == *piece) held[v] = 1;
    } else if (const auto range = range_of(word)) {
        if (static_cast<std::size_t>(range->second) >= held.size())
            refuse_fix(word, fmt::format("the mesh has {} vertices, numbered from 0", held.size()));
        for (std::int32_t v = range->first; v <= range->second; ++v) held[v] = 1;
    } else {
        refuse_fix(word, "is neither vertices nor pieces, and the mesh has no such group");
    }
}

TriMesh read_input(const UntangleVerb& verb)
{
    if (mesh_kind_of(verb.input) == MeshKind::volume)
        throw Error(Problem{.file = verb.input,
                            .message = "is a volume, and moving its surface alone would turn tetrahedra inside out",
                            .cure = "name it in a scene: pliant mesh untangle SCENE.json OUT.json shifts whole bodies"},
                    ErrorKind::usage);
    TriMesh mesh = read_surface(verb.input, verb.output.quiet);
    if (mesh.triangles.empty())
        throw Error(Problem{.file = verb.input,
                            .message = "has no triangles, expected a surface",
                            .cure = "lines alone pass through nothing"});
    return mesh;
}

// Binary STL rounds to float, and what is rounded may cross again.
MeshOutput exact_output(const UntangleVerb& verb)
{
    MeshOutput output = verb.output;
    const std::size_t dot = output.path.rfind('.');
    std::string extension = dot == std::string::npos ? "" : output.path.substr(dot);
    std::transform(extension.begin(), extension.end(), extension.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    if (extension != ".stl" || output.ascii) return output;
    output.ascii = true;
    if (!output.quiet) say("note: written as text, since binary STL rounds to float and might cross again");
    return output;
}

void say_surface_left(const UntangleReport& report, const TriMesh& mesh)
{
    say_what_is_left(
        report.left, mesh.vertices,
        [](const EdgeThroughFace& one) {
            return fmt::format("edge {}-{} through face {}", one.edge[0], one.edge[1], one.face);
        },
        [](const VertexThroughPlane& one) { return fmt::format("vertex {}", one.vertex); });
}

int untangle_mesh(const UntangleVerb& verb)
{
    check_may_write(verb.output.path, verb.output.force);
    TriMesh mesh = read_input(verb);
    std::vector<std::uint8_t> held(mesh.vertices.size(), 0);
    for (const std::string& word : verb.fix) hold(held, mesh, word);
    AuditSurfaces surfaces;
    surfaces.add({0, static_cast<std::int32_t>(mesh.vertices.size()), mesh.triangles, {}, false});
    const UntangleOptions options = untangle_options(verb, surfaces, mesh.vertices);
    const UntangleReport report =
        untangle(mesh.vertices, {.surfaces = surfaces, .motion = {UntangleMotion::vertices}, .held = held}, options);
    fmt::print("{}", untangle_summary(report, options.gap));
    if (!report.is_free()) {
        say_surface_left(report, mesh);
        return kIntersections;
    }
    write_any_mesh(exact_output(verb), std::move(mesh));
    return kOk;
}

int run(const UntangleVerb& verb)
{
    const bool is_scene = verb.input.ends_with(".json");
    if (is_scene != verb.output.path.ends_with(".json"))
        throw Error(Problem{.file = verb.output.path,
                            .message = fmt::format("{} is a {}, and so must be what is written", verb.input,
                                                   is_scene ? "scene" : "mesh"),
                            .cure = is_scene ? "end the name in .json" : fmt::format("one of: {}", kSurfaceFiles)},
                    ErrorKind::usage);
    return is_scene ? untangle_scene(verb) : untangle_mesh(verb);
}

}  // namespace

UntangleOptions untangle_options(const UntangleVerb& verb, const AuditSurfaces& surfaces, std::span<const Vec3> x)
{
    if (verb.gap && !(std::isfinite(*verb.gap) && *verb.gap > 0))
        throw Error(Problem{.message = fmt::format("--gap {}: expected a length above zero", *verb.gap)},
                    ErrorKind::usage);
    if (verb.rounds < 1)
        throw Error(Problem{.message = fmt::format("--rounds {}: expected 1 or more", verb.rounds)}, ErrorKind::usage);
    const double suitable = suitable_gap(surfaces, x);
    if (!verb.gap && !(suitable > 0))
        throw Error(Problem{.file = verb.input,
                            .message = "has no edge of any length, so no gap suits it",
                            .cure = "give one: --gap 0.001"});
    return {.gap = verb.gap.value_or(suitable), .rounds = verb.rounds};
}

std::string untangle_summary(const UntangleReport& report, double gap)
{
    std::string text = fmt::format("intersections: {} before, {} after\n", report.before, report.left.count());
    text += fmt::format("rounds: {}\n", report.rounds);
    text += fmt::format("moved: {:.3g} m at most, {:.3g} m in the mean\n", report.largest_move, report.mean_move);
    text += fmt::format("largest strain of an edge: {:.3g} %\n", 100 * report.largest_strain);
    if (!report.is_free()) return text + "smallest gap: none\n";
    text += fmt::format("smallest gap: {}{:.3g} m, wanted {:.3g} m", report.smallest_gap >= 2 * gap ? "over " : "",
                        report.smallest_gap, gap);
    if (report.too_near > 0) text += fmt::format("; {} pairs are nearer than that", report.too_near);
    return text + "\n";
}

void say_what_is_left(const Intersections& left, std::span<const Vec3> x,
                      const std::function<std::string(const EdgeThroughFace&)>& name_edge,
                      const std::function<std::string(const VertexThroughPlane&)>& name_vertex)
{
    constexpr std::size_t kListed = 10;
    const auto place = [&](const Vec3& at) { return fmt::format("near {:.4g} {:.4g} {:.4g}", at.x, at.y, at.z); };
    std::size_t listed = 0;
    for (const EdgeThroughFace& one : left.edges)
        if (listed++ < kListed)
            say(fmt::format("left: {}, {}", name_edge(one), place(0.5 * (x[one.edge[0]] + x[one.edge[1]]))));
    for (const VertexThroughPlane& one : left.vertices)
        if (listed++ < kListed) say(fmt::format("left: {}, {}", name_vertex(one), place(x[one.vertex])));
    if (left.count() > kListed) say(fmt::format("left: {} more", left.count() - kListed));
    say(fmt::format(
        "not untangled, nothing was written: {} intersection{} left; try more --rounds or less --fix, or move "
        "the parts there by hand first: what is linked, or deep in each other, needs it",
        left.count(), left.count() == 1 ? " is" : "s are"));
}

void setup_mesh_untangle(CLI::App& mesh, int& exit_code)
{
    auto verb = std::make_shared<UntangleVerb>();
    CLI::App* app = mesh.add_subcommand(
        "untangle",
        "Move vertices until no edge passes through a face; of scenes, move bodies.\n\n"
        "  pliant mesh untangle crossed.ply apart.ply\n"
        "  pliant mesh untangle crossed.obj apart.obj --gap 0.002 --fix piece:0 --fix 3:9\n"
        "  pliant mesh untangle scene.json apart.json --fix table\n\n"
        "What is on the wrong side of what it crosses goes back, the rest gives way, edges keep their lengths "
        "as well as\nthey can. Exact arithmetic decides at the end; if anything is left, nothing is written and "
        "the exit code is 1.\nIn a scene colliders stay, cloth, springs and simplex bodies whose mesh is a file "
        "bend (a mesh is written beside\nthe scene), and all other bodies are shifted as a whole.\n");
    app->add_option("in", verb->input, fmt::format("the surface to read, {}, or a scene, .json", kSurfaceFiles))
        ->required();
    app->add_option("out", verb->output.path, fmt::format("the surface to write, {}, or the scene", kSurfaceFiles))
        ->required();
    app->add_option("--gap", verb->gap, "distance to keep between parts [m]; 1/100 of the mean edge by default")
        ->type_name("M");
    app->add_option("--rounds", verb->rounds, "how often to push at most; 900 by default")->type_name("N");
    app->add_option("--fix", verb->fix,
                    "what stays: all, vertices 7 or 3:9, piece:0, a group; of a scene a body; may be repeated")
        ->type_name("WHAT")
        ->allow_extra_args(false);
    add_output_flags(*app, verb->output);
    app->callback([verb, &exit_code] { exit_code = run(*verb); });
}

}  // namespace pliant::cli
