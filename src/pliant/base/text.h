// SPDX-License-Identifier: MIT
#pragma once

// Numbers to text and back, the same in every locale; characters of UTF-8.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace pliant {

/// The fewest digits that read back to the same bits: "0.1", "1e+30", "-0", "nan", "inf".
std::string shortest(double number);

/// The finite number that is the whole text, which may begin with '+'; nothing for anything else
/// (spaces, "nan", "1,5", "0x10", too large). What is too small to represent becomes zero.
std::optional<double> to_number(std::string_view text);

/// The whole number that is the whole text, which may begin with '+'.
std::optional<std::int64_t> to_integer(std::string_view text);

/// Three significant digits with a prefix of the unit: "12.4 ms", "3.2 GPa", "7.81 kg", "1.66 m³".
/// Units in kilograms, or whose first symbol carries a power, get no prefix.
std::string si(double value, std::string_view unit);

/// Bytes of the UTF-8 character at the beginning of the text: 1 to 4, or 0 if there is no valid one
/// (empty text, stray or missing bytes, overlong forms, surrogates, beyond U+10FFFF).
std::size_t utf8_length(std::string_view text);

/// Appends the character with this code point; the caller knows that it is no surrogate.
void append_utf8(std::string& text, char32_t code_point);

}  // namespace pliant
