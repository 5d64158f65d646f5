// SPDX-License-Identifier: MIT
#pragma once

// Cholesky's factor as a preconditioner: of a fresh matrix conjugate gradients need one or two iterations, of an older
// one a few more. Kept in floats, half the memory and time; a matrix that floats cannot resolve is factored in doubles.

#include <memory>

#include <pliant/solver/linear/cholesky.h>
#include <pliant/solver/linear/preconditioner.h>

namespace pliant {

class CholeskyPreconditioner final : public Preconditioner {
public:
    CholeskyPreconditioner(const BlockMatrix& pattern, std::span<const Vec3> x) : single_(CholeskyStructure(pattern, x))
    {
    }

    /// -1, or a node where the matrix is not positive definite.
    std::int32_t factor(const BlockMatrix& A)
    {
        is_single_ = single_.factor(A) < 0;
        if (is_single_) return -1;
        if (!full_) full_ = std::make_unique<Cholesky>(single_.structure());
        return full_->factor(A);
    }

    void apply(std::span<Vec3> z, const BlockMatrix&, std::span<const Vec3> r) override
    {
        if (is_single_)
            single_.solve(z, r);
        else
            full_->solve(z, r);
    }

private:
    CholeskySingle single_;
    std::unique_ptr<Cholesky> full_;  ///< made when floats were refused
    bool is_single_ = true;
};

}  // namespace pliant
