// SPDX-License-Identifier: MIT
#include <pliant/contact/surface_search.h>

#include <algorithm>
#include <cmath>

#include <pliant/base/parallel.h>
#include <pliant/contact/brute_force_pairs.h>
#include <pliant/contact/ccd.h>
#include <pliant/contact/distance.h>
#include <pliant/contact/thesis_cubic.h>

namespace pliant {

namespace {

// Ends of ways may move by this share of half a thickness before candidates are found anew.
constexpr double kSlack = 0.5;
static_assert(1 + kSlack >= kNear, "candidates hold all that is near");
constexpr std::size_t kPairsPerChunk = 512;

std::array<Vec3, 4> gather(std::span<const Vec3> x, const std::array<std::int32_t, 4>& point)
{
    return {x[point[0]], x[point[1]], x[point[2]], x[point[3]]};
}

void place(Meeting& m, const PairDistance& d)
{
    m.weight = d.weight;
    m.distance = std::sqrt(d.distance2);
    m.normal = m.distance > 0 ? d.apart / m.distance : Vec3{};
}

// Elements that lie on each other have no direction apart: that of the face, or across both edges, on the side where the
// first element began.
void place_touching(Meeting& m, const std::array<Vec3, 4>& x, const std::array<Vec3, 4>& start)
{
    const Vec3 across =
        m.pair.kind == PairKind::vertex_face ? cross(x[2] - x[1], x[3] - x[1]) : cross(x[1] - x[0], x[3] - x[2]);
    const double length = norm(across);
    m.normal = length > 0 ? across / length : Vec3{0, 1, 0};
    Vec3 apart;
    for (std::size_t i = 0; i < 4; ++i) apart += start[i] * m.weight[i];
    if (dot(apart, m.normal) < 0) m.normal = -m.normal;
}

}  // namespace

SurfaceSearch::SurfaceSearch(const CollisionSurface& surface, std::span<const Vec3> x)
    : surface_(surface)
    , trees_(surface, x)
    , body_of_point_(surface.node_count(), -1)
    , found_(kMaxChunks)
{
    for (std::size_t v = 0; v < surface.vertices.size(); ++v)
        body_of_point_[surface.vertices[v]] = surface.vertex_body[v];
}

void SurfaceSearch::begin_step(const SurfaceBodies& bodies, BroadPhase broad_phase, CrossingSearch crossings)
{
    bodies_ = bodies;
    broad_phase_ = broad_phase, crossings_ = crossings;
    reach_.resize(bodies.half.size());
    for (std::size_t b = 0; b < reach_.size(); ++b) reach_[b] = (1 + kSlack) * bodies.half[b];
    planned_.clear();
    counters_ = {};
    profile_ = {};
}

bool SurfaceSearch::serves(std::span<const Vec3> x1) const
{
    if (planned_.size() != x1.size()) return false;
    for (const std::int32_t p : surface_.vertices) {
        const double slack = kSlack * bodies_.half[body_of_point_[p]];
        if (!(norm2(x1[p] - planned_[p]) <= slack * slack)) return false;
    }
    return true;
}

void SurfaceSearch::find_candidates(std::span<const Vec3> x0, std::span<const Vec3> x1)
{
    StageTimer timer(profile_, Stage::search);
    if (serves(x1)) return;
    planned_.assign(x1.begin(), x1.end());
    ++counters_.searches;
    const PairSearch search{
        .x0 = x0, .x1 = x1, .reach = reach_, .meets_self = bodies_.meets_self, .is_fixed = bodies_.is_fixed};
    SearchCounters found;
    if (broad_phase_ == BroadPhase::trees)
        found = trees_.find(candidates_, search);
    else if (broad_phase_ == BroadPhase::hash) {
        if (!hash_) hash_ = std::make_unique<SpatialHash>(surface_);
        found = hash_->find(candidates_, search);
    } else
        found = find_by_brute_force(candidates_, surface_, search);
    counters_.box_tests += found.box_tests;
    counters_.candidates += static_cast<std::int64_t>(candidates_.size());
}

Meeting SurfaceSearch::meeting(const SurfacePair& pair) const
{
    Meeting m{.pair = pair, .point = pair_nodes(surface_, pair)};
    const bool is_face = pair.kind == PairKind::vertex_face;
    const std::int32_t a = is_face ? surface_.vertex_body[pair.a] : surface_.edge_body[pair.a];
    const std::int32_t b = is_face ? surface_.face_body[pair.b] : surface_.edge_body[pair.b];
    m.thickness = bodies_.half[a] + bodies_.half[b];
    return m;
}

// Chunks write what they keep to lists of their own, which are joined in order.
template <class Keep>
void SurfaceSearch::collect(std::vector<Meeting>& found, Keep&& keep)
{
    for (auto& chunk : found_) chunk.clear();
    parallel_for(candidates_.size(), kPairsPerChunk, [&](std::size_t begin, std::size_t end, std::size_t chunk) {
        for (std::size_t i = begin; i < end; ++i) {
            Meeting m = meeting(candidates_[i]);
            if (keep(m)) found_[chunk].push_back(m);
        }
    });
    found.clear();
    for (const auto& chunk : found_) found.insert(found.end(), chunk.begin(), chunk.end());
}

void SurfaceSearch::find_near(std::vector<Meeting>& near, std::span<const Vec3> x0, std::span<const Vec3> x1)
{
    find_candidates(x0, x1);
    StageTimer timer(profile_, Stage::near);
    collect(near, [&](Meeting& m) {
        const auto x = gather(x0, m.point);
        const PairDistance d = pair_distance(m.pair.kind, x);
        const double most = kNear * m.thickness;
        if (!(d.distance2 < most * most)) return false;
        if (m.pair.kind == PairKind::edge_edge && !d.interior) return false;
        place(m, d);
        if (m.distance == 0) place_touching(m, x, x);
        m.start_distance = m.distance;
        return true;
    });
    std::sort(near.begin(), near.end(), [](const Meeting& a, const Meeting& b) { return a.pair.key() < b.pair.key(); });
    counters_.near +=
        std::count_if(near.begin(), near.end(), [](const Meeting& m) { return m.distance < m.thickness; });
}

void SurfaceSearch::find_hits(std::vector<Meeting>& hits, std::span<const Vec3> x0, std::span<const Vec3> x1)
{
    find_candidates(x0, x1);
    StageTimer timer(profile_, Stage::hits);
    collect(hits, [&](Meeting& m) {
        const PairPath path{.x0 = gather(x0, m.point), .x1 = gather(x1, m.point)};
        const auto time = crossings_ == CrossingSearch::conservative
                              ? time_of_impact(m.pair.kind, path, kSeparation * m.thickness)
                              : thesis_time_of_impact(m.pair.kind, path);
        if (!time) return false;
        m.time = *time;
        m.start_distance = std::sqrt(pair_distance(m.pair.kind, path.x0).distance2);
        std::array<Vec3, 4> then;
        for (std::size_t i = 0; i < 4; ++i) then[i] = path.x0[i] + (path.x1[i] - path.x0[i]) * m.time;
        place(m, pair_distance(m.pair.kind, then));
        // At a root of the cubic they lie on each other but for rounding, which is no direction.
        if (m.distance == 0 || crossings_ == CrossingSearch::thesis_cubic) place_touching(m, then, path.x0);
        return true;
    });
    std::sort(hits.begin(), hits.end(), [](const Meeting& a, const Meeting& b) {
        return a.time != b.time ? a.time < b.time : a.pair.key() < b.pair.key();
    });
    counters_.hits += static_cast<std::int64_t>(hits.size());
}

}  // namespace pliant
