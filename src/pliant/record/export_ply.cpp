// SPDX-License-Identifier: MIT
// PLY: binary little-endian, one file per frame, all bodies in one mesh: float32 x y z, faces as
// uchar 3 + int32[3], lines as edges of int32[2].
#include <cstring>

#include <fmt/format.h>

#include <pliant/record/export_job.h>
#include <pliant/record/output_file.h>

namespace pliant {

namespace {

std::string ply_header(const ExportJob& job, std::int64_t frame, const ExportBody& all)
{
    std::string text = fmt::format("ply\nformat binary_little_endian 1.0\ncomment pliant, frame {}, metres, {} is up\n"
                                   "element vertex {}\nproperty float x\nproperty float y\nproperty float z\n",
                                   frame, job.recording.header().topology.up, all.points.size());
    if (!all.triangles.empty())
        text += fmt::format("element face {}\nproperty list uchar int vertex_indices\n", all.triangles.size());
    if (!all.lines.empty())
        text += fmt::format("element edge {}\nproperty int vertex1\nproperty int vertex2\n", all.lines.size());
    return text + "end_header\n";
}

std::vector<std::byte> ply_faces(const std::vector<Triangle>& triangles)
{
    constexpr std::size_t kRow = 1 + sizeof(Triangle);
    std::vector<std::byte> bytes(triangles.size() * kRow);
    for (std::size_t i = 0; i < triangles.size(); ++i) {
        bytes[i * kRow] = std::byte{3};
        std::memcpy(&bytes[i * kRow + 1], triangles[i].data(), sizeof(Triangle));
    }
    return bytes;
}

}  // namespace

Exported export_ply(const ExportJob& job)
{
    Exported exported;
    for (const std::int64_t frame : job.frames) exported.files.push_back(numbered_path(job, frame, ".ply"));
    check_may_write(exported.files, job.overwrite);
    const ExportBody all = joined_body(job.bodies);
    const std::vector<std::byte> faces = ply_faces(all.triangles);
    for (std::size_t k = 0; k < job.frames.size(); ++k) {
        const std::vector<Vec3f> positions = body_positions(job, job.frames[k], all);
        OutputFile file(exported.files[k]);
        file.write(ply_header(job, job.frames[k], all));
        file.write_values(std::span<const Vec3f>(positions));
        file.write(std::span<const std::byte>(faces));
        file.write_values(std::span<const Edge>(all.lines));
        file.commit();
    }
    return exported;
}

}  // namespace pliant
