// SPDX-License-Identifier: MIT
#pragma once

// What the readers of dpoSimulator's files share: words between blanks and brackets, and problems with their number.

#include <string>
#include <string_view>
#include <vector>

#include <pliant/io/dpo_files.h>

namespace pliant {

/// Problems of one file: twenty in full, then how many more there are.
class DpoProblems {
public:
    explicit DpoProblems(const std::string& file_name) : file_name_(file_name) {}

    void add(int line, std::string where, std::string message, std::string cure);
    /// All of them, to be asked for once.
    std::vector<Problem> take();

private:
    std::string file_name_;
    std::size_t count_ = 0;
    std::vector<Problem> problems_;
};

/// Words of a line, between blanks and the marks that vectors and labels are written with.
class DpoWords {
public:
    explicit DpoWords(std::string_view line) : rest_(line) {}

    /// The next word, or an empty view at the end.
    std::string_view next();

private:
    std::string_view rest_;
};

/// Whether a word is meant as a number, right or wrong.
bool looks_like_number(std::string_view word);

/// What was read, or the problems instead.
template <class File>
DpoRead<File> finished(File file, DpoProblems& problems)
{
    DpoRead<File> read{{}, problems.take()};
    if (read.ok()) read.file = std::move(file);
    return read;
}

}  // namespace pliant
