// SPDX-License-Identifier: MIT
#pragma once

// A take run again from its scene, with everything that was done to it from outside at the same times, and compared with
// what it recorded: every frame by the hash of its state.

#include <functional>
#include <optional>

#include <pliant/record/recording.h>
#include <pliant/scene/scene.h>
#include <pliant/world/world.h>

namespace pliant {

struct ReplayReport {
    std::int64_t frames = 0;                         ///< compared
    std::int64_t actions = 0;                        ///< done again
    std::optional<std::int64_t> first_difference{};  ///< Frame::index of the first frame that is not the same
    double furthest = 0;  ///< [m] largest distance of a point from where it was, in any frame
    std::string message;  ///< words for a step that failed
};

/// From the start of the scene to the last frame of the take. `take_frame` gets each frame that was compared.
ReplayReport replay(World&, const Scene&, const Recording& take,
                    const std::function<void(const Frame&)>& take_frame = {});

}  // namespace pliant
