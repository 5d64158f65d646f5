// SPDX-License-Identifier: MIT
#pragma once

// What `pliant mesh untangle` does to meshes and to scenes alike.

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <pliant/world/untangle.h>

#include "mesh_files.h"

namespace pliant::cli {

struct UntangleVerb {
    std::string input;
    std::optional<double> gap;  ///< [m]; none: a hundredth of the mean edge
    int rounds = UntangleOptions{}.rounds;
    std::vector<std::string> fix;
    MeshOutput output;
};

/// The gap and rounds that were asked for, or suit the surfaces; throws Error (usage) where they make no sense.
UntangleOptions untangle_options(const UntangleVerb& verb, const AuditSurfaces& surfaces, std::span<const Vec3> x);

/// What was done, a line a number.
std::string untangle_summary(const UntangleReport& report, double gap);

/// Says on stderr that some are left, where, and what to try; names an intersection by `name_edge` and `name_vertex`.
void say_what_is_left(const Intersections& left, std::span<const Vec3> x,
                      const std::function<std::string(const EdgeThroughFace&)>& name_edge,
                      const std::function<std::string(const VertexThroughPlane&)>& name_vertex);

/// mesh_untangle_scene.cpp: the same for all bodies of a scene; the exit code.
int untangle_scene(const UntangleVerb& verb);

}  // namespace pliant::cli
