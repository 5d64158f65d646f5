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

// Whether the boxes of both elements tell that they are farther apart.
bool are_farther(PairKind kind, const std::array<Vec3, 4>& x, double most)
{
    const bool is_face = kind == PairKind::vertex_face;
    for (int k = 0; k < 3; ++k) {
        const double low_a = is_face ? x[0][k] : std::min(x[0][k], x[1][k]);
        const double high_a = is_face ? x[0][k] : std::max(x[0][k], x[1][k]);
        const double low_b = is_face ? std::min({x[1][k], x[2][k], x[3][k]}) : std::min(x[2][k], x[3][k]);
        const double high_b = is_face ? std::max({x[1][k], x[2][k], x[3][k]}) : std::max(x[2][k], x[3][k]);
        if (low_a - high_b > most || low_b - high_a > most) return true;
    }
    return false;
}

// Whether the plane across the direction between their middles tells that. On a surface it tells most of what boxes of
// slanted neighbours cannot.
bool are_farther_along(PairKind kind, const std::array<Vec3, 4>& x, double most)
{
    const bool is_face = kind == PairKind::vertex_face;
    const Vec3 b = x[1] - x[0], c = x[2] - x[0], d = x[3] - x[0], direction = is_face ? -(b + c + d) : b - c - d;
    const double to_b = dot(b, direction), farthest = std::max(dot(c, direction), dot(d, direction));
    const double gap = is_face ? -std::max(to_b, farthest) : std::min(0.0, to_b) - farthest;
    return gap > 0 && gap * gap > most * most * norm2(direction);
}

void place(Meeting& m, const PairDistance& d)
{
    m.weight = d.weight;
    m.distance = std::sqrt(d.distance2);
    m.normal = m.distance > 0 ? d.apart / m.distance : Vec3{};
}

// [1] How far a direction may lean towards a face, as a cosine, and still count as across its border.
constexpr double kLean = 1e-6;

bool leans(const Vec3& towards, const Vec3& along)
{
    const double part = dot(towards, along);
    return part > 0 && part * part > kLean * kLean * norm2(towards) * norm2(along);
}

bool has_any(const Triangle& face, std::span<const std::int32_t> points)
{
    return std::any_of(points.begin(), points.end(),
                       [&](std::int32_t p) { return p == face[0] || p == face[1] || p == face[2]; });
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
    , kept_(kMaxChunks)
    , found_(kMaxChunks)
    , stops_(kMaxChunks)
{
    for (std::size_t v = 0; v < surface.vertices.size(); ++v)
        body_of_point_[surface.vertices[v]] = surface.vertex_body[v];
    std::vector<std::array<std::int32_t, 2>> steps;
    for (const Edge& e : surface.edges) steps.push_back({e[0], e[1]}), steps.push_back({e[1], e[0]});
    std::sort(steps.begin(), steps.end());
    ring_begin_.assign(surface.node_count() + 1, 0);
    for (const auto& [from, to] : steps) ++ring_begin_[static_cast<std::size_t>(from) + 1], ring_.push_back(to);
    for (std::size_t p = 0; p < surface.node_count(); ++p) ring_begin_[p + 1] += ring_begin_[p];
    fan_begin_.assign(surface.node_count() + 1, 0);
    for (const Triangle& face : surface.faces)
        for (const std::int32_t p : face) ++fan_begin_[static_cast<std::size_t>(p) + 1];
    for (std::size_t p = 0; p < surface.node_count(); ++p) fan_begin_[p + 1] += fan_begin_[p];
    fan_.resize(fan_begin_.back());
    std::vector<std::size_t> next(fan_begin_.begin(), fan_begin_.end() - 1);
    for (std::size_t f = 0; f < surface.faces.size(); ++f)
        for (const std::int32_t p : surface.faces[f]) fan_[next[p]++] = static_cast<std::int32_t>(f);
}

// Whether a face at the edge is nearer to what lies in direction `towards` than the edge is.
bool SurfaceSearch::is_over_face(std::span<const Vec3> x, std::int32_t edge, const Vec3& towards,
                                 std::span<const std::int32_t> others) const
{
    const auto [p, q] = surface_.edges[edge];
    const Vec3 along = x[q] - x[p];
    for (const std::int32_t f : surface_.edge_face[edge]) {
        if (f < 0 || has_any(surface_.faces[f], others)) continue;
        for (const std::int32_t corner : surface_.faces[f])
            if (corner != p && corner != q) {
                const Vec3 into = x[corner] - x[p];
                if (leans(towards, into - along * (dot(into, along) / norm2(along)))) return true;
            }
    }
    return false;
}

// The same for the edges at a corner.
bool SurfaceSearch::is_over_edge(std::span<const Vec3> x, std::int32_t corner, const Vec3& towards,
                                 std::int32_t other) const
{
    for (std::size_t i = ring_begin_[corner]; i < ring_begin_[static_cast<std::size_t>(corner) + 1]; ++i)
        if (ring_[i] != other && leans(towards, x[ring_[i]] - x[corner])) return true;
    return false;
}

// Whether a vertex is nearer to a neighbour of the face: then that pair speaks for it. This one's direction would lean, as if
// there were a bump at each edge of a flat surface.
bool SurfaceSearch::is_seen_nearer(const Meeting& m, std::span<const Vec3> x, const PairDistance& d) const
{
    std::array<std::int32_t, 3> on{};
    std::size_t count = 0;
    for (std::size_t k = 1; k < 4; ++k)
        if (d.weight[k] != 0) on[count++] = m.point[k];
    if (count == 3) return false;
    if (count == 1) return is_over_edge(x, on[0], d.apart, m.point[0]);
    const Edge ends = on[0] < on[1] ? Edge{on[0], on[1]} : Edge{on[1], on[0]};
    const auto at = std::lower_bound(surface_.edges.begin(), surface_.edges.end(), ends);
    return is_over_face(x, static_cast<std::int32_t>(at - surface_.edges.begin()), d.apart,
                        std::span(m.point).first(1));
}

// The direction from an edge to what is near it, without what leans over a face of the edge: across a flat surface only
// its normal is left. In a valley both faces lean, and the direction is as good as any.
Vec3 SurfaceSearch::upright(std::span<const Vec3> x, std::int32_t edge, const Vec3& towards) const
{
    const auto [p, q] = surface_.edges[edge];
    const Vec3 along = x[q] - x[p];
    Vec3 over;
    int leaning = 0;
    for (const std::int32_t f : surface_.edge_face[edge]) {
        if (f < 0) continue;
        for (const std::int32_t corner : surface_.faces[f])
            if (corner != p && corner != q) {
                const Vec3 into = x[corner] - x[p], across = into - along * (dot(into, along) / norm2(along));
                if (leans(towards, across)) over = across, ++leaning;
            }
    }
    return leaning == 1 ? towards - over * (dot(towards, over) / norm2(over)) : towards;
}

// Whether an edge only divides a plane, exactly: an edge of something rigid. What lies over it is over one of its faces.
bool SurfaceSearch::divides_plane(std::span<const Vec3> x, std::int32_t edge) const
{
    constexpr double kFlat = 1e-9;
    const auto [f, g] = surface_.edge_face[edge];
    if (f < 0 || g < 0) return false;
    const auto normal = [&](const Triangle& t) { return cross(x[t[1]] - x[t[0]], x[t[2]] - x[t[0]]); };
    const Vec3 n = normal(surface_.faces[f]), m = normal(surface_.faces[g]);
    return dot(n, m) > 0 && norm2(cross(n, m)) < kFlat * kFlat * norm2(n) * norm2(m);
}

// Puts the normal of two edges upright on both; false where that leaves next to nothing of it, or where vertices see the
// place as well: over an edge within a plane, or where both run side by side.
bool SurfaceSearch::straighten(Meeting& m, std::span<const Vec3> x) const
{
    if (divides_plane(x, m.pair.a) || divides_plane(x, m.pair.b)) return false;
    constexpr double kLeast = 0.1, kSideBySide = 0.5;
    const Vec3 n = -upright(x, m.pair.a, -upright(x, m.pair.b, m.normal));
    const double length = norm(n);
    if (!(length > kLeast)) return false;
    const Vec3 a = x[m.point[1]] - x[m.point[0]], b = x[m.point[3]] - x[m.point[2]];
    const bool side_by_side = norm2(cross(a, b)) < kSideBySide * kSideBySide * norm2(a) * norm2(b);
    if (side_by_side && n != m.normal) return false;
    m.normal = n / length;
    return true;
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

// All of the way that candidates were looked for on is as good as its end, if everything is at the same time of it. Then
// that is where they are planned for.
bool SurfaceSearch::serves_on_way(std::span<const Vec3> x)
{
    if (serves(x)) return true;
    if (planned_.size() != x.size()) return false;
    double along = 0, length2 = 0;
    for (const std::int32_t p : surface_.vertices)
        along += dot(planned_[p] - x[p], planned_way_[p]), length2 += norm2(planned_way_[p]);
    const double back = along / length2;
    if (!(back >= 0 && back <= 1)) return false;
    for (const std::int32_t p : surface_.vertices) {
        const double slack = kSlack * bodies_.half[body_of_point_[p]];
        if (!(norm2(x[p] + planned_way_[p] * back - planned_[p]) <= slack * slack)) return false;
    }
    for (const std::int32_t p : surface_.vertices) {
        planned_[p] = planned_[p] - planned_way_[p] * back;
        planned_way_[p] = planned_way_[p] * (1 - back);
    }
    return true;
}

void SurfaceSearch::find_candidates(std::span<const Vec3> x0, std::span<const Vec3> x1)
{
    StageTimer timer(profile_, Stage::search);
    if (!serves(x1)) search_candidates(x0, x1);
}

// The same for ways that may begin anywhere near where the candidates were looked for.
void SurfaceSearch::find_candidates_around(std::span<const Vec3> x0, std::span<const Vec3> x1)
{
    StageTimer timer(profile_, Stage::search);
    if (serves_on_way(x0) && (x0.data() == x1.data() || serves(x1))) return;
    search_candidates(x0, x1);
    prune_candidates(x0, x1);
}

// Boxes of neighbours in a mesh always overlap. Their distance tells more: it can shrink by no more than the largest
// difference of two ways of theirs. What is left serves for many looks.
void SurfaceSearch::prune_candidates(std::span<const Vec3> x0, std::span<const Vec3> x1)
{
    for (auto& chunk : kept_) chunk.clear();
    parallel_for(candidates_.size(), kPairsPerChunk, [&](std::size_t begin, std::size_t end, std::size_t chunk) {
        for (std::size_t i = begin; i < end; ++i) {
            const SurfacePair& pair = candidates_[i];
            const Candidate c{pair, pair_nodes(surface_, pair), pair_thickness(pair)};
            const auto at = gather(x0, c.point), end_at = gather(x1, c.point);
            const std::size_t middle = pair.kind == PairKind::vertex_face ? 1 : 2;
            double apart2 = 0;
            for (std::size_t a = 0; a < middle; ++a)
                for (std::size_t b = middle; b < 4; ++b)
                    apart2 = std::max(apart2, norm2((end_at[a] - at[a]) - (end_at[b] - at[b])));
            const double most = ((1 + kSlack) * c.thickness + std::sqrt(apart2)) * (1 + 1e-9);
            if (are_farther_along(pair.kind, at, most) || pair_distance(pair.kind, at).distance2 > most * most)
                continue;
            kept_[chunk].push_back(c);
        }
    });
    pruned_.clear();
    for (const auto& chunk : kept_) pruned_.insert(pruned_.end(), chunk.begin(), chunk.end());
}

void SurfaceSearch::search_candidates(std::span<const Vec3> x0, std::span<const Vec3> x1)
{
    planned_.assign(x1.begin(), x1.end());
    planned_way_.resize(x1.size());
    for (std::size_t p = 0; p < x1.size(); ++p) planned_way_[p] = x1[p] - x0[p];
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

double SurfaceSearch::pair_thickness(const SurfacePair& pair) const
{
    const bool is_face = pair.kind == PairKind::vertex_face;
    const std::int32_t a = is_face ? surface_.vertex_body[pair.a] : surface_.edge_body[pair.a];
    const std::int32_t b = is_face ? surface_.face_body[pair.b] : surface_.edge_body[pair.b];
    return bodies_.half[a] + bodies_.half[b];
}

Meeting SurfaceSearch::meeting(const SurfacePair& pair) const
{
    Meeting m{.pair = pair, .point = pair_nodes(surface_, pair)};
    m.thickness = pair_thickness(pair);
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
        const double most = kNear * m.thickness;
        if (are_farther(m.pair.kind, x, most)) return false;
        const PairDistance d = pair_distance(m.pair.kind, x);
        if (!(d.distance2 < most * most)) return false;
        const bool are_edges = m.pair.kind == PairKind::edge_edge;
        if (are_edges ? !d.interior : is_seen_nearer(m, x0, d)) return false;
        place(m, d);
        if (m.distance == 0) place_touching(m, x, x);
        m.start_distance = m.distance;
        return !are_edges || straighten(m, x0);
    });
    std::sort(near.begin(), near.end(), [](const Meeting& a, const Meeting& b) { return a.pair.key() < b.pair.key(); });
    counters_.near +=
        std::count_if(near.begin(), near.end(), [](const Meeting& m) { return m.distance < m.thickness; });
}

void SurfaceSearch::go_on(const SurfaceBodies& bodies, BroadPhase broad_phase)
{
    kept_flags_.clear();
    kept_flags_.insert(kept_flags_.end(), bodies.meets_self.begin(), bodies.meets_self.end());
    kept_flags_.insert(kept_flags_.end(), bodies.is_fixed.begin(), bodies.is_fixed.end());
    if (!std::equal(half_.begin(), half_.end(), bodies.half.begin(), bodies.half.end()) || kept_flags_ != flags_ ||
        broad_phase != broad_phase_)
        planned_.clear();
    bodies_ = bodies, broad_phase_ = broad_phase;
    half_.assign(bodies.half.begin(), bodies.half.end());
    flags_ = kept_flags_;
    reach_.resize(bodies.half.size());
    for (std::size_t b = 0; b < reach_.size(); ++b) reach_[b] = (1 + kSlack) * bodies.half[b];
    insisting_.clear();
    expected_.clear();
    counters_ = {};
    profile_ = {};
}

// Several faces see a vertex over the edge or corner that they share: the first of them counts it. Where an edge at the
// vertex leans towards the place, that edge sees it nearer; of two corners the lower one sees the other.
bool SurfaceSearch::speaks_for_place(const Meeting& m, std::span<const Vec3> x, const PairDistance& d) const
{
    std::array<std::int32_t, 3> on{};
    std::size_t count = 0;
    for (std::size_t k = 1; k < 4; ++k)
        if (d.weight[k] != 0) on[count++] = m.point[k];
    if (count == 3 || count == 0) return true;
    if (is_over_edge(x, m.point[0], -d.apart, -1)) return false;
    if (count == 1 && m.point[0] > on[0]) return false;
    for (std::size_t i = fan_begin_[on[0]]; i < fan_begin_[static_cast<std::size_t>(on[0]) + 1]; ++i) {
        const Triangle& face = surface_.faces[fan_[i]];
        if (has_any(face, std::span(m.point).first(1)) || !has_any(face, std::span(on).subspan(count - 1, 1))) continue;
        return fan_[i] == m.pair.b;
    }
    return true;
}

// Whether a pair is the one that speaks for its place, or insists.
bool SurfaceSearch::counts(const Meeting& m, std::span<const Vec3> x, const PairDistance& d) const
{
    if (m.pair.kind == PairKind::edge_edge ? d.interior && !divides_plane(x, m.pair.a) && !divides_plane(x, m.pair.b)
                                           : !is_seen_nearer(m, x, d) && speaks_for_place(m, x, d))
        return true;
    return !insisting_.empty() && std::binary_search(insisting_.begin(), insisting_.end(), m.pair.key());
}

void SurfaceSearch::find_touching(std::vector<Meeting>& touching, std::span<const Vec3> x)
{
    find_candidates_around(x, x);
    StageTimer timer(profile_, Stage::near);
    for (auto& chunk : found_) chunk.clear();
    parallel_for(pruned_.size(), kPairsPerChunk, [&](std::size_t begin, std::size_t end, std::size_t chunk) {
        for (std::size_t i = begin; i < end; ++i) {
            const Candidate& c = pruned_[i];
            const auto at = gather(x, c.point);
            if (are_farther(c.pair.kind, at, c.thickness)) continue;
            const PairDistance d = pair_distance(c.pair.kind, at);
            if (!(d.distance2 < c.thickness * c.thickness)) continue;
            Meeting m{.pair = c.pair, .point = c.point};
            if (!counts(m, x, d)) continue;
            place(m, d);
            if (m.distance == 0) place_touching(m, at, at);
            m.start_distance = m.distance, m.thickness = c.thickness;
            found_[chunk].push_back(m);
        }
    });
    touching.clear();
    for (const auto& chunk : found_) touching.insert(touching.end(), chunk.begin(), chunk.end());
    std::sort(touching.begin(), touching.end(),
              [](const Meeting& a, const Meeting& b) { return a.pair.key() < b.pair.key(); });
    counters_.near = static_cast<std::int64_t>(touching.size());
}

double SurfaceSearch::safe_share(std::span<const Vec3> x0, std::span<const Vec3> x1)
{
    find_candidates_around(x0, x1);
    StageTimer timer(profile_, Stage::hits);
    for (auto& chunk : stops_) chunk.clear();
    parallel_for(pruned_.size(), kPairsPerChunk, [&](std::size_t begin, std::size_t end, std::size_t chunk) {
        for (std::size_t i = begin; i < end; ++i) {
            const Candidate& c = pruned_[i];
            const PairPath path{.x0 = gather(x0, c.point), .x1 = gather(x1, c.point)};
            const auto time = time_of_impact(c.pair.kind, path, safe_gap(c.thickness));
            if (time && *time < 1) stops_[chunk].push_back({*time, c.pair.key()});
        }
    });
    double share = 1;
    for (const auto& chunk : stops_)
        for (const Stop& stop : chunk) share = std::min(share, stop.share);
    if (share < 1) note_stops(share);
    counters_.hits += share < 1 ? 1 : 0;
    return share;
}

// The pairs that stopped a way and those that would have done so soon after insist, all that would have crossed are
// expected.
void SurfaceSearch::note_stops(double share)
{
    constexpr double kSoon = 2;
    for (const auto& chunk : stops_)
        for (const Stop& stop : chunk) {
            if (stop.share <= kSoon * share) insisting_.push_back(stop.key);
            expected_.push_back(stop.key);
        }
    for (std::vector<std::uint64_t>* keys : {&insisting_, &expected_}) {
        std::sort(keys->begin(), keys->end());
        keys->erase(std::unique(keys->begin(), keys->end()), keys->end());
    }
}

void SurfaceSearch::find_expected(std::vector<Meeting>& expected, std::span<const Vec3> x) const
{
    expected.clear();
    for (const std::uint64_t key : expected_) {
        Meeting m = meeting(SurfacePair::from_key(key));
        const PairDistance d = pair_distance(m.pair.kind, gather(x, m.point));
        if (d.distance2 < m.thickness * m.thickness || !counts(m, x, d)) continue;
        place(m, d);
        m.start_distance = m.distance;
        expected.push_back(m);
    }
}

void SurfaceSearch::release(std::span<const std::uint64_t> keys)
{
    std::erase_if(expected_, [&](std::uint64_t key) { return std::binary_search(keys.begin(), keys.end(), key); });
}

void SurfaceSearch::find_bounds(std::vector<double>& bound, std::span<const Vec3> x, double most)
{
    StageTimer timer(profile_, Stage::hits);
    // Both of a pair may go for less than half of its distance; what is left of it is never eaten up.
    constexpr double kPart = 0.45;
    bound.assign(x.size(), most);
    kept_reach_ = reach_;
    for (double& reach : reach_) reach = most / (2 * kPart);
    planned_.clear();
    search_candidates(x, x);
    planned_.clear();
    reach_ = kept_reach_;
    for (const SurfacePair& pair : candidates_) {
        const Meeting m = meeting(pair);
        const double distance = std::sqrt(pair_distance(pair.kind, gather(x, m.point)).distance2);
        const double least = kLeastGap * m.thickness, part = kPart * (distance > least ? distance - least : distance);
        for (const std::int32_t p : m.point) bound[p] = std::min(bound[p], part);
    }
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
