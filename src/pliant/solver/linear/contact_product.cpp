// SPDX-License-Identifier: MIT
#include <pliant/solver/linear/contact_product.h>

#include <algorithm>
#include <cmath>

#include <pliant/model/held.h>

namespace pliant {

namespace {

// A with A w = w x arm.
Mat3 turning(const Vec3& arm)
{
    return {{{0, arm.z, -arm.y}, {-arm.z, 0, arm.x}, {arm.y, -arm.x, 0}}};
}

void solve_with(const std::array<double, 36>& L, std::array<double, 6>& b)
{
    for (std::size_t i = 0; i < 6; ++i) {
        for (std::size_t j = 0; j < i; ++j) b[i] -= L[6 * i + j] * b[j];
        b[i] /= L[6 * i + i];
    }
    for (std::size_t i = 6; i-- > 0;) {
        for (std::size_t j = i + 1; j < 6; ++j) b[i] -= L[6 * j + i] * b[j];
        b[i] /= L[6 * i + i];
    }
}

// In place, lower half.
void factor(std::array<double, 36>& A)
{
    for (std::size_t j = 0; j < 6; ++j)
        for (std::size_t i = j; i < 6; ++i) {
            double sum = A[6 * i + j];
            for (std::size_t k = 0; k < j; ++k) sum -= A[6 * i + k] * A[6 * j + k];
            A[6 * i + j] = i == j ? std::sqrt(sum) : sum / A[6 * j + j];
        }
}

// The Cholesky factor of a block, held coordinates replaced by those of the identity.
std::array<double, 36> factor_of(const FrameBlock& block, std::uint8_t held_way, std::uint8_t held_turn)
{
    std::array<double, 36> L{};
    const auto is_held = [&](std::size_t i) { return ((i < 3 ? held_way : held_turn) >> i % 3 & 1) != 0; };
    for (std::size_t i = 0; i < 6; ++i)
        for (std::size_t j = 0; j < 6; ++j) {
            const Mat3& part = i < 3 && j < 3 ? block.tt : i >= 3 && j >= 3 ? block.rr : block.tr;
            L[6 * i + j] = i >= 3 && j < 3 ? part.m[j][i - 3] : part.m[i % 3][j % 3];
            if (is_held(i) || is_held(j)) L[6 * i + j] = i == j ? 1 : 0;
        }
    factor(L);
    return L;
}

}  // namespace

void add_frame_row(FrameBlock& block, const BarrierRow& row, std::size_t side)
{
    const Mat3 A = turning(row.at.arm[side]), HA = row.stiffness * A;
    const double share = row.at.share[side];
    block.tt += row.stiffness * (share * share), block.tr += HA * share, block.rr += transpose(A) * HA;
}

std::array<Vec3, 2> solve_frame(const FrameBlock& block, const Vec3& force, const Vec3& torque, std::uint8_t held_way,
                                std::uint8_t held_turn)
{
    const Vec3 f = masked(force, held_way), t = masked(torque, held_turn);
    std::array<double, 6> b{f.x, f.y, f.z, t.x, t.y, t.z};
    solve_with(factor_of(block, held_way, held_turn), b);
    return {Vec3{b[0], b[1], b[2]}, Vec3{b[3], b[4], b[5]}};
}

void ContactProduct::set(std::span<const BarrierRow> rows, std::size_t free_count, std::span<const FrameBlock> inertia,
                         std::span<const std::uint8_t> held)
{
    free_ = free_count;
    take_rows(rows);
    force_.resize(rows_.size());
    inertia_.assign(inertia.begin(), inertia.end());
    held_.assign(held.begin(), held.end());
    list_entries();
    factor_frames();
}

void ContactProduct::take_rows(std::span<const BarrierRow> rows)
{
    rows_.clear(), frame_rows_.clear();
    for (const BarrierRow& row : rows) {
        if (row.is_one_sided) continue;
        const auto& k = row.stiffness.m;
        rows_.push_back({.vertex = row.at.vertex,
                         .weight = row.at.weight,
                         .stiffness = {k[0][0], k[0][1], k[0][2], k[1][1], k[1][2], k[2][2]}});
        if (row.at.frame[0] < 0 && row.at.frame[1] < 0) continue;
        rows_.back().frame_row = static_cast<std::int32_t>(frame_rows_.size());
        frame_rows_.push_back(row);
    }
}

void ContactProduct::list_entries()
{
    count_.resize(free_, 0);
    vertices_.clear(), entries_.clear(), frame_entries_.clear(), start_.assign(1, 0);
    std::size_t total = 0;
    for (std::size_t r = 0; r < rows_.size(); ++r) {
        const Row& row = rows_[r];
        for (const std::int32_t v : row.vertex)
            if (v >= 0) {
                if (count_[v]++ == 0) vertices_.push_back(v);
                ++total;
            }
        for (std::int32_t s = 0; row.frame_row >= 0 && s < 2; ++s)
            if (frame_rows_[row.frame_row].at.frame[s] >= 0)
                frame_entries_.push_back({static_cast<std::int32_t>(r), s});
    }
    std::sort(vertices_.begin(), vertices_.end());
    for (const std::int32_t v : vertices_) {
        const std::size_t begin = start_.back();
        start_.push_back(begin + count_[v]);
        count_[v] = begin;
    }
    entries_.resize(total);
    for (std::size_t r = 0; r < rows_.size(); ++r)
        for (std::size_t k = 0; k < 4; ++k)
            if (const std::int32_t v = rows_[r].vertex[k]; v >= 0)
                entries_[count_[v]++] = {static_cast<std::int32_t>(r), rows_[r].weight[k]};
    for (const std::int32_t v : vertices_) count_[v] = 0;
}

void ContactProduct::factor_frames()
{
    frames_.resize(inertia_.size());
    sum_ = inertia_;
    for (const FrameEntry& e : frame_entries_) {
        const BarrierRow& row = frame_rows_[rows_[e.row].frame_row];
        add_frame_row(sum_[row.at.frame[e.side]], row, static_cast<std::size_t>(e.side));
    }
    for (std::size_t f = 0; f < sum_.size(); ++f)
        frames_[f] = factor_of(sum_[f], held_[free_ + 2 * f], held_[free_ + 2 * f + 1]);
}

void ContactProduct::precondition_frames(std::span<Vec3> z, std::span<const Vec3> r) const
{
    for (std::size_t f = 0; f < frames_.size(); ++f) {
        const std::size_t i = free_ + 2 * f;
        std::array<double, 6> b{r[i].x, r[i].y, r[i].z, r[i + 1].x, r[i + 1].y, r[i + 1].z};
        solve_with(frames_[f], b);
        z[i] = {b[0], b[1], b[2]}, z[i + 1] = {b[3], b[4], b[5]};
    }
}

}  // namespace pliant
