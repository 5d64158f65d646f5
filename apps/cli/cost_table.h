// SPDX-License-Identifier: MIT
#pragma once

// The tables of `pliant compare --time`.

#include <pliant/lab/cost.h>

namespace pliant::cli {

/// Machine time per frame of every run, whole and by stage, and how it grows along the axis.
void print_costs(const CostComparison& comparison);

}  // namespace pliant::cli
