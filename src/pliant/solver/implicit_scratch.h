// SPDX-License-Identifier: MIT
#pragma once

// What the implicit integrators work in: matrix, scatter maps, preconditioners, vectors. Made from the model before the
// first implicit step; nothing in it changes a bit of a result.

#include <memory>
#include <span>
#include <variant>
#include <vector>

#include <pliant/constraint/constraint_system.h>
#include <pliant/model/model.h>
#include <pliant/solver/contact_way.h>
#include <pliant/solver/linear/aggregation.h>
#include <pliant/solver/linear/cholesky_preconditioner.h>
#include <pliant/solver/linear/conjugate_gradients.h>
#include <pliant/solver/linear/contact_product.h>
#include <pliant/solver/linear/multigrid.h>

namespace pliant {

/// Constraints inside Newton's method.
struct NewtonConstraints {
    ConstraintSystem stage;                                  ///< where their forces act: slopes and responses A^-1 J^T
    ConstraintSystem end;                                    ///< where they are to hold: values and slopes
    std::vector<double> lambda, lambda_before, lambda_step;  ///< #rows that hold
    std::vector<Vec3> end_x;                                 ///< #free vertices
};

/// What of the matrix does not depend on positions: terms whose Hessian is constant.
struct ConstantPart {
    std::vector<std::size_t> terms;      ///< indices into Model::terms
    std::vector<Mat3> block;             ///< as in the matrix
    std::vector<QuadraticBending> live;  ///< their parameters when it was made
    double c = 0;                        ///< [1/s] of damping
    bool is_made = false;
};

struct ImplicitScratch {
    explicit ImplicitScratch(const Model&);

    /// Whether the matrix is that of these positions and this scale of the step.
    bool is_filled_at(std::span<const Vec3> x, double h) const;

    /// Made when first asked for.
    Multigrid& multigrid();
    CholeskyPreconditioner& cholesky();
    AggregationMultigrid& aggregation();

    BlockMatrix matrix;
    ConstantPart constant;
    std::vector<std::variant<ScatterMap<2>, ScatterMap<3>, ScatterMap<4>, ScatterMap<10>>> maps;  ///< #terms
    std::vector<std::int64_t> mass_place;  ///< block of each entry of Model::mass_matrix, -1 below the diagonal
    std::vector<BorderRow> borders;        ///< #cavities
    LinearScratch linear;
    std::vector<Vec3> y, z, trial;          ///< #free vertices
    std::vector<Vec3> downhill, direction;  ///< the same, and two more per frame: its way and its turn
    std::vector<Vec3> behind;               ///< the same with consistent masses
    std::vector<Vec3> start;                ///< the same: accelerations at the start of the step
    std::vector<double> inertia;            ///< #free vertices [kg/s^2] of the matrix
    NewtonConstraints constraints;
    ContactWay way;                               ///< with response barrier
    ContactProduct product;                       ///< the same: what contacts add to the matrix
    std::vector<Mat3> contact_diagonal;           ///< #free vertices: what of that is on its diagonal
    std::vector<Mat3> diagonal_without_contacts;  ///< #free vertices: blocks of the matrix without it
    bool is_filled = false;
    std::vector<Vec3> filled_x;                ///< where the matrix was made
    double filled_h = 0;                       ///< [s] and for which scale of the step
    bool is_grouped = false;                   ///< the preconditioner is the aggregation
    bool joins_levels = false;                 ///< with contacts in its levels, from here to the end of the step
    Preconditioner* preconditioner = nullptr;  ///< of the matrix; null: block Jacobi

private:
    std::vector<Vec3> start_x_;
    std::unique_ptr<Multigrid> multigrid_;
    std::unique_ptr<CholeskyPreconditioner> cholesky_;
    std::unique_ptr<AggregationMultigrid> aggregation_;
};

/// The pattern of Newton's matrix.
BlockMatrix newton_pattern(const Model&);

}  // namespace pliant
