// SPDX-License-Identifier: MIT
#include <pliant/response/surface_rows.h>

#include <algorithm>
#include <cmath>

#include <pliant/mesh/transform.h>
#include <pliant/model/points.h>

namespace pliant {

namespace {

// The cone of friction: no longer than mu times the normal part.
Vec3 within(const Vec3& a, double most)
{
    const double length2 = norm2(a);
    return length2 > most * most ? a * (most / std::sqrt(length2)) : a;
}

}  // namespace

void SurfaceRows::begin(State& to, const Model& model, const State& from)
{
    to_ = &to, model_ = &model, from_ = &from;
    rows_.clear();
    frames_.resize(static_cast<std::size_t>(model.frame_count));
    for (std::int32_t f = 0; f < model.frame_count; ++f)
        frames_[f] = {.inverse_inertia = inverse(inertia(model.frame_mass[f], frame(to.x, f)))};
}

void SurfaceRows::add(SurfaceRow row)
{
    row.w = inverse_mass(row.a, row.normal) + inverse_mass(row.b, row.normal);
    rows_.push_back(row);
}

Vec3 SurfaceRows::free_part(const Vec3& a, std::int32_t node) const
{
    const std::uint8_t held = to_->held[node];
    return {held & 1 ? 0 : a.x, held & 2 ? 0 : a.y, held & 4 ? 0 : a.z};
}

bool SurfaceRows::is_held(const RowSide& side) const
{
    return side.frame >= 0 && to_->held[model_->frame_node(side.frame)] != 0;
}

Vec3 SurfaceRows::position(std::span<const Vec3> x, const RowSide& side) const
{
    if (side.frame >= 0) return frame_point(frame(x, side.frame), side.X);
    Vec3 sum;
    for (std::size_t k = 0; k < 3 && side.point[k] >= 0; ++k) sum += x[side.point[k]] * side.weight[k];
    return sum;
}

Vec3 SurfaceRows::current(const RowSide& side) const
{
    const Vec3 x = position(to_->x, side);
    if (side.frame < 0) return x;
    const FrameWay& way = frames_[side.frame];
    return x + way.shift + cross(way.turn, x - to_->x[model_->frame_node(side.frame)]);
}

double SurfaceRows::inverse_mass(const RowSide& side, const Vec3& n) const
{
    if (side.frame >= 0) {
        if (is_held(side)) return 0;
        const Vec3 arm = position(to_->x, side) - to_->x[model_->frame_node(side.frame)];
        const Vec3 moment = cross(arm, n);
        return 1 / model_->frame_mass[side.frame].mass + dot(moment, frames_[side.frame].inverse_inertia * moment);
    }
    double w = 0;
    for (std::size_t k = 0; k < 3 && side.point[k] >= 0; ++k)
        w += side.weight[k] * side.weight[k] * model_->inverse_mass[side.point[k]] * norm2(free_part(n, side.point[k]));
    return w;
}

void SurfaceRows::displace(const RowSide& side, const Vec3& push, bool averages)
{
    if (side.frame >= 0) {
        if (is_held(side)) return;
        const Vec3 share = averages ? push / uses(side) : push;
        const Vec3 arm = position(to_->x, side) - to_->x[model_->frame_node(side.frame)];
        FrameWay& way = frames_[side.frame];
        way.shift += share / model_->frame_mass[side.frame].mass;
        way.turn += way.inverse_inertia * cross(arm, share);
        return;
    }
    for (std::size_t k = 0; k < 3 && side.point[k] >= 0; ++k) {
        const std::int32_t p = side.point[k];
        const double share = side.weight[k] * model_->inverse_mass[p] / (averages ? use_[p] : 1);
        to_->x[p] += free_part(push, p) * share;
    }
}

// What a row would change of its multipliers now. Friction looks at the way that the normal part leaves.
SurfaceRows::Change SurfaceRows::wanted(const SurfaceRow& row) const
{
    const Vec3 apart = current(row.a) - current(row.b);
    const double push = std::max(0.0, row.push - (dot(apart, row.normal) - row.target) / row.w);
    Change change{.push = push - row.push};
    if (row.friction == 0 || (push == 0 && row.drag == Vec3{})) return change;
    const Vec3 way = apart - row.rub_from;
    const Vec3 along = way - row.normal * dot(way, row.normal);
    const double length = norm(along);
    if (length == 0 && push >= row.push) return change;
    // Frames yield differently in each direction; vertices are alike in all.
    double w = row.w;
    if (length > 0 && (row.a.frame >= 0 || row.b.frame >= 0))
        w = inverse_mass(row.a, along / length) + inverse_mass(row.b, along / length);
    if (w > 0) change.drag = within(row.drag - along / w, row.friction * push) - row.drag;
    return change;
}

double SurfaceRows::solve_in_turn()
{
    double most = 0;
    for (SurfaceRow& row : rows_) {
        if (row.w == 0) continue;
        const Change change = wanted(row);
        const Vec3 all = row.normal * change.push + change.drag;
        if (all == Vec3{}) continue;
        row.push += change.push, row.drag += change.drag;
        displace(row.a, all), displace(row.b, -all);
        most = std::max(most, norm(all) * row.w);
    }
    return most;
}

// A little inside the cone: on its surface a contact slides.
bool SurfaceRows::sticks(const SurfaceRow& row)
{
    constexpr double kInside = 1 - 1e-9;
    return row.push > 0 && row.friction > 0 && norm(row.drag) < kInside * row.friction * row.push;
}

void SurfaceRows::count_uses()
{
    use_.assign(static_cast<std::size_t>(model_->node_count()), 0);
    const auto count = [&](const RowSide& side) {
        if (side.frame >= 0) ++use_[model_->frame_node(side.frame)];
        for (std::size_t k = 0; side.frame < 0 && k < 3 && side.point[k] >= 0; ++k) ++use_[side.point[k]];
    };
    for (std::size_t i = 0; i < rows_.size(); ++i)
        if (changes_[i].push != 0 || changes_[i].drag != Vec3{}) count(rows_[i].a), count(rows_[i].b);
}

double SurfaceRows::uses(const RowSide& side) const
{
    if (is_held(side)) return 1;
    if (side.frame >= 0) return use_[model_->frame_node(side.frame)];
    std::int32_t most = 1;
    for (std::size_t k = 0; k < 3 && side.point[k] >= 0; ++k) most = std::max(most, use_[side.point[k]]);
    return most;
}

// All rows look at the same state. Both sides take the same share, so momentum is kept; the thesis let each vertex
// average over its own count.
double SurfaceRows::solve_at_once(bool averages)
{
    changes_.resize(rows_.size());
    for (std::size_t i = 0; i < rows_.size(); ++i) changes_[i] = rows_[i].w > 0 ? wanted(rows_[i]) : Change{};
    count_uses();
    double most = 0;
    for (std::size_t i = 0; i < rows_.size(); ++i) {
        SurfaceRow& row = rows_[i];
        const double share = averages ? 1 : 1 / std::max(uses(row.a), uses(row.b));
        const double push = changes_[i].push * share;
        const Vec3 drag = changes_[i].drag * share, all = row.normal * push + drag;
        if (all == Vec3{}) continue;
        row.push += push, row.drag += drag;
        displace(row.a, all, averages), displace(row.b, -all, averages);
        most = std::max(most, norm(all) * row.w);
    }
    return most;
}

void SurfaceRows::give_expected(const SurfaceRow& row)
{
    const Vec3 way = row.normal * row.push + row.drag, impulse = row.normal * row.lambda + row.slip;
    displace(row.a, way), displace(row.b, -way);
    add_impulse(row.a, impulse), add_impulse(row.b, -impulse);
}

double SurfaceRows::sweep(ContactOrder order)
{
    if (order == ContactOrder::in_turn || order == ContactOrder::thesis_first_only) return solve_in_turn();
    return solve_at_once(order == ContactOrder::thesis_averages);
}

Vec3 SurfaceRows::velocity(const RowSide& side) const
{
    if (side.frame >= 0) {
        const auto nodes = frame(to_->x, side.frame), rates = frame(to_->v, side.frame);
        return rates[0] + cross(angular_velocity(nodes, rates), position(to_->x, side) - nodes[0]);
    }
    return position(to_->v, side);
}

void SurfaceRows::add_impulse(const RowSide& side, const Vec3& impulse)
{
    if (side.frame >= 0) {
        if (is_held(side)) return;
        add_frame_impulse(FrameNodes(&to_->v[model_->frame_node(side.frame)], 4), model_->frame_mass[side.frame],
                          frame(to_->x, side.frame), position(to_->x, side), impulse);
        return;
    }
    for (std::size_t k = 0; k < 3 && side.point[k] >= 0; ++k)
        to_->v[side.point[k]] +=
            free_part(impulse, side.point[k]) * (side.weight[k] * model_->inverse_mass[side.point[k]]);
}

// What a row would change of its impulses now.
SurfaceRows::Impulse SurfaceRows::wanted_impulse(const SurfaceRow& row) const
{
    const Vec3 u = velocity(row.a) - velocity(row.b);
    const double u_n = dot(u, row.normal);
    Impulse wanted{.lambda = std::max(0.0, row.lambda + (row.bounce - u_n) / row.w)};
    if (row.friction == 0) return wanted;
    const Vec3 u_t = u - row.normal * u_n;
    const double speed = norm(u_t);
    double w = row.w;
    if (speed > 0 && (row.a.frame >= 0 || row.b.frame >= 0))
        w = inverse_mass(row.a, u_t / speed) + inverse_mass(row.b, u_t / speed);
    wanted.slip = within(w > 0 ? row.slip - u_t / w : row.slip, row.friction * wanted.lambda);
    return wanted;
}

double SurfaceRows::sweep_velocities()
{
    double most = 0;
    for (SurfaceRow& row : rows_) {
        if ((!(row.push > 0) && row.lambda == 0) || row.w == 0) continue;
        const Impulse wanted = wanted_impulse(row);
        const Vec3 impulse = row.normal * (wanted.lambda - row.lambda) + wanted.slip - row.slip;
        row.lambda = wanted.lambda, row.slip = wanted.slip;
        if (impulse == Vec3{}) continue;
        add_impulse(row.a, impulse), add_impulse(row.b, -impulse);
        most = std::max(most, norm(impulse) * row.w);
    }
    return most;
}

void SurfaceRows::settle_frames()
{
    for (std::int32_t f = 0; f < model_->frame_count; ++f) {
        FrameWay& way = frames_[f];
        if (way.shift == Vec3{} && way.turn == Vec3{}) continue;
        const std::int32_t node = model_->frame_node(f);
        const double angle = norm(way.turn);
        to_->x[node] += way.shift;
        if (angle > 0) {
            const Mat3 R = rotation_matrix(way.turn / angle, angle);
            for (std::int32_t k = 1; k < 4; ++k) to_->x[node + k] = R * to_->x[node + k];
        }
        make_rigid(FrameNodes(&to_->x[node], 4), FrameNodes(&to_->v[node], 4));
        way.shift = way.turn = {};
    }
    place_bound_points(to_->x, to_->v, *model_);
}

// What held vertices take of an impulse; returns what whoever carries them has to do for it [J s].
double SurfaceRows::book_pins(const RowSide& side, const Vec3& impulse)
{
    double work = 0;
    for (std::size_t k = 0; side.frame < 0 && k < 3 && side.point[k] >= 0; ++k) {
        const std::int32_t node = side.point[k];
        if (to_->held[node] == 0) continue;
        const Vec3 share = impulse * side.weight[k];
        work -= dot(share - free_part(share, node), to_->x[node] - from_->x[node]);
        for (std::size_t p = 0; p < model_->pins.size(); ++p)
            if (std::binary_search(model_->pins[p].nodes.begin(), model_->pins[p].nodes.end(), node))
                to_->pin_impulse[p] += share;
    }
    return work;
}

SurfaceRows::Work SurfaceRows::book(double h)
{
    Work work;
    for (const SurfaceRow& row : rows_) {
        const Vec3 impulse = row.normal * row.lambda + row.slip;
        if (impulse == Vec3{}) continue;
        const Vec3 way = position(to_->x, row.a) - position(to_->x, row.b) - row.rub_from;
        work.friction -= dot(row.slip, way) / h;
        work.carried += (book_pins(row.a, impulse) + book_pins(row.b, -impulse)) / h;
        to_->touched[row.a.body] = to_->touched[row.b.body] = 1;
        to_->impulse[row.a.body] += impulse, to_->impulse[row.b.body] -= impulse;
        const auto moved = [&](const RowSide& side) { return position(to_->x, side) - position(from_->x, side); };
        if (is_held(row.b)) work.carried += dot(impulse, moved(row.b)) / h;
        if (is_held(row.a)) work.carried -= dot(impulse, moved(row.a)) / h;
    }
    return work;
}

}  // namespace pliant
