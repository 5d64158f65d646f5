// SPDX-License-Identifier: MIT
#pragma once

// The program inside exported pages, embedded in this build: for this room only.
//
// Built from page/ by npm (cmake/page.cmake), which writes the definitions. A build without npm has none.

#include <span>
#include <string_view>

namespace pliant {

struct PageScript {
    std::span<const std::string_view> pieces;  ///< JavaScript, to be written one after the other; empty: there is none
    std::string_view problem;                  ///< why there is none
};

/// That of this build.
PageScript page_script();

}  // namespace pliant
