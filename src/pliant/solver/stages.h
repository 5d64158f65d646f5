// SPDX-License-Identifier: MIT
#pragma once

// What all integrators share: accelerations at a stage, and the end of a step.

#include <cstddef>
#include <span>
#include <vector>

#include <pliant/base/parallel.h>
#include <pliant/model/held.h>
#include <pliant/model/model.h>
#include <pliant/model/report.h>
#include <pliant/model/scratch.h>
#include <pliant/solver/forces.h>

namespace pliant {

inline constexpr std::size_t kNodesPerChunk = 16384;

/// Calls f(i) for every node, in parallel for large models.
template <class F>
void for_each_node(const Model& model, F&& f)
{
    parallel_for(model.node_count(), kNodesPerChunk, [&](std::size_t begin, std::size_t end, std::size_t) {
        for (std::size_t i = begin; i < end; ++i) f(i);
    });
}

/// An array of vectors as the 3n numbers it is.
inline double* flat(std::vector<Vec3>& values)
{
    return reinterpret_cast<double*>(values.data());
}
inline const double* flat(const std::vector<Vec3>& values)
{
    return reinterpret_cast<const double*>(values.data());
}

/// The refusal of a step in which some cavity has no positive volume.
Attempt inverted(const Model&, const ForceSum&);

/// Turns scratch.force into accelerations in place: free nodes by their mass, frames by rigid motion;
/// held coordinates as they are carried, constraints are obeyed. `release_held` is seed 000's W8: held nodes drift inside stages.
void accelerations(Scratch&, const Model&, const State& from, std::span<const Vec3> x, std::span<const Vec3> v,
                   bool release_held = false);

/// Lists the free vertices with a held coordinate, for accelerations().
void list_held(Scratch&, const Model&, const State&);

/// The same for frames alone.
void frame_accelerations(Scratch&, const Model&, const State& from, std::span<const Vec3> x, std::span<const Vec3> v);

/// Points that follow others are placed where stages need them.
void place_stage(State& to, const Model&);

/// Frames rigid again, held coordinates where paths and spins bring them, bound points placed, clock and step counter.
void finish(State& to, const Model&, const State& from, double h);

}  // namespace pliant
