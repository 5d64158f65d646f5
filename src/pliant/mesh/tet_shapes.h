// SPDX-License-Identifier: MIT
#pragma once

// Volume meshes of simple shapes.
//
// y is up, x to the right, z towards the viewer; shapes are centred on the origin. Tetrahedra are
// positive, neighbours share whole faces. Every shape has a group "surface". Lengths [m]. Counts and sizes
// that make no shape throw Error with a sentence saying what is possible.
// Reference: seeds/002 E-101 (block, sphere, cylinder, torus).

#include <pliant/mesh/tet_mesh.h>

namespace pliant {

/// How the cells of a block are cut.
///   six_tets:  each cell in six around its diagonal (Kuhn), all cells alike: any number of cells fits
///              another block, but the mesh prefers one diagonal.
///   five_tets: four corners cut off a regular middle, mirrored in every other cell (i+j+k odd): no preferred
///              diagonal. Along an axis with an even number of cells the mesh is its own mirror image and a
///              copy shifted by its length fits on; with an odd number it does neither.
///   bcc:       a vertex in each cell, four tetrahedra round each axis between neighbouring middles, and the
///              pyramids left at the surface cut in two: the best shapes inside (60 and 90 degrees).
enum class CellCut { six_tets, five_tets, bcc };

/// Cuboid of cells[0] x cells[1] x cells[2] cells with one vertex at each lattice point, x first, then y, then
/// z; the bcc pattern adds the middles of the cells behind them in the same order.
/// Groups: left right bottom top back front (x-, x+, y-, y+, z-, z+), surface.
TetMesh tet_block(const Vec3& size, const std::array<int, 3>& cells, CellCut pattern = CellCut::six_tets);

/// Ball of concentric icosahedral shells: shell k of `shells` has 10 k^2 + 2 vertices at radius k/shells, so
/// there are 20 shells^3 tetrahedra. Vertices from the middle outwards. Groups: core (the middle), surface.
TetMesh tet_ball(double radius, int shells);

/// Cylinder round the y axis in `layers` layers. A section is a polygon of `sides` sides round a vertex on the
/// axis, cut finer in `rings` rings of k*sides vertices, all of them on circles; three tetrahedra for
/// each of its sides*rings^2 triangles and each layer. Sections from the bottom up, each from the axis
/// outwards. Groups: bottom, top, ends (both), core (the axis), surface.
TetMesh tet_cylinder(double radius, double height, int sides, int rings, int layers);

/// Torus round the y axis: `major_radius` from the axis to the tube's middle, `minor_radius` of the tube, a ring
/// of `sections` sections like those of tet_cylinder. 20 sections of 8 sides with one ring are the torus of the
/// thesis: 180 vertices, 480 tetrahedra (seeds/002 section 5). Groups: core (middles of the sections), surface.
TetMesh tet_torus(double major_radius, double minor_radius, int sections = 20, int sides = 8, int rings = 1);

}  // namespace pliant
