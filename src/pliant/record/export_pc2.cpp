// SPDX-License-Identifier: MIT
// PC2 point cache with the OBJ it moves: header of 32 bytes ("POINTCACHE2\0", int32 version 1,
// int32 point count, float start frame, float frames per sample, int32 sample count), then
// float32 x y z of all points for every sample. Point k is vertex k of the OBJ.
#include <array>
#include <cstring>

#include <pliant/record/export_job.h>
#include <pliant/record/output_file.h>

namespace pliant {

namespace {

std::array<std::byte, 32> pc2_header(std::size_t point_count, float start, float rate, std::size_t sample_count)
{
    std::array<std::byte, 32> header{};
    const auto put = [&header](std::size_t offset, auto value) {
        std::memcpy(header.data() + offset, &value, sizeof value);
    };
    std::memcpy(header.data(), "POINTCACHE2", 12);
    put(12, std::int32_t{1});
    put(16, static_cast<std::int32_t>(point_count));
    put(20, start);
    put(24, rate);
    put(28, static_cast<std::int32_t>(sample_count));
    return header;
}

}  // namespace

Exported export_pc2(const ExportJob& job)
{
    Exported exported{{job.path.string(), sibling_path(job, ".obj")}, {}};
    check_may_write(exported.files, job.overwrite);
    const ExportBody all = joined_body(job.bodies);
    OutputFile file(exported.files[0]);
    const std::array<std::byte, 32> header =
        pc2_header(all.points.size(), 0.0F, static_cast<float>(job.every), job.frames.size());
    file.write(std::span<const std::byte>(header));
    for (const std::int64_t frame : job.frames) {
        const std::vector<Vec3f> positions = body_positions(job, frame, all);
        file.write_values(std::span<const Vec3f>(positions));
    }
    write_obj(job, job.frames.front(), exported.files[1]);
    file.commit();
    return exported;
}

}  // namespace pliant
