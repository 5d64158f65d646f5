// SPDX-License-Identifier: MIT
#pragma once

// Other engines on the same scene, in the same run. They are optional: CMake takes peers/bullet.cpp where it finds Bullet
// (tools/setup bench), peers/no_bullet.cpp where it does not; their headers are seen nowhere else.

#include <functional>
#include <optional>
#include <span>

#include <pliant/mesh/tri_mesh.h>

#include "bench_cloth.h"

namespace pliant::cli {

/// A sheet that falls on a fixed sphere.
struct PeerDrape {
    TriMesh sheet;                         ///< [m] where it starts
    double mass = 0;                       ///< [kg] of all of it
    Vec3 centre;                           ///< [m] of the sphere
    double radius = 0;                     ///< [m]
    double friction = 0;                   ///< [1] between both
    double thickness = 0;                  ///< [m] of the sheet, half of it on either side
    Vec3 gravity;                          ///< [m/s^2]
    double frame_rate = 60, duration = 2;  ///< [1/s], [s]
    int steps_per_frame = 1, iterations = 10;
    double distance_cell = 0;  ///< [m] of the grid in which the peer keeps distances to the sphere; 0: its own
};

/// Bullet's soft body, positions solver. `after` sees the sheet after every frame. Nothing where Bullet is not installed.
std::optional<FrameTimes> drape_in_bullet(const PeerDrape& drape,
                                          const std::function<void(std::span<const Vec3>)>& after);

}  // namespace pliant::cli
