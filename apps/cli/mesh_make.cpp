// SPDX-License-Identifier: MIT

// pliant mesh make: surfaces and volumes of simple shapes.

#include <array>

#include <fmt/format.h>

#include <pliant/mesh/shapes.h>
#include <pliant/mesh/simplex_mesh.h>
#include <pliant/mesh/tet_shapes.h>
#include <pliant/mesh/transform.h>

#include "mesh_verbs.h"
#include "verbs.h"

namespace pliant::cli {

namespace {

struct Options {
    std::string kind, cut = "six_tets";
    std::vector<int> counts;
    std::string size = "1,1,1", from = "0,0,0", to = "1,0,0", center = "0,0,0";
    double radius = 0.5, height = 1, minor_radius = 0.2, inner_radius = 0, leg_radius = 0, board = 0, wall = 0;
    bool alternating = false, cross = false, uncapped = false;
    MeshOutput output;
};

CellCut cut_of(const std::string& name)
{
    if (name == "six_tets") return CellCut::six_tets;
    if (name == "five_tets") return CellCut::five_tets;
    if (name == "bcc") return CellCut::bcc;
    throw Error(Problem{.message = fmt::format("--cut {}: there is no such way to cut the cells of a block", name),
                        .cure = suggestion(name, {"six_tets", "five_tets", "bcc"})},
                ErrorKind::usage);
}

GridDiagonals diagonals_of(const Options& o)
{
    if (o.cross) return GridDiagonals::cross;
    return o.alternating ? GridDiagonals::alternating : GridDiagonals::same;
}

/// fabricCreator's sheet: width along x, length along y, seen from above; vertex 0 has the least of both.
TriMesh fabric(const Options& o)
{
    const std::vector<double> size = numbers_of(o.size, "size", 2, 3);
    for (const int divisions : o.counts)
        if (divisions < 1)
            throw Error(Problem{.message = fmt::format("found {} divisions, expected 1 or more", divisions),
                                .cure = "such as: pliant mesh make fabric 15 15 -o fabric.stl"},
                        ErrorKind::usage);
    TriMesh mesh = grid(o.counts[0] + 1, o.counts[1] + 1, size[0], size[1]);
    for (Vec3& x : mesh.vertices) x = {x.x, x.z, x.y};
    reverse_orientation(mesh);
    mesh.lines.clear();
    translate(mesh, vector_of(o.center, "center"));
    return mesh;
}

struct Shape {
    const char* name;
    std::size_t counts;  // how many whole numbers it asks for
    const char* sentence;
    AnyMesh (*make)(const Options&);
};

constexpr std::array kShapes = {
    Shape{"grid", 2, "NX NZ vertices of a flat sheet; --size x,z --alternating --cross",
          [](const Options& o) -> AnyMesh {
              const std::vector<double> size = numbers_of(o.size, "size", 2, 3);
              return grid(o.counts[0], o.counts[1], size[0], size.back(), {.diagonals = diagonals_of(o)});
          }},
    Shape{"fabric", 2, "W L divisions of dpoSimulator's sheet across z, fabricCreator; --size width,length --center",
          [](const Options& o) -> AnyMesh { return fabric(o); }},
    Shape{"box", 3, "NX NY NZ cells of a closed box; --size x,y,z",
          [](const Options& o) -> AnyMesh {
              return box(vector_of(o.size, "size"), {o.counts[0], o.counts[1], o.counts[2]});
          }},
    Shape{"icosphere", 1, "N subdivisions of an icosahedron; --radius",
          [](const Options& o) -> AnyMesh { return icosphere(o.radius, o.counts[0]); }},
    Shape{"uv_sphere", 2, "SEGMENTS RINGS of a globe; --radius",
          [](const Options& o) -> AnyMesh { return uv_sphere(o.radius, o.counts[0], o.counts[1]); }},
    Shape{"cylinder", 2, "SEGMENTS RINGS; --radius --height --uncapped",
          [](const Options& o) -> AnyMesh {
              return cylinder(o.radius, o.height, o.counts[0], o.counts[1], !o.uncapped);
          }},
    Shape{"torus", 2, "SEGMENTS around, SEGMENTS across; --radius --minor-radius",
          [](const Options& o) -> AnyMesh { return torus(o.radius, o.minor_radius, o.counts[0], o.counts[1]); }},
    Shape{"lidded_box", 1, "N vertices along a side of the lid; --size width,height,depth",
          [](const Options& o) -> AnyMesh {
              const Vec3 size = vector_of(o.size, "size");
              return lidded_box(o.counts[0], size.x, size.y, size.z);
          }},
    Shape{"disc", 1, "RINGS of a flat round sheet; --radius --inner-radius",
          [](const Options& o) -> AnyMesh { return disc(o.radius, o.counts[0], o.inner_radius); }},
    Shape{"t_shirt", 1, "N columns across the chest of a sewn T-shirt; --size width,height",
          [](const Options& o) -> AnyMesh {
              const std::vector<double> size = numbers_of(o.size, "size", 2, 3);
              return t_shirt(size[0], size[1], o.counts[0]);
          }},
    Shape{"table", 2, "SEGMENTS RINGS of its legs; --size length,height,width --leg-radius --board",
          [](const Options& o) -> AnyMesh {
              const Vec3 size = vector_of(o.size, "size");
              return table(
                  size.x, size.z, size.y,
                  {.board = o.board, .leg_radius = o.leg_radius, .segments = o.counts[0], .rings = o.counts[1]});
          }},
    Shape{"bottle", 2, "SEGMENTS RINGS of a closed bottle; --radius --height",
          [](const Options& o) -> AnyMesh { return bottle(o.radius, o.height, o.counts[0], o.counts[1]); }},
    Shape{"knot_strip", 2,
          "COLUMNS ROWS of a strip in a loose overhand knot; --size length,width --alternating --cross",
          [](const Options& o) -> AnyMesh {
              const std::vector<double> size = numbers_of(o.size, "size", 2, 3);
              return knot_strip(size[0], size[1], o.counts[0], o.counts[1], diagonals_of(o));
          }},
    Shape{"stairs", 1, "STEPS of a closed flight of stairs; --size length,height,width",
          [](const Options& o) -> AnyMesh {
              const Vec3 size = vector_of(o.size, "size");
              return stairs(o.counts[0], size.x, size.y, size.z);
          }},
    Shape{"funnel", 2, "SEGMENTS RINGS of a funnel with a wall; --radius --inner-radius --height --wall",
          [](const Options& o) -> AnyMesh {
              return funnel(
                  o.radius, o.height,
                  {.spout_radius = o.inner_radius, .wall = o.wall, .segments = o.counts[0], .rings = o.counts[1]});
          }},
    Shape{"octopus", 1, "CELLS along the height of an octopus, 40 has some 12 000 triangles; --height",
          [](const Options& o) -> AnyMesh { return octopus(o.counts[0], o.height); }},
    Shape{"hare", 1, "FREQUENCY of a hare, 22 has 9680 triangles; --height",
          [](const Options& o) -> AnyMesh { return hare(o.counts[0], o.height); }},
    Shape{"chain", 1, "N vertices in a row; --from --to",
          [](const Options& o) -> AnyMesh {
              return chain(o.counts[0], vector_of(o.from, "from"), vector_of(o.to, "to"));
          }},
    Shape{"simplex_sphere", 2, "STAGES FREQUENCY of a simplex mesh, 10 8 has 1296 vertices; --radius",
          [](const Options& o) -> AnyMesh { return surface_of(simplex_sphere(o.radius, o.counts[0], o.counts[1])); }},
    Shape{"simplex_cylinder", 2, "SEGMENTS RINGS of a closed simplex mesh; --radius --height",
          [](const Options& o) -> AnyMesh {
              return surface_of(simplex_cylinder(o.radius, o.height, o.counts[0], o.counts[1]));
          }},
    Shape{"simplex_torus", 2, "SEGMENTS around, SEGMENTS across, all hexagons; --radius --minor-radius",
          [](const Options& o) -> AnyMesh {
              return surface_of(simplex_torus(o.radius, o.minor_radius, o.counts[0], o.counts[1]));
          }},
    Shape{"tet_block", 3, "NX NY NZ cells of a block of tetrahedra; --size x,y,z --cut",
          [](const Options& o) -> AnyMesh {
              return tet_block(vector_of(o.size, "size"), {o.counts[0], o.counts[1], o.counts[2]}, cut_of(o.cut));
          }},
    Shape{"tet_ball", 1, "SHELLS of a ball, 20 SHELLS^3 tetrahedra; --radius",
          [](const Options& o) -> AnyMesh { return tet_ball(o.radius, o.counts[0]); }},
    Shape{"tet_cylinder", 3, "SIDES RINGS LAYERS of a full cylinder; --radius --height",
          [](const Options& o) -> AnyMesh {
              return tet_cylinder(o.radius, o.height, o.counts[0], o.counts[1], o.counts[2]);
          }},
    Shape{"tet_torus", 3, "SECTIONS SIDES RINGS of a full ring, 20 8 1 is the thesis'; --radius --minor-radius",
          [](const Options& o) -> AnyMesh {
              return tet_torus(o.radius, o.minor_radius, o.counts[0], o.counts[1], o.counts[2]);
          }},
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

int make(const Options& options)
{
    const Shape& shape = shape_of(options);
    write_any_mesh(options.output, shape.make(options));
    return kOk;
}

}  // namespace

void setup_mesh_make(CLI::App& mesh, int& exit_code)
{
    auto options = std::make_shared<Options>();
    std::string kinds, table;
    for (const Shape& shape : kShapes) {
        kinds += (kinds.empty() ? "" : "|") + std::string(shape.name);
        table += fmt::format("  {:<16} {}\n", shape.name, shape.sentence);
    }
    CLI::App* verb = mesh.add_subcommand(
        "make", "Make the mesh of a simple shape.\n\n"
                "  pliant mesh make icosphere 3 --radius 0.12 -o ball.obj\n"
                "  pliant mesh make grid 20 30 --size 1,1.5 -o sheet.ply\n"
                "  pliant mesh make box 4 4 4 --size 1,2,1 -o box.stl\n"
                "  pliant mesh make fabric 15 15 --size 1,1 --center 0.4,0.3,1.3 -o fabric.stl --ascii\n"
                "  pliant mesh make tet_torus 20 8 1 -o torus.msh\n\nKinds:\n" +
                    table);
    verb->add_option("kind", options->kind, "the shape")->required()->type_name(kinds);
    verb->add_option("counts", options->counts, "whole numbers, as the kind asks for");
    verb->add_option("-o,--output", options->output.path,
                     fmt::format("the mesh to write: surfaces {}, volumes {}", kSurfaceFiles, kVolumeOutputs))
        ->required()
        ->type_name("MESH");
    verb->add_option("--size", options->size,
                     "lengths of grid, strip, boxes, block, T-shirt, table and stairs [m]; 1,1,1 by default")
        ->type_name("X,Y,Z");
    verb->add_option("--radius", options->radius,
                     "of spheres, cylinders, tori, disc, bottle and the mouth of a funnel [m]; 0.5 by default");
    verb->add_option("--minor-radius", options->minor_radius, "of a torus' tube [m]; 0.2 by default");
    verb->add_option("--height", options->height, "of cylinders, bottle, funnel, hare and octopus [m]; 1 by default");
    verb->add_option(
        "--inner-radius", options->inner_radius,
        "of a disc's group inner [m], none by default; of a funnel's spout, a fifth of its radius by default");
    verb->add_option("--leg-radius", options->leg_radius, "of a table's legs [m]; 1/30 of its shorter side by default");
    verb->add_option("--board", options->board, "thickness of a table's board [m]; 1/25 of its height by default");
    verb->add_option("--wall", options->wall, "thickness of a funnel's wall [m]; a twentieth of its radius by default");
    verb->add_option("--from", options->from, "first vertex of a chain; 0,0,0 by default")->type_name("X,Y,Z");
    verb->add_option("--to", options->to, "last vertex of a chain; 1,0,0 by default")->type_name("X,Y,Z");
    verb->add_option("--center", options->center, "middle of a fabric; 0,0,0 by default")->type_name("X,Y,Z");
    verb->add_option("--cut", options->cut, "how the cells of a tet_block are cut; six_tets by default")
        ->type_name("six_tets|five_tets|bcc");
    verb->add_flag("--alternating", options->alternating, "grid, knot_strip: turn every other diagonal");
    verb->add_flag("--cross", options->cross,
                   "grid, knot_strip: both diagonals, with a vertex in the middle of each square");
    verb->add_flag("--uncapped", options->uncapped, "cylinder: leave both ends open");
    add_output_flags(*verb, options->output);
    verb->callback([options, &exit_code] { exit_code = make(*options); });
}

}  // namespace pliant::cli
