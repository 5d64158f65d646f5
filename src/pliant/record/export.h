// SPDX-License-Identifier: MIT
#pragma once

// From a recording to the files other programs read: one function, the extension says the format.
//
// Only bodies that have triangles (or, lacking those, lines) are exported, and of their points only
// the ones these use, in their order: planes, frame nodes and inner points of solids are left out, but in VTU
// and .st.
// Positions are in metres along the scene's own axes, float32 (double in VTU). Files are written
// under a temporary name and renamed when complete. Lives here: the list of formats, the options.
// Each format is in its export_*.cpp.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <pliant/record/recording.h>

namespace pliant {

struct ExportOptions {
    bool overwrite = false;  ///< replace existing files
    int every = 1;           ///< take every n-th frame
    std::int64_t first = 0;  ///< first frame to export
    std::int64_t last = -1;  ///< last frame to export; -1 is the last one recorded
    std::string body = {};   ///< only this body; empty means all
};

/// One format, for help texts and completions.
struct ExportKind {
    std::string_view name;      ///< as in --export pc2,vtu; also the extension without its dot
    std::string_view sentence;  ///< what is written and who reads it
};

std::span<const ExportKind> export_kinds();

/// What an export did.
struct Exported {
    std::vector<std::string> files;  ///< written, the one to open first
    std::vector<std::string> notes;  ///< what the user should know, e.g. that frames were left out
};

/// Writes `path` and the files that belong to it. Wrong options and unknown extensions are Errors
/// that say what would be right; so is an existing file unless `overwrite`.
Exported export_recording(const Recording& recording, const std::string& path, const ExportOptions& options = {});

/// "pc2" and "runs/take.plrec" make "runs/take.pc2".
std::string export_kind_path(const std::string& kind, const std::string& take_path);

}  // namespace pliant
