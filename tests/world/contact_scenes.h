// SPDX-License-Identifier: MIT
#pragma once

// Scenes in which contact and friction have known answers: blocks on slopes and floors, a strip round a drum.
//
// Slopes are drawn level and gravity leans instead. Blocks rest at half their thickness from the start, so that no landing
// disturbs what is measured. Symbols: mu friction [1], phi angle of wrap [rad], T tension [N].

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <fmt/format.h>

namespace pliant::test {

inline constexpr double kGravity = 9.81;  // [m/s^2]

/// A block of one of three kinds, 1 mm above y = 0, at `velocity` along x [m/s].
inline std::string block_of(const std::string& kind, double mu, double velocity)
{
    const std::string common = fmt::format(R"("friction": {}, "velocity": [{}, 0, 0])", mu, velocity);
    if (kind == "rigid")
        return R"({ "kind": "rigid", "box": [0.4, 0.1, 0.4], "position": [0, 0.051, 0], "mass": 2, )" + common + " }";
    if (kind == "solid")
        return R"({ "kind": "solid", "mesh": { "tet_block": [2, 1, 2], "size": [0.4, 0.1, 0.4] },
            "material": { "young": 1e4, "poisson": 0.3, "density": 200, "damping_time": 0.02 },
            "position": [0, 0.051, 0], )" +
               common + " }";
    return R"({ "kind": "cloth", "mesh": { "grid": [5, 5], "size": [0.4, 0.4] }, "position": [0, 0.001, 0],
        "cloth": { "density": 0.2, "stretch": 500, "bend": 1e-5 }, )" +
           common + " }";
}

/// The ground: a plane, a rigid box, or a flat mesh whose inner edges the block slides across.
inline std::string ground_of(const std::string& kind)
{
    if (kind == "plane") return R"({ "plane": [0, 1, 0, 0] })";
    if (kind == "box") return R"({ "box": [20, 0.2, 2], "position": [0, -0.1, 0] })";
    return R"({ "mesh": { "box": [40, 1, 4], "size": [20, 0.2, 2], "translate": [0, -0.1, 0] } })";
}

inline std::string block_scene(const std::string& block, const std::string& ground, double mu, double slope,
                               double velocity = 0)
{
    const double angle = std::atan(slope);
    return fmt::format(R"({{ "world": {{ "gravity": [{}, {}, 0] }}, "solver": {{ "kind": "{}", "step": 0.002 }},
        "contact": {{ "response": "bridson", "thickness": 0.002 }},
        "bodies": {{ "block": {} }}, "colliders": {{ "ground": {} }} }})",
                       kGravity * std::sin(angle), -kGravity * std::cos(angle),
                       block == "rigid" ? "rk4" : "implicit_euler", block_of(block, mu, velocity), ground_of(ground));
}

/// A strip of two rows of vertices round a drum along y of radius 0.1 m, from angle 0 to phi, with straight ends of 0.1 m.
/// A load of `tension` pulls one end; a pin, "winch", carries the other away at `speed`.
inline std::string capstan_scene(double phi, double mu, double tension, double speed)
{
    constexpr double kRadius = 0.10051, kStraight = 0.1, kSpacing = 0.01, kHalfWidth = 0.01;
    const double arc = kRadius * phi, length = arc + 2 * kStraight;
    const int rows = static_cast<int>(std::lround(length / kSpacing)) + 1;
    std::vector<std::string> vertices, triangles;
    for (int i = 0; i < rows; ++i) {
        const double s = length * i / (rows - 1) - kStraight;
        const double a = std::clamp(s, 0.0, arc) / kRadius, beyond = s - std::clamp(s, 0.0, arc);
        const double x = kRadius * std::cos(a) - beyond * std::sin(a), z = kRadius * std::sin(a) + beyond * std::cos(a);
        for (const double y : {-kHalfWidth, kHalfWidth}) vertices.push_back(fmt::format("[{}, {}, {}]", x, y, z));
    }
    for (int p = 0; p + 3 < 2 * rows; p += 2) {
        triangles.push_back(fmt::format("[{}, {}, {}]", p, p + 1, p + 2));
        triangles.push_back(fmt::format("[{}, {}, {}]", p + 1, p + 3, p + 2));
    }
    return fmt::format(R"({{ "world": {{ "gravity": [0, 0, 0] }},
        "solver": {{ "kind": "implicit_euler", "step": 0.00025, "accuracy": 0.001 }},
        "contact": {{ "response": "bridson", "thickness": 0.001, "self": "off" }},
        "bodies": {{ "strip": {{ "kind": "cloth", "mesh": {{ "vertices": [{}], "triangles": [{}] }}, "friction": {},
            "cloth": {{ "density": 1, "stretch": 500, "bend": 1e-7, "damping_time": 0.01 }},
            "pins": [{{ "name": "winch", "select": [{}, {}], "motion": [{}, 0, {}] }}],
            "loads": [{{ "name": "weight", "select": [0, 1], "force": [0, 0, {}] }}] }} }},
        "colliders": {{ "drum": {{ "mesh": {{ "cylinder": [200, 1], "radius": 0.1, "height": 0.1 }} }} }} }})",
                       fmt::join(vertices, ", "), fmt::join(triangles, ", "), mu, 2 * rows - 2, 2 * rows - 1,
                       -speed * std::sin(phi), speed * std::cos(phi), -tension);
}

}  // namespace pliant::test
