// SPDX-License-Identifier: MIT
#include <pliant/energy/stencils.h>

namespace pliant {

void add_windows(std::span<Vec3> target, std::span<const Chunk> chunks, std::span<const Vec3> windows)
{
    constexpr std::size_t kNodesPerTask = 16384;
    parallel_for(target.size(), kNodesPerTask, [&](std::size_t begin, std::size_t end, std::size_t) {
        const auto first = static_cast<std::int32_t>(begin), last = static_cast<std::int32_t>(end);
        for (const Chunk& chunk : chunks) {
            const std::int32_t from = std::max(first, chunk.first_node);
            const std::int32_t to = std::min(last, chunk.end_node);
            const Vec3* window = windows.data() + chunk.window - chunk.first_node;
            for (std::int32_t i = from; i < to; ++i) target[i] += window[i];
        }
    });
}

}  // namespace pliant
