// SPDX-License-Identifier: MIT
#include <pliant/energy/gas.h>

#include <cmath>

namespace pliant {

double pressure(const Gas& gas, double volume)
{
    switch (gas.law) {
    case GasLaw::constant_pressure:
        return gas.pressure;
    case GasLaw::adiabatic:
        return gas.k_g / volume * std::pow(gas.reference_volume / volume, gas.gamma - 1);
    case GasLaw::isothermal:
    case GasLaw::thesis_fourfold:
        break;
    }
    return gas.k_g / volume;
}

double gas_stiffness(const Gas& gas, double volume)
{
    switch (gas.law) {
    case GasLaw::constant_pressure:
        return 0;
    case GasLaw::adiabatic:
        return gas.gamma * pressure(gas, volume) / volume;
    case GasLaw::isothermal:
    case GasLaw::thesis_fourfold:
        break;
    }
    return pressure(gas, volume) / volume;
}

double gas_energy(const Gas& gas, double volume)
{
    if (!gas.enabled) return 0;
    const double ratio = gas.reference_volume / volume;
    const double outside_work = gas.outside * (volume - gas.reference_volume);
    switch (gas.law) {
    case GasLaw::constant_pressure:
        return outside_work - gas.pressure * (volume - gas.reference_volume);
    case GasLaw::adiabatic:
        return outside_work + gas.k_g * (std::pow(ratio, gas.gamma - 1) - 1) / (gas.gamma - 1);
    case GasLaw::isothermal:
    case GasLaw::thesis_fourfold:
        break;
    }
    return outside_work + gas.k_g * std::log(ratio);
}

namespace {

// Tetrahedra start from a corner of the body, not from the origin: less cancellation far from it.
Vec3T<Pack4> apex_of(const Cavity& cavity, std::span<const Vec3> x)
{
    const Vec3& o = x[cavity.faces.blocks[0].node[0][0]];
    return {o.x, o.y, o.z};
}

}  // namespace

double volume(const Cavity& cavity, std::span<const Vec3> x)
{
    if (cavity.faces.blocks.empty()) return 0;
    const Vec3T<Pack4> apex = apex_of(cavity, x);
    const double six = reduce<double>(cavity.faces, [&](std::int32_t b) {
        const auto corner = gather(cavity.faces.blocks[b], x);
        const Pack4 part = dot(corner[0] - apex, cross(corner[1] - corner[0], corner[2] - corner[0]));
        return sum(cavity.faces.is_padded(b) ? part * cavity.faces.weight(b) : part);
    });
    return six / 6;
}

double add_volume_gradient(std::span<Vec3> gradient, const Cavity& cavity, std::span<const Vec3> x,
                           std::span<Vec3> windows)
{
    if (cavity.faces.blocks.empty()) return 0;
    const Vec3T<Pack4> apex = apex_of(cavity, x);
    // A third of the area vector for each corner: on a closed surface this is dV/dx, and it does not
    // depend on where the origin is.
    const double six = assemble<double>(gradient, cavity.faces, windows, [&](std::int32_t b, auto& out) {
        const auto corner = gather(cavity.faces.blocks[b], x);
        Vec3T<Pack4> twice_area = cross(corner[1] - corner[0], corner[2] - corner[0]);
        if (cavity.faces.is_padded(b)) twice_area *= cavity.faces.weight(b);
        out[0] = out[1] = out[2] = twice_area * Pack4(1.0 / 6);
        return sum(dot(corner[0] - apex, twice_area));
    });
    return six / 6;
}

void add_thesis_fourfold_force(std::span<Vec3> force, const Cavity& cavity, std::span<const Vec3> x, double pressure)
{
    for (const auto& quad : cavity.quads) {
        const Vec3 &a = x[quad[0]], &b = x[quad[1]], &c = x[quad[2]], &d = x[quad[3]];
        const double area = 0.5 * (norm(cross(b - a, c - a)) + norm(cross(b - d, c - d)));
        // Corner normals, each (edge to the next) x (edge to the one before), around a, c, d, b.
        const Vec3 mean = normalized(cross(c - a, b - a)) + normalized(cross(d - c, a - c)) +
                          normalized(cross(b - d, c - d)) + normalized(cross(a - b, d - b));
        const Vec3 push = normalized(mean) * (area * pressure);
        for (const std::int32_t corner : quad) force[corner] += push;
    }
}

}  // namespace pliant
