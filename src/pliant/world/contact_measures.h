// SPDX-License-Identifier: MIT
#pragma once

// Measures of contact between solids:
//   energy.contact       [J] in the springs of response thesis_springs, a part of energy.elastic
//   contacts.resting     contacts of the last step that were no impacts
//   contacts.held        vertices moved as one lump for a step since the start, as the last resort
//   penetration.deepest  [m] how far a vertex is inside another solid; 0 where none is

#include <cstdint>

#include <pliant/model/model.h>
#include <pliant/model/state.h>

namespace pliant {

struct ContactMeasures {
    double resting = 0, held = 0;
    double spring_energy = 0;  ///< [J]
    double deepest = 0;        ///< [m]
};

/// Looks at every vertex and tetrahedron of the surface, whatever the steps before believed.
ContactMeasures contact_measures(const Model& model, const State& state);

}  // namespace pliant
