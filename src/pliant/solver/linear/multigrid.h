// SPDX-License-Identifier: MIT
#pragma once

// Multigrid as a preconditioner, on any mesh: coarse levels are cubic lattices laid over the nodes.
//
// Every node hangs on the eight corners of its lattice cell by trilinear weights of its true position; coarser
// lattices have twice the spacing. Coarse matrices are P^T A P (Galerkin), so they are symmetric and positive where
// A is. One V-cycle: a forward sweep of block Gauss-Seidel, correction from the coarser level, a backward sweep:
// symmetric, without any estimate of eigenvalues that could go stale. The last level is solved by dense Cholesky.
// The hierarchy depends on positions and pattern only; refresh() refills the matrices without allocating.
// Symbols: A matrix, P weights, r residual, z = M r preconditioned residual.
// Reference: Briggs, Henson, McCormick, "A multigrid tutorial", 2000; lattice weights after shared/evidence-solid-solver.

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include <pliant/solver/linear/preconditioner.h>

namespace pliant {

class Multigrid final : public Preconditioner {
public:
    /// Lays the lattices over nodes at x [m] whose couplings are those of the pattern.
    Multigrid(const BlockMatrix& pattern, std::span<const Vec3> x);

    /// Takes over the values of a matrix of that pattern whose held coordinates (bits x y z per node, or none) are
    /// cut out: rows and columns zero, ones on the diagonal. The first node whose diagonal block is not
    /// positive definite, or -1.
    /// `coarse_too` false keeps the coarse matrices of an earlier refresh: a preconditioner need not be exact, and
    /// making them is the dear part.
    std::int32_t refresh(const BlockMatrix& A, std::span<const std::uint8_t> held, bool coarse_too = true);

    /// z = M r by one V-cycle.
    void apply(std::span<Vec3> z, const BlockMatrix& A, std::span<const Vec3> r) override;

    std::size_t level_count() const { return levels_.size() + 1; }

private:
    static constexpr int kParents = 8, kReach = 5;  // a row couples with lattice points up to two steps away
    static constexpr int kStencil = kReach * kReach * kReach;
    static constexpr std::size_t kParts = 2;  // of a coarse matrix that are made at the same time
    class Galerkin;

    /// One step from a level to the next coarser one.
    struct Level {
        std::vector<std::array<std::int32_t, kParents>> parent;  ///< #fine nodes
        std::vector<std::array<double, kParents>> weight;        ///< zero where a corner does not count
        std::vector<std::array<std::int32_t, 3>> home;           ///< #fine nodes: low corner of its cell
        std::vector<std::array<std::int32_t, 3>> corner;         ///< #coarse nodes: place in the lattice
        std::vector<std::int64_t> below_start;  ///< #fine nodes + 1: the blocks of other rows in the column of a node
        std::vector<std::int64_t> below_block;
        std::vector<std::int32_t> below_row;
        std::vector<std::int64_t> place;  ///< kStencil per coarse node: block of that neighbour, upper half
        BlockMatrix matrix;               ///< of the coarse level
        std::vector<Mat3> parts;          ///< its blocks from each part of the fine rows
        std::vector<Vec3> z, r;           ///< #coarse nodes
    };

    static Level coarsen(const BlockMatrix& fine, std::span<const Vec3> x, double spacing);
    static void hang_nodes(Level& level, std::span<const Vec3> x, double spacing);
    static void make_pattern(Level& level, const BlockMatrix& fine);
    static void list_below(Level& level, const BlockMatrix& fine);
    static void fill(Level& level, const BlockMatrix& fine, std::span<const std::uint8_t> held);
    void cycle(std::size_t level, const BlockMatrix& A, std::span<Vec3> z, std::span<const Vec3> r);
    void sweep_forward(std::size_t level, const BlockMatrix& A, std::span<Vec3> z, std::span<const Vec3> r);
    void correct(std::size_t level, const BlockMatrix& A, std::span<Vec3> z);
    void sweep_backward(std::size_t level, const BlockMatrix& A, std::span<Vec3> z, std::span<const Vec3> r);
    void factor_last();
    void solve_last(std::span<Vec3> z, std::span<const Vec3> r) const;
    std::span<const std::uint8_t> held_at(std::size_t level) const;

    std::vector<Level> levels_;
    std::vector<std::vector<Mat3>> inverse_;   ///< per level: of the diagonal blocks
    std::vector<std::vector<Vec3>> residual_;  ///< per level
    std::vector<std::uint8_t> held_;           ///< of the finest level
    std::vector<double> cholesky_;             ///< lower factor of the last level, dense
};

}  // namespace pliant
