// SPDX-License-Identifier: MIT
#include <pliant/io/text_words.h>

#include <charconv>
#include <limits>

#include <fmt/format.h>

#include <pliant/io/mesh_builder.h>

namespace pliant {

namespace {

// from_chars knows no leading plus, but files do.
std::string_view without_plus(std::string_view word)
{
    const bool plus = word.size() > 1 && word[0] == '+' && word[1] != '-' && word[1] != '+';
    return plus ? word.substr(1) : word;
}

std::string complaint_about(std::string_view word, const char* expected)
{
    if (word.empty()) return fmt::format("ends early, expected {}", expected);
    return fmt::format("found {}, expected {}", in_quotes(word), expected);
}

// from_chars says "out of range" of both 1e999 and 1e-999; the second is as good as zero.
bool is_tiny(std::string_view word)
{
    if (!word.empty() && word[0] == '-') word.remove_prefix(1);
    const std::size_t e = word.find_first_of("eE");
    if (e != std::string_view::npos) return e + 1 < word.size() && word[e + 1] == '-';
    return word.substr(0, 2) == "0." || word.substr(0, 1) == ".";
}

}  // namespace

std::string_view without_byte_order_mark(std::string_view text)
{
    return text.substr(0, 3) == "\xef\xbb\xbf" ? text.substr(3) : text;
}

bool equals_ignoring_case(std::string_view word, std::string_view lower)
{
    if (word.size() != lower.size()) return false;
    for (std::size_t i = 0; i < word.size(); ++i) {
        const char c = word[i] >= 'A' && word[i] <= 'Z' ? static_cast<char>(word[i] + 32) : word[i];
        if (c != lower[i]) return false;
    }
    return true;
}

Lines::Lines(std::string_view text) : text_(text), end_(text.find('\n') == std::string_view::npos ? '\r' : '\n') {}

bool Lines::next()
{
    if (at_ >= text_.size()) return false;
    const std::size_t end = std::min(text_.find(end_, at_), text_.size());
    line_ = text_.substr(at_, end - at_);
    if (!line_.empty() && line_.back() == '\r') line_.remove_suffix(1);
    at_ = std::min(end + 1, text_.size());
    ++number_;
    return true;
}

Number number_of(std::string_view word)
{
    const std::string_view digits = without_plus(word);
    Number number;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number.value);
    const bool whole = end == digits.data() + digits.size();
    if (error == std::errc() && whole) return number;
    number.value = 0;
    if (error == std::errc::result_out_of_range && whole && is_tiny(digits)) return number;
    number.complaint = error == std::errc::result_out_of_range && whole
                           ? complaint_about(word, "a number below 1.8e308")
                           : complaint_about(word, "a number");
    return number;
}

Integer integer_of(std::string_view word)
{
    const std::string_view digits = without_plus(word);
    Integer integer;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), integer.value);
    if (error != std::errc() || end != digits.data() + digits.size())
        integer.complaint = complaint_about(word, "a whole number");
    return integer;
}

Point next_point(Words& words)
{
    Point point;
    for (int k = 0; k < 3; ++k) {
        const std::string_view word = words.next();
        Number number = number_of(word);
        if (!number.complaint.empty()) {
            point.complaint =
                word.empty() ? fmt::format("has {} coordinates, expected 3", k) : std::move(number.complaint);
            return point;
        }
        point.value[k] = number.value;
    }
    return point;
}

void append_number(std::string& text, double number)
{
    char digits[32];
    const auto end = std::to_chars(digits, digits + sizeof digits, number).ptr;
    text.append(digits, end);
}

void append_number(std::string& text, std::int64_t number)
{
    char digits[24];
    const auto end = std::to_chars(digits, digits + sizeof digits, number).ptr;
    text.append(digits, end);
}

}  // namespace pliant
