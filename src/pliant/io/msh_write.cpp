// SPDX-License-Identifier: MIT

// Gmsh MSH 2.2 and 4.1, text and binary; read by msh_read.cpp, where the reference is.
//
// A region is a physical volume of that number. A group is a named physical point whose elements are its vertices.
// Version 4.1 puts elements in blocks of one entity each; a new block begins wherever the region changes, so that the
// tetrahedra keep their order.

#include <map>

#include <fmt/format.h>

#include <pliant/io/number_stream.h>

namespace pliant {

namespace {

constexpr int kTetrahedron = 4, kPoint = 15;  // element types

std::int32_t region_of(const TetMesh& mesh, std::size_t tet)
{
    return mesh.region.empty() ? 0 : mesh.region[tet];
}

std::size_t element_count(const TetMesh& mesh)
{
    std::size_t count = mesh.tets.size();
    for (const VertexGroup& group : mesh.groups) count += group.vertices.size();
    return count;
}

std::string head(const TetMesh& mesh, const char* version, bool binary)
{
    std::string bytes = fmt::format("$MeshFormat\n{} {} 8\n", version, binary ? 1 : 0);
    if (binary) {
        NumberSink(bytes, true).whole(1, 4);
        bytes += '\n';
    }
    bytes += "$EndMeshFormat\n";
    if (mesh.groups.empty()) return bytes;
    bytes += fmt::format("$PhysicalNames\n{}\n", mesh.groups.size());
    for (std::size_t g = 0; g < mesh.groups.size(); ++g)
        bytes += fmt::format("0 {} \"{}\"\n", g + 1, mesh.groups[g].name);
    return bytes + "$EndPhysicalNames\n";
}

void end_section(std::string& bytes, bool binary, const char* name)
{
    if (binary) bytes += '\n';
    bytes += fmt::format("$End{}\n", name);
}

void add_nodes_2(std::string& bytes, const TetMesh& mesh, bool binary)
{
    bytes += fmt::format("$Nodes\n{}\n", mesh.vertices.size());
    NumberSink sink(bytes, binary);
    for (std::size_t v = 0; v < mesh.vertices.size(); ++v) {
        sink.whole(static_cast<std::int64_t>(v) + 1, 4);
        for (int k = 0; k < 3; ++k) sink.real(mesh.vertices[v][k]);
        sink.end_line();
    }
    end_section(bytes, binary, "Nodes");
}

/// Elements of one type and two tags (physical number, entity); in binary a block's head stands before them.
class Elements2 {
public:
    Elements2(std::string& bytes, bool binary) : sink_(bytes, binary), binary_(binary) {}

    void begin_block(int type, std::size_t count)
    {
        type_ = type;
        if (!binary_ || count == 0) return;
        sink_.whole(type, 4), sink_.whole(static_cast<std::int64_t>(count), 4), sink_.whole(2, 4);
    }
    void element(std::int64_t physical, std::int64_t entity, std::span<const std::int32_t> corners)
    {
        sink_.whole(++last_number_, 4);
        if (!binary_) sink_.whole(type_, 4), sink_.whole(2, 4);
        sink_.whole(physical, 4), sink_.whole(entity, 4);
        for (const std::int32_t v : corners) sink_.whole(std::int64_t{v} + 1, 4);
        sink_.end_line();
    }

private:
    NumberSink sink_;
    bool binary_;
    int type_ = 0;
    std::int64_t last_number_ = 0;
};

void add_elements_2(std::string& bytes, const TetMesh& mesh, bool binary)
{
    bytes += fmt::format("$Elements\n{}\n", element_count(mesh));
    Elements2 elements(bytes, binary);
    elements.begin_block(kTetrahedron, mesh.tets.size());
    for (std::size_t e = 0; e < mesh.tets.size(); ++e) {
        const std::int32_t region = region_of(mesh, e);
        elements.element(region, std::max(region, 1), mesh.tets[e]);
    }
    for (std::size_t g = 0; g < mesh.groups.size(); ++g) {
        const std::vector<std::int32_t>& vertices = mesh.groups[g].vertices;
        const auto number = static_cast<std::int64_t>(g) + 1;
        elements.begin_block(kPoint, vertices.size());
        for (const std::int32_t& v : vertices) elements.element(number, number, {&v, 1});
    }
    end_section(bytes, binary, "Elements");
}

/// Entity of each region; entities are numbered from one.
std::map<std::int32_t, std::int32_t> entities_of(const TetMesh& mesh)
{
    std::map<std::int32_t, std::int32_t> entities;
    for (std::size_t e = 0; e < mesh.tets.size(); ++e) entities.emplace(region_of(mesh, e), 0);
    if (entities.empty()) entities.emplace(0, 0);
    std::int32_t last = 0;
    for (auto& [region, entity] : entities) entity = ++last;
    return entities;
}

void add_entities(std::string& bytes, const TetMesh& mesh, const std::map<std::int32_t, std::int32_t>& entities,
                  bool binary)
{
    bytes += "$Entities\n";
    NumberSink sink(bytes, binary);
    const std::size_t counts[4] = {mesh.groups.size(), 0, 0, entities.size()};
    for (const std::size_t count : counts) sink.whole(static_cast<std::int64_t>(count), 8);
    sink.end_line();
    for (std::size_t g = 0; g < mesh.groups.size(); ++g) {
        const std::vector<std::int32_t>& vertices = mesh.groups[g].vertices;
        const Vec3 x = vertices.empty() ? Vec3{} : mesh.vertices[static_cast<std::size_t>(vertices[0])];
        const auto number = static_cast<std::int64_t>(g) + 1;
        sink.whole(number, 4);
        for (int k = 0; k < 3; ++k) sink.real(x[k]);
        sink.whole(1, 8), sink.whole(number, 4), sink.end_line();
    }
    Vec3 low, high;
    if (!mesh.vertices.empty()) low = high = mesh.vertices[0];
    for (const Vec3& x : mesh.vertices)
        for (int k = 0; k < 3; ++k) low[k] = std::min(low[k], x[k]), high[k] = std::max(high[k], x[k]);
    for (const auto& [region, entity] : entities) {
        sink.whole(entity, 4);
        for (int k = 0; k < 3; ++k) sink.real(low[k]);
        for (int k = 0; k < 3; ++k) sink.real(high[k]);
        sink.whole(region == 0 ? 0 : 1, 8);
        if (region != 0) sink.whole(region, 4);
        sink.whole(0, 8), sink.end_line();
    }
    end_section(bytes, binary, "Entities");
}

void add_nodes_4(std::string& bytes, const TetMesh& mesh, bool binary)
{
    bytes += "$Nodes\n";
    NumberSink sink(bytes, binary);
    const auto count = static_cast<std::int64_t>(mesh.vertices.size());
    sink.whole(1, 8), sink.whole(count, 8), sink.whole(1, 8), sink.whole(count, 8), sink.end_line();
    sink.whole(3, 4), sink.whole(1, 4), sink.whole(0, 4), sink.whole(count, 8), sink.end_line();
    for (std::int64_t label = 1; label <= count; ++label) sink.whole(label, 8), sink.end_line();
    for (const Vec3& x : mesh.vertices) {
        for (int k = 0; k < 3; ++k) sink.real(x[k]);
        sink.end_line();
    }
    end_section(bytes, binary, "Nodes");
}

/// First tetrahedron of each run of equal regions.
std::vector<std::size_t> runs_of(const TetMesh& mesh)
{
    std::vector<std::size_t> runs;
    for (std::size_t e = 0; e < mesh.tets.size(); ++e)
        if (e == 0 || region_of(mesh, e) != region_of(mesh, e - 1)) runs.push_back(e);
    return runs;
}

void add_elements_4(std::string& bytes, const TetMesh& mesh, const std::map<std::int32_t, std::int32_t>& entities,
                    bool binary)
{
    bytes += "$Elements\n";
    NumberSink sink(bytes, binary);
    const std::vector<std::size_t> runs = runs_of(mesh);
    const auto count = static_cast<std::int64_t>(element_count(mesh));
    sink.whole(static_cast<std::int64_t>(runs.size() + mesh.groups.size()), 8);
    sink.whole(count, 8), sink.whole(1, 8), sink.whole(count, 8), sink.end_line();
    std::int64_t number = 0;
    const auto begin_block = [&](int dimension, std::int64_t entity, int type, std::size_t size) {
        sink.whole(dimension, 4), sink.whole(entity, 4), sink.whole(type, 4);
        sink.whole(static_cast<std::int64_t>(size), 8), sink.end_line();
    };
    const auto element = [&](std::span<const std::int32_t> corners) {
        sink.whole(++number, 8);
        for (const std::int32_t v : corners) sink.whole(std::int64_t{v} + 1, 8);
        sink.end_line();
    };
    for (std::size_t r = 0; r < runs.size(); ++r) {
        const std::size_t end = r + 1 < runs.size() ? runs[r + 1] : mesh.tets.size();
        begin_block(3, entities.at(region_of(mesh, runs[r])), kTetrahedron, end - runs[r]);
        for (std::size_t e = runs[r]; e < end; ++e) element(mesh.tets[e]);
    }
    for (std::size_t g = 0; g < mesh.groups.size(); ++g) {
        const std::vector<std::int32_t>& vertices = mesh.groups[g].vertices;
        begin_block(0, static_cast<std::int64_t>(g) + 1, kPoint, vertices.size());
        for (const std::int32_t& v : vertices) element({&v, 1});
    }
    end_section(bytes, binary, "Elements");
}

}  // namespace

std::string msh_bytes(const TetMesh& mesh, const TetWriteOptions& options)
{
    const bool binary = options.binary;
    if (options.msh_version == MshVersion::v2_2) {
        std::string bytes = head(mesh, "2.2", binary);
        add_nodes_2(bytes, mesh, binary);
        add_elements_2(bytes, mesh, binary);
        return bytes;
    }
    std::string bytes = head(mesh, "4.1", binary);
    const std::map<std::int32_t, std::int32_t> entities = entities_of(mesh);
    add_entities(bytes, mesh, entities, binary);
    add_nodes_4(bytes, mesh, binary);
    add_elements_4(bytes, mesh, entities, binary);
    return bytes;
}

}  // namespace pliant
