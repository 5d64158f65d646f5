// SPDX-License-Identifier: MIT
#pragma once

// Hands: people, devices and programs that reach into a running world.
//
// A hand takes points of one body and pulls them by a spring, pushes them with a force, or holds them where they are,
// until it lets go; several hands may act at once. What a hand does takes effect between two steps and edits State only
// (State::grips), so that a run in which the same is done at the same times repeats to the last bit.
//
// The spring of a pull follows the mass M of the body, whatever it is made of and however fine its mesh is: k = M w^2,
// d = 2 zeta M w with w = 20/s, zeta = 0.3. A body that hangs from it lags by g / w^2 = 25 mm.

#include <cstdint>
#include <string>
#include <vector>

#include <pliant/world/world.h>

namespace pliant {

enum class HandDeed { pull, push, hold, move, release };

struct HandAction {
    HandDeed deed = HandDeed::release;
    std::int32_t hand = 0;
    std::vector<std::int32_t> points;  ///< pull, push, hold: of the world; shared evenly
    double stiffness = 0;              ///< [N/m] pull: of all points together
    double damping = 0;                ///< [N s/m] likewise
    Vec3 vector;                       ///< push: [N] of all points together; move: [m] from where they were taken
};

/// A pull at points of one body with the spring of that body.
HandAction make_pull(const Model&, std::int32_t hand, std::vector<std::int32_t> points);

/// Does it now. An Error when a point does not exist, is part of a collider or, for hold, of a rigid body.
void apply_hand(World&, const HandAction&);

/// "hands.2" and what it does as JSON, and back; an Error says what is wrong with a text.
std::string hand_path(std::int32_t hand);
std::string to_json(const HandAction&);
HandAction hand_action(const std::string& path, const std::string& text);

/// Whether a path names a hand.
bool is_hand_path(const std::string& path);

/// The force of a hand on the world now [N].
Vec3 hand_force(const State&, std::int32_t hand);

/// The body that a point belongs to, -1 for none.
std::int32_t body_of_point(const Model&, std::int32_t point);

}  // namespace pliant
