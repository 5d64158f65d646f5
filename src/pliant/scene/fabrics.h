// SPDX-License-Identifier: MIT
#pragma once

// Named fabrics: what an orthotropic sheet needs to know, with the source of each number.
//
// A fabric is described by resultants, never by a modulus and a thickness apart: a cloth is no solid, so
// its bending does not follow from its stretching. u is the warp (paper: machine direction), v the weft.
//
//   N_u = (K_u e_u + nu_vu K_u e_v) / (1 - nu_uv nu_vu),   N_uv = G gamma,   M_u = B_u kappa_u
//   nu_vu = nu_uv K_v / K_u,   positive definite when nu_uv^2 < K_u / K_v and all stiffnesses are above 0
//
// Symbols: N tension per width [N/m], e strain, gamma angle of shear, M moment per width [N], kappa curvature
// [1/m] along the direction named, K stretch [N/m] with free sides (Young's modulus times thickness), nu_uv poisson:
// narrowing along v over stretch along u when pulled along u, G shear [N/m], B bend [N m].
//
// Cloth is not linear. The numbers are slopes at small loads where a source has them, and samples of
// one name differ by a factor of two and more; the sources say what was measured and what is only a usual size. Every
// source has the same three marks: a citation, "our reading" where a convention had to be guessed, "no source".

#include <span>
#include <string_view>

namespace pliant {

/// One named fabric.
struct Fabric {
    std::string_view name;
    std::string_view sentence;
    double density;           ///< [kg/m2]
    double stretch_u;         ///< [N/m] warp
    double stretch_v;         ///< [N/m] weft
    double poisson;           ///< [1] nu_uv
    double shear;             ///< [N/m]
    double bend_u;            ///< [N m] moment per width over curvature along the warp
    double bend_v;            ///< [N m] along the weft
    double thickness;         ///< [m] for contact and drawing; no stiffness is made from it
    double damping_time;      ///< [s] tau of a viscous stress tau K de/dt
    std::string_view source;  ///< where each number is from
};

std::span<const Fabric> fabrics();

/// The fabric of that name, or null.
const Fabric* find_fabric(std::string_view name);

/// nu_vu: narrowing along u over stretch along v when pulled along v.
constexpr double poisson_vu(const Fabric& fabric)
{
    return fabric.poisson * fabric.stretch_v / fabric.stretch_u;
}

}  // namespace pliant
