// SPDX-License-Identifier: MIT
#pragma once

// Gas in a cavity bounded by a closed list of faces, some moving, some held.
//
// The gas does work -(p - p_out) dV on the faces, so E(V) = -int (p - p_out) dV and the force on a
// node is exactly (p - p_out) dV/dx. Laws:
//   isothermal         p = N / V                          E = -N ln(V/V0) + p_out (V - V0)
//   adiabatic          p = N / V (V0/V)^(gamma-1)         E = N ((V0/V)^(gamma-1) - 1)/(gamma-1) + p_out (V-V0)
//   constant_pressure  p = pressure                       E = -(p - p_out)(V - V0)
//   thesis_fourfold    the force of seed 000 as printed (W1): p A n in full on each of the four corners
//                      of every quad, which is four times the gas and not the gradient of anything.
// N = n R T is the amount of gas [J]; pumping and leaking change it: dN/dt = pump - leak (p - p_out).
// Symbols: V volume [m^3], V0 reference volume [m^3], p pressure [Pa].

#include <array>
#include <span>
#include <vector>

#include <pliant/base/describe.h>
#include <pliant/energy/stencils.h>

namespace pliant {

enum class GasLaw : std::int32_t { isothermal, adiabatic, constant_pressure, thesis_fourfold };
constexpr std::array<std::string_view, 4> enum_names(GasLaw)
{
    return {"isothermal", "adiabatic", "constant_pressure", "thesis_fourfold"};
}

struct Gas {
    bool enabled = true;
    GasLaw law = GasLaw::isothermal;
    double k_g = 0;               ///< [J] N = n R T, the amount of gas
    double pressure = 0;          ///< [Pa] absolute; start pressure when k_g is 0; kept by constant_pressure
    double outside = 0;           ///< [Pa] absolute pressure outside
    double gamma = 1.4;           ///< [1] adiabatic exponent
    double reference_volume = 0;  ///< [m^3] V0; the volume at the start when 0
    double pump = 0;              ///< [J/s] gas let in
    double leak = 0;              ///< [m^3/s] gas let out per unit of gauge pressure
};

template <class V>
void describe(V&& visit, Gas& g)
{
    constexpr Change live = Change::live;
    visit(Field{"enabled", "", 0, 1, "whether the gas acts", live}, g.enabled);
    visit(Field{"law", "", 0, 0, "how pressure follows volume", live}, g.law);
    visit(Field{"k_g", "J", 0, 1e15, "amount of gas n R T; at 1 atm about 101325 J per cubic metre", live}, g.k_g);
    visit(Field{"pressure", "Pa", 0, 1e12,
                "absolute pressure at the start (gives k_g when that is 0), kept for ever by constant_pressure", live},
          g.pressure);
    visit(Field{"outside", "Pa", 0, 1e12, "absolute pressure outside; 0 as in seed 000", live}, g.outside);
    visit(Field{"gamma", "1", 1.0001, 5, "adiabatic exponent: 1.4 for air", live}, g.gamma);
    visit(Field{"reference_volume", "m3", 0, 1e15, "volume where adiabatic and isothermal agree; 0 takes the start's"},
          g.reference_volume);
    visit(Field{"pump", "J/s", -1e15, 1e15, "gas let in: rate of n R T", live}, g.pump);
    visit(Field{"leak", "m3/s", 0, 1e12, "gas let out: rate of n R T per pascal of gauge pressure", live}, g.leak);
}

/// Absolute pressure [Pa] at volume V > 0, whether or not the gas is enabled.
double pressure(const Gas&, double volume);

/// -dp/dV [Pa/m^3] at volume V > 0.
double gas_stiffness(const Gas&, double volume);

/// E(V) [J], zero at the reference volume; 0 when the gas is disabled.
double gas_energy(const Gas&, double volume);

/// A closed list of faces.
struct Cavity {
    Stencils<3> faces;
    std::vector<std::array<std::int32_t, 4>> quads;  ///< for thesis_fourfold: particle, right, down, diagonal
};

/// Exact signed volume [m^3], positive when the faces look outwards.
double volume(const Cavity&, std::span<const Vec3> x);

/// The volume [m^3], adding dV/dx to `gradient` on the way: one pass for both.
double add_volume_gradient(std::span<Vec3> gradient, const Cavity&, std::span<const Vec3> x, std::span<Vec3> windows);

/// Adds seed 000's force as printed: pressure times area times mean normal, in full on every corner.
void add_thesis_fourfold_force(std::span<Vec3> force, const Cavity&, std::span<const Vec3> x, double pressure);

}  // namespace pliant
