// SPDX-License-Identifier: MIT
#pragma once

// Implicit integrators: every one is a minimisation,
//   x = argmin 1/2 |x - y|^2_M / s^2 + E(x) + D(v),   v = c (x - z),
// and differs only in y, z, c, s (the Rule) and in what is made of x afterwards:
//
//   rule               s     y                         c     z               then
//   implicit_euler     h     x + h v                   1/h   x               order 1, damps
//   implicit_midpoint  h/2   x + h/2 v                 2/h   x               x' = 2 x_mid - x, v' = 2 v_mid - v; order 2
//   trapezoidal        h/2   x + h v + h^2/4 a         2/h   x + h/2 v       order 2 (Newmark with 1/4, 1/2)
//   static             inf   -                         0     -               v' = 0: balance of forces
//
// Newton's method with the projected Hessian M/s^2 + K + c C, solved by conjugate gradients under multigrid; a gas adds its
// s dV dV^T as a border row. What is not in the matrix (curvature of a gas, coupling through a moving centre) costs
// iterations, not accuracy. Steps along Newton's direction are halved while the force along it still points
// back. It ends when an iteration changes no velocity by more than solver.accuracy of
// the scene's size per second (a static one: no position by more than that share of the size). A dynamic step that
// does not converge is tried again at half its length; a static one raises gravity and loads in smaller parts.
// Rigid bodies move by velocity Verlet's rule beside.
// Reference: Martin et al., "Example-based elastic materials", 2011, for the form as a minimisation.

#include <pliant/model/model.h>
#include <pliant/model/report.h>
#include <pliant/model/scratch.h>

namespace pliant {

Attempt advance_implicit(State& to, const Model&, const State& from, double h, Scratch&);
Attempt advance_static(State& to, const Model&, const State& from, double h, Scratch&);

}  // namespace pliant
