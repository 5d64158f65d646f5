// SPDX-License-Identifier: MIT
#pragma once

// Linear and angular momentum of everything in a world, about the origin [kg m/s, kg m^2/s].

#include <pliant/rigid/frame.h>
#include <pliant/world/world.h>

namespace pliant::test {

struct Momenta {
    Vec3 linear, angular;
};

inline Momenta momenta_of(const World& w)
{
    const Model& model = *w.model;
    const State& s = w.state;
    Momenta p;
    const auto add = [&](const Vec3& x, const Vec3& momentum) {
        p.linear += momentum;
        p.angular += cross(x, momentum);
    };
    for (std::int32_t i = 0; i < model.free_count; ++i) add(s.x[i], s.v[i] * model.mass[i]);
    for (std::int32_t f = 0; f < model.frame_count; ++f) {
        const std::int32_t node = model.frame_node(f);
        const ConstFrameNodes nodes(&s.x[node], 4), rates(&s.v[node], 4);
        add(nodes[0], rates[0] * model.frame_mass[f].mass);
        p.angular += inertia(model.frame_mass[f], nodes) * angular_velocity(nodes, rates);
    }
    return p;
}

}  // namespace pliant::test
