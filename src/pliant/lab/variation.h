// SPDX-License-Identifier: MIT
#pragma once

// What is varied in a comparison: paths of a scene, each with a list of values.
//
//   solver.kind=euler,rk4            values between commas; brackets keep theirs: world.gravity=[0,0,0],[0,-9.81,0]
//   solver.step=0.001..0.1:5         five values, evenly spaced in the logarithm to four digits, both ends included
//   bodies.ball.drag=0..1:5:linear   the same, evenly spaced

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <pliant/scene/scene_json.h>

namespace pliant {

/// A path and the values that it takes, as they would follow --set path=.
struct Variation {
    std::string path;
    std::vector<std::string> values;

    /// The values as numbers; nothing when one of them is no number.
    std::optional<std::vector<double>> numbers() const;
};

/// One run's share of all variations, in their order.
using Settings = std::vector<Override>;

/// Most runs of one comparison.
inline constexpr std::size_t kMostRuns = 10000;

/// Throws Error (usage) that says what was expected.
Variation parse_variation(std::string_view text);

/// "solver.kind=rk4 solver.step=1e-4", parts separated by spaces; throws Error (usage).
Settings parse_settings(std::string_view text);

/// Every combination; the last variation changes fastest. Throws Error (usage) when a path comes twice or the
/// combinations are more than kMostRuns.
std::vector<Settings> combinations(const std::vector<Variation>&);

/// "rk4, step 0.05": a solver by its name alone, other settings by the last word of their path, or by
/// the whole path where two of them end alike.
std::string name_of_settings(const Settings&);

}  // namespace pliant
