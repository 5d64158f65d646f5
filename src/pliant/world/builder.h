// SPDX-License-Identifier: MIT
#pragma once

// Builder: the half-built world that the files build_*.cpp work on, one subject each.

#include <map>
#include <string>
#include <vector>

#include <pliant/mesh/tet_mesh.h>
#include <pliant/mesh/topology.h>
#include <pliant/mesh/tri_mesh.h>
#include <pliant/scene/scene.h>
#include <pliant/world/build.h>

namespace pliant {

/// A body's surface with the faces that people pick: polygons of a simplex mesh, else triangles.
struct Pickable {
    TriMesh mesh;
    IndexRows faces;
    std::int32_t corner_count = -1;  ///< quadratic solids: vertices before the first mid-edge node
};

/// What the tetrahedra of a solid are made of, index for index with them.
struct SolidMaterials {
    Material live;                      ///< resolved: the numbers that inputs change
    std::vector<TetRest<double>> rest;  ///< with each element's factors on the live numbers
    std::vector<double> mass;           ///< [kg]
    std::vector<Vec3> fibre;            ///< unit vectors, or empty

    Vec3 fibre_of(std::size_t e) const { return e < fibre.size() ? fibre[e] : Vec3{}; }
};

/// The tetrahedra of a solid body in its own node numbers: four or ten nodes each.
struct SolidNodes {
    SolidMaterials materials;
    std::vector<Tet> linear;
    std::vector<std::array<std::int32_t, 10>> quadratic;
};

/// When a constraint begins or ceases to hold.
struct ConstraintWindow {
    std::int32_t constraint = 0;
    double time = 0;
    bool enabled = true;
};

/// Reports an unreadable or impossible mesh as a problem and returns what there is.
struct Builder {
    const Scene& scene;
    Model model{};
    State state{};
    std::vector<Problem> problems{};
    std::vector<std::string> notes{};
    std::vector<TriMesh> meshes{};                 ///< one per body, local indices; emptied after use
    std::vector<SolidNodes> solids{};              ///< one per body, tetrahedra of solids; emptied after use
    std::map<std::string, std::int32_t> points{};  ///< free vertices by the names that formulas use
    std::vector<ConstraintWindow> windows{};
    MassMatrixBuilder masses{};              ///< consistent ones
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
std::vector<std::int32_t> selected(Builder&, const Select&, const Pickable&, const std::string& pointer);

/// A triangle mesh whose triangles are picked.
Pickable pickable_of(TriMesh);

// build_cloth.cpp: sheets that stretch and bend.
/// Whether triangles take their rest shape from the mesh's material coordinates.
bool uses_uv(const TriMesh&, const BodyScene&);
/// Mass per area that vertices share, thirds of their faces' [kg/m^2].
double cloth_density(const ClothScene&);
void add_cloth_terms(Builder&, std::size_t index, const BodyScene&);

// build_springs.cpp: bodies of springs and cloth up to their terms, on simplex meshes too.
void add_springs_body(Builder&, const std::string& name, const BodyScene&, const std::string& pointer);
void add_springs_terms(Builder&, std::size_t index, const BodyScene&);

// build_simplex.cpp: what seed 004 adds to springs.
/// Radial springs; a free centre becomes the last vertex of the body under construction.
void add_radial(Builder&, const RadialScene&, TriMesh& mesh);
void add_simplex_shape(Builder&, std::size_t index, const ShapeScene&);
void add_goal(Builder&, std::size_t index, const BodyScene&, const std::string& pointer);

// build_solid.cpp and build_solid_material.cpp: elastic solids on tetrahedra.
/// The tetrahedra that the source asks for, in place; complains where there are none or unusable ones.
TetMesh make_tets(Builder&, const MeshSource&, const std::string& pointer);
SolidMaterials solid_materials(Builder&, const BodyScene&, const TetMesh&, const Pickable&, const std::string& pointer);
void add_solid_body(Builder&, const std::string& name, const BodyScene&, const std::string& pointer);
void add_solid_term(Builder&, std::size_t index, const BodyScene&);

/// Pins, loads and the check that what moves has a mass, for the body under construction.
void add_pins(Builder&, const std::string& name, const Pickable&, const BodyScene&, const std::string& pointer);
void add_loads(Builder&, const Pickable&, const BodyScene&, const std::string& pointer);
void check_masses(Builder&, const Body&, const std::string& pointer);

/// Adds a term of energy E with its live parameters and internal variables; returns its index.
template <class E>
std::int32_t add_term(Builder&, Elements<E> elements, const E& live);

// build_rigid.cpp
/// Index of the path in the model, or -1 where there are no keyframes.
std::int32_t add_path(Builder&, const PathScene&);
void add_rigid_body(Builder&, const std::string& name, const BodyScene&, const std::string& pointer);
void add_collider(Builder&, const std::string& name, const ColliderScene&, const std::string& pointer);
/// Colliders that are met by their triangles and do not move, once they are placed.
void add_obstacles(Builder&);
/// Surfaces of all bodies for contact.response bridson, once they are placed; build_contact.cpp.
void add_contact_surface(Builder&);
/// Says what contact cannot meet of rigid bodies and colliders that are no plane, sphere or box.
void note_unmet_shapes(Builder&);
/// Frame nodes, masses and bound points, once all free vertices are placed.
void place_frames(Builder&);

// build_gas.cpp
void add_gas(Builder&, std::size_t body, const GasScene&, const std::string& pointer);

// build_constraints.cpp
void add_points(Builder&);
void add_constraints(Builder&);
void add_constraint_windows(Builder&);
/// Contradictions at the start are problems, repetitions a note.
void check_constraints(Builder&);

// build_events.cpp
void add_events(Builder&);

// build_inputs.cpp: what inputs can address, and the scene's inputs.
void add_live_paths(Builder&);
void add_inputs(Builder&);
/// Values as written for live parameters, turned into inputs at a time.
std::vector<Input> make_inputs(Builder&, const std::vector<InputValue>&, double time, const std::string& pointer);

template <class E>
std::int32_t add_term(Builder& b, Elements<E> elements, const E& live)
{
    b.model.inner_start.push_back(b.state.inner.size());
    b.state.inner.resize(b.state.inner.size() + inner_count(elements), 0.0);
    b.model.terms.emplace_back(std::move(elements));
    b.state.live.emplace_back(live);
    return static_cast<std::int32_t>(b.model.terms.size()) - 1;
}

}  // namespace pliant
