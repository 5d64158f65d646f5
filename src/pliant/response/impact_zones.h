// SPDX-License-Identifier: MIT
#pragma once

// Rigid impact zones: what impulses cannot part moves as one rigid body for a step.
//
// A zone keeps linear and angular momentum of its members. Members move along straight ways from the start of the step
// to a rotated and shifted copy of it; in between that is one affine map of all of them, invertible up to half a turn, so
// nothing within a zone can cross. A zone with something held goes where that goes. Zones only grow, so this ends;
// what cannot be done is a zone whose held members go different ways.
// Symbols: x0 start of the step [m], M mass [kg], L angular momentum [kg m^2] (times the step), I inertia [kg m^2].
// References: X. Provot, Collision and self-collision handling in cloth model dedicated to design garments (1997);
// R. Bridson, R. Fedkiw, J. Anderson (2002), section 7.3.

#include <cstdint>
#include <span>
#include <vector>

#include <pliant/contact/surface_search.h>
#include <pliant/model/model.h>
#include <pliant/model/state.h>

namespace pliant {

class ImpactZones {
public:
    /// No zones; members move from `from` to what `to` is now.
    void begin(const State& to, const Model& model, const State& from);

    /// The four points of a meeting, and all that are with them, become one zone; false if they were one already.
    bool join(const Meeting& meeting);
    /// The same for two points.
    bool join(std::int32_t first_point, std::int32_t second_point);
    bool are_together(const Meeting& meeting) const;

    /// Writes the rigid motion of all zones to `to`. Returns a point of a zone that cannot move, or -1.
    std::int32_t move(State& to, double h);

    /// Vertices and frames in zones.
    std::int64_t count() const { return static_cast<std::int64_t>(members_.size()); }
    /// Zone of a point, as one of its members, or -1.
    std::int32_t zone_of(std::int32_t point) const;

private:
    struct Zone {
        double mass = 0;
        Vec3 center, way, velocity;  // sums times mass, then means
        Vec3 spin, spin_rate;        // angular momenta, then rotations
        Mat3 inertia;
        std::int32_t carrier = -1;  // a held member
        bool is_torn = false;       // held members go different ways
    };

    std::int32_t member_of(std::int32_t point) const;
    std::int32_t root(std::int32_t node) const;
    void add_member(std::int32_t node);
    bool is_frame(std::int32_t node) const { return node >= model_->free_count; }
    void sum_masses();
    void sum_moments();
    void find_carriers();
    Vec3 carried_to(const Zone& zone, const Vec3& x) const;
    void move_member(State& to, std::int32_t node, const Zone& zone, double h) const;

    const Model* model_ = nullptr;
    const State* from_ = nullptr;
    std::vector<Vec3> planned_x_, planned_v_;  // #nodes, what members would do
    std::vector<std::int32_t> parent_;         // #nodes, -1: in no zone
    std::vector<std::int32_t> members_;
    std::vector<Zone> zones_;  // #nodes, at roots
};

}  // namespace pliant
