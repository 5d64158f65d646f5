// SPDX-License-Identifier: MIT
#pragma once

// Where a mesh comes from, as a scene writes it: a file, a generator, or arrays.

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <pliant/base/describe.h>
#include <pliant/base/types.h>

namespace pliant {

enum class Diagonals : std::int32_t { same, alternating, cross };
constexpr std::array<std::string_view, 3> enum_names(Diagonals)
{
    return {"same", "alternating", "cross"};
}

enum class BlockCut : std::int32_t { six_tets, five_tets, bcc };
constexpr std::array<std::string_view, 3> enum_names(BlockCut)
{
    return {"six_tets", "five_tets", "bcc"};
}

/// Where a body's mesh comes from: a file, a generator, or arrays in the scene. In a scene a plain string is `file`.
struct MeshSource {
    std::string file;
    std::vector<std::int32_t> grid, box, uv_sphere, cylinder, torus, table, bottle, funnel, knot_strip;
    std::int32_t lidded_box = 0, chain = 0, disc = 0, t_shirt = 0, stairs = 0, hare = 0, octopus = 0;
    std::optional<std::int32_t> icosphere;
    std::vector<std::int32_t> simplex_sphere, simplex_cylinder, simplex_torus;
    bool dual = false;
    std::vector<std::int32_t> tet_block, tet_cylinder, tet_torus;
    std::int32_t tet_ball = 0;
    BlockCut cut = BlockCut::six_tets;
    double fill = 0;
    std::vector<double> size;
    double radius = 0.5, height = 1, minor_radius = 0.2, inner_radius = 0, leg_radius = 0, board = 0, wall = 0;
    Diagonals diagonals = Diagonals::same;
    Vec3 from{}, to{1, 0, 0};
    std::vector<Vec3> vertices;
    std::vector<Triangle> triangles;
    std::vector<Edge> lines;
    double scale = 1;
    Vec3 rotate_axis{0, 1, 0};
    double rotate_degrees = 0;
    Vec3 translate{};
    std::int32_t copies = 1;
    Vec3 spacing{};
};

/// Closed things that cloth and solids meet.
template <class V>
void describe_props(V&& visit, MeshSource& m)
{
    visit(Field{"table", "1", 1, 1e4,
                "generator: segments and rings of the legs of a table; size is length, height, width; see leg_radius, "
                "board; groups top, board, legs, feet"},
          m.table);
    visit(Field{"bottle", "1", 3, 1e4, "generator: segments and rings of a closed bottle; see radius, height"},
          m.bottle);
    visit(
        Field{"stairs", "1", 0, 1000,
              "generator: steps of a closed flight of stairs that climbs to +x; size is length, height, width; groups "
              "treads, bottom, back"},
        m.stairs);
    visit(Field{"funnel", "1", 3, 1e4,
                "generator: segments and rings of an open funnel with a wall; see radius, inner_radius, height, wall; "
                "groups inside, mouth, spout"},
          m.funnel);
    visit(Field{"hare", "1", 0, 1000,
                "generator: frequency f of a hare of 20 f^2 triangles, 4 or more, a stand-in for scanned models; see "
                "height"},
          m.hare);
    visit(
        Field{
            "octopus", "1", 0, 250,
            "generator: cells n along the height of an octopus of about 8 n^2 triangles, 24 or more; see height, fill"},
        m.octopus);
}

/// The generators of triangles and lines.
template <class V>
void describe_surfaces(V&& visit, MeshSource& m)
{
    visit(Field{"file", "", 0, 0,
                "path of a file, relative to the scene: OBJ, PLY, STL, OFF; for a solid MSH, TetGen, Medit, VTU"},
          m.file);
    visit(Field{"grid", "1", 2, 1e5, "generator: vertices along x and z of a flat sheet; see size, diagonals"}, m.grid);
    visit(Field{"box", "1", 1, 1e4, "generator: cells along x, y, z of a closed box; see size"}, m.box);
    visit(Field{"icosphere", "1", 0, 9, "generator: subdivisions of an icosahedron; see radius"}, m.icosphere);
    visit(Field{"uv_sphere", "1", 2, 1e4, "generator: segments and rings of a sphere; see radius"}, m.uv_sphere);
    visit(Field{"cylinder", "1", 1, 1e4, "generator: segments and rings of a closed cylinder; see radius, height"},
          m.cylinder);
    visit(Field{"torus", "1", 3, 1e4, "generator: segments around and across a torus; see radius, minor_radius"},
          m.torus);
    visit(
        Field{"lidded_box", "1", 0, 2000,
              "generator: seed 000's box, vertices along a side of its lid; size is width, height, depth; groups lid, "
              "rim, walls, floor"},
        m.lidded_box);
    visit(Field{"disc", "1", 0, 2000,
                "generator: rings of a flat round sheet; see radius, inner_radius; groups centre, rim, inner"},
          m.disc);
    visit(Field{"t_shirt", "1", 0, 2000,
                "generator: columns across the chest of a sewn T-shirt, 8 or more; size is width, height; groups neck, "
                "hem, left_cuff, right_cuff, shoulders, seams"},
          m.t_shirt);
    visit(
        Field{
            "knot_strip", "1", 2, 1e5,
            "generator: vertices along and across a strip of cloth that starts in a loose overhand knot, 128 and 3 or "
            "more; size is length, width, 70 widths or longer; see diagonals; groups first_end, last_end, rim"},
        m.knot_strip);
    describe_props(visit, m);
    visit(Field{"chain", "1", 0, 1e6, "generator: vertices of a straight chain of lines; see from, to"}, m.chain);
}

template <class V>
void describe(V&& visit, MeshSource& m)
{
    describe_surfaces(visit, m);
    visit(Field{"simplex_sphere", "1", 2, 1e5,
                "generator: stages and frequency of seed 004's sphere, 2 f (s - 1)^2 vertices of three neighbours; see "
                "radius"},
          m.simplex_sphere);
    visit(Field{"simplex_cylinder", "1", 1, 1e5,
                "generator: segments and rings of a closed cylinder as a simplex mesh; see radius, height"},
          m.simplex_cylinder);
    visit(Field{"simplex_torus", "1", 3, 1e5,
                "generator: segments around and across a torus as a simplex mesh; see radius, minor_radius"},
          m.simplex_torus);
    visit(Field{"dual", "", 0, 1, "turns a closed triangle mesh into the simplex mesh that is its dual"}, m.dual);
    visit(Field{"tet_block", "1", 1, 1e4, "solid, generator: cells along x, y, z of a block; see size, cut"},
          m.tet_block);
    visit(Field{"tet_ball", "1", 0, 1e3, "solid, generator: shells of a ball; see radius"}, m.tet_ball);
    visit(Field{"tet_cylinder", "1", 1, 1e4,
                "solid, generator: sides, rings and layers of a cylinder; see radius, height"},
          m.tet_cylinder);
    visit(Field{"tet_torus", "1", 1, 1e4,
                "solid, generator: sections, sides and rings of a torus; see radius, minor_radius"},
          m.tet_torus);
    visit(Field{"cut", "", 0, 0, "how the cells of a tet_block are cut"}, m.cut);
    visit(Field{"fill", "m", 0, 1e9, "solid: edge length of the tetrahedra that fill a closed surface"}, m.fill);
    visit(Field{"size", "m", 1e-9, 1e9,
                "edge lengths of grid or knot_strip (two), box, lidded_box or tet_block (three); of a t_shirt (two), "
                "table or stairs (three)"},
          m.size);
    visit(Field{"radius", "m", 1e-9, 1e9, "of spheres, cylinder, torus, disc and bottle; of a funnel's mouth, inside"},
          m.radius);
    visit(Field{"height", "m", 1e-9, 1e9, "of a cylinder, bottle, funnel, hare or octopus"}, m.height);
    visit(Field{"minor_radius", "m", 1e-9, 1e9, "of a torus' tube"}, m.minor_radius);
    visit(Field{"inner_radius", "m", 0, 1e9,
                "of the group inner in the middle of a disc, 0 makes none; of a funnel's spout, inside, 0 takes a "
                "fifth of radius"},
          m.inner_radius);
    visit(Field{"leg_radius", "m", 0, 1e9, "of a table's legs; 0 takes 1/30 of its shorter side"}, m.leg_radius);
    visit(Field{"board", "m", 0, 1e9, "thickness of a table's board; 0 takes 1/25 of its height"}, m.board);
    visit(Field{"wall", "m", 0, 1e9, "thickness of a funnel's wall; 0 takes a twentieth of radius"}, m.wall);
    visit(Field{"diagonals", "", 0, 0,
                "how the quads of a grid or knot_strip are split; cross puts a vertex in the middle of each, four "
                "triangles around it"},
          m.diagonals);
    visit(Field{"from", "m", -1e9, 1e9, "first vertex of a chain"}, m.from);
    visit(Field{"to", "m", -1e9, 1e9, "last vertex of a chain"}, m.to);
    visit(Field{"vertices", "m", -1e9, 1e9, "vertices written in the scene"}, m.vertices);
    visit(Field{"triangles", "1", 0, 2e9, "corner indices of triangles written in the scene"}, m.triangles);
    visit(Field{"lines", "1", 0, 2e9, "end indices of lines written in the scene"}, m.lines);
    visit(Field{"scale", "1", 1e-9, 1e9, "factor on all coordinates; 0.01 for a file in centimetres"}, m.scale);
    visit(Field{"rotate_axis", "1", -1, 1, "axis of rotation, after scaling"}, m.rotate_axis);
    visit(Field{"rotate_degrees", "deg", -3600, 3600, "angle of rotation"}, m.rotate_degrees);
    visit(Field{"translate", "m", -1e9, 1e9, "shift, after rotation"}, m.translate);
    visit(Field{"copies", "1", 1, 1e5, "how often the mesh is there, each copy shifted by spacing from the one before"},
          m.copies);
    visit(Field{"spacing", "m", -1e9, 1e9, "shift from copy to copy, after everything else"}, m.spacing);
}

}  // namespace pliant
