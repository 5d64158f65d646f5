// SPDX-License-Identifier: MIT
#include <pliant/model/held_motion.h>

#include <algorithm>
#include <limits>

#include <pliant/mesh/transform.h>

namespace pliant {

namespace {

// One pin or body that holds and moves.
struct Carried {
    std::span<const std::int32_t> pinned;  // nodes of a pin
    std::int32_t first = 0, count = 0;     // nodes of a body
    bool is_frame = false;
    std::uint8_t axes = 7;
    Vec3 motion, spin;
    const Path* path = nullptr;

    std::int32_t node(std::int32_t i) const { return pinned.empty() ? first + i : pinned[static_cast<std::size_t>(i)]; }
    std::uint8_t axes_of(bool is_axis) const { return is_axis ? std::uint8_t{7} : axes; }
    bool is_accelerated() const { return path != nullptr || spin != Vec3{}; }
    bool moves() const { return is_accelerated() || motion != Vec3{}; }
};

Carried carried_by_pin(const Model& model, const State& state, std::size_t p)
{
    const Pin& pin = model.pins[p];
    return {.pinned = pin.nodes,
            .first = 0,
            .count = static_cast<std::int32_t>(pin.nodes.size()),
            .is_frame = false,
            .axes = pin.axes,
            .motion = state.pins[p].motion,
            .spin = {},
            .path = pin.path < 0 ? nullptr : &model.paths[pin.path]};
}

Carried carried_by_body(const Model& model, const State& state, std::size_t b)
{
    const Body& body = model.bodies[b];
    return {.pinned = {},
            .first = body.is_rigid() ? model.frame_node(body.frame) : body.first_point,
            .count = body.is_rigid() ? 4 : body.point_count,
            .is_frame = body.is_rigid(),
            .axes = static_cast<std::uint8_t>(body.is_rigid() ? 7 & ~sliding_axes(state.bodies[b]) : 7),
            .motion = state.bodies[b].motion,
            .spin = state.bodies[b].spin,
            .path = body.path < 0 ? nullptr : &model.paths[body.path]};
}

// Calls f(carried) for all that holds and moves; whoever comes later has the last word.
template <class F>
void for_each_carried(const Model& model, const State& state, CarriedKind kind, F&& f)
{
    const auto visit = [&](const Carried& carried) {
        if (carried.count > 0 && (kind == CarriedKind::all ? carried.moves() : carried.is_accelerated())) f(carried);
    };
    for (std::size_t p = 0; p < model.pins.size(); ++p)
        if (state.pins[p].enabled) visit(carried_by_pin(model, state, p));
    for (std::size_t b = 0; b < model.bodies.size(); ++b)
        if (state.bodies[b].held) visit(carried_by_body(model, state, b));
}

// What it turns about: the centre of mass, or the middle of the vertices of a pin and of what has no mass.
Vec3 middle(const Carried& carried, const Model& model, std::span<const Vec3> x)
{
    if (carried.is_frame) return x[carried.first];
    Vec3 weighted, sum;
    double mass = 0;
    for (std::int32_t i = 0; i < carried.count; ++i) {
        const std::int32_t node = carried.node(i);
        sum += x[node];
        if (carried.pinned.empty()) weighted += x[node] * model.mass[node], mass += model.mass[node];
    }
    return mass > 0 ? weighted / mass : sum / static_cast<double>(carried.count);
}

void set_held(Vec3& to, const Vec3& value, std::uint8_t axes)
{
    for (int k = 0; k < 3; ++k)
        if (axes >> k & 1) to[k] = value[k];
}

// Calls f(node, arm from the middle): of a frame's axes their own direction, which only turns.
template <class F>
void for_each_arm(const Carried& carried, const Vec3& centre, std::span<const Vec3> x, F&& f)
{
    for (std::int32_t i = 0; i < carried.count; ++i) {
        const std::int32_t node = carried.node(i);
        f(node, carried.is_frame && i > 0 ? x[node] : x[node] - centre, carried.is_frame && i > 0);
    }
}

struct RigidRates {
    Vec3 velocity, acceleration, spin, spin_rate;
};

RigidRates rates_at(const Carried& carried, double time)
{
    RigidRates rates{.velocity = carried.motion, .acceleration = {}, .spin = carried.spin, .spin_rate = {}};
    if (!carried.path) return rates;
    const PathPose pose = pose_at(*carried.path, time);
    rates.velocity += pose.velocity, rates.acceleration = pose.acceleration;
    rates.spin += pose.spin, rates.spin_rate = pose.spin_rate;
    return rates;
}

void set_velocities(std::span<Vec3> v, const Carried& carried, const Model& model, std::span<const Vec3> x, double time)
{
    const RigidRates rates = rates_at(carried, time);
    const Vec3 centre = rates.spin == Vec3{} ? Vec3{} : middle(carried, model, x);
    for_each_arm(carried, centre, x, [&](std::int32_t node, const Vec3& arm, bool is_axis) {
        set_held(v[node], (is_axis ? Vec3{} : rates.velocity) + cross(rates.spin, arm), carried.axes_of(is_axis));
    });
}

// Shift of the middle and turn about it over a step.
struct RigidStep {
    Vec3 shift;
    Mat3 turn = identity3<double>();
    bool turns = false;
};

RigidStep step_of(const Carried& carried, double time, double h)
{
    RigidStep step{.shift = carried.motion * h};
    if (carried.spin != Vec3{}) step.turn = rotation_matrix(carried.spin, norm(carried.spin) * h), step.turns = true;
    if (!carried.path) return step;
    const PathPose begin = pose_at(*carried.path, time), end = pose_at(*carried.path, time + h);
    step.shift += end.shift - begin.shift;
    if (!(end.turn == begin.turn)) step.turn = end.turn * transpose(begin.turn) * step.turn, step.turns = true;
    return step;
}

void carry(std::span<Vec3> x, std::span<Vec3> v, const Carried& carried, const Model& model, const State& from,
           double h)
{
    const RigidStep step = step_of(carried, from.time, h);
    const Vec3 centre = step.turns ? middle(carried, model, from.x) : Vec3{};
    for_each_arm(carried, centre, from.x, [&](std::int32_t node, const Vec3& arm, bool is_axis) {
        Vec3 moved = from.x[node];
        if (step.turns) moved = is_axis ? step.turn * arm : centre + step.turn * arm;
        set_held(x[node], is_axis ? moved : moved + step.shift, carried.axes_of(is_axis));
    });
    set_velocities(v, carried, model, x, from.time + h);
    // Rounding of many small turns would bend the axes.
    if (carried.is_frame && step.turns) make_rigid(FrameNodes(&x[carried.first], 4), FrameNodes(&v[carried.first], 4));
}

}  // namespace

bool carries(const Model& model, const State& state, CarriedKind kind)
{
    bool any = false;
    for_each_carried(model, state, kind, [&](const Carried&) { any = true; });
    return any;
}

void set_carried_velocities(std::span<Vec3> v, const Model& model, const State& state)
{
    for_each_carried(model, state, CarriedKind::all,
                     [&](const Carried& carried) { set_velocities(v, carried, model, state.x, state.time); });
}

void carry_held(std::span<Vec3> x, std::span<Vec3> v, const Model& model, const State& from, double h, CarriedKind kind)
{
    for_each_carried(model, from, kind, [&](const Carried& carried) { carry(x, v, carried, model, from, h); });
}

void set_carried_accelerations(std::span<Vec3> a, const Model& model, const State& state, std::span<const Vec3> x,
                               double time, CarriedNodes nodes)
{
    for_each_carried(model, state, CarriedKind::accelerated, [&](const Carried& carried) {
        if (carried.is_frame != (nodes == CarriedNodes::frames)) return;
        const RigidRates rates = rates_at(carried, time);
        const Vec3 centre = middle(carried, model, x);
        for_each_arm(carried, centre, x, [&](std::int32_t node, const Vec3& arm, bool is_axis) {
            const Vec3 turning = cross(rates.spin_rate, arm) + cross(rates.spin, cross(rates.spin, arm));
            set_held(a[node], is_axis ? turning : rates.acceleration + turning, carried.axes_of(is_axis));
        });
    });
}

double next_keyframe_time(const Model& model, double time)
{
    double next = std::numeric_limits<double>::infinity();
    for (const Path& path : model.paths) next = std::min(next, next_keyframe(path, time));
    return next;
}

bool is_keyframe_time(const Model& model, double time)
{
    for (const Path& path : model.paths)
        for (const PathLeg& leg : path.legs)
            if (leg.end == time) return true;
    return false;
}

}  // namespace pliant
