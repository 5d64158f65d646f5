// SPDX-License-Identifier: MIT
#pragma once

// Correction: what one contact may do to a proposal, whichever response asks. Positions are pushed apart, velocities
// get impulses along the normal and across it, and the work of these goes into the ledger.
//
// Sides of a contact are free vertices with weights or frames; held coordinates and colliders are infinite masses.
// Symbols: u relative velocity of a to b [m/s], w inverse masses [1/kg], lambda and slip impulses [N s], e restitution.

#include <algorithm>
#include <span>

#include <pliant/model/model.h>
#include <pliant/model/scratch.h>
#include <pliant/model/state.h>
#include <pliant/response/projection.h>

namespace pliant {

class Correction {
public:
    /// `free_x` and `free_v` are the proposal before any contact touched it, as far as the impacts are planned from it.
    Correction(State& to, const Model& model, const State& from, double h, std::span<const Vec3> free_x,
               std::span<const Vec3> free_v)
        : to_(to)
        , model_(model)
        , from_(from)
        , h_(h)
        , free_x_(free_x)
        , free_v_(free_v)
    {
    }

    /// `may_strike`: a contact that goes on has no impact, whatever rounding made of its velocities.
    ContactRow make_row(const Contact& c, bool may_strike = true) const
    {
        ContactRow row;
        const double w_a = inverse_mass(c.a, c.at, c.normal), w_b = inverse_mass(c.b, c.at, c.normal);
        row.inverse_mass = w_a + w_b;
        row.translation = translation_inverse_mass(c.a, c.normal) + translation_inverse_mass(c.b, c.normal);
        const BodyLive &a = from_.bodies[c.a.body], &b = from_.bodies[c.b.body];
        row.friction = a.friction * b.friction;
        const Vec3 u_from = relative_velocity(from_.x, from_.v, c);
        const Vec3 change = relative_velocity(free_x_, free_v_, c) - u_from;
        row.separation = separation(to_.x, c);
        row.mean_offset = u_from * 0.5;
        row.acting_time = 0.5 * h_;
        // What a step of free fall can bring is resting, not an impact.
        const double slow = from_.world.gravity_enabled ? 2 * norm(from_.world.gravity) * h_ : 0;
        row.is_impact = may_strike && dot(u_from, c.normal) < -slow;
        if (row.is_impact) plan_impact(row, c, u_from, change, a.restitution * b.restitution, w_a, w_b);
        return row;
    }

    // The way through an impact: approach until the surface is met, leave it with the speed that the
    // restitution gives, go on under the same acceleration. Speeds and the energy lost are taken at
    // the moment of impact, not at the ends of the step.
    void plan_impact(ContactRow& row, const Contact& c, const Vec3& u_from, const Vec3& change, double e, double w_a,
                     double w_b) const
    {
        const double gap_from = c.gap + separation(from_.x, c) - row.separation;
        const double gap_to = c.gap + (separation(free_x_, c) - row.separation);
        const double met = gap_from > 0 && gap_to < 0 ? gap_from / (gap_from - gap_to) : 0;
        const double left = 1 - met, gained = dot(change, c.normal);
        const Vec3 before = u_from + change * met;
        const double u_n = std::min(0.0, dot(before, c.normal));
        const bool a_strikes = strikes(c.a, c.b);
        const double away = separation_speed(from_.contact.rule, e, u_n, norm(before - c.normal * u_n),
                                             a_strikes ? w_a : w_b, a_strikes ? w_b : w_a);
        const double end_speed = away + left * gained, rise = (away + 0.5 * left * gained) * left * h_;
        row.mean_offset = before * 0.5;
        row.acting_time = left * h_;
        if (end_speed > 0 && rise > 0) {
            row.target = end_speed, row.rise = rise;
            row.mean_offset -= change * (0.5 * left);
        } else if (row.inverse_mass > 0) {
            // It comes to rest: what then carries the load does no work.
            row.workless = std::max(0.0, -left * gained / row.inverse_mass);
        }
    }

    // Whether the first side strikes the second: a rigid body strikes a vertex, the faster of two rigid
    // bodies the slower one. Only the rule energy_efficiency asks.
    bool strikes(const ContactSide& first, const ContactSide& second) const
    {
        if (first.frame < 0 || second.frame < 0) return first.frame >= 0;
        return norm2(from_.v[model_.frame_node(first.frame)]) > norm2(from_.v[model_.frame_node(second.frame)]);
    }

    void project(const Contact& c, const ContactRow& row)
    {
        if (row.translation == 0) return;
        const double gap = c.gap + separation(to_.x, c) - row.separation - row.rise;
        if (gap >= 0) return;
        const Vec3 push = c.normal * (-gap / row.translation);
        displace(c.a, push), displace(c.b, -push);
    }

    /// The same with a multiplier that is kept: what was pushed too far, or was expected and is not needed, is taken
    /// back. Returns how far the sides moved [m].
    double hold_apart(const Contact& c, ContactRow& row)
    {
        if (row.translation == 0) return 0;
        const double gap = c.gap + separation(to_.x, c) - row.separation - row.rise;
        const double push = std::max(0.0, row.push - gap / row.translation), change = push - row.push;
        if (change == 0) return 0;
        row.push = push;
        displace(c.a, c.normal * change), displace(c.b, c.normal * -change);
        return std::abs(change) * row.translation;
    }

    /// The gap at the start of the step, by the normal and weights of the contact.
    double start_gap(const Contact& c, const ContactRow& row) const
    {
        return c.gap + separation(from_.x, c) - row.separation;
    }

    void push_apart(const Contact& c, ContactRow& row)
    {
        if (row.inverse_mass == 0) return;
        const Vec3 u = relative_velocity(to_.x, to_.v, c);
        const double lambda = std::max(0.0, row.lambda + (row.target - dot(u, c.normal)) / row.inverse_mass);
        const double change = lambda - row.lambda;
        row.lambda = lambda;
        apply(c, c.normal * change);
    }

    void rub(const Contact& c, ContactRow& row)
    {
        if (row.friction == 0 || row.inverse_mass == 0) return;
        const Vec3 u = relative_velocity(to_.x, to_.v, c);
        const Vec3 u_t = u - c.normal * dot(u, c.normal);
        const double speed = norm(u_t);
        if (speed == 0) return;
        const Vec3 direction = u_t / speed;
        const double w = inverse_mass(c.a, c.at, direction) + inverse_mass(c.b, c.at, direction);
        Vec3 slip = row.slip - u_t / w;
        const double most = row.friction * row.lambda, asked = norm(slip);
        if (asked > most) slip *= most / asked;
        apply(c, slip - row.slip);
        row.slip = slip;
    }

    // Friction acted for a while, so it moved things too: without this a sticking point would creep by
    // what the forces on it do to its position within a step. (Frames are only shifted: the torques of
    // all contacts together turn them, and those are in the velocities.)
    void carry(const Contact& c, ContactRow& row)
    {
        const Vec3 rest = row.slip - row.carried;
        if (rest == Vec3{}) return;
        displace(c.a, rest * row.acting_time), displace(c.b, rest * -row.acting_time);
        row.carried = row.slip;
    }

    // Work of the accumulated impulses over the step, and what held vertices took of them.
    void book(const Contact& c, const ContactRow& row)
    {
        const Vec3 mean = row.mean_offset + (relative_velocity(to_.x, to_.v, c)) * 0.5;
        to_.ledger.impact -= (row.lambda - std::min(row.workless, row.lambda)) * dot(mean, c.normal);
        to_.ledger.friction -= dot(row.slip, mean);
        const Vec3 impulse = c.normal * row.lambda + row.slip;
        book_pins(c.a, impulse), book_pins(c.b, -impulse);
        book_bodies(c, impulse);
    }

private:
    bool is_fixed(std::int32_t node) const { return to_.held[node] != 0; }
    // What is left of a vector once the held coordinates of a node are taken out.
    Vec3 free_part(const Vec3& a, std::int32_t node) const
    {
        const std::uint8_t held = to_.held[node];
        return {held & 1 ? 0 : a.x, held & 2 ? 0 : a.y, held & 4 ? 0 : a.z};
    }
    ConstFrameNodes frame(std::span<const Vec3> values, std::int32_t f) const
    {
        return ConstFrameNodes(&values[model_.frame_node(f)], 4);
    }

    double inverse_mass(const ContactSide& side, const Vec3& at, const Vec3& n) const
    {
        if (side.frame < 0) return translation_inverse_mass(side, n);
        if (is_fixed(model_.frame_node(side.frame))) return 0;
        return dot(n, frame_inverse_mass(model_.frame_mass[side.frame], frame(to_.x, side.frame), at) * n);
    }

    double translation_inverse_mass(const ContactSide& side, const Vec3& n) const
    {
        if (side.frame >= 0) {
            const std::int32_t node = model_.frame_node(side.frame);
            return is_fixed(node) ? 0 : model_.inverse_mass[node];
        }
        double w = 0;
        for (int k = 0; k < 3 && side.point[k] >= 0; ++k)
            w += side.weight[k] * side.weight[k] * model_.inverse_mass[side.point[k]] *
                 norm2(free_part(n, side.point[k]));
        return w;
    }

    Vec3 position(std::span<const Vec3> x, const ContactSide& side) const
    {
        if (side.frame >= 0) return x[model_.frame_node(side.frame)];
        Vec3 sum;
        for (int k = 0; k < 3 && side.point[k] >= 0; ++k) sum += x[side.point[k]] * side.weight[k];
        return sum;
    }
    double separation(std::span<const Vec3> x, const Contact& c) const
    {
        return dot(position(x, c.a) - position(x, c.b), c.normal);
    }

    // Of the material point that touches. The arm is taken at the end of the step for both ends of it: a
    // body that rolls on touches with a point that did not move towards the ground.
    Vec3 velocity(std::span<const Vec3> x, std::span<const Vec3> v, const ContactSide& side, const Vec3& at) const
    {
        if (side.frame >= 0) {
            const auto nodes = frame(x, side.frame), rates = frame(v, side.frame);
            const Vec3 arm = at - to_.x[model_.frame_node(side.frame)];
            return rates[0] + cross(angular_velocity(nodes, rates), arm);
        }
        Vec3 sum;
        for (int k = 0; k < 3 && side.point[k] >= 0; ++k) sum += v[side.point[k]] * side.weight[k];
        return sum;
    }
    Vec3 relative_velocity(std::span<const Vec3> x, std::span<const Vec3> v, const Contact& c) const
    {
        return velocity(x, v, c.a, c.at) - velocity(x, v, c.b, c.at);
    }

    void displace(const ContactSide& side, const Vec3& push)
    {
        if (side.frame >= 0) {
            const std::int32_t node = model_.frame_node(side.frame);
            if (!is_fixed(node)) to_.x[node] += push * model_.inverse_mass[node];
            return;
        }
        for (int k = 0; k < 3 && side.point[k] >= 0; ++k)
            to_.x[side.point[k]] +=
                free_part(push, side.point[k]) * (side.weight[k] * model_.inverse_mass[side.point[k]]);
    }

    void apply(const Contact& c, const Vec3& impulse)
    {
        add_impulse(c.a, c.at, impulse), add_impulse(c.b, c.at, -impulse);
    }

    void add_impulse(const ContactSide& side, const Vec3& at, const Vec3& impulse)
    {
        if (side.frame >= 0) {
            if (!is_fixed(model_.frame_node(side.frame)))
                add_frame_impulse(FrameNodes(&to_.v[model_.frame_node(side.frame)], 4), model_.frame_mass[side.frame],
                                  frame(to_.x, side.frame), at, impulse);
            return;
        }
        for (int k = 0; k < 3 && side.point[k] >= 0; ++k)
            to_.v[side.point[k]] +=
                free_part(impulse, side.point[k]) * (side.weight[k] * model_.inverse_mass[side.point[k]]);
    }

    // Who touched whom, with what impulse, and the work of those who are carried whatever they meet.
    void book_bodies(const Contact& c, const Vec3& impulse)
    {
        if (impulse == Vec3{}) return;
        to_.touched[c.a.body] = to_.touched[c.b.body] = 1;
        to_.impulse[c.a.body] += impulse, to_.impulse[c.b.body] -= impulse;
        if (is_carried(c.b)) to_.ledger.external += dot(impulse, velocity(to_.x, to_.v, c.b, c.at));
        if (is_carried(c.a)) to_.ledger.external -= dot(impulse, velocity(to_.x, to_.v, c.a, c.at));
    }
    bool is_carried(const ContactSide& side) const
    {
        return side.frame >= 0 && is_fixed(model_.frame_node(side.frame));
    }

    void book_pins(const ContactSide& side, const Vec3& impulse)
    {
        for (int k = 0; side.frame < 0 && k < 3 && side.point[k] >= 0; ++k)
            if (is_fixed(side.point[k]))
                for (std::size_t p = 0; p < model_.pins.size(); ++p)
                    if (std::binary_search(model_.pins[p].nodes.begin(), model_.pins[p].nodes.end(), side.point[k]))
                        to_.pin_impulse[p] += impulse * side.weight[k];
    }

    State& to_;
    const Model& model_;
    const State& from_;
    double h_;
    std::span<const Vec3> free_x_, free_v_;
};

/// What shapes touch at the end of a proposal.
ContactQuery query_of(const State& state, const Model& model);

}  // namespace pliant
