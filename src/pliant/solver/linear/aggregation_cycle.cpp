// SPDX-License-Identifier: MIT

// What multigrid for cloth does with its levels: sweeps, the V-cycle, conjugate gradients. See aggregation.h.

#include <algorithm>
#include <cmath>
#include <cstring>

#include <pliant/solver/linear/aggregation.h>
#include <pliant/solver/linear/contact_product.h>

namespace pliant {

namespace {

constexpr std::size_t kRowsPerChunk = 1024;
constexpr int kLastSweeps = 4;

}  // namespace

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

// Within a run the sweep sees what it has just made, beyond it what was there before.
template <class F>
void AggregationMultigrid::for_each_run(const Level& level, F&& f)
{
    parallel_for(level.size(), level.run, [&](std::size_t begin, std::size_t end, std::size_t) { f(begin, end); });
}

// z of the level from its r.
void AggregationMultigrid::cycle(Levels& levels, std::size_t index) const
{
    Level& level = levels[index];
    if (index + 1 == levels.size()) return sweep_last(level);
    for_each_run(level, [&](std::size_t begin, std::size_t end) { sweep_forward(level, begin, end); });
    Level& coarse = levels[index + 1];
    for_each_run(level, [&](std::size_t begin, std::size_t end) {
        find_rest(level, begin, end);
        if (index == 0)
            for (std::size_t i = begin; i < end; ++i) level.rest[i] *= free_[i];
    });
    parallel_for(coarse.size(), kRowsPerChunk, [&](std::size_t begin, std::size_t end, std::size_t) {
        for (std::size_t c = begin; c < end; ++c) {
            Float4 sum{};
            for (const std::int32_t i : coarse.children.of(c)) sum += level.rest[static_cast<std::size_t>(i)];
            coarse.r[c] = sum;
        }
    });
    cycle(levels, index + 1);
    for_each_run(level, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            const Float4 moved = coarse.z[static_cast<std::size_t>(level.parent[i])];
            level.z[i] += index == 0 ? moved * free_[i] : moved;
            level.rest[i] = level.z[i];
        }
    });
    for_each_run(level, [&](std::size_t begin, std::size_t end) { sweep_backward(level, begin, end); });
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
        Float4 sum = level.extra.empty() ? Float4{} : times(level.extra[i], level.z[i]);
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
        if (!level.extra.empty()) sum += times(level.extra[i], level.rest[i]);
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
    Levels& levels = is_joined_ ? joined_ : levels_;
    Level& level = levels.front();
    for (std::size_t i = 0; i < level.size(); ++i)
        level.r[i] = Float4{static_cast<float>(r[i].x), static_cast<float>(r[i].y), static_cast<float>(r[i].z), 0};
    cycle(levels, 0);
    for (std::size_t i = 0; i < level.size(); ++i) z[i] = {level.z[i][0], level.z[i][1], level.z[i][2]};
}

LinearResult AggregationMultigrid::solve(std::span<Vec3> x, std::span<const Vec3> b, const LinearOptions& options,
                                         const ContactProduct* contacts)
{
    Levels& levels = is_joined_ ? joined_ : levels_;
    Level& level = levels.front();
    const std::size_t n = level.size();
    const auto for_each_row = [n](auto&& f) {
        parallel_for(n, 4 * kRowsPerChunk, [&](std::size_t begin, std::size_t end, std::size_t) {
            for (std::size_t i = begin; i < end; ++i) f(i);
        });
    };
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
        cycle(levels, 0);
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
        for_each_row([&](std::size_t i) { p_[i] = level.z[i] + p_[i] * beta; });
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
        for_each_row([&](std::size_t i) { x_[i] += p_[i] * alpha, level.r[i] -= q_[i] * alpha; });
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
