// SPDX-License-Identifier: MIT
#pragma once

// pliant info, by kind of file: a take, a scene, a mesh.

#include <string>

#include <pliant/model/frame.h>

namespace pliant::cli {

/// Each prints to stdout and gives the exit code.
int info_take(const std::string& path, bool as_json, bool quiet);
int info_scene(const std::string& path, bool quiet);
int info_mesh(const std::string& path, bool quiet);

/// Bodies with their counts, as a table for the terminal.
std::string bodies_text(const Topology&);

}  // namespace pliant::cli
