// SPDX-License-Identifier: MIT
#include <pliant/solver/contact_way.h>

#include <algorithm>
#include <cmath>

#include <pliant/mesh/transform.h>
#include <pliant/model/held_motion.h>
#include <pliant/model/points.h>
#include <pliant/solver/forces.h>
#include <pliant/solver/stages.h>

namespace pliant {

namespace {

bool is_rigid(ConstFrameNodes x)
{
    double off = 0;
    for (int i = 1; i < 4; ++i)
        for (int j = i; j < 4; ++j) off = std::max(off, std::abs(dot(x[i], x[j]) - (i == j ? 1 : 0)));
    return off < 1e-13;
}

void make_axes_rigid(FrameNodes x)
{
    std::array<Vec3, 4> unused{};
    make_rigid(x, unused);
}

}  // namespace

std::size_t ContactWay::frame_node(std::size_t f) const
{
    return static_cast<std::size_t>(model_->frame_node(static_cast<std::int32_t>(f)));
}

void ContactWay::begin(State& to, const Model& model, const State& from, double h, BarrierContacts& contacts)
{
    model_ = &model, from_ = &from, contacts_ = &contacts, h_ = h;
    free_ = static_cast<std::size_t>(model.free_count), frames_ = static_cast<std::size_t>(model.frame_count);
    std::copy(from.x.begin(), from.x.end(), to.x.begin());
    std::copy(from.v.begin(), from.v.end(), to.v.begin());
    held_.assign(from.held.begin(), from.held.begin() + model.free_count);
    goal_.resize(4 * frames_), inertia_.resize(frames_), proposal_.resize(to.x.size());
    has_free_frames_ = false;
    for (std::size_t f = 0; f < frames_; ++f) {
        const std::size_t node = frame_node(f);
        held_.push_back(from.held[node]), held_.push_back(from.held[node + 1]);
        has_free_frames_ |= from.held[node] != 7 || from.held[node + 1] != 7;
        for (std::size_t k = 0; k < 4; ++k) goal_[4 * f + k] = from.x[node + k] + from.v[node + k] * h;
    }
    is_carried_ = carries(model, from);
    if (is_carried_) {
        target_ = from.x;
        carry_held(target_, to.v, model, from, h, CarriedKind::all);
        ahead_.assign(to.x.size(), Vec3{});
    }
    if (const std::uint64_t materials = hash_of_materials(from);
        materials != materials_ || resistance_.size() != free_) {
        find_resistance(resistance_, model, from);
        materials_ = materials;
    }
    contacts.begin_step(from, h, resistance_);
}

std::span<const Vec3> ContactWay::look_ahead(const State& to)
{
    const auto nodes = static_cast<std::size_t>(model_->node_count());
    for (std::size_t i = 0; i < nodes; ++i) ahead_[i] = held_part(target_[i] - to.x[i], from_->held[i]);
    place_bound_points(ahead_, *model_);
    contacts_->set_ahead(ahead_);
    return ahead_;
}

bool ContactWay::has_arrived(const State& to) const
{
    if (!is_carried_) return true;
    const double near = 1e-12 * model_->size;
    for (std::size_t i = 0; i < static_cast<std::size_t>(model_->node_count()); ++i)
        if (norm2(held_part(target_[i] - to.x[i], from_->held[i])) > near * near) return false;
    return true;
}

Issue ContactWay::stuck_issue(const State& to) const
{
    Issue issue{.kind = IssueKind::penetrating};
    double farthest = 0;
    for (std::size_t b = 0; is_carried_ && b < model_->bodies.size(); ++b) {
        const Body& body = model_->bodies[b];
        const std::int32_t first = body.is_rigid() ? model_->frame_node(body.frame) : body.first_point;
        const std::int32_t count = body.is_rigid() ? 1 : body.point_count;
        for (std::int32_t i = first; i < first + count; ++i) {
            const double way = norm(held_part(target_[i] - to.x[i], from_->held[i]));
            if (!(way > farthest)) continue;
            farthest = issue.value = way;
            issue.body = static_cast<std::int32_t>(b), issue.vertex = i - first;
        }
    }
    return issue;
}

void ContactWay::place_velocities(State& to) const
{
    for (std::int32_t i = model_->free_count; i < model_->node_count(); ++i) to.v[i] = (to.x[i] - from_->x[i]) / h_;
    place_bound_points(to.x, to.v, *model_);
}

void ContactWay::set_frame_forces(std::span<Vec3> rows, std::span<const Vec3> x, std::span<const Vec3> force) const
{
    for (std::size_t f = 0; f < frames_; ++f) {
        const std::size_t node = frame_node(f), row = frame_row(f);
        std::array<Vec3, 4> pull;
        for (std::size_t k = 0; k < 4; ++k)
            pull[k] = force[node + k] + (goal_[4 * f + k] - x[node + k]) * (model_->mass[node + k] / (h_ * h_));
        rows[row] = pull[0];
        rows[row + 1] = {};
        for (std::size_t k = 1; k < 4; ++k) rows[row + 1] += cross(x[node + k], pull[k]);
    }
}

std::span<const FrameBlock> ContactWay::frame_inertia(std::span<const Vec3> x)
{
    for (std::size_t f = 0; f < frames_; ++f) {
        const std::size_t node = frame_node(f);
        inertia_[f] = {};
        inertia_[f].tt = identity3<double>() * (model_->mass[node] / (h_ * h_));
        for (std::size_t k = 1; k < 4; ++k) {
            const Vec3& a = x[node + k];
            inertia_[f].rr +=
                (identity3<double>() * norm2(a) + outer(a, a) * -1.0) * (model_->mass[node + k] / (h_ * h_));
        }
    }
    return inertia_;
}

void ContactWay::add_row_force(std::span<Vec3> rows, const RowPlace& at, const Vec3& force) const
{
    for (std::size_t k = 0; k < 4; ++k)
        if (at.vertex[k] >= 0) rows[at.vertex[k]] += force * at.weight[k];
    for (std::size_t s = 0; s < 2; ++s)
        if (at.frame[s] >= 0) {
            const std::size_t row = frame_row(static_cast<std::size_t>(at.frame[s]));
            rows[row] += force * at.share[s];
            rows[row + 1] += cross(at.arm[s], force);
        }
}

void ContactWay::turn_frames(std::span<const Vec3> direction)
{
    for (std::size_t f = 0; f < frames_; ++f) {
        const std::size_t node = frame_node(f), row = frame_row(f);
        proposal_[node] += direction[row];
        if (held_[row + 1] == 7) continue;
        make_axes_rigid(FrameNodes(&proposal_[node], 4));
        const Vec3 turn = direction[row + 1];
        if (turn == Vec3{}) continue;
        const Mat3 rotation = rotation_matrix(turn, norm(turn));
        for (std::size_t k = 1; k < 4; ++k) proposal_[node + k] = rotation * proposal_[node + k];
    }
}

double ContactWay::go(State& to)
{
    for (const Vec3& p : proposal_)
        if (!is_finite(p)) return -1;
    const double share = contacts_->make_safe(to.x, proposal_);
    double longest = 0;
    for (std::size_t i = 0; i < proposal_.size(); ++i) longest = std::max(longest, norm2(proposal_[i] - to.x[i]));
    longest_ = std::sqrt(longest);
    std::swap_ranges(proposal_.begin(), proposal_.end(), to.x.begin());
    return share;
}

double ContactWay::walk(State& to, std::span<const Vec3> direction)
{
    std::copy(to.x.begin(), to.x.end(), proposal_.begin());
    for (std::size_t i = 0; i < free_; ++i) proposal_[i] += direction[i];
    turn_frames(direction);
    if (is_carried_) {
        look_ahead(to);
        for (std::size_t i = 0; i < static_cast<std::size_t>(model_->node_count()); ++i) proposal_[i] += ahead_[i];
    }
    place_bound_points(proposal_, *model_);
    return go(to);
}

double ContactWay::go_on_as_before(State& to, std::span<Vec3> direction)
{
    const State& from = *from_;
    for (std::size_t i = 0; i < free_; ++i) direction[i] = masked(from.v[i], held_[i]) * h_;
    for (std::size_t f = 0; f < frames_; ++f) {
        const std::size_t node = frame_node(f), row = frame_row(f);
        const Vec3 spin = angular_velocity(ConstFrameNodes(&from.x[node], 4), ConstFrameNodes(&from.v[node], 4));
        direction[row] = masked(from.v[node], held_[row]) * h_;
        direction[row + 1] = masked(spin, held_[row + 1]) * h_;
    }
    return walk(to, direction);
}

void ContactWay::step_back(State& to, double part)
{
    for (std::size_t i = 0; i < proposal_.size(); ++i) to.x[i] = proposal_[i] + (to.x[i] - proposal_[i]) * part;
    longest_ *= part;
}

bool ContactWay::make_frames_rigid(State& to, bool& moved)
{
    moved = false;
    std::copy(to.x.begin(), to.x.end(), proposal_.begin());
    for (std::size_t f = 0; f < frames_; ++f) {
        const std::size_t node = frame_node(f);
        if (held_[frame_row(f) + 1] == 7 || is_rigid(ConstFrameNodes(&to.x[node], 4))) continue;
        make_axes_rigid(FrameNodes(&proposal_[node], 4));
        moved = true;
    }
    if (!moved) return true;
    place_bound_points(proposal_, *model_);
    return go(to) == 1;
}

}  // namespace pliant
