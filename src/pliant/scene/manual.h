// SPDX-License-Identifier: MIT
#pragma once

// The manual's page about scene files, from describe() and the presets.

#include <string>

namespace pliant {

/// Markdown: how a scene is written, an example, one table per object, presets with their sources.
std::string scene_format_markdown();

}  // namespace pliant
