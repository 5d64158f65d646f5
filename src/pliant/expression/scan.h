// SPDX-License-Identifier: MIT
#pragma once

// The lower half of the formula reader: tokens, and the problem that ends reading.
// Internal to parse.cpp, which holds the grammar above it.

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include <pliant/base/error.h>

namespace pliant {

struct FormulaToken {
    enum class Kind { end, number, name, symbol };

    Kind kind = Kind::end;
    std::size_t begin = 0;  ///< byte of the text
    std::string_view text;  ///< as written; of a symbol, what it is: "<=", "and"
    std::string name;       ///< of a name, without quotes
    double number = 0;      ///< of a number
};

class FormulaScanner {
public:
    explicit FormulaScanner(std::string_view text);

    /// What comes next: the end if reading has stopped.
    const FormulaToken& next() const { return next_; }
    bool next_is(std::string_view symbol) const
    {
        return next_.kind == FormulaToken::Kind::symbol && next_.text == symbol;
    }

    FormulaToken take();
    /// Steps over the symbol if it comes next.
    bool take(std::string_view symbol);

    /// What comes next in words, for a message, and advice if it is a symbol of another language.
    std::string found() const;
    std::string symbol_cure() const;

    /// Ends reading with a problem at that byte; only the first one counts.
    void stop(std::size_t begin, const std::string& message, const std::string& cure = {});
    bool has_stopped() const { return problem_.has_value(); }
    const std::optional<Problem>& problem() const { return problem_; }
    int problem_column() const { return problem_column_; }

    /// From 1, in characters.
    int column(std::size_t begin) const;

private:
    void check_text();
    void advance();
    void scan_number();
    void scan_name();
    bool scan_name_part();
    bool scan_quoted_part();
    bool scan_index();
    void scan_symbol();
    std::size_t digits_end(std::size_t begin) const;
    std::size_t letters_end(std::size_t begin) const;
    std::string excerpt(std::size_t begin) const;

    char byte(std::size_t i) const { return i < text_.size() ? text_[i] : '\0'; }

    std::string_view text_;
    std::size_t at_ = 0;
    FormulaToken next_;
    std::optional<Problem> problem_;
    int problem_column_ = 0;
};

}  // namespace pliant
