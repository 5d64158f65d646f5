// SPDX-License-Identifier: MIT

// Writing PLY: coordinates as doubles, faces as lists, lines as the element edge.

#include <fmt/format.h>

#include <pliant/io/byte_order.h>
#include <pliant/io/mesh_file.h>
#include <pliant/io/text_words.h>

namespace pliant {

namespace {

std::string header_of(const TriMesh& mesh, bool binary)
{
    std::string text =
        fmt::format("ply\nformat {} 1.0\ncomment written by pliant\nelement vertex {}\nproperty double x\n"
                    "property double y\nproperty double z\nelement face {}\n"
                    "property list uchar int vertex_indices\n",
                    binary ? "binary_little_endian" : "ascii", mesh.vertices.size(), mesh.triangles.size());
    if (!mesh.lines.empty())
        text += fmt::format("element edge {}\nproperty int vertex1\nproperty int vertex2\n", mesh.lines.size());
    return text + "end_header\n";
}

void append_binary(std::string& bytes, const TriMesh& mesh)
{
    bytes.reserve(bytes.size() + mesh.vertices.size() * 24 + mesh.triangles.size() * 13 + mesh.lines.size() * 8);
    for (const Vec3& x : mesh.vertices)
        for (int k = 0; k < 3; ++k) append_little(bytes, x[k]);
    for (const Triangle& t : mesh.triangles) {
        append_little(bytes, std::uint8_t{3});
        for (const std::int32_t v : t) append_little(bytes, v);
    }
    for (const Edge& line : mesh.lines)
        for (const std::int32_t v : line) append_little(bytes, v);
}

void append_text(std::string& text, const TriMesh& mesh)
{
    for (const Vec3& x : mesh.vertices)
        for (int k = 0; k < 3; ++k) append_number(text, x[k]), text += k < 2 ? ' ' : '\n';
    for (const Triangle& t : mesh.triangles) {
        text += '3';
        for (const std::int32_t v : t) text += ' ', append_number(text, std::int64_t{v});
        text += '\n';
    }
    for (const Edge& line : mesh.lines) {
        append_number(text, std::int64_t{line[0]});
        text += ' ';
        append_number(text, std::int64_t{line[1]});
        text += '\n';
    }
}

}  // namespace

std::string ply_bytes(const TriMesh& mesh, const MeshWriteOptions& options)
{
    std::string bytes = header_of(mesh, options.binary);
    if (options.binary)
        append_binary(bytes, mesh);
    else
        append_text(bytes, mesh);
    return bytes;
}

}  // namespace pliant
