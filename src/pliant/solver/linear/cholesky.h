// SPDX-License-Identifier: MIT
#pragma once

// Sparse Cholesky factorisation of symmetric positive definite block matrices, our own from ordering to kernels.
//
// Where everything goes is found once (cholesky_structure.h); factor() refills the numbers without allocating. Panels are
// finished one after the other (left-looking): a panel starts as A, pulls in what earlier panels do to its columns, is
// factored itself. The same bits for any thread count.
// Doubles solve to rounding. Floats take half the memory and half the time and are meant to precondition conjugate
// gradients in doubles; a matrix whose condition exceeds what floats resolve may be refused by them although it is
// positive definite, so a refusal by floats is to be asked again in doubles.
// Symbols: L L^T = P A P^T, A x = b.
// Reference: see cholesky_structure.h.

#include <cstdint>
#include <span>
#include <vector>

#include <pliant/solver/linear/block_matrix.h>
#include <pliant/solver/linear/cholesky_structure.h>

namespace pliant {

template <class S>
struct PanelView;

template <class S>
class CholeskyOf {
public:
    /// Takes all memory at once: ask structure.bytes(sizeof(S)) first whether it is there.
    explicit CholeskyOf(CholeskyStructure structure);

    /// Factors a matrix of the structure's pattern whose held coordinates are cut out (cut_out_held). -1, or the first
    /// node in the order of elimination where a pivot is lost: not positive, not finite, or nothing but rounding left
    /// of its diagonal entry. After a failure only another factor() makes sense.
    std::int32_t factor(const BlockMatrix& A);

    /// x = A^-1 b of the matrix factored last; x may be b. Works in memory of the object: one call at a time.
    void solve(std::span<Vec3> x, std::span<const Vec3> b) const;

    const CholeskyStructure& structure() const { return structure_; }
    /// What is allocated, the structure included [bytes]; structure().bytes() foretold it.
    std::size_t allocated_bytes() const;

private:
    /// 32 bytes of a slice, so that slices begin where registers like to load.
    struct alignas(32) Aligned {
        S values[32 / sizeof(S)];
    };

    PanelView<S> view(std::int32_t index) const;
    void fill(std::int32_t index, const BlockMatrix& A);
    const std::int32_t* note_slots(std::int32_t index, std::size_t task);
    std::int32_t factor_in_task(std::int32_t index, const BlockMatrix& A, std::size_t task);
    std::int32_t factor_in_top(std::int32_t index, const BlockMatrix& A);
    void forward_in_task(std::int32_t index, std::int32_t end_column) const;
    void forward_in_top(std::int32_t index) const;
    void backward_in_task(std::int32_t index) const;
    void backward_in_top(std::int32_t index) const;

    CholeskyStructure structure_;
    std::vector<std::int64_t> start_;       ///< of each panel in the values
    mutable std::vector<Aligned> values_;   ///< all slices; mutable for the views, only factor() writes
    std::vector<std::int32_t> slot_of_;     ///< per task and for the top: slot of each row in the panel at work
    std::vector<std::int32_t> lost_;        ///< per task: the column where it stopped, or -1
    mutable std::vector<S> y_;              ///< the solution on its way, in the order of elimination
    mutable std::vector<Aligned> partial_;  ///< sums of the chunks of a loop in solve()
};

using Cholesky = CholeskyOf<double>;
using CholeskySingle = CholeskyOf<float>;  ///< as a preconditioner

extern template class CholeskyOf<double>;
extern template class CholeskyOf<float>;

}  // namespace pliant
