// SPDX-License-Identifier: MIT
#pragma once

// Text inside of HTML, SVG and other XML.

#include <string>
#include <string_view>

namespace pliant {

/// With &, <, > and " as entities, safe between tags and within double quotes; control characters that XML does not have
/// become spaces.
std::string markup_text(std::string_view text);

}  // namespace pliant
