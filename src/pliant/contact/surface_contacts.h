// SPDX-License-Identifier: MIT
#pragma once

// Contacts between the surfaces of deformable bodies over one step, found from positions alone.
//
// Two kinds: elements that cross on the way from the start of the step to its end (hits), and elements that are
// nearer than a thickness at its end (near). Both are Contacts with weights and a normal, the first
// as they are at the moment of the hit, and their gap is what the proposed end leaves of the thickness.
// Symbols: x0, x1 positions at the ends of the step [m].
// References: seeds/002 E-76..E-89, W-16, W-17, W-28; R. Bridson, R. Fedkiw, J. Anderson, Robust treatment of
// collisions, contact and friction for cloth animation, ACM Trans. Graph. 21 (2002) 594-603, for proximity beside crossings.

#include <optional>
#include <span>
#include <vector>

#include <pliant/contact/contacts.h>
#include <pliant/contact/pair_gaps.h>
#include <pliant/contact/surface_pairs.h>
#include <pliant/contact/sweep_and_prune.h>

namespace pliant {

/// The pair at one instant, if the vertex is over or under the face, or the edges pass each other between their ends
/// with their bodies behind them; nothing for elements that are merely neighbours of the nearest ones. The gap is the
/// signed distance, negative inside.
std::optional<Contact> contact_between(const CollisionSurface& surface, const SurfacePair& pair,
                                       std::span<const Vec3> x);

/// How many of pair_nodes() belong to the first element: a vertex, or an edge.
inline std::size_t nodes_of_first(const SurfacePair& pair)
{
    return pair.kind == PairKind::vertex_face ? 1 : 2;
}

/// A contact of a pair with these nodes and weights, in the order of pair_nodes(); where and how far apart is left to
/// the caller.
Contact make_contact(const CollisionSurface& surface, const SurfacePair& pair, const std::array<std::int32_t, 4>& node,
                     const std::array<double, 4>& weight);

/// The weights of a contact of surfaces, in the order of pair_nodes().
std::array<double, 4> pair_weights(const Contact& contact);

/// Straight paths from x0 to x1.
inline StepMotion straight_motion(std::span<const Vec3> x0, std::span<const Vec3> x1, double h)
{
    return {.x0 = x0, .v0 = {}, .x1 = x1, .v1 = {}, .h = h, .path = PathKind::straight};
}

/// Keeps the memory of the search; what it finds does not depend on earlier searches. The surface must outlive it.
class SurfaceContactSearch {
public:
    /// Pairs within one body count when `self` is true, and then only their hits.
    SurfaceContactSearch(const CollisionSurface& surface, bool self);

    /// Fills hits() and near(); false, and nothing found, when a path is not finite.
    [[nodiscard]] bool find(const StepMotion& motion, double thickness);

    /// Elements that crossed, sorted by time, then key.
    const std::vector<Contact>& hits() const { return hits_; }
    /// The same as pairs with the moments they crossed at.
    const std::vector<PairHit>& crossings() const { return pair_hits_; }
    /// Elements within the thickness at the end that did not cross, sorted by key.
    const std::vector<Contact>& near() const { return near_; }
    std::size_t candidate_count() const { return candidates_.size(); }

private:
    bool bodies_are_apart();
    Contact contact_of(const PairHit& hit, std::span<const Vec3> x1, double thickness) const;
    void find_near(std::span<const Vec3> x1, double thickness);

    const CollisionSurface& surface_;
    bool self_;
    PairRelevance relevance_;
    SweepAndPrune sweep_;
    SweptBoxes boxes_;
    std::vector<SweptBox> body_boxes_;
    std::vector<SurfacePair> candidates_;
    std::vector<PairHit> pair_hits_;
    std::vector<std::uint64_t> hit_keys_;
    std::vector<Contact> hits_, near_;
};

}  // namespace pliant
