// SPDX-License-Identifier: MIT
#pragma once

// What can be turned while a run goes on: every live parameter of a world with its unit, range and sentence, as
// describe() has them.

#include <string>
#include <vector>

#include <pliant/world/world.h>

namespace pliant::viewer {

enum class ControlKind { number, count, onoff, vector, choice };

struct Control {
    std::int32_t target = 0;  ///< index into Model::live_paths
    std::string path;         ///< "bodies.box.gas.k_g"
    std::string group, name;  ///< "bodies.box.gas", "k_g"
    std::string unit, sentence;
    double min = 0, max = 0;  ///< valid values; may be infinite
    ControlKind kind = ControlKind::number;
    std::vector<std::string> choices;
    LiveValue start;  ///< what the scene says
};

/// In the order of Model::live_paths.
std::vector<Control> make_controls(const Model& model, const State& state);

}  // namespace pliant::viewer
