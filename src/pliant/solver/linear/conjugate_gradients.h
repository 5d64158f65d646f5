// SPDX-License-Identifier: MIT
#pragma once

// Conjugate gradients for symmetric positive definite block matrices, preconditioned by the inverses
// of the diagonal blocks (block Jacobi) or by a Preconditioner; the matrix may have border rows.
//
// Held coordinates are left out of the system: their unknowns stay zero, their equations are not
// asked for. A matrix or preconditioner that turns out not to be positive definite is a failure of
// its own, never convergence. Sums run over fixed chunks: the same bits for any thread count.
// Symbols: A x = b, r = b - A x residual, p direction, z preconditioned residual.
// Reference: Shewchuk, "An introduction to the conjugate gradient method", 1994, section B3; held
// coordinates after Baraff and Witkin, "Large steps in cloth simulation", 1998.

#include <cstdint>
#include <span>
#include <vector>

#include <pliant/solver/linear/block_matrix.h>
#include <pliant/solver/linear/preconditioner.h>

namespace pliant {

class ContactProduct;

enum class LinearStatus { converged, not_converged, indefinite };

struct LinearResult {
    LinearStatus status = LinearStatus::converged;
    int iterations = 0;
    double residual = 0;    ///< |b - A x| / |b| over the coordinates that are not held
    std::int32_t row = -1;  ///< indefinite: the node whose diagonal block shows it, or -1

    bool converged() const { return status == LinearStatus::converged; }
};

struct LinearOptions {
    double tolerance = 1e-8;  ///< [1] on the relative residual
    int most_iterations = 1000;
    /// The residual is measured by the way that it would move things, M r: where heavy and light things share a system, the
    /// forces of the heavy would drown those of the light.
    bool measures_way = false;
};

/// A rank-one part of the matrix that reaches all nodes, such as a gas: stiffness * gradient gradient^T.
struct BorderRow {
    double stiffness = 0;
    std::vector<Vec3> gradient;  ///< #nodes or more, zero at held coordinates
};

/// Working memory, sized by size_for(); nothing in it is remembered between two solves.
struct LinearScratch {
    std::vector<Vec3> r, z, p, q, windows;
    std::vector<Mat3> inverse;  ///< of the diagonal blocks

    /// `more` rows behind those of the matrix, for rigid bodies.
    void size_for(const BlockMatrix&, std::size_t more = 0);
};

/// Solves (A + borders) x = b from x = 0, where held coordinates are cut out of A and zero in b and borders: with a
/// preconditioner, or without (null) by block Jacobi. With contacts (not null) their product is added, and x and b go on
/// behind the rows of A with those of the rigid bodies.
LinearResult bordered_conjugate_gradients(std::span<Vec3> x, const BlockMatrix& A, std::span<const BorderRow> borders,
                                          std::span<const Vec3> b, Preconditioner*, const LinearOptions&,
                                          LinearScratch&, const ContactProduct* contacts = nullptr);

/// Solves A x = b from x = 0. `held` has bits x y z per node (State::held) or is empty. Allocates nothing.
/// On failure x is the last iterate.
LinearResult conjugate_gradients(std::span<Vec3> x, const BlockMatrix& A, std::span<const Vec3> b,
                                 std::span<const std::uint8_t> held, const LinearOptions&, LinearScratch&);

}  // namespace pliant
