// SPDX-License-Identifier: MIT
#include <pliant/base/hash.h>

// Each word enters two lanes as lane = rotate(lane op word) * odd. The step is a bijection of the word,
// so a single changed word can never leave a lane unchanged.

#include <bit>
#include <cstring>

namespace pliant {

static_assert(std::endian::native == std::endian::little,
              "words of a fingerprint are little-endian: swap their bytes here");

namespace {

// Odd, with dense and irregular bits: the golden ratio's and the square root of two's digits.
constexpr std::uint64_t kLeftFactor = 0x9e3779b97f4a7c15;
constexpr std::uint64_t kRightFactor = 0xb504f333f9de6485;

struct Lanes {
    std::uint64_t left, right;

    void take(std::uint64_t word)
    {
        left = std::rotl(left ^ word, 29) * kLeftFactor;
        right = std::rotl(right + word, 41) * kRightFactor;
    }
};

// A bijection in which every bit in moves about half of the bits out.
std::uint64_t stirred(std::uint64_t bits)
{
    bits = (bits ^ (bits >> 32)) * kRightFactor;
    bits = (bits ^ (bits >> 29)) * kLeftFactor;
    bits = (bits ^ (bits >> 31)) * kRightFactor;
    return bits ^ (bits >> 32);
}

}  // namespace

void Hash::add(std::span<const std::byte> bytes)
{
    Lanes lanes{left_, right_};
    const std::byte* data = bytes.data();
    std::size_t left_over = bytes.size();
    std::uint64_t word = 0;
    for (; left_over >= sizeof word; left_over -= sizeof word, data += sizeof word) {
        std::memcpy(&word, data, sizeof word);
        lanes.take(word);
    }
    if (left_over > 0) {
        word = 0;
        std::memcpy(&word, data, left_over);
        lanes.take(word);
    }
    // The length tells zero bytes at the end apart, and marks the border between two additions.
    lanes.take(~static_cast<std::uint64_t>(bytes.size()));
    left_ = lanes.left;
    right_ = lanes.right;
}

std::uint64_t Hash::value() const
{
    return stirred(stirred(left_) + std::rotl(right_, 32));
}

std::string hex(std::uint64_t number)
{
    std::string digits(16, '0');
    for (std::size_t i = digits.size(); i-- > 0; number >>= 4) digits[i] = "0123456789abcdef"[number & 15];
    return digits;
}

}  // namespace pliant
