// SPDX-License-Identifier: MIT
#include "colour_map.h"

#include <algorithm>

namespace pliant::viewer {

Rgb colour_of(double share)
{
    const double place = std::clamp(share, 0.0, 1.0) * static_cast<double>(kColourStops - 1);
    const std::size_t low = std::min(static_cast<std::size_t>(place), kColourStops - 2);
    const auto part = static_cast<float>(place - static_cast<double>(low));
    Rgb colour{};
    for (std::size_t k = 0; k < 3; ++k) colour[k] = kColours[low][k] * (1 - part) + kColours[low + 1][k] * part;
    return colour;
}

Rgb body_colour(std::size_t body, bool is_obstacle)
{
    // Okabe and Ito's palette (2008), softened.
    constexpr std::array<Rgb, 7> kBodies{{{0.82F, 0.36F, 0.22F},
                                          {0.20F, 0.48F, 0.72F},
                                          {0.92F, 0.68F, 0.25F},
                                          {0.15F, 0.60F, 0.47F},
                                          {0.75F, 0.50F, 0.65F},
                                          {0.42F, 0.68F, 0.86F},
                                          {0.86F, 0.82F, 0.40F}}};
    return is_obstacle ? Rgb{0.62F, 0.61F, 0.59F} : kBodies[body % kBodies.size()];
}

}  // namespace pliant::viewer
