// SPDX-License-Identifier: MIT
#pragma once

// The kinds of measures (record/measure_kinds.h) as the program's verbs and the manual show them.

#include <string>

#include <pliant/record/measure_kinds.h>

namespace pliant::cli {

/// The value of a recorded input for people: "[0]" is one number, shown without its brackets.
std::string bare_value(const std::string& json);

/// A table of all kinds in Markdown, for the manual.
std::string measures_markdown();

}  // namespace pliant::cli
