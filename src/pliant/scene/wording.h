// SPDX-License-Identifier: MIT
#pragma once

// The words in which messages, schema and manual speak of numbers, ranges and places of a scene.

#include <string>
#include <string_view>
#include <vector>

#include <pliant/base/describe.h>
#include <pliant/base/json.h>

namespace pliant {

/// Fewest digits, in the spelling people type: 1e12 and not 1e+12.
std::string number_text(double value);

/// Whether the field says anything about numbers.
bool has_range(const Field& field);
bool is_in_range(const Field& field, double value);

/// " from 0 to 1e12 kg", " in kg" or ""; begins with a space unless empty.
std::string range_text(const Field& field);

/// What stands there, short enough for a message: -3, "euler", an array of 2, an object.
std::string found_text(const Json& json);

/// "a, b, c"
std::string listed(const std::vector<std::string>& names);

/// "/bodies/box/mass" as one writes it after --set: bodies.box.mass
std::string dotted_path(const std::string& pointer);

/// How a problem names its file when the value came from the command line: --set bodies.box.mass
std::string override_name(const std::string& pointer);

/// The names of an enum as strings.
template <NamedEnum E>
std::vector<std::string> names_of(E)
{
    const auto names = enum_names(E{});
    return {names.begin(), names.end()};
}

}  // namespace pliant
