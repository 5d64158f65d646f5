// SPDX-License-Identifier: MIT
#include <pliant/constraint/constraint.h>

#include <algorithm>

#include <pliant/base/jet.h>

namespace pliant {

namespace {

struct Place {
    std::int32_t node = 0;
    int k = 0;  // 0 … 2 position, 3 … 5 velocity
};

Place place_of(int variable)
{
    return {(variable - 1) / 6, (variable - 1) % 6};
}

// Along the motion with no acceleration: coordinates go with v, velocities stay, time runs.
Jet2<double> along_motion(const FormulaPoint& at, int variable)
{
    if (variable == kTimeVariable) return {at.time, 1, 0};
    const auto [node, k] = place_of(variable);
    const auto n = static_cast<std::size_t>(node);
    return k < 3 ? Jet2<double>{at.x[n][k], at.v[n][k], 0} : Jet2<double>{at.v[n][k - 3], 0, 0};
}

}  // namespace

ConstraintRow make_row(Expression formula)
{
    ConstraintRow row{.formula = std::move(formula)};
    row.on_velocity = row.formula.depends_on_velocity();
    for (const int variable : row.formula.variables())
        if (variable != kTimeVariable) row.nodes.push_back(place_of(variable).node);
    row.nodes.erase(std::unique(row.nodes.begin(), row.nodes.end()), row.nodes.end());
    return row;
}

RowValue evaluate(const ConstraintRow& row, const FormulaPoint& at, std::span<Vec3> slope)
{
    const Jet2<double> moving =
        row.formula.evaluate<Jet2<double>>([&](int variable) { return along_motion(at, variable); });
    RowValue result{moving.value, moving.first, row.on_velocity ? 0 : moving.second, 0};
    std::fill(slope.begin(), slope.end(), Vec3{});
    row.formula.evaluate_gradient<double>(at, [&](std::size_t i, double derivative) {
        const int variable = row.formula.variables()[i];
        if (variable == kTimeVariable) {
            result.time_slope = derivative;
            return;
        }
        const auto [node, k] = place_of(variable);
        if ((k >= 3) != row.on_velocity) return;
        const auto here = std::lower_bound(row.nodes.begin(), row.nodes.end(), node) - row.nodes.begin();
        slope[static_cast<std::size_t>(here)][k % 3] = derivative;
    });
    return result;
}

double value_of(const ConstraintRow& row, const FormulaPoint& at)
{
    return row.formula.evaluate<double>(at);
}

}  // namespace pliant
