// SPDX-License-Identifier: MIT
#pragma once

// Tables for the terminal, and text files that are never overwritten by accident.

#include <string>
#include <string_view>
#include <vector>

namespace pliant::cli {

/// Aligned columns: 'l' or 'r' for each one in `alignment`. The first row is the heading.
class Table {
public:
    explicit Table(std::string alignment) : alignment_(std::move(alignment)) {}

    void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }
    bool is_empty() const { return rows_.size() < 2; }

    /// Each row indented by two spaces and ended by a newline.
    std::string text() const;

private:
    std::string alignment_;
    std::vector<std::vector<std::string>> rows_;
};

/// A line on stderr, after all results so far: the last one of a verb says what to do next.
void say(const std::string& line);

/// Throws Error (cannot_access) when there is a file of that name already, unless `force`.
void check_may_write(const std::string& path, bool force);

/// Writes a new text file; throws Error (cannot_access) when it exists (unless `force`) or cannot be written.
void write_text(const std::string& path, std::string_view text, bool force);

}  // namespace pliant::cli
