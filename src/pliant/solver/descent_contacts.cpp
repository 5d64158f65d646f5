// SPDX-License-Identifier: MIT
#include <pliant/solver/descent_contacts.h>

#include <algorithm>
#include <cmath>

#include <pliant/base/parallel.h>
#include <pliant/solver/linear/contact_product.h>
#include <pliant/solver/stages.h>

namespace pliant {

DescentContacts::DescentContacts(const Model& model, const VertexOrder& order)
    : model_(model)
    , colour_(static_cast<std::size_t>(model.free_count), -1)
    , then_(static_cast<std::size_t>(model.free_count))
    , direction_(static_cast<std::size_t>(model.free_count) + 2 * static_cast<std::size_t>(model.frame_count))
    , frame_force_(direction_.size())
{
    for (std::int32_t c = 0; c < order.colours(); ++c)
        for (std::int32_t chunk = order.colour_start[c]; chunk < order.colour_start[c + 1]; ++chunk)
            for (std::int32_t slot = order.chunks[chunk].first; slot < order.chunks[chunk].end; ++slot)
                colour_[order.vertex[slot]] = c;
}

void DescentContacts::begin(State& to, std::span<Particle> x, const State& from, double h, BarrierContacts& contacts)
{
    contacts_ = &contacts;
    way_.begin(to, model_, from, h, contacts);
    way_.go_on_as_before(to, direction_);
    for (std::int32_t i = 0; i < model_.free_count; ++i) x[i].set(to.x[i]);
}

void DescentContacts::look(const State& to, std::span<const Vec3> node_force)
{
    contacts_->evaluate(to.x, BarrierContacts::Rows::expected_as_well);
    std::copy_n(to.x.begin(), then_.size(), then_.begin());
    way_of_row_.assign(contacts_->rows().size(), Vec3{});
    std::fill(direction_.begin(), direction_.end(), Vec3{});
    way_.set_frame_forces(frame_force_, to.x, node_force);
    const auto inertia = way_.frame_inertia(to.x);
    inertia_.assign(inertia.begin(), inertia.end());
    list_entries();
}

void DescentContacts::list_entries()
{
    const auto rows = contacts_->rows();
    start_.assign(colour_.size() + 1, 0);
    for (const BarrierRow& row : rows)
        for (const std::int32_t v : row.at.vertex)
            if (v >= 0) ++start_[static_cast<std::size_t>(v) + 1];
    for (std::size_t v = 0; v < colour_.size(); ++v) start_[v + 1] += start_[v];
    entries_.resize(start_.back());
    for (std::size_t r = 0; r < rows.size(); ++r) {
        const RowPlace& at = rows[r].at;
        for (std::size_t k = 0; k < 4; ++k) {
            if (at.vertex[k] < 0) continue;
            double shared = 0;
            for (std::size_t j = 0; j < 4; ++j)
                if (at.vertex[j] >= 0 && colour_[at.vertex[j]] == colour_[at.vertex[k]])
                    shared += std::abs(at.weight[j]);
            entries_[start_[at.vertex[k]]++] = {static_cast<std::int32_t>(r), at.weight[k], shared};
        }
    }
    for (std::size_t v = colour_.size(); v > 0; --v) start_[v] = start_[v - 1];
    start_[0] = 0;
}

bool DescentContacts::add_to(Vec3& gradient, Mat3& block, std::int32_t vertex) const
{
    const std::size_t begin = start_[vertex], end = start_[static_cast<std::size_t>(vertex) + 1];
    const auto rows = contacts_->rows();
    for (std::size_t e = begin; e < end; ++e) {
        const Entry& entry = entries_[e];
        const BarrierRow& row = rows[entry.row];
        gradient -= (row.force + row.pull - row.stiffness * way_of_row_[entry.row]) * entry.weight;
        block += row.stiffness * (std::abs(entry.weight) * entry.shared);
    }
    return end > begin;
}

void DescentContacts::update(std::span<const Particle> x)
{
    constexpr std::size_t kRows = 512;
    const auto rows = contacts_->rows();
    const std::size_t free = colour_.size();
    parallel_for(rows.size(), kRows, [&](std::size_t begin, std::size_t end, std::size_t) {
        for (std::size_t r = begin; r < end; ++r) {
            const RowPlace& at = rows[r].at;
            Vec3 u;
            for (std::size_t k = 0; k < 4; ++k)
                if (at.vertex[k] >= 0) u += (x[at.vertex[k]].vector() - then_[at.vertex[k]]) * at.weight[k];
            for (std::size_t s = 0; s < 2; ++s)
                if (at.frame[s] >= 0) {
                    const std::size_t i = free + 2 * static_cast<std::size_t>(at.frame[s]);
                    u += direction_[i] * at.share[s] + cross(direction_[i + 1], at.arm[s]);
                }
            way_of_row_[r] = u;
        }
    });
}

// Six equations for each rigid body, one after the other.
void DescentContacts::move_frames()
{
    if (!way_.has_free_frames()) return;
    const auto rows = contacts_->rows();
    const std::size_t free = colour_.size();
    for (std::size_t f = 0; f < inertia_.size(); ++f) {
        const std::size_t i = free + 2 * f;
        if (way_.held()[i] == 7 && way_.held()[i + 1] == 7) continue;
        FrameBlock block = inertia_[f];
        Vec3 force = frame_force_[i] - block.tt * direction_[i];
        Vec3 torque = frame_force_[i + 1] - block.rr * direction_[i + 1];
        for (std::size_t r = 0; r < rows.size(); ++r)
            for (std::size_t s = 0; s < 2; ++s) {
                const RowPlace& at = rows[r].at;
                if (at.frame[s] != static_cast<std::int32_t>(f)) continue;
                add_frame_row(block, rows[r], s);
                const Vec3 push = rows[r].force + rows[r].pull - rows[r].stiffness * way_of_row_[r];
                force += push * at.share[s], torque += cross(at.arm[s], push);
            }
        const auto [way, turn] = solve_frame(block, force, torque, way_.held()[i], way_.held()[i + 1]);
        direction_[i] += way, direction_[i + 1] += turn;
        for (std::size_t r = 0; r < rows.size(); ++r)
            for (std::size_t s = 0; s < 2; ++s)
                if (rows[r].at.frame[s] == static_cast<std::int32_t>(f))
                    way_of_row_[r] += way * rows[r].at.share[s] + cross(turn, rows[r].at.arm[s]);
    }
}

double DescentContacts::walk(State& to, std::span<Particle> x)
{
    // What is held is taken along by the walk itself.
    for (std::size_t i = 0; i < then_.size(); ++i) direction_[i] = masked(x[i].vector() - then_[i], way_.held()[i]);
    const double share = way_.walk(to, direction_);
    if (share < 0) return share;
    for (std::size_t i = 0; i < then_.size(); ++i) x[i].set(to.x[i]);
    return share;
}

}  // namespace pliant
