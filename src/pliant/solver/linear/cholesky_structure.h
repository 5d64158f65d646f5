// SPDX-License-Identifier: MIT
#pragma once

// What a Cholesky factorisation of a block matrix will look like, known before any number of it.
//
// Nodes are put in an order of little fill (nested_dissection.h) that follows the elimination tree. Neighbouring
// columns of L with nearly the same nodes below form a panel: a dense block of `width` columns of nodes over
// all the rows they share, a few zeros included. A panel is finished by pulling in what earlier panels do to its
// columns. Subtrees of the tree do not touch each other's panels: they are the tasks of several threads, what
// remains above them is the top, finished panel by panel.
// Symbols: L L^T = P A P^T, P the order; rows and columns count nodes in that order, each standing for three.
// Reference: Davis, "Direct methods for sparse linear systems", 2006, chapters 4 and 6; Ng and Peyton, "Block sparse
// Cholesky algorithms on advanced uniprocessor computers", 1993.

#include <cstdint>
#include <span>
#include <vector>

#include <pliant/solver/linear/block_matrix.h>

namespace pliant {

struct NodeGraph;

/// Entries of L, diagonal included, when nodes are eliminated in this order: no zeros kept, nothing allocated for L.
std::int64_t factor_nonzeros(const BlockMatrix& pattern, std::span<const std::int32_t> order);

class CholeskyStructure {
public:
    struct Panel {
        std::int32_t first = 0, width = 0;  ///< columns
        std::int32_t row_count = 0;         ///< rows below the columns
        std::int64_t first_row = 0;         ///< of its rows in rows()

        std::int32_t end() const { return first + width; }
    };
    /// Rows [first, end) of an earlier panel are columns of the panel that pulls.
    struct Pull {
        std::int32_t from = 0, first = 0, end = 0;
    };
    /// A block of A at home in a panel.
    struct Entry {
        std::int64_t block = 0;
        std::int32_t slot = 0;    ///< row: from 0 the columns of the panel themselves, from `width` the rows below
        std::int32_t column = 0;  ///< within the panel
        bool transposed = false;
    };
    struct Range {
        std::int32_t begin = 0, end = 0;
    };

    /// Orders by nested dissection; x [m] one position per node, or empty.
    CholeskyStructure(const BlockMatrix& pattern, std::span<const Vec3> x);
    /// Orders as told; nodes may still move within what makes no difference to L.
    CholeskyStructure(const BlockMatrix& pattern, std::span<const std::int32_t> order);

    std::int32_t node_count() const { return static_cast<std::int32_t>(order_.size()); }
    std::int64_t nonzeros() const { return nonzeros_; }  ///< of L, zeros kept in panels not counted
    double operations() const { return operations_; }    ///< multiplications and additions of a factorisation
    /// Memory of this structure and of a factor of it [bytes].
    std::size_t bytes(std::size_t scalar_size = sizeof(double)) const;
    std::size_t allocated_bytes() const;  ///< by this structure alone

    /// The node to eliminate first, second, …
    std::span<const std::int32_t> order() const { return order_; }
    std::span<const Panel> panels() const { return panels_; }
    std::span<const std::int32_t> rows(const Panel& panel) const
    {
        return {rows_.data() + panel.first_row, static_cast<std::size_t>(panel.row_count)};
    }
    std::span<const Pull> pulls(std::int32_t panel) const { return part_of(pulls_, pull_start_, panel); }
    std::span<const Entry> entries(std::int32_t panel) const { return part_of(entries_, entry_start_, panel); }
    std::span<const Range> tasks() const { return tasks_; }               ///< runs of panels, the dearest first
    std::span<const std::int32_t> top() const { return top_; }            ///< panels above the tasks, ascending
    double operations(std::int32_t panel) const { return work_[panel]; }  ///< of finishing this panel

private:
    struct Supernode {
        std::int32_t first = 0, width = 0, row_count = 0;
        std::int64_t nonzeros = 0;  // blocks of L that are not zero
    };

    template <class T>
    static std::span<const T> part_of(const std::vector<T>& all, const std::vector<std::int64_t>& start, std::int32_t i)
    {
        return {all.data() + start[i], static_cast<std::size_t>(start[i + 1] - start[i])};
    }

    void analyse(const BlockMatrix& pattern, const NodeGraph&);
    static std::vector<Supernode> join_columns(std::span<const std::int32_t> parent,
                                               std::span<const std::int32_t> count);
    void list_rows(const NodeGraph&, std::span<const std::int32_t> place, const std::vector<Supernode>&);
    void split(const Supernode&, std::int64_t first_row);
    void list_pulls();
    void list_entries(const BlockMatrix& pattern, std::span<const std::int32_t> place);
    void count_operations();
    void choose_tasks();

    std::vector<std::int32_t> order_;  ///< node at each place
    std::vector<Panel> panels_;
    std::vector<std::int32_t> panel_of_;  ///< each column
    std::vector<std::int32_t> rows_;
    std::vector<std::int64_t> pull_start_, entry_start_;
    std::vector<Pull> pulls_;
    std::vector<Entry> entries_;
    std::vector<double> work_;
    std::vector<Range> tasks_;
    std::vector<std::int32_t> top_;
    std::int64_t nonzeros_ = 0;
    double operations_ = 0;
};

}  // namespace pliant
