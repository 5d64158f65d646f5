// SPDX-License-Identifier: MIT
#include <pliant/record/advice.h>

#include <string_view>

#include <fmt/format.h>

namespace pliant {

std::vector<std::string> advice_on(const State& state, double unbalanced)
{
    if (!(unbalanced > kMuchLeft)) return {};
    const bool sweeps = state.solver.kind == SolverKind::vbd;
    const std::string_view harm =
        sweeps ? "cloth is softer than its material, and what moves is braked" : "what moves may be braked";
    const std::string cure =
        sweeps ? fmt::format("raise solver.iterations (now {}), or take implicit_euler", state.solver.iterations)
               : fmt::format("raise contact.budget (now {})", state.contact.budget);
    return {fmt::format("steps ended before their forces were balanced: {:.0f} % of what drove them was left over in "
                        "the mean (contacts.unbalanced). Nothing crosses, but {}; {}",
                        100 * unbalanced, harm, cure)};
}

}  // namespace pliant
