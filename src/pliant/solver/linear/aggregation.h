// SPDX-License-Identifier: MIT
#pragma once

// Multigrid for cloth: groups of about four neighbours become one node of the next level, on any mesh.
//
// The nearest of those that pull on each other are paired, then the pairs: the two layers of a shirt that lie on each other
// are not taken for one. Groups depend on the model alone, so a world restored from a snapshot has the same.
// Where contacts are many they are joined with the matrix, and levels are made of both, anew with each matrix (see
// aggregation_joined.cpp): sheets of a stack are pressed harder on each other than anything holds one alone, and what
// moves all of them together is found on coarse levels only.
// A group moves as one. That makes the coarse stiffness P^T K P twice too large for sheets (a jump between groups stands
// for a slope over both), so coarse matrices are P^T M P + 1/2 P^T K P with the mass part M given apart.
// One V-cycle: a forward sweep of block Gauss-Seidel from zero, the coarser levels, a backward sweep: symmetric. Sweeps go over
// fixed runs of rows at the same time, each with what the others had before. The last level is swept a few times. Everything is in single precision: directions of Newton's method need no more, and the
// memory of the matrix is what an iteration costs. Products are full rows, one after the other: the same bits for any
// number of threads.
// Symbols: A = M + K, P groups, r residual, z preconditioned residual.
// Reference: Notay, "An aggregation-based algebraic multigrid method", 2010; over-correction after Braess 1995.

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include <pliant/solver/linear/conjugate_gradients.h>
#include <pliant/solver/linear/grouping.h>

namespace pliant {

class AggregationMultigrid final : public Preconditioner {
public:
    /// Groups the rows of a pattern whose nodes are at x [m]: the nearest belong together.
    AggregationMultigrid(const BlockMatrix& A, std::span<const Vec3> x);

    /// Takes over the values of a matrix of that pattern with held coordinates (bits x y z per node) cut out, and the part of
    /// its diagonal that is not stiffness [kg/s^2]. The first row whose diagonal block is not positive definite, or -1.
    /// `more` (empty, or one block a row) is what a product beside the matrix has on the diagonal: sweeps of the first
    /// level know of it.
    std::int32_t refresh(const BlockMatrix& A, std::span<const double> mass, std::span<const std::uint8_t> held,
                         std::span<const Mat3> more = {});

    /// The same with what contacts add between vertices on all levels. Groups are then of what pulls hardest, contacts
    /// included.
    std::int32_t refresh_joined(const BlockMatrix& A, std::span<const double> mass, std::span<const std::uint8_t> held,
                                const ContactProduct& contacts);

    /// z = M r by one V-cycle.
    void apply(std::span<Vec3> z, const BlockMatrix& A, std::span<const Vec3> r) override;

    /// Solves A x = b from x = 0 by conjugate gradients, all in single precision.
    /// With contacts (not null) their product is added to A's; they must not reach rigid bodies.
    LinearResult solve(std::span<Vec3> x, std::span<const Vec3> b, const LinearOptions& options,
                       const ContactProduct* contacts = nullptr);

    bool is_joined() const { return is_joined_; }

    std::size_t level_count() const { return levels_.size(); }

private:
    using Float4 = float __attribute__((vector_size(16)));
    /// Columns, one behind the other: what is read of a matrix is what an iteration costs.
    struct Block {
        float m[9];
    };
    struct Level {
        std::vector<std::int32_t> row_start, column;  ///< full rows, columns ascending
        std::vector<std::int32_t> diagonal;           ///< #rows: where the diagonal block is
        std::vector<Block> block, inverse;            ///< inverse of the diagonal blocks
        std::vector<float> mass;                      ///< #rows
        std::vector<std::int32_t> parent;             ///< #rows: group on the next level; empty on the last
        std::vector<std::int32_t> place;              ///< #blocks: block of the next level that it adds to
        GroupMembers children;                        ///< rows of the level before; empty on the first
        std::vector<Block> extra;                     ///< #rows or none: what sweeps have more on the diagonal
        std::size_t run = 0;                          ///< rows that a sweep goes over one after the other
        std::vector<Float4> z, r, rest;               ///< #rows
        std::size_t size() const { return diagonal.size(); }
        void size_values();
    };
    using Levels = std::vector<Level>;

    static Float4 times(const Block& a, const Float4& x);
    static void make_coarser(Level& coarse, Level& fine, const Grouping& groups);
    static std::int32_t invert_diagonal(Level& level, std::span<const Mat3> more);
    static void fill_coarse(const Level& fine, Level& coarse);
    void take_values(const BlockMatrix& A);
    void take_masses(std::span<const double> mass, std::span<const std::uint8_t> held);
    void multiply(std::vector<Float4>& y, const std::vector<Float4>& x) const;
    void cycle(Levels& levels, std::size_t index) const;
    template <class F>
    static void for_each_run(const Level& level, F&& f);
    static void sweep_forward(Level& level, std::size_t begin, std::size_t end);
    static void find_rest(Level& level, std::size_t begin, std::size_t end);
    static void sweep_backward(Level& level, std::size_t begin, std::size_t end);
    static void sweep_last(Level& level);

    // With contacts, see aggregation_joined.cpp.
    struct JoinedRows {
        std::vector<std::int32_t> column, end;  ///< end: of each row of a run in `column`
        std::vector<Block> block;
        std::vector<std::int32_t> found, at;  ///< columns that contacts add to a row, and where they are in `sum`
        std::vector<std::array<double, 6>> sum;
    };
    void join_rows(Level& first, std::span<const std::uint8_t> held, const ContactProduct& contacts);
    static void join_row(JoinedRows& to, const Level& sheet, std::span<const std::uint8_t> held, std::size_t row,
                         const ContactProduct& contacts, std::size_t place);
    static void add_free(Block& block, const std::array<double, 6>& sum, std::uint8_t held_row,
                         std::uint8_t held_column);
    static void add_extra(Level& level);
    static PullGraph pulls_of(const Level& level);

    Levels levels_;                  // of the matrix alone
    Levels joined_;                  // with contacts
    std::vector<JoinedRows> parts_;  // one per run of the first level
    bool is_joined_ = false;
    std::vector<std::int32_t> upper_, lower_;  ///< #blocks of the given matrix: their places on the first level
    std::vector<Float4> free_;                 ///< #rows: 1 where a coordinate may move, else 0
    std::vector<Float4> x_, p_, q_;            ///< of conjugate gradients
};

}  // namespace pliant
