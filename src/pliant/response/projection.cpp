// SPDX-License-Identifier: MIT
#include <pliant/response/projection.h>

#include <algorithm>
#include <cmath>

#include <pliant/contact/search.h>
#include <pliant/model/points.h>

namespace pliant {

double separation_speed(RestitutionRule rule, double e, double u_n, double u_t, double w_a, double w_b)
{
    if (rule == RestitutionRule::newton) return -e * u_n;
    // Energy in the frame of the struck body, times e. The striking body is the one that can move.
    if (w_a == 0) std::swap(w_a, w_b);
    const double r = w_b / w_a;
    const double left = u_n * u_n * (e * (r + 1) - r) - (r + 1) * (1 - e) * u_t * u_t;
    // A grazing impact cannot lose as much along the normal as is asked: then it loses all it can.
    return left > 0 ? std::sqrt(left) : 0;
}

namespace {

class Correction {
public:
    Correction(State& to, const Model& model, const State& from, double h) : to_(to), model_(model), from_(from), h_(h)
    {
    }

    ContactRow make_row(const Contact& c) const
    {
        ContactRow row;
        const double w_a = inverse_mass(c.a, c.at, c.normal), w_b = inverse_mass(c.b, c.at, c.normal);
        row.inverse_mass = w_a + w_b;
        row.translation = translation_inverse_mass(c.a, c.normal) + translation_inverse_mass(c.b, c.normal);
        const BodyLive &a = from_.bodies[c.a.body], &b = from_.bodies[c.b.body];
        row.friction = a.friction * b.friction;
        const Vec3 u_from = velocity(from_, c.a, c.at) - velocity(from_, c.b, c.at);
        const Vec3 change = velocity(to_, c.a, c.at) - velocity(to_, c.b, c.at) - u_from;
        row.separation = dot(position(to_, c.a) - position(to_, c.b), c.normal);
        row.mean_offset = u_from * 0.5;
        row.acting_time = 0.5 * h_;
        // What a step of free fall can bring is resting, not an impact.
        const double slow = from_.world.gravity_enabled ? 2 * norm(from_.world.gravity) * h_ : 0;
        if (dot(u_from, c.normal) < -slow) plan_impact(row, c, u_from, change, a.restitution * b.restitution, w_a, w_b);
        return row;
    }

    // The way through an impact: approach until the surface is met, leave it with the speed that the
    // restitution gives, go on under the same acceleration. Speeds and the energy lost are taken at
    // the moment of impact, not at the ends of the step.
    void plan_impact(ContactRow& row, const Contact& c, const Vec3& u_from, const Vec3& change, double e, double w_a,
                     double w_b) const
    {
        const double gap_from = c.gap + dot(position(from_, c.a) - position(from_, c.b), c.normal) - row.separation;
        const double met = gap_from > 0 ? gap_from / (gap_from - c.gap) : 0;
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
        const double gap = c.gap + dot(position(to_, c.a) - position(to_, c.b), c.normal) - row.separation - row.rise;
        if (gap >= 0) return;
        const Vec3 push = c.normal * (-gap / row.translation);
        displace(c.a, push), displace(c.b, -push);
    }

    void push_apart(const Contact& c, ContactRow& row)
    {
        if (row.inverse_mass == 0) return;
        const Vec3 u = velocity(to_, c.a, c.at) - velocity(to_, c.b, c.at);
        const double lambda = std::max(0.0, row.lambda + (row.target - dot(u, c.normal)) / row.inverse_mass);
        const double change = lambda - row.lambda;
        row.lambda = lambda;
        apply(c, c.normal * change);
    }

    void rub(const Contact& c, ContactRow& row)
    {
        if (row.friction == 0 || row.inverse_mass == 0) return;
        const Vec3 u = velocity(to_, c.a, c.at) - velocity(to_, c.b, c.at);
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
    void carry(const Contact& c, const ContactRow& row)
    {
        if (row.slip == Vec3{}) return;
        displace(c.a, row.slip * row.acting_time), displace(c.b, row.slip * -row.acting_time);
    }

    // Work of the accumulated impulses over the step, and what held vertices took of them.
    void book(const Contact& c, const ContactRow& row)
    {
        const Vec3 mean = row.mean_offset + (velocity(to_, c.a, c.at) - velocity(to_, c.b, c.at)) * 0.5;
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
    FrameNodes frame(std::vector<Vec3>& values, std::int32_t f) const
    {
        return FrameNodes(&values[model_.frame_node(f)], 4);
    }
    ConstFrameNodes frame(const std::vector<Vec3>& values, std::int32_t f) const
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

    Vec3 position(const State& state, const ContactSide& side) const
    {
        if (side.frame >= 0) return state.x[model_.frame_node(side.frame)];
        Vec3 x;
        for (int k = 0; k < 3 && side.point[k] >= 0; ++k) x += state.x[side.point[k]] * side.weight[k];
        return x;
    }

    // Of the material point that touches. The arm is taken at the end of the step for both ends of it: a
    // body that rolls on touches with a point that did not move towards the ground.
    Vec3 velocity(const State& state, const ContactSide& side, const Vec3& at) const
    {
        if (side.frame >= 0) {
            const auto nodes = frame(state.x, side.frame), rates = frame(state.v, side.frame);
            const Vec3 arm = at - to_.x[model_.frame_node(side.frame)];
            return rates[0] + cross(angular_velocity(nodes, rates), arm);
        }
        Vec3 v;
        for (int k = 0; k < 3 && side.point[k] >= 0; ++k) v += state.v[side.point[k]] * side.weight[k];
        return v;
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
                add_frame_impulse(frame(to_.v, side.frame), model_.frame_mass[side.frame],
                                  frame(std::as_const(to_).x, side.frame), at, impulse);
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
        if (is_carried(c.b)) to_.ledger.external += dot(impulse, velocity(to_, c.b, c.at));
        if (is_carried(c.a)) to_.ledger.external -= dot(impulse, velocity(to_, c.a, c.at));
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
};

ContactQuery query_of(const State& state, const Model& model)
{
    return {.x = state.x,
            .points = model.contact_points,
            .shapes = model.shapes,
            .faces = model.contact_faces,
            .face_body = model.contact_face_body,
            .held = state.held,
            .first_frame_node = model.free_count,
            .all_faces = state.contact.faces == ContactFaces::all};
}

}  // namespace

int correct_by_projection(State& to, const Model& model, const State& from, double h, Scratch& scratch)
{
    if (!from.contact.enabled || model.shapes.empty()) return 0;
    find_contacts(scratch.contacts, query_of(to, model));
    if (scratch.contacts.empty()) return 0;
    Correction correction(to, model, from, h);
    auto& rows = scratch.contact_rows;
    rows.clear();
    for (const Contact& contact : scratch.contacts) rows.push_back(correction.make_row(contact));
    for (int pass = 0; pass < from.contact.iterations; ++pass)
        for (std::size_t i = 0; i < rows.size(); ++i) {
            correction.project(scratch.contacts[i], rows[i]);
            correction.push_apart(scratch.contacts[i], rows[i]);
            correction.rub(scratch.contacts[i], rows[i]);
        }
    for (std::size_t i = 0; i < rows.size(); ++i) correction.book(scratch.contacts[i], rows[i]);
    for (std::size_t i = 0; i < rows.size(); ++i) correction.carry(scratch.contacts[i], rows[i]);
    place_bound_points(to.x, to.v, model);
    return static_cast<int>(scratch.contacts.size());
}

}  // namespace pliant
