// SPDX-License-Identifier: MIT
#pragma once

// Scene folders of dpoSimulator (seed 001, C-99 to C-106), in its own units: SI, areal density, z upwards.
//
//   world_parameters/world_parameters   prose, then "label = value" of gravity and frame rate, in that order
//   bodies/body_list                    prose, "Start the list from here:", then file names, one a line: dpo_X or rig_X,
//                                       par_X, vel_X for each body
//   bodies/dpo_X, rig_X                 a cloth or a rigid body as ASCII STL; vertices count from 0 in the order in which
//                                       they first appear
//   bodies/par_X                        prose, then "label = value" of density, mass, thickness, colour, in that order
//   bodies/vel_X                        blocks of Time t, Number of constraint vectors k, and k times
//                                       VertexId i Vector [ vx vy vz ]; a block holds until the next
//
// Where the dossier is silent, we chose:
//   * labels are free, as they were, but one that names another of the values is a problem: their order was mixed up;
//   * a line with '=' and no number behind it is prose, unless it names the value that is due;
//   * words before a number of vel_X are free too, but Time, Number, VertexId and Vector must stand where they belong;
//     lines play no part there;
//   * blank lines may stand anywhere, and a line that begins with "end" ends the list of bodies;
//   * a rigid body has one vector or none in a block; none lets it stand;
//   * binary STL is taken as well.
// The readers over bytes never throw, and tell all problems.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <pliant/base/error.h>
#include <pliant/mesh/tri_mesh.h>

namespace pliant {

enum class DpoKind { cloth, rigid };

struct DpoWorld {
    double gravity = 0;     ///< m/s², along -z
    double frame_rate = 0;  ///< 1/s
};

/// A body of the list: the names of its three files.
struct DpoListed {
    DpoKind kind = DpoKind::cloth;
    std::string mesh, parameters, velocities;
};
struct DpoBodyList {
    std::vector<DpoListed> bodies;
};

struct DpoParameters {
    double density = 0;    ///< kg/m², of cloth
    double mass = 0;       ///< kg, of rigid bodies; 0 is infinite
    double thickness = 0;  ///< m
    Vec3 colour;           ///< red, green, blue from 0 to 1
};

struct DpoVector {
    std::int32_t vertex = 0;
    Vec3 velocity;  ///< m/s
};
struct DpoBlock {
    double time = 0;                 ///< s, from which on it holds
    std::vector<DpoVector> vectors;  ///< by vertex, each once; all others are free
};
struct DpoVelocities {
    std::vector<DpoBlock> blocks;  ///< times increase
};

template <class File>
struct DpoRead {
    File file;                      ///< empty when there are problems
    std::vector<Problem> problems;  ///< all that makes the file unusable

    bool ok() const { return problems.empty(); }
};

/// Readers over bytes; file_name is only used in messages.
DpoRead<DpoWorld> read_dpo_world(std::string_view bytes, const std::string& file_name);
DpoRead<DpoBodyList> read_dpo_body_list(std::string_view bytes, const std::string& file_name);
DpoRead<DpoParameters> read_dpo_parameters(std::string_view bytes, const std::string& file_name, DpoKind kind);
/// vertex_count: of the body's mesh, which the table must not leave.
DpoRead<DpoVelocities> read_dpo_velocities(std::string_view bytes, const std::string& file_name, DpoKind kind,
                                           std::int64_t vertex_count);

struct DpoBody {
    std::string name;  ///< of its mesh file, which no two bodies share
    DpoKind kind = DpoKind::cloth;
    TriMesh mesh;
    DpoParameters parameters;
    DpoVelocities velocities;
};
struct DpoScene {
    DpoWorld world;
    std::vector<DpoBody> bodies;     ///< in the order of the list
    std::vector<std::string> notes;  ///< what the readers of meshes did on their own
};

/// The scene in the folder ("environment" in dpoSimulator); throws Error with the problems of all its files.
DpoScene load_dpo(const std::string& folder);

}  // namespace pliant
