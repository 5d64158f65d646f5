// SPDX-License-Identifier: MIT
#pragma once

// A good scene to spoil, and ways to look for a problem.

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <pliant/scene/scene_json.h>

namespace pliant {

/// Line numbers matter to the tests: bodies begin on line 4, box on 5, ball on 12.
inline const std::string kGoodScene = R"({ // line 1
  "world": { "gravity": [0, -10, 0], "duration": 2 },
  "solver": { "kind": "rk4", "step": 0.0025, "substeps": "auto" },
  "bodies": {
    "box": {
      "kind": "springs",
      "mesh": { "lidded_box": 5, "size": [1.5, 0.75, 1.5] },
      "mass": 10, "mass_of": "lid",
      "springs": { "k_s": 100, "k_d": 5 },
      "gas": { "k_g": 68 },
      "pins": [{ "select": "walls" }] },
    "ball": { "kind": "rigid", "sphere": 0.25, "mass": 0.6, "held": true }
  },
  "colliders": { "floor": { "plane": [0, 1, 0, 0] } },
  "inputs": [{ "time": 1, "set": { "bodies.ball.held": false } }],
  "expect": { "box.volume": [1, null] }
}
)";

inline std::string replaced(std::string text, const std::string& from, const std::string& to)
{
    const std::size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

inline std::string all_of(const std::vector<Problem>& problems)
{
    std::string text;
    for (const Problem& problem : problems) text += to_string(problem) + '\n';
    return text;
}

/// The problems of the good scene with a part replaced.
inline std::vector<Problem> problems_with(const std::string& from, const std::string& to)
{
    return parse_scene(replaced(kGoodScene, from, to), "scene.json").problems;
}

/// That there is exactly this problem, at this place, with these words in its message and cure.
inline void expect_only(const std::vector<Problem>& problems, int line, const std::string& where,
                        const std::string& message, const std::string& cure)
{
    ASSERT_EQ(problems.size(), 1u) << all_of(problems);
    const Problem& problem = problems.front();
    EXPECT_EQ(problem.line, line) << all_of(problems);
    EXPECT_EQ(problem.where, where) << all_of(problems);
    EXPECT_NE(problem.message.find(message), std::string::npos) << all_of(problems);
    EXPECT_NE(problem.cure.find(cure), std::string::npos) << all_of(problems);
}

}  // namespace pliant
