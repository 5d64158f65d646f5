// SPDX-License-Identifier: MIT
#pragma once

// What the measurements of contact share: sheets in known shapes at both ends of a step, with no simulation behind them.

#include <array>
#include <string_view>
#include <vector>

#include <pliant/contact/surface_search.h>

namespace pliant::cli {

/// How a square sheet lies. All shapes keep lengths, so that edges are alike in all.
///   flat:    nothing near but neighbours in the mesh
///   pleated: meanders whose loops nearly touch at their necks, as in cloth that is thrown down
///   rolled:  a carpet, every vertex within the thickness of the next turn
///   stacked: ten sheets upon each other, as near
enum class SheetShape : std::int32_t { flat, pleated, rolled, stacked };
constexpr std::array<std::string_view, 4> enum_names(SheetShape)
{
    return {"flat", "pleated", "rolled", "stacked"};
}

/// Surfaces at both ends of a step of 1/240 s. Edges of 10 mm, 3 mm thick, falling at 2 m/s.
struct MovingSheets {
    CollisionSurface surface;
    std::vector<Vec3> x0, x1;        ///< #points [m]
    std::vector<double> half;        ///< #bodies [m]
    std::vector<std::uint8_t> self;  ///< #bodies: 1, they meet themselves
    std::vector<std::uint8_t> held;  ///< #bodies: 0, they move

    SurfaceBodies bodies() const { return {half, self, held}; }
};

/// [m] What resting cloth moves by in such a step while it settles.
inline constexpr double kSettling = 0.0005;

/// About so many triangles. `wave` [m] is how far vertices move besides falling, each its own way.
MovingSheets moving_sheets(SheetShape shape, double triangles, double wave = kSettling);

}  // namespace pliant::cli
