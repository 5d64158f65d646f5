// SPDX-License-Identifier: MIT

// Wavefront OBJ: v, f and l; materials, normals, texture coordinates, names and curves are passed by.
//
// Vertices keep their order, which PC2 caches rely on. Indices count from 1; negative ones count
// back from the last vertex so far. A backslash at the end of a line continues it.

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include <pliant/io/mesh_builder.h>
#include <pliant/io/text_words.h>

namespace pliant {

namespace {

constexpr std::string_view kPassedBy[] = {
    "vt",       "vn",       "vp",   "o",          "g",         "s",     "mg",    "usemtl", "mtllib",
    "usemap",   "maplib",   "p",    "cstype",     "deg",       "bmat",  "step",  "curv",   "curv2",
    "surf",     "parm",     "trim", "hole",       "scrv",      "sp",    "end",   "con",    "bevel",
    "c_interp", "d_interp", "lod",  "shadow_obj", "trace_obj", "ctech", "stech", "call",   "csh"};

/// Statements: lines without comments, continuation lines joined.
class Statements {
public:
    explicit Statements(std::string_view text) : lines_(text) {}

    bool next()
    {
        if (!lines_.next()) return false;
        number_ = lines_.number();
        words_ = lines_.line();
        if (ends_with_backslash(words_)) join();
        const std::size_t comment = words_.find('#');
        if (comment != std::string_view::npos) words_ = words_.substr(0, comment);
        return true;
    }
    std::string_view words() const { return words_; }
    int number() const { return number_; }  ///< line on which the statement starts

private:
    static bool ends_with_backslash(std::string_view line) { return !line.empty() && line.back() == '\\'; }

    void join()
    {
        joined_.clear();
        for (;;) {
            const bool more = ends_with_backslash(lines_.line());
            joined_.append(lines_.line().substr(0, lines_.line().size() - (more ? 1 : 0)));
            joined_ += ' ';
            if (!more || !lines_.next()) break;
        }
        words_ = joined_;
    }

    Lines lines_;
    std::string_view words_;
    std::string joined_;
    int number_ = 0;
};

std::int64_t count_vertices(std::string_view text)
{
    std::int64_t count = 0;
    for (Statements statements(text); statements.next();)
        if (Words(statements.words()).next() == "v") ++count;
    return count;
}

/// "7", "7/1", "7//3", "7/1/3", "-1": only the vertex matters. Zero-based; complaint on failure.
Integer corner_of(std::string_view word, std::size_t vertices_so_far)
{
    Integer corner = integer_of(word.substr(0, word.find('/')));
    if (!corner.complaint.empty())
        corner.complaint = fmt::format("found {}, expected a corner such as 7, 7/1, 7//3 or 7/1/3", in_quotes(word));
    else if (corner.value == 0)
        corner.complaint = fmt::format("found {}; vertices count from 1", in_quotes(word));
    else if (corner.value < -static_cast<std::int64_t>(vertices_so_far))
        corner.complaint =
            fmt::format("names vertex {}, but only {} vertices come before it", corner.value, vertices_so_far);
    else
        corner.value += corner.value > 0 ? -1 : static_cast<std::int64_t>(vertices_so_far);
    return corner;
}

/// Fills `corners`; false after telling the problem.
bool read_corners(std::vector<std::int64_t>& corners, MeshBuilder& builder, Words& words, const Place& place)
{
    corners.clear();
    for (std::string_view word = words.next(); !word.empty(); word = words.next()) {
        Integer corner = corner_of(word, builder.vertex_count());
        if (!corner.complaint.empty()) {
            builder.problem(place, std::move(corner.complaint), "correct the index");
            return false;
        }
        corners.push_back(corner.value);
    }
    return true;
}

void read_vertex(MeshBuilder& builder, Words& words, int line)
{
    const Place place{line, "vertex", static_cast<std::int64_t>(builder.vertex_count()) + 1};
    Point point = next_point(words);
    if (!point.complaint.empty()) builder.problem(place, std::move(point.complaint), "a vertex reads: v 0.5 1 -2");
    builder.vertex(point.value, place);
}

void read_polyline(MeshBuilder& builder, std::span<const std::int64_t> corners, const Place& place)
{
    if (corners.size() < 2)
        builder.problem(place, fmt::format("has {} ends, expected at least 2", corners.size()), "a line reads: l 1 2");
    for (std::size_t i = 1; i < corners.size(); ++i) builder.line(corners[i - 1], corners[i], place);
}

void read_statements(MeshBuilder& builder, std::string_view text)
{
    std::vector<std::int64_t> corners;
    for (Statements statements(text); statements.next();) {
        Words words(statements.words());
        const std::string_view keyword = words.next();
        const int line = statements.number();
        if (keyword.empty()) continue;
        if (keyword == "v") {
            read_vertex(builder, words, line);
        } else if (keyword == "f" || keyword == "fo") {
            if (read_corners(corners, builder, words, {line, "face"})) builder.polygon(corners, {line, "face"});
        } else if (keyword == "l") {
            if (read_corners(corners, builder, words, {line, "line"})) read_polyline(builder, corners, {line, "line"});
        } else if (std::find(std::begin(kPassedBy), std::end(kPassedBy), keyword) == std::end(kPassedBy)) {
            builder.problem({line}, fmt::format("unknown statement {}, expected v, f, l …", in_quotes(keyword)),
                            "is this really an OBJ file?");
        }
    }
}

}  // namespace

MeshRead read_obj(std::string_view bytes, const std::string& file_name)
{
    return read_safely(file_name, 1, [&](MeshBuilder& builder) {
        const std::string_view text = without_byte_order_mark(bytes);
        const std::int64_t count = count_vertices(text);
        builder.expect_vertices(count, static_cast<std::size_t>(count));
        read_statements(builder, text);
    });
}

std::string obj_bytes(const TriMesh& mesh)
{
    std::string text = "# written by pliant\n";
    text.reserve(mesh.vertices.size() * 64 + mesh.triangles.size() * 24 + mesh.lines.size() * 18);
    for (const Vec3& x : mesh.vertices) {
        text += 'v';
        for (int k = 0; k < 3; ++k) text += ' ', append_number(text, x[k]);
        text += '\n';
    }
    for (const Triangle& t : mesh.triangles) {
        text += 'f';
        for (const std::int32_t v : t) text += ' ', append_number(text, std::int64_t{v} + 1);
        text += '\n';
    }
    for (const Edge& line : mesh.lines) {
        text += 'l';
        for (const std::int32_t v : line) text += ' ', append_number(text, std::int64_t{v} + 1);
        text += '\n';
    }
    return text;
}

}  // namespace pliant
