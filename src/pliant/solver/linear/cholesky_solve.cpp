// SPDX-License-Identifier: MIT

// Triangular solves with a Cholesky factor, task by task, then through the top and back.

#include <pliant/solver/linear/cholesky.h>

#include <algorithm>
#include <cmath>

#include <pliant/base/parallel.h>
#include <pliant/solver/linear/cholesky_panels.h>

namespace pliant {

namespace {

// Work of one parallel task: large enough to outweigh handing it out.
constexpr std::size_t kPullsPerTask = 8, kSlicesPerTask = 16;

// y of the panel's columns <- L^-1 y, by slices of its diagonal.
template <class S>
void solve_lower(const PanelView<S>& panel, S* y)
{
    constexpr std::int32_t kHeight = PanelView<S>::kHeight;
    const auto columns = static_cast<std::int32_t>(panel.columns());
    for (std::int32_t first = 0; first < columns; first += kHeight) {
        const S* slice = panel.slice(first / kHeight);
        const std::int32_t count = std::min(kHeight, columns - first);
        S done[kHeight];
        product_with_vector(slice, y, first).store(done);
        for (std::int32_t r = 0; r < count; ++r) y[first + r] -= done[r];
        for (std::int32_t c = 0; c < count; ++c) {
            const S* column = slice + std::int64_t{kHeight} * (first + c);
            y[first + c] /= column[c];
            for (std::int32_t r = c + 1; r < count; ++r) y[first + r] -= column[r] * y[first + c];
        }
    }
}

// y of the panel's columns <- L^-T (y - sums), the sums being what the rows below do.
template <class S>
void solve_upper(const PanelView<S>& panel, S* y, Lanes<S>* sums)
{
    constexpr std::int32_t kHeight = PanelView<S>::kHeight;
    const auto columns = static_cast<std::int32_t>(panel.columns());
    for (std::int32_t index = panel.diagonal_slices(); index-- > 0;) {
        const S* slice = panel.slice(index);
        const std::int32_t first = kHeight * index, count = std::min(kHeight, columns - first);
        S here[kHeight] = {};
        for (std::int32_t c = count; c-- > 0;) {
            const S* column = slice + std::int64_t{kHeight} * (first + c);
            S value = y[first + c] - sum_of(sums[first + c]);
            for (std::int32_t r = c + 1; r < count; ++r) value -= column[r] * here[r];
            here[c] = y[first + c] = value / column[c];
        }
        add_transposed_product(sums, slice, here, first);
    }
}

// Adds what rows of slices [begin, end) below the columns do to the columns.
template <class S>
void add_rows_below(Lanes<S>* sums, const PanelView<S>& panel, const S* y, std::int32_t begin, std::int32_t end)
{
    constexpr std::int32_t kHeight = PanelView<S>::kHeight, kNodes = PanelView<S>::kNodes;
    for (std::int32_t slice = begin; slice < end; ++slice) {
        S here[kHeight] = {};
        const auto rows = panel.rows.subspan(static_cast<std::size_t>(slice) * kNodes);
        for (std::size_t i = 0; i < std::min(rows.size(), std::size_t{kNodes}); ++i)
            std::copy_n(y + std::int64_t{3} * rows[i], 3, here + 3 * i);
        add_transposed_product(sums, panel.slice(panel.diagonal_slices() + slice), here, panel.columns());
    }
}

// Calls put(row, three values) with L y for the rows [first, end) below the columns.
template <class S, class F>
void multiply_rows_below(const PanelView<S>& panel, const S* y, std::int32_t first, std::int32_t end, F&& put)
{
    constexpr std::int32_t kHeight = PanelView<S>::kHeight, kNodes = PanelView<S>::kNodes;
    for (std::int32_t i = first; i < end;) {
        const std::int32_t slice = i / kNodes;
        S change[kHeight];
        product_with_vector(panel.slice(panel.diagonal_slices() + slice), y + std::int64_t{3} * panel.first,
                            panel.columns())
            .store(change);
        for (; i < std::min(end, (slice + 1) * kNodes); ++i) put(panel.rows[i], change + 3 * (i % kNodes));
    }
}

}  // namespace

// Pushes what the panel does to rows up to `end_column`; those beyond belong to the top, which pulls.
template <class S>
void CholeskyOf<S>::forward_in_task(std::int32_t index, std::int32_t end_column) const
{
    const PanelView<S> panel = view(index);
    S* y = y_.data();
    solve_lower(panel, y + std::int64_t{3} * panel.first);
    const auto end = std::lower_bound(panel.rows.begin(), panel.rows.end(), end_column) - panel.rows.begin();
    multiply_rows_below(panel, y, 0, static_cast<std::int32_t>(end), [&](std::int32_t row, const S* change) {
        for (int k = 0; k < 3; ++k) y[std::int64_t{3} * row + k] -= change[k];
    });
}

template <class S>
void CholeskyOf<S>::forward_in_top(std::int32_t index) const
{
    const PanelView<S> panel = view(index);
    S* y = y_.data() + std::int64_t{3} * panel.first;
    const auto pulls = structure_.pulls(index);
    const auto sums_of = [&](std::size_t chunk) {
        return reinterpret_cast<S*>(partial_.data() + chunk * kMostColumns);
    };
    parallel_for(pulls.size(), kPullsPerTask, [&](std::size_t begin, std::size_t end, std::size_t chunk) {
        S* sums = sums_of(chunk);
        std::fill_n(sums, panel.columns(), S(0));
        for (std::size_t p = begin; p < end; ++p)
            multiply_rows_below(view(pulls[p].from), y_.data(), pulls[p].first, pulls[p].end,
                                [&](std::int32_t row, const S* change) {
                                    for (int k = 0; k < 3; ++k) sums[3 * (row - panel.first) + k] += change[k];
                                });
    });
    for (std::size_t chunk = 0; chunk < chunk_count(pulls.size(), kPullsPerTask); ++chunk)
        for (std::int64_t k = 0; k < panel.columns(); ++k) y[k] -= sums_of(chunk)[k];
    solve_lower(panel, y);
}

template <class S>
void CholeskyOf<S>::backward_in_task(std::int32_t index) const
{
    const PanelView<S> panel = view(index);
    Lanes<S> sums[kMostColumns];
    add_rows_below(sums, panel, y_.data(), 0, panel.row_slices());
    solve_upper(panel, y_.data() + std::int64_t{3} * panel.first, sums);
}

template <class S>
void CholeskyOf<S>::backward_in_top(std::int32_t index) const
{
    const PanelView<S> panel = view(index);
    const auto slices = static_cast<std::size_t>(panel.row_slices());
    const auto sums_of = [&](std::size_t chunk) {
        return reinterpret_cast<Lanes<S>*>(partial_.data() + chunk * kMostColumns);
    };
    std::fill_n(sums_of(0), panel.columns(), Lanes<S>{});
    parallel_for(slices, kSlicesPerTask, [&](std::size_t begin, std::size_t end, std::size_t chunk) {
        if (chunk > 0) std::fill_n(sums_of(chunk), panel.columns(), Lanes<S>{});
        add_rows_below(sums_of(chunk), panel, y_.data(), static_cast<std::int32_t>(begin),
                       static_cast<std::int32_t>(end));
    });
    for (std::size_t chunk = 1; chunk < chunk_count(slices, kSlicesPerTask); ++chunk)
        for (std::int64_t k = 0; k < panel.columns(); ++k) sums_of(0)[k].values += sums_of(chunk)[k].values;
    solve_upper(panel, y_.data() + std::int64_t{3} * panel.first, sums_of(0));
}

template <class S>
void CholeskyOf<S>::solve(std::span<Vec3> x, std::span<const Vec3> b) const
{
    const auto order = structure_.order();
    const auto tasks = structure_.tasks();
    // Floats have little room: a right-hand side of any unit comes in at size one.
    double size = 0;
    for (const std::int32_t node : order)
        for (int k = 0; k < 3; ++k) size = std::max(size, std::abs(b[node][k]));
    if (!(size > 0) || !std::isfinite(size)) size = 1;
    for (std::size_t i = 0; i < order.size(); ++i)
        for (int k = 0; k < 3; ++k) y_[3 * i + k] = static_cast<S>(b[order[i]][k] / size);
    parallel_for(tasks.size(), 1, [&](std::size_t begin, std::size_t end, std::size_t) {
        for (std::size_t t = begin; t < end; ++t) {
            const std::int32_t end_column = structure_.panels()[tasks[t].end - 1].end();
            for (std::int32_t p = tasks[t].begin; p < tasks[t].end; ++p) forward_in_task(p, end_column);
        }
    });
    const auto top = structure_.top();
    for (const std::int32_t p : top) forward_in_top(p);
    for (std::size_t i = top.size(); i-- > 0;) backward_in_top(top[i]);
    parallel_for(tasks.size(), 1, [&](std::size_t begin, std::size_t end, std::size_t) {
        for (std::size_t t = begin; t < end; ++t)
            for (std::int32_t p = tasks[t].end; p-- > tasks[t].begin;) backward_in_task(p);
    });
    for (std::size_t i = 0; i < order.size(); ++i)
        for (int k = 0; k < 3; ++k) x[order[i]][k] = static_cast<double>(y_[3 * i + k]) * size;
}

template class CholeskyOf<double>;
template class CholeskyOf<float>;

}  // namespace pliant
