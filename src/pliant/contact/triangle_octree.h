// SPDX-License-Identifier: MIT
#pragma once

// An octree over triangles that do not move: which of them might a segment meet?
//
// The root is the box around all triangles, a hair larger, with a size of its own along each axis; each level halves
// it in all three directions. There are nodes only where there are triangles, in one array, the children of a node side
// by side; the triangle lists are one array too. Boxes are not stored: a walk down halves them as it goes, as the build
// did. Two ways to store a triangle (seeds/003 T-64, T-65): in every leaf that it touches (more memory, few checks), or
// once, in the smallest node that holds it (little memory, many checks).
// Searches change nothing and may run on several threads. Nodes are found wherever a segment comes nearer than
// kOctreePadding of the root's size, so rounding cannot hide a triangle.
// References: seeds/003 T-63..T-70, X-13, section 4 "Octree build".

#include <array>
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include <pliant/contact/box_overlap.h>
#include <pliant/parameters/live.h>

namespace pliant {

struct OctreeOptions {
    int height = 8;  ///< levels, the root counts; 1 to kMaxOctreeHeight
    OctreeStorage storage = OctreeStorage::all_leaves;
    int leaf_capacity = 0;  ///< a node with no more triangles is not split; 0 always splits to the full height
};

inline constexpr int kMaxOctreeHeight = 12;
/// All boxes are widened by this share of the root's diagonal.
inline constexpr double kOctreePadding = 1e-9;

/// Throws Error for corners that are not finite or do not exist.
void check_triangles(std::span<const Vec3> vertices, std::span<const Triangle> triangles);

class TriangleOctree {
public:
    /// Throws Error for a height or capacity that makes no tree, for triangles that check_triangles refuses, and when the
    /// lists would not fit. Keeps nothing of the arrays.
    TriangleOctree(std::span<const Vec3> vertices, std::span<const Triangle> triangles,
                   const OctreeOptions& options = {});

    /// Calls found(span of triangle indices) for each list of a node that the segment meets; a triangle may come
    /// several times. Returns how many boxes were looked at; one when the segment misses the root.
    template <class Found>
    std::int64_t search(const Vec3& a, const Vec3& b, Found&& found) const;

    /// Writes the triangles that the segment might meet, ascending, each once; returns as search does. Allocates
    /// only while `out` has never held as many.
    std::int64_t candidates(const Vec3& a, const Vec3& b, std::vector<std::int32_t>& out) const;

    /// As given, with fewer levels where leaves would be no larger than rounding.
    const OctreeOptions& options() const { return options_; }
    const AlignedBox& root_box() const { return root_; }
    std::size_t node_count() const { return nodes_.size(); }
    /// Nodes without children.
    std::size_t leaf_count() const;
    /// Entries of all lists: the number of triangles when each is stored once.
    std::size_t entry_count() const { return entries_.size(); }
    /// Of the arrays.
    std::size_t memory_bytes() const;

private:
    struct Node {
        std::int32_t first_child = 0;
        std::int32_t first_entry = 0;
        std::int32_t entry_count = 0;
        std::uint8_t children = 0;  // a bit per octant: x, y, z upper half are bits 0, 1, 2 of its number
    };
    struct Place {  // of a walk; plain numbers, so that a stack of them need not be filled with zeros
        std::int32_t node;
        std::int32_t level;
        double x, y, z;  // middle of the box
    };
    struct Build;
    struct Octants;

    Place child_place(const Place& parent, std::int32_t child, unsigned octant) const;
    AlignedBox box_of(const Place& place) const
    {
        return {{place.x, place.y, place.z}, halves_[static_cast<std::size_t>(place.level)]};
    }
    void size_boxes(const AlignedBox& bounds);
    void split(Build& build, const Place& place, std::size_t begin);
    Octants distribute(Build& build, const Place& place, std::size_t begin) const;
    void keep(Build& build, std::int32_t node, std::size_t begin, std::size_t end);

    OctreeOptions options_;
    AlignedBox root_;
    std::array<Vec3, kMaxOctreeHeight> steps_;   // by level: from the middle of a box to those of its octants
    std::array<Vec3, kMaxOctreeHeight> halves_;  // by level: half sizes of a box, padded
    std::vector<Node> nodes_;                    // empty without triangles
    std::vector<std::int32_t> entries_;
};

inline TriangleOctree::Place TriangleOctree::child_place(const Place& parent, std::int32_t child, unsigned octant) const
{
    const Vec3& step = steps_[static_cast<std::size_t>(parent.level)];
    return {child, parent.level + 1, parent.x + ((octant & 1U) != 0 ? step.x : -step.x),
            parent.y + ((octant & 2U) != 0 ? step.y : -step.y), parent.z + ((octant & 4U) != 0 ? step.z : -step.z)};
}

template <class Found>
std::int64_t TriangleOctree::search(const Vec3& a, const Vec3& b, Found&& found) const
{
    if (nodes_.empty()) return 0;
    const SegmentBoxTest segment(a, b);
    const Place root{0, 0, root_.middle.x, root_.middle.y, root_.middle.z};
    std::int64_t boxes = 1;
    if (!segment.overlaps(box_of(root))) return boxes;
    std::array<Place, std::size_t{7} * kMaxOctreeHeight + 1> stack;
    std::size_t waiting = 0;
    stack[waiting++] = root;
    while (waiting > 0) {
        const Place place = stack[--waiting];
        const Node& node = nodes_[static_cast<std::size_t>(place.node)];
        if (node.entry_count > 0)
            found(std::span(entries_).subspan(static_cast<std::size_t>(node.first_entry),
                                              static_cast<std::size_t>(node.entry_count)));
        std::int32_t child = node.first_child;
        for (unsigned left = node.children; left != 0; left &= left - 1, ++child, ++boxes) {
            const Place inside = child_place(place, child, static_cast<unsigned>(std::countr_zero(left)));
            if (segment.overlaps(box_of(inside))) stack[waiting++] = inside;
        }
    }
    return boxes;
}

}  // namespace pliant
