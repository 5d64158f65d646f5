// SPDX-License-Identifier: MIT
#include <pliant/response/bridson_log.h>

namespace pliant {

void BridsonLog::begin(const State& from, const State& to, double h)
{
    if (log_ == nullptr) return;
    log_->clear();
    log_->time = from.time, log_->h = h;
    log_->start = from.x, log_->uncorrected = to.x;
}

void BridsonLog::add_near(std::span<const Meeting> near)
{
    if (log_ != nullptr) log_->near.assign(near.begin(), near.end());
}

void BridsonLog::add_round(const State& to)
{
    if (log_ != nullptr) log_->rounds.push_back(to.x);
}

void BridsonLog::add_impacts(std::span<const Meeting> hits)
{
    if (log_ == nullptr) return;
    for (const Meeting& m : hits) log_->impacts.push_back({m, searched_mesh()});
}

void BridsonLog::add_near_plane(PlaneMeeting meeting)
{
    if (log_ == nullptr) return;
    meeting.round = -1;
    log_->planes.push_back(meeting);
}

void BridsonLog::add_plane_impact(PlaneMeeting meeting)
{
    if (log_ == nullptr) return;
    meeting.round = searched_mesh();
    log_->planes.push_back(meeting);
}

void BridsonLog::add_zones(const ImpactZones& zones, std::size_t points)
{
    if (log_ == nullptr) return;
    log_->zone.resize(points);
    for (std::size_t p = 0; p < points; ++p) log_->zone[p] = zones.zone_of(static_cast<std::int32_t>(p));
}

void BridsonLog::end(const SurfaceSearch& search, const Model& model, const State& from)
{
    if (log_ == nullptr) return;
    log_->reach.assign(search.reach().begin(), search.reach().end());
    if (search.counters().searches == 0) return;
    for (const SurfacePair& pair : search.candidates())
        log_->broad.push_back({pair.kind, pair_nodes(model.contact_surface, pair)});
    if (from.contact.broad_phase != BroadPhase::trees) return;
    for (std::size_t b = 0; b < model.bodies.size(); ++b)
        for (const TreeBox& box : search.trees().boxes(static_cast<std::int32_t>(b)))
            log_->boxes.push_back({static_cast<std::int32_t>(b), box});
}

void BridsonLog::tell_cost(const SurfaceSearchCounters& counters, std::int64_t passes, const Profile& profile)
{
    if (log_ == nullptr) return;
    log_->counters = counters, log_->passes = passes;
    log_->seconds = {.search = profile[Stage::search],
                     .near = profile[Stage::near],
                     .hits = profile[Stage::hits],
                     .rows = profile[Stage::rows],
                     .zones = profile[Stage::zones]};
}

}  // namespace pliant
