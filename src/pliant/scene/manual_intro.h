// SPDX-License-Identifier: MIT
#pragma once

// The words before the tables of the manual's page about scenes.

#include <string_view>

namespace pliant {

/// Markdown; holds a complete scene in its first fence.
std::string_view manual_intro();

}  // namespace pliant
