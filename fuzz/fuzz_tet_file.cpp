// SPDX-License-Identifier: MIT

// Feeds arbitrary bytes to the readers of volume meshes and of the thesis' files. The first byte chooses the reader;
// what is read without problems must hold together: indices in range, finite coordinates, positive volumes, and the same
// mesh again after writing and reading.

#include <cstdint>
#include <cstdlib>
#include <string_view>

#include <pliant/io/tet_file.h>
#include <pliant/io/thesis_files.h>

namespace {

using namespace pliant;

void require(bool condition)
{
    if (!condition) std::abort();
}

void require_sound(const TetMesh& mesh)
{
    const auto count = static_cast<std::int32_t>(mesh.vertices.size());
    require(count > 0 && !mesh.tets.empty() && (mesh.region.empty() || mesh.region.size() == mesh.tets.size()));
    for (const Vec3& x : mesh.vertices) require(is_finite(x));
    const auto exists = [&](std::int32_t v) { return v >= 0 && v < count; };
    for (const Tet& t : mesh.tets)
        for (const std::int32_t v : t) require(exists(v));
    for (const VertexGroup& group : mesh.groups)
        for (std::size_t i = 0; i < group.vertices.size(); ++i)
            require(exists(group.vertices[i]) && (i == 0 || group.vertices[i - 1] < group.vertices[i]));
}

void require_same(const TetRead& back, const TetMesh& mesh)
{
    require(back.ok() && back.mesh.vertices == mesh.vertices && back.mesh.tets == mesh.tets);
}

TetRead read_by(std::uint8_t choice, std::string_view bytes)
{
    const std::size_t half = bytes.find('\x01');
    switch (choice % 4) {
    case 0:
        return read_msh(bytes, "fuzz");
    case 1:
        return read_medit(bytes, "fuzz");
    case 2:
        return read_vtu_tets(bytes, "fuzz");
    default:
        return read_tetgen({bytes.substr(0, half), "fuzz.node"},
                           {half < bytes.size() ? bytes.substr(half + 1) : std::string_view(), "fuzz.ele"});
    }
}

template <class File>
void try_thesis(std::string_view bytes)
{
    const ThesisRead<File> read = read_thesis<File>(bytes, "fuzz");
    if (!read.ok()) return require(!to_string(read.problems[0]).empty());
    const std::string text = thesis_text(read.file);
    const ThesisRead<File> back = read_thesis<File>(text, "fuzz");
    require(back.ok() && thesis_text(back.file) == text);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    if (size == 0) return 0;
    const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
    if (data[0] % 8 == 7) {
        try_thesis<ThesisStates>(bytes), try_thesis<ThesisTopology>(bytes), try_thesis<ThesisTextures>(bytes);
        try_thesis<ThesisSurface>(bytes), try_thesis<ThesisConstraints>(bytes), try_thesis<ThesisLights>(bytes);
        try_thesis<ThesisEnergies>(bytes);
        return 0;
    }
    const TetRead read = read_by(data[0], bytes);
    if (!read.ok()) {
        require(read.mesh.vertices.empty() && !to_string(read.problems[0]).empty());
        return 0;
    }
    require_sound(read.mesh);
    TetMesh mesh = read.mesh;
    mesh.groups.clear();
    mesh.region.clear();
    const TetWriteOptions options{.binary = (data[0] & 8) != 0,
                                  .msh_version = (data[0] & 16) != 0 ? MshVersion::v2_2 : MshVersion::v4_1};
    const TetgenText tetgen = tetgen_text(mesh);
    require_same(read_msh(msh_bytes(mesh, options), "fuzz"), mesh);
    require_same(read_medit(options.binary ? meshb_bytes(mesh) : medit_bytes(mesh), "fuzz"), mesh);
    require_same(read_vtu_tets(vtu_tets_bytes(mesh, options), "fuzz"), mesh);
    require_same(read_tetgen({tetgen.node, "fuzz.node"}, {tetgen.ele, "fuzz.ele"}), mesh);
    return 0;
}
