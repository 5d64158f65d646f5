// SPDX-License-Identifier: MIT
#pragma once

// What each integrator promises: order, cost, and how long a step it can stand.
//
// Each integrator is applied to the forced damped oscillator x'' = f - w2 x - d x'; a step is a 2x2 matrix and is
// stable while its spectral radius does not exceed 1. Symbols: w2 squared rate [1/s^2], d [1/s], h [s].

#include <pliant/parameters/live.h>

namespace pliant {

/// Whether the integrator solves for the end of the step.
bool is_implicit(SolverKind);

/// Whether no step is too long for it, which is not to say that it is accurate.
bool stands_any_step(SolverKind);

/// Spectral radius of one step of length h.
double amplification(SolverKind, double w2, double d, double h);

/// Largest h up to which no mode with rates up to (w2, d) grows; infinite when nothing limits it, 0
/// when nothing helps. Growth slower than 1e-9 a step is let go: explicit Euler on an undamped spring is
/// left a step so short that it does not matter.
double stable_step(SolverKind, double w2, double d);

/// Sums and products of one step on the oscillator, counted while it runs (seed 004, Table 3.8).
struct OperationCount {
    int sums = 0, products = 0;
};
OperationCount operation_count(SolverKind);

struct IntegratorFacts {
    int order = 0;              ///< of the global error
    int evaluations = 0;        ///< of all forces in a step; an implicit rule: in an iteration
    std::string_view sentence;  ///< the rule in words
};
IntegratorFacts integrator_facts(SolverKind);

}  // namespace pliant
