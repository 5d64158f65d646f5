// SPDX-License-Identifier: MIT
#include "progress.h"

#include <csignal>

#include <fmt/format.h>

#include "verbs.h"

namespace pliant::cli {

std::atomic<bool> interrupted{false};

namespace {

void on_interrupt(int)
{
    interrupted = true;
    std::signal(SIGINT, SIG_DFL);
}

}  // namespace

void catch_interrupts()
{
    interrupted = false;
    std::signal(SIGINT, on_interrupt);
    std::signal(SIGTERM, on_interrupt);
}

ProgressLine::ProgressLine(bool quiet) : quiet_(quiet), terminal_(has_terminal()) {}

bool ProgressLine::is_due()
{
    const auto now = std::chrono::steady_clock::now();
    const double every = terminal_ ? 0.1 : 1.0;
    if (quiet_ || std::chrono::duration<double>(now - last_).count() < every) return false;
    last_ = now;
    return true;
}

void ProgressLine::show(const std::string& text)
{
    fmt::print(stderr, "{}{}{}", terminal_ ? "\r" : "", text, terminal_ ? " \x1b[K" : "\n");
    drawn_ = terminal_;
}

void ProgressLine::clear() const
{
    if (drawn_) fmt::print(stderr, "\r\x1b[K");
}

double ProgressLine::spent() const
{
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
}

}  // namespace pliant::cli
