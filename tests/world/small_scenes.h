// SPDX-License-Identifier: MIT
#pragma once

// Small worlds for tests, written as scenes.

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include <pliant/scene/scene_json.h>
#include <pliant/world/build.h>
#include <pliant/world/inputs.h>
#include <pliant/world/measures.h>
#include <pliant/world/step.h>

namespace pliant::test {

/// The world of a scene's text; problems fail the test.
inline World world_of(std::string_view text, const std::vector<Override>& overrides = {})
{
    const SceneRead read = parse_scene(text, "test.json", overrides);
    for (const Problem& problem : read.problems) ADD_FAILURE() << to_string(problem);
    Build result = try_build(read.scene);
    for (const Problem& problem : result.problems) ADD_FAILURE() << to_string(problem);
    return std::move(result.world);
}

/// A mass of 0.5 kg on a spring of 1 m between (0,0,0), pinned, and (1.5,0,0); no gravity.
inline constexpr std::string_view kOscillator = R"({
    "world": { "gravity": [0, 0, 0] },
    "solver": { "kind": "rk4", "step": 0.01, "substeps": 1 },
    "bodies": { "chain": { "kind": "springs", "mesh": { "chain": 2, "to": [1.5, 0, 0] }, "mass": 1,
        "springs": { "k_s": 40, "k_d": 0.6, "rest_length": 1 }, "pins": [{ "select": "start" }] } } })";

/// Three springs swinging far from a straight line: nonlinear, no contact.
inline constexpr std::string_view kPendulum = R"({
    "world": { "gravity": [0, -9.81, 0] },
    "solver": { "kind": "rk4", "step": 0.01, "substeps": 1 },
    "bodies": { "chain": { "kind": "springs",
        "mesh": { "vertices": [[0, 0, 0], [0.8, 0.3, 0], [1.5, 0.2, 0.4], [1.9, 0.9, 0.3]],
                  "lines": [[0, 1], [1, 2], [2, 3]] },
        "mass": 2, "springs": { "k_s": 60, "k_d": 0.2 }, "pins": [{ "select": [0] }] } } })";

/// The pneumatic box of seed 000, coarser, with the ball about to touch the lid and a floor below.
inline constexpr std::string_view kSmallBox = R"({
    "world": { "gravity": [0, -10, 0], "frame_rate": 60 },
    "solver": { "kind": "rk4", "step": 0.0025, "substeps": "auto" },
    "bodies": {
        "box": { "kind": "springs", "mesh": { "lidded_box": 8, "size": [1.5, 0.75, 1.5] }, "mass": 10, "mass_of": "lid",
                 "springs": { "k_s": 100, "k_d": 2 }, "gas": { "k_g": 68 }, "pins": [{ "select": "walls" }] },
        "ball": { "kind": "rigid", "sphere": 0.25, "position": [0.1, 1.25, 0.05], "mass": 0.6,
                  "velocity": [0, -2, 0], "angular_velocity": [0, 3, 1], "restitution": 0.5, "friction": 0.4 } },
    "colliders": { "floor": { "plane": [0, 1, 0, -0.5] }, "post": { "box": [0.2, 2, 0.2], "position": [1.2, 0, 0] } } })";

/// A soft ball full of air that falls on a plane and a post.
inline constexpr std::string_view kSoftBall = R"({
    "world": { "gravity": [0, -9.81, 0], "frame_rate": 60 },
    "solver": { "kind": "velocity_verlet", "step": 0.002, "substeps": "auto" },
    "bodies": {
        "ball": { "kind": "springs", "mesh": { "icosphere": 2, "radius": 0.3 }, "mass": 1, "position": [0, 0.31, 0],
                  "velocity": [0.5, -1, 0], "springs": { "k_s": 200, "k_d": 0.5 },
                  "gas": { "law": "adiabatic", "pressure": 300, "outside": 100, "leak": 1e-4 },
                  "restitution": 0.5, "friction": 0.3, "drag": 0.01 } },
    "colliders": { "floor": { "plane": [0, 1, 0, 0] }, "stone": { "sphere": 0.2, "position": [0.4, 0, 0] } } })";

/// Value of one measure of the present state.
inline double measure(World& world, const std::string& name)
{
    return find_measure(*world.model, measures(world, 0, 0), name);
}

/// Sets a live parameter now.
inline void set(World& world, const std::string& path, const LiveValue& value)
{
    const std::int32_t target = find_live_path(*world.model, path);
    ASSERT_GE(target, 0) << path;
    apply_input(world, target, value);
}

}  // namespace pliant::test
