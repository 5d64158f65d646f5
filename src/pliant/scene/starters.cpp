// SPDX-License-Identifier: MIT
#include <pliant/scene/starters.h>

// The texts. Tests read each of them, and run them where a world can be built.

#include <array>

namespace pliant {

namespace {

constexpr std::string_view kPneumatic = R"({
  // A box of gas under an elastic lid; a ball is dropped on it.
  "description": "a pneumatic box and a ball",
  "world":  { "gravity": [0, -10, 0], "duration": 6, "frame_rate": 60 },
  "solver": { "kind": "rk4", "step": 0.0025, "substeps": "auto" },
  "bodies": {
    "box": {
      "kind": "springs",
      "mesh": { "lidded_box": 22, "size": [1.5, 0.75, 1.5] },  // 22 x 22 vertices in the lid; width, height, depth
      "mass": 10, "mass_of": "lid",                            // kg, shared by the vertices of the lid
      "springs": { "k_s": 100, "k_d": 5 },                     // N/m and N s/m of every spring
      "gas": { "k_g": 68 },                                    // n R T in J: more of it lifts the lid higher
      "pins": [{ "select": "walls" }],                         // walls and floor stay where they are
      "restitution": 0.5
    },
    "ball": { "kind": "rigid", "sphere": 0.25, "mass": 0.6, "position": [0, 1.5, 0], "held": true }
  },
  "colliders": { "floor": { "plane": [0, 1, 0, 0] } },
  "inputs": [
    { "time": 2, "set": { "bodies.ball.held": false } }        // let the ball go once the lid has settled
    // , { "time": 4, "set": { "bodies.box.gas.enabled": false } }
  ]
}
)";

constexpr std::string_view kBalloon = R"({
  // A latex balloon with real air in and around it falls on the floor.
  "description": "a balloon bounces",
  "world":  { "duration": 2 },
  "solver": { "kind": "rk4", "substeps": "auto" },
  "bodies": {
    "balloon": {
      "kind": "springs",
      "mesh": { "icosphere": 3, "radius": 0.12, "translate": [0, 0.5, 0] },  // or a file: "mesh": "balloon.obj"
      "material": { "preset": "latex" },                                     // thickness, young, density can be given too
      "springs": { "rest_scale": 0.95 },                                     // the skin starts 5 % stretched
      "gas": { "law": "isothermal", "pressure": 101825, "outside": 101325 }, // Pa, absolute
      "restitution": 0.6, "friction": 0.5
    }
  },
  "colliders": { "floor": { "plane": [0, 1, 0, 0] } }                        // solid below y = 0
  // "inputs": [{ "time": 1, "set": { "bodies.balloon.gas.leak": 0.005 } }]  // prick it
}
)";

constexpr std::string_view kChain = R"({
  // A chain of masses on springs, held at one end, swings.
  "description": "a swinging chain",
  "world":  { "duration": 5 },
  "solver": { "kind": "rk4", "step": 0.001, "substeps": "auto" },
  "bodies": {
    "chain": {
      "kind": "springs",
      "mesh": { "chain": 21, "from": [0, 1, 0], "to": [1, 1, 0] },  // 21 vertices along a line of 1 m
      "mass": 0.5,                                                  // kg in all
      "springs": { "k_s": 2000, "k_d": 0.05 },                      // N/m and N s/m of every link
      "pins": [{ "name": "hook", "select": "start" }],              // its force is measured as hook.reaction
      "drag": 0.001                                                 // N s/m on every vertex
    }
  },
  "record": { "probes": { "tip": { "body": "chain", "vertex": 20 } } }
}
)";

constexpr std::string_view kBall = R"({
  // A rigid ball is thrown on a floor: it bounces, rubs and begins to roll.
  "description": "a bouncing ball",
  "world":  { "duration": 4 },
  "solver": { "kind": "rk4", "step": 0.0025 },
  "bodies": {
    "ball": {
      "kind": "rigid", "sphere": 0.1, "mass": 0.5,                    // radius in m, kg
      "position": [0, 1, 0], "velocity": [1, 0, 0],
      "restitution": 0.7, "friction": 0.4                             // a pair takes the product of both partners'
    }
  },
  "colliders": { "floor": { "plane": [0, 1, 0, 0] } }                 // factors 1 and 1 by default
}
)";

constexpr std::string_view kCloth = R"({
  // A square of cotton held at two corners falls and swings; then the wind blows.
  "description": "a hanging cloth",
  "world":  { "duration": 4, "wind": [0, 0, 0] },
  "solver": { "kind": "bdf2", "step": 0.005, "accuracy": 0.05 },       // implicit: stands any step
  "bodies": {
    "towel": {
      "kind": "cloth",
      "mesh": { "grid": [40, 40], "size": [1, 1], "diagonals": "alternating" },
      "cloth": { "fabric": "cotton", "bending": "quadratic" },         // or denim, silk, wool, leather, paper …
      "pins": [{ "name": "hooks", "select": [{ "around": [-0.5, 0, -0.5] }, { "around": [0.5, 0, -0.5] }] }],
      "air_drag": 1.2, "air_friction": 0.02
    }
  },
  "inputs": [{ "time": 2, "set": { "world.wind": [0, 0, 4] } }]        // m/s
}
)";

constexpr std::array<Starter, 5> kStarters{{
    {"pneumatic", "a box of gas under an elastic lid, and a ball dropped on it"},
    {"balloon", "a latex balloon full of air that falls on the floor"},
    {"chain", "masses on springs, hung at one end"},
    {"cloth", "a square of cotton that hangs and blows in the wind"},
    {"ball", "a rigid ball that bounces and rolls"},
}};
constexpr std::array<std::string_view, 5> kTexts{kPneumatic, kBalloon, kChain, kCloth, kBall};

}  // namespace

std::span<const Starter> starters()
{
    return kStarters;
}

std::optional<std::string> starter_scene(std::string_view kind)
{
    for (std::size_t i = 0; i < kStarters.size(); ++i)
        if (kStarters[i].kind == kind) return std::string(kTexts[i]);
    return {};
}

}  // namespace pliant
