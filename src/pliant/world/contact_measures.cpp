// SPDX-License-Identifier: MIT
#include <pliant/world/contact_measures.h>

#include <limits>
#include <span>
#include <vector>

#include <pliant/contact/pair_gaps.h>
#include <pliant/response/thesis_springs.h>

namespace pliant {

ContactMeasures contact_measures(const Model& model, const State& state)
{
    ContactMeasures m{.resting = static_cast<double>(state.tally.resting),
                      .held = static_cast<double>(state.tally.held)};
    m.spring_energy = contact_spring_energy(state);
    PenetrationSearch search;
    std::vector<Penetration> found;
    const auto x = std::span(state.x).first(static_cast<std::size_t>(model.free_count));
    m.deepest =
        search.find(found, model.surface, x) ? deepest_penetration(found) : std::numeric_limits<double>::quiet_NaN();
    return m;
}

}  // namespace pliant
