// SPDX-License-Identifier: MIT
#include <pliant/base/hash.h>

#include <pliant/base/types.h>

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cstring>
#include <random>
#include <set>
#include <vector>

namespace pliant {
namespace {

template <class T>
std::uint64_t hash_of(const T& value)
{
    Hash hash;
    hash.add(value);
    return hash.value();
}

std::vector<std::byte> random_bytes(std::size_t count)
{
    std::mt19937 random(7);
    std::vector<std::byte> bytes(count);
    for (std::byte& byte : bytes) byte = static_cast<std::byte>(random());
    return bytes;
}

void flip(std::vector<std::byte>& bytes, std::size_t bit)
{
    bytes[bit / 8] ^= static_cast<std::byte>(1u << (bit % 8));
}

TEST(Hash, changes_when_any_single_bit_or_pair_of_bits_flips)
{
    for (const std::size_t size : {1u, 7u, 8u, 9u, 24u, 40u}) {
        std::vector<std::byte> bytes = random_bytes(size);
        std::set<std::uint64_t> seen = {hash_of(bytes)};
        for (std::size_t i = 0; i < 8 * size; ++i) {
            flip(bytes, i);
            EXPECT_TRUE(seen.insert(hash_of(bytes)).second) << "bit " << i << " of " << size;
            for (std::size_t j = i + 1; j < 8 * size; ++j) {
                flip(bytes, j);
                EXPECT_TRUE(seen.insert(hash_of(bytes)).second) << "bits " << i << ", " << j;
                flip(bytes, j);
            }
            flip(bytes, i);
        }
    }
}

TEST(Hash, moves_about_half_of_its_bits_when_one_bit_flips)
{
    std::vector<std::byte> bytes = random_bytes(64);
    const std::uint64_t before = hash_of(bytes);
    std::array<int, 64> times_moved{};
    for (std::size_t i = 0; i < 8 * bytes.size(); ++i) {
        flip(bytes, i);
        const std::uint64_t moved = before ^ hash_of(bytes);
        flip(bytes, i);
        EXPECT_GE(std::popcount(moved), 12) << "input bit " << i;
        EXPECT_LE(std::popcount(moved), 52) << "input bit " << i;
        for (std::size_t b = 0; b < 64; ++b) times_moved[b] += static_cast<int>(moved >> b & 1);
    }
    // 512 fair coins: 256 +- 11.3; six deviations.
    for (const int times : times_moved) EXPECT_NEAR(times, 256, 68);
}

TEST(Hash, depends_on_order_and_on_the_borders_between_additions)
{
    const auto hash_of_two = [](std::string_view a, std::string_view b) {
        Hash hash;
        hash.add(a);
        hash.add(b);
        return hash.value();
    };
    EXPECT_NE(hash_of_two("ab", "c"), hash_of_two("a", "bc"));
    EXPECT_NE(hash_of_two("a", "b"), hash_of_two("b", "a"));
    EXPECT_NE(hash_of_two("", "a"), hash_of_two("a", ""));
}

TEST(Hash, tells_zero_bytes_apart_by_their_number)
{
    std::set<std::uint64_t> seen = {Hash{}.value()};
    for (std::size_t size = 0; size < 100; ++size)
        EXPECT_TRUE(seen.insert(hash_of(std::vector<std::byte>(size))).second) << size;
}

TEST(Hash, sees_the_characters_of_a_text_and_not_its_address)
{
    const std::string text = "pneumatic", copy = text;
    EXPECT_EQ(hash_of(text), hash_of(copy));
    EXPECT_EQ(hash_of(text), hash_of(std::string_view(copy)));
    Hash literal;
    literal.add("pneumatic");
    EXPECT_EQ(literal.value(), hash_of(text));
}

TEST(Hash, sees_the_values_of_spans_and_vectors_and_structs)
{
    const std::vector<Vec3> x = {{1, 2, 3}, {4, 5, 6}}, copy = x;
    EXPECT_EQ(hash_of(x), hash_of(std::span<const Vec3>(copy)));
    EXPECT_EQ(hash_of(x), hash_of(std::array<double, 6>{1, 2, 3, 4, 5, 6}));
    EXPECT_NE(hash_of(0.0), hash_of(-0.0));
    EXPECT_NE(hash_of(1), hash_of(1LL));
    EXPECT_EQ(hash_of(Vec3{1, 2, 3}), hash_of(std::array<double, 3>{1, 2, 3}));
}

TEST(Hash, stays_the_same_from_version_to_version)
{
    EXPECT_EQ(hex(hash_of(std::string_view("things that bend"))), "a2fe9d00538dee8d");
    EXPECT_EQ(hex(hash_of(Vec3{1, 2, 3})), "02aad8b95f4573f2");
}

TEST(Hash, is_written_with_sixteen_digits)
{
    EXPECT_EQ(hex(0), "0000000000000000");
    EXPECT_EQ(hex(0x0123456789abcdef), "0123456789abcdef");
    EXPECT_EQ(hex(~std::uint64_t{0}), "ffffffffffffffff");
}

}  // namespace
}  // namespace pliant
