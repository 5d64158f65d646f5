// SPDX-License-Identifier: MIT
#include <pliant/solver/linear/aggregation.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include <pliant/solver/linear/contact_product.h>

namespace pliant {

namespace {

constexpr std::size_t kRowsPerChunk = 1024;
constexpr std::size_t kSmallest = 40;  // rows of the last level
constexpr int kLastSweeps = 4;
// A level that is not at least this much smaller than the one above is not worth having.
constexpr double kLeastShrinking = 0.8;

// How hard two rows pull on each other, for pairing: couplings by row, with what each row is worth.
struct Graph {
    std::vector<std::int32_t> start, column;
    std::vector<double> pull;
    std::size_t size() const { return start.size() - 1; }
};

Graph graph_of(const BlockMatrix& A, std::span<const Vec3> x)
{
    const auto rows = static_cast<std::size_t>(A.row_count());
    Graph g;
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

// Pairs every row with the free neighbour that pulls hardest, in order of the rows; returns the number of pairs.
std::int32_t pair_up(const Graph& g, std::vector<std::int32_t>& group)
{
    group.assign(g.size(), -1);
    std::int32_t count = 0;
    for (std::size_t i = 0; i < g.size(); ++i) {
        if (group[i] >= 0) continue;
        std::int32_t best = -1;
        double pull = 0;
        for (std::int32_t k = g.start[i]; k < g.start[i + 1]; ++k) {
            const std::int32_t j = g.column[static_cast<std::size_t>(k)];
            // A hair more than equal: ties go to the first neighbour whatever rounding says.
            if (group[static_cast<std::size_t>(j)] >= 0 || !(g.pull[static_cast<std::size_t>(k)] > 1.0001 * pull))
                continue;
            best = j, pull = g.pull[static_cast<std::size_t>(k)];
        }
        group[i] = count;
        if (best >= 0) group[static_cast<std::size_t>(best)] = count;
        ++count;
    }
    return count;
}

// The graph of the groups.
Graph grouped(const Graph& g, const std::vector<std::int32_t>& group, std::int32_t count)
{
    std::vector<std::vector<std::int32_t>> members(static_cast<std::size_t>(count));
    for (std::size_t i = 0; i < g.size(); ++i)
        members[static_cast<std::size_t>(group[i])].push_back(static_cast<std::int32_t>(i));
    Graph coarse;
    coarse.start.push_back(0);
    std::vector<double> sum(static_cast<std::size_t>(count), 0);
    std::vector<std::int32_t> touched;
    for (std::size_t c = 0; c < members.size(); ++c) {
        touched.clear();
        for (const std::int32_t i : members[c])
            for (std::int32_t k = g.start[i]; k < g.start[i + 1]; ++k) {
                const std::int32_t other = group[static_cast<std::size_t>(g.column[static_cast<std::size_t>(k)])];
                if (other == static_cast<std::int32_t>(c)) continue;
                if (sum[static_cast<std::size_t>(other)] == 0) touched.push_back(other);
                sum[static_cast<std::size_t>(other)] += g.pull[static_cast<std::size_t>(k)] + 1e-300;
            }
        std::sort(touched.begin(), touched.end());
        for (const std::int32_t other : touched) {
            coarse.column.push_back(other);
            coarse.pull.push_back(sum[static_cast<std::size_t>(other)]);
            sum[static_cast<std::size_t>(other)] = 0;
        }
        coarse.start.push_back(static_cast<std::int32_t>(coarse.column.size()));
    }
    return coarse;
}

}  // namespace

AggregationMultigrid::AggregationMultigrid(const BlockMatrix& A, std::span<const Vec3> x)
{
    Graph graph = graph_of(A, x);
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
    while (graph.size() > kSmallest) {
        std::vector<std::int32_t> pairs, fours;
        const std::int32_t pair_count = pair_up(graph, pairs);
        const Graph halved = grouped(graph, pairs, pair_count);
        const std::int32_t count = pair_up(halved, fours);
        if (!(count < kLeastShrinking * static_cast<double>(graph.size()))) break;
        std::vector<std::int32_t> parent(pairs.size());
        for (std::size_t i = 0; i < pairs.size(); ++i) parent[i] = fours[static_cast<std::size_t>(pairs[i])];
        graph = grouped(halved, fours, count);
        levels_.push_back(coarser(levels_.back(), parent, count));
    }
    for (Level& level : levels_) {
        level.block.resize(level.column.size());
        level.inverse.resize(level.size());
        level.mass.resize(level.size());
        for (auto* values : {&level.z, &level.r, &level.rest}) values->resize(level.size());
    }
    for (auto* values : {&x_, &p_, &q_, &free_}) values->resize(rows);
}

AggregationMultigrid::Level AggregationMultigrid::coarser(Level& fine, std::span<const std::int32_t> parent,
                                                          std::int32_t count)
{
    fine.parent.assign(parent.begin(), parent.end());
    std::vector<std::vector<std::int32_t>> members(static_cast<std::size_t>(count));
    for (std::size_t i = 0; i < fine.size(); ++i)
        members[static_cast<std::size_t>(parent[i])].push_back(static_cast<std::int32_t>(i));
    Level coarse;
    coarse.row_start.push_back(0);
    coarse.diagonal.resize(static_cast<std::size_t>(count));
    fine.place.resize(fine.column.size());
    std::vector<std::int32_t> at(static_cast<std::size_t>(count), -1), found;
    for (std::size_t c = 0; c < members.size(); ++c) {
        found.clear();
        for (const std::int32_t i : members[c])
            for (std::int32_t k = fine.row_start[i]; k < fine.row_start[i + 1]; ++k)
                if (const std::int32_t other = parent[fine.column[k]]; at[other] < 0)
                    at[other] = 0, found.push_back(other);
        std::sort(found.begin(), found.end());
        for (const std::int32_t other : found) {
            at[other] = static_cast<std::int32_t>(coarse.column.size());
            if (other == static_cast<std::int32_t>(c)) coarse.diagonal[c] = at[other];
            coarse.column.push_back(other);
        }
        for (const std::int32_t i : members[c])
            for (std::int32_t k = fine.row_start[i]; k < fine.row_start[i + 1]; ++k)
                fine.place[k] = at[parent[fine.column[k]]];
        for (const std::int32_t other : found) at[other] = -1;
        coarse.row_start.push_back(static_cast<std::int32_t>(coarse.column.size()));
    }
    return coarse;
}

[[gnu::always_inline]] inline AggregationMultigrid::Float4 AggregationMultigrid::times(const Block& a, const Float4& x)
{
    // The fourth number of a product means nothing, and nobody looks at it.
    Float4 first, second, end;
    std::memcpy(&first, a.m, sizeof(Float4));
    std::memcpy(&second, a.m + 3, sizeof(Float4));
    std::memcpy(&end, a.m + 5, sizeof(Float4));
    const Float4 third = __builtin_shufflevector(end, end, 1, 2, 3, 3);
    return first * x[0] + second * x[1] + third * x[2];
}

void AggregationMultigrid::take_values(const BlockMatrix& A)
{
    Level& fine = levels_.front();
    parallel_for(A.block.size(), 4 * kRowsPerChunk, [&](std::size_t begin, std::size_t end, std::size_t) {
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

void AggregationMultigrid::fill_coarse(std::size_t index)
{
    const Level& fine = levels_[index];
    Level& coarse = levels_[index + 1];
    std::fill(coarse.block.begin(), coarse.block.end(), Block{});
    std::fill(coarse.mass.begin(), coarse.mass.end(), 0.0F);
    for (std::size_t k = 0; k < fine.block.size(); ++k) {
        Block& to = coarse.block[static_cast<std::size_t>(fine.place[k])];
        for (int i = 0; i < 9; ++i) to.m[i] += fine.block[k].m[i] * 0.5F;
    }
    for (std::size_t i = 0; i < fine.size(); ++i) coarse.mass[static_cast<std::size_t>(fine.parent[i])] += fine.mass[i];
    for (std::size_t i = 0; i < coarse.size(); ++i)
        for (int c = 0; c < 3; ++c)
            coarse.block[static_cast<std::size_t>(coarse.diagonal[i])].m[4 * c] += 0.5F * coarse.mass[i];
}

std::int32_t AggregationMultigrid::invert_diagonal(Level& level, std::span<const Mat3> more)
{
    for (std::size_t i = 0; i < level.size(); ++i) {
        const Block& b = level.block[static_cast<std::size_t>(level.diagonal[i])];
        Mat3T<double> a;
        for (int r = 0; r < 3; ++r)
            for (int c = 0; c < 3; ++c) a.m[r][c] = b.m[3 * c + r];
        if (!more.empty()) a += more[i];
        const double second = a.m[0][0] * a.m[1][1] - a.m[0][1] * a.m[1][0];
        if (!(a.m[0][0] > 0 && second > 0 && determinant(a) > 0)) return static_cast<std::int32_t>(i);
        const Mat3T<double> inverted = inverse(a);
        for (int c = 0; c < 3; ++c)
            for (int r = 0; r < 3; ++r) level.inverse[i].m[3 * c + r] = static_cast<float>(inverted.m[r][c]);
    }
    return -1;
}

std::int32_t AggregationMultigrid::refresh(const BlockMatrix& A, std::span<const double> mass,
                                           std::span<const std::uint8_t> held, std::span<const Mat3> more)
{
    take_values(A);
    for (std::size_t i = 0; i < levels_.front().size(); ++i) {
        levels_.front().mass[i] = static_cast<float>(mass[i]);
        const std::uint8_t bits = held.empty() ? std::uint8_t{0} : held[i];
        free_[i] = Float4{bits & 1 ? 0.0F : 1.0F, bits & 2 ? 0.0F : 1.0F, bits & 4 ? 0.0F : 1.0F, 0};
    }
    for (std::size_t l = 0; l < levels_.size(); ++l) {
        if (l > 0) fill_coarse(l - 1);
        if (const std::int32_t bad = invert_diagonal(levels_[l], l == 0 ? more : std::span<const Mat3>()); bad >= 0)
            return l == 0 ? bad : 0;
    }
    return -1;
}

void AggregationMultigrid::multiply(std::vector<Float4>& y, const std::vector<Float4>& x) const
{
    const Level& level = levels_.front();
    parallel_for(level.size(), kRowsPerChunk, [&](std::size_t begin, std::size_t end, std::size_t) {
        for (std::size_t i = begin; i < end; ++i) {
            Float4 sum{};
            for (std::int32_t k = level.row_start[i]; k < level.row_start[i + 1]; ++k)
                sum += times(level.block[static_cast<std::size_t>(k)], x[static_cast<std::size_t>(level.column[k])]);
            y[i] = sum;
        }
    });
}

void AggregationMultigrid::sweep_last(Level& level)
{
    std::fill(level.z.begin(), level.z.end(), Float4{});
    const auto relax = [&](std::size_t i) {
        Float4 sum = level.r[i];
        for (std::int32_t k = level.row_start[i]; k < level.row_start[i + 1]; ++k)
            if (k != level.diagonal[i])
                sum -=
                    times(level.block[static_cast<std::size_t>(k)], level.z[static_cast<std::size_t>(level.column[k])]);
        level.z[i] = times(level.inverse[i], sum);
    };
    for (int sweep = 0; sweep < kLastSweeps; ++sweep) {
        for (std::size_t i = 0; i < level.size(); ++i) relax(i);
        for (std::size_t i = level.size(); i-- > 0;) relax(i);
    }
}

// Rows in runs of kRowsPerChunk: within a run the sweep sees what it has just made, beyond it what was there before.
template <class F>
void AggregationMultigrid::for_each_chunk(const Level& level, F&& f)
{
    parallel_for(level.size(), kRowsPerChunk, [&](std::size_t begin, std::size_t end, std::size_t) { f(begin, end); });
}

// z of the level from its r.
void AggregationMultigrid::cycle(std::size_t index)
{
    Level& level = levels_[index];
    if (index + 1 == levels_.size()) return sweep_last(level);
    for_each_chunk(level, [&](std::size_t begin, std::size_t end) { sweep_forward(level, begin, end); });
    Level& coarse = levels_[index + 1];
    for_each_chunk(level, [&](std::size_t begin, std::size_t end) {
        find_rest(level, begin, end);
        if (index == 0)
            for (std::size_t i = begin; i < end; ++i) level.rest[i] *= free_[i];
    });
    std::fill(coarse.r.begin(), coarse.r.end(), Float4{});
    for (std::size_t i = 0; i < level.size(); ++i) coarse.r[static_cast<std::size_t>(level.parent[i])] += level.rest[i];
    cycle(index + 1);
    for_each_chunk(level, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            const Float4 moved = coarse.z[static_cast<std::size_t>(level.parent[i])];
            level.z[i] += index == 0 ? moved * free_[i] : moved;
            level.rest[i] = level.z[i];
        }
    });
    for_each_chunk(level, [&](std::size_t begin, std::size_t end) { sweep_backward(level, begin, end); });
}

// From zero: only what is left of the diagonal, within the run, counts.
void AggregationMultigrid::sweep_forward(Level& level, std::size_t begin, std::size_t end)
{
    for (std::size_t i = begin; i < end; ++i) {
        Float4 sum = level.r[i];
        for (std::int32_t k = level.diagonal[i] - 1; k >= level.row_start[i]; --k) {
            const auto j = static_cast<std::size_t>(level.column[k]);
            if (j < begin) break;
            sum -= times(level.block[static_cast<std::size_t>(k)], level.z[j]);
        }
        level.z[i] = times(level.inverse[i], sum);
    }
}

// r - A z after that: what the forward sweep did not see.
void AggregationMultigrid::find_rest(Level& level, std::size_t begin, std::size_t end)
{
    for (std::size_t i = begin; i < end; ++i) {
        Float4 sum{};
        for (std::int32_t k = level.row_start[i]; k < level.diagonal[i]; ++k) {
            const auto j = static_cast<std::size_t>(level.column[k]);
            if (j >= begin) break;
            sum -= times(level.block[static_cast<std::size_t>(k)], level.z[j]);
        }
        for (std::int32_t k = level.diagonal[i] + 1; k < level.row_start[i + 1]; ++k)
            sum -= times(level.block[static_cast<std::size_t>(k)], level.z[static_cast<std::size_t>(level.column[k])]);
        level.rest[i] = sum;
    }
}

// The same sweep the other way; `rest` holds z before it, for the rows of other runs.
void AggregationMultigrid::sweep_backward(Level& level, std::size_t begin, std::size_t end)
{
    for (std::size_t i = end; i-- > begin;) {
        Float4 sum = level.r[i];
        for (std::int32_t k = level.row_start[i]; k < level.diagonal[i]; ++k)
            sum -=
                times(level.block[static_cast<std::size_t>(k)], level.rest[static_cast<std::size_t>(level.column[k])]);
        for (std::int32_t k = level.diagonal[i] + 1; k < level.row_start[i + 1]; ++k) {
            const auto j = static_cast<std::size_t>(level.column[k]);
            sum -= times(level.block[static_cast<std::size_t>(k)], j < end ? level.z[j] : level.rest[j]);
        }
        level.z[i] = times(level.inverse[i], sum);
    }
}

void AggregationMultigrid::apply(std::span<Vec3> z, const BlockMatrix&, std::span<const Vec3> r)
{
    Level& level = levels_.front();
    for (std::size_t i = 0; i < level.size(); ++i)
        level.r[i] = Float4{static_cast<float>(r[i].x), static_cast<float>(r[i].y), static_cast<float>(r[i].z), 0};
    cycle(0);
    for (std::size_t i = 0; i < level.size(); ++i) z[i] = {level.z[i][0], level.z[i][1], level.z[i][2]};
}

LinearResult AggregationMultigrid::solve(std::span<Vec3> x, std::span<const Vec3> b, const LinearOptions& options,
                                         const ContactProduct* contacts)
{
    Level& level = levels_.front();
    const std::size_t n = level.size();
    const auto inner = [&](const std::vector<Float4>& u, const std::vector<Float4>& v) {
        return parallel_sum<double>(n, 4 * kRowsPerChunk, [&](std::size_t begin, std::size_t end) {
            double sum = 0;
            for (std::size_t i = begin; i < end; ++i) {
                const Float4 product = u[i] * v[i];
                sum +=
                    static_cast<double>(product[0]) + static_cast<double>(product[1]) + static_cast<double>(product[2]);
            }
            return sum;
        });
    };
    // Scaled to one: forces of any size fit into floats.
    double largest = 0;
    for (const Vec3& v : b.first(n)) largest = std::max({largest, std::abs(v.x), std::abs(v.y), std::abs(v.z)});
    LinearResult result;
    std::fill(x.begin(), x.end(), Vec3{});
    if (largest == 0) return result;
    for (std::size_t i = 0; i < n; ++i) {
        const Vec3 v = b[i] / largest;
        level.r[i] = Float4{static_cast<float>(v.x), static_cast<float>(v.y), static_cast<float>(v.z), 0};
        x_[i] = p_[i] = Float4{};
    }
    const double start = std::sqrt(inner(level.r, level.r));
    double rz_before = 1, first_way = 0;
    result.status = LinearStatus::not_converged;
    for (; result.iterations < options.most_iterations; ++result.iterations) {
        cycle(0);
        if (options.measures_way) {
            const double way = std::sqrt(inner(level.z, level.z));
            if (result.iterations == 0) first_way = way;
            result.residual = way / first_way;
            if (result.residual <= options.tolerance) {
                result.status = LinearStatus::converged;
                break;
            }
        }
        const double rz = inner(level.r, level.z);
        if (!(rz > 0)) break;
        const auto beta = static_cast<float>(result.iterations == 0 ? 0 : rz / rz_before);
        rz_before = rz;
        for (std::size_t i = 0; i < n; ++i) p_[i] = level.z[i] + p_[i] * beta;
        multiply(q_, p_);
        if (contacts != nullptr)
            contacts->add_product(
                [&](std::size_t i) {
                    return Vec3{p_[i][0], p_[i][1], p_[i][2]};
                },
                [&](std::size_t i, const Vec3& v) {
                    q_[i] += Float4{static_cast<float>(v.x), static_cast<float>(v.y), static_cast<float>(v.z), 0};
                });
        const double curvature = inner(p_, q_);
        if (!(curvature > 0)) break;
        const auto alpha = static_cast<float>(rz / curvature);
        for (std::size_t i = 0; i < n; ++i) x_[i] += p_[i] * alpha, level.r[i] -= q_[i] * alpha;
        if (options.measures_way) continue;
        result.residual = std::sqrt(inner(level.r, level.r)) / start;
        if (!(result.residual <= options.tolerance)) continue;
        result.status = LinearStatus::converged;
        ++result.iterations;
        break;
    }
    if (result.iterations == 0 || !std::isfinite(result.residual)) result.status = LinearStatus::indefinite;
    for (std::size_t i = 0; i < n; ++i) x[i] = Vec3{x_[i][0], x_[i][1], x_[i][2]} * largest;
    return result;
}

}  // namespace pliant
