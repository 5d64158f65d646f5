// SPDX-License-Identifier: MIT

// Wavefront OBJ: v, vt, f and l; materials, normals, names and curves are passed by.
//
// Vertices keep their order, which PC2 caches rely on. Indices count from 1; negative ones count
// back from the last vertex so far. A backslash at the end of a line continues it.
//
// Texture coordinates (vt) are a mesh's material coordinates, in the file's unit of length, where the
// corners of faces give every vertex exactly one pair. Otherwise they are left out, and a note says
// why: pictures are often laid over a mesh with cuts that the cloth does not have.

#include <algorithm>
#include <cmath>
#include <iterator>

#include <fmt/format.h>

#include <pliant/io/mesh_builder.h>
#include <pliant/io/text_words.h>

namespace pliant {

namespace {

constexpr std::string_view kPassedBy[] = {
    "vn",       "vp",   "o",          "g",         "s",     "mg",    "usemtl", "mtllib", "usemap",
    "maplib",   "p",    "cstype",     "deg",       "bmat",  "step",  "curv",   "curv2",  "surf",
    "parm",     "trim", "hole",       "scrv",      "sp",    "end",   "con",    "bevel",  "c_interp",
    "d_interp", "lod",  "shadow_obj", "trace_obj", "ctech", "stech", "call",   "csh"};

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

/// Texture coordinates and the corners that name them; faces may come before what they name.
class TextureCoordinates {
public:
    /// A statement "vt u [v [w]]". Bad ones only matter to meshes that are cloth, so they are no problem here.
    void add(Words& words)
    {
        const std::string_view u_word = words.next(), v_word = words.next();
        const Number u = number_of(u_word), v = v_word.empty() ? Number{} : number_of(v_word);
        const bool is_good =
            u.complaint.empty() && v.complaint.empty() && std::isfinite(u.value) && std::isfinite(v.value);
        if (!is_good && first_bad_ < 0) first_bad_ = static_cast<std::int64_t>(pairs_.size());
        pairs_.push_back({u.value, v.value});
    }

    /// A corner of a face such as 7/1/3; its second number counts as the first does.
    void add_corner(std::int64_t vertex, std::string_view word)
    {
        const std::size_t slash = word.find('/');
        if (slash == std::string_view::npos) return;
        const std::string_view second = word.substr(slash + 1, word.find('/', slash + 1) - slash - 1);
        if (second.empty()) return;
        const Integer index = integer_of(second);
        const bool is_number = index.complaint.empty() && index.value != 0;
        const std::int64_t before_first = index.value > 0 ? -1 : static_cast<std::int64_t>(pairs_.size());
        corners_.push_back({vertex, is_number ? before_first + index.value : -1});
    }

    /// Fills the mesh's uv where every vertex has exactly one pair, else tells why not.
    void give_to(MeshBuilder& builder) const
    {
        if (corners_.empty()) return;
        const std::string obstacle = assign(builder.mesh().uv, builder.vertex_count());
        if (obstacle.empty()) return;
        builder.mesh().uv.clear();
        builder.note("texture coordinates were left out: " + obstacle);
    }

private:
    struct Corner {
        std::int64_t vertex, pair;
    };

    std::string assign(std::vector<Uv>& uv, std::size_t vertex_count) const
    {
        if (first_bad_ >= 0) return fmt::format("the pair vt {} has no two finite numbers", first_bad_ + 1);
        uv.assign(vertex_count, {});
        std::vector<bool> is_given(vertex_count, false);
        for (const Corner& corner : corners_) {
            if (corner.vertex < 0 || corner.vertex >= static_cast<std::int64_t>(vertex_count)) continue;
            if (corner.pair < 0 || corner.pair >= static_cast<std::int64_t>(pairs_.size()))
                return fmt::format("a corner at vertex {} names none of the {} pairs", corner.vertex + 1,
                                   pairs_.size());
            const auto v = static_cast<std::size_t>(corner.vertex);
            const Uv& pair = pairs_[static_cast<std::size_t>(corner.pair)];
            if (is_given[v] && uv[v] != pair) return fmt::format("vertex {} has several pairs", v + 1);
            uv[v] = pair, is_given[v] = true;
        }
        const auto without = std::find(is_given.begin(), is_given.end(), false);
        if (without == is_given.end()) return "";
        return fmt::format("vertex {} has none", without - is_given.begin() + 1);
    }

    std::vector<Uv> pairs_;
    std::vector<Corner> corners_;
    std::int64_t first_bad_ = -1;
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

/// Fills `corners`; false after telling the problem. Lines have no use for texture coordinates.
bool read_corners(std::vector<std::int64_t>& corners, MeshBuilder& builder, Words& words, const Place& place,
                  TextureCoordinates* texture)
{
    corners.clear();
    for (std::string_view word = words.next(); !word.empty(); word = words.next()) {
        Integer corner = corner_of(word, builder.vertex_count());
        if (!corner.complaint.empty()) {
            builder.problem(place, std::move(corner.complaint), "correct the index");
            return false;
        }
        corners.push_back(corner.value);
        if (texture) texture->add_corner(corner.value, word);
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
    TextureCoordinates texture;
    for (Statements statements(text); statements.next();) {
        Words words(statements.words());
        const std::string_view keyword = words.next();
        const int line = statements.number();
        if (keyword.empty()) continue;
        if (keyword == "v") {
            read_vertex(builder, words, line);
        } else if (keyword == "vt") {
            texture.add(words);
        } else if (keyword == "f" || keyword == "fo") {
            if (read_corners(corners, builder, words, {line, "face"}, &texture))
                builder.polygon(corners, {line, "face"});
        } else if (keyword == "l") {
            if (read_corners(corners, builder, words, {line, "line"}, nullptr))
                read_polyline(builder, corners, {line, "line"});
        } else if (std::find(std::begin(kPassedBy), std::end(kPassedBy), keyword) == std::end(kPassedBy)) {
            builder.problem({line}, fmt::format("unknown statement {}, expected v, f, l …", in_quotes(keyword)),
                            "is this really an OBJ file?");
        }
    }
    if (!builder.has_problems()) texture.give_to(builder);
}

/// " 7", or " 7/7" where every vertex has its own texture coordinates.
void append_corner(std::string& text, std::int32_t vertex, bool with_uv)
{
    text += ' ', append_number(text, std::int64_t{vertex} + 1);
    if (with_uv) text += '/', append_number(text, std::int64_t{vertex} + 1);
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
    for (const Uv& uv : mesh.uv) {
        text += "vt";
        for (const double coordinate : uv) text += ' ', append_number(text, coordinate);
        text += '\n';
    }
    for (const Triangle& t : mesh.triangles) {
        text += 'f';
        for (const std::int32_t v : t) append_corner(text, v, !mesh.uv.empty());
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
