// SPDX-License-Identifier: MIT
#pragma once

// Edge limits: contacts that stop vertices may not tear the mesh around them apart.
//
// Impulses act on single vertices, a stiff sheet on all around. So no correction may make an edge longer or shorter than
// it was at the start of the step or would have been without contacts, by more than a small share; what would is handed
// on to the neighbours along the edge, between equal and opposite ends, so momentum is kept. The paper limits strain to a
// tenth; this limits what contacts add to it, so that a body that is meant to stretch still does.
// Symbols: x positions [m], m masses [kg].
// Reference: R. Bridson, R. Fedkiw, J. Anderson (2002), section 4.2 (strain limiting); X. Provot (1995).

#include <cstdint>
#include <span>
#include <vector>

#include <pliant/base/types.h>
#include <pliant/model/model.h>
#include <pliant/model/state.h>

namespace pliant {

class EdgeLimits {
public:
    /// Edges of all that deforms in the contact surface.
    void begin(const Model& model, const State& from, std::span<const Vec3> free_x, double share);

    /// Hands corrections on along edges beyond their limits; returns the longest way [m].
    double sweep(State& to);
    /// Ends of edges that were corrected do not go on beyond the limit; returns the largest change [m/s].
    double sweep_velocities(State& to) const;

private:
    struct Limit {
        std::int32_t a = 0, b = 0;
        double shortest = 0, longest = 0;  // [m]
        std::int32_t beyond = 0;           // 1 was too long, -1 too short, 0 never corrected
    };
    bool was_moved(const State& to, const Limit& limit) const
    {
        return to.x[limit.a] != free_x_[limit.a] || to.x[limit.b] != free_x_[limit.b];
    }

    const Model* model_ = nullptr;
    std::span<const Vec3> free_x_;
    std::vector<Limit> limits_;
};

}  // namespace pliant
