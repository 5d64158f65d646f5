// SPDX-License-Identifier: MIT
#pragma once

// What is done to a running world from outside: a live parameter changed, or something a hand does. A viewer, a device or
// a program applies actions between two frames and records them; replay.h does them again.

#include <variant>

#include <pliant/record/recording.h>
#include <pliant/world/hands.h>
#include <pliant/world/inputs.h>

namespace pliant {

/// A new value of a live parameter.
struct LiveChange {
    std::int32_t target = 0;  ///< index into Model::live_paths
    LiveValue value;
};

using Action = std::variant<LiveChange, HandAction>;

/// Does it now; an Error when it cannot be done.
void perform(World&, const Action&);

/// The action as a take keeps it, stamped with the world's time.
RecordedInput recorded(const World&, const Action&);

/// Writes the inputs that the scene itself has: the first ones of every take.
void add_scene_inputs(RecordingWriter&, const Model&);

/// The action that a take kept; an Error when the world has no such parameter.
Action action_of(const World&, const RecordedInput&);

}  // namespace pliant
