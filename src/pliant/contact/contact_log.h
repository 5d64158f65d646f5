// SPDX-License-Identifier: MIT
#pragma once

// What the contact response `bridson` saw and did in one step, kept only where somebody asks for it.
// Reference: seeds/001 C-85..C-98, the displays and iteration meshes of dpoSimulator.

#include <cstdint>
#include <vector>

#include <pliant/base/types.h>
#include <pliant/contact/surface_search.h>

namespace pliant {

/// A crossing that was found, and in which search of the step.
struct LoggedImpact {
    Meeting meeting;
    std::int32_t round = 0;
};

struct ContactLog {
    double time = 0, h = 0;             ///< [s] start and length of the step
    std::vector<SurfacePair> broad;     ///< candidates of the last search
    std::vector<Meeting> near;          ///< at the start of the step
    std::vector<LoggedImpact> impacts;  ///< in order of round, time, key
    std::vector<std::int32_t> zone;     ///< #points: zone that a point was moved with, -1 none; empty without zones
    std::vector<Vec3> start;            ///< #points [m] at the start of the step
    std::vector<Vec3> uncorrected;      ///< #points [m] at its end, before any contact
    std::vector<std::vector<Vec3>>
        rounds;  ///< #points each [m]: repelled, then after each round of impulses, last the end

    void clear()
    {
        time = h = 0;
        broad.clear(), near.clear(), impacts.clear(), zone.clear(), start.clear(), uncorrected.clear();
        rounds.clear();
    }
};

}  // namespace pliant
