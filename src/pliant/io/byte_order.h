// SPDX-License-Identifier: MIT
#pragma once

// Numbers as bytes of a given order, for binary formats; the same on machines of either order.

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <string>

namespace pliant {

/// The number stored at `bytes`, which must hold sizeof(T) of them.
template <class T>
T number_at(const char* bytes, std::endian order = std::endian::little)
{
    std::array<char, sizeof(T)> raw;
    std::memcpy(raw.data(), bytes, sizeof(T));
    if (order != std::endian::native) std::reverse(raw.begin(), raw.end());
    return std::bit_cast<T>(raw);
}

/// Appends the number's bytes, lowest first.
template <class T>
void append_little(std::string& bytes, T number)
{
    auto raw = std::bit_cast<std::array<char, sizeof(T)>>(number);
    if (std::endian::native != std::endian::little) std::reverse(raw.begin(), raw.end());
    bytes.append(raw.data(), raw.size());
}

}  // namespace pliant
