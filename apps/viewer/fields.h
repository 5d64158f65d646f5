// SPDX-License-Identifier: MIT
#pragma once

// Numbers at every point that surfaces are coloured by: what the frames have, and what follows from positions and
// velocities.

#include <span>
#include <string>
#include <vector>

#include <pliant/model/frame.h>

namespace pliant::viewer {

struct ColourField {
    std::string name, label;  ///< "speed", "speed [m/s]"
};

/// Those of a topology: its own fields, then speed [m/s], acceleration [m/s^2], force [N] where masses are known, strain
/// of edges [1], and pressure [Pa] where bodies have gas.
std::vector<ColourField> colour_fields(const Topology& topology, bool has_masses);

class FieldValues {
public:
    /// Lengths of edges at the start are those without strain; masses [kg] of the first points, or none.
    FieldValues(const Topology& topology, const Frame& start, std::span<const double> mass = {});

    /// Values of all points in a frame; the frame before gives accelerations and may be missing.
    const std::vector<double>& find(const std::string& name, const Frame& frame, const Frame* before);

private:
    void find_accelerations(const Frame& frame, const Frame& before, bool by_mass);
    void find_strain(const Frame& frame);
    void find_pressure(const Frame& frame);

    const Topology& topology_;
    std::span<const double> mass_;
    std::vector<Edge> edges_;
    std::vector<double> rest_;  // [m] index for index with edges_
    std::vector<double> values_;
};

}  // namespace pliant::viewer
