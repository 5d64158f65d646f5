// SPDX-License-Identifier: MIT
#include <pliant/contact/pair_gaps.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include <pliant/base/parallel.h>
#include <pliant/contact/contacts.h>

namespace pliant {

namespace {

// Weights may be this much below 0, so that a hit on a common border is seen by at least one neighbour.
constexpr double kBorderSlack = 1e-9;
// Sine below which edges count as parallel, or a point as lying in a plane: then rounding would decide. The
// vertices of such edges meet faces instead.
constexpr double kParallel = 1e-6;
// Rounding errors of a triple product and its coefficients, in units of the product of the largest factors.
constexpr double kRoundings = 64 * std::numeric_limits<double>::epsilon();

constexpr std::array<double, 4> kBinomial3{1, 3, 3, 1};
constexpr std::array<double, 7> kBinomial6{1, 6, 15, 20, 15, 6, 1};
constexpr std::array<double, 10> kBinomial9{1, 9, 36, 84, 126, 126, 84, 36, 9, 1};

double largest_norm(const PathCurve& curve)
{
    double largest = 0;
    for (const Vec3& point : curve) largest = std::max(largest, norm2(point));
    return std::sqrt(largest);
}

PathCurve difference(const PathCurve& a, const PathCurve& b)
{
    return {a[0] - b[0], a[1] - b[1], a[2] - b[2], a[3] - b[3]};
}

/// One pair on its way through a step: nodes p[0..3] in the order of the gaps (1 2 3 4), seen from where p[0] starts.
class PairMotion {
public:
    PairMotion(const CollisionSurface& surface, const SurfacePair& pair, const StepMotion& motion)
        : surface_(surface)
        , pair_(pair)
        , motion_(motion)
        , nodes_(pair_nodes(surface, pair))
    {
        if (is_face()) std::rotate(nodes_.begin(), nodes_.begin() + 1, nodes_.end());  // the vertex is number 4
        origin_ = motion.x0[static_cast<std::size_t>(nodes_[0])];
        for (std::size_t i = 0; i < 4; ++i) p_[i] = motion.curve(nodes_[i], origin_);
    }

    bool is_finite() const
    {
        for (const PathCurve& curve : p_)
            for (const Vec3& point : curve)
                if (!pliant::is_finite(point)) return false;
        return true;
    }

    GapPolynomial plane_gap() const
    {
        if (is_face())
            return triple_product(difference(p_[3], p_[0]), difference(p_[1], p_[0]), difference(p_[2], p_[0]));
        return triple_product(difference(p_[0], p_[2]), difference(p_[1], p_[0]), difference(p_[3], p_[2]));
    }

    /// The true gap and its slope at u.
    GapValue plane_gap_at(double u) const
    {
        using J = Jet<double, 1>;
        const J at = J::variable(u, 0);
        std::array<Vec3T<J>, 4> p;
        for (std::size_t i = 0; i < 4; ++i) p[i] = point_at(p_[i], at);
        const J gap = is_face() ? dot(cross(p[1] - p[0], p[2] - p[0]), p[3] - p[0])
                                : dot(cross(p[1] - p[0], p[3] - p[2]), p[0] - p[2]);
        return {gap.value, gap.derivative[0]};
    }

    /// The hit at u where the plane gap leaves the sign `from`, if the elements really meet there from outside.
    std::optional<PairHit> hit_at(double u, int from) const
    {
        return is_face() ? face_hit(u, from) : edge_hit(u, from);
    }

private:
    bool is_face() const { return pair_.kind == PairKind::vertex_face; }
    Vec3 at(std::int32_t node, double u) const { return point_at(motion_.curve(node, origin_), u); }

    std::optional<PairHit> face_hit(double u, int from) const;
    std::optional<PairHit> edge_hit(double u, int from) const;
    Vec3 point_behind(std::int32_t edge, double u) const;
    Vec3 unit_normal(std::int32_t face, double u) const;

    const CollisionSurface& surface_;
    const SurfacePair& pair_;
    const StepMotion& motion_;
    std::array<std::int32_t, 4> nodes_;
    Vec3 origin_;
    std::array<PathCurve, 4> p_;
};

std::optional<PairHit> PairMotion::face_hit(double u, int from) const
{
    if (from < 0) return std::nullopt;
    const Vec3 p1 = point_at(p_[0], u), p2 = point_at(p_[1], u), p3 = point_at(p_[2], u), p4 = point_at(p_[3], u);
    std::array<double, 3> w = face_weights(p4, p1, p2, p3);
    for (double& weight : w) {
        if (!(weight >= -kBorderSlack)) return std::nullopt;  // NaN for a face without area
        weight = std::max(weight, 0.0);
    }
    const double sum = w[0] + w[1] + w[2];
    return PairHit{.pair = pair_,
                   .time = u * motion_.h,
                   .node = {nodes_[3], nodes_[0], nodes_[1], nodes_[2]},
                   .weight = {1, w[0] / sum, w[1] / sum, w[2] / sum},
                   .normal = normalized(cross(p2 - p1, p3 - p1)),
                   .side = 1};
}

std::optional<PairHit> PairMotion::edge_hit(double u, int from) const
{
    const Vec3 p1 = point_at(p_[0], u), p2 = point_at(p_[1], u), p3 = point_at(p_[2], u), p4 = point_at(p_[3], u);
    const Vec3 e1 = p2 - p1, e2 = p4 - p3, n = cross(e1, e2);
    const double n2 = norm2(n);
    if (!(n2 > kParallel * kParallel * norm2(e1) * norm2(e2))) return std::nullopt;
    // The patterns (+-+-) of G2..G5 before G1 falls and (-+-+) before it rises: with G2 - G3 = n.(m1 - p1) and
    // G4 - G5 = -n.(m2 - p3) they say that the bodies lie on opposite sides of the common plane, and that edges cross.
    const Vec3 outward = n * static_cast<double>(from);
    const auto is_behind = [&](const Vec3& m) { return dot(outward, m) > kParallel * std::sqrt(n2 * norm2(m)); };
    if (!is_behind(point_behind(pair_.a, u) - p1) || !is_behind(p3 - point_behind(pair_.b, u))) return std::nullopt;
    const double s = dot(cross(p3 - p1, e2), n) / n2, t = dot(cross(p3 - p1, e1), n) / n2;  // where the edges meet
    const auto is_on_edge = [](double w) { return w >= -kBorderSlack && w <= 1 + kBorderSlack; };
    if (!is_on_edge(s) || !is_on_edge(t)) return std::nullopt;
    const double sc = std::clamp(s, 0.0, 1.0), tc = std::clamp(t, 0.0, 1.0);
    return PairHit{.pair = pair_,
                   .time = u * motion_.h,
                   .node = nodes_,
                   .weight = {1 - sc, sc, 1 - tc, tc},
                   .normal = normalized(outward),
                   .side = from};
}

Vec3 PairMotion::unit_normal(std::int32_t face, double u) const
{
    if (face < 0) return {};
    const auto& [a, b, c] = surface_.faces[static_cast<std::size_t>(face)];
    const Vec3 pa = at(a, u), n = cross(at(b, u) - pa, at(c, u) - pa);
    return norm2(n) > 0 ? normalized(n) : Vec3{};
}

Vec3 PairMotion::point_behind(std::int32_t edge, double u) const
{
    const auto e = static_cast<std::size_t>(edge);
    if (const auto& [first, second] = surface_.tet_behind[e]; first >= 0) return (at(first, u) + at(second, u)) * 0.5;
    const Vec3 begin = at(surface_.edges[e][0], u), end = at(surface_.edges[e][1], u);
    const Vec3 outward = unit_normal(surface_.edge_face[e][0], u) + unit_normal(surface_.edge_face[e][1], u);
    const double length = norm(outward);
    // Faces folded flat on each other have no outside: then m is on the edge, all gaps vanish and nothing collides.
    if (!(length > 0)) return (begin + end) * 0.5;
    return (begin + end) * 0.5 - outward * (0.5 * norm(end - begin) / length);
}

/// Where the true gap changes its sign near a root of the thesis' cubic; looked for in ever wider surroundings.
std::optional<double> true_root_near(const PairMotion& motion, const std::array<double, 4>& cubic, SignChange change)
{
    const auto cubic_at = [&](double u) {
        const double w = 1 - u, slope = (cubic[1] - cubic[0]) * w * w + 2 * (cubic[2] - cubic[1]) * u * w +
                                        (cubic[3] - cubic[2]) * u * u;
        return GapValue{w * w * w * cubic[0] + 3 * u * w * (w * cubic[1] + u * cubic[2]) + u * u * u * cubic[3],
                        3 * slope};
    };
    const double root = root_between(cubic_at, change);
    for (const double reach : {1.0 / 64, 1.0 / 16, 1.0 / 4, 1.0}) {
        const SignChange around{std::max(0.0, root - reach), std::min(1.0, root + reach), change.from};
        if (motion.plane_gap_at(around.begin).value * change.from >= 0 &&
            motion.plane_gap_at(around.end).value * change.from < 0)
            return root_between([&](double u) { return motion.plane_gap_at(u); }, around);
    }
    return std::nullopt;
}

std::optional<PairHit> first_hit_of_cubic(const PairMotion& motion)
{
    const GapValue begin = motion.plane_gap_at(0), end = motion.plane_gap_at(1);
    const std::array<double, 4> cubic = hermite_cubic(begin.value, begin.slope, end.value, end.slope);
    std::array<SignChange, 4> changes;
    const std::size_t count = find_sign_changes(changes, cubic, motion.plane_gap().noise);
    for (std::size_t k = 0; k < count; ++k) {
        const std::optional<double> u = true_root_near(motion, cubic, changes[k]);
        if (!u) continue;
        if (auto hit = motion.hit_at(*u, changes[k].from)) return hit;
    }
    return std::nullopt;
}

std::optional<PairHit> first_hit_of_exact(const PairMotion& motion)
{
    const GapPolynomial gap = motion.plane_gap();
    std::array<SignChange, kMaxGapDegree + 1> changes;
    const std::size_t count = find_sign_changes(changes, gap.coefficients, gap.noise);
    for (std::size_t k = 0; k < count; ++k) {
        const double u = root_between([&](double at) { return motion.plane_gap_at(at); }, changes[k]);
        if (auto hit = motion.hit_at(u, changes[k].from)) return hit;
    }
    return std::nullopt;
}

std::optional<PairHit> first_hit_of(const PairMotion& motion, GapModel model)
{
    return model == GapModel::cubic ? first_hit_of_cubic(motion) : first_hit_of_exact(motion);
}

struct Bounds {
    Vec3 lowest, highest;
};

Bounds bounds(std::span<const Vec3> points)
{
    Bounds box{points[0], points[0]};
    for (const Vec3& p : points)
        for (int k = 0; k < 3; ++k) {
            box.lowest[k] = std::min(box.lowest[k], p[k]);
            box.highest[k] = std::max(box.highest[k], p[k]);
        }
    return box;
}

/// Is p inside the tetrahedron, its surface included? Either orientation; one without volume holds nothing. `size` is
/// its largest extent: a point that rounding puts between two neighbours counts for both.
bool is_inside(const Vec3& p, const std::array<Vec3, 4>& c, double size)
{
    const double volume = dot(cross(c[1] - c[0], c[2] - c[0]), c[3] - c[0]);
    const double sign = volume < 0 ? -1 : 1, least = -kRoundings * size * size * size;
    const auto side = [&](const Vec3& a, const Vec3& b, const Vec3& d) {
        return sign * dot(cross(b - a, d - a), p - a) >= least;
    };
    return volume != 0 && side(c[0], c[1], c[2]) && side(c[0], c[3], c[1]) && side(c[0], c[2], c[3]) &&
           side(c[1], c[3], c[2]);
}

std::array<Vec3, 3> corners(const CollisionSurface& surface, std::int32_t face, std::span<const Vec3> x)
{
    const auto& [a, b, c] = surface.faces[static_cast<std::size_t>(face)];
    return {x[static_cast<std::size_t>(a)], x[static_cast<std::size_t>(b)], x[static_cast<std::size_t>(c)]};
}

/// Puts the face into the penetration if it belongs to the body and is nearer to `at` than what is there.
void offer_face(Penetration& p, const CollisionSurface& surface, std::int32_t face, std::span<const Vec3> x,
                const Vec3& at)
{
    if (surface.face_body[static_cast<std::size_t>(face)] != p.body) return;
    const auto [a, b, c] = corners(surface, face, x);
    const std::array<double, 3> w = nearest_on_triangle(at, a, b, c);
    const Vec3 nearest = a * w[0] + b * w[1] + c * w[2];
    const double depth = norm(at - nearest);
    if (depth > p.depth || (depth == p.depth && face > p.face)) return;
    p.face = face, p.weight = w, p.point = nearest, p.depth = depth;
}

}  // namespace

bool is_valid(const VertexFaceGaps<double>& gaps)
{
    return gaps.plane > 0 || gaps.prism[0] > 0 || gaps.prism[1] > 0 || gaps.prism[2] > 0;
}

bool is_valid(const EdgeEdgeGaps<double>& gaps)
{
    const bool b1 = gaps.plane > 0;
    const bool b2 = gaps.straddle[0] > 0, b3 = gaps.straddle[1] > 0;
    const bool b4 = gaps.straddle[2] > 0, b5 = gaps.straddle[3] > 0;
    if (b2 == b3 || b4 == b5 || b2 != b4) return true;  // apart, or both bodies on one side
    return b1 == b2;
}

GapPolynomial triple_product(const PathCurve& a, const PathCurve& b, const PathCurve& c)
{
    std::array<Vec3, 7> normal{};
    for (std::size_t i = 0; i < 4; ++i)
        for (std::size_t j = 0; j < 4; ++j)
            normal[i + j] += cross(b[i], c[j]) * (kBinomial3[i] * kBinomial3[j] / kBinomial6[i + j]);
    GapPolynomial gap;
    for (std::size_t i = 0; i < 4; ++i)
        for (std::size_t j = 0; j < 7; ++j)
            gap.coefficients[i + j] += dot(a[i], normal[j]) * (kBinomial3[i] * kBinomial6[j] / kBinomial9[i + j]);
    gap.noise = kRoundings * largest_norm(a) * largest_norm(b) * largest_norm(c);
    return gap;
}

std::optional<PairHit> first_hit(const CollisionSurface& surface, const SurfacePair& pair, const StepMotion& motion,
                                 GapModel model)
{
    return first_hit_of(PairMotion(surface, pair, motion), model);
}

HitCounts find_hits(std::vector<PairHit>& hits, const CollisionSurface& surface,
                    std::span<const SurfacePair> candidates, const StepMotion& motion, GapModel model)
{
    constexpr std::size_t kGrain = 64;
    constexpr double kNoHit = std::numeric_limits<double>::infinity();
    hits.resize(candidates.size());
    const auto not_finite =
        parallel_sum<std::size_t>(candidates.size(), kGrain, [&](std::size_t begin, std::size_t end) {
            std::size_t bad = 0;
            for (std::size_t k = begin; k < end; ++k) {
                const PairMotion pair(surface, candidates[k], motion);
                hits[k].time = kNoHit;
                if (!pair.is_finite()) {
                    ++bad;
                } else if (const auto hit = first_hit_of(pair, model)) {
                    hits[k] = *hit;
                }
            }
            return bad;
        });
    std::erase_if(hits, [](const PairHit& hit) { return hit.time == kNoHit; });
    std::sort(hits.begin(), hits.end(), [](const PairHit& a, const PairHit& b) {
        return a.time != b.time ? a.time < b.time : a.pair.key() < b.pair.key();
    });
    return {candidates.size(), hits.size(), not_finite};
}

void PointGrid::build(std::span<const Vec3> points)
{
    order_.resize(points.size());
    if (points.empty()) return;
    choose_cells(points);
    start_.assign(static_cast<std::size_t>(cells_[0] * cells_[1] * cells_[2]) + 1, 0);
    cell_.resize(points.size());
    for (std::size_t i = 0; i < points.size(); ++i) {
        const auto [x, y, z] = cell_of(points[i]);
        cell_[i] = static_cast<std::size_t>((z * cells_[1] + y) * cells_[0] + x);
        ++start_[cell_[i]];
    }
    std::int32_t sum = 0;
    for (std::int32_t& start : start_) sum += start, start = sum;
    for (std::size_t i = points.size(); i-- > 0;)
        order_[static_cast<std::size_t>(--start_[cell_[i]])] = static_cast<std::int32_t>(i);
}

void PointGrid::choose_cells(std::span<const Vec3> points)
{
    const Bounds box = bounds(points);
    lowest_ = box.lowest, highest_ = box.highest;
    const Vec3 extent = highest_ - lowest_;
    const double largest = std::max({extent.x, extent.y, extent.z});
    // Flat clouds get cells as if they were a hundredth thick.
    const auto thick = [&](double length) { return std::max(length, 0.01 * largest); };
    const double volume = thick(extent.x) * thick(extent.y) * thick(extent.z);
    size_ = volume > 0 ? std::cbrt(volume / static_cast<double>(points.size())) : 1;
    for (int k = 0; k < 3; ++k) cells_[static_cast<std::size_t>(k)] = 1 + static_cast<std::int64_t>(extent[k] / size_);
}

std::array<std::int64_t, 3> PointGrid::cell_of(const Vec3& point) const
{
    std::array<std::int64_t, 3> cell{};
    for (int k = 0; k < 3; ++k) {
        const auto last = static_cast<double>(cells_[static_cast<std::size_t>(k)] - 1);
        const double place = std::clamp((point[k] - lowest_[k]) / size_, 0.0, last);
        cell[static_cast<std::size_t>(k)] = static_cast<std::int64_t>(place);
    }
    return cell;
}

bool PenetrationSearch::find(std::vector<Penetration>& found, const CollisionSurface& surface, std::span<const Vec3> x)
{
    found.clear();
    if (!std::all_of(x.begin(), x.end(), [](const Vec3& point) { return is_finite(point); })) return false;
    find_inside(found, surface, x);
    find_nearest(found, surface, x);
    return true;
}

void PenetrationSearch::find_inside(std::vector<Penetration>& found, const CollisionSurface& surface,
                                    std::span<const Vec3> x)
{
    constexpr std::size_t kGrain = 256;
    points_.clear();
    for (const std::int32_t node : surface.vertices) points_.push_back(x[static_cast<std::size_t>(node)]);
    grid_.build(points_);
    of_chunk_.resize(std::max(of_chunk_.size(), chunk_count(surface.tets.size(), kGrain)));
    for (auto& list : of_chunk_) list.clear();
    parallel_for(surface.tets.size(), kGrain, [&](std::size_t begin, std::size_t end, std::size_t chunk) {
        for (std::size_t t = begin; t < end; ++t) find_inside_tet(of_chunk_[chunk], surface, t, x);
    });
    for (const auto& list : of_chunk_) found.insert(found.end(), list.begin(), list.end());
    const auto key = [](const Penetration& p) { return std::pair(p.vertex, p.body); };
    std::sort(found.begin(), found.end(), [&](const Penetration& a, const Penetration& b) { return key(a) < key(b); });
    const auto last = std::unique(found.begin(), found.end(),
                                  [&](const Penetration& a, const Penetration& b) { return key(a) == key(b); });
    found.erase(last, found.end());
}

void PenetrationSearch::find_inside_tet(std::vector<Penetration>& found, const CollisionSurface& surface,
                                        std::size_t tet, std::span<const Vec3> x) const
{
    const std::int32_t body = surface.tet_body[tet];
    if (body < 0) return;
    std::array<Vec3, 4> corner;
    for (std::size_t c = 0; c < 4; ++c) corner[c] = x[static_cast<std::size_t>(surface.tets[tet][c])];
    const Bounds box = bounds(corner);
    const double size = norm(box.highest - box.lowest);
    grid_.visit(box.lowest, box.highest, [&](std::int32_t v) {
        const auto i = static_cast<std::size_t>(v);
        if (surface.vertex_body[i] == body || !is_inside(points_[i], corner, size)) return;
        found.push_back({.vertex = v, .body = body});
    });
}

void PenetrationSearch::find_nearest(std::vector<Penetration>& found, const CollisionSurface& surface,
                                     std::span<const Vec3> x)
{
    if (found.empty()) return;
    points_.clear();
    double reach = 0;  // no corner of a face is farther from its middle
    for (std::size_t f = 0; f < surface.faces.size(); ++f) {
        const auto corner = corners(surface, static_cast<std::int32_t>(f), x);
        const Vec3 middle = (corner[0] + corner[1] + corner[2]) / 3.0;
        points_.push_back(middle);
        for (const Vec3& c : corner) reach = std::max(reach, norm(c - middle));
    }
    grid_.build(points_);
    // A body has faces, so a box of this radius around a vertex in it holds one.
    const double whole = norm(grid_.highest() - grid_.lowest()) + 2 * reach;
    parallel_for(found.size(), 16, [&](std::size_t begin, std::size_t end, std::size_t) {
        for (std::size_t k = begin; k < end; ++k) {
            Penetration& p = found[k];
            const Vec3 at = x[static_cast<std::size_t>(surface.vertices[static_cast<std::size_t>(p.vertex)])];
            p.depth = std::numeric_limits<double>::infinity();
            const auto search = [&](double radius) {
                const Vec3 around{radius, radius, radius};
                grid_.visit(at - around, at + around, [&](std::int32_t face) { offer_face(p, surface, face, x, at); });
            };
            double radius = reach + grid_.cell_size();
            for (search(radius); std::isinf(p.depth) && radius < whole; search(radius)) radius *= 2;
            // Faces whose middle is outside the last box are farther than radius - reach.
            if (p.depth > radius - reach) search(p.depth + reach);
        }
    });
}

double deepest_penetration(std::span<const Penetration> found)
{
    double deepest = 0;
    for (const Penetration& p : found) deepest = std::max(deepest, p.depth);
    return deepest;
}

}  // namespace pliant
