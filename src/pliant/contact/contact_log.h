// SPDX-License-Identifier: MIT
#pragma once

// What the contact response `bridson` saw and did in one step, kept only where somebody asks for it.
//
// All of it is in terms of points of the scene, so that it can be read without the surface it came from.
// Reference: seeds/001 C-85..C-98, the displays and iteration meshes of dpoSimulator.

#include <array>
#include <cstdint>
#include <vector>

#include <pliant/base/types.h>
#include <pliant/contact/surface_search.h>
#include <pliant/contact/triangle_trees.h>

namespace pliant {

/// A pair that the broad phase let through: a vertex and the corners of a face, or the ends of two edges.
struct BroadPair {
    PairKind kind = PairKind::vertex_face;
    std::array<std::int32_t, 4> point{};

    friend bool operator==(const BroadPair&, const BroadPair&) = default;
};

/// A crossing that was found, and on the way to which of ContactLog::rounds.
struct LoggedImpact {
    Meeting meeting;
    std::int32_t round = 0;
};

/// A vertex that is near a plane at the start of the step, or ends too near it or behind it.
struct PlaneMeeting {
    std::int32_t point = 0;
    std::int32_t body = 0;   ///< that the plane is
    std::int32_t round = 0;  ///< as of LoggedImpact; -1: near at the start
    Vec3 normal;             ///< unit
    double distance = 0;     ///< [m] at the start of the step
    double time = 0;         ///< [1] share of the step when it comes too near
    double thickness = 0;    ///< [m] of vertex and plane together
};

/// A node of a body's tree at the last search.
struct LoggedBox {
    std::int32_t body = 0;
    TreeBox box;
};

/// Machine time of the step [s], as the stages of base/profile.h.
struct ContactTimes {
    double search = 0, near = 0, hits = 0, rows = 0, zones = 0;
};

struct ContactLog {
    double time = 0, h = 0;             ///< [s] start and length of the step
    SurfaceSearchCounters counters;     ///< of the step
    std::int64_t passes = 0;            ///< sweeps over the contacts, of positions and velocities
    ContactTimes seconds;               ///<
    std::vector<double> reach;          ///< #bodies [m] that boxes are inflated by when they are compared
    std::vector<BroadPair> broad;       ///< candidates of the last search
    std::vector<Meeting> near;          ///< at the start of the step
    std::vector<LoggedImpact> impacts;  ///< in order of round, time, key
    std::vector<PlaneMeeting> planes;   ///< in order of round
    std::vector<LoggedBox> boxes;       ///< by body, parents before children; none unless the broad phase is trees
    std::vector<std::int32_t> zone;     ///< #points: zone that a point was moved with, -1 none; empty without zones
    std::vector<Vec3> start;            ///< #points [m] at the start of the step
    std::vector<Vec3> uncorrected;      ///< #points [m] at its end, before any contact
    std::vector<std::vector<Vec3>>
        rounds;  ///< #points each [m]: repelled, then after each round of impulses or move of zones, last the end

    /// False: nothing has met since the last clear().
    bool is_filled() const { return h > 0; }

    void clear()
    {
        time = h = 0;
        counters = {}, passes = 0, seconds = {};
        reach.clear(), broad.clear(), near.clear(), impacts.clear(), planes.clear(), boxes.clear();
        zone.clear(), start.clear(), uncorrected.clear(), rounds.clear();
    }
};

}  // namespace pliant
