// SPDX-License-Identifier: MIT
#include <pliant/base/json_scan.h>

#include <pliant/base/text.h>

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace pliant {

namespace {

constexpr std::size_t kMaxProblems = 50;

bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

bool is_word_character(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) || c == '_' || c == '-';
}

bool is_number_character(char c)
{
    return is_word_character(c) || c == '+' || c == '.';
}

std::size_t skip_digits(std::string_view text, std::size_t at)
{
    while (at < text.size() && is_digit(text[at])) ++at;
    return at;
}

/// What is wrong with the spelling of a number, or "" if it follows the grammar of JSON.
std::string_view number_fault(std::string_view text)
{
    constexpr std::string_view no_number = "is not a number";
    if (text.starts_with('+')) return "begins with '+', which a number may not";
    const std::size_t whole = text.starts_with('-') ? 1 : 0;
    std::size_t at = skip_digits(text, whole);
    if (at == whole) return text.substr(at).starts_with('.') ? "has no digit before '.'" : no_number;
    if (at - whole > 1 && text[whole] == '0') return "begins with 0, which a number may not";
    if (at < text.size() && text[at] == '.') {
        const std::size_t fraction = at + 1;
        at = skip_digits(text, fraction);
        if (at == fraction) return "has no digit after '.'";
    }
    if (at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
        const bool has_sign = at + 1 < text.size() && (text[at + 1] == '+' || text[at + 1] == '-');
        const std::size_t exponent = at + (has_sign ? 2 : 1);
        at = skip_digits(text, exponent);
        if (at == exponent) return "has an exponent without digits";
    }
    return at == text.size() ? "" : no_number;
}

std::string excerpt(std::string_view text)
{
    constexpr std::size_t longest = 30;
    if (text.size() <= longest) return fmt::format("'{}'", text);
    std::size_t end = 0;
    while (end < longest) end += std::max<std::size_t>(1, utf8_length(text.substr(end)));
    return fmt::format("'{}…'", text.substr(0, end));
}

}  // namespace

JsonScanner::JsonScanner(std::string_view text, const std::string& file) : text_(text), file_(file)
{
    check_utf8();
    constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";
    if (text_.starts_with(byte_order_mark)) text_.remove_prefix(byte_order_mark.size());
}

void JsonScanner::check_utf8()
{
    while (!at_end()) {
        const std::size_t length = utf8_length(text_.substr(at_));
        if (length == 0) {
            const int byte = static_cast<unsigned char>(text_[at_]);
            stop(place(), fmt::format("the byte {:#04x} is not UTF-8", byte), "save the file as UTF-8");
        }
        at_ += length;
    }
    at_ = 0;
}

bool JsonScanner::take(char c)
{
    const bool is_there = next_is(c);
    if (is_there) ++at_;
    return is_there;
}

// Columns count characters, so only bytes that begin one; every byte is looked at once.
JsonPlace JsonScanner::place()
{
    for (; counted_ < at_; ++counted_) {
        const auto byte = static_cast<unsigned char>(text_[counted_]);
        if (byte == '\n')
            ++line_, column_ = 1;
        else if ((byte & 0xc0) != 0x80)
            ++column_;
    }
    return {line_, column_};
}

void JsonScanner::complain(JsonPlace where, const std::string& message, const std::string& cure)
{
    if (stopped_) return;
    const std::string what = fmt::format("{}, at column {}", message, where.column);
    problems_.push_back({file_, where.line, pointer, what, cure});
    stopped_ = problems_.size() >= kMaxProblems;
}

void JsonScanner::stop(JsonPlace where, const std::string& message, const std::string& cure)
{
    complain(where, message, cure);
    stopped_ = true;
}

std::vector<Problem> JsonScanner::take_problems()
{
    const auto is_before = [](const Problem& a, const Problem& b) { return a.line < b.line; };
    std::stable_sort(problems_.begin(), problems_.end(), is_before);
    return std::move(problems_);
}

std::string JsonScanner::found() const
{
    if (at_ >= text_.size()) return "the end of the file";
    const std::string_view rest = text_.substr(at_);
    const auto byte = static_cast<unsigned char>(rest[0]);
    if (byte == '"') return "a string";
    if (byte < 0x20) return fmt::format("the control character {:#04x}", byte);
    std::size_t length = 0;
    while (length < rest.size() && is_number_character(rest[length])) ++length;
    return excerpt(rest.substr(0, std::max(length, utf8_length(rest))));
}

void JsonScanner::skip_space()
{
    for (;;) {
        take_while([](char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; });
        const std::string_view rest = at_end() ? std::string_view{} : text_.substr(at_);
        if (rest.starts_with("//"))
            take_while([](char c) { return c != '\n'; });
        else if (rest.starts_with("/*"))
            skip_block_comment();
        else
            return;
    }
}

void JsonScanner::skip_block_comment()
{
    const std::size_t end = text_.find("*/", at_ + 2);
    if (end == std::string_view::npos)
        stop(place(), "the comment that begins here is not closed", "close it with */");
    else
        at_ = end + 2;
}

std::string_view JsonScanner::take_word()
{
    return take_while(is_word_character);
}

Json JsonScanner::take_number()
{
    const JsonPlace where = place();
    const std::string_view spelling = take_while(is_number_character);
    if (const std::string_view fault = number_fault(spelling); !fault.empty()) {
        complain(where, fmt::format("{} {}", excerpt(spelling), fault));
        return {};
    }
    const std::optional<double> number = to_number(spelling);
    if (!number) {
        complain(where, fmt::format("{} is too large for a double", excerpt(spelling)));
        return {};
    }
    Json json = Json::of(*number);
    json.text = spelling;
    return json;
}

std::string JsonScanner::take_string()
{
    const JsonPlace start = place();
    std::string characters;
    take('"');
    for (;;) {
        const auto is_plain = [](char c) { return c != '"' && c != '\\' && static_cast<unsigned char>(c) >= 0x20; };
        characters += take_while(is_plain);
        if (take('"')) return characters;
        if (at_end() || next_is('\n') || next_is('\r')) {
            stop(start, "the string that begins here is not closed on its line", "close it with \"");
            return characters;
        }
        if (next_is('\\')) {
            take_escape(characters);
            continue;
        }
        const int control = static_cast<unsigned char>(text_[at_]);
        complain(place(), fmt::format("a string may not hold the control character {:#04x}", control),
                 fmt::format("write \\u{:04x}", control));
        characters += text_[at_++];
    }
}

void JsonScanner::take_escape(std::string& characters)
{
    static constexpr std::string_view kLetters = "\"\\/bfnrt", kMeanings = "\"\\/\b\f\n\r\t";
    const JsonPlace where = place();
    take('\\');
    if (take('u')) return append_utf8(characters, take_unicode_escape(where));
    if (at_end()) return;  // the string turns out to be unterminated
    const std::size_t letter = kLetters.find(text_[at_]);
    if (letter != std::string_view::npos) {
        characters += kMeanings[letter];
        ++at_;
        return;
    }
    complain(where, "a string holds a backslash before " + found(), "write \\\\ for a backslash");
    characters += '\\';
}

char32_t JsonScanner::take_unicode_escape(JsonPlace where)
{
    constexpr char32_t replacement = 0xfffd;
    const int first = take_four_hex_digits();
    const bool is_high = first >= 0xd800 && first < 0xdc00;
    if (first >= 0 && !is_high && (first < 0xdc00 || first > 0xdfff)) return static_cast<char32_t>(first);
    if (first < 0) {
        complain(where, "\\u is not followed by four hexadecimal digits");
        return replacement;
    }
    const std::size_t second_at = at_;
    const int second = is_high && take('\\') && take('u') ? take_four_hex_digits() : -1;
    if (second >= 0xdc00 && second <= 0xdfff)
        return static_cast<char32_t>(0x10000 + ((first - 0xd800) << 10) + (second - 0xdc00));
    at_ = second_at;
    complain(where, fmt::format("\\u{:04x} is half of a surrogate pair, without its other half", first));
    return replacement;
}

// -1, without a step, if there are no four digits.
int JsonScanner::take_four_hex_digits()
{
    int number = 0;
    const std::string_view digits = text_.substr(std::min(at_, text_.size()), 4);
    for (const char c : digits) {
        const int letter = (c | 0x20) - 'a';
        if (!is_digit(c) && (letter < 0 || letter > 5)) return -1;
        number = 16 * number + (is_digit(c) ? c - '0' : letter + 10);
    }
    if (digits.size() < 4) return -1;
    at_ += 4;
    return number;
}

}  // namespace pliant
