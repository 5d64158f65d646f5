// SPDX-License-Identifier: MIT
#pragma once

// What the implicit integrators work in: matrix, scatter maps, vectors. Made at the first implicit step.

#include <variant>
#include <vector>

#include <pliant/model/model.h>
#include <pliant/solver/linear/conjugate_gradients.h>

namespace pliant {

struct ImplicitScratch {
    explicit ImplicitScratch(const Model&);

    BlockMatrix matrix;
    std::vector<std::variant<ScatterMap<2>, ScatterMap<4>>> maps;  ///< #terms
    LinearScratch linear;
    std::vector<Vec3> start_force, residual, change;  ///< #free vertices
};

}  // namespace pliant
