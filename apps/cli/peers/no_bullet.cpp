// SPDX-License-Identifier: MIT

// Built where Bullet is not installed: the bench says so in its table.

#include "../bench_peer.h"

namespace pliant::cli {

std::optional<FrameTimes> drape_in_bullet(const PeerDrape&, const std::function<void(std::span<const Vec3>)>&)
{
    return std::nullopt;
}

}  // namespace pliant::cli
