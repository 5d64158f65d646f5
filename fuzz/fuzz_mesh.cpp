// SPDX-License-Identifier: MIT

// Feeds arbitrary bytes to the four mesh readers. The first byte chooses the reader; what is read
// without problems must hold together: indices in range, finite coordinates, and the same mesh again
// after writing and reading (but for STL, which welds).

#include <cstdint>
#include <cstdlib>
#include <string_view>

#include <pliant/io/mesh_file.h>
#include <pliant/mesh/quality.h>

namespace {

using namespace pliant;

void require(bool condition)
{
    if (!condition) std::abort();
}

void require_sound(const TriMesh& mesh)
{
    const auto count = static_cast<std::int32_t>(mesh.vertices.size());
    const auto exists = [&](std::int32_t v) { return v >= 0 && v < count; };
    require(count > 0 && (!mesh.triangles.empty() || !mesh.lines.empty()));
    for (const Vec3& x : mesh.vertices) require(is_finite(x));
    for (const Triangle& t : mesh.triangles)
        require(exists(t[0]) && exists(t[1]) && exists(t[2]) && t[0] != t[1] && t[1] != t[2] && t[2] != t[0]);
    for (const Edge& line : mesh.lines) require(exists(line[0]) && exists(line[1]) && line[0] != line[1]);
}

void require_same(const MeshRead& back, const TriMesh& mesh)
{
    require(back.ok() && back.mesh.vertices == mesh.vertices && back.mesh.triangles == mesh.triangles &&
            back.mesh.lines == mesh.lines);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    if (size == 0) return 0;
    const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
    constexpr MeshRead (*kReaders[])(std::string_view, const std::string&) = {read_obj, read_ply, read_stl, read_off};
    const MeshRead read = kReaders[data[0] % 4](bytes, "fuzz");
    if (!read.ok()) {
        require(read.mesh.vertices.empty() && !to_string(read.problems[0]).empty());
        return 0;
    }
    require_sound(read.mesh);
    require(!to_text(quality(read.mesh)).empty());
    require_same(read_obj(obj_bytes(read.mesh), "fuzz"), read.mesh);
    require_same(read_off(off_bytes(read.mesh), "fuzz"), read.mesh);
    require_same(read_ply(ply_bytes(read.mesh, {.binary = (data[0] & 4) != 0}), "fuzz"), read.mesh);
    return 0;
}
