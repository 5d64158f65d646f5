// SPDX-License-Identifier: MIT
#pragma once

// Bytes as text that pages can carry: zlib, then base64. For this room only.

#include <cstddef>
#include <span>
#include <string>

namespace pliant {

std::string packed_text(std::span<const std::byte> bytes);

}  // namespace pliant
