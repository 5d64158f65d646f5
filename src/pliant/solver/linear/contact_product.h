// SPDX-License-Identifier: MIT
#pragma once

// The part of Newton's matrix that contacts make: between vertices that no element joins, and with rigid bodies. It is
// never assembled, so contacts that come and go change no pattern.
//
// Vectors have one Vec3 per free vertex, then two per rigid body: way of its centre and turn. A row couples what it
// touches by u = sum w p + share p_c + p_turn x arm, with a symmetric 3x3 matrix between u and its force. Products are made in two
// passes, rows then vertices, each in parallel: the same bits for any number of threads.

#include <cstdint>
#include <span>
#include <vector>

#include <pliant/base/parallel.h>
#include <pliant/model/held.h>
#include <pliant/response/barrier.h>
#include <pliant/solver/contact_way.h>

namespace pliant {

/// Adds what a contact does to the block of the rigid body on one of its sides.
void add_frame_row(FrameBlock& block, const BarrierRow& row, std::size_t side);

/// Way and turn of a rigid body under force and torque, held coordinates (bits x y z of way and turn) left out.
std::array<Vec3, 2> solve_frame(const FrameBlock& block, const Vec3& force, const Vec3& torque, std::uint8_t held_way,
                                std::uint8_t held_turn);

class ContactProduct {
public:
    /// Takes all rows that are not one-sided. `inertia` are the blocks of the rigid bodies without contacts, `held` bits x y z
    /// of all rows of the system: products there are zero.
    void set(std::span<const BarrierRow> rows, std::size_t free_count, std::span<const FrameBlock> inertia,
             std::span<const std::uint8_t> held);

    bool empty() const { return rows_.empty() && frames_.empty(); }
    std::size_t row_count() const { return rows_.size(); }
    std::size_t frame_count() const { return frames_.size(); }

    /// q += C p over the whole system; get(i) reads p, add(i, v) adds to q.
    template <class Get, class Add>
    void add_product(Get&& get, Add&& add) const;

    /// Vertices that contacts touch, ascending, and what contacts couple one of them with, itself included: calls
    /// f(other vertex, contact, scale) for blocks stiffness(contact) * scale of its row. kNowhere touches nothing.
    static constexpr std::size_t kNowhere = static_cast<std::size_t>(-1);
    std::span<const std::int32_t> vertices() const { return vertices_; }
    template <class F>
    void for_each_coupling(std::size_t place, F&& f) const
    {
        if (place == kNowhere) return;
        for (std::size_t e = start_[place]; e < start_[place + 1]; ++e) {
            const Row& row = rows_[entries_[e].row];
            for (std::size_t k = 0; k < 4; ++k)
                if (row.vertex[k] >= 0) f(row.vertex[k], entries_[e].row, entries_[e].weight * row.weight[k]);
        }
    }
    const std::array<double, 6>& stiffness(std::int32_t contact) const { return rows_[contact].stiffness; }

    /// z = M r of the rows of rigid bodies alone, M the inverses of their blocks with contacts.
    void precondition_frames(std::span<Vec3> z, std::span<const Vec3> r) const;

private:
    Vec3 masked_at(std::size_t i, const Vec3& v) const { return masked(v, held_[i]); }
    /// A contact as products want it, so that little memory is read: without what it does to rigid bodies.
    struct Row {
        std::array<std::int32_t, 4> vertex{};
        std::array<double, 4> weight{};
        std::array<double, 6> stiffness{};  ///< xx xy xz yy yz zz
        std::int32_t frame_row = -1;        ///< where in frame_rows_ that is
    };
    struct Entry {
        std::int32_t row = 0;
        double weight = 0;
    };
    struct FrameEntry {
        std::int32_t row = 0, side = 0;
    };
    static Vec3 times(const std::array<double, 6>& k, const Vec3& u)
    {
        return {k[0] * u.x + k[1] * u.y + k[2] * u.z, k[1] * u.x + k[3] * u.y + k[4] * u.z,
                k[2] * u.x + k[4] * u.y + k[5] * u.z};
    }
    void take_rows(std::span<const BarrierRow> rows);
    void list_entries();
    void factor_frames();

    std::size_t free_ = 0;
    std::vector<Row> rows_;
    std::vector<BarrierRow> frame_rows_;          // those on rigid bodies
    std::vector<FrameBlock> inertia_, sum_;       // without and with contacts
    std::vector<std::array<double, 36>> frames_;  // lower Cholesky factors
    std::vector<std::uint8_t> held_;
    std::vector<std::int32_t> vertices_;  // those that rows touch, ascending
    std::vector<std::size_t> start_;      // #vertices_ + 1
    std::vector<std::size_t> count_;      // #free vertices, all zero between calls
    std::vector<Entry> entries_;
    std::vector<FrameEntry> frame_entries_;  // of rows_ and of a side
    mutable std::vector<Vec3> force_;        // #rows_
};

template <class Get, class Add>
void ContactProduct::add_product(Get&& get, Add&& add) const
{
    constexpr std::size_t kRows = 512;
    parallel_for(rows_.size(), kRows, [&](std::size_t begin, std::size_t end, std::size_t) {
        for (std::size_t r = begin; r < end; ++r) {
            const Row& row = rows_[r];
            Vec3 u;
            for (std::size_t k = 0; k < 4; ++k)
                if (row.vertex[k] >= 0) u += get(static_cast<std::size_t>(row.vertex[k])) * row.weight[k];
            for (std::size_t s = 0; row.frame_row >= 0 && s < 2; ++s)
                if (const RowPlace& at = frame_rows_[row.frame_row].at; at.frame[s] >= 0) {
                    const std::size_t i = free_ + 2 * static_cast<std::size_t>(at.frame[s]);
                    u += get(i) * at.share[s] + cross(get(i + 1), at.arm[s]);
                }
            force_[r] = times(row.stiffness, u);
        }
    });
    parallel_for(vertices_.size(), kRows, [&](std::size_t begin, std::size_t end, std::size_t) {
        for (std::size_t v = begin; v < end; ++v) {
            Vec3 sum;
            for (std::size_t e = start_[v]; e < start_[v + 1]; ++e) sum += force_[entries_[e].row] * entries_[e].weight;
            const auto i = static_cast<std::size_t>(vertices_[v]);
            add(i, masked_at(i, sum));
        }
    });
    for (std::size_t f = 0; f < inertia_.size(); ++f) {
        const std::size_t i = free_ + 2 * f;
        add(i, masked_at(i, inertia_[f].tt * get(i)));
        add(i + 1, masked_at(i + 1, inertia_[f].rr * get(i + 1)));
    }
    for (const FrameEntry& e : frame_entries_) {
        const RowPlace& at = frame_rows_[rows_[e.row].frame_row].at;
        const std::size_t i = free_ + 2 * static_cast<std::size_t>(at.frame[e.side]);
        add(i, masked_at(i, force_[e.row] * at.share[e.side]));
        add(i + 1, masked_at(i + 1, cross(at.arm[e.side], force_[e.row])));
    }
}

}  // namespace pliant
