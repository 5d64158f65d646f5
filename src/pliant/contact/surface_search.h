// SPDX-License-Identifier: MIT
#pragma once

// What comes near and what would cross over a step, for the surfaces of all bodies, from positions alone.
//
// Surfaces have two sides: the normal of a pair points to where its first element is when it is looked at, before any
// crossing. Two kinds of meetings: pairs about as near as their thickness at the start of the step, and pairs that
// would come nearer than a small share of it on the straight way to its end. Candidates are found once and serve as long as no
// end of a way has moved by more than a slack since; what is kept is told by exact distances and sorted, so
// the history of a tree cannot be seen.
// Symbols: x0, x1 ends of the step [m]; half[b] half the thickness of body b [m].
// References: seeds/001 3.4..3.9, C-37..C-47; R. Bridson, R. Fedkiw, J. Anderson (2002).

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include <pliant/base/profile.h>
#include <pliant/base/types.h>
#include <pliant/contact/ccd.h>
#include <pliant/contact/distance.h>
#include <pliant/contact/spatial_hash.h>
#include <pliant/contact/surface_pairs.h>
#include <pliant/contact/triangle_trees.h>
#include <pliant/parameters/contact_live.h>

namespace pliant {

/// A pair and how it lies when it is near or about to cross.
struct Meeting {
    SurfacePair pair;
    std::array<std::int32_t, 4> point{};
    std::array<double, 4> weight{};  ///< signed: sum weight x = apart, the first element's are positive
    Vec3 normal;                     ///< unit, from the second element to the first
    double distance = 0;             ///< [m] at that time
    double time = 0;                 ///< [1] share of the step
    double start_distance = 0;       ///< [m] at the start of the step
    double thickness = 0;            ///< [m] of the pair
};

/// Bodies as the search sees them, spans by index of the body.
struct SurfaceBodies {
    std::span<const double> half;
    std::span<const std::uint8_t> meets_self, is_fixed;
};

struct SurfaceSearchCounters {
    std::int64_t searches = 0, box_tests = 0, candidates = 0, hits = 0;
    std::int64_t near = 0;  ///< of those that were found near, pairs within their thickness
};

/// Share of a pair's thickness that it never comes nearer than, as far as it began farther apart.
inline constexpr double kSeparation = 0.02;

/// The same where ways are shortened, and the share of a smaller gap that is kept. Nearer than half its thickness the force
/// of a contact (response/barrier.h) is steep: what stops there first needs iterations to get out again.
inline constexpr double kSafeSeparation = 0.45, kSafeShare = 0.5;

/// Share of a pair's thickness that no number of ways takes it below: rounding stays small against every gap.
inline constexpr double kLeastGap = 1e-3;

/// What a way that is shortened leaves of the gap of a pair [m].
inline KeptGap safe_gap(double thickness)
{
    return {.separation = kSafeSeparation * thickness, .least = kLeastGap * thickness, .share = kSafeShare};
}

/// Shares of a thickness within which pairs are near: what rests at its thickness must not come and go.
inline constexpr double kNear = 1.5;

class SurfaceSearch {
public:
    /// The surface must outlive it; trees are cut where x is.
    SurfaceSearch(const CollisionSurface& surface, std::span<const Vec3> x);

    /// Forgets the candidates of the last step.
    void begin_step(const SurfaceBodies& bodies, BroadPhase broad_phase, CrossingSearch crossings);

    /// Pairs nearer than kNear of their thickness at x0, by key. Edges whose nearest points are ends are left out: a
    /// vertex and a face see these, and so are vertices that a neighbouring face is nearer to. x1 only widens the search,
    /// so that the candidates may serve later.
    void find_near(std::vector<Meeting>& near, std::span<const Vec3> x0, std::span<const Vec3> x1);

    /// The same bodies go on: candidates serve as long as all points stay where they were looked for.
    void go_on(const SurfaceBodies& bodies, BroadPhase broad_phase);

    /// Pairs nearer than their thickness at x, by key: for energies of distances, so each place counts once and normals are
    /// the directions between nearest points. Pairs that stopped a way since go_on() count whoever else speaks for their
    /// place: what nobody pushes back would stop the next way as well.
    void find_touching(std::vector<Meeting>& touching, std::span<const Vec3> x);

    /// The largest share of the way from x0 to x1 on which certainly nothing crosses. All pairs that would cross on the
    /// whole way are expected from then on.
    double safe_share(std::span<const Vec3> x0, std::span<const Vec3> x1);

    /// Expected pairs that are not nearer than their thickness at x yet, by key; each place counts once, as above.
    void find_expected(std::vector<Meeting>& expected, std::span<const Vec3> x) const;
    /// These pairs, keys ascending, are not expected any more, until they would cross again.
    void release(std::span<const std::uint64_t> keys);

    /// How far each point may go whichever way without crossing, if all others do the same [m]; at most `most`.
    void find_bounds(std::vector<double>& bound, std::span<const Vec3> x, double most);

    /// Pairs that cross on the way, by time, then key.
    void find_hits(std::vector<Meeting>& hits, std::span<const Vec3> x0, std::span<const Vec3> x1);

    const SurfaceSearchCounters& counters() const { return counters_; }
    const std::vector<SurfacePair>& candidates() const { return candidates_; }
    const TriangleTrees& trees() const { return trees_; }
    std::span<const double> reach() const { return reach_; }  ///< #bodies [m]
    /// Time since the step began: search, near, hits.
    const Profile& profile() const { return profile_; }

private:
    bool is_over_face(std::span<const Vec3> x, std::int32_t edge, const Vec3& towards,
                      std::span<const std::int32_t> others) const;
    bool is_over_edge(std::span<const Vec3> x, std::int32_t corner, const Vec3& towards, std::int32_t other) const;
    bool is_seen_nearer(const Meeting& m, std::span<const Vec3> x, const PairDistance& d) const;
    Vec3 upright(std::span<const Vec3> x, std::int32_t edge, const Vec3& towards) const;
    bool divides_plane(std::span<const Vec3> x, std::int32_t edge) const;
    bool straighten(Meeting& m, std::span<const Vec3> x) const;
    bool counts(const Meeting& m, std::span<const Vec3> x, const PairDistance& d) const;
    void note_stops(double share);
    bool serves(std::span<const Vec3> x1) const;
    bool serves_on_way(std::span<const Vec3> x);
    void find_candidates_around(std::span<const Vec3> x0, std::span<const Vec3> x1);
    void search_candidates(std::span<const Vec3> x0, std::span<const Vec3> x1);
    void prune_candidates(std::span<const Vec3> x0, std::span<const Vec3> x1);
    bool speaks_for_place(const Meeting& m, std::span<const Vec3> x, const PairDistance& d) const;
    void find_candidates(std::span<const Vec3> x0, std::span<const Vec3> x1);
    double pair_thickness(const SurfacePair& pair) const;
    Meeting meeting(const SurfacePair& pair) const;
    template <class Keep>
    void collect(std::vector<Meeting>& found, Keep&& keep);

    const CollisionSurface& surface_;
    TriangleTrees trees_;
    std::unique_ptr<SpatialHash> hash_;  // made when first asked for
    SurfaceBodies bodies_;
    BroadPhase broad_phase_ = BroadPhase::trees;
    CrossingSearch crossings_ = CrossingSearch::conservative;
    std::vector<std::int32_t> body_of_point_;       // -1 where no surface is
    std::vector<std::size_t> ring_begin_;           // #points + 1
    std::vector<std::int32_t> ring_;                // other ends of the edges at each point
    std::vector<std::size_t> fan_begin_;            // #points + 1
    std::vector<std::int32_t> fan_;                 // faces at each point, ascending
    std::vector<double> reach_, kept_reach_;        // #bodies
    std::vector<double> half_;                      // #bodies: that the candidates were found for
    std::vector<std::uint8_t> flags_, kept_flags_;  // 2 #bodies: the same, of who meets whom
    std::vector<Vec3> planned_;                     // x1 that the candidates were found for; empty: none
    std::vector<Vec3> planned_way_;                 // to there from the x0 that they were found for
    /// A pair with what is asked of it again and again.
    struct Candidate {
        SurfacePair pair;
        std::array<std::int32_t, 4> point{};
        double thickness = 0;
    };

    std::vector<SurfacePair> candidates_;
    std::vector<Candidate> pruned_;             // those that may touch on ways around the planned ones
    std::vector<std::vector<Candidate>> kept_;  // one per chunk
    std::vector<std::vector<Meeting>> found_;   // one per chunk
    /// A pair that would cross on a way, and when.
    struct Stop {
        double share = 1;
        std::uint64_t key = 0;
    };
    std::vector<std::vector<Stop>> stops_;  // one per chunk
    std::vector<std::uint64_t> insisting_;  // keys, ascending: of pairs that stopped a way since go_on()
    std::vector<std::uint64_t> expected_;   // keys, ascending: of pairs that would have crossed since then
    SurfaceSearchCounters counters_;
    Profile profile_;
};

}  // namespace pliant
