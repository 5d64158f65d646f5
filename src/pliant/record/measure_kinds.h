// SPDX-License-Identifier: MIT
#pragma once

// What each measure is, by the shape of its name (world/measures.h): for axes, tables, pages and the manual.

#include <span>
#include <string>
#include <string_view>

namespace pliant {

struct MeasureKind {
    std::string_view pattern;   ///< of names, '*' for any characters
    std::string_view shown;     ///< the same for people: BODY.volume
    std::string_view quantity;  ///< "volume", for axes
    std::string_view unit;      ///< "m³"; "1" for pure numbers
    std::string_view sentence;
};

std::span<const MeasureKind> measure_kinds();

/// The kind of a measure; a nameless pure number when there is none.
const MeasureKind& measure_kind(const std::string& name);

/// Whether a name fits a pattern of '*', '?' and '[…]', as in a shell.
bool matches(std::string_view pattern, const std::string& name);

}  // namespace pliant
