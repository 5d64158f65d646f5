// SPDX-License-Identifier: MIT
#pragma once

// Stencils: which N nodes each element touches, in SIMD blocks and fixed chunks.
//
// Elements are kept in blocks of kPackWidth, the last padded by repeating its last element with zero
// weight. Blocks are grouped in chunks that depend on the mesh only; when there are several, each
// chunk adds into a window of its own and the windows are added in chunk order. So the sum has the
// same bits for any thread count, and no two threads write the same place.

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include <pliant/base/parallel.h>
#include <pliant/base/simd.h>
#include <pliant/base/types.h>

namespace pliant {

/// A run of blocks and the range of nodes it touches.
struct Chunk {
    std::int32_t first_block = 0, end_block = 0;
    std::int32_t first_node = 0, end_node = 0;
    std::size_t window = 0;  ///< where its window starts in the window buffer
};

template <int N>
struct StencilBlock {
    std::int32_t node[N][kPackWidth];
};

template <int N>
struct Stencils {
    std::vector<StencilBlock<N>> blocks;
    std::vector<Chunk> chunks;
    std::int32_t count = 0;       ///< elements, padding not counted
    std::size_t window_size = 0;  ///< total length of all windows; 0 when there is one chunk

    /// 1 for real elements of block b, 0 for padding.
    Pack4 weight(std::int32_t b) const
    {
        Pack4 w = 1.0;
        for (int lane = std::max(0, count - b * kPackWidth); lane < kPackWidth; ++lane) w.set(lane, 0.0);
        return w;
    }
    bool is_padded(std::int32_t b) const { return (b + 1) * kPackWidth > count; }
};

/// Blocks of one chunk. Small meshes stay in one chunk, whose adds go straight to the target.
inline constexpr std::int32_t kChunkBlocks = 2048;

namespace stencil_detail {

template <int N>
Chunk make_chunk(const Stencils<N>& s, std::int32_t first, std::int32_t end)
{
    Chunk chunk{first, end, s.blocks[static_cast<std::size_t>(first)].node[0][0], 0, 0};
    for (std::int32_t b = first; b < end; ++b)
        for (const auto& row : s.blocks[static_cast<std::size_t>(b)].node)
            for (const std::int32_t node : row) {
                chunk.first_node = std::min(chunk.first_node, node);
                chunk.end_node = std::max(chunk.end_node, node + 1);
            }
    return chunk;
}

template <int N>
void cut_chunks(Stencils<N>& s, std::int32_t chunk_blocks)
{
    s.chunks.clear();
    s.window_size = 0;
    const auto blocks = static_cast<std::int32_t>(s.blocks.size());
    for (std::int32_t first = 0; first < blocks; first += chunk_blocks) {
        Chunk chunk = make_chunk(s, first, std::min(blocks, first + chunk_blocks));
        chunk.window = s.window_size;
        s.window_size += static_cast<std::size_t>(chunk.end_node - chunk.first_node);
        s.chunks.push_back(chunk);
    }
    if (s.chunks.size() == 1) s.window_size = 0;
}

}  // namespace stencil_detail

/// Packs the index tuples of `elements` into blocks and chunks. A numbering so scattered that the
/// windows would outgrow four times the nodes gets fewer, larger chunks.
template <int N>
Stencils<N> make_stencils(std::span<const std::array<std::int32_t, N>> elements, std::int32_t node_count)
{
    Stencils<N> s;
    s.count = static_cast<std::int32_t>(elements.size());
    s.blocks.resize((elements.size() + kPackWidth - 1) / kPackWidth);
    for (std::size_t b = 0; b < s.blocks.size(); ++b)
        for (int lane = 0; lane < kPackWidth; ++lane) {
            const std::size_t e = std::min(b * kPackWidth + static_cast<std::size_t>(lane), elements.size() - 1);
            for (int i = 0; i < N; ++i) s.blocks[b].node[i][lane] = elements[e][static_cast<std::size_t>(i)];
        }
    const auto blocks = static_cast<std::int32_t>(s.blocks.size());
    std::int32_t chunk_blocks = std::max(kChunkBlocks, (blocks + 255) / 256);
    stencil_detail::cut_chunks(s, chunk_blocks);
    while (s.window_size > 4 * static_cast<std::size_t>(node_count) && s.chunks.size() > 1) {
        chunk_blocks *= 2;
        stencil_detail::cut_chunks(s, chunk_blocks);
    }
    return s;
}

template <int N>
[[gnu::always_inline]] inline std::array<Vec3T<Pack4>, N> gather(const StencilBlock<N>& block,
                                                                 std::span<const Vec3> values)
{
    std::array<Vec3T<Pack4>, N> out;
#pragma GCC unroll 8
    for (int i = 0; i < N; ++i) {
        const Vec3& a = values[static_cast<std::size_t>(block.node[i][0])];
        const Vec3& b = values[static_cast<std::size_t>(block.node[i][1])];
        const Vec3& c = values[static_cast<std::size_t>(block.node[i][2])];
        const Vec3& d = values[static_cast<std::size_t>(block.node[i][3])];
        using V = Pack4::Values;
        out[static_cast<std::size_t>(i)] = {Pack4(V{a.x, b.x, c.x, d.x}), Pack4(V{a.y, b.y, c.y, d.y}),
                                            Pack4(V{a.z, b.z, c.z, d.z})};
    }
    return out;
}

template <int N>
[[gnu::always_inline]] inline void scatter_add(Vec3* target, std::int32_t first_node, const StencilBlock<N>& block,
                                               const std::array<Vec3T<Pack4>, N>& values)
{
#pragma GCC unroll 8
    for (int i = 0; i < N; ++i) {
        const Vec3T<Pack4>& value = values[static_cast<std::size_t>(i)];
#pragma GCC unroll 4
        for (int lane = 0; lane < kPackWidth; ++lane) {
            Vec3& t = target[block.node[i][lane] - first_node];
            t.x += value.x[lane], t.y += value.y[lane], t.z += value.z[lane];
        }
    }
}

/// Adds the windows of all chunks to `target`, in chunk order, range of nodes by range of nodes.
void add_windows(std::span<Vec3> target, std::span<const Chunk> chunks, std::span<const Vec3> windows);

/// Calls kernel(b, out) for every block: it fills `out`, one vector per node, and returns a value;
/// the vectors are added to `target`, the values are summed in fixed order. `windows` must hold
/// stencils.window_size vectors.
template <class Result, int N, class Kernel>
Result assemble(std::span<Vec3> target, const Stencils<N>& stencils, std::span<Vec3> windows, Kernel&& kernel)
{
    const auto run = [&](const Chunk& chunk, Vec3* to, std::int32_t first_node) {
        Result total{};
        std::array<Vec3T<Pack4>, N> out;
        for (std::int32_t b = chunk.first_block; b < chunk.end_block; ++b) {
            total += kernel(b, out);
            scatter_add<N>(to, first_node, stencils.blocks[static_cast<std::size_t>(b)], out);
        }
        return total;
    };
    if (stencils.chunks.empty()) return {};
    if (stencils.chunks.size() == 1) return run(stencils.chunks[0], target.data(), 0);
    const Result total = parallel_sum<Result>(stencils.chunks.size(), 1, [&](std::size_t begin, std::size_t end) {
        Result sum{};
        for (std::size_t c = begin; c < end; ++c) {
            const Chunk& chunk = stencils.chunks[c];
            Vec3* window = windows.data() + chunk.window;
            std::fill(window, window + (chunk.end_node - chunk.first_node), Vec3{});
            sum += run(chunk, window, chunk.first_node);
        }
        return sum;
    });
    add_windows(target, stencils.chunks, windows);
    return total;
}

/// Sums kernel(b) over all blocks in fixed order; nothing is scattered.
template <class Result, int N, class Kernel>
Result reduce(const Stencils<N>& stencils, Kernel&& kernel)
{
    return parallel_sum<Result>(stencils.chunks.size(), 1, [&](std::size_t begin, std::size_t end) {
        Result sum{};
        for (std::size_t c = begin; c < end; ++c)
            for (std::int32_t b = stencils.chunks[c].first_block; b < stencils.chunks[c].end_block; ++b)
                sum += kernel(b);
        return sum;
    });
}

}  // namespace pliant
