// SPDX-License-Identifier: MIT
#include <pliant/base/text.h>

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>

namespace pliant {
namespace {

TEST(Text, writes_the_fewest_digits_that_read_back)
{
    EXPECT_EQ(shortest(0.1), "0.1");
    EXPECT_EQ(shortest(1), "1");
    EXPECT_EQ(shortest(-0.0), "-0");
    EXPECT_EQ(shortest(1.0 / 3), "0.3333333333333333");
    EXPECT_EQ(shortest(1e30), "1e+30");
}

TEST(Text, reads_back_the_same_bits_for_any_number)
{
    std::mt19937_64 random(3);
    for (int i = 0; i < 100000; ++i) {
        const double number = std::bit_cast<double>(random());
        if (!std::isfinite(number)) continue;
        const auto read = to_number(shortest(number));
        ASSERT_TRUE(read.has_value()) << shortest(number);
        EXPECT_EQ(std::bit_cast<std::uint64_t>(*read), std::bit_cast<std::uint64_t>(number));
    }
    EXPECT_EQ(to_number(shortest(5e-324)), 5e-324);
    EXPECT_EQ(to_number(shortest(std::numeric_limits<double>::max())), std::numeric_limits<double>::max());
}

TEST(Text, accepts_the_usual_spellings_of_numbers)
{
    EXPECT_EQ(to_number("+1.5"), 1.5);
    EXPECT_EQ(to_number("-2.5E-3"), -2.5e-3);
    EXPECT_EQ(to_number(".5"), 0.5);
    EXPECT_EQ(to_number("5."), 5.0);
    EXPECT_EQ(to_integer("+42"), 42);
    EXPECT_EQ(to_integer("-9223372036854775808"), std::numeric_limits<std::int64_t>::min());
}

TEST(Text, refuses_what_is_not_wholly_a_finite_number)
{
    for (const char* text : {"", " 1", "1 ", "1,5", "0x10", "nan", "inf", "-inf", "1e999", "-1e5000", "+-1", "++1",
                             "1.2.3", "m", "+", "-"})
        EXPECT_FALSE(to_number(text).has_value()) << '"' << text << '"';
    for (const char* text : {"", "1.0", "1e3", "9223372036854775808", "+", "+-1"})
        EXPECT_FALSE(to_integer(text).has_value()) << '"' << text << '"';
}

TEST(Text, reads_what_is_too_small_as_zero)
{
    for (const char* text : {"1e-400", "1e-5000", "0.1e-99999999999", "4e-325"})
        EXPECT_EQ(to_number(text), 0.0) << text;
    EXPECT_TRUE(std::signbit(to_number("-1e-400").value()));
    const std::string many_zeros = "0." + std::string(6000, '0') + '1';
    EXPECT_EQ(to_number(many_zeros), 0.0);
    EXPECT_EQ(to_number(many_zeros + "e-9"), 0.0);
    EXPECT_EQ(to_number(many_zeros + "e6001"), 1.0);
    EXPECT_FALSE(to_number(many_zeros + "e7000").has_value());
    EXPECT_FALSE(to_number(std::string(400, '9')).has_value());
}

TEST(Text, formats_with_three_digits_and_a_prefix)
{
    EXPECT_EQ(si(0.0124, "s"), "12.4 ms");
    EXPECT_EQ(si(2.5e-7, "s"), "250 ns");
    EXPECT_EQ(si(4e-6, "m"), "4 µm");
    EXPECT_EQ(si(3.2e9, "Pa"), "3.2 GPa");
    EXPECT_EQ(si(101325, "Pa"), "101 kPa");
    EXPECT_EQ(si(-1500, "N"), "-1.5 kN");
    EXPECT_EQ(si(1, "s"), "1 s");
    EXPECT_EQ(si(0, "s"), "0 s");
    EXPECT_EQ(si(42, ""), "42");
}

TEST(Text, moves_to_the_next_prefix_when_rounding_reaches_it)
{
    EXPECT_EQ(si(0.9996, "s"), "1 s");
    EXPECT_EQ(si(0.9994, "s"), "999 ms");
    EXPECT_EQ(si(999.6e3, "Pa"), "1 MPa");
}

TEST(Text, puts_no_prefix_before_powers_and_kilograms)
{
    EXPECT_EQ(si(1.657, "m³"), "1.66 m³");
    EXPECT_EQ(si(0.002, "m²"), "0.002 m²");
    EXPECT_EQ(si(1200, "kg"), "1200 kg");
    EXPECT_EQ(si(7850, "kg/m³"), "7850 kg/m³");
    EXPECT_EQ(si(9.81, "m/s²"), "9.81 m/s²");
    EXPECT_EQ(si(0.25, "%"), "0.25 %");
}

TEST(Text, survives_numbers_without_a_prefix_and_without_sense)
{
    EXPECT_EQ(si(1e30, "Pa"), "1e+30 Pa");
    EXPECT_EQ(si(1e-30, "Pa"), "1e-30 Pa");
    EXPECT_EQ(si(std::numeric_limits<double>::quiet_NaN(), "Pa"), "nan Pa");
    EXPECT_EQ(si(-std::numeric_limits<double>::infinity(), "Pa"), "-inf Pa");
}

TEST(Text, knows_valid_utf8)
{
    EXPECT_EQ(utf8_length("a"), 1u);
    EXPECT_EQ(utf8_length("é"), 2u);
    EXPECT_EQ(utf8_length("€"), 3u);
    EXPECT_EQ(utf8_length("𝄞"), 4u);
    for (const char* text : {"", "\x80", "\xc0\x80", "\xc3", "\xe0\x80\x80", "\xed\xa0\x80", "\xf0\x80\x80\x80",
                             "\xf4\x90\x80\x80", "\xff", "\xe2\x82"})
        EXPECT_EQ(utf8_length(text), 0u);
}

TEST(Text, writes_every_character_as_valid_utf8)
{
    for (char32_t c = 1; c < 0x110000; c += 17) {
        if (c >= 0xd800 && c < 0xe000) continue;
        std::string text;
        append_utf8(text, c);
        EXPECT_EQ(utf8_length(text), text.size()) << static_cast<std::uint32_t>(c);
    }
}

}  // namespace
}  // namespace pliant
