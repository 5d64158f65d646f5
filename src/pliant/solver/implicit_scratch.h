// SPDX-License-Identifier: MIT
#pragma once

// What the implicit integrators work in: matrix, scatter maps, multigrid, vectors. Made at the first implicit step.

#include <variant>
#include <vector>

#include <pliant/model/model.h>
#include <pliant/solver/linear/conjugate_gradients.h>

namespace pliant {

struct ImplicitScratch {
    ImplicitScratch(const Model&, const State&);

    BlockMatrix matrix;
    std::vector<std::variant<ScatterMap<2>, ScatterMap<4>, ScatterMap<10>>> maps;  ///< #terms
    Multigrid multigrid;
    std::vector<BorderRow> borders;  ///< #cavities
    LinearScratch linear;
    std::vector<Vec3> y, z, downhill, direction, trial;  ///< #free vertices
};

}  // namespace pliant
