// SPDX-License-Identifier: MIT
#pragma once

// Scenes to start from: complete, commented, running. `pliant new KIND` prints them.

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace pliant {

struct Starter {
    std::string_view kind, sentence;
};

std::span<const Starter> starters();

/// The text of the scene, or nothing when there is no such kind.
std::optional<std::string> starter_scene(std::string_view kind);

}  // namespace pliant
