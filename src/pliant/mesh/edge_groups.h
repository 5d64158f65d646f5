// SPDX-License-Identifier: MIT
#pragma once

// Half-edges gathered by the edge they lie on: the one sort behind edges, twins and closedness.
//
// Sides are put in a bucket per lower vertex, each bucket sorted by the higher one, which is faster
// than one long sort and equally deterministic.

#include <algorithm>
#include <span>
#include <vector>

#include <pliant/base/error.h>
#include <pliant/base/types.h>

namespace pliant {

inline bool is_collapsed(const Triangle& t)
{
    return t[0] == t[1] || t[1] == t[2] || t[2] == t[0];
}

/// One past the highest vertex index; asserts that none is negative.
inline std::size_t used_vertex_range(std::span<const Triangle> triangles)
{
    std::int32_t highest = -1;
    for (const Triangle& t : triangles) {
        PLIANT_ASSERT(t[0] >= 0 && t[1] >= 0 && t[2] >= 0, "vertex indices are not negative");
        highest = std::max({highest, t[0], t[1], t[2]});
    }
    return static_cast<std::size_t>(highest) + 1;
}

/// Half-edge 3t+c lying on the edge between a bucket's vertex and `high`.
struct EdgeSide {
    std::int32_t high;
    std::int32_t half_edge;
};

class EdgeGroups {
public:
    EdgeGroups(std::span<const Triangle> triangles, std::size_t vertex_count)
        : triangles_(triangles)
        , offsets_(vertex_count + 1, 0)
    {
        PLIANT_ASSERT(used_vertex_range(triangles) <= vertex_count, "vertex index out of range");
        PLIANT_ASSERT(triangles.size() < std::size_t{1} << 29, "too many triangles for int32");
        for_each_side([&](std::int32_t low, EdgeSide) { ++offsets_[std::size_t(low) + 1]; });
        for (std::size_t v = 0; v < vertex_count; ++v) offsets_[v + 1] += offsets_[v];
        sides_.resize(static_cast<std::size_t>(offsets_.back()));
        std::vector<std::int32_t> end(offsets_.begin(), offsets_.end() - 1);
        for_each_side([&](std::int32_t low, EdgeSide side) {
            sides_[static_cast<std::size_t>(end[static_cast<std::size_t>(low)]++)] = side;
        });
        for (std::size_t v = 0; v < vertex_count; ++v)
            std::sort(sides_.begin() + offsets_[v], sides_.begin() + offsets_[v + 1],
                      [](const EdgeSide& a, const EdgeSide& b) {
                          return a.high != b.high ? a.high < b.high : a.half_edge < b.half_edge;
                      });
    }

    /// visit(Edge, span<const EdgeSide>) for every edge in lexicographic order; loops v-v left out.
    template <class Visit>
    void for_each_edge(const Visit& visit) const
    {
        for (std::size_t low = 0; low + 1 < offsets_.size(); ++low) {
            auto side = sides_.begin() + offsets_[low];
            const auto bucket_end = sides_.begin() + offsets_[low + 1];
            while (side != bucket_end) {
                auto last = side;
                while (last != bucket_end && last->high == side->high) ++last;
                visit(Edge{static_cast<std::int32_t>(low), side->high}, std::span(side, last));
                side = last;
            }
        }
    }

    /// Does the half-edge run from the edge's lower vertex to the higher one?
    bool is_forward(const EdgeSide& side) const
    {
        const Triangle& t = triangles_[static_cast<std::size_t>(side.half_edge / 3)];
        return t[static_cast<std::size_t>((side.half_edge % 3 + 1) % 3)] == side.high;
    }

private:
    template <class Visit>
    void for_each_side(const Visit& visit) const
    {
        std::int32_t half_edge = 0;
        for (const Triangle& t : triangles_)
            for (std::size_t c = 0; c < 3; ++c, ++half_edge) {
                const std::int32_t a = t[c], b = t[c == 2 ? 0 : c + 1];
                if (a != b) visit(std::min(a, b), EdgeSide{std::max(a, b), half_edge});
            }
    }

    std::span<const Triangle> triangles_;
    std::vector<std::int32_t> offsets_;
    std::vector<EdgeSide> sides_;
};

}  // namespace pliant
