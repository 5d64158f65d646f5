// SPDX-License-Identifier: MIT
#pragma once

// The pictures of a comparison of costs; failed runs are in none.
//
//   time     machine time per frame along the axis, a curve per case (seed 003, Figure 5.1)
//   stages   the same of every stage, one panel each
//   shares   stages as stacked bars, a bar per case, at the last place of the axis (Figure 5.2)

#include <vector>

#include <pliant/lab/comparison_charts.h>
#include <pliant/lab/cost.h>

namespace pliant {

std::vector<NamedChart> cost_charts(const CostComparison&);

}  // namespace pliant
