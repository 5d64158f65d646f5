// SPDX-License-Identifier: MIT
#pragma once

// What every exporter is given, and the exporters themselves: for this room only.
//
// A job says which frames and which bodies; bodies carry their own points, so that formats with one
// object per body and formats with one array for all read the same thing. Positions in metres.

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <pliant/base/types.h>
#include <pliant/record/export.h>
#include <pliant/world/world.h>

namespace pliant {

using Vec3f = std::array<float, 3>;

/// A body's drawable part. Triangles and lines index `points`; lines only where no triangles are.
struct ExportBody {
    std::string name;
    std::vector<std::int32_t> points;  ///< indices into Frame::x, growing
    std::vector<Triangle> triangles;
    std::vector<Edge> lines;
};

struct ExportJob {
    const Recording& recording;
    std::filesystem::path path;
    bool overwrite = false;
    int every = 1;
    std::string body;                  ///< name of the only body wanted; may be empty
    std::vector<std::int64_t> frames;  ///< positions in the recording, growing, at least one
    std::vector<ExportBody> bodies;    ///< at least one, unless the format has only numbers
};

/// The frames `options` ask for. Throws when there are none.
std::vector<std::int64_t> chosen_frames(const Recording& recording, const ExportOptions& options);

/// The bodies that can be drawn, or the one named. Throws when there are none.
std::vector<ExportBody> chosen_bodies(const Recording& recording, const std::string& name);

/// All bodies joined into one, their points one after the other.
ExportBody joined_body(std::span<const ExportBody> bodies);

/// Positions of the body's points in a frame, rounded to float. Throws when one is not finite
/// there.
std::vector<Vec3f> body_positions(const ExportJob& job, std::int64_t frame, const ExportBody& body);

/// The world of a take, built again from the recorded scene: what frames do not hold, tetrahedra and materials.
struct RebuiltTake {
    World world;
    std::vector<Input> inputs;   ///< all that were recorded, sorted by time
    std::size_t next_input = 0;  ///< the first one that is not applied yet
};

/// Builds the recorded scene again. Nothing, and a note in words, when that is impossible (a mesh file is gone). A
/// scene that builds other bodies or other points than the recorded ones is an Error: its numbers would be wrong.
std::optional<RebuiltTake> rebuilt_take(const Recording& recording, std::vector<std::string>& notes);

/// Puts the frame's positions into the world and applies the recorded inputs up to the frame's time. Frames come in
/// growing order.
void show_frame(RebuiltTake& take, const Frame& frame);

/// Area-weighted normals of length one; {0,1,0} where the triangles give none.
std::vector<Vec3f> vertex_normals(std::span<const Vec3f> positions, std::span<const Triangle> triangles);

/// "dir/take.vtu" and 7 make "dir/take_0007.vtu"; `path` itself when the job has only one frame.
std::string numbered_path(const ExportJob& job, std::int64_t frame, const std::string& extension);

/// `path` with another extension (with its dot).
std::string sibling_path(const ExportJob& job, const std::string& extension);

/// Text inside double quotes of JSON; also good for USD and glTF.
std::string quoted(const std::string& text);

Exported export_en(const ExportJob& job);
Exported export_st(const ExportJob& job);
Exported export_csv(const ExportJob& job);
Exported export_glb(const ExportJob& job);
Exported export_html(const ExportJob& job);
Exported export_obj(const ExportJob& job);
Exported export_pc2(const ExportJob& job);
Exported export_ply(const ExportJob& job);
Exported export_pov(const ExportJob& job);
Exported export_usda(const ExportJob& job);
Exported export_vtu(const ExportJob& job);

/// Points times frames of a page: a browser holds 12 bytes for each, and one for each field.
inline constexpr std::size_t kMostPagePlaces = 16'000'000;

/// A page with any script and limit; export_html has this build's.
struct PageScript;
Exported export_page(const ExportJob& job, const PageScript& script, std::size_t most_places = kMostPagePlaces);

/// One frame as OBJ; used by export_obj and export_pc2.
void write_obj(const ExportJob& job, std::int64_t frame, const std::string& path);

}  // namespace pliant
