// SPDX-License-Identifier: MIT
#pragma once

// The hand that writes a ContactLog while the response `bridson` works; without a log it does nothing.

#include <span>

#include <pliant/base/profile.h>
#include <pliant/contact/contact_log.h>
#include <pliant/model/model.h>
#include <pliant/model/state.h>
#include <pliant/response/impact_zones.h>

namespace pliant {

class BridsonLog {
public:
    explicit BridsonLog(ContactLog* log) : log_(log) {}

    /// Forgets what was there; `to` is the proposal before any contact.
    void begin(const State& from, const State& to, double h);
    void add_near(std::span<const Meeting> near);
    /// Keeps the mesh; what is searched next belongs to it.
    void add_round(const State& to);
    void add_impacts(std::span<const Meeting> hits);
    void add_near_plane(PlaneMeeting meeting);
    void add_plane_impact(PlaneMeeting meeting);
    void add_zones(const ImpactZones& zones, std::size_t points);
    void end(const SurfaceSearch& search, const Model& model, const State& from);
    void tell_cost(const SurfaceSearchCounters& counters, std::int64_t passes, const Profile& profile);

private:
    // Place in rounds of the mesh that is searched now.
    std::int32_t searched_mesh() const { return static_cast<std::int32_t>(log_->rounds.size()) - 1; }

    ContactLog* log_;
};

}  // namespace pliant
