// SPDX-License-Identifier: MIT
#pragma once

// Lines, words and numbers of text files, without copies and whatever the locale.
//
// Lines end with \n, \r\n or (in files without any \n) \r. Words are separated by blanks.

#include <cstdint>
#include <string>
#include <string_view>

#include <pliant/base/types.h>

namespace pliant {

inline bool is_blank(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

/// `text` without a UTF-8 byte order mark.
std::string_view without_byte_order_mark(std::string_view text);

/// Equal but for the case of ASCII letters; `lower` is in lower case.
bool equals_ignoring_case(std::string_view word, std::string_view lower);

/// Words one after another; newlines are blanks too, and counted.
class Words {
public:
    explicit Words(std::string_view text, int line = 1) : text_(text), line_(line) {}

    /// The next word, or an empty view at the end.
    std::string_view next()
    {
        std::size_t start = at_;
        while (start < text_.size() && is_blank(text_[start]))
            if (text_[start++] == '\n') ++line_;
        at_ = start;
        while (at_ < text_.size() && !is_blank(text_[at_])) ++at_;
        return text_.substr(start, at_ - start);
    }
    int line() const { return line_; }  ///< of the last word
    std::size_t remaining() const { return text_.size() - at_; }

private:
    std::string_view text_;
    std::size_t at_ = 0;
    int line_;
};

/// Lines one after another.
class Lines {
public:
    explicit Lines(std::string_view text);

    /// Steps to the next line; false at the end.
    bool next();
    std::string_view line() const { return line_; }  ///< without its end
    int number() const { return number_; }           ///< from 1
    std::size_t remaining() const { return text_.size() - at_; }

private:
    std::string_view text_;
    std::string_view line_;
    std::size_t at_ = 0;
    int number_ = 0;
    char end_;
};

/// A number as a word of a file. On failure `complaint` says what was found and expected.
struct Number {
    double value = 0;
    std::string complaint;
};
Number number_of(std::string_view word);

struct Integer {
    std::int64_t value = 0;
    std::string complaint;
};
Integer integer_of(std::string_view word);

/// The next three words as coordinates.
struct Point {
    Vec3 value;
    std::string complaint;
};
Point next_point(Words&);

/// The shortest decimal that reads back to the same bits, with '.' in every locale.
void append_number(std::string& text, double number);
void append_number(std::string& text, std::int64_t number);

}  // namespace pliant
