// SPDX-License-Identifier: MIT
#pragma once

// What can be wrong with a scene whose every single value is fine, as far as it shows before a build:
// what contradicts, what is missing, what names nothing.

#include <vector>

#include <pliant/scene/scene.h>

namespace pliant {

/// Every problem, each with its cure. Needs no file, mesh or world.
std::vector<Problem> check_scene(const Scene& scene);

}  // namespace pliant
