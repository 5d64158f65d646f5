// SPDX-License-Identifier: MIT
#pragma once

// Colours of numbers: dark blue over green to yellow, even in lightness, for all kinds of colour vision.
// Reference: Smith and van der Walt, viridis (2015), here as nine of its colours and straight lines between them.

#include <array>
#include <cstddef>

namespace pliant::viewer {

using Rgb = std::array<float, 3>;  ///< 0 to 1

inline constexpr std::size_t kColourStops = 9;
inline constexpr std::array<Rgb, kColourStops> kColours{{{0.267F, 0.005F, 0.329F},
                                                         {0.278F, 0.175F, 0.483F},
                                                         {0.230F, 0.322F, 0.546F},
                                                         {0.173F, 0.449F, 0.558F},
                                                         {0.128F, 0.567F, 0.551F},
                                                         {0.158F, 0.684F, 0.502F},
                                                         {0.369F, 0.789F, 0.383F},
                                                         {0.678F, 0.864F, 0.190F},
                                                         {0.993F, 0.906F, 0.144F}}};

/// The colour at a share of the range, 0 to 1.
Rgb colour_of(double share);

/// Of body b: distinguishable neighbours, the ground of all is a warm grey.
Rgb body_colour(std::size_t body, bool is_obstacle);

}  // namespace pliant::viewer
