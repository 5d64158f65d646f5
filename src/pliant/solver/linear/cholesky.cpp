// SPDX-License-Identifier: MIT
#include <pliant/solver/linear/cholesky.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <pliant/base/parallel.h>
#include <pliant/solver/linear/cholesky_panels.h>

namespace pliant {

namespace {

// Work of one parallel task within a panel: large enough to outweigh handing it out.
constexpr std::int32_t kSlicesPerTask = 6;
constexpr double kWorthSharing = 2e5;  // operations

// What is needed of a panel's diagonal besides L itself.
template <class S>
struct Pivots {
    S smallest[kMostColumns];  // what a pivot must exceed: the rounding of its diagonal entry
    S inverse[kMostColumns];
};

// Subtracts a tile whose rows [begin, end) of panel `from` belong to slots of `to` that are not neighbours.
template <class S>
void scatter(const PanelView<S>& to, std::int64_t column, const Tile<S>& change, std::span<const std::int32_t> rows,
             const std::int32_t* slot_of, std::int32_t begin, std::int32_t end)
{
    constexpr std::int32_t kHeight = PanelView<S>::kHeight;
    alignas(kLaneBytes) S values[3 * kHeight];
    change.store(values);
    for (std::int32_t row = begin; row < end; ++row) {
        S* target = to.node(slot_of[rows[row]]) + column;
        const S* source = values + 3 * (row % PanelView<S>::kNodes);
        for (int c = 0; c < 3; ++c)
            for (int r = 0; r < 3; ++r) target[c * kHeight + r] -= source[c * kHeight + r];
    }
}

// What one slice of `from`, as far as it is rows [begin, end), does to panel `to`: a tile for each of the panel's columns
// among the rows of `from`, up to the diagonal.
template <class S>
void pull_slice(const PanelView<S>& to, const PanelView<S>& from, const CholeskyStructure::Pull& part,
                const std::int32_t* slot_of, std::int32_t begin, std::int32_t end)
{
    constexpr std::int32_t kHeight = PanelView<S>::kHeight, kNodes = PanelView<S>::kNodes;
    const std::int32_t slot = slot_of[from.rows[begin]];
    const bool is_whole =
        begin % kNodes == 0 && (end % kNodes == 0 || end == static_cast<std::int32_t>(from.rows.size()));
    const bool fits = is_whole && slot % kNodes == 0 && slot_of[from.rows[end - 1]] - slot == end - 1 - begin;
    const S* a = from.slice(from.diagonal_slices() + begin / kNodes);
    for (std::int32_t j = part.first; j < std::min(part.end, end); ++j) {
        const Tile<S> change = product<S>(a, from.node(from.slot(j)), from.columns());
        const std::int64_t column = std::int64_t{3} * kHeight * (from.rows[j] - to.first);
        if (!fits) {
            scatter(to, column, change, from.rows, slot_of, begin, end);
            continue;
        }
        S* target = to.slice(slot / kNodes) + column;
        Tile<S> tile = Tile<S>::load(target);
        tile.subtract(change);
        tile.store(target);
    }
}

// Subtracts from panel `to` what the columns of `from` do to it, as far as it lands in slots [begin, end).
template <class S>
void pull(const PanelView<S>& to, const PanelView<S>& from, const CholeskyStructure::Pull& part,
          const std::int32_t* slot_of, std::int32_t begin, std::int32_t end)
{
    constexpr std::int32_t kNodes = PanelView<S>::kNodes;
    const auto first_from = [&](std::int32_t slot) {
        const auto at = std::partition_point(from.rows.begin() + part.first, from.rows.end(),
                                             [&](std::int32_t row) { return slot_of[row] < slot; });
        return static_cast<std::int32_t>(at - from.rows.begin());
    };
    const std::int32_t last = first_from(end);
    for (std::int32_t row = first_from(begin), next = row; row < last; row = next) {
        next = std::min(last, (row / kNodes + 1) * kNodes);
        pull_slice(to, from, part, slot_of, row, next);
    }
}

// X <- X L^-T for the three columns of a node, L its lower pivot block.
template <class S>
void divide_by_pivot(Tile<S>& tile, const S* l, const S* inverse)
{
    constexpr std::int32_t kHeight = PanelView<S>::kHeight;
    tile.x.scale(inverse[0]);
    tile.y.add_product(tile.x, -l[1]);
    tile.y.scale(inverse[1]);
    tile.z.add_product(tile.x, -l[2]);
    tile.z.add_product(tile.y, -l[kHeight + 2]);
    tile.z.scale(inverse[2]);
}

// Columns of node q in one slice: what the columns before them do is taken off.
template <class S>
inline Tile<S> reduced_tile(const PanelView<S>& panel, std::int32_t slice, std::int32_t q)
{
    S* values = panel.slice(slice);
    Tile<S> tile = Tile<S>::load(values + std::int64_t{3} * PanelView<S>::kHeight * q);
    tile.subtract(product<S>(values, panel.node(q), 3 * std::int64_t{q}));
    return tile;
}

// Finishes columns of nodes [0, count) in slices that have none of their own rows. A column waits for the one before it:
// a few slices take turns, so that there is always one that need not wait.
template <class S>
void finish_slices(const PanelView<S>& panel, std::int32_t begin, std::int32_t end, std::int32_t count,
                   const Pivots<S>& pivots)
{
    constexpr std::int64_t kHeight = PanelView<S>::kHeight;
    constexpr std::int32_t kTogether = 3;
    for (std::int32_t first = begin; first < end; first += kTogether)
        for (std::int32_t q = 0; q < count; ++q)
            for (std::int32_t slice = first; slice < std::min(end, first + kTogether); ++slice) {
                Tile<S> tile = reduced_tile(panel, slice, q);
                divide_by_pivot(tile, panel.node(q) + 3 * kHeight * q, pivots.inverse + 3 * q);
                tile.store(panel.slice(slice) + 3 * kHeight * q);
            }
}

// L of a 3x3 block at `a`, by columns; the entries above its diagonal become zero. The lost coordinate, or -1.
template <class S>
int factor_pivot(S* a, const S* smallest, S* inverse)
{
    constexpr std::int32_t kHeight = PanelView<S>::kHeight;
    const auto at = [a](int row, int column) -> S& { return a[column * kHeight + row]; };
    for (int j = 0; j < 3; ++j) {
        S pivot = at(j, j);
        for (int k = 0; k < j; ++k) pivot -= at(j, k) * at(j, k);
        if (!(pivot > smallest[j]) || !std::isfinite(pivot)) return j;
        at(j, j) = std::sqrt(pivot);
        inverse[j] = 1 / at(j, j);
        for (int i = j + 1; i < 3; ++i) {
            S sum = at(i, j);
            for (int k = 0; k < j; ++k) sum -= at(i, k) * at(j, k);
            at(i, j) = sum * inverse[j];
            at(j, i) = 0;
        }
    }
    return -1;
}

// Factors the rows of the panel's own columns. The node within the panel whose pivot is lost, or -1.
template <class S>
std::int32_t factor_diagonal(const PanelView<S>& panel, Pivots<S>& pivots)
{
    constexpr std::int32_t kHeight = PanelView<S>::kHeight, kNodes = PanelView<S>::kNodes;
    for (std::int32_t slice = 0; slice < panel.diagonal_slices(); ++slice) {
        const std::int32_t first = slice * kNodes;
        finish_slices(panel, slice, slice + 1, first, pivots);
        for (std::int32_t q = first; q < std::min(panel.width, first + kNodes); ++q) {
            S* column = panel.slice(slice) + std::int64_t{3} * kHeight * q;
            S* pivot = column + 3 * (q - first);
            Tile<S> tile = reduced_tile(panel, slice, q);
            tile.store(column);
            if (factor_pivot(pivot, pivots.smallest + 3 * q, pivots.inverse + 3 * q) >= 0) return q;
            S l[3][3];
            for (int c = 0; c < 3; ++c) std::copy_n(pivot + c * kHeight, 3, l[c]);
            divide_by_pivot(tile, pivot, pivots.inverse + 3 * q);
            tile.store(column);
            for (int c = 0; c < 3; ++c) {
                std::fill_n(column + c * kHeight, 3 * (q - first), S(0));
                std::copy_n(l[c], 3, pivot + c * kHeight);
            }
        }
    }
    return -1;
}

// Calls body(begin, end) over runs of slices, in parallel when the work is worth it; cuts depend on sizes only.
template <class F>
void over_slices(std::int32_t begin, std::int32_t end, double work, F&& body)
{
    const auto count = static_cast<std::size_t>(std::max(0, end - begin));
    const std::size_t grain = work < kWorthSharing ? count : std::size_t{kSlicesPerTask};
    parallel_for(count, grain, [&](std::size_t from, std::size_t to, std::size_t) {
        body(begin + static_cast<std::int32_t>(from), begin + static_cast<std::int32_t>(to));
    });
}

template <class S>
void note_smallest_pivots(const PanelView<S>& panel, Pivots<S>& pivots)
{
    for (std::int32_t q = 0; q < panel.width; ++q)
        for (int c = 0; c < 3; ++c) {
            const S entry = panel.node(q)[std::int64_t{PanelView<S>::kHeight} * (3 * q + c) + c];
            pivots.smallest[3 * q + c] = std::max(S(0), entry) * std::numeric_limits<S>::epsilon();
        }
}

}  // namespace

template <class S>
CholeskyOf<S>::CholeskyOf(CholeskyStructure structure) : structure_(std::move(structure))
{
    const auto panels = structure_.panels();
    std::int64_t size = 0;
    start_.reserve(panels.size());
    for (const auto& panel : panels) {
        start_.push_back(size);
        const std::int64_t slices = slice_count(panel.width, sizeof(S)) + slice_count(panel.row_count, sizeof(S));
        size += slices * 3 * panel.width * PanelView<S>::kHeight;
    }
    values_.resize(static_cast<std::size_t>(size) * sizeof(S) / kLaneBytes);
    const auto nodes = static_cast<std::size_t>(structure_.node_count());
    slot_of_.resize((structure_.tasks().size() + 1) * nodes);
    lost_.resize(structure_.tasks().size());
    y_.resize(3 * nodes);
    partial_.resize(structure_.top().empty() ? 0 : kMaxChunks * kMostColumns);
}

template <class S>
std::size_t CholeskyOf<S>::allocated_bytes() const
{
    return structure_.allocated_bytes() + (values_.capacity() + partial_.capacity()) * sizeof(Aligned) +
           start_.capacity() * sizeof(std::int64_t) + y_.capacity() * sizeof(S) +
           (slot_of_.capacity() + lost_.capacity()) * sizeof(std::int32_t);
}

template <class S>
PanelView<S> CholeskyOf<S>::view(std::int32_t index) const
{
    const CholeskyStructure::Panel& p = structure_.panels()[index];
    return {reinterpret_cast<S*>(values_.data()) + start_[index], p.first, p.width, structure_.rows(p)};
}

// The panel's part of A; its values are zero.
template <class S>
void CholeskyOf<S>::fill(std::int32_t index, const BlockMatrix& A)
{
    const PanelView<S> panel = view(index);
    for (const CholeskyStructure::Entry& entry : structure_.entries(index)) {
        const Mat3& block = A.block[entry.block];
        const std::int32_t slot = entry.slot < panel.width ? entry.slot : panel.slot(entry.slot - panel.width);
        S* target = panel.node(slot) + std::int64_t{3} * PanelView<S>::kHeight * entry.column;
        for (int c = 0; c < 3; ++c, target += PanelView<S>::kHeight)
            for (int r = 0; r < 3; ++r) target[r] = static_cast<S>(entry.transposed ? block.m[c][r] : block.m[r][c]);
    }
}

template <class S>
const std::int32_t* CholeskyOf<S>::note_slots(std::int32_t index, std::size_t task)
{
    std::int32_t* slot_of = slot_of_.data() + task * static_cast<std::size_t>(structure_.node_count());
    const PanelView<S> panel = view(index);
    for (std::int32_t q = 0; q < panel.width; ++q) slot_of[panel.first + q] = q;
    for (std::size_t i = 0; i < panel.rows.size(); ++i)
        slot_of[panel.rows[i]] = panel.slot(static_cast<std::int32_t>(i));
    return slot_of;
}

// The column whose pivot is lost, or -1.
template <class S>
std::int32_t CholeskyOf<S>::factor_in_task(std::int32_t index, const BlockMatrix& A, std::size_t task)
{
    const PanelView<S> panel = view(index);
    std::fill(panel.values, panel.slice(panel.slices()), S(0));
    fill(index, A);
    Pivots<S> pivots;
    note_smallest_pivots(panel, pivots);
    const std::int32_t* slot_of = note_slots(index, task);
    for (const auto& part : structure_.pulls(index))
        pull(panel, view(part.from), part, slot_of, 0, PanelView<S>::kNodes * panel.slices());
    if (const std::int32_t lost = factor_diagonal(panel, pivots); lost >= 0) return panel.first + lost;
    finish_slices(panel, panel.diagonal_slices(), panel.slices(), panel.width, pivots);
    return -1;
}

// The same with all threads at one panel.
template <class S>
std::int32_t CholeskyOf<S>::factor_in_top(std::int32_t index, const BlockMatrix& A)
{
    const PanelView<S> panel = view(index);
    const double work = structure_.operations(index);
    over_slices(0, panel.slices(), work,
                [&](std::int32_t begin, std::int32_t end) { std::fill(panel.slice(begin), panel.slice(end), S(0)); });
    fill(index, A);
    Pivots<S> pivots;
    note_smallest_pivots(panel, pivots);
    const std::int32_t* slot_of = note_slots(index, structure_.tasks().size());
    over_slices(0, panel.slices(), work, [&](std::int32_t begin, std::int32_t end) {
        constexpr std::int32_t kNodes = PanelView<S>::kNodes;
        for (const auto& part : structure_.pulls(index))
            pull(panel, view(part.from), part, slot_of, kNodes * begin, kNodes * end);
    });
    if (const std::int32_t lost = factor_diagonal(panel, pivots); lost >= 0) return panel.first + lost;
    over_slices(panel.diagonal_slices(), panel.slices(), work,
                [&](std::int32_t begin, std::int32_t end) { finish_slices(panel, begin, end, panel.width, pivots); });
    return -1;
}

template <class S>
std::int32_t CholeskyOf<S>::factor(const BlockMatrix& A)
{
    const auto tasks = structure_.tasks();
    parallel_for(tasks.size(), 1, [&](std::size_t begin, std::size_t end, std::size_t) {
        for (std::size_t task = begin; task < end; ++task) {
            lost_[task] = -1;
            for (std::int32_t p = tasks[task].begin; p < tasks[task].end && lost_[task] < 0; ++p)
                lost_[task] = factor_in_task(p, A, task);
        }
    });
    std::int32_t lost = -1;
    for (const std::int32_t column : lost_)
        if (column >= 0 && (lost < 0 || column < lost)) lost = column;
    for (const std::int32_t p : structure_.top()) {
        if (lost >= 0) break;
        lost = factor_in_top(p, A);
    }
    return lost < 0 ? -1 : structure_.order()[lost];
}

template class CholeskyOf<double>;
template class CholeskyOf<float>;

}  // namespace pliant
