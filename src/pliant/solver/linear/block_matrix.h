// SPDX-License-Identifier: MIT
#pragma once

// Symmetric matrices of 3x3 blocks, one row per node: upper half in compressed rows, pattern fixed.
//
// The pattern is collected once from the stencils of all terms; afterwards Hessians are refilled
// through scatter maps (element, pair of its nodes -> place of the block) without any allocation.
// Products run over fixed chunks of rows, each adding what its upper blocks do to rows below it into
// a window of its own, so the result has the same bits for any thread count.
// Symbols: A matrix, x and y vectors of one Vec3 per node.

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include <pliant/base/error.h>
#include <pliant/base/parallel.h>
#include <pliant/energy/views.h>

namespace pliant {

struct BlockMatrix {
    std::vector<std::int64_t> row_start;  ///< #nodes + 1: blocks of row i are [row_start[i], row_start[i+1])
    std::vector<std::int32_t> column;     ///< of each block, ascending within a row; the first is the row itself
    std::vector<Mat3> block;
    std::vector<Chunk> chunks;    ///< rows of each task and the range of nodes they write to
    std::size_t window_size = 0;  ///< vectors that multiply() works in; 0 when there is one chunk

    std::int32_t row_count() const { return static_cast<std::int32_t>(row_start.size()) - 1; }
    const Mat3& diagonal(std::int32_t row) const { return block[static_cast<std::size_t>(row_start[row])]; }
    Mat3& diagonal(std::int32_t row) { return block[static_cast<std::size_t>(row_start[row])]; }

    /// Place of the block of two nodes, row <= column; -1 when the pattern does not have it.
    std::int64_t find(std::int32_t row, std::int32_t col) const;
};

/// All blocks to zero; the pattern stays.
void set_zero(BlockMatrix&);

/// Adds scale * mass [kg] to the diagonal, one mass per node.
void add_mass(BlockMatrix&, std::span<const double> mass, double scale);

/// Takes held coordinates (bits x y z per node) out: rows and columns zero, ones on the diagonal.
void cut_out_held(BlockMatrix&, std::span<const std::uint8_t> held);

/// y = A x. `windows` must hold A.window_size vectors.
void multiply(std::span<Vec3> y, const BlockMatrix& A, std::span<const Vec3> x, std::span<Vec3> windows);

/// Node i of element e.
template <int N>
std::int32_t node_of(const Stencils<N>& stencils, std::int32_t e, int i)
{
    return stencils.blocks[static_cast<std::size_t>(e / kPackWidth)].node[i][e % kPackWidth];
}

/// Collects which nodes meet, term by term; then makes the matrix. Every diagonal block is present.
class BlockPattern {
public:
    explicit BlockPattern(std::int32_t node_count) : node_count_(node_count) {}

    template <int N>
    void add(const Stencils<N>& stencils)
    {
        for (std::int32_t e = 0; e < stencils.count; ++e)
            for (int i = 0; i < N; ++i)
                for (int j = i + 1; j < N; ++j) add_pair(node_of(stencils, e, i), node_of(stencils, e, j));
    }

    void add_pair(std::int32_t a, std::int32_t b)
    {
        PLIANT_ASSERT(a != b, "an element names a node twice");
        pairs_.emplace_back(std::min(a, b), std::max(a, b));
    }

    BlockMatrix matrix() const;

private:
    std::int32_t node_count_;
    std::vector<std::pair<std::int32_t, std::int32_t>> pairs_;
};

/// Where the blocks of every element go: pairs (i, j), i <= j, in the order (0,0) (0,1) … (N-1,N-1).
template <int N>
struct ScatterMap {
    static constexpr int pairs = N * (N + 1) / 2;
    struct Place {
        std::int64_t at = 0;
        bool transposed = false;  ///< node i comes after node j: the upper half holds (j, i)
    };
    std::vector<std::array<Place, pairs>> places;  ///< one per element
    mutable std::vector<Mat3T<Pack4>> batch;       ///< blocks on their way to the matrix
};

template <int N>
ScatterMap<N> scatter_map(const BlockMatrix& A, const Stencils<N>& stencils)
{
    ScatterMap<N> map;
    map.places.resize(static_cast<std::size_t>(stencils.count));
    for (std::int32_t e = 0; e < stencils.count; ++e) {
        auto place = map.places[static_cast<std::size_t>(e)].begin();
        for (int i = 0; i < N; ++i)
            for (int j = i; j < N; ++j, ++place) {
                const std::int32_t a = node_of(stencils, e, i), b = node_of(stencils, e, j);
                *place = {A.find(std::min(a, b), std::max(a, b)), a > b};
                PLIANT_ASSERT(place->at >= 0, "the pattern was not built from these stencils");
            }
    }
    return map;
}

/// How much of each part of an element's matrix is wanted.
struct HessianScale {
    double stiffness = 1;  ///< [1] of d2E/dx2, projected
    double damping = 0;    ///< [1/s] of d2D/dv2
};

/// Adds the scaled matrices of all elements, in the order of the elements.
/// Blocks are computed in parallel, a batch of elements at a time, and added by one thread.
template <class E>
void add_hessian(BlockMatrix& A, const ScatterMap<E::nodes>& map, const Elements<E>& elements, const E& parameters,
                 std::span<const Vec3> x, const HessianScale& scale = {}, std::span<const double> inner = {})
{
    // As many as fit into a core's own memory.
    constexpr std::size_t kBatch = E::nodes <= 4 ? 256 : 64, kGrain = 8, kPairs = ScatterMap<E::nodes>::pairs;
    const auto& stencils = elements.stencils;
    map.batch.resize(kBatch * kPairs);
    for (std::size_t first = 0; first < stencils.blocks.size(); first += kBatch) {
        const std::size_t count = std::min(kBatch, stencils.blocks.size() - first);
        parallel_for(count, kGrain, [&](std::size_t begin, std::size_t end, std::size_t) {
            for (std::size_t b = first + begin; b < first + end; ++b) {
                const auto& rest = view_detail::rest_of_block(elements, inner, b);
                const auto corners = gather(stencils.blocks[b], x);
                const Element<E, Pack4> element(parameters, rest, corners);
                const auto blocks = element.blocks();
                Mat3T<Pack4>* to = &map.batch[(b - first) * kPairs];
                for (int i = 0; i < E::nodes; ++i)
                    for (int j = i; j < E::nodes; ++j, ++to) {
                        *to = blocks(i, j) * Pack4(scale.stiffness);
                        if (scale.damping != 0) *to += element.damping_block(i, j) * Pack4(scale.damping);
                    }
            }
        });
        const std::size_t last = std::min((first + count) * kPackWidth, map.places.size());
        for (std::size_t e = first * kPackWidth; e < last; ++e) {
            const Mat3T<Pack4>* from = &map.batch[(e / kPackWidth - first) * kPairs];
            const int lane = static_cast<int>(e % kPackWidth);
            for (std::size_t pair = 0; pair < kPairs; ++pair) {
                const auto place = map.places[e][pair];
                Mat3& target = A.block[static_cast<std::size_t>(place.at)];
                for (int r = 0; r < 3; ++r)
                    for (int c = 0; c < 3; ++c)
                        target.m[r][c] += (place.transposed ? from[pair].m[c][r] : from[pair].m[r][c])[lane];
            }
        }
    }
}

}  // namespace pliant
