// SPDX-License-Identifier: MIT
#include <pliant/world/crossing_contours.h>

#include <algorithm>
#include <numeric>
#include <optional>
#include <tuple>

namespace pliant {

namespace {

Edge ordered(const Edge& edge)
{
    return {std::min(edge[0], edge[1]), std::max(edge[0], edge[1])};
}

/// Sets of items, each of which is in step with the others of its set or opposed to them.
class ParitySets {
public:
    explicit ParitySets(std::size_t count) : parent_(count), is_opposed_(count, 0)
    {
        std::iota(parent_.begin(), parent_.end(), 0);
    }

    struct Place {
        std::int32_t root;
        std::uint8_t is_opposed;  // to the root
    };
    Place find(std::int32_t item)
    {
        Place place{item, 0};
        for (; parent_[place.root] != place.root; place.root = parent_[place.root])
            place.is_opposed ^= is_opposed_[place.root];
        // All on the way up now hang from the root, so that no way is long twice.
        for (std::uint8_t opposed = place.is_opposed; parent_[item] != place.root && item != place.root;) {
            const std::int32_t next = parent_[item];
            const std::uint8_t below = opposed;
            opposed ^= is_opposed_[item];
            parent_[item] = place.root, is_opposed_[item] = below;
            item = next;
        }
        return place;
    }
    /// Joins the sets of both; where they are one already, it stays as it is.
    void join(std::int32_t a, std::int32_t b, std::uint8_t are_opposed)
    {
        const Place p = find(a), q = find(b);
        const std::uint8_t opposed = p.is_opposed ^ q.is_opposed ^ are_opposed;
        if (p.root == q.root) return;
        // The lower root stays, so that names do not depend on the order.
        parent_[std::max(p.root, q.root)] = std::min(p.root, q.root);
        is_opposed_[std::max(p.root, q.root)] = opposed;
    }

private:
    std::vector<std::int32_t> parent_;
    std::vector<std::uint8_t> is_opposed_;  // to the parent
};

Vec3 unit_or_zero(const Vec3& v)
{
    const double length = norm(v);
    return length > 0 ? v / length : Vec3{};
}

Vec3 face_cross(const Triangle& face, std::span<const Vec3> x)
{
    return cross(x[face[1]] - x[face[0]], x[face[2]] - x[face[0]]);
}

/// Shares of the corners at a point of the face, rounded into it.
std::array<double, 3> corner_weights(const Triangle& face, const Vec3& point, const Vec3& normal,
                                     std::span<const Vec3> x)
{
    std::array<double, 3> weight{};
    double sum = 0;
    for (std::size_t k = 0; k < 3; ++k) {
        const Vec3 &u = x[face[(k + 1) % 3]], &v = x[face[(k + 2) % 3]];
        weight[k] = std::max(0.0, dot(normal, cross(u - point, v - point)));
        sum += weight[k];
    }
    for (double& share : weight) share = sum > 0 ? share / sum : 1.0 / 3;
    return weight;
}

/// Edges of faces by edge: rows of faces.
IndexRows faces_by_edge(std::size_t edge_count, std::span<const Triangle> faces,
                        std::span<const std::int32_t> edge_of_side)
{
    IndexRows rows;
    rows.offsets.assign(edge_count + 1, 0);
    for (const std::int32_t e : edge_of_side)
        if (e >= 0) ++rows.offsets[static_cast<std::size_t>(e) + 1];
    std::partial_sum(rows.offsets.begin(), rows.offsets.end(), rows.offsets.begin());
    rows.items.resize(static_cast<std::size_t>(rows.offsets.back()));
    std::vector<std::int32_t> next(rows.offsets.begin(), rows.offsets.end() - 1);
    for (std::size_t f = 0; f < faces.size(); ++f)
        for (std::size_t k = 0; k < 3; ++k)
            if (const std::int32_t e = edge_of_side[3 * f + k]; e >= 0)
                rows.items[static_cast<std::size_t>(next[e]++)] = static_cast<std::int32_t>(f);
    return rows;
}

}  // namespace

CrossingContours::CrossingContours(const AuditSurfaces& surfaces, std::span<const Vec3> x)
    : surfaces_(&surfaces)
    , by_ends_(surfaces.edges.size())
    , component_(x.size(), -1)
    , side_(x.size(), -1)
    , is_cut_(surfaces.edges.size(), 0)
{
    std::iota(by_ends_.begin(), by_ends_.end(), 0);
    std::sort(by_ends_.begin(), by_ends_.end(), [&](std::int32_t a, std::int32_t b) {
        const Edge ends_a = ordered(surfaces.edges[a]), ends_b = ordered(surfaces.edges[b]);
        return ends_a != ends_b ? ends_a < ends_b : a < b;
    });
    std::vector<std::int32_t> edge_of_side;
    for (const Triangle& face : surfaces.faces)
        for (std::size_t k = 0; k < 3; ++k) edge_of_side.push_back(edge_number({face[k], face[(k + 1) % 3]}));
    edge_faces_ = faces_by_edge(surfaces.edges.size(), surfaces.faces, edge_of_side);
    list_ways(x);
    number_components();
}

void CrossingContours::list_ways(std::span<const Vec3> x)
{
    const std::span<const Edge> edges = surfaces_->edges;
    way_begin_.assign(x.size() + 1, 0);
    for (const Edge& edge : edges)
        for (const std::int32_t end : edge) ++way_begin_[static_cast<std::size_t>(end) + 1];
    std::partial_sum(way_begin_.begin(), way_begin_.end(), way_begin_.begin());
    ways_.resize(way_begin_.back());
    std::vector<std::size_t> next(way_begin_.begin(), way_begin_.end() - 1);
    for (std::size_t e = 0; e < edges.size(); ++e) {
        lengths_.push_back(norm(x[edges[e][1]] - x[edges[e][0]]));
        mean_length_ += lengths_.back() / static_cast<double>(edges.size());
        for (std::size_t k = 0; k < 2; ++k)
            ways_[next[edges[e][k]]++] = {edges[e][1 - k], static_cast<std::int32_t>(e)};
    }
}

void CrossingContours::number_components()
{
    std::int32_t count = 0;
    std::vector<std::int32_t> waiting;
    for (std::size_t start = 0; start < component_.size(); ++start) {
        if (component_[start] >= 0) continue;
        component_[start] = count;
        waiting.assign(1, static_cast<std::int32_t>(start));
        while (!waiting.empty()) {
            const auto at = static_cast<std::size_t>(waiting.back());
            waiting.pop_back();
            for (std::size_t w = way_begin_[at]; w < way_begin_[at + 1]; ++w)
                if (component_[ways_[w].to] < 0) component_[ways_[w].to] = count, waiting.push_back(ways_[w].to);
        }
        ++count;
    }
}

std::int32_t CrossingContours::edge_number(const Edge& edge) const
{
    const Edge wanted = ordered(edge);
    const auto at = std::lower_bound(by_ends_.begin(), by_ends_.end(), wanted, [&](std::int32_t e, const Edge& ends) {
        return ordered(surfaces_->edges[e]) < ends;
    });
    return at != by_ends_.end() && ordered(surfaces_->edges[*at]) == wanted ? *at : -1;
}

// Where the edge passes, and how the contour goes on from there.
void CrossingContours::place(Crossing& crossing, std::span<const Vec3> x) const
{
    constexpr double kFlat = 1e-9;  // slope of an edge that lies in the plane, as far as a push can tell
    const Triangle& face = surfaces_->faces[crossing.face];
    const Vec3 &p = x[crossing.edge[0]], &q = x[crossing.edge[1]];
    crossing.normal = unit_or_zero(face_cross(face, x));
    const double height_p = dot(crossing.normal, p - x[face[0]]), height_q = dot(crossing.normal, q - x[face[0]]);
    crossing.is_flat = std::abs(height_p - height_q) <= kFlat * norm(q - p);
    crossing.upper_end = height_q > height_p ? 1 : 0;
    crossing.along = crossing.is_flat ? 0.5 : std::clamp(height_p / (height_p - height_q), 0.0, 1.0);
    crossing.weight = corner_weights(face, p + crossing.along * (q - p), crossing.normal, x);
}

Vec3 CrossingContours::leaving(const Crossing& crossing, std::int32_t edge, std::span<const Vec3> x) const
{
    Vec3 sum;
    const Vec3 &p = x[crossing.edge[0]], along = unit_or_zero(x[crossing.edge[1]] - p);
    for (const std::int32_t f : edge_faces_[edge]) {
        const Triangle& face = surfaces_->faces[f];
        const Vec3 direction = unit_or_zero(cross(face_cross(face, x), crossing.normal));
        const Vec3 middle = (x[face[0]] + x[face[1]] + x[face[2]]) / 3.0;
        const Vec3 inwards = middle - p - dot(middle - p, along) * along;
        sum += dot(direction, inwards) < 0 ? -direction : direction;
    }
    return sum;
}

// Crossings of one pair of faces are neighbours on their contour: on the same branch where the same face is crossed, on
// the other where each one's edge is of the other's face.
void CrossingContours::join_contours()
{
    struct Place {
        std::int32_t low, high, crossing;
    };
    std::vector<Place> places;
    for (std::size_t c = 0; c < crossings_.size(); ++c)
        for (const std::int32_t f : edge_faces_[number_[c]])
            places.push_back(
                {std::min(f, crossings_[c].face), std::max(f, crossings_[c].face), static_cast<std::int32_t>(c)});
    std::sort(places.begin(), places.end(), [](const Place& a, const Place& b) {
        return a.low != b.low ? a.low < b.low : a.high != b.high ? a.high < b.high : a.crossing < b.crossing;
    });
    ParitySets sets(crossings_.size());
    for (std::size_t i = 1; i < places.size(); ++i) {
        const Place &a = places[i - 1], &b = places[i];
        if (a.low != b.low || a.high != b.high) continue;
        const bool swaps = crossings_[a.crossing].face != crossings_[b.crossing].face;
        sets.join(a.crossing, b.crossing, swaps ? 1 : 0);
    }
    branches_.clear();
    for (std::size_t c = 0; c < crossings_.size(); ++c) {
        const ParitySets::Place at = sets.find(static_cast<std::int32_t>(c));
        if (at.root == static_cast<std::int32_t>(c)) {
            crossings_[c].contour = static_cast<std::int32_t>(branches_.size() / 2);
            branches_.push_back({crossings_[c].contour, {}});
            branches_.push_back({crossings_[c].contour, {}});
        }
        crossings_[c].contour = crossings_[at.root].contour;
        branches_[2 * static_cast<std::size_t>(crossings_[c].contour) + at.is_opposed].members.push_back(
            static_cast<std::int32_t>(c));
    }
    for (Branch& branch : branches_)
        std::sort(branch.members.begin(), branch.members.end(), [&](std::int32_t a, std::int32_t b) {
            return std::tie(number_[a], crossings_[a].along, a) < std::tie(number_[b], crossings_[b].along, b);
        });
}

// The nearest is on top of the heap, and among equals the lowest point.
bool CrossingContours::comes_later(const Front& a, const Front& b)
{
    return std::tie(a.distance, a.point, a.side) > std::tie(b.distance, b.point, b.side);
}

void CrossingContours::push_front(const Front& front)
{
    fronts_.push_back(front);
    ++open_[static_cast<std::size_t>(front.side)];
    std::push_heap(fronts_.begin(), fronts_.end(), comes_later);
}

void CrossingContours::start_flood(const Branch& branch)
{
    for (std::vector<std::int32_t>& points : reached_) {
        for (const std::int32_t v : points) side_[v] = -1;
        points.clear();
    }
    for (const std::int32_t e : cut_edges_) is_cut_[e] = 0;
    cut_edges_.clear();
    fronts_.clear();
    open_ = {}, depth_ = {};
    for (std::size_t m = 0; m < branch.members.size(); ++m) {
        const std::int32_t c = branch.members[m];
        const Crossing& crossing = crossings_[c];
        is_cut_[number_[c]] = 1;
        cut_edges_.push_back(number_[c]);
        if (crossing.is_flat) continue;
        // Of several crossings of an edge only the outer ones know its ends.
        const auto is_same_edge = [&](std::size_t other) {
            return other < branch.members.size() && number_[branch.members[other]] == number_[c];
        };
        const double length = lengths_[number_[c]];
        if (m == 0 || !is_same_edge(m - 1))
            push_front({crossing.along * length, crossing.edge[0], crossing.upper_end == 0 ? 1 : 0});
        if (!is_same_edge(m + 1))
            push_front({(1 - crossing.along) * length, crossing.edge[1], crossing.upper_end == 1 ? 1 : 0});
    }
}

// Both sides grow until one has nothing left to grow into: that one; kNoSides where there are no two to begin with, kDeeper
// where neither ended within the limit [m].
std::int32_t CrossingContours::flood(double limit)
{
    if (open_[0] == 0 || open_[1] == 0) return kNoSides;
    while (open_[0] != 0 && open_[1] != 0) {
        std::pop_heap(fronts_.begin(), fronts_.end(), comes_later);
        const Front front = fronts_.back();
        if (front.distance > limit) return kDeeper;
        fronts_.pop_back();
        const auto side = static_cast<std::size_t>(front.side);
        --open_[side];
        if (side_[front.point] >= 0) continue;
        side_[front.point] = static_cast<std::int8_t>(front.side);
        reached_[side].push_back(front.point);
        depth_[side] = front.distance;
        for (std::size_t w = way_begin_[front.point]; w < way_begin_[static_cast<std::size_t>(front.point) + 1]; ++w)
            if (is_cut_[ways_[w].edge] == 0 && side_[ways_[w].to] < 0)
                push_front({front.distance + lengths_[ways_[w].edge], ways_[w].to, front.side});
    }
    return open_[0] == 0 ? 0 : 1;
}

CrossingContours::Verdict CrossingContours::verdict_on(const Branch& branch, double limit)
{
    start_flood(branch);
    Verdict verdict{.side = flood(limit)};
    if (verdict.side < 0) return verdict;
    const auto wrong = static_cast<std::size_t>(verdict.side);
    verdict.piece = {branch.contour, depth_[wrong], reached_[wrong]};
    for (const std::int32_t c : branch.members) {
        const Crossing& crossing = crossings_[c];
        const std::int32_t end = verdict.side == 1 ? crossing.upper_end : 1 - crossing.upper_end;
        if (!crossing.is_flat && side_[crossing.edge[static_cast<std::size_t>(end)]] == verdict.side)
            verdict.wrong_ends.push_back({c, end});
    }
    return verdict;
}

// The shallower branch of a contour is the one to move; both where they are about as deep. Floods go no farther than is
// needed to tell, since most pieces are small and the surfaces around them are not.
void CrossingContours::judge(std::span<const Branch> both)
{
    constexpr double kAboutAsDeep = 2, kFirstLimit = 4;
    std::array<Verdict, 2> verdict;
    for (double limit = kFirstLimit * mean_length_;; limit *= 2) {
        for (std::size_t b = 0; b < 2; ++b) verdict[b] = verdict_on(both[b], limit);
        if (verdict[0].side >= 0 || verdict[1].side >= 0) break;
        if (verdict[0].side == kNoSides && verdict[1].side == kNoSides) return;
    }
    for (std::size_t b = 0; b < 2; ++b)
        if (verdict[b].side == kDeeper) verdict[b] = verdict_on(both[b], kAboutAsDeep * verdict[1 - b].piece.depth);
    for (std::size_t b = 0; b < 2; ++b) {
        const Verdict& other = verdict[1 - b];
        if (verdict[b].side < 0 || (other.side >= 0 && verdict[b].piece.depth > kAboutAsDeep * other.piece.depth))
            continue;
        for (const WrongEnd& wrong : verdict[b].wrong_ends) crossings_[wrong.crossing].wrong_end = wrong.end;
        pieces_.push_back(verdict[b].piece);
    }
}

double CrossingContours::size_of(std::span<const Branch> both, std::span<const Vec3> x) const
{
    double size = 0;
    std::optional<Vec3> first;
    for (const Branch& branch : both)
        for (const std::int32_t c : branch.members) {
            const Vec3 &p = x[crossings_[c].edge[0]], &q = x[crossings_[c].edge[1]];
            const Vec3 at = p + crossings_[c].along * (q - p);
            if (!first) first = at;
            size = std::max(size, norm(at - *first));
        }
    return size;
}

void CrossingContours::sort_out(std::span<const EdgeThroughFace> found, std::span<const Vec3> x)
{
    crossings_.clear();
    number_.clear();
    for (const EdgeThroughFace& one : found) {
        Crossing& crossing = crossings_.emplace_back();
        crossing.edge = one.edge, crossing.face = one.face;
        number_.push_back(edge_number(one.edge));
        place(crossing, x);
        if (!crossing.is_flat) crossing.leaves = leaving(crossing, number_.back(), x);
    }
    join_contours();
    pieces_.clear();
    open_size_.clear();
    for (std::size_t first = 0; first < branches_.size(); first += 2) {
        const std::span<const Branch> both = std::span(branches_).subspan(first, 2);
        const std::size_t before = pieces_.size();
        judge(both);
        open_size_.push_back(pieces_.size() == before ? size_of(both, x) : 0);
    }
}

}  // namespace pliant
