// SPDX-License-Identifier: MIT
#pragma once

// A contact log as files for other programs: the meshes of a step's rounds, what met, and the boxes of the trees.
//
// Meshes (C-91, C-97): start, uncorrected, then every round's. For ParaView there are besides them
//   pairs.vtu   what dpoSimulator drew (C-89, C-90, C-92, C-93), a cell field `drawn` telling what a cell is:
//                 0 broad: middle to middle      1 near vertex-face: vertex to the nearest point of the face
//                 2 near edge-edge: nearest points of both     3 near plane: vertex to its foot
//                 4 vertex-face impact: the way of the vertex up to it     5 … the face at that time
//                 6 edge-edge impact: both edges at that time     7 … what will meet, joined where the step starts
//                 8 plane impact: the way of the vertex up to it
//   boxes.vtu   boxes of the trees as hexahedra, with depth, body, leaf; swept and inflated on request (C-87, C-88)

#include <array>
#include <limits>
#include <string>
#include <vector>

#include <pliant/contact/contact_log.h>
#include <pliant/record/export.h>

namespace pliant {

enum class BoxExtent { start, swept, inflated };

struct ContactExport {
    bool overwrite = false;
    std::string body;                                                   ///< meshes of this body only; empty: of all
    int least_depth = 0, most_depth = std::numeric_limits<int>::max();  ///< of boxes
    BoxExtent extent = BoxExtent::start;                                ///< faces, their paths, or paths with reach
};

/// A mesh of a log and its name in file names.
struct LoggedMesh {
    std::string name;  ///< "start", "uncorrected", "round_00" …
    const std::vector<Vec3>* x;
};
std::vector<LoggedMesh> logged_meshes(const ContactLog& log);

/// STL as text, which keeps every bit, one file a mesh in the folder; makes the folder.
Exported export_contact_stl(const Topology& topology, const ContactLog& log, const std::string& folder,
                            const ContactExport& how);

/// The same meshes as VTU with zone and displacement [m] since the mesh before, pairs.vtu and boxes.vtu.
Exported export_contact_vtu(const Topology& topology, const ContactLog& log, const std::string& folder,
                            const ContactExport& how);

}  // namespace pliant
