// SPDX-License-Identifier: MIT
#include <pliant/world/untangle_moves.h>

#include <algorithm>
#include <array>
#include <cmath>

#include <pliant/base/error.h>
#include <pliant/mesh/topology.h>

namespace pliant {

UntangleMoves::UntangleMoves(const UntangleTask& task, std::size_t point_count)
    : mover_(point_count, kNobody)
    , sum_(point_count)
    , weight_(point_count, 0.0)
    , spread_(point_count)
    , part_(point_count, 0)
{
    const auto is_held = [&](std::int32_t v) { return !task.held.empty() && task.held[v] != 0; };
    for (std::size_t b = 0; b < task.surfaces.points.size(); ++b) {
        const auto [first, count] = task.surfaces.points[b];
        bool is_whole = task.motion[b] == UntangleMotion::whole;
        for (std::int32_t v = first; v < first + count; ++v) is_whole = is_whole && !is_held(v);
        for (std::int32_t v = first; v < first + count; ++v) {
            if (is_whole) mover_[v] = kFirstBody - static_cast<std::int32_t>(b);
            if (task.motion[b] == UntangleMotion::vertices && !is_held(v)) mover_[v] = v;
        }
    }
}

void UntangleMoves::clear()
{
    for (const std::int32_t v : asked_) sum_[v] = {}, weight_[v] = 0;
    asked_.clear();
    requests_.clear();
}

void UntangleMoves::add(std::int32_t mover, double weight, const Vec3& by)
{
    if (mover == kNobody || weight == 0) return;
    if (mover <= kFirstBody) {
        requests_.push_back({kFirstBody - mover, by});
        return;
    }
    if (weight_[mover] == 0) asked_.push_back(mover);
    sum_[mover] += weight * by;
    weight_[mover] += weight;
}

void UntangleMoves::wish(std::span<const std::int32_t> points, std::span<const double> c, const Vec3& direction,
                         double amount)
{
    // Points that move together take part with the sum of their weights.
    constexpr std::size_t kMost = 8;
    PLIANT_ASSERT(points.size() <= kMost && points.size() == c.size(), "a wish is about few points");
    std::array<std::int32_t, kMost> mover{};
    std::array<double, kMost> share{};
    std::size_t count = 0;
    for (std::size_t i = 0; i < points.size(); ++i) {
        const std::int32_t m = mover_[points[i]];
        if (m == kNobody) continue;
        const std::size_t at =
            static_cast<std::size_t>(std::find(mover.begin(), mover.begin() + count, m) - mover.begin());
        if (at == count) mover[count] = m, share[count++] = 0;
        share[at] += c[i];
    }
    double yielding = 0;
    for (std::size_t i = 0; i < count; ++i) yielding += share[i] * share[i];
    constexpr double kNothingYields = 1e-9;
    if (yielding < kNothingYields) return;
    for (std::size_t i = 0; i < count; ++i)
        add(mover[i], std::abs(share[i]), (amount / yielding * share[i]) * direction);
}

void UntangleMoves::push(std::span<const std::int32_t> points, std::span<const double> c, const Vec3& by)
{
    for (std::size_t i = 0; i < points.size(); ++i) add(mover_[points[i]], std::abs(c[i]), c[i] * by);
}

void UntangleMoves::spread(std::span<const std::int32_t> piece, const IndexRows& neighbours)
{
    constexpr int kSmoothings = 20;
    Vec3 mean;
    double count = 0;
    for (const std::int32_t v : piece)
        if (weight_[v] > 0) mean += sum_[v] / weight_[v], ++count;
    if (count == 0) return;
    for (const std::int32_t v : piece) {
        part_[v] = weight_[v] > 0 ? 1 : 2;
        spread_[v] = weight_[v] > 0 ? sum_[v] / weight_[v] : mean / count;
    }
    for (int smoothing = 0; smoothing < kSmoothings; ++smoothing)
        for (const std::int32_t v : piece) {
            if (part_[v] != 2) continue;
            Vec3 sum;
            double others = 0;
            for (const std::int32_t w : neighbours[v])
                if (part_[w] != 0) sum += spread_[w], ++others;
            if (others > 0) spread_[v] = sum / others;
        }
    for (const std::int32_t v : piece) {
        if (part_[v] == 2 && mover_[v] == v) add(v, 1, spread_[v]);
        part_[v] = 0;
    }
}

void UntangleMoves::apply(std::span<Vec3> x, const AuditSurfaces& surfaces)
{
    for (const std::int32_t v : asked_) x[v] += sum_[v] / weight_[v];
    std::stable_sort(requests_.begin(), requests_.end(),
                     [](const Request& a, const Request& b) { return a.body < b.body; });
    for (std::size_t begin = 0, end = 0; begin < requests_.size(); begin = end) {
        Vec3 sum;
        while (end < requests_.size() && requests_[end].body == requests_[begin].body) sum += requests_[end++].by;
        if (norm(sum) == 0) continue;
        const Vec3 direction = normalized(sum);
        double farthest = 0;
        for (std::size_t r = begin; r < end; ++r) farthest = std::max(farthest, dot(requests_[r].by, direction));
        const auto [first, count] = surfaces.points[requests_[begin].body];
        for (std::int32_t v = first; v < first + count; ++v) x[v] += farthest * direction;
    }
}

KeptLengths::KeptLengths(const UntangleTask& task, const UntangleMoves& moves, std::span<const Vec3> x)
{
    constexpr double kAcrossHinges = 0.25;  // of what edges are: folds may form, but not for nothing
    for (const Edge& edge : task.surfaces.edges) add(moves, x, edge[0], edge[1], 1);
    edge_count_ = springs_.size();
    for (const std::array<std::int32_t, 4>& hinge : hinges(task.surfaces.faces))
        add(moves, x, hinge[2], hinge[3], kAcrossHinges);
}

void KeptLengths::add(const UntangleMoves& moves, std::span<const Vec3> x, std::int32_t a, std::int32_t b,
                      double stiffness)
{
    const auto yields = [&](std::int32_t v) { return moves.can_move(v) && moves.whole_body(v) < 0 ? 1.0 : 0.0; };
    springs_.push_back({a, b, norm(x[b] - x[a]), stiffness, yields(a), yields(b)});
}

void KeptLengths::relax(const Spring& spring, std::span<Vec3> x, double share)
{
    const Vec3 apart = x[spring.b] - x[spring.a];
    const double length = norm(apart), yielding = spring.yields_a + spring.yields_b;
    if (yielding == 0 || length == 0 || length == spring.rest) return;
    const Vec3 by = (share * spring.stiffness * (length - spring.rest) / (yielding * length)) * apart;
    x[spring.a] += spring.yields_a * by;
    x[spring.b] -= spring.yields_b * by;
}

void KeptLengths::sweep(std::span<Vec3> x, double share)
{
    if (is_backwards_)
        for (std::size_t s = springs_.size(); s-- > 0;) relax(springs_[s], x, share);
    else
        for (const Spring& spring : springs_) relax(spring, x, share);
    is_backwards_ = !is_backwards_;
}

double KeptLengths::largest_strain(std::span<const Vec3> x) const
{
    double largest = 0;
    for (std::size_t s = 0; s < edge_count_; ++s) {
        const Spring& spring = springs_[s];
        if (spring.rest > 0) largest = std::max(largest, std::abs(norm(x[spring.b] - x[spring.a]) / spring.rest - 1));
    }
    return largest;
}

}  // namespace pliant
