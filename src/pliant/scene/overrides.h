// SPDX-License-Identifier: MIT
#pragma once

// Changes of a scene's tree from outside the file (--set path=value).

#include <vector>

#include <pliant/base/json.h>
#include <pliant/scene/scene_json.h>

namespace pliant {

/// Sets every value in turn. What was set has no line, by which readers know it. Problems are added.
void apply_overrides(Json& root, const std::vector<Override>& overrides, std::vector<Problem>& problems);

}  // namespace pliant
