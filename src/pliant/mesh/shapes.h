// SPDX-License-Identifier: MIT
#pragma once

// Meshes of simple shapes.
//
// y is up, x to the right, z towards the viewer; shapes are centred on the origin unless said
// otherwise. Closed shapes face outwards (positive volume). Lengths [m]. Counts and sizes that make
// no shape throw Error with a sentence saying what is possible.

#include <pliant/mesh/simplex_mesh.h>
#include <pliant/mesh/tri_mesh.h>

namespace pliant {

/// Which way the squares of a grid are halved.
///   same: all from (i,j) to (i+1,j+1);  alternating: turned in every other square;
///   cross: both, with a vertex in the middle: four triangles a square.
enum class GridDiagonals { same, alternating, cross };

struct GridOptions {
    GridDiagonals diagonals = GridDiagonals::same;
    bool rim_lines = true;  ///< false leaves out the lines along the four rim edges
};

/// nx by nz vertices in the plane y = 0, facing up; vertex k = j*nx + i, i along x, j along z.
/// Lines: from each vertex in order to its right, then its down (i, j+1) neighbour.
/// With cross, the (nx-1)(nz-1) middles follow in the same order, each joined to its four corners by lines.
/// Groups: left_edge (i = 0), right_edge, back_edge (j = 0), front_edge, rim, corners.
/// Material coordinates: u along x, v along z, from 0 at the first vertex.
TriMesh grid(int nx, int nz, double size_x, double size_z, const GridOptions& = {});

/// Closed cuboid with cells[0] x cells[1] x cells[2] cells on its faces.
/// Groups: left right bottom top back front (x-, x+, y-, y+, z-, z+).
TriMesh box(const Vec3& size, const std::array<int, 3>& cells = {1, 1, 1});

/// Icosahedron whose triangles are cut in four `subdivisions` times: 10*4^s + 2 vertices.
TriMesh icosphere(double radius, int subdivisions);

/// Globe with `segments` meridians and `rings` bands between the poles on the y axis.
/// Groups: top, bottom (the poles).
TriMesh uv_sphere(double radius, int segments, int rings);

/// Round the y axis, `rings` bands high; capped closes it with a fan on either end.
/// Groups: bottom_rim, top_rim.
TriMesh cylinder(double radius, double height, int segments, int rings, bool capped);

/// Round the y axis: distance `major_radius` from the axis to the tube's middle, `minor_radius` of
/// the tube, `major_segments` around the axis, `minor_segments` around the tube.
TriMesh torus(double major_radius, double minor_radius, int major_segments, int minor_segments);

/// The pneumatic box of seeds/000: floor corners at y = 0, lid at y = height a grid of n x n vertices.
/// Vertices 0 .. n*n-1 are the lid (k = j*n + i), then four floor corners (i of k varies first).
/// Watertight: lid, a fan per wall, two floor triangles. Lines: the lid's 2(n-1)(n-2) springs.
/// Groups: lid, rim (of the lid), floor (corners), walls (rim and floor: all that is rigid).
TriMesh lidded_box(int n, double width, double height, double depth);

/// n vertices from one point to another joined by n-1 lines. Groups: start, end, ends.
TriMesh chain(int n, const Vec3& from, const Vec3& to);

/// Flat round cloth in the plane y = 0, facing up: the centre, then ring k of 6k vertices at k/rings of the
/// radius, from +z towards +x; all triangles of a disc have nearly the same area, 6 rings^2 of them.
/// Groups: centre, rim; with inner_radius > 0 also inner, all vertices up to that distance from the centre.
/// Material coordinates: u = x, v = z.
TriMesh disc(double radius, int rings, double inner_radius = 0);

/// T-shirt of two flat panels sewn along shoulders, sleeves and sides (seams share vertices), open at neck,
/// hem and cuffs; upright, hem at y = 0, front towards +z. `width` is across the chest, `height` from the hem
/// to the neck's ends, at least 0.8 width; n >= 8 columns across the chest, so triangles have sides of about
/// width/n. The panels bulge apart by width/100 at most, seams stay in the plane z = 0.
/// Groups: neck, hem, left_cuff (x < 0), right_cuff, shoulders, seams (all of them).
/// Material coordinates: u = x, v = y, in which both panels are flat and agree along seams.
TriMesh t_shirt(double width, double height, int n);

/// Strip of columns x rows vertices (128 and 3 at least) that starts laid along a loose overhand knot in the
/// plane z = 0, its width along z, first end to the left (x < 0), last end to the right, loops round the origin below them;
/// vertex k = j*columns + i, diagonals and lines as in a grid. The length is 70 widths or more; then nothing is
/// stretched by as much as one per cent, and parts that pass each other are 0.4 widths apart or more.
/// Groups: first_end, last_end (one column each), rim. Material coordinates: those of the flat strip, u along it.
TriMesh knot_strip(double length, double width, int columns, int rows, GridDiagonals diagonals = GridDiagonals::same);

struct TableOptions {
    double board = 0;       ///< thickness of the top [m]; 0 takes height/25
    double leg_radius = 0;  ///< [m]; 0 takes 1/30 of the shorter side
    int segments = 32;      ///< round a leg
    int rings = 16;         ///< along a leg
};

/// Table of seeds/001 on the floor y = 0: a board, length along x, width along z, with its upper face of
/// two triangles in the plane y = height, on four legs that are closed cylinders, 1/2 radius in from the rim.
/// Five closed shells that touch. Groups: top (four corners), board, legs, feet (lower ends of the legs).
TriMesh table(double length, double width, double height, const TableOptions& = {});

/// Closed bottle round the y axis on the floor y = 0: body, shoulder and neck without a sharp edge, `rings`
/// bands of equal length along the profile from the middle of the bottom to that of the top.
/// Groups: top, bottom (the two middles).
TriMesh bottle(double radius, double height, int segments, int rings);

/// Flight of stairs on the floor y = 0 that climbs to +x: a closed block of `length` along x, `height` and
/// `width` along z whose upper side is `steps` equal horizontal treads. Sides, treads and risers are cut into a
/// lattice of cells as long as a tread, as high as a riser and about as wide as a tread is long.
/// Groups: treads (all their vertices), bottom, back (the upright end at +x).
TriMesh stairs(int steps, double length, double height, double width);

struct FunnelOptions {
    double spout_radius = 0;  ///< of the spout, inside [m]; 0 takes a fifth of the mouth's
    double wall = 0;          ///< thickness [m]; 0 takes a twentieth of the mouth's radius
    int segments = 48;        ///< round the axis
    int rings = 32;           ///< bands along the wall, inside and outside alike
};

/// Open funnel round the y axis on the floor y = 0: a spout, a cone that widens to the mouth at the top, radius
/// `radius` inside, one wall of constant thickness. Lines and arcs without a corner between them, rims are half circles
/// of six bands. Closed as a torus is. Groups: inside (the inner wall, from rim to rim), mouth, spout (top and bottom
/// circle).
TriMesh funnel(double radius, double height, const FunnelOptions& = {});

/// An octopus with a mantle, a head and eight arms that taper and curl on the floor, `height` high, on the floor y = 0:
/// the zero of one smooth function, cut by a lattice of `resolution` cells (24 or more) along its height. 40 gives some
/// 12 000 triangles. Closed, without handles and self-intersections, angles of 18 degrees and more.
TriMesh octopus(int resolution, double height);

/// A crouching hare with body, head, two ears and a tail, `height` high, on the floor y = 0, looking to +x:
/// a stand-in for scanned models. Triangles of an icosahedron cut at `frequency`: 20 f^2 triangles, 10 f^2 + 2
/// vertices; 22 gives 9680 triangles, with angles of 20 degrees and more. Closed and star-shaped, hence without
/// self-intersections.
TriMesh hare(int frequency, double height);

/// Sphere of seeds/004, dual of a bipyramid of `frequency` sides whose triangles are cut at frequency
/// stages - 1, evenly while flat. With f sides and s stages: 2 f (s-1)^2 vertices, all on the sphere, from
/// the bottom up; f (s-1)^2 + 2 faces: f-gons at the poles (y axis), f quadrilaterals on the
/// equator, the rest hexagons. (4, 3) has 54 vertices, (7, 5) 360, (10, 8) 1296, (27, 8) 10816.
SimplexMesh simplex_sphere(double radius, int stages, int frequency);

/// Closed cylinder round the y axis, all vertices on its wall, `segments` faces around and `rings` faces
/// high. 2 segments rings vertices; segments rings + 2 faces: a polygon of `segments` corners at each end,
/// a ring of pentagons next to it, the rest hexagons (one ring alone is a prism of quadrilaterals).
SimplexMesh simplex_cylinder(double radius, double height, int segments, int rings);

/// Torus as above of hexagons alone: major_segments minor_segments faces, twice as many vertices.
/// Every row around the axis is half a segment ahead of the one before; with an odd number of rows
/// so little less than half that the last meets the first.
SimplexMesh simplex_torus(double major_radius, double minor_radius, int major_segments, int minor_segments);

}  // namespace pliant
