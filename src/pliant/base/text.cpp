// SPDX-License-Identifier: MIT
#include <pliant/base/text.h>

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

namespace pliant {

namespace {

std::string_view without_plus(std::string_view text)
{
    const bool has_plus = text.size() > 1 && text[0] == '+' && text[1] != '-' && text[1] != '+';
    return has_plus ? text.substr(1) : text;
}

// Of a number out of the range of a double: is it too small rather than too large?
bool is_below_range(std::string_view text)
{
    const std::size_t e = std::min(text.find_first_of("eE"), text.size());
    const std::string_view exponent = e < text.size() ? text.substr(e + 1) : "0";
    const std::size_t leading = text.find_first_of("123456789");
    const std::size_t point = std::min(text.substr(0, e).find('.'), e);
    const auto places = static_cast<std::int64_t>(point) - static_cast<std::int64_t>(leading);
    // An exponent beyond all integers decides by its sign.
    const std::optional<std::int64_t> power = to_integer(exponent);
    return power ? *power < -places : exponent.starts_with('-');
}

bool takes_prefix(std::string_view unit)
{
    const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
    if (unit.empty() || !is_letter(unit[0]) || unit.starts_with("kg")) return false;
    std::size_t end = 0;
    while (end < unit.size() && is_letter(unit[end])) ++end;
    const std::string_view rest = unit.substr(end);
    return !rest.starts_with("²") && !rest.starts_with("³") && !rest.starts_with('^');
}

// The exponent of ten after rounding to three digits, so that 999.7 counts as 1000.
int rounded_exponent(double value)
{
    const std::string digits = fmt::format("{:.2e}", value);
    return static_cast<int>(to_integer(digits.substr(digits.find('e') + 1)).value_or(0));
}

std::string three_digits(double value, int exponent)
{
    // Never an exponent such as 1e+03 for what fits in plain digits.
    if (exponent >= 3 && exponent < 6) return fmt::format("{:.0f}", value);
    return fmt::format("{:.3g}", value);
}

}  // namespace

std::string shortest(double number)
{
    char digits[32];
    const auto [end, error] = std::to_chars(digits, digits + sizeof digits, number);
    return {digits, end};
}

std::optional<double> to_number(std::string_view text)
{
    text = without_plus(text);
    double number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (end != text.data() + text.size() || text.empty()) return {};
    if (error == std::errc::result_out_of_range)
        return is_below_range(text) ? std::optional(text[0] == '-' ? -0.0 : 0.0) : std::nullopt;
    if (error != std::errc{} || !std::isfinite(number)) return {};
    return number;
}

std::optional<std::int64_t> to_integer(std::string_view text)
{
    text = without_plus(text);
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc{} || end != text.data() + text.size()) return {};
    return number;
}

std::string si(double value, std::string_view unit)
{
    const std::string space = unit.empty() ? "" : " ";
    if (!std::isfinite(value) || value == 0) return shortest(value) + space + std::string(unit);
    static constexpr const char* kPrefixes[] = {"p", "n", "µ", "m", "", "k", "M", "G", "T"};
    const int exponent = rounded_exponent(value);
    const int step = exponent >= 0 ? exponent / 3 : -((2 - exponent) / 3);
    const bool scales = takes_prefix(unit) && step >= -4 && step <= 4;
    if (!scales) return three_digits(value, exponent) + space + std::string(unit);
    const double mantissa = value / std::pow(10.0, 3 * step);
    return three_digits(mantissa, exponent - 3 * step) + space + kPrefixes[step + 4] + std::string(unit);
}

std::size_t utf8_length(std::string_view text)
{
    const auto byte = [&](std::size_t i) -> unsigned { return static_cast<unsigned char>(text[i]); };
    if (text.empty()) return 0;
    const unsigned lead = byte(0);
    if (lead < 0x80) return 1;
    const std::size_t length = lead < 0xc2 ? 0 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : lead < 0xf5 ? 4 : 0;
    if (length == 0 || text.size() < length) return 0;
    for (std::size_t i = 1; i < length; ++i)
        if ((byte(i) & 0xc0) != 0x80) return 0;
    // The second byte rules out overlong forms (e0, f0), surrogates (ed) and what lies beyond (f4).
    const bool is_bad = (lead == 0xe0 && byte(1) < 0xa0) || (lead == 0xed && byte(1) > 0x9f) ||
                        (lead == 0xf0 && byte(1) < 0x90) || (lead == 0xf4 && byte(1) > 0x8f);
    return is_bad ? 0 : length;
}

void append_utf8(std::string& text, char32_t code_point)
{
    const auto tail = [&](int shift) { return static_cast<char>(0x80 | ((code_point >> shift) & 0x3f)); };
    if (code_point < 0x80) {
        text += static_cast<char>(code_point);
    } else if (code_point < 0x800) {
        text += {static_cast<char>(0xc0 | (code_point >> 6)), tail(0)};
    } else if (code_point < 0x10000) {
        text += {static_cast<char>(0xe0 | (code_point >> 12)), tail(6), tail(0)};
    } else {
        text += {static_cast<char>(0xf0 | (code_point >> 18)), tail(12), tail(6), tail(0)};
    }
}

}  // namespace pliant
