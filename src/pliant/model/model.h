// SPDX-License-Identifier: MIT
#pragma once

// Model: everything about a world that no input can change. Const after build, shared by copies.
//
// Points are ordered free vertices | frame nodes | bound points. The first two are nodes, the
// unknowns; bound points follow their frame. Whatever moves by forces is a body; what is fixed is a
// collider, kept as a body whose frame is held.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <pliant/base/describe.h>
#include <pliant/base/types.h>
#include <pliant/constraint/constraint.h>
#include <pliant/contact/search.h>
#include <pliant/contact/static_triangles.h>
#include <pliant/contact/surface_pairs.h>
#include <pliant/energy/energy.h>
#include <pliant/energy/gas.h>
#include <pliant/energy/radial.h>
#include <pliant/expression/predicate.h>
#include <pliant/model/frame.h>
#include <pliant/model/mass_matrix.h>
#include <pliant/rigid/frame.h>
#include <pliant/rigid/path.h>
#include <pliant/rigid/shape.h>

namespace pliant {

struct AuditSurfaces;

enum class BodyKind : std::int32_t { springs, rigid, collider, simplex, solid, cloth };
constexpr std::array<std::string_view, 6> enum_names(BodyKind)
{
    return {"springs", "rigid", "collider", "simplex", "solid", "cloth"};
}

/// A name and ranges into the flat arrays; -1 where the body has no such thing.
struct Body {
    std::string name;
    BodyKind kind = BodyKind::springs;
    std::int32_t first_point = 0, point_count = 0;  ///< its surface: free or bound points
    std::int32_t frame = -1, cavity = -1, shape = -1, radial = -1, goal = -1;
    std::int32_t term = -1;                         ///< springs, or the tetrahedra of a solid
    std::int32_t limit_term = -1, shape_term = -1;  ///< limits of springs, shape of a simplex mesh
    std::int32_t sheet = -1;                        ///< of a cloth
    std::int32_t path = -1;                         ///< into Model::paths: how it moves while it is held

    bool is_rigid() const { return frame >= 0; }
    bool owns_point(std::int32_t p) const { return p >= first_point && p < first_point + point_count; }
};

/// A point that follows a frame: x = c + X1 a1 + X2 a2 + X3 a3.
struct BoundPoint {
    std::int32_t frame = 0;
    Vec3 X;  ///< [m] along the frame's axes
};

/// Vertices whose coordinates are prescribed while the pin holds.
struct Pin {
    std::string name;
    std::int32_t body = 0;
    std::vector<std::int32_t> nodes;
    std::uint8_t axes = 7;   ///< bits x y z
    std::int32_t path = -1;  ///< into Model::paths: how it moves while it holds
};

/// Vertices and faces that a load acts on.
struct Load {
    std::string name;
    std::int32_t body = 0;
    std::vector<std::int32_t> nodes;
    std::vector<Triangle> faces;                ///< all three corners selected
    std::vector<std::array<double, 3>> shares;  ///< of a pressure's force for each corner of a face, sum 1
    std::vector<Expression> formula;            ///< empty, or three components of a force in all [N]
};

/// Constant forces that drive a body towards another shape.
struct Goal {
    std::int32_t body = 0;
    std::vector<Vec3> force;     ///< [N] on each vertex of the body
    std::vector<Vec3> vertices;  ///< [m] the goal's surface, for measures
    std::vector<Triangle> triangles;
};

/// Springs of seed 004 that may not leave a band of lengths: a vertex that would is held for the step.
struct LengthHold {
    std::vector<Edge> ends;
    std::vector<double> shortest, longest;  ///< [m] index for index with ends
};

/// What cloth is made of: terms by what they carry, edges with their rest lengths, faces for the wind.
struct Sheet {
    std::int32_t body = 0;
    std::int32_t stretch_term = -1;  ///< membrane, or springs along warp and weft
    std::int32_t shear_term = -1, bend_term = -1, limit_term = -1;
    std::vector<Edge> edges;
    std::vector<double> rest;  ///< [m] index for index with edges
    std::vector<Triangle> faces;
};

struct Probe {
    std::string name;
    std::int32_t point = 0;
};

/// The kinds of live parameters that an input can address.
enum class LiveGroup : std::int32_t {
    world,
    solver,
    contact,
    body,
    energy,
    gas,
    pin,
    load,
    radial,
    goal,
    constraint,
    event
};

/// One live member of State: group, index within the group, member name.
struct LiveTarget {
    LiveGroup group = LiveGroup::world;
    std::int32_t index = 0;
    std::string member;
};

/// A scene path and what it addresses.
struct LivePath {
    std::string path;  ///< "bodies.box.gas.k_g"
    LiveTarget target;
};

/// A change of one live parameter at a time.
struct Input {
    double time = 0;          ///< [s]
    std::int32_t target = 0;  ///< index into Model::live_paths
    LiveValue value;
};

/// Something that happens when a condition becomes true, or a constraint pulls too hard.
struct Event {
    std::string name;
    Predicate when;
    std::int32_t breaks = -1;  ///< constraint whose reaction is watched instead of a condition
    bool repeats = false;      ///< happens again whenever the condition becomes true anew
    std::vector<Input> changes;
};

struct Model {
    std::int32_t free_count = 0, frame_count = 0;
    std::vector<BoundPoint> bound;
    std::vector<double> mass;           ///< #nodes [kg], [kg m^2] for frame axes
    std::vector<double> inverse_mass;   ///< #nodes
    MassMatrix mass_matrix;             ///< of the free vertices where some body's mass is consistent, else empty
    std::vector<FrameMass> frame_mass;  ///< #frames
    std::vector<Body> bodies;
    std::vector<Shape> shapes;
    std::vector<Term> terms;
    std::vector<std::size_t> inner_start;  ///< #terms: where the internal variables of each begin in State::inner
    std::vector<RadialSprings> radials;
    std::vector<Goal> goals;
    std::vector<LengthHold> holds;
    std::vector<Sheet> sheets;
    std::vector<Cavity> cavities;
    std::vector<Pin> pins;
    std::vector<Path> paths;  ///< of pins and held bodies
    std::vector<Load> loads;
    std::vector<Constraint> constraints;
    std::vector<Event> events;
    std::vector<Probe> probes;
    std::vector<LivePath> live_paths;
    std::vector<Input> inputs;                         ///< sorted by time
    std::vector<PointRange> contact_points;            ///< what may touch shapes
    std::vector<Triangle> contact_faces;               ///< faces of free vertices that spheres may touch
    std::vector<std::int32_t> contact_face_body;       ///< index for index with contact_faces
    std::shared_ptr<const StaticTriangles> obstacles;  ///< colliders that are meshes; null where there are none
    std::vector<std::int32_t> obstacle_bodies;         ///< index for index with the objects of obstacles
    CollisionSurface surface;                          ///< of solids that may meet each other; empty where none do
    std::shared_ptr<const AuditSurfaces> audit;        ///< for the measure intersections; null where not asked
    double surface_thickness = 0;                      ///< [m] contact.thickness automatic
    CollisionSurface contact_surface;                  ///< of all but planes, under bridson and barrier; else empty
    std::vector<double> body_thickness;                ///< #bodies [m] where neither body nor scene says it
    bool watches_rest = false;                         ///< the run ends at rest: steps measure how far that is
    bool cavities_reach_bound = false;                 ///< some cavity has faces on a rigid body
    Topology topology;
    std::vector<Vec3> start_x;  ///< #free vertices [m] at time 0: what lattices and orderings are laid over
    double size = 1;            ///< [m] diagonal of the start state
    std::uint64_t id = 0;       ///< a snapshot of another model is refused

    std::int32_t node_count() const { return free_count + 4 * frame_count; }
    std::int32_t point_count() const { return node_count() + static_cast<std::int32_t>(bound.size()); }
    std::int32_t frame_node(std::int32_t frame) const { return free_count + 4 * frame; }
};

}  // namespace pliant
