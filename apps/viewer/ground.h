// SPDX-License-Identifier: MIT
#pragma once

// The ground of a scene.

#include <optional>
#include <string>

namespace pliant::viewer {

/// [m] The height of a plane that things stand on, if the scene has one; `up` is 'y' or 'z'.
std::optional<double> ground_of(const std::string& scene_text, char up);

}  // namespace pliant::viewer
