// SPDX-License-Identifier: MIT
#pragma once

// Builder: the half-built world that the files build_*.cpp work on, one subject each.

#include <map>
#include <string>
#include <vector>

#include <pliant/mesh/tri_mesh.h>
#include <pliant/scene/scene.h>
#include <pliant/world/build.h>

namespace pliant {

/// Reports an unreadable or impossible mesh as a problem and returns what there is.
struct Builder {
    const Scene& scene;
    Model model{};
    State state{};
    std::vector<Problem> problems{};
    std::vector<std::string> notes{};
    std::vector<TriMesh> meshes{};           ///< one per body, local indices; emptied after use
    std::vector<std::string> pointers{};     ///< JSON pointer of each body
    std::vector<Vec3> frame_x{}, frame_v{};  ///< frame nodes until place_frames

    void complain(const std::string& pointer, std::string message, std::string cure = "")
    {
        problems.push_back(scene.problem(pointer, std::move(message), std::move(cure)));
    }
    std::int32_t find_body(const std::string& name) const;
};

// build_mesh.cpp: the mesh that a scene asks for.
TriMesh make_mesh(Builder&, const MeshSource&, const std::string& pointer);

/// Sorted local vertex indices of a selection.
std::vector<std::int32_t> selected(Builder&, const Select&, const TriMesh&, const std::string& pointer);

// build_springs.cpp
void add_springs_body(Builder&, const std::string& name, const BodyScene&, const std::string& pointer);
void add_springs_terms(Builder&, std::size_t index, const BodyScene&);

// build_rigid.cpp
void add_rigid_body(Builder&, const std::string& name, const BodyScene&, const std::string& pointer);
void add_collider(Builder&, const std::string& name, const ColliderScene&, const std::string& pointer);
/// Frame nodes, masses and bound points, once all free vertices are placed.
void place_frames(Builder&);

// build_gas.cpp
void add_gas(Builder&, std::size_t body, const GasScene&, const std::string& pointer);

// build_inputs.cpp: what inputs can address, and the scene's inputs.
void add_live_paths(Builder&);
void add_inputs(Builder&);

}  // namespace pliant
