// SPDX-License-Identifier: MIT
#pragma once

// The verbs below `pliant mesh`, and what they share on the command line.

#include <memory>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include <pliant/base/types.h>

#include "mesh_files.h"

namespace pliant::cli {

/// "1,2,3" for --NAME, as many numbers as one of the two counts says; throws Error (usage).
std::vector<double> numbers_of(const std::string& text, const char* name, std::size_t few, std::size_t many);
Vec3 vector_of(const std::string& text, const char* name);

/// --ascii, --msh2, --force and --quiet.
void add_output_flags(CLI::App& verb, MeshOutput& output);

void setup_mesh_make(CLI::App& mesh, int& exit_code);
void setup_mesh_tetrahedralize(CLI::App& mesh, int& exit_code);
void setup_mesh_untangle(CLI::App& mesh, int& exit_code);
void setup_mesh_import_dpo(CLI::App& mesh, int& exit_code);

}  // namespace pliant::cli
