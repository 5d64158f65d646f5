// SPDX-License-Identifier: MIT
#pragma once

// The program inside exported pages, embedded in this build: for this room only.
//
// Built from page/ by npm (cmake/page.cmake), which writes the definitions. A build without npm has none.

#include <span>
#include <string_view>

namespace pliant {

/// The JavaScript, to be written one piece after the other; empty when this build has none.
std::span<const std::string_view> page_script();

/// Why this build has no page; empty when it has one.
std::string_view page_script_problem();

}  // namespace pliant
