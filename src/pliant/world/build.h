// SPDX-License-Identifier: MIT
#pragma once

// From a Scene to a World.

#include <vector>

#include <pliant/base/error.h>
#include <pliant/scene/scene.h>
#include <pliant/world/world.h>

namespace pliant {

struct Build {
    World world;
    std::vector<Problem> problems;   ///< the world can be used only when there are none
    std::vector<std::string> notes;  ///< what a user may want to know: welded vertices, flipped faces
};

/// Builds what it can and lists everything that is wrong. Never throws.
Build try_build(const Scene&);

/// Builds or throws Error with all problems.
World build(const Scene&);

}  // namespace pliant
