// SPDX-License-Identifier: MIT
#pragma once

// Measures: named numbers of a state, the same in recordings, plots, expectations and Python.
//
//   energy.kinetic|elastic|gravitational|gas|dissipated|external|switched|total [J], energy.error [1]
//   momentum.x|y|z [kg m/s], contacts
//   BODY.center.x|y|z [m], BODY.velocity.x|y|z [m/s] of the centre of mass, BODY.low, BODY.high [m] along up
//   BODY.strain.mean|max [1] and BODY.tension [N/m] of springs (tension: mean over the area of its faces)
//   BODY.volume [m3], BODY.pressure [Pa, absolute], BODY.gas [J] of a cavity
//   PIN.reaction.x|y|z [N], PROBE.x|y|z [m]
//   intersections, where record.intersections asks for them
//
// energy.error is the change of total + dissipated - external - switched since the start over the
// largest swing of any energy so far: what the integrator got wrong, never booked away.

#include <vector>

#include <pliant/model/report.h>
#include <pliant/world/world.h>

namespace pliant {

/// Writes the names into model.topology.measures; called by build.
void name_measures(Model&);

/// All measures of the present state, index for index with their names. `seconds` is the time that
/// contact impulses on pins were collected over [s].
std::vector<double> measures(World&, int contacts, double seconds);

/// Notes the energy of the start state.
void start_energy_account(World&);

/// Widens the ranges that energy.error is measured against; part of every step.
void update_energy_account(World&);

/// A node at a spring longer than kMostStretch times its rest length, or -1.
inline constexpr double kMostStretch = 100;
std::int32_t overstretched_node(const Model&, const State&);

/// Value of one measure by name in a list made by measures(); NaN when there is none.
double find_measure(const Model&, const std::vector<double>& values, const std::string& name);

/// Copies the state into a frame.
Frame sample(World&, const StepReport& report, double seconds);

}  // namespace pliant
