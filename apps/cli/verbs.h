// SPDX-License-Identifier: MIT
#pragma once

// The verbs of the program: one file each, one line here and one in main.cpp.
//
// A setup function adds a subcommand; its callback does the work and leaves the exit code. Results go
// to stdout, talk and progress to stderr.

#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include <pliant/base/error.h>
#include <pliant/scene/scene_json.h>

namespace pliant::cli {

/// What the program tells the shell.
inline constexpr int kOk = 0;
inline constexpr int kSimulationFailed = 1;
inline constexpr int kIntersections = 1;
inline constexpr int kUsage = 2;
inline constexpr int kBadInput = 3;
inline constexpr int kCannotAccess = 4;
inline constexpr int kExpectNotMet = 5;
inline constexpr int kInterrupted = 130;

void setup_run(CLI::App&, int& exit_code);
void setup_check(CLI::App&, int& exit_code);
void setup_check_contacts(CLI::App&, int& exit_code);
void setup_contacts(CLI::App&, int& exit_code);
void setup_info(CLI::App&, int& exit_code);
void setup_export(CLI::App&, int& exit_code);
void setup_plot(CLI::App&, int& exit_code);
void setup_view(CLI::App&, int& exit_code);
void setup_render(CLI::App&, int& exit_code);
void setup_replay(CLI::App&, int& exit_code);
void setup_compare(CLI::App&, int& exit_code);
void setup_new(CLI::App&, int& exit_code);
void setup_schema(CLI::App&, int& exit_code);
void setup_mesh(CLI::App&, int& exit_code);
void setup_completion(CLI::App&, int& exit_code);
void setup_bench(CLI::App&, int& exit_code);

/// Prints every problem to stderr, one a line, and gives the exit code that fits.
int report(const Error&);

/// "path=value" pairs of --set; throws Error (usage) when one has no '='.
std::vector<Override> parse_overrides(const std::vector<std::string>& pairs);

/// Whether stderr is a terminal that may be drawn on (NO_COLOR and TERM=dumb say no).
bool has_terminal();

}  // namespace pliant::cli
