// SPDX-License-Identifier: MIT
#pragma once

// How the program speaks about itself: help texts and messages about wrong usage.

#include <memory>

#include <CLI/CLI.hpp>

namespace pliant::cli {

/// Verbs as one line each; arguments in capitals without type names.
std::shared_ptr<CLI::Formatter> help_formatter();

/// Throws Error (usage) with the nearest verb when a word stands where a verb should and is none.
void check_verbs(const CLI::App& app, int argc, const char* const* argv);

/// Tells what is wrong with the command line, or prints the help that was asked for; the exit code.
int report_usage(const CLI::App& app, const CLI::ParseError& error);

}  // namespace pliant::cli
