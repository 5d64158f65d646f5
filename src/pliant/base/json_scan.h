// SPDX-License-Identifier: MIT
#pragma once

// The lower half of the JSON reader: place in the text, problems, spaces, comments, strings, numbers.
// Internal to json_read.cpp, which holds the grammar above it.

#include <pliant/base/json.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace pliant {

struct JsonPlace {
    int line, column;
};

class JsonScanner {
public:
    JsonScanner(std::string_view text, const std::string& file);

    /// True at the end of the text, or when reading stopped at a problem.
    bool at_end() const { return stopped_ || at_ >= text_.size(); }
    bool next_is(char c) const { return !at_end() && text_[at_] == c; }
    char next() const { return at_end() ? '\0' : text_[at_]; }

    /// Steps over c if it comes next.
    bool take(char c);

    /// Skips spaces and comments.
    void skip_space();

    /// Line and column of what comes next.
    JsonPlace place();

    /// What comes next, in words for a message.
    std::string found() const;

    /// The characters of the string that begins here; the next character is '"'.
    std::string take_string();

    /// The number that begins here, or null if it is spelled wrong.
    Json take_number();

    /// A run of letters, digits, '_' and '-'.
    std::string_view take_word();

    /// Reports a problem and reads on, or stops reading.
    void complain(JsonPlace, const std::string& message, const std::string& cure = {});
    void stop(JsonPlace, const std::string& message, const std::string& cure = {});

    /// The problems, in the order of lines.
    std::vector<Problem> take_problems();

    std::string pointer;  ///< JSON pointer of the value being read, for problems

private:
    void check_utf8();
    void skip_block_comment();
    void take_escape(std::string& characters);
    char32_t take_unicode_escape(JsonPlace);
    int take_four_hex_digits();

    template <class Accept>
    std::string_view take_while(Accept accept)
    {
        const std::size_t begin = at_;
        while (!at_end() && accept(text_[at_])) ++at_;
        return text_.substr(begin, at_ - begin);
    }

    std::string_view text_;
    std::string file_;
    std::vector<Problem> problems_;
    bool stopped_ = false;
    std::size_t at_ = 0;
    std::size_t counted_ = 0;  // lines and columns are counted up to here
    int line_ = 1, column_ = 1;
};

}  // namespace pliant
