// SPDX-License-Identifier: MIT
#pragma once

// All forces on all nodes at given positions and velocities, and the energies they come from.
//
// Live parameters are read from a State; positions and velocities are given apart, since multi-stage
// integrators evaluate forces between states. Bound points of `x`, `v` must be placed.

#include <span>

#include <pliant/model/model.h>
#include <pliant/model/scratch.h>

namespace pliant {

struct ForceSum {
    double dissipated_power = 0;   ///< [W] in dampers and drag
    std::int32_t bad_cavity = -1;  ///< a cavity whose volume is not positive, or -1
    double bad_volume = 0;         ///< [m^3]
};

/// Writes the force on every node (#points long, bound forces already passed on) at time scratch.time to
/// scratch.force.
ForceSum forces(Scratch&, const Model&, const State& state, std::span<const Vec3> x, std::span<const Vec3> v);

/// The same without what bodies are made of: gravity, loads, goals, drag, air and contact forces; no elements, no gas.
ForceSum outer_forces(Scratch&, const Model&, const State& state, std::span<const Vec3> x, std::span<const Vec3> v);

/// The force in all that a load's formula gives, zero without one [N].
Vec3 load_formula(const Load&, std::span<const Vec3> x, std::span<const Vec3> v, double time);

struct Energies {
    double kinetic = 0, elastic = 0, gravitational = 0, gas = 0;
    double potential() const { return elastic + gravitational + gas; }
    double total() const { return kinetic + potential(); }
};

Energies energies(const Model&, const State&);

/// The drag of the medium on the nodes of a body, none while it waits for the first contact.
struct BodyDrag {
    double drag = 0;     ///< [N s/m] on every node
    double damping = 0;  ///< [1/s] per unit of mass
    bool acts() const { return drag != 0 || damping != 0; }
    double rate(double inverse_mass) const { return damping + drag * inverse_mass; }
};
BodyDrag body_drag(const State&, std::size_t body);

/// Where loads and goals push from: the centre of the radial springs, else the centre of mass.
Vec3 body_center(const Model&, const Body&, std::span<const Vec3> x);

/// The internal variables of term t.
std::span<const double> inner_of(const Model&, const State&, std::size_t term);

/// The permanent extensions of radial springs r.
std::span<const double> extension_of(const Model&, const State&, std::size_t radial);

/// The acceleration that gravity gives body b, zero when switched off.
Vec3 body_gravity(const State&, std::size_t body);

/// The first node and number of nodes that carry the mass of a body (a rigid one: its centre).
struct NodeRange {
    std::int32_t first = 0, count = 0;
};
NodeRange mass_nodes(const Model&, const Body&);

/// Stiffness [N/m] and damping [N s/m] of all grips on a point.
struct GripRates {
    double k = 0, d = 0;
};
GripRates grips_on(const State& state, std::int32_t point);

/// Rate bounds at the present state: elastic [1/s^2] and damping [1/s].
struct Rates {
    double stiffness = 0, damping = 0;
};
Rates rate_bounds(const Model&, const State&, Scratch&);

/// What the present materials resist at each free vertex in the start shape [N/m]: the mean of the diagonal of their
/// elastic matrix, in whatever direction. The same wherever things have moved since.
void find_resistance(std::vector<double>& resistance, const Model&, const State&);

}  // namespace pliant
