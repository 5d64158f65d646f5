// SPDX-License-Identifier: MIT
#pragma once

// Two small views of an energy: whether it does anything at all, and what its dampers lose.

#include <span>

#include <pliant/energy/views.h>

namespace pliant {

/// Whether any element has a stiffness or damping: terms that are switched off need no sweep. What is not made of rows is
/// taken to act. Ends at the first block of a term that acts.
template <class E>
bool acts(std::span<const RestOf<E, Pack4>> rest, const E& parameters)
{
    if constexpr (RowEnergy<E>) {
        for (const RestOf<E, Pack4>& block : rest)
            for (int m = 0; m < E::rows; ++m) {
                Pack4 unit[E::rows]{}, stiff[E::rows]{}, viscous[E::rows]{};
                unit[m] = Pack4(1.0);
                parameters.stress(block, unit, stiff);
                parameters.viscous_stress(block, unit, viscous);
                for (int n = 0; n < E::rows; ++n)
                    for (int lane = 0; lane < kPackWidth; ++lane)
                        if (stiff[n][lane] != 0 || viscous[n][lane] != 0) return true;
            }
        return false;
    } else
        return !rest.empty();
}

/// Power [W] that the damping of all elements dissipates at velocities v; nothing is computed where there is no damping.
template <class E>
double damping_power(const Elements<E>& elements, const E& parameters, std::span<const Vec3> x, std::span<const Vec3> v,
                     std::span<const double> inner = {})
{
    if (!is_damped(parameters)) return 0;
    const auto& stencils = elements.stencils;
    return reduce<double>(stencils, [&](std::int32_t b) {
        const auto& rest = view_detail::rest_of_block(elements, inner, b);
        Element<E, Pack4> element(parameters, rest, gather(stencils.blocks[b], x));
        return sum(element.damp(gather(stencils.blocks[b], v)) * stencils.weight(b));
    });
}

}  // namespace pliant
