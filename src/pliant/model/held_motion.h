// SPDX-License-Identifier: MIT
#pragma once

// How held coordinates move: pins and held bodies that are carried, by a velocity, a spin or a path.
//
// Whatever holds, moves its nodes as one rigid thing: pins about the middle of their vertices, deformable bodies about
// their centre of mass, frames about their centre. Velocities (motion, spin) and path add up. A path moves what is held
// by what it itself moves over the step, so something grasped late goes on from where it was grasped.
// Where several hold one node, bodies come before pins and later pins before earlier ones.
// Symbols: r arm from the middle [m], w angular velocity [rad/s]; v = motion + path' + w x r.

#include <span>

#include <pliant/model/model.h>
#include <pliant/model/state.h>

namespace pliant {

/// Which of what is carried: all of it, or only what is not at constant velocity, which every integrator keeps by itself.
enum class CarriedKind { all, accelerated };

/// Whether anything that is held moves.
bool carries(const Model&, const State&, CarriedKind = CarriedKind::all);

/// Velocities of held coordinates at the state's time and positions. What stands still is left alone.
void set_carried_velocities(std::span<Vec3> v, const Model&, const State&);

/// Positions and velocities of held coordinates a time h after `from`.
void carry_held(std::span<Vec3> x, std::span<Vec3> v, const Model&, const State& from, double h, CarriedKind kind);

/// Accelerations of held coordinates at a stage [m/s^2]; overwrites theirs, of free vertices or of frames.
enum class CarriedNodes { free, frames };
void set_carried_accelerations(std::span<Vec3> a, const Model&, const State&, std::span<const Vec3> x, double time,
                               CarriedNodes nodes);

/// The next time at which some path may change its velocity, or infinity.
double next_keyframe_time(const Model&, double time);

/// Whether some path has an end of a leg at exactly this time.
bool is_keyframe_time(const Model&, double time);

}  // namespace pliant
