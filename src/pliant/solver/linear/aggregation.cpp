// SPDX-License-Identifier: MIT
#include <pliant/solver/linear/aggregation.h>

#include <algorithm>
#include <cmath>

namespace pliant {

namespace {

constexpr std::size_t kRowsPerRun = 1024;
constexpr std::size_t kSmallest = 40;  // rows of the last level
// A level that is not at least this much smaller than the one above is not worth having.
constexpr double kLeastShrinking = 0.8;

// The nearer, the harder.
PullGraph graph_of(const BlockMatrix& A, std::span<const Vec3> x)
{
    const auto rows = static_cast<std::size_t>(A.row_count());
    PullGraph g;
    g.start.assign(rows + 1, 0);
    for (std::size_t i = 0; i < rows; ++i)
        for (std::int64_t k = A.row_start[i] + 1; k < A.row_start[i + 1]; ++k)
            ++g.start[i + 1], ++g.start[static_cast<std::size_t>(A.column[k]) + 1];
    for (std::size_t i = 0; i < rows; ++i) g.start[i + 1] += g.start[i];
    g.column.resize(static_cast<std::size_t>(g.start.back()));
    g.pull.resize(g.column.size());
    std::vector<std::int32_t> next(g.start.begin(), g.start.end() - 1);
    const auto put = [&](std::size_t i, std::int32_t j, double pull) {
        const auto at = static_cast<std::size_t>(next[i]++);
        g.column[at] = j, g.pull[at] = pull;
    };
    for (std::size_t i = 0; i < rows; ++i)
        for (std::int64_t k = A.row_start[i] + 1; k < A.row_start[i + 1]; ++k) {
            const double pull = 1 / (norm2(x[i] - x[A.column[k]]) + 1e-30);
            put(i, A.column[k], pull);
            put(static_cast<std::size_t>(A.column[k]), static_cast<std::int32_t>(i), pull);
        }
    return g;
}

}  // namespace

AggregationMultigrid::AggregationMultigrid(const BlockMatrix& A, std::span<const Vec3> x)
{
    PullGraph graph = graph_of(A, x);
    Level first;
    const std::size_t rows = graph.size();
    upper_.resize(A.block.size()), lower_.resize(A.block.size());
    std::vector<std::int32_t> next(rows);
    first.row_start.push_back(0);
    for (std::size_t i = 0; i < rows; ++i) {
        next[i] = first.row_start.back();
        first.row_start.push_back(first.row_start.back() + graph.start[i + 1] - graph.start[i] + 1);
    }
    first.column.resize(static_cast<std::size_t>(first.row_start.back()));
    first.diagonal.resize(rows);
    // Rows in order: what is left of the diagonal is there before it is reached.
    for (std::size_t i = 0; i < rows; ++i)
        for (std::int64_t k = A.row_start[i]; k < A.row_start[i + 1]; ++k) {
            const auto j = static_cast<std::size_t>(A.column[k]);
            const std::int32_t up = next[i]++;
            upper_[static_cast<std::size_t>(k)] = lower_[static_cast<std::size_t>(k)] = up;
            first.column[static_cast<std::size_t>(up)] = A.column[k];
            if (i == j) {
                first.diagonal[i] = up;
                continue;
            }
            const std::int32_t down = next[j]++;
            lower_[static_cast<std::size_t>(k)] = down;
            first.column[static_cast<std::size_t>(down)] = static_cast<std::int32_t>(i);
        }
    levels_.push_back(std::move(first));
    levels_.front().run = kRowsPerRun;
    while (graph.size() > kSmallest) {
        const std::size_t before = graph.size();
        const Grouping groups = group_by_four(graph);
        if (!(groups.count < kLeastShrinking * static_cast<double>(before))) break;
        Level coarse;
        make_coarser(coarse, levels_.back(), groups);
        levels_.push_back(std::move(coarse));
    }
    for (Level& level : levels_) level.size_values();
    for (auto* values : {&x_, &p_, &q_, &free_}) values->resize(rows);
}

void AggregationMultigrid::Level::size_values()
{
    block.resize(column.size());
    inverse.resize(size());
    mass.resize(size());
    for (auto* values : {&z, &r, &rest}) values->resize(size());
}

void AggregationMultigrid::make_coarser(Level& coarse, Level& fine, const Grouping& groups)
{
    const std::vector<std::int32_t>& parent = fine.parent = groups.group;
    const auto count = static_cast<std::size_t>(groups.count);
    fine.place.resize(fine.column.size());
    coarse.children = GroupMembers(groups.group, groups.count);
    coarse.run = kRowsPerRun;
    coarse.parent.clear(), coarse.column.clear();
    coarse.row_start.assign(1, 0);
    coarse.diagonal.resize(count);
    std::vector<std::int32_t> at(count, -1), found;
    for (std::size_t c = 0; c < count; ++c) {
        found.clear();
        for (const std::int32_t i : coarse.children.of(c))
            for (std::int32_t k = fine.row_start[i]; k < fine.row_start[i + 1]; ++k)
                if (const std::int32_t other = parent[fine.column[k]]; at[other] < 0)
                    at[other] = 0, found.push_back(other);
        std::sort(found.begin(), found.end());
        for (const std::int32_t other : found) {
            at[other] = static_cast<std::int32_t>(coarse.column.size());
            if (other == static_cast<std::int32_t>(c)) coarse.diagonal[c] = at[other];
            coarse.column.push_back(other);
        }
        for (const std::int32_t i : coarse.children.of(c))
            for (std::int32_t k = fine.row_start[i]; k < fine.row_start[i + 1]; ++k)
                fine.place[k] = at[parent[fine.column[k]]];
        for (const std::int32_t other : found) at[other] = -1;
        coarse.row_start.push_back(static_cast<std::int32_t>(coarse.column.size()));
    }
}

void AggregationMultigrid::take_values(const BlockMatrix& A)
{
    Level& fine = levels_.front();
    parallel_for(A.block.size(), 4 * kRowsPerRun, [&](std::size_t begin, std::size_t end, std::size_t) {
        for (std::size_t k = begin; k < end; ++k) {
            const auto& m = A.block[k].m;
            Block up, down;
            for (int c = 0; c < 3; ++c)
                for (int r = 0; r < 3; ++r) {
                    up.m[3 * c + r] = static_cast<float>(m[r][c]);
                    down.m[3 * c + r] = static_cast<float>(m[c][r]);
                }
            fine.block[static_cast<std::size_t>(lower_[k])] = down;
            fine.block[static_cast<std::size_t>(upper_[k])] = up;
        }
    });
}

void AggregationMultigrid::fill_coarse(const Level& fine, Level& coarse)
{
    parallel_for(coarse.size(), kRowsPerRun, [&](std::size_t begin, std::size_t end, std::size_t) {
        for (std::size_t c = begin; c < end; ++c) {
            std::fill(coarse.block.begin() + coarse.row_start[c], coarse.block.begin() + coarse.row_start[c + 1],
                      Block{});
            float mass = 0;
            for (const std::int32_t i : coarse.children.of(c)) {
                for (std::int32_t k = fine.row_start[i]; k < fine.row_start[i + 1]; ++k) {
                    Block& to = coarse.block[static_cast<std::size_t>(fine.place[k])];
                    for (int m = 0; m < 9; ++m) to.m[m] += fine.block[static_cast<std::size_t>(k)].m[m] * 0.5F;
                }
                mass += fine.mass[i];
            }
            coarse.mass[c] = mass;
            for (int d = 0; d < 3; ++d)
                coarse.block[static_cast<std::size_t>(coarse.diagonal[c])].m[4 * d] += 0.5F * mass;
        }
    });
}

std::int32_t AggregationMultigrid::invert_diagonal(Level& level, std::span<const Mat3> more)
{
    for (std::size_t i = 0; i < level.size(); ++i) {
        const Block& b = level.block[static_cast<std::size_t>(level.diagonal[i])];
        Mat3T<double> a;
        for (int r = 0; r < 3; ++r)
            for (int c = 0; c < 3; ++c) a.m[r][c] = b.m[3 * c + r];
        if (!more.empty()) a += more[i];
        for (int r = 0; r < 3 && !level.extra.empty(); ++r)
            for (int c = 0; c < 3; ++c) a.m[r][c] += level.extra[i].m[3 * c + r];
        const double second = a.m[0][0] * a.m[1][1] - a.m[0][1] * a.m[1][0];
        if (!(a.m[0][0] > 0 && second > 0 && determinant(a) > 0)) return static_cast<std::int32_t>(i);
        const Mat3T<double> inverted = inverse(a);
        for (int c = 0; c < 3; ++c)
            for (int r = 0; r < 3; ++r) level.inverse[i].m[3 * c + r] = static_cast<float>(inverted.m[r][c]);
    }
    return -1;
}

void AggregationMultigrid::take_masses(std::span<const double> mass, std::span<const std::uint8_t> held)
{
    for (std::size_t i = 0; i < levels_.front().size(); ++i) {
        levels_.front().mass[i] = static_cast<float>(mass[i]);
        const std::uint8_t bits = held.empty() ? std::uint8_t{0} : held[i];
        free_[i] = Float4{bits & 1 ? 0.0F : 1.0F, bits & 2 ? 0.0F : 1.0F, bits & 4 ? 0.0F : 1.0F, 0};
    }
}

std::int32_t AggregationMultigrid::refresh(const BlockMatrix& A, std::span<const double> mass,
                                           std::span<const std::uint8_t> held, std::span<const Mat3> more)
{
    is_joined_ = false;
    take_values(A);
    take_masses(mass, held);
    for (std::size_t l = 0; l < levels_.size(); ++l) {
        if (l > 0) fill_coarse(levels_[l - 1], levels_[l]);
        if (const std::int32_t bad = invert_diagonal(levels_[l], l == 0 ? more : std::span<const Mat3>()); bad >= 0)
            return l == 0 ? bad : 0;
    }
    return -1;
}

}  // namespace pliant
