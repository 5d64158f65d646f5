// SPDX-License-Identifier: MIT

// Levels of a matrix joined with contacts, for scenes in which these are many: stacks, twisted ropes.
//
// The first level is the matrix with the blocks of all contacts between its vertices. Groups are chosen by the blocks
// themselves, so that where sheets are pressed on each other they form groups across the sheets: what moves them
// together is a constant on such groups, and a contact has no force against it.
// Sweeps see what they have just made only within a run. Runs are long, so that they reach over many sheets, and what
// couples rows of different runs adds its size to the diagonal that both are swept with: M + M^T - A stays positive.

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <pliant/solver/linear/aggregation.h>
#include <pliant/solver/linear/contact_product.h>

namespace pliant {

namespace {

// Runs of a level, however large it is, and the least rows that are worth one.
constexpr std::size_t kRuns = 8, kRowsOfRun = 1024;
constexpr std::size_t kRowsPerChunk = 512;
constexpr std::size_t kSmallest = 40;  // rows of the last level
constexpr double kLeastShrinking = 0.8;

std::size_t run_of(std::size_t rows)
{
    return std::max(kRowsOfRun, rows / kRuns + 1);
}

}  // namespace

// Rows with what contacts add, and the sheet's own, columns ascending. `at` is -1 everywhere between two calls.
void AggregationMultigrid::join_row(JoinedRows& to, const Level& sheet, std::span<const std::uint8_t> held,
                                    std::size_t row, const ContactProduct& contacts, std::size_t place)
{
    to.found.clear(), to.sum.clear();
    contacts.for_each_coupling(place, [&](std::int32_t column, std::int32_t contact, double scale) {
        std::int32_t& at = to.at[column];
        if (at < 0) {
            at = static_cast<std::int32_t>(to.found.size());
            to.found.push_back(column), to.sum.push_back({});
        }
        const std::array<double, 6>& stiffness = contacts.stiffness(contact);
        for (std::size_t i = 0; i < 6; ++i) to.sum[at][i] += stiffness[i] * scale;
    });
    std::sort(to.found.begin(), to.found.end());
    std::int32_t k = sheet.row_start[row];
    const std::int32_t last = sheet.row_start[row + 1];
    const auto take_sheet_until = [&](std::int32_t column) {
        for (; k < last && sheet.column[k] < column; ++k)
            to.column.push_back(sheet.column[k]), to.block.push_back(sheet.block[k]);
    };
    for (const std::int32_t column : to.found) {
        take_sheet_until(column);
        Block block = k < last && sheet.column[k] == column ? sheet.block[k++] : Block{};
        add_free(block, to.sum[to.at[column]], held.empty() ? 0 : held[row], held.empty() ? 0 : held[column]);
        to.column.push_back(column), to.block.push_back(block);
        to.at[column] = -1;
    }
    take_sheet_until(std::numeric_limits<std::int32_t>::max());
    to.end.push_back(static_cast<std::int32_t>(to.column.size()));
}

// A symmetric block, held coordinates (bits x y z) left out.
void AggregationMultigrid::add_free(Block& block, const std::array<double, 6>& sum, std::uint8_t held_row,
                                    std::uint8_t held_column)
{
    constexpr std::size_t kPlace[3][3] = {{0, 1, 2}, {1, 3, 4}, {2, 4, 5}};
    for (int c = 0; c < 3; ++c)
        for (int r = 0; r < 3; ++r)
            if (((held_row >> r | held_column >> c) & 1) == 0)
                block.m[3 * c + r] += static_cast<float>(sum[kPlace[r][c]]);
}

void AggregationMultigrid::join_rows(Level& first, std::span<const std::uint8_t> held, const ContactProduct& contacts)
{
    const Level& sheet = levels_.front();
    const std::span<const std::int32_t> touched = contacts.vertices();
    const std::size_t rows = sheet.size(), grain = run_of(rows);
    parts_.resize(chunk_count(rows, grain));
    parallel_for(rows, grain, [&](std::size_t begin, std::size_t end, std::size_t chunk) {
        JoinedRows& part = parts_[chunk];
        part.column.clear(), part.block.clear(), part.end.clear();
        part.at.resize(rows, -1);
        auto next = static_cast<std::size_t>(
            std::lower_bound(touched.begin(), touched.end(), static_cast<std::int32_t>(begin)) - touched.begin());
        for (std::size_t i = begin; i < end; ++i) {
            const bool is_touched = next < touched.size() && touched[next] == static_cast<std::int32_t>(i);
            join_row(part, sheet, held, i, contacts, is_touched ? next++ : ContactProduct::kNowhere);
        }
    });
    first.run = grain;
    first.row_start.resize(rows + 1);
    first.diagonal.resize(rows);
    std::vector<std::int32_t> offset(parts_.size() + 1, 0);
    for (std::size_t p = 0; p < parts_.size(); ++p)
        offset[p + 1] = offset[p] + static_cast<std::int32_t>(parts_[p].column.size());
    first.column.resize(static_cast<std::size_t>(offset.back()));
    first.size_values();
    parallel_for(rows, grain, [&](std::size_t begin, std::size_t end, std::size_t chunk) {
        const JoinedRows& part = parts_[chunk];
        std::copy(part.column.begin(), part.column.end(), first.column.begin() + offset[chunk]);
        std::copy(part.block.begin(), part.block.end(), first.block.begin() + offset[chunk]);
        for (std::size_t i = begin; i < end; ++i) {
            first.row_start[i] = offset[chunk] + (i == begin ? 0 : part.end[i - begin - 1]);
            const auto from = first.column.begin() + first.row_start[i];
            const auto to = first.column.begin() + offset[chunk] + part.end[i - begin];
            first.diagonal[i] = static_cast<std::int32_t>(std::lower_bound(from, to, static_cast<std::int32_t>(i)) -
                                                          first.column.begin());
        }
    });
    first.row_start[rows] = offset.back();
    first.mass = sheet.mass;
}

// [N/m] What pulls two rows together: minus the trace of their block.
PullGraph AggregationMultigrid::pulls_of(const Level& level)
{
    PullGraph graph;
    graph.start.reserve(level.size() + 1);
    graph.start.push_back(0);
    graph.column.reserve(level.column.size()), graph.pull.reserve(level.column.size());
    for (std::size_t i = 0; i < level.size(); ++i) {
        for (std::int32_t k = level.row_start[i]; k < level.row_start[i + 1]; ++k) {
            const float* m = level.block[k].m;
            const float pull = -(m[0] + m[4] + m[8]);
            if (k != level.diagonal[i] && pull > 0) graph.column.push_back(level.column[k]), graph.pull.push_back(pull);
        }
        graph.start.push_back(static_cast<std::int32_t>(graph.column.size()));
    }
    return graph;
}

void AggregationMultigrid::add_extra(Level& level)
{
    const std::size_t run = chunk_size(level.size(), level.run);
    level.extra.clear();
    if (level.size() <= run) return;
    level.extra.resize(level.size(), Block{});
    parallel_for(level.size(), kRowsPerChunk, [&](std::size_t begin, std::size_t end, std::size_t) {
        for (std::size_t i = begin; i < end; ++i) {
            float sum = 0;
            for (std::int32_t k = level.row_start[i]; k < level.row_start[i + 1]; ++k) {
                if (static_cast<std::size_t>(level.column[k]) / run == i / run) continue;
                float norm2 = 0;
                for (const float m : level.block[k].m) norm2 += m * m;
                sum += std::sqrt(norm2);
            }
            for (int d = 0; d < 3; ++d) level.extra[i].m[4 * d] = sum;
        }
    });
}

std::int32_t AggregationMultigrid::refresh_joined(const BlockMatrix& A, std::span<const double> mass,
                                                  std::span<const std::uint8_t> held, const ContactProduct& contacts)
{
    is_joined_ = true;
    take_values(A);
    take_masses(mass, held);
    // Levels of the matrix before lend their memory.
    Levels before = std::exchange(joined_, {});
    const auto memory = [&](std::size_t l) { return l < before.size() ? std::move(before[l]) : Level{}; };
    joined_.push_back(memory(0));
    join_rows(joined_.front(), held, contacts);
    PullGraph graph = pulls_of(joined_.front());
    for (std::size_t l = 0;; ++l) {
        if (l > 0) fill_coarse(joined_[l - 1], joined_[l]);
        add_extra(joined_[l]);
        if (const std::int32_t bad = invert_diagonal(joined_[l], {}); bad >= 0) return l == 0 ? bad : 0;
        const std::size_t rows = graph.size();
        if (rows <= kSmallest) break;
        const Grouping groups = group_by_four(graph);
        if (!(groups.count < kLeastShrinking * static_cast<double>(rows))) break;
        Level next = memory(l + 1);
        make_coarser(next, joined_[l], groups);
        next.run = run_of(next.size());
        next.size_values();
        joined_.push_back(std::move(next));
    }
    return -1;
}

}  // namespace pliant
