// SPDX-License-Identifier: MIT
#pragma once

// Which elements of surfaces may meet in a step: a binary tree of moving boxes over the faces of each body.
//
// One face a leaf, so k faces have 2k - 1 nodes. A tree is cut at the median of the faces' middles along
// the longest axis; sizes of branches follow from k alone, so the places of all nodes are known before any position is.
// Children lie side by side, everything below them behind them:
//
//     node ... | left right | all below left | all below right |
//
// Each search refits the boxes bottom-up, then walks every tree against itself and against those of other bodies. Where
// a surface has been bent so far that its boxes have grown (their areas, compared with those of the leaves, to
// kWorstGrowth of what they were when it was cut), its tree is cut anew. The set of pairs shows nothing of that
// (pair_search.h), their order may. Branches of fixed size are refitted, cut and walked in parallel; what they find is
// joined in their order.
// References: seeds/001 C-28..C-36, E-04, E-17; evidence-contact-solver sections 3.1, 4.

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include <pliant/contact/ordered_finds.h>
#include <pliant/contact/surface_features.h>

namespace pliant {

/// A node of a tree at the last search, for display.
struct TreeBox {
    Vec3 lowest, highest;              ///< of the faces when the step starts [m]; without reach
    Vec3 swept_lowest, swept_highest;  ///< of their paths
    int depth = 0;                     ///< 0 for the root
    bool is_leaf = false;
};

class TriangleTrees {
public:
    /// Bodies are told apart by surface.face_body; x are positions of all points. Keeps nothing of either.
    TriangleTrees(const CollisionSurface& surface, std::span<const Vec3> x);

    /// Replaces `pairs` by what the search asks for. Allocates only while there have never been as many.
    SearchCounters find(std::vector<SurfacePair>& pairs, const PairSearch& search);

    /// As find(), for pairs of faces whose boxes overlap: what a display of the broad phase shows.
    SearchCounters find_face_pairs(std::vector<std::array<std::int32_t, 2>>& pairs, const PairSearch& search);

    /// All nodes of a body's tree, parents before their children; nothing for a body without faces.
    std::vector<TreeBox> boxes(std::int32_t body) const;

    /// Trees that were cut anew since the beginning.
    std::int64_t rebuild_count() const { return rebuild_count_; }

private:
    // The box has the left child in tag 3, -1 in a leaf; in tag 7 the number of faces below, or the face of a leaf; in
    // lane 3 of the motion the sum of its three sizes.
    using Node = MovingBox;
    static constexpr int kChildTag = 3, kFaceTag = 7, kSizeLane = 3;

    /// A part of a tree: its node, what lies below it, and its faces.
    struct Branch {
        std::int32_t tree = 0;
        std::int32_t node = 0;
        std::int32_t below = 0;  // its left child, if it has more than one face
        std::int32_t first = 0;  // place in places_
        std::int32_t count = 0;  // faces

        Branch left() const;
        Branch right() const;
    };
    struct Areas {
        double inner = 0, leaves = 0;  // of boxes [m^2]

        Areas& operator+=(const Areas& other);
        double cost() const { return leaves > 0 ? inner / leaves : 0; }
    };
    struct Tree {
        std::int32_t body = 0;
        std::int32_t root = 0;
        double built_cost = 0;  // when it was cut
        Areas areas;            // now
        double from = 0;        // where its path begins and ends along an axis [m]
        double to = 0;          //
        bool is_to_cut = true;
    };
    struct Place {
        float middle[3];
        std::int32_t face;
    };
    /// Two nodes to be compared, or one with itself.
    struct Visit {
        std::int32_t a = 0;
        std::int32_t b = 0;
        float reach = 0;
    };

    static std::int32_t child(const Node& node) { return node.tag(kChildTag); }
    static bool is_leaf(const Node& node) { return child(node) < 0; }
    static std::int32_t face(const Node& leaf) { return leaf.tag(kFaceTag); }
    static std::int32_t face_count(const Node& node) { return is_leaf(node) ? 1 : node.tag(kFaceTag); }
    const Node& node(std::int32_t n) const { return nodes_[static_cast<std::size_t>(n)]; }
    Node& node(std::int32_t n) { return nodes_[static_cast<std::size_t>(n)]; }

    void lay_out();
    void cut_trees();
    void place_faces();
    void split(const Branch& branch);
    void cut(const Branch& branch);
    Areas refit_leaf(Node& node) const;
    Areas refit_inner(Node& node) const;
    void refit();
    void cut_and_refit();
    void take_positions(const PairSearch& search);
    void order_trees(const PairSearch& search);
    void list_visits(const PairSearch& search);
    template <class Found>
    std::int64_t walk(const Visit& from, std::int32_t most_faces, Found&& found) const;
    template <class Found>
    SearchCounters visit_faces(const Visit& visit, Found&& found) const;

    SurfaceFeatures features_;
    std::vector<Tree> trees_;
    std::vector<Node> nodes_;
    std::vector<Place> places_;          // faces, those of a branch side by side
    std::vector<Branch> tops_;           // branches with more faces than a parallel task, parents first
    std::vector<std::size_t> level_of_;  // where each level of tops_ begins, and its end
    std::vector<Branch> limbs_;          // the branches below them, one a task
    std::vector<Areas> limb_areas_;
    std::vector<std::int32_t> by_start_;  // trees, in order of where they begin
    std::vector<Visit> visits_;
    OrderedFinds<SurfacePair> found_pairs_;
    OrderedFinds<std::array<std::int32_t, 2>> found_faces_;
    SearchCounters upper_counters_;
    std::int64_t rebuild_count_ = 0;
};

}  // namespace pliant
