// SPDX-License-Identifier: MIT
#pragma once

// How much memory a solver will take, told before it takes any. Estimates from counts of elements and nodes, within
// some ten percent; the factor of a Cholesky decomposition is counted exactly by its symbolic analysis.

#include <pliant/model/model.h>

namespace pliant {

/// [B] of the model, its state and what explicit solvers work in.
double explicit_memory(const Model&);

/// [B] with the matrix, scatter maps and coarse levels of the implicit solvers.
double implicit_memory(const Model&);

/// [B] of the factor that linear_solver cholesky adds.
double cholesky_memory(const Model&);

/// [B] that this machine, or the group of processes that this one is in, has left; infinite where nobody says.
double available_memory();

}  // namespace pliant
