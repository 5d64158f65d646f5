// SPDX-License-Identifier: MIT
#pragma once

// Pixels in memory.

#include <cstdint>
#include <vector>

namespace pliant::viewer {

struct Picture {
    int width = 0, height = 0;
    std::vector<std::uint8_t> rgb;  ///< 3 width height, the top row first
};

}  // namespace pliant::viewer
