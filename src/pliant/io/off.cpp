// SPDX-License-Identifier: MIT

// Object File Format (Geomview): "OFF", counts, vertices, polygons.
//
// COFF, NOFF and STOFF headers are taken too; colours, normals and texture coordinates behind the
// position are passed by. A polygon of two corners is a line, and lines are written that way.

#include <optional>

#include <fmt/format.h>

#include <pliant/io/mesh_builder.h>
#include <pliant/io/text_words.h>

namespace pliant {

namespace {

struct Counts {
    std::int64_t vertices = 0;
    std::int64_t faces = 0;
};

/// Steps to the next line that says something; comments and blank lines are passed by.
std::optional<std::string_view> next_statement(Lines& lines)
{
    while (lines.next()) {
        const std::string_view line = lines.line().substr(0, lines.line().find('#'));
        if (!Words(line).next().empty()) return line;
    }
    return std::nullopt;
}

/// "OFF" or a variant whose positions come first; complains otherwise.
bool header_is_known(MeshBuilder& builder, std::string_view word, int line)
{
    std::string_view kind = word;
    for (const std::string_view prefix : {"ST", "C", "N"})
        if (kind.substr(0, prefix.size()) == prefix) kind.remove_prefix(prefix.size());
    if (kind == "OFF") return true;
    const bool other = kind == "4OFF" || kind == "nOFF" || kind == "4nOFF";
    builder.problem({line, "header"},
                    fmt::format("found {}, expected {}", in_quotes(word), other ? "OFF with three coordinates" : "OFF"),
                    "the first word of an OFF file is OFF");
    return false;
}

/// Header and counts, on one line or two; nothing after telling the problem.
std::optional<Counts> read_header(MeshBuilder& builder, Lines& lines)
{
    std::optional<std::string_view> statement = next_statement(lines);
    if (!statement) {
        builder.problem({1, "header"}, "the file is empty, expected OFF", "export the mesh again");
        return std::nullopt;
    }
    Words words(*statement);
    if (!header_is_known(builder, words.next(), lines.number())) return std::nullopt;
    std::string_view word = words.next();
    if (word == "BINARY") {
        builder.problem({lines.number(), "header"}, "found binary OFF, expected text", "export it as text, or as PLY");
        return std::nullopt;
    }
    if (word.empty()) {
        statement = next_statement(lines);
        words = Words(statement.value_or(""));
        word = words.next();
    }
    const Integer vertices = integer_of(word), faces = integer_of(words.next());
    if (!vertices.complaint.empty() || !faces.complaint.empty() || vertices.value < 0 || faces.value < 0) {
        builder.problem({lines.number(), "counts"}, "expected the numbers of vertices, faces and edges, none below 0",
                        "the line reads: 8 6 12");
        return std::nullopt;
    }
    return Counts{vertices.value, faces.value};
}

/// A count that the rest of the file cannot hold: nothing is allocated on its word.
bool is_believable(MeshBuilder& builder, std::int64_t count, const char* what, std::size_t shortest, const Lines& lines)
{
    const auto most = static_cast<std::int64_t>((lines.remaining() + 1) / shortest);
    if (count <= most) return true;
    builder.problem(
        {lines.number(), what},
        fmt::format("the header promises {}, but {} bytes can hold {} at most", count, lines.remaining(), most),
        "the file is cut off or its header is wrong; export the mesh again");
    return false;
}

void tell_cut_off(MeshBuilder& builder, const Lines& lines, const char* what, std::int64_t read, std::int64_t promised)
{
    builder.problem({lines.number(), what}, fmt::format("the file ends after {} of {}", read, promised),
                    "the file is cut off; export or copy it again");
}

bool read_vertices(MeshBuilder& builder, Lines& lines, std::int64_t count)
{
    if (!is_believable(builder, count, "vertices", 6, lines)) return false;
    builder.expect_vertices(count, static_cast<std::size_t>(count));
    for (std::int64_t i = 0; i < count; ++i) {
        const auto statement = next_statement(lines);
        if (!statement) return tell_cut_off(builder, lines, "vertices", i, count), false;
        const Place place{lines.number(), "vertex", i};
        Words words(*statement);
        Point point = next_point(words);
        if (!point.complaint.empty()) builder.problem(place, std::move(point.complaint), "a vertex reads: 0.5 1 -2");
        builder.vertex(point.value, place);
    }
    return true;
}

void read_face(MeshBuilder& builder, std::vector<std::int64_t>& corners, std::string_view statement, const Place& place)
{
    Words words(statement);
    const Integer count = integer_of(words.next());
    if (!count.complaint.empty() || count.value < 0)
        return builder.problem(place, "starts without its number of corners", "a triangle reads: 3 0 1 2");
    corners.clear();
    for (std::int64_t c = 0; c < count.value; ++c) {
        Integer corner = integer_of(words.next());
        if (!corner.complaint.empty())
            return builder.problem(place, std::move(corner.complaint),
                                   fmt::format("the line promises {} corners", count.value));
        corners.push_back(corner.value);
    }
    if (corners.size() == 2) return builder.line(corners[0], corners[1], place);
    builder.polygon(corners, place);
}

void read_faces(MeshBuilder& builder, Lines& lines, std::int64_t count)
{
    if (!is_believable(builder, count, "faces", 2, lines)) return;
    std::vector<std::int64_t> corners;
    for (std::int64_t i = 0; i < count; ++i) {
        const auto statement = next_statement(lines);
        if (!statement) return tell_cut_off(builder, lines, "faces", i, count);
        read_face(builder, corners, *statement, {lines.number(), "face", i});
    }
}

}  // namespace

MeshRead read_off(std::string_view bytes, const std::string& file_name)
{
    return read_safely(file_name, 0, [&](MeshBuilder& builder) {
        Lines lines(without_byte_order_mark(bytes));
        const std::optional<Counts> counts = read_header(builder, lines);
        if (counts && read_vertices(builder, lines, counts->vertices)) read_faces(builder, lines, counts->faces);
    });
}

std::string off_bytes(const TriMesh& mesh)
{
    std::string text = fmt::format("OFF\n{} {} 0\n", mesh.vertices.size(), mesh.triangles.size() + mesh.lines.size());
    for (const Vec3& x : mesh.vertices)
        for (int k = 0; k < 3; ++k) append_number(text, x[k]), text += k < 2 ? ' ' : '\n';
    const auto add_face = [&](const auto& corners) {
        append_number(text, static_cast<std::int64_t>(corners.size()));
        for (const std::int32_t v : corners) text += ' ', append_number(text, std::int64_t{v});
        text += '\n';
    };
    for (const Triangle& t : mesh.triangles) add_face(t);
    for (const Edge& line : mesh.lines) add_face(line);
    return text;
}

}  // namespace pliant
