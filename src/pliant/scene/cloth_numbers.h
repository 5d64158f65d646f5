// SPDX-License-Identifier: MIT
#pragma once

// The numbers of a cloth after its fabric has filled in what the scene left out.

#include <pliant/scene/cloth_scene.h>

namespace pliant {

struct ClothNumbers {
    double density = 0;                   ///< [kg/m^2]
    double stretch_u = 0, stretch_v = 0;  ///< [N/m]
    double poisson = 0;                   ///< [1]
    double shear = 0;                     ///< [N/m]
    double bend_u = 0, bend_v = 0;        ///< [N m]
    double damping_time = 0;              ///< [s]
    double bend_damping_time = 0;         ///< [s]

    /// Plane-stress matrix [uu uv; uv vv] of the sheet [N/m].
    double uu() const { return stretch_u / (1 - poisson * poisson); }
    double vv() const { return stretch_v / (1 - poisson * poisson); }
};

/// Keys of the scene, then of its fabric, then: poisson 0.3 (rubber 0.5, thesis models 0), shear as of an isotropic sheet,
/// nothing else.
ClothNumbers resolved(const ClothScene& cloth);

}  // namespace pliant
