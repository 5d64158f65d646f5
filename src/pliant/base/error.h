// SPDX-License-Identifier: MIT
#pragma once

// What goes wrong at the borders, said in words.
//
// A Problem is one sentence about one place of one file; readers collect all of them. Error is the
// exception thrown at the borders (readers, build, writers) and carries every problem found.
// Numerical trouble is not here: it is a StepReport (model/report.h).

#include <stdexcept>
#include <string>
#include <vector>

namespace pliant {

/// Who has to act; the command line program turns it into its exit code.
enum class ErrorKind { usage, bad_input, cannot_access };

/// One thing wrong with an input. Fields that do not apply stay empty or zero.
struct Problem {
    std::string file;     ///< path as the user gave it
    int line = 0;         ///< from 1; 0 unknown
    std::string where;    ///< JSON pointer such as /bodies/box/mass, or a place in a mesh file
    std::string message;  ///< what was found, what was expected
    std::string cure;     ///< what to do: nearest valid name, command; may be empty
};

/// "file:line: /pointer: message (cure)"
std::string to_string(const Problem&);

class Error : public std::runtime_error {
public:
    explicit Error(Problem problem, ErrorKind kind = ErrorKind::bad_input);
    explicit Error(std::vector<Problem> problems, ErrorKind kind = ErrorKind::bad_input);

    const std::vector<Problem>& problems() const { return problems_; }
    ErrorKind kind() const { return kind_; }

private:
    std::vector<Problem> problems_;
    ErrorKind kind_;
};

/// The candidate nearest to `word` by edit distance, or "" when none is near enough to be meant.
std::string nearest_name(const std::string& word, const std::vector<std::string>& candidates);

/// "did you mean 'x'?" or "one of: a, b, c".
std::string suggestion(const std::string& word, const std::vector<std::string>& candidates);

/// Stops the program: a mistake of the programmer, never of the user.
[[noreturn]] void assertion_failed(const char* condition, const char* message, const char* file, int line);

}  // namespace pliant

/// On in every build: the conditions guarded by it are cheap and outside element loops.
#define PLIANT_ASSERT(condition, message)                                                                              \
    ((condition) ? void(0) : ::pliant::assertion_failed(#condition, message, __FILE__, __LINE__))
