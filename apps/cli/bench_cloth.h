// SPDX-License-Identifier: MIT
#pragma once

// What the measurements of cloth share.

#include <functional>
#include <string>
#include <vector>

#include <pliant/base/profile.h>
#include <pliant/scene/scene_json.h>
#include <pliant/world/world.h>

namespace pliant::cli {

/// Machine times of frames [s] and what the frames said.
struct FrameTimes {
    std::vector<double> seconds;
    int iterations = 0;
    double unbalanced = 0;  ///< [1] of the driving forces, left over by a step under response barrier; the largest
    Profile profile;        ///< of all frames
    std::string failure;    ///< kind of the failure; "" when all went well

    double median_ms() const;
    double worst_ms() const;
    /// The time that this share of the frames does not exceed, between two of them by linear interpolation.
    double quantile_ms(double share) const;
};

/// One of the scenes that come with the program, changed by overrides.
Scene shipped_scene(const std::string& name, const std::vector<Override>& overrides);

/// "[50,50]"
std::string grid_text(int side);

/// Steps the world through whole frames up to `end` [s], or to a failure. `after` sees the world after every frame.
FrameTimes time_frames(World& world, double frame_rate, double end, const std::function<void(World&)>& after = {});

/// Value of a measure of the world as it is.
double measure_of(World& world, const std::string& name);

}  // namespace pliant::cli
