// SPDX-License-Identifier: MIT
#pragma once

// The parts of check_scene(): one function per kind of thing, all adding to one list.

#include <string>
#include <utility>
#include <vector>

#include <pliant/scene/scene.h>

namespace pliant {

/// The list that checks add to, and what they may ask.
struct Checks {
    const Scene& scene;
    std::vector<Problem> problems;

    void add(const std::string& pointer, std::string message, std::string cure);
    /// Whether the text of the scene has this member; false for scenes made in code.
    bool is_written(const std::string& pointer) const { return scene.lines.count(pointer) > 0; }
    bool has_body(const std::string& name) const;
    bool has_collider(const std::string& name) const;
    std::vector<std::string> body_names() const;
};

void check_mesh(Checks& checks, const MeshSource& mesh, const std::string& pointer);
void check_body(Checks& checks, const BodyScene& body, const std::string& pointer);
void check_rigid_body(Checks& checks, const BodyScene& body, const std::string& pointer);
void check_collider(Checks& checks, const ColliderScene& collider, const std::string& pointer);
void check_gas(Checks& checks, const GasScene& gas, const std::string& pointer);

/// Keyframes of what is written at the pointer.
void check_path(Checks& checks, const PathScene& path, const std::string& pointer);

/// Whether a mesh says where it comes from.
bool has_source(const MeshSource& mesh);

/// Names of pins, loads and probes become parts of paths and measures.
void check_part_name(Checks& checks, const std::string& name, const std::string& pointer);

/// A turn needs an axis.
void check_rotation(Checks& checks, const Vec3& axis, double degrees, const std::string& pointer);

/// "1 entry", "3 entries"
std::string entries(std::size_t count);

}  // namespace pliant
