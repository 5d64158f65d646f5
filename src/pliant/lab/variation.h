// SPDX-License-Identifier: MIT
#pragma once

// What is varied in a comparison: paths of a scene, each with a list of values.
//
//   solver.kind=euler,rk4            values between commas; brackets keep theirs: world.gravity=[0,0,0],[0,-9.81,0]
//   solver.step=0.001..0.1:5         five values, evenly spaced in the logarithm to four digits, both ends included
//   bodies.ball.drag=0..1:5:linear   the same, evenly spaced
//
// A case is a value that changes several settings at once and goes by a name:
//
//   stiff: bodies.sheet.cloth.stretch=1e4 solver.step=1e-4     "as it is:" changes nothing

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <pliant/scene/scene_json.h>

namespace pliant {

/// One run's share of all variations, in their order.
using Settings = std::vector<Override>;

/// What stands for a path where cases are varied.
inline constexpr const char* kCase = "case";

/// A path and the values that it takes, as they would follow --set path=.
struct Variation {
    std::string path;
    std::vector<std::string> values;
    std::vector<Settings> cases{};  ///< of cases: what each of the values, which are names, sets; else empty

    /// The values as numbers; nothing when one of them is no number, or they name cases.
    std::optional<std::vector<double>> numbers() const;
};

/// Most runs of one comparison.
inline constexpr std::size_t kMostRuns = 10000;

/// Throws Error (usage) that says what was expected.
Variation parse_variation(std::string_view text);

/// "solver.kind=rk4 solver.step=1e-4", parts separated by spaces; throws Error (usage).
Settings parse_settings(std::string_view text);

/// "NAME: path=value path=value" in two: the name, and the text of its settings. Throws Error (usage).
std::pair<std::string, std::string> parse_case(std::string_view text);

/// One variation over cases by name, each with its settings as text. Throws Error (usage).
Variation cases_of(const Named<std::string>& cases);

/// What a scene says about its comparison: the cases, if any, then what it varies. Throws Error (usage).
std::vector<Variation> variations_of(const CompareScene& compare);

/// Every combination; the last variation changes fastest. Throws Error (usage) when a path comes twice or the
/// combinations are more than kMostRuns.
std::vector<Settings> combinations(const std::vector<Variation>&);

/// The settings as a scene takes them: the name of a case gives way to what the case sets.
Settings expanded(const std::vector<Variation>& variations, const Settings& settings);

/// "rk4, step 0.05": solvers and cases by their names alone, other settings by the last word of their path, or by
/// the whole path where two of them end alike.
std::string name_of_settings(const Settings&);

}  // namespace pliant
