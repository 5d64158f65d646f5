// SPDX-License-Identifier: MIT
#include <pliant/response/contact_bodies.h>

#include <algorithm>
#include <cmath>

namespace pliant {

double surface_thickness(const Model& model, const State& state, std::size_t body)
{
    if (state.bodies[body].thickness > 0) return state.bodies[body].thickness;
    const bool takes_common = state.contact.thickness > 0 && !model.bodies[body].is_rigid();
    return takes_common ? state.contact.thickness : model.body_thickness[body];
}

void ContactBodies::look(const Model& model, const State& from)
{
    const std::size_t count = model.bodies.size();
    half.resize(count), meets_self.resize(count), is_fixed.resize(count);
    for (std::size_t b = 0; b < count; ++b) {
        half[b] = 0.5 * surface_thickness(model, from, b);
        meets_self[b] = !model.bodies[b].is_rigid() && from.contact.self != SelfContact::off;
        is_fixed[b] = from.bodies[b].held && sliding_axes(from.bodies[b]) == 0;
    }
}

double ContactBodies::least_half() const
{
    double least = HUGE_VAL;
    for (const double h : half)
        if (h > 0) least = std::min(least, h);
    return least;
}

double ContactBodies::most_thickness() const
{
    return half.empty() ? 0 : 2 * *std::max_element(half.begin(), half.end());
}

}  // namespace pliant
