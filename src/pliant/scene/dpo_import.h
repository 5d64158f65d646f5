// SPDX-License-Identifier: MIT
#pragma once

// Scenes of dpoSimulator (io/dpo_files.h) as scenes of ours.
//
//   cloth            a cloth body with the file's density [kg/m2] and thickness [m]
//   rigid body       a collider that is a mesh; it moves with the velocity of its one vector
//   constraint       a pin per vertex that the table ever names: enabled where the block in force names it, carried with
//                    its velocity; inputs change both when the next block begins
//   gravity, frames  along -z; one step a frame, as dpoSimulator's collision step
//
// What its files do not say: stiffness was fixed in its code, so a named fabric is taken, or the constants of freecloth,
// the library it took its cloth from (seed 001, appendix A); friction it had none; it ran until it was closed.

#include <optional>
#include <string>
#include <vector>

#include <pliant/base/json.h>
#include <pliant/io/dpo_files.h>

namespace pliant {

struct DpoImportOptions {
    std::string fabric = "cotton";   ///< whose stiffness cloth has
    bool freecloth = false;          ///< that of freecloth instead
    double friction = 0;             ///< [1] of cloth
    std::optional<double> duration;  ///< [s]; none: two seconds beyond the last change, at least five
};

/// A mesh that the scene names, to be written beside it.
struct DpoMeshFile {
    std::string name;
    const TriMesh* mesh = nullptr;  ///< of the DpoScene
};

struct DpoImport {
    Json scene;
    std::vector<DpoMeshFile> meshes;
    std::vector<std::string> notes;  ///< what was chosen, and what was left out
};

/// `stem` begins the names of mesh files, so that two scenes can lie in one folder.
DpoImport import_dpo(const DpoScene& from, const std::string& stem, const DpoImportOptions& options);

}  // namespace pliant
