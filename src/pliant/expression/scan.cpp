// SPDX-License-Identifier: MIT
#include <pliant/expression/scan.h>

// Tokens of formulas, and how a problem shows its place.

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include <pliant/base/text.h>
#include <pliant/expression/parse.h>

namespace pliant {

namespace {

bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

bool begins_character(char c)
{
    return (static_cast<unsigned char>(c) & 0xc0) != 0x80;
}

/// Signs of other languages and keyboards, and what to write for them.
struct ForeignSymbol {
    std::string_view symbol, cure;
};
constexpr ForeignSymbol kForeignSymbols[] = {
    {"&&", "write and"},
    {"&", "write and"},
    {"||", "write or"},
    {"|", "write abs(x) or norm(u) for lengths, or between conditions"},
    {"!", "write not"},
    {"**", "write ^"},
    {"=", "conditions compare with < or >; a constraint is kept at zero: write a.x - 1"},
    {"!=", "compare with < or >"},
    {"{", "write ("},
    {"}", "write )"},
    {"\"", "names that need quotes take single ones: 'left ball'.x"},
    {"−", "write -"},
    {"–", "write -"},
    {"×", "write *"},
    {"·", "write *"},
    {"÷", "write /"},
    {"²", "write ^2"},
    {"³", "write ^3"},
    {"√", "write sqrt(x)"},
    {"≤", "write <="},
    {"≥", "write >="},
    {"\u00a0", "a space that does not break stands here, write a plain one"},
};

/// Of a character beyond ASCII: whether it is one of the foreign symbols rather than a letter.
bool is_foreign(std::string_view character)
{
    return std::ranges::find(kForeignSymbols, character, &ForeignSymbol::symbol) != std::end(kForeignSymbols);
}

std::string shortened(std::string_view text)
{
    constexpr std::size_t kLongest = 40;
    if (text.size() <= kLongest) return std::string(text);
    std::size_t end = kLongest;
    while (!begins_character(text[end])) --end;
    return std::string(text.substr(0, end)) + "...";
}

}  // namespace

FormulaScanner::FormulaScanner(std::string_view text) : text_(text)
{
    check_text();
    advance();
}

void FormulaScanner::check_text()
{
    if (text_.size() > kMaxFormulaLength) {
        const std::size_t length = text_.size();
        text_ = text_.substr(0, kMaxFormulaLength);
        return stop(kMaxFormulaLength,
                    fmt::format("the formula has {} bytes, at most {} are read", length, kMaxFormulaLength),
                    "write it in several");
    }
    for (std::size_t i = 0, length = 0; i < text_.size(); i += length) {
        length = utf8_length(text_.substr(i));
        if (length == 0) return stop(i, "the text is not UTF-8 here", "save the file as UTF-8");
    }
}

FormulaToken FormulaScanner::take()
{
    FormulaToken token = next_;
    advance();
    return token;
}

bool FormulaScanner::take(std::string_view symbol)
{
    if (!next_is(symbol)) return false;
    advance();
    return true;
}

std::string FormulaScanner::found() const
{
    switch (next_.kind) {
    case FormulaToken::Kind::end:
        return "the end";
    case FormulaToken::Kind::number:
        return "the number " + shortened(next_.text);
    case FormulaToken::Kind::name:
        return "the name '" + shortened(next_.name) + '\'';
    case FormulaToken::Kind::symbol:
        break;
    }
    const bool is_control = next_.text.size() == 1 && static_cast<unsigned char>(next_.text[0]) < 0x20;
    return is_control ? "a control character" : fmt::format("'{}'", next_.text);
}

std::string FormulaScanner::symbol_cure() const
{
    if (next_.kind != FormulaToken::Kind::symbol) return "";
    const auto* const foreign = std::ranges::find(kForeignSymbols, next_.text, &ForeignSymbol::symbol);
    return foreign == std::end(kForeignSymbols) ? "" : std::string(foreign->cure);
}

void FormulaScanner::stop(std::size_t begin, const std::string& message, const std::string& cure)
{
    if (has_stopped()) return;
    problem_column_ = column(begin);
    problem_ =
        Problem{.message = fmt::format("column {}: {}\n{}", problem_column_, message, excerpt(begin)), .cure = cure};
    at_ = text_.size();
    next_ = {.begin = text_.size()};
}

int FormulaScanner::column(std::size_t begin) const
{
    const std::string_view before = text_.substr(0, begin);
    return 1 + static_cast<int>(std::ranges::count_if(before, begins_character));
}

// The text about the place and a caret below it, on lines of their own.
std::string FormulaScanner::excerpt(std::size_t begin) const
{
    constexpr std::size_t kBefore = 60, kAfter = 40;
    std::size_t first = begin > kBefore ? begin - kBefore : 0;
    std::size_t last = std::min(text_.size(), begin + kAfter);
    while (first < begin && !begins_character(text_[first])) ++first;
    while (last > begin && last < text_.size() && !begins_character(text_[last])) --last;
    std::string shown = first > 0 ? "..." : "";
    for (const char c : text_.substr(first, last - first))
        shown += static_cast<unsigned char>(c) < 0x20 || c == 0x7f ? ' ' : c;
    if (last < text_.size()) shown += "...";
    const int indent = column(begin) - column(first) + (first > 0 ? 3 : 0);
    return fmt::format("    {}\n    {:{}}^", shown, "", indent);
}

void FormulaScanner::advance()
{
    while (at_ < text_.size() && is_space(text_[at_])) ++at_;
    next_ = {.begin = at_};
    if (at_ == text_.size() || has_stopped()) return;
    if (is_digit(byte(at_)) || (byte(at_) == '.' && is_digit(byte(at_ + 1)))) return scan_number();
    if (letters_end(at_) > at_ || byte(at_) == '\'') return scan_name();
    scan_symbol();
}

std::size_t FormulaScanner::digits_end(std::size_t begin) const
{
    while (is_digit(byte(begin))) ++begin;
    return begin;
}

std::size_t FormulaScanner::letters_end(std::size_t begin) const
{
    for (std::size_t i = begin; i < text_.size();) {
        const char c = text_[i];
        const bool is_plain =
            (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (i > begin && is_digit(c));
        const std::size_t length = utf8_length(text_.substr(i));
        if (!is_plain && (length < 2 || is_foreign(text_.substr(i, length)))) return i;
        i += length;
    }
    return text_.size();
}

void FormulaScanner::scan_number()
{
    const std::size_t begin = at_;
    at_ = digits_end(at_);
    if (byte(at_) == '.') at_ = digits_end(at_ + 1);
    if (byte(at_) == 'e' || byte(at_) == 'E') {
        const std::size_t sign = byte(at_ + 1) == '-' || byte(at_ + 1) == '+' ? 1 : 0;
        // Without digits it is no exponent: 2e is 2 and then e.
        if (is_digit(byte(at_ + 1 + sign))) at_ = digits_end(at_ + 1 + sign);
    }
    const std::string_view digits = text_.substr(begin, at_ - begin);
    const std::optional<double> number = to_number(digits);
    if (!number) return stop(begin, "the number " + shortened(digits) + " is too large", "it must be below 1.8e308");
    next_ = {.kind = FormulaToken::Kind::number, .begin = begin, .text = digits, .number = *number};
}

void FormulaScanner::scan_name()
{
    const std::size_t begin = at_;
    next_ = {.kind = FormulaToken::Kind::name, .begin = begin};
    if (!scan_name_part()) return;
    for (;;) {
        const bool has_index = byte(at_) == '[';
        if (has_index && !scan_index()) return;
        if (has_index) continue;
        if (byte(at_) != '.') break;
        next_.name += '.';
        ++at_;
        if (!scan_name_part()) return;
    }
    next_.text = text_.substr(begin, at_ - begin);
    const std::array<std::string_view, 3> words = {"and", "or", "not"};
    if (std::ranges::find(words, next_.text) != words.end()) next_.kind = FormulaToken::Kind::symbol;
}

bool FormulaScanner::scan_name_part()
{
    if (byte(at_) == '\'') return scan_quoted_part();
    const std::size_t end = letters_end(at_);
    if (end == at_) return stop(at_, "expected a name after '.'", "such as a.x"), false;
    next_.name += text_.substr(at_, end - at_);
    at_ = end;
    return true;
}

bool FormulaScanner::scan_quoted_part()
{
    const std::size_t end = text_.find('\'', at_ + 1);
    if (end == std::string_view::npos)
        return stop(at_, "the quoted name that begins here is not closed", "close it with '"), false;
    if (end == at_ + 1) return stop(at_, "the name is empty", "write one between the quotes"), false;
    next_.name += text_.substr(at_ + 1, end - at_ - 1);
    at_ = end + 1;
    return true;
}

bool FormulaScanner::scan_index()
{
    const std::size_t end = digits_end(at_ + 1);
    if (end == at_ + 1 || byte(end) != ']')
        return stop(at_ + 1, "expected a whole number and ']'", "such as cloth[12].y"), false;
    next_.name += text_.substr(at_, end + 1 - at_);
    at_ = end + 1;
    return true;
}

void FormulaScanner::scan_symbol()
{
    const std::array<std::string_view, 7> pairs = {"<=", ">=", "==", "!=", "&&", "||", "**"};
    const bool is_pair = std::ranges::find(pairs, text_.substr(at_, 2)) != pairs.end();
    const std::size_t length = is_pair ? 2 : std::max<std::size_t>(1, utf8_length(text_.substr(at_)));
    next_ = {.kind = FormulaToken::Kind::symbol, .begin = at_, .text = text_.substr(at_, length)};
    at_ += length;
}

}  // namespace pliant
