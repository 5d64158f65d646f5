// SPDX-License-Identifier: MIT
#pragma once

// What verbs that run for long share: a flag that Ctrl-C sets, and a progress line that does not flood.

#include <atomic>
#include <chrono>
#include <string>

namespace pliant::cli {

/// Cleared and armed by catch_interrupts(); set by the first Ctrl-C or SIGTERM. A second one ends at once.
extern std::atomic<bool> interrupted;
void catch_interrupts();

/// A line that rewrites itself on a terminal, a line a second otherwise, nothing when quiet.
class ProgressLine {
public:
    explicit ProgressLine(bool quiet);

    bool on_terminal() const { return terminal_; }
    /// Whether it is time to say something again; remembers that it was.
    bool is_due();
    void show(const std::string& text);
    void clear() const;
    /// [s] since it was made.
    double spent() const;

private:
    using Time = std::chrono::steady_clock::time_point;
    bool quiet_, terminal_, drawn_ = false;
    Time start_ = std::chrono::steady_clock::now(), last_ = start_;
};

}  // namespace pliant::cli
