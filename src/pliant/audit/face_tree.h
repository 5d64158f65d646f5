// SPDX-License-Identifier: MIT
#pragma once

// Which faces may lie where: a tree of boxes over the triangles of one instant.
//
// Faces are sorted along a Morton curve through the middles of their boxes, four neighbours make a leaf, four leaves a node, and so
// on up to one: no pointers, and nothing is lost when large triangles stand among small ones. Boxes are closed and hold the very
// doubles of the corners, so that whatever touches is found. Made anew for every instant, without allocating once it is warm.
// Reference: G. M. Morton, A computer oriented geodetic data base, IBM (1966).

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include <pliant/base/simd.h>
#include <pliant/base/types.h>

namespace pliant {

/// A closed box along the axes; low <= high.
struct FaceBox {
    Vec3 low, high;
};

class FaceTree {
public:
    void build(std::span<const Triangle> faces, std::span<const Vec3> x);

    /// Calls visit(face) for every face whose box meets the given one, each once.
    template <class Visit>
    void for_each_in(const FaceBox& box, const Visit& visit) const;

private:
    static constexpr std::size_t kChildren = Pack4::width;

    // A box beside itself, to be compared with four at once.
    struct WideBox {
        std::array<Pack4, 3> low, high;
    };

    // Boxes of four children side by side; where there is no child, one that nothing meets.
    struct Node {
        std::array<std::array<double, kChildren>, 3> low, high;

        // Lanes that are not zero: children whose boxes meet the given one.
        Pack4::Mask meeting(const WideBox& box) const
        {
            return (Pack4::load(low[0].data()) <= box.high[0]) & (Pack4::load(high[0].data()) >= box.low[0]) &
                   (Pack4::load(low[1].data()) <= box.high[1]) & (Pack4::load(high[1].data()) >= box.low[1]) &
                   (Pack4::load(low[2].data()) <= box.high[2]) & (Pack4::load(high[2].data()) >= box.low[2]);
        }
        void set(std::size_t child, const FaceBox& box);
        void clear(std::size_t child);
        FaceBox whole() const;
    };
    struct PlacedFace {
        std::uint64_t code;
        std::int32_t face;
    };
    struct Level {
        std::size_t first, count;  // nodes
    };

    void find_boxes(std::span<const Triangle> faces, std::span<const Vec3> x);
    void sort_faces();
    void lay_out_levels();

    std::vector<FaceBox> boxes_;     // #faces
    std::vector<PlacedFace> order_;  // #faces, along the curve
    std::vector<Level> levels_;      // leaves first
    std::vector<Node> nodes_;
};

template <class Visit>
void FaceTree::for_each_in(const FaceBox& box, const Visit& visit) const
{
    if (order_.empty()) return;
    const WideBox wide{{box.low.x, box.low.y, box.low.z}, {box.high.x, box.high.y, box.high.z}};
    struct Place {
        std::size_t level, node;
    };
    // A node leaves at most three siblings behind on each level on the way down: 64 levels hold 4^64 faces.
    std::array<Place, kChildren * 64> waiting;
    std::size_t count = 0;
    waiting[count++] = {levels_.size() - 1, 0};
    while (count > 0) {
        const Place at = waiting[--count];
        const Node& node = nodes_[levels_[at.level].first + at.node];
        const Pack4::Mask meeting = node.meeting(wide);
        for (std::size_t child = 0; child < kChildren; ++child) {
            if (meeting[child] == 0) continue;
            const std::size_t below = at.node * kChildren + child;
            if (at.level == 0)
                visit(order_[below].face);
            else
                waiting[count++] = {at.level - 1, below};
        }
    }
}

}  // namespace pliant
