// SPDX-License-Identifier: MIT
#pragma once

// What conjugate gradients ask of a preconditioner: a symmetric positive approximation of A^-1.

#include <span>

#include <pliant/solver/linear/block_matrix.h>

namespace pliant {

class Preconditioner {
public:
    /// z = M r. A is the matrix that is being solved; the preconditioner may have been made from an older one.
    virtual void apply(std::span<Vec3> z, const BlockMatrix& A, std::span<const Vec3> r) = 0;

    Preconditioner(const Preconditioner&) = default;
    Preconditioner(Preconditioner&&) = default;
    Preconditioner& operator=(const Preconditioner&) = default;
    Preconditioner& operator=(Preconditioner&&) = default;

protected:
    Preconditioner() = default;
    ~Preconditioner() = default;
};

}  // namespace pliant
