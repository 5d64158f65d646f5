// SPDX-License-Identifier: MIT
#pragma once

// What names mean in the formulas of a scene: points of the scene, vertices as body[index], t and time.

#include <optional>
#include <string_view>

#include <pliant/expression/parse.h>
#include <pliant/world/builder.h>

namespace pliant {

/// The free vertex that a formula's name stands for, or nothing.
std::optional<std::int32_t> named_vertex(const Builder&, std::string_view name);

/// All names, once bodies are placed. Refers to the builder.
Symbols formula_symbols(const Builder&);

/// Passes the problems of a formula on, at their place in the scene.
void complain(Builder&, const std::string& pointer, const std::vector<Problem>& problems);

/// The nearest vertex of a body, or the one by index, that a scene means; complains and returns -1 if there is none.
std::int32_t vertex_of(Builder&, const ProbeScene&, const std::string& pointer);

}  // namespace pliant
