// SPDX-License-Identifier: MIT
#include <pliant/contact/surface_contacts.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace pliant {

namespace {

// Feet may lie this share of an element outside of it, so that nothing falls between two neighbours.
constexpr double kBorderSlack = 1e-6;
// Sine below which edges count as parallel: their vertices meet faces instead.
constexpr double kParallel = 1e-3;

Vec3 weighted(const ContactSide& side, std::span<const Vec3> x)
{
    Vec3 sum;
    for (std::size_t k = 0; k < 3 && side.point[k] >= 0; ++k)
        sum += x[static_cast<std::size_t>(side.point[k])] * side.weight[k];
    return sum;
}

std::optional<Contact> vertex_over_face(const CollisionSurface& surface, const SurfacePair& pair,
                                        std::span<const Vec3> x)
{
    const std::array<std::int32_t, 4> node = pair_nodes(surface, pair);
    std::array<Vec3, 4> p;
    for (std::size_t k = 0; k < 4; ++k) p[k] = x[static_cast<std::size_t>(node[k])];
    std::array<double, 3> w = face_weights(p[0], p[1], p[2], p[3]);
    double sum = 0;
    for (double& weight : w) {
        if (!(weight >= -kBorderSlack)) return std::nullopt;  // NaN for a face without area
        weight = std::max(weight, 0.0);
        sum += weight;
    }
    Contact contact = make_contact(surface, pair, node, {1, w[0] / sum, w[1] / sum, w[2] / sum});
    contact.normal = normalized(cross(p[2] - p[1], p[3] - p[1]));
    contact.gap = dot(contact.normal, p[0] - p[1]);
    contact.at = p[0];
    return contact;
}

// Where the body of an edge is not: the sum of the unit normals of its faces.
Vec3 outward(const CollisionSurface& surface, std::int32_t edge, std::span<const Vec3> x)
{
    Vec3 sum;
    for (const std::int32_t f : surface.edge_face[static_cast<std::size_t>(edge)]) {
        if (f < 0) continue;
        const Triangle& face = surface.faces[static_cast<std::size_t>(f)];
        const Vec3& p = x[static_cast<std::size_t>(face[0])];
        const Vec3 n = cross(x[static_cast<std::size_t>(face[1])] - p, x[static_cast<std::size_t>(face[2])] - p);
        sum += n / norm(n);
    }
    return sum;
}

std::optional<Contact> edge_by_edge(const CollisionSurface& surface, const SurfacePair& pair, std::span<const Vec3> x)
{
    const std::array<std::int32_t, 4> node = pair_nodes(surface, pair);
    std::array<Vec3, 4> p;
    for (std::size_t k = 0; k < 4; ++k) p[k] = x[static_cast<std::size_t>(node[k])];
    const Vec3 d1 = p[1] - p[0], d2 = p[3] - p[2], r = p[0] - p[2], across = cross(d1, d2);
    const double a = norm2(d1), e = norm2(d2), b = dot(d1, d2), c = dot(d1, r), f = dot(d2, r);
    const double crossing = norm2(across);
    if (!(crossing > kParallel * kParallel * a * e)) return std::nullopt;
    const double s = (b * f - c * e) / crossing, t = (a * f - b * c) / crossing;
    if (!(s >= 0 && s <= 1 && t >= 0 && t <= 1)) return std::nullopt;
    Vec3 n = across / std::sqrt(crossing);
    const Vec3 out_a = outward(surface, pair.a, x), out_b = outward(surface, pair.b, x);
    if (dot(n, out_b) < 0) n = -n;
    if (!(dot(n, out_b) > 0 && dot(n, out_a) < 0)) return std::nullopt;
    Contact contact = make_contact(surface, pair, node, {1 - s, s, 1 - t, t});
    const Vec3 on_a = p[0] + d1 * s, on_b = p[2] + d2 * t;
    contact.normal = n;
    contact.gap = dot(n, on_a - on_b);
    contact.at = (on_a + on_b) * 0.5;
    return contact;
}

}  // namespace

Contact make_contact(const CollisionSurface& surface, const SurfacePair& pair, const std::array<std::int32_t, 4>& node,
                     const std::array<double, 4>& weight)
{
    Contact contact;
    contact.key = pair.key();
    const bool is_face = pair.kind == PairKind::vertex_face;
    const auto first = static_cast<std::size_t>(pair.a), second = static_cast<std::size_t>(pair.b);
    contact.a.body = is_face ? surface.vertex_body[first] : surface.edge_body[first];
    contact.b.body = is_face ? surface.face_body[second] : surface.edge_body[second];
    const std::size_t of_a = nodes_of_first(pair);
    for (std::size_t k = 0; k < 4; ++k) {
        ContactSide& side = k < of_a ? contact.a : contact.b;
        const std::size_t place = k < of_a ? k : k - of_a;
        side.point[place] = node[k];
        side.weight[place] = weight[k];
    }
    return contact;
}

std::array<double, 4> pair_weights(const Contact& contact)
{
    const std::size_t of_a = nodes_of_first(SurfacePair::from_key(contact.key));
    std::array<double, 4> weight;
    for (std::size_t k = 0; k < 4; ++k) weight[k] = k < of_a ? contact.a.weight[k] : contact.b.weight[k - of_a];
    return weight;
}

std::optional<Contact> contact_between(const CollisionSurface& surface, const SurfacePair& pair,
                                       std::span<const Vec3> x)
{
    return pair.kind == PairKind::vertex_face ? vertex_over_face(surface, pair, x) : edge_by_edge(surface, pair, x);
}

SurfaceContactSearch::SurfaceContactSearch(const CollisionSurface& surface, bool self)
    : surface_(surface)
    , self_(self)
    , relevance_(surface)
    , sweep_(surface)
{
    if (!self) relevance_.ignore_self();
}

bool SurfaceContactSearch::find(const StepMotion& motion, double thickness)
{
    hits_.clear(), near_.clear(), candidates_.clear(), pair_hits_.clear();
    // A hair wider than half the thickness on each side, so that rounding loses nobody.
    make_swept_boxes(boxes_, surface_, motion, 0.5001 * thickness);
    if (!self_ && bodies_are_apart()) return true;
    if (!sweep_.update(boxes_)) return false;
    sweep_.list_candidates(candidates_, relevance_);
    const HitCounts counts = find_hits(pair_hits_, surface_, candidates_, motion);
    if (counts.not_finite > 0) return false;
    hit_keys_.clear();
    for (const PairHit& hit : pair_hits_) {
        hits_.push_back(contact_of(hit, motion.x1, thickness));
        hit_keys_.push_back(hit.pair.key());
    }
    std::sort(hit_keys_.begin(), hit_keys_.end());
    find_near(motion.x1, thickness);
    return true;
}

// Bodies in free flight need no look at their elements. Boxes of NaN are never apart.
bool SurfaceContactSearch::bodies_are_apart()
{
    constexpr double kFar = std::numeric_limits<double>::infinity();
    body_boxes_.clear();
    for (std::size_t v = 0; v < surface_.vertices.size(); ++v) {
        const auto body = static_cast<std::size_t>(surface_.vertex_body[v]);
        if (body >= body_boxes_.size()) body_boxes_.resize(body + 1, {{kFar, kFar, kFar}, {-kFar, -kFar, -kFar}});
        const SweptBox& box = boxes_.vertex[v];
        for (int k = 0; k < 3; ++k) {
            if (!std::isfinite(box.lowest[k]) || !std::isfinite(box.highest[k])) return false;
            body_boxes_[body].lowest[k] = std::min(body_boxes_[body].lowest[k], box.lowest[k]);
            body_boxes_[body].highest[k] = std::max(body_boxes_[body].highest[k], box.highest[k]);
        }
    }
    for (std::size_t a = 0; a < body_boxes_.size(); ++a)
        for (std::size_t b = a + 1; b < body_boxes_.size(); ++b)
            if (overlap(body_boxes_[a], body_boxes_[b])) return false;
    return true;
}

Contact SurfaceContactSearch::contact_of(const PairHit& hit, std::span<const Vec3> x1, double thickness) const
{
    Contact contact = make_contact(surface_, hit.pair, hit.node, hit.weight);
    const Vec3 on_a = weighted(contact.a, x1), on_b = weighted(contact.b, x1);
    contact.normal = hit.normal;
    contact.gap = dot(hit.normal, on_a - on_b) - thickness;
    contact.at = (on_a + on_b) * 0.5;
    return contact;
}

void SurfaceContactSearch::find_near(std::span<const Vec3> x1, double thickness)
{
    for (const SurfacePair& pair : candidates_) {
        if (is_within_body(surface_, pair)) continue;
        std::optional<Contact> contact = contact_between(surface_, pair, x1);
        if (!contact || !(std::abs(contact->gap) < thickness)) continue;
        if (std::binary_search(hit_keys_.begin(), hit_keys_.end(), contact->key)) continue;
        contact->gap -= thickness;
        near_.push_back(*contact);
    }
}

}  // namespace pliant
