// SPDX-License-Identifier: MIT
#pragma once

// Bound points follow their frames; forces on them go to the frames' nodes.

#include <span>

#include <pliant/model/model.h>

namespace pliant {

/// Sets positions, or whatever is as linear in them, of all bound points from their frames.
void place_bound_points(std::span<Vec3> x, const Model&);
/// The same for positions and velocities.
void place_bound_points(std::span<Vec3> x, std::span<Vec3> v, const Model&);

/// Adds the forces on bound points to the nodes of their frames.
void gather_bound_forces(std::span<Vec3> force, const Model&);

/// Adds a force on one bound point to the nodes of its frame.
void add_bound_force(std::span<Vec3> force, const Model&, std::int32_t point, const Vec3& f);

}  // namespace pliant
