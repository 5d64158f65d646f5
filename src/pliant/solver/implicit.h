// SPDX-License-Identifier: MIT
#pragma once

// Implicit integrators: the velocity at the end of the step solves
//   M (v' - v) = h ((1 - t) f(x, v) + t f(x', v')),   x' = x + h ((1 - t) v + t v')
// with t = 1 (implicit Euler, order 1) or t = 1/2 (trapezoidal rule, order 2). Newton's method with
// M + h t C + h^2 t^2 K, where K and C are those of springs, radial springs (their diagonal) and drag; what
// is left out of them (gas, loads, coupling through a moving centre) costs iterations, not accuracy. A step that does
// not converge is tried again at half its length. Rigid bodies move by velocity Verlet's rule beside.
// Reference: Hairer, Nørsett, Wanner, "Solving ordinary differential equations", II, chapter IV.

#include <pliant/model/model.h>
#include <pliant/model/report.h>
#include <pliant/model/scratch.h>

namespace pliant {

/// `implicitness` is t above.
Attempt advance_implicit(State& to, const Model&, const State& from, double h, Scratch&, double implicitness);

}  // namespace pliant
