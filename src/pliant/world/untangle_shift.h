// SPDX-License-Identifier: MIT
#pragma once

// The last resort for bodies that move as a whole: shifted along an axis until they meet nothing, as little as that takes.
//
// Where pushes that follow contours find no way out, as for a sheet that lies in a block with its rim on the block's, one
// body after the other looks along the six axes: far enough out there always is a free place, at the latest where its box leaves
// those of all others. Of the places tried, 64 an axis, the nearest counts.
// Symbols: x positions [m].

#include <vector>

#include <pliant/audit/intersections.h>
#include <pliant/world/untangle_moves.h>

namespace pliant {

/// Shifts all whole bodies that something other than themselves crosses; tells whether there was any.
bool shift_whole_bodies(std::vector<Vec3>& x, const UntangleTask& task, const UntangleMoves& moves,
                        IntersectionSearch& judge);

}  // namespace pliant
