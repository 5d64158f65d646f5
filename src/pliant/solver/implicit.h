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
//   bdf2               1/c   z + w/c                   c     (b x - a x_)/c  order 2, damps only what is fast
//   static             inf   -                         0     -               v' = 0: balance of forces
//
// bdf2 goes on from two states, x_ a step of h_ before x: with r = h/h_, c = (1+2r)/((1+r) h), b = (1+r)/h,
// a = r^2/((1+r) h), and w is to v what z is to x. Its first step, and any after an input or a contact, is implicit_euler's.
//
// Newton's method finds the minimum (newton.h). A dynamic step that does not converge is tried again at half its
// length; a static one raises gravity and loads in smaller parts. With solver.adaptive the local error is estimated
// from how the acceleration changed over the step, smoothed by the matrix so that stiff modes do not
// count, and the step is as long as solver.tolerance allows.
// Rigid bodies move by velocity Verlet's rule beside.
// Reference: Martin et al., "Example-based elastic materials", 2011, for the form as a minimisation; Hairer and Wanner,
// Solving Ordinary Differential Equations II, for bdf2 with variable steps and for smoothed error estimates.

#include <pliant/model/model.h>
#include <pliant/model/report.h>
#include <pliant/model/scratch.h>

namespace pliant {

Attempt advance_implicit(State& to, const Model&, const State& from, double h, Scratch&);
Attempt advance_static(State& to, const Model&, const State& from, double h, Scratch&);

}  // namespace pliant
