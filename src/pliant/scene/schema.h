// SPDX-License-Identifier: MIT
#pragma once

// The JSON Schema (draft 2020-12) of scene files, from describe(): for completion and checks in editors.

#include <string>

namespace pliant {

/// Units and live members are told by the annotations "x-unit" and "x-live".
std::string scene_schema();

}  // namespace pliant
