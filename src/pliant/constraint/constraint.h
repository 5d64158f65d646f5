// SPDX-License-Identifier: MIT
#pragma once

// Constraints: equations over coordinates of free vertices, their velocities and time, kept at zero.
//
// Every kind that a scene knows (plane, sphere, distance, path …) is a formula, written by the builder; formulas of the
// scene's own are the same. Rates and curvatures come from jets along (v, 1), slopes from one reverse sweep, so no kind
// has derivatives of its own to get wrong.
// A row H(q, t) = 0 is asked for as  H'' + 2 xi H' + xi^2 H = 0,  of which H'' = J a + (what v alone makes): a violated one
// decays as (A + B t) exp(-xi t). A row on velocities, H(q, v, t) = 0, is asked for as  H' + xi H = 0.
// The force of a row is -lambda J^T.
// Symbols: H the formula, J its slope by coordinates (or by velocities), lambda multiplier, xi [1/s], psi = J a wanted.
// Reference: seed 002, section 3.6; Baumgarte, "Stabilization of constraints and integrals of motion", 1972.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <pliant/base/types.h>
#include <pliant/expression/expression.h>

namespace pliant {

// Numbers of the variables that formulas over free vertices use.
inline constexpr int kTimeVariable = 0;
constexpr int position_variable(std::int32_t node)
{
    return 1 + 6 * node;
}
constexpr int velocity_variable(std::int32_t node)
{
    return 4 + 6 * node;
}

/// Values that formulas are evaluated at.
struct FormulaPoint {
    std::span<const Vec3> x, v;  ///< #nodes or more
    double time = 0;             ///< [s]

    double operator()(int variable) const
    {
        if (variable == kTimeVariable) return time;
        const auto node = static_cast<std::size_t>((variable - 1) / 6);
        const int k = (variable - 1) % 6;
        return k < 3 ? x[node][k] : v[node][k - 3];
    }
};

struct ConstraintRow {
    Expression formula;
    std::vector<std::int32_t> nodes;  ///< free vertices that it names, ascending
    bool on_velocity = false;         ///< the formula names velocities
};

/// The row with its nodes listed.
ConstraintRow make_row(Expression formula);

struct Constraint {
    std::string name;
    std::vector<ConstraintRow> rows;
    double xi = 100;                  ///< [1/s]
    double breaks_at = 0;             ///< [N] reaction at which it gives way; 0 never
    std::size_t first_row = 0;        ///< of all rows of the model
    std::int32_t measured_node = -1;  ///< whose share of the force is told as the reaction
};

/// What a row is at a place.
struct RowValue {
    double value = 0;       ///< H
    double rate = 0;        ///< H' along the motion; of a row on velocities: without acceleration
    double curvature = 0;   ///< H'' without acceleration; 0 of a row on velocities
    double time_slope = 0;  ///< dH/dt at standstill

    /// J a that brings it to zero, or keeps it there.
    double target(bool on_velocity, double xi) const
    {
        return on_velocity ? -rate - xi * value : -curvature - xi * (2 * rate + xi * value);
    }
};

/// Fills `slope` (one per node of the row) with J.
RowValue evaluate(const ConstraintRow& row, const FormulaPoint& at, std::span<Vec3> slope);

/// H alone.
double value_of(const ConstraintRow& row, const FormulaPoint& at);

}  // namespace pliant
