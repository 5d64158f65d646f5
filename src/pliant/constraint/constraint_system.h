// SPDX-License-Identifier: MIT
#pragma once

// The rows that hold at an instant, and the small dense system of their multipliers.
//
// With W the response of all nodes to each row (M^-1 J^T, or A^-1 J^T inside Newton's method) the multipliers solve
// (J W) lambda = rhs. Rows are scaled to unit diagonals and eliminated by the largest pivot first, so rows that say the same
// as others are found and left out; a left-out row that asks for something else is a conflict, and both are named.
// Held coordinates are taken out of J before anything else: they cannot move (W-12).
// Symbols: J slopes, W response, S = J W, k number of rows.

#include <cstdint>
#include <span>
#include <vector>

#include <pliant/constraint/constraint.h>

namespace pliant {

struct ActiveRow {
    std::int32_t constraint = 0, row = 0;
    RowValue at;
    double target = 0;        ///< psi
    std::vector<Vec3> slope;  ///< J, one per node of the row; zero where held
};

struct ConstraintSystem {
    std::vector<ActiveRow> rows;  ///< only the first `count` hold; the others keep their memory
    std::size_t count = 0;
    std::vector<std::vector<Vec3>> response;        ///< W: one column of all free vertices per row
    std::vector<double> schur, rhs, lambda;         ///< S by rows; k numbers
    std::vector<double> work, scale, forward;       ///< of the elimination
    std::vector<std::size_t> order;                 ///< the same
    std::int32_t redundant = -1, conflicting = -1;  ///< constraints: one row of theirs was left out, or contradicts
    std::int32_t other = -1;                        ///< the constraint that it repeats or contradicts

    const ConstraintRow& row_of(std::span<const Constraint> all, std::size_t r) const
    {
        return all[static_cast<std::size_t>(rows[r].constraint)].rows[static_cast<std::size_t>(rows[r].row)];
    }
};

/// Lists the rows of enabled constraints and evaluates them. `held` has bits x y z per node.
void gather_rows(ConstraintSystem& system, std::span<const Constraint> all, std::span<const std::uint8_t> enabled,
                 const FormulaPoint& at, std::span<const std::uint8_t> held);

/// Row r of J times a vector of all free vertices.
double times(const ConstraintSystem& system, std::span<const Constraint> all, std::size_t r,
             std::span<const Vec3> vector);

/// Adds factor * lambda J^T.
void add_forces(std::span<Vec3> force, const ConstraintSystem& system, std::span<const Constraint> all, double factor);

/// S = J W from the responses.
void make_schur(ConstraintSystem& system, std::span<const Constraint> all);

/// Solves S lambda = rhs for symmetric S; finds redundant and conflicting rows. False on a conflict.
bool solve_schur(ConstraintSystem& system);

/// The same for an S that is not symmetric, by elimination with pivots; rows that say nothing new get no multiplier.
void solve_general(ConstraintSystem& system);

}  // namespace pliant
