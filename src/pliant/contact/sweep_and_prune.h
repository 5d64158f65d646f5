// SPDX-License-Identifier: MIT
#pragma once

// Which pairs of surface elements may meet in a step: boxes around their paths, and sorting of the boxes' ends.
//
// The ends of all boxes along each axis are kept sorted from step to step; from one to the next they change places
// seldom, and each time a lower and an upper end do, a pair begins or ceases to overlap on that axis.
// Vertices with faces, and edges with edges, are sorted apart, since only their pairs count. Boxes that touch
// overlap. What overlaps does not depend on the steps before, and is listed by key; counts of swaps do.
//
//   bit_tables: a bit per axis and possible pair says whether it overlaps there, as in the thesis
//   hash_sets:  only pairs that overlap on all three axes are kept; whoever begins to overlap on one axis is asked
//               about the others at once, so memory goes with what is near
//
// References: seeds/002 E-82..E-85, E-88, W-23; M. Ponamgi, D. Manocha, M. Lin, Incremental algorithms for collision
// detection between solid models, Proc. Solid Modeling (1995) 293-304.

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include <pliant/contact/gap_roots.h>
#include <pliant/contact/surface_pairs.h>

namespace pliant {

struct SweptBox {
    Vec3 lowest, highest;  ///< [m]
};

/// Do they overlap or touch?
inline bool overlap(const SweptBox& a, const SweptBox& b)
{
    return a.lowest.x <= b.highest.x && b.lowest.x <= a.highest.x && a.lowest.y <= b.highest.y &&
           b.lowest.y <= a.highest.y && a.lowest.z <= b.highest.z && b.lowest.z <= a.highest.z;
}

/// Boxes around all surface elements over a step; index for index with the surface.
struct SweptBoxes {
    std::vector<SweptBox> vertex, edge, face;
};

/// Boxes of the paths, each wider by `thickness` [m] on all sides: of a vertex from the Bernstein points of its path,
/// of an edge or face the union of its vertices'. A vertex whose path is not finite gets a box of NaN.
void make_swept_boxes(SweptBoxes& boxes, const CollisionSurface& surface, const StepMotion& motion,
                      double thickness = 0);

struct SweepCounts {
    std::uint64_t swaps = 0;       ///< ends that changed places in the last update
    std::uint64_t rebuilds = 0;    ///< updates that sorted anew: the first one, and after wild motion
    std::uint64_t candidates = 0;  ///< pairs in the last list
};

/// Keeps the overlaps. The surface must outlive it.
class SweepAndPrune {
public:
    explicit SweepAndPrune(const CollisionSurface& surface, PairStore store = PairStore::automatic);

    /// Takes new boxes. False when one is not finite or inside out: then nothing has changed.
    [[nodiscard]] bool update(const SweptBoxes& boxes);

    /// Pairs whose boxes overlap and that count, sorted by key.
    void list_candidates(std::vector<SurfacePair>& found, const PairRelevance& relevance);

    /// The next update sorts anew.
    void forget() { is_sorted_ = false; }

    const SweepCounts& counts() const { return counts_; }
    PairStore store() const { return has_tables_ ? PairStore::bit_tables : PairStore::hash_sets; }

private:
    /// An end of the box of an item: code = 2 item + (1 for the upper end). Items are vertices then faces, or edges.
    struct End {
        double value = 0;
        std::uint32_t code = 0;

        bool is_upper() const { return (code & 1) != 0; }
        std::uint32_t item() const { return code >> 1; }
        /// Lower ends come first where values are equal, so that touching boxes overlap.
        bool is_before(const End& other) const
        {
            return value < other.value || (value == other.value && !is_upper() && other.is_upper());
        }
    };

    /// The ends along one axis, and what sorting them found.
    struct Axis {
        std::vector<End> ends;
        std::vector<std::uint64_t> begun, ceased;        // keys; with hash sets
        std::array<std::vector<std::uint32_t>, 2> open;  // items whose box has begun: edges or vertices; faces
        std::vector<std::uint32_t> place;                // #items: where it is in `open`
        std::uint64_t swaps = 0;
        bool gave_up = false;
    };

    /// Items that are sorted together, and their boxes now and before.
    struct Group {
        PairKind kind = PairKind::vertex_face;
        std::uint32_t vertex_count = 0;  // items before it are vertices; 0 for edges
        std::vector<SweptBox> box, before;
        std::array<Axis, 3> axis;

        bool can_pair(std::uint32_t i, std::uint32_t j) const
        {
            return kind == PairKind::edge_edge || (i < vertex_count) != (j < vertex_count);
        }
        SurfacePair pair(std::uint32_t i, std::uint32_t j) const;
    };

    void take_boxes(const SweptBoxes& boxes);
    void for_each_axis(void (SweepAndPrune::*work)(Group& group, int axis));
    void sort_by_swapping(Group& group, int axis);
    void note_swap(Group& group, int axis, const End& moved, const End& passed);
    void sort_anew(Group& group, int axis);
    template <class Found>
    static void sweep(Group& group, int axis, Found&& found);
    void rebuild();
    void apply_changes();

    const CollisionSurface* surface_;
    bool has_tables_;
    bool is_sorted_ = false;
    std::array<Group, 2> groups_;
    std::array<PairBits, 3> overlaps_on_;  // with bit tables: by axis
    PairSet overlapping_;                  // with hash sets
    std::vector<std::uint64_t> keys_;
    SweepCounts counts_;
};

}  // namespace pliant
