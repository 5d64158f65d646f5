// SPDX-License-Identifier: MIT
// OBJ: text, one object per body, vertices numbered from 1 through the whole file. A sequence has
// one file per frame; the vertex order never changes.
#include <iterator>

#include <fmt/format.h>

#include <pliant/record/export_job.h>
#include <pliant/record/output_file.h>

namespace pliant {

namespace {

// Names are one word in OBJ.
std::string one_word(std::string name)
{
    for (char& c : name)
        if (static_cast<unsigned char>(c) <= ' ') c = '_';
    return name;
}

void append_elements(fmt::memory_buffer& text, const ExportBody& body, int first)
{
    const auto out = std::back_inserter(text);
    for (const Triangle& t : body.triangles)
        fmt::format_to(out, "f {} {} {}\n", t[0] + first, t[1] + first, t[2] + first);
    for (const Edge& e : body.lines) fmt::format_to(out, "l {} {}\n", e[0] + first, e[1] + first);
}

}  // namespace

void write_obj(const ExportJob& job, std::int64_t frame, const std::string& path)
{
    fmt::memory_buffer text;
    const auto out = std::back_inserter(text);
    fmt::format_to(out, "# pliant, frame {}, metres, {} is up\n", frame, job.recording.header().topology.up);
    int first = 1;
    for (const ExportBody& body : job.bodies) {
        fmt::format_to(out, "o {}\n", one_word(body.name));
        for (const Vec3f& p : body_positions(job, frame, body)) fmt::format_to(out, "v {} {} {}\n", p[0], p[1], p[2]);
        append_elements(text, body, first);
        first += static_cast<int>(body.points.size());
    }
    OutputFile file(path);
    file.write(std::string_view(text.data(), text.size()));
    file.commit();
}

Exported export_obj(const ExportJob& job)
{
    Exported exported;
    for (const std::int64_t frame : job.frames) exported.files.push_back(numbered_path(job, frame, ".obj"));
    check_may_write(exported.files, job.overwrite);
    for (std::size_t k = 0; k < job.frames.size(); ++k) write_obj(job, job.frames[k], exported.files[k]);
    return exported;
}

}  // namespace pliant
