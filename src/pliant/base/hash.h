// SPDX-License-Identifier: MIT
#pragma once

// A fast 64-bit fingerprint of states and files: equal bits in, equal number out.
//
// Order matters and so do borders: add("ab"), add("c") differs from add("a"), add("bc"). Values are
// taken bit by bit, so -0.0 differs from 0.0 and structs with padding must not be added. Words are
// little-endian. Not for cryptography. Lives here: Hash, hex.

#include <cstddef>
#include <cstdint>
#include <ranges>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

namespace pliant {

/// A value whose own bits say all: neither a pointer nor a view of something else.
template <class T>
concept HashableValue = std::is_trivially_copyable_v<T> && !std::is_pointer_v<T> &&
                        !std::is_convertible_v<const T&, std::string_view> && !std::ranges::borrowed_range<T>;

/// A span, vector or array of such values.
template <class R>
concept HashableRange = std::ranges::contiguous_range<const R> && std::ranges::sized_range<const R> &&
                        !std::is_convertible_v<const R&, std::string_view> &&
                        HashableValue<std::ranges::range_value_t<const R>>;

class Hash {
public:
    void add(std::span<const std::byte> bytes);

    void add(std::string_view text) { add(std::as_bytes(std::span(text.data(), text.size()))); }

    template <HashableRange R>
    void add(const R& values)
    {
        add(std::as_bytes(std::span(std::ranges::data(values), std::ranges::size(values))));
    }

    template <HashableValue T>
    requires(!HashableRange<T>) void add(const T& value) { add(std::as_bytes(std::span<const T, 1>(&value, 1))); }

    /// The fingerprint of everything added so far; adding may go on afterwards.
    std::uint64_t value() const;

private:
    // Two lanes with different rotations see every word, so that no pattern of flips cancels in both.
    std::uint64_t left_ = 0x243f6a8885a308d3;  // fractional digits of pi
    std::uint64_t right_ = 0x13198a2e03707344;
};

/// 16 lower-case hexadecimal digits.
std::string hex(std::uint64_t number);

}  // namespace pliant
