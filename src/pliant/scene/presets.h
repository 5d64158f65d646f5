// SPDX-License-Identifier: MIT
#pragma once

// Named materials for sheets that springs stand for.
//
// The numbers are typical ones out of published ranges, for small strains and room temperature; real
// samples vary by a factor of two and more. A scene that needs a certain sheet measures it and writes
// its own numbers over the preset's. The sources name where ranges of this size are published; no number is
// copied from a certain page.

#include <span>
#include <string_view>

#include <pliant/scene/scene.h>

namespace pliant {

/// One named material.
struct Preset {
    std::string_view name;
    std::string_view sentence;
    double young;         ///< [Pa]
    double thickness;     ///< [m]
    double density;       ///< [kg/m3]
    double damping_time;  ///< [s]
    double poisson;       ///< [1]
    std::string_view source;
};

std::span<const Preset> presets();

/// The preset of that name, or null.
const Preset* find_preset(std::string_view name);

/// The material with what it leaves out (zeros) taken from its preset, if it names one that exists.
Material resolved(const Material& material);

}  // namespace pliant
